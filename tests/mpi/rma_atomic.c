/* Concurrent accumulates of all processes on the same elements: no update is lost, in windows of
 * every flavour, for elements that the processor updates atomically and for those that need a lock,
 * aligned or not (MPI 5.0 §12.3.4).
 *
 * modes: default copy network bulk tiny threads
 * seconds: 60
 */

#include "rma.h"
#include <math.h>

/* All processes together increment one counter a million times. Every previous value is returned
 * exactly once. */
static void counter(const struct window *w, long total)
{
    long mine = total / size + (rank < total % size), sum = 0;
    int64_t one = 1, before = -1, last = -1;
    memset(w->base, 0, 64);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, w->win));
    for (long i = 0; i < mine; i++) {
        OK(MPI_Fetch_and_op(&one, &before, MPI_INT64_T, 0, at(w, 0, 8), MPI_SUM, w->win));
        OK(MPI_Win_flush(0, w->win));
        CHECK(before > last && before < total, "%ld is read after %ld", (long)before, (long)last);
        last = before;
        sum += before % 1000003;
    }
    OK(MPI_Win_unlock_all(w->win));
    long all = 0, expected = 0;
    OK(MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    for (long i = 0; i < total; i++) expected += i % 1000003;
    CHECK(all == expected, "%s: the sum of the returned values is %ld, %ld is expected",
          flavour_name[w->flavour], all, expected);
    int64_t end;
    memcpy(&end, w->base + 8, 8);
    CHECK(rank || end == total, "%s: the counter ends at %ld", flavour_name[w->flavour], (long)end);
}

/* Sums of every type of number, many elements at a time, at an offset that may be odd. */
static void sums(const struct window *w, int offset)
{
    static const struct { MPI_Datatype type; int bytes, real; } kinds[] = {
        {MPI_INT8_T, 1, 0}, {MPI_UINT16_T, 2, 0}, {MPI_INT, 4, 0},          {MPI_INT64_T, 8, 0},
        {MPI_FLOAT, 4, 1},  {MPI_DOUBLE, 8, 1},   {MPI_LONG_DOUBLE, 16, 1},
    };
    enum { ELEMENTS = 37, ROUNDS = 20 };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        _Alignas(16) unsigned char ones[16 * ELEMENTS] = {0};
        for (int i = 0; i < ELEMENTS; i++) {
            void *place = ones + i * kinds[k].bytes;
            if (kinds[k].type == MPI_FLOAT) *(float *)place = 1;
            else if (kinds[k].type == MPI_DOUBLE) *(double *)place = 1;
            else if (kinds[k].type == MPI_LONG_DOUBLE) *(long double *)place = 1;
            else *(char *)place = 1;
        }
        memset(w->base, 0, 1024);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Win_lock_all(0, w->win));
        for (int round = 0; round < ROUNDS; round++)
            for (int target = 0; target < size; target++)
                OK(MPI_Accumulate(ones, ELEMENTS, kinds[k].type, target, at(w, target, offset),
                                  ELEMENTS, kinds[k].type, MPI_SUM, w->win));
        OK(MPI_Win_unlock_all(w->win));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        for (int i = 0; i < ELEMENTS; i++) {
            unsigned char *place = w->base + offset + i * kinds[k].bytes;
            double seen;
            float single;
            long double extended = 0;
            int64_t whole = 0;
            if (kinds[k].type == MPI_FLOAT) memcpy(&single, place, 4), seen = single;
            else if (kinds[k].type == MPI_DOUBLE) memcpy(&seen, place, 8);
            else if (kinds[k].type == MPI_LONG_DOUBLE)
                memcpy(&extended, place, sizeof extended), seen = extended;
            else memcpy(&whole, place, kinds[k].bytes), seen = whole;
            CHECK(seen == (kinds[k].bytes == 1 ? (ROUNDS * size) % 256 : ROUNDS * size),
                  "%s, kind %zu, offset %d: element %d is %g, not %d", flavour_name[w->flavour], k,
                  offset, i, seen, ROUNDS * size);
        }
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
}

