/* Reproducible reductions (MPI 5.0 6.9.1): with equal arguments, a reduction has equal bits
 * whatever the number of earlier operations on the communicator, the order in which processes come,
 * and the number of processors.
 *
 * The elements are doubles of mixed magnitudes, so that any other order of the additions shows.
 * Each reduction begins as the first operation of a new communicator and is repeated with random
 * delays. Blocking reductions among processes of one node must have the sum from rank 0 upwards,
 * with and without a processor for each process. Minima and maxima of zeros of both signs, numbers
 * and NaNs must not depend on the order of the operands at all.
 *
 * sizes: 2 3 4 7
 * modes: default copy network dedicated oversubscribed
 * seconds: 120
 */

#include "check.h"
#include "one_node.h"
#include <math.h>
#include <stdint.h>
#include <unistd.h>

enum { LONGEST = 20000, RANKS = 16 };

static double own[LONGEST * RANKS], result[LONGEST * RANKS], before[LONGEST * RANKS];
static double expected[LONGEST * RANKS];
static int counts[RANKS];

/* An element of a rank's vector: between 2^-30 and 2^30, of either sign. */
static double element(int of, int index)
{
    uint64_t bits = (uint64_t)(of + 1) * 0x9E3779B97F4A7C15u;
    bits += (uint64_t)index * 0xBF58476D1CE4E5B9u;
    bits ^= bits >> 29;
    bits *= 0x94D049BB133111EBu;
    bits ^= bits >> 32;
    double value = 1.0 + (double)(bits & 0xFFFFFFFF) / 4294967296.0;
    for (int steps = (int)(bits >> 32 & 31); steps > 0; steps--)
        value *= bits >> 40 & 1 ? 4.0 : 0.25;
    return bits >> 41 & 1 ? -value : value;
}

/* Sums of the ranks from 0 to `end` - 1, one after the other. */
static void sum_upwards(double *sums, int count, int end)
{
    for (int index = 0; index < count; index++) {
        sums[index] = element(0, index);
        for (int of = 1; of < end; of++)
            sums[index] += element(of, index);
    }
}

static unsigned state;

static void delay(void)
{
    state = state * 1664525u + 1013904223u;
    if ((state >> 16) % 101 == 0) usleep(state >> 24);
}

/* A reduction of `count` elements for each process, into `result`. Returns how many it writes. */
typedef int Reduce(MPI_Comm comm, int count);

static int reduce(MPI_Comm comm, int count)
{
    OK(MPI_Reduce(own, result, count, MPI_DOUBLE, MPI_SUM, size - 1, comm));
    return rank == size - 1 ? count : 0;
}

static int allreduce(MPI_Comm comm, int count)
{
    OK(MPI_Allreduce(own, result, count, MPI_DOUBLE, MPI_SUM, comm));
    return count;
}

static int allreduce_in_place(MPI_Comm comm, int count)
{
    memcpy(result, own, sizeof *own * count);
    OK(MPI_Allreduce(MPI_IN_PLACE, result, count, MPI_DOUBLE, MPI_SUM, comm));
    return count;
}

static int scan(MPI_Comm comm, int count)
{
    OK(MPI_Scan(own, result, count, MPI_DOUBLE, MPI_SUM, comm));
    return count;
}

static int exscan(MPI_Comm comm, int count)
{
    OK(MPI_Exscan(own, result, count, MPI_DOUBLE, MPI_SUM, comm));
    return rank == 0 ? 0 : count;
}

static int reduce_scatter_block(MPI_Comm comm, int count)
{
    OK(MPI_Reduce_scatter_block(own, result, count, MPI_DOUBLE, MPI_SUM, comm));
    return count;
}

static int reduce_scatter(MPI_Comm comm, int count)
{
    for (int of = 0; of < size; of++)
        counts[of] = count;
    OK(MPI_Reduce_scatter(own, result, counts, MPI_DOUBLE, MPI_SUM, comm));
    return count;
}

static void finish(MPI_Request *request)
{
    delay();
    OK(MPI_Wait(request, MPI_STATUS_IGNORE));
}

static int iallreduce(MPI_Comm comm, int count)
{
    MPI_Request request;
    OK(MPI_Iallreduce(own, result, count, MPI_DOUBLE, MPI_SUM, comm, &request));
    finish(&request);
    return count;
}

static int ireduce(MPI_Comm comm, int count)
{
    MPI_Request request;
    OK(MPI_Ireduce(own, result, count, MPI_DOUBLE, MPI_SUM, 0, comm, &request));
    finish(&request);
    return rank == 0 ? count : 0;
}

static int iscan(MPI_Comm comm, int count)
{
    MPI_Request request;
    OK(MPI_Iscan(own, result, count, MPI_DOUBLE, MPI_SUM, comm, &request));
    finish(&request);
    return count;
}

static int ireduce_scatter_block(MPI_Comm comm, int count)
{
    MPI_Request request;
    OK(MPI_Ireduce_scatter_block(own, result, count, MPI_DOUBLE, MPI_SUM, comm, &request));
    finish(&request);
    return count;
}

static int persistent(MPI_Comm comm, int count)
{
    MPI_Request request;
    OK(MPI_Allreduce_init(own, result, count, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL, &request));
    OK(MPI_Start(&request));
    finish(&request);
    OK(MPI_Request_free(&request));
    return count;
}

