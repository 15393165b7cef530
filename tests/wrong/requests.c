/* Requests that are never completed, and messages that are never received. */
#include "cases.h"

static int data[64];

static void receive_quietly(int count)
{
    MPI_Recv(data, count, MPI_INT, 0, 1, WORLD, IGNORE);
}

static void isend_lost(int mode, int unused)
{
    (void)unused;
    MPI_Request request;
    if (rank == 1) {
        receive_quietly(10);
    } else if (mode == 0) {
        MPI_Isend(data, 10, MPI_INT, 1, 1, WORLD, &request);
    } else if (mode == 1) {
        MPI_Issend(data, 10, MPI_INT, 1, 1, WORLD, &request);
    } else {
        MPI_Irsend(data, 10, MPI_INT, 1, 1, WORLD, &request);
    }
}

static void irecv_lost(int source, int tag)
{
    MPI_Request request;
    if (rank == 1)
        MPI_Irecv(data, 10, MPI_INT, source, tag, WORLD, &request);
    else if (tag == 1)
        MPI_Send(data, 10, MPI_INT, 1, 1, WORLD);
}

static void overwritten(int sends, int unused)
{
    (void)unused;
    MPI_Request request;
    for (int i = 0; i < 2; i++) {
        if (rank == 1) {
            receive_quietly(10);
        } else if (sends) {
            MPI_Isend(data, 10, MPI_INT, 1, 1, WORLD, &request);
        } else {
            MPI_Irecv(data + 10 * i, 10, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_SELF, &request);
            MPI_Send(data + 20, 10, MPI_INT, 0, 1, MPI_COMM_SELF);
            MPI_Send(data, 10, MPI_INT, 1, 1, WORLD);
        }
    }
    if (rank == 0)
        MPI_Wait(&request, IGNORE);
}

static void overwritten_by_another(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    MPI_Irecv(data, 10, MPI_INT, 1 - rank, 4, WORLD, &request);
    MPI_Isend(data + 20, 10, MPI_INT, 1 - rank, 4, WORLD, &request);
    MPI_Wait(&request, IGNORE);
}

