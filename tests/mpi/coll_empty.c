/* Collectives without data, in every form: zero counts, null buffers, datatypes of size zero, and
 * vectors of counts in which some or all are zero.
 *
 * sizes: 1 2 3 4 7
 */

#include "coll.h"

static int rank, size;

/* Runs all operations with null buffers and zero counts. */
static void test_nothing(MPI_Comm comm, MPI_Datatype type) {
    int *none = calloc((size_t)size, sizeof(int));
    MPI_Datatype *types = malloc(sizeof(MPI_Datatype) * size);
    for (int peer = 0; peer < size; peer++) types[peer] = type;
    for (int root = 0; root < size; root++) {
        COLL(comm, Bcast, bcast, NULL, 0, type, root);
        COLL(comm, Gather, gather, NULL, 0, type, NULL, 0, type, root);
        COLL(comm, Gatherv, gatherv, NULL, 0, type, NULL, none, none, type, root);
        COLL(comm, Scatter, scatter, NULL, 0, type, NULL, 0, type, root);
        COLL(comm, Scatterv, scatterv, NULL, none, none, type, NULL, 0, type, root);
    }
    COLL(comm, Allgather, allgather, NULL, 0, type, NULL, 0, type);
    COLL(comm, Allgatherv, allgatherv, NULL, 0, type, NULL, none, none, type);
    COLL(comm, Alltoall, alltoall, NULL, 0, type, NULL, 0, type);
    COLL(comm, Alltoall, alltoall, MPI_IN_PLACE, 0, type, NULL, 0, type);
    COLL(comm, Alltoallv, alltoallv, NULL, none, none, type, NULL, none, none, type);
    COLL(comm, Alltoallw, alltoallw, NULL, none, none, types, NULL, none, none, types);
    free(none);
    free(types);
}

static void test_reductions(MPI_Comm comm) {
    int *none = calloc((size_t)size, sizeof(int));
    for (int root = 0; root < size; root++)
        COLL(comm, Reduce, reduce, NULL, NULL, 0, MPI_INT, MPI_SUM, root);
    COLL(comm, Allreduce, allreduce, NULL, NULL, 0, MPI_INT, MPI_SUM);
    COLL(comm, Allreduce, allreduce, MPI_IN_PLACE, NULL, 0, MPI_INT, MPI_SUM);
    COLL(comm, Scan, scan, NULL, NULL, 0, MPI_INT, MPI_SUM);
    COLL(comm, Exscan, exscan, NULL, NULL, 0, MPI_INT, MPI_SUM);
    COLL(comm, Reduce_scatter_block, reduce_scatter_block, NULL, NULL, 0, MPI_INT, MPI_SUM);
    COLL(comm, Reduce_scatter, reduce_scatter, NULL, NULL, none, MPI_INT, MPI_SUM);
    free(none);
}

/* One process contributes one element, the others nothing. In MPI_Alltoallw a zero count has a null
 * datatype. */
static void test_almost_nothing(MPI_Comm comm) {
    int *counts = calloc((size_t)size, sizeof(int)), *places = calloc((size_t)size, sizeof(int)),
        *from = calloc((size_t)size, sizeof(int));
    int word = rank == size / 2 ? 4711 : -1, got = -1;
    counts[size / 2] = 1;
    COLL(comm, Allgatherv, allgatherv, &word, rank == size / 2, MPI_INT, &got, counts, places,
         MPI_INT);
    EQUAL("the one word", got, 4711);
    for (int root = 0; root < size; root++) {
        got = -1;
        COLL(comm, Gatherv, gatherv, &word, rank == size / 2, MPI_INT, &got, counts, places,
             MPI_INT, root);
        EQUAL("gathered", got, rank == root ? 4711 : -1);
        got = -1;
        word = 100 + root;
        COLL(comm, Scatterv, scatterv, &word, counts, places, MPI_INT, &got, rank == size / 2,
             MPI_INT, root);
        EQUAL("scattered", got, rank == size / 2 ? 100 + root : -1);
        word = rank == size / 2 ? 4711 : -1;
    }
    /* Each rank sends to the next one only. */
    MPI_Datatype *to_types = malloc(sizeof(MPI_Datatype) * size),
        *from_types = malloc(sizeof(MPI_Datatype) * size);
    for (int peer = 0; peer < size; peer++) {
        counts[peer] = peer == (rank + 1) % size;
        from[peer] = peer == (rank + size - 1) % size;
        to_types[peer] = counts[peer] ? MPI_INT : MPI_DATATYPE_NULL;
        from_types[peer] = from[peer] ? MPI_INT : MPI_DATATYPE_NULL;
    }
    word = rank;
    COLL(comm, Alltoallw, alltoallw, &word, counts, places, to_types, &got, from, places,
         from_types);
    EQUAL("from the previous rank", got, (rank + size - 1) % size);
    word = rank + 10;
    COLL(comm, Alltoallv, alltoallv, &word, counts, places, MPI_INT, &got, from, places, MPI_INT);
    EQUAL("from the previous rank", got, (rank + size - 1) % size + 10);
    int *all = malloc(sizeof(int) * size), sum = -1;
    for (int peer = 0; peer < size; peer++)
        counts[peer] = peer == size - 1, all[peer] = rank + peer;
    COLL(comm, Reduce_scatter, reduce_scatter, all, &sum, counts, MPI_INT, MPI_SUM);
    EQUAL("share of the last rank", sum, rank == size - 1 ? size * (size - 1) / 2 : -1);
    free(all);
    free(counts);
    free(places);
    free(from);
    free(to_types);
    free(from_types);
}

/* Datatypes of size zero: the count is 1000 on one side and 0 on the other. */
static void test_hollow(MPI_Comm comm, MPI_Datatype hollow) {
    int word = 7;
    COLL(comm, Bcast, bcast, &word, rank ? 1000 : 0, hollow, 0);
    COLL(comm, Allgather, allgather, &word, 1000, hollow, &word, 0, hollow);
    COLL(comm, Alltoall, alltoall, &word, 0, hollow, &word, 1000, hollow);
    EQUAL("word", word, 7);
}

static void test(MPI_Comm comm) {
    MPI_Datatype hollow;
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    OK(MPI_Type_contiguous(0, MPI_INT, &hollow));
    OK(MPI_Type_commit(&hollow));
    for (form = 0; form < FORMS; form++) {
        for (int kind = 0; kind < kinds_count; kind++) test_nothing(comm, kinds[kind].type);
        test_nothing(comm, hollow);
        test_reductions(comm);
        test_almost_nothing(comm);
        test_hollow(comm, hollow);
        OK(MPI_Barrier(comm));
    }
    OK(MPI_Type_free(&hollow));
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    make_kinds();
    on_communicators(test);
    free_kinds();
    return end();
}
