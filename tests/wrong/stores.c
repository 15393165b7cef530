/* Stores into the memory of windows that conflict with the accesses of others, and many accesses at
 * once. */
#include "cases.h"

enum { MANY = 3000 };

static int numbers[2 * MANY];
static int *memory;
static MPI_Win win;

static void make(int unit)
{
    for (int i = 0; i < 2 * MANY; i++)
        numbers[i] = i + 1;
    MPI_Win_allocate(2 * MANY * sizeof(int), unit, MPI_INFO_NULL, WORLD, &memory, &win);
    memset(memory, 0, 2 * MANY * sizeof(int));
}

static void put(int place)
{
    MPI_Put(numbers, 4, MPI_INT, 0, place, 4, MPI_INT, win);
}

static void get(int place)
{
    MPI_Get(numbers + 8, 4, MPI_INT, 0, place, 4, MPI_INT, win);
}

/* Waits until another process has written a word of this one's memory. */
static void await_word(int place)
{
    while (((volatile int *)memory)[place] == 0)
        ;
}

/* Rank 1 accesses four numbers at `place` of rank 0, which stores into the second one.
 * what 0: get, 1: put, 2: sum, 3: get after a message that follows the store. */
static void fenced(int what, int place)
{
    make(sizeof(int));
    MPI_Win_fence(0, win);
    if (rank == 0) {
        if (what == 1)
            await_word(place + 3);
        memory[1] = 0x4d4d4d4d;
        if (what == 3)
            MPI_Send(NULL, 0, MPI_INT, 1, 0, WORLD);
    } else if (rank == 1) {
        if (what == 3)
            MPI_Recv(NULL, 0, MPI_INT, 0, 0, WORLD, IGNORE);
        if (what == 1)
            put(place);
        else if (what == 2)
            MPI_Accumulate(numbers, 4, MPI_INT, 0, place, 4, MPI_INT, MPI_SUM, win);
        else
            get(place);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* The same in an exposure epoch, which ends by MPI_Win_wait or MPI_Win_test. */
static void posted(int tests, int place)
{
    MPI_Group group, other;
    int peer = 1 - rank, flag = 0;
    make(sizeof(int));
    MPI_Comm_group(WORLD, &group);
    MPI_Group_incl(group, 1, &peer, &other);
    if (rank == 0) {
        MPI_Win_post(other, 0, win);
        memory[1] = 0x4d4d4d4d;
        if (!tests)
            MPI_Win_wait(win);
        while (tests && !flag)
            MPI_Win_test(win, &flag);
        memory[0] = 0x4d4d4d4d;
    } else {
        MPI_Win_start(other, 0, win);
        get(place);
        MPI_Win_complete(win);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&other);
    MPI_Win_free(&win);
}

/* Stores and accesses by turns, with a fence between them; and over memory that both ends use. */
static void by_turns(int assert, int unused)
{
    (void)unused;
    make(sizeof(int));
    for (int round = 0; round < 4; round++) {
        MPI_Win_fence(round ? MPI_MODE_NOPUT * assert : 0, win);
        if (round % 2) {
            memory[rank] = 10 * round + rank;
        } else if (rank) {
            get(0);
            put(4 * rank);
        } else {
            memory[2 * MANY - 1] = round;
        }
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    memory[4] = memory[8] = 99;
    MPI_Win_free(&win);
}

/* A put of every second number, to a place of every second, and one to itself. */
static void strided(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Datatype second;
    make(sizeof(int));
    MPI_Type_vector(8, 1, 2, MPI_INT, &second);
    MPI_Type_commit(&second);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(numbers, 1, second, 0, 0, 1, second, win);
    else
        MPI_Put(numbers, 4, MPI_INT, 0, 64, 4, MPI_INT, win);
    if (rank == 0)
        memory[1] = memory[3] = 5;
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Type_free(&second);
}

/* Numbers one by one: rank 0 the even ones and the last, rank 1 the odd ones. */
static void many(int meets, int unused)
{
    (void)unused;
    make(sizeof(int));
    MPI_Win_fence(0, win);
    for (int i = 0; rank < 2 && i < MANY; i++) {
        int place = meets && i == MANY - 1 ? 2 * MANY - 1 : 2 * i + rank;
        MPI_Put(numbers + i, 1, MPI_INT, 0, place, 1, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* One process puts many numbers, and gets the one that it put first. */
static void first_of_many(int place, int unused)
{
    (void)unused;
    make(sizeof(int));
    MPI_Win_fence(0, win);
    if (rank == 1) {
        for (int i = 0; i < MANY; i++)
            MPI_Put(numbers + i, 1, MPI_INT, 0, 2 * i, 1, MPI_INT, win);
        MPI_Get(numbers + MANY, 1, MPI_INT, 0, place, 1, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void too_many_pieces(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Datatype second;
    make(sizeof(int));
    MPI_Type_vector(MANY, 1, 2, MPI_INT, &second);
    MPI_Type_commit(&second);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Put(numbers, MANY, MPI_INT, 0, 0, 1, second, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Type_free(&second);
}

static void too_large(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Win_allocate((65 << 20), 1, MPI_INFO_NULL, WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void many_findings(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Datatype types[60];
    for (int i = 0; i < 60; i++)
        MPI_Type_contiguous(i + 1, MPI_INT, &types[i]);
}

#define CONFLICT "accesses to window memory that conflict"
#define LIMIT "not checked, because a limit is reached"

const struct test_case stores[] = {
    {"store_fence_get", 2,
     CONFLICT "|rank 0: MPI_Win_fence in fenced (|4 bytes at byte 4 of rank 0 in the window of "
              "MPI_Win_allocate were changed by a store since the fence before, without|with "
              "MPI_Get of rank 1 in get (",
     fenced, 0, 0},
    {"store_fence_get_partly", 3, CONFLICT "|4 bytes at byte 4 of rank 0|MPI_Get of rank 1", fenced,
     0, 1},
    {"store_fence_put", 2,
     CONFLICT "|rank 0: MPI_Win_fence in fenced (|16 bytes at byte 0 of rank 0|do not hold what "
              "was put there since the fence before|MPI_Put of rank 1 in put (",
     fenced, 1, 0},
    {"store_posted_get", 2,
     CONFLICT "|4 bytes at byte 4 of rank 0|by a store between MPI_Win_post and MPI_Win_wait|"
              "MPI_Get of rank 1 in get (",
     posted, 0, 0},
    {"store_posted_get_tested", 2, CONFLICT "|4 bytes at byte 4 of rank 0|MPI_Get of rank 1",
     posted, 1, 0},
    {"win_many_meet_once", 2, CONFLICT "|4 bytes at byte 23996 of rank 0|MPI_Put of rank 1", many,
     1, 0},
    {"win_own_first_of_many", 2, CONFLICT "|4 bytes at byte 0 of rank 0|with MPI_Put before",
     first_of_many, 0, 0},
    {"win_too_many_pieces", 2,
     LIMIT "|rank 1: MPI_Win_fence in too_many_pieces (|not all accesses to the window of "
           "MPI_Win_allocate are compared: they are too many, or in too many pieces",
     too_many_pieces, 0, 0},
    {"win_too_large", 2, LIMIT "|not all stores into the memory of the window of MPI_Win_allocate",
     too_large, 0, 0},
    {"many_findings", 2, LIMIT "|more than 50 findings of one rank: datatypes never freed",
     many_findings, 0, 0},
    {0}};

const struct test_case right_stores[] = {
    {"right_store_fence_get_apart", 2, "", fenced, 0, 2},
    {"right_store_fence_put_apart", 2, "", fenced, 1, 2},
    {"right_store_fence_sum_apart", 3, "", fenced, 2, 4},
    {"right_store_before_message", 2, "", fenced, 3, 0},
    {"right_store_posted_apart", 2, "", posted, 0, 2},
    {"right_store_posted_apart_tested", 2, "", posted, 1, 5},
    {"right_store_by_turns", 3, "", by_turns, 0, 0},
    {"right_store_by_turns_asserted", 3, "", by_turns, 1, 0},
    {"right_store_between_columns", 2, "", strided, 0, 0},
    {"right_win_many_apart", 2, "", many, 0, 0},
    {"right_win_own_many_apart", 2, "", first_of_many, 1, 0},
    {0}};
