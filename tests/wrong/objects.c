/* Objects that are never freed. */
#include "cases.h"

enum { DUP, SPLIT, CREATE, CREATE_GROUP, CART, GRAPH, DIST_GRAPH, SUB, SHARED, INTER, MERGE, IDUP };

static void comm(int kind, int unused)
{
    (void)unused;
    MPI_Comm made, other, third;
    MPI_Group group;
    MPI_Request request;
    int dims[2] = {2, 1}, none[2] = {0, 0}, keep[2] = {1, 0}, index[2] = {1, 2}, edges[2] = {1, 0};
    int degrees = 0;
    switch (kind) {
    case DUP: MPI_Comm_dup(WORLD, &made); break;
    case SPLIT: MPI_Comm_split(WORLD, rank % 2, rank, &made); break;
    case CREATE:
    case CREATE_GROUP:
        MPI_Comm_group(WORLD, &group);
        if (kind == CREATE)
            MPI_Comm_create(WORLD, group, &made);
        else
            MPI_Comm_create_group(WORLD, group, 4, &made);
        MPI_Group_free(&group);
        break;
    case CART: MPI_Cart_create(WORLD, 2, dims, none, 0, &made); break;
    case GRAPH: MPI_Graph_create(WORLD, 2, index, edges, 0, &made); break;
    case DIST_GRAPH:
        MPI_Dist_graph_create(WORLD, 1, &rank, &degrees, edges, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                              &made);
        break;
    case SUB:
        MPI_Cart_create(WORLD, 2, dims, none, 0, &other);
        MPI_Cart_sub(other, keep, &made);
        MPI_Comm_free(&other);
        break;
    case SHARED: MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made); break;
    case INTER:
    case MERGE:
        MPI_Comm_split(WORLD, rank, 0, &other);
        MPI_Intercomm_create(other, 0, WORLD, 1 - rank, 3, &made);
        MPI_Comm_free(&other);
        if (kind == MERGE) {
            MPI_Intercomm_merge(made, rank, &third);
            MPI_Comm_free(&made);
        }
        break;
    default:
        MPI_Comm_idup(WORLD, &made, &request);
        MPI_Wait(&request, IGNORE);
    }
}

enum { CONTIGUOUS, VECTOR, HVECTOR, INDEXED, HINDEXED, BLOCK, STRUCT, RESIZED, SUBARRAY, DARRAY,
       TYPE_DUP, COMMITTED };

static void type(int kind, int unused)
{
    (void)unused;
    int ones[2] = {1, 1}, places[2] = {0, 2}, sizes[2] = {4, 4}, zeros[2] = {0, 0};
    int distribution[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK}, grid[2] = {1, 1};
    int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    MPI_Aint addresses[2] = {0, 8};
    MPI_Datatype made, two[2] = {MPI_INT, MPI_DOUBLE};
    switch (kind) {
    case CONTIGUOUS: MPI_Type_contiguous(4, MPI_INT, &made); break;
    case VECTOR: MPI_Type_vector(2, 1, 3, MPI_INT, &made); break;
    case HVECTOR: MPI_Type_create_hvector(2, 1, 16, MPI_INT, &made); break;
    case INDEXED: MPI_Type_indexed(2, ones, places, MPI_INT, &made); break;
    case HINDEXED: MPI_Type_create_hindexed(2, ones, addresses, MPI_INT, &made); break;
    case BLOCK: MPI_Type_create_indexed_block(2, 1, places, MPI_INT, &made); break;
    case STRUCT: MPI_Type_create_struct(2, ones, addresses, two, &made); break;
    case RESIZED: MPI_Type_create_resized(MPI_INT, 0, 16, &made); break;
    case SUBARRAY:
        MPI_Type_create_subarray(2, sizes, ones, zeros, MPI_ORDER_C, MPI_INT, &made);
        break;
    case DARRAY:
        MPI_Type_create_darray(1, 0, 2, sizes, distribution, arguments, grid, MPI_ORDER_C, MPI_INT,
                               &made);
        break;
    case TYPE_DUP: MPI_Type_dup(MPI_INT, &made); break;
    default:
        MPI_Type_contiguous(2, MPI_DOUBLE, &made);
        MPI_Type_commit(&made);
    }
}

static void group(int kind, int unused)
{
    (void)unused;
    MPI_Group world, made;
    int zero = 0, range[1][3] = {{0, 0, 1}};
    MPI_Comm_group(WORLD, &world);
    switch (kind) {
    case 0: return;
    case 1: MPI_Group_incl(world, 1, &zero, &made); break;
    case 2: MPI_Group_excl(world, 1, &zero, &made); break;
    case 3: MPI_Group_range_incl(world, 1, range, &made); break;
    case 4: MPI_Group_union(world, world, &made); break;
    default: MPI_Group_intersection(world, world, &made); break;
    }
    MPI_Group_free(&world);
}

static void window(int kind, int unused)
{
    (void)unused;
    static int memory[16];
    MPI_Win win;
    void *base;
    if (kind == 0)
        MPI_Win_create(memory, sizeof(memory), 4, MPI_INFO_NULL, WORLD, &win);
    else if (kind == 1)
        MPI_Win_allocate(64, 4, MPI_INFO_NULL, WORLD, &base, &win);
    else if (kind == 2)
        MPI_Win_allocate_shared(64, 4, MPI_INFO_NULL, WORLD, &base, &win);
    else
        MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win);
}

static void file(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_File made;
    MPI_File_open(WORLD, "left-open", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &made);
}

static void info(int kind, int unused)
{
    (void)unused;
    MPI_Info made, copy;
    MPI_Info_create(&made);
    if (kind == 1) {
        MPI_Info_dup(made, &copy);
        MPI_Info_free(&made);
    } else if (kind == 2) {
        MPI_Info_free(&made);
        MPI_Comm_get_info(WORLD, &copy);
    }
}

