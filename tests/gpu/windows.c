/* Windows of memory of devices: accesses of all kinds by all ranks, the own one included, to whole
 * windows and to parts with gaps, beside windows of the host's memory; what a driver refuses. */
#include "../mpi/check.h"
#include "gpu.h"
#include <pthread.h>
#include <unistd.h>

enum { INTS = 20000, BYTES = INTS * sizeof(int), ROUNDS = 50 };
static int host[INTS], seen[INTS];
static int next, before;

static int value(int seed, int i) { return i * 3 + seed; }

/* Memory of this kind, with the values of a seed. */
static int *filled(enum gpu_kind kind, int seed)
{
    int *made = gpu_alloc(kind, BYTES);
    for (int i = 0; i < INTS; i++) host[i] = value(seed, i);
    gpu_put(made, host, BYTES);
    return made;
}

static void expect(const char *what, const int *of, int first, int end, int seed)
{
    gpu_get(seen, of, BYTES);
    for (int i = first; i < end; i++)
        CHECK(seen[i] == value(seed, i), "%s: int %d is %d, not %d", what, i, seen[i],
              value(seed, i));
}

/* A window of all ranks' memory of this kind. */
static MPI_Win window_of(int *memory)
{
    MPI_Win win;
    OK(MPI_Win_create(memory, BYTES, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MPI_Win_set_errhandler(win, MPI_ERRORS_ARE_FATAL);
    return win;
}

static void whole(enum gpu_kind kind)
{
    int *memory = filled(kind, 1000 + rank), *from = filled(GPU_DEVICE, rank);
    int *to = filled(GPU_DEVICE, 7);
    MPI_Win win = window_of(memory);
    void *base;
    int flag;
    OK(MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag));
    CHECK(flag && base == memory, "the base is %p", base);
    OK(MPI_Win_fence(0, win));
    OK(MPI_Get(to, INTS, MPI_INT, next, 0, INTS, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    expect("get", to, 0, INTS, 1000 + next);
    OK(MPI_Put(from, INTS, MPI_INT, next, 0, INTS, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    expect("put", memory, 0, INTS, before);
    /* What the program changes by its own means between two epochs is what others get. */
    for (int i = 0; i < INTS; i++) host[i] = value(50 + rank, i);
    gpu_put(memory, host, BYTES);
    OK(MPI_Win_fence(0, win));
    memset(host, 0, sizeof host);
    OK(MPI_Get(host, INTS, MPI_INT, next, 0, INTS, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    for (int i = 0; i < INTS; i++)
        CHECK(host[i] == value(50 + next, i), "get to the host: int %d is %d", i, host[i]);
    /* The own memory, too. */
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win));
    OK(MPI_Put(from, 100, MPI_INT, rank, 0, 100, MPI_INT, win));
    OK(MPI_Win_unlock(rank, win));
    expect("put to itself", memory, 0, 100, rank);
    expect("beside", memory, 100, INTS, 50 + rank);
    OK(MPI_Win_free(&win));
    gpu_free(kind, memory);
    gpu_free(GPU_DEVICE, from);
    gpu_free(GPU_DEVICE, to);
}

/* Elements with gaps: what lies in the gaps stays, also if it changes meanwhile. */
static void gaps(void)
{
    int *memory = filled(GPU_DEVICE, 9), *from = filled(GPU_DEVICE, rank);
    MPI_Datatype every_third;
    OK(MPI_Type_vector(INTS / 4, 1, 3, MPI_INT, &every_third));
    OK(MPI_Type_commit(&every_third));
    MPI_Win win = window_of(memory);
    OK(MPI_Win_lock_all(0, win));
    OK(MPI_Put(from, INTS / 4, MPI_INT, next, 5, 1, every_third, win));
    OK(MPI_Win_flush(next, win));
    memset(host, 0, sizeof host);
    OK(MPI_Get(host, INTS / 4, MPI_INT, next, 5, 1, every_third, win));
    OK(MPI_Win_flush(next, win));
    for (int i = 0; i < INTS / 4; i++)
        CHECK(host[i] == value(rank, i), "get with gaps: int %d is %d", i, host[i]);
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    gpu_get(seen, memory, BYTES);
    for (int i = 0; i < INTS; i++) {
        int k = i - 5, due = value(9, i);
        if (k >= 0 && k % 3 == 0 && k / 3 < INTS / 4) due = value(before, k / 3);
        CHECK(seen[i] == due, "int %d is %d, not %d", i, seen[i], due);
    }
    OK(MPI_Win_free(&win));
    OK(MPI_Type_free(&every_third));
    gpu_free(GPU_DEVICE, memory);
    gpu_free(GPU_DEVICE, from);
}

/* All ranks change the memory of all ranks at once. */
static void changes(void)
{
    int *memory = filled(GPU_DEVICE, 0), *one = filled(GPU_DEVICE, 1), *two = filled(GPU_DEVICE, 2);
    int ones[INTS / 10], old, sum = size * ROUNDS, mine = -1;
    for (int i = 0; i < INTS / 10; i++) ones[i] = 1;
    MPI_Win win = window_of(memory);
    OK(MPI_Win_lock_all(0, win));
    for (int round = 0; round < ROUNDS; round++)
        for (int to = 0; to < size; to++) {
            OK(MPI_Fetch_and_op(ones, &old, MPI_INT, to, 0, MPI_SUM, win));
            OK(MPI_Win_flush(to, win));
            CHECK(old >= 0 && old < sum, "fetched %d", old);
            OK(MPI_Accumulate(ones, INTS / 10, MPI_INT, to, 10, INTS / 10, MPI_INT, MPI_SUM, win));
        }
    OK(MPI_Win_flush_all(win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Get_accumulate(NULL, 0, MPI_INT, two, INTS, MPI_INT, next, 0, INTS, MPI_INT, MPI_NO_OP,
                          win));
    OK(MPI_Win_flush(next, win));
    gpu_get(seen, two, BYTES);
    CHECK(seen[0] == sum, "the sum is %d, not %d", seen[0], sum);
    for (int i = 1; i < INTS; i++) {
        int due = value(0, i) + (i >= 10 && i < 10 + INTS / 10 ? sum : 0);
        CHECK(seen[i] == due, "accumulated: int %d is %d, not %d", i, seen[i], due);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    /* One of all ranks swaps its number in at rank 0. */
    int expected = value(0, 4), own = -7 - rank;
    OK(MPI_Compare_and_swap(&own, &expected, &mine, MPI_INT, 0, 4, win));
    OK(MPI_Win_flush(0, win));
    int won = mine == expected, winners;
    OK(MPI_Allreduce(&won, &winners, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(winners == 1, "%d ranks have swapped", winners);
    OK(MPI_Get(&mine, 1, MPI_INT, 0, 4, 1, MPI_INT, win));
    OK(MPI_Win_flush(0, win));
    CHECK(mine <= -7 && mine > -7 - size && (!won || mine == own), "swapped to %d", mine);
    MPI_Request request;
    OK(MPI_Rget_accumulate(one, 10, MPI_INT, two, 10, MPI_INT, next, 11000 + rank * 10, 10, MPI_INT,
                           MPI_REPLACE, win, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    gpu_get(seen, two, 40);
    for (int i = 0; i < 10; i++)
        CHECK(seen[i] == value(0, 11000 + rank * 10 + i), "replaced: int %d was %d", i, seen[i]);
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Win_free(&win));
    gpu_free(GPU_DEVICE, memory);
    gpu_free(GPU_DEVICE, one);
    gpu_free(GPU_DEVICE, two);
}

/* Post, start, complete and wait; ranks with an odd number have memory of the host. */
static void mixed(void)
{
    int on_device = rank % 2 == 0, *own = malloc(BYTES);
    for (int i = 0; i < INTS; i++) own[i] = value(rank, i);
    int *memory = on_device ? filled(GPU_DEVICE, rank) : own;
    MPI_Win win = window_of(memory);
    MPI_Group all, origin, target;
    OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
    OK(MPI_Group_incl(all, 1, &before, &origin));
    OK(MPI_Group_incl(all, 1, &next, &target));
    for (int i = 0; i < INTS; i++) host[i] = value(200 + rank, i);
    OK(MPI_Win_post(origin, 0, win));
    OK(MPI_Win_start(target, 0, win));
    OK(MPI_Put(host, INTS, MPI_INT, next, 0, INTS, MPI_INT, win));
    OK(MPI_Win_complete(win));
    OK(MPI_Win_wait(win));
    if (on_device) gpu_get(own, memory, BYTES);
    for (int i = 0; i < INTS; i++)
        CHECK(own[i] == value(200 + before, i), "int %d was put as %d", i, own[i]);
    OK(MPI_Group_free(&all));
    OK(MPI_Group_free(&origin));
    OK(MPI_Group_free(&target));
    OK(MPI_Win_free(&win));
    if (on_device) gpu_free(GPU_DEVICE, memory);
    free(own);
}

/* A target outside MPI: its library carries the accesses out. */
static void passive(void)
{
    int *memory = filled(GPU_DEVICE, rank);
    MPI_Win win = window_of(memory);
    double begin = MPI_Wtime();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        sleep(2);
    } else {
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        OK(MPI_Get(host, INTS, MPI_INT, 0, 0, INTS, MPI_INT, win));
        OK(MPI_Win_unlock(0, win));
        CHECK(host[INTS - 1] == value(0, INTS - 1), "got %d", host[INTS - 1]);
        CHECK(MPI_Wtime() - begin < 1.8, "the get took %f s", MPI_Wtime() - begin);
    }
    OK(MPI_Win_free(&win));
    gpu_free(GPU_DEVICE, memory);
}

/* A window longer than its memory, and one whose memory is freed before it. */
static void beyond(void)
{
    int *memory = filled(GPU_DEVICE, rank), code, class, length;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Win win;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    code = MPI_Win_create(memory, 1L << 40, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    CHECK(code != MPI_SUCCESS, "bytes beyond the memory are accepted");
    OK(MPI_Error_class(code, &class));
    OK(MPI_Error_string(code, text, &length));
    CHECK(class == MPI_ERR_SIZE && strstr(text, "device memory of CUDA device 0") &&
              strstr(text, "beyond its end"),
          "class %d: %s", class, text);
    win = window_of(memory);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    gpu_free(GPU_DEVICE, memory);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
    code = MPI_Put(host, INTS, MPI_INT, next, 0, INTS, MPI_INT, win);
    if (code == MPI_SUCCESS) code = MPI_Win_flush(next, win);
    CHECK(code != MPI_SUCCESS, "freed memory is accepted");
    OK(MPI_Error_class(code, &class));
    OK(MPI_Error_string(code, text, &length));
    CHECK(class == MPI_ERR_BUFFER && strstr(text, "is no such memory any more"), "class %d: %s",
          class, text);
    MPI_Win_unlock(next, win);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    gpu_open(0);
    whole(GPU_DEVICE);
    whole(GPU_MANAGED);
    whole(GPU_POOL);
    gaps();
    changes();
    mixed();
    passive();
    beyond();
    MPI_Finalize();
    return 0;
}
