/*
 * subsystem.c: packets without MPI. First a token goes around all processes and each adds its
 * number to it, then all processes send packets to process 0 faster than it can receive them.
 *
 *     cc -O2 -o subsystem subsystem.c $(pkg-config --cflags --libs nemesis-subsystem)
 *     mpiexec -n 4 ./subsystem
 */
#define _POSIX_C_SOURCE 199309L
#include <nemesis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The kinds of packets of this program. */
enum { TOKEN = NEMESIS_KIND_FIRST, FLOOD, DONE };

enum { ROUNDS = 10000, PACKETS = 100000, TAGS = 1000 };

static int rank, size;

/* What has been received. The token is -1 while another process has it. */
static struct {
    long token;
    long flood_sum;
    int done;
} received = {.token = -1};

/* Ends this process with a message if a call has failed. */
static void must(int outcome) {
    if (outcome < 0) {
        fprintf(stderr, "process %d: %s\n", rank, nemesis_why());
        exit(1);
    }
}

/* The callback for each packet. It must not call the subsystem, so it only takes notes. Returns 1
 * to get further packets in the same poll. */
static int take(const nemesis_packet *packet, void *context) {
    (void)context;
    switch (packet->header.kind) {
    case TOKEN:
        memcpy(&received.token, packet->payload, sizeof received.token);
        break;
    case FLOOD:
        received.flood_sum += packet->header.tag;
        break;
    case DONE:
        received.done++;
        break;
    }
    return 1;
}

/* Sends a packet. While there is no space for it, receives what has arrived, so that two processes
 * that send to each other both make progress. */
static void send_packet(int to, int kind, int tag, const void *payload, size_t bytes) {
    nemesis_header header = {.kind = (uint8_t)kind, .tag = tag, .rank = (uint32_t)rank};
    int outcome;
    while ((outcome = nemesis_send((uint32_t)to, &header, payload, bytes)) == NEMESIS_AGAIN) {
        int packets = nemesis_poll(take, NULL);
        must(packets);
        if (packets == 0) must(nemesis_pause());
    }
    must(outcome);
}

static long receive_token(void) {
    while (received.token < 0)
        must(nemesis_wait(take, NULL));
    long token = received.token;
    received.token = -1;
    return token;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

/* Sends the token around. Returns whether process 0 gets the expected sum. */
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

    double nanoseconds = (now() - start) * 1e9 / ROUNDS / size;
    long expected = (long)ROUNDS * size * (size - 1) / 2;
    printf("ring: %d processes, %d rounds, %.0f ns per hop, token %ld (%s)\n", size, ROUNDS,
           nanoseconds, token, token == expected ? "right" : "WRONG");
    return token == expected;
}

/* All processes send to process 0. Flow control slows them down, and no packet is lost. Returns
 * whether process 0 gets the expected sum. */
static int flood(void) {
    if (rank > 0) {
        for (int i = 1; i <= PACKETS; i++)
            send_packet(0, FLOOD, i % TAGS, NULL, 0);
        send_packet(0, DONE, 0, NULL, 0);
        return 1;
    }

    double start = now();
    while (received.done < size - 1)
        must(nemesis_wait(take, NULL));
    double seconds = now() - start;
    int packets = (size - 1) * PACKETS;
    long expected = (long)(packets / TAGS) * (TAGS * (TAGS - 1) / 2);
    int is_right = received.flood_sum == expected;
    if (size > 1)
        printf("flood: %d packets, %.1f million per second, sum %ld (%s)\n", packets,
               packets / seconds / 1e6, received.flood_sum, is_right ? "right" : "WRONG");
    return is_right;
}

int main(void) {
    must(nemesis_init());
    rank = nemesis_rank();
    size = nemesis_size();
    int is_right = ring();
    is_right &= flood();
    must(nemesis_finalize());
    return !is_right;
}
