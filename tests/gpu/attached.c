/* Memory of devices that is attached to dynamic windows, beside memory of the host: accesses of all
 * kinds in epochs of all kinds, data that are spread over regions, and what is refused. */
#include "../mpi/check.h"
#include "gpu.h"
#include <pthread.h>
#include <unistd.h>

enum { INTS = 20000, BYTES = INTS * sizeof(int), ROUNDS = 50 };
static int host[INTS], seen[INTS];
static int next, before;
/* Where the regions of each rank begin. */
enum { FIRST, SECOND, OF_HOST, REGIONS };
static int *own[REGIONS];
static MPI_Aint *places;
static MPI_Win win;

static MPI_Aint place(int of, int region) { return places[of * REGIONS + region]; }

static int value(int seed, int i) { return i * 3 + seed; }

static void refill(int *memory, int seed)
{
    for (int i = 0; i < INTS; i++) host[i] = value(seed, i);
    gpu_put(memory, host, BYTES);
}

static int *filled(enum gpu_kind kind, int seed)
{
    int *made = gpu_alloc(kind, BYTES);
    refill(made, seed);
    return made;
}

static void expect(const char *what, const int *of, int first, int end, int seed)
{
    gpu_get(seen, of, BYTES);
    for (int i = first; i < end; i++)
        CHECK(seen[i] == value(seed, i - first), "%s: int %d is %d, not %d", what, i, seen[i],
              value(seed, i - first));
}

/* Attaches memory of each rank, and tells all ranks where it is. */
static void attach(enum gpu_kind kind)
{
    own[FIRST] = filled(kind, 100 + rank);
    own[SECOND] = filled(GPU_DEVICE, 200 + rank);
    own[OF_HOST] = malloc(BYTES);
    for (int i = 0; i < INTS; i++) own[OF_HOST][i] = value(300 + rank, i);
    MPI_Aint mine[REGIONS];
    for (int i = 0; i < REGIONS; i++) {
        OK(MPI_Win_attach(win, own[i], BYTES));
        OK(MPI_Get_address(own[i], &mine[i]));
    }
    OK(MPI_Allgather(mine, REGIONS, MPI_AINT, places, REGIONS, MPI_AINT, MPI_COMM_WORLD));
}

static void detach(enum gpu_kind kind)
{
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < REGIONS; i++) OK(MPI_Win_detach(win, own[i]));
    gpu_free(kind, own[FIRST]);
    gpu_free(GPU_DEVICE, own[SECOND]);
    free(own[OF_HOST]);
}

