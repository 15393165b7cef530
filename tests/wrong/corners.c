/* Mistakes in calls that few programs make: windows of dynamic memory, persistent collectives,
 * topologies, tools, files, and processes that come later. */
#include "cases.h"

static int data[64], more[64];

/* Windows to which memory is attached. */
static void dynamic(int kind, int unused)
{
    (void)unused;
    MPI_Win win;
    MPI_Aint place;
    MPI_Aint places[2];
    int number = 7;
    MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win);
    if (kind != 0)
        MPI_Win_attach(win, data, sizeof(data));
    MPI_Get_address(data, &place);
    MPI_Allgather(&place, 1, MPI_AINT, places, 1, MPI_AINT, WORLD);
    place = places[1 - rank];
    switch (kind) {
    case 0: break;
    case 1: MPI_Win_attach(win, data + 8, sizeof(int)); break;
    case 2: MPI_Win_detach(win, data + 8); break;
    case 3:
        MPI_Win_detach(win, data);
        MPI_Win_detach(win, data);
        break;
    case 4: place = MPI_Aint_add(place, sizeof(data) - 2); break;
    case 5:
        MPI_Barrier(WORLD);
        MPI_Win_detach(win, data);
        MPI_Barrier(WORLD);
        break;
    default: place = 0; break;
    }
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win);
    MPI_Put(&number, 1, MPI_INT, 1 - rank, place, 1, MPI_INT, win);
    MPI_Win_unlock(1 - rank, win);
    MPI_Barrier(WORLD);
    MPI_Win_free(&win);
}

/* Windows of shared memory, and of different sizes. */
static void shared(int kind, int unused)
{
    (void)unused;
    MPI_Win win;
    MPI_Aint bytes;
    int unit, *base;
    switch (kind) {
    case 0:
        MPI_Win_create(data, sizeof(data), 4, MPI_INFO_NULL, WORLD, &win);
        MPI_Win_attach(win, more, sizeof(more));
        break;
    case 1:
        MPI_Win_allocate_shared(64, 4, MPI_INFO_NULL, WORLD, &base, &win);
        MPI_Win_shared_query(win, 9, &bytes, &unit, &base);
        break;
    case 2: MPI_Win_create(data, -4, 4, MPI_INFO_NULL, WORLD, &win); break;
    case 3: MPI_Win_create(data, sizeof(data), 0, MPI_INFO_NULL, WORLD, &win); break;
    case 4:
        MPI_Win_create(data, rank == 0 ? sizeof(data) : 0, 4, MPI_INFO_NULL, WORLD, &win);
        MPI_Win_fence(0, win);
        MPI_Put(more, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
        break;
    default:
        MPI_Win_create(data, sizeof(data), 4, MPI_INFO_NULL, WORLD, &win);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Fetch_and_op(more, more + 8, MPI_INT, 0, 0, MPI_MINLOC, win);
        MPI_Win_unlock(0, win);
        break;
    }
    MPI_Win_free(&win);
}

static void add(void *in, void *out, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)out)[i] += ((int *)in)[i];
}

