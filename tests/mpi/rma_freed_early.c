/* MPI_Free_mem of memory that a window exposes, which other libraries permit: the memory stays
 * until no window exposes it, and the windows work on. */

#include "check.h"
#include <sys/resource.h>

enum { BYTES = 1 << 16, MANY = 24, MANY_BYTES = 8 << 20 };

/* Every process puts its rank into the next one's memory. */
static void put_in_circle(MPI_Win win, MPI_Aint place, int *memory)
{
    OK(MPI_Win_fence(0, win));
    OK(MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, place, 1, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    CHECK(*memory == (rank + size - 1) % size, "%d has arrived", *memory);
}

/* A window of the whole memory, and one of a part. */
static void of_allocation(int at, int bytes)
{
    MPI_Win win;
    int *memory, *other;
    OK(MPI_Alloc_mem(BYTES, MPI_INFO_NULL, &memory));
    OK(MPI_Win_create(memory + at, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    put_in_circle(win, 0, memory + at);
    OK(MPI_Free_mem(memory));
    /* Nobody else gets the memory, and it is freed once. */
    OK(MPI_Alloc_mem(BYTES, MPI_INFO_NULL, &other));
    CHECK(other != memory, "memory of a window is given away");
    FAILS(MPI_Free_mem(memory), MPI_ERR_BASE);
    put_in_circle(win, 1, memory + at + 1);
    OK(MPI_Win_free(&win));
    OK(MPI_Free_mem(other));
}

/* Two windows of one allocation: the last one keeps it. */
static void of_two_windows(void)
{
    MPI_Win first, second;
    int *memory;
    OK(MPI_Alloc_mem(BYTES, MPI_INFO_NULL, &memory));
    OK(MPI_Win_create(memory, BYTES / 2, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &first));
    OK(MPI_Win_create(memory + BYTES / 8, BYTES / 2, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &second));
    OK(MPI_Free_mem(memory));
    OK(MPI_Win_free(&first));
    put_in_circle(second, 5, memory + BYTES / 8 + 5);
    OK(MPI_Win_free(&second));
    FAILS(MPI_Free_mem(memory), MPI_ERR_BASE);
}

/* Attached memory, freed before it is detached, and before the window is freed. */
static void of_dynamic(int detaches)
{
    MPI_Win win;
    MPI_Aint own, next;
    int *memory;
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    OK(MPI_Alloc_mem(BYTES, MPI_INFO_NULL, &memory));
    OK(MPI_Win_attach(win, memory, BYTES));
    OK(MPI_Get_address(memory, &own));
    OK(MPI_Sendrecv(&own, 1, MPI_AINT, (rank + size - 1) % size, 0, &next, 1, MPI_AINT,
                    (rank + 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    OK(MPI_Free_mem(memory));
    put_in_circle(win, next, memory);
    if (detaches) {
        OK(MPI_Win_detach(win, memory));
        FAILS(MPI_Free_mem(memory), MPI_ERR_BASE);
    }
    OK(MPI_Win_free(&win));
}

/* The memory is given back: as many allocations would be 192 MiB. */
static void many(void)
{
    MPI_Win win;
    char *memory;
    struct rusage usage;
    for (int i = 0; i < MANY; i++) {
        OK(MPI_Alloc_mem(MANY_BYTES, MPI_INFO_NULL, &memory));
        memset(memory, i, MANY_BYTES);
        OK(MPI_Win_create(memory, MANY_BYTES, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win));
        OK(MPI_Free_mem(memory));
        OK(MPI_Win_free(&win));
    }
    getrusage(RUSAGE_SELF, &usage);
    CHECK(usage.ru_maxrss < 100 << 10, "the process has taken %ld KiB", usage.ru_maxrss);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    of_allocation(0, BYTES);
    of_allocation(16, 64);
    of_two_windows();
    of_dynamic(0);
    of_dynamic(1);
    many();
    MPI_Finalize();
    return 0;
}
