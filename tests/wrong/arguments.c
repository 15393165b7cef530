/* Wrong arguments, and accesses to windows outside epochs: errors with and without the checks. */
#include "cases.h"

static int data[64];

static void calls(int kind, int unused)
{
    (void)unused;
    MPI_Datatype type;
    MPI_Comm comm;
    MPI_Request request = MPI_REQUEST_NULL;
    int flag;
    switch (kind) {
    case 0: MPI_Send(data, -1, MPI_INT, 0, 0, WORLD); break;
    case 1: MPI_Send(NULL, 4, MPI_INT, 0, 0, WORLD); break;
    case 2: MPI_Send(data, 1, MPI_INT, size, 0, WORLD); break;
    case 3: MPI_Send(data, 1, MPI_INT, -7, 0, WORLD); break;
    case 4: MPI_Send(data, 1, MPI_INT, 0, -5, WORLD); break;
    case 5: MPI_Send(data, 1, MPI_DATATYPE_NULL, 0, 0, WORLD); break;
    case 6: MPI_Send(data, 1, MPI_INT, 0, 0, MPI_COMM_NULL); break;
    case 7:
        MPI_Type_contiguous(2, MPI_INT, &type);
        MPI_Send(data, 1, type, 0, 0, WORLD);
        break;
    case 8:
        MPI_Comm_dup(WORLD, &comm);
        MPI_Comm other = comm;
        MPI_Comm_free(&comm);
        MPI_Send(data, 1, MPI_INT, 0, 0, other);
        break;
    case 9: MPI_Recv(data, -1, MPI_INT, 0, 0, WORLD, IGNORE); break;
    case 10: MPI_Recv(NULL, 4, MPI_INT, 0, 0, WORLD, IGNORE); break;
    case 11: MPI_Recv(data, 1, MPI_INT, 9, 0, WORLD, IGNORE); break;
    case 12: MPI_Isend(data, 1, MPI_INT, 0, 0, WORLD, NULL); break;
    case 13: MPI_Bsend(data, 1, MPI_INT, 0, 0, WORLD); break;
    case 14: MPI_Start(&request); break;
    case 15: MPI_Test(NULL, &flag, IGNORE); break;
    case 16: MPI_Cancel(&request); break;
    default: MPI_Request_free(&request); break;
    }
}

static void collectives(int kind, int unused)
{
    (void)unused;
    switch (kind) {
    case 0: MPI_Bcast(data, 1, MPI_INT, 7, WORLD); break;
    case 1: MPI_Bcast(data, -1, MPI_INT, 0, WORLD); break;
    case 2: MPI_Reduce(data, data + 8, 1, MPI_INT, MPI_OP_NULL, 0, WORLD); break;
    case 3: MPI_Allreduce(data, data, 1, MPI_INT, MPI_SUM, WORLD); break;
    case 4: MPI_Allreduce(data, data + 8, 1, MPI_DOUBLE, MPI_BAND, WORLD); break;
    case 5: MPI_Barrier(MPI_COMM_NULL); break;
    case 6: MPI_Gather(data, 1, MPI_INT, data + 8, 1, MPI_INT, -3, WORLD); break;
    default: MPI_Scan(data, data + 8, 1, MPI_DATATYPE_NULL, MPI_SUM, WORLD); break;
    }
}

static void handles(int kind, int unused)
{
    (void)unused;
    MPI_Comm world = WORLD;
    MPI_Datatype type = MPI_INT, made;
    MPI_Group group = MPI_GROUP_NULL, none;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Op op = MPI_SUM;
    int nine = 9, number, found;
    void *value;
    switch (kind) {
    case 0: MPI_Comm_free(&world); break;
    case 1: MPI_Type_free(&type); break;
    case 2: MPI_Group_size(group, &number); break;
    case 3: MPI_Info_set(info, "key", "value"); break;
    case 4: MPI_Op_free(&op); break;
    case 5: MPI_Type_contiguous(-1, MPI_INT, &made); break;
    case 6: MPI_Type_vector(-2, 1, 1, MPI_INT, &made); break;
    case 7: MPI_Comm_get_attr(WORLD, MPI_KEYVAL_INVALID, &value, &found); break;
    case 8:
        MPI_Comm_group(WORLD, &group);
        MPI_Group_incl(group, 1, &nine, &none);
        break;
    case 9: MPI_Cart_create(WORLD, 1, &nine, &nine, 0, &world); break;
    default: MPI_Comm_rank(WORLD, NULL); break;
    }
}

