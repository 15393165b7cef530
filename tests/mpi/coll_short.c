/* Blocking collectives of short data. Some processes take the fast path and others the slow path,
 * because their datatype is derived, their operation is in place, or they enter late. Results must
 * be equal on both paths, and wrong arguments must fail before the call has any effect.
 *
 * sizes: 2 3 4 8
 * modes: default copy threads dedicated oversubscribed
 */

#define _GNU_SOURCE
#include "coll.h"
#include <time.h>

enum { WARM = 6, ROUNDS = 60, LONGEST = 300, RANKS_MAX = 16 };

static int rank, size;
static MPI_Comm comm;
static MPI_Datatype two;
static int in[LONGEST * RANKS_MAX], out[LONGEST * RANKS_MAX + 1];
static unsigned seed;

/* Random numbers: from the common `seed` they are equal at all ranks, from a rank's own seed they
 * differ. */
static unsigned draw(unsigned *state) { return (*state = *state * 1103515245 + 12345) >> 8; }

static void come_late(unsigned *own) {
    long nanoseconds = draw(own) % 8 ? 0 : draw(own) % 16 ? 20000 : 5000000;
    struct timespec pause = {0, nanoseconds};
    if (nanoseconds) nanosleep(&pause, NULL);
}

static int value(int peer, int index, int round) { return peer * 1000 + index * 7 + round; }

static void fill(int *place, int peer, int from, int count, int round) {
    for (int i = 0; i < count; i++) place[i] = value(peer, from + i, round);
}

static void expect_block(const char *what, const int *place, int peer, int from, int count,
                         int round) {
    for (int i = 0; i < count; i++) EQUAL(what, place[i], value(peer, from + i, round));
}

static void expect_sums(const char *what, const int *place, int members, int from, int count,
                        int round) {
    for (int i = 0; i < count; i++) {
        int sum = 0;
        for (int peer = 0; peer < members; peer++) sum += value(peer, from + i, round);
        EQUAL(what, place[i], sum);
    }
}

static void one_round(int round, int count, unsigned *own) {
    int root = round % size, is_root = rank == root, in_place = draw(own) % 3 == 0;
    int derived = count % 2 == 0 && draw(own) % 3 == 0, number = derived ? count / 2 : count;
    MPI_Datatype type = derived ? two : MPI_INT;
    void *sent = in_place ? MPI_IN_PLACE : (void *)in;
    out[count * size] = PATTERN;

    come_late(own);
    OK(MPI_Barrier(comm));

    fill(in, rank, 0, count, round);
    come_late(own);
    OK(MPI_Bcast(in, number, type, root, comm));
    expect_block("broadcast", in, root, 0, count, round);

    fill(in, rank, 0, count, round);
    memcpy(out, in, sizeof *in * count);
    come_late(own);
    OK(MPI_Allreduce(sent, out, count, MPI_INT, MPI_SUM, comm));
    expect_sums("allreduce", out, size, 0, count, round);

    memcpy(out, in, sizeof *in * count);
    come_late(own);
    OK(MPI_Reduce(is_root ? sent : in, out, count, MPI_INT, MPI_SUM, root, comm));
    if (is_root) expect_sums("reduce", out, size, 0, count, round);

    memcpy(out, in, sizeof *in * count);
    come_late(own);
    OK(MPI_Scan(sent, out, count, MPI_INT, MPI_SUM, comm));
    expect_sums("scan", out, rank + 1, 0, count, round);

    fill(out + rank * count, rank, 0, count, round);
    come_late(own);
    OK(MPI_Allgather(sent, number, type, out, number, type, comm));
    for (int peer = 0; peer < size; peer++)
        expect_block("allgather", out + peer * count, peer, 0, count, round);

    memset(out, 0, sizeof *out * count * size);
    fill(out + rank * count, rank, 0, count, round);
    come_late(own);
    OK(MPI_Gather(is_root ? sent : in, number, type, out, number, type, root, comm));
    for (int peer = 0; is_root && peer < size; peer++)
        expect_block("gather", out + peer * count, peer, 0, count, round);

    fill(in, rank, 0, count * size, round);
    come_late(own);
    OK(MPI_Alltoall(in, number, type, out, number, type, comm));
    for (int peer = 0; peer < size; peer++)
        expect_block("alltoall", out + peer * count, peer, rank * count, count, round);

    memset(out, 0, sizeof *out * count);
    come_late(own);
    OK(MPI_Scatter(in, number, type, is_root && in_place ? MPI_IN_PLACE : (void *)out, number, type,
                   root, comm));
    expect_block("scatter", is_root && in_place ? in + root * count : out, root, rank * count,
                 count, round);

    memcpy(out, in, sizeof *in * count * size);
    come_late(own);
    OK(MPI_Reduce_scatter_block(sent, out, count, MPI_INT, MPI_SUM, comm));
    expect_sums("reduce_scatter_block", out, size, rank * count, count, round);

    /* The first rank gets more elements than the others, and the last none. */
    int counts[RANKS_MAX], before = 0, total = 0;
    for (int peer = 0; peer < size; peer++) {
        counts[peer] = peer == size - 1 ? 0 : peer == 0 ? count + 1 : count;
        before += peer < rank ? counts[peer] : 0;
        total += counts[peer];
    }
    fill(in, rank, 0, total, round);
    memcpy(out, in, sizeof *in * total);
    come_late(own);
    OK(MPI_Reduce_scatter(sent, out, counts, MPI_INT, MPI_SUM, comm));
    expect_sums("reduce_scatter", out, size, before, counts[rank], round);
    EQUAL("element past the end", out[count * size], PATTERN);
}

