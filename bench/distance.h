/* The distance of the two processes of a job, measured without any library: half a round trip of
 * one cache line.
 *
 * A virtual machine may move its processors among the physical ones: two processors that share a
 * cache may be threads of one core a second later, or share no cache, and then all communication
 * takes half or three times as long. So a report contains the distance before and after its batch.
 *
 * NEMESIS_BENCH_WORDS is the path of a file of two pages that both processes map. Without it no
 * distance is measured. */
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

/* Round trips of one measurement, in parts of which the fastest counts, because an interrupt must
 * not count. */
enum { LOOK_PARTS = 3, LOOK_ROUNDS = 100, POLLS_PER_CLOCK = 1 << 16 };
/* Longest wait for one answer. It takes longer if both processes share a processor, which is a
 * distance, too. */
static const double answer_seconds = 1e-3;

/* The two words are in pages of their own, as in the program that measured the usual distance: on
 * some processors lines of one page are transferred a fifth faster. */
struct words {
    /* The round that process 0 asks for, and the one that process 1 has answered; 0 when idle. */
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

/* Both processes call this once, before they communicate. A program that was killed may have left
 * values in the words, which the asking process clears. */
static void open_distance(int asks)
{
    const char *path = getenv("NEMESIS_BENCH_WORDS");
    if (!path) return;
    int file = open(path, O_RDWR);
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *words, PROT_READ | PROT_WRITE,
                                              MAP_SHARED, file, 0);
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

/* Spins until `word` is `awaited`, at most `seconds`. Returns whether it is. */
static int becomes(_Atomic unsigned *word, unsigned awaited, double seconds)
{
    for (double end = 0;;) {
        for (int polls = 0; polls < POLLS_PER_CLOCK; polls++)
            if (atomic_load_explicit(word, memory_order_acquire) == awaited) return 1;
        if (end == 0) end = now() + seconds;
        else if (now() > end) return 0;
    }
}

/* Called by process 0 while process 1 is in `answer_distance` or on its way there. Returns the
 * seconds of one line transfer. If process 1 never answers, the launcher ends the job. */
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
    /* Process 1 must have left before it can be asked again. */
    while (!becomes(&words->answered, 0, answer_seconds)) continue;
    return least;
}

/* Called by process 1: answers until process 0 is done. */
static void answer_distance(void)
{
    while (!atomic_load_explicit(&words->asked, memory_order_acquire)) continue;
    for (unsigned round; (round = atomic_load_explicit(&words->asked, memory_order_acquire)) != 0;)
        atomic_store_explicit(&words->answered, round, memory_order_release);
    atomic_store_explicit(&words->answered, 0, memory_order_release);
}

#endif
