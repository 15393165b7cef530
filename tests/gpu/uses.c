/* Uses of memory of devices that programs make beside the plain ones: files of all kinds, modes of
 * persistent sends, buffers of buffered sends by communicator, intercommunicators, large counts,
 * operations of the program, places within an allocation, buffers without bytes, and addresses that
 * were used before. */
#include "../mpi/check.h"
#include "gpu.h"

enum { INTS = 30000, BYTES = INTS * sizeof(int) };
static int host[INTS], seen[INTS];
static int next, before;

static int value(int seed, int i) { return i * 3 + seed; }

static int *device_with(int seed)
{
    int *made = gpu_alloc(GPU_DEVICE, BYTES);
    for (int i = 0; i < INTS; i++) host[i] = value(seed, i);
    gpu_put(made, host, BYTES);
    return made;
}

/* Ints first to end are those of a seed from its int from on. */
static void expect(const char *what, const int *of, int first, int end, int seed, int from)
{
    gpu_get(seen, of, BYTES);
    for (int i = first; i < end; i++)
        CHECK(seen[i] == value(seed, i - first + from), "%s: int %d is %d, not %d", what, i,
              seen[i], value(seed, i - first + from));
}

static void set(int *memory, int seed)
{
    for (int i = 0; i < INTS; i++) host[i] = value(seed, i);
    gpu_put(memory, host, BYTES);
}

static void files(const char *name)
{
    enum { PART = 1000 };
    MPI_File file;
    MPI_Status status;
    MPI_Request request;
    MPI_Datatype stripes;
    int *one = device_with(rank), *two = device_with(77), count;
    OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    /* Each rank sees every size-th part, and its memory has gaps, too. */
    OK(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &stripes));
    OK(MPI_Type_commit(&stripes));
    MPI_Datatype view, spaced;
    OK(MPI_Type_contiguous(PART, MPI_INT, &spaced));
    OK(MPI_Type_create_resized(spaced, 0, (MPI_Aint)size * PART * sizeof(int), &view));
    OK(MPI_Type_commit(&view));
    OK(MPI_File_set_view(file, (MPI_Offset)rank * PART * sizeof(int), MPI_INT, view, "native",
                         MPI_INFO_NULL));
    OK(MPI_File_write_all(file, one, 4 * PART, stripes, &status));
    OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK(count == 4 * PART, "%d ints are written", count);
    OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
    OK(MPI_File_read_all(file, two, 4 * PART, MPI_INT, &status));
    gpu_get(seen, two, BYTES);
    for (int i = 0; i < 4 * PART; i++)
        CHECK(seen[i] == value(rank, 2 * i), "view: int %d is %d", i, seen[i]);
    OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
    set(two, 78);
    OK(MPI_File_read_all_begin(file, two, 2 * PART, stripes));
    OK(MPI_File_read_all_end(file, two, &status));
    gpu_get(seen, two, BYTES);
    for (int i = 0; i < 4 * PART; i++)
        CHECK(seen[i] == (i % 2 ? value(78, i) : value(rank, i)), "split: int %d is %d", i,
              seen[i]);
    OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
    OK(MPI_File_write(file, one + 1, PART, MPI_INT, &status));
    OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
    OK(MPI_File_iread(file, two, PART, MPI_INT, &request));
    OK(MPI_Wait(&request, &status));
    expect("individual", two, 0, PART, rank, 1);
    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    OK(MPI_File_write_ordered(file, one, PART, MPI_INT, &status));
    OK(MPI_File_write_ordered_begin(file, one + PART, PART, MPI_INT));
    OK(MPI_File_write_ordered_end(file, one + PART, &status));
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    set(two, 79);
    OK(MPI_File_read_ordered(file, two, PART, MPI_INT, &status));
    expect("ordered", two, 0, PART, rank, 0);
    OK(MPI_File_read_ordered_begin(file, two, PART, MPI_INT));
    OK(MPI_File_read_ordered_end(file, two, &status));
    expect("ordered, split", two, 0, PART, rank, PART);
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    OK(MPI_File_write_shared(file, one, PART, MPI_INT, &status));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    OK(MPI_File_iread_shared(file, two, PART, MPI_INT, &request));
    OK(MPI_Wait(&request, &status));
    gpu_get(seen, two, BYTES);
    CHECK(seen[0] >= 0 && seen[0] < size, "the first int is %d", seen[0]);
    expect("shared", two, 0, PART, seen[0], 0);
    OK(MPI_Type_free(&stripes));
    OK(MPI_Type_free(&spaced));
    OK(MPI_Type_free(&view));
    OK(MPI_File_close(&file));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) OK(MPI_File_delete(name, MPI_INFO_NULL));
    gpu_free(GPU_DEVICE, one);
    gpu_free(GPU_DEVICE, two);
}

