/* Memory of devices in calls beside messages and collectives: packing, local reductions, accesses
 * to windows, files; and what is refused, with words that name the memory. */
#include "../mpi/check.h"
#include "gpu.h"
#include <pthread.h>

enum { INTS = 20000, BYTES = INTS * sizeof(int) };
static int host[INTS], seen[INTS];

static int *device_with(int seed)
{
    int *made = gpu_alloc(GPU_DEVICE, BYTES);
    for (int i = 0; i < INTS; i++) host[i] = i * 3 + seed;
    gpu_put(made, host, BYTES);
    return made;
}

static void expect(const char *what, const int *of, int first, int end, int seed)
{
    gpu_get(seen, of, BYTES);
    for (int i = first; i < end; i++)
        CHECK(seen[i] == i * 3 + seed, "%s: int %d is %d, not %d", what, i, seen[i], i * 3 + seed);
}

static void packing(void)
{
    int *from = device_with(1), *to = device_with(2);
    char *packed = gpu_alloc(GPU_DEVICE, BYTES + 100);
    int position = 40, size_of_pack = 0;
    OK(MPI_Pack_size(INTS, MPI_INT, MPI_COMM_WORLD, &size_of_pack));
    CHECK(size_of_pack >= (int)BYTES, "the size is %d", size_of_pack);
    OK(MPI_Pack(from, INTS, MPI_INT, packed, BYTES + 100, &position, MPI_COMM_WORLD));
    CHECK(position == 40 + (int)BYTES, "the position is %d", position);
    position = 40;
    OK(MPI_Unpack(packed, BYTES + 100, &position, to, INTS, MPI_INT, MPI_COMM_WORLD));
    expect("unpacked", to, 0, INTS, 1);
    MPI_Aint place = 0;
    OK(MPI_Pack_external("external32", from, 10, MPI_INT, packed, BYTES, &place));
    unsigned char first[8];
    gpu_get(first, packed, 8);
    CHECK(first[3] == 1 && first[7] == 4, "external32 is %d %d", first[3], first[7]);
    place = 0;
    gpu_free(GPU_DEVICE, to);
    to = device_with(5);
    OK(MPI_Unpack_external("external32", packed, 40, &place, to, 10, MPI_INT));
    expect("external", to, 0, 10, 1);
    expect("beside", to, 10, INTS, 5);
    gpu_free(GPU_DEVICE, from);
    gpu_free(GPU_DEVICE, to);
    gpu_free(GPU_DEVICE, packed);
}

static void local_reduction(void)
{
    int *from = device_with(1), *to = device_with(2);
    OK(MPI_Reduce_local(from, to, INTS, MPI_INT, MPI_MAX));
    expect("max", to, 0, INTS, 2);
    OK(MPI_Reduce_local(to, from, INTS, MPI_INT, MPI_MIN));
    expect("min", from, 0, INTS, 1);
    gpu_free(GPU_DEVICE, from);
    gpu_free(GPU_DEVICE, to);
}