/* Persistent and non-blocking collectives. */
static void persistent(int kind, int unused)
{
    (void)unused;
    MPI_Request request, other;
    MPI_Op op, copy;
    switch (kind) {
    case 0: /* Never started by rank 1. */
        MPI_Barrier_init(WORLD, MPI_INFO_NULL, &request);
        if (rank == 0)
            MPI_Start(&request);
        MPI_Wait(&request, IGNORE);
        MPI_Request_free(&request);
        break;
    case 1: /* Started twice. */
        MPI_Bcast_init(data, 4, MPI_INT, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Start(&request);
        break;
    case 2: /* Two persistent operations made in another order. */
        if (rank == 0) {
            MPI_Barrier_init(WORLD, MPI_INFO_NULL, &request);
            MPI_Bcast_init(data, 4, MPI_INT, 0, WORLD, MPI_INFO_NULL, &other);
        } else {
            MPI_Bcast_init(data, 4, MPI_INT, 0, WORLD, MPI_INFO_NULL, &other);
            MPI_Barrier_init(WORLD, MPI_INFO_NULL, &request);
        }
        MPI_Start(&request);
        MPI_Start(&other);
        MPI_Wait(&request, IGNORE);
        MPI_Wait(&other, IGNORE);
        break;
    case 3: /* A non-blocking operation against a blocking one. */
        if (rank == 0) {
            MPI_Ibarrier(WORLD, &request);
            MPI_Wait(&request, IGNORE);
        } else
            MPI_Barrier(WORLD);
        break;
    case 4: MPI_Iallreduce(data, data, 4, MPI_INT, MPI_SUM, WORLD, &request); break;
    case 5:
        MPI_Ibarrier(WORLD, &request);
        MPI_Request_free(&request);
        break;
    case 6:
        MPI_Ibarrier(WORLD, &request);
        MPI_Cancel(&request);
        break;
    default: /* An operation that is freed, and used. */
        MPI_Op_create(add, 1, &op);
        copy = op;
        MPI_Op_free(&op);
        MPI_Allreduce(data, more, 1, MPI_INT, copy, WORLD);
        break;
    }
}

/* Process topologies. */
static void topologies(int kind, int unused)
{
    (void)unused;
    MPI_Comm grid;
    int dims[2] = {2, 1}, periods[2] = {0, 0}, coords[2] = {0, 0}, at, source, to, none[1] = {0};
    int index[2] = {2, 2}, edges[2] = {1, 5};
    MPI_Cart_create(WORLD, 2, dims, periods, 0, &grid);
    switch (kind) {
    case 0:
        coords[0] = 7;
        MPI_Cart_rank(grid, coords, &at);
        break;
    case 1: MPI_Cart_shift(grid, 2, 1, &source, &to); break;
    case 2: MPI_Cart_coords(grid, 5, 2, coords); break;
    case 3: MPI_Graph_create(WORLD, 2, index, edges, 0, &grid); break;
    case 4: MPI_Neighbor_allgather(data, 1, MPI_INT, more, 1, MPI_INT, WORLD); break;
    case 5:
        dims[0] = 3, dims[1] = 3;
        MPI_Dims_create(10, 2, dims);
        break;
    case 6: MPI_Graph_neighbors(grid, 0, 4, coords); break;
    default: MPI_Dist_graph_create(WORLD, 1, none, index, edges, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &grid);
    }
}

/* Files. */
static void files(int kind, int unused)
{
    (void)unused;
    MPI_File file;
    MPI_Request request;
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    char name[64];
    snprintf(name, sizeof(name), "corner%d", kind);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    if (kind == 0)
        mode |= MPI_MODE_RDONLY;
    MPI_File_open(WORLD, name, mode, MPI_INFO_NULL, &file);
    switch (kind) {
    case 1: MPI_File_write_at(file, -4, data, 1, MPI_INT, IGNORE); break;
    case 2: MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_INT, "native", MPI_INFO_NULL); break;
    case 3:
        MPI_File_write_all_begin(file, data, 4, MPI_INT);
        MPI_File_write_all_begin(file, data, 4, MPI_INT);
        break;
    case 4: MPI_File_write_all_end(file, data, IGNORE); break;
    case 5:
        MPI_File_iwrite_at(file, 0, data, 4, MPI_INT, &request);
        MPI_File_close(&file);
        return;
    case 6: MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "strange", MPI_INFO_NULL); break;
    case 7: MPI_File_seek(file, -8, MPI_SEEK_SET); break;
    case 8: MPI_File_set_size(file, rank == 0 ? 4 : 8); break;
    case 9:
        if (rank == 0) MPI_File_write_all(file, data, 4, MPI_INT, IGNORE);
        break;
    default: MPI_File_read_ordered(file, NULL, 4, MPI_INT, IGNORE);
    }
    MPI_File_close(&file);
}

