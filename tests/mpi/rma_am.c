/* Short accesses to windows of the program's own memory. The target carries them out as AM requests
 * if it is in an MPI call, and the origin does so itself otherwise. In both cases the data arrive
 * in the order of the calls, and no other byte is written, whatever the target does meanwhile (MPI
 * 5.0 §12.3, §12.7.3).
 *
 * modes: default copy network bulk tiny threads
 * seconds: 60
 */

#include "rma.h"

enum { REGION_BYTES = 12288, TAG = 5 };

/* Number of accesses of each phase: a multiple of 100. */
static int counts;

/* Lengths on both sides of the limits between protocols: one line, an AM response, a packet of the
 * fastbox, and the longest access for which an AM request is sent. */
static const int lengths[] = {1, 8, 23, 24, 25, 65, 200, 256, 257, 496, 497, 512, 8192, 8193,
                              REGION_BYTES - 8};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* Reads a word of the window without any MPI call until it has the value `last`. Its values must
 * never decrease. */
static void compute_until(volatile int64_t *word, int64_t last)
{
    for (int64_t seen = *word; seen != last;) {
        int64_t now = *word;
        CHECK(now >= seen, "%ld is read after %ld", (long)now, (long)seen);
        seen = now;
    }
}

static void put_word(const struct window *w, int64_t value, int target, MPI_Aint disp)
{
    OK(MPI_Put(&value, 1, MPI_INT64_T, target, at(w, target, disp), 1, MPI_INT64_T, w->win));
    OK(MPI_Win_flush(target, w->win));
}

/* The origin accesses all other processes, which wait in a receive. */
static void waiting(const struct window *w, int origin)
{
    memset(w->base, GUARD, w->bytes);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; rank == origin && i < LENGTHS * size; i++) {
        int target = i % size, length = lengths[i / size];
        unsigned char *out = malloc(length), *back = guarded(length);
        fill(out, length, i);
        OK(MPI_Put(out, length, MPI_BYTE, target, at(w, target, 3), length, MPI_BYTE, w->win));
        OK(MPI_Win_flush(target, w->win));
        OK(MPI_Get(back, length, MPI_BYTE, target, at(w, target, 3), length, MPI_BYTE, w->win));
        OK(MPI_Win_flush(target, w->win));
        CHECK(first_wrong(back, length, i) < 0 && untouched(back, length, length),
              "MPI_Get of %d bytes from rank %d returns wrong data", length, target);
        free_guarded(back);
        free(out);
    }
    for (int target = 0; rank == origin && target < size; target++)
        if (target != rank) OK(MPI_Send(NULL, 0, MPI_BYTE, target, TAG, MPI_COMM_WORLD));
    if (rank != origin)
        OK(MPI_Recv(NULL, 0, MPI_BYTE, origin, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    int longest = lengths[LENGTHS - 1];
    CHECK(first_wrong(w->base + 3, longest, size * (LENGTHS - 1) + rank) < 0,
          "%d bytes arrive wrong", longest);
    CHECK(w->base[2] == GUARD && w->base[3 + longest] == GUARD,
          "bytes around the data were written");
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* All processes access the last one, which makes no MPI call until it has seen the last value of
 * each. No origin waits for it. */
static void computing(const struct window *w)
{
    int target = size - 1;
    memset(w->base, 0, w->bytes);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == target)
        for (int origin = 0; origin < target; origin++)
            compute_until((int64_t *)w->base + origin, counts);
    else
        for (int64_t i = 1; i <= counts; i++) put_word(w, i, target, 8 * rank);
    /* AM requests that the target did not carry out in time must have no effect now. */
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int origin = 0; rank == target && origin < target; origin++)
        CHECK(((int64_t *)w->base)[origin] == counts, "%ld is written after the last value",
              (long)((int64_t *)w->base)[origin]);
}

/* The target makes MPI calls now and then, short ones or a wait for a message, and the origins read
 * their values back at once. */
