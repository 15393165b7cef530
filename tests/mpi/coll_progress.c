/* Broadcasts make progress. A process that calls only MPI_Bcast, and finds every broadcast already
 * published, must still make progress with its other operations.
 *
 * sizes: 2 4
 * modes: default copy threads dedicated oversubscribed
 */

#include "coll.h"
#include <stdlib.h>
#include <time.h>

enum { WARM = 6, CALLS_MAX = 300, LONG = 1 << 20 };

/* Rank 1 broadcasts whether its send or receive has completed. Rank 0, which enters each broadcast
 * late, is not asked. */
static void test(int bytes, int sends) {
    static char data[LONG];
    int rank = world_rank, ended = 0, calls = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank < 2 && (rank == 0) == sends)
        OK(MPI_Issend(data, bytes, MPI_BYTE, !rank, 1, MPI_COMM_WORLD, &request));
    else if (rank < 2)
        OK(MPI_Irecv(data, bytes, MPI_BYTE, !rank, 1, MPI_COMM_WORLD, &request));
    for (; !ended; calls++) {
        struct timespec pause = {0, 20000};
        if (rank == 0) nanosleep(&pause, NULL);
        if (rank == 1) OK(MPI_Test(&request, &ended, MPI_STATUS_IGNORE));
        OK(MPI_Bcast(&ended, 1, MPI_INT, 1, MPI_COMM_WORLD));
    }
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (calls > CALLS_MAX)
        fail_at(__LINE__, "broadcasts until the operation completed", calls, CALLS_MAX);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    for (int call = 0; call < WARM; call++) OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int round = 0; round < 10; round++) {
        test(8, 0);
        test(8, 1);
        test(LONG, 0);
    }
    MPI_Finalize();
    return 0;
}
