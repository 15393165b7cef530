/* Neighbourhood collectives in their three forms, on Cartesian, graph and distributed graph
 * topologies. Every block identifies its sender and the edge along which it came.
 *
 * sizes: 1 2 3 4 7
 * seconds: 60
 */

#include "coll.h"

enum { EDGES = 128, NODES = 16 };

/* The edges of this process in one direction. Both ends of an edge know its name. The name is -1
 * where there is no neighbour. */
typedef struct Edges {
    int count;
    int peer[EDGES];
    long name[EDGES];
} Edges;

static Edges in, out;
static int rank, size;

static void add(Edges *edges, int peer, long name) {
    edges->peer[edges->count] = peer;
    edges->name[edges->count++] = name;
}

/* The number of elements that go along the edge with this name, in the operations with counts. */
static int count_of(long name, int most) { return name < 0 ? 0 : (int)(name * 7 % (most + 1)); }
static long value_along(long name, long index) { return (name * 7919 + index * 31) % 1000000; }

static void test_allgather(MPI_Comm comm, const Kind *kind, int count) {
    void *own = new_elements(kind, count), *all = new_elements(kind, (long)in.count * count);
    for (int index = 0; index < count; index++) put(kind, own, index, value_of(rank, 0, index));
    COLL(comm, Neighbor_allgather, neighbor_allgather, own, count, kind->type, all, count,
         kind->type);
    for (int edge = 0; edge < in.count; edge++)
        for (int index = 0; index < count; index++) {
            long place = (long)edge * count + index;
            if (in.peer[edge] < 0) UNTOUCHED(kind, all, place);
            else EXPECT(kind, all, place, value_of(in.peer[edge], 0, index));
        }
    release(kind, own);
    release(kind, all);
}

static void test_allgatherv(MPI_Comm comm, const Kind *kind, int most) {
    int counts[EDGES], places[EDGES], count = most ? rank * 7 % most : 0;
    void *own = new_elements(kind, count),
        *all = new_elements(kind, (long)(in.count + 1) * (most + 2));
    for (int index = 0; index < count; index++) put(kind, own, index, value_of(rank, 1, index));
    /* Blocks lie in reverse order, with a gap behind each. */
    for (int edge = 0; edge < in.count; edge++) {
        counts[edge] = in.peer[edge] < 0 || !most ? 0 : in.peer[edge] * 7 % most;
        places[edge] = (in.count - 1 - edge) * (most + 2);
    }
    COLL(comm, Neighbor_allgatherv, neighbor_allgatherv, own, count, kind->type, all, counts,
         places, kind->type);
    for (int edge = 0; edge < in.count; edge++)
        for (int index = 0; index < most + 2; index++) {
            if (index < counts[edge])
                EXPECT(kind, all, places[edge] + index, value_of(in.peer[edge], 1, index));
            else UNTOUCHED(kind, all, places[edge] + index);
        }
    release(kind, own);
    release(kind, all);
}

static void test_alltoall(MPI_Comm comm, const Kind *kind, int count) {
    void *from = new_elements(kind, (long)out.count * count),
        *to = new_elements(kind, (long)in.count * count);
    for (int edge = 0; edge < out.count; edge++)
        for (int index = 0; index < count; index++)
            put(kind, from, (long)edge * count + index, value_along(out.name[edge], index));
    COLL(comm, Neighbor_alltoall, neighbor_alltoall, from, count, kind->type, to, count,
         kind->type);
    for (int edge = 0; edge < in.count; edge++)
        for (int index = 0; index < count; index++) {
            long place = (long)edge * count + index;
            if (in.peer[edge] < 0) UNTOUCHED(kind, to, place);
            else EXPECT(kind, to, place, value_along(in.name[edge], index));
        }
    release(kind, from);
    release(kind, to);
}

