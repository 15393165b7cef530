/* Collectives that move data, with all roots, in place, and with gaps between blocks. Every element
 * must arrive where it belongs, and nothing else may be written.
 *
 * sizes: 1 2 3 4 7
 * seconds: 120
 */

#include "coll.h"

static int rank, size;
static const Kind *kind;

static void test_bcast(MPI_Comm comm, long count, int root) {
    void *data = new_elements(kind, count + 1);
    for (long index = 0; rank == root && index < count; index++)
        put(kind, data, index, value_of(root, 0, index));
    COLL(comm, Bcast, bcast, data, (int)count, kind->type, root);
    for (long index = 0; index < count; index++)
        EXPECT(kind, data, index, value_of(root, 0, index));
    UNTOUCHED(kind, data, count);
    release(kind, data);
}

static void test_gather(MPI_Comm comm, long count, int root, int in_place) {
    void *own = new_elements(kind, count),
        *all = rank == root ? new_elements(kind, count * size + 1) : NULL;
    void *source = own;
    if (in_place && rank == root) source = MPI_IN_PLACE;
    void *from = source == own ? own : element(kind, all, rank * count);
    for (long index = 0; index < count; index++)
        put(kind, from, index, value_of(rank, root, index));
    /* The receive arguments are significant at the root only. */
    COLL(comm, Gather, gather, source, (int)count, kind->type, all, rank == root ? (int)count : -3,
         rank == root ? kind->type : MPI_DATATYPE_NULL, root);
    if (rank == root) {
        for (int peer = 0; peer < size; peer++)
            for (long index = 0; index < count; index++)
                EXPECT(kind, all, peer * count + index, value_of(peer, root, index));
        UNTOUCHED(kind, all, size * count);
        release(kind, all);
    }
    release(kind, own);
}

static void test_scatter(MPI_Comm comm, long count, int root, int in_place) {
    void *own = new_elements(kind, count + 1),
        *all = rank == root ? new_elements(kind, count * size) : NULL;
    void *target = in_place && rank == root ? MPI_IN_PLACE : own;
    for (int peer = 0; rank == root && peer < size; peer++)
        for (long index = 0; index < count; index++)
            put(kind, all, peer * count + index, value_of(root, peer, index));
    COLL(comm, Scatter, scatter, all, rank == root ? (int)count : -3,
         rank == root ? kind->type : MPI_DATATYPE_NULL, target, (int)count, kind->type, root);
    for (long index = 0; target == own && index < count; index++)
        EXPECT(kind, own, index, value_of(root, rank, index));
    UNTOUCHED(kind, own, count);
    release(kind, own);
    if (rank == root) release(kind, all);
}

/* Rank r has r % 3 * count elements. Blocks lie in reverse order of ranks, with one element between
 * them. */
static int length_of(int peer, long count) { return (int)(peer % 3 * count); }

static long layout(long count, int *lengths, int *places) {
    long at = 1;
    for (int peer = size - 1; peer >= 0; peer--) {
        lengths[peer] = length_of(peer, count);
        places[peer] = (int)at;
        at += lengths[peer] + 1;
    }
    return at;
}

static void check_layout(const void *all, const int *lengths, const int *places, int to) {
    UNTOUCHED(kind, all, 0);
    for (int peer = 0; peer < size; peer++) {
        for (long index = 0; index < lengths[peer]; index++)
            EXPECT(kind, all, places[peer] + index, value_of(peer, to, index));
        UNTOUCHED(kind, all, places[peer] + lengths[peer]);
    }
}

static void test_gatherv(MPI_Comm comm, long count, int root, int in_place) {
    int *lengths = malloc(sizeof(int) * size), *places = malloc(sizeof(int) * size);
    long total = layout(count, lengths, places);
    void *own = new_elements(kind, lengths[rank]),
        *all = rank == root ? new_elements(kind, total) : NULL;
    void *source = in_place && rank == root ? MPI_IN_PLACE : own;
    void *from = source == own ? own : element(kind, all, places[rank]);
    for (long index = 0; index < lengths[rank]; index++)
        put(kind, from, index, value_of(rank, root, index));
    COLL(comm, Gatherv, gatherv, source, lengths[rank], kind->type, all,
         rank == root ? lengths : NULL, rank == root ? places : NULL,
         rank == root ? kind->type : MPI_DATATYPE_NULL, root);
    if (rank == root) {
        check_layout(all, lengths, places, root);
        release(kind, all);
    }
    release(kind, own);
    free(lengths);
    free(places);
}

