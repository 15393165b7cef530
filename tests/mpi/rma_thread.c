/* Accesses that the target has to carry out, where no thread can be started that does: all ranks hear of it, nothing stays behind, and when there is room again
 * windows are made and served (MPI 5.0 §12.2).
 *
 * modes: network
 */

#include "rma.h"
#include <sys/resource.h>

enum { ROOM = 128 << 10, TIMES = 20 };

/* Bytes of addresses that this process has. */
static rlim_t addresses(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%lu", &pages) == 1, "/proc/self/statm cannot be read");
    fclose(file);
    return pages * 4096;
}

static int make(void **memory, MPI_Win *win, int apart)
{
    static long own[8];
    if (apart) return MPI_Win_create(own, sizeof own, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win);
    return MPI_Win_allocate(sizeof own, 8, MPI_INFO_NULL, MPI_COMM_WORLD, memory, win);
}

int main(int argc, char **argv)
{
    struct rlimit before, tight;
    void *memory;
    long value = 0;
    MPI_Win win = MPI_WIN_NULL;
    begin(&argc, &argv);
    /* Nobody has to ask those whose memory is reached. */
    if (possible(SHARED)) return MPI_Finalize();
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    /* Before the first thread: of one that has ended the C library keeps the stack. */
    for (int time = 0; time < TIMES; time++) {
        OK(MPI_Barrier(MPI_COMM_WORLD));
        CHECK(getrlimit(RLIMIT_AS, &before) == 0, "no limit is known");
        tight = before;
        tight.rlim_cur = addresses() + ROOM;
        if (rank == 0) CHECK(setrlimit(RLIMIT_AS, &tight) == 0, "no limit can be set");
        int code = make(&memory, &win, time % 2);
        if (rank == 0) CHECK(setrlimit(RLIMIT_AS, &before) == 0, "the limit cannot be lifted");
        if (rank == 0) CHECK(strstr(error_text(code), "no thread"), "%s", error_text(code));
        FAILS(code, rank == 0 ? MPI_ERR_NO_MEM : MPI_ERR_OTHER);
    }
    for (int apart = 0; apart < 2; apart++) {
        OK(make(&memory, &win, apart));
        OK(MPI_Win_fence(0, win));
        OK(MPI_Get(&value, 1, MPI_LONG, (rank + 1) % size, 7, 1, MPI_LONG, win));
        OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
        OK(MPI_Win_free(&win));
    }
    return MPI_Finalize();
}