static void test_alltoallv(MPI_Comm comm, const Kind *kind, int most, int by_bytes) {
    int send_counts[EDGES], receive_counts[EDGES], send_places[EDGES], receive_places[EDGES];
    MPI_Aint send_bytes[EDGES], receive_bytes[EDGES];
    MPI_Datatype send_types[EDGES], receive_types[EDGES];
    void *from = new_elements(kind, (long)out.count * most),
        *to = new_elements(kind, (long)in.count * (most + 1));
    for (int edge = 0; edge < out.count; edge++) {
        send_counts[edge] = count_of(out.name[edge], most);
        send_places[edge] = edge * most;
        send_bytes[edge] = (MPI_Aint)(edge * most * (long)kind->extent);
        send_types[edge] = send_counts[edge] ? kind->type : MPI_DATATYPE_NULL;
        for (int index = 0; index < send_counts[edge]; index++)
            put(kind, from, (long)edge * most + index, value_along(out.name[edge], index));
    }
    for (int edge = 0; edge < in.count; edge++) {
        receive_counts[edge] = count_of(in.name[edge], most);
        receive_places[edge] = (in.count - 1 - edge) * (most + 1);
        receive_bytes[edge] = (MPI_Aint)(receive_places[edge] * (long)kind->extent);
        receive_types[edge] = receive_counts[edge] ? kind->type : MPI_DATATYPE_NULL;
    }
    if (by_bytes)
        COLL(comm, Neighbor_alltoallw, neighbor_alltoallw, from, send_counts, send_bytes,
             send_types, to, receive_counts, receive_bytes, receive_types);
    else
        COLL(comm, Neighbor_alltoallv, neighbor_alltoallv, from, send_counts, send_places,
             kind->type, to, receive_counts, receive_places, kind->type);
    for (int edge = 0; edge < in.count; edge++)
        for (int index = 0; index <= most; index++) {
            if (index < receive_counts[edge])
                EXPECT(kind, to, receive_places[edge] + index, value_along(in.name[edge], index));
            else UNTOUCHED(kind, to, receive_places[edge] + index);
        }
    release(kind, from);
    release(kind, to);
}

static void test_all(MPI_Comm comm) {
    static const int sizes[] = {0, 1, 7, 1000, 20000};
    for (form = 0; form < FORMS; form++)
        for (int kind = 0; kind < kinds_count; kind++)
            for (unsigned at = 0; at < sizeof sizes / sizeof *sizes; at++) {
                if (sizes[at] > 1000 && kind > 0) continue;
                test_allgather(comm, &kinds[kind], sizes[at]);
                test_allgatherv(comm, &kinds[kind], sizes[at]);
                test_alltoall(comm, &kinds[kind], sizes[at]);
                test_alltoallv(comm, &kinds[kind], sizes[at], 0);
                test_alltoallv(comm, &kinds[kind], sizes[at], 1);
            }
}

/* A message to the lower neighbour in dimension d has the name (sender, 2 d), one to the higher
 * neighbour (sender, 2 d + 1). The lower slot of a receive buffer gets what the lower neighbour
 * sends in its higher direction. */
static void test_cart(int ndims, const int *dims, const int *periods) {
    MPI_Comm cart;
    OK(MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 0, &cart));
    if (cart == MPI_COMM_NULL) return;
    OK(MPI_Comm_rank(cart, &rank));
    OK(MPI_Comm_size(cart, &size));
    in.count = out.count = 0;
    for (int d = 0; d < ndims; d++) {
        int low, high;
        OK(MPI_Cart_shift(cart, d, 1, &low, &high));
        add(&out, low, low < 0 ? -1 : rank * 100 + 2 * d);
        add(&out, high, high < 0 ? -1 : rank * 100 + 2 * d + 1);
        add(&in, low, low < 0 ? -1 : low * 100 + 2 * d + 1);
        add(&in, high, high < 0 ? -1 : high * 100 + 2 * d);
    }
    test_all(cart);
    OK(MPI_Comm_free(&cart));
}

/* Several edges between two processes, and edges from a process to itself. Edge k of a pair has the
 * name (from, to, k). */
static void test_graph(void) {
    MPI_Comm graph;
    int index[NODES], edges[NODES * EDGES], total = 0, seen[NODES];
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    in.count = out.count = 0;
    for (int node = 0; node < size; node++) {
        memset(seen, 0, sizeof seen);
        for (int turn = 0; turn < 3; turn++)
            for (int other = 0; other < size; other++) {
                if ((node + other) % 3 < turn) continue;
                edges[total++] = other;
                if (node == rank) {
                    add(&out, other, (rank * 10 + other) * 10 + seen[other]);
                    add(&in, other, (other * 10 + rank) * 10 + seen[other]++);
                }
            }
        index[node] = total;
    }
    OK(MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph));
    test_all(graph);
    OK(MPI_Comm_free(&graph));
}

static int edges_between(int from, int to) { return (from + 2 * to) % 3; }

/* Edges in one direction only. Some processes have no incoming edges, no outgoing edges, or none at
 * all. The two ends of the edges list them in different orders. */
