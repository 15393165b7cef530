/* Collectives by length, measured as Intel's benchmarks do: a barrier that is not timed comes
 * before each call, so that calls do not overlap, and the figure is the mean of the slowest
 * process. Operations with a root use each rank in turn. Barriers follow each other without a
 * pause. Lengths are the bytes of one contribution, or of the root's.
 *
 * The third argument selects operations ("sum,scan"), the fourth lengths ("8,1024"). The default is
 * all operations, from 8 bytes to 1 MiB. */
#include "measure.h"
#include <string.h>

enum { LARGEST = 1 << 20, RANKS_MAX = 1024 };

static char *outgoing, *incoming;

/* Returns at rank 0 the seconds of the slowest process. */
static double longest(double seconds)
{
    double most = 0;
    MPI_Reduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return most;
}

static double barrier(long repetitions, int bytes)
{
    (void)bytes;
    double start = now();
    for (long i = 0; i < repetitions; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    return longest(now() - start);
}

#define REPEATED(name, call)                                                         \
    static double name(long repetitions, int bytes)                                  \
    {                                                                                \
        int root = 0, doubles = bytes / 8;                                           \
        double seconds = 0;                                                          \
        for (long i = 0; i < repetitions; i++) {                                     \
            MPI_Barrier(MPI_COMM_WORLD);                                             \
            double start = now();                                                    \
            call;                                                                    \
            seconds += now() - start;                                                \
            if (++root == size) root = 0;                                            \
        }                                                                            \
        (void)doubles;                                                               \
        return longest(seconds);                                                     \
    }

/* Divides `numbers` elements among the ranks, and returns the count of each rank. */
static const int *shares(int numbers)
{
    static int counts[RANKS_MAX];
    for (int i = 0; i < size; i++) counts[i] = numbers / size + (i < numbers % size);
    return counts;
}

REPEATED(bcast, MPI_Bcast(outgoing, bytes, MPI_BYTE, root, MPI_COMM_WORLD))
REPEATED(reduce, MPI_Reduce(outgoing, incoming, doubles, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD))
REPEATED(sum, MPI_Allreduce(outgoing, incoming, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
REPEATED(gather, MPI_Gather(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE, root,
                            MPI_COMM_WORLD))
REPEATED(scatter, MPI_Scatter(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE, root,
                              MPI_COMM_WORLD))
REPEATED(allgather, MPI_Allgather(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE,
                                  MPI_COMM_WORLD))
REPEATED(alltoall, MPI_Alltoall(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE,
                                MPI_COMM_WORLD))
REPEATED(reduce_scatter, MPI_Reduce_scatter(outgoing, incoming, shares(doubles), MPI_DOUBLE,
                                            MPI_SUM, MPI_COMM_WORLD))
REPEATED(scan, MPI_Scan(outgoing, incoming, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))

static const struct {
    const char *name;
    exchange *what;
} operations[] = {
    {"barrier", barrier},
    {"bcast", bcast},
    {"reduce", reduce},
    {"sum", sum},
    {"gather", gather},
    {"scatter", scatter},
    {"allgather", allgather},
    {"alltoall", alltoall},
    {"reduce_scatter", reduce_scatter},
    {"scan", scan},
};

/* Returns whether `name` is an element of a comma-separated list. */
static int is_among(const char *name, const char *list)
{
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == 0)) return 1;
    return 0;
}

static void measure(const char *name, exchange *what, int bytes)
{
    double seconds = measured(what, bytes);
    if (rank == 0)
        printf("{\"measure\": \"%s\", \"bytes\": %d, \"value\": %.4e}\n", name, bytes, seconds);
}

/* Measures an operation at the lengths of a comma-separated list, or at the default ones. */
static void measure_lengths(const char *name, exchange *what, const char *lengths)
{
    if (what == barrier) {
        measure(name, what, 0);
        return;
    }
    if (!lengths)
        for (int bytes = 8; bytes <= LARGEST; bytes *= bytes < 4096 ? 8 : 4)
            measure(name, what, bytes);
    for (char *end; lengths && *lengths; lengths = *end ? end + 1 : end) {
        long bytes = strtol(lengths, &end, 10);
        if (end == lengths || bytes < 0 || bytes > LARGEST) MPI_Abort(MPI_COMM_WORLD, 2);
        measure(name, what, (int)bytes);
    }
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    if (size > RANKS_MAX) MPI_Abort(MPI_COMM_WORLD, 3);
    outgoing = touched((size_t)LARGEST * size);
    incoming = touched((size_t)LARGEST * size);
    /* The data are zeros, so that repeated sums stay finite. */
    memset(outgoing, 0, (size_t)LARGEST * size);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const char *name = operations[i].name;
        if (argc <= 3 || is_among(name, argv[3]))
            measure_lengths(name, operations[i].what, argc > 4 ? argv[4] : NULL);
    }
    end();
    return 0;
}
