/* Every algorithm of every collective operation, forced by the info of a communicator, at lengths
 * on both sides of all limits, with results checked. An algorithm that cannot do the job leaves it
 * to another one. A unit test of the library compares the tables and lengths with its own
 * (mpi-coll::operations).
 *
 * sizes: 1 2 3 4 7
 * modes: default copy network tiny dedicated oversubscribed fast_lines slow_lines
 * seconds: 120
 */

#include "check.h"
#include <stdint.h>

enum { LONGEST = 32769, RANKS = 16 };

/* The tables of the library (crates/mpi-coll), by operation. */
static const struct {
    const char *operation, *algorithms;
} tables[] = {
    {"barrier", "segment,hierarchical,dissemination_by_four,dissemination"},
    {"bcast", "staged,pipelined,single_copy,hierarchical,binomial_tree,two_trees"},
    {"reduce", "staged,pipelined,single_copy,hierarchical,binomial_tree,circulant,halving"},
    {"allreduce", "staged,pipelined,single_copy,hierarchical,recursive_multiplying,"
                  "recursive_doubling,circulant,halving"},
    {"reduce_scatter", "staged,pipelined,single_copy,hierarchical,recursive_doubling,circulant,"
                       "halving,pairwise"},
    {"scan", "staged,pipelined,single_copy,recursive_doubling"},
    {"gather", "staged,single_copy,hierarchical,binomial_tree,linear"},
    {"scatter", "staged,single_copy,hierarchical,binomial_tree,linear"},
    {"allgather", "staged,pipelined,single_copy,hierarchical,recursive_doubling,bruck,"
                  "neighbour_exchange,ring"},
    {"alltoall", "staged,pipelined,single_copy,hierarchical,bruck,pairwise"},
};

/* Elements, of eight bytes: one, and both sides of each limit. Those of an allgather and an
 * alltoall are also limits of all blocks together. */
static const int lengths[] = {1,    3,    128,  129,  256,  257,   512,   513,   2048,
                              2049, 4096, 4097, 8192, 8193, 16384, 16385, 32768, 32769};

static int64_t sent[LONGEST * RANKS], received[LONGEST * RANKS];
static const char *operation, *algorithm;
static int length;

static int64_t element(int of, int64_t index) { return of * 1000003 + index * 7 + 1; }

static void prepare(int64_t count)
{
    for (int64_t index = 0; index < count; index++) {
        sent[index] = element(rank, index);
        received[index] = -1;
    }
}

static void expect(int64_t index, int64_t expected)
{
    CHECK(received[index] == expected, "%s by %s of %d elements: element %ld is %ld, not %ld",
          operation, algorithm, length, (long)index, (long)received[index], (long)expected);
}

/* The elements `start` to `start` + `count` - 1 of the sum of ranks 0 to `ranks` - 1, which have
 * been received from element 0 on. */
static void expect_sum(int64_t start, int64_t count, int ranks)
{
    for (int64_t index = 0; index < count; index++) {
        int64_t sum = 0;
        for (int of = 0; of < ranks; of++)
            sum += element(of, start + index);
        expect(index, sum);
    }
}