/* Persistent sends of all modes, whose data change between the starts. */
static void modes(void)
{
    int *one = device_with(0), *two = device_with(1);
    MPI_Request requests[5];
    void *buffer = malloc(3 * BYTES);
    OK(MPI_Comm_attach_buffer(MPI_COMM_WORLD, buffer, 3 * BYTES));
    for (int mode = 0; mode < 4; mode++) {
        OK(MPI_Recv_init(two, INTS, MPI_INT, before, mode, MPI_COMM_WORLD, requests));
        MPI_Request *send = requests + 1;
        if (mode == 0) OK(MPI_Send_init(one, INTS, MPI_INT, next, 0, MPI_COMM_WORLD, send));
        if (mode == 1) OK(MPI_Ssend_init(one, INTS, MPI_INT, next, 1, MPI_COMM_WORLD, send));
        if (mode == 2) OK(MPI_Bsend_init(one, INTS, MPI_INT, next, 2, MPI_COMM_WORLD, send));
        if (mode == 3) OK(MPI_Rsend_init(one, INTS, MPI_INT, next, 3, MPI_COMM_WORLD, send));
        for (int round = 0; round < 3; round++) {
            set(one, 100 * mode + 10 * round + rank);
            OK(MPI_Start(requests));
            OK(MPI_Barrier(MPI_COMM_WORLD));
            OK(MPI_Start(send));
            OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
            expect("persistent", two, 0, INTS, 100 * mode + 10 * round + before, 0);
        }
        OK(MPI_Request_free(requests));
        OK(MPI_Request_free(send));
    }
    OK(MPI_Irecv(two, INTS, MPI_INT, before, 9, MPI_COMM_WORLD, requests));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Irsend(one, INTS, MPI_INT, next, 9, MPI_COMM_WORLD, requests + 1));
    int index, done = 0, indices[2];
    OK(MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE));
    while (done == 0) OK(MPI_Testsome(2, requests, &done, indices, MPI_STATUSES_IGNORE));
    expect("ready", two, 0, INTS, 320 + before, 0);
    OK(MPI_Comm_flush_buffer(MPI_COMM_WORLD));
    OK(MPI_Comm_detach_buffer(MPI_COMM_WORLD, &buffer, &index));
    free(buffer);
    gpu_free(GPU_DEVICE, one);
    gpu_free(GPU_DEVICE, two);
}

static int op_calls;

/* a * b of numbers that are not exchanged, in a derived type of two ints. */
static void affine(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    int (*a)[2] = in, (*b)[2] = inout;
    for (int i = 0; i < *count; i++) {
        int product = a[i][0] * b[i][0] % 101, sum = (a[i][0] * b[i][1] + a[i][1]) % 101;
        b[i][0] = product;
        b[i][1] = sum;
    }
    op_calls++;
}

/* An operation of the program that does not commute, by every kind of reduction, in place, too. */
static void operations(void)
{
    MPI_Op op;
    MPI_Datatype pair;
    enum { PAIRS = 500 };
    OK(MPI_Op_create(affine, 0, &op));
    OK(MPI_Type_contiguous(2, MPI_INT, &pair));
    OK(MPI_Type_commit(&pair));
    int *one = device_with(rank + 2), *two = device_with(5), all[2 * PAIRS], due[2 * PAIRS];
    for (int i = 0; i < 2 * PAIRS; i++) host[i] = value(rank + 2, i) % 101;
    gpu_put(one, host, BYTES);
    gpu_put(two, host, BYTES);
    OK(MPI_Allreduce(host, due, PAIRS, pair, op, MPI_COMM_WORLD));
    OK(MPI_Allreduce(MPI_IN_PLACE, two, PAIRS, pair, op, MPI_COMM_WORLD));
    gpu_get(all, two, sizeof all);
    CHECK(memcmp(all, due, sizeof all) == 0, "in place: %d is %d", all[0], due[0]);
    if (rank == size - 1) gpu_put(two, host, BYTES);
    if (rank == size - 1)
        OK(MPI_Reduce(MPI_IN_PLACE, two, PAIRS, pair, op, size - 1, MPI_COMM_WORLD));
    else
        OK(MPI_Reduce(one, NULL, PAIRS, pair, op, size - 1, MPI_COMM_WORLD));
    gpu_get(all, two, sizeof all);
    CHECK(memcmp(all, due, sizeof all) == 0, "at the root: %d is %d", all[0], due[0]);
    MPI_Request request;
    gpu_put(two, host, BYTES);
    OK(MPI_Iscan(MPI_IN_PLACE, two, PAIRS, pair, op, MPI_COMM_WORLD, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Bcast(two, PAIRS, pair, size - 1, MPI_COMM_WORLD));
    gpu_get(all, two, sizeof all);
    CHECK(memcmp(all, due, sizeof all) == 0, "the last of a scan: %d is %d", all[0], due[0]);
    int calls = op_calls;
    OK(MPI_Reduce_local(one, two, PAIRS, pair, op));
    CHECK(op_calls > calls, "the operation is not called");
    affine(host, due, &(int){PAIRS}, NULL);
    gpu_get(all, two, sizeof all);
    CHECK(memcmp(all, due, sizeof all) == 0, "of one process: %d is %d", all[0], due[0]);
    OK(MPI_Op_free(&op));
    OK(MPI_Type_free(&pair));
    gpu_free(GPU_DEVICE, one);
    gpu_free(GPU_DEVICE, two);
}

/* Between two groups; counts of the large kind. */
static void groups(void)
{
    int *one = device_with(rank), *two = device_with(50);
    OK(MPI_Allreduce_c(one, two, INTS, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    expect("large count", two, 0, INTS, size - 1, 0);
    OK(MPI_Sendrecv_c(one, INTS, MPI_INT, next, 1, two, INTS, MPI_INT, before, 1, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE));
    expect("large count", two, 0, INTS, before, 0);
    if (size > 1) {
        MPI_Comm half, between;
        int side = rank % 2;
        OK(MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half));
        OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 4, &between));
        OK(MPI_Allreduce(one, two, INTS, MPI_INT, MPI_MIN, between));
        expect("of the other group", two, 0, INTS, 1 - side, 0);
        int others;
        OK(MPI_Comm_remote_size(between, &others));
        OK(MPI_Alltoall(one, 100, MPI_INT, two, 100, MPI_INT, between));
        int own;
        OK(MPI_Comm_rank(half, &own));
        for (int i = 0; i < others; i++)
            expect("alltoall", two, 100 * i, 100 * (i + 1), 2 * i + 1 - side, 100 * own);
        int root = side ? 0 : own == 0 ? MPI_ROOT : MPI_PROC_NULL;
        OK(MPI_Bcast(side ? two : one, INTS, MPI_INT, root, between));
        if (side) expect("broadcast", two, 0, INTS, 0, 0);
        OK(MPI_Comm_free(&between));
        OK(MPI_Comm_free(&half));
    }
    gpu_free(GPU_DEVICE, one);
    gpu_free(GPU_DEVICE, two);
}

