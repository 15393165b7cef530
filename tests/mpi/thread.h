/* What the programs with threads share: starting and joining them, a random sequence for each. Include it after check.h. */

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

typedef void *(*thread_function)(void *);

/* Runs `function` in `number` threads, each with its own number as argument, and waits for their end. */
static void in_threads(int number, thread_function function)
{
    pthread_t threads[16];
    CHECK(number <= 16, "%d threads are too many", number);
    for (long i = 0; i < number; i++) CHECK(pthread_create(&threads[i], NULL, function, (void *)i) == 0, "no thread %ld", i);
    for (int i = 0; i < number; i++) pthread_join(threads[i], NULL);
}

static void begin_threads(int *argc, char ***argv)
{
    int provided = -1;
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(provided == MPI_THREAD_MULTIPLE, "thread level %d is provided", provided);
    /* The table of bytes is made by the first who asks. */
    numbers(0);
}

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}
