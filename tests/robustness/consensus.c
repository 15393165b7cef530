/* Non-blocking consensus, again and again on one communicator with one tag, as programs do that
 * trust that nobody looks for messages once the barrier has ended. MPI does not promise that; but a
 * library that leaves the processor between the look at the barrier and the look for messages makes
 * such programs fail often. Tells how many messages were found a round too early. */

#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 2000, TAG = 1 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, early = 0, all;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request sends[2], barrier;
        for (int i = 0; i < 2; i++) {
            int to = (rank + i + 1) % size;
            MPI_Issend(&round, 1, MPI_INT, to, TAG, MPI_COMM_WORLD, &sends[i]);
        }
        for (int entered = 0, over = 0; !over;) {
            int found;
            MPI_Status status;
            MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &found, &status);
            if (found) {
                int theirs;
                MPI_Recv(&theirs, 1, MPI_INT, status.MPI_SOURCE, TAG, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
                early += theirs != round;
            }
            if (entered) {
                MPI_Test(&barrier, &over, MPI_STATUS_IGNORE);
            } else {
                MPI_Testall(2, sends, &entered, MPI_STATUSES_IGNORE);
                if (entered) MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
            }
        }
    }
    MPI_Reduce(&early, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d of %d messages found too early\n", all, 2 * ROUNDS * size);
    MPI_Finalize();
    return 0;
}
