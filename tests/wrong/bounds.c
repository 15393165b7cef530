/* Buffers and windows that go past the variable or allocation in which they begin. */
#include "cases.h"
#include <alloca.h>

static int numbers[10];
static struct {
    double head;
    int body[6];
} record;

/* Sends from rank 0, and receives the same at rank 1. */
static void pass(void *buffer, int count)
{
    if (rank == 0)
        MPI_Send(buffer, count, MPI_INT, 1, 1, WORLD);
    else
        MPI_Recv(buffer, count, MPI_INT, 0, 1, WORLD, IGNORE);
}

static void of_static(int first, int count)
{
    pass(numbers + first, count);
}

static void of_record(int count, int unused)
{
    (void)unused;
    pass(record.body, count);
}

/* The message is short, so that the receive writes nothing beyond. */
static void of_local(int count, int unused)
{
    (void)unused;
    int local[8] = {0};
    int last = 0;
    if (rank == 0)
        MPI_Send(local, 4, MPI_INT, 1, 1, WORLD);
    else
        MPI_Recv(local, count, MPI_INT, 0, 1, WORLD, IGNORE);
    MPI_Allreduce(&local[7], &last, 1, MPI_INT, MPI_SUM, WORLD);
}

static void of_caller(int count, int unused)
{
    (void)unused;
    int outer[30] = {0};
    pass(outer + 20, count);
}

static void in_collective(int count, int unused)
{
    (void)unused;
    int all[2] = {0}, own = rank;
    if (rank == 0)
        MPI_Gather(&own, 1, MPI_INT, all, 1, MPI_INT, 0, WORLD);
    else
        MPI_Gather(&own, count, MPI_INT, NULL, 0, MPI_INT, 0, WORLD);
}

static void in_heap(int ints, int count)
{
    int *heap = calloc(ints, sizeof(int));
    if (rank == 0)
        MPI_Send(heap, 4, MPI_INT, 1, 1, WORLD);
    else
        MPI_Recv(heap, count, MPI_INT, 0, 1, WORLD, IGNORE);
    free(heap);
}

/* The last block of the heap, of which every process receives more than it has room for. */
static void in_last_block(int count, int unused)
{
    (void)unused;
    int *last = malloc(12 * sizeof(int)), *all = calloc(1000, sizeof(int));
    MPI_Request request;
    MPI_Ibcast(rank == 0 ? all : last, rank == 0 ? 12 : count, MPI_INT, 0, WORLD, &request);
    MPI_Wait(&request, IGNORE);
    free(last);
    free(all);
}

static void in_columns(int columns, int unused)
{
    (void)unused;
    MPI_Datatype column;
    int matrix[4][5] = {{0}};
    MPI_Type_vector(4, 1, 5, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0)
        MPI_Send(matrix[0], 1, column, 1, 1, WORLD);
    else
        MPI_Recv(&matrix[0][columns], 1, column, 0, 1, WORLD, IGNORE);
    MPI_Type_free(&column);
}

static void of_window(int ints, int unused)
{
    (void)unused;
    MPI_Win win;
    MPI_Win_create(numbers, ints * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &win);
    MPI_Win_free(&win);
}

static void of_window_in_heap(int has, int bytes)
{
    MPI_Win win;
    char *memory = malloc(has);
    MPI_Win_create(memory, bytes, 1, MPI_INFO_NULL, WORLD, &win);
    MPI_Win_free(&win);
    free(memory);
}

static void attached(int bytes, int unused)
{
    (void)unused;
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win);
    MPI_Win_attach(win, numbers, bytes);
    MPI_Win_detach(win, numbers);
    MPI_Win_free(&win);
}

static void of_bsend(int bytes, int unused)
{
    (void)unused;
    static char storage[4096];
    void *buffer;
    int size_of_buffer;
    MPI_Buffer_attach(storage, bytes);
    if (rank == 0)
        MPI_Bsend(numbers, 4, MPI_INT, 1, 1, WORLD);
    else
        MPI_Recv(numbers, 4, MPI_INT, 0, 1, WORLD, IGNORE);
    MPI_Buffer_detach(&buffer, &size_of_buffer);
}

#define PAST "buffers and windows larger than their memory|"

