/* Collectives of sixteen and more processes, for which other algorithms run: Bruck's alltoall for
 * short blocks, deeper trees, and more rounds than in a small group.
 *
 * sizes: 16 19
 * modes: default
 * seconds: 120
 */

#include "coll.h"

static int rank, size;

static void test_alltoall(MPI_Comm comm, const Kind *kind, int count, int in_place) {
    void *from = new_elements(kind, (long)size * count),
        *to = new_elements(kind, (long)size * count);
    for (int peer = 0; peer < size; peer++)
        for (int index = 0; index < count; index++)
            put(kind, in_place ? to : from, (long)peer * count + index,
                value_of(rank, peer, index));
    COLL(comm, Alltoall, alltoall, in_place ? MPI_IN_PLACE : from, count, kind->type, to, count,
         kind->type);
    for (int peer = 0; peer < size; peer++)
        for (int index = 0; index < count; index++) {
            EXPECT(kind, to, (long)peer * count + index, value_of(peer, rank, index));
            if (!in_place)
                EXPECT(kind, from, (long)peer * count + index, value_of(rank, peer, index));
        }
    UNTOUCHED(kind, to, (long)size * count);
    release(kind, from);
    release(kind, to);
}

/* Sender and receiver describe equal data with different datatypes, with and without gaps. The
 * algorithm may depend only on the number of data bytes. */
static void test_other_layout(MPI_Comm comm, const Kind *kind, int count) {
    int bytes;
    OK(MPI_Type_size(kind->type, &bytes));
    char *packed = malloc((size_t)size * count * bytes),
        *back = malloc((size_t)size * count * bytes);
    void *from = new_elements(kind, (long)size * count);
    for (int place = 0; place < size * count; place++)
        put(kind, from, place, value_of(rank, place / (count ? count : 1), place));
    int position = 0;
    COLL(comm, Alltoall, alltoall, from, count, kind->type, packed, count * bytes, MPI_BYTE);
    COLL(comm, Alltoall, alltoall, packed, count * bytes, MPI_BYTE, back, count * bytes, MPI_BYTE);
    OK(MPI_Pack(from, size * count, kind->type, packed, size * count * bytes, &position, comm));
    EQUAL("data after the way back", memcmp(packed, back, (size_t)position), 0);
    release(kind, from);
    free(packed);
    free(back);
}

static void test_gathers(MPI_Comm comm, const Kind *kind, int count, int root) {
    void *own = new_elements(kind, count), *all = new_elements(kind, (long)size * count),
        *back = new_elements(kind, count);
    for (int index = 0; index < count; index++) put(kind, own, index, value_of(rank, 0, index));
    COLL(comm, Allgather, allgather, own, count, kind->type, all, count, kind->type);
    for (int peer = 0; peer < size; peer++)
        for (int index = 0; index < count; index++)
            EXPECT(kind, all, (long)peer * count + index, value_of(peer, 0, index));
    COLL(comm, Gather, gather, own, count, kind->type, all, count, kind->type, root);
    COLL(comm, Scatter, scatter, all, count, kind->type, back, count, kind->type, root);
    for (int index = 0; index < count; index++) EXPECT(kind, back, index, value_of(rank, 0, index));
    COLL(comm, Bcast, bcast, back, count, kind->type, root);
    for (int index = 0; index < count; index++) EXPECT(kind, back, index, value_of(root, 0, index));
    release(kind, own);
    release(kind, all);
    release(kind, back);
}

/* Two-by-two matrices modulo a prime. The product is associative, and any other order of ranks
 * gives another result. */
enum { PRIME = 10007 };

typedef struct Matrix { int at[4]; } Matrix;

static Matrix product(Matrix left, Matrix right) {
    Matrix result;
    for (int i = 0; i < 4; i++)
        result.at[i] = (left.at[i & 2] * right.at[i & 1] +
                        left.at[(i & 2) + 1] * right.at[(i & 1) + 2]) % PRIME;
    return result;
}

static void multiply(void *in, void *inout, int *length, MPI_Datatype *type) {
    Matrix *left = in, *right = inout;
    (void)type;
    for (int index = 0; index < *length; index++) right[index] = product(left[index], right[index]);
}

static Matrix matrix_of(int peer, long index) {
    return (Matrix){{1 + (int)((peer * 7 + index) % 100), (int)(peer * 3 + index) % 11,
                     (int)(peer + index * 5) % 13, 2 + peer % 5}};
}

static void check_product(const Matrix *seen, int first, int last, long index) {
    Matrix wanted = matrix_of(first, index);
    for (int peer = first + 1; peer <= last; peer++)
        wanted = product(wanted, matrix_of(peer, index));
    for (int i = 0; i < 4; i++) EQUAL("entry of a product", seen->at[i], wanted.at[i]);
}