static void truncated(int kind, int unused)
{
    (void)unused;
    if (rank == 0)
        MPI_Send(data, 10, MPI_INT, 1, 1, WORLD);
    else if (kind == 0)
        MPI_Recv(data, 5, MPI_INT, 0, 1, WORLD, IGNORE);
    else
        MPI_Recv(data, 0, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, IGNORE);
}

const struct test_case arguments[] = {
    {"arg_count", 1, "MPI_ERR_COUNT", calls, 0, 0},
    {"arg_null_buffer", 1, "MPI_ERR_BUFFER", calls, 1, 0},
    {"arg_rank_beyond", 1, "MPI_ERR_RANK", calls, 2, 0},
    {"arg_rank_negative", 1, "MPI_ERR_RANK", calls, 3, 0},
    {"arg_tag_negative", 1, "MPI_ERR_TAG", calls, 4, 0},
    {"arg_null_type", 1, "MPI_ERR_TYPE", calls, 5, 0},
    {"arg_null_comm", 1, "MPI_ERR_COMM", calls, 6, 0},
    {"arg_uncommitted", 1, "MPI_ERR_TYPE|MPI_Type_commit", calls, 7, 0},
    {"arg_freed_comm", 1, "MPI_ERR_COMM|freed", calls, 8, 0},
    {"arg_recv_count", 1, "MPI_ERR_COUNT", calls, 9, 0},
    {"arg_recv_null", 1, "MPI_ERR_BUFFER", calls, 10, 0},
    {"arg_recv_rank", 1, "MPI_ERR_RANK", calls, 11, 0},
    {"arg_null_request", 1, "MPI_Isend(", calls, 12, 0},
    {"arg_no_buffer", 1, "MPI_ERR_BUFFER|attach", calls, 13, 0},
    {"arg_start_null", 1, "MPI_ERR_REQUEST", calls, 14, 0},
    {"arg_test_null", 1, "MPI_Test(", calls, 15, 0},
    {"arg_cancel_null", 1, "MPI_ERR_REQUEST", calls, 16, 0},
    {"arg_free_null", 1, "MPI_ERR_REQUEST", calls, 17, 0},
    {"arg_root", 1, "MPI_ERR_ROOT", collectives, 0, 0},
    {"arg_bcast_count", 1, "MPI_ERR_COUNT", collectives, 1, 0},
    {"arg_null_op", 1, "MPI_ERR_OP", collectives, 2, 0},
    {"arg_alias", 2, "MPI_ERR_BUFFER", collectives, 3, 0},
    {"arg_op_type", 1, "MPI_ERR_OP", collectives, 4, 0},
    {"arg_barrier_null", 1, "MPI_ERR_COMM", collectives, 5, 0},
    {"arg_root_negative", 1, "MPI_ERR_ROOT", collectives, 6, 0},
    {"arg_scan_type", 1, "MPI_ERR_TYPE", collectives, 7, 0},
    {"arg_free_world", 1, "MPI_ERR_COMM", handles, 0, 0},
    {"arg_free_int", 1, "MPI_ERR_TYPE", handles, 1, 0},
    {"arg_null_group", 1, "MPI_ERR_GROUP", handles, 2, 0},
    {"arg_null_info", 1, "MPI_ERR_INFO", handles, 3, 0},
    {"arg_free_sum", 1, "MPI_ERR_OP", handles, 4, 0},
    {"arg_type_count", 1, "MPI_ERR_COUNT", handles, 5, 0},
    {"arg_vector_count", 1, "MPI_ERR_COUNT", handles, 6, 0},
    {"arg_keyval", 1, "MPI_ERR_KEYVAL", handles, 7, 0},
    {"arg_group_rank", 1, "MPI_ERR_RANK", handles, 8, 0},
    {"arg_grid", 1, "MPI_Cart_create(", handles, 9, 0},
    {"arg_null_result", 1, "MPI_Comm_rank(", handles, 10, 0},
    {"arg_truncated", 2, "MPI_ERR_TRUNCATE", truncated, 0, 0},
    {"arg_truncated_empty", 2, "MPI_ERR_TRUNCATE", truncated, 1, 0},
    {0}};

