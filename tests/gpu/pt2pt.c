/* Messages between memory of every kind: each way to send and to receive, contiguous and with gaps,
 * from one byte to more than a mebibyte. Bytes beside the data keep their values. */
#include "../mpi/check.h"
#include "gpu.h"

enum { TAG = 5, LARGEST = (1 << 20) + 1 };
static const int lengths[] = {1, 8, 40, 41, 4073, 16345, 65537, LARGEST};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* A buffer of some kind with guards on both sides. */
struct buffer {
    enum gpu_kind kind;
    char *whole, *data;
    size_t bytes;
};

static unsigned char *mirror;

static struct buffer buffer_of(enum gpu_kind kind, size_t bytes)
{
    struct buffer made = {kind, gpu_alloc(kind, bytes + 2 * GUARD_BYTES), NULL, bytes};
    made.data = made.whole + GUARD_BYTES;
    memset(mirror, GUARD, bytes + 2 * GUARD_BYTES);
    gpu_put(made.whole, mirror, bytes + 2 * GUARD_BYTES);
    return made;
}

static void put(struct buffer *to, unsigned seed)
{
    fill(mirror, to->bytes, seed);
    gpu_put(to->data, mirror, to->bytes);
}

/* Checks that the buffer holds `bytes` bytes of a message, and guards behind them. */
static void expect(const char *what, struct buffer *of, size_t bytes, unsigned seed)
{
    gpu_get(mirror, of->whole, of->bytes + 2 * GUARD_BYTES);
    long wrong = first_wrong(mirror + GUARD_BYTES, bytes, seed);
    CHECK(wrong < 0, "%s, %zu bytes to %s memory: byte %ld is wrong", what, bytes,
          gpu_kind_names[of->kind], wrong);
    CHECK(untouched(mirror + GUARD_BYTES, bytes, of->bytes), "%s: bytes beside %zu are written",
          what, bytes);
}

static void drop(struct buffer *of)
{
    gpu_free(of->kind, of->whole);
}

enum way { SEND, SSEND, BSEND, RSEND, ISEND, ISSEND, IBSEND, PERSISTENT, WAYS };
static const char *const ways[] = {"send",  "ssend",  "bsend",  "rsend",
                                   "isend", "issend", "ibsend", "persistent"};

