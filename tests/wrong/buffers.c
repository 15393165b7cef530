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

#define TWICE "used by a second operation"
#define CHANGED "changed while a send read them"

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
    {"written_vector", 2, CHANGED "|MPI_Issend", written_vector, 0, 0},
    {"written_before_test", 2, CHANGED, written_before_test, 0, 0},
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
