/* Bandwidth in both directions: two processes exchange one message each with MPI_Irecv, MPI_Isend
 * and MPI_Waitall. */
#include "measure.h"

static char *outgoing, *incoming;

static double exchanges(long repetitions, int bytes)
{
    MPI_Request requests[2];
    double start = now();
    for (long i = 0; i < repetitions; i++) {
        MPI_Irecv(incoming, bytes, MPI_BYTE, 1 - rank, TAG_DATA, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(outgoing, bytes, MPI_BYTE, 1 - rank, TAG_DATA, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    return now() - start;
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    int largest = argc > 3 ? atoi(argv[3]) : 4 << 20;
    outgoing = touched(largest);
    incoming = touched(largest);
    for (long bytes = 4096; bytes <= largest; bytes *= 2) {
        double seconds = measured(exchanges, bytes);
        if (rank == 0)
            printf("{\"measure\": \"both\", \"bytes\": %ld, \"value\": %.4e}\n", bytes, seconds);
    }
    end();
    return 0;
}
