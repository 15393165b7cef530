/* Messages from device to device within a host: the receiver's device reads the sender's memory.
 *
 * The argument says what is expected: "direct", or "staged" where the devices do not reach each
 * other. In both cases the data are right; the calls of the driver tell which way they went. With
 * "any", the driver is one that does not count. */
#include "../mpi/check.h"
#include "gpu.h"
#include <stdbool.h>

enum { TAG = 3, BYTES = 300000, ROUNDS = 5, MANY = 40 };

static unsigned long (*calls_of)(const char *);
static bool is_direct;
static int peer;
static unsigned char *mirror;

static char *device_of(size_t bytes)
{
    char *made = gpu_alloc(GPU_DEVICE, bytes);
    memset(mirror, GUARD, bytes);
    gpu_put(made, mirror, bytes);
    return made;
}

static void put(char *to, size_t bytes, unsigned seed)
{
    fill(mirror, bytes, seed);
    gpu_put(to, mirror, bytes);
}

/* Checks a message, and that `beside` bytes behind it are untouched. */
static void expect(const char *what, const char *of, size_t bytes, size_t beside, unsigned seed)
{
    gpu_get(mirror, of, bytes + beside);
    long wrong = first_wrong(mirror, bytes, seed);
    CHECK(wrong < 0, "%s: byte %ld of %zu is wrong", what, wrong, bytes);
    for (size_t i = bytes; i < bytes + beside; i++)
        CHECK(mirror[i] == (unsigned char)GUARD, "%s: byte %zu is written, behind %zu", what, i,
              bytes);
}

/* Notes calls of the driver, and checks how many there have been since. */
static unsigned long opened, copied;

static void note(void)
{
    if (!is_direct) return;
    opened = calls_of("cuIpcOpenMemHandle_v2");
    copied = calls_of("cuMemcpyAsync");
}

static void calls(const char *what, unsigned long opens, unsigned long copies)
{
    if (!is_direct) return;
    unsigned long opens_seen = calls_of("cuIpcOpenMemHandle_v2") - opened;
    unsigned long copies_seen = calls_of("cuMemcpyAsync") - copied;
    CHECK(opens_seen == opens, "%s: %lu mappings, not %lu", what, opens_seen, opens);
    CHECK(copies_seen == copies, "%s: %lu copies, not %lu", what, copies_seen, copies);
}

/* One mapping serves all messages from an allocation. The sender writes its buffer as soon as it
 * may. */
