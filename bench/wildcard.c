/* What it costs a receiver not to say who sends: 8 bytes to and fro, received from the other by name, then from MPI_ANY_SOURCE with MPI_ANY_TAG. */
#include "measure.h"

enum { BYTES = 8, TURNS = 3 };

static char *buffer;

static double ping_pong(int source, int tag, long repetitions)
{
    double start = now();
    for (long i = 0; i < repetitions; i++) {
        if (rank == 0) MPI_Send(buffer, BYTES, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD);
        MPI_Recv(buffer, BYTES, MPI_BYTE, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(buffer, BYTES, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD);
    }
    return now() - start;
}

static double by_name(long repetitions, int bytes)
{
    (void)bytes;
    return ping_pong(1 - rank, TAG_DATA, repetitions);
}

static double from_anyone(long repetitions, int bytes)
{
    (void)bytes;
    return ping_pong(MPI_ANY_SOURCE, MPI_ANY_TAG, repetitions);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    buffer = touched(BYTES);
    /* In turns: what else the machine does meets both alike. */
    for (int turn = 0; turn < TURNS; turn++) {
        double named = measured(by_name, BYTES) / 2, wildcard = measured(from_anyone, BYTES) / 2;
        if (rank != 0) continue;
        printf("{\"measure\": \"named\", \"bytes\": %d, \"value\": %.4e}\n", BYTES, named);
        printf("{\"measure\": \"wildcard\", \"bytes\": %d, \"value\": %.4e}\n", BYTES, wildcard);
    }
    end();
    return 0;
}
