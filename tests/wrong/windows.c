/* Epochs that do not fit, accesses to windows that conflict, and accesses that only seem to. */
#include "cases.h"

static int numbers[64];
static int *memory;
static MPI_Win win;

static void make(void)
{
    MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &memory, &win);
}

static void put(int place, int target)
{
    MPI_Put(numbers, 4, MPI_INT, target, place, 4, MPI_INT, win);
}

static void get(int place, int target)
{
    MPI_Get(numbers + 8, 4, MPI_INT, target, place, 4, MPI_INT, win);
}

static void accumulate(int place, int target, MPI_Op op)
{
    MPI_Accumulate(numbers, 4, MPI_INT, target, place, 4, MPI_INT, op, win);
}

/* What the ranks 0 and 1 do at places `first` and `second` of rank 0's window. */
static void both(int what, int first, int second)
{
    int place = rank ? second : first;
    if (rank > 1)
        return;
    switch (what) {
    case 0: put(place, 0); break;
    case 1: rank ? put(place, 0) : get(place, 0); break;
    case 2: accumulate(place, 0, rank ? MPI_SUM : MPI_PROD); break;
    case 3: rank ? accumulate(place, 0, MPI_SUM) : put(place, 0); break;
    case 4: accumulate(place, 0, MPI_SUM); break;
    case 5: get(place, 0); break;
    case 6: rank ? accumulate(place, 0, MPI_SUM) : get(place, 0); break;
    case 7: accumulate(place, 0, rank ? MPI_SUM : MPI_REPLACE); break;
    default: {
        /* Columns of a matrix of four columns. */
        MPI_Datatype column;
        MPI_Type_vector(8, 1, 4, MPI_INT, &column);
        MPI_Type_commit(&column);
        MPI_Put(numbers, 8, MPI_INT, 0, place, 1, column, win);
        MPI_Type_free(&column);
    }
    }
}