const struct test_case bounds[] = {
    {"bounds_static", 2,
     PAST "rank 0: MPI_Send in pass (|rank 1: MPI_Recv in pass (|44 bytes from `numbers`, which "
          "has 40",
     of_static, 0, 11},
    {"bounds_static_inside", 2, PAST "28 bytes from byte 16 of `numbers`, which has 40", of_static,
     4, 7},
    {"bounds_record", 2, PAST "28 bytes from byte 8 of `record`, which has 32", of_record, 7, 0},
    {"bounds_local", 2, PAST "rank 1: MPI_Recv in of_local (|400 bytes from `local`, which has 32",
     of_local, 100, 0},
    {"bounds_of_caller", 2,
     PAST "MPI_Recv in pass (|44 bytes from byte 80 of `outer`, which has 120", of_caller, 11, 0},
    {"bounds_collective", 2,
     PAST "rank 1: MPI_Gather in in_collective (|8 bytes from `own`, which has 4", in_collective,
     2, 0},
    {"bounds_heap", 2, PAST "rank 1: MPI_Recv in in_heap (|4000 bytes, and the block where they "
     "begin has room for 40", in_heap, 10, 1000},
    {"bounds_long_block", 2, PAST "2000000 bytes, and the block where they begin has room for 100",
     in_heap, 250000, 500000},
    {"bounds_last_block", 3, PAST "ranks 1, 2: MPI_Ibcast in in_last_block (|80 bytes, and the "
     "block where they begin has room for 56", in_last_block, 20, 0},
    {"bounds_columns", 2, PAST "64 bytes from byte 20 of `matrix`, which has 80", in_columns, 5, 0},
    {"bounds_window", 2, PAST "ranks 0, 1: MPI_Win_create in of_window (|44 bytes from `numbers`",
     of_window, 11, 0},
    {"bounds_window_heap", 2,
     PAST "MPI_Win_create in of_window_in_heap (|8000 bytes, and the block where they begin has "
          "room for 10", of_window_in_heap, 1000, 8000},
    {"bounds_attach", 2, PAST "MPI_Win_attach in attached (|41 bytes from `numbers`", attached, 41,
     0},
    {"bounds_buffer", 2, PAST "MPI_Buffer_attach in of_bsend (|4097 bytes from `storage`", of_bsend,
     4097, 0},
    {0}};

/* Variables that are neighbours, gathered by a struct as old textbooks do. */
static void neighbours(int unused, int unused2)
{
    (void)unused, (void)unused2;
    struct {
        float a, b;
        int n;
    } all = {1, 2, 3};
    float a = 1, b = 2;
    int n = 3;
    for (int of_struct = 0; of_struct < 2; of_struct++) {
        void *parts[3] = {of_struct ? &all.a : &a, of_struct ? &all.b : &b,
                          of_struct ? &all.n : &n};
        MPI_Aint start, place[3];
        int lengths[3] = {1, 1, 1};
        MPI_Datatype types[3] = {MPI_FLOAT, MPI_FLOAT, MPI_INT}, together;
        MPI_Get_address(parts[0], &start);
        for (int i = 0; i < 3; i++) {
            MPI_Get_address(parts[i], &place[i]);
            place[i] -= start;
        }
        MPI_Type_create_struct(3, lengths, place, types, &together);
        MPI_Type_commit(&together);
        MPI_Bcast(parts[0], 1, together, 0, WORLD);
        MPI_Type_free(&together);
    }
}

/* Memory whose length no variable tells, and parts of variables. */
static void of_many_kinds(int length, int unused)
{
    (void)unused;
    int variable[length + 1];
    int *from_stack = alloca(length * sizeof(int));
    int *heap = malloc(2 * length * sizeof(int));
    /* What looks like the length of a block, before an address in a block. */
    long *counts = malloc(1000 * sizeof(long));
    int matrix[4][5] = {{0}}, one = 1;
    for (int i = 0; i < 1000; i++)
        counts[i] = 33;
    memset(variable, 0, sizeof variable);
    memset(from_stack, 0, length * sizeof(int));
    memset(heap, 0, 2 * length * sizeof(int));
    pass(variable, length + 1);
    pass(from_stack, length);
    pass(heap, 2 * length);
    pass(heap + length, length);
    pass(counts + 2, 100);
    pass(matrix[1], 15);
    pass(&one, 1);
    pass(numbers, 10);
    pass(numbers + 9, 1);
    pass(&record, 8);
    pass((int[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 12);
    free(counts);
    free(heap);
}

/* Variables of scopes that are never alive at once may share memory. */
static void in_scopes(int unused, int unused2)
{
    (void)unused, (void)unused2;
    {
        int small[9] = {0};
        pass(small, 9);
    }
    {
        int large[90] = {0};
        pass(large, 90);
    }
    for (int i = 0; i < 3; i++) {
        double middle[20] = {0};
        pass(middle, 40);
    }
}

const struct test_case right_bounds[] = {
    {"right_bounds_static", 2, "", of_static, 0, 10},
    {"right_bounds_local", 2, "", of_local, 8, 0},
    {"right_bounds_heap", 2, "", in_heap, 10, 10},
    {"right_bounds_long_block", 2, "", in_heap, 250000, 250000},
    {"right_bounds_last_block", 3, "", in_last_block, 12, 0},
    {"right_bounds_columns", 2, "", in_columns, 4, 0},
    {"right_bounds_window", 2, "", of_window, 10, 0},
    {"right_bounds_window_heap", 2, "", of_window_in_heap, 8000, 8000},
    {"right_bounds_attach", 2, "", attached, 40, 0},
    {"right_bounds_buffer", 2, "", of_bsend, 4096, 0},
    {"right_bounds_neighbours", 2, "", neighbours, 0, 0},
    {"right_bounds_of_many_kinds", 2, "", of_many_kinds, 100, 0},
    {"right_bounds_in_scopes", 2, "", in_scopes, 0, 0},
    {0}};
