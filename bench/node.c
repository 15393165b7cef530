/* What all processes of a node do at once: pairs of distant ranks (rank r and r + n/2) exchange
 * messages at the same time, and all make a communicator or a window. Figures are for all pairs
 * together:
 *
 *   pairs_latency   seconds of one message of 8 bytes, one way, while all pairs send
 *   pairs_rate      messages per second, windows of 64 messages of 8 bytes
 *   pairs_stream    bytes per second, windows of 16 messages of 64 KiB
 *   split, dup, window  seconds of MPI_Comm_split into two halves, MPI_Comm_dup, MPI_Win_allocate,
 *                   with their MPI_Comm_free or MPI_Win_free */
#include "measure.h"

enum { WINDOW = 64, LONG_WINDOW = 16, LONG_BYTES = 64 << 10 };

static char *outgoing, *incoming;

static int partner(void)
{
    int half = size / 2;
    return rank < half ? rank + half : rank < 2 * half ? rank - half : MPI_PROC_NULL;
}

static double longest(double seconds)
{
    double most = 0;
    MPI_Reduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return most;
}

static double ping_pongs(long repetitions, int bytes)
{
    int other = partner(), is_first = rank < size / 2;
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now();
    for (long i = 0; i < repetitions && other != MPI_PROC_NULL; i++) {
        if (is_first) MPI_Send(outgoing, bytes, MPI_BYTE, other, TAG_DATA, MPI_COMM_WORLD);
        MPI_Recv(incoming, bytes, MPI_BYTE, other, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!is_first) MPI_Send(outgoing, bytes, MPI_BYTE, other, TAG_DATA, MPI_COMM_WORLD);
    }
    return longest(now() - start);
}

static double windows_of(long repetitions, int bytes, int window)
{
    int other = partner(), is_first = rank < size / 2;
    MPI_Request requests[WINDOW];
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now();
    for (long i = 0; i < repetitions && other != MPI_PROC_NULL; i++) {
        for (int j = 0; j < window; j++)
            if (is_first)
                MPI_Isend(outgoing, bytes, MPI_BYTE, other, TAG_DATA, MPI_COMM_WORLD, &requests[j]);
            else
                MPI_Irecv(incoming + (size_t)j * bytes, bytes, MPI_BYTE, other, TAG_DATA,
                          MPI_COMM_WORLD, &requests[j]);
        MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
        if (is_first)
            MPI_Recv(NULL, 0, MPI_BYTE, other, TAG_PLAN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(NULL, 0, MPI_BYTE, other, TAG_PLAN, MPI_COMM_WORLD);
    }
    return longest(now() - start);
}

static double windows(long repetitions, int bytes)
{
    return windows_of(repetitions, bytes, WINDOW);
}

static double long_windows(long repetitions, int bytes)
{
    return windows_of(repetitions, bytes, LONG_WINDOW);
}

static double split_comm(long repetitions, int bytes)
{
    (void)bytes;
    double start = now();
    for (long i = 0; i < repetitions; i++) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
        MPI_Comm_free(&comm);
    }
    return longest(now() - start);
}

static double dup_comm(long repetitions, int bytes)
{
    (void)bytes;
    double start = now();
    for (long i = 0; i < repetitions; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_free(&comm);
    }
    return longest(now() - start);
}

static double make_window(long repetitions, int bytes)
{
    double start = now();
    for (long i = 0; i < repetitions; i++) {
        MPI_Win win;
        void *memory;
        MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
        MPI_Win_free(&win);
    }
    return longest(now() - start);
}

static void report(const char *name, int bytes, double value)
{
    if (rank == 0)
        printf("{\"measure\": \"%s\", \"bytes\": %d, \"value\": %.4e}\n", name, bytes, value);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    int pairs = size / 2;
    if (pairs == 0) MPI_Abort(MPI_COMM_WORLD, 2);
    outgoing = touched(LONG_BYTES);
    incoming = touched((size_t)LONG_WINDOW * LONG_BYTES);
    report("pairs_latency", 8, measured(ping_pongs, 8) / 2);
    report("pairs_rate", 8, pairs * WINDOW / measured(windows, 8));
    report("pairs_stream", LONG_BYTES,
           (double)pairs * LONG_WINDOW * LONG_BYTES / measured(long_windows, LONG_BYTES));
    report("split", 0, measured(split_comm, 0));
    report("dup", 0, measured(dup_comm, 0));
    report("window", 4096, measured(make_window, 4096));
    end();
    return 0;
}
