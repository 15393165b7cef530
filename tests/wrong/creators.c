/* Calls that make communicators and windows: what all processes must pass alike, and what they may
 * pass differently. */
#include "cases.h"

static int data[64];

/* Makes an object by one call, in which the processes differ. */
static void grids(int kind, int unused)
{
    (void)unused;
    MPI_Comm made, grid;
    int other = rank == 1;
    int dims[2] = {2, 1}, periods[2] = {0, 0}, remains[2] = {1, 0};
    int index[2] = {1, 2}, edges[2] = {1, 0};
    switch (kind) {
    case 0:
        if (other)
            dims[0] = 1, dims[1] = 2;
        MPI_Cart_create(WORLD, 2, dims, periods, 0, &made);
        break;
    case 1:
        if (other)
            dims[0] = 1;
        MPI_Cart_create(WORLD, 2, dims, periods, 0, &made);
        break;
    case 2:
        periods[1] = other;
        MPI_Cart_create(WORLD, 2, dims, periods, 0, &made);
        break;
    case 3: MPI_Cart_create(WORLD, 2, dims, periods, other, &made); break;
    case 4: MPI_Cart_create(WORLD, 2 - other, dims, periods, 0, &made); break;
    case 5:
        if (other)
            edges[0] = 0, edges[1] = 1;
        MPI_Graph_create(WORLD, 2, index, edges, 0, &made);
        break;
    case 6:
        edges[0] = 0;
        MPI_Graph_create(WORLD, 2 - other, index, edges, 0, &made);
        break;
    case 7: MPI_Graph_create(WORLD, 2, index, edges, other, &made); break;
    default:
        MPI_Cart_create(WORLD, 2, dims, periods, 0, &grid);
        remains[1] = other;
        MPI_Cart_sub(grid, remains, &made);
        MPI_Comm_free(&grid);
    }
    if (made != MPI_COMM_NULL) {
        MPI_Barrier(made);
        MPI_Comm_free(&made);
    }
}

