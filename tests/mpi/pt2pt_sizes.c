/* Every kind of send with every kind of receive, at every length at which the protocol changes (MPI
 * 5.0 §3.4, §3.7, §3.9): contents arrive, bytes around the buffer are not written, and statuses are
 * right. In the ring every process sends and receives; a single process sends to itself. */

#include "check.h"

enum { SEND, SSEND, RSEND, BSEND, SENDS };
enum { POSTED, PERSISTENT, LATE, BLOCKING, MATCHED, RECEIVES };

static const int lengths[] = {BOUNDARIES};
static int from, to;
static unsigned char *outgoing;

static MPI_Request begin_send(int kind, int length, int tag, int persistent)
{
    static int (*const now[])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                              MPI_Request *) = {MPI_Isend, MPI_Issend, MPI_Irsend, MPI_Ibsend};
    static int (*const init[])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                               MPI_Request *) = {
        MPI_Send_init, MPI_Ssend_init, MPI_Rsend_init, MPI_Bsend_init};
    MPI_Request request;
    if (persistent) {
        OK(init[kind](outgoing, length, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request));
        OK(MPI_Start(&request));
    } else {
        OK(now[kind](outgoing, length, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request));
    }
    return request;
}

static void send_now(int kind, int length, int tag)
{
    static int (*const now[])(const void *, int, MPI_Datatype, int, int,
                              MPI_Comm) = {MPI_Send, MPI_Ssend, MPI_Rsend, MPI_Bsend};
    OK(now[kind](outgoing, length, MPI_BYTE, to, tag, MPI_COMM_WORLD));
}

static void end_receive(int kind, unsigned char *incoming, int capacity, int tag,
                        MPI_Request *request, MPI_Status *status)
{
    MPI_Message message;
    switch (kind) {
    case POSTED:
        OK(MPI_Wait(request, status));
        CHECK(*request == MPI_REQUEST_NULL, "the request is not null after the wait");
        break;
    case PERSISTENT:
        OK(MPI_Wait(request, status));
        CHECK(*request != MPI_REQUEST_NULL, "a persistent request is null after the wait");
        OK(MPI_Request_free(request));
        break;
    case LATE:
        OK(MPI_Irecv(incoming, capacity, MPI_BYTE, from, tag, MPI_COMM_WORLD, request));
        OK(MPI_Wait(request, status));
        break;
    case BLOCKING:
        OK(MPI_Recv(incoming, capacity, MPI_BYTE, from, tag, MPI_COMM_WORLD, status));
        break;
    case MATCHED:
        OK(MPI_Mprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &message, status));
        OK(MPI_Mrecv(incoming, capacity, MPI_BYTE, &message, status));
        CHECK(message == MPI_MESSAGE_NULL, "the message is not null after Mrecv");
        break;
    }
}

/* One message around the ring. `how` is 0 for a nonblocking send, 1 for a persistent one and 2 for
 * a blocking one. */
static void exchange(int send, int receive, int how, int length)
{
    static int tag;
    int capacity = length + 13;
    unsigned char *incoming = guarded(capacity);
    MPI_Request request = MPI_REQUEST_NULL, sending = MPI_REQUEST_NULL;
    MPI_Status status;
    tag++;
    fill(outgoing, length, rank * 1000 + tag);
    if (receive == POSTED)
        OK(MPI_Irecv(incoming, capacity, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &request));
    if (receive == PERSISTENT) {
        OK(MPI_Recv_init(incoming, capacity, MPI_BYTE, from, tag, MPI_COMM_WORLD, &request));
        OK(MPI_Start(&request));
    }
    if (how == 2) send_now(send, length, tag);
    else sending = begin_send(send, length, tag, how);
    status.MPI_ERROR = -77;
    end_receive(receive, incoming, capacity, tag, &request, &status);
    CHECK(status.MPI_ERROR == -77, "a single completion writes MPI_ERROR");
    STATUS(&status, from, tag, length);
    OK(MPI_Wait(&sending, MPI_STATUS_IGNORE));
    if (sending != MPI_REQUEST_NULL) OK(MPI_Request_free(&sending));
    long wrong = first_wrong(incoming, length, from * 1000 + tag);
    CHECK(wrong < 0, "send kind %d, receive kind %d, how %d, %d bytes: byte %ld is wrong", send,
          receive, how, length, wrong);
    CHECK(untouched(incoming, length, capacity),
          "send kind %d, receive kind %d, how %d, %d bytes: bytes around the message were written",
          send, receive, how, length);
    CHECK(first_wrong(outgoing, length, rank * 1000 + tag) < 0, "the send buffer changed");
    free_guarded(incoming);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    to = (rank + 1) % size, from = (rank + size - 1) % size;
    int longest = size <= 2 ? 32 << 20 : 8 << 20, capacity = 64 << 20;
    outgoing = malloc(longest);
    void *attached = malloc(capacity);
    OK(MPI_Buffer_attach(attached, capacity));
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int send = 0; send < SENDS; send++)
            for (int receive = 0; receive < RECEIVES; receive++)
                for (int how = 0; how < 3; how++) {
                    /* A blocking send needs a posted receive, otherwise all processes wait for each
                     * other. */
                    if (how == 2 && send != BSEND && receive > PERSISTENT) continue;
                    if (lengths[i] >= 1 << 20 && how > 0) continue;
                    exchange(send, receive, how, lengths[i]);
                }
    exchange(SEND, POSTED, 0, longest - size);
    exchange(SEND, MATCHED, 0, longest - 4096 - size);
    OK(MPI_Buffer_detach(&attached, &capacity));
    free(attached);
    free(outgoing);
    return MPI_Finalize();
}