static void again_and_again(void)
{
    char *memory = device_of(BYTES + 100);
    note();
    for (unsigned round = 0; round < ROUNDS; round++) {
        size_t bytes = BYTES - 1000 * round, offset = 10 * round;
        if (rank % 2 == 0) {
            put(memory + offset, bytes, round);
            OK(MPI_Send(memory + offset, (int)bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD));
            put(memory, BYTES, 1000);
        } else {
            OK(MPI_Recv(memory, BYTES, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            expect("again", memory, bytes, 0, round);
        }
    }
    if (rank % 2 == 0) calls("the sender", 0, 0);
    else calls("the receiver", 1, ROUNDS);
    gpu_free(GPU_DEVICE, memory);
}

/* Memory is freed and allocated again at the same address while the peer has the old one mapped. */
static void reused(void)
{
    char *before = NULL;
    note();
    for (unsigned round = 0; round < ROUNDS; round++) {
        char *memory = device_of(BYTES);
        if (rank % 2 == 0) {
            CHECK(!is_direct || !before || before == memory, "the address is not used again");
            before = memory;
            put(memory, BYTES, round);
            OK(MPI_Ssend(memory, BYTES, MPI_BYTE, peer, TAG, MPI_COMM_WORLD));
        } else {
            OK(MPI_Recv(memory, BYTES, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            expect("reused", memory, BYTES, 0, round);
        }
        gpu_free(GPU_DEVICE, memory);
    }
    if (rank % 2) calls("reused", ROUNDS, ROUNDS);
}

/* More allocations than are kept mapped. */
static void many(void)
{
    char *memory[MANY];
    for (int i = 0; i < MANY; i++) memory[i] = device_of(BYTES);
    for (unsigned round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++) {
            unsigned seed = round * MANY + (unsigned)i;
            if (rank % 2 == 0) {
                put(memory[i], BYTES, seed);
                OK(MPI_Send(memory[i], BYTES, MPI_BYTE, peer, TAG, MPI_COMM_WORLD));
            } else {
                OK(MPI_Recv(memory[i], BYTES, MPI_BYTE, peer, TAG, MPI_COMM_WORLD,
                            MPI_STATUS_IGNORE));
                expect("many", memory[i], BYTES, 0, seed);
            }
        }
    }
    for (int i = 0; i < MANY; i++) gpu_free(GPU_DEVICE, memory[i]);
}

/* The receive comes first or late, from any source, by a matched probe, or is too short. */
static void receives(void)
{
    char *memory = device_of(BYTES + 100);
    MPI_Request request;
    MPI_Message message;
    MPI_Status status;
    for (unsigned way = 0; way < 5; way++) {
        if (rank % 2 == 0) {
            put(memory, BYTES, way);
            if (way == 0) OK(MPI_Recv(NULL, 0, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &status));
            OK(MPI_Isend(memory, BYTES, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request));
            if (way > 0) OK(MPI_Send(NULL, 0, MPI_BYTE, peer, TAG + 1, MPI_COMM_WORLD));
            OK(MPI_Wait(&request, &status));
            expect("sent", memory, BYTES, 100, way);
            continue;
        }
        size_t got = BYTES;
        if (way > 0) OK(MPI_Recv(NULL, 0, MPI_BYTE, peer, TAG + 1, MPI_COMM_WORLD, &status));
        switch (way) {
        case 0:
            OK(MPI_Irecv(memory, BYTES + 100, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request));
            OK(MPI_Send(NULL, 0, MPI_BYTE, peer, TAG, MPI_COMM_WORLD));
            OK(MPI_Wait(&request, &status));
            break;
        case 1:
            OK(MPI_Recv(memory, BYTES + 100, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                        &status));
            break;
        case 2:
            OK(MPI_Mprobe(peer, TAG, MPI_COMM_WORLD, &message, &status));
            OK(MPI_Mrecv(memory, BYTES + 100, MPI_BYTE, &message, &status));
            break;
        case 3:
            OK(MPI_Mprobe(peer, TAG, MPI_COMM_WORLD, &message, &status));
            OK(MPI_Imrecv(memory, BYTES + 100, MPI_BYTE, &message, &request));
            OK(MPI_Wait(&request, &status));
            break;
        default:
            got = BYTES - 5000;
            FAILS(MPI_Recv(memory, (int)got, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &status),
                  MPI_ERR_TRUNCATE);
        }
        if (way < 4) STATUS(&status, peer, TAG, BYTES);
        expect("received", memory, got, BYTES + 100 - got, way);
        memset(mirror, GUARD, BYTES + 100);
        gpu_put(memory, mirror, BYTES + 100);
    }
    gpu_free(GPU_DEVICE, memory);
}

/* The receiver's memory is none that a device reads into in one piece, or none of a device. */
static void other_targets(void)
{
    enum { HALF = BYTES / 2, BLOCK = 100, BLOCKS = HALF / BLOCK };
    MPI_Datatype gaps;
    OK(MPI_Type_vector(BLOCKS, BLOCK, 2 * BLOCK, MPI_BYTE, &gaps));
    OK(MPI_Type_commit(&gaps));
    for (int kind = 0; kind < GPU_KINDS; kind++) {
        char *memory = gpu_alloc(rank % 2 ? kind : GPU_DEVICE, BYTES);
        memset(mirror, GUARD, BYTES);
        gpu_put(memory, mirror, BYTES);
        if (rank % 2 == 0) {
            put(memory, BYTES, (unsigned)kind);
            OK(MPI_Send(memory, BYTES, MPI_BYTE, peer, TAG, MPI_COMM_WORLD));
            OK(MPI_Send(memory, HALF, MPI_BYTE, peer, TAG, MPI_COMM_WORLD));
            OK(MPI_Send(memory, 1, gaps, peer, TAG, MPI_COMM_WORLD));
        } else {
            OK(MPI_Recv(memory, BYTES, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            expect(gpu_kind_names[kind], memory, BYTES, 0, (unsigned)kind);
            fill(mirror, BYTES, 77);
            gpu_put(memory, mirror, BYTES);
            OK(MPI_Recv(memory, 1, gaps, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            unsigned char *wanted = malloc(2 * BYTES);
            fill(wanted, BYTES, (unsigned)kind);
            fill(wanted + BYTES, BYTES, 77);
            gpu_get(mirror, memory, BYTES);
            for (int i = 0; i < BYTES; i++) {
                int packed = i / (2 * BLOCK) * BLOCK + i % BLOCK;
                CHECK(mirror[i] == wanted[i / BLOCK % 2 ? BYTES + i : packed], "gaps: byte %d", i);
            }
            OK(MPI_Recv(memory, HALF, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            gpu_get(mirror, memory, HALF);
            for (int i = 0; i < HALF; i++)
                CHECK(mirror[i] == wanted[i / BLOCK * 2 * BLOCK + i % BLOCK], "from gaps: byte %d",
                      i);
            free(wanted);
        }
        gpu_free(rank % 2 ? kind : GPU_DEVICE, memory);
    }
    OK(MPI_Type_free(&gaps));
}

/* All ranks exchange in a ring, by calls that do both, and with themselves. */
static void ring(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    char *sent = device_of(BYTES), *received = device_of(BYTES);
    MPI_Request request;
    put(sent, BYTES, (unsigned)rank);
    OK(MPI_Sendrecv(sent, BYTES, MPI_BYTE, next, TAG, received, BYTES, MPI_BYTE, before, TAG,
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    expect("sendrecv", received, BYTES, 0, (unsigned)before);
    put(sent, BYTES, (unsigned)rank + 50);
    OK(MPI_Isendrecv(sent, BYTES, MPI_BYTE, next, TAG, received, BYTES, MPI_BYTE, before, TAG,
                     MPI_COMM_WORLD, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    expect("isendrecv", received, BYTES, 0, (unsigned)before + 50);
    OK(MPI_Irecv(received, BYTES, MPI_BYTE, rank, TAG, MPI_COMM_WORLD, &request));
    put(sent, BYTES, (unsigned)rank + 90);
    OK(MPI_Send(sent, BYTES, MPI_BYTE, rank, TAG, MPI_COMM_WORLD));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    expect("to itself", received, BYTES, 0, (unsigned)rank + 90);
    gpu_free(GPU_DEVICE, sent);
    gpu_free(GPU_DEVICE, received);
}

/* A send that nobody receives is cancelled. */
static void cancelled(void)
{
    char *memory = device_of(BYTES);
    if (rank % 2 == 0) {
        MPI_Request request;
        MPI_Status status;
        int is_cancelled = 0;
        OK(MPI_Issend(memory, BYTES, MPI_BYTE, peer, TAG + 9, MPI_COMM_WORLD, &request));
        OK(MPI_Cancel(&request));
        OK(MPI_Wait(&request, &status));
        OK(MPI_Test_cancelled(&status, &is_cancelled));
        CHECK(is_cancelled, "the send is not cancelled");
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    gpu_free(GPU_DEVICE, memory);
}

/* The program frees what it sends, which it must not: both sides get an error, and go on. */
static void freed_too_early(void)
{
    char *memory = device_of(BYTES);
    MPI_Request request;
    if (rank % 2 == 0) {
        OK(MPI_Isend(memory, BYTES, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request));
        gpu_free(GPU_DEVICE, memory);
        OK(MPI_Send(NULL, 0, MPI_BYTE, peer, TAG + 1, MPI_COMM_WORLD));
        FAILS(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_BUFFER);
    } else {
        char *host = malloc(BYTES);
        OK(MPI_Recv(NULL, 0, MPI_BYTE, peer, TAG + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        FAILS(MPI_Recv(host, BYTES, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              MPI_ERR_OTHER);
        free(host);
        gpu_free(GPU_DEVICE, memory);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    is_direct = argc > 1 && strcmp(argv[1], "direct") == 0;
    peer = rank ^ 1;
    void *library = gpu_load();
    if (is_direct) *(void **)&calls_of = gpu_symbol(library, "fake_cuda_calls");
    gpu_open(0);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    mirror = malloc(BYTES + 1000);
    /* Some rare call, so that the driver is looked for. */
    MPI_Comm world;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &world));
    OK(MPI_Comm_free(&world));
    again_and_again();
    reused();
    many();
    receives();
    other_targets();
    ring();
    cancelled();
    if (is_direct) freed_too_early();
    free(mirror);
    MPI_Finalize();
    return 0;
}