static void test_dist_graph(int adjacent) {
    MPI_Comm graph;
    int sources[EDGES], destinations[EDGES], n_in = 0, n_out = 0;
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    in.count = out.count = 0;
    if (adjacent) {
        for (int peer = size - 1; peer >= 0; peer--)
            for (int k = 0; k < edges_between(peer, rank); k++) {
                sources[n_in++] = peer;
                add(&in, peer, (peer * 10 + rank) * 10 + k);
            }
        for (int peer = 0; peer < size; peer++)
            for (int k = 0; k < edges_between(rank, peer); k++) {
                destinations[n_out++] = peer;
                add(&out, peer, (rank * 10 + peer) * 10 + k);
            }
        OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n_in, sources, MPI_UNWEIGHTED, n_out,
                                          destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    } else {
        /* The last rank specifies all edges. Their weights are their names. */
        enum { ALL_EDGES = NODES * EDGES };
        int from[ALL_EDGES], to[ALL_EDGES], names[ALL_EDGES], degrees[ALL_EDGES];
        int weights_in[EDGES], weights_out[EDGES], weighted;
        if (rank == size - 1)
            for (int one = 0; one < size; one++)
                for (int other = 0; other < size; other++)
                    for (int k = 0; k < edges_between(one, other); k++) {
                        from[n_in] = one;
                        degrees[n_in] = 1;
                        to[n_in] = other;
                        names[n_in++] = (one * 10 + other) * 10 + k;
                    }
        OK(MPI_Dist_graph_create(MPI_COMM_WORLD, n_in, from, degrees, to,
                                 n_in ? names : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &graph));
        OK(MPI_Dist_graph_neighbors_count(graph, &n_in, &n_out, &weighted));
        OK(MPI_Dist_graph_neighbors(graph, n_in, sources, weights_in, n_out, destinations,
                                    weights_out));
        for (int edge = 0; edge < n_in; edge++) add(&in, sources[edge], weights_in[edge]);
        for (int edge = 0; edge < n_out; edge++) add(&out, destinations[edge], weights_out[edge]);
    }
    test_all(graph);
    OK(MPI_Comm_free(&graph));
}

/* Many outstanding operations on one communicator, with other collectives between them, completed
 * in another order. */
static void test_many(void) {
    enum { MANY = 40 };
    MPI_Comm cart;
    MPI_Request requests[MANY];
    int dims[1], periods[1] = {1}, own[MANY], got[MANY][2], sum, low, high;
    OK(MPI_Comm_size(MPI_COMM_WORLD, &dims[0]));
    OK(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart));
    OK(MPI_Comm_rank(cart, &rank));
    OK(MPI_Cart_shift(cart, 0, 1, &low, &high));
    for (int at = 0; at < MANY; at++) {
        own[at] = rank * 1000 + at;
        OK(MPI_Ineighbor_allgather(&own[at], 1, MPI_INT, got[at], 1, MPI_INT, cart, &requests[at]));
        if (at % 10 == 0) {
            OK(MPI_Allreduce(&at, &sum, 1, MPI_INT, MPI_MAX, cart));
            EQUAL("maximum", sum, at);
        }
    }
    for (int at = MANY - 1; at >= 0; at--) {
        OK(MPI_Wait(&requests[at], MPI_STATUS_IGNORE));
        EQUAL("from below", got[at][0], low * 1000 + at);
        EQUAL("from above", got[at][1], high * 1000 + at);
    }
    OK(MPI_Comm_free(&cart));
}

/* A persistent operation sends what the buffer holds when it is started. */
static void test_restarted(void) {
    MPI_Comm cart;
    MPI_Request request;
    int dims[1], periods[1] = {0}, own[2], got[2] = {-1, -1}, low, high;
    OK(MPI_Comm_size(MPI_COMM_WORLD, &dims[0]));
    OK(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart));
    OK(MPI_Comm_rank(cart, &rank));
    OK(MPI_Cart_shift(cart, 0, 1, &low, &high));
    OK(MPI_Neighbor_alltoall_init(own, 1, MPI_INT, got, 1, MPI_INT, cart, MPI_INFO_NULL, &request));
    for (int round = 0; round < 50; round++) {
        own[0] = rank * 100 + round;
        own[1] = rank * 100 + round + 50;
        OK(MPI_Start(&request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        EQUAL("from below", got[0], low < 0 ? -1 : low * 100 + round + 50);
        EQUAL("from above", got[1], high < 0 ? -1 : high * 100 + round);
    }
    OK(MPI_Request_free(&request));
    OK(MPI_Comm_free(&cart));
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    make_kinds();
    int all[3] = {1, 1, 1}, none[3] = {0, 0, 0}, ones[2] = {1, 1}, row[1] = {world_size},
        grid[3] = {0, 0, 0}, flat[2] = {1, world_size};
    int half[1] = {(world_size + 1) / 2};
    OK(MPI_Dims_create(world_size, 3, grid));
    test_cart(3, grid, all);
    test_cart(3, grid, none);
    test_cart(1, row, all);
    test_cart(1, row, none);
    test_cart(2, flat, all);
    test_cart(2, ones, all);
    test_cart(1, half, all);
    test_cart(0, NULL, NULL);
    test_graph();
    test_dist_graph(1);
    test_dist_graph(0);
    test_many();
    test_restarted();
    free_kinds();
    return end();
}