/* Where the result of a blocking reduction begins in the vector, and the ranks that it sums. */
typedef struct {
    const char *name;
    Reduce *reduce;
    int blocking, blocks, prefix;
} Operation;

enum { ALL = 1000 };

static const Operation operations[] = {
    {"reduce", reduce, 1, 0, ALL},
    {"allreduce", allreduce, 1, 0, ALL},
    {"allreduce in place", allreduce_in_place, 1, 0, ALL},
    {"scan", scan, 1, 0, 1},
    {"exscan", exscan, 1, 0, 0},
    {"reduce_scatter_block", reduce_scatter_block, 1, 1, ALL},
    {"reduce_scatter", reduce_scatter, 1, 1, ALL},
    {"iallreduce", iallreduce, 0, 0, 0},
    {"persistent allreduce", persistent, 0, 0, 0},
    {"ireduce", ireduce, 0, 0, 0},
    {"iscan", iscan, 0, 0, 0},
    {"ireduce_scatter_block", ireduce_scatter_block, 0, 1, 0},
};

static void expect_equal(const char *name, const double *other, int count, int call)
{
    for (int index = 0; index < count; index++)
        CHECK(memcmp(result + index, other + index, sizeof *other) == 0,
              "%s: element %d of %d is %a in call %d, %a is expected", name, index, count,
              result[index], call, other[index]);
}

static void repeat(const Operation *operation, int count, int times, int on_one_node)
{
    MPI_Comm comm;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (int call = 0; call < times; call++) {
        delay();
        memset(result, 0, sizeof *result * count);
        int written = operation->reduce(comm, count);
        if (call == 0) memcpy(before, result, sizeof *result * written);
        expect_equal(operation->name, before, written, call);
        /* The collective segment of a communicator is made by its blocking operations. */
        if (!operation->blocking && call > 2 && call < 8) OK(MPI_Barrier(comm));
    }
    if (operation->blocking && on_one_node && operation->reduce(comm, count) > 0) {
        int end = operation->prefix == ALL ? size : rank + operation->prefix;
        int start = operation->blocks ? rank * count : 0;
        sum_upwards(expected, start + count, end);
        expect_equal(operation->name, expected + start, count, times);
    }
    OK(MPI_Comm_free(&comm));
}

/* The index of an element of a rank's vector in `ascending`. */
static const double ascending[] = {-1.0, -0.0, 0.0, 1.0, NAN};

static int special(int of, int index)
{
    int kinds = (int)(sizeof ascending / sizeof *ascending);
    return (index / (1 + of * of) + of * 3) % kinds;
}

static void expect_extremes(const char *name, const double *found, int count, int is_max)
{
    for (int index = 0; index < count; index++) {
        int best = special(0, index);
        for (int of = 1; of < size; of++) {
            int other = special(of, index);
            if (is_max ? other > best : other < best) best = other;
        }
        CHECK(memcmp(&found[index], &ascending[best], sizeof *found) == 0,
              "%s of %d elements: element %d is %g, %g is expected", name, count, index,
              found[index], ascending[best]);
    }
}

static void extremes(int count, int is_max)
{
    const char *name = is_max ? "maximum" : "minimum";
    MPI_Op op = is_max ? MPI_MAX : MPI_MIN;
    MPI_Comm comm;
    MPI_Request request;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (int index = 0; index < count; index++)
        own[index] = ascending[special(rank, index)];
    for (int call = 0; call < 3; call++) {
        OK(MPI_Iallreduce(own, result, count, MPI_DOUBLE, op, comm, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        expect_extremes(name, result, count, is_max);
        OK(MPI_Allreduce(own, result, count, MPI_DOUBLE, op, comm));
        expect_extremes(name, result, count, is_max);
        memcpy(result, own, sizeof *own * count);
        OK(MPI_Allreduce(MPI_IN_PLACE, result, count, MPI_DOUBLE, op, comm));
        expect_extremes(name, result, count, is_max);
        OK(MPI_Reduce(own, result, count, MPI_DOUBLE, op, size - 1, comm));
        if (rank == size - 1) expect_extremes(name, result, count, is_max);
        OK(MPI_Scan(own, result, count, MPI_DOUBLE, op, comm));
        if (rank == size - 1) expect_extremes(name, result, count, is_max);
    }
    OK(MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    static const struct {
        int count, times;
    } lengths[] = {
#ifdef MANY
        {1, 20}, {9000, 2}, {LONGEST, 2}
#else
        {1, 1000}, {130, 40}, {1100, 10}, {5000, 10}, {LONGEST, 6}
#endif
    };
#ifdef MANY
    setenv("NEMESIS_CMA", "off", 1);
#endif
    begin(&argc, &argv);
    int on_one_node = are_on_one_node(MPI_COMM_WORLD);
    state = (unsigned)rank * 7919 + 1;
    for (int index = 0; index < LONGEST * size; index++)
        own[index] = element(rank, index);
    for (size_t which = 0; which < sizeof operations / sizeof *operations; which++)
        for (size_t length = 0; length < sizeof lengths / sizeof *lengths; length++)
            repeat(&operations[which], lengths[length].count, lengths[length].times, on_one_node);
    for (size_t length = 0; length < sizeof lengths / sizeof *lengths; length++)
        for (int is_max = 0; is_max < 2; is_max++)
            extremes(lengths[length].count, is_max);
    MPI_Finalize();
    return 0;
}
