/* Short accesses to memory of the program's own, which its process carries out if it is in a call, and the origin if it is not: the same data arrive, in the
 * order of the calls, and nothing beside them is touched, whatever the target does meanwhile (MPI 5.0 §12.3, §12.7.3).
 *
 * seconds: 60 */

#include "rma.h"

enum { PLACE = 12288, COUNTS = 3000, TAG = 5 };

/* Lengths around those from which on an access takes another way: one line, an answer, a fastbox's packet, the longest that the target is told of. */
static const int lengths[] = {1, 8, 23, 24, 25, 65, 200, 256, 257, 496, 497, 512, 8192, 8193, PLACE - 8};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* The program computes, and calls nothing, until a word of its memory has this value; it never sees an older one than before. */
static void compute_until(volatile int64_t *word, int64_t last)
{
    for (int64_t seen = *word; seen != last;) {
        int64_t now = *word;
        CHECK(now >= seen, "%ld comes after %ld", (long)now, (long)seen);
        seen = now;
    }
}

static void put_word(const struct window *w, int64_t value, int target, MPI_Aint disp)
{
    OK(MPI_Put(&value, 1, MPI_INT64_T, target, at(w, target, disp), 1, MPI_INT64_T, w->win));
    OK(MPI_Win_flush(target, w->win));
}

/* One accesses all others, which wait in a receive. */
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
        CHECK(first_wrong(back, length, i) < 0 && untouched(back, length, length), "%d bytes come back wrong from %d", length, target);
        free_guarded(back);
        free(out);
    }
    for (int target = 0; rank == origin && target < size; target++)
        if (target != rank) OK(MPI_Send(NULL, 0, MPI_BYTE, target, TAG, MPI_COMM_WORLD));
    if (rank != origin) OK(MPI_Recv(NULL, 0, MPI_BYTE, origin, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    int longest = lengths[LENGTHS - 1];
    CHECK(first_wrong(w->base + 3, longest, size * (LENGTHS - 1) + rank) < 0, "%d bytes arrive wrong", longest);
    CHECK(w->base[2] == GUARD && w->base[3 + longest] == GUARD, "something beside them is touched");
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* All access the last process, which computes until it has seen everybody's last value: nobody waits for it. */
static void computing(const struct window *w)
{
    int target = size - 1;
    memset(w->base, 0, w->bytes);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == target)
        for (int origin = 0; origin < target; origin++) compute_until((int64_t *)w->base + origin, COUNTS);
    else
        for (int64_t i = 1; i <= COUNTS; i++) put_word(w, i, target, 8 * rank);
    /* What it was told of and did not find in time does nothing now. */
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int origin = 0; rank == target && origin < target; origin++)
        CHECK(((int64_t *)w->base)[origin] == COUNTS, "%ld comes after the last", (long)((int64_t *)w->base)[origin]);
}

/* The same with a target that is in a call now and then, for a moment or until it is sent a message, and a value that is got back at once. */
static void coming_and_going(const struct window *w)
{
    int target = size - 1, flag;
    memset(w->base, 0, w->bytes);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank != target) {
        for (int64_t i = 1, back = 0; i <= COUNTS; i++) {
            put_word(w, i, target, 8 * rank);
            if (i % 3 == 0) {
                OK(MPI_Get(&back, 1, MPI_INT64_T, target, at(w, target, 8 * rank), 1, MPI_INT64_T, w->win));
                OK(MPI_Win_flush(target, w->win));
                CHECK(back == i, "%ld comes back, %ld was put", (long)back, (long)i);
            }
            if (i % 100 == 0) OK(MPI_Send(&i, 1, MPI_INT64_T, target, TAG, MPI_COMM_WORLD));
        }
    } else {
        volatile int64_t *words = (int64_t *)w->base;
        int64_t *seen = calloc(size, sizeof(int64_t)), *told = calloc(size, sizeof(int64_t));
        for (int round = 0, left = target * COUNTS / 100; left > 0; round++) {
            for (int look = 0; look < 100 * (round % 7); look++)
                for (int origin = 0; origin < target; origin++) {
                    int64_t now = words[origin];
                    CHECK(now >= seen[origin] && now >= told[origin], "%ld comes after %ld and %ld", (long)now, (long)seen[origin], (long)told[origin]);
                    seen[origin] = now;
                }
            MPI_Status status;
            OK(MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &flag, &status));
            if (!flag && round % 5) continue;
            int64_t value;
            OK(MPI_Recv(&value, 1, MPI_INT64_T, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status));
            told[status.MPI_SOURCE] = value;
            left--;
        }
        free(seen);
        free(told);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* All access all at once, in places of their own: short puts between long ones over the same bytes. */
static void racing(const struct window *w)
{
    unsigned char *out = malloc(PLACE), *back = malloc(PLACE);
    unsigned state = 99 + 7919u * rank;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < COUNTS; i++) {
        state = state * 1664525u + 1013904223u;
        int target = (int)((state >> 24) % (unsigned)size), length = lengths[(state >> 16) % LENGTHS], disp = (int)((state >> 8) % 7);
        MPI_Aint place = at(w, target, (MPI_Aint)PLACE * rank);
        fill(out, PLACE, i);
        if (i % 4 == 0) {
            OK(MPI_Put(out, PLACE, MPI_BYTE, target, place, PLACE, MPI_BYTE, w->win));
            OK(MPI_Win_flush(target, w->win));
        }
        fill(out, PLACE, i + 1);
        OK(MPI_Put(out, length, MPI_BYTE, target, place + disp, length, MPI_BYTE, w->win));
        OK(MPI_Win_flush(target, w->win));
        OK(MPI_Get(back, length, MPI_BYTE, target, place + disp, length, MPI_BYTE, w->win));
        OK(MPI_Win_flush(target, w->win));
        CHECK(!memcmp(back, out, length), "%d bytes of %d come back wrong", length, target);
        if (i % 4) continue;
        fill(out, PLACE, i);
        OK(MPI_Get(back, PLACE, MPI_BYTE, target, place, PLACE, MPI_BYTE, w->win));
        OK(MPI_Win_flush(target, w->win));
        CHECK(!memcmp(back, out, disp) && !memcmp(back + disp + length, out + disp + length, PLACE - disp - length), "more than %d bytes were put", length);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    free(back);
    free(out);
}

int main(int argc, char **argv)
{
    static const int flavours[] = {CREATED, DYNAMIC};
    begin(&argc, &argv);
    for (int i = 0; i < 2; i++) {
        struct window w = window(flavours[i], (size_t)PLACE * size);
        OK(MPI_Win_lock_all(0, w.win));
        for (int origin = 0; origin < size; origin++) waiting(&w, origin);
        computing(&w);
        coming_and_going(&w);
        racing(&w);
        OK(MPI_Win_unlock_all(w.win));
        free_window(&w);
    }
    return MPI_Finalize();
}
