/* What the measurements share: a clock, a median, batches that are long enough, and lines of JSON for whoever started them.
 *
 * A figure is the median of several batches; a batch repeats the measured exchange so often that it lasts a given time, so that the clock's own
 * cost (tens of nanoseconds) disappears. Rank 0 measures and decides; the others learn the number of repetitions from it by a message.
 *
 * Arguments of every program: milliseconds per batch, batches.
 */
#ifndef NEMESIS_BENCH_MEASURE_H
#define NEMESIS_BENCH_MEASURE_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TAG_DATA = 1, TAG_PLAN = 2, BATCHES_MAX = 100, PATIENCE = 4 };

static int rank, size;
static double batch_seconds = 0.01;
static int batches = 5;
/* How long a program repeats its first exchange before anything counts: a job's first milliseconds, in which the kernel spreads its processes and pages
 * come, are not what it does then. */
static const double warm_up_seconds = 0.08;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void begin_threaded(int argc, char **argv, int level, int *provided)
{
    MPI_Init_thread(&argc, &argv, level, provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1) batch_seconds = 1e-3 * atof(argv[1]);
    if (argc > 2) batches = atoi(argv[2]);
    if (batches < 1 || batches > BATCHES_MAX) {
        fprintf(stderr, "batches: 1 to %d\n", BATCHES_MAX);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

static inline void begin(int argc, char **argv)
{
    int provided;
    begin_threaded(argc, argv, MPI_THREAD_SINGLE, &provided);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, count, sizeof *values, ascending);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* What is repeated; returns the seconds that `repetitions` of it took. Every rank calls it. */
typedef double exchange(long repetitions, int bytes);

/* Rank 0: tells the others how often, 0 for the end, and joins in. `spent`: the seconds of all that, which are more if not all of it counts. */
static double run_together(exchange *what, long repetitions, int bytes, double *spent)
{
    for (int to = 1; to < size; to++)
        MPI_Send(&repetitions, 1, MPI_LONG, to, TAG_PLAN, MPI_COMM_WORLD);
    double start = now(), seconds = repetitions ? what(repetitions, bytes) : 0;
    *spent = now() - start;
    return seconds;
}

/* The seconds of one repetition at rank 0: a batch that grows until it is long enough and the job is warm, then the median of `batches` of that
 * length. The other ranks repeat what rank 0 asks for, and return 0. */
static double measured(exchange *what, int bytes)
{
    double results[BATCHES_MAX];
    long repetitions = 1;
    if (rank != 0) {
        for (;;) {
            MPI_Recv(&repetitions, 1, MPI_LONG, 0, TAG_PLAN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (repetitions == 0) return 0;
            what(repetitions, bytes);
        }
    }
    static double warm;
    if (warm == 0) warm = now() + warm_up_seconds;
    double spent;
    for (int is_long_enough = 0; !is_long_enough || now() < warm;) {
        run_together(what, repetitions, bytes, &spent);
        is_long_enough = spent >= batch_seconds / 2;
        if (is_long_enough)
            repetitions = repetitions * (batch_seconds / spent) + 1;
        else
            repetitions = spent * 16 > batch_seconds ? repetitions * 2 : repetitions * 8;
    }
    int count = 0;
    /* What takes far longer than a batch is not repeated as often. */
    for (double all = 0; count < batches && all < PATIENCE * batches * batch_seconds; count++, all += spent)
        results[count] = run_together(what, repetitions, bytes, &spent) / repetitions;
    run_together(what, 0, bytes, &spent);
    return median(results, count);
}

/* Memory as every program gets it: page-aligned, touched, the same for all repetitions. */
static inline void *touched(size_t bytes)
{
    char *memory = NULL;
    if (posix_memalign((void **)&memory, 4096, bytes ? bytes : 1)) {
        fprintf(stderr, "no %zu bytes of memory\n", bytes);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    for (size_t i = 0; i < bytes; i++)
        memory[i] = (char)i;
    return memory;
}

#endif
