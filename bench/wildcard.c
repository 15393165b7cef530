/* Cost of wildcards: 8 bytes back and forth, received from a named source, and with MPI_ANY_SOURCE
 * and MPI_ANY_TAG. */
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

static double from_named(long repetitions, int bytes)
{
    (void)bytes;
    return ping_pong(1 - rank, TAG_DATA, repetitions);
}

static double from_any_source(long repetitions, int bytes)
{
    (void)bytes;
    return ping_pong(MPI_ANY_SOURCE, MPI_ANY_TAG, repetitions);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    buffer = touched(BYTES);
    /* Both are measured alternately, so that whatever else the machine does affects both alike. */
    for (int turn = 0; turn < TURNS; turn++) {
        double named = measured(from_named, BYTES) / 2,
            wildcard = measured(from_any_source, BYTES) / 2;
        if (rank != 0) continue;
        printf("{\"measure\": \"named\", \"bytes\": %d, \"value\": %.4e}\n", BYTES, named);
        printf("{\"measure\": \"wildcard\", \"bytes\": %d, \"value\": %.4e}\n", BYTES, wildcard);
    }
    end();
    return 0;
}
