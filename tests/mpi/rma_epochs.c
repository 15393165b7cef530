/* Synchronisation of windows: which processes may access when, what they see afterwards, and that
 * passive target synchronisation needs no call of the target (MPI 5.0 §12.5).
 *
 * seconds: 60
 * modes: default copy network bulk tiny threads
 */

#include "rma.h"
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Exclusive locks exclude each other: a counter that is read and written a moment later loses no
 * increment. */
static void exclusion(const struct window *w)
{
    enum { ROUNDS = 300 };
    memset(w->base, 0, 64);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int round = 0; round < ROUNDS; round++) {
        int target = round % size;
        int32_t value;
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, w->win));
        OK(MPI_Get(&value, 1, MPI_INT32_T, target, at(w, target, 0), 1, MPI_INT32_T, w->win));
        OK(MPI_Win_flush(target, w->win));
        value++;
        OK(MPI_Put(&value, 1, MPI_INT32_T, target, at(w, target, 0), 1, MPI_INT32_T, w->win));
        OK(MPI_Win_unlock(target, w->win));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    int32_t value;
    memcpy(&value, w->base, 4);
    int expected = size * (ROUNDS / size + (rank < ROUNDS % size));
    CHECK(value == expected, "%s: the counter is %d, %d is expected", flavour_name[w->flavour],
          value, expected);
}

/* When MPI_Win_lock returns, the lock is held: no other process gets it, shared or exclusive,
 * before it is released. */
static void exclusive_holds(const struct window *w)
{
    if (size < 2) return;
    int32_t flag = 1, seen = -1;
    memset(w->base, 0, 64);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w->win));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        usleep(20000);
        OK(MPI_Put(&flag, 1, MPI_INT32_T, 0, at(w, 0, 0), 1, MPI_INT32_T, w->win));
        OK(MPI_Win_unlock(0, w->win));
    } else {
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w->win));
        OK(MPI_Get(&seen, 1, MPI_INT32_T, 0, at(w, 0, 0), 1, MPI_INT32_T, w->win));
        OK(MPI_Win_unlock(0, w->win));
        CHECK(seen == 1, "a shared lock is granted while another process holds an exclusive lock");
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* Locks on several ranks at once, and shared locks on all ranks. */
static void several(const struct window *w)
{
    for (int target = 0; target < size; target++)
        OK(MPI_Win_lock(MPI_LOCK_SHARED, target, target % 2 ? MPI_MODE_NOCHECK : 0, w->win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int target = size - 1; target >= 0; target--) {
        int32_t own = rank;
        OK(MPI_Put(&own, 1, MPI_INT32_T, target, at(w, target, 4 * rank), 1, MPI_INT32_T, w->win));
        OK(MPI_Win_unlock(target, w->win));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int origin = 0; origin < size; origin++) {
        int32_t seen;
        memcpy(&seen, w->base + 4 * origin, 4);
        CHECK(seen == origin, "rank %d has written %d", origin, seen);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(MPI_MODE_NOCHECK, w->win));
    OK(MPI_Win_unlock_all(w->win));
}

/* Sets a flag in the target's memory, in an epoch of its own. */
static void set_flag(const struct window *w, int target, int offset)
{
    int64_t flag = 1;
    OK(MPI_Win_lock(MPI_LOCK_SHARED, target, 0, w->win));
    OK(MPI_Put(&flag, 1, MPI_INT64_T, target, at(w, target, offset), 1, MPI_INT64_T, w->win));
    OK(MPI_Win_unlock(target, w->win));
}

/* The target computes without an MPI call until all others have told it, by a put, that their
 * accesses are complete. */
static void busy_target(const struct window *w)
{
    enum { FLAGS = 1024, SECONDS_MAX = 20 };
    if (size < 2) return;
    int64_t value = 77, back = 0, sum = 0, one = 1;
    memset(w->base, 0, 2 * FLAGS);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        double start = now();
        int finished = 0;
        while (finished < size - 1 && now() - start < SECONDS_MAX) {
            finished = 0;
            for (int origin = 1; origin < size; origin++)
                finished += *(volatile int64_t *)(w->base + FLAGS + 8 * origin) != 0;
        }
        CHECK(finished == size - 1, "%d of %d origins have finished while the target computes",
              finished, size - 1);
    } else {
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w->win));
        OK(MPI_Put(&value, 1, MPI_INT64_T, 0, at(w, 0, 8 * rank), 1, MPI_INT64_T, w->win));
        OK(MPI_Win_flush(0, w->win));
        OK(MPI_Get(&back, 1, MPI_INT64_T, 0, at(w, 0, 8 * rank), 1, MPI_INT64_T, w->win));
        OK(MPI_Accumulate(&one, 1, MPI_INT64_T, 0, at(w, 0, 0), 1, MPI_INT64_T, MPI_SUM, w->win));
        OK(MPI_Fetch_and_op(NULL, &sum, MPI_INT64_T, 0, at(w, 0, 0), MPI_NO_OP, w->win));
        OK(MPI_Win_unlock(0, w->win));
        CHECK(back == 77 && sum >= 1 && sum < size, "%ld and %ld are returned", (long)back,
              (long)sum);
        set_flag(w, 0, FLAGS + 8 * rank);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* Every process exposes its window to all others and accesses all others. MPI_Win_test ends an
 * exposure epoch as MPI_Win_wait does. Groups may be empty. */