static void test_scatterv(MPI_Comm comm, long count, int root, int in_place) {
    int *lengths = malloc(sizeof(int) * size), *places = malloc(sizeof(int) * size);
    long total = layout(count, lengths, places);
    void *own = new_elements(kind, lengths[rank] + 1),
        *all = rank == root ? new_elements(kind, total) : NULL;
    void *target = in_place && rank == root ? MPI_IN_PLACE : own;
    for (int peer = 0; rank == root && peer < size; peer++)
        for (long index = 0; index < lengths[peer]; index++)
            put(kind, all, places[peer] + index, value_of(root, peer, index));
    COLL(comm, Scatterv, scatterv, all, rank == root ? lengths : NULL, rank == root ? places : NULL,
         rank == root ? kind->type : MPI_DATATYPE_NULL, target, lengths[rank], kind->type, root);
    for (long index = 0; target == own && index < lengths[rank]; index++)
        EXPECT(kind, own, index, value_of(root, rank, index));
    if (target == own) UNTOUCHED(kind, own, lengths[rank]);
    release(kind, own);
    if (rank == root) release(kind, all);
    free(lengths);
    free(places);
}

static void test_allgather(MPI_Comm comm, long count, int in_place) {
    void *own = new_elements(kind, count), *all = new_elements(kind, count * size + 1);
    void *from = in_place ? element(kind, all, rank * count) : own;
    for (long index = 0; index < count; index++) put(kind, from, index, value_of(rank, 0, index));
    /* With MPI_IN_PLACE, count and type of the sending side are ignored. */
    COLL(comm, Allgather, allgather, in_place ? MPI_IN_PLACE : own, in_place ? -1 : (int)count,
         in_place ? MPI_DATATYPE_NULL : kind->type, all, (int)count, kind->type);
    for (int peer = 0; peer < size; peer++)
        for (long index = 0; index < count; index++)
            EXPECT(kind, all, peer * count + index, value_of(peer, 0, index));
    UNTOUCHED(kind, all, size * count);
    release(kind, own);
    release(kind, all);
}

static void test_allgatherv(MPI_Comm comm, long count, int in_place) {
    int *lengths = malloc(sizeof(int) * size), *places = malloc(sizeof(int) * size);
    void *own = new_elements(kind, length_of(rank, count)),
        *all = new_elements(kind, layout(count, lengths, places));
    void *from = in_place ? element(kind, all, places[rank]) : own;
    for (long index = 0; index < lengths[rank]; index++)
        put(kind, from, index, value_of(rank, 0, index));
    COLL(comm, Allgatherv, allgatherv, in_place ? MPI_IN_PLACE : own, in_place ? -1 : lengths[rank],
         in_place ? MPI_DATATYPE_NULL : kind->type, all, lengths, places, kind->type);
    check_layout(all, lengths, places, 0);
    release(kind, own);
    release(kind, all);
    free(lengths);
    free(places);
}

static void test_alltoall(MPI_Comm comm, long count, int in_place) {
    void *sent = new_elements(kind, count * size), *received = new_elements(kind, count * size + 1);
    for (int peer = 0; peer < size; peer++)
        for (long index = 0; index < count; index++)
            put(kind, in_place ? received : sent, peer * count + index,
                value_of(rank, peer, index));
    COLL(comm, Alltoall, alltoall, in_place ? MPI_IN_PLACE : sent, in_place ? -1 : (int)count,
         in_place ? MPI_DATATYPE_NULL : kind->type, received, (int)count, kind->type);
    for (int peer = 0; peer < size; peer++)
        for (long index = 0; index < count; index++)
            EXPECT(kind, received, peer * count + index, value_of(peer, rank, index));
    UNTOUCHED(kind, received, size * count);
    release(kind, sent);
    release(kind, received);
}

