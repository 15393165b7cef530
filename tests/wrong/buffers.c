/* Buffers of incomplete operations that are used again, and sends that rely on buffering. */
#include "cases.h"

static int data[4096];

static void two_receives(int first, int second)
{
    MPI_Request request[2];
    if (rank == 1) {
        MPI_Irecv(data + first, 10, MPI_INT, 0, 1, WORLD, &request[0]);
        MPI_Irecv(data + second, 10, MPI_INT, 0, 2, WORLD, &request[1]);
        MPI_Barrier(WORLD);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    } else {
        MPI_Barrier(WORLD);
        MPI_Send(data, 10, MPI_INT, 1, 1, WORLD);
        MPI_Send(data, 10, MPI_INT, 1, 2, WORLD);
    }
}

static void send_and_receive(int receive_first, int offset)
{
    MPI_Request request[2];
    if (rank == 1) {
        if (receive_first) {
            MPI_Irecv(data, 10, MPI_INT, 0, 1, WORLD, &request[0]);
            MPI_Isend(data + offset, 10, MPI_INT, 0, 2, WORLD, &request[1]);
        } else {
            MPI_Isend(data + offset, 10, MPI_INT, 0, 2, WORLD, &request[1]);
            MPI_Irecv(data, 10, MPI_INT, 0, 1, WORLD, &request[0]);
        }
        MPI_Barrier(WORLD);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    } else {
        MPI_Barrier(WORLD);
        MPI_Send(data, 10, MPI_INT, 1, 1, WORLD);
        MPI_Recv(data + 20, 10, MPI_INT, 1, 2, WORLD, IGNORE);
    }
}

static void blocking_beside(int receives, int sends_first)
{
    MPI_Request request;
    if (rank == 1) {
        if (sends_first)
            MPI_Isend(data, 10, MPI_INT, 0, 1, WORLD, &request);
        else
            MPI_Irecv(data, 10, MPI_INT, 0, 1, WORLD, &request);
        if (receives)
            MPI_Recv(data + 5, 10, MPI_INT, 0, 2, WORLD, IGNORE);
        else
            MPI_Send(data + 5, 10, MPI_INT, 0, 2, WORLD);
        MPI_Barrier(WORLD);
        MPI_Wait(&request, IGNORE);
    } else {
        if (receives)
            MPI_Send(data, 10, MPI_INT, 1, 2, WORLD);
        else
            MPI_Recv(data, 10, MPI_INT, 1, 2, WORLD, IGNORE);
        MPI_Barrier(WORLD);
        if (sends_first)
            MPI_Recv(data, 10, MPI_INT, 1, 1, WORLD, IGNORE);
        else
            MPI_Send(data, 10, MPI_INT, 1, 1, WORLD);
    }
}

static void columns(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Datatype column;
    MPI_Request request[2];
    MPI_Type_vector(5, 2, 10, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 1) {
        MPI_Irecv(data, 1, column, 0, 1, WORLD, &request[0]);
        MPI_Irecv(data + 1, 1, column, 0, 2, WORLD, &request[1]);
        MPI_Barrier(WORLD);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    } else {
        MPI_Barrier(WORLD);
        MPI_Send(data, 1, column, 1, 1, WORLD);
        MPI_Send(data, 1, column, 1, 2, WORLD);
    }
    MPI_Type_free(&column);
}

/* Writes to element `place` of a send's buffer of `count` elements. */
static void written(int count, int place)
{
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(data, count, MPI_INT, 1, 1, WORLD, &request);
        data[place]++;
        MPI_Barrier(WORLD);
        MPI_Wait(&request, IGNORE);
    } else {
        MPI_Barrier(WORLD);
        MPI_Recv(data, count, MPI_INT, 0, 1, WORLD, IGNORE);
    }
}

