/* MPI_Put and MPI_Get in every kind of epoch on every kind of window, between two processes of one
 * host.
 *
 * Prints one line for each figure: {"measure": "put", "epoch": "lock", "window": "allocate", "row":
 * 1, "bytes": 8, "value": SECONDS OF ONE ACCESS}. Rank 0 accesses memory of rank 1; its own buffer
 * is from malloc.
 *
 * epoch lock: MPI_Win_lock of rank 1, and a flush after each row.
 * epoch lock_all: MPI_Win_lock_all, and a flush after each row.
 * epoch fence: a row between two fences.
 * epoch pscw: a row between MPI_Win_start and MPI_Win_complete, while rank 1 posts and waits.
 * window: allocate, create or dynamic.
 * row: the number of accesses between two synchronisations, to consecutive locations. The locations
 * of a row of 64 wrap around at the end of the window. */
#include "measure.h"

enum { WINDOW_BYTES = 4 << 20, ROW = 64 };

static MPI_Win win;
static MPI_Group other;
static MPI_Aint base;
static char *local;
static int is_get, row;

static void access_row(int bytes)
{
    size_t places = WINDOW_BYTES / bytes;
    for (int i = 0; i < row; i++) {
        MPI_Aint at = base + (MPI_Aint)(i % places * bytes);
        if (is_get) MPI_Get(local, bytes, MPI_BYTE, 1, at, bytes, MPI_BYTE, win);
        else MPI_Put(local, bytes, MPI_BYTE, 1, at, bytes, MPI_BYTE, win);
    }
}

static double flushed(long repetitions, int bytes)
{
    double start = now();
    if (rank == 0)
        for (long i = 0; i < repetitions; i++) {
            access_row(bytes);
            MPI_Win_flush(1, win);
        }
    return now() - start;
}

static double locked(long repetitions, int bytes)
{
    if (rank == 0) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    double spent = flushed(repetitions, bytes);
    if (rank == 0) MPI_Win_unlock(1, win);
    return spent;
}

static double locked_all(long repetitions, int bytes)
{
    if (rank == 0) MPI_Win_lock_all(0, win);
    double spent = flushed(repetitions, bytes);
    if (rank == 0) MPI_Win_unlock_all(win);
    return spent;
}

static double fenced(long repetitions, int bytes)
{
    MPI_Win_fence(0, win);
    double start = now();
    for (long i = 0; i < repetitions; i++) {
        if (rank == 0) access_row(bytes);
        MPI_Win_fence(0, win);
    }
    double spent = now() - start;
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    return spent;
}

static double started(long repetitions, int bytes)
{
    double start = now();
    for (long i = 0; i < repetitions; i++)
        if (rank == 0) {
            MPI_Win_start(other, 0, win);
            access_row(bytes);
            MPI_Win_complete(win);
        } else {
            MPI_Win_post(other, 0, win);
            MPI_Win_wait(win);
        }
    return now() - start;
}

static void measure_window(const char *window)
{
    static const struct {
        const char *name;
        exchange *what;
    } epochs[] = {{"lock", locked}, {"lock_all", locked_all}, {"fence", fenced}, {"pscw", started}};
    static const int lengths[] = {8, 512, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20};
    for (int e = 0; e < 4; e++)
        for (is_get = 0; is_get < 2; is_get++)
            for (row = 1; row <= ROW; row *= ROW)
                for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
                    double each = measured(epochs[e].what, lengths[i]) / row;
                    if (rank == 0)
                        printf("{\"measure\": \"%s\", \"epoch\": \"%s\", \"window\": \"%s\", "
                               "\"row\": %d, \"bytes\": %d, \"value\": %.4e}\n",
                               is_get ? "get" : "put", epochs[e].name, window, row, lengths[i],
                               each);
                }
}

/* Sends the address of rank 1's memory to rank 0, which uses it as displacement. */
static void learn_base(const void *memory)
{
    MPI_Get_address(memory, &base);
    MPI_Bcast(&base, 1, MPI_AINT, 1, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    MPI_Group world;
    int peer = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &other);
    local = malloc(WINDOW_BYTES);
    memset(local, 1, WINDOW_BYTES);

    char *memory;
    MPI_Win_allocate(WINDOW_BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memset(memory, 2, WINDOW_BYTES);
    measure_window("allocate");
    MPI_Win_free(&win);

    memory = touched(WINDOW_BYTES);
    MPI_Win_create(memory, WINDOW_BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    measure_window("create");
    MPI_Win_free(&win);

    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, memory, WINDOW_BYTES);
    learn_base(memory);
    measure_window("dynamic");
    MPI_Win_detach(win, memory);
    MPI_Win_free(&win);

    MPI_Group_free(&other);
    MPI_Group_free(&world);
    free(local);
    free(memory);
    end();
    return 0;
}
