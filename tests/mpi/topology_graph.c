/* Graph and distributed graph topologies: inquiry returns the edges of the creation, with repeated
 * edges, edges from a process to itself, and with or without weights. */

#include "check.h"

enum { EDGES_MAX = 256 };

/* A ring with both neighbours, in which every edge of the first node appears twice. */
static void test_graph(int nodes)
{
    MPI_Comm graph, copy;
    int index[64], edges[EDGES_MAX], total = 0, seen_index[64], seen_edges[EDGES_MAX], number,
        edge_count,
        status, mapped;
    for (int node = 0; node < nodes; node++) {
        edges[total++] = (node + nodes - 1) % nodes;
        edges[total++] = (node + 1) % nodes;
        if (node == 0) edges[total++] = 0, edges[total++] = 0;
        index[node] = total;
    }
    OK(MPI_Graph_map(MPI_COMM_WORLD, nodes, index, edges, &mapped));
    CHECK(mapped == (rank < nodes ? rank : MPI_UNDEFINED), "MPI maps this rank to %d", mapped);
    OK(MPI_Graph_create(MPI_COMM_WORLD, nodes, index, edges, 1, &graph));
    if (rank >= nodes) {
        CHECK(graph == MPI_COMM_NULL, "a node of %d", nodes);
        return;
    }
    OK(MPI_Comm_dup(graph, &copy));
    OK(MPI_Comm_free(&graph));
    OK(MPI_Topo_test(copy, &status));
    CHECK(status == MPI_GRAPH, "topology %d", status);
    OK(MPI_Graphdims_get(copy, &number, &edge_count));
    CHECK(number == nodes && edge_count == total, "%d nodes, %d edges", number, edge_count);
    OK(MPI_Graph_get(copy, nodes, total, seen_index, seen_edges));
    CHECK(memcmp(index, seen_index, sizeof(int) * nodes) == 0 &&
          memcmp(edges, seen_edges, sizeof(int) * total) == 0, "the graph is wrong");
    for (int node = 0; node < nodes; node++) {
        int begin = node ? index[node - 1] : 0;
        OK(MPI_Graph_neighbors_count(copy, node, &number));
        CHECK(number == index[node] - begin, "%d neighbours", number);
        OK(MPI_Graph_neighbors(copy, node, number, seen_edges));
        CHECK(memcmp(seen_edges, edges + begin, sizeof(int) * number) == 0,
              "the neighbours are wrong");
    }
    FAILS(MPI_Graph_neighbors_count(copy, nodes, &number), MPI_ERR_RANK);
    FAILS(MPI_Cartdim_get(copy, &number), MPI_ERR_TOPOLOGY);
    OK(MPI_Comm_free(&copy));
}

/* Edge k from `from` to `to` has this weight. There are (from + 2 * to) % 3 such edges. */
static int edges_between(int from, int to) { return (from + 2 * to) % 3; }
static int weight_of(int from, int to, int k) { return from * 100 + to * 10 + k; }

/* Checks the neighbours of a distributed graph: each occurs as often as expected, with weights that
 * ascend with k. */