static void fenced(int what, int second)
{
    make();
    MPI_Win_fence(0, win);
    both(what, 0, second);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void posted(int what, int second)
{
    MPI_Group group, origins, target;
    int zero = 0, pair[2] = {0, 1};
    make();
    MPI_Comm_group(WORLD, &group);
    MPI_Group_incl(group, 2, pair, &origins);
    MPI_Group_incl(group, 1, &zero, &target);
    if (rank == 0)
        MPI_Win_post(origins, 0, win);
    if (rank < 2) {
        MPI_Win_start(target, 0, win);
        both(what, 0, second);
        MPI_Win_complete(win);
    }
    if (rank == 0)
        MPI_Win_wait(win);
    MPI_Group_free(&group);
    MPI_Group_free(&origins);
    MPI_Group_free(&target);
    MPI_Win_free(&win);
}

static void locked(int what, int how)
{
    make();
    MPI_Barrier(WORLD);
    if (how == 2)
        MPI_Win_lock_all(0, win);
    else
        MPI_Win_lock(how ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 0, 0, win);
    both(what, 0, 0);
    if (how == 2)
        MPI_Win_unlock_all(win);
    else
        MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
}

static void own_epoch(int what, int second)
{
    make();
    MPI_Win_fence(0, win);
    if (rank == 1) {
        put(0, 0);
        if (what == 0)
            put(second, 0);
        else if (what == 1)
            get(second, 0);
        else
            accumulate(second, 0, MPI_SUM);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void own_lock(int flush, int unused)
{
    (void)unused;
    make();
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    put(0, rank);
    if (flush)
        MPI_Win_flush(rank, win);
    get(2, rank);
    MPI_Win_unlock(rank, win);
    MPI_Win_free(&win);
}

static void left_open(int how, int free_it)
{
    MPI_Group group;
    make();
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_group(WORLD, &group);
    switch (how) {
    case 0: MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win); break;
    case 1: MPI_Win_lock_all(0, win); break;
    case 2: MPI_Win_post(group, 0, win); break;
    default: MPI_Win_fence(0, win); put(0, rank);
    }
    MPI_Group_free(&group);
    if (free_it)
        MPI_Win_free(&win);
}

static void mixed(int how, int unused)
{
    (void)unused;
    make();
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    if (how == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Win_fence(0, win);
        MPI_Win_unlock(0, win);
    } else {
        MPI_Win_lock_all(0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Win_unlock_all(win);
    }
    MPI_Win_free(&win);
}

static void no_epoch(int unused, int unused2)
{
    (void)unused, (void)unused2;
    make();
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    put(0, 0);
    MPI_Win_free(&win);
}

#define CONFLICT "accesses to window memory that conflict"
#define EPOCH "epochs of windows that are left open, missing or mixed"

/* What an origin is used for before its access is complete. */
static void origin_again(int what, int locks)
{
    make();
    if (locks)
        MPI_Win_lock_all(0, win);
    else
        MPI_Win_fence(0, win);
    if (rank == 1) {
        switch (what) {
        case 0: put(0, 0); numbers[3]++; break;
        case 1: get(0, 0); get(4, 0); break;
        case 2: get(0, 0); put(8, 0); MPI_Send(numbers + 8, 1, MPI_INT, 0, 1, WORLD); break;
        case 3: accumulate(0, 0, MPI_SUM); numbers[0]++; break;
        default:
            /* Complete before the next use. */
            put(0, 0), get(8, 0);
            if (locks) {
                MPI_Win_flush_local(0, win);
                numbers[0]++, numbers[8]++;
                get(12, 0);
            } else {
                numbers[4]++, numbers[12]++;
            }
        }
    } else if (what == 2) {
        MPI_Recv(numbers, 1, MPI_INT, 1, 1, WORLD, IGNORE);
    }
    if (locks)
        MPI_Win_unlock_all(win);
    else
        MPI_Win_fence(0, win);
    numbers[0]++, numbers[8]++;
    MPI_Win_free(&win);
}

/* Rank 0 puts into rank 1's memory, from which rank 1 puts, or next to it. */
static void origin_inside(int apart, int gets)
{
    make();
    MPI_Win_fence(0, win);
    if (rank == 0)
        put(0, 1);
    else if (gets)
        MPI_Get(memory + (apart ? 8 : 2), 4, MPI_INT, 0, 40, 4, MPI_INT, win);
    else
        MPI_Put(memory + (apart ? 8 : 2), 4, MPI_INT, 0, 40, 4, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* A lock in the epoch of a fence, which the next fence ends, or of which a fence says that there is
 * none. */
static void lock_between_fences(int before, int after)
{
    make();
    MPI_Win_fence(before, win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        put(0, 1);
        MPI_Win_unlock(1, win);
    }
    MPI_Win_fence(after, win);
    MPI_Win_free(&win);
}

#define ORIGIN "buffers changed while an operation used them|before the access was complete"
#define AGAIN "buffers used by a second operation before the first is complete"

const struct test_case accesses[] = {
    {"win_origin_put_fence", 2, ORIGIN "|rank 1: MPI_Put in put (", origin_again, 0, 0},
    {"win_origin_put_lock", 2, ORIGIN "|rank 1: MPI_Put in put (", origin_again, 0, 1},
    {"win_origin_sum", 2, ORIGIN "|rank 1: MPI_Accumulate", origin_again, 3, 0},
    {"win_origin_get_get", 2, AGAIN "|rank 1: MPI_Get in get (", origin_again, 1, 0},
    {"win_origin_get_get_lock", 2, AGAIN "|rank 1: MPI_Get in get (", origin_again, 1, 1},
    {"win_origin_get_send", 2, AGAIN "|MPI_Send in origin_again (", origin_again, 2, 0},
    {"win_origin_inside_put", 2, CONFLICT "|MPI_Put in put (|MPI_Put of rank 1 in origin_inside (",
     origin_inside, 0, 0},
    {"win_origin_inside_get", 2, CONFLICT "|MPI_Put in put (|MPI_Get of rank 1 in origin_inside (",
     origin_inside, 0, 1},
    {"win_lock_between_fences", 2, EPOCH "|rank 0: MPI_Win_fence|between them",
     lock_between_fences, 0, 0},
    {"win_fence_put_put", 2,
     CONFLICT "|rank 0: MPI_Put in put (|windows.c:|16 bytes at byte 0 of rank 0 in the window of "
              "MPI_Win_allocate|MPI_Win_fence|MPI_Put of rank 1 in put (",
     fenced, 0, 0},
    {"win_fence_put_partly", 3, CONFLICT "|8 bytes at byte 8 of rank 0", fenced, 0, 2},
    {"win_fence_get_put", 2, CONFLICT "|MPI_Get in get (|MPI_Put of rank 1", fenced, 1, 0},
    {"win_fence_two_operations", 2, CONFLICT "|MPI_Accumulate of rank 1", fenced, 2, 0},
    {"win_fence_put_accumulate", 2, CONFLICT "|MPI_Put in put (|MPI_Accumulate of rank 1", fenced,
     3, 0},
    {"win_fence_get_accumulate", 2, CONFLICT "|MPI_Get in get (|MPI_Accumulate of rank 1", fenced,
     6, 0},
    {"win_fence_columns", 2, CONFLICT "|4 bytes at byte 16 of rank 0", fenced, 8, 4},
    {"win_post_put_put", 2, CONFLICT "|MPI_Win_start|MPI_Put of rank 1 in put (", posted, 0, 0},
    {"win_post_get_put", 3, CONFLICT "|MPI_Get in get (|MPI_Put of rank 1", posted, 1, 3},
    {"win_lock_put_put", 2, CONFLICT "|epoch of a lock|MPI_Put of rank 1 in put (", locked, 0, 0},
    {"win_lock_get_put", 2, CONFLICT "|MPI_Get in get (|MPI_Put of rank 1", locked, 1, 0},
    {"win_lock_all_put_put", 3, CONFLICT "|epoch of a lock|MPI_Put of rank 1", locked, 0, 2},
    {"win_own_put_put", 2, CONFLICT "|rank 1: MPI_Put in put (|with MPI_Put before in put (",
     own_epoch, 0, 1},
    {"win_own_put_get", 2, CONFLICT "|rank 1: MPI_Get in get (|with MPI_Put before", own_epoch, 1,
     0},
    {"win_own_put_accumulate", 2, CONFLICT "|rank 1: MPI_Accumulate in", own_epoch, 2, 0},
    {"win_own_lock_put_get", 2, CONFLICT "|MPI_Get in get (|with MPI_Put before", own_lock, 0, 0},
    {"win_left_locked", 2, EPOCH "|MPI_Win_lock is left open", left_open, 0, 0},
    {"win_left_locked_all", 2, EPOCH "|MPI_Win_lock_all is left open", left_open, 1, 0},
    {"win_left_posted", 2, EPOCH "|MPI_Win_post is left open", left_open, 2, 0},
    {"win_left_fenced", 2, EPOCH "|MPI_Win_fence is left open", left_open, 3, 0},
    {"win_freed_in_lock", 2,
     EPOCH "|MPI_Win_free in left_open (|while an epoch of MPI_Win_lock is open", left_open, 0, 1},
    {"win_freed_posted", 2, EPOCH "|MPI_Win_free in left_open (|MPI_Win_post", left_open, 2, 1},
    {"win_fence_in_lock", 2, EPOCH "|MPI_Win_fence in mixed (|MPI_Win_lock is open", mixed, 0, 0},
    {"win_lock_in_lock_all", 2, EPOCH "|MPI_Win_lock in mixed (|MPI_Win_lock_all is open", mixed, 1,
     0},
    {"win_no_epoch", 2, EPOCH "|MPI_Put in put (|no access epoch is open", no_epoch, 0, 0},
    {0}};

/* Each round puts to one place in an epoch of its own. */
static void rounds(int how, int unused)
{
    (void)unused;
    make();
    MPI_Win_fence(0, win);
    for (int round = 0; round < size; round++) {
        if (round == rank && how == 0)
            put(0, 0);
        if (how == 0) {
            MPI_Win_fence(0, win);
        } else {
            MPI_Win_lock(how == 1 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 0, 0, win);
            if (how == 1 || round == rank)
                put(0, 0);
            MPI_Win_unlock(0, win);
            MPI_Barrier(WORLD);
        }
    }
    MPI_Win_free(&win);
}

/* Messages, or a word of another window's, order the puts. */
static void in_turn(int how, int unused)
{
    (void)unused;
    int turn = 0;
    make();
    MPI_Barrier(WORLD);
    MPI_Win_lock_all(0, win);
    if (how == 0) {
        if (rank > 0)
            MPI_Recv(&turn, 1, MPI_INT, rank - 1, 0, WORLD, IGNORE);
    } else {
        int none = 0;
        while (turn != rank) {
            MPI_Fetch_and_op(&none, &turn, MPI_INT, 0, 32, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        }
    }
    put(0, 0);
    MPI_Win_flush(0, win);
    if (how == 0) {
        if (rank + 1 < size)
            MPI_Send(&turn, 1, MPI_INT, rank + 1, 0, WORLD);
    } else {
        int one = 1;
        MPI_Accumulate(&one, 1, MPI_INT, 0, 32, 1, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* A target that exposes its memory to one origin after the other. */
static void one_by_one(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Group group, one;
    int zero = 0;
    make();
    MPI_Comm_group(WORLD, &group);
    if (rank == 0) {
        for (int origin = 1; origin < size; origin++) {
            MPI_Group_incl(group, 1, &origin, &one);
            MPI_Win_post(one, 0, win);
            MPI_Win_wait(win);
            MPI_Group_free(&one);
        }
    } else {
        MPI_Group_incl(group, 1, &zero, &one);
        MPI_Win_start(one, 0, win);
        put(0, 0);
        MPI_Win_complete(win);
        MPI_Group_free(&one);
    }
    MPI_Group_free(&group);
    MPI_Win_free(&win);
}

/* A lock of a compare-and-swap, whose word is also replaced. */
static void spinlock(int unused, int unused2)
{
    (void)unused, (void)unused2;
    int one = 1, zero = 0, before = 1;
    make();
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        memory[0] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(WORLD);
    while (before != 0) {
        MPI_Compare_and_swap(&one, &zero, &before, MPI_INT, 0, 0, win);
        MPI_Win_flush(0, win);
    }
    put(8, 0);
    MPI_Win_flush(0, win);
    MPI_Accumulate(&zero, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* A refused access does nothing. */
static void refused(int unused, int unused2)
{
    (void)unused, (void)unused2;
    make();
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    MPI_Put(numbers, 64, MPI_INT, rank, 4, 64, MPI_INT, win);
    put(4, rank);
    MPI_Win_unlock(rank, win);
    MPI_Win_free(&win);
}

const struct test_case right_accesses[] = {
    {"right_win_fence_apart", 3, "", fenced, 0, 4},
    {"right_win_fence_gets", 2, "", fenced, 5, 0},
    {"right_win_fence_sums", 2, "", fenced, 4, 0},
    {"right_win_fence_replaced", 2, "", fenced, 7, 0},
    {"right_win_fence_columns", 2, "", fenced, 8, 1},
    {"right_win_post_apart", 3, "", posted, 0, 4},
    {"right_win_post_sums", 2, "", posted, 4, 0},
    {"right_win_lock_exclusive", 3, "", locked, 0, 1},
    {"right_win_lock_sums", 3, "", locked, 4, 0},
    {"right_win_own_apart", 2, "", own_epoch, 0, 4},
    {"right_win_own_flushed", 2, "", own_lock, 1, 0},
    {"right_win_rounds_fence", 4, "", rounds, 0, 0},
    {"right_win_rounds_exclusive", 3, "", rounds, 1, 0},
    {"right_win_rounds_shared", 4, "", rounds, 2, 0},
    {"right_win_in_turn_messages", 4, "", in_turn, 0, 0},
    {"right_win_in_turn_word", 3, "", in_turn, 1, 0},
    {"right_win_one_by_one", 4, "", one_by_one, 0, 0},
    {"right_win_spinlock", 3, "", spinlock, 0, 0},
    {"right_win_refused", 2, "", refused, 0, 0},
    {"right_win_origins_fence", 2, "", origin_again, 9, 0},
    {"right_win_origins_lock", 2, "", origin_again, 9, 1},
    {"right_win_origin_inside_apart", 2, "", origin_inside, 1, 0},
    {"right_win_lock_after_last_fence", 2, "", lock_between_fences, MPI_MODE_NOSUCCEED, 0},
    {"right_win_lock_before_first_fence", 2, "", lock_between_fences, 0, MPI_MODE_NOPRECEDE},
    {0}};
