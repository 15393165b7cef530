/* Mistakes of beginners and of writers of libraries: handles that are used too long, collective
 * operations whose sides differ, intercommunicators, MPI_IN_PLACE, graphs, callbacks. */
#include "cases.h"

static int data[64], more[64];

/* Handles that are used after their end, through a copy. */
static void copies(int kind, int unused)
{
    (void)unused;
    MPI_Datatype type, same_type;
    MPI_Request request, twice[2];
    MPI_Message message, same_message;
    MPI_Comm comm;
    switch (kind) {
    case 0:
        MPI_Type_contiguous(2, MPI_INT, &type);
        MPI_Type_commit(&type);
        same_type = type;
        MPI_Type_free(&type);
        MPI_Send(data, 1, same_type, MPI_PROC_NULL, 0, WORLD);
        break;
    case 1:
        MPI_Irecv(data, 1, MPI_INT, 1 - rank, 1, WORLD, &request);
        twice[0] = twice[1] = request;
        MPI_Send(more, 1, MPI_INT, 1 - rank, 1, WORLD);
        MPI_Wait(&request, IGNORE);
        MPI_Waitall(2, twice, MPI_STATUSES_IGNORE);
        break;
    case 2:
        MPI_Recv_init(data, 1, MPI_INT, rank, 1, WORLD, &request);
        MPI_Start(&request);
        MPI_Start(&request);
        break;
    case 3:
        if (rank == 0) {
            MPI_Send(data, 1, MPI_INT, 1, 1, WORLD);
            break;
        }
        MPI_Mprobe(0, 1, WORLD, &message, IGNORE);
        same_message = message;
        MPI_Mrecv(data, 1, MPI_INT, &message, IGNORE);
        MPI_Mrecv(data, 1, MPI_INT, &same_message, IGNORE);
        break;
    case 4:
        MPI_Allreduce_init(data, more, 1, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &request);
        if (rank == 0) {
            MPI_Start(&request);
            MPI_Request_free(&request);
        }
        break;
    case 5:
        MPI_Comm_dup(WORLD, &comm);
        if (rank == 0)
            MPI_Irecv(data, 1, MPI_INT, 1, 9, comm, &request);
        MPI_Comm_free(&comm);
        break;
    case 6:
        MPI_Irecv(data, 1, MPI_INT, 1 - rank, 9, WORLD, &request);
        MPI_Cancel(&request);
        break;
    default:
        MPI_Comm_dup(WORLD, &comm);
        if (rank == 0)
            MPI_Comm_free(&comm);
        break;
    }
}

/* Collective operations to which the processes come differently. */
static void sides(int kind, int unused)
{
    (void)unused;
    MPI_Comm comm, all[2];
    MPI_Request request, both[2];
    MPI_Group group, part;
    int counts[4] = {1, 1, 1, 1}, places[4] = {0, 1, 2, 3};
    switch (kind) {
    case 0:
        MPI_Comm_dup(WORLD, &all[0]);
        MPI_Comm_dup(WORLD, &all[1]);
        MPI_Barrier(all[rank == 0]);
        MPI_Barrier(all[rank != 0]);
        break;
    case 1:
        if (rank == 0) {
            MPI_Ibcast(data, 4, MPI_INT, 0, WORLD, &both[0]);
            MPI_Iallreduce(data + 8, more, 4, MPI_INT, MPI_SUM, WORLD, &both[1]);
        } else {
            MPI_Iallreduce(data + 8, more, 4, MPI_INT, MPI_SUM, WORLD, &both[1]);
            MPI_Ibcast(data, 4, MPI_INT, 0, WORLD, &both[0]);
        }
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        break;
    case 2:
        if (rank == 0)
            MPI_Comm_dup(WORLD, &comm);
        else
            MPI_Barrier(WORLD);
        break;
    case 3:
        if (rank == 0)
            MPI_Barrier_init(WORLD, MPI_INFO_NULL, &request);
        else
            MPI_Bcast_init(data, 1, MPI_INT, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Wait(&request, IGNORE);
        MPI_Request_free(&request);
        break;
    case 4:
        MPI_Comm_group(WORLD, &group);
        MPI_Group_incl(group, rank == 0 ? 1 : 2, places, &part);
        MPI_Comm_create(WORLD, part, &comm);
        if (comm != MPI_COMM_NULL)
            MPI_Barrier(comm);
        break;
    case 5:
        counts[1] = rank == 0 ? 3 : 1;
        MPI_Alltoallv(data, counts, places, MPI_INT, more, counts, places, MPI_INT, WORLD);
        break;
    default: MPI_Scatter(data, 4, MPI_INT, more, rank == 1 ? 6 : 4, MPI_INT, 0, WORLD); break;
    }
}

/* MPI_IN_PLACE where it does not belong. */
static void in_place(int kind, int unused)
{
    (void)unused;
    switch (kind) {
    case 0: MPI_Send(MPI_IN_PLACE, 1, MPI_INT, 0, 0, WORLD); break;
    case 1: MPI_Allreduce(data, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, WORLD); break;
    case 2:
        /* Only the root's send buffer may be missing. */
        MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, more, 1, MPI_INT, 0, WORLD);
        break;
    case 3: MPI_Reduce(MPI_IN_PLACE, more, 1, MPI_INT, MPI_SUM, 0, WORLD); break;
    case 4: MPI_Scatter(data, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, WORLD); break;
    case 5: MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, WORLD); break;
    default: {
        int position = 0;
        MPI_Pack(data, 1, MPI_INT, MPI_IN_PLACE, sizeof data, &position, WORLD);
        break;
    }
    }
}

