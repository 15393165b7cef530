/* The wait and test calls, MPI_Request_get_status and MPI_Request_free with null, inactive,
 * persistent, complete and failed requests (MPI 5.0 §3.7.3 to §3.7.7). Each process sends messages
 * to itself, so that it knows which requests are complete. */

#include "check.h"

enum { LARGE = 100000 };

static MPI_Comm comm;

static MPI_Request inactive(void)
{
    MPI_Request request;
    OK(MPI_Recv_init(NULL, 0, MPI_BYTE, 0, 77, comm, &request));
    return request;
}

static MPI_Request receive(int *into, int tag)
{
    MPI_Request request;
    *into = -1;
    OK(MPI_Irecv(into, 1, MPI_INT, 0, tag, comm, &request));
    return request;
}

static void send(int number, int tag)
{
    static int numbers[100];
    MPI_Request request;
    numbers[number] = number;
    OK(MPI_Isend(&numbers[number], 1, MPI_INT, 0, tag, comm, &request));
    OK(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL,
          "MPI_Request_free does not set the handle to MPI_REQUEST_NULL");
}

static void nothing_active(void)
{
    MPI_Status status, statuses[3];
    int flag, index, count, indices[3];
    MPI_Request none = MPI_REQUEST_NULL, idle = inactive();
    MPI_Request both[3] = {MPI_REQUEST_NULL, idle, MPI_REQUEST_NULL};

    for (int i = 0; i < 2; i++) {
        MPI_Request *request = i ? &idle : &none;
        memset(&status, 0x55, sizeof status);
        OK(MPI_Wait(request, &status));
        EMPTY(&status);
        memset(&status, 0x55, sizeof status);
        flag = 0;
        OK(MPI_Test(request, &flag, &status));
        CHECK(flag, "a test of no operation is not complete");
        EMPTY(&status);
        memset(&status, 0x55, sizeof status);
        flag = 0;
        OK(MPI_Request_get_status(*request, &flag, &status));
        CHECK(flag, "MPI_Request_get_status of no operation is not complete");
        EMPTY(&status);
    }
    CHECK(idle != MPI_REQUEST_NULL, "a wait sets an inactive request to MPI_REQUEST_NULL");

    for (int n = 0; n <= 3; n += 3) {
        MPI_Request *array = n ? both : NULL;
        memset(statuses, 0x55, sizeof statuses);
        OK(MPI_Waitall(n, array, statuses));
        for (int i = 0; i < n; i++) EMPTY(&statuses[i]);
        flag = 0;
        memset(statuses, 0x55, sizeof statuses);
        OK(MPI_Testall(n, array, &flag, statuses));
        CHECK(flag, "MPI_Testall of no operations is not complete");
        for (int i = 0; i < n; i++) EMPTY(&statuses[i]);
        index = 5;
        memset(&status, 0x55, sizeof status);
        OK(MPI_Waitany(n, array, &index, &status));
        CHECK(index == MPI_UNDEFINED, "MPI_Waitany of no operations gives index %d", index);
        EMPTY(&status);
        index = 5, flag = 0;
        memset(&status, 0x55, sizeof status);
        OK(MPI_Testany(n, array, &index, &flag, &status));
        CHECK(flag && index == MPI_UNDEFINED,
              "MPI_Testany of no operations gives flag %d, index %d", flag, index);
        EMPTY(&status);
        count = 5;
        OK(MPI_Waitsome(n, array, &count, indices, statuses));
        CHECK(count == MPI_UNDEFINED, "MPI_Waitsome of no operations gives %d", count);
        count = 5;
        OK(MPI_Testsome(n, array, &count, indices, statuses));
        CHECK(count == MPI_UNDEFINED, "MPI_Testsome of no operations gives %d", count);
    }
    OK(MPI_Request_free(&idle));
    CHECK(idle == MPI_REQUEST_NULL,
          "MPI_Request_free does not set the handle of an inactive request to MPI_REQUEST_NULL");
}

