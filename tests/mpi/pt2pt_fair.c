/* Fairness of MPI_Waitany and MPI_Waitsome: they complete other requests although the first one is
 * complete in every call. MPI 5.0 §3.7.5 requires this of MPI_Waitsome only, but a library that
 * starves a peer in MPI_Waitany is of no use.
 *
 * sizes: 4
 * modes: default copy tiny
 */

#include "check.h"

enum { ROUNDS = 2000 };

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (rank == 0) {
        for (int some = 0; some < 2; some++) {
            int *got = calloc(size, sizeof *got), *seen = calloc(size, sizeof *seen), total = 0;
            MPI_Request *requests = malloc(size * sizeof *requests);
            int *indices = malloc(size * sizeof *indices);
            requests[0] = MPI_REQUEST_NULL;
            for (int i = 1; i < size; i++)
                OK(MPI_Irecv(&got[i], 1, MPI_INT, i, 1, MPI_COMM_WORLD, &requests[i]));
            /* All messages have arrived before the first wait, because the last one of each peer
             * has been received. */
            for (int i = 1; i < size; i++)
                OK(MPI_Recv(NULL, 0, MPI_INT, i, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            while (total < ROUNDS * (size - 1)) {
                int count = 1;
                if (some) OK(MPI_Waitsome(size, requests, &count, indices, MPI_STATUSES_IGNORE));
                else OK(MPI_Waitany(size, requests, &indices[0], MPI_STATUS_IGNORE));
                for (int i = 0; i < count; i++) {
                    int which = indices[i];
                    CHECK(got[which] == seen[which],
                          "message %d of peer %d arrived, %d is expected", got[which], which,
                          seen[which]);
                    total++;
                    if (++seen[which] == ROUNDS)
                        for (int other = 1; other < size; other++)
                            CHECK(seen[other] > ROUNDS / 10,
                                  "peer %d is done, of peer %d %d of %d messages are complete",
                                  which, other, seen[other], ROUNDS);
                    if (seen[which] < ROUNDS)
                        OK(MPI_Irecv(&got[which], 1, MPI_INT, which, 1, MPI_COMM_WORLD,
                                     &requests[which]));
                }
            }
            free(got), free(seen), free(requests), free(indices);
        }
    } else {
        for (int some = 0; some < 2; some++) {
            static MPI_Request requests[ROUNDS];
            static int numbers[ROUNDS];
            for (int i = 0; i < ROUNDS; i++) {
                numbers[i] = i;
                OK(MPI_Isend(&numbers[i], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[i]));
            }
            OK(MPI_Send(NULL, 0, MPI_INT, 0, 2, MPI_COMM_WORLD));
            OK(MPI_Waitall(ROUNDS, requests, MPI_STATUSES_IGNORE));
        }
    }
    return MPI_Finalize();
}