static void check_neighbours(MPI_Comm graph, int weighted)
{
    int in, out, seen_weighted, status;
    int sources[EDGES_MAX], destinations[EDGES_MAX], from[EDGES_MAX], to[EDGES_MAX], wanted_in = 0,
        wanted_out = 0;
    OK(MPI_Topo_test(graph, &status));
    CHECK(status == MPI_DIST_GRAPH, "topology %d", status);
    OK(MPI_Dist_graph_neighbors_count(graph, &in, &out, &seen_weighted));
    for (int peer = 0; peer < size; peer++)
        wanted_in += edges_between(peer, rank), wanted_out += edges_between(rank, peer);
    CHECK(in == wanted_in && out == wanted_out, "%d in, %d out instead of %d, %d", in, out,
          wanted_in, wanted_out);
    CHECK(!seen_weighted == !weighted, "weighted: %d", seen_weighted);
    for (int i = 0; i < EDGES_MAX; i++) from[i] = to[i] = sources[i] = destinations[i] = -7;
    OK(MPI_Dist_graph_neighbors(graph, in, sources, weighted ? from : MPI_UNWEIGHTED, out,
                                destinations, weighted ? to : MPI_UNWEIGHTED));
    CHECK(sources[in] == -7 && destinations[out] == -7 && from[in] == -7 && to[out] == -7,
          "more neighbours than there are");
    for (int peer = 0; peer < size; peer++) {
        int k = 0, l = 0;
        for (int i = 0; i < in; i++)
            if (sources[i] == peer) {
                CHECK(!weighted || from[i] == weight_of(peer, rank, k), "edge %d from %d weighs %d",
                      k, peer, from[i]);
                k++;
            }
        for (int i = 0; i < out; i++)
            if (destinations[i] == peer) {
                CHECK(!weighted || to[i] == weight_of(rank, peer, l), "edge %d to %d weighs %d", l,
                      peer, to[i]);
                l++;
            }
        CHECK(k == edges_between(peer, rank) && l == edges_between(rank, peer),
              "%d and %d edges with %d", k, l, peer);
    }
    /* A second inquiry, and one of the first neighbours only. */
    int again[EDGES_MAX], fewer[EDGES_MAX];
    for (int i = 0; i < EDGES_MAX; i++) fewer[i] = -7;
    OK(MPI_Dist_graph_neighbors(graph, in, again, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED));
    OK(MPI_Dist_graph_neighbors(graph, in / 2, fewer, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED));
    CHECK(memcmp(again, sources, sizeof(int) * in) == 0 &&
          memcmp(fewer, sources, sizeof(int) * (in / 2)) == 0, "the order is wrong");
    CHECK(fewer[in / 2] == -7, "more than was asked for");
}

static void test_adjacent(int weighted)
{
    int sources[EDGES_MAX], destinations[EDGES_MAX], from[EDGES_MAX], to[EDGES_MAX], in = 0,
        out = 0;
    MPI_Comm graph, copy;
    for (int peer = size - 1; peer >= 0; peer--) {
        for (int k = 0; k < edges_between(peer, rank); k++)
            sources[in] = peer, from[in++] = weight_of(peer, rank, k);
        for (int k = 0; k < edges_between(rank, peer); k++)
            destinations[out] = peer, to[out++] = weight_of(rank, peer, k);
    }
    OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, sources,
                                      !weighted ? MPI_UNWEIGHTED : in ? from : MPI_WEIGHTS_EMPTY,
                                      out, destinations,
                                      !weighted ? MPI_UNWEIGHTED : out ? to : MPI_WEIGHTS_EMPTY,
                                      MPI_INFO_NULL, 0, &graph));
    check_neighbours(graph, weighted);
    int returned[EDGES_MAX];
    OK(MPI_Dist_graph_neighbors(graph, in, returned, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED));
    CHECK(memcmp(returned, sources, sizeof(int) * in) == 0,
          "the order differs from the order at creation");
    OK(MPI_Comm_dup(graph, &copy));
    OK(MPI_Comm_free(&graph));
    check_neighbours(copy, weighted);
    OK(MPI_Comm_free(&copy));
}

/* Every process specifies the edges of the next process, some of them in two entries with the same
 * source. */
static void test_from_anyone(int weighted)
{
    int about = (rank + 1) % size, sources[3] = {about, about, about}, degrees[3] = {0, 0, 0},
        destinations[EDGES_MAX], weights[EDGES_MAX], total = 0;
    MPI_Comm graph;
    for (int part = 0; part < 2; part++)
        for (int peer = 0; peer < size; peer++)
            for (int k = 0; k < edges_between(about, peer); k++)
                if ((peer < size / 2) == !part)
                    destinations[total] = peer, weights[total++] = weight_of(about, peer, k),
                        degrees[part ? 2 : 0]++;
    OK(MPI_Dist_graph_create(MPI_COMM_WORLD, 3, sources, degrees, destinations,
                             !weighted ? MPI_UNWEIGHTED : total ? weights : MPI_WEIGHTS_EMPTY,
                             MPI_INFO_NULL, 1, &graph));
    check_neighbours(graph, weighted);
    OK(MPI_Comm_free(&graph));
}

