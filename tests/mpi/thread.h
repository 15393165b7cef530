/* Common parts of the tests with threads: starting and joining threads, and pseudo-random numbers.
 * Include it after check.h. */

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

typedef void *(*thread_function)(void *);

/* Runs `function` in `number` threads, with the thread's number as argument, and joins them. */
static void in_threads(int number, thread_function function)
{
    pthread_t threads[16];
    CHECK(number <= 16, "%d threads are too many", number);
    for (long i = 0; i < number; i++)
        CHECK(pthread_create(&threads[i], NULL, function, (void *)i) == 0,
              "thread %ld cannot be created", i);
    for (int i = 0; i < number; i++) pthread_join(threads[i], NULL);
}

static void begin_threads(int *argc, char ***argv)
{
    int provided = -1;
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(provided == MPI_THREAD_MULTIPLE, "thread level %d is provided", provided);
    /* The first call fills the table of data bytes. It must happen before there are threads. */
    numbers(0);
}

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}