static void barrier(MPI_Comm comm)
{
    MPI_Request request;
    OK(MPI_Barrier(comm));
    OK(MPI_Ibarrier(comm, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void bcast(MPI_Comm comm)
{
    for (int way = 0; way < 2; way++) {
        MPI_Request request = MPI_REQUEST_NULL;
        int root = way ? size - 1 : 0;
        prepare(length);
        memcpy(received, sent, rank == root ? sizeof *sent * length : 0);
        if (way)
            OK(MPI_Ibcast(received, length, MPI_INT64_T, root, comm, &request));
        else
            OK(MPI_Bcast(received, length, MPI_INT64_T, root, comm));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (int index = 0; index < length; index++)
            expect(index, element(root, index));
    }
}

static void reduce(MPI_Comm comm)
{
    for (int root = 0; root < size; root += size == 1 ? 1 : size - 1) {
        prepare(length);
        OK(MPI_Reduce(sent, received, length, MPI_INT64_T, MPI_SUM, root, comm));
        expect_sum(0, rank == root ? length : 0, size);
    }
}

static void allreduce(MPI_Comm comm)
{
    MPI_Request request;
    prepare(length);
    OK(MPI_Allreduce(sent, received, length, MPI_INT64_T, MPI_SUM, comm));
    expect_sum(0, length, size);
    memcpy(received, sent, sizeof *sent * length);
    OK(MPI_Allreduce(MPI_IN_PLACE, received, length, MPI_INT64_T, MPI_SUM, comm));
    expect_sum(0, length, size);
    prepare(length);
    OK(MPI_Iallreduce(sent, received, length, MPI_INT64_T, MPI_SUM, comm, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    expect_sum(0, length, size);
}

static void reduce_scatter(MPI_Comm comm)
{
    int counts[RANKS], start = 0;
    prepare((int64_t)length * size);
    OK(MPI_Reduce_scatter_block(sent, received, length, MPI_INT64_T, MPI_SUM, comm));
    expect_sum((int64_t)rank * length, length, size);
    for (int of = 0; of < size; of++) {
        counts[of] = of % 2 ? length : length / 2;
        start += of < rank ? counts[of] : 0;
    }
    prepare((int64_t)length * size);
    OK(MPI_Reduce_scatter(sent, received, counts, MPI_INT64_T, MPI_SUM, comm));
    expect_sum(start, counts[rank], size);
}

static void scan(MPI_Comm comm)
{
    prepare(length);
    OK(MPI_Scan(sent, received, length, MPI_INT64_T, MPI_SUM, comm));
    expect_sum(0, length, rank + 1);
    prepare(length);
    OK(MPI_Exscan(sent, received, length, MPI_INT64_T, MPI_SUM, comm));
    expect_sum(0, rank == 0 ? 0 : length, rank);
}

/* The blocks of all ranks, of which each has sent its elements from `start` on. */
static void expect_blocks(int64_t start)
{
    for (int of = 0; of < size; of++)
        for (int index = 0; index < length; index++)
            expect((int64_t)of * length + index, element(of, start + index));
}

static void gather(MPI_Comm comm)
{
    for (int root = 0; root < size; root += size == 1 ? 1 : size - 1) {
        prepare((int64_t)length * size);
        OK(MPI_Gather(sent, length, MPI_INT64_T, received, length, MPI_INT64_T, root, comm));
        if (rank == root) expect_blocks(0);
    }
}

static void scatter(MPI_Comm comm)
{
    for (int root = 0; root < size; root += size == 1 ? 1 : size - 1) {
        prepare((int64_t)length * size);
        OK(MPI_Scatter(sent, length, MPI_INT64_T, received, length, MPI_INT64_T, root, comm));
        for (int index = 0; index < length; index++)
            expect(index, element(root, (int64_t)rank * length + index));
    }
}

static void allgather(MPI_Comm comm)
{
    int counts[RANKS], starts[RANKS];
    prepare((int64_t)length * size);
    OK(MPI_Allgather(sent, length, MPI_INT64_T, received, length, MPI_INT64_T, comm));
    expect_blocks(0);
    for (int of = 0; of < size; of++) {
        counts[of] = of % 2 ? length / 2 : length;
        starts[of] = of * length;
    }
    prepare((int64_t)length * size);
    OK(MPI_Allgatherv(sent, counts[rank], MPI_INT64_T, received, counts, starts, MPI_INT64_T,
                      comm));
    for (int of = 0; of < size; of++)
        for (int index = 0; index < counts[of]; index++)
            expect(starts[of] + index, element(of, index));
}

static void alltoall(MPI_Comm comm)
{
    prepare((int64_t)length * size);
    OK(MPI_Alltoall(sent, length, MPI_INT64_T, received, length, MPI_INT64_T, comm));
    expect_blocks((int64_t)rank * length);
}

typedef void Test(MPI_Comm comm);

static Test *const tests[] = {barrier, bcast,   reduce,    allreduce, reduce_scatter,
                              scan,    gather,  scatter,   allgather, alltoall};

static void force(const char *value, Test *test)
{
    char key[64], found[256];
    int is_set = 0, room = sizeof found;
    MPI_Info info;
    MPI_Comm comm;
    snprintf(key, sizeof key, "nemesis_%s", operation);
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, key, value));
    OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm));
    OK(MPI_Info_free(&info));
    OK(MPI_Comm_get_info(comm, &info));
    OK(MPI_Info_get_string(info, key, &room, found, &is_set));
    CHECK(is_set && strcmp(found, value) == 0, "the info has no %s=%s", key, value);
    OK(MPI_Info_free(&info));
    /* The collective segment of a communicator exists after some blocking operations. */
    for (int call = 0; call < 4; call++)
        OK(MPI_Barrier(comm));
    for (size_t which = 0; which < sizeof lengths / sizeof *lengths; which++) {
        length = lengths[which];
        if (length == 1 || test != barrier) test(comm);
        length /= size;
        if (length > 0 && size > 1 && (test == allgather || test == alltoall)) test(comm);
    }
    OK(MPI_Comm_free(&comm));
}

/* Rules that make no sense are refused, and processes with different ones hear of it. */
static void refuse(void)
{
    static const char *const senseless[] = {"rings", "staged:", "staged:9-1", "staged,,pipeline"};
    MPI_Info info;
    MPI_Comm comm = MPI_COMM_NULL;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    for (size_t which = 0; which < sizeof senseless / sizeof *senseless; which++) {
        OK(MPI_Info_create(&info));
        OK(MPI_Info_set(info, "nemesis_allreduce", senseless[which]));
        FAILS(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm), MPI_ERR_INFO_VALUE);
        FAILS(MPI_Comm_set_info(MPI_COMM_WORLD, info), MPI_ERR_INFO_VALUE);
        OK(MPI_Info_free(&info));
    }
    const char *shm = getenv("NEMESIS_SHM");
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "nemesis_bcast", rank ? "binomial_tree" : "binomial_tree:0-"));
    OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm));
    OK(MPI_Allreduce(&rank, received, 1, MPI_INT, MPI_SUM, comm));
    OK(MPI_Comm_free(&comm));
    if (size > 1 && (shm == NULL || strcmp(shm, "off") != 0)) {
        OK(MPI_Info_set(info, "nemesis_bcast", rank ? "binomial_tree" : "binomial_tree:9-"));
        OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm));
        FAILS(MPI_Allreduce(&rank, received, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_OTHER);
        OK(MPI_Comm_free(&comm));
    }
    OK(MPI_Info_free(&info));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    refuse();
    for (size_t which = 0; which < sizeof tables / sizeof *tables; which++) {
        char names[256];
        operation = tables[which].operation;
        snprintf(names, sizeof names, "%s", tables[which].algorithms);
        for (char *name = strtok(names, ","); name != NULL; name = strtok(NULL, ",")) {
            algorithm = name;
            force(name, tests[which]);
        }
        /* Two ranges of lengths. */
        char ranges[256];
        const char *last = strrchr(tables[which].algorithms, ',') + 1;
        snprintf(ranges, sizeof ranges, "%s:1000-2000,%s:0-16384", last, last);
        algorithm = ranges;
        force(ranges, tests[which]);
    }
    MPI_Finalize();
    return 0;
}
