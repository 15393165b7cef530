/* Is io_uring faster? The exchange of raw.c with submission queues instead of socket calls.
 *
 * uring listen PORT MODE: one end.
 * uring HOST PORT MODE: the other end, which prints lines of bytes and microseconds one way.
 *
 * MODE is "enter": one system call submits the answer and the next receive, and a second one sleeps
 * until the receive completes; or "spin": one call submits both, and the completion is polled in
 * memory, where the kernel writes it after an interrupt. Lengths go up to 32 KiB. */

#define _GNU_SOURCE
#include <errno.h>
#include <linux/io_uring.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "connection.h"
#include "rounds.h"

enum { HEADER = 32, DEPTH = 8, SEND = 1, RECEIVE = 2, MOST_BYTES = 32 << 10 };

static struct {
    int fd, spins;
    unsigned *sq_tail, *sq_mask, *sq_array, *cq_head, *cq_tail, *cq_mask;
    struct io_uring_sqe *entries;
    struct io_uring_cqe *completions;
    unsigned waiting;
} ring;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void set_up(int spins)
{
    struct io_uring_params params = {.flags = spins ? 0 : IORING_SETUP_SINGLE_ISSUER
                                     | IORING_SETUP_DEFER_TASKRUN};
    ring.fd = syscall(SYS_io_uring_setup, DEPTH, &params);
    if (ring.fd < 0) fail("io_uring_setup");
    ring.spins = spins;
    size_t bytes = params.sq_off.array + params.sq_entries * sizeof(unsigned);
    size_t more = params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe);
    char *rings = mmap(NULL, bytes > more ? bytes : more, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_POPULATE, ring.fd, IORING_OFF_SQ_RING);
    ring.entries = mmap(NULL, params.sq_entries * sizeof *ring.entries, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_POPULATE, ring.fd, IORING_OFF_SQES);
    if (rings == MAP_FAILED || ring.entries == MAP_FAILED) fail("mmap");
    ring.sq_tail = (unsigned *)(rings + params.sq_off.tail),
        ring.sq_mask = (unsigned *)(rings + params.sq_off.ring_mask);
    ring.sq_array = (unsigned *)(rings + params.sq_off.array),
        ring.cq_head = (unsigned *)(rings + params.cq_off.head);
    ring.cq_tail = (unsigned *)(rings + params.cq_off.tail),
        ring.cq_mask = (unsigned *)(rings + params.cq_off.ring_mask);
    ring.completions = (struct io_uring_cqe *)(rings + params.cq_off.cqes);
}

static void submit(int what, int fd, void *address, size_t bytes)
{
    unsigned tail = *ring.sq_tail, index = tail & *ring.sq_mask;
    struct io_uring_sqe *entry = &ring.entries[index];
    memset(entry, 0, sizeof *entry);
    entry->opcode = what == SEND ? IORING_OP_SEND : IORING_OP_RECV;
    entry->fd = fd;
    entry->addr = (unsigned long)address;
    entry->len = bytes;
    entry->msg_flags = MSG_NOSIGNAL | (what == SEND ? MSG_WAITALL : 0);
    entry->user_data = what;
    ring.sq_array[index] = index;
    atomic_store_explicit((_Atomic unsigned *)ring.sq_tail, tail + 1, memory_order_release);
    ring.waiting++;
}

static void enter(unsigned completions)
{
    unsigned flags = completions ? IORING_ENTER_GETEVENTS : 0;
    if (syscall(SYS_io_uring_enter, ring.fd, ring.waiting, completions, flags, NULL, 0) < 0 &&
        errno != EINTR)
        fail("io_uring_enter");
    ring.waiting = 0;
}

/* Waits for the next completion. For a receive, it contains the number of bytes. */
static struct io_uring_cqe next_completion(void)
{
    unsigned head = *ring.cq_head;
    if (ring.waiting) enter(ring.spins ? 0 : 1);
    while (atomic_load_explicit((_Atomic unsigned *)ring.cq_tail, memory_order_acquire) == head)
        if (!ring.spins) enter(1);
    struct io_uring_cqe end = ring.completions[head & *ring.cq_mask];
    atomic_store_explicit((_Atomic unsigned *)ring.cq_head, head + 1, memory_order_release);
    if (end.res <= 0) errno = -end.res, fail(end.user_data == SEND ? "send" : "receive");
    return end;
}

/* Receives a message. The receive of its first bytes has been submitted. */
static void receive(int fd, char *memory, size_t bytes)
{
    size_t have = 0;
    while (have < bytes) {
        struct io_uring_cqe end = next_completion();
        if (end.user_data == SEND) continue;
        have += end.res;
        if (have < bytes) submit(RECEIVE, fd, memory + have, bytes - have);
    }
}

static double exchange(int fd, int first, char *sent, char *got, int bytes)
{
    double times[BATCHES];
    int exchanges = rounds(bytes);
    size_t all = HEADER + bytes;
    for (int batch = 0; batch < BATCHES; batch++) {
        double start = now();
        for (int round = 0; round < exchanges; round++) {
            if (first) submit(SEND, fd, sent, all);
            submit(RECEIVE, fd, got, all);
            receive(fd, got, all);
            if (!first) submit(SEND, fd, sent, all);
        }
        if (!first) enter(0);
        double each = (now() - start) / exchanges / 2;
        keep(times, batch, each);
    }
    return typical(times);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return fprintf(stderr,
                       "uring listen PORT MODE, or uring HOST PORT MODE; MODE is enter or spin\n"),
            2;
    int fd = open_connection(argv[1], argv[2]), first = strcmp(argv[1], "listen") != 0;
    char *sent = calloc(1, HEADER + MOST_BYTES), *got = calloc(1, HEADER + MOST_BYTES);
    bind_to_processor(first);
    set_up(strcmp(argv[3], "spin") == 0);
    exchange(fd, first, sent, got, 8);
    for (int bytes = 8; bytes <= MOST_BYTES; bytes *= 8) {
        double took = exchange(fd, first, sent, got, bytes);
        if (first) printf("%d %.3f\n", bytes, took * 1e6);
    }
    return 0;
}