static void active(const struct window *w)
{
    MPI_Group world, others, empty = MPI_GROUP_EMPTY;
    int flag;
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Group_excl(world, 1, &rank, &others));
    for (int round = 0; round < 50; round++) {
        memset(w->base, 0xff, 4 * size);
        OK(MPI_Win_post(others, 0, w->win));
        OK(MPI_Win_start(others, 0, w->win));
        for (int target = 0; target < size; target++) {
            int32_t value = 100 * round + rank;
            if (target != rank)
                OK(MPI_Put(&value, 1, MPI_INT32_T, target, at(w, target, 4 * rank), 1, MPI_INT32_T,
                           w->win));
        }
        OK(MPI_Win_complete(w->win));
        if (round % 2) OK(MPI_Win_wait(w->win));
        else for (flag = 0; !flag;) OK(MPI_Win_test(w->win, &flag));
        for (int origin = 0; origin < size; origin++) {
            int32_t seen;
            memcpy(&seen, w->base + 4 * origin, 4);
            CHECK(seen == (origin == rank ? -1 : 100 * round + origin),
                  "rank %d has put %d in round %d", origin, seen, round);
        }
    }
    OK(MPI_Win_post(empty, 0, w->win));
    OK(MPI_Win_start(empty, 0, w->win));
    OK(MPI_Win_complete(w->win));
    OK(MPI_Win_test(w->win, &flag));
    CHECK(flag, "an exposure epoch for an empty group is not complete");
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_post(others, MPI_MODE_NOCHECK, w->win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_start(others, MPI_MODE_NOCHECK, w->win));
    OK(MPI_Win_complete(w->win));
    OK(MPI_Win_wait(w->win));
    OK(MPI_Group_free(&others));
    OK(MPI_Group_free(&world));
}

/* A fence is a barrier. What was stored before it is visible after it, on both sides. */
static void fences(const struct window *w)
{
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    for (int round = 0; round < 100; round++) {
        int32_t stored = 1000 * round + rank, got = -1, put = stored + 7, seen;
        memcpy(w->base, &stored, 4);
        OK(MPI_Win_fence(0, w->win));
        OK(MPI_Get(&got, 1, MPI_INT32_T, next, at(w, next, 0), 1, MPI_INT32_T, w->win));
        OK(MPI_Put(&put, 1, MPI_INT32_T, next, at(w, next, 4), 1, MPI_INT32_T, w->win));
        OK(MPI_Win_fence(MPI_MODE_NOSTORE, w->win));
        memcpy(&seen, w->base + 4, 4);
        CHECK(got == 1000 * round + next, "%d is got in round %d", got, round);
        CHECK(seen == 1000 * round + previous + 7, "%d is put in round %d", seen, round);
    }
    OK(MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOPUT, w->win));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int flavour = 0; flavour < FLAVOURS; flavour++) {
        if (!possible(flavour)) continue;
        struct window w = window(flavour, 4096);
        exclusion(&w);
        exclusive_holds(&w);
        several(&w);
        busy_target(&w);
        active(&w);
        fences(&w);
        free_window(&w);
    }
    return MPI_Finalize();
}
