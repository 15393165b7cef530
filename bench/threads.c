/* Threads: what MPI_THREAD_MULTIPLE costs a single thread, and what four threads achieve.
 *
 * The third argument is the thread level. With "single" and with "multiple" the main thread alone
 * sends 8 bytes back and forth, and windows of 64 messages. With "multiple" four threads of each
 * process then do so concurrently, each with its partner in the other process on a communicator of
 * its own. If the library does not provide the level, the program prints nothing. */
#include "measure.h"
#include <pthread.h>
#include <string.h>

enum { THREADS = 4, WINDOW = 64, BYTES = 8 };

static void round_trips(MPI_Comm comm, char *buffer, long repetitions)
{
    for (long i = 0; i < repetitions; i++) {
        if (rank == 0) {
            MPI_Send(buffer, BYTES, MPI_BYTE, 1, TAG_DATA, comm);
            MPI_Recv(buffer, BYTES, MPI_BYTE, 1, TAG_DATA, comm, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(buffer, BYTES, MPI_BYTE, 0, TAG_DATA, comm, MPI_STATUS_IGNORE);
            MPI_Send(buffer, BYTES, MPI_BYTE, 0, TAG_DATA, comm);
        }
    }
}

/* Windows of messages as in rate.c. */
static void windows(MPI_Comm comm, char *buffer, long repetitions)
{
    MPI_Request requests[WINDOW];
    for (long i = 0; i < repetitions; i++) {
        for (int j = 0; j < WINDOW; j++) {
            if (rank == 0)
                MPI_Isend(buffer, BYTES, MPI_BYTE, 1, TAG_DATA, comm, &requests[j]);
            else
                MPI_Irecv(buffer + j * BYTES, BYTES, MPI_BYTE, 0, TAG_DATA, comm, &requests[j]);
        }
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        if (rank == 0)
            MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG_DATA, comm, MPI_STATUS_IGNORE);
        else
            MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_DATA, comm);
    }
}

static char *buffers[THREADS];
static MPI_Comm comms[THREADS];

static double alone_ping_pong(long repetitions, int bytes)
{
    (void)bytes;
    double start = now();
    round_trips(comms[0], buffers[0], repetitions);
    return now() - start;
}

static double alone_in_windows(long repetitions, int bytes)
{
    (void)bytes;
    double start = now();
    windows(comms[0], buffers[0], repetitions);
    return now() - start;
}

/* The task of all threads, including the main thread, between two barriers. NULL ends the
 * threads. */
static struct {
    pthread_barrier_t begin, end;
    void (*what)(MPI_Comm, char *, long);
    long repetitions;
} task;

static void *worker(void *number)
{
    size_t own = (size_t)number;
    for (;;) {
        pthread_barrier_wait(&task.begin);
        if (!task.what) return NULL;
        task.what(comms[own], buffers[own], task.repetitions);
        pthread_barrier_wait(&task.end);
    }
}

static double together(void (*what)(MPI_Comm, char *, long), long repetitions)
{
    task.what = what;
    task.repetitions = repetitions;
    double start = now();
    pthread_barrier_wait(&task.begin);
    if (!what) return 0;
    what(comms[0], buffers[0], repetitions);
    pthread_barrier_wait(&task.end);
    return now() - start;
}

static double all_ping_pong(long repetitions, int bytes)
{
    (void)bytes;
    return together(round_trips, repetitions);
}

static double all_in_windows(long repetitions, int bytes)
{
    (void)bytes;
    return together(windows, repetitions);
}

static void print_figure(const char *measure, double value)
{
    if (rank == 0)
        printf("{\"measure\": \"%s\", \"bytes\": %d, \"value\": %.4e}\n", measure, BYTES, value);
}

static void four_threads(void)
{
    pthread_t others[THREADS];
    pthread_barrier_init(&task.begin, NULL, THREADS);
    pthread_barrier_init(&task.end, NULL, THREADS);
    for (size_t i = 1; i < THREADS; i++) {
        if (pthread_create(&others[i], NULL, worker, (void *)i)) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    /* In that time each of the four threads sends one message. */
    print_figure("threads_latency", measured(all_ping_pong, BYTES) / 2);
    print_figure("threads_rate", THREADS * WINDOW / measured(all_in_windows, BYTES));
    together(NULL, 0);
    for (size_t i = 1; i < THREADS; i++) pthread_join(others[i], NULL);
}

int main(int argc, char **argv)
{
    int many = argc > 3 && strcmp(argv[3], "multiple") == 0, provided;
    begin_threaded(argc, argv, many ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    if (!many || provided == MPI_THREAD_MULTIPLE) {
        for (int i = 0; i < THREADS; i++) {
            MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
            buffers[i] = touched(4096);
        }
        print_figure(many ? "multiple_latency" : "single_latency",
                     measured(alone_ping_pong, BYTES) / 2);
        print_figure(many ? "multiple_rate" : "single_rate",
                     WINDOW / measured(alone_in_windows, BYTES));
        if (many) four_threads();
        for (int i = 0; i < THREADS; i++) MPI_Comm_free(&comms[i]);
    }
    end();
    return 0;
}