static void test_products(MPI_Comm comm, MPI_Datatype type, MPI_Op op, int count, int root) {
    int total = size * count;
    Matrix *own = malloc(sizeof(Matrix) * (total + 1)),
        *result = malloc(sizeof(Matrix) * (total + 1));
    int *counts = malloc(sizeof(int) * size), begin = 0, mine = 0;
    for (int index = 0; index < total; index++) own[index] = matrix_of(rank, index);
    COLL(comm, Allreduce, allreduce, own, result, total, type, op);
    for (int index = 0; index < total; index++) check_product(&result[index], 0, size - 1, index);
    COLL(comm, Reduce, reduce, own, result, total, type, op, root);
    for (int index = 0; rank == root && index < total; index++)
        check_product(&result[index], 0, size - 1, index);
    COLL(comm, Scan, scan, own, result, total, type, op);
    for (int index = 0; index < total; index++) check_product(&result[index], 0, rank, index);
    COLL(comm, Exscan, exscan, own, result, total, type, op);
    for (int index = 0; rank > 0 && index < total; index++)
        check_product(&result[index], 0, rank - 1, index);
    COLL(comm, Reduce_scatter_block, reduce_scatter_block, own, result, count, type, op);
    for (int index = 0; index < count; index++)
        check_product(&result[index], 0, size - 1, (long)rank * count + index);
    for (int peer = 0; peer < size; peer++) counts[peer] = peer % 3 == 1 ? 0 : count;
    for (int peer = 0; peer < rank; peer++) begin += counts[peer];
    mine = counts[rank];
    COLL(comm, Reduce_scatter, reduce_scatter, own, result, counts, type, op);
    for (int index = 0; index < mine; index++)
        check_product(&result[index], 0, size - 1, begin + index);
    free(own);
    free(result);
    free(counts);
}

/* The sums of more than sixteen processes have equal bits in a collective segment and as messages,
 * by which a new communicator begins its non-blocking operations (MPI 5.0 §6.9.1). Fewer processes
 * combine in the order of ranks in a segment. */
static void test_equal_bits(MPI_Comm comm) {
    if (size <= 16) return;
    static double own[2048], blocking[2048], by_messages[2048];
    static const int counts[] = {1, 7, 100, 2048};
    for (unsigned at = 0; at < sizeof counts / sizeof *counts; at++) {
        MPI_Comm fresh;
        MPI_Request request;
        int count = counts[at];
        for (int index = 0; index < count; index++)
            own[index] = (rank % 2 ? -1.0 : 1.0) / (1 + rank * 7919 % 101 + index * 31 % 17);
        OK(MPI_Allreduce(own, blocking, count, MPI_DOUBLE, MPI_SUM, comm));
        OK(MPI_Comm_dup(comm, &fresh));
        OK(MPI_Iallreduce(own, by_messages, count, MPI_DOUBLE, MPI_SUM, fresh, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        OK(MPI_Comm_free(&fresh));
        EQUAL("sums of a segment that differ from those of messages",
              memcmp(blocking, by_messages, (size_t)count * sizeof *own) != 0, 0);
    }
}

static void test(MPI_Comm comm) {
    MPI_Datatype type;
    MPI_Op op;
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    OK(MPI_Type_contiguous(4, MPI_INT, &type));
    OK(MPI_Type_commit(&type));
    OK(MPI_Op_create(multiply, 0, &op));
    test_equal_bits(comm);
    static const int blocks[] = {0, 1, 2, 5, 16, 17, 100};
    for (form = 0; form < FORMS; form++) {
        for (int kind = 0; kind < kinds_count; kind++)
            for (unsigned at = 0; at < sizeof blocks / sizeof *blocks; at++) {
                test_alltoall(comm, &kinds[kind], blocks[at], 0);
                test_alltoall(comm, &kinds[kind], blocks[at], 1);
                test_other_layout(comm, &kinds[kind], blocks[at]);
                test_gathers(comm, &kinds[kind], blocks[at], (int)at * 5 % size);
            }
        test_gathers(comm, &kinds[form], 5000, size - 1);
        test_products(comm, type, op, 1, size - 1);
        test_products(comm, type, op, 40, size / 2);
    }
    OK(MPI_Op_free(&op));
    OK(MPI_Type_free(&type));
}

int main(int argc, char **argv) {
    MPI_Comm backwards;
    begin(&argc, &argv);
    make_kinds();
    test(MPI_COMM_WORLD);
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &backwards));
    test(backwards);
    OK(MPI_Comm_free(&backwards));
    free_kinds();
    return end();
}
