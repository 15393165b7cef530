/* Wake-ups of senders: a sender that finds no space in a fastbox or queue sleeps until there is
 * some, and a process that waits for something else is not woken by free space (MPI 5.0 §3.5: a
 * send completes once its receiver goes on; and a wait must not cost processor time).
 *
 * sizes: 2
 */

#include "check.h"
#include <sys/resource.h>
#include <time.h>

enum { SHORT_BYTES = 8, MIDDLE_BYTES = 3000, MIDDLE_MESSAGES = 50, WAKES_MAX = 25, TRIES = 3 };
/* A fastbox has LINES lines. Its receiver tells the sender about free lines after each quarter of
 * them. */
enum { LINES = 256, QUARTER = LINES / 4 };
static const int long_bytes[] = {8000, 64 << 10};
static const double late_seconds = 0.15;
static char buffer[64 << 10];

static void pause_for(long nanoseconds)
{
    nanosleep(&(struct timespec){0, nanoseconds}, NULL);
}

static void short_messages(int count)
{
    for (int i = 0; i < count; i++) {
        if (rank == 1)
            OK(MPI_Send(buffer, SHORT_BYTES, MPI_BYTE, 0, 1, MPI_COMM_WORLD));
        else
            OK(MPI_Recv(buffer, SHORT_BYTES, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
}

/* Rank 1 sends `shorts` short messages, which nobody receives for a while, and then a long one.
 * Returns the seconds that rank 0 takes to receive them. Further messages follow, so that the
 * fastbox is equally full at the beginning of each try. */
static double received_behind(int shorts, int bytes)
{
    double start = 0;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 1) {
        MPI_Request request;
        short_messages(shorts);
        OK(MPI_Isend(buffer, bytes, MPI_BYTE, 0, 2, MPI_COMM_WORLD, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else {
        pause_for(2000000);
        start = MPI_Wtime();
        short_messages(shorts);
        OK(MPI_Recv(buffer, bytes, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    double taken = MPI_Wtime() - start;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    short_messages(2 * QUARTER - (shorts + 1) % QUARTER);
    return rank == 0 ? taken : 0;
}

/* Tries all numbers of short messages, and returns how often the messages took as long as a sleep
 * that ends without a wake-up. */
static int late(int bytes)
{
    int times = 0;
    for (int shorts = LINES - 2 * QUARTER; shorts <= LINES + 8; shorts++)
        times += received_behind(shorts, bytes) > late_seconds;
    OK(MPI_Bcast(&times, 1, MPI_INT, 0, MPI_COMM_WORLD));
    return times;
}

/* Returns how often rank 1 goes to sleep while it waits for an answer and its messages are received
 * one by one. */
static long stops_while_read(void)
{
    struct rusage before, after;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 1) {
        for (int i = 0; i < MIDDLE_MESSAGES; i++)
            OK(MPI_Send(buffer, MIDDLE_BYTES, MPI_BYTE, 0, 3, MPI_COMM_WORLD));
        getrusage(RUSAGE_SELF, &before);
        OK(MPI_Recv(NULL, 0, MPI_BYTE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        getrusage(RUSAGE_SELF, &after);
    } else {
        for (int i = 0; i < MIDDLE_MESSAGES; i++) {
            pause_for(2000000);
            OK(MPI_Recv(buffer, MIDDLE_BYTES, MPI_BYTE, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
        OK(MPI_Send(NULL, 0, MPI_BYTE, 1, 4, MPI_COMM_WORLD));
    }
    long stops = rank == 1 ? after.ru_nvcsw - before.ru_nvcsw : 0;
    OK(MPI_Bcast(&stops, 1, MPI_LONG, 1, MPI_COMM_WORLD));
    return stops;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (size_t i = 0; i < sizeof long_bytes / sizeof *long_bytes; i++) {
        int times = 1;
        /* A busy machine may cause a delay, but not in every try. */
        for (int tries = 0; tries < TRIES && times > 0; tries++) times = late(long_bytes[i]);
        CHECK(times == 0, "%d bytes after short messages were late %d times", long_bytes[i], times);
    }
    long least = MIDDLE_MESSAGES;
    for (int tries = 0; tries < TRIES && least > WAKES_MAX; tries++) {
        long stops = stops_while_read();
        least = stops < least ? stops : least;
    }
    CHECK(least <= WAKES_MAX, "woken %ld times while %d messages were received", least,
          MIDDLE_MESSAGES);
    return MPI_Finalize();
}
