/*
 * rwapi.c: the three measurements of the Remote-Write paper, with the Remote-Write API, or with MPI when it is compiled with -DMPI.
 *
 *     ping-pong       one writes, the other answers; half a round trip
 *     bidirectional   both write at the same time; a step
 *     burst           one writes sixteen times, each time to another place, the other answers once; a write
 *
 *     cc -O2 rwapi.c -lrwapi -o with-rwapi && mpiexec -n 2 ./with-rwapi
 *     mpicc -O2 -DMPI rwapi.c -o with-mpi && mpiexec -n 2 ./with-mpi
 *
 * Whoever receives looks at every line of the bytes. Prints a line for each measurement and length: the median of several batches, in microseconds, and
 * megabytes a second. scripts/bench-rwapi runs both on one host and on two, and draws them.
 */
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
/* Where the next bytes go, from the beginning of what receives them. */
static long at;
static volatile char seen;

/* Fetches what has come, as a program that uses it does. */
static void look(const char *bytes, int length) {
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
static void take(int bytes) { MPI_Recv(theirs + at, bytes, MPI_BYTE, 1 - me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), look(theirs + at, bytes); }
static void both(int bytes) {
    MPI_Sendrecv(mine, bytes, MPI_BYTE, 1 - me, 0, theirs, bytes, MPI_BYTE, 1 - me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    look(theirs, bytes);
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
    net its;
    if (rwapi_init(argc, argv) < 0) {
        fprintf(stderr, "%s\n", rwapi_why());
        exit(1);
    }
    me = rwapi_rank();
    rwapi_alloc(LONGEST, &mine);
    window = rwapi_alloc((size_t)LONGEST * BURST, &its);
    rwapi_send(1 - me, (small){{its, 0}});
    theirs = take_message().words[0];
}
/* What fits a small message goes as one, as the paper's does. */
static void put(int bytes) {
    if (bytes > 16) rwapi_write(1 - me, mine, theirs + at, bytes);
    rwapi_send(1 - me, (small){{bytes, 0}});
}
static void take(int bytes) {
    take_message();
    if (bytes > 16) look(window + at, bytes);
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
        double begun = now();
        for (int i = 0; i < steps; i++) step(bytes);
        double time = (now() - begun) / steps / parts;
        int at = batch;
        for (; at > 0 && each[at - 1] > time; at--) each[at] = each[at - 1];
        each[at] = time;
    }
    double median = each[BATCHES / 2];
    if (me == 0) printf("%-14s %8d bytes %10.3f us %10.1f MB/s\n", name, bytes, median * 1e6, bytes / median * 1e-6);
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