/* Places within an allocation, at odd addresses, its last bytes; messages without bytes with
 * addresses of any kind; and an address that belonged to another allocation, to the host, or to
 * nobody. */
static void places(void)
{
    char *one = (char *)device_with(rank), *two = (char *)device_with(90), got[64];
    MPI_Status status;
    int count;
    for (int i = 0; i < 64; i++) got[i] = (char)(i + rank);
    gpu_put(one + BYTES - 64, got, 64);
    OK(MPI_Sendrecv(one + BYTES - 63, 63, MPI_CHAR, next, 1, two + BYTES - 63, 63, MPI_CHAR, before,
                    1, MPI_COMM_WORLD, &status));
    gpu_get(got, two + BYTES - 64, 64);
    for (int i = 1; i < 64; i++)
        CHECK(got[i] == (char)(i + before), "the last bytes: %d is %d", i, got[i]);
    OK(MPI_Sendrecv(one + 4001, 90001, MPI_CHAR, next, 1, two + 3, 90001, MPI_CHAR, before, 1,
                    MPI_COMM_WORLD, &status));
    gpu_get(seen, two, BYTES);
    for (int i = 0; i < INTS; i++) host[i] = value(before, i);
    CHECK(memcmp((char *)seen + 3, (char *)host + 4001, 90001) == 0, "odd addresses");
    void *const empty[] = {one, one + BYTES, one + BYTES + 4096, NULL, (void *)8, two + 1};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            OK(MPI_Sendrecv(empty[i], 0, MPI_INT, next, i, empty[k], 0, MPI_INT, before, i,
                            MPI_COMM_WORLD, &status));
            OK(MPI_Get_count(&status, MPI_INT, &count));
            CHECK(count == 0, "%d ints", count);
            OK(MPI_Allreduce(empty[i], empty[k], 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
            OK(MPI_Bcast(empty[k], 0, MPI_INT, 0, MPI_COMM_WORLD));
        }
    /* What is longer than its message keeps the rest. */
    set((int *)two, 91);
    OK(MPI_Sendrecv(one, 100, MPI_INT, next, 3, two, INTS, MPI_INT, before, 3, MPI_COMM_WORLD,
                    &status));
    expect("a short message", (int *)two, 0, 100, before, 0);
    expect("behind it", (int *)two, 100, INTS, 91, 100);
    OK(MPI_Sendrecv_replace(two + 400, 100, MPI_INT, next, 4, before, 4, MPI_COMM_WORLD, &status));
    expect("replaced", (int *)two, 100, 200, 91, 100);
    gpu_free(GPU_DEVICE, one);
    gpu_free(GPU_DEVICE, two);
    for (int i = 0; i < 20; i++) {
        int *again = device_with(1000 * i + rank), *to = device_with(5);
        OK(MPI_Sendrecv(again, INTS, MPI_INT, next, 5, to, INTS, MPI_INT, before, 5, MPI_COMM_WORLD,
                        &status));
        expect("used again", to, 0, INTS, 1000 * i + before, 0);
        if (i % 2) gpu_free(GPU_DEVICE, again);
        gpu_free(GPU_DEVICE, to);
        if (i % 2 == 0) gpu_free(GPU_DEVICE, again);
    }
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
    files(argc > 1 ? argv[1] : "uses.file");
    modes();
    operations();
    groups();
    places();
    MPI_Finalize();
    return 0;
}
