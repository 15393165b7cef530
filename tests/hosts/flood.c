/* flood MESSAGES LIMIT_MIB [BYTES WINDOW]: a flood of messages that are not received for a while.
 * Used by scripts/jobs flood.
 *
 * Each rank but the first sends MESSAGES messages of BYTES bytes (default 8) to rank 0, WINDOW
 * (default 1) of them at a time. Rank 0 probes for another message meanwhile, so that it polls but
 * matches nothing. After some seconds it receives all messages in order. No process's memory may
 * grow by more than LIMIT_MIB MiB. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOOD = 1, OTHER = 2, SECONDS = 3, SHORTEST = 8, WIDEST = 1000 };

static int bytes = SHORTEST, window = 1;
static char *memory;

/* Returns the highest resident memory of the process so far, in KiB. */
static long peak(void)
{
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %ld", &kib) == 1) break;
    if (file) fclose(file);
    return kib;
}

static void send_all(long messages)
{
    MPI_Request requests[WIDEST];
    for (long number = 0; window == 1 && number < messages; number++)
        MPI_Send(&number, bytes, MPI_BYTE, 0, FLOOD, MPI_COMM_WORLD);
    for (long number = 0; window > 1 && number < messages;) {
        int started = 0;
        for (; started < window && number < messages; started++, number++) {
            char *message = memory + (size_t)started * bytes;
            memcpy(message, &number, sizeof number);
            MPI_Isend(message, bytes, MPI_BYTE, 0, FLOOD, MPI_COMM_WORLD, &requests[started]);
        }
        MPI_Waitall(started, requests, MPI_STATUSES_IGNORE);
    }
}

static void receive_all(int from, long messages)
{
    long got;
    for (long number = 0; number < messages; number++) {
        MPI_Recv(memory, bytes, MPI_BYTE, from, FLOOD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        memcpy(&got, memory, sizeof got);
        if (got != number) {
            fprintf(stderr, "flood: message %ld arrived from rank %d, %ld is expected\n", got, from,
                    number);
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
    }
}

int main(int argc, char **argv)
{
    int rank, size, found = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 4) bytes = atoi(argv[3]), window = atoi(argv[4]);
    if (argc < 3 || size < 2 || bytes < SHORTEST || window < 1 || window > WIDEST ||
        (bytes > SHORTEST && window == 1))
        MPI_Abort(MPI_COMM_WORLD, 2);
    long messages = atol(argv[1]), limit = atol(argv[2]) << 10;
    memory = malloc((size_t)window * bytes);
    memset(memory, 1, (size_t)window * bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    long before = peak();
    double start = MPI_Wtime();
    if (rank > 0) {
        send_all(messages);
    } else {
        while (MPI_Wtime() - start < SECONDS)
            MPI_Iprobe(MPI_ANY_SOURCE, OTHER, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        long after = peak();
        for (int from = 1; from < size; from++) receive_all(from, messages);
        double took = MPI_Wtime() - start;
        long end = peak();
        printf("%d x %ld messages of %d B in %.1f s; the receiver's memory grew by %.1f MiB\n",
               size - 1, messages, bytes, took, (end - before) / 1024.0);
        if (end - before > limit || after - before > limit) {
            fprintf(stderr, "flood: the receiver's memory grew by more than %ld MiB\n",
                    limit >> 10);
            MPI_Abort(MPI_COMM_WORLD, 4);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* The memory of the senders must be bounded, too. */
    if (rank > 0 && peak() - before > limit) {
        fprintf(stderr, "flood: the sender's memory grew by %ld KiB\n", peak() - before);
        MPI_Abort(MPI_COMM_WORLD, 5);
    }
    MPI_Finalize();
    return 0;
}
