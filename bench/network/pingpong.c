/* One-way latency at 8 bytes and bandwidth at 4 MiB between two processes, in the pattern of raw.c. Any MPI's. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "rounds.h"

static double exchange(int rank, char *payload, int bytes, int rounds)
{
    double best = 1;
    for (int batch = 0; batch < BATCHES; batch++) {
        double start = MPI_Wtime();
        for (int round = 0; round < rounds; round++) {
            if (rank == 0) MPI_Send(payload, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(payload, bytes, MPI_CHAR, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1) MPI_Send(payload, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        }
        double each = (MPI_Wtime() - start) / rounds / 2;
        if (each < best) best = each;
    }
    return best;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *payload = calloc(1, LONG_BYTES);
    exchange(rank, payload, 8, SHORT_ROUNDS / 10);
    double latency = exchange(rank, payload, 8, SHORT_ROUNDS);
    exchange(rank, payload, LONG_BYTES, 2);
    double transfer = exchange(rank, payload, LONG_BYTES, LONG_ROUNDS);
    if (rank == 0) printf("%8.2f us %8.1f MB/s\n", latency * 1e6, LONG_BYTES / transfer / 1e6);
    MPI_Finalize();
    return 0;
}
