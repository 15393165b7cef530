/* Seconds of one call of each collective, at rank 0, for sizes from 8 bytes to 1 MiB: what a rank contributes, or what it gets if only the root
 * contributes. Called again and again by all ranks; roots stay the same.
 *
 * Arguments besides those of every program: the names of those to measure, otherwise all.
 */
#include "measure.h"
#include <string.h>

enum { LARGEST = 1 << 20 };

static char *out, *in;
static int counts[1024];

#define REPEATED(name, call)                                    \
    static double name(long repetitions, int bytes)             \
    {                                                           \
        int numbers = bytes / 8;                                \
        (void)numbers;                                          \
        double start = now();                                   \
        for (long i = 0; i < repetitions; i++) call;            \
        return now() - start;                                   \
    }

static double scattered(long repetitions, int bytes)
{
    int each = bytes / 8 / size, rest = bytes / 8 % size;
    for (int i = 0; i < size; i++)
        counts[i] = each + (i < rest);
    double start = now();
    for (long i = 0; i < repetitions; i++)
        MPI_Reduce_scatter(out, in, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return now() - start;
}

REPEATED(barrier, MPI_Barrier(MPI_COMM_WORLD))
REPEATED(bcast, MPI_Bcast(out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD))
REPEATED(reduce, MPI_Reduce(out, in, numbers, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD))
REPEATED(allreduce, MPI_Allreduce(out, in, numbers, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
REPEATED(gather, MPI_Gather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD))
REPEATED(scatter, MPI_Scatter(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD))
REPEATED(allgather, MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD))
REPEATED(alltoall, MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD))
REPEATED(scan, MPI_Scan(out, in, numbers, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))

static const struct {
    const char *name;
    exchange *what;
} table[] = {
    {"barrier", barrier}, {"bcast", bcast},         {"reduce", reduce},     {"allreduce", allreduce},        {"gather", gather},
    {"scatter", scatter}, {"allgather", allgather}, {"alltoall", alltoall}, {"reduce_scatter", scattered}, {"scan", scan},
};

static int wanted(const char *name, int argc, char **argv)
{
    for (int i = 3; i < argc; i++)
        if (strcmp(name, argv[i]) == 0) return 1;
    return argc <= 3;
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    out = touched((size_t)LARGEST * size);
    in = touched((size_t)LARGEST * size);
    memset(out, 0, (size_t)LARGEST * size);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (!wanted(table[i].name, argc, argv)) continue;
        int largest = table[i].what == barrier ? 8 : LARGEST;
        for (int bytes = 8; bytes <= largest; bytes *= bytes < 4096 ? 8 : 4) {
            double seconds = measured(table[i].what, bytes);
            if (rank == 0) printf("{\"measure\": \"%s\", \"bytes\": %d, \"value\": %.4e}\n", table[i].name, bytes, seconds), fflush(stdout);
        }
    }
    MPI_Finalize();
    return 0;
}