/* Origin buffers of accesses. The window itself is memory of the host. */
static void accesses(void)
{
    int *base, next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Win win;
    OK(MPI_Win_allocate(2 * BYTES, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    int *one = device_with(rank), *two = device_with(100);
    OK(MPI_Win_fence(0, win));
    OK(MPI_Put(one, INTS, MPI_INT, next, 0, INTS, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    for (int i = 0; i < INTS; i++)
        CHECK(base[i] == 3 * i + before, "int %d was put as %d", i, base[i]);
    OK(MPI_Win_fence(0, win));
    OK(MPI_Get(two, INTS, MPI_INT, next, 0, INTS, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    expect("get", two, 0, INTS, rank);
    OK(MPI_Win_lock_all(0, win));
    OK(MPI_Accumulate(one, INTS, MPI_INT, next, 0, INTS, MPI_INT, MPI_REPLACE, win));
    OK(MPI_Win_flush(next, win));
    MPI_Request request;
    OK(MPI_Rget(two, 1000, MPI_INT, next, 0, 1000, MPI_INT, win, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    expect("rget", two, 0, 1000, rank);
    OK(MPI_Rput(one, 1000, MPI_INT, next, INTS, 1000, MPI_INT, win, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Raccumulate(one, 1000, MPI_INT, next, INTS, 1000, MPI_INT, MPI_SUM, win, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Win_flush(next, win));
    OK(MPI_Get_accumulate(one, 1000, MPI_INT, two, 1000, MPI_INT, next, INTS, 1000, MPI_INT,
                          MPI_NO_OP, win));
    OK(MPI_Win_flush(next, win));
    gpu_get(seen, two, 4000);
    for (int i = 0; i < 1000; i++)
        CHECK(seen[i] == 2 * (3 * i + rank), "int %d was accumulated as %d", i, seen[i]);
    OK(MPI_Fetch_and_op(one, two, MPI_INT, next, 0, MPI_SUM, win));
    OK(MPI_Win_flush(next, win));
    gpu_get(seen, two, 4);
    CHECK(seen[0] == rank, "fetched %d", seen[0]);
    /* The word is 2 * rank now. */
    int words[2] = {2 * rank, -5};
    gpu_put(one, words, sizeof words);
    OK(MPI_Compare_and_swap(one + 1, one, two, MPI_INT, next, 0, win));
    OK(MPI_Win_flush(next, win));
    gpu_get(seen, two, 4);
    CHECK(seen[0] == 2 * rank, "compared with %d", seen[0]);
    OK(MPI_Get(two, 1, MPI_INT, next, 0, 1, MPI_INT, win));
    OK(MPI_Win_flush(next, win));
    gpu_get(seen, two, 4);
    CHECK(seen[0] == -5, "swapped to %d", seen[0]);
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Win_free(&win));
    gpu_free(GPU_DEVICE, one);
    gpu_free(GPU_DEVICE, two);
}

static void files(const char *name)
{
    MPI_File file;
    MPI_Request request;
    MPI_Status status;
    MPI_Offset own = (MPI_Offset)rank * BYTES;
    int *one = device_with(rank), *two = device_with(50);
    OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    OK(MPI_File_write_at_all(file, own, one, INTS, MPI_INT, &status));
    OK(MPI_File_read_at_all(file, own, two, INTS, MPI_INT, &status));
    expect("read_at_all", two, 0, INTS, rank);
    gpu_free(GPU_DEVICE, two);
    two = device_with(51);
    OK(MPI_File_write_at(file, own, one, INTS, MPI_INT, &status));
    OK(MPI_File_iread_at(file, own, two, INTS, MPI_INT, &request));
    OK(MPI_Wait(&request, &status));
    expect("iread_at", two, 0, INTS, rank);
    gpu_free(GPU_DEVICE, two);
    two = device_with(52);
    OK(MPI_File_iwrite_at_all(file, own, one, INTS, MPI_INT, &request));
    OK(MPI_Wait(&request, &status));
    OK(MPI_File_read_at_all_begin(file, own, two, INTS, MPI_INT));
    OK(MPI_File_read_at_all_end(file, two, &status));
    expect("split read", two, 0, INTS, rank);
    OK(MPI_File_write_at_all_begin(file, own, one, INTS, MPI_INT));
    OK(MPI_File_write_at_all_end(file, one, &status));
    OK(MPI_File_close(&file));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) OK(MPI_File_delete(name, MPI_INFO_NULL));
    gpu_free(GPU_DEVICE, one);
    gpu_free(GPU_DEVICE, two);
}

/* A thread that has no context sends and receives, and has none afterwards. */
static void *in_thread(void *pair)
{
    int **buffers = pair;
    CUcontext context;
    CU(cu_get_current(&context));
    CHECK(context == NULL, "a new thread has a context");
    OK(MPI_Sendrecv(buffers[0], INTS, MPI_INT, 0, 3, buffers[1], INTS, MPI_INT, 0, 3, MPI_COMM_SELF,
                    MPI_STATUS_IGNORE));
    CU(cu_get_current(&context));
    CHECK(context == NULL, "the call has left a context");
    return NULL;
}

static void threads(void)
{
    int *buffers[2] = {device_with(8), device_with(9)};
    pthread_t thread;
    pthread_create(&thread, NULL, in_thread, buffers);
    pthread_join(thread, NULL);
    expect("thread", buffers[1], 0, INTS, 8);
    gpu_free(GPU_DEVICE, buffers[0]);
    gpu_free(GPU_DEVICE, buffers[1]);
}

static void contains(int code, int class, const char *const *words)
{
    int is_of = 0;
    CHECK(code != MPI_SUCCESS, "memory of a device is accepted");
    MPI_Error_class(code, &is_of);
    CHECK(is_of == class, "the class is %d: %s", is_of, error_text(code));
    for (; *words; words++)
        CHECK(strstr(error_text(code), *words), "\"%s\" is not in: %s", *words, error_text(code));
}

static void refusals(void)
{
    int *one = device_with(1);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    /* The buffer of buffered sends may lie anywhere. */
    void *attached = NULL;
    OK(MPI_Buffer_attach(one, BYTES));
    OK(MPI_Bsend(one, 1000, MPI_INT, 0, 4, MPI_COMM_SELF));
    OK(MPI_Recv(one + 1000, 1000, MPI_INT, 0, 4, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    OK(MPI_Buffer_detach(&attached, &(int){0}));
    CHECK(attached == one, "another buffer is detached");
    /* More elements than the allocation has: the driver refuses, before anything is sent. */
    const char *const beyond[] = {"device memory of CUDA device 0", "cuMemcpyAsync", NULL};
    contains(MPI_Send(one, 2 * INTS, MPI_INT, 0, 9, MPI_COMM_SELF), MPI_ERR_BUFFER, beyond);
    gpu_free(GPU_DEVICE, one);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    gpu_open(0);
    /* A committed datatype is one of the calls that look for a driver. */
    MPI_Datatype pair;
    OK(MPI_Type_contiguous(2, MPI_INT, &pair));
    OK(MPI_Type_commit(&pair));
    OK(MPI_Type_free(&pair));
    packing();
    local_reduction();
    accesses();
    files(argc > 1 ? argv[1] : "gpu-others.data");
    threads();
    refusals();
    MPI_Finalize();
    return 0;
}