/* Two halves of the job, and an intercommunicator between them. */
static MPI_Comm between(void)
{
    MPI_Comm half, inter;
    MPI_Comm_split(WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, WORLD, 1 - rank % 2, 40, &inter);
    MPI_Comm_free(&half);
    return inter;
}

static void intercommunicators(int kind, int unused)
{
    (void)unused;
    MPI_Comm inter = between();
    switch (kind) {
    case 0:
        /* As in an intracommunicator: nobody is MPI_ROOT. */
        MPI_Bcast(data, 1, MPI_INT, 0, inter);
        break;
    case 1: MPI_Allreduce(MPI_IN_PLACE, more, 1, MPI_INT, MPI_SUM, inter); break;
    case 2: MPI_Scan(data, more, 1, MPI_INT, MPI_SUM, inter); break;
    default: MPI_Send(data, 1, MPI_INT, 2, 0, inter); break;
    }
    MPI_Comm_free(&inter);
}

/* Processes declare graphs that do not fit. */
static void graphs(int kind, int unused)
{
    (void)unused;
    int other = 1 - rank, zero[2] = {0, 0}, index[2] = {1, 1}, edge = 1;
    MPI_Comm graph;
    MPI_Request request;
    if (kind < 2) /* Rank 0 has rank 1 as a neighbour, which has none. */
        MPI_Graph_create(WORLD, 2, index, &edge, 0, &graph);
    else
        MPI_Dist_graph_create_adjacent(WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other,
                                       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    if (kind == 0)
        MPI_Ineighbor_allgather(data, 1, MPI_INT, more, 1, MPI_INT, graph, &request);
    else if (kind == 2)
        MPI_Neighbor_allgather(data, rank == 0 ? 4 : 1, MPI_INT, more, 1, MPI_INT, graph);
    else if (kind == 3)
        MPI_Cart_sub(graph, zero, &graph);
    else
        MPI_Neighbor_allgather(data, 1, MPI_INT, more, 1, MPI_INT, graph);
    MPI_Comm_free(&graph);
}

static int refuse(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval, (void)state, (void)in, (void)out;
    *flag = 0;
    return MPI_ERR_OTHER;
}

static int keep(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)value, (void)state;
    return MPI_ERR_OTHER;
}

static int free_it_again(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)keyval, (void)value, (void)state;
    return MPI_Comm_free(&comm);
}

/* Functions of the program that MPI calls. */
static void callbacks(int kind, int unused)
{
    (void)unused;
    MPI_Comm comm, copy;
    int keyval;
    MPI_Comm_dup(WORLD, &comm);
    if (kind == 0)
        MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    else if (kind == 1)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, keep, &keyval, NULL);
    else
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_it_again, &keyval, NULL);
    if (rank == 0)
        MPI_Comm_set_attr(comm, keyval, data);
    if (kind == 0) {
        MPI_Comm_dup(comm, &copy);
        MPI_Comm_free(&copy);
    }
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&keyval);
}