/* Ranks a and b exchange (a + b) % 3 * count elements. MPI_Alltoallv in place needs equal counts in
 * both directions. */
static long layout_pairs(long count, int *lengths, int *places, int unit) {
    long at = 1;
    for (int peer = size - 1; peer >= 0; peer--) {
        lengths[peer] = (int)((rank + peer) % 3 * count);
        places[peer] = (int)(at * unit);
        at += lengths[peer] + 1;
    }
    return at;
}

static void test_alltoallvw(MPI_Comm comm, long count, int in_place, int w) {
    int *lengths = malloc(sizeof(int) * size), *places = malloc(sizeof(int) * size),
        unit = w ? (int)kind->extent : 1;
    MPI_Datatype *types = malloc(sizeof(MPI_Datatype) * size);
    long total = layout_pairs(count, lengths, places, unit);
    /* A datatype whose count is zero is not examined. */
    for (int peer = 0; peer < size; peer++)
        types[peer] = lengths[peer] ? kind->type : MPI_DATATYPE_NULL;
    void *sent = new_elements(kind, total), *received = new_elements(kind, total);
    for (int peer = 0; peer < size; peer++)
        for (long index = 0; index < lengths[peer]; index++)
            put(kind, in_place ? received : sent, places[peer] / unit + index,
                value_of(rank, peer, index));
    void *source = in_place ? MPI_IN_PLACE : sent;
    if (w)
        COLL(comm, Alltoallw, alltoallw, source, in_place ? NULL : lengths,
             in_place ? NULL : places, in_place ? NULL : types, received, lengths, places, types);
    else
        COLL(comm, Alltoallv, alltoallv, source, in_place ? NULL : lengths,
             in_place ? NULL : places, in_place ? MPI_DATATYPE_NULL : kind->type, received, lengths,
             places, kind->type);
    for (int peer = 0; peer < size; peer++) places[peer] /= unit;
    check_layout(received, lengths, places, rank);
    release(kind, sent);
    release(kind, received);
    free(lengths);
    free(places);
    free(types);
}

static void test_with_count(MPI_Comm comm, long count) {
    /* All roots; for large counts only the last and the first. */
    for (int root = size - 1; root >= 0; root = count < 1000 || root == 0 ? root - 1 : 0) {
        test_bcast(comm, count, root);
        for (int in_place = 0; in_place < 2; in_place++) {
            test_gather(comm, count, root, in_place);
            test_scatter(comm, count, root, in_place);
            test_gatherv(comm, count, root, in_place);
            test_scatterv(comm, count, root, in_place);
        }
    }
    for (int in_place = 0; in_place < 2; in_place++) {
        test_allgather(comm, count, in_place);
        test_allgatherv(comm, count, in_place);
        test_alltoall(comm, count, in_place);
        test_alltoallvw(comm, count, in_place, 0);
        test_alltoallvw(comm, count, in_place, 1);
    }
}

static void test(MPI_Comm comm) {
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    for (form = 0; form < FORMS; form++) {
        for (int which = 0; which < kinds_count; which++) {
            kind = &kinds[which];
            /* The largest count takes long: each form runs it with one kind, on the world only. */
            for (int count = 0; count < COUNTS; count++)
                if (counts[count] < 100000 ||
                    (comm == MPI_COMM_WORLD && which == (form + 1) % kinds_count))
                    test_with_count(comm, counts[count]);
        }
        MPI_Request request;
        if (form == BLOCKING) OK(MPI_Barrier(comm));
        if (form == NONBLOCKING) {
            OK(MPI_Ibarrier(comm, &request));
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        if (form == PERSISTENT) {
            OK(MPI_Barrier_init(comm, MPI_INFO_NULL, &request));
            OK(MPI_Start(&request));
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            OK(MPI_Request_free(&request));
        }
    }
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    make_kinds();
    on_communicators(test);
    free_kinds();
    return end();
}
