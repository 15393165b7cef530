/* Buffers attached to communicators, sessions and the process (MPI 5.0 §3.6). A send uses the first
 * buffer that exists, in this order, and never two of them. A nonblocking flush waits only for the
 * messages sent before it. Messages on a communicator that is freed are delivered. */

#include "check.h"

enum { LENGTH = 1100000, BUFFER_BYTES = 2 * (LENGTH + MPI_BSEND_OVERHEAD) };

static MPI_Comm comm, plain;
static int to, from;
static unsigned char sent[LENGTH], incoming[LENGTH], own[BUFFER_BYTES], common[BUFFER_BYTES];

static void bsend(MPI_Comm on, int tag)
{
    fill(sent, LENGTH, rank * 100 + tag);
    OK(MPI_Bsend(sent, LENGTH, MPI_BYTE, to, tag, on));
    memset(sent, 0, LENGTH);
}

static void receive(MPI_Comm on, int tag)
{
    MPI_Status status;
    OK(MPI_Recv(incoming, LENGTH, MPI_BYTE, from, tag, on, &status));
    STATUS(&status, from, tag, LENGTH);
    CHECK(first_wrong(incoming, LENGTH, from * 100 + tag) < 0, "message %d is wrong", tag);
}

static void precedence(void)
{
    void *address = NULL;
    int length = -1;
    MPI_Count long_length = -1;
    MPI_Comm copy;
    OK(MPI_Comm_attach_buffer(comm, own, BUFFER_BYTES));
    FAILS(MPI_Comm_attach_buffer(comm, own, BUFFER_BYTES), MPI_ERR_BUFFER);
    FAILS(MPI_Bsend(sent, 1, MPI_BYTE, to, 1, plain), MPI_ERR_BUFFER);
    /* A duplicate of the communicator has no buffer. */
    OK(MPI_Comm_dup(comm, &copy));
    FAILS(MPI_Bsend(sent, 1, MPI_BYTE, to, 1, copy), MPI_ERR_BUFFER);
    OK(MPI_Comm_detach_buffer(copy, &address, &length));
    CHECK(address == NULL && length == 0, "no buffer, but %p and %d", address, length);
    OK(MPI_Comm_free(&copy));

    bsend(comm, 1);
    bsend(comm, 2);
    FAILS(MPI_Bsend(sent, LENGTH, MPI_BYTE, to, 3, comm), MPI_ERR_BUFFER);
    /* The buffer of the process serves other communicators. It is not used when the communicator's
     * own buffer is full. */
    OK(MPI_Buffer_attach(common, BUFFER_BYTES));
    FAILS(MPI_Bsend(sent, LENGTH, MPI_BYTE, to, 3, comm), MPI_ERR_BUFFER);
    bsend(plain, 4);
    bsend(plain, 5);
    FAILS(MPI_Bsend(sent, LENGTH, MPI_BYTE, to, 6, plain), MPI_ERR_BUFFER);
    OK(MPI_Barrier(plain));
    receive(plain, 5);
    receive(plain, 4);
    receive(comm, 1);
    receive(comm, 2);
    OK(MPI_Comm_flush_buffer(comm));
    bsend(comm, 3);
    bsend(comm, 4);
    receive(comm, 3);
    receive(comm, 4);
    OK(MPI_Comm_detach_buffer_c(comm, &address, &long_length));
    CHECK(address == own && long_length == BUFFER_BYTES, "MPI_Comm_detach_buffer_c gives %p, %lld",
          address, (long long)long_length);
    /* Without a buffer of its own, the communicator uses the buffer of the process. */
    bsend(comm, 7);
    receive(comm, 7);
    OK(MPI_Buffer_detach(&address, &length));
    CHECK(address == common && length == BUFFER_BYTES, "MPI_Buffer_detach gives %p, %d", address,
          length);
    FAILS(MPI_Bsend(sent, 1, MPI_BYTE, to, 8, comm), MPI_ERR_BUFFER);
}

/* Without a receive, a long message cannot leave the buffer: the flush returns but is not complete.
 * Short messages leave at once. */
static void flushes(void)
{
    MPI_Request requests[3];
    MPI_Status status;
    int flag = -1;
    void *address;
    int length;
    OK(MPI_Comm_attach_buffer(comm, own, BUFFER_BYTES));
    OK(MPI_Comm_iflush_buffer(comm, &requests[0]));
    OK(MPI_Test(&requests[0], &flag, &status));
    CHECK(flag == 1, "an empty buffer is not flushed");
    EMPTY(&status);

    OK(MPI_Barrier(plain));
    bsend(comm, 1);
    OK(MPI_Comm_iflush_buffer(comm, &requests[0]));
    bsend(comm, 2);
    OK(MPI_Comm_iflush_buffer(comm, &requests[1]));
    OK(MPI_Buffer_iflush(&requests[2]));
    OK(MPI_Test(&requests[2], &flag, MPI_STATUS_IGNORE));
    CHECK(flag == 1, "a flush without a buffer is not complete");
    OK(MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE));
    CHECK(flag == 0, "the flush is complete before the messages are received");
    FAILS(MPI_Cancel(&requests[1]), MPI_ERR_REQUEST);
    OK(MPI_Barrier(plain));

    /* Message 1 is received, message 2 is not: only the first flush completes. */
    receive(comm, 1);
    OK(MPI_Wait(&requests[0], &status));
    EMPTY(&status);
    OK(MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE));
    CHECK(flag == 0, "the flush is complete before message 2 is received");
    OK(MPI_Barrier(plain));
    receive(comm, 2);
    OK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    OK(MPI_Comm_detach_buffer(comm, &address, &length));

    /* The flush of the process's buffer. */
    OK(MPI_Buffer_attach(common, BUFFER_BYTES));
    bsend(plain, 3);
    OK(MPI_Buffer_iflush(&requests[0]));
    OK(MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE));
    CHECK(flag == 0, "the flush is complete before the message is received");
    OK(MPI_Barrier(plain));
    receive(plain, 3);
    OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    OK(MPI_Buffer_detach(&address, &length));
}

