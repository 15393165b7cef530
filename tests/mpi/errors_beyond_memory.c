/* A buffer that is shorter than its count says, at the upper end of the stack: the signal's message
 * names the call, the length of the buffer, and how much of it there is. With two processes it is
 * that of a send, with three that of a broadcast, with four that of a receive.
 *
 * sizes: 2 3 4
 * modes: default
 * dies: bytes, and memory ends after|the count is larger than the buffer */

#include "check.h"

static int many[2000000];

int main(int argc, char **argv)
{
    int few = 7;
    begin(&argc, &argv);
    if (size == 3) {
        MPI_Bcast(rank == 0 ? &few : many, 8000, MPI_INT, 0, MPI_COMM_WORLD);
    } else if (rank < 2) {
        int sends = (rank == 0) == (size == 2);
        if (sends)
            MPI_Send(size == 2 ? &few : many, 8000, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(size == 4 ? &few : many, 8000, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
