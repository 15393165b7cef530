/* A thread of each rank receives, and answers, while another one tests in a loop for the answer.
 * Both have one processor. The one that tests leaves it to the one that receives, instead of
 * testing until the scheduler stops it. The test counts how often a round tests, which tells how
 * long the answer took.
 *
 * sizes: 1 2 4
 * seconds: 60
 */

#define _GNU_SOURCE
#include "check.h"
#include "thread.h"

/* A processor's share of some milliseconds is tens of thousands of tests. */
enum { ROUNDS = 101, TESTS_MAX = 5000, PING = 1, PONG = 2 };

static MPI_Comm own;

static void *answer(void *unused)
{
    int value;
    for (int i = 0; i < ROUNDS; i++) {
        OK(MPI_Recv(&value, 1, MPI_INT, 0, PING, own, MPI_STATUS_IGNORE));
        OK(MPI_Send(&value, 1, MPI_INT, 0, PONG, own));
    }
    return unused;
}

/* Leaves the process one of its processors. MPI has seen the others, so the rank shares none. */
static void take_one_processor(void)
{
    cpu_set_t all, one;
    CHECK(sched_getaffinity(0, sizeof all, &all) == 0, "the processors are unknown");
    int skip = rank % CPU_COUNT(&all), processor = 0;
    while (!CPU_ISSET(processor, &all) || skip-- > 0) processor++;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0, "processor %d cannot be chosen", processor);
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int tests[ROUNDS];
    begin_threads(&argc, &argv);
    take_one_processor();
    OK(MPI_Comm_dup(MPI_COMM_SELF, &own));
    CHECK(pthread_create(&thread, NULL, answer, NULL) == 0, "a thread cannot be created");
    for (int i = 0; i < ROUNDS; i++) {
        int value = -1, flag = 0;
        MPI_Request request;
        OK(MPI_Irecv(&value, 1, MPI_INT, 0, PONG, own, &request));
        OK(MPI_Send(&i, 1, MPI_INT, 0, PING, own));
        for (tests[i] = 0; !flag; tests[i]++) OK(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
        CHECK(value == i, "round %d answers %d", i, value);
    }
    pthread_join(thread, NULL);
    OK(MPI_Comm_free(&own));
    qsort(tests, ROUNDS, sizeof *tests, compare);
    CHECK(tests[ROUNDS / 2] <= TESTS_MAX, "half of the rounds tested %d times or more",
          tests[ROUNDS / 2]);
    return MPI_Finalize();
}
