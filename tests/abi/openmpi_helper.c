/* A rank that starts a serial program of MPI, which is a job of its own, although it sees the
 * variables of the rank under Open MPI's names. Run on two processes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char command[1000];
    int rank, size, code;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1) {
        code = size == 1 && rank == 0 ? 0 : 3;
    } else {
        snprintf(command, sizeof command, "env -u PMI_FD -u PMI_SIZE %s helper", argv[0]);
        code = size == 2 && system(command) == 0 ? 0 : 4;
    }
    MPI_Finalize();
    return code;
}
