/* Deferred progress: a receive that matches an announced long message may leave the transfer to the
 * next MPI call, whichever that is, and the sender must go on (MPI 5.0 §3.5, §12.7.3). Rank 1 sends
 * a long message and then writes a word of rank 0's window to show that the send has returned. Rank
 * 0 posts the receive and then only reads that word.
 *
 * sizes: 2 4
 */

#include "check.h"

enum { LONG_BYTES = 3 << 20, WAYS = 5, TIMES = 3 };

static char *message;
static long *words;
static MPI_Win win;

/* Reads this process's own word once, with one of the calls that need no other process. */
static long look(int way)
{
    const long nothing = 0;
    long seen = 0;
    switch (way) {
    case 0:
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        OK(MPI_Fetch_and_op(&nothing, &seen, MPI_LONG, 0, 0, MPI_NO_OP, win));
        OK(MPI_Win_unlock(0, win));
        break;
    case 1:
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        OK(MPI_Get(&seen, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win));
        OK(MPI_Win_flush(0, win));
        OK(MPI_Win_unlock(0, win));
        break;
    case 2:
        OK(MPI_Win_lock_all(0, win));
        OK(MPI_Win_sync(win));
        OK(MPI_Fetch_and_op(&nothing, &seen, MPI_LONG, 0, 0, MPI_NO_OP, win));
        OK(MPI_Win_flush_all(win));
        OK(MPI_Win_unlock_all(win));
        break;
    default: {
        /* Short messages to the calling process, received by a blocking or nonblocking call. */
        long sent = 7, received = 0;
        MPI_Request requests[2];
        if (way == 3) {
            OK(MPI_Irecv(&received, 1, MPI_LONG, 0, 5, MPI_COMM_WORLD, &requests[0]));
            OK(MPI_Isend(&sent, 1, MPI_LONG, 0, 5, MPI_COMM_WORLD, &requests[1]));
            OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        } else {
            OK(MPI_Isend(&sent, 1, MPI_LONG, 0, 5, MPI_COMM_WORLD, &requests[0]));
            OK(MPI_Recv(&received, 1, MPI_LONG, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        }
        CHECK(received == 7, "%ld", received);
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
        OK(MPI_Get(&seen, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win));
        OK(MPI_Win_unlock(0, win));
    }
    }
    return seen;
}

static void receive(int way, long expected, int persistent)
{
    MPI_Request request;
    MPI_Status status;
    memset(message, 0, LONG_BYTES);
    OK(MPI_Probe(1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    if (persistent) {
        OK(MPI_Recv_init(message, LONG_BYTES, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request));
        OK(MPI_Start(&request));
    } else {
        OK(MPI_Irecv(message, LONG_BYTES, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request));
    }
    while (look(way) != expected) {}
    OK(MPI_Wait(&request, &status));
    if (persistent) OK(MPI_Request_free(&request));
    for (int i = 0; i < LONG_BYTES; i++)
        CHECK(message[i] == (char)(expected + i), "byte %d is %d", i, message[i]);
}

static void send(long number)
{
    for (int i = 0; i < LONG_BYTES; i++) message[i] = (char)(number + i);
    OK(MPI_Send(message, LONG_BYTES, MPI_BYTE, 0, 1, MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    OK(MPI_Accumulate(&number, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_REPLACE, win));
    OK(MPI_Win_unlock(0, win));
}

int main(int argc, char **argv)
{
    long number = 0;
    begin(&argc, &argv);
    CHECK((message = malloc(LONG_BYTES)) != NULL, "no memory");
    OK(MPI_Win_allocate(sizeof *words, sizeof *words, MPI_INFO_NULL, MPI_COMM_WORLD, &words, &win));
    words[0] = 0;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int way = 0; way < WAYS; way++) {
        for (int time = 0; time < TIMES; time++) {
            number++;
            if (rank == 0) receive(way, number, time == 1);
            if (rank == 1) send(number);
        }
    }
    OK(MPI_Win_free(&win));
    free(message);
    return MPI_Finalize();
}
