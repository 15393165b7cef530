/* Reductions: sums, and affine maps, which are composed by an operation that does not commute; with
 * all roots, in place, and with datatypes that have gaps.
 *
 * The map x -> a x + b (modulo a prime) is a pair of ints. The operation "first the left one, then
 * the right one" is associative, and any other order of ranks gives another result.
 *
 * sizes: 1 2 4 5 8
 * seconds: 120
 */

#include "coll.h"

enum { PRIME = 32749 };

typedef struct Map { int a, b; } Map;

static int rank, size;
static MPI_Op then_op, sum_op;
static MPI_Datatype map_type, wide_type;
static int calls;

static Map then(Map left, Map right) {
    return (Map){(int)((long)left.a * right.a % PRIME),
                 (int)(((long)right.a * left.b + right.b) % PRIME)};
}

static void then_function(void *in, void *inout, int *length, MPI_Datatype *type) {
    int bytes;
    MPI_Aint lb, extent;
    Map left, right;
    calls++;
    /* A user-defined operation may inquire about its datatype (MPI 5.0 §6.9.5). */
    OK(MPI_Type_size(*type, &bytes));
    EQUAL("size of the type", bytes, sizeof(Map));
    OK(MPI_Type_get_extent(*type, &lb, &extent));
    for (int index = 0; index < *length; index++) {
        memcpy(&left, (char *)in + index * extent, sizeof left);
        memcpy(&right, (char *)inout + index * extent, sizeof right);
        right = then(left, right);
        memcpy((char *)inout + index * extent, &right, sizeof right);
    }
}

static void sum_function(void *in, void *inout, int *length, MPI_Datatype *type) {
    EQUAL("type of the sum", *type == MPI_DOUBLE, 1);
    for (int index = 0; index < *length; index++) ((double *)inout)[index] += ((double *)in)[index];
}

static Map map_of(int peer, long index) {
    return (Map){1 + (int)((peer * 37 + index * 11) % 1000),
                 (int)((peer * 101 + index * 13) % PRIME)};
}

/* The composition of the maps of ranks `first` to `last`. */
static Map composed(int first, int last, long index) {
    Map map = map_of(first, index);
    for (int peer = first + 1; peer <= last; peer++) map = then(map, map_of(peer, index));
    return map;
}

static long number_of(int peer, long index) { return peer * 3 + index % 1000; }

static long summed(int first, int last, long index) {
    long sum = 0;
    for (int peer = first; peer <= last; peer++) sum += number_of(peer, index);
    return sum;
}

/* --- Vectors of each variant: writing and checking elements --- */

typedef struct Variant {
    const char *name;
    MPI_Datatype type;
    MPI_Op op;
    size_t extent;
} Variant;

static Variant variants[6];
static int variants_count;
static Variant variant;

static void add_variant(const char *name, MPI_Datatype type, MPI_Op op, size_t extent) {
    variants[variants_count++] = (Variant){name, type, op, extent};
}

static void *at(void *data, long index) { return (char *)data + index * (long)variant.extent; }

static void *vector(long count) {
    size_t bytes = (size_t)count * variant.extent + 64;
    void *data = malloc(bytes);
    memset(data, PATTERN, bytes);
    return data;
}

static void write_own(void *data, long count) {
    for (long index = 0; index < count; index++) {
        if (variant.op == then_op) {
            Map map = map_of(rank, index);
            memcpy(at(data, index), &map, sizeof map);
        } else if (variant.type == MPI_INT) {
            *(int *)at(data, index) = (int)number_of(rank, index);
        } else {
            *(double *)at(data, index) = (double)number_of(rank, index);
        }
    }
}

/* Checks that element `place` of `data` holds the combination of element `index` of ranks `first`
 * to `last`. */
static void check_at(int line, void *data, long place, int first, int last, long index) {
    if (variant.op == then_op) {
        Map map = composed(first, last, index), seen;
        memcpy(&seen, at(data, place), sizeof seen);
        if (seen.a != map.a || seen.b != map.b)
            fprintf(stderr, "element %ld of %s\n", index, variant.name);
        if (seen.a != map.a) fail_at(line, "factor", seen.a, map.a);
        if (seen.b != map.b) fail_at(line, "summand", seen.b, map.b);
        for (size_t byte = sizeof map; byte < variant.extent; byte++)
            if (((unsigned char *)at(data, place))[byte] != PATTERN)
                fail_at(line, "byte of a gap", ((unsigned char *)at(data, place))[byte], PATTERN);
        return;
    }
    long seen = variant.type == MPI_INT ? *(int *)at(data, place)
                                        : (long)*(double *)at(data, place);
    if (seen != summed(first, last, index)) {
        fprintf(stderr, "element %ld of %s\n", index, variant.name);
        fail_at(line, "sum", seen, summed(first, last, index));
    }
}
#define CHECK(data, place, first, last, index) check_at(__LINE__, data, place, first, last, index)

