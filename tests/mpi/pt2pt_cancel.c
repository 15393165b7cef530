/* MPI_Cancel (MPI 5.0 §3.8.4): an operation is either cancelled or complete, never both, and a wait
 * for it returns. Posted receives, receives among others, persistent receives, and sends of every
 * protocol. */

#include "check.h"

enum { LONG = 200000, MANY = 200 };

static int to, from;

static int was_cancelled(MPI_Request *request)
{
    MPI_Status status;
    int flag = -1;
    OK(MPI_Wait(request, &status));
    OK(MPI_Test_cancelled(&status, &flag));
    return flag;
}

/* Every other one of many equal receives is cancelled. The messages match the remaining ones in
 * order. */
static void receives(void)
{
    MPI_Request requests[MANY];
    int got[MANY];
    for (int i = 0; i < MANY; i++) {
        got[i] = -1;
        OK(MPI_Irecv(&got[i], 1, MPI_INT, i % 3 ? from : MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
                     &requests[i]));
    }
    for (int i = 0; i < MANY; i += 2) OK(MPI_Cancel(&requests[i]));
    for (int i = 0; i < MANY; i += 2) {
        CHECK(requests[i] != MPI_REQUEST_NULL, "MPI_Cancel sets the request to MPI_REQUEST_NULL");
        CHECK(was_cancelled(&requests[i]), "a posted receive is not cancelled");
        CHECK(got[i] == -1, "a cancelled receive has written its buffer");
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < MANY / 2; i++) OK(MPI_Send(&i, 1, MPI_INT, to, 1, MPI_COMM_WORLD));
    for (int i = 1; i < MANY; i += 2) {
        CHECK(!was_cancelled(&requests[i]), "a receive is cancelled without a call to MPI_Cancel");
        CHECK(got[i] == i / 2, "receive %d got message %d", i, got[i]);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* A receive whose message has arrived cannot be cancelled. */
static void late(int length)
{
    unsigned char *sent = malloc(length), *incoming = guarded(length);
    MPI_Request request, sending;
    MPI_Status status;
    int flag = 0, cancelled = -1;
    fill(sent, length, rank);
    OK(MPI_Irecv(incoming, length, MPI_BYTE, from, 2, MPI_COMM_WORLD, &request));
    OK(MPI_Isend(sent, length, MPI_BYTE, to, 2, MPI_COMM_WORLD, &sending));
    while (!flag) OK(MPI_Request_get_status(request, &flag, &status));
    OK(MPI_Cancel(&request));
    OK(MPI_Wait(&request, &status));
    OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK(!cancelled, "a complete receive is cancelled");
    STATUS(&status, from, 2, length);
    CHECK(first_wrong(incoming, length, from) < 0, "the message is wrong");
    OK(MPI_Wait(&sending, MPI_STATUS_IGNORE));
    free(sent);
    free_guarded(incoming);
}

/* A persistent receive can be cancelled and started again. */
static void persistent(void)
{
    MPI_Request request;
    int got = -1, out = rank;
    MPI_Status status;
    OK(MPI_Recv_init(&got, 1, MPI_INT, from, 3, MPI_COMM_WORLD, &request));
    /* The next process must not send before this one has cancelled its receive. */
    for (int round = 0; round < 3; round++) {
        OK(MPI_Start(&request));
        OK(MPI_Cancel(&request));
        CHECK(was_cancelled(&request), "a persistent receive is not cancelled");
        CHECK(request != MPI_REQUEST_NULL, "a persistent request is null after a cancel");
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Start(&request));
    OK(MPI_Sendrecv(&out, 1, MPI_INT, to, 3, NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
    OK(MPI_Wait(&request, &status));
    STATUS(&status, from, 3, 4);
    CHECK(got == from, "the receive after a cancelled one got %d", got);
    OK(MPI_Request_free(&request));
}

/* Sends without a matching receive are cancelled or delivered, and the receiver sees exactly the
 * messages that were not cancelled. The last message is never cancelled. */
static void sends(int length, int synchronous, int count)
{
    unsigned char *sent = malloc(length), *incoming = malloc(LONG);
    MPI_Request *requests = malloc(count * sizeof *requests), ending;
    int arrived = 0, cancelled = 0, expected;
    fill(sent, length, rank);
    for (int i = 0; i < count; i++) {
        if (synchronous)
            OK(MPI_Issend(sent, length, MPI_BYTE, to, 4, MPI_COMM_WORLD, &requests[i]));
        else OK(MPI_Isend(sent, length, MPI_BYTE, to, 4, MPI_COMM_WORLD, &requests[i]));
    }
    for (int i = count - 1; i >= 0; i--)
        if (requests[i] != MPI_REQUEST_NULL) OK(MPI_Cancel(&requests[i]));
    for (int i = 0; i < count; i++) cancelled += was_cancelled(&requests[i]);
    CHECK(!synchronous || cancelled == count,
          "%d of %d synchronous sends without a receive are cancelled", cancelled, count);
    cancelled = count - cancelled;
    OK(MPI_Sendrecv(&cancelled, 1, MPI_INT, to, 6, &expected, 1, MPI_INT, from, 6, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
    OK(MPI_Isend(NULL, 0, MPI_BYTE, to, 5, MPI_COMM_WORLD, &ending));
    for (;;) {
        MPI_Status status;
        OK(MPI_Recv(incoming, LONG, MPI_BYTE, from, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        if (status.MPI_TAG == 5) break;
        STATUS(&status, from, 4, length);
        CHECK(first_wrong(incoming, length, from) < 0, "a message that was not cancelled is wrong");
        arrived++;
    }
    CHECK(arrived == expected, "%d messages of %d bytes arrived, %d were not cancelled", arrived,
          length, expected);
    OK(MPI_Wait(&ending, MPI_STATUS_IGNORE));
    free(sent);
    free(incoming);
    free(requests);
}

/* For a send to the calling process, MPI_Cancel decides at once, because no other process takes
 * part. */
static void to_myself(int length)
{
    unsigned char *sent = calloc(length + 1, 1);
    MPI_Request request;
    MPI_Status status;
    int flag = -1, cancelled = -1;
    OK(MPI_Issend(sent, length, MPI_BYTE, 0, 7, MPI_COMM_SELF, &request));
    OK(MPI_Cancel(&request));
    OK(MPI_Request_get_status(request, &flag, &status));
    CHECK(flag, "a cancelled send to oneself is not complete");
    OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK(cancelled, "a send to the own rank that nobody receives is not cancelled");
    OK(MPI_Wait(&request, &status));
    OK(MPI_Iprobe(0, 7, MPI_COMM_SELF, &flag, &status));
    CHECK(!flag, "a cancelled message was received");
    free(sent);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    to = (rank + 1) % size, from = (rank + size - 1) % size;
    receives();
    late(4);
    late(LONG);
    persistent();
    to_myself(0);
    to_myself(LONG);
    static const int lengths[] = {0, 4, 41, 16344, 16345, LONG};
    for (int i = 0; i < 6; i++)
        for (int synchronous = 0; synchronous < 2; synchronous++) {
            sends(lengths[i], synchronous, 5);
            OK(MPI_Barrier(MPI_COMM_WORLD));
        }
    sends(16000, 0, 300);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    return MPI_Finalize();
}
