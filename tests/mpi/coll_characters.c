/* Reductions of MPI_CHAR and MPI_CHARACTER, and logical reductions of MPI_AINT, MPI_COUNT and
 * MPI_OFFSET. The tables of the standard do not list these combinations, but MPICH, Intel MPI and
 * Open MPI accept them, in all reducing collectives and in accumulates. A character is C's char,
 * signed or not.
 *
 * sizes: 1 2 3 4
 */

#include "coll.h"

enum { LONGEST = 3000 };

static int rank, size;

/* The C compiler's result of `left op right` on char. */
static char combined(MPI_Op op, char left, char right) {
    if (op == MPI_SUM) return (char)(left + right);
    if (op == MPI_PROD) return (char)(left * right);
    if (op == MPI_MAX) return left > right ? left : right;
    if (op == MPI_MIN) return left < right ? left : right;
    if (op == MPI_LAND) return left && right;
    if (op == MPI_LOR) return left || right;
    if (op == MPI_LXOR) return !left != !right;
    if (op == MPI_BAND) return left & right;
    if (op == MPI_BOR) return left | right;
    return left ^ right;
}

static char own(int peer, long index) { return (char)(peer * 97 + index * 53 + 120); }

/* The reduction over ranks 0 to `last`. */
static char reduced(MPI_Op op, int last, long index) {
    char value = own(0, index);
    for (int peer = 1; peer <= last; peer++) value = combined(op, value, own(peer, index));
    return value;
}

static void check(int line, const char *data, long count, MPI_Op op, int last, long first) {
    for (long index = 0; index < count; index++)
        if (data[index] != reduced(op, last, first + index))
            fail_at(line, "character", data[index], reduced(op, last, first + index));
}

static void test_collectives(MPI_Comm comm, MPI_Datatype type, MPI_Op op, int count) {
    static char in[16 * LONGEST], out[16 * LONGEST];
    int lengths[64];
    for (int index = 0; index < size * count; index++) in[index] = own(rank, index);
    for (int index = 0; index < size; index++) lengths[index] = count;
    COLL(comm, Allreduce, allreduce, in, out, count, type, op);
    check(__LINE__, out, count, op, size - 1, 0);
    COLL(comm, Reduce, reduce, in, out, count, type, op, size - 1);
    if (rank == size - 1) check(__LINE__, out, count, op, size - 1, 0);
    COLL(comm, Scan, scan, in, out, count, type, op);
    check(__LINE__, out, count, op, rank, 0);
    COLL(comm, Exscan, exscan, in, out, count, type, op);
    if (rank > 0) check(__LINE__, out, count, op, rank - 1, 0);
    COLL(comm, Reduce_scatter_block, reduce_scatter_block, in, out, count, type, op);
    check(__LINE__, out, count, op, size - 1, (long)rank * count);
    COLL(comm, Reduce_scatter, reduce_scatter, in, out, lengths, type, op);
    check(__LINE__, out, count, op, size - 1, (long)rank * count);
    memcpy(out, in, (size_t)count);
    OK(MPI_Reduce_local(in, out, count, type, op));
    for (long index = 0; index < count; index++)
        EQUAL("local result", out[index], combined(op, own(rank, index), own(rank, index)));
}

static void test_accumulates(MPI_Datatype type, MPI_Op op) {
    enum { ELEMENTS = 41 };
    char mine[ELEMENTS], before[ELEMENTS], *memory;
    MPI_Win window;
    OK(MPI_Win_allocate(ELEMENTS, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window));
    for (long index = 0; index < ELEMENTS; index++) mine[index] = own(rank, index);
    for (long index = 0; index < ELEMENTS; index++) memory[index] = own(0, index);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, window));
    for (int target = 0; target < size && rank > 0; target++) {
        OK(MPI_Accumulate(mine, 20, type, target, 0, 20, type, op, window));
        OK(MPI_Get_accumulate(mine + 20, 20, type, before, 20, type, target, 20, 20, type, op,
                              window));
        OK(MPI_Fetch_and_op(mine + 40, before + 40, type, target, 40, op, window));
    }
    OK(MPI_Win_unlock_all(window));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window));
    /* The operations are commutative and associative, so the order does not matter. The result of a
     * logical operation is 0 or 1 once two values have been combined. */
    for (long index = 0; index < ELEMENTS; index++)
        EQUAL("accumulated", memory[index], reduced(op, size - 1, index));
    memory[0] = 'a';
    OK(MPI_Win_unlock(rank, window));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    char wanted = 'a', next = 'b', seen = 0;
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (rank + 1) % size, 0, window));
    OK(MPI_Compare_and_swap(&next, &wanted, &seen, type, (rank + 1) % size, 0, window));
    OK(MPI_Win_unlock((rank + 1) % size, window));
    EQUAL("swapped out", seen, 'a');
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window));
    EQUAL("swapped in", memory[0], 'b');
    OK(MPI_Win_unlock(rank, window));
    OK(MPI_Win_free(&window));
}

static void test_truth(MPI_Comm comm, MPI_Datatype type) {
    long long own_value = rank == 0 ? 1LL << 40 : 0, all;
    /* A single value is copied, not combined. */
    COLL(comm, Allreduce, allreduce, &own_value, &all, 1, type, MPI_LOR);
    EQUAL("or", all, size == 1 ? 1LL << 40 : 1);
    COLL(comm, Allreduce, allreduce, &own_value, &all, 1, type, MPI_LAND);
    EQUAL("and", all, size == 1 ? 1LL << 40 : 0);
    COLL(comm, Allreduce, allreduce, &own_value, &all, 1, type, MPI_LXOR);
    EQUAL("exclusive or", all, size == 1 ? 1LL << 40 : 1);
}

/* MPI_BYTE has no arithmetic; MPI_WCHAR and MPI_PACKED have no operation at all. */
static void test_refused(MPI_Comm comm) {
    wchar_t in = 1, out = 0;
    int class;
    MPI_Datatype types[] = {MPI_WCHAR, MPI_PACKED, MPI_BYTE};
    for (int index = 0; index < 3; index++) {
        OK(MPI_Error_class(MPI_Allreduce(&in, &out, 1, types[index], MPI_SUM, comm), &class));
        EQUAL("class", class, MPI_ERR_OP);
        OK(MPI_Error_class(MPI_Reduce_local(&in, &out, 1, types[index], MPI_LAND), &class));
        EQUAL("class", class, MPI_ERR_OP);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    world_rank = rank, world_size = size;
    MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX,  MPI_MIN, MPI_LAND,
                    MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
    MPI_Datatype characters[] = {MPI_CHAR, MPI_CHARACTER},
                 integers[] = {MPI_AINT, MPI_COUNT, MPI_OFFSET};
    for (int type = 0; type < 2; type++)
        for (int op = 0; op < 10; op++) {
            for (form = 0; form < FORMS; form++) {
                test_collectives(MPI_COMM_WORLD, characters[type], ops[op], 1);
                test_collectives(MPI_COMM_WORLD, characters[type], ops[op], LONGEST);
            }
            form = BLOCKING;
            test_accumulates(characters[type], ops[op]);
        }
    for (form = 0; form < FORMS; form++)
        for (int type = 0; type < 3; type++) test_truth(MPI_COMM_WORLD, integers[type]);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    test_refused(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
