/* Processes that exchange long messages, each with all others, while rank 1 is killed:
 *
 *   survivors FOLDER
 *
 * Rank 1 kills itself in the middle of the messages. Every other process must get an error of class
 * MPI_ERR_PROC_ABORTED for each operation with it within LATE_SECONDS, and must go on with the
 * others without an error. Before that, rank 1 has sent each a short and a long message, which
 * matched probes have found: afterwards the short one arrives, and the long one, of which only the
 * announcement has come, fails. Then each process prints "rank R goes on". Used by
 * scripts/jobs faults. Each process writes its process ID to FOLDER/RANK. */

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { VICTIM = 1, RANKS_MAX = 8, KINDS = 2, BYTES = 1 << 20, LATE_SECONDS = 5 };
/* Tags of messages that matched probes find. */
enum { SHORT = 10, LONG, SHORT_LATER, LONG_LATER, FOUND };
static const double RUN_SECONDS = 0.4, GO_ON_SECONDS = 0.3;

/* What this process exchanges with another one: contiguous bytes, or bytes with holes. */
struct stream {
    int peer, kind, ends[2];
    char *buffers[2];
    long numbers[2];
};

static struct stream streams[RANKS_MAX * KINDS];
/* For each stream its send, then its receive. */
static MPI_Request requests[RANKS_MAX * KINDS * 2];
static MPI_Datatype types[KINDS];
static double dies_at;
static int rank, told;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void die(int number)
{
    (void)number;
    kill(getpid(), SIGKILL);
}

