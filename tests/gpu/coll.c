/* Collectives on memory of every kind: each is carried out on memory of the host and on memory of
 * the kind with equal contributions, blocking, non-blocking and persistent, and the results are
 * compared. */
#include "../mpi/check.h"
#include "gpu.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

static MPI_Comm comm, ring;
static int counts[64], places[64], byte_places[64];
static MPI_Datatype types[64];
static MPI_Aint aint_places[64];
static int each; /* elements of a block */

/* Calls one form of a collective and completes it. A persistent one runs twice: the second round
 * finds the results of the first one. */
#define DO(form, name, iname, ...)                                                                 \
    do {                                                                                           \
        MPI_Request request_ = MPI_REQUEST_NULL;                                                   \
        if (form == BLOCKING) {                                                                    \
            OK(MPI_##name(__VA_ARGS__));                                                           \
        } else if (form == NONBLOCKING) {                                                          \
            OK(MPI_##iname(__VA_ARGS__, &request_));                                               \
            OK(MPI_Wait(&request_, MPI_STATUS_IGNORE));                                            \
        } else {                                                                                   \
            OK(MPI_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &request_));                          \
            for (int round_ = 0; round_ < 2; round_++) {                                           \
                OK(MPI_Start(&request_));                                                          \
                OK(MPI_Wait(&request_, MPI_STATUS_IGNORE));                                        \
            }                                                                                      \
            OK(MPI_Request_free(&request_));                                                       \
        }                                                                                          \
    } while (0)

typedef void collective(enum form form, int *s, int *r);

static void bcast(enum form f, int *s, int *r)
{
    (void)s;
    DO(f, Bcast, Ibcast, r, each, MPI_INT, size - 1, comm);
}
static void gather(enum form f, int *s, int *r)
{
    DO(f, Gather, Igather, s, each, MPI_INT, r, each, MPI_INT, 0, comm);
}
static void gather_in_place(enum form f, int *s, int *r)
{
    if (rank == 0)
        DO(f, Gather, Igather, MPI_IN_PLACE, 0, MPI_INT, r, each, MPI_INT, 0, comm);
    else
        DO(f, Gather, Igather, s, each, MPI_INT, NULL, 0, MPI_INT, 0, comm);
}
static void gatherv(enum form f, int *s, int *r)
{
    DO(f, Gatherv, Igatherv, s, counts[rank], MPI_INT, r, counts, places, MPI_INT, size - 1, comm);
}
static void scatter(enum form f, int *s, int *r)
{
    DO(f, Scatter, Iscatter, s, each, MPI_INT, r, each, MPI_INT, 0, comm);
}
static void scatterv(enum form f, int *s, int *r)
{
    DO(f, Scatterv, Iscatterv, s, counts, places, MPI_INT, r, counts[rank], MPI_INT, 0, comm);
}
static void allgather(enum form f, int *s, int *r)
{
    DO(f, Allgather, Iallgather, s, each, MPI_INT, r, each, MPI_INT, comm);
}
static void allgather_in_place(enum form f, int *s, int *r)
{
    (void)s;
    DO(f, Allgather, Iallgather, MPI_IN_PLACE, 0, MPI_INT, r, each, MPI_INT, comm);
}
static void allgatherv(enum form f, int *s, int *r)
{
    DO(f, Allgatherv, Iallgatherv, s, counts[rank], MPI_INT, r, counts, places, MPI_INT, comm);
}
static void alltoall(enum form f, int *s, int *r)
{
    DO(f, Alltoall, Ialltoall, s, each, MPI_INT, r, each, MPI_INT, comm);
}
static void alltoall_in_place(enum form f, int *s, int *r)
{
    (void)s;
    if (f == PERSISTENT) f = NONBLOCKING;
    DO(f, Alltoall, Ialltoall, MPI_IN_PLACE, 0, MPI_INT, r, each, MPI_INT, comm);
}
static void alltoallv(enum form f, int *s, int *r)
{
    int own[64];
    for (int i = 0; i < size; i++) own[i] = counts[rank];
    DO(f, Alltoallv, Ialltoallv, s, counts, places, MPI_INT, r, own, places, MPI_INT, comm);
}
static void alltoallw(enum form f, int *s, int *r)
{
    int own[64];
    for (int i = 0; i < size; i++) own[i] = counts[rank];
    DO(f, Alltoallw, Ialltoallw, s, counts, byte_places, types, r, own, byte_places, types, comm);
}
static void reduce(enum form f, int *s, int *r)
{
    DO(f, Reduce, Ireduce, s, r, each, MPI_INT, MPI_SUM, 0, comm);
}
static void reduce_in_place(enum form f, int *s, int *r)
{
    (void)s;
    if (f == PERSISTENT) f = BLOCKING;
    DO(f, Reduce, Ireduce, rank == 0 ? MPI_IN_PLACE : (void *)r, r, each, MPI_INT, MPI_MAX, 0,
       comm);
}
static void allreduce(enum form f, int *s, int *r)
{
    DO(f, Allreduce, Iallreduce, s, r, each, MPI_INT, MPI_SUM, comm);
}
static void allreduce_in_place(enum form f, int *s, int *r)
{
    (void)s;
    DO(f, Allreduce, Iallreduce, MPI_IN_PLACE, r, each, MPI_INT, MPI_BXOR, comm);
}
static void scan(enum form f, int *s, int *r)
{
    DO(f, Scan, Iscan, s, r, each, MPI_INT, MPI_SUM, comm);
}
static void exscan(enum form f, int *s, int *r)
{
    DO(f, Exscan, Iexscan, s, r, each, MPI_INT, MPI_SUM, comm);
}
static void reduce_scatter(enum form f, int *s, int *r)
{
    DO(f, Reduce_scatter, Ireduce_scatter, s, r, counts, MPI_INT, MPI_SUM, comm);
}
static void reduce_scatter_block(enum form f, int *s, int *r)
{
    DO(f, Reduce_scatter_block, Ireduce_scatter_block, s, r, each, MPI_INT, MPI_SUM, comm);
}
static void neighbor_allgather(enum form f, int *s, int *r)
{
    DO(f, Neighbor_allgather, Ineighbor_allgather, s, each, MPI_INT, r, each, MPI_INT, ring);
}
static void neighbor_alltoall(enum form f, int *s, int *r)
{
    DO(f, Neighbor_alltoall, Ineighbor_alltoall, s, each, MPI_INT, r, each, MPI_INT, ring);
}
static void neighbor_alltoallw(enum form f, int *s, int *r)
{
    int two[2] = {each, each};
    DO(f, Neighbor_alltoallw, Ineighbor_alltoallw, s, two, aint_places, types, r, two,
       aint_places, types, ring);
}

static const struct {
    const char *name;
    collective *call;
} collectives[] = {
    {"bcast", bcast},
    {"gather", gather},
    {"gather in place", gather_in_place},
    {"gatherv", gatherv},
    {"scatter", scatter},
    {"scatterv", scatterv},
    {"allgather", allgather},
    {"allgather in place", allgather_in_place},
    {"allgatherv", allgatherv},
    {"alltoall", alltoall},
    {"alltoall in place", alltoall_in_place},
    {"alltoallv", alltoallv},
    {"alltoallw", alltoallw},
    {"reduce", reduce},
    {"reduce in place", reduce_in_place},
    {"allreduce", allreduce},
    {"allreduce in place", allreduce_in_place},
    {"scan", scan},
    {"exscan", exscan},
    {"reduce_scatter", reduce_scatter},
    {"reduce_scatter_block", reduce_scatter_block},
    {"neighbor_allgather", neighbor_allgather},
    {"neighbor_alltoall", neighbor_alltoall},
    {"neighbor_alltoallw", neighbor_alltoallw},
};
enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

static const char *const form_names[] = {"blocking", "non-blocking", "persistent"};

static void all(enum gpu_kind sent, enum gpu_kind received, size_t ints)
{
    size_t bytes = ints * sizeof(int);
    int *send = malloc(bytes), *wanted = malloc(bytes), *seen = malloc(bytes);
    int *there = gpu_alloc(sent, bytes), *result = gpu_alloc(received, bytes);
    for (int i = 0; i < COLLECTIVES; i++) {
        for (int form = 0; form < FORMS; form++) {
            for (size_t at = 0; at < ints; at++) {
                send[at] = (int)(at * 31 + (size_t)rank * 1009 + (size_t)(i * FORMS + form)) % 9973;
                wanted[at] = (int)(at * 7 + (size_t)rank * 13);
            }
            gpu_put(there, send, bytes);
            gpu_put(result, wanted, bytes);
            collectives[i].call(form, send, wanted);
            collectives[i].call(form, there, result);
            gpu_get(seen, result, bytes);
            for (size_t at = 0; at < ints; at++)
                CHECK(seen[at] == wanted[at], "%s %s of %d, %s to %s memory: int %zu is %d, not %d",
                      form_names[form], collectives[i].name, each, gpu_kind_names[sent],
                      gpu_kind_names[received], at, seen[at], wanted[at]);
            gpu_get(seen, there, bytes);
            CHECK(memcmp(seen, send, bytes) == 0, "%s has changed what it sends",
                  collectives[i].name);
        }
    }
    gpu_free(sent, there);
    gpu_free(received, result);
    free(send);
    free(wanted);
    free(seen);
}

/* A function of the program combines columns, which it finds in memory of the host. */
static void add_columns(void *in, void *inout, int *len, MPI_Datatype *type)
{
    MPI_Aint lower, extent;
    MPI_Type_get_extent(*type, &lower, &extent);
    for (int i = 0; i < *len; i++) {
        int *from = (int *)((char *)in + i * extent), *to = (int *)((char *)inout + i * extent);
        for (int row = 0; row < 10; row++) to[3 * row] += 2 * from[3 * row];
    }
}

static void own_operation(void)
{
    int host[30], sum[30], seen[30];
    MPI_Datatype column;
    MPI_Op op;
    OK(MPI_Type_vector(10, 1, 3, MPI_INT, &column));
    OK(MPI_Type_commit(&column));
    OK(MPI_Op_create(add_columns, 1, &op));
    for (int i = 0; i < 30; i++) host[i] = rank + i;
    memset(sum, 0x11, sizeof sum);
    int *there = gpu_alloc(GPU_DEVICE, sizeof host), *result = gpu_alloc(GPU_DEVICE, sizeof sum);
    gpu_put(there, host, sizeof host);
    gpu_put(result, sum, sizeof sum);
    OK(MPI_Allreduce(host, sum, 1, column, op, comm));
    OK(MPI_Allreduce(there, result, 1, column, op, comm));
    gpu_get(seen, result, sizeof seen);
    CHECK(memcmp(seen, sum, sizeof sum) == 0, "the program's operation gives another result");
    gpu_free(GPU_DEVICE, there);
    gpu_free(GPU_DEVICE, result);
    OK(MPI_Op_free(&op));
    OK(MPI_Type_free(&column));
}

int main(int argc, char **argv)
{
    static const int lengths[] = {1, 5, 700, 40000};
    begin(&argc, &argv);
    gpu_open(0);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &(int){1}, 0, &ring));
    for (int i = 0; i < 64; i++) types[i] = MPI_INT;
    for (int l = 0; l < 4; l++) {
        each = lengths[l];
        for (int i = 0; i < size; i++) {
            counts[i] = each - (each > 1 ? i % 2 : 0);
            places[i] = i * each;
            byte_places[i] = i * each * (int)sizeof(int);
        }
        aint_places[1] = each * (MPI_Aint)sizeof(int);
        size_t ints = (size_t)(size > 2 ? size : 2) * (size_t)each;
        all(GPU_DEVICE, GPU_DEVICE, ints);
        if (each == 700) {
            all(GPU_DEVICE, GPU_HOST, ints);
            all(GPU_HOST, GPU_DEVICE, ints);
            all(GPU_MANAGED, GPU_POOL, ints);
        }
    }
    own_operation();
    OK(MPI_Comm_free(&comm));
    OK(MPI_Comm_free(&ring));
    MPI_Finalize();
    return 0;
}