static void add(void *in, void *out, int *count, MPI_Datatype *datatype)
{
    (void)datatype;
    for (int i = 0; i < *count; i++)
        ((int *)out)[i] += ((int *)in)[i];
}

static void operation(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Op made;
    MPI_Op_create(add, 1, &made);
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

static void errhandler(int kind, int unused)
{
    (void)unused;
    MPI_Errhandler made, other;
    MPI_Comm_create_errhandler(handle, &made);
    MPI_Comm_set_errhandler(WORLD, made);
    if (kind == 1) {
        MPI_Errhandler_free(&made);
        MPI_Comm_get_errhandler(WORLD, &other);
    }
}

#define FREED " never freed|objects.c:|"

const struct test_case objects[] = {
    {"comm_dup_left", 2, "communicators" FREED "ranks 0, 1: MPI_Comm_dup in comm", comm, DUP, 0},
    {"comm_split_left", 2, "communicators" FREED "MPI_Comm_split", comm, SPLIT, 0},
    {"comm_create_left", 2, "communicators" FREED "MPI_Comm_create", comm, CREATE, 0},
    {"comm_create_group_left", 2, "communicators" FREED "MPI_Comm_create_group", comm, CREATE_GROUP,
     0},
    {"comm_cart_left", 2, "communicators" FREED "MPI_Cart_create", comm, CART, 0},
    {"comm_graph_left", 2, "communicators" FREED "MPI_Graph_create", comm, GRAPH, 0},
    {"comm_dist_graph_left", 2, "communicators" FREED "MPI_Dist_graph_create", comm, DIST_GRAPH, 0},
    {"comm_sub_left", 2, "communicators" FREED "MPI_Cart_sub", comm, SUB, 0},
    {"comm_shared_left", 2, "communicators" FREED "MPI_Comm_split_type", comm, SHARED, 0},
    {"comm_inter_left", 2, "communicators" FREED "MPI_Intercomm_create", comm, INTER, 0},
    {"comm_merge_left", 2, "communicators" FREED "MPI_Intercomm_merge", comm, MERGE, 0},
    {"comm_idup_left", 2, "communicators" FREED "MPI_Comm_idup", comm, IDUP, 0},
    {"types_contiguous_left", 1, "datatypes" FREED "MPI_Type_contiguous in type", type, CONTIGUOUS,
     0},
    {"types_vector_left", 1, "datatypes" FREED "MPI_Type_vector", type, VECTOR, 0},
    {"types_hvector_left", 1, "datatypes" FREED "MPI_Type_create_hvector", type, HVECTOR, 0},
    {"types_indexed_left", 1, "datatypes" FREED "MPI_Type_indexed", type, INDEXED, 0},
    {"types_hindexed_left", 1, "datatypes" FREED "MPI_Type_create_hindexed", type, HINDEXED, 0},
    {"types_block_left", 1, "datatypes" FREED "MPI_Type_create_indexed_block", type, BLOCK, 0},
    {"types_struct_left", 1, "datatypes" FREED "MPI_Type_create_struct", type, STRUCT, 0},
    {"types_resized_left", 1, "datatypes" FREED "MPI_Type_create_resized", type, RESIZED, 0},
    {"types_subarray_left", 1, "datatypes" FREED "MPI_Type_create_subarray", type, SUBARRAY, 0},
    {"types_darray_left", 1, "datatypes" FREED "MPI_Type_create_darray", type, DARRAY, 0},
    {"types_dup_left", 1, "datatypes" FREED "MPI_Type_dup", type, TYPE_DUP, 0},
    {"types_committed_left", 1, "datatypes" FREED "of 16 bytes", type, COMMITTED, 0},
    {"group_of_comm_left", 2, "groups" FREED "MPI_Comm_group in group", group, 0, 0},
    {"group_incl_left", 2, "groups" FREED "MPI_Group_incl", group, 1, 0},
    {"group_excl_left", 2, "groups" FREED "MPI_Group_excl", group, 2, 0},
    {"group_range_incl_left", 2, "groups" FREED "MPI_Group_range_incl", group, 3, 0},
    {"group_union_left", 2, "groups" FREED "MPI_Group_union", group, 4, 0},
    {"group_intersection_left", 2, "groups" FREED "MPI_Group_intersection", group, 5, 0},
    {"win_create_left", 2, "windows" FREED "MPI_Win_create in window", window, 0, 0},
    {"win_allocate_left", 2, "windows" FREED "MPI_Win_allocate", window, 1, 0},
    {"win_shared_left", 2, "windows" FREED "MPI_Win_allocate_shared", window, 2, 0},
    {"win_dynamic_left", 2, "windows" FREED "MPI_Win_create_dynamic", window, 3, 0},
    {"file_left", 2, "files never closed|objects.c:|MPI_File_open in file|left-open", file, 0, 0},
    {"info_left", 1, "info objects" FREED "MPI_Info_create in info", info, 0, 0},
    {"info_dup_left", 1, "info objects" FREED "MPI_Info_dup", info, 1, 0},
    {"info_of_comm_left", 1, "info objects" FREED "MPI_Comm_get_info", info, 2, 0},
    {"op_left", 1, "reduction operations" FREED "MPI_Op_create in operation", operation, 0, 0},
    {"errhandler_left", 1, "error handlers" FREED "MPI_Comm_create_errhandler", errhandler, 0, 0},
    {"errhandler_got_left", 1, "error handlers" FREED "MPI_Comm_create_errhandler", errhandler, 1,
     0},
    {0}};