static void send_by(enum way way, const void *data, int bytes, int to)
{
    MPI_Request request = MPI_REQUEST_NULL;
    switch (way) {
    case SEND: OK(MPI_Send(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD)); break;
    case SSEND: OK(MPI_Ssend(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD)); break;
    case BSEND: OK(MPI_Bsend(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD)); break;
    case RSEND:
        OK(MPI_Recv(NULL, 0, MPI_BYTE, to, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Rsend(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD));
        break;
    case ISEND: OK(MPI_Isend(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request)); break;
    case ISSEND: OK(MPI_Issend(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request)); break;
    case IBSEND: OK(MPI_Ibsend(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request)); break;
    default:
        OK(MPI_Send_init(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request));
        OK(MPI_Start(&request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        OK(MPI_Request_free(&request));
    }
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* Receives in the way that belongs to that of the sender. The buffer is longer than the message. */
static void receive_by(enum way way, void *data, int bytes, int from, MPI_Status *status)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Message message;
    int flag = 0;
    switch (way) {
    case SEND: OK(MPI_Recv(data, bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, status)); break;
    case SSEND:
        OK(MPI_Recv(data, bytes, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status));
        break;
    case BSEND:
        OK(MPI_Mprobe(from, TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
        OK(MPI_Mrecv(data, bytes, MPI_BYTE, &message, status));
        break;
    case RSEND:
        OK(MPI_Irecv(data, bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &request));
        OK(MPI_Send(NULL, 0, MPI_BYTE, from, TAG, MPI_COMM_WORLD));
        while (!flag) OK(MPI_Test(&request, &flag, status));
        break;
    case ISEND:
        OK(MPI_Irecv(data, bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &request));
        OK(MPI_Wait(&request, status));
        break;
    case ISSEND:
        OK(MPI_Mprobe(from, TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
        OK(MPI_Imrecv(data, bytes, MPI_BYTE, &message, &request));
        OK(MPI_Wait(&request, status));
        break;
    case IBSEND:
        OK(MPI_Irecv(data, bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &request));
        while (!flag) OK(MPI_Request_get_status(request, &flag, status));
        OK(MPI_Waitall(1, &request, MPI_STATUSES_IGNORE));
        break;
    default:
        OK(MPI_Recv_init(data, bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &request));
        OK(MPI_Startall(1, &request));
        OK(MPI_Wait(&request, status));
        OK(MPI_Request_free(&request));
    }
}

static void all_ways(void)
{
    unsigned seed = 1;
    int peer = rank ^ 1;
    if (peer >= size) return;
    for (int from = 0; from < GPU_KINDS; from++) {
        for (int to = 0; to < GPU_KINDS; to++) {
            /* Every kind with device memory at the other end, and the plain pairs. */
            if (from != GPU_DEVICE && to != GPU_DEVICE && from != to) continue;
            for (int i = 0; i < LENGTHS; i++) {
                for (int way = 0; way < WAYS; way++, seed++) {
                    int bytes = lengths[i];
                    if (rank % 2 == 0) {
                        struct buffer sent = buffer_of(from, (size_t)bytes);
                        put(&sent, seed);
                        send_by(way, sent.data, bytes, peer);
                        expect(ways[way], &sent, (size_t)bytes, seed);
                        drop(&sent);
                    } else {
                        MPI_Status status;
                        struct buffer received = buffer_of(to, (size_t)bytes + 100);
                        receive_by(way, received.data, bytes + 100, peer, &status);
                        STATUS(&status, peer, TAG, bytes);
                        expect(ways[way], &received, (size_t)bytes, seed);
                        drop(&received);
                    }
                }
            }
        }
    }
}

/* Every rank sends to the next one and receives from the one before, in one call. */
static void both_ways(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int i = 0; i < LENGTHS; i++) {
        int bytes = lengths[i];
        unsigned own = (unsigned)(i * size + rank), other = (unsigned)(i * size + before);
        struct buffer sent = buffer_of(GPU_DEVICE, (size_t)bytes);
        struct buffer received = buffer_of(GPU_DEVICE, (size_t)bytes);
        MPI_Request request;
        put(&sent, own);
        OK(MPI_Sendrecv(sent.data, bytes, MPI_BYTE, next, TAG, received.data, bytes, MPI_BYTE,
                        before, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        expect("sendrecv", &received, (size_t)bytes, other);
        OK(MPI_Sendrecv_replace(sent.data, bytes, MPI_BYTE, next, TAG, before, TAG, MPI_COMM_WORLD,
                                MPI_STATUS_IGNORE));
        expect("sendrecv_replace", &sent, (size_t)bytes, other);
        put(&sent, own + 50);
        OK(MPI_Isendrecv(sent.data, bytes, MPI_BYTE, next, TAG, received.data, bytes, MPI_BYTE,
                         before, TAG, MPI_COMM_WORLD, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        expect("isendrecv", &received, (size_t)bytes, other + 50);
        OK(MPI_Isendrecv_replace(sent.data, bytes, MPI_BYTE, next, TAG, before, TAG,
                                 MPI_COMM_WORLD, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        expect("isendrecv_replace", &sent, (size_t)bytes, other + 50);
        drop(&sent);
        drop(&received);
    }
}

/* Columns of a matrix arrive in any order, each in an operation of its own; the others keep what
 * they got. */
static void columns(void)
{
    enum { ROWS = 300, COLUMNS = 5, CELLS = ROWS * COLUMNS };
    MPI_Datatype column;
    OK(MPI_Type_vector(ROWS, 1, COLUMNS, MPI_INT, &column));
    OK(MPI_Type_commit(&column));
    int *host = malloc(CELLS * sizeof *host);
    int *matrix = gpu_alloc(GPU_DEVICE, CELLS * sizeof *host);
    int *target = gpu_alloc(GPU_POOL, CELLS * sizeof *host);
    for (int i = 0; i < CELLS; i++) host[i] = -1;
    gpu_put(target, host, CELLS * sizeof *host);
    for (int i = 0; i < CELLS; i++) host[i] = rank * CELLS + i;
    gpu_put(matrix, host, CELLS * sizeof *host);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Request requests[2 * (COLUMNS - 1)];
    for (int i = 0; i < COLUMNS - 1; i++)
        OK(MPI_Irecv(target + i, 1, column, before, i, MPI_COMM_WORLD, &requests[i]));
    for (int i = COLUMNS - 2; i >= 0; i--)
        OK(MPI_Isend(matrix + i, 1, column, next, i, MPI_COMM_WORLD, &requests[COLUMNS - 1 + i]));
    OK(MPI_Waitall(2 * (COLUMNS - 1), requests, MPI_STATUSES_IGNORE));
    gpu_get(host, target, CELLS * sizeof *host);
    for (int i = 0; i < CELLS; i++) {
        int wanted = i % COLUMNS < COLUMNS - 1 ? before * CELLS + i : -1;
        CHECK(host[i] == wanted, "cell %d is %d, not %d", i, host[i], wanted);
    }
    gpu_free(GPU_DEVICE, matrix);
    gpu_free(GPU_POOL, target);
    free(host);
    OK(MPI_Type_free(&column));
}

/* A persistent pair is started several times with other data in the same memory. */
static void restarted(void)
{
    enum { BYTES = 5000 };
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    struct buffer sent = buffer_of(GPU_DEVICE, BYTES), received = buffer_of(GPU_DEVICE, BYTES);
    MPI_Request requests[2];
    OK(MPI_Recv_init(received.data, BYTES, MPI_BYTE, before, TAG, MPI_COMM_WORLD, &requests[0]));
    OK(MPI_Send_init(sent.data, BYTES, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &requests[1]));
    for (unsigned round = 0; round < 5; round++) {
        put(&sent, round * 10 + (unsigned)rank);
        OK(MPI_Startall(2, requests));
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        expect("restarted", &received, BYTES, round * 10 + (unsigned)before);
    }
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Request_free(&requests[1]));
    drop(&sent);
    drop(&received);
}

/* Partitions leave when they are ready, each with the bytes that its memory has then. */
static void partitioned(void)
{
    enum { PARTS = 8, EACH = 3000 };
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    struct buffer sent = buffer_of(GPU_DEVICE, PARTS * EACH);
    struct buffer received = buffer_of(GPU_DEVICE, PARTS * EACH);
    MPI_Request requests[2];
    OK(MPI_Psend_init(sent.data, PARTS, EACH, MPI_BYTE, next, TAG, MPI_COMM_WORLD, MPI_INFO_NULL,
                      &requests[0]));
    OK(MPI_Precv_init(received.data, PARTS / 2, 2 * EACH, MPI_BYTE, before, TAG, MPI_COMM_WORLD,
                      MPI_INFO_NULL, &requests[1]));
    for (unsigned round = 0; round < 3; round++) {
        unsigned char *part = malloc(2 * EACH);
        OK(MPI_Startall(2, requests));
        for (int i = 0; i < PARTS; i++) {
            int at = (i * 5 + 3) % PARTS;
            fill(part, EACH, round * 100 + (unsigned)(rank * PARTS + at));
            gpu_put(sent.data + at * EACH, part, EACH);
            OK(MPI_Pready(at, requests[0]));
        }
        int flag = 0;
        while (!flag) OK(MPI_Parrived(requests[1], 1, &flag));
        gpu_get(part, received.data + 2 * EACH, 2 * EACH);
        for (int i = 0; i < 2; i++) {
            long wrong = first_wrong(part + i * EACH, EACH,
                                     round * 100 + (unsigned)(before * PARTS + 2 + i));
            CHECK(wrong < 0, "byte %ld of an arrived partition is wrong", wrong);
        }
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < PARTS; i++) {
            gpu_get(part, received.data + i * EACH, EACH);
            long wrong = first_wrong(part, EACH, round * 100 + (unsigned)(before * PARTS + i));
            CHECK(wrong < 0, "byte %ld of partition %d is wrong", wrong, i);
        }
        free(part);
    }
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Request_free(&requests[1]));
    drop(&sent);
    drop(&received);
}

/* A receive that is cancelled leaves its memory, and a send whose request is freed arrives. */
static void without_wait(void)
{
    struct buffer one = buffer_of(GPU_DEVICE, 1000), other = buffer_of(GPU_DEVICE, 1000);
    MPI_Request request;
    MPI_Status status;
    int cancelled = 0;
    OK(MPI_Irecv(one.data, 1000, MPI_BYTE, 0, TAG + 1, MPI_COMM_SELF, &request));
    OK(MPI_Cancel(&request));
    OK(MPI_Wait(&request, &status));
    OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK(cancelled, "the receive is not cancelled");
    expect("cancelled", &one, 0, 0);
    put(&one, 9);
    OK(MPI_Irecv(other.data, 1000, MPI_BYTE, 0, TAG, MPI_COMM_SELF, &request));
    MPI_Request sending;
    OK(MPI_Isend(one.data, 1000, MPI_BYTE, 0, TAG, MPI_COMM_SELF, &sending));
    OK(MPI_Request_free(&sending));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    expect("freed", &other, 1000, 9);
    drop(&one);
    drop(&other);
}

/* One datatype names memory of a device and of the host (MPI_BOTTOM). */
static void mixed(void)
{
    enum { INTS = 1000 };
    int *device = gpu_alloc(GPU_DEVICE, INTS * sizeof(int)), *host = malloc(INTS * sizeof(int));
    int *seen = malloc(2 * INTS * sizeof(int));
    MPI_Aint places[2];
    int blocks[2] = {INTS, INTS};
    MPI_Datatype both;
    OK(MPI_Get_address(host, &places[0]));
    OK(MPI_Get_address(device, &places[1]));
    OK(MPI_Type_create_hindexed(2, blocks, places, MPI_INT, &both));
    OK(MPI_Type_commit(&both));
    for (int i = 0; i < INTS; i++) seen[i] = 7 * i;
    gpu_put(device, seen, INTS * sizeof(int));
    for (int i = 0; i < INTS; i++) host[i] = -i;
    int peer = rank ^ 1;
    if (peer < size && rank % 2 == 0) {
        OK(MPI_Send(MPI_BOTTOM, 1, both, peer, TAG, MPI_COMM_WORLD));
    } else if (peer < size) {
        OK(MPI_Recv(seen, 2 * INTS, MPI_INT, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int i = 0; i < INTS; i++)
            CHECK(seen[i] == -i && seen[INTS + i] == 7 * i, "element %d is wrong", i);
    }
    OK(MPI_Type_free(&both));
    gpu_free(GPU_DEVICE, device);
    free(host);
    free(seen);
}

int main(int argc, char **argv)
{
    gpu_open(0);
    begin(&argc, &argv);
    mirror = malloc(LARGEST + 100 + 2 * GUARD_BYTES);
    void *attached = malloc(2 * LARGEST);
    OK(MPI_Buffer_attach(attached, 2 * LARGEST));
    all_ways();
    both_ways();
    columns();
    restarted();
    partitioned();
    without_wait();
    mixed();
    OK(MPI_Buffer_detach(&attached, &(int){0}));
    free(attached);
    free(mirror);
    MPI_Finalize();
    return 0;
}
