/* Calls that the standard does not permit, that other libraries let pass, and that do no harm: they
 * have the effect here that they have there. `mpiexec -check` tells them (tests/wrong). */

#include "io.h"

/* Each process uses its own idea of the grid, as long as all have as many processes in it. */
static void grids(void)
{
    int dims[2] = {size, 1}, periods[2] = {rank % 2, 0}, coords[2], from, to;
    int other = rank == size - 1;
    MPI_Comm grid;
    OK(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid));
    CHECK(grid != MPI_COMM_NULL, "no grid with other periods");
    OK(MPI_Cart_coords(grid, rank, 2, coords));
    CHECK(coords[0] == rank && coords[1] == 0, "coordinates %d, %d", coords[0], coords[1]);
    OK(MPI_Cart_shift(grid, 0, 1, &from, &to));
    CHECK(to == (rank < size - 1 ? rank + 1 : rank % 2 ? 0 : MPI_PROC_NULL), "to %d", to);
    OK(MPI_Barrier(grid));
    OK(MPI_Comm_free(&grid));
    if (other) dims[0] = 1, dims[1] = size;
    OK(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid));
    OK(MPI_Cart_coords(grid, rank, 2, coords));
    CHECK(coords[other ? 1 : 0] == rank, "coordinates %d, %d", coords[0], coords[1]);
    OK(MPI_Barrier(grid));
    OK(MPI_Comm_free(&grid));
}

static void graphs(void)
{
    int index[2] = {1, 2}, edges[2] = {1, 0}, weight = 3, next = (rank + 1) % size;
    int before = (rank + size - 1) % size, in, out, weighted, other = rank == size - 1;
    MPI_Comm graph;
    if (size >= 2) {
        if (other) edges[0] = 0, edges[1] = 1;
        OK(MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph));
        CHECK((graph != MPI_COMM_NULL) == (rank < 2), "the graph has other processes");
        if (graph != MPI_COMM_NULL) OK(MPI_Barrier(graph));
        if (graph != MPI_COMM_NULL) OK(MPI_Comm_free(&graph));
    }
    int *weights = other ? &weight : MPI_UNWEIGHTED;
    OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, weights, 1, &next, weights,
                                      MPI_INFO_NULL, 0, &graph));
    OK(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK(in == 1 && out == 1 && weighted == other, "%d, %d, weighted %d", in, out, weighted);
    OK(MPI_Neighbor_allgather(&rank, 1, MPI_INT, &in, 1, MPI_INT, graph));
    CHECK(in == before, "%d has arrived", in);
    OK(MPI_Comm_free(&graph));
}

static int on_one_node(void)
{
    MPI_Comm node;
    int members;
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    OK(MPI_Comm_size(node, &members));
    OK(MPI_Comm_free(&node));
    return members == size;
}

/* A promise about windows that is not kept. */
static void promises(void)
{
    int *base, next = (rank + 1) % size, place = next % 2 ? 9 : 0;
    MPI_Win win;
    MPI_Info info;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "same_size", "true"));
    OK(MPI_Win_allocate(rank % 2 ? 40 : 4, 4, info, MPI_COMM_WORLD, &base, &win));
    OK(MPI_Win_fence(0, win));
    OK(MPI_Put(&rank, 1, MPI_INT, next, place, 1, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    CHECK(base[rank % 2 ? 9 : 0] == (rank + size - 1) % size, "%d has arrived", base[0]);
    OK(MPI_Win_free(&win));
    /* A contiguous layout is right for a process that permits another one. */
    OK(MPI_Info_set(info, "same_size", "false"));
    OK(MPI_Info_set(info, "alloc_shared_noncontig", rank % 2 ? "true" : "false"));
    OK(MPI_Win_allocate_shared(8, 4, info, MPI_COMM_SELF, &base, &win));
    OK(MPI_Win_free(&win));
    if (on_one_node()) {
        MPI_Aint bytes;
        int unit, *first;
        OK(MPI_Win_allocate_shared(8, 4, info, MPI_COMM_WORLD, &base, &win));
        OK(MPI_Win_shared_query(win, 0, &bytes, &unit, &first));
        CHECK(base == first + 2 * rank, "the memory of rank %d is at %td", rank, base - first);
        OK(MPI_Win_free(&win));
    }
    OK(MPI_Info_free(&info));
}

/* The result of an access in the memory of its origin. */
static void results(void)
{
    enum { COUNT = 5000 };
    static int data[COUNT + 1];
    int *base, value = 5;
    MPI_Win win;
    OK(MPI_Win_allocate(COUNT * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &base,
                        &win));
    for (int shift = 0; shift < 2; shift++) {
        for (int i = 0; i < COUNT; i++) base[i] = 7 * i;
        for (int i = 0; i <= COUNT; i++) data[i] = i;
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        /* Memory that is only partly shared gives right data here. */
        OK(MPI_Get_accumulate(data, COUNT, MPI_INT, data + shift, COUNT, MPI_INT, 0, 0, COUNT,
                              MPI_INT, MPI_SUM, win));
        OK(MPI_Win_unlock(0, win));
        for (int i = 0; i < COUNT; i++)
            CHECK(data[i + shift] == 7 * i && base[i] == 8 * i, "%d: %d, %d", i, data[i + shift],
                  base[i]);
    }
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
    OK(MPI_Fetch_and_op(&value, &value, MPI_INT, 0, 1, MPI_SUM, win));
    OK(MPI_Win_unlock(0, win));
    CHECK(value == 8 && base[1] == 13, "%d, %d", value, base[1]);
    OK(MPI_Win_free(&win));
}

/* Views with etypes of other lengths: only the shared pointer needs one length. */
static void views(void)
{
    double number = rank;
    int part = rank;
    MPI_Datatype type = rank % 2 ? MPI_DOUBLE : MPI_INT;
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    OK(MPI_File_set_view(file, 8 * rank, type, type, "native", MPI_INFO_NULL));
    OK(MPI_File_write_at_all(file, 0, rank % 2 ? (void *)&number : (void *)&part, 1, type,
                             MPI_STATUS_IGNORE));
    number = part = -1;
    OK(MPI_File_read_at_all(file, 0, rank % 2 ? (void *)&number : (void *)&part, 1, type,
                            MPI_STATUS_IGNORE));
    CHECK(rank % 2 ? number == rank : part == rank, "%f, %d", number, part);
    if (size > 1)
        FAILS(MPI_File_write_shared(file, &part, rank % 2 ? 0 : 1, type, MPI_STATUS_IGNORE),
              MPI_ERR_NOT_SAME);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_write_shared(file, &part, 1, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_close(&file));
}

/* What is known of a duplicate before it is complete. */
static void early(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int place, members, length;
    MPI_Comm made;
    MPI_Group group;
    MPI_Request request;
    OK(MPI_Comm_idup(MPI_COMM_WORLD, &made, &request));
    OK(MPI_Comm_rank(made, &place));
    OK(MPI_Comm_size(made, &members));
    CHECK(place == rank && members == size, "rank %d of %d", place, members);
    OK(MPI_Comm_group(made, &group));
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_set_name(made, "early"));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Comm_get_name(made, name, &length));
    CHECK(strcmp(name, "early") == 0, "the name is %s", name);
    OK(MPI_Barrier(made));
    OK(MPI_Comm_free(&made));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    choose_name("tolerated");
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    grids();
    graphs();
    promises();
    results();
    views();
    early();
    MPI_Finalize();
    return 0;
}
