/* Partitioned communication: what is wrong with the buffers and requests of both ends, and uses of
 * them that are right. */
#include "cases.h"

enum { PARTS = 4, EACH = 10, ALL = PARTS * EACH };

static int data[2 * ALL];
static MPI_Request request;

static void init(int parts, int each, MPI_Datatype type)
{
    if (rank == 0)
        MPI_Psend_init(data, parts, each, type, 1, 3, WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(data, parts, each, type, 0, 3, WORLD, MPI_INFO_NULL, &request);
}

static void begin(void)
{
    init(PARTS, EACH, MPI_INT);
    MPI_Start(&request);
}

static void finish(void)
{
    MPI_Wait(&request, IGNORE);
    MPI_Request_free(&request);
}

static void written(int how, int unused)
{
    (void)unused;
    int rest[] = {0, 2, 3};
    begin();
    if (rank == 0) {
        if (how == 0)
            MPI_Pready(1, request);
        else if (how == 1)
            MPI_Pready_range(0, 1, request);
        else
            MPI_Pready_list(1, (int[]){1}, request);
        data[EACH]++;
        if (how == 1)
            MPI_Pready_range(2, 3, request);
        else
            MPI_Pready_list(3, rest, request);
    }
    finish();
}

/* 0: leaves it, 1: waits. */
static void never_ready(int waits, int unused)
{
    (void)unused;
    begin();
    if (rank == 0)
        MPI_Pready_range(1, 2, request);
    if (waits)
        finish();
}

static void lost(int who, int state)
{
    begin();
    if (rank == 0)
        MPI_Pready_range(0, PARTS - 1, request);
    if (rank != who)
        finish();
    else if (state == 1)
        MPI_Wait(&request, IGNORE);
}

static void unmatched(int who, int waits)
{
    if (rank != who)
        return;
    begin();
    if (waits) {
        finish();
    } else if (rank == 0) {
        MPI_Pready_range(0, PARTS - 1, request);
        finish();
    }
}

static void sizes(int parts, int unused)
{
    (void)unused;
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_ARE_FATAL);
    init(rank ? parts : PARTS, EACH, MPI_INT);
    MPI_Start(&request);
    if (rank == 0)
        MPI_Pready_range(0, PARTS - 1, request);
    finish();
}

static void other_type(int parts, int unused)
{
    (void)unused;
    init(rank ? parts : PARTS, ALL / (rank ? parts : PARTS), rank ? MPI_FLOAT : MPI_INT);
    MPI_Start(&request);
    if (rank == 0)
        MPI_Pready_range(0, PARTS - 1, request);
    finish();
}

/* The memory of an active operation is used by another one. */
static void used_twice(int how, int unused)
{
    (void)unused;
    begin();
    if (rank == 0) {
        MPI_Pready(2, request);
        if (how == 0)
            MPI_Recv(data + 2 * EACH, 1, MPI_INT, 1, 5, WORLD, IGNORE);
        else
            MPI_Recv(data + ALL, 1, MPI_INT, 1, 5, WORLD, IGNORE);
        MPI_Pready_range(0, 1, request);
        MPI_Pready(3, request);
    } else {
        MPI_Send(how == 0 ? data + ALL : data + 3 * EACH, 1, MPI_INT, 0, 5, WORLD);
    }
    finish();
}

static void misused(int how, int unused)
{
    int flag;
    (void)unused;
    if (how == 0)
        init(PARTS, EACH, MPI_INT);
    else
        begin();
    if (rank == 0 && how == 0)
        MPI_Pready(0, request);
    if (rank == 0 && how == 1) {
        MPI_Pready(2, request);
        MPI_Pready_range(0, 3, request);
    }
    if (rank == 0 && how == 2)
        MPI_Parrived(request, 0, &flag);
    if (rank == 1 && how == 3)
        MPI_Pready(0, request);
    if (rank == 0 && how == 4)
        MPI_Pready(PARTS, request);
    if (rank == 0 && how == 5)
        MPI_Request_free(&request);
    finish();
}

static void overwritten(int unused, int unused2)
{
    (void)unused, (void)unused2;
    init(PARTS, EACH, MPI_INT);
    init(PARTS, EACH, MPI_INT);
    MPI_Request_free(&request);
}

#define WRITTEN "buffers changed while an operation used them"
#define LOST "requests never completed"

