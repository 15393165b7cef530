/* Reads through a null pointer between MPI_Init and MPI_Finalize. */

#include <mpi.h>

int main(int argc, char **argv) {
    volatile int *nowhere = 0;
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    int got = *nowhere;
    MPI_Finalize();
    return got;
}
