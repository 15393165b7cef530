/* rwapi.c: the three measurements of the Remote-Write paper, with the Remote-Write API, or with MPI
 * if compiled with -DMPI.
 *
 * ping-pong: one process writes, the other answers; half a round trip.
 * bidirectional: both processes write at once; one step.
 * burst: one process writes sixteen times to different addresses, and the other answers once; one
 * write.
 *
 *     cc -O2 rwapi.c -lrwapi -o with-rwapi && mpiexec -n 2 ./with-rwapi
 *     mpicc -O2 -DMPI rwapi.c -o with-mpi && mpiexec -n 2 ./with-mpi
 *
 * The receiver reads every cache line of the data. Prints one line for each measurement and length:
 * the median of several batches in microseconds, and megabytes per second. scripts/bench-rwapi runs
 * both programs on one host and on two, and draws the results. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef MPI
#include <mpi.h>
#else
#include <rwapi.h>
#endif

enum { LONGEST = 1 << 20, BATCHES = 15, BURST = 16, LINE = 64 };

static int me;
/* Offset of the next data in the receive buffer. */
static long at;
static volatile char seen;

/* Reads the data that have arrived, as a program that uses them does. */
static void read_data(const char *bytes, int length) {
    for (int at = 0; at < length; at += LINE) seen = bytes[at];
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

#ifdef MPI
static char *mine, *theirs;

static void begin(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    mine = calloc(LONGEST, 1), theirs = calloc(LONGEST, BURST);
}
static void put(int bytes) { MPI_Send(mine, bytes, MPI_BYTE, 1 - me, 0, MPI_COMM_WORLD); }
static void take(int bytes) {
    MPI_Recv(theirs + at, bytes, MPI_BYTE, 1 - me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
        read_data(theirs + at, bytes);
}
static void both(int bytes) {
    MPI_Sendrecv(mine, bytes, MPI_BYTE, 1 - me, 0, theirs, bytes, MPI_BYTE, 1 - me, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    read_data(theirs, bytes);
}
static void end(void) { MPI_Finalize(); }
#else
static net mine, theirs;
static const char *window;

static small take_message(void) {
    node from;
    small message;
    while (rwapi_receive(&from, &message) == 0) continue;
    return message;
}

static void begin(int argc, char **argv) {
    net own;
    if (rwapi_init(argc, argv) < 0) {
        fprintf(stderr, "%s\n", rwapi_why());
        exit(1);
    }
    me = rwapi_rank();
    rwapi_alloc(LONGEST, &mine);
    window = rwapi_alloc((size_t)LONGEST * BURST, &own);
    rwapi_send(1 - me, (small){{own, 0}});
    theirs = take_message().words[0];
}
/* Data of up to 16 bytes are sent as a small message, as in the paper. */
static void put(int bytes) {
    if (bytes > 16) rwapi_write(1 - me, mine, theirs + at, bytes);
    rwapi_send(1 - me, (small){{bytes, 0}});
}
static void take(int bytes) {
    take_message();
    if (bytes > 16) read_data(window + at, bytes);
}
static void both(int bytes) {
    put(bytes);
    take(bytes);
}
static void end(void) { rwapi_finalize(); }
#endif

static void ping_pong(int bytes) {
    if (me == 0) put(bytes), take(bytes);
    else take(bytes), put(bytes);
}

static void burst(int bytes) {
    for (at = 0; at < (long)BURST * bytes; at += bytes) {
        if (me == 0) put(bytes);
        else take(bytes);
    }
    at = 0;
    if (me == 0) take(0);
    else put(0);
}

static void measure(const char *name, void (*step)(int), int bytes, double parts) {
    int steps = bytes > 65536 ? 20 : 400;
    double each[BATCHES];
    for (int batch = 0; batch < BATCHES; batch++) {
        double start = now();
        for (int i = 0; i < steps; i++) step(bytes);
        double time = (now() - start) / steps / parts;
        int at = batch;
        for (; at > 0 && each[at - 1] > time; at--) each[at] = each[at - 1];
        each[at] = time;
    }
    double median = each[BATCHES / 2];
    if (me == 0)
        printf("%-14s %8d bytes %10.3f us %10.1f MB/s\n", name, bytes, median * 1e6,
               bytes / median * 1e-6);
}

int main(int argc, char **argv) {
    begin(argc, argv);
    for (int bytes = 8; bytes <= LONGEST; bytes *= 2) {
        measure("ping-pong", ping_pong, bytes, 2);
        measure("bidirectional", both, bytes, 1);
        measure("burst", burst, bytes, BURST);
    }
    end();
    return 0;
}