const struct test_case partitioned[] = {
    {"pready_written", 2, WRITTEN "|rank 0: MPI_Pready in written (|partition 1 of 40 bytes",
     written, 0, 0},
    {"pready_range_written", 2, WRITTEN "|MPI_Pready_range in written (|partition 1 of", written, 1,
     0},
    {"pready_list_written", 2, WRITTEN "|MPI_Pready_list in written (|partition 1 of", written, 2,
     0},
    {"partition_never_ready", 2,
     LOST "|a partitioned send, active: a partitioned send to rank 1|of which 2 of 4 partitions are"
          " not marked ready, the first is 0|MPI_Precv_init in|2 of 4 partitions are here",
     never_ready, 0, 0},
    {"partition_never_ready_wait", 2,
     "cannot go on|rank 0 waits for itself|a partitioned send to rank 1 of MPI_COMM_WORLD, of "
     "which 2 of 4 partitions are not marked ready, the first is 0",
     never_ready, 1, 0},
    {"psend_never_completed", 2, LOST "|rank 0: MPI_Psend_init in init (", lost, 0, 0},
    {"precv_never_completed", 2, LOST "|rank 1: MPI_Precv_init in init (", lost, 1, 0},
    {"psend_never_freed", 2, LOST "|rank 0: MPI_Psend_init in init (|not freed by", lost, 0, 1},
    {"precv_never_freed", 2, LOST "|rank 1: MPI_Precv_init in init (|not freed by", lost, 1, 1},
    {"psend_unmatched", 2,
     "messages never received|rank 1: a partitioned send from rank 0 of MPI_COMM_WORLD, tag 3, "
     "without MPI_Precv_init",
     unmatched, 0, 0},
    {"precv_unmatched", 2, LOST "|room for 40 MPI_INT, which no MPI_Psend_init has matched",
     unmatched, 1, 0},
    {"precv_unmatched_wait", 2,
     "cannot go on|tag 3, room for 40 MPI_INT, which no MPI_Psend_init has matched", unmatched, 1,
     1},
    {"partitions_shorter", 2, "partitions have 160 bytes in total, the receiver's 120", sizes, 3,
     0},
    {"partitions_longer", 2, "partitions have 160 bytes in total, the receiver's 200", sizes, 5, 0},
    {"partitions_other_type", 2,
     "received as another type|rank 1: MPI_Start in other_type (|160 bytes with tag 3, sent as "
     "MPI_INT, received as MPI_FLOAT",
     other_type, PARTS, 0},
    {"partitions_other_type_and_number", 2, "received as another type|MPI_FLOAT", other_type, 2, 0},
    {"partition_ready_received_into", 2,
     "buffers used by a second|rank 0: MPI_Recv in used_twice (|sends: MPI_Pready in", used_twice,
     0, 0},
    {"partition_sent_before_arrival", 2,
     "buffers used by a second|rank 1: MPI_Send in used_twice (|receives into: MPI_Start in",
     used_twice, 1, 0},
    {"pready_before_start", 2, "the partitioned request is not active", misused, 0, 0},
    {"pready_twice", 2, "partition 2 is already ready", misused, 1, 0},
    {"parrived_of_a_send", 2, "the request does not receive partitions", misused, 2, 0},
    {"pready_of_a_receive", 2, "the request does not send partitions", misused, 3, 0},
    {"pready_beyond", 2, "partition 4 does not exist", misused, 4, 0},
    {"free_active_partitioned", 2, "the request is an active partitioned operation", misused, 5, 0},
    {"partitioned_overwritten", 2,
     "requests overwritten before they were complete|MPI_Psend_init in init (|given to "
     "MPI_Psend_init",
     overwritten, 0, 0},
    {0}};

/* Writes partitions until they are ready, sends arrived ones on, and starts again. */
static void pipeline(int parts, int unused)
{
    (void)unused;
    MPI_Request sent = MPI_REQUEST_NULL;
    int flag;
    init(rank ? parts : PARTS, ALL / (rank ? parts : PARTS), MPI_INT);
    for (int round = 0; round < 3; round++) {
        MPI_Start(&request);
        if (rank == 0) {
            for (int part = PARTS - 1; part >= 0; part--) {
                if (part == 1)
                    MPI_Recv(data + EACH, EACH, MPI_INT, 1, 5, WORLD, IGNORE);
                for (int i = 0; i < EACH; i++)
                    data[part * EACH + i] += i;
                MPI_Pready(part, request);
            }
        } else {
            do
                MPI_Parrived(request, parts - 1, &flag);
            while (!flag);
            MPI_Isend(data + ALL - 1, 1, MPI_INT, 0, 6, WORLD, &sent);
            MPI_Send(data + ALL, EACH, MPI_INT, 0, 5, WORLD);
        }
        MPI_Wait(&request, IGNORE);
        if (rank == 0)
            MPI_Recv(data, 1, MPI_INT, 1, 6, WORLD, IGNORE);
        MPI_Wait(&sent, IGNORE);
        memset(data, round, sizeof(data));
    }
    MPI_Request_free(&request);
}

static void to_nobody(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request both[2];
    MPI_Psend_init(data, 2, 5, MPI_INT, MPI_PROC_NULL, 3, WORLD, MPI_INFO_NULL, &both[0]);
    MPI_Precv_init(data + ALL, 2, 5, MPI_INT, MPI_PROC_NULL, 3, WORLD, MPI_INFO_NULL, &both[1]);
    MPI_Startall(2, both);
    MPI_Pready_range(0, 1, both[0]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
}

static void never_started(int unused, int unused2)
{
    (void)unused, (void)unused2;
    init(PARTS, EACH, MPI_INT);
    MPI_Request_free(&request);
}

const struct test_case right_partitioned[] = {
    {"right_partitions", 2, "", pipeline, PARTS, 0},
    {"right_partitions_fewer", 2, "", pipeline, 2, 0},
    {"right_partitions_more", 2, "", pipeline, 8, 0},
    {"right_partitions_to_nobody", 2, "", to_nobody, 0, 0},
    {"right_partitions_never_started", 2, "", never_started, 0, 0},
    {0}};
