/* Threads send to their own process, each on a communicator of its own, in runs of calls that make
 * the thread the owner of the library's biased lock. Meanwhile signals stop them in the middle of
 * calls, so that a thread goes on late, when others have been the owner. No message may be lost or
 * changed (MPI 5.0 §11.6).
 *
 * sizes: 1 2
 * modes: default
 */

#include "check.h"
#include "thread.h"
#include <signal.h>
#include <time.h>

enum { WORKERS = 3, STOPS = 10000 };

static MPI_Comm comms[WORKERS];
static pthread_t stopped[WORKERS];
static atomic_int started, ended, are_over;

static void pause_for(long nanoseconds)
{
    nanosleep(&(struct timespec){0, nanoseconds}, NULL);
}

static void stop(int signal)
{
    (void)signal;
    pause_for(20000);
}

static void work(int me)
{
    stopped[me] = pthread_self();
    atomic_fetch_add(&started, 1);
    for (long run = 0; !are_over; run++) {
        for (long i = 0; i < 40 + run % 60; i++) {
            MPI_Request request;
            long sent = run * 1000 + i, received = -1;
            OK(MPI_Irecv(&received, 1, MPI_LONG, rank, me, comms[me], &request));
            OK(MPI_Send(&sent, 1, MPI_LONG, rank, me, comms[me]));
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK(received == sent, "thread %d: %ld instead of %ld", me, received, sent);
        }
        sched_yield();
    }
    atomic_fetch_add(&ended, 1);
    /* The thread exists until it gets no signal any more. */
    while (are_over < 2) pause_for(1000000);
}

/* Stops one of the threads again and again, for a second. */
static void stop_workers(void)
{
    unsigned random = 1;
    double end = MPI_Wtime() + 1;
    while (started < WORKERS) sched_yield();
    for (int i = 0; i < STOPS && MPI_Wtime() < end; i++) {
        pthread_kill(stopped[next_random(&random) % WORKERS], SIGUSR1);
        pause_for(next_random(&random) % 40000);
    }
    are_over = 1;
    while (ended < WORKERS) pause_for(1000000);
    are_over = 2;
}

static void *run(void *number)
{
    if ((long)number == WORKERS)
        stop_workers();
    else
        work((int)(long)number);
    return NULL;
}

int main(int argc, char **argv)
{
    begin_threads(&argc, &argv);
    struct sigaction action = {.sa_handler = stop, .sa_flags = SA_RESTART};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0, "no handler of signals");
    for (int i = 0; i < WORKERS; i++) OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
    in_threads(WORKERS + 1, run);
    for (int i = 0; i < WORKERS; i++) OK(MPI_Comm_free(&comms[i]));
    MPI_Finalize();
    return 0;
}
