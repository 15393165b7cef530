/*
 * subsystem.c: packets without MPI. A ring that adds up, then more packets than there is room for.
 *
 *     cc -O2 -o subsystem subsystem.c $(pkg-config --cflags --libs nemesis-subsystem) && mpiexec -n 4 ./subsystem
 */
#define _POSIX_C_SOURCE 199309L
#include <nemesis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TOKEN = NEMESIS_KIND_FIRST, FLOOD, DONE };
enum { ROUNDS = 10000, PACKETS = 100000 };

static int rank, size;

/* What the callback has noted. */
static struct {
    long token;
    long flood_sum;
    int done;
} seen;

static void must(int outcome) {
    if (outcome < 0) {
        fprintf(stderr, "process %d: %s\n", rank, nemesis_why());
        exit(1);
    }
}

static int take(const nemesis_packet *packet, void *context) {
    (void)context;
    if (packet->header.kind == TOKEN) memcpy(&seen.token, packet->payload, sizeof seen.token);
    if (packet->header.kind == FLOOD) seen.flood_sum += packet->header.tag;
    if (packet->header.kind == DONE) seen.done++;
    return 1;
}

/* Sends; while there is no room, takes in what has arrived, so that two who send to each other both get on. */
static void send_packet(int to, int kind, int tag, const void *payload, size_t bytes) {
    nemesis_header header = {.kind = (uint8_t)kind, .tag = tag, .rank = (uint32_t)rank};
    int outcome;
    while ((outcome = nemesis_send((uint32_t)to, &header, payload, bytes)) == NEMESIS_AGAIN) {
        int taken = nemesis_poll(take, NULL);
        must(taken);
        if (taken == 0) must(nemesis_pause());
    }
    must(outcome);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

/* The token is negative while it is elsewhere. */
static long receive_token(void) {
    while (seen.token < 0)
        must(nemesis_wait(take, NULL));
    long token = seen.token;
    seen.token = -1;
    return token;
}

static int ring(void) {
    int next = (rank + 1) % size;
    long token = 0;
    double start = now();
    for (int round = 0; round < ROUNDS; round++) {
        if (rank > 0) token = receive_token() + rank;
        send_packet(next, TOKEN, round, &token, sizeof token);
        if (rank == 0) token = receive_token();
    }
    if (rank > 0) return 1;
    long expected = (long)ROUNDS * size * (size - 1) / 2;
    printf("ring: %d processes, %d rounds, %.0f ns a hop, token %ld (%s)\n", size, ROUNDS, (now() - start) * 1e9 / ROUNDS / size, token,
           token == expected ? "right" : "WRONG");
    return token == expected;
}

/* Everybody sends to process 0, faster than it can take in: back-pressure, no loss. */
static int flood(void) {
    if (rank > 0) {
        for (int i = 1; i <= PACKETS; i++)
            send_packet(0, FLOOD, i % 1000, NULL, 0);
        send_packet(0, DONE, 0, NULL, 0);
        return 1;
    }
    double start = now();
    while (seen.done < size - 1)
        must(nemesis_wait(take, NULL));
    double seconds = now() - start;
    long expected = (long)(size - 1) * (PACKETS / 1000) * (999 * 1000 / 2);
    if (size > 1)
        printf("flood: %d packets, %.1f million a second, sum %ld (%s)\n", (size - 1) * PACKETS, (size - 1) * PACKETS / seconds / 1e6,
               seen.flood_sum, seen.flood_sum == expected ? "right" : "WRONG");
    return seen.flood_sum == expected;
}

int main(void) {
    seen.token = -1;
    must(nemesis_init());
    rank = nemesis_rank();
    size = nemesis_size();
    int right = ring();
    right &= flood();
    must(nemesis_finalize());
    return !right;
}
