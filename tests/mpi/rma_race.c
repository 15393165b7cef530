/* Concurrent MPI_Fetch_and_op of all processes on words of all processes: each previous value of a
 * word is returned exactly once, and no update is lost, while other accumulates update vectors,
 * with predefined and derived datatypes, at the same locations (MPI 5.0 §12.3.4, §12.3.5).
 *
 * rma_race [TOTAL] runs TOTAL operations on the first window. Otherwise it runs a million, or a
 * tenth of that if the memory of other processes is not mapped.
 *
 * modes: default copy network bulk tiny threads
 * seconds: 90
 */

#include "rma.h"

enum { WORDS = 64, VECTORS = 20 };

static long total;

/* Every process increments words of every process. Each process checks the values that were
 * returned for its own words. */
static void race(const struct window *w)
{
    long mine = total / size + (rank < total % size);
    /* How often each word of each target was incremented, and the sum of the returned values. */
    int64_t *counts = calloc(2 * size * WORDS, sizeof(int64_t)),
        *all = calloc(2 * size * WORDS, sizeof(int64_t));
    int64_t ones[WORDS], one = 1, before[32];
    int targets[32], places[32];
    unsigned state = 12345 + 7919u * rank;
    MPI_Datatype every_other;
    OK(MPI_Type_vector(WORDS / 2, 1, 2, MPI_INT64_T, &every_other));
    OK(MPI_Type_commit(&every_other));
    for (int i = 0; i < WORDS; i++) ones[i] = 1;
    memset(w->base, 0, w->bytes);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, w->win));
    for (long done = 0; done < mine;) {
        int batch = mine - done < 32 ? (int)(mine - done) : 32;
        for (int i = 0; i < batch; i++) {
            state = state * 1664525u + 1013904223u;
            targets[i] = (int)((state >> 24) % (unsigned)size),
                places[i] = (int)((state >> 8) % WORDS);
            OK(MPI_Fetch_and_op(&one, &before[i], MPI_INT64_T, targets[i],
                                at(w, targets[i], 8 * places[i]), MPI_SUM, w->win));
        }
        OK(MPI_Win_flush_all(w->win));
        for (int i = 0; i < batch; i++) {
            int64_t *count = counts + 2 * (targets[i] * WORDS + places[i]);
            count[0]++, count[1] += before[i];
        }
        done += batch;
    }
    OK(MPI_Win_unlock_all(w->win));
    OK(MPI_Allreduce(counts, all, 2 * size * WORDS, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < WORDS; i++) {
        int64_t now, *word = all + 2 * (rank * WORDS + i);
        memcpy(&now, w->base + 8 * i, 8);
        CHECK(now == word[0], "%s: word %d is %ld after %ld increments", flavour_name[w->flavour],
              i, (long)now, (long)word[0]);
        CHECK(word[1] == now * (now - 1) / 2,
              "%s: word %d: the sum of the returned values is %ld, not %ld",
              flavour_name[w->flavour], i, (long)word[1], (long)(now * (now - 1) / 2));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    /* Some ranks update vectors, the others single words. */
    memset(w->base, 0, w->bytes);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, w->win));
    for (int round = 0; round < VECTORS; round++)
        for (int target = 0; target < size; target++) {
            if ((rank + round) % 2)
                OK(MPI_Accumulate(ones, WORDS, MPI_INT64_T, target, at(w, target, 0), WORDS,
                                  MPI_INT64_T, MPI_SUM, w->win));
            else {
                OK(MPI_Accumulate(ones, WORDS / 2, MPI_INT64_T, target, at(w, target, 0), 1,
                                  every_other, MPI_SUM, w->win));
                for (int i = 1; i < WORDS; i += 2)
                    OK(MPI_Accumulate(&one, 1, MPI_INT64_T, target, at(w, target, 8 * i), 1,
                                      MPI_INT64_T, MPI_SUM, w->win));
            }
        }
    OK(MPI_Win_unlock_all(w->win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < WORDS; i++) {
        int64_t now;
        memcpy(&now, w->base + 8 * i, 8);
        CHECK(now == (int64_t)VECTORS * size, "%s: word %d is %ld, %d is expected",
              flavour_name[w->flavour], i, (long)now, VECTORS * size);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Type_free(&every_other));
    free(counts);
    free(all);
}

/* Accumulates of one origin on one location are ordered as they are called. */
static void order(const struct window *w)
{
    int target = (rank + 1) % size;
    memset(w->base, 0, w->bytes);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, w->win));
    for (int64_t i = 1; i <= 200; i++) {
        int64_t seen[2] = {-1, -1}, next[4] = {i, i, i, i};
        OK(MPI_Accumulate(next, 4, MPI_INT64_T, target, at(w, target, 0), 4, MPI_INT64_T,
                          MPI_REPLACE, w->win));
        OK(MPI_Get_accumulate(NULL, 0, MPI_INT64_T, seen, 2, MPI_INT64_T, target, at(w, target, 8),
                              2, MPI_INT64_T, MPI_NO_OP, w->win));
        int64_t back = 1000;
        OK(MPI_Accumulate(&back, 1, MPI_INT64_T, target, at(w, target, 8), 1, MPI_INT64_T, MPI_SUM,
                          w->win));
        OK(MPI_Win_flush(target, w->win));
        CHECK(seen[0] == i && seen[1] == i, "%ld and %ld are seen after %ld", (long)seen[0],
              (long)seen[1], (long)i);
    }
    OK(MPI_Win_unlock(target, w->win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    int64_t last[2];
    memcpy(last, w->base, sizeof last);
    CHECK(last[0] == 200 && last[1] == 1200, "the last values are %ld and %ld", (long)last[0],
          (long)last[1]);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    static const int flavours[] = {ALLOCATED, CREATED, DYNAMIC};
    begin(&argc, &argv);
    /* A million if the memory of other processes is mapped. */
    int mapped = possible(SHARED);
    for (size_t i = 0; i < sizeof flavours / sizeof *flavours; i++) {
        struct window w = window(flavours[i], 8 * WORDS);
        total = !mapped ? 100000 : flavours[i] == ALLOCATED ? 1000000 : 50000;
        if (getenv("NEMESIS_PACKET_MAX_BYTES")) total /= 10;
        if (argc > 1 && i == 0) total = atol(argv[1]);
        race(&w);
        order(&w);
        free_window(&w);
    }
    return MPI_Finalize();
}
