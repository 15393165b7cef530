/* Collectives by length: each is called again and again, at rank 0. Bytes are those of one contribution. */
#include "measure.h"

static char *outgoing, *incoming;

static double broadcasts(long repetitions, int bytes)
{
    double start = now();
    for (long i = 0; i < repetitions; i++)
        MPI_Bcast(outgoing, bytes, MPI_BYTE, i % size, MPI_COMM_WORLD);
    return now() - start;
}

static double sums(long repetitions, int bytes)
{
    double start = now();
    for (long i = 0; i < repetitions; i++)
        MPI_Allreduce(outgoing, incoming, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return now() - start;
}

static double gathers(long repetitions, int bytes)
{
    double start = now();
    for (long i = 0; i < repetitions; i++)
        MPI_Allgather(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE, MPI_COMM_WORLD);
    return now() - start;
}

static double all_to_all(long repetitions, int bytes)
{
    double start = now();
    for (long i = 0; i < repetitions; i++)
        MPI_Alltoall(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE, MPI_COMM_WORLD);
    return now() - start;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        exchange *what;
    } operations[] = {{"bcast", broadcasts}, {"sum", sums}, {"allgather", gathers}, {"alltoall", all_to_all}};
    static const int lengths[] = {8, 1 << 10, 32 << 10, 512 << 10};
    begin(argc, argv);
    /* Zeros: sums of sums stay numbers. */
    outgoing = calloc(size, 512 << 10);
    incoming = calloc(size, 512 << 10);
    if (!outgoing || !incoming) MPI_Abort(MPI_COMM_WORLD, 3);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        for (size_t j = 0; j < sizeof lengths / sizeof *lengths; j++) {
            double seconds = measured(operations[i].what, lengths[j]);
            if (rank == 0) printf("{\"measure\": \"%s\", \"bytes\": %d, \"value\": %.4e}\n", operations[i].name, lengths[j], seconds);
        }
    MPI_Finalize();
    return 0;
}
