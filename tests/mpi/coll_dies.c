/* A process dies while the others wait for it in collective operations. The job must end.
 *
 * sizes: 2 4 7
 * modes: default
 * seconds: 60
 * dies: SIGABRT|ended
 */

#include "coll.h"
#include <signal.h>

int main(int argc, char **argv) {
    begin(&argc, &argv);
    for (int call = 0;; call++) {
        int one = call, sum = 0;
        if (world_rank == world_size - 1 && call == 100) raise(SIGABRT);
        OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        EQUAL("sum", sum, world_size * call);
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    return end();
}