/* Graphs whose edges the processes name differently. */
static void edges(int kind, int unused)
{
    (void)unused;
    MPI_Comm made;
    int peer = 1 - rank, weight = 1, twice[2] = {peer, peer}, one = 1;
    switch (kind) {
    case 0:
        MPI_Dist_graph_create_adjacent(WORLD, 1, &peer, rank ? &weight : MPI_UNWEIGHTED, 1, &peer,
                                       rank ? &weight : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
        break;
    case 1:
        MPI_Dist_graph_create(WORLD, 1, &rank, &one, &peer, rank ? &weight : MPI_UNWEIGHTED,
                              MPI_INFO_NULL, 0, &made);
        break;
    case 2: /* Rank 0 sends twice, and rank 1 receives once. */
        MPI_Dist_graph_create_adjacent(WORLD, 1, &peer, MPI_UNWEIGHTED, 2 - rank, twice,
                                       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
        break;
    default: /* An edge to itself at one end only. */
        MPI_Dist_graph_create_adjacent(WORLD, 1 - rank, &rank, MPI_UNWEIGHTED, 0, &peer,
                                       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    }
    MPI_Comm_free(&made);
}

static MPI_Info with(const char *key, const char *value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    return info;
}

/* Parts of a communicator. */
static void parts(int kind, int unused)
{
    (void)unused;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Group all, part;
    MPI_Info info;
    int other = rank == 1, order[3] = {0, 1, 2};
    MPI_Comm_group(WORLD, &all);
    switch (kind) {
    case 0:
        MPI_Comm_split_type(WORLD, other ? MPI_COMM_TYPE_HW_UNGUIDED : MPI_COMM_TYPE_SHARED, 0,
                            MPI_INFO_NULL, &made);
        break;
    case 1:
        info = with("mpi_hw_resource_type", other ? "hwloc://Core" : "hwloc://Package");
        MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &made);
        MPI_Info_free(&info);
        break;
    case 2: /* Another order at one process. */
        if (other)
            order[1] = 2, order[2] = 1;
        MPI_Group_incl(all, 3, order, &part);
        MPI_Comm_create(WORLD, part, &made);
        break;
    case 3: /* A member passes a group to which it does not belong. */
        order[1] = other ? 2 : 1;
        MPI_Group_incl(all, 2, order, &part);
        MPI_Comm_create(WORLD, part, &made);
        break;
    case 4: /* Rank 1 believes that all take part. */
        MPI_Group_incl(all, other ? 3 : 2, order, &part);
        if (rank < 2)
            MPI_Comm_create_group(WORLD, part, 4, &made);
        break;
    case 5:
        if (other)
            order[1] = 2, order[2] = 1;
        MPI_Group_incl(all, 3, order, &part);
        MPI_Comm_create_group(WORLD, part, 4, &made);
        break;
    default: /* Tags. */
        MPI_Group_incl(all, 3, order, &part);
        MPI_Comm_create_group(WORLD, part, 4 + other, &made);
    }
    if (made != MPI_COMM_NULL)
        MPI_Barrier(made);
}

/* Two groups, of two processes each, or of one and three. */
static void between(int kind, int unused)
{
    (void)unused;
    MPI_Comm half, inter, both;
    int first = kind == 0 ? 1 : 2, side = rank >= first, leader = 0;
    MPI_Comm_split(WORLD, side, 0, &half);
    if (kind == 0 && rank == 2)
        leader = 2;
    MPI_Intercomm_create(half, leader, WORLD, side ? 0 : first, kind == 1 ? 7 + side : 7, &inter);
    MPI_Intercomm_merge(inter, kind == 2 ? rank % 2 : side, &both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* Two processes make different objects. */
static void others(int kind, int unused)
{
    (void)unused;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Request request;
    MPI_Group all;
    MPI_File file;
    MPI_Win win;
    int dim = 2, period = 0, *base;
    int other = rank == 1;
    MPI_Comm_group(WORLD, &all);
    switch (kind) {
    case 0:
        if (other)
            MPI_Comm_split(WORLD, 0, 0, &made);
        else
            MPI_Cart_create(WORLD, 1, &dim, &period, 0, &made);
        break;
    case 1:
        if (other)
            MPI_Comm_split(WORLD, 0, 0, &made);
        else
            MPI_Comm_create(WORLD, all, &made);
        break;
    case 2:
        if (other)
            MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win);
        else
            MPI_Comm_dup(WORLD, &made);
        break;
    case 3:
        if (other) {
            MPI_Comm_idup(WORLD, &made, &request);
            MPI_Wait(&request, IGNORE);
        } else
            MPI_Comm_dup(WORLD, &made);
        break;
    case 4:
        if (other)
            MPI_Win_allocate(64, 1, MPI_INFO_NULL, WORLD, &base, &win);
        else
            MPI_Win_create(data, 64, 1, MPI_INFO_NULL, WORLD, &win);
        MPI_Win_free(&win);
        break;
    default:
        if (other)
            MPI_Comm_dup(WORLD, &made);
        else
            MPI_File_open(WORLD, "other", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    }
    if (made != MPI_COMM_NULL)
        MPI_Barrier(made);
}

/* Keys of windows. */
static void keys(int kind, int unused)
{
    (void)unused;
    MPI_Win win;
    MPI_Info info;
    int *base, other = rank == 1;
    switch (kind) {
    case 0:
        info = with("alloc_shared_noncontig", other ? "true" : "false");
        MPI_Win_allocate_shared(64, 1, info, WORLD, &base, &win);
        break;
    case 1:
        info = with("same_size", "true");
        MPI_Win_create(data, other ? 64 : 32, 1, info, WORLD, &win);
        break;
    default:
        info = with("same_disp_unit", other ? "true" : "false");
        MPI_Win_allocate(64, other ? 4 : 8, info, WORLD, &base, &win);
    }
    MPI_Info_free(&info);
    MPI_Win_free(&win);
}

/* Uses of a duplicate before it is complete. */
static void early(int kind, int unused)
{
    (void)unused;
    MPI_Comm made, more;
    MPI_Request request;
    int number = 5, place;
    MPI_Comm_idup(WORLD, &made, &request);
    switch (kind) {
    case 0: MPI_Barrier(made); break;
    case 1: MPI_Sendrecv(&number, 1, MPI_INT, 1 - rank, 0, data, 1, MPI_INT, 1 - rank, 0, made,
                         IGNORE);
        break;
    case 2: MPI_Comm_rank(made, &place); break;
    case 3: MPI_Comm_free(&made); break;
    case 4: MPI_Comm_dup(made, &more); break;
    default: MPI_Comm_set_name(made, "early");
    }
    MPI_Wait(&request, IGNORE);
    MPI_Comm_free(&made);
}

#define ALIKE "must be the same|at rank 0|at rank 1|"
/* The job goes on, and only -check tells it. */
#define TOLD "that are not the same at all processes|try: passing the same arguments|"
#define EARLY "does not permit, and that work here|in the making|"

const struct test_case creators[] = {
    {"cart_dims_differ", 2, TOLD "MPI_Cart_create|dims[0] is 2", grids, 0, 0},
    {"cart_sizes_differ", 3, ALIKE "MPI_Cart_create|dims[0] is 2", grids, 1, 0},
    {"cart_periods_differ", 2, TOLD "MPI_Cart_create|periods[1] is 0", grids, 2, 0},
    {"cart_reorder_differs", 4, ALIKE "MPI_Cart_create|reorder is 0", grids, 3, 0},
    {"cart_ndims_differ", 2, TOLD "MPI_Cart_create|ndims is 2", grids, 4, 0},
    {"graph_edges_differ", 2, TOLD "MPI_Graph_create|edges[0] is 1", grids, 5, 0},
    {"graph_nnodes_differ", 3, ALIKE "MPI_Graph_create|nnodes is 2", grids, 6, 0},
    {"graph_reorder_differs", 2, ALIKE "MPI_Graph_create|reorder is 0", grids, 7, 0},
    {"sub_remain_dims_differ", 2, ALIKE "MPI_Cart_sub|remain_dims[1] is 0", grids, 8, 0},
    {"adjacent_weights_differ", 2, TOLD "rank 1 passes weights, and rank 0 MPI_UNWEIGHTED",
     edges, 0, 0},
    {"dist_weights_differ", 2, "rank 1 passes weights, and rank 0 MPI_UNWEIGHTED", edges, 1, 0},
    {"adjacent_twice_and_once", 2,
     "edges that are not named at both ends|rank 0 names 2 times rank 1 as a destination, and rank "
     "1 names rank 0 as a source",
     edges, 2, 0},
    {"adjacent_to_itself", 2,
     "edges that are not named at both ends|ranks 0, 1: MPI_Dist_graph_create_adjacent in edges (|"
     "rank 0 does not name rank 0 as a destination",
     edges, 3, 0},
    {"split_types_differ", 2, "MPI_COMM_TYPE_SHARED, and rank 1 MPI_COMM_TYPE_HW_UNGUIDED", parts,
     0, 0},
    {"split_resources_differ", 2,
     "not the same at all processes|MPI_Comm_split_type in parts (|rank 0 names the resource "
     "\"hwloc://Package\", and rank 1 \"hwloc://Core\"", parts, 1, 0},
    {"create_orders_differ", 3, "MPI_ERR_GROUP|with other members, or in another order", parts, 2,
     0},
    {"create_without_a_member", 3, "MPI_ERR_GROUP|rank 0 passes a group of 2|and rank 1", parts, 3,
     0},
    {"create_group_sizes_differ", 3,
     "rank 0 passes a group of 2 processes, and rank 1 one of 3", parts, 4, 0},
    {"create_group_orders_differ", 3, "MPI_ERR_GROUP|members or in another order", parts, 5, 0},
    {"create_group_tags_differ", 3, "cannot go on|MPI_Comm_create_group", parts, 6, 0},
    {"intercomm_leaders_differ", 4, "MPI_Intercomm_create(local_leader=0)|(local_leader=2)",
     between, 0, 0},
    {"intercomm_tags_differ", 4, "cannot go on|MPI_Intercomm_create", between, 1, 0},
    {"merge_high_differs", 4, "group differ in high: it is false at rank 0, and true at rank 1",
     between, 2, 0},
    {"cart_against_split", 2, "rank 0 is in MPI_Cart_create|rank 1 is in MPI_Comm_split", others, 0,
     0},
    {"create_against_split", 2, "rank 0 is in MPI_Comm_create|rank 1 is in MPI_Comm_split", others,
     1, 0},
    {"dup_against_window", 2, "MPI_Comm_dup|MPI_Win_create_dynamic", others, 2, 0},
    {"dup_against_idup", 2, "MPI_Comm_dup|MPI_Comm_idup", others, 3, 0},
    {"win_create_against_allocate", 2, "MPI_Win_create|MPI_Win_allocate", others, 4, 0},
    {"open_against_dup", 2, "MPI_File_open|MPI_Comm_dup", others, 5, 0},
    {"shared_layouts_differ", 2,
     TOLD "alloc_shared_noncontig is false at rank 0, and true at rank 1", keys, 0, 0},
    {"same_size_that_differs", 2, TOLD "size is 32 at rank 0 and 64 at rank 1", keys,
     1, 0},
    {"same_unit_that_differs", 2,
     TOLD "same_disp_unit is true at rank 1|8 at rank 0 and 4 at rank 1", keys, 2, 0},
    {"idup_early_barrier", 2, "MPI_ERR_COMM|in the making|MPI_Barrier", early, 0, 0},
    {"idup_early_sendrecv", 2, "MPI_ERR_COMM|in the making|MPI_Sendrecv", early, 1, 0},
    {"idup_early_rank", 2, EARLY "MPI_Comm_rank", early, 2, 0},
    {"idup_early_free", 2, "MPI_ERR_COMM|in the making|MPI_Comm_free", early, 3, 0},
    {"idup_early_dup", 2, "MPI_ERR_COMM|in the making|MPI_Comm_dup", early, 4, 0},
    {"idup_early_name", 1, EARLY "MPI_Comm_set_name", early, 5, 0},
    {NULL, 0, NULL, NULL, 0, 0},
};

/* What the processes may pass differently. */
static void fine(int kind, int unused)
{
    (void)unused;
    MPI_Comm made = MPI_COMM_NULL, grid = MPI_COMM_NULL, twin;
    MPI_Group all, part;
    MPI_Info info;
    MPI_Win win;
    MPI_Request request, both[2];
    int other = rank == 1, flag = 0, number = rank, *base;
    int dims[2] = {2, 1}, periods[2] = {0, other ? 5 : 1}, remains[2] = {other ? 7 : 1, 0};
    int order[3] = {0, 1, 2}, after = (rank + 1) % size, before = (rank + size - 1) % size;
    int to[3] = {after, after, rank}, from[3] = {rank, before, before}, weights[3] = {4, 5, 6};
    MPI_Comm_group(WORLD, &all);
    switch (kind) {
    case 0: /* Logical values, and a grid smaller than the communicator. */
        MPI_Cart_create(WORLD, 2, dims, periods, other ? 2 : 1, &grid);
        if (grid != MPI_COMM_NULL) {
            MPI_Cart_sub(grid, remains, &made);
            MPI_Comm_free(&grid);
        }
        break;
    case 1: /* Edges in another order at both ends, several between two processes. */
        MPI_Dist_graph_create_adjacent(WORLD, 3, from, MPI_UNWEIGHTED, 3, to, MPI_UNWEIGHTED,
                                       MPI_INFO_NULL, other, &made);
        break;
    case 2: /* One process has no edges. */
        MPI_Dist_graph_create_adjacent(WORLD, other, from, other ? weights : MPI_WEIGHTS_EMPTY,
                                       other, &rank, other ? weights : MPI_WEIGHTS_EMPTY,
                                       MPI_INFO_NULL, 0, &made);
        break;
    case 3: /* One process names all edges. */
        MPI_Dist_graph_create(WORLD, other ? 3 : 0, order, (int[]){1, 1, 1}, (int[]){1, 2, 0},
                              other ? weights : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &made);
        break;
    case 4: /* One process wants nothing. */
        MPI_Comm_split_type(WORLD, other ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, -rank,
                            MPI_INFO_NULL, &made);
        break;
    case 5: /* Disjoint groups, and one that is empty. */
        if (rank == 2) {
            MPI_Comm_create(WORLD, MPI_GROUP_EMPTY, &made);
            break;
        }
        MPI_Group_incl(all, 1, &rank, &part);
        MPI_Comm_create(WORLD, part, &made);
        MPI_Group_free(&part);
        break;
    case 6: /* A group without the process itself. */
        MPI_Group_incl(all, 2, order, &part);
        MPI_Comm_create(WORLD, part, &made);
        MPI_Group_free(&part);
        break;
    case 7: /* Two groups at once, with one tag. */
        MPI_Group_incl(all, rank < 2 ? 2 : 1, rank < 2 ? order : order + 2, &part);
        MPI_Comm_create_group(WORLD, part, 4, &made);
        MPI_Group_free(&part);
        break;
    case 14: /* As mpi4py does it. */
        MPI_Comm_idup(WORLD, &made, &request);
        MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
        MPI_Wait(&request, IGNORE);
        break;
    case 8: /* A duplicate that is known to be complete before its request is freed. */
        MPI_Comm_idup(WORLD, &made, &request);
        while (!flag)
            MPI_Request_get_status(request, &flag, IGNORE);
        MPI_Barrier(made);
        MPI_Wait(&request, IGNORE);
        break;
    case 9: /* Duplicates of a communicator that is freed, completed together. */
        MPI_Comm_dup(WORLD, &grid);
        MPI_Comm_idup(grid, &made, &both[0]);
        MPI_Comm_idup(grid, &twin, &both[1]);
        MPI_Comm_free(&grid);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        MPI_Allreduce(&number, &flag, 1, MPI_INT, MPI_SUM, twin);
        MPI_Comm_free(&twin);
        break;
    case 10: /* Sizes, units and promises. */
        info = with("same_size", "false");
        MPI_Info_set(info, "same_disp_unit", "true");
        MPI_Win_allocate(other ? 64 : 0, 8, info, WORLD, &base, &win);
        MPI_Win_free(&win);
        MPI_Win_allocate(64, other ? 8 : 4, MPI_INFO_NULL, WORLD, &base, &win);
        MPI_Win_free(&win);
        MPI_Info_set(info, "alloc_shared_noncontig", "true");
        MPI_Win_allocate_shared(other ? 64 : 8, 8, info, WORLD, &base, &win);
        MPI_Win_free(&win);
        MPI_Info_free(&info);
        break;
    case 11: /* The same thing by names in other letters, and another key of the info. */
        info = with("mpi_pset_name", other ? "mpi://world" : "mpi://WORLD");
        MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, info, &made);
        MPI_Info_free(&info);
        break;
    case 12: /* A split with other colours and keys, and one process without a colour. */
        MPI_Comm_split(WORLD, other ? MPI_UNDEFINED : 3, -rank, &made);
        break;
    default: /* A duplicate with the hints of one process. */
        info = with("mpi_assert_no_any_tag", "true");
        if (other)
            MPI_Comm_dup_with_info(WORLD, info, &made);
        else
            MPI_Comm_dup(WORLD, &made);
        MPI_Info_free(&info);
    }
    if (made != MPI_COMM_NULL) {
        MPI_Barrier(made);
        MPI_Comm_free(&made);
    }
    MPI_Group_free(&all);
}

const struct test_case right_creators[] = {
    {"right_cart_logical", 3, "", fine, 0, 0},
    {"right_adjacent_orders", 3, "", fine, 1, 0},
    {"right_adjacent_isolated", 3, "", fine, 2, 0},
    {"right_dist_by_one", 3, "", fine, 3, 0},
    {"right_split_type_undefined", 3, "", fine, 4, 0},
    {"right_create_disjoint", 3, "", fine, 5, 0},
    {"right_create_without_itself", 3, "", fine, 6, 0},
    {"right_create_groups_at_once", 3, "", fine, 7, 0},
    {"right_idup_status", 3, "", fine, 8, 0},
    {"right_idup_twice", 3, "", fine, 9, 0},
    {"right_idup_handler", 2, "", fine, 14, 0},
    {"right_win_promises", 3, "", fine, 10, 0},
    {"right_process_set_letters", 3, "", fine, 11, 0},
    {"right_split_colours", 3, "", fine, 12, 0},
    {"right_dup_hints", 3, "", fine, 13, 0},
    {NULL, 0, NULL, NULL, 0, 0},
};
