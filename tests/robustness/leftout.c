/* leftout CALL [BARRIERS]: rank 1 calls MPI_Finalize instead of CALL, which the other ranks make.
 *
 * CALL is barrier, allreduce, bcast or receive (a message of rank 1). Before it, all ranks call
 * MPI_Barrier BARRIERS times. */

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static void call(const char *name) {
    int sent = 1, got = 0;
    if (!strcmp(name, "barrier"))
        MPI_Barrier(MPI_COMM_WORLD);
    else if (!strcmp(name, "allreduce"))
        MPI_Allreduce(&sent, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (!strcmp(name, "bcast"))
        MPI_Bcast(&sent, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&got, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int barriers = argc > 2 ? atoi(argv[2]) : 0; barriers > 0; barriers--)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 1)
        call(argv[1]);
    MPI_Finalize();
    return 0;
}
