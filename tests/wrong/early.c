/* Results of collective operations and of gets that the program writes too early, and receives that
 * it frees too early. */
#include "cases.h"

static int data[256], more[256];
static MPI_Win win;

static void made(void)
{
    int *base;
    MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &base, &win);
    memset(base, 0x11, 64 * sizeof(int));
    MPI_Barrier(WORLD);
}

/* The program writes to element `place` of the result before the operation is complete. */
static void result(int kind, int place)
{
    MPI_Request request;
    int counts[4] = {5, 5, 5, 5}, places[4] = {0, 10, 20, 30}, period = 1;
    MPI_Comm ring;
    switch (kind) {
    case 0: MPI_Iallreduce(data, more, 10, MPI_INT, MPI_SUM, WORLD, &request); break;
    case 1: MPI_Ireduce(data, more, 10, MPI_INT, MPI_SUM, 0, WORLD, &request); break;
    case 2: MPI_Ialltoall(data, 5, MPI_INT, more, 5, MPI_INT, WORLD, &request); break;
    case 3:
        MPI_Ialltoallv(data, counts, places, MPI_INT, more, counts, places, MPI_INT, WORLD,
                       &request);
        break;
    case 4:
        MPI_Iallgatherv(data, 5, MPI_INT, more, counts, places, MPI_INT, WORLD, &request);
        break;
    case 5: MPI_Ibcast(more, 10, MPI_INT, 0, WORLD, &request); break;
    case 6: MPI_Iscan(MPI_IN_PLACE, more, 10, MPI_INT, MPI_SUM, WORLD, &request); break;
    case 7:
        MPI_Allreduce_init(data, more, 10, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        more[place]++;
        MPI_Wait(&request, IGNORE);
        MPI_Request_free(&request);
        return;
    default:
        MPI_Cart_create(WORLD, 1, &size, &period, 0, &ring);
        MPI_Ineighbor_allgather(data, 10, MPI_INT, more, 10, MPI_INT, ring, &request);
        MPI_Comm_free(&ring);
    }
    more[place]++;
    MPI_Wait(&request, IGNORE);
}

/* The same with writes beside results, or when the operation is complete. */
static void beside(int kind, int place)
{
    MPI_Request request;
    int counts[4] = {5, 5, 5, 5}, places[4] = {0, 10, 20, 30}, flag = 0;
    for (int round = 0; round < 10; round++) {
        switch (kind) {
        case 0: MPI_Iallreduce(data, more, 10, MPI_INT, MPI_SUM, WORLD, &request); break;
        case 1: /* The result counts at the root only. */
            MPI_Ireduce(data, more, 10, MPI_INT, MPI_SUM, 0, WORLD, &request);
            more[10]++;
            if (rank != 0)
                more[0]++;
            break;
        case 2:
            MPI_Iallgatherv(data, 5, MPI_INT, more, counts, places, MPI_INT, WORLD, &request);
            break;
        case 3: /* Two operations, and a blocking one, under way at once. */
            MPI_Ibcast(more + 20, 10, MPI_INT, 0, WORLD, &request);
            MPI_Allreduce(data, more + 100, 10, MPI_INT, MPI_SUM, WORLD);
            MPI_Bcast(more + 120, 10, MPI_INT, size - 1, WORLD);
            more[100]++, more[120]++;
            break;
        default: /* An operation without other processes. */
            MPI_Iallreduce(data, more, 10, MPI_INT, MPI_SUM, MPI_COMM_SELF, &request);
        }
        more[place]++;
        while (round % 2 && !flag)
            MPI_Test(&request, &flag, IGNORE);
        MPI_Wait(&request, IGNORE);
        flag = 0;
        more[0]++, more[20]++, data[0]++;
    }
}

/* Rank 0 stores into the buffer of a get before it is complete. how 0: fence, 1: lock, 2: lock_all,
 * 3: start. */
static void got(int how, int place)
{
    MPI_Group group, other;
    int peer = 1 - rank;
    made();
    MPI_Comm_group(WORLD, &group);
    MPI_Group_incl(group, 1, &peer, &other);
    if (how == 0)
        MPI_Win_fence(0, win);
    if (how == 1 && rank == 0)
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    if (how == 2)
        MPI_Win_lock_all(0, win);
    if (how == 3 && rank == 0)
        MPI_Win_start(other, 0, win);
    if (how == 3 && rank == 1)
        MPI_Win_post(other, 0, win);
    if (rank == 0) {
        for (int i = 0; i < 4; i++)
            MPI_Get(data + 10 * i, 10, MPI_INT, 1, i, 10, MPI_INT, win);
        data[place]++;
    }
    if (how == 0)
        MPI_Win_fence(0, win);
    if (how == 1 && rank == 0)
        MPI_Win_unlock(1, win);
    if (how == 2)
        MPI_Win_unlock_all(win);
    if (how == 3 && rank == 0)
        MPI_Win_complete(win);
    if (how == 3 && rank == 1)
        MPI_Win_wait(win);
    MPI_Group_free(&group);
    MPI_Group_free(&other);
    MPI_Win_free(&win);
}

/* Stores beside gets, and after they are complete. */
static void got_and_read(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    made();
    MPI_Win_lock_all(0, win);
    for (int round = 0; round < 5; round++) {
        MPI_Get(data, 10, MPI_INT, 1 - rank, 0, 10, MPI_INT, win);
        data[10]++;
        if (round % 2)
            MPI_Win_flush(1 - rank, win);
        else
            MPI_Win_flush_local_all(win);
        data[0]++;
        MPI_Rget(data, 10, MPI_INT, 1 - rank, 0, 10, MPI_INT, win, &request);
        MPI_Wait(&request, IGNORE);
        data[0]++;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_fence(0, win);
    MPI_Get(data, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Get(data + 2, 1, MPI_INT, 1 - rank, 1, 1, MPI_INT, win);
    data[1]++;
    MPI_Win_fence(0, win);
    data[0]++, data[2]++;
    MPI_Win_free(&win);
}

/* Rank 1 frees a receive that it has not completed. how 0: MPI_Irecv, 1: when the message is here,
 * 2: a persistent one. */
static void freed(int how, int unused)
{
    (void)unused;
    MPI_Request request;
    if (rank == 0) {
        MPI_Send(more, 10, MPI_INT, 1, 1, WORLD);
        MPI_Barrier(WORLD);
        return;
    }
    if (how == 2) {
        MPI_Recv_init(data, 10, MPI_INT, 0, 1, WORLD, &request);
        MPI_Start(&request);
    } else {
        MPI_Irecv(data, 10, MPI_INT, 0, 1, WORLD, &request);
    }
    if (how == 1)
        MPI_Barrier(WORLD);
    MPI_Request_free(&request);
    if (how != 1)
        MPI_Barrier(WORLD);
}

/* Requests that may be freed. */
static void freed_rightly(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    MPI_Recv_init(data, 10, MPI_INT, 0, 1, WORLD, &request);
    MPI_Request_free(&request);
    MPI_Irecv(data, 10, MPI_INT, 0, 9, WORLD, &request);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
    /* A message without data, and what is sent. */
    if (rank == 0) {
        MPI_Isend(data, 0, MPI_INT, 1, 1, WORLD, &request);
        MPI_Request_free(&request);
        MPI_Isend(data, 10, MPI_INT, 1, 2, WORLD, &request);
        MPI_Request_free(&request);
    } else {
        MPI_Irecv(data, 0, MPI_INT, 0, 1, WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(data, 10, MPI_INT, 0, 2, WORLD, IGNORE);
    }
    MPI_Barrier(WORLD);
    if (rank == 1) {
        MPI_Recv_init(data, 10, MPI_INT, 0, 3, WORLD, &request);
        MPI_Start(&request);
        MPI_Wait(&request, IGNORE);
        MPI_Request_free(&request);
    } else {
        MPI_Send(data, 10, MPI_INT, 1, 3, WORLD);
    }
}

#define CHANGED "changed while an operation used them|"
#define OPERATION "|before the operation was completed"
#define FREED "requests never completed|rank 1: "
#define NOTHING_TELLS "a receive of 40 bytes that is freed before it is complete|MPI_Request_free"

const struct test_case too_early[] = {
    {"early_iallreduce", 2, CHANGED "ranks 0, 1: MPI_Iallreduce in result (" OPERATION, result, 0,
     0},
    {"early_iallreduce_alone", 1, CHANGED "MPI_Iallreduce in result (" OPERATION, result, 0, 9},
    {"early_ireduce", 3, CHANGED "rank 0: MPI_Ireduce in result (", result, 1, 3},
    {"early_ialltoall", 2, CHANGED "MPI_Ialltoall in result (", result, 2, 7},
    {"early_ialltoallv", 4, CHANGED "ranks 0-3: MPI_Ialltoallv in result (", result, 3, 31},
    {"early_iallgatherv", 3, CHANGED "MPI_Iallgatherv in result (", result, 4, 20},
    {"early_ibcast", 3, CHANGED "ranks 0-2: MPI_Ibcast in result (", result, 5, 0},
    {"early_iscan_in_place", 2, CHANGED "MPI_Iscan in result (", result, 6, 5},
    {"early_allreduce_init", 2, CHANGED "MPI_Start in result (", result, 7, 0},
    {"early_neighbor", 2, CHANGED "MPI_Ineighbor_allgather in result (", result, 8, 2},
    {"early_get_fence", 2, CHANGED "rank 0: MPI_Get in got (|before the access was complete", got,
     0, 0},
    {"early_get_lock", 2, CHANGED "rank 0: MPI_Get in got (", got, 1, 39},
    {"early_get_lock_all", 2, CHANGED "rank 0: MPI_Get in got (", got, 2, 10},
    {"early_get_start", 2, CHANGED "rank 0: MPI_Get in got (", got, 3, 5},
    {"freed_receive", 2, FREED "MPI_Irecv in freed (|" NOTHING_TELLS, freed, 0, 0},
    {"freed_receive_late", 2, FREED "MPI_Irecv in freed (|" NOTHING_TELLS, freed, 1, 0},
    {"freed_receive_persistent", 2, FREED "MPI_Start in freed (|" NOTHING_TELLS, freed, 2, 0},
    {0}};

const struct test_case right_too_early[] = {
    {"right_beside_iallreduce", 3, "", beside, 0, 10},
    {"right_beside_ireduce", 3, "", beside, 1, 20},
    {"right_beside_iallgatherv", 4, "", beside, 2, 5},
    {"right_beside_ibcast", 3, "", beside, 3, 0},
    {"right_beside_self", 2, "", beside, 4, 10},
    {"right_beside_get", 2, "", got, 0, 40},
    {"right_got_and_read", 2, "", got_and_read, 0, 0},
    {"right_freed", 2, "", freed_rightly, 0, 0},
    {0}};