static void window(int kind, int unused)
{
    (void)unused;
    static int memory[16];
    MPI_Win win;
    MPI_Group group;
    MPI_Win_create(memory, sizeof(memory), 4, MPI_INFO_NULL, WORLD, &win);
    MPI_Comm_group(WORLD, &group);
    switch (kind) {
    case 0: MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win); break;
    case 1: MPI_Get(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win); break;
    case 2: MPI_Accumulate(data, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win); break;
    case 3:
        MPI_Win_fence(0, win);
        MPI_Put(data, 1, MPI_INT, 0, 16, 1, MPI_INT, win);
        break;
    case 4:
        MPI_Win_fence(0, win);
        MPI_Put(data, 17, MPI_INT, 0, 0, 17, MPI_INT, win);
        break;
    case 5:
        MPI_Win_fence(0, win);
        MPI_Put(data, 1, MPI_INT, size, 0, 1, MPI_INT, win);
        break;
    case 6: MPI_Win_unlock(0, win); break;
    case 7:
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        break;
    case 8:
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Win_free(&win);
        break;
    case 9: MPI_Win_complete(win); break;
    case 10: MPI_Win_wait(win); break;
    case 11: MPI_Win_flush(0, win); break;
    case 12:
        MPI_Win_fence(0, win);
        MPI_Put(data, 1, MPI_INT, 0, -1, 1, MPI_INT, win);
        break;
    case 13: MPI_Win_lock(99, 0, 0, win); break;
    default: MPI_Win_unlock_all(win); break;
    }
}

const struct test_case windows[] = {
    {"win_put_outside", 1, "MPI_ERR_RMA_SYNC", window, 0, 0},
    {"win_get_outside", 1, "MPI_ERR_RMA_SYNC", window, 1, 0},
    {"win_accumulate_outside", 1, "MPI_ERR_RMA_SYNC", window, 2, 0},
    {"win_place_beyond", 1, "MPI_ERR_RMA_RANGE", window, 3, 0},
    {"win_count_beyond", 1, "MPI_ERR_RMA_RANGE", window, 4, 0},
    {"win_rank_beyond", 1, "MPI_ERR_RANK", window, 5, 0},
    {"win_unlock_alone", 1, "MPI_ERR_RMA_SYNC", window, 6, 0},
    {"win_locked_twice", 1, "MPI_ERR_RMA_SYNC", window, 7, 0},
    {"win_freed_locked", 1, "MPI_ERR_RMA_SYNC", window, 8, 0},
    {"win_complete_alone", 1, "MPI_ERR_RMA_SYNC", window, 9, 0},
    {"win_wait_alone", 1, "MPI_ERR_RMA_SYNC", window, 10, 0},
    {"win_flush_outside", 1, "MPI_ERR_RMA_SYNC", window, 11, 0},
    {"win_place_negative", 1, "MPI_ERR_", window, 12, 0},
    {"win_lock_type", 1, "MPI_ERR_LOCKTYPE", window, 13, 0},
    {"win_unlock_all_alone", 1, "MPI_ERR_RMA_SYNC", window, 14, 0},
    {0}};
