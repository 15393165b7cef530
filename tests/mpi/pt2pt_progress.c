/* Progress: a process in any blocking call lets the operations of other processes with it complete:
 * a rendezvous into a posted receive, a synchronous send, and its own buffered sends (MPI 5.0 §3.5,
 * §3.7.4). Process 0 leaves its blocking call only after the others have seen their sends complete.
 *
 * sizes: 2 4 7
 */

#include "check.h"

enum { LARGE = 3 << 20, CALLS = 6 };

/* Two ranks exchange messages without a pause, `window` messages at a time. A third rank must still
 * get its answers from one of them. */
static void to_and_fro(int window)
{
    MPI_Datatype gaps;
    MPI_Request request, requests[64];
    int *large = calloc(LARGE / sizeof(int), sizeof *large), numbers[64] = {0}, flag = 0, done;
    OK(MPI_Type_vector(LARGE / 8, 1, 2, MPI_INT, &gaps));
    OK(MPI_Type_commit(&gaps));
    if (rank == 0) {
        for (int i = 0; i < LARGE / 4; i += 2) large[i] = i;
        OK(MPI_Isend(large, 1, gaps, 2, 10, MPI_COMM_WORLD, &request));
        do {
            if (window == 1)
                OK(MPI_Recv(numbers, 1, MPI_INT, 1, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            for (int i = 0; window > 1 && i < window; i++)
                OK(MPI_Irecv(&numbers[i], 1, MPI_INT, 1, 11, MPI_COMM_WORLD, &requests[i]));
            if (window > 1) OK(MPI_Waitall(window, requests, MPI_STATUSES_IGNORE));
            OK(MPI_Send(numbers, 1, MPI_INT, 1, 12, MPI_COMM_WORLD));
        } while (numbers[0] >= 0);
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else if (rank == 1) {
        OK(MPI_Irecv(&done, 1, MPI_INT, 2, 13, MPI_COMM_WORLD, &request));
        for (int last = 0; !last;) {
            last = flag;
            if (last) numbers[0] = -1;
            for (int i = 0; i < window; i++)
                OK(MPI_Send(&numbers[i], 1, MPI_INT, 0, 11, MPI_COMM_WORLD));
            OK(MPI_Recv(&done, 1, MPI_INT, 0, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            if (!flag) OK(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
        }
    } else if (rank == 2) {
        OK(MPI_Recv(large, LARGE / 8, MPI_INT, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int i = 0; i < LARGE / 8; i++) CHECK(large[i] == 2 * i, "%d at %d", large[i], i);
        OK(MPI_Send(&rank, 1, MPI_INT, 1, 13, MPI_COMM_WORLD));
    }
    OK(MPI_Type_free(&gaps));
    free(large);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int call = 0; call < CALLS; call++)
        for (int length = 4; length <= LARGE; length += LARGE - 4) {
            if (rank == 0) {
                MPI_Request *requests = malloc(2 * size * sizeof *requests);
                unsigned char **incoming = malloc(size * sizeof *incoming), *out = malloc(LARGE);
                int go = -1, flag = 0, index;
                MPI_Message message;
                MPI_Status status;
                fill(out, length, 999);
                for (int i = 0; i < size; i++) {
                    incoming[i] = guarded(length);
                    requests[i] = requests[size + i] = MPI_REQUEST_NULL;
                    if (i == 0) continue;
                    OK(MPI_Irecv(incoming[i], length, MPI_BYTE, i, 1, MPI_COMM_WORLD,
                                 &requests[i]));
                    OK(MPI_Isend(out, length, MPI_BYTE, i, 2, MPI_COMM_WORLD, &requests[size + i]));
                }
                MPI_Request waiting = MPI_REQUEST_NULL;
                switch (call) {
                case 0:
                    OK(MPI_Recv(&go, 1, MPI_INT, size - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                    break;
                case 1: OK(MPI_Probe(size - 1, 3, MPI_COMM_WORLD, &status)); break;
                case 2:
                    OK(MPI_Irecv(&go, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &waiting));
                    OK(MPI_Waitany(1, &waiting, &index, &status));
                    break;
                case 3:
                    while (!flag) OK(MPI_Iprobe(size - 1, 3, MPI_COMM_WORLD, &flag, &status));
                    break;
                case 4: OK(MPI_Ssend(&go, 1, MPI_INT, size - 1, 4, MPI_COMM_WORLD)); break;
                case 5: OK(MPI_Barrier(MPI_COMM_WORLD)); break;
                }
                if (call == 1 || call == 3) {
                    OK(MPI_Mprobe(size - 1, 3, MPI_COMM_WORLD, &message, &status));
                    OK(MPI_Mrecv(&go, 1, MPI_INT, &message, &status));
                }
                if (call < 4) CHECK(go == 42, "received %d", go);
                OK(MPI_Waitall(2 * size, requests, MPI_STATUSES_IGNORE));
                for (int i = 0; i < size; i++) {
                    if (i > 0)
                        CHECK(first_wrong(incoming[i], length, i) < 0 &&
                              untouched(incoming[i], length, length), "the message of %d is wrong",
                              i);
                    free_guarded(incoming[i]);
                }
                free(incoming), free(requests), free(out);
            } else {
                unsigned char *out = malloc(length), *in = guarded(length);
                int go = 42, token = 0;
                fill(out, length, rank);
                OK(MPI_Ssend(out, length, MPI_BYTE, 0, 1, MPI_COMM_WORLD));
                OK(MPI_Recv(in, length, MPI_BYTE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                CHECK(first_wrong(in, length, 999) < 0 && untouched(in, length, length),
                      "the message of process 0 is wrong");
                /* The ranks pass a token to the last one, which then tells process 0 that all sends
                 * are complete. */
                if (rank > 1)
                    OK(MPI_Recv(&token, 1, MPI_INT, rank - 1, 5, MPI_COMM_WORLD,
                                MPI_STATUS_IGNORE));
                if (rank < size - 1) OK(MPI_Send(&token, 1, MPI_INT, rank + 1, 5, MPI_COMM_WORLD));
                else if (call < 4) OK(MPI_Send(&go, 1, MPI_INT, 0, 3, MPI_COMM_WORLD));
                else if (call == 4)
                    OK(MPI_Recv(&token, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                if (call == 5) OK(MPI_Barrier(MPI_COMM_WORLD));
                free(out);
                free_guarded(in);
            }
        }
    /* A receive from one process lets the large send of another progress, between two messages of
     * the first. */
    if (size > 2) {
        unsigned char *large = guarded(LARGE);
        MPI_Request request;
        int number;
        if (rank == 0) {
            OK(MPI_Irecv(large, LARGE, MPI_BYTE, 2, 7, MPI_COMM_WORLD, &request));
            do OK(MPI_Recv(&number, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            while (number >= 0);
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK(first_wrong(large, LARGE, 2) < 0, "the large message is wrong");
        } else if (rank == 1) {
            int flag = 0, done;
            OK(MPI_Irecv(&done, 1, MPI_INT, 2, 9, MPI_COMM_WORLD, &request));
            for (number = 0; !flag; number = (number + 1) & 0xffff) {
                OK(MPI_Ssend(&number, 1, MPI_INT, 0, 8, MPI_COMM_WORLD));
                OK(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
            }
            number = -1;
            OK(MPI_Send(&number, 1, MPI_INT, 0, 8, MPI_COMM_WORLD));
        } else if (rank == 2) {
            fill(large, LARGE, 2);
            OK(MPI_Ssend(large, LARGE, MPI_BYTE, 0, 7, MPI_COMM_WORLD));
            OK(MPI_Send(&rank, 1, MPI_INT, 1, 9, MPI_COMM_WORLD));
        }
        free_guarded(large);
        to_and_fro(1);
        to_and_fro(64);
    }
    return MPI_Finalize();
}