/* Some of several requests are complete. */
static void some_complete(void)
{
    MPI_Status status, statuses[5];
    int got[5], flag, index, count, indices[5];
    MPI_Request idle = inactive();
    MPI_Request requests[5] = {MPI_REQUEST_NULL, receive(&got[1], 1), idle, receive(&got[3], 3),
                               receive(&got[4], 4)};

    flag = 5;
    OK(MPI_Testall(5, requests, &flag, MPI_STATUSES_IGNORE));
    CHECK(!flag, "MPI_Testall of unmatched receives is complete");
    index = 5, flag = 5;
    OK(MPI_Testany(5, requests, &index, &flag, &status));
    CHECK(!flag && index == MPI_UNDEFINED, "MPI_Testany gives flag %d, index %d", flag, index);
    count = 5;
    OK(MPI_Testsome(5, requests, &count, indices, MPI_STATUSES_IGNORE));
    CHECK(count == 0, "MPI_Testsome of unmatched receives gives %d", count);

    send(33, 3);
    for (flag = 0; !flag;) OK(MPI_Request_get_status(requests[3], &flag, &status));
    STATUS(&status, 0, 3, 4);
    flag = 0;
    OK(MPI_Request_get_status(requests[3], &flag, &status));
    CHECK(flag, "MPI_Request_get_status no longer returns that the request is complete");
    STATUS(&status, 0, 3, 4);
    flag = 5;
    OK(MPI_Testall(5, requests, &flag, MPI_STATUSES_IGNORE));
    CHECK(!flag && requests[3] != MPI_REQUEST_NULL, "MPI_Testall with flag 0 completes a request");
    status.MPI_ERROR = -77;
    OK(MPI_Waitany(5, requests, &index, &status));
    CHECK(index == 3 && got[3] == 33, "MPI_Waitany gives index %d", index);
    CHECK(requests[3] == MPI_REQUEST_NULL, "MPI_Waitany leaves a handle");
    CHECK(status.MPI_ERROR == -77, "MPI_Waitany writes MPI_ERROR");
    STATUS(&status, 0, 3, 4);

    send(44, 4);
    send(11, 1);
    int seen[5] = {0, 0, 0, 0, 0};
    for (int total = 0; total < 2; total += count) {
        for (int i = 0; i < 5; i++) statuses[i].MPI_ERROR = -77;
        OK(MPI_Waitsome(5, requests, &count, indices, statuses));
        CHECK(count >= 1 && count <= 2, "MPI_Waitsome gives %d", count);
        for (int i = 0; i < count; i++) {
            int which = indices[i];
            CHECK((which == 1 || which == 4) && !seen[which]++, "MPI_Waitsome gives index %d",
                  which);
            CHECK(got[which] == 11 * which, "receive %d got %d", which, got[which]);
            CHECK(statuses[i].MPI_ERROR == MPI_SUCCESS, "MPI_Waitsome sets MPI_ERROR to %d",
                  statuses[i].MPI_ERROR);
            STATUS(&statuses[i], 0, which, 4);
            CHECK(requests[which] == MPI_REQUEST_NULL, "MPI_Waitsome leaves a handle");
        }
    }
    CHECK(requests[2] == idle, "a wait changes an inactive request");
    OK(MPI_Request_free(&idle));
}

/* Two of four operations fail: the call returns MPI_ERR_IN_STATUS, and each status holds the error
 * of its operation. */
static void failures(int which)
{
    int got[4], two[2] = {1, 2}, flag = 0, count, indices[4], class;
    MPI_Request requests[4], sending[4];
    MPI_Status statuses[4];
    for (int i = 0; i < 4; i++) requests[i] = receive(&got[i], i);
    for (int i = 0; i < 4; i++) OK(MPI_Isend(two, i % 2 ? 2 : 1, MPI_INT, 0, i, comm, &sending[i]));
    OK(MPI_Waitall(4, sending, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 4; i++)
        for (flag = 0; !flag;) OK(MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE));
    int code = MPI_SUCCESS;
    count = 4;
    for (int i = 0; i < 4; i++) indices[i] = i;
    switch (which) {
    case 0: code = MPI_Waitall(4, requests, statuses); break;
    case 1:
        code = MPI_Testall(4, requests, &flag, statuses);
        CHECK(flag, "MPI_Testall with failed requests returns flag 0");
        break;
    case 2: code = MPI_Waitsome(4, requests, &count, indices, statuses); break;
    case 3: code = MPI_Testsome(4, requests, &count, indices, statuses); break;
    case 4: code = MPI_Waitall(4, requests, MPI_STATUSES_IGNORE); break;
    }
    FAILS(code, MPI_ERR_IN_STATUS);
    CHECK(count == 4, "%d of 4 are complete", count);
    for (int i = 0; i < 4; i++) {
        CHECK(requests[i] == MPI_REQUEST_NULL, "request %d stays", i);
        CHECK(got[i] == 1, "receive %d got %d", i, got[i]);
        if (which == 4) continue;
        OK(MPI_Error_class(statuses[i].MPI_ERROR, &class));
        int wanted = indices[i] % 2 ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
        CHECK(class == wanted, "status %d has class %d, %d is expected", i, class, wanted);
        CHECK(statuses[i].MPI_TAG == indices[i], "status %d has tag %d", i, statuses[i].MPI_TAG);
    }
}

/* The error handler is called with the error of the failed operation, and the call returns
 * MPI_ERR_IN_STATUS (MPI 5.0 §9.3). */
static int handler_class;

static void listen(MPI_Comm *on, int *code, ...)
{
    CHECK(*on == comm, "the error handler is called for another communicator");
    MPI_Error_class(*code, &handler_class);
}

