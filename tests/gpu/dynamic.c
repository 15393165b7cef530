/* Memory of devices between jobs: a job spawns another one, and two jobs connect by a port. With
 * the argument "direct", long messages go from device to device, and the driver counts calls. */
#include "../mpi/check.h"
#include "gpu.h"

enum { TAG = 2, BYTES = 300000, INTS = 1000, CHILDREN = 2 };
static const int lengths[] = {8, 5000, 65536, BYTES};
enum { LENGTHS = sizeof lengths / sizeof *lengths };
static unsigned char *mirror;
static unsigned long (*calls_of)(const char *);

static void put(char *to, size_t bytes, unsigned seed)
{
    fill(mirror, bytes, seed);
    gpu_put(to, mirror, bytes);
}

static void expect(const char *what, const char *of, size_t bytes, unsigned seed)
{
    gpu_get(mirror, of, bytes);
    long wrong = first_wrong(mirror, bytes, seed);
    CHECK(wrong < 0, "%s: byte %ld of %zu is wrong", what, wrong, bytes);
}

/* Rank `peer` of the other job sends what this rank sends to it. */
static void exchange(const char *what, MPI_Comm comm, int peer)
{
    char *sent = gpu_alloc(GPU_DEVICE, BYTES), *received = gpu_alloc(GPU_DEVICE, BYTES);
    unsigned long opened = calls_of ? calls_of("cuIpcOpenMemHandle_v2") : 0;
    for (unsigned i = 0; i < LENGTHS; i++) {
        int bytes = lengths[i];
        MPI_Request request;
        put(sent, (size_t)bytes, i);
        OK(MPI_Irecv(received, BYTES, MPI_BYTE, peer, TAG, comm, &request));
        OK(MPI_Send(sent, bytes, MPI_BYTE, peer, TAG, comm));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        expect(what, received, (size_t)bytes, i);
    }
    if (calls_of) {
        opened = calls_of("cuIpcOpenMemHandle_v2") - opened;
        CHECK(opened == 1, "%s: %lu mappings, not 1", what, opened);
    }
    gpu_free(GPU_DEVICE, sent);
    gpu_free(GPU_DEVICE, received);
}

/* A broadcast from one job to the other, and a sum of both. */
static void together(MPI_Comm both, int is_parent)
{
    char *data = gpu_alloc(GPU_DEVICE, BYTES);
    int root = !is_parent ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    put(data, BYTES, is_parent ? 5 : 6);
    OK(MPI_Bcast(data, BYTES, MPI_BYTE, root, both));
    expect("bcast", data, BYTES, 5);
    MPI_Comm merged;
    int number = 0, host[INTS];
    OK(MPI_Intercomm_merge(both, !is_parent, &merged));
    OK(MPI_Comm_size(merged, &number));
    for (int i = 0; i < INTS; i++) host[i] = i;
    gpu_put(data, host, sizeof host);
    OK(MPI_Allreduce(MPI_IN_PLACE, data, INTS, MPI_INT, MPI_SUM, merged));
    gpu_get(host, data, sizeof host);
    for (int i = 0; i < INTS; i++) CHECK(host[i] == i * number, "int %d is %d", i, host[i]);
    OK(MPI_Comm_free(&merged));
    gpu_free(GPU_DEVICE, data);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, both;
    char port[MPI_MAX_PORT_NAME];
    gpu_open(0);
    begin(&argc, &argv);
    if (argc > 1 && strcmp(argv[1], "direct") == 0)
        *(void **)&calls_of = gpu_symbol(gpu_load(), "fake_cuda_calls");
    mirror = malloc(BYTES);
    OK(MPI_Comm_get_parent(&parent));
    if (parent == MPI_COMM_NULL) {
        OK(MPI_Comm_spawn(argv[0], argv + 1, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &both,
                          MPI_ERRCODES_IGNORE));
        if (rank < CHILDREN) exchange("spawned", both, rank);
        together(both, 1);
        OK(MPI_Open_port(MPI_INFO_NULL, port));
        if (rank == 0) OK(MPI_Send(port, sizeof port, MPI_CHAR, 0, TAG, both));
        OK(MPI_Comm_disconnect(&both));
        OK(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &both));
        if (rank < CHILDREN) exchange("connected", both, rank);
        OK(MPI_Close_port(port));
    } else {
        int parents = 0;
        OK(MPI_Comm_remote_size(parent, &parents));
        if (rank < parents) exchange("spawned", parent, rank);
        together(parent, 0);
        if (rank == 0)
            OK(MPI_Recv(port, sizeof port, MPI_CHAR, 0, TAG, parent, MPI_STATUS_IGNORE));
        OK(MPI_Comm_disconnect(&parent));
        OK(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &both));
        if (rank < parents) exchange("connected", both, rank);
    }
    OK(MPI_Comm_disconnect(&both));
    free(mirror);
    MPI_Finalize();
    return 0;
}