/* Every operator once, on numbers that reveal the order of the operands if it matters. */
static void test_operators(void) {
    const MPI_Op table[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_BAND, MPI_BOR, MPI_BXOR,
                            MPI_LAND, MPI_LOR, MPI_LXOR};
    for (size_t op = 0; op < sizeof table / sizeof *table; op++) {
        short mine[5], all[5 * RANKS_MAX], joined[5], wanted[5];
        for (int i = 0; i < 5; i++) mine[i] = (short)((rank + 3) * (i + 5) ^ i);
        OK(MPI_Allgather(mine, 5, MPI_SHORT, all, 5, MPI_SHORT, comm));
        memcpy(wanted, all, sizeof wanted);
        for (int peer = 1; peer < size; peer++)
            OK(MPI_Reduce_local(all + 5 * peer, wanted, 5, MPI_SHORT, table[op]));
        OK(MPI_Allreduce(mine, joined, 5, MPI_SHORT, table[op], comm));
        for (int i = 0; i < 5; i++) EQUAL("joined", joined[i], wanted[i]);
    }
    struct { double value; int index; } pair = {rank % 2, rank}, best;
    OK(MPI_Allreduce(&pair, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm));
    EQUAL("index of the greatest", best.index, 1);
}

static void expect_class(int line, int code, int wanted) {
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) OK(MPI_Error_class(code, &class));
    if (class != wanted) fail_at(line, "error class", class, wanted);
}
#define EXPECT_CLASS(code, wanted) expect_class(__LINE__, code, wanted)