static void handler_gets_the_cause(void)
{
    MPI_Errhandler handler;
    MPI_Request requests[2];
    int got[2], two[2] = {1, 2};
    OK(MPI_Comm_create_errhandler(listen, &handler));
    OK(MPI_Comm_set_errhandler(comm, handler));
    requests[0] = receive(&got[0], 0);
    requests[1] = receive(&got[1], 1);
    for (int tag = 0; tag < 2; tag++) {
        MPI_Request sending;
        OK(MPI_Isend(two, 2, MPI_INT, 0, tag, comm, &sending));
        OK(MPI_Wait(&sending, MPI_STATUS_IGNORE));
        if (tag == 0) FAILS(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
        else FAILS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE), MPI_ERR_IN_STATUS);
        CHECK(handler_class == MPI_ERR_TRUNCATE, "the error handler is called with class %d",
              handler_class);
        handler_class = 0;
    }
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    OK(MPI_Errhandler_free(&handler));
}

/* Calls that complete several requests write MPI_SUCCESS to each status. Calls that complete one
 * request do not write the field. */
static void errors_of_statuses(void)
{
    enum { WAITALL, TESTALL, WAITSOME, TESTSOME, CALLS };
    MPI_Request requests[2];
    MPI_Status statuses[2];
    for (int call = 0; call < CALLS; call++) {
        int sent = 5, got = 0, flag = 0, done = 0, count, places[2];
        requests[0] = receive(&got, 0);
        OK(MPI_Isend(&sent, 1, MPI_INT, 0, 0, comm, &requests[1]));
        statuses[0].MPI_ERROR = statuses[1].MPI_ERROR = 77;
        switch (call) {
        case WAITALL: OK(MPI_Waitall(2, requests, statuses)); break;
        case TESTALL:
            while (!flag) OK(MPI_Testall(2, requests, &flag, statuses));
            break;
        default:
            while (done < 2) {
                if (call == WAITSOME)
                    OK(MPI_Waitsome(2, requests, &count, places, statuses + done));
                else OK(MPI_Testsome(2, requests, &count, places, statuses + done));
                done += count;
            }
        }
        for (int i = 0; i < 2; i++)
            CHECK(statuses[i].MPI_ERROR == MPI_SUCCESS, "call %d sets MPI_ERROR to %d in status %d",
                  call, statuses[i].MPI_ERROR, i);
    }
    int sent = 5, got = 0, flag = 0;
    for (int testing = 0; testing < 2; testing++) {
        requests[0] = receive(&got, 0);
        OK(MPI_Send(&sent, 1, MPI_INT, 0, 0, comm));
        statuses[0].MPI_ERROR = 77;
        if (!testing) OK(MPI_Wait(requests, statuses));
        else
            while (!flag) OK(MPI_Test(requests, &flag, statuses));
        CHECK(statuses[0].MPI_ERROR == 77, "a call for one request writes %d",
              statuses[0].MPI_ERROR);
    }
}

/* Active requests that are freed still complete. */
static void freed_active(void)
{
    unsigned char *sent = malloc(LARGE), *incoming = guarded(LARGE);
    MPI_Request request, persistent;
    MPI_Status status;
    int flag = 0;
    fill(sent, LARGE, 5);
    OK(MPI_Irecv(incoming, LARGE, MPI_BYTE, 0, 9, comm, &request));
    OK(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL,
          "MPI_Request_free does not set the handle to MPI_REQUEST_NULL");
    OK(MPI_Send_init(sent, LARGE, MPI_BYTE, 0, 9, comm, &persistent));
    OK(MPI_Start(&persistent));
    OK(MPI_Wait(&persistent, MPI_STATUS_IGNORE));
    /* The receive has no request any more. Its bytes arrive with progress. */
    while (first_wrong(incoming, LARGE, 5) >= 0)
        OK(MPI_Iprobe(0, 99, comm, &flag, MPI_STATUS_IGNORE));
    CHECK(untouched(incoming, LARGE, LARGE), "the receive wrote beyond its buffer");
    memset(incoming, GUARD, LARGE);
    OK(MPI_Start(&persistent));
    OK(MPI_Request_free(&persistent));
    OK(MPI_Recv(incoming, LARGE, MPI_BYTE, 0, 9, comm, &status));
    STATUS(&status, 0, 9, LARGE);
    CHECK(first_wrong(incoming, LARGE, 5) < 0, "a freed persistent send brings wrong bytes");
    for (int i = 0; i < 20; i++) OK(MPI_Iprobe(0, 99, comm, &flag, MPI_STATUS_IGNORE));
    free(sent);
    free_guarded(incoming);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    OK(MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    nothing_active();
    some_complete();
    for (int which = 0; which < 5; which++) failures(which);
    handler_gets_the_cause();
    errors_of_statuses();
    freed_active();
    OK(MPI_Comm_free(&comm));
    return MPI_Finalize();
}