/* Arguments of calls that are seldom used. */
static void seldom(int kind, int unused)
{
    (void)unused;
    MPI_Comm comm;
    MPI_Datatype type;
    int keyval, place = 0, large[1] = {1000};
    switch (kind) {
    case 0: MPI_Comm_split(WORLD, -5, 0, &comm); break;
    case 1:
        MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL);
        MPI_Comm_set_attr(WORLD, keyval, data);
        break;
    case 2: MPI_Cart_sub(WORLD, large, &comm); break;
    case 3:
        MPI_Buffer_attach(more, 128);
        MPI_Bsend(data, 32, MPI_INT, rank, 0, WORLD);
        break;
    case 4:
        MPI_Pack(data, 10, MPI_INT, more, 12, &place, WORLD);
        break;
    case 5: MPI_Type_create_subarray(1, large, large, large, MPI_ORDER_C, MPI_INT, &type); break;
    default: MPI_Comm_spawn(NULL, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, WORLD, &comm, NULL); break;
    }
}

/* What looks wrong and is right. */
static void fine(int kind, int unused)
{
    (void)unused;
    MPI_Datatype type;
    MPI_Request request, both[2];
    MPI_Comm comm;
    int counts[4] = {0, 0, 0, 0}, wild[4] = {1 << 30, -77, 9999, -1};
    switch (kind) {
    case 0: /* A type may be freed while messages of it are under way. */
        MPI_Type_vector(3, 1, 2, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Irecv(more, 1, type, 1 - rank, 1, WORLD, &both[0]);
        MPI_Isend(data, 1, type, 1 - rank, 1, WORLD, &both[1]);
        MPI_Type_free(&type);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        break;
    case 1: /* Displacements of nothing mean nothing. */
        MPI_Alltoallv(data, counts, wild, MPI_INT, more, counts, wild, MPI_INT, WORLD);
        counts[0] = 1, wild[0] = 0;
        MPI_Gatherv(data, rank == 0, MPI_INT, more, counts, wild, MPI_INT, 0, WORLD);
        break;
    case 2: /* Persistent collectives may be started in any order. */
        MPI_Barrier_init(WORLD, MPI_INFO_NULL, &both[0]);
        MPI_Bcast_init(data, 4, MPI_INT, 0, WORLD, MPI_INFO_NULL, &both[1]);
        MPI_Start(&both[rank % 2]);
        MPI_Start(&both[1 - rank % 2]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        MPI_Request_free(&both[0]);
        MPI_Request_free(&both[1]);
        break;
    case 3: /* A communicator may be freed while its messages are under way. */
        MPI_Comm_dup(WORLD, &comm);
        MPI_Irecv(more, 1, MPI_INT, 1 - rank, 1, comm, &both[0]);
        MPI_Isend(data, 1, MPI_INT, 1 - rank, 1, comm, &both[1]);
        MPI_Comm_free(&comm);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        break;
    case 4: /* A canceled receive ends by a call that completes it. */
        MPI_Irecv(more, 1, MPI_INT, 1 - rank, 9, WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, IGNORE);
        break;
    default: /* Null handles complete at once. */
        both[0] = both[1] = MPI_REQUEST_NULL;
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        break;
    }
}

const struct test_case misuse[] = {
    {"copy_of_a_freed_type", 1, "MPI_ERR_TYPE|freed", copies, 0, 0},
    {"copy_of_a_completed_request", 2, "MPI_ERR_REQUEST", copies, 1, 0},
    {"started_twice", 1, "MPI_ERR_REQUEST|active", copies, 2, 0},
    {"received_twice_by_a_copy", 2, "MPI_ERR_REQUEST", copies, 3, 0},
    {"freed_active_collective", 2, "MPI_ERR_REQUEST", copies, 4, 0},
    {"freed_with_a_receive_open", 2, "requests never completed|MPI_Irecv in copies (", copies, 5,
     0},
    {"canceled_and_left", 2, "requests never completed|MPI_Irecv in copies (", copies, 6, 0},
    {"freed_by_one", 2, "communicators never freed|rank 1: MPI_Comm_dup in copies (", copies, 7, 0},
    {"barriers_crossed", 2, "cannot go on", sides, 0, 0},
    {"nonblocking_crossed", 2, "MPI_Ibcast|MPI_Iallreduce", sides, 1, 0},
    {"dup_against_barrier", 2, "rank 0 is in MPI_Comm_dup|rank 1 is in MPI_Barrier", sides, 2, 0},
    {"inits_differ", 2, "MPI_Barrier_init|MPI_Bcast_init", sides, 3, 0},
    {"groups_differ", 2, "MPI_ERR_GROUP|different groups", sides, 4, 0},
    {"alltoallv_counts_differ", 2, "MPI_ERR_TRUNCATE", sides, 5, 0},
    {"scatter_counts_differ", 2, "MPI_ERR_TRUNCATE|fewer", sides, 6, 0},
    {"in_place_sent", 1, "MPI_ERR_BUFFER", in_place, 0, 0},
    {"in_place_received", 2, "MPI_ERR_BUFFER", in_place, 1, 0},
    {"in_place_not_at_the_root", 2, "MPI_ERR_BUFFER", in_place, 2, 0},
    {"in_place_reduced", 2, "MPI_ERR_BUFFER", in_place, 3, 0},
    {"in_place_scattered", 2, "MPI_ERR_BUFFER", in_place, 4, 0},
    {"in_place_broadcast", 2, "MPI_ERR_BUFFER", in_place, 5, 0},
    {"in_place_packed", 1, "MPI_ERR_BUFFER", in_place, 6, 0},
    {"inter_without_a_root", 4, "MPI_Bcast", intercommunicators, 0, 0},
    {"inter_in_place", 4, "MPI_ERR_BUFFER", intercommunicators, 1, 0},
    {"inter_scan", 4, "MPI_ERR_COMM", intercommunicators, 2, 0},
    {"inter_rank_beyond", 4, "MPI_ERR_RANK", intercommunicators, 3, 0},
    {"graph_unknown_source", 2,
     "messages never received|rank 1: from rank 0 of|compare the graphs|requests never completed",
     graphs, 0, 0},
    {"graph_unknown_target", 2, "cannot go on|MPI_Neighbor_allgather", graphs, 1, 0},
    {"graph_counts_differ", 2, "MPI_ERR_TRUNCATE", graphs, 2, 0},
    {"graph_as_grid", 2, "MPI_ERR_TOPOLOGY", graphs, 3, 0},
    {"copy_function_refuses", 2, "MPI_Comm_dup|copy function of attribute", callbacks, 0, 0},
    {"delete_function_refuses", 2, "MPI_Comm_free|delete function of attribute", callbacks, 1,
     0},
    {"delete_function_frees", 2, "MPI_Comm_free|frees it again", callbacks, 2, 0},
    {"split_color_negative", 2, "MPI_ERR_ARG", seldom, 0, 0},
    {"keyval_of_types", 1, "MPI_ERR_KEYVAL", seldom, 1, 0},
    {"sub_of_no_grid", 2, "MPI_ERR_TOPOLOGY", seldom, 2, 0},
    {"bsend_too_long", 1, "MPI_ERR_BUFFER", seldom, 3, 0},
    {"pack_too_long", 1, "MPI_ERR_TRUNCATE", seldom, 4, 0},
    {"subarray_beyond", 1, "MPI_ERR_ARG", seldom, 5, 0},
    {"spawn_of_nothing", 1, "MPI_ERR_ARG|command is a null", seldom, 6, 0},
    {NULL, 0, NULL, NULL, 0, 0},
};

const struct test_case right_misuse[] = {
    {"right_type_freed_early", 2, "", fine, 0, 0},
    {"right_wild_displacements", 2, "", fine, 1, 0},
    {"right_started_in_any_order", 2, "", fine, 2, 0},
    {"right_comm_freed_early", 2, "", fine, 3, 0},
    {"right_canceled", 2, "", fine, 4, 0},
    {"right_null_requests", 2, "", fine, 5, 0},
    {NULL, 0, NULL, NULL, 0, 0},
};
