/* One-sided communication: rank 0 accesses memory of rank 1, which waits in a receive, in an epoch
 * of MPI_Win_lock_all. Each access is flushed.
 *
 * put and get: on a window of MPI_Win_allocate, from 8 bytes to the largest length (third
 * argument). created: puts on a window of MPI_Win_create, whose memory belongs to the program.
 * fetch: MPI_Fetch_and_op of one long. */
#include "measure.h"

static char *buffer;
static MPI_Win win;

static double puts_flushed(long repetitions, int bytes)
{
    double start = now();
    if (rank == 0)
        for (long i = 0; i < repetitions; i++) {
            MPI_Put(buffer, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win);
            MPI_Win_flush(1, win);
        }
    return now() - start;
}

static double gets_flushed(long repetitions, int bytes)
{
    double start = now();
    if (rank == 0)
        for (long i = 0; i < repetitions; i++) {
            MPI_Get(buffer, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win);
            MPI_Win_flush(1, win);
        }
    return now() - start;
}

static double fetches_flushed(long repetitions, int bytes)
{
    long one = 1, before;
    double start = now();
    (void)bytes;
    if (rank == 0)
        for (long i = 0; i < repetitions; i++) {
            MPI_Fetch_and_op(&one, &before, MPI_LONG, 1, 0, MPI_SUM, win);
            MPI_Win_flush(1, win);
        }
    return now() - start;
}

static void show(const char *measure, exchange *what, int bytes)
{
    double each = measured(what, bytes);
    if (rank == 0)
        printf("{\"measure\": \"%s\", \"bytes\": %d, \"value\": %.4e}\n", measure, bytes, each);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {8, 512, 4 << 10, 64 << 10, 1 << 20, 4 << 20};
    begin(argc, argv);
    int largest = argc > 3 ? atoi(argv[3]) : 4 << 20;
    char *memory;
    buffer = touched(largest);
    MPI_Win_allocate(largest, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < largest; i += 4096) memory[i] = 1;
    MPI_Win_lock_all(0, win);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= largest; i++) {
        show("put", puts_flushed, sizes[i]);
        show("get", gets_flushed, sizes[i]);
    }
    show("fetch", fetches_flushed, 8);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    memory = touched(largest);
    MPI_Win_create(memory, largest, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= largest; i++)
        show("created", puts_flushed, sizes[i]);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    end();
    return 0;
}
