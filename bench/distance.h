/* How far the two processes of a job are from each other, outside of any library: half a round trip of one cache line.
 *
 * The processors of a virtual machine change their places below it: two that have a cache in common for a while are threads of one core a second later, or
 * have none in common, and all that crosses takes half or three times as long. So a report says how far they were before and after the batch.
 *
 *   NEMESIS_BENCH_WORDS   a file of two pages, shared by both processes of a job
 *
 * Without it nothing is looked at.
 */
#ifndef NEMESIS_BENCH_DISTANCE_H
#define NEMESIS_BENCH_DISTANCE_H

#include <fcntl.h>
#include <math.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Round trips of one look, in parts of which the fastest counts: an interrupt is no distance. */
enum { LOOK_PARTS = 3, LOOK_ROUNDS = 100, POLLS_PER_CLOCK = 1 << 16 };
/* How long one answer may take: it takes longer where both processes share a processor, and that is another distance, too. */
static const double answer_seconds = 1e-3;

/* Each in a page of its own, as whoever found the usual distance has them: lines of one page change hands a fifth faster on some processors. */
struct words {
    /* What 0 asks, and what 1 has answered; 0 at rest. */
    alignas(4096) _Atomic unsigned asked;
    alignas(4096) _Atomic unsigned answered;
};
static struct words *words;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

/* Both processes call it once, before they meet. A program that was ended in the middle may have left words behind, which the one who asks clears. */
static void begin_distance(int asks)
{
    const char *path = getenv("NEMESIS_BENCH_WORDS");
    if (!path) return;
    int file = open(path, O_RDWR);
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *words, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) {
        perror(path);
        exit(4);
    }
    close(file);
    words = page;
    if (asks) {
        atomic_store(&words->asked, 0);
        atomic_store(&words->answered, 0);
    }
}

/* Waits without a pause until `word` is `awaited`, for so many seconds at most; whether it is. */
static int becomes(_Atomic unsigned *word, unsigned awaited, double seconds)
{
    for (double end = 0;;) {
        for (int polls = 0; polls < POLLS_PER_CLOCK; polls++)
            if (atomic_load_explicit(word, memory_order_acquire) == awaited) return 1;
        if (end == 0) end = now() + seconds;
        else if (now() > end) return 0;
    }
}

/* Process 0, while 1 is in `answer_distance` or on its way there: seconds of one hand-over. An end that never comes is the launcher's to notice. */
static double ask_distance(void)
{
    double least = INFINITY;
    unsigned round = 1;
    atomic_store_explicit(&words->asked, round, memory_order_release);
    while (!becomes(&words->answered, round, answer_seconds)) continue;
    for (int part = 0; part < LOOK_PARTS; part++) {
        double start = now();
        for (int i = 0; i < LOOK_ROUNDS; i++) {
            atomic_store_explicit(&words->asked, ++round, memory_order_release);
            if (!becomes(&words->answered, round, answer_seconds)) goto end;
        }
        double seconds = (now() - start) / LOOK_ROUNDS / 2;
        if (seconds < least) least = seconds;
    }
end:
    atomic_store_explicit(&words->asked, 0, memory_order_release);
    /* It has left before it can be asked again. */
    while (!becomes(&words->answered, 0, answer_seconds)) continue;
    return least;
}

/* Process 1: answers until the other rests. */
static void answer_distance(void)
{
    while (!atomic_load_explicit(&words->asked, memory_order_acquire)) continue;
    for (unsigned round; (round = atomic_load_explicit(&words->asked, memory_order_acquire)) != 0;)
        atomic_store_explicit(&words->answered, round, memory_order_release);
    atomic_store_explicit(&words->answered, 0, memory_order_release);
}

#endif