/* Automatic buffers have no limit, and their detach returns MPI_BUFFER_AUTOMATIC. */
static void automatic(void)
{
    enum { MESSAGES = 50 };
    void *address = NULL;
    int length = -1;
    OK(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
    FAILS(MPI_Comm_attach_buffer(comm, own, BUFFER_BYTES), MPI_ERR_BUFFER);
    for (int i = 0; i < MESSAGES; i++) bsend(comm, i);
    OK(MPI_Barrier(plain));
    for (int i = MESSAGES - 1; i >= 0; i--) receive(comm, i);
    OK(MPI_Comm_detach_buffer(comm, &address, &length));
    CHECK(address == MPI_BUFFER_AUTOMATIC, "MPI_Comm_detach_buffer gives %p", address);
}

static void persistent(void)
{
    void *address;
    int length;
    MPI_Request request;
    OK(MPI_Comm_attach_buffer(comm, own, BUFFER_BYTES));
    OK(MPI_Bsend_init(sent, LENGTH, MPI_BYTE, to, 9, comm, &request));
    for (int round = 0; round < 4; round++) {
        fill(sent, LENGTH, rank * 100 + 9);
        OK(MPI_Start(&request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        memset(sent, 0, LENGTH);
        receive(comm, 9);
        OK(MPI_Comm_flush_buffer(comm));
    }
    OK(MPI_Request_free(&request));
    OK(MPI_Comm_detach_buffer(comm, &address, &length));
}

static void arguments(void)
{
    void *address;
    int length;
    FAILS(MPI_Comm_attach_buffer(comm, own, -1), MPI_ERR_COUNT);
    FAILS(MPI_Comm_attach_buffer(comm, NULL, 100), MPI_ERR_BUFFER);
    FAILS(MPI_Comm_attach_buffer(MPI_COMM_NULL, own, BUFFER_BYTES), MPI_ERR_COMM);
    FAILS(MPI_Comm_flush_buffer(MPI_COMM_NULL), MPI_ERR_COMM);
    OK(MPI_Comm_attach_buffer(comm, NULL, 0));
    OK(MPI_Bsend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 1, comm));
    FAILS(MPI_Bsend(NULL, 0, MPI_BYTE, to, 1, comm), MPI_ERR_BUFFER);
    OK(MPI_Comm_detach_buffer(comm, &address, &length));
}

/* The buffer of a session serves those of its communicators that have none, before the buffer of
 * the process, and no other communicators. */
static void session(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm of_session;
    MPI_Request request;
    void *address = NULL;
    int length = -1;
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    OK(MPI_Comm_create_from_group(group, "buffers", MPI_INFO_NULL, MPI_ERRORS_RETURN, &of_session));
    OK(MPI_Group_free(&group));
    FAILS(MPI_Bsend(sent, LENGTH, MPI_BYTE, to, 1, of_session), MPI_ERR_BUFFER);
    OK(MPI_Session_attach_buffer(session, own, BUFFER_BYTES));
    FAILS(MPI_Session_attach_buffer(session, own, BUFFER_BYTES), MPI_ERR_BUFFER);
    FAILS(MPI_Bsend(sent, LENGTH, MPI_BYTE, to, 1, plain), MPI_ERR_BUFFER);
    OK(MPI_Buffer_attach(common, BUFFER_BYTES));
    bsend(of_session, 1);
    bsend(of_session, 2);
    FAILS(MPI_Bsend(sent, LENGTH, MPI_BYTE, to, 3, of_session), MPI_ERR_BUFFER);
    bsend(plain, 3);
    OK(MPI_Session_iflush_buffer(session, &request));
    receive(plain, 3);
    receive(of_session, 2);
    receive(of_session, 1);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Session_flush_buffer(session));
    OK(MPI_Session_detach_buffer(session, &address, &length));
    CHECK(address == own && length == BUFFER_BYTES, "MPI_Session_detach_buffer gives %p, %d",
          address, length);
    bsend(of_session, 4);
    receive(of_session, 4);
    OK(MPI_Buffer_detach(&address, &length));
    OK(MPI_Session_attach_buffer(session, MPI_BUFFER_AUTOMATIC, 0));
    bsend(of_session, 5);
    receive(of_session, 5);
    OK(MPI_Comm_free(&of_session));
    OK(MPI_Session_finalize(&session));
    FAILS(MPI_Session_flush_buffer(MPI_SESSION_NULL), MPI_ERR_SESSION);
}

/* The communicator is freed with its buffer, and the messages in it are delivered. */
static void freed(void)
{
    MPI_Comm copy;
    MPI_Request request;
    OK(MPI_Comm_dup(comm, &copy));
    OK(MPI_Comm_attach_buffer(copy, own, BUFFER_BYTES));
    OK(MPI_Irecv(incoming, LENGTH, MPI_BYTE, from, 1, copy, &request));
    bsend(copy, 1);
    OK(MPI_Comm_free(&copy));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(first_wrong(incoming, LENGTH, from * 100 + 1) < 0,
          "the message of a freed communicator is wrong");
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &plain));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(plain, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    to = (rank + 1) % size, from = (rank + size - 1) % size;
    precedence();
    flushes();
    automatic();
    persistent();
    arguments();
    freed();
    session();
    OK(MPI_Comm_free(&comm));
    OK(MPI_Comm_free(&plain));
    return MPI_Finalize();
}