/* Writes to the buffer of a receive: before its message is there, or after, before the wait. */
static void received_and_written(int late, int persistent)
{
    MPI_Request request;
    if (rank == 1) {
        if (persistent) {
            MPI_Recv_init(data, 10, MPI_INT, 0, 1, WORLD, &request);
            MPI_Start(&request);
        } else {
            MPI_Irecv(data, 10, MPI_INT, 0, 1, WORLD, &request);
        }
        if (!late)
            data[9]++;
        MPI_Barrier(WORLD);
        /* Rank 0 has sent when it comes to the second barrier: its send waits for this receive. */
        MPI_Barrier(WORLD);
        if (late)
            data[9]++;
        MPI_Wait(&request, IGNORE);
        if (persistent)
            MPI_Request_free(&request);
    } else {
        MPI_Barrier(WORLD);
        MPI_Send(data + 20, 10, MPI_INT, 1, 1, WORLD);
        MPI_Barrier(WORLD);
    }
}

/* Writes to the result of a collective operation that is done and not completed. */
static void result_written(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    int flag;
    MPI_Iallreduce(data, data + 100, 10, MPI_INT, MPI_SUM, WORLD, &request);
    MPI_Barrier(WORLD);
    /* The other ranks have sent their parts, which a probe takes. */
    for (int i = 0; i < 10000; i++)
        MPI_Iprobe(MPI_ANY_SOURCE, 99, WORLD, &flag, IGNORE);
    data[105]++;
    MPI_Wait(&request, IGNORE);
}

static void written_persistent(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    if (rank == 0) {
        MPI_Send_init(data, 10, MPI_INT, 1, 1, WORLD, &request);
        MPI_Start(&request);
        memset(data, 1, 40);
        MPI_Barrier(WORLD);
        MPI_Wait(&request, IGNORE);
        MPI_Request_free(&request);
    } else {
        MPI_Barrier(WORLD);
        MPI_Recv(data, 10, MPI_INT, 0, 1, WORLD, IGNORE);
    }
}

static void written_vector(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Datatype column;
    MPI_Request request;
    MPI_Type_vector(5, 1, 10, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        MPI_Issend(data, 1, column, 1, 1, WORLD, &request);
        data[40] = 7;
        MPI_Barrier(WORLD);
        MPI_Wait(&request, IGNORE);
    } else {
        MPI_Barrier(WORLD);
        MPI_Recv(data, 5, MPI_INT, 0, 1, WORLD, IGNORE);
    }
    MPI_Type_free(&column);
}

static void written_before_test(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    if (rank == 0) {
        int flag = 0;
        MPI_Isend(data, 10, MPI_INT, 1, 1, WORLD, &request);
        data[3] = 5;
        MPI_Barrier(WORLD);
        while (!flag)
            MPI_Test(&request, &flag, IGNORE);
    } else {
        MPI_Barrier(WORLD);
        MPI_Recv(data, 10, MPI_INT, 0, 1, WORLD, IGNORE);
    }
}

static void sendrecv_overlaps(int blocks, int offset)
{
    MPI_Request request;
    if (blocks) {
        MPI_Sendrecv(data, 10, MPI_INT, 1 - rank, 1, data + offset, 10, MPI_INT, 1 - rank, 1, WORLD,
                     IGNORE);
    } else {
        MPI_Isendrecv(data, 10, MPI_INT, 1 - rank, 1, data + offset, 10, MPI_INT, 1 - rank, 1,
                      WORLD, &request);
        MPI_Wait(&request, IGNORE);
    }
}

static int more[4096];

