/* Collectives that fail in the call with MPI_ERR_BUFFER, because send and receive buffer are the
 * same memory where that is not allowed: in every form, on intracommunicators, intercommunicators
 * and neighbourhoods. A call that fails at one process only is not counted there, so that the
 * communicator works afterwards.
 *
 * sizes: 1 2 3 4
 */

#include "coll.h"

static int rank, size;

static void expect_class(int line, int code, int wanted) {
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) OK(MPI_Error_class(code, &class));
    if (class != wanted) fail_at(line, "error class", class, wanted);
}

/* The call in its three forms. The persistent form fails at its initialisation. */
#define REFUSED(class, comm, Name, name, ...)                                                  \
    do {                                                                                       \
        MPI_Request request_;                                                                  \
        expect_class(__LINE__, MPI_##Name(__VA_ARGS__, comm), class);                          \
        expect_class(__LINE__, MPI_I##name(__VA_ARGS__, comm, &request_), class);              \
        expect_class(__LINE__, MPI_##Name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &request_), \
                     class);                                                                   \
    } while (0)

#define REFUSED_LARGE(class, comm, Name, name, ...)                                              \
    do {                                                                                         \
        MPI_Request request_;                                                                    \
        expect_class(__LINE__, MPI_##Name##_c(__VA_ARGS__, comm), class);                        \
        expect_class(__LINE__, MPI_I##name##_c(__VA_ARGS__, comm, &request_), class);            \
        expect_class(__LINE__, MPI_##Name##_init_c(__VA_ARGS__, comm, MPI_INFO_NULL, &request_), \
                     class);                                                                     \
    } while (0)

#define ALIASED(comm, Name, name, ...)                                \
    do {                                                              \
        REFUSED(MPI_ERR_BUFFER, comm, Name, name, __VA_ARGS__);       \
        REFUSED_LARGE(MPI_ERR_BUFFER, comm, Name, name, __VA_ARGS__); \
    } while (0)

enum { MOST = 16 };

typedef struct Lists {
    int counts[MOST], places[MOST], bytes[MOST];
    MPI_Count counts_c[MOST];
    MPI_Aint places_c[MOST], bytes_c[MOST];
    MPI_Datatype types[MOST];
} Lists;

/* Two ints for each part, without gaps. */
static Lists two_each(void) {
    Lists lists;
    for (int part = 0; part < MOST; part++) {
        lists.counts[part] = 2, lists.counts_c[part] = 2;
        lists.places[part] = 2 * part, lists.places_c[part] = 2 * part;
        lists.bytes[part] = 8 * part, lists.bytes_c[part] = 8 * part;
        lists.types[part] = MPI_INT;
    }
    return lists;
}

/* All operations that exchange blocks or reduce without a root, with one mistake on
 * intracommunicators and on intercommunicators. */
static void aliased_everywhere(MPI_Comm comm) {
    int a[4 * MOST] = {0};
    Lists l = two_each();
    ALIASED(comm, Allgather, allgather, a, 2, MPI_INT, a, 2, MPI_INT);
    REFUSED(MPI_ERR_BUFFER, comm, Allgatherv, allgatherv, a, 2, MPI_INT, a, l.counts, l.places,
            MPI_INT);
    REFUSED_LARGE(MPI_ERR_BUFFER, comm, Allgatherv, allgatherv, a, 2, MPI_INT, a, l.counts_c,
                  l.places_c, MPI_INT);
    ALIASED(comm, Alltoall, alltoall, a, 2, MPI_INT, a, 2, MPI_INT);
    REFUSED(MPI_ERR_BUFFER, comm, Alltoallv, alltoallv, a, l.counts, l.places, MPI_INT, a, l.counts,
            l.places, MPI_INT);
    REFUSED_LARGE(MPI_ERR_BUFFER, comm, Alltoallv, alltoallv, a, l.counts_c, l.places_c, MPI_INT, a,
                  l.counts_c, l.places_c, MPI_INT);
    REFUSED(MPI_ERR_BUFFER, comm, Alltoallw, alltoallw, a, l.counts, l.bytes, l.types, a, l.counts,
            l.bytes, l.types);
    REFUSED_LARGE(MPI_ERR_BUFFER, comm, Alltoallw, alltoallw, a, l.counts_c, l.bytes_c, l.types, a,
                  l.counts_c, l.bytes_c, l.types);
    ALIASED(comm, Allreduce, allreduce, a, a, 2, MPI_INT, MPI_SUM);
    ALIASED(comm, Reduce_scatter_block, reduce_scatter_block, a, a, 2, MPI_INT, MPI_SUM);
    REFUSED(MPI_ERR_BUFFER, comm, Reduce_scatter, reduce_scatter, a, a, l.counts, MPI_INT, MPI_SUM);
    REFUSED_LARGE(MPI_ERR_BUFFER, comm, Reduce_scatter, reduce_scatter, a, a, l.counts_c, MPI_INT,
                  MPI_SUM);
}

static void aliased_on_intracommunicator(MPI_Comm comm) {
    int a[4 * MOST] = {0}, b[4 * MOST];
    Lists l = two_each();
    MPI_Datatype pair;
    aliased_everywhere(comm);
    ALIASED(comm, Scan, scan, a, a, 2, MPI_INT, MPI_SUM);
    ALIASED(comm, Exscan, exscan, a, a, 2, MPI_INT, MPI_SUM);
    ALIASED(comm, Reduce, reduce, a, a, 2, MPI_INT, MPI_SUM, rank);
    ALIASED(comm, Gather, gather, a, 2, MPI_INT, a, 2, MPI_INT, rank);
    ALIASED(comm, Gather, gather, a + 2 * rank, 2, MPI_INT, a, 2, MPI_INT, rank);
    ALIASED(comm, Scatter, scatter, a, 2, MPI_INT, a, 2, MPI_INT, rank);
    REFUSED(MPI_ERR_BUFFER, comm, Gatherv, gatherv, a, 2, MPI_INT, a, l.counts, l.places, MPI_INT,
            rank);
    REFUSED(MPI_ERR_BUFFER, comm, Scatterv, scatterv, a, l.counts, l.places, MPI_INT, a, 2, MPI_INT,
            rank);
    REFUSED_LARGE(MPI_ERR_BUFFER, comm, Gatherv, gatherv, a, 2, MPI_INT, a, l.counts_c, l.places_c,
                  MPI_INT, rank);
    REFUSED_LARGE(MPI_ERR_BUFFER, comm, Scatterv, scatterv, a, l.counts_c, l.places_c, MPI_INT, a,
                  2, MPI_INT, rank);
    expect_class(__LINE__, MPI_Reduce_local(a, a, 2, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    expect_class(__LINE__, MPI_Reduce_local_c(a, a, 2, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    /* Equal addresses of both buffers are right if the blocks do not overlap, and wrong if two of
     * them overlap. */
    for (int part = 0; part < size; part++)
        l.places[part] = 2 * (size + part), l.bytes[part] = 2 * (size - 1 - part);
    OK(MPI_Alltoallv(a, l.counts, (int[MOST]){0}, MPI_INT, a, l.counts, l.places, MPI_INT, comm));
    for (int part = 0; part < size; part++) l.places[part] = 2 * part + 1;
    REFUSED(MPI_ERR_BUFFER, comm, Alltoallv, alltoallv, a, l.counts, l.bytes, MPI_INT, a, l.counts,
            l.places, MPI_INT);
    /* Derived datatypes, and no data at all. */
    OK(MPI_Type_vector(2, 1, 2, MPI_INT, &pair));
    OK(MPI_Type_commit(&pair));
    ALIASED(comm, Allgather, allgather, a, 1, pair, a, 1, pair);
    OK(MPI_Type_free(&pair));
    OK(MPI_Type_contiguous(2, MPI_INT, &pair));
    OK(MPI_Type_commit(&pair));
    ALIASED(comm, Alltoall, alltoall, a, 1, pair, a, 2, MPI_INT);
    OK(MPI_Type_free(&pair));
    OK(MPI_Allreduce(a, a, 0, MPI_INT, MPI_SUM, comm));
    OK(MPI_Alltoall(a, 0, MPI_INT, a, 0, MPI_INT, comm));
    OK(MPI_Reduce_local(a, a, 0, MPI_INT, MPI_SUM));
    /* The receive buffer is significant at the root only. */
    OK(MPI_Reduce(a, rank == 0 ? b : a, 2, MPI_INT, MPI_SUM, 0, comm));
    OK(MPI_Gather(a, 2, MPI_INT, rank == 0 ? b : a, 2, MPI_INT, 0, comm));
}

static void aliased_on_a_neighbourhood(MPI_Comm comm) {
    int a[4 * MOST] = {0}, around = 1;
    Lists l = two_each();
    MPI_Comm ring;
    OK(MPI_Cart_create(comm, 1, &size, &around, 0, &ring));
    OK(MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN));
    ALIASED(ring, Neighbor_allgather, neighbor_allgather, a, 2, MPI_INT, a, 2, MPI_INT);
    REFUSED(MPI_ERR_BUFFER, ring, Neighbor_allgatherv, neighbor_allgatherv, a, 2, MPI_INT, a,
            l.counts, l.places, MPI_INT);
    ALIASED(ring, Neighbor_alltoall, neighbor_alltoall, a, 2, MPI_INT, a, 2, MPI_INT);
    REFUSED(MPI_ERR_BUFFER, ring, Neighbor_alltoallv, neighbor_alltoallv, a, l.counts, l.places,
            MPI_INT, a, l.counts, l.places, MPI_INT);
    REFUSED(MPI_ERR_BUFFER, ring, Neighbor_alltoallw, neighbor_alltoallw, a, l.counts, l.bytes_c,
            l.types, a, l.counts, l.bytes_c, l.types);
    OK(MPI_Barrier(ring));
    OK(MPI_Comm_free(&ring));
}

static void aliased_on_intercommunicator(void) {
    MPI_Comm half, inter;
    if (size == 1) return;
    OK(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half));
    OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &inter));
    OK(MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN));
    aliased_everywhere(inter);
    OK(MPI_Barrier(inter));
    OK(MPI_Comm_free(&inter));
    OK(MPI_Comm_free(&half));
}

/* Every collective of `comm` still works and gives the right result. */
static void still_works(MPI_Comm comm) {
    int sum, expected = size * (size - 1) / 2;
    MPI_Comm copy;
    for (form = 0; form < FORMS; form++) {
        COLL(comm, Allreduce, allreduce, &rank, &sum, 1, MPI_INT, MPI_SUM);
        EQUAL("sum", sum, expected);
    }
    form = BLOCKING;
    sum = -1;
    OK(MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, comm));
    EQUAL("sum at the root", sum, rank == 0 ? expected : -1);
    OK(MPI_Comm_dup(comm, &copy));
    OK(MPI_Barrier(copy));
    OK(MPI_Comm_free(&copy));
}

/* One process makes mistakes that the others do not make. */
static void refused_at_one(MPI_Comm comm, int culprit) {
    int a[4 * MOST] = {0}, b[4 * MOST], far = 1000000, one = 1;
    Lists l = two_each();
    MPI_Comm made;
    MPI_Win window;
    MPI_Request request;
    still_works(comm);
    if (rank == culprit) {
        aliased_everywhere(comm);
        REFUSED(MPI_ERR_COUNT, comm, Bcast, bcast, a, -1, MPI_INT, 0);
        REFUSED(MPI_ERR_TYPE, comm, Bcast, bcast, a, 1, MPI_DATATYPE_NULL, 0);
        REFUSED(MPI_ERR_ROOT, comm, Bcast, bcast, a, 1, MPI_INT, size);
        REFUSED(MPI_ERR_BUFFER, comm, Gather, gather, a, 2, MPI_INT, a, 2, MPI_INT, culprit);
        REFUSED(MPI_ERR_BUFFER, comm, Scatterv, scatterv, a, l.counts, l.places, MPI_INT, a, 2,
                MPI_INT, culprit);
        REFUSED(MPI_ERR_BUFFER, comm, Reduce, reduce, a, a, 2, MPI_INT, MPI_SUM, culprit);
        REFUSED(MPI_ERR_OP, comm, Reduce, reduce, a, b, 2, MPI_INT, MPI_OP_NULL, 0);
        REFUSED(MPI_ERR_BUFFER, comm, Exscan, exscan, a, a, 2, MPI_INT, MPI_SUM);
        REFUSED(MPI_ERR_ARG, comm, Allgatherv, allgatherv, a, 2, MPI_INT, b, NULL, l.places,
                MPI_INT);
        REFUSED(MPI_ERR_TOPOLOGY, comm, Neighbor_alltoall, neighbor_alltoall, a, 2, MPI_INT, b, 2,
                MPI_INT);
        expect_class(__LINE__, MPI_Ibarrier(comm, NULL), MPI_ERR_ARG);
        expect_class(__LINE__, MPI_Comm_split(comm, -7, 0, &made), MPI_ERR_ARG);
        expect_class(__LINE__, MPI_Comm_idup(comm, &made, NULL), MPI_ERR_ARG);
        expect_class(__LINE__, MPI_Comm_create(comm, MPI_GROUP_NULL, &made), MPI_ERR_GROUP);
        EQUAL("refused", MPI_Cart_create(comm, 1, &far, &one, 0, &made) != MPI_SUCCESS, 1);
        EQUAL("refused",
              MPI_Dist_graph_create_adjacent(comm, 1, &far, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                             MPI_INFO_NULL, 0, &made) != MPI_SUCCESS,
              1);
        expect_class(__LINE__, MPI_Win_create(a, -1, 1, MPI_INFO_NULL, comm, &window),
                     MPI_ERR_SIZE);
        expect_class(__LINE__, MPI_Bcast_init(a, 1, MPI_INT, 0, comm, MPI_INFO_NULL, NULL),
                     MPI_ERR_ARG);
        expect_class(__LINE__, MPI_Iallreduce(a, a, 1, MPI_INT, MPI_SUM, comm, &request),
                     MPI_ERR_BUFFER);
    }
    still_works(comm);
}

int main(int argc, char **argv) {
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    world_rank = rank, world_size = size;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    aliased_on_intracommunicator(MPI_COMM_WORLD);
    aliased_on_a_neighbourhood(MPI_COMM_WORLD);
    aliased_on_intercommunicator();
    for (int culprit = 0; culprit < size; culprit++) refused_at_one(MPI_COMM_WORLD, culprit);
    /* Before the first call on a communicator, and after many calls. */
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    if (rank == size - 1) aliased_everywhere(comm);
    refused_at_one(comm, size - 1);
    for (int round = 0; round < 300; round++) OK(MPI_Barrier(comm));
    refused_at_one(comm, 0);
    OK(MPI_Comm_free(&comm));
    MPI_Finalize();
    return 0;
}
