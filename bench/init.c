/* Seconds of MPI_Init and MPI_Finalize together, at rank 0 of any number of ranks. A run is one
 * sample. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main(int argc, char **argv)
{
    int rank;
    double start = now();
    MPI_Init(&argc, &argv);
    double running = now();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double end = now();
    MPI_Finalize();
    double seconds = (running - start) + (now() - end);
    if (rank == 0) printf("{\"measure\": \"init\", \"value\": %.4e}\n", seconds);
    return 0;
}