static void fail(const char *what, int peer)
{
    printf("rank %d: %s, with rank %d, %.3f s after the end of rank %d\n", rank, what, peer,
           now() - dies_at, VICTIM);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Ends the stream's operations of one direction if one has failed, as it must with the victim. */
static void check(struct stream *stream, int direction, int failed)
{
    int class;
    if (failed == MPI_SUCCESS) return;
    MPI_Error_class(failed, &class);
    if (stream->peer != VICTIM || class != MPI_ERR_PROC_ABORTED) fail("wrong error", stream->peer);
    if (now() > dies_at + LATE_SECONDS) fail("late error", stream->peer);
    stream->ends[direction] = 1;
    told = 1;
}

/* Starts the next send (0) or receive (1). The last message of a stream has a negative number. */
static void start(int index)
{
    struct stream *stream = &streams[index / 2];
    MPI_Request *request = &requests[index];
    if (index % 2 == 0) {
        long number = ++stream->numbers[0];
        if (now() > dies_at + GO_ON_SECONDS && (told || stream->peer != VICTIM)) number = -number;
        stream->ends[0] = number < 0;
        memcpy(stream->buffers[0], &number, sizeof number);
        check(stream, 0, MPI_Isend(stream->buffers[0], 1, types[stream->kind], stream->peer,
                                   stream->kind, MPI_COMM_WORLD, request));
    } else {
        check(stream, 1, MPI_Irecv(stream->buffers[1], 1, types[stream->kind], stream->peer,
                                   stream->kind, MPI_COMM_WORLD, request));
    }
}

/* Handles that an operation has ended. */
static void end(int index, int failed)
{
    struct stream *stream = &streams[index / 2];
    check(stream, index % 2, failed);
    if (failed == MPI_SUCCESS && index % 2 == 1) {
        long number;
        memcpy(&number, stream->buffers[1], sizeof number);
        if (labs(number) != ++stream->numbers[1]) fail("wrong message", stream->peer);
        stream->ends[1] = number < 0;
    }
    if (!stream->ends[index % 2]) start(index);
}

/* Rank 1 sends to each, and each finds what it sends, by matched probes. */
static void find(MPI_Message found[FOUND], int size)
{
    static char payload[BYTES];
    for (int tag = SHORT; tag < FOUND; tag++) {
        int is_there = tag < SHORT_LATER;
        if (rank != VICTIM) {
            if (is_there) MPI_Mprobe(VICTIM, tag, MPI_COMM_WORLD, &found[tag], MPI_STATUS_IGNORE);
            while (!is_there)
                if (MPI_Improbe(VICTIM, tag, MPI_COMM_WORLD, &is_there, &found[tag],
                                MPI_STATUS_IGNORE) != MPI_SUCCESS)
                    fail("error of a probe", VICTIM);
            continue;
        }
        for (int peer = 0; peer < size; peer++) {
            MPI_Request request;
            int is_long = tag == LONG || tag == LONG_LATER;
            payload[0] = SHORT;
            if (peer == rank) continue;
            /* Synchronous, so that it is announced however long the transport's eager ones are. */
            if (is_long)
                MPI_Issend(payload, BYTES, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &request);
            else
                MPI_Isend(payload, 1, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &request);
            MPI_Request_free(&request);
        }
    }
    /* Rank 1 dies only when all have found its messages. */
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Receives what matched probes have found, after its sender has died. */
static void receive(MPI_Message found[FOUND])
{
    static char payload[BYTES];
    for (int tag = SHORT; tag < FOUND; tag++) {
        int class = MPI_SUCCESS, is_long = tag == LONG || tag == LONG_LATER, failed;
        payload[0] = 0;
        if (tag < SHORT_LATER) {
            failed = MPI_Mrecv(payload, BYTES, MPI_BYTE, &found[tag], MPI_STATUS_IGNORE);
        } else {
            MPI_Request request;
            failed = MPI_Imrecv(payload, BYTES, MPI_BYTE, &found[tag], &request);
            if (failed == MPI_SUCCESS) failed = MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        if (failed != MPI_SUCCESS) MPI_Error_class(failed, &class);
        if (is_long && class != MPI_ERR_PROC_ABORTED) fail("a lost message is received", VICTIM);
        if (!is_long && (failed != MPI_SUCCESS || payload[0] != SHORT))
            fail("an early message is lost", VICTIM);
    }
}

int main(int argc, char **argv)
{
    int size, count = 0;
    char name[4096];
    /* Hydra sends SIGUSR1 to the surviving processes when one has died. */
    signal(SIGUSR1, SIG_IGN);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 2 || size > RANKS_MAX) MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(BYTES, MPI_BYTE, &types[0]);
    MPI_Type_vector(BYTES / 4096, 4096, 4160, MPI_BYTE, &types[1]);
    for (int kind = 0; kind < KINDS; kind++) MPI_Type_commit(&types[kind]);
    snprintf(name, sizeof name, "%s/%d", argv[1], rank);
    FILE *file = fopen(name, "w");
    if (!file || fprintf(file, "%d\n", (int)getpid()) < 0 || fclose(file) != 0)
        MPI_Abort(MPI_COMM_WORLD, 2);

    static MPI_Message found[FOUND];
    find(found, size);
    dies_at = now() + RUN_SECONDS;
    MPI_Bcast(&dies_at, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == VICTIM) {
        struct itimerval timer = {{0, 0}, {0, (long)(RUN_SECONDS * 1e6)}};
        signal(SIGALRM, die);
        setitimer(ITIMER_REAL, &timer, NULL);
    }
    for (int peer = 0; peer < size; peer++) {
        for (int kind = 0; kind < KINDS && peer != rank; kind++) {
            struct stream *stream = &streams[count++];
            stream->peer = peer;
            stream->kind = kind;
            for (int side = 0; side < 2; side++) stream->buffers[side] = calloc(BYTES / 64, 65);
        }
    }
    for (int index = 0; index < 2 * count; index++) requests[index] = MPI_REQUEST_NULL;
    for (int index = 2 * count - 1; index >= 0; index--) start(index);
    for (;;) {
        int ended, indices[RANKS_MAX * KINDS * 2];
        MPI_Status statuses[RANKS_MAX * KINDS * 2];
        int failed = MPI_Waitsome(2 * count, requests, &ended, indices, statuses);
        if (ended == MPI_UNDEFINED) break;
        for (int each = 0; each < ended; each++)
            end(indices[each], failed == MPI_SUCCESS ? failed : statuses[each].MPI_ERROR);
    }
    receive(found);
    printf("rank %d goes on\n", rank);
    fflush(stdout);
    /* Others may still wait for the last messages; MPI_Finalize would wait for rank 1. */
    for (double over = now() + 1; now() < over;)
        MPI_Iprobe(rank, 0, MPI_COMM_WORLD, &count, MPI_STATUS_IGNORE);
    _exit(0);
}
