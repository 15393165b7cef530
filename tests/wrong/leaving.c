/* Programs that rely on collective operations that do not wait for all processes. */
#include "cases.h"

static int data[4096], more[4096];

static void send(int from)
{
    if (rank == from)
        MPI_Send(data, 10, MPI_INT, size - 1 - from, 7, WORLD);
}

static void receive(int from)
{
    if (rank == size - 1 - from)
        MPI_Recv(more, 10, MPI_INT, from, 7, WORLD, IGNORE);
}

static void call(int kind)
{
    int counts[4] = {0, 0, 0, 0}, places[4] = {0, 0, 0, 0};
    switch (kind) {
    case 0: MPI_Bcast(data, 10, MPI_INT, 0, WORLD); break;
    case 1: MPI_Scatter(data, 2, MPI_INT, more, 2, MPI_INT, 0, WORLD); break;
    case 2: MPI_Scan(data, more, 10, MPI_INT, MPI_SUM, WORLD); break;
    case 3:
        MPI_Alltoallv(data, counts, places, MPI_INT, more, counts, places, MPI_INT, WORLD);
        break;
    case 4: MPI_Gather(data, 2, MPI_INT, more, 2, MPI_INT, size - 1, WORLD); break;
    case 5: MPI_Reduce(data, more, 10, MPI_INT, MPI_SUM, size - 1, WORLD); break;
    case 6: MPI_Bcast(data, 4096, MPI_INT, 0, WORLD); break;
    default: MPI_Exscan(data, more, 10, MPI_INT, MPI_SUM, WORLD); break;
    }
}

/* The last rank receives what rank 0 sends after the operation, and calls it then. The first
 * operations of a communicator may wait for other reasons. */
static void leaves(int kind, int unused)
{
    (void)unused;
    for (int i = 0; i < 8; i++)
        call(kind);
    receive(0);
    call(kind);
    send(0);
}

/* All ranks call the operation first. Other communicators may have another order. */
static void together(int kind, int unused)
{
    (void)unused;
    MPI_Comm half;
    for (int round = 0; round < 3; round++) {
        call(kind);
        send(0);
        receive(0);
        call((kind + 1) % 8);
    }
    MPI_Comm_split(WORLD, rank % 2, rank, &half);
    MPI_Bcast(data, 10, MPI_INT, 0, half);
    if (rank % 2 == 0)
        MPI_Bcast(data, 10, MPI_INT, 0, half);
    MPI_Comm_free(&half);
}

/* Neighbours exchange data around those that come later. */
static void neighbours(int unused, int unused2)
{
    (void)unused, (void)unused2;
    int none = 0, source = 0, target = 1;
    MPI_Comm line;
    MPI_Request request;
    MPI_Dist_graph_create_adjacent(WORLD, rank == 1, &source, MPI_UNWEIGHTED, rank == 0, &target,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &line);
    if (rank == 2)
        MPI_Recv(more, 10, MPI_INT, 0, 7, WORLD, IGNORE);
    MPI_Neighbor_allgather(data, rank == 0 ? 10 : none, MPI_INT, more, 10, MPI_INT, line);
    if (rank == 0)
        MPI_Send(data, 10, MPI_INT, 2, 7, WORLD);
    /* What has not to be complete does not wait. */
    MPI_Ibcast(data, 10, MPI_INT, 0, WORLD, &request);
    if (rank == 0)
        MPI_Send(data, 10, MPI_INT, 2, 7, WORLD);
    if (rank == 2)
        MPI_Recv(more, 10, MPI_INT, 0, 7, WORLD, IGNORE);
    MPI_Wait(&request, IGNORE);
    MPI_Comm_free(&line);
}

/* An operation that fails at some ranks, which go on. */
static void fails(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Comm copy;
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    MPI_Bcast(data, rank == 0 ? 20 : 10, MPI_INT, 0, copy);
    if (rank == 0)
        MPI_Send(data, 10, MPI_INT, size - 1, 7, WORLD);
    else if (rank == size - 1)
        MPI_Recv(more, 10, MPI_INT, 0, 7, WORLD, IGNORE);
    MPI_Comm_free(&copy);
}

#define STUCK "the job cannot go on|waits until all have called it|MPI_Recv|"

const struct test_case leaving[] = {
    {"leaves_bcast", 2, STUCK "MPI_Bcast(root=0)", leaves, 0, 0},
    {"leaves_bcast_long", 3, STUCK "MPI_Bcast(root=0)", leaves, 6, 0},
    {"leaves_scatter", 2, STUCK "MPI_Scatter(root=0)", leaves, 1, 0},
    {"leaves_scan", 2, STUCK "MPI_Scan", leaves, 2, 0},
    {"leaves_alltoallv", 2, STUCK "MPI_Alltoallv", leaves, 3, 0},
    {"leaves_gather", 4, STUCK "MPI_Gather(root=3)", leaves, 4, 0},
    {"leaves_reduce", 2, STUCK "MPI_Reduce(root=1", leaves, 5, 0},
    {"leaves_exscan", 2, STUCK "MPI_Exscan", leaves, 7, 0},
    {0}};

const struct test_case right_leaving[] = {
    {"right_together_bcast", 2, "", together, 0, 0},
    {"right_together_scatter", 3, "", together, 1, 0},
    {"right_together_scan", 4, "", together, 2, 0},
    {"right_together_reduce", 4, "", together, 5, 0},
    {"right_together_long", 3, "", together, 6, 0},
    {"right_neighbours_leave", 3, "", neighbours, 0, 0},
    {"right_failed_bcast", 3, "", fails, 0, 0},
    {0}};
