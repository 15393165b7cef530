/* Collective operations of more processes of a node than look at each other's lines: the data are
 * right, they pass through levels of segments and send no packets, and the sums of blocking,
 * non-blocking and persistent operations have equal bits.
 *
 * sizes: 17 33
 * modes: default
 * seconds: 120
 */

#include "check.h"

enum { COUNT = 3, RANKS = 64 };

static MPI_T_pvar_session session;
static MPI_T_pvar_handle packets;

static void open_counter(void)
{
    int provided, variables, count;
    packets = MPI_T_PVAR_HANDLE_NULL;
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    OK(MPI_T_pvar_session_create(&session));
    OK(MPI_T_pvar_get_num(&variables));
    for (int index = 0; index < variables; index++) {
        char name[128];
        int length = sizeof name, verbosity, class, bind, readonly, continuous, atomic;
        MPI_Datatype type;
        OK(MPI_T_pvar_get_info(index, name, &length, &verbosity, &class, &type, NULL, NULL, NULL,
                               &bind, &readonly, &continuous, &atomic));
        if (strcmp(name, "nemesis_packets_sent") == 0)
            OK(MPI_T_pvar_handle_alloc(session, index, NULL, &packets, &count));
    }
    CHECK(packets != MPI_T_PVAR_HANDLE_NULL, "no variable counts packets");
}

static unsigned long long sent(void)
{
    unsigned long long value = 0;
    OK(MPI_T_pvar_read(session, packets, &value));
    return value;
}

/* Fails if this process has sent more than `most` packets since `before`. */
static void expect_packets(const char *call, unsigned long long before, unsigned long long most)
{
    unsigned long long more = sent() - before;
    CHECK(more <= most, "%s sends %llu packets, more than %llu", call, more, most);
}

static long value(int of, int index) { return of * 131L + index; }

static void rooted(int root)
{
    long own[COUNT], sum[COUNT], all[RANKS * COUNT], block[COUNT];
    for (int index = 0; index < COUNT; index++) {
        own[index] = rank == root ? value(root, index) : -1;
        sum[index] = -1;
    }
    unsigned long long before = sent();
    OK(MPI_Bcast(own, COUNT, MPI_LONG, root, MPI_COMM_WORLD));
    expect_packets("MPI_Bcast", before, 0);
    for (int index = 0; index < COUNT; index++)
        CHECK(own[index] == value(root, index), "bcast of %d: %ld", root, own[index]);
    for (int index = 0; index < COUNT; index++)
        own[index] = value(rank, index);
    before = sent();
    OK(MPI_Reduce(own, sum, COUNT, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD));
    OK(MPI_Gather(own, COUNT, MPI_LONG, all, COUNT, MPI_LONG, root, MPI_COMM_WORLD));
    for (int index = 0; index < COUNT && rank == root; index++)
        CHECK(sum[index] == value(0, index) * size + 131L * size * (size - 1) / 2,
              "reduce at %d: %ld", root, sum[index]);
    for (int index = 0; index < COUNT * size && rank == root; index++)
        CHECK(all[index] == value(index / COUNT, index % COUNT), "gather at %d: element %d is %ld",
              root, index, all[index]);
    OK(MPI_Scatter(all, COUNT, MPI_LONG, block, COUNT, MPI_LONG, root, MPI_COMM_WORLD));
    expect_packets("MPI_Reduce, MPI_Gather and MPI_Scatter", before, 0);
    CHECK(memcmp(block, own, sizeof block) == 0, "scatter of %d: %ld", root, block[0]);
}