/* One process specifies all edges. */
static void test_from_one(void)
{
    int sources[EDGES_MAX], degrees[EDGES_MAX], destinations[EDGES_MAX], weights[EDGES_MAX], n = 0,
        total = 0;
    MPI_Comm graph;
    if (rank == size - 1)
        for (int from = 0; from < size; from++) {
            sources[n] = from;
            degrees[n] = 0;
            for (int to = 0; to < size; to++)
                for (int k = 0; k < edges_between(from, to); k++)
                    destinations[total] = to, weights[total++] = weight_of(from, to, k),
                        degrees[n]++;
            n++;
        }
    OK(MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, destinations,
                             total ? weights : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &graph));
    check_neighbours(graph, 1);
    OK(MPI_Comm_free(&graph));
}

static void test_refused(void)
{
    MPI_Comm graph;
    int index[2] = {1, 0}, edges[2] = {0, 0}, far[1] = {size}, one[1] = {1}, own[1] = {rank},
        weight[1] = {-1};
    if (size > 1) FAILS(MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph), MPI_ERR_ARG);
    FAILS(MPI_Graph_create(MPI_COMM_WORLD, 1, one, far, 0, &graph), MPI_ERR_ARG);
    FAILS(MPI_Graph_create(MPI_COMM_WORLD, size + 1, index, edges, 0, &graph), MPI_ERR_ARG);
    FAILS(MPI_Graph_create(MPI_COMM_WORLD, -1, index, edges, 0, &graph), MPI_ERR_ARG);
    FAILS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, far, one, own, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                &graph), MPI_ERR_RANK);
    FAILS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, own, one, far, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                &graph), MPI_ERR_RANK);
    FAILS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, own, one, own, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL,
                                0, &graph), MPI_ERR_ARG);
    FAILS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, own, one, own, weight, MPI_INFO_NULL, 0, &graph),
          MPI_ERR_ARG);
    FAILS(MPI_Dist_graph_create(MPI_COMM_WORLD, -1, own, one, own, weight, MPI_INFO_NULL, 0,
                                &graph), MPI_ERR_ARG);
    FAILS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, own, one, 1, own, MPI_UNWEIGHTED,
                                         MPI_INFO_NULL, 0, &graph), MPI_ERR_ARG);
    FAILS(MPI_Dist_graph_create_adjacent(MPI_COMM_NULL, 0, NULL, MPI_UNWEIGHTED, 0, NULL,
                                         MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph), MPI_ERR_COMM);
    /* No edges and null weights at all processes: no process passes MPI_UNWEIGHTED, so the graph is
     * weighted. */
    int in = -1, out = -1, weighted = -1;
    OK(MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, NULL, MPI_INFO_NULL, 0, &graph));
    OK(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK(in == 0 && out == 0 && weighted, "%d in, %d out, weighted: %d", in, out, weighted);
    OK(MPI_Comm_free(&graph));
    OK(MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, rank ? NULL : MPI_UNWEIGHTED,
                             MPI_INFO_NULL, 0, &graph));
    OK(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK(in == 0 && out == 0 && !weighted, "%d in, %d out, weighted: %d", in, out, weighted);
    OK(MPI_Comm_free(&graph));
    /* Weights at some processes only are an error at all processes. */
    if (size > 1)
        FAILS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, own, one, own, rank ? MPI_UNWEIGHTED : one,
                                    MPI_INFO_NULL, 0, &graph), MPI_ERR_ARG);
    OK(MPI_Graph_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &graph));
    CHECK(graph == MPI_COMM_NULL, "a graph without nodes has a communicator");
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    test_graph(size);
    test_graph((size + 1) / 2);
    for (int weighted = 0; weighted < 2; weighted++) {
        test_adjacent(weighted);
        test_from_anyone(weighted);
    }
    test_from_one();
    test_refused();
    return MPI_Finalize();
}
