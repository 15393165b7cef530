/* Types and buffers of collective operations and of accesses to windows. */
#include "cases.h"

static int data[64], more[64];

/* Data whose types differ on the two sides of a call. */
static void unlike(int kind, int unused)
{
    (void)unused;
    int counts[4] = {1, 1, 1, 1}, places[4] = {0, 1, 2, 3};
    MPI_Datatype sent[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    MPI_Datatype received[4] = {MPI_FLOAT, MPI_FLOAT, MPI_FLOAT, MPI_FLOAT};
    MPI_Request request;
    switch (kind) {
    case 0: MPI_Allgather(data, 1, MPI_INT, more, 1, MPI_FLOAT, WORLD); break;
    case 1: MPI_Gather(data, 1, MPI_FLOAT, more, 1, MPI_INT, 0, WORLD); break;
    case 2: MPI_Scatter(data, 2, MPI_INT, more, 1, MPI_DOUBLE, 0, WORLD); break;
    case 3: MPI_Alltoall(data, 1, MPI_INT, more, 4, MPI_BYTE, WORLD); break;
    case 4:
        MPI_Alltoallv(data, counts, places, MPI_INT, more, counts, places, MPI_UNSIGNED, WORLD);
        break;
    case 5:
        for (int i = 0; i < 4; i++)
            places[i] = 4 * i;
        MPI_Alltoallw(data, counts, places, sent, more, counts, places, received, WORLD);
        break;
    case 6:
        MPI_Iallgatherv(data, 1, MPI_INT, more, counts, places, MPI_FLOAT, WORLD, &request);
        MPI_Wait(&request, IGNORE);
        break;
    default: MPI_Allgather(data, 2, MPI_2INT, more, 2, MPI_DOUBLE, WORLD); break;
    }
}

/* Accesses whose types differ at origin and target. */
static void at_target(int kind, int unused)
{
    (void)unused;
    MPI_Win win;
    MPI_Win_create(more, sizeof(more), 1, MPI_INFO_NULL, WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        switch (kind) {
        case 0: MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_FLOAT, win); break;
        case 1: MPI_Get(data, 2, MPI_INT, 0, 0, 1, MPI_DOUBLE, win); break;
        default: MPI_Put(data, 4, MPI_BYTE, 0, 0, 1, MPI_INT, win); break;
        }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* Buffers of one call that share memory. */
static void shared(int kind, int unused)
{
    (void)unused;
    int counts[4] = {2, 2, 2, 2}, places[4] = {0, 2, 4, 6};
    MPI_Request request;
    switch (kind) {
    case 0: MPI_Allreduce(data, data + 3, 8, MPI_INT, MPI_SUM, WORLD); break;
    case 1: MPI_Reduce(data + 3, data, 8, MPI_INT, MPI_SUM, 0, WORLD); break;
    case 2: MPI_Scan(data + 7, data, 8, MPI_INT, MPI_SUM, WORLD); break;
    case 3: MPI_Allgather(data + 1, 2, MPI_INT, data, 2, MPI_INT, WORLD); break;
    case 4: MPI_Alltoall(data, 2, MPI_INT, data + 3, 2, MPI_INT, WORLD); break;
    case 5: MPI_Gatherv(data + 3, 2, MPI_INT, data, counts, places, MPI_INT, 0, WORLD); break;
    case 6:
        MPI_Iallreduce(data, data + 1, 8, MPI_INT, MPI_SUM, WORLD, &request);
        MPI_Wait(&request, IGNORE);
        break;
    default: MPI_Reduce_local(data, data + 1, 8, MPI_INT, MPI_SUM);
    }
}

/* Buffers that receive into bytes twice. */
static void twice(int kind, int unused)
{
    (void)unused;
    int counts[4] = {2, 2, 2, 2}, places[4] = {0, 1, 4, 6}, far[4] = {8, 10, 12, 14};
    MPI_Datatype type;
    MPI_Request request;
    MPI_Type_vector(3, 2, 1, MPI_INT, &type);
    MPI_Type_commit(&type);
    switch (kind) {
    case 0:
        MPI_Irecv(more, 1, type, rank, 0, WORLD, &request);
        MPI_Send(data, 6, MPI_INT, rank, 0, WORLD);
        MPI_Wait(&request, IGNORE);
        break;
    case 1:
        MPI_Sendrecv(data, 2, MPI_INT, rank, 0, more, 2, MPI_INT, rank, 0, WORLD, IGNORE);
        MPI_Gatherv(data, 2, MPI_INT, more, counts, places, MPI_INT, 0, WORLD);
        break;
    case 2: MPI_Allgatherv(data, 2, MPI_INT, more, counts, places, MPI_INT, WORLD); break;
    default:
        MPI_Ialltoallv(data, counts, far, MPI_INT, more, counts, places, MPI_INT, WORLD, &request);
        MPI_Wait(&request, IGNORE);
    }
    MPI_Type_free(&type);
}

/* An assertion that is not true. */
static void asserted(int kind, int unused)
{
    (void)kind, (void)unused;
    MPI_Win win;
    MPI_Win_create(more, sizeof(more), 4, MPI_INFO_NULL, WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(data, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
}

/* Memory that MPI_Alloc_mem has not returned, or not any more. */
static void memory(int kind, int unused)
{
    (void)unused;
    char *base, *other;
    MPI_Win win;
    switch (kind) {
    case 0: MPI_Free_mem(data + 16); break;
    case 1:
        MPI_Alloc_mem(100, MPI_INFO_NULL, &base);
        MPI_Alloc_mem(100, MPI_INFO_NULL, &other);
        MPI_Free_mem(base);
        MPI_Free_mem(base);
        MPI_Free_mem(other);
        break;
    case 2:
        MPI_Win_allocate(64, 1, MPI_INFO_NULL, WORLD, &base, &win);
        MPI_Free_mem(base);
        MPI_Win_free(&win);
        break;
    case 4: /* A window of a part of the memory. */
        MPI_Alloc_mem(100, MPI_INFO_NULL, &base);
        MPI_Win_create(base + 64, 32, 1, MPI_INFO_NULL, WORLD, &win);
        MPI_Win_set_name(win, "halo");
        MPI_Free_mem(base);
        MPI_Win_free(&win);
        break;
    case 5:
        MPI_Alloc_mem(1 << 20, MPI_INFO_NULL, &base);
        MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win);
        MPI_Win_attach(win, base + 4096, 64);
        MPI_Free_mem(base);
        MPI_Win_free(&win);
        break;
    case 7: /* Never freed. */
        for (int i = 0; i < 2; i++)
            MPI_Alloc_mem(100, MPI_INFO_NULL, &base);
        break;
    default: /* All right. */
        MPI_Alloc_mem(0, MPI_INFO_NULL, &base);
        MPI_Alloc_mem(1 << 20, MPI_INFO_NULL, &other);
        memset(other, 1, 1 << 20);
        MPI_Free_mem(base);
        MPI_Free_mem(other);
        MPI_Alloc_mem(100, MPI_INFO_NULL, &base);
        MPI_Free_mem(base);
        /* Beside windows, and when they have ended. */
        MPI_Alloc_mem(64, MPI_INFO_NULL, &base);
        MPI_Alloc_mem(64, MPI_INFO_NULL, &other);
        MPI_Win_create(base, 64, 1, MPI_INFO_NULL, WORLD, &win);
        MPI_Free_mem(other);
        MPI_Win_free(&win);
        MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win);
        MPI_Win_attach(win, base, 64);
        MPI_Win_detach(win, base);
        MPI_Free_mem(base);
        MPI_Win_free(&win);
    }
}

/* The results of accesses, in memory that the accesses read here, or beside it. */
static void results(int kind, int unused)
{
    (void)unused;
    MPI_Win win;
    int *base;
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    switch (kind) {
    case 0:
        MPI_Get_accumulate(data, 4, MPI_INT, data + 3, 4, MPI_INT, 0, 0, 4, MPI_INT, MPI_SUM, win);
        break;
    case 1: MPI_Fetch_and_op(data, data, MPI_INT, 0, 0, MPI_SUM, win); break;
    case 2: MPI_Compare_and_swap(data, data + 1, data + 1, MPI_INT, 0, 0, win); break;
    default: /* Beside it, and where nothing is read; each is complete before the next. */
        MPI_Get_accumulate(data, 4, MPI_INT, data + 4, 4, MPI_INT, 0, 0, 4, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(0, win);
        MPI_Get_accumulate(data, 4, MPI_INT, data, 4, MPI_INT, 0, 0, 4, MPI_INT, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
        MPI_Fetch_and_op(data, data, MPI_INT, 0, 0, MPI_NO_OP, win);
        MPI_Win_flush(0, win);
        MPI_Fetch_and_op(data, data + 1, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        MPI_Compare_and_swap(data, data, data + 1, MPI_INT, 0, 0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static int block[1 << 16], blocks[4 << 16];

/* Runs a persistent operation twice. */
static void start_twice(MPI_Request request)
{
    for (int start = 0; start < 2; start++) {
        MPI_Start(&request);
        MPI_Wait(&request, IGNORE);
    }
    MPI_Request_free(&request);
}

/* The last process has another type than the others, of the same length. */
static void unlike_others(int kind, int count)
{
    int odd = rank == size - 1, periodic = 1;
    int counts[4] = {count, count, count, count}, places[4] = {0, count, 2 * count, 3 * count};
    int bytes[4] = {0, 4 * count, 8 * count, 12 * count};
    MPI_Datatype type = odd ? MPI_FLOAT : MPI_INT, pair;
    MPI_Datatype ints[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT}, mixed[4];
    MPI_Datatype members[2] = {MPI_INT, odd ? MPI_DOUBLE : MPI_INT64_T};
    MPI_Aint at[2] = {0, 8};
    MPI_Request request;
    MPI_Comm ring;
    for (int i = 0; i < 4; i++)
        mixed[i] = odd && i == 0 ? MPI_FLOAT : MPI_INT;
    MPI_Cart_create(WORLD, 1, &size, &periodic, 0, &ring);
    switch (kind) {
    case 0: MPI_Bcast(block, count, type, 0, WORLD); break;
    case 1:
        MPI_Ibcast(block, count, type, 0, WORLD, &request);
        MPI_Wait(&request, IGNORE);
        break;
    case 2:
        MPI_Bcast_init(block, count, type, 0, WORLD, MPI_INFO_NULL, &request);
        start_twice(request);
        break;
    case 3: MPI_Gather(block, count, type, blocks, count, MPI_INT, 0, WORLD); break;
    case 4:
        MPI_Gatherv(block, count, type, blocks, counts, places, MPI_INT, 0, WORLD);
        break;
    case 5: MPI_Scatter(blocks, count, MPI_INT, block, count, type, 0, WORLD); break;
    case 6:
        MPI_Iscatterv(blocks, counts, places, MPI_INT, block, count, type, 0, WORLD, &request);
        MPI_Wait(&request, IGNORE);
        break;
    case 7: MPI_Allgather(block, count, type, blocks, count, type, WORLD); break;
    case 8:
        MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_INT, blocks, counts, places, type, WORLD, &request);
        MPI_Wait(&request, IGNORE);
        break;
    case 9: MPI_Alltoall(block, 1, type, blocks, 1, type, WORLD); break;
    case 10: MPI_Alltoallv(block, counts, places, type, blocks, counts, places, type, WORLD); break;
    case 11:
        MPI_Alltoallw(block, counts, bytes, mixed, blocks, counts, bytes, ints, WORLD);
        break;
    case 12: MPI_Neighbor_allgather(block, count, type, blocks, count, type, ring); break;
    case 13:
        MPI_Ineighbor_alltoall(block, count, type, blocks, count, type, ring, &request);
        MPI_Wait(&request, IGNORE);
        break;
    default:
        MPI_Type_create_struct(2, (int[]){1, 1}, at, members, &pair);
        MPI_Type_commit(&pair);
        MPI_Bcast(block, count, pair, 0, WORLD);
        MPI_Type_free(&pair);
        break;
    }
    MPI_Comm_free(&ring);
}

#define TOLERATED "does not permit, and that work here|shares memory with what the call reads|"
#define TWICE "receive into the same bytes twice|in twice (|"
#define TYPE "another type than they were sent|in unlike (|"
#define OTHER "another type than they were sent|in unlike_others (|"
#define ACCESS "another type than they were sent|in at_target (|"
#define MEMORY "MPI_ERR_BUFFER|share memory|"

const struct test_case transfers[] = {
    {"allgather_types", 2, TYPE "MPI_Allgather in|sent as MPI_INT, received as MPI_FLOAT", unlike,
     0, 0},
    {"gather_types", 3, TYPE "rank 0: MPI_Gather in|sent as MPI_FLOAT, received as MPI_INT", unlike,
     1, 0},
    {"scatter_types", 2, TYPE "rank 0: MPI_Scatter in|sent as MPI_INT, received as MPI_DOUBLE",
     unlike, 2, 0},
    {"alltoall_types", 2, TYPE "MPI_Alltoall in|received as MPI_BYTE", unlike, 3, 0},
    {"alltoallv_types", 4, TYPE "ranks 0-3: MPI_Alltoallv in|received as MPI_UNSIGNED", unlike, 4,
     0},
    {"alltoallw_types", 2, TYPE "MPI_Alltoallw in|received as MPI_FLOAT", unlike, 5, 0},
    {"iallgatherv_types", 2, TYPE "MPI_Iallgatherv in|received as MPI_FLOAT", unlike, 6, 0},
    {"bcast_other_type", 3, OTHER "rank 2: MPI_Bcast in|16 bytes from rank 0, sent as MPI_INT, "
     "received as MPI_FLOAT", unlike_others, 0, 4},
    {"bcast_other_type_long", 4, OTHER "rank 3: MPI_Bcast in|received as MPI_FLOAT", unlike_others,
     0, 1 << 16},
    {"ibcast_other_type", 4, OTHER "rank 3: MPI_Ibcast in|from rank 0, sent as MPI_INT",
     unlike_others, 1, 4},
    {"bcast_init_other_type", 2, OTHER "rank 1: MPI_Bcast_init in|sent as MPI_INT",
     unlike_others, 2, 4},
    {"gather_other_type", 3, OTHER "rank 0: MPI_Gather in|from rank 2, sent as MPI_FLOAT, received "
     "as MPI_INT", unlike_others, 3, 4},
    {"gather_other_type_long", 4, OTHER "rank 0: MPI_Gather in|from rank 3", unlike_others, 3,
     1 << 16},
    {"gatherv_other_type", 2, OTHER "rank 0: MPI_Gatherv in|from rank 1", unlike_others, 4, 4},
    {"scatter_other_type", 4, OTHER "rank 3: MPI_Scatter in|received as MPI_FLOAT",
     unlike_others, 5, 4},
    {"iscatterv_other_type", 3, OTHER "rank 2: MPI_Iscatterv in|from rank 0", unlike_others, 6, 4},
    {"allgather_other_type", 3, OTHER "MPI_Allgather in|from rank 2, sent as MPI_FLOAT, received "
     "as MPI_INT|from rank 1, sent as MPI_INT, received as MPI_FLOAT", unlike_others, 7, 4},
    {"iallgatherv_other_type", 4, OTHER "MPI_Iallgatherv in|from rank 3", unlike_others, 8, 4},
    {"alltoall_other_type", 2, OTHER "MPI_Alltoall in|from rank 1, sent as MPI_FLOAT",
     unlike_others, 9, 4},
    {"alltoallv_other_type", 3, OTHER "MPI_Alltoallv in|from rank 2, sent as MPI_FLOAT",
     unlike_others, 10, 4},
    {"alltoallw_other_type", 3, OTHER "rank 0: MPI_Alltoallw in|from rank 2, sent as MPI_FLOAT",
     unlike_others, 11, 4},
    {"neighbor_other_type", 3, OTHER "MPI_Neighbor_allgather in|from rank 2, sent as MPI_FLOAT",
     unlike_others, 12, 4},
    {"ineighbor_other_type", 2, OTHER "MPI_Ineighbor_alltoall in|from rank 1, sent as MPI_FLOAT",
     unlike_others, 13, 4},
    {"bcast_other_pairs", 2, OTHER "rank 1: MPI_Bcast in|received as a sequence of several types",
     unlike_others, 14, 4},
    {"allgather_pairs", 1, TYPE "MPI_Allgather in|received as MPI_DOUBLE", unlike, 7, 0},
    {"put_types", 2, ACCESS "rank 1: MPI_Put in|MPI_INT at the origin, to MPI_FLOAT at the target",
     at_target, 0, 0},
    {"get_types", 2, ACCESS "MPI_Get in|MPI_INT at the origin, from MPI_DOUBLE at the target",
     at_target, 1, 0},
    {"put_bytes", 2, ACCESS "MPI_Put in|MPI_BYTE at the origin, to MPI_INT", at_target, 2, 0},
    {"allreduce_shares", 2, MEMORY "MPI_Allreduce", shared, 0, 0},
    {"reduce_shares", 2, MEMORY "MPI_Reduce", shared, 1, 0},
    {"scan_shares", 2, MEMORY "MPI_Scan", shared, 2, 0},
    {"allgather_shares", 2, MEMORY "MPI_Allgather", shared, 3, 0},
    {"alltoall_shares", 2, MEMORY "MPI_Alltoall", shared, 4, 0},
    {"gatherv_shares", 4, MEMORY "MPI_Gatherv", shared, 5, 0},
    {"iallreduce_shares", 2, MEMORY "MPI_Iallreduce", shared, 6, 0},
    {"recv_twice", 1, TWICE "MPI_Irecv|4 bytes at 4 from its first byte", twice, 0, 0},
    {"gatherv_twice", 2, TWICE "rank 0: MPI_Gatherv|4 bytes at 4", twice, 1, 0},
    {"allgatherv_twice", 3, TWICE "ranks 0-2: MPI_Allgatherv", twice, 2, 0},
    {"ialltoallv_twice", 2, TWICE "MPI_Ialltoallv", twice, 3, 0},
    {"fence_precedes", 2,
     "epochs of windows|ranks 0, 1: MPI_Win_fence in asserted (|MPI_MODE_NOPRECEDE is asserted",
     asserted, 0, 0},
    {"free_mem_foreign", 1, "MPI_ERR_BASE|MPI_Free_mem|MPI_Alloc_mem has returned", memory, 0, 0},
    {"free_mem_twice", 2, "MPI_ERR_BASE|MPI_Free_mem|has been freed", memory, 1, 0},
    {"free_mem_of_a_window", 2, "MPI_ERR_BASE|MPI_Free_mem|MPI_Win_free frees", memory, 2, 0},
    {"free_mem_under_a_window", 2,
     "memory freed while a window exposes it|ranks 0, 1: MPI_Free_mem in memory (|"
     "the window \"halo\" that MPI_Win_create has made", memory, 4, 0},
    {"alloc_mem_left", 2,
     "memory of MPI_Alloc_mem never freed|MPI_Alloc_mem in memory (|transfers.c:|: 100 bytes",
     memory, 7, 0},
    {"get_accumulate_shares", 2, TOLERATED "MPI_Get_accumulate", results, 0, 0},
    {"fetch_and_op_shares", 2, TOLERATED "MPI_Fetch_and_op", results, 1, 0},
    {"compare_and_swap_shares", 2, TOLERATED "MPI_Compare_and_swap", results, 2, 0},
    {"free_mem_attached", 2, "memory freed while a window exposes it|MPI_Win_create_dynamic|"
     "MPI_Win_detach", memory, 5, 0},
    {"reduce_local_shares", 1, MEMORY "MPI_Reduce_local", shared, 7, 0},
    {NULL, 0, NULL, NULL, 0, 0},
};

/* All processes have the same types, in other words. */
static void like_others(int kind, int count)
{
    int odd = rank == size - 1, periodic = 1, two = 2, position = 0;
    int counts[4] = {0, 0, 0, 0}, places[4] = {0, 0, 0, 0};
    MPI_Datatype whole, column, pair, pairs, members[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Datatype edges[2] = {MPI_INT, MPI_FLOAT};
    MPI_Aint at[2] = {0, 8}, edge_places[2] = {0, 64};
    MPI_Request request;
    MPI_Comm ring;
    MPI_Type_contiguous(count, MPI_INT, &whole);
    MPI_Type_vector(count, 1, 2, MPI_INT, &column);
    MPI_Type_create_struct(2, (int[]){1, 1}, at, members, &pair);
    MPI_Type_contiguous(2, pair, &pairs);
    MPI_Type_commit(&whole);
    MPI_Type_commit(&column);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&pairs);
    switch (kind) {
    case 0:
        MPI_Bcast(block, odd ? 1 : count, odd ? whole : MPI_INT32_T, 0, WORLD);
        MPI_Bcast(block, odd ? 1 : 2, odd ? pairs : pair, 0, WORLD);
        MPI_Gather(block, odd ? 1 : count, odd ? column : MPI_INT, blocks, 1, whole, 0, WORLD);
        MPI_Bcast_init(block, 1, odd ? whole : column, 0, WORLD, MPI_INFO_NULL, &request);
        start_twice(request);
        break;
    case 1: /* Packed data match every type, and nothing has any type. */
        MPI_Pack(data, 4, MPI_INT, more, sizeof more, &position, WORLD);
        MPI_Bcast(more, rank == 0 ? position : 4, rank == 0 ? MPI_PACKED : MPI_INT, 0, WORLD);
        MPI_Bcast(more, 0, odd ? MPI_FLOAT : MPI_INT, 0, WORLD);
        counts[0] = 1;
        MPI_Gatherv(data, rank == 0, rank == 0 ? MPI_INT : MPI_FLOAT, more, counts, places, MPI_INT,
                    0, WORLD);
        counts[0] = 0;
        MPI_Alltoallv(data, counts, places, odd ? MPI_INT : MPI_FLOAT, more, counts, places,
                      odd ? MPI_CHAR : MPI_INT, WORLD);
        break;
    case 2: /* What is sent elsewhere is not significant. */
        MPI_Gather(data, 1, MPI_INT, more, odd ? 7 : 1, odd ? MPI_CHAR : MPI_INT, 0, WORLD);
        MPI_Allgather(MPI_IN_PLACE, odd, odd ? MPI_CHAR : MPI_FLOAT, more, 1, MPI_INT, WORLD);
        MPI_Alltoall(MPI_IN_PLACE, odd, odd ? MPI_CHAR : MPI_FLOAT, more, 1, MPI_INT, WORLD);
        MPI_Reduce(data, more, 1, MPI_INT, MPI_SUM, 0, WORLD);
        break;
    default: /* Two edges between each two processes. */
        MPI_Cart_create(WORLD, 1, &two, &periodic, 0, &ring);
        MPI_Neighbor_alltoallw(block, (int[]){1, 1}, edge_places, edges, blocks, (int[]){1, 1},
                               edge_places, (MPI_Datatype[]){MPI_FLOAT, MPI_INT}, ring);
        MPI_Comm_free(&ring);
        break;
    }
    MPI_Type_free(&whole);
    MPI_Type_free(&column);
    MPI_Type_free(&pair);
    MPI_Type_free(&pairs);
}

/* The same calls, near the border. */
static void fine(int kind, int unused)
{
    (void)unused;
    MPI_Datatype pair, column, swapped, other;
    MPI_Win win;
    char packed[64];
    int place = 0;
    int none[4] = {0, 0, 0, 0};
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){4, 0},
                           (MPI_Datatype[]){MPI_INT, MPI_FLOAT}, &swapped);
    MPI_Type_commit(&swapped);
    switch (kind) {
    case 0: /* The same basic types in other layouts. */
        MPI_Allgather(data, 2, MPI_INT, more, 1, pair, WORLD);
        MPI_Allgather(data, 1, pair, more, 2, MPI_INT32_T, WORLD);
        MPI_Alltoall(data, 1, column, more, 4, MPI_INT, WORLD);
        MPI_Allgather(data, 1, MPI_2INT, more, 2, MPI_INT, WORLD);
        break;
    case 1: /* Neighbouring buffers. */
        MPI_Allreduce(data, data + 8, 8, MPI_INT, MPI_SUM, WORLD);
        MPI_Allgather(data + 2 * size, 2, MPI_INT, data, 2, MPI_INT, WORLD);
        MPI_Alltoall(data + 2 * size, 2, MPI_INT, data, 2, MPI_INT, WORLD);
        break;
    case 2: /* The columns of one matrix. */
        MPI_Allreduce(data, data + 1, 1, MPI_INT, MPI_SUM, WORLD);
        MPI_Sendrecv(data, 1, column, rank, 0, data + 1, 1, column, rank, 0, WORLD, IGNORE);
        MPI_Gather(data, 1, column, more, 1, column, 0, WORLD);
        break;
    case 3: /* One buffer of nothing. */
        MPI_Allreduce(data, data, 0, MPI_INT, MPI_SUM, WORLD);
        MPI_Allgather(data, 0, MPI_INT, data, 0, MPI_FLOAT, WORLD);
        MPI_Alltoallv(data, none, none, MPI_INT, data, none, none, MPI_DOUBLE, WORLD);
        break;
    case 4: /* Accesses with other layouts. */
        MPI_Win_create(more, sizeof(more), 1, MPI_INFO_NULL, WORLD, &win);
        MPI_Win_fence(0, win);
        MPI_Put(data, 4, MPI_INT, (rank + 1) % size, 0, 1, column, win);
        MPI_Get(data + 8, 1, pair, (rank + 1) % size, 128, 2, MPI_INT32_T, win);
        MPI_Win_fence(0, win);
        MPI_Put(data, 1, swapped, (rank + 1) % size, 0, 1, swapped, win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        MPI_Win_free(&win);
        break;
    case 5: /* Interleaved columns, blocks in any order, and blocks of nothing. */
        MPI_Type_create_resized(column, 0, sizeof(int), &other);
        MPI_Type_commit(&other);
        MPI_Allgather(data, 4, MPI_INT, more, 1, other, WORLD);
        MPI_Sendrecv(data, 8, MPI_INT, rank, 0, more, 2, other, rank, 0, WORLD, IGNORE);
        MPI_Type_free(&other);
        MPI_Gatherv(data, 2, MPI_INT, more, (int[]){2, 2, 2}, (int[]){4, 2, 0}, MPI_INT, 0, WORLD);
        MPI_Alltoallv(data, none, none, MPI_INT, more, none, none, MPI_INT, WORLD);
        break;
    default: /* Packed data. */
        MPI_Pack(data, 2, MPI_INT, packed, sizeof(packed), &place, WORLD);
        MPI_Scatter(packed, place, MPI_PACKED, more, 2, MPI_INT, 0, MPI_COMM_SELF);
    }
    MPI_Type_free(&pair);
    MPI_Type_free(&column);
    MPI_Type_free(&swapped);
}

const struct test_case right_transfers[] = {
    {"right_other_layouts", 3, "", fine, 0, 0},
    {"right_neighbouring_buffers", 3, "", fine, 1, 0},
    {"right_columns_of_one", 2, "", fine, 2, 0},
    {"right_buffers_of_nothing", 2, "", fine, 3, 0},
    {"right_access_layouts", 2, "", fine, 4, 0},
    {"right_blocks_apart", 3, "", fine, 5, 0},
    {"right_memory", 2, "", memory, 3, 0},
    {"right_results", 2, "", results, 3, 0},
    {"right_packed_block", 1, "", fine, 6, 0},
    {"right_same_types", 3, "", like_others, 0, 4},
    {"right_same_types_long", 4, "", like_others, 0, 4000},
    {"right_packed_and_empty", 3, "", like_others, 1, 4},
    {"right_not_significant", 2, "", like_others, 2, 4},
    {"right_two_edges", 2, "", like_others, 3, 4},
    {NULL, 0, NULL, NULL, 0, 0},
};