/* Checks that the bytes from element `index` on were not written. */
static void end_at(int line, void *data, long index) {
    for (size_t byte = 0; byte < 8; byte++)
        if (((unsigned char *)at(data, index))[byte] != PATTERN)
            fail_at(line, "byte past the end", byte, PATTERN);
}
#define END(data, index) end_at(__LINE__, data, index)

static void unchanged(void *data, long count) {
    for (long index = 0; index < count; index++) CHECK(data, index, rank, rank, index);
}

static void test_reduce(MPI_Comm comm, long count, int root, int in_place) {
    void *own = vector(count), *result = rank == root ? vector(count) : NULL;
    int mine = in_place && rank == root;
    write_own(mine ? result : own, count);
    COLL(comm, Reduce, reduce, mine ? MPI_IN_PLACE : own, result, (int)count, variant.type,
         variant.op, root);
    if (!mine) unchanged(own, count);
    if (rank == root) {
        for (long index = 0; index < count; index++) CHECK(result, index, 0, size - 1, index);
        END(result, count);
    }
    free(own);
    free(result);
}

static void test_allreduce(MPI_Comm comm, long count, int in_place) {
    void *own = vector(count), *result = vector(count);
    write_own(in_place ? result : own, count);
    COLL(comm, Allreduce, allreduce, in_place ? MPI_IN_PLACE : own, result, (int)count,
         variant.type, variant.op);
    if (!in_place) unchanged(own, count);
    for (long index = 0; index < count; index++) CHECK(result, index, 0, size - 1, index);
    END(result, count);
    free(own);
    free(result);
}

static void test_scan(MPI_Comm comm, long count, int in_place) {
    void *own = vector(count), *result = vector(count);
    write_own(in_place ? result : own, count);
    COLL(comm, Scan, scan, in_place ? MPI_IN_PLACE : own, result, (int)count, variant.type,
         variant.op);
    if (!in_place) unchanged(own, count);
    for (long index = 0; index < count; index++) CHECK(result, index, 0, rank, index);
    END(result, count);
    free(own);
    free(result);
}

static void test_exscan(MPI_Comm comm, long count, int in_place) {
    void *own = vector(count), *result = vector(count);
    write_own(in_place ? result : own, count);
    COLL(comm, Exscan, exscan, in_place ? MPI_IN_PLACE : own, result, (int)count, variant.type,
         variant.op);
    if (!in_place) unchanged(own, count);
    if (rank > 0)
        for (long index = 0; index < count; index++) CHECK(result, index, 0, rank - 1, index);
    else if (in_place)
        unchanged(result, count);
    else
        END(result, 0);
    END(result, count);
    free(own);
    free(result);
}

static void test_reduce_scatter_block(MPI_Comm comm, long count, int in_place) {
    long total = count * size;
    void *own = vector(total), *result = vector(in_place ? total : count);
    write_own(in_place ? result : own, total);
    COLL(comm, Reduce_scatter_block, reduce_scatter_block, in_place ? MPI_IN_PLACE : own, result,
         (int)count, variant.type, variant.op);
    if (!in_place) unchanged(own, total);
    for (long index = 0; index < count; index++)
        CHECK(result, index, 0, size - 1, rank * count + index);
    if (!in_place) END(result, count);
    free(own);
    free(result);
}

/* Rank r gets (r + 1) % 3 * count elements. */
static void test_reduce_scatter(MPI_Comm comm, long count, int in_place) {
    int *lengths = malloc(sizeof(int) * size);
    long total = 0, first = 0;
    for (int peer = 0; peer < size; peer++) {
        lengths[peer] = (int)((peer + 1) % 3 * count);
        if (peer < rank) first += lengths[peer];
        total += lengths[peer];
    }
    void *own = vector(total), *result = vector(in_place ? total : lengths[rank]);
    write_own(in_place ? result : own, total);
    COLL(comm, Reduce_scatter, reduce_scatter, in_place ? MPI_IN_PLACE : own, result, lengths,
         variant.type, variant.op);
    if (!in_place) unchanged(own, total);
    for (long index = 0; index < lengths[rank]; index++)
        CHECK(result, index, 0, size - 1, first + index);
    if (!in_place) END(result, lengths[rank]);
    free(own);
    free(result);
    free(lengths);
}

