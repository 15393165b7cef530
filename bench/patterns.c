/* What several threads of each process achieve together, by patterns of use.
 *
 * Arguments: milliseconds per batch, batches, threads of each process. Rank 0 and rank 1 have as
 * many threads; thread t of one talks to thread t of the other, on a communicator of its own
 * ("own"), or on one communicator with t as the tag ("same").
 *
 *   ping-pong   8 bytes back and forth by MPI_Send and MPI_Recv
 *   window      64 MPI_Isend against 64 MPI_Irecv, MPI_Waitall, and an empty answer
 *   to itself   MPI_Irecv, MPI_Send and MPI_Wait within the process, in both processes
 *   mprobe      as ping-pong, received by MPI_Mprobe and MPI_Mrecv
 *   test        as ping-pong, received by MPI_Irecv and MPI_Test
 *   blocked     thread 0 as ping-pong, while the others wait in MPI_Recv
 *   computing   thread 0 as ping-pong, while the others compute, and call MPI_Iprobe every 10 us
 *   waitany     thread 0 alone: a receive for each communicator or tag, completed by MPI_Waitany
 *   allreduce   each thread sums one double on a communicator of its own
 *   put         each thread puts 8 bytes and flushes, in a window of its own or in one window
 *
 * Prints for each pattern the messages a second of all threads of both processes, one way:
 * {"pattern": "window", "comms": "own", "threads": 2, "value": 1.2e7}. If the library does not
 * provide MPI_THREAD_MULTIPLE, the program prints nothing. */
#include "measure.h"
#include <pthread.h>
#include <sched.h>

enum { THREADS_MAX = 64, WINDOW = 64, BYTES = 8, TAG_STOP = 1000, TESTS_PER_YIELD = 64 };

static int threads, shares_comm;
static MPI_Comm comms[THREADS_MAX];
static MPI_Win windows[THREADS_MAX];
static char *buffers[THREADS_MAX];
static volatile int stopped;

static MPI_Comm comm_of(int t) { return comms[shares_comm ? 0 : t]; }
static int tag_of(int t) { return shares_comm ? t : 0; }

static void send_word(int t, int tag)
{
    MPI_Send(buffers[t], BYTES, MPI_BYTE, 1 - rank, tag, comm_of(t));
}

static void receive(int t)
{
    MPI_Recv(buffers[t], BYTES, MPI_BYTE, 1 - rank, tag_of(t), comm_of(t), MPI_STATUS_IGNORE);
}