/* Collective operations whose buffers are written, or used again, before they are complete. */
static void pending(int kind, int unused)
{
    (void)unused;
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Comm ring;
    int counts[4] = {5, 5, 5, 5}, places[4] = {0, 10, 20, 30}, flag = 0, period = 1;
    switch (kind) {
    case 0:
        MPI_Ibcast(data, 10, MPI_INT, 0, WORLD, &request[0]);
        if (rank == 0)
            data[9]++;
        break;
    case 1:
        MPI_Iallreduce(data, more, 10, MPI_INT, MPI_SUM, WORLD, &request[0]);
        data[0]++;
        while (!flag)
            MPI_Test(&request[0], &flag, IGNORE);
        break;
    case 2:
        MPI_Ialltoallv(data, counts, places, MPI_INT, more, counts, places, MPI_INT, WORLD,
                       &request[0]);
        data[14]++;
        break;
    case 3:
        MPI_Allreduce_init(data, more, 10, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &request[0]);
        MPI_Start(&request[0]);
        data[3]++;
        MPI_Wait(&request[0], IGNORE);
        MPI_Request_free(&request[0]);
        break;
    case 4: /* A receive into the result. */
        MPI_Iallgather(data, 10, MPI_INT, more, 10, MPI_INT, WORLD, &request[0]);
        MPI_Irecv(more + 12, 1, MPI_INT, rank, 0, WORLD, &request[1]);
        MPI_Send(data, 1, MPI_INT, rank, 0, WORLD);
        break;
    case 5: /* Two results in one place. */
        MPI_Ibcast(more, 10, MPI_INT, 0, WORLD, &request[0]);
        MPI_Ibcast(more + 9, 10, MPI_INT, 0, WORLD, &request[1]);
        break;
    case 6: /* A result where another operation sends. */
        MPI_Iscan(data, more, 10, MPI_INT, MPI_SUM, WORLD, &request[0]);
        MPI_Igather(more + 20, 5, MPI_INT, data + 5, 5, MPI_INT, 0, WORLD, &request[1]);
        break;
    case 7: /* A blocking operation. */
        MPI_Ialltoall(data, 5, MPI_INT, more, 5, MPI_INT, WORLD, &request[0]);
        MPI_Bcast(more, 1, MPI_INT, 0, WORLD);
        break;
    case 8: /* A send of the result of a persistent one. */
        MPI_Bcast_init(data, 10, MPI_INT, 0, WORLD, MPI_INFO_NULL, &request[0]);
        MPI_Start(&request[0]);
        MPI_Isend(data, 1, MPI_INT, 1 - rank, 0, WORLD, &request[1]);
        MPI_Recv(more, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        MPI_Request_free(&request[0]);
        break;
    default:
        MPI_Cart_create(WORLD, 1, &size, &period, 0, &ring);
        MPI_Ineighbor_allgather(data, 10, MPI_INT, more, 10, MPI_INT, ring, &request[0]);
        data[2]++;
        MPI_Wait(&request[0], IGNORE);
        MPI_Comm_free(&ring);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

/* What looks like it and is right. */
static void undisturbed(int kind, int unused)
{
    (void)unused;
    MPI_Request request[8];
    MPI_Datatype column;
    int counts[4] = {5, 5, 5, 5}, places[4] = {0, 10, 20, 30}, wide[4] = {1, 11, 21, 31}, flag = 0;
    int first = rank == 0, used = 0;
    for (int i = 0; i < 8; i++)
        request[i] = MPI_REQUEST_NULL;
    switch (kind) {
    case 0: /* One send buffer in several operations. */
        MPI_Iallreduce(data, more, 10, MPI_INT, MPI_SUM, WORLD, &request[0]);
        MPI_Iallgather(data, 10, MPI_INT, more + 100, 10, MPI_INT, WORLD, &request[1]);
        MPI_Iexscan(data, more + 200, 10, MPI_INT, MPI_SUM, WORLD, &request[2]);
        MPI_Isend(data, 10, MPI_INT, rank, 0, WORLD, &request[3]);
        MPI_Irecv(more + 300, 10, MPI_INT, rank, 0, WORLD, &request[4]);
        MPI_Allgather(data, 10, MPI_INT, more + 400, 10, MPI_INT, WORLD);
        used = 5;
        break;
    case 1: /* Gaps between blocks are the program's, or of another operation. */
        MPI_Iallgatherv(data, 5, MPI_INT, more, counts, places, MPI_INT, WORLD, &request[0]);
        for (int i = 0; i < 4; i++)
            wide[i] += 4, counts[i] = 5;
        MPI_Iallgatherv(data, 5, MPI_INT, more, counts, wide, MPI_INT, WORLD, &request[1]);
        MPI_Ialltoallv(data, counts, places, MPI_INT, more + 100, counts, places, MPI_INT, WORLD,
                       &request[2]);
        data[5]++, more[105]++;
        used = 3;
        break;
    case 2: /* In place. */
        MPI_Iallreduce(MPI_IN_PLACE, data, 10, MPI_INT, MPI_SUM, WORLD, &request[0]);
        MPI_Ireduce(first ? MPI_IN_PLACE : data + 20, data + 20, 10, MPI_INT, MPI_SUM, 0, WORLD,
                    &request[1]);
        MPI_Igather(first ? MPI_IN_PLACE : data + 40, 10, MPI_INT, data + 40, 10, MPI_INT, 0, WORLD,
                    &request[2]);
        MPI_Ialltoall(MPI_IN_PLACE, 10, MPI_INT, data + 100, 10, MPI_INT, WORLD, &request[3]);
        MPI_Ireduce_scatter_block(MPI_IN_PLACE, data + 200, 10, MPI_INT, MPI_SUM, WORLD,
                                  &request[4]);
        MPI_Iexscan(MPI_IN_PLACE, data + 300, 10, MPI_INT, MPI_SUM, WORLD, &request[5]);
        MPI_Iscatter(data + 400, 10, MPI_INT, first ? MPI_IN_PLACE : data + 400, 10, MPI_INT, 0,
                     WORLD, &request[6]);
        MPI_Iallgather(MPI_IN_PLACE, 0, MPI_INT, data + 500, 10, MPI_INT, WORLD, &request[7]);
        used = 8;
        break;
    case 3: /* Arguments that count at the root only, and the first result of an exscan. */
        MPI_Ireduce(data, more, 10, MPI_INT, MPI_SUM, 0, WORLD, &request[0]);
        MPI_Igather(data, 10, MPI_INT, first ? more + 100 : more, 10, MPI_INT, 0, WORLD,
                    &request[1]);
        MPI_Iexscan(data, more + 200, 10, MPI_INT, MPI_SUM, WORLD, &request[2]);
        if (first)
            MPI_Bcast(more + 200, 10, MPI_INT, 1, WORLD);
        else
            MPI_Bcast(more + 50, 10, MPI_INT, 1, WORLD);
        used = 3;
        break;
    case 4: /* Rounds of persistent operations, whose memory others use afterwards. */
        for (int round = 0; round < 3; round++) {
            MPI_Allreduce_init(data, more, 10, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &request[0]);
            MPI_Bcast_init(more + 20, 10, MPI_INT, 0, WORLD, MPI_INFO_NULL, &request[1]);
            for (int i = 0; i < 3; i++) {
                memset(data, i, 40), memset(more, i, 120);
                MPI_Startall(2, request);
                MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
                MPI_Bcast(data, 10, MPI_INT, 0, WORLD);
            }
            MPI_Request_free(&request[0]);
            MPI_Request_free(&request[1]);
            MPI_Ibcast(data, 30, MPI_INT, 0, WORLD, &request[0]);
            MPI_Wait(&request[0], IGNORE);
        }
        break;
    case 5: /* The program knows that they are complete. */
        MPI_Iallreduce(data, more, 10, MPI_INT, MPI_SUM, WORLD, &request[0]);
        while (!flag)
            MPI_Request_get_status(request[0], &flag, IGNORE);
        data[0]++;
        MPI_Bcast(more, 10, MPI_INT, 0, WORLD);
        MPI_Ibcast(data, 10, MPI_INT, 0, WORLD, &request[1]);
        flag = 0;
        while (!flag)
            MPI_Test(&request[1], &flag, IGNORE);
        data[0]++;
        used = 1;
        break;
    default: /* Columns of one matrix. */
        MPI_Type_vector(4, 1, 8, MPI_INT, &column);
        MPI_Type_commit(&column);
        for (int i = 0; i < 8; i++)
            MPI_Ibcast(data + i, 1, column, i % size, WORLD, &request[i]);
        MPI_Type_free(&column);
        used = 8;
    }
    MPI_Waitall(used, request, MPI_STATUSES_IGNORE);
}

#define TWICE "used by a second operation"
#define CHANGED "changed while an operation used them"

const struct test_case buffers[] = {
    {"overlap_receives_equal", 2, TWICE "|rank 1: MPI_Irecv in two_receives", two_receives, 0, 0},
    {"overlap_receives_partly", 2, TWICE, two_receives, 0, 5},
    {"overlap_receives_below", 2, TWICE, two_receives, 9, 0},
    {"overlap_receive_send", 2, TWICE "|MPI_Isend in", send_and_receive, 1, 0},
    {"overlap_receive_send_partly", 2, TWICE, send_and_receive, 1, 9},
    {"overlap_send_receive", 2, TWICE "|MPI_Irecv in", send_and_receive, 0, 0},
    {"overlap_send_receive_partly", 2, TWICE, send_and_receive, 0, 3},
    {"overlap_recv_beside_irecv", 2, TWICE "|MPI_Recv in", blocking_beside, 1, 0},
    {"overlap_recv_beside_isend", 2, TWICE "|that an incomplete operation sends: MPI_Isend in",
     blocking_beside, 1, 1},
    {"overlap_send_beside_irecv", 2, TWICE "|MPI_Send in", blocking_beside, 0, 0},
    {"overlap_columns", 2, TWICE, columns, 0, 0},
    {"overlap_sendrecv", 2, TWICE "|ranks 0, 1: MPI_Sendrecv", sendrecv_overlaps, 1, 0},
    {"overlap_sendrecv_partly", 2, TWICE, sendrecv_overlaps, 1, 9},
    {"overlap_isendrecv", 2, TWICE "|MPI_Isendrecv", sendrecv_overlaps, 0, 2},
    {"written_first", 2, CHANGED "|rank 0: MPI_Isend in written (", written, 10, 0},
    {"written_last", 2, CHANGED, written, 10, 9},
    {"written_long", 2, CHANGED, written, 4096, 2000},
    {"written_persistent", 2, CHANGED, written_persistent, 0, 0},
    {"written_receive", 2,
     CHANGED "|rank 1: MPI_Irecv in received_and_written (|before the message",
     received_and_written, 0, 0},
    {"written_receive_late", 2, CHANGED "|rank 1: MPI_Irecv|before the receive was completed",
     received_and_written, 1, 0},
    {"written_receive_persistent", 2, CHANGED "|rank 1: MPI_Start|before the message",
     received_and_written, 0, 1},
    {"written_result", 2, CHANGED "|MPI_Iallreduce in result_written (|before the operation",
     result_written, 0, 0},
    {"written_vector", 2, CHANGED "|MPI_Issend", written_vector, 0, 0},
    {"written_before_test", 2, CHANGED, written_before_test, 0, 0},
    {"written_ibcast", 3, CHANGED "|rank 0: MPI_Ibcast in pending (", pending, 0, 0},
    {"written_iallreduce", 2, CHANGED "|ranks 0, 1: MPI_Iallreduce in pending (", pending, 1, 0},
    {"written_ialltoallv", 2, CHANGED "|MPI_Ialltoallv in", pending, 2, 0},
    {"written_allreduce_init", 3, CHANGED "|ranks 0-2: MPI_Start in pending (", pending, 3, 0},
    {"written_neighbor", 2, CHANGED "|MPI_Ineighbor_allgather in", pending, 9, 0},
    {"overlap_iallgather_irecv", 2, TWICE "|MPI_Irecv in pending (|receives into: MPI_Iallgather",
     pending, 4, 0},
    {"overlap_ibcasts", 3, TWICE "|ranks 1, 2: MPI_Ibcast in pending (", pending, 5, 0},
    {"overlap_igather_iscan", 2, TWICE "|rank 0: MPI_Igather in|operation sends: MPI_Iscan",
     pending, 6, 0},
    {"overlap_ialltoall_bcast", 2, TWICE "|MPI_Bcast in pending (|into: MPI_Ialltoall", pending, 7,
     0},
    {"overlap_bcast_init_isend", 2, TWICE "|rank 1: MPI_Isend in|into: MPI_Start", pending, 8, 0},
    {0}};

/* Sends to the next rank before it receives from the previous one. */
static void around(int count, int mode)
{
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    if (mode == 0)
        MPI_Send(data, count, MPI_INT, next, 1, WORLD);
    else
        MPI_Ssend(data, count, MPI_INT, next, 1, WORLD);
    MPI_Recv(data + 64, count, MPI_INT, previous, 1, WORLD, IGNORE);
}

static void to_self(int count, int unused)
{
    (void)unused;
    MPI_Send(data, count, MPI_INT, rank, 1, WORLD);
    MPI_Recv(data + 64, count, MPI_INT, rank, 1, WORLD, IGNORE);
}

static void wrong_order(int count, int unused)
{
    (void)unused;
    if (rank == 0) {
        MPI_Send(data, count, MPI_INT, 1, 1, WORLD);
        MPI_Send(data, count, MPI_INT, 1, 2, WORLD);
    } else {
        MPI_Recv(data, count, MPI_INT, 0, 2, WORLD, IGNORE);
        MPI_Recv(data + 64, count, MPI_INT, 0, 1, WORLD, IGNORE);
    }
}

static void before_barrier(int count, int unused)
{
    (void)unused;
    if (rank == 0)
        MPI_Send(data, count, MPI_INT, 1, 1, WORLD);
    MPI_Barrier(WORLD);
    if (rank == 1)
        MPI_Recv(data, count, MPI_INT, 0, 1, WORLD, IGNORE);
}

static void waits_first(int count, int unused)
{
    (void)unused;
    MPI_Request request;
    MPI_Isend(data, count, MPI_INT, 1 - rank, 1, WORLD, &request);
    MPI_Wait(&request, IGNORE);
    MPI_Recv(data + 64, count, MPI_INT, 1 - rank, 1, WORLD, IGNORE);
}

static void nobody_receives(int tag, int received)
{
    if (rank == 0)
        MPI_Send(data, 1, MPI_INT, 1, tag, WORLD);
    else if (received >= 0)
        MPI_Recv(data, 1, MPI_INT, 0, received, WORLD, IGNORE);
}

/* Memory beside receives is written, and that of receives after they are known to be complete. */
static void read_while_received(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request[2];
    int done = 0;
    for (int round = 0; round < 20; round++) {
        if (rank == 1) {
            MPI_Irecv(data, 10, MPI_INT, 0, 1, WORLD, &request[0]);
            MPI_Irecv(data + 20, 2000, MPI_INT, 0, 2, WORLD, &request[1]);
            data[10]++, data[19]++;
            MPI_Wait(&request[0], IGNORE);
            data[0]++;
            for (done = 0; !done;)
                MPI_Request_get_status(request[1], &done, IGNORE);
            data[20]++;
            MPI_Wait(&request[1], IGNORE);
        } else {
            MPI_Send(data, 10, MPI_INT, 1, 1, WORLD);
            MPI_Send(data, 2000, MPI_INT, 1, 2, WORLD);
        }
    }
}

const struct test_case right_buffers[] = {
    {"right_received_and_read", 2, "", read_while_received, 0, 0},
    {"right_sent_by_several", 4, "", undisturbed, 0, 0},
    {"right_gaps", 4, "", undisturbed, 1, 0},
    {"right_in_place", 3, "", undisturbed, 2, 0},
    {"right_at_the_root", 3, "", undisturbed, 3, 0},
    {"right_rounds", 3, "", undisturbed, 4, 0},
    {"right_known_complete", 3, "", undisturbed, 5, 0},
    {"right_columns_of_broadcasts", 3, "", undisturbed, 6, 0},
    {0}};

#define STUCK "the job cannot go on"

const struct test_case sends[] = {
    {"unsafe_pair", 2, STUCK "|MPI_Send", around, 1, 0},
    {"unsafe_pair_empty", 2, STUCK "|MPI_Send", around, 0, 0},
    {"unsafe_ring", 3, STUCK "|MPI_Send", around, 10, 0},
    {"unsafe_synchronous", 2, STUCK "|MPI_Ssend", around, 1, 1},
    {"unsafe_to_self", 1, STUCK "|MPI_Send", to_self, 1, 0},
    {"unsafe_wrong_order", 2, STUCK "|MPI_Recv", wrong_order, 1, 0},
    {"unsafe_before_barrier", 2, STUCK "|MPI_Send", before_barrier, 1, 0},
    {"unsafe_wait", 2, STUCK "|MPI_Wait", waits_first, 1, 0},
    {"unsafe_nobody_receives", 2, STUCK "|MPI_Send", nobody_receives, 1, -1},
    {"unsafe_other_tag", 2, STUCK "|tag 2", nobody_receives, 1, 2},
    {0}};