/* Files that cannot be opened. */
static void unopened(int kind, int unused)
{
    (void)unused;
    MPI_File file = MPI_FILE_NULL;
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    if (kind == 0)
        MPI_File_open(WORLD, "no-such-folder/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    else if (kind == 1)
        MPI_File_open(WORLD, rank == 0 ? "one" : "two", MPI_MODE_CREATE | MPI_MODE_RDWR,
                      MPI_INFO_NULL, &file);
    else
        MPI_File_write(file, data, 1, MPI_INT, IGNORE);
}

/* Processes that come later, and names. */
static void processes(int kind, int unused)
{
    (void)unused;
    MPI_Comm comm, twin;
    char port[MPI_MAX_PORT_NAME] = "no port";
    switch (kind) {
    case 0: MPI_Comm_connect(port, MPI_INFO_NULL, 0, WORLD, &comm); break;
    case 1: MPI_Lookup_name("nobody", MPI_INFO_NULL, port); break;
    case 2: MPI_Close_port(port); break;
    case 3:
        MPI_Comm_spawn("./cases", MPI_ARGV_NULL, -2, MPI_INFO_NULL, 0, WORLD, &comm,
                       MPI_ERRCODES_IGNORE);
        break;
    case 4: MPI_Comm_disconnect(&(MPI_Comm){WORLD}); break;
    case 5: MPI_Comm_join(-1, &comm); break;
    case 7: /* Rank 2 names another root. */
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Comm_accept(port, MPI_INFO_NULL, rank == 2, WORLD, &comm);
        break;
    case 8: MPI_Comm_connect(port, MPI_INFO_NULL, rank, WORLD, &comm); break;
    case 9:
        MPI_Open_port(MPI_INFO_NULL, port);
        if (rank == 0)
            MPI_Comm_accept(port, MPI_INFO_NULL, 0, WORLD, &comm);
        else
            MPI_Comm_connect(port, MPI_INFO_NULL, 0, WORLD, &comm);
        break;
    case 10: /* Rank 1 passes another communicator of these processes. */
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Comm_dup(WORLD, &twin);
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, rank == 1 ? twin : WORLD, &comm);
        break;
    case 11: /* Neither of the two jobs may start. */
        MPI_Comm_spawn("./no-such-program", MPI_ARGV_NULL, 1, MPI_INFO_NULL, rank, WORLD, &comm,
                       MPI_ERRCODES_IGNORE);
        break;
    default:
        MPI_Comm_spawn("./no-such-program", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, WORLD, &comm,
                       MPI_ERRCODES_IGNORE);
    }
}

/* Two groups of the world meet. The name and the info count at the roots only. */
static void meetings(int unused, int unused_too)
{
    (void)unused, (void)unused_too;
    MPI_Comm half, inter;
    char port[MPI_MAX_PORT_NAME] = "no port";
    int accepts = rank < 2;
    MPI_Comm_split(WORLD, accepts, 0, &half);
    if (rank == 1) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 2, 0, WORLD);
    } else if (rank == 2)
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 0, WORLD, IGNORE);
    if (accepts)
        MPI_Comm_accept(rank == 1 ? port : NULL, MPI_INFO_NULL, 1, half, &inter);
    else
        MPI_Comm_connect(rank == 2 ? port : NULL, MPI_INFO_NULL, 0, half, &inter);
    MPI_Barrier(inter);
    MPI_Comm_disconnect(&inter);
    MPI_Comm_free(&half);
    if (rank == 1)
        MPI_Close_port(port);
}

/* Sessions beside the world. */
static void beside(int kind, int unused)
{
    (void)unused;
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    switch (kind) {
    case 0: return; /* Never finalized. */
    case 1:
        MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
        MPI_Comm_create_from_group(group, rank == 0 ? "one" : "two", MPI_INFO_NULL,
                                   MPI_ERRORS_ARE_FATAL, &comm);
        break;
    case 2: MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 99, &(int){4}, (char[4]){0}); break;
    default:
        MPI_Session_finalize(&session);
        MPI_Session_finalize(&session);
    }
}

