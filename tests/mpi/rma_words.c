/* Integers of 8 bytes that several ways of accumulating change at the same time: the network's
 * atomic operations, if it has some, requests that the target's process carries out, and the
 * target's own instructions, one by one and many at once (MPI 5.0 §12.3.4, §12.7.1).
 *
 * sizes: 2 4
 * modes: default network
 */

#include "rma.h"

enum { WORDS = 64, ROUNDS = 300, BYTES = WORDS * sizeof(int64_t) };

/* Process 0 adds to all words at once until the others have added to one word after the other. No
 * addition is lost, and each number of the first word is seen once. */
static void additions(int flavour)
{
    struct window w = window(flavour, BYTES);
    const int64_t one = 1, large = (int64_t)1 << 32;
    int64_t many[WORDS], before, sum[1] = {0}, all[1], bulk = 0;
    int64_t *words = (int64_t *)(void *)w.base;
    const int n = rounds(ROUNDS);
    const int64_t single = (int64_t)(size - 1) * n;
    memset(words, 0, BYTES);
    for (int i = 0; i < WORDS; i++) many[i] = large;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, w.win));
    for (int others = size - 1, ended; rank == 0 && others > 0; others -= ended) {
        for (int i = 0; i < 100; i++, bulk++)
            OK(MPI_Accumulate(many, WORDS, MPI_INT64_T, 0, 0, WORDS, MPI_INT64_T, MPI_SUM, w.win));
        OK(MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &ended, MPI_STATUS_IGNORE));
        if (ended)
            OK(MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    for (int round = 0; rank > 0 && round < n; round++) {
        OK(MPI_Fetch_and_op(&one, &before, MPI_INT64_T, 0, 0, MPI_SUM, w.win));
        for (int i = 1; i < WORDS; i++)
            OK(MPI_Accumulate(&one, 1, MPI_INT64_T, 0, i * sizeof one, 1, MPI_INT64_T, MPI_SUM,
                              w.win));
        OK(MPI_Win_flush(0, w.win));
        sum[0] += before % large;
    }
    if (rank > 0) OK(MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD));
    OK(MPI_Win_unlock_all(w.win));
    OK(MPI_Allreduce(sum, all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
    CHECK(all[0] == single * (single - 1) / 2, "%s: a number is given out twice: the sum is %lld",
          flavour_name[flavour], (long long)all[0]);
    for (int i = 0; rank == 0 && i < WORDS; i++) {
        CHECK(words[i] / large == bulk && words[i] % large == single,
              "%s: word %d has lost additions: %lld of %lld, %lld of %lld", flavour_name[flavour],
              i,
              (long long)(words[i] / large), (long long)bulk, (long long)(words[i] % large),
              (long long)single);
    }
    free_window(&w);
}

/* The accumulates of one process on one word take effect in the order of the calls, whichever way
 * each of them takes. */
static void order(int flavour)
{
    struct window w = window(flavour, BYTES);
    const int target = (rank + 1) % size, n = rounds(ROUNDS);
    const int64_t three = 3, five = 5, zero = 0;
    int64_t expected = 1, before[4], *words = (int64_t *)(void *)w.base;
    words[0] = 1;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, w.win));
    for (int round = 0; round < n; round++) {
        int64_t next = round;
        OK(MPI_Fetch_and_op(&three, before, MPI_INT64_T, target, 0, MPI_SUM, w.win));
        OK(MPI_Accumulate(&five, 1, MPI_INT64_T, target, 0, 1, MPI_INT64_T, MPI_PROD, w.win));
        OK(MPI_Fetch_and_op(&zero, before + 1, MPI_INT64_T, target, 0, MPI_NO_OP, w.win));
        if (round % 2) OK(MPI_Win_flush(target, w.win));
        const int64_t there = (int64_t)(5 * ((uint64_t)expected + 3));
        OK(MPI_Compare_and_swap(&next, &there, before + 2, MPI_INT64_T, target, 0, w.win));
        OK(MPI_Get_accumulate(&three, 1, MPI_INT64_T, before + 3, 1, MPI_INT64_T, target, 0, 1,
                              MPI_INT64_T, MPI_BXOR, w.win));
        OK(MPI_Win_flush_local(target, w.win));
        CHECK(before[0] == expected && before[1] == there && before[2] == there
                  && before[3] == next,
              "%s, round %d: %lld %lld %lld %lld instead of %lld %lld %lld %lld",
              flavour_name[flavour], round, (long long)before[0], (long long)before[1],
              (long long)before[2], (long long)before[3], (long long)expected, (long long)there,
              (long long)there, (long long)next);
        expected = next ^ three;
    }
    OK(MPI_Win_unlock_all(w.win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(words[0] == expected, "%s: the word is %lld, not %lld", flavour_name[flavour],
          (long long)words[0], (long long)expected);
    free_window(&w);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int flavour = CREATED; flavour <= ALLOCATED; flavour++) {
        additions(flavour);
        order(flavour);
    }
    return MPI_Finalize();
}