static void test_with_count(MPI_Comm comm, long count) {
    for (int in_place = 0; in_place < 2; in_place++) {
        for (int root = 0; root < size; root++)
            if (count < 100000 || root == size / 2) test_reduce(comm, count, root, in_place);
        test_allreduce(comm, count, in_place);
        test_scan(comm, count, in_place);
        test_exscan(comm, count, in_place);
        if (count < 100000) {
            test_reduce_scatter_block(comm, count, in_place);
            test_reduce_scatter(comm, count, in_place);
        }
    }
}

static void test(MPI_Comm comm) {
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    for (form = 0; form < FORMS; form++) {
        for (int which = 0; which < variants_count; which++) {
            variant = variants[which];
            for (int count = 0; count < COUNTS; count++)
                if (counts[count] < 100000 || which % FORMS == form)
                    test_with_count(comm, counts[count]);
        }
    }
}

/* All ranks get equal bits, in whatever order the operation adds. The sum of these numbers depends
 * on the order. */
static void test_same_bits(void) {
    for (long count = 1; count <= 100000; count *= 10) {
        double *own = malloc(sizeof(double) * count), *sum = malloc(sizeof(double) * count),
            *other = malloc(sizeof(double) * count);
        for (long index = 0; index < count; index++)
            own[index] = 1.0 / (world_rank * 7 + index + 3) * (world_rank % 2 ? 1e10 : -1e-3);
        OK(MPI_Allreduce(own, sum, (int)count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
        memcpy(other, sum, sizeof(double) * count);
        OK(MPI_Bcast(other, (int)count, MPI_DOUBLE, 0, MPI_COMM_WORLD));
        EQUAL("the same bits everywhere", memcmp(sum, other, sizeof(double) * count), 0);
        free(own);
        free(sum);
        free(other);
    }
}

static void test_reduce_local(void) {
    int in[3] = {1, 2, 3}, inout[3] = {10, 20, 30};
    OK(MPI_Reduce_local(in, inout, 3, MPI_INT, MPI_SUM));
    for (int index = 0; index < 3; index++) EQUAL("local sum", inout[index], 11 * (index + 1));
    Map left = map_of(1, 5), right = map_of(2, 5), wanted = then(left, right);
    OK(MPI_Reduce_local(&left, &right, 1, map_type, then_op));
    EQUAL("local map", right.a == wanted.a && right.b == wanted.b, 1);
    OK(MPI_Reduce_local(NULL, NULL, 0, MPI_INT, MPI_SUM));
}

/* One predefined operation of every kind. */
static void test_predefined(void) {
    struct { double value; int index; } in = {world_rank % 2, world_rank}, out;
    OK(MPI_Allreduce(&in, &out, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD));
    EQUAL("where the maximum is", out.index, world_size > 1 ? 1 : 0);
    OK(MPI_Allreduce(&in, &out, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD));
    EQUAL("where the minimum is", out.index, 0);
    int number = world_rank + 1, result;
    OK(MPI_Allreduce(&number, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    EQUAL("maximum", result, world_size);
    OK(MPI_Allreduce(&number, &result, 1, MPI_INT, MPI_BXOR, MPI_COMM_WORLD));
    int wanted = 0;
    for (int peer = 1; peer <= world_size; peer++) wanted ^= peer;
    EQUAL("exclusive or", result, wanted);
    OK(MPI_Allreduce(&number, &result, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD));
    EQUAL("logical and", result, 1);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    OK(MPI_Op_create(then_function, 0, &then_op));
    OK(MPI_Op_create(sum_function, 1, &sum_op));
    add_variant("int", MPI_INT, MPI_SUM, sizeof(int));
    add_variant("double", MPI_DOUBLE, MPI_SUM, sizeof(double));
    add_variant("user's sum", MPI_DOUBLE, sum_op, sizeof(double));
    OK(MPI_Type_contiguous(2, MPI_INT, &map_type));
    OK(MPI_Type_commit(&map_type));
    add_variant("map", map_type, then_op, sizeof(Map));
    OK(MPI_Type_create_resized(map_type, 0, 20, &wide_type));
    OK(MPI_Type_commit(&wide_type));
    add_variant("map with gaps", wide_type, then_op, 20);
    on_communicators(test);
    test_same_bits();
    test_reduce_local();
    test_predefined();
    EQUAL("the user-defined function was called", calls > 0, 1);
    OK(MPI_Op_free(&then_op));
    OK(MPI_Op_free(&sum_op));
    OK(MPI_Type_free(&map_type));
    OK(MPI_Type_free(&wide_type));
    return end();
}
