/* A flood of messages that nobody receives for a while: flood MESSAGES LIMIT_MIB [BYTES WINDOW] (scripts/test-flood)
 *
 * Every rank but the first sends MESSAGES of BYTES (8 unless told otherwise) to rank 0, WINDOW (1) of them at a time, which looks for another message in
 * the meantime, so that it takes in what comes and matches nothing. After some seconds it receives all of them, in order. Its memory must not have grown
 * by more than LIMIT_MIB. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOOD = 1, OTHER = 2, SECONDS = 3, SHORTEST = 8, WIDEST = 1000 };

static int bytes = SHORTEST, window = 1;
static char *memory;

/* The most memory that the process had at any time, in KiB. */
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
    for (long number = 0; window == 1 && number < messages; number++) MPI_Send(&number, bytes, MPI_BYTE, 0, FLOOD, MPI_COMM_WORLD);
    for (long number = 0; window > 1 && number < messages;) {
        int begun = 0;
        for (; begun < window && number < messages; begun++, number++) {
            char *message = memory + (size_t)begun * bytes;
            memcpy(message, &number, sizeof number);
            MPI_Isend(message, bytes, MPI_BYTE, 0, FLOOD, MPI_COMM_WORLD, &requests[begun]);
        }
        MPI_Waitall(begun, requests, MPI_STATUSES_IGNORE);
    }
}

static void receive_all(int from, long messages)
{
    long got;
    for (long number = 0; number < messages; number++) {
        MPI_Recv(memory, bytes, MPI_BYTE, from, FLOOD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        memcpy(&got, memory, sizeof got);
        if (got != number) {
            fprintf(stderr, "flood: from rank %d comes %ld, %ld is next\n", from, got, number);
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
    if (argc < 3 || size < 2 || bytes < SHORTEST || window < 1 || window > WIDEST || (bytes > SHORTEST && window == 1)) MPI_Abort(MPI_COMM_WORLD, 2);
    long messages = atol(argv[1]), limit = atol(argv[2]) << 10;
    memory = malloc((size_t)window * bytes);
    memset(memory, 1, (size_t)window * bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    long before = peak();
    double start = MPI_Wtime();
    if (rank > 0) {
        send_all(messages);
    } else {
        while (MPI_Wtime() - start < SECONDS) MPI_Iprobe(MPI_ANY_SOURCE, OTHER, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        long after = peak();
        for (int from = 1; from < size; from++) receive_all(from, messages);
        double took = MPI_Wtime() - start;
        long end = peak();
        printf("%d x %ld messages of %d B in %.1f s; the receiver's memory grew by %.1f MiB\n", size - 1, messages, bytes, took, (end - before) / 1024.0);
        if (end - before > limit || after - before > limit) {
            fprintf(stderr, "flood: more than %ld MiB\n", limit >> 10);
            MPI_Abort(MPI_COMM_WORLD, 4);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* The senders' memory is bounded, too. */
    if (rank > 0 && peak() - before > limit) {
        fprintf(stderr, "flood: the sender's memory grew by %ld KiB\n", peak() - before);
        MPI_Abort(MPI_COMM_WORLD, 5);
    }
    MPI_Finalize();
    return 0;
}