/* A list is built with compare-and-swap. Each process is in it once. */
static void swaps(const struct window *w, int offset)
{
    int32_t head, seen, own = rank + 1;
    memset(w->base, 0, 64);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, w->win));
    int repeats = rounds(200);
    for (int round = 0; round < repeats; round++) {
        /* A lock, whose word is 0 when it is free. */
        do {
            head = 0;
            OK(MPI_Compare_and_swap(&own, &head, &seen, MPI_INT32_T, 0, at(w, 0, offset), w->win));
            OK(MPI_Win_flush(0, w->win));
        } while (seen != 0);
        int32_t value;
        OK(MPI_Get(&value, 1, MPI_INT32_T, 0, at(w, 0, 32), 1, MPI_INT32_T, w->win));
        OK(MPI_Win_flush(0, w->win));
        value++;
        OK(MPI_Put(&value, 1, MPI_INT32_T, 0, at(w, 0, 32), 1, MPI_INT32_T, w->win));
        OK(MPI_Win_flush(0, w->win));
        int32_t free_lock = 0;
        OK(MPI_Compare_and_swap(&free_lock, &own, &seen, MPI_INT32_T, 0, at(w, 0, offset), w->win));
        OK(MPI_Win_flush(0, w->win));
        CHECK(seen == own, "%d has the lock that is ours", seen);
    }
    OK(MPI_Win_unlock_all(w->win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    memcpy(&seen, w->base + 32, 4);
    CHECK(rank || seen == repeats * size, "%s: the counter is %d after %d increments",
          flavour_name[w->flavour], seen, repeats * size);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* A single process runs all operations in all forms and compares the results with known values. */
static void alone(const struct window *w)
{
    int32_t values[4] = {6, 5, 4, 3}, result[4] = {0}, old[4] = {12, 10, -7, 0};
    static const struct { MPI_Op op; int32_t expected[4]; } operations[] = {
        {MPI_SUM, {18, 15, -3, 3}},   {MPI_PROD, {72, 50, -28, 0}},  {MPI_MAX, {12, 10, 4, 3}},
        {MPI_MIN, {6, 5, -7, 0}},     {MPI_BAND, {4, 0, 0, 0}},      {MPI_BOR, {14, 15, -3, 3}},
        {MPI_BXOR, {10, 15, -3, 3}},  {MPI_LAND, {1, 1, 1, 0}},      {MPI_LOR, {1, 1, 1, 1}},
        {MPI_LXOR, {0, 0, 0, 1}},     {MPI_REPLACE, {6, 5, 4, 3}},   {MPI_NO_OP, {12, 10, -7, 0}},
    };
    MPI_Request request;
    MPI_Datatype strided;
    OK(MPI_Type_vector(4, 1, 2, MPI_INT32_T, &strided));
    OK(MPI_Type_commit(&strided));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, w->win));
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        for (int way = 0; way < 4; way++) {
            MPI_Op op = operations[i].op;
            MPI_Aint disp = at(w, rank, way == 3 ? 6 : 8);
            int32_t with_gaps[8] = {0}, back[4];
            if (way < 3) OK(MPI_Put(old, 4, MPI_INT32_T, rank, disp, 4, MPI_INT32_T, w->win));
            else OK(MPI_Put(old, 4, MPI_INT32_T, rank, disp, 1, strided, w->win));
            /* A put or get, and another access of its bytes, must not be under way at once. */
            OK(MPI_Win_flush(rank, w->win));
            for (int j = 0; j < 4; j++) with_gaps[2 * j] = values[j];
            memset(result, 0x55, sizeof result);
            switch (way) {
            case 0:
                if (op == MPI_NO_OP)
                    FAILS(MPI_Accumulate(values, 4, MPI_INT32_T, rank, disp, 4, MPI_INT32_T, op,
                                         w->win), MPI_ERR_OP);
                else
                    OK(MPI_Accumulate(values, 4, MPI_INT32_T, rank, disp, 4, MPI_INT32_T, op,
                                      w->win));
                memcpy(result, old, sizeof old);
                break;
            case 1:
                OK(MPI_Get_accumulate(op == MPI_NO_OP ? NULL : values, 4, MPI_INT32_T, result, 4,
                                      MPI_INT32_T, rank, disp, 4, MPI_INT32_T, op, w->win));
                break;
            case 2:
                OK(MPI_Rget_accumulate(with_gaps, 1, strided, result, 4, MPI_INT32_T, rank, disp, 4,
                                       MPI_INT32_T, op, w->win, &request));
                OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
                break;
            case 3:
                OK(MPI_Get_accumulate(with_gaps, 1, strided, result, 4, MPI_INT32_T, rank, disp, 1,
                                      strided, op, w->win));
                break;
            }
            OK(MPI_Win_flush(rank, w->win));
            if (way < 3) OK(MPI_Get(back, 4, MPI_INT32_T, rank, disp, 4, MPI_INT32_T, w->win));
            else OK(MPI_Get(back, 4, MPI_INT32_T, rank, disp, 1, strided, w->win));
            OK(MPI_Win_flush(rank, w->win));
            for (int j = 0; j < 4; j++) {
                CHECK(back[j] == operations[i].expected[j],
                      "%s, operation %zu, variant %d: element %d is %d, %d is expected",
                      flavour_name[w->flavour], i, way, j, back[j], operations[i].expected[j]);
                CHECK(result[j] == old[j],
                      "%s, operation %zu, variant %d: the previous value was %d, %d is returned",
                      flavour_name[w->flavour], i, way, old[j], result[j]);
            }
        }
    OK(MPI_Raccumulate(values, 2, MPI_INT32_T, rank, at(w, rank, 64), 2, MPI_INT32_T, MPI_REPLACE,
                       w->win, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Fetch_and_op(NULL, result, MPI_INT32_T, rank, at(w, rank, 68), MPI_NO_OP, w->win));
    CHECK(result[0] == 5, "%d is read after MPI_Put of 5", result[0]);
    OK(MPI_Fetch_and_op(values, result, MPI_INT32_T, MPI_PROC_NULL, 0, MPI_SUM, w->win));
    OK(MPI_Win_unlock(rank, w->win));
    OK(MPI_Type_free(&strided));
}

/* Pairs of value and index, of which the smallest value remains, whichever process contributes
 * it. */
static void pairs(const struct window *w)
{
    struct { double value; int index; } mine = {100 - rank, rank}, start = {1000, -1}, found;
    struct { short value; int index; } little = {(short)(50 + rank), rank}, least;
    memcpy(w->base, &start, sizeof start);
    memset(w->base + 32, 0, 8);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, w->win));
    OK(MPI_Accumulate(&mine, 1, MPI_DOUBLE_INT, 0, at(w, 0, 0), 1, MPI_DOUBLE_INT, MPI_MINLOC,
                      w->win));
    OK(MPI_Accumulate(&little, 1, MPI_SHORT_INT, 0, at(w, 0, 32), 1, MPI_SHORT_INT, MPI_MAXLOC,
                      w->win));
    OK(MPI_Win_unlock_all(w->win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    memcpy(&found, w->base, sizeof found);
    memcpy(&least, w->base + 32, sizeof least);
    CHECK(rank || (found.value == 101 - size && found.index == size - 1),
          "(%g, %d) is the smallest pair", found.value, found.index);
    CHECK(rank || (least.value == 49 + size && least.index == size - 1),
          "(%d, %d) is the largest pair", least.value, least.index);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* Long accumulates and accumulates of single elements on the same elements. */
static void mixture(const struct window *w)
{
    enum { ELEMENTS = 4096, SINGLES = 50 };
    int repeats = rounds(40);
    static int64_t ones[ELEMENTS], counts[ELEMENTS], all[ELEMENTS], values[ELEMENTS];
    unsigned state = 77 + rank;
    memset(w->base, 0, sizeof values);
    memset(counts, 0, sizeof counts);
    for (int i = 0; i < ELEMENTS; i++) ones[i] = 1;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, w->win));
    for (int round = 0; round < repeats; round++) {
        OK(MPI_Accumulate(ones, ELEMENTS, MPI_INT64_T, 0, at(w, 0, 0), ELEMENTS, MPI_INT64_T,
                          MPI_SUM, w->win));
        for (int i = 0; i < SINGLES; i++) {
            int64_t one = 1, before, seen, index = (state = state * 1664525u + 1013904223u) >> 20;
            if (i % 3) {
                OK(MPI_Fetch_and_op(&one, &before, MPI_INT64_T, 0, at(w, 0, 8 * index), MPI_SUM,
                                    w->win));
            } else {
                OK(MPI_Fetch_and_op(NULL, &before, MPI_INT64_T, 0, at(w, 0, 8 * index), MPI_NO_OP,
                                    w->win));
                OK(MPI_Win_flush(0, w->win));
                for (;;) {
                    int64_t next = before + 1;
                    OK(MPI_Compare_and_swap(&next, &before, &seen, MPI_INT64_T, 0,
                                            at(w, 0, 8 * index), w->win));
                    OK(MPI_Win_flush(0, w->win));
                    if (seen == before) break;
                    before = seen;
                }
            }
            counts[index]++;
        }
        OK(MPI_Get_accumulate(ones, ELEMENTS, MPI_INT64_T, values, ELEMENTS, MPI_INT64_T, 0,
                              at(w, 0, 0), ELEMENTS, MPI_INT64_T, MPI_SUM, w->win));
        OK(MPI_Win_flush(0, w->win));
        for (int i = 0; i < ELEMENTS; i++)
            CHECK(values[i] > 2 * round, "element %d was %ld in round %d", i, (long)values[i],
                  round);
    }
    OK(MPI_Win_unlock_all(w->win));
    OK(MPI_Allreduce(counts, all, ELEMENTS, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
    memcpy(values, w->base, sizeof values);
    for (int i = 0; i < ELEMENTS && rank == 0; i++)
        CHECK(values[i] == 2 * size * repeats + all[i], "%s: element %d is %ld, %ld is expected",
              flavour_name[w->flavour], i, (long)values[i], 2L * size * repeats + (long)all[i]);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int flavour = 0; flavour < FLAVOURS; flavour++) {
        if (!possible(flavour)) continue;
        struct window w = window(flavour, 65536);
        int mapped = flavour != CREATED && flavour != DYNAMIC;
        counter(&w, rounds(!possible(SHARED) ? 20000 : mapped ? 1000000 : 100000));
        for (int offset = 0; offset < 4; offset++) sums(&w, offset);
        swaps(&w, 0);
        swaps(&w, 5);
        alone(&w);
        pairs(&w);
        mixture(&w);
        free_window(&w);
    }
    return MPI_Finalize();
}
