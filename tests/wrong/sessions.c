/* What programs leave that use sessions, most of them without MPI_Init. Their ranks are those of
 * the communicator that `begin` makes. */
#include "cases.h"
#include <unistd.h>

static MPI_Session session;
static MPI_Comm comm;
static int data[64];

static void begin(void)
{
    MPI_Group group;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "tests", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
}

static void end(void)
{
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
}

static void request_lost(int kind, int unused)
{
    (void)unused;
    MPI_Request request;
    begin();
    if (kind == 0)
        MPI_Irecv(data, 10, MPI_INT, 0, 4, comm, &request);
    else
        MPI_Send_init(data, 10, MPI_INT, 0, 4, comm, &request);
    end();
}

static void request_overwritten(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    begin();
    MPI_Irecv(data, 10, MPI_INT, 1 - rank, 4, comm, &request);
    MPI_Isend(data + 20, 10, MPI_INT, 1 - rank, 4, comm, &request);
    MPI_Wait(&request, IGNORE);
    MPI_Barrier(comm);
    end();
}

static void partition_never_ready(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    begin();
    if (rank == 0)
        MPI_Psend_init(data, 4, 10, MPI_INT, 1, 3, comm, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(data, 4, 10, MPI_INT, 0, 3, comm, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    if (rank == 0)
        MPI_Pready_range(1, 2, request);
    MPI_Wait(&request, IGNORE);
    MPI_Request_free(&request);
    end();
}

static void message_lost(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    begin();
    if (rank == 0) {
        MPI_Isend(data, 10, MPI_INT, 1, 4, comm, &request);
        MPI_Request_free(&request);
    }
    MPI_Barrier(comm);
    end();
}

static void comm_lost(int unused, int unused2)
{
    (void)unused, (void)unused2;
    begin();
    MPI_Session_finalize(&session);
}

static void window_lost(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Win win;
    begin();
    MPI_Win_create(data, sizeof(data), 1, MPI_INFO_NULL, comm, &win);
    end();
}

static void object_lost(int kind, int unused)
{
    (void)unused;
    MPI_Datatype type;
    MPI_Group group;
    MPI_Info info;
    begin();
    if (kind == 0)
        MPI_Type_contiguous(3, MPI_INT, &type);
    else if (kind == 1)
        MPI_Comm_group(comm, &group);
    else
        MPI_Info_create(&info);
    end();
}

/* The world model ends while a session is open. */
static void after_the_world(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    MPI_Info info;
    MPI_Init(NULL, NULL);
    begin();
    MPI_Finalize();
    MPI_Info_create(&info);
    MPI_Irecv(data, 10, MPI_INT, 0, 4, comm, &request);
    end();
}

const struct test_case sessions[] = {
    {"session_irecv_lost", 2,
     "requests never completed|MPI_Irecv in request_lost (|tag 4, room for 10 MPI_INT|sessions.c:",
     request_lost, 0, 0},
    {"session_send_init_lost", 2, "requests never completed|ranks 0, 1: MPI_Send_init in",
     request_lost, 1, 0},
    {"session_overwritten", 2,
     "requests overwritten before they were complete|MPI_Irecv in request_overwritten (|given to "
     "MPI_Isend",
     request_overwritten, 0, 0},
    {"session_partition_never_ready", 2,
     "cannot go on|rank 0 waits for itself|of which 2 of 4 partitions are not marked ready",
     partition_never_ready, 0, 0},
    {"session_message_lost", 2, "messages never received|rank 1: from rank 0 of|tag 4, 40 bytes",
     message_lost, 0, 0},
    {"session_comm_lost", 3,
     "communicators never freed|ranks 0-2: MPI_Comm_create_from_group in begin (|of 3 processes",
     comm_lost, 0, 0},
    {"session_window_lost", 2, "windows never freed|ranks 0, 1: MPI_Win_create in window_lost (",
     window_lost, 0, 0},
    {"session_type_lost", 2, "datatypes never freed|MPI_Type_contiguous in object_lost (|12 bytes",
     object_lost, 0, 0},
    {"session_group_lost", 1, "groups never freed|rank 0: MPI_Comm_group in object_lost (",
     object_lost, 1, 0},
    {"session_info_lost", 2, "info objects never freed|MPI_Info_create in object_lost (",
     object_lost, 2, 0},
    {"session_after_the_world", 2,
     "requests never completed|MPI_Irecv in after_the_world (|info objects never freed|ranks 0, 1: "
     "MPI_Info_create in after_the_world (",
     after_the_world, 0, 0},
    {0}};

/* Objects that live longer than a session, and are used in the next one. The others may send in the
 * next session before the last rank ends the first. */
static void one_by_one(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Info info;
    MPI_Datatype type;
    MPI_Request request;
    MPI_Info_create(&info);
    for (int round = 0; round < 2; round++) {
        begin();
        if (round == 0)
            MPI_Type_contiguous(3, MPI_INT, &type), MPI_Type_commit(&type);
        MPI_Irecv(data, 1, type, (rank + size - 1) % size, 4, comm, &request);
        MPI_Send(data + 10, 1, type, (rank + 1) % size, 4, comm);
        MPI_Wait(&request, IGNORE);
        if (round == 1)
            MPI_Type_free(&type);
        MPI_Comm_free(&comm);
        if (rank == size - 1)
            usleep(200000);
        MPI_Session_finalize(&session);
    }
    MPI_Info_free(&info);
}

/* A session that ends before the world model, and one that ends after it. */
static void around_the_world(int after, int unused)
{
    (void)unused;
    MPI_Comm copy;
    MPI_Init(NULL, NULL);
    begin();
    MPI_Comm_dup(comm, &copy);
    if (after)
        MPI_Finalize();
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    end();
    if (!after)
        MPI_Finalize();
}

const struct test_case right_sessions[] = {
    {"right_sessions_one_by_one", 2, "", one_by_one, 0, 0},
    {"right_sessions_one_by_one_3", 3, "", one_by_one, 0, 0},
    {"right_session_in_world", 2, "", around_the_world, 0, 0},
    {"right_session_after_world", 2, "", around_the_world, 1, 0},
    {0}};
