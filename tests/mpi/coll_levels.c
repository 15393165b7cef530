/* Collective operations of more processes of a node than share a collective segment: the data are
 * right, and where all processes are on one node, they send at most a few packets.
 *
 * sizes: 17 33
 * modes: dedicated oversubscribed
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
    OK(MPI_Scan(own, sum, COUNT, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum[0] == 131L * rank * (rank + 1) / 2, "scan: %ld", sum[0]);
    OK(MPI_Exscan(own, sum, COUNT, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK(rank == 0 || sum[0] == 131L * rank * (rank - 1) / 2, "exscan: %ld", sum[0]);
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
    begin(&argc, &argv);
    open_counter();
    /* The first reduction makes the segments. */
    OK(MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum == size, "the first allreduce: %ld", sum);
    for (int round = 0; round < 40; round++) {
        for_all();
        rooted(round * 7 % size);
    }
    creations();
    OK(MPI_T_pvar_handle_free(session, &packets));
    OK(MPI_T_pvar_session_free(&session));
    OK(MPI_T_finalize());
    OK(MPI_Finalize());
}