static void test_refused(void) {
    double x = 1, y[RANKS_MAX];
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    EXPECT_CLASS(MPI_Allreduce(&x, y, -1, MPI_DOUBLE, MPI_SUM, comm), MPI_ERR_COUNT);
    EXPECT_CLASS(MPI_Allreduce(&x, y, 1, MPI_DATATYPE_NULL, MPI_SUM, comm), MPI_ERR_TYPE);
    EXPECT_CLASS(MPI_Allreduce(&x, y, 1, MPI_DOUBLE, MPI_BAND, comm), MPI_ERR_OP);
    EXPECT_CLASS(MPI_Allreduce(&x, y, 1, MPI_DOUBLE, MPI_REPLACE, comm), MPI_ERR_OP);
    EXPECT_CLASS(MPI_Allreduce(&x, y, 1, MPI_DOUBLE, MPI_OP_NULL, comm), MPI_ERR_OP);
    EXPECT_CLASS(MPI_Allreduce(y, y, 1, MPI_DOUBLE, MPI_SUM, comm), MPI_ERR_BUFFER);
    EXPECT_CLASS(MPI_Allreduce(&x, NULL, 1, MPI_DOUBLE, MPI_SUM, comm), MPI_ERR_BUFFER);
    EXPECT_CLASS(MPI_Allreduce(&x, MPI_IN_PLACE, 1, MPI_DOUBLE, MPI_SUM, comm), MPI_ERR_BUFFER);
    EXPECT_CLASS(MPI_Reduce(&x, y, 1, MPI_DOUBLE, MPI_SUM, size, comm), MPI_ERR_ROOT);
    EXPECT_CLASS(MPI_Reduce(&x, y, 1, MPI_DOUBLE, MPI_SUM, -1, comm), MPI_ERR_ROOT);
    EXPECT_CLASS(MPI_Reduce(&x, &x, 1, MPI_DOUBLE, MPI_SUM, rank, comm), MPI_ERR_BUFFER);
    EXPECT_CLASS(MPI_Reduce(MPI_IN_PLACE, y, 1, MPI_DOUBLE, MPI_SUM, (rank + 1) % size, comm),
                 MPI_ERR_BUFFER);
    EXPECT_CLASS(MPI_Bcast(MPI_IN_PLACE, 1, MPI_DOUBLE, 0, comm), MPI_ERR_BUFFER);
    EXPECT_CLASS(MPI_Bcast(NULL, 1, MPI_DOUBLE, 0, comm), MPI_ERR_BUFFER);
    EXPECT_CLASS(MPI_Bcast(y, 1, MPI_DOUBLE, size, comm), MPI_ERR_ROOT);
    EXPECT_CLASS(MPI_Gather(&x, 1, MPI_DOUBLE, y, 1, MPI_DOUBLE, size, comm), MPI_ERR_ROOT);
    EXPECT_CLASS(MPI_Gather(&y[rank], 1, MPI_DOUBLE, y, 1, MPI_DOUBLE, rank, comm), MPI_ERR_BUFFER);
    EXPECT_CLASS(MPI_Scatter(y, 1, MPI_DOUBLE, &y[rank], 1, MPI_DOUBLE, rank, comm),
                 MPI_ERR_BUFFER);
    EXPECT_CLASS(MPI_Scatter(y, 1, MPI_DOUBLE, MPI_IN_PLACE, 1, MPI_DOUBLE, (rank + 1) % size,
                             comm), MPI_ERR_BUFFER);
    EXPECT_CLASS(MPI_Allgather(&y[rank], 1, MPI_DOUBLE, y, 1, MPI_DOUBLE, comm), MPI_ERR_BUFFER);
    EXPECT_CLASS(MPI_Allgather(&x, 1, MPI_DOUBLE, y, -1, MPI_DOUBLE, comm), MPI_ERR_COUNT);
    EXPECT_CLASS(MPI_Alltoall(y, 1, MPI_DOUBLE, y, 1, MPI_DOUBLE, comm), MPI_ERR_BUFFER);
    EXPECT_CLASS(MPI_Reduce_scatter_block(y, y, 1, MPI_DOUBLE, MPI_SUM, comm), MPI_ERR_BUFFER);
    EXPECT_CLASS(MPI_Scan(y, y, 1, MPI_DOUBLE, MPI_SUM, comm), MPI_ERR_BUFFER);
    /* Checks that no rank has counted the calls that failed. */
    OK(MPI_Barrier(comm));
}

int main(int argc, char **argv) {
    static const int counts[] = {1, 2, 12, 13, 16, 64, 256, 257, 30};
    MPI_Comm twisted, few;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    OK(MPI_Type_contiguous(2, MPI_INT, &two));
    OK(MPI_Type_commit(&two));
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &twisted));
    OK(MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, 0, &few));
    const MPI_Comm comms[] = {MPI_COMM_WORLD, twisted, few};
    unsigned own = 17 + world_rank;
    for (int round = 0; round < ROUNDS; round++) {
        comm = comms[draw(&seed) % 3];
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        one_round(round, counts[draw(&seed) % (sizeof counts / sizeof *counts)], &own);
    }
    comm = twisted;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int call = 0; call < WARM; call++) OK(MPI_Barrier(comm));
    test_operators();
    test_refused();
    test_operators();
    OK(MPI_Comm_free(&twisted));
    OK(MPI_Comm_free(&few));
    OK(MPI_Type_free(&two));
    MPI_Finalize();
    return 0;
}
