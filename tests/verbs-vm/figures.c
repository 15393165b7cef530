/* Prints the median latency of messages of 8 bytes, the bandwidth of messages of 1 MiB, and the
 * rate of 8-byte messages that both processes send at once, 64 at a time. Used by figures. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 500, LONG = 1 << 20, LONG_ROUNDS = 20, WINDOW = 64, WINDOWS = 20 };

static int compare(const void *one, const void *other)
{
    double difference = *(const double *)one - *(const double *)other;
    return (difference > 0) - (difference < 0);
}

static double latencies(int rank, char *buffer, double *least)
{
    static double times[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double begin = MPI_Wtime();
        if (rank == 0) MPI_Send(buffer, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, 8, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(buffer, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        times[round] = (MPI_Wtime() - begin) / 2;
    }
    qsort(times, ROUNDS, sizeof times[0], compare);
    *least = times[0];
    return times[ROUNDS / 2];
}

static double bandwidth(int rank, char *buffer)
{
    double begin = MPI_Wtime();
    for (int round = 0; round < LONG_ROUNDS; round++) {
        if (rank == 0) MPI_Send(buffer, LONG, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        else MPI_Recv(buffer, LONG, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return LONG_ROUNDS / (MPI_Wtime() - begin);
}

static double rate_both_ways(int rank, char *buffer)
{
    static char incoming[WINDOW][8];
    MPI_Request requests[2 * WINDOW];
    double begin = MPI_Wtime();
    for (int round = 0; round < WINDOWS; round++) {
        for (int number = 0; number < WINDOW; number++)
            MPI_Irecv(incoming[number], 8, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD,
                      &requests[number]);
        for (int number = 0; number < WINDOW; number++)
            MPI_Isend(buffer, 8, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD,
                      &requests[WINDOW + number]);
        MPI_Waitall(2 * WINDOW, requests, MPI_STATUSES_IGNORE);
    }
    return 2 * WINDOW * WINDOWS / (MPI_Wtime() - begin);
}

int main(int argc, char **argv)
{
    static char buffer[LONG];
    int rank;
    double least;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double median = latencies(rank, buffer, &least);
    double mebibytes = bandwidth(rank, buffer);
    double rate = rate_both_ways(rank, buffer);
    if (rank == 0)
        printf("8 B %.0f us (least %.0f); 1 MiB %.1f MiB/s; both ways %.0f messages/s\n",
               median * 1e6, least * 1e6, mebibytes, rate);
    MPI_Finalize();
    return 0;
}