static void fences(void)
{
    int *from = filled(GPU_DEVICE, rank), *to = filled(GPU_DEVICE, 7);
    OK(MPI_Win_fence(0, win));
    OK(MPI_Get(to, INTS, MPI_INT, next, place(next, SECOND), INTS, MPI_INT, win));
    for (int i = 0; i < INTS; i++) seen[i] = 0;
    OK(MPI_Get(seen, INTS, MPI_INT, next, place(next, OF_HOST), INTS, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    for (int i = 0; i < INTS; i++) CHECK(seen[i] == value(300 + next, i), "of the host: %d", i);
    expect("get", to, 0, INTS, 200 + next);
    OK(MPI_Put(from, INTS - 1, MPI_INT, next, place(next, FIRST), INTS - 1, MPI_INT, win));
    OK(MPI_Put(from, 10, MPI_INT, next, place(next, OF_HOST), 10, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    expect("put", own[FIRST], 0, INTS - 1, before);
    CHECK(seen[INTS - 1] == value(100 + rank, INTS - 1), "behind the put: %d", seen[INTS - 1]);
    CHECK(own[OF_HOST][9] == value(before, 9) && own[OF_HOST][10] == value(300 + rank, 10),
          "put to the host: %d, %d", own[OF_HOST][9], own[OF_HOST][10]);
    gpu_free(GPU_DEVICE, from);
    gpu_free(GPU_DEVICE, to);
}

/* Locks; the own memory, and requests. */
static void locks(void)
{
    int *from = filled(GPU_DEVICE, rank), *to = filled(GPU_DEVICE, 7);
    MPI_Request requests[2];
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0, target = rank; i < 2; i++, target = next) {
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win));
        OK(MPI_Put(from, 100, MPI_INT, target, place(target, SECOND) + 4 * 100 * (i + 1), 100,
                   MPI_INT, win));
        OK(MPI_Win_unlock(target, win));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    gpu_get(seen, own[SECOND], BYTES);
    for (int i = 0; i < 400; i++) {
        int due = value(200 + rank, i);
        if (i >= 100 && i < 200) due = value(rank, i - 100);
        if (i >= 200 && i < 300) due = value(before, i - 200);
        CHECK(seen[i] == due, "put under a lock: int %d is %d, not %d", i, seen[i], due);
    }
    OK(MPI_Win_lock_all(0, win));
    OK(MPI_Rget(to, INTS / 2, MPI_INT, next, place(next, FIRST), INTS / 2, MPI_INT, win, requests));
    OK(MPI_Rput(from, 50, MPI_INT, next, place(next, FIRST) + BYTES / 2 + 4 * 50, 50, MPI_INT, win,
                requests + 1));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    expect("rget", to, 0, INTS / 2, rank);
    OK(MPI_Win_flush(next, win));
    OK(MPI_Get(seen, 50, MPI_INT, next, place(next, FIRST) + BYTES / 2 + 4 * 50, 50, MPI_INT, win));
    OK(MPI_Win_flush_local(next, win));
    for (int i = 0; i < 50; i++) CHECK(seen[i] == value(rank, i), "rput: int %d is %d", i, seen[i]);
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    gpu_free(GPU_DEVICE, from);
    gpu_free(GPU_DEVICE, to);
}

/* All ranks change the memory of all ranks at once, of the device and of the host. */
static void changes(void)
{
    int *ones = gpu_alloc(GPU_DEVICE, BYTES), sum = size * ROUNDS, *old = filled(GPU_DEVICE, 0);
    for (int i = 0; i < 2; i++) refill(own[i], 0);
    for (int i = 0; i < INTS; i++) host[i] = 1;
    gpu_put(ones, host, BYTES);
    for (int i = 0; i < INTS; i++) own[OF_HOST][i] = value(0, i);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, win));
    for (int round = 0; round < ROUNDS; round++)
        for (int to = 0; to < size; to++)
            for (int region = 0; region < REGIONS; region++) {
                int *one = region == FIRST ? ones : host, got = -1;
                OK(MPI_Fetch_and_op(one, &got, MPI_INT, to, place(to, region), MPI_SUM, win));
                OK(MPI_Win_flush(to, win));
                CHECK(got >= 0 && got < sum, "fetched %d", got);
                OK(MPI_Accumulate(one, 1000, MPI_INT, to, place(to, region) + 40, 1000, MPI_INT,
                                  MPI_SUM, win));
            }
    OK(MPI_Win_flush_all(win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int region = 0; region < REGIONS; region++) {
        OK(MPI_Get_accumulate(NULL, 0, MPI_INT, old, INTS, MPI_INT, next, place(next, region), INTS,
                              MPI_INT, MPI_NO_OP, win));
        OK(MPI_Win_flush(next, win));
        gpu_get(seen, old, BYTES);
        for (int i = 0; i < INTS; i++) {
            int due = value(0, i) + (i == 0 || (i >= 10 && i < 1010) ? sum : 0);
            CHECK(seen[i] == due, "region %d: int %d is %d, not %d", region, i, seen[i], due);
        }
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    int expected = value(0, 4), mark = -7 - rank, mine = 0, winners;
    OK(MPI_Compare_and_swap(&mark, &expected, &mine, MPI_INT, 0, place(0, FIRST) + 16, win));
    OK(MPI_Win_flush(0, win));
    int won = mine == expected;
    OK(MPI_Allreduce(&won, &winners, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(winners == 1, "%d ranks have swapped", winners);
    OK(MPI_Win_unlock_all(win));
    gpu_free(GPU_DEVICE, ones);
    gpu_free(GPU_DEVICE, old);
}

/* Post, start, complete and wait, with elements that are spread over both regions of a device:
 * every third int of the first, and the beginning of the second. */
static void spread(void)
{
    MPI_Group all, origin, target;
    MPI_Datatype every_third, both;
    OK(MPI_Type_vector(1000, 1, 3, MPI_INT, &every_third));
    OK(MPI_Type_create_struct(2, (int[]){1, 1000},
                              (MPI_Aint[]){place(next, FIRST), place(next, SECOND)},
                              (MPI_Datatype[]){every_third, MPI_INT}, &both));
    OK(MPI_Type_commit(&both));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
    OK(MPI_Group_incl(all, 1, &before, &origin));
    OK(MPI_Group_incl(all, 1, &next, &target));
    for (int i = 0; i < 2; i++) refill(own[i], 9);
    for (int i = 0; i < INTS; i++) host[i] = value(rank, i);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_post(origin, 0, win));
    OK(MPI_Win_start(target, 0, win));
    OK(MPI_Put(host, 2000, MPI_INT, next, 0, 1, both, win));
    OK(MPI_Win_complete(win));
    OK(MPI_Win_wait(win));
    gpu_get(seen, own[FIRST], BYTES);
    for (int i = 0; i < 4000; i++) {
        int due = i < 3000 && i % 3 == 0 ? value(before, i / 3) : value(9, i);
        CHECK(seen[i] == due, "spread: int %d is %d, not %d", i, seen[i], due);
    }
    gpu_get(seen, own[SECOND], BYTES);
    for (int i = 0; i < 2000; i++) {
        int due = i < 1000 ? value(before, 1000 + i) : value(9, i);
        CHECK(seen[i] == due, "second region: int %d is %d, not %d", i, seen[i], due);
    }
    OK(MPI_Type_free(&every_third));
    OK(MPI_Type_free(&both));
    OK(MPI_Group_free(&all));
    OK(MPI_Group_free(&origin));
    OK(MPI_Group_free(&target));
}

/* A target outside MPI: its library carries the accesses out. */
static void passive(void)
{
    refill(own[FIRST], rank);
    double begin = MPI_Wtime();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        sleep(2);
    } else {
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        OK(MPI_Get(host, INTS, MPI_INT, 0, place(0, FIRST), INTS, MPI_INT, win));
        OK(MPI_Win_unlock(0, win));
        CHECK(host[INTS - 1] == value(0, INTS - 1), "got %d", host[INTS - 1]);
        CHECK(MPI_Wtime() - begin < 1.8, "the get took %f s", MPI_Wtime() - begin);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

static void refused(int code, int due, const char *word)
{
    char text[MPI_MAX_ERROR_STRING];
    int class, length;
    CHECK(code != MPI_SUCCESS, "no error: %s", word);
    OK(MPI_Error_class(code, &class));
    OK(MPI_Error_string(code, text, &length));
    CHECK(class == due && strstr(text, word), "class %d: %s", class, text);
}

/* Accesses of this kind, by whatever call reports it. */
static int put(MPI_Aint where, MPI_Datatype type)
{
    OK(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
    int count = type == MPI_INT ? 10 : 1, ints = type == MPI_INT ? 10 : 2;
    int code = MPI_Put(host, ints, MPI_INT, next, where, count, type, win);
    if (code == MPI_SUCCESS) code = MPI_Win_flush(next, win);
    MPI_Win_unlock(next, win);
    return code;
}

static void errors(void)
{
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    refused(MPI_Win_attach(win, own[FIRST] + 10, 40), MPI_ERR_RMA_ATTACH, "overlap");
    int *more = filled(GPU_DEVICE, 3);
    refused(MPI_Win_attach(win, more, 1L << 40), MPI_ERR_SIZE, "beyond its end");
    refused(MPI_Win_detach(win, own[FIRST] + 1), MPI_ERR_RMA_ATTACH, "no attached memory begins");
    refused(put(place(next, FIRST) + BYTES - 4, MPI_INT), MPI_ERR_RMA_RANGE, "do not all lie");
    MPI_Datatype both;
    OK(MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]){place(next, FIRST), place(next, OF_HOST)},
                                      MPI_INT, &both));
    OK(MPI_Type_commit(&both));
    refused(put(0, both), MPI_ERR_RMA_RANGE, "do not all lie");
    OK(MPI_Type_free(&both));
    /* Detached and attached again, and freed. */
    MPI_Aint all[size], mine;
    OK(MPI_Win_attach(win, more, BYTES));
    OK(MPI_Get_address(more, &mine));
    OK(MPI_Allgather(&mine, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD));
    OK(put(all[next], MPI_INT));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_detach(win, more));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    refused(put(all[next], MPI_INT), MPI_ERR_RMA_RANGE, "do not all lie");
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_attach(win, more, BYTES));
    gpu_free(GPU_DEVICE, more);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    refused(put(all[next], MPI_INT), MPI_ERR_BUFFER, "is no such memory any more");
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_detach(win, more));
    MPI_Win_set_errhandler(win, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    places = malloc(sizeof *places * REGIONS * size);
    /* A window that is older than the driver. */
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    gpu_open(0);
    for (enum gpu_kind kind = GPU_DEVICE; kind <= GPU_MANAGED; kind++) {
        attach(kind);
        fences();
        locks();
        changes();
        spread();
        if (kind == GPU_DEVICE) passive();
        errors();
        detach(kind);
    }
    /* A window is freed with what is attached. */
    attach(GPU_DEVICE);
    fences();
    OK(MPI_Win_free(&win));
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    MPI_Barrier(MPI_COMM_WORLD);
    attach(GPU_DEVICE);
    fences();
    detach(GPU_DEVICE);
    OK(MPI_Win_free(&win));
    free(places);
    MPI_Finalize();
    return 0;
}