static void for_all(void)
{
    long own[COUNT], sum[COUNT], all[RANKS * COUNT], from_all[RANKS * COUNT];
    for (int index = 0; index < COUNT; index++)
        own[index] = value(rank, index);
    unsigned long long before = sent();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    expect_packets("MPI_Barrier", before, 0);
    OK(MPI_Allreduce(own, sum, COUNT, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    expect_packets("MPI_Allreduce", before, 0);
    CHECK(sum[0] == 131L * size * (size - 1) / 2, "allreduce: %ld", sum[0]);
    OK(MPI_Allgather(own, COUNT, MPI_LONG, all, COUNT, MPI_LONG, MPI_COMM_WORLD));
    for (int index = 0; index < COUNT * size; index++)
        CHECK(all[index] == value(index / COUNT, index % COUNT), "allgather: element %d is %ld",
              index, all[index]);
    for (int index = 0; index < COUNT * size; index++)
        all[index] = value(rank, index);
    OK(MPI_Alltoall(all, COUNT, MPI_LONG, from_all, COUNT, MPI_LONG, MPI_COMM_WORLD));
    for (int index = 0; index < COUNT * size; index++)
        CHECK(from_all[index] == value(index / COUNT, rank * COUNT + index % COUNT),
              "alltoall: element %d is %ld", index, from_all[index]);
    OK(MPI_Reduce_scatter_block(all, sum, COUNT, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum[0] == value(0, rank * COUNT) * size + 131L * size * (size - 1) / 2,
          "reduce_scatter_block: %ld", sum[0]);
    expect_packets("operations for all", before, 0);
}

/* A reduction in its three forms. */
typedef void Reduction(const double *from, double *to, int count, int root, MPI_Comm comm,
                       MPI_Request *request, int form);

enum { BLOCKING, NON_BLOCKING, PERSISTENT, FORMS };

/* Calls MPI_NAME, MPI_Iname or MPI_Name_init with the arguments of all forms. */
#define FORM(Name, name, ...)                                                                      \
    do {                                                                                           \
        if (form == BLOCKING)                                                                      \
            OK(MPI_##Name(__VA_ARGS__, comm));                                                     \
        else if (form == NON_BLOCKING)                                                             \
            OK(MPI_I##name(__VA_ARGS__, comm, request));                                           \
        else                                                                                       \
            OK(MPI_##Name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, request));                      \
    } while (0)

static void reduce(const double *from, double *to, int count, int root, MPI_Comm comm,
                   MPI_Request *request, int form)
{
    FORM(Reduce, reduce, from, to, count, MPI_DOUBLE, MPI_SUM, root);
}

static void allreduce(const double *from, double *to, int count, int root, MPI_Comm comm,
                      MPI_Request *request, int form)
{
    (void)root;
    FORM(Allreduce, allreduce, from, to, count, MPI_DOUBLE, MPI_SUM);
}

static void scatter_block(const double *from, double *to, int count, int root, MPI_Comm comm,
                          MPI_Request *request, int form)
{
    (void)root;
    FORM(Reduce_scatter_block, reduce_scatter_block, from, to, (count + size - 1) / size,
         MPI_DOUBLE, MPI_SUM);
}

static void scatter_parts(const double *from, double *to, int count, int root, MPI_Comm comm,
                          MPI_Request *request, int form)
{
    static int counts[RANKS];
    (void)root;
    for (int of = 0; of < size; of++)
        counts[of] = of % 3 * (count / size);
    FORM(Reduce_scatter, reduce_scatter, from, to, counts, MPI_DOUBLE, MPI_SUM);
}

static void scan(const double *from, double *to, int count, int root, MPI_Comm comm,
                 MPI_Request *request, int form)
{
    (void)root;
    FORM(Scan, scan, from, to, count, MPI_DOUBLE, MPI_SUM);
}

static void exscan(const double *from, double *to, int count, int root, MPI_Comm comm,
                   MPI_Request *request, int form)
{
    (void)root;
    FORM(Exscan, exscan, from, to, count, MPI_DOUBLE, MPI_SUM);
}

static const struct {
    const char *name;
    Reduction *start;
} reductions[] = {
    {"MPI_Reduce", reduce},
    {"MPI_Allreduce", allreduce},
    {"MPI_Reduce_scatter_block", scatter_block},
    {"MPI_Reduce_scatter", scatter_parts},
    {"MPI_Scan", scan},
    {"MPI_Exscan", exscan},
};

/* Elements: in a line, in staging buffers, and on both sides of the limits of levels. */
static const int counts[] = {1, 7, 300, 600, 2048, 2049, 9000};
enum { LONGEST = 9000 };

/* Each form on a new communicator. Elements of all magnitudes, so that any other order shows. */
static void test_equal_bits(void)
{
    static double own[LONGEST + RANKS], results[FORMS][LONGEST + RANKS];
    for (int index = 0; index < LONGEST + RANKS; index++)
        own[index] = (rank % 2 ? -1.0 : 1.0) * (1 << (rank * 5 + index) % 23) /
                     (1 + rank * 7919 % 101 + index * 31 % 17);
    for (unsigned at = 0; at < sizeof reductions / sizeof *reductions; at++)
        for (unsigned length = 0; length < sizeof counts / sizeof *counts; length++) {
            int count = counts[length], root = (int)(at * 11 + length * 5) % size;
            memset(results, 0, sizeof results);
            for (int form = 0; form < FORMS; form++) {
                MPI_Comm comm;
                MPI_Request request = MPI_REQUEST_NULL;
                OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
                reductions[at].start(own, results[form], count, root, comm, &request, form);
                if (form == PERSISTENT) OK(MPI_Start(&request));
                OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
                if (form == PERSISTENT) OK(MPI_Request_free(&request));
                OK(MPI_Comm_free(&comm));
                CHECK(memcmp(results[0], results[form], sizeof *results) == 0,
                      "%s of %d elements: form %d has other bits than the blocking one",
                      reductions[at].name, count, form);
            }
        }
}

static void creations(void)
{
    MPI_Comm part, copy;
    MPI_Win win;
    void *base;
    unsigned long long before = sent();
    OK(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part));
    expect_packets("MPI_Comm_split", before, 12);
    before = sent();
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    expect_packets("MPI_Comm_dup", before, 5);
    before = sent();
    OK(MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    expect_packets("MPI_Win_allocate", before, 24);
    long own = rank, sum = -1;
    OK(MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, copy));
    CHECK(sum == size * (size - 1) / 2, "allreduce of a duplicate: %ld", sum);
    OK(MPI_Win_free(&win));
    OK(MPI_Comm_free(&part));
    OK(MPI_Comm_free(&copy));
}

int main(int argc, char **argv)
{
    long own = 1, sum;
    /* As if each process had a processor of its own. */
    setenv("NEMESIS_OVERSUBSCRIBED", "no", 1);
    begin(&argc, &argv);
    open_counter();
    /* The first reduction makes the segments. */
    OK(MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum == size, "the first allreduce: %ld", sum);
    for (int round = 0; round < 20; round++) {
        for_all();
        rooted(round * 7 % size);
    }
    creations();
    test_equal_bits();
    OK(MPI_T_pvar_handle_free(session, &packets));
    OK(MPI_T_pvar_session_free(&session));
    OK(MPI_T_finalize());
    OK(MPI_Finalize());
}