/* Tools. */
static void tools(int kind, int unused)
{
    (void)unused;
    int provided, number;
    MPI_T_cvar_handle handle;
    if (kind == 0) {
        /* MPI_T has not started: its functions return codes, and call no handler. */
        if (MPI_T_cvar_get_num(&number) != MPI_T_ERR_NOT_INITIALIZED)
            exit(3);
    } else {
        MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
        if (MPI_T_cvar_handle_alloc(100000, NULL, &handle, &number) != MPI_T_ERR_INVALID_INDEX)
            exit(4);
        MPI_T_finalize();
        if (MPI_T_finalize() != MPI_T_ERR_NOT_INITIALIZED)
            exit(5);
    }
}

const struct test_case corners[] = {
    {"dynamic_nothing_attached", 2, "MPI_ERR_RMA_|attached", dynamic, 0, 0},
    {"dynamic_attached_twice", 2, "MPI_ERR_", dynamic, 1, 0},
    {"dynamic_detached_inside", 2, "MPI_ERR_", dynamic, 2, 0},
    {"dynamic_detached_twice", 2, "MPI_ERR_", dynamic, 3, 0},
    {"dynamic_beyond", 2, "MPI_ERR_RMA_", dynamic, 4, 0},
    {"dynamic_detached_early", 2, "MPI_ERR_RMA_", dynamic, 5, 0},
    {"dynamic_null", 2, "MPI_ERR_RMA_", dynamic, 6, 0},
    {"attach_to_another_flavor", 2, "MPI_ERR_RMA_FLAVOR", shared, 0, 0},
    {"shared_query_beyond", 2, "MPI_ERR_RANK", shared, 1, 0},
    {"window_size_negative", 2, "MPI_ERR_SIZE", shared, 2, 0},
    {"window_unit_zero", 2, "MPI_ERR_DISP", shared, 3, 0},
    {"window_empty_at_the_target", 2, "MPI_ERR_RMA_RANGE", shared, 4, 0},
    {"fetch_and_minloc_of_int", 2, "MPI_ERR_OP", shared, 5, 0},
    {"persistent_not_started", 2, "cannot go on", persistent, 0, 0},
    {"persistent_started_twice", 2, "MPI_ERR_REQUEST|active", persistent, 1, 0},
    {"persistent_made_in_another_order", 2, "MPI_Barrier_init|MPI_Bcast_init", persistent, 2, 0},
    {"nonblocking_against_blocking", 2, "MPI_Ibarrier|MPI_Barrier", persistent, 3, 0},
    {"iallreduce_alias", 2, "MPI_ERR_BUFFER", persistent, 4, 0},
    {"ibarrier_freed", 2, "MPI_ERR_REQUEST", persistent, 5, 0},
    {"ibarrier_cancelled", 2, "MPI_ERR_REQUEST", persistent, 6, 0},
    {"freed_operation_used", 2, "MPI_ERR_OP|freed", persistent, 7, 0},
    {"cart_rank_beyond", 2, "MPI_ERR_", topologies, 0, 0},
    {"cart_shift_direction", 2, "MPI_ERR_DIMS|MPI_Cart_shift", topologies, 1, 0},
    {"cart_coords_beyond", 2, "MPI_ERR_RANK", topologies, 2, 0},
    {"graph_edge_beyond", 2, "MPI_ERR_", topologies, 3, 0},
    {"neighbours_without_topology", 2, "MPI_ERR_TOPOLOGY", topologies, 4, 0},
    {"dims_that_do_not_divide", 2, "MPI_ERR_DIMS", topologies, 5, 0},
    {"graph_neighbours_of_a_grid", 2, "MPI_ERR_TOPOLOGY", topologies, 6, 0},
    {"dist_graph_target_beyond", 2, "MPI_ERR_", topologies, 7, 0},
    {"file_mode", 2, "MPI_ERR_AMODE", files, 0, 0},
    {"file_offset_negative", 2, "MPI_ERR_ARG|MPI_File_write_at", files, 1, 0},
    {"file_one_write_all", 2, "cannot go on|MPI_File_write_all|MPI_File_close", files, 9, 0},
    {"file_etype", 2, "MPI_ERR_|MPI_File_set_view", files, 2, 0},
    {"file_split_twice", 2, "MPI_File_write_all_begin|MPI_ERR_", files, 3, 0},
    {"file_split_without_begin", 2, "MPI_File_write_all_end|MPI_ERR_", files, 4, 0},
    {"file_closed_with_a_request", 2, "MPI_File_iwrite_at", files, 5, 0},
    {"file_datarep", 2, "MPI_ERR_UNSUPPORTED_DATAREP", files, 6, 0},
    {"file_seek_negative", 2, "MPI_File_seek|MPI_ERR_", files, 7, 0},
    {"file_sizes_differ", 2, "MPI_File_set_size|MPI_ERR_", files, 8, 0},
    {"file_null_buffer", 2, "MPI_File_read_ordered|MPI_ERR_BUFFER", files, 10, 0},
    {"file_not_there", 2, "MPI_ERR_NO_SUCH_FILE", unopened, 0, 0},
    {"file_names_differ", 2, "MPI_File_open|MPI_ERR_", unopened, 1, 0},
    {"file_null", 2, "MPI_ERR_FILE", unopened, 2, 0},
    {"connect_to_no_port", 2, "MPI_ERR_PORT", processes, 0, 0},
    {"name_of_nobody", 1, "MPI_ERR_NAME", processes, 1, 0},
    {"close_of_no_port", 1, "MPI_ERR_PORT", processes, 2, 0},
    {"spawn_of_minus_two", 2, "MPI_ERR_", processes, 3, 0},
    {"disconnect_of_the_world", 2, "MPI_ERR_COMM", processes, 4, 0},
    {"spawn_of_no_program", 2, "MPI_ERR_SPAWN|no-such-program|does not exist", processes, 6, 0},
    {"accept_roots_differ", 3,
     "MPI_ERR_NOT_SAME|MPI_Comm_accept|root is 0 at rank 0, and 1 at rank 2", processes, 7, 0},
    {"connect_roots_differ", 2,
     "MPI_ERR_NOT_SAME|MPI_Comm_connect|root is 0 at rank 0, and 1 at rank 1", processes, 8, 0},
    {"accept_against_connect", 2,
     "rank 0 is in MPI_Comm_accept, and rank 1 in MPI_Comm_connect", processes, 9, 0},
    {"accept_comms_differ", 2, "cannot go on|MPI_Comm_accept", processes, 10, 0},
    {"spawn_roots_differ", 2,
     "MPI_ERR_NOT_SAME|MPI_Comm_spawn|root is 0 at rank 0, and 1 at rank 1", processes, 11, 0},
    {"join_of_no_socket", 1, "MPI_Comm_join|MPI_ERR_", processes, 5, 0},
    {"session_never_finalized", 2,
     "ended without calling MPI_Finalize|MPI_Session_finalize for each session", beside, 0, 0},
    {"session_tags_differ", 2, "MPI_Comm_create_from_group", beside, 1, 0},
    {"session_set_beyond", 2, "MPI_ERR_", beside, 2, 0},
    {"session_finalized_twice", 1, "MPI_ERR_SESSION", beside, 3, 0},
    {NULL, 0, NULL, NULL, 0, 0},
};

const struct test_case right_corners[] = {
    {"right_tools_early", 2, "", tools, 0, 0},
    {"right_tools_beyond", 2, "", tools, 1, 0},
    {"right_meeting", 4, "", meetings, 0, 0},
    {NULL, 0, NULL, NULL, 0, 0},
};
