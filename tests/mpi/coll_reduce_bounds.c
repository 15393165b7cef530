/* Reductions of elements with a negative lower bound and gaps, by user-defined operations: in place
 * and not, with all roots, in every form.
 *
 * The operations find the elements where the datatype places them. The operations "first" and
 * "last" do not commute: they show which ranks were combined first and last.
 *
 * sizes: 1 2 3 4 7
 * modes: default narrow
 * seconds: 90
 */

#include "coll.h"

enum { MODULUS = 1000 };

static int rank, size;
static const Kind *kind;

static long value_here(int peer, long index) { return (peer * 37 + index * 11 + 1) % MODULUS; }

static const Kind *kind_of(MPI_Datatype type) {
    for (int which = 0; which < kinds_count; which++)
        if (kinds[which].type == type) return &kinds[which];
    return kind;
}

static void first(void *in, void *inout, int *length, MPI_Datatype *type) {
    const Kind *of = kind_of(*type);
    for (int index = 0; index < *length; index++)
        put(of, inout, index, of->get(element(of, in, index)));
}

static void last(void *in, void *inout, int *length, MPI_Datatype *type) {
    const Kind *of = kind_of(*type);
    for (int index = 0; index < *length; index++)
        if (of->get(element(of, in, index)) < 0 || of->get(element(of, inout, index)) < 0)
            fail_at(__LINE__, "operand", -1, 0);
}

static void sum(void *in, void *inout, int *length, MPI_Datatype *type) {
    const Kind *of = kind_of(*type);
    for (int index = 0; index < *length; index++)
        put(of, inout, index,
            (of->get(element(of, in, index)) + of->get(element(of, inout, index))) % MODULUS);
}

typedef struct Operation {
    MPI_User_function *function;
    int commutes;
    MPI_Op op;
} Operation;

static Operation operations[] = {{first, 0, MPI_OP_NULL}, {last, 0, MPI_OP_NULL},
                                 {sum, 1, MPI_OP_NULL}};
static const Operation *operation;

static long combined(int from, int to, long index) {
    if (operation->function == first) return value_here(from, index);
    if (operation->function == last) return value_here(to, index);
    long total = 0;
    for (int peer = from; peer <= to; peer++) total = (total + value_here(peer, index)) % MODULUS;
    return total;
}

static void *own_vector(long count) {
    void *own = new_elements(kind, count);
    for (long index = 0; index < count; index++) put(kind, own, index, value_here(rank, index));
    return own;
}

static void check(int line, const void *result, long count, long skipped, int from, int to) {
    for (long index = 0; index < count; index++)
        expect_at(line, kind, result, index, combined(from, to, skipped + index));
}
#define CHECK(result, count, skipped, from, to) check(__LINE__, result, count, skipped, from, to)

static void test_vector(MPI_Comm comm, int count, int in_place) {
    for (int root = 0; root < size; root++) {
        int mine = in_place && rank == root;
        void *own = own_vector(count), *result = new_elements(kind, count);
        COLL(comm, Reduce, reduce, mine ? MPI_IN_PLACE : own, mine ? own : result, count,
             kind->type, operation->op, root);
        if (rank == root) CHECK(mine ? own : result, count, 0, 0, size - 1);
        else UNTOUCHED(kind, result, 0);
        if (!mine) CHECK(own, count, 0, rank, rank);
        release(kind, own);
        release(kind, result);
    }
    for (int which = 0; which < 3; which++) {
        void *own = own_vector(count), *result = new_elements(kind, count),
            *from = in_place ? MPI_IN_PLACE : own, *to = in_place ? own : result;
        if (which == 0) {
            COLL(comm, Allreduce, allreduce, from, to, count, kind->type, operation->op);
            CHECK(to, count, 0, 0, size - 1);
        } else if (which == 1) {
            COLL(comm, Scan, scan, from, to, count, kind->type, operation->op);
            CHECK(to, count, 0, 0, rank);
        } else {
            COLL(comm, Exscan, exscan, from, to, count, kind->type, operation->op);
            if (rank > 0) CHECK(to, count, 0, 0, rank - 1);
            else if (in_place) CHECK(to, count, 0, 0, 0);
            else UNTOUCHED(kind, to, 0);
        }
        UNTOUCHED(kind, to, count);
        release(kind, own);
        release(kind, result);
    }
}

static void test_shares(MPI_Comm comm, int count, int in_place) {
    int *counts = malloc(sizeof(int) * size), total = 0, begin = 0;
    for (int peer = 0; peer < size; peer++) {
        counts[peer] = (peer + 1) % 3 * count;
        if (peer < rank) begin += counts[peer];
        total += counts[peer];
    }
    void *own = own_vector(total), *result = new_elements(kind, total);
    COLL(comm, Reduce_scatter, reduce_scatter, in_place ? MPI_IN_PLACE : own,
         in_place ? own : result, counts, kind->type, operation->op);
    CHECK(in_place ? own : result, counts[rank], begin, 0, size - 1);
    if (!in_place) UNTOUCHED(kind, result, counts[rank]);
    release(kind, own);
    release(kind, result);
    own = own_vector((long)size * count);
    result = new_elements(kind, (long)size * count);
    COLL(comm, Reduce_scatter_block, reduce_scatter_block, in_place ? MPI_IN_PLACE : own,
         in_place ? own : result, count, kind->type, operation->op);
    CHECK(in_place ? own : result, count, (long)rank * count, 0, size - 1);
    release(kind, own);
    release(kind, result);
    free(counts);
}

static void test(MPI_Comm comm) {
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    for (form = 0; form < FORMS; form++)
        for (int which = 2; which < kinds_count; which++)
            for (unsigned how = 0; how < sizeof operations / sizeof *operations; how++) {
                static const int lengths[] = {1, 9, 5100};
                kind = &kinds[which];
                operation = &operations[how];
                for (int at = 0; at < 3; at++)
                    for (int in_place = 0; in_place < 2; in_place++) {
                        test_vector(comm, lengths[at], in_place);
                        test_shares(comm, lengths[at], in_place);
                    }
            }
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    make_kinds();
    for (unsigned how = 0; how < sizeof operations / sizeof *operations; how++)
        OK(MPI_Op_create(operations[how].function, operations[how].commutes, &operations[how].op));
    on_communicators(test);
    for (unsigned how = 0; how < sizeof operations / sizeof *operations; how++)
        OK(MPI_Op_free(&operations[how].op));
    free_kinds();
    return end();
}
