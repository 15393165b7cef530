/* Common parts of the benchmarks: a clock, medians, batches of a given duration, and output as
 * lines of JSON.
 *
 * A figure is the median of several batches. A batch repeats the measured exchange until it lasts a
 * given time, so that the cost of reading the clock (tens of nanoseconds) does not matter. Rank 0
 * measures and decides, and sends the number of repetitions to the other ranks. If several programs
 * alternate (turns.h), each batch is one turn, and the program that gives the turns decides which
 * batches count.
 *
 * Arguments of every program: milliseconds per batch, and number of batches (ignored with
 * turns). */
#ifndef NEMESIS_BENCH_MEASURE_H
#define NEMESIS_BENCH_MEASURE_H

#include "distance.h"
#include "turns.h"
#include <mpi.h>

enum { TAG_DATA = 1, TAG_PLAN = 2, BATCHES_MAX = 100, SLOW_FACTOR = 4 };
/* Before a batch that has its own turn, one WARMING-th of its repetitions runs without being
 * counted. */
enum { WARMING = 8 };
/* Values of a plan that are not numbers of repetitions. */
enum { PLAN_END = 0, PLAN_DISTANCE = -1, PLAN_REST = -2 };

static int rank, size;
static double batch_seconds = 0.01;
static int batches = 5;
/* How long a program repeats its first exchange before anything counts. In the first milliseconds
 * of a job the kernel still distributes the processes and maps pages. */
static const double warm_up_seconds = 0.08;

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
    if (size == 2) open_distance(rank == 0);
    connect_turns(rank);
}

/* Ends the program after all measurements. */
static inline void end(void)
{
    MPI_Finalize();
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

/* The measured operation: returns the seconds of `repetitions` of it. All ranks call it. */
typedef double exchange(long repetitions, int bytes);

/* Called by rank 0: sends the number of repetitions, or a PLAN_ value, to the other ranks. */
static void plan(long repetitions)
{
    for (int to = 1; to < size; to++)
        MPI_Send(&repetitions, 1, MPI_LONG, to, TAG_PLAN, MPI_COMM_WORLD);
}

/* Called by rank 0: runs `what` at all ranks and returns the seconds that it reports. `spent` gets
 * the seconds of the whole run, which are more if part of it does not count. */
static double run_together(exchange *what, long repetitions, int bytes, double *spent)
{
    plan(repetitions);
    double start = now(), seconds = what(repetitions, bytes);
    *spent = now() - start;
    return seconds;
}

/* Called by the other ranks: do what rank 0 asks for. */
static void follow(exchange *what, int bytes)
{
    for (long repetitions;;) {
        MPI_Recv(&repetitions, 1, MPI_LONG, 0, TAG_PLAN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (repetitions == PLAN_END) return;
        if (repetitions == PLAN_DISTANCE) answer_distance();
        else if (repetitions == PLAN_REST) await_turn();
        else what(repetitions, bytes);
    }
}

/* Called by rank 0: measures the distance of the two processes, if it is wanted. */
static double distance(void)
{
    if (!words) return 0;
    plan(PLAN_DISTANCE);
    return ask_distance();
}

/* Called by rank 0: returns the repetitions that last as long as a batch. */
static long repetitions_of_a_batch(exchange *what, int bytes)
{
    static double warm;
    if (warm == 0) warm = now() + warm_up_seconds;
    long repetitions = 1;
    for (int is_long_enough = 0; !is_long_enough || now() < warm;) {
        double spent;
        run_together(what, repetitions, bytes, &spent);
        is_long_enough = spent >= batch_seconds / 2;
        if (is_long_enough)
            repetitions = repetitions * (batch_seconds / spent) + 1;
        else
            repetitions = spent * 16 > batch_seconds ? repetitions * 2 : repetitions * 8;
    }
    return repetitions;
}

/* Called by rank 0: runs batches one after another, and returns their number. Exchanges that take
 * far longer than a batch run fewer batches. */
static int batches_at_once(exchange *what, long repetitions, int bytes, double *results)
{
    int count = 0;
    for (double all = 0, spent; count < batches && all < SLOW_FACTOR * batches * batch_seconds;
         all += spent)
        results[count++] = run_together(what, repetitions, bytes, &spent) / repetitions;
    return count;
}

/* Called by rank 0: runs each batch in a turn of its own, and returns their number. Other programs
 * have used the caches since the last turn, so a part of a batch runs first without being counted,
 * unless one repetition takes far longer than a batch. */
static int batches_in_turns(exchange *what, long repetitions, int bytes, double *results)
{
    struct report report = {0};
    for (int count = 0, is_slow = 0;;) {
        plan(PLAN_REST);
        send_report(&report);
        int word = await_turn();
        if (word & TURN_COUNTS && count < BATCHES_MAX) results[count++] = report.seconds;
        if (word & TURN_NEXT) return count;
        if (!is_slow) run_together(what, repetitions / WARMING + 1, bytes, &report.spent);
        report.before = distance();
        report.seconds = run_together(what, repetitions, bytes, &report.spent) / repetitions;
        report.after = distance();
        is_slow = report.spent > SLOW_FACTOR * batch_seconds;
    }
}

/* Returns the seconds of one repetition at rank 0: it finds the repetitions of a batch while the
 * job warms up, and takes the median of `batches` batches. The other ranks repeat what rank 0 asks
 * for, and return 0. */
static double measured(exchange *what, int bytes)
{
    if (rank != 0) {
        follow(what, bytes);
        return 0;
    }
    double results[BATCHES_MAX];
    long repetitions = repetitions_of_a_batch(what, bytes);
    int count = (turns < 0 ? batches_at_once : batches_in_turns)(what, repetitions, bytes, results);
    plan(PLAN_END);
    return median(results, count);
}

/* Allocates page-aligned memory and touches it. All repetitions of all programs use such memory. */
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
