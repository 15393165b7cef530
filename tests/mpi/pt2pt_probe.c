/* Probes return what a receive will get, matched probes remove the message from matching, and
 * neither changes the order of other messages (MPI 5.0 §3.8). */

#include "check.h"

enum { LONGEST = 100000 };

static const int lengths[] = {0, 4, 41, 4073, 16344, 16345, LONGEST};
#define LENGTHS (int)(sizeof lengths / sizeof *lengths)

static int to, from;

static void send_lengths(MPI_Request *requests, unsigned char **sent, int tag)
{
    for (int i = 0; i < LENGTHS; i++) {
        sent[i] = malloc(LONGEST);
        fill(sent[i], lengths[i], rank * 100 + i);
        OK(MPI_Isend(sent[i], lengths[i], MPI_BYTE, to, tag, MPI_COMM_WORLD, &requests[i]));
    }
}

static void done(MPI_Request *requests, unsigned char **sent)
{
    OK(MPI_Waitall(LENGTHS, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < LENGTHS; i++) free(sent[i]);
}

static void right(const unsigned char *incoming, int i)
{
    CHECK(first_wrong(incoming, lengths[i], from * 100 + i) < 0, "message %d is wrong", i);
    CHECK(untouched(incoming, lengths[i], LONGEST), "bytes around message %d were written", i);
}

/* A probe and then a receive, with equal statuses. */
static void probe_then_receive(int poll)
{
    MPI_Request requests[LENGTHS];
    unsigned char *sent[LENGTHS];
    send_lengths(requests, sent, 7);
    for (int i = 0; i < LENGTHS; i++) {
        unsigned char *incoming = guarded(LONGEST);
        MPI_Status status;
        int flag = 0, count;
        if (poll)
            while (!flag)
                OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
        else
            OK(MPI_Probe(i & 1 ? MPI_ANY_SOURCE : from, i & 2 ? MPI_ANY_TAG : 7, MPI_COMM_WORLD,
                         &status));
        STATUS(&status, from, 7, lengths[i]);
        OK(MPI_Get_count(&status, MPI_BYTE, &count));
        OK(MPI_Recv(incoming, count, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                    &status));
        STATUS(&status, from, 7, lengths[i]);
        right(incoming, i);
        free_guarded(incoming);
    }
    done(requests, sent);
    int flag = 1;
    OK(MPI_Iprobe(from, 12345, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK(!flag, "a probe finds a message that was not sent");
}

/* All messages are matched by MPI_Mprobe and then received in another order. Receives that are
 * posted meanwhile match none of them. */
static void matched(int poll)
{
    MPI_Request requests[LENGTHS], receives[LENGTHS], last, closing;
    MPI_Message messages[LENGTHS];
    unsigned char *sent[LENGTHS], *incoming[LENGTHS];
    MPI_Status status;
    int word = rank, got = -1;
    send_lengths(requests, sent, 8);
    OK(MPI_Issend(&word, 1, MPI_INT, to, 8, MPI_COMM_WORLD, &closing));
    for (int i = 0; i < LENGTHS; i++) {
        int flag = 0;
        if (poll)
            while (!flag)
                OK(MPI_Improbe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &messages[i], &status));
        else
            OK(MPI_Mprobe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &messages[i], &status));
        STATUS(&status, from, 8, lengths[i]);
        CHECK(messages[i] != MPI_MESSAGE_NULL && messages[i] != MPI_MESSAGE_NO_PROC,
              "a matched message has no handle");
    }
    OK(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &last));
    for (int k = 0; k < LENGTHS; k++) {
        int i = (k * 3 + 2) % LENGTHS;
        incoming[i] = guarded(LONGEST);
        receives[i] = MPI_REQUEST_NULL;
        if (k & 1) {
            OK(MPI_Imrecv(incoming[i], LONGEST, MPI_BYTE, &messages[i], &receives[i]));
        } else {
            OK(MPI_Mrecv(incoming[i], LONGEST, MPI_BYTE, &messages[i], &status));
            STATUS(&status, from, 8, lengths[i]);
        }
        CHECK(messages[i] == MPI_MESSAGE_NULL, "a received message keeps its handle");
    }
    for (int i = 0; i < LENGTHS; i++) {
        int active = receives[i] != MPI_REQUEST_NULL;
        OK(MPI_Wait(&receives[i], &status));
        if (active) STATUS(&status, from, 8, lengths[i]);
        right(incoming[i], i);
        free_guarded(incoming[i]);
    }
    OK(MPI_Wait(&last, &status));
    STATUS(&status, from, 8, 4);
    CHECK(got == from, "the message after the matched ones is wrong");
    OK(MPI_Wait(&closing, MPI_STATUS_IGNORE));
    done(requests, sent);
}

static void no_process(void)
{
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    int flag = 0;
    OK(MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status));
    STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    OK(MPI_Iprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, &status));
    CHECK(flag, "MPI_Iprobe of MPI_PROC_NULL returns flag 0");
    STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    OK(MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &message, &status));
    CHECK(message == MPI_MESSAGE_NO_PROC,
          "MPI_Mprobe of MPI_PROC_NULL gives another message than MPI_MESSAGE_NO_PROC");
    OK(MPI_Mrecv(NULL, 0, MPI_BYTE, &message, &status));
    CHECK(message == MPI_MESSAGE_NULL, "MPI_MESSAGE_NO_PROC stays after MPI_Mrecv");
    STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    flag = 0;
    OK(MPI_Improbe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, &message, &status));
    CHECK(flag && message == MPI_MESSAGE_NO_PROC, "MPI_Improbe of MPI_PROC_NULL");
    OK(MPI_Imrecv(NULL, 0, MPI_BYTE, &message, &request));
    CHECK(message == MPI_MESSAGE_NULL, "MPI_MESSAGE_NO_PROC stays after MPI_Imrecv");
    OK(MPI_Wait(&request, &status));
    STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
}

/* A matched message that is too long for its receive. */
static void truncated_match(int length, int nonblocking)
{
    MPI_Comm comm;
    MPI_Request sending, request;
    MPI_Message message;
    MPI_Status status;
    unsigned char *sent = malloc(length), *incoming = guarded(10);
    int code;
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    fill(sent, length, rank);
    OK(MPI_Isend(sent, length, MPI_BYTE, to, 1, comm, &sending));
    OK(MPI_Mprobe(from, 1, comm, &message, &status));
    STATUS(&status, from, 1, length);
    if (nonblocking) {
        OK(MPI_Imrecv(incoming, 10, MPI_BYTE, &message, &request));
        code = MPI_Wait(&request, &status);
    } else {
        code = MPI_Mrecv(incoming, 10, MPI_BYTE, &message, &status);
    }
    FAILS(code, MPI_ERR_TRUNCATE);
    CHECK(untouched(incoming, 10, 10), "a truncated message was written past the buffer");
    CHECK(status.MPI_SOURCE == from && status.MPI_TAG == 1,
          "the status of a truncated message names (%d, %d)", status.MPI_SOURCE, status.MPI_TAG);
    OK(MPI_Wait(&sending, MPI_STATUS_IGNORE));
    OK(MPI_Comm_free(&comm));
    free(sent);
    free_guarded(incoming);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    to = (rank + 1) % size, from = (rank + size - 1) % size;
    for (int poll = 0; poll < 2; poll++) {
        probe_then_receive(poll);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        matched(poll);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        truncated_match(100, poll);
        truncated_match(LONGEST, poll);
    }
    no_process();
    return MPI_Finalize();
}
