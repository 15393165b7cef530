/* One-way latency and bandwidth: two processes send one message back and forth, and half a round
 * trip is one way.
 *
 * Lengths are 0 and the powers of two up to the largest (third argument, bytes). Each process uses
 * one buffer, so that data that fit into a cache stay there with every library. */
#include "measure.h"

static char *buffer;

static double ping_pong(long repetitions, int bytes)
{
    double start = now();
    for (long i = 0; i < repetitions; i++) {
        if (rank == 0) {
            MPI_Send(buffer, bytes, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD);
            MPI_Recv(buffer, bytes, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Recv(buffer, bytes, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(buffer, bytes, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD);
        }
    }
    return now() - start;
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    int largest = argc > 3 ? atoi(argv[3]) : 4 << 20;
    buffer = touched(largest);
    for (long bytes = 0; bytes <= largest; bytes = bytes ? bytes * 2 : 1) {
        double round_trip = measured(ping_pong, bytes);
        if (rank == 0)
            printf("{\"measure\": \"latency\", \"bytes\": %ld, \"value\": %.4e}\n", bytes,
                   round_trip / 2);
    }
    end();
    return 0;
}