static void receive_probed(int t)
{
    MPI_Message message;
    MPI_Mprobe(1 - rank, tag_of(t), comm_of(t), &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(buffers[t], BYTES, MPI_BYTE, &message, MPI_STATUS_IGNORE);
}

static void receive_tested(int t)
{
    MPI_Request request;
    int done = 0;
    MPI_Irecv(buffers[t], BYTES, MPI_BYTE, 1 - rank, tag_of(t), comm_of(t), &request);
    for (int tests = 1; MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done; tests++)
        if (tests % TESTS_PER_YIELD == 0) sched_yield();
}

static void back_and_forth(int t, long repetitions, void (*receive_word)(int))
{
    for (long i = 0; i < repetitions; i++) {
        if (rank == 0) send_word(t, tag_of(t));
        receive_word(t);
        if (rank == 1) send_word(t, tag_of(t));
    }
}

static void ping_pong(int t, long n) { back_and_forth(t, n, receive); }
static void probed(int t, long n) { back_and_forth(t, n, receive_probed); }
static void tested(int t, long n) { back_and_forth(t, n, receive_tested); }

static void window(int t, long repetitions)
{
    MPI_Request requests[WINDOW];
    for (long i = 0; i < repetitions; i++) {
        for (int j = 0; j < WINDOW; j++)
            if (rank == 0)
                MPI_Isend(buffers[t], BYTES, MPI_BYTE, 1, tag_of(t), comm_of(t), &requests[j]);
            else
                MPI_Irecv(buffers[t] + j * BYTES, BYTES, MPI_BYTE, 0, tag_of(t), comm_of(t),
                          &requests[j]);
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        if (rank == 0) receive(t);
        else send_word(t, tag_of(t));
    }
}

static void to_itself(int t, long repetitions)
{
    MPI_Request request;
    for (long i = 0; i < repetitions; i++) {
        MPI_Irecv(buffers[t] + 64, BYTES, MPI_BYTE, rank, tag_of(t), comm_of(t), &request);
        MPI_Send(buffers[t], BYTES, MPI_BYTE, rank, tag_of(t), comm_of(t));
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void blocked(int t, long repetitions)
{
    if (t > 0) {
        MPI_Recv(buffers[t], BYTES, MPI_BYTE, 1 - rank, TAG_STOP + t, comm_of(t),
                 MPI_STATUS_IGNORE);
        return;
    }
    ping_pong(0, repetitions);
    for (int other = 1; other < threads; other++) send_word(other, TAG_STOP + other);
}

static void computing(int t, long repetitions)
{
    if (t == 0) {
        ping_pong(0, repetitions);
        stopped = 1;
        return;
    }
    while (!stopped) {
        int flag;
        volatile double number = 1;
        for (double end = now() + 10e-6; now() < end;) number *= 1.0000001;
        MPI_Iprobe(1 - rank, TAG_STOP, comm_of(t), &flag, MPI_STATUS_IGNORE);
    }
}

static void any(int t, long repetitions)
{
    MPI_Request requests[THREADS_MAX];
    if (t > 0) return;
    for (int i = 0; i < threads; i++)
        MPI_Irecv(buffers[i] + 64, BYTES, MPI_BYTE, 1 - rank, tag_of(i), comm_of(i), &requests[i]);
    for (long i = 0; i < repetitions; i++) {
        int to = (int)(i * 7 % threads), index;
        if (rank == 0) send_word(to, tag_of(to));
        MPI_Waitany(threads, requests, &index, MPI_STATUS_IGNORE);
        if (rank == 1) send_word(to, tag_of(to));
        MPI_Irecv(buffers[index] + 64, BYTES, MPI_BYTE, 1 - rank, tag_of(index), comm_of(index),
                  &requests[index]);
    }
    for (int i = 0; i < threads; i++) {
        MPI_Cancel(&requests[i]);
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
}

static void allreduce(int t, long repetitions)
{
    double one = 1, sum;
    for (long i = 0; i < repetitions; i++)
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, comms[t]);
}

static void put(int t, long repetitions)
{
    MPI_Win win = windows[shares_comm ? 0 : t];
    for (long i = 0; i < repetitions; i++) {
        MPI_Put(buffers[t], BYTES, MPI_BYTE, 1 - rank, 64 * t, BYTES, MPI_BYTE, win);
        MPI_Win_flush(1 - rank, win);
    }
}

/* The task of all threads, the main thread among them. NULL ends the others. */
static struct {
    pthread_barrier_t begin, end;
    void (*what)(int, long);
    long repetitions;
} task;

static void *worker(void *number)
{
    for (;;) {
        pthread_barrier_wait(&task.begin);
        if (!task.what) return NULL;
        task.what((int)(size_t)number, task.repetitions);
        pthread_barrier_wait(&task.end);
    }
}

static double together(long repetitions, int bytes)
{
    (void)bytes;
    stopped = 0;
    task.repetitions = repetitions;
    double start = now();
    pthread_barrier_wait(&task.begin);
    task.what(0, repetitions);
    pthread_barrier_wait(&task.end);
    return now() - start;
}

/* Messages of one repetition, of one thread of each process; and whether all threads send. */
static const struct {
    const char *name;
    void (*what)(int, long);
    int messages, of_all, with_one_comm;
} patterns[] = {
    {"ping-pong", ping_pong, 2, 1, 1},  {"window", window, WINDOW, 1, 1},
    {"to itself", to_itself, 2, 1, 1},  {"mprobe", probed, 2, 1, 1},
    {"test", tested, 2, 1, 1},          {"blocked", blocked, 2, 0, 1},
    {"computing", computing, 2, 0, 1},  {"waitany", any, 2, 0, 1},
    {"allreduce", allreduce, 1, 1, 0},  {"put", put, 2, 1, 1},
};

int main(int argc, char **argv)
{
    int provided;
    begin_threaded(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    threads = argc > 3 ? atoi(argv[3]) : 2;
    if (size != 2 || threads < 1 || threads > THREADS_MAX) {
        fprintf(stderr, "two processes, and 1 to %d threads\n", THREADS_MAX);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (provided < MPI_THREAD_MULTIPLE) {
        end();
        return 0;
    }
    pthread_t others[THREADS_MAX];
    pthread_barrier_init(&task.begin, NULL, (unsigned)threads);
    pthread_barrier_init(&task.end, NULL, (unsigned)threads);
    for (int t = 0; t < threads; t++) {
        void *memory;
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[t]);
        buffers[t] = touched(4096);
        MPI_Win_allocate(64 * THREADS_MAX, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &windows[t]);
        MPI_Win_lock_all(0, windows[t]);
        if (t > 0 && pthread_create(&others[t], NULL, worker, (void *)(size_t)t))
            MPI_Abort(MPI_COMM_WORLD, 3);
    }
    for (shares_comm = 0; shares_comm < 2; shares_comm++)
        for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
            if (shares_comm && !patterns[i].with_one_comm) continue;
            task.what = patterns[i].what;
            double seconds = measured(together, BYTES);
            int messages = patterns[i].messages * (patterns[i].of_all ? threads : 1);
            if (rank == 0)
                printf("{\"pattern\": \"%s\", \"comms\": \"%s\", \"threads\": %d, "
                       "\"value\": %.4e}\n", patterns[i].name, shares_comm ? "same" : "own",
                       threads, messages / seconds);
        }
    task.what = NULL;
    pthread_barrier_wait(&task.begin);
    for (int t = 1; t < threads; t++) pthread_join(others[t], NULL);
    for (int t = 0; t < threads; t++) {
        MPI_Win_unlock_all(windows[t]);
        MPI_Win_free(&windows[t]);
        MPI_Comm_free(&comms[t]);
    }
    end();
    return 0;
}
