/* Accesses that the target has to carry out need a progress thread. If it cannot be started, all
 * ranks get an error and nothing is leaked. As soon as there is memory again, windows are created
 * and accessed (MPI 5.0 §12.2).
 *
 * modes: network
 */

#include "rma.h"
#include <sys/resource.h>

enum { SPARE_BYTES = 128 << 10, TIMES = 20 };

/* Returns the bytes of address space that this process uses. */
static rlim_t addresses(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%lu", &pages) == 1, "/proc/self/statm cannot be read");
    fclose(file);
    return pages * 4096;
}

static int make(void **memory, MPI_Win *win, int created)
{
    static long own[8];
    if (created) return MPI_Win_create(own, sizeof own, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win);
    return MPI_Win_allocate(sizeof own, 8, MPI_INFO_NULL, MPI_COMM_WORLD, memory, win);
}

int main(int argc, char **argv)
{
    struct rlimit before, tight;
    void *memory;
    long value = 0;
    MPI_Win win = MPI_WIN_NULL;
    begin(&argc, &argv);
    /* Processes on one node map each other's memory and need no progress thread. */
    if (possible(SHARED)) return MPI_Finalize();
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    /* No thread has been started yet. The C library keeps the stack of a thread that has ended. */
    for (int time = 0; time < TIMES; time++) {
        OK(MPI_Barrier(MPI_COMM_WORLD));
        CHECK(getrlimit(RLIMIT_AS, &before) == 0, "getrlimit fails");
        tight = before;
        tight.rlim_cur = addresses() + SPARE_BYTES;
        if (rank == 0) CHECK(setrlimit(RLIMIT_AS, &tight) == 0, "setrlimit fails");
        int code = make(&memory, &win, time % 2);
        if (rank == 0)
            CHECK(setrlimit(RLIMIT_AS, &before) == 0, "setrlimit fails to restore the limit");
        if (rank == 0) CHECK(strstr(error_text(code), "no thread"), "%s", error_text(code));
        FAILS(code, rank == 0 ? MPI_ERR_NO_MEM : MPI_ERR_OTHER);
    }
    for (int created = 0; created < 2; created++) {
        OK(make(&memory, &win, created));
        OK(MPI_Win_fence(0, win));
        OK(MPI_Get(&value, 1, MPI_LONG, (rank + 1) % size, 7, 1, MPI_LONG, win));
        OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
        OK(MPI_Win_free(&win));
    }
    return MPI_Finalize();
}