static void overwritten_by_access(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    MPI_Win win;
    int *memory;
    MPI_Win_allocate(sizeof(int), 1, MPI_INFO_NULL, WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    MPI_Irecv(data, 1, MPI_INT, MPI_ANY_SOURCE, 4, WORLD, &request);
    MPI_Rput(data + 20, 1, MPI_INT, rank, 0, 1, MPI_INT, win, &request);
    MPI_Wait(&request, IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void persistent_overwritten(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    MPI_Recv_init(data, 1, MPI_INT, MPI_ANY_SOURCE, 7, WORLD, &request);
    MPI_Send_init(data, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &request);
    MPI_Request_free(&request);
}

static void collective_overwritten(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    MPI_Ibcast(data, 10, MPI_INT, 0, WORLD, &request);
    MPI_Ibarrier(WORLD, &request);
    MPI_Wait(&request, IGNORE);
}

static void one_of_an_array(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request[2];
    if (rank == 0) {
        MPI_Send(data, 10, MPI_INT, 1, 5, WORLD);
        MPI_Send(data, 10, MPI_INT, 1, 7, WORLD);
        return;
    }
    for (int i = 0; i < 3; i++)
        MPI_Irecv(data + 10 * i, 10, MPI_INT, 0, 5 + i, WORLD, &request[(i + 1) / 2]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void persistent_lost(int kind, int start)
{
    MPI_Request request;
    if (kind == 0)
        MPI_Send_init(data, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &request);
    else if (kind == 1)
        MPI_Recv_init(data, 1, MPI_INT, MPI_ANY_SOURCE, 7, WORLD, &request);
    else
        MPI_Barrier_init(WORLD, MPI_INFO_NULL, &request);
    if (start) {
        MPI_Start(&request);
        MPI_Wait(&request, IGNORE);
    }
}

static void collective_lost(int kind, int unused)
{
    (void)unused;
    MPI_Request request;
    if (kind == 0)
        MPI_Ibarrier(WORLD, &request);
    else if (kind == 1)
        MPI_Ibcast(data, 10, MPI_INT, 0, WORLD, &request);
    else if (kind == 2)
        MPI_Iallreduce(data, data + 10, 10, MPI_INT, MPI_SUM, WORLD, &request);
    else
        MPI_Igather(data, 1, MPI_INT, data + 10, 1, MPI_INT, 0, WORLD, &request);
}

static void sendrecv_lost(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    MPI_Isendrecv(data, 10, MPI_INT, 1 - rank, 1, data + 20, 10, MPI_INT, 1 - rank, 1, WORLD,
                  &request);
}

static void tested_once(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    int flag;
    if (rank == 1) {
        MPI_Irecv(data, 10, MPI_INT, 0, 5, WORLD, &request);
        MPI_Test(&request, &flag, IGNORE);
    }
}

static void waited_for_one(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request[2];
    int index;
    if (rank == 1) {
        MPI_Irecv(data, 10, MPI_INT, 0, 1, WORLD, &request[0]);
        MPI_Irecv(data + 10, 10, MPI_INT, 0, 2, WORLD, &request[1]);
        MPI_Waitany(2, request, &index, IGNORE);
    } else {
        MPI_Send(data, 10, MPI_INT, 1, 1, WORLD);
    }
}

#define OVERWRITTEN "requests overwritten before they were complete"

const struct test_case requests[] = {
    {"isend_lost", 2, "requests never completed|MPI_Isend in isend_lost (|requests.c:", isend_lost,
     0, 0},
    {"issend_lost", 2, "requests never completed|MPI_Issend in", isend_lost, 1, 0},
    {"irsend_lost", 2, "requests never completed|MPI_Irsend in", isend_lost, 2, 0},
    {"irecv_lost", 2, "requests never completed|rank 1: MPI_Irecv in irecv_lost", irecv_lost, 0, 1},
    {"irecv_any_lost", 2, "requests never completed|MPI_Irecv", irecv_lost, MPI_ANY_SOURCE, 1},
    {"irecv_never_matched", 2, "requests never completed|MPI_Irecv|tag 9, room for 10 MPI_INT",
     irecv_lost, 0, 9},
    {"irecv_any_never_matched", 2, "requests never completed|any rank|tag 9", irecv_lost,
     MPI_ANY_SOURCE, 9},
    {"isend_overwritten", 2, OVERWRITTEN "|MPI_Isend in overwritten (|given to MPI_Isend in over",
     overwritten, 1, 0},
    {"irecv_overwritten", 2, OVERWRITTEN "|MPI_Irecv in overwritten (|given to MPI_Irecv in over",
     overwritten, 0, 0},
    {"overwritten_by_another", 2,
     OVERWRITTEN "|MPI_Irecv in overwritten_by_another (|given to MPI_Isend|requests.c:",
     overwritten_by_another, 0, 0},
    {"overwritten_by_access", 2,
     OVERWRITTEN "|MPI_Irecv in overwritten_by_access (|given to MPI_Rput", overwritten_by_access,
     0, 0},
    {"persistent_overwritten", 2,
     OVERWRITTEN "|MPI_Recv_init in persistent_overwritten|given to MPI_Send_init",
     persistent_overwritten, 0, 0},
    {"collective_overwritten", 3,
     OVERWRITTEN "|ranks 0-2: MPI_Ibcast in collective_overwritten|given to MPI_Ibarrier",
     collective_overwritten, 0, 0},
    {"one_of_an_array_overwritten", 2,
     OVERWRITTEN "|rank 1: MPI_Irecv in one_of_an_array|tag 6, room for 10 MPI_INT; its variable "
                 "was given to MPI_Irecv",
     one_of_an_array, 0, 0},
    {"send_init_lost", 2, "requests never completed|ranks 0, 1: MPI_Send_init", persistent_lost, 0,
     0},
    {"recv_init_lost", 2, "requests never completed|MPI_Recv_init|persistent receive",
     persistent_lost, 1, 0},
    {"barrier_init_lost", 2, "requests never completed|MPI_Barrier_init", persistent_lost, 2, 0},
    {"send_init_used_lost", 2, "requests never completed|MPI_Send_init", persistent_lost, 0, 1},
    {"barrier_init_used_lost", 3, "requests never completed|ranks 0-2: MPI_Barrier_init",
     persistent_lost, 2, 1},
    {"ibarrier_lost", 3, "requests never completed|MPI_Ibarrier", collective_lost, 0, 0},
    {"ibcast_lost", 3, "requests never completed|MPI_Ibcast", collective_lost, 1, 0},
    {"iallreduce_lost", 3, "requests never completed|MPI_Iallreduce", collective_lost, 2, 0},
    {"igather_lost", 3, "requests never completed|MPI_Igather", collective_lost, 3, 0},
    {"isendrecv_lost", 2, "requests never completed|MPI_Isendrecv", sendrecv_lost, 0, 0},
    {"tested_once", 2, "requests never completed|MPI_Irecv", tested_once, 0, 0},
    {"waited_for_one", 2, "requests never completed|MPI_Irecv|tag 2, room for 10 MPI_INT",
     waited_for_one, 0, 0},
    {0}};

static void never_sent(int of_structs, int waits)
{
    MPI_Datatype type = MPI_INT;
    MPI_Request request;
    if (rank == 0)
        return;
    if (of_structs)
        MPI_Type_contiguous(3, MPI_DOUBLE, &type), MPI_Type_commit(&type);
    if (waits) {
        MPI_Irecv(data, 10, type, 0, 1, WORLD, &request);
        MPI_Wait(&request, IGNORE);
    } else {
        MPI_Recv(data, 10, type, 0, 1, WORLD, IGNORE);
    }
}

static void unreceived(int count, int tag)
{
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(data, count, MPI_INT, 1, tag, WORLD, &request);
        MPI_Request_free(&request);
    }
}

static void unreceived_buffered(int count, int unused)
{
    (void)unused;
    if (rank == 0) {
        static char space[4096];
        void *address;
        int bytes;
        MPI_Buffer_attach(space, sizeof(space));
        MPI_Bsend(data, count, MPI_INT, 1, 3, WORLD);
        MPI_Buffer_detach(&address, &bytes);
    }
}

static void unreceived_on_copy(int free_it, int unused)
{
    (void)unused;
    MPI_Comm copy;
    MPI_Request request;
    MPI_Comm_dup(WORLD, &copy);
    if (rank == 0) {
        MPI_Isend(data, 1, MPI_INT, 1, 3, copy, &request);
        MPI_Request_free(&request);
    }
    MPI_Barrier(WORLD);
    if (free_it)
        MPI_Comm_free(&copy);
}

static void one_of_two(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request[2];
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Isend(data, 1, MPI_INT, 1, 1, WORLD, &request[i]);
            MPI_Request_free(&request[i]);
        }
    } else {
        receive_quietly(1);
    }
}

static void probed_only(int matched, int unused)
{
    (void)unused;
    MPI_Request request;
    MPI_Message message;
    if (rank == 0) {
        MPI_Isend(data, 5, MPI_INT, 1, 4, WORLD, &request);
        MPI_Request_free(&request);
    } else if (matched) {
        MPI_Mprobe(0, 4, WORLD, &message, IGNORE);
    } else {
        MPI_Probe(0, 4, WORLD, IGNORE);
    }
}

const struct test_case messages[] = {
    {"recv_never_sent", 2,
     "cannot go on|MPI_Recv: a message from rank 0 of MPI_COMM_WORLD, tag 1, room for 10 MPI_INT",
     never_sent, 0, 0},
    {"recv_never_sent_of_type", 2, "cannot go on|tag 1, room for 30 MPI_DOUBLE", never_sent, 1, 0},
    {"irecv_never_sent", 2,
     "cannot go on|MPI_Wait: a message from rank 0 of MPI_COMM_WORLD, tag 1, room for 10 MPI_INT",
     never_sent, 0, 1},
    {"message_lost", 2, "messages never received|rank 1: from rank 0 of MPI_COMM_WORLD, tag 5, 40",
     unreceived, 10, 5},
    {"message_lost_empty", 2, "messages never received|tag 6, 0 bytes", unreceived, 0, 6},
    {"message_lost_buffered", 2, "messages never received|tag 3, 8 bytes", unreceived_buffered, 2,
     0},
    {"message_lost_on_copy", 2, "messages never received|communicators never freed|MPI_Comm_dup",
     unreceived_on_copy, 0, 0},
    {"message_lost_on_freed", 2, "messages never received|has been freed", unreceived_on_copy, 1,
     0},
    {"message_lost_second", 2, "messages never received|tag 1, 4 bytes", one_of_two, 0, 0},
    {"message_probed_only", 2, "messages never received|tag 4, 20 bytes", probed_only, 0, 0},
    {"message_mprobed_only", 2, "messages never received|found by a probe", probed_only, 1, 0},
    {0}};
