/* One-way time of messages between two MPI processes, with the pattern of raw.c. Prints lines of
 * bytes and microseconds. */

#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "rounds.h"

static double exchange(int rank, char *payload, int bytes)
{
    double times[BATCHES];
    int exchanges = rounds(bytes);
    for (int batch = 0; batch < BATCHES; batch++) {
        double start = MPI_Wtime();
        for (int round = 0; round < exchanges; round++) {
            if (rank == 0) MPI_Send(payload, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(payload, bytes, MPI_CHAR, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1) MPI_Send(payload, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        }
        double each = (MPI_Wtime() - start) / exchanges / 2;
        keep(times, batch, each);
    }
    return typical(times);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bind_to_processor(rank);
    char *payload = calloc(1, LONG_BYTES);
    exchange(rank, payload, 8);
    for (int bytes = 1; bytes <= LONG_BYTES; bytes *= 2) {
        double took = exchange(rank, payload, bytes);
        if (rank == 0) printf("%d %.3f\n", bytes, took * 1e6), fflush(stdout);
    }
    MPI_Finalize();
    return 0;
}