static void calling_now_and_then(const struct window *w)
{
    int target = size - 1, flag;
    memset(w->base, 0, w->bytes);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank != target) {
        for (int64_t i = 1, back = 0; i <= counts; i++) {
            put_word(w, i, target, 8 * rank);
            if (i % 3 == 0) {
                OK(MPI_Get(&back, 1, MPI_INT64_T, target, at(w, target, 8 * rank), 1, MPI_INT64_T,
                           w->win));
                OK(MPI_Win_flush(target, w->win));
                CHECK(back == i, "MPI_Get returns %ld after MPI_Put of %ld", (long)back, (long)i);
            }
            if (i % 100 == 0) OK(MPI_Send(&i, 1, MPI_INT64_T, target, TAG, MPI_COMM_WORLD));
        }
    } else {
        volatile int64_t *words = (int64_t *)w->base;
        int64_t *seen = calloc(size, sizeof(int64_t)), *announced = calloc(size, sizeof(int64_t));
        for (int round = 0, left = target * (counts / 100); left > 0; round++) {
            for (int look = 0; look < 100 * (round % 7); look++)
                for (int origin = 0; origin < target; origin++) {
                    int64_t now = words[origin];
                    CHECK(now >= seen[origin] && now >= announced[origin],
                          "%ld is read after %ld and %ld", (long)now, (long)seen[origin],
                          (long)announced[origin]);
                    seen[origin] = now;
                }
            MPI_Status status;
            OK(MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &flag, &status));
            if (!flag && round % 5) continue;
            int64_t value;
            OK(MPI_Recv(&value, 1, MPI_INT64_T, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status));
            announced[status.MPI_SOURCE] = value;
            left--;
        }
        free(seen);
        free(announced);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* All processes access all others concurrently, in regions of their own: short puts among long ones
 * to the same bytes. */
static void racing(const struct window *w)
{
    unsigned char *out = malloc(REGION_BYTES), *back = malloc(REGION_BYTES);
    unsigned state = 99 + 7919u * rank;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < counts; i++) {
        state = state * 1664525u + 1013904223u;
        int target = (int)((state >> 24) % (unsigned)size),
            length = lengths[(state >> 16) % LENGTHS], disp = (int)((state >> 8) % 7);
        MPI_Aint place = at(w, target, (MPI_Aint)REGION_BYTES * rank);
        fill(out, REGION_BYTES, i);
        if (i % 4 == 0) {
            OK(MPI_Put(out, REGION_BYTES, MPI_BYTE, target, place, REGION_BYTES, MPI_BYTE, w->win));
            OK(MPI_Win_flush(target, w->win));
        }
        fill(out, REGION_BYTES, i + 1);
        OK(MPI_Put(out, length, MPI_BYTE, target, place + disp, length, MPI_BYTE, w->win));
        OK(MPI_Win_flush(target, w->win));
        OK(MPI_Get(back, length, MPI_BYTE, target, place + disp, length, MPI_BYTE, w->win));
        OK(MPI_Win_flush(target, w->win));
        CHECK(!memcmp(back, out, length), "MPI_Get of %d bytes from rank %d returns wrong data",
              length, target);
        if (i % 4) continue;
        fill(out, REGION_BYTES, i);
        OK(MPI_Get(back, REGION_BYTES, MPI_BYTE, target, place, REGION_BYTES, MPI_BYTE, w->win));
        OK(MPI_Win_flush(target, w->win));
        CHECK(!memcmp(back, out, disp) && !memcmp(back + disp + length, out + disp + length,
                                                  REGION_BYTES - disp - length),
              "more than %d bytes were put", length);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    free(back);
    free(out);
}

int main(int argc, char **argv)
{
    static const int flavours[] = {CREATED, DYNAMIC};
    begin(&argc, &argv);
    counts = rounds(3000);
    for (int i = 0; i < 2; i++) {
        struct window w = window(flavours[i], (size_t)REGION_BYTES * size);
        OK(MPI_Win_lock_all(0, w.win));
        for (int origin = 0; origin < size; origin++) waiting(&w, origin);
        computing(&w);
        calling_now_and_then(&w);
        racing(&w);
        OK(MPI_Win_unlock_all(w.win));
        free_window(&w);
    }
    return MPI_Finalize();
}
