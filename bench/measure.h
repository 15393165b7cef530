/* What the measurements share: a clock, a median, batches that are long enough, and lines of JSON for whoever started them.
 *
 * A figure is the median of several batches; a batch repeats the measured exchange so often that it lasts a given time, so that the clock's own
 * cost (tens of nanoseconds) disappears. Rank 0 measures and decides; the others learn the number of repetitions from it by a message. Where programs take
 * turns (turns.h), each batch is one, and whoever gives them says which count.
 *
 * Arguments of every program: milliseconds per batch, batches (where there are turns, whoever gives them counts).
 */
#ifndef NEMESIS_BENCH_MEASURE_H
#define NEMESIS_BENCH_MEASURE_H

#include "distance.h"
#include "turns.h"
#include <mpi.h>

enum { TAG_DATA = 1, TAG_PLAN = 2, BATCHES_MAX = 100, PATIENCE = 4 };
/* Before a batch that has its turn comes so small a part of one that does not count. */
enum { WARMING = 8 };
/* Plans that are no numbers of repetitions. */
enum { PLAN_END = 0, PLAN_DISTANCE = -1, PLAN_REST = -2 };

static int rank, size;
static double batch_seconds = 0.01;
static int batches = 5;
/* How long a program repeats its first exchange before anything counts: a job's first milliseconds, in which the kernel spreads its processes and pages
 * come, are not what it does then. */
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
    if (size == 2) begin_distance(rank == 0);
    begin_turns(rank);
}

/* Ends what `begin` began. */
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

/* What is repeated; returns the seconds that `repetitions` of it took. Every rank calls it. */
typedef double exchange(long repetitions, int bytes);

/* Rank 0: tells the others how often, or a PLAN_. */
static void plan(long repetitions)
{
    for (int to = 1; to < size; to++)
        MPI_Send(&repetitions, 1, MPI_LONG, to, TAG_PLAN, MPI_COMM_WORLD);
}

/* Rank 0: lets all repeat it. `spent`: the seconds of all that, which are more if not all of it counts. */
static double run_together(exchange *what, long repetitions, int bytes, double *spent)
{
    plan(repetitions);
    double start = now(), seconds = what(repetitions, bytes);
    *spent = now() - start;
    return seconds;
}

/* The other ranks: what rank 0 asks for. */
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

/* Rank 0: how far the two are from each other, if anybody asks. */
static double distance(void)
{
    if (!words) return 0;
    plan(PLAN_DISTANCE);
    return ask_distance();
}

/* Rank 0: repetitions that last as long as a batch. */
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

/* Rank 0: batches one after the other; how many there are. What takes far longer than a batch is not repeated as often. */
static int batches_at_once(exchange *what, long repetitions, int bytes, double *results)
{
    int count = 0;
    for (double all = 0, spent; count < batches && all < PATIENCE * batches * batch_seconds; all += spent)
        results[count++] = run_together(what, repetitions, bytes, &spent) / repetitions;
    return count;
}

/* Rank 0: the same, a turn for each. The other programs have had the caches since the last one, so a part of a batch comes before that does not count; not
 * where one repetition is far longer than a batch. */
static int batches_in_turns(exchange *what, long repetitions, int bytes, double *results)
{
    struct report report = {0};
    for (int count = 0, is_slow = 0;;) {
        plan(PLAN_REST);
        tell_report(&report);
        int word = await_turn();
        if (word & TURN_COUNTS && count < BATCHES_MAX) results[count++] = report.seconds;
        if (word & TURN_NEXT) return count;
        if (!is_slow) run_together(what, repetitions / WARMING + 1, bytes, &report.spent);
        report.before = distance();
        report.seconds = run_together(what, repetitions, bytes, &report.spent) / repetitions;
        report.after = distance();
        is_slow = report.spent > PATIENCE * batch_seconds;
    }
}

/* The seconds of one repetition at rank 0: a batch that grows until it is long enough and the job is warm, then the median of `batches` of that
 * length. The other ranks repeat what rank 0 asks for, and return 0. */
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
