/* MPI_Request_get_status and its variants (MPI 5.0 §3.7.6): results equal to those of the tests,
 * without freeing or deactivating a request, and equal results of repeated calls; null and inactive
 * requests; progress. */

#include "check.h"

enum { N = 6, LENGTH = 30000 };

static MPI_Comm comm;
static int to, from;

static void nothing(void)
{
    MPI_Request none[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status, statuses[2];
    int flag = 7, index = 7, count = 7, indices[2];
    OK(MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status));
    CHECK(flag == 1, "flag %d for the null request", flag);
    EMPTY(&status);
    flag = 7;
    OK(MPI_Request_get_status_all(2, none, &flag, statuses));
    CHECK(flag == 1, "flag %d for null requests", flag);
    EMPTY(&statuses[0]);
    EMPTY(&statuses[1]);
    flag = 7;
    OK(MPI_Request_get_status_any(2, none, &index, &flag, &status));
    CHECK(flag == 1 && index == MPI_UNDEFINED, "flag %d, index %d for null requests", flag, index);
    EMPTY(&status);
    OK(MPI_Request_get_status_some(2, none, &count, indices, statuses));
    CHECK(count == MPI_UNDEFINED, "count %d for null requests", count);
    OK(MPI_Request_get_status_all(0, NULL, &flag, MPI_STATUSES_IGNORE));
    OK(MPI_Request_get_status_any(0, NULL, &index, &flag, MPI_STATUS_IGNORE));
    OK(MPI_Request_get_status_some(0, NULL, &count, NULL, MPI_STATUSES_IGNORE));
    CHECK(flag == 1 && index == MPI_UNDEFINED && count == MPI_UNDEFINED,
          "flag %d, index %d, count %d for no requests", flag, index, count);
    FAILS(MPI_Request_get_status_all(-1, none, &flag, statuses), MPI_ERR_COUNT);
}

/* Receives 0 to N-1, of which those with odd numbers are matched first. Request 4 is the null
 * request. */
static void several(void)
{
    static unsigned char sent[LENGTH], incoming[N][LENGTH];
    MPI_Request requests[N];
    MPI_Status status, statuses[N];
    int flag, index, count, indices[N];
    for (int i = 0; i < N; i++)
        if (i == 4)
            requests[i] = MPI_REQUEST_NULL;
        else
            OK(MPI_Irecv(incoming[i], LENGTH, MPI_BYTE, from, i, comm, &requests[i]));
    OK(MPI_Request_get_status_any(N, requests, &index, &flag, &status));
    CHECK(flag == 0, "index %d is complete", index);
    OK(MPI_Request_get_status_some(N, requests, &count, indices, statuses));
    CHECK(count == 0, "%d are complete", count);
    OK(MPI_Barrier(comm));
    for (int i = 1; i < N; i += 2) {
        fill(sent, LENGTH, rank * 10 + i);
        OK(MPI_Sendrecv(sent, i * 10, MPI_BYTE, to, i, NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, comm,
                        MPI_STATUS_IGNORE));
    }
    do OK(MPI_Request_get_status_some(N, requests, &count, indices, statuses));
    while (count < 3);
    CHECK(count == 3, "%d are complete", count);
    for (int again = 0; again < 2; again++) {
        for (int slot = 0; slot < 3; slot++) {
            CHECK(indices[slot] == 2 * slot + 1, "index %d is at position %d", indices[slot], slot);
            STATUS(&statuses[slot], from, indices[slot], indices[slot] * 10);
        }
        OK(MPI_Request_get_status_some(N, requests, &count, indices, statuses));
        OK(MPI_Request_get_status_any(N, requests, &index, &flag, &status));
        CHECK(flag == 1 && index == 1, "flag %d, index %d", flag, index);
        STATUS(&status, from, 1, 10);
        OK(MPI_Request_get_status_all(N, requests, &flag, statuses));
        CHECK(flag == 0, "MPI_Request_get_status_all returns flag 1 too early");
        OK(MPI_Request_get_status(requests[3], &flag, MPI_STATUS_IGNORE));
        CHECK(flag == 1, "request 3 is no longer complete");
        for (int i = 0; i < N; i++)
            CHECK((requests[i] == MPI_REQUEST_NULL) == (i == 4), "request %d has changed", i);
    }
    OK(MPI_Barrier(comm));
    for (int i = 0; i < 4; i += 2) OK(MPI_Send(sent, i * 10, MPI_BYTE, to, i, comm));
    do OK(MPI_Request_get_status_all(N, requests, &flag, statuses));
    while (!flag);
    for (int i = 0; i < N; i++)
        if (i == 4)
            EMPTY(&statuses[i]);
        else
            STATUS(&statuses[i], from, i, i * 10);
    OK(MPI_Request_get_status_all(N, requests, &flag, MPI_STATUSES_IGNORE));
    CHECK(flag == 1, "the requests are no longer complete");
    OK(MPI_Testall(N, requests, &flag, statuses));
    CHECK(flag == 1, "the requests are complete in one call and not in the other");
    for (int i = 0; i < N; i++) CHECK(requests[i] == MPI_REQUEST_NULL, "request %d is left", i);
}

/* The inquiry alone makes a rendezvous progress until it is complete. */
static void progress(void)
{
    static unsigned char sent[1 << 20], incoming[1 << 20];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int flag = 0, index, count, indices[2];
    for (int way = 0; way < 4; way++) {
        fill(sent, sizeof sent, rank + way);
        OK(MPI_Irecv(incoming, sizeof incoming, MPI_BYTE, from, 20, comm, &requests[0]));
        OK(MPI_Issend(sent, sizeof sent, MPI_BYTE, to, 20, comm, &requests[1]));
        if (way == 0)
            do OK(MPI_Request_get_status_all(2, requests, &flag, statuses));
            while (!flag);
        else if (way == 1)
            do OK(MPI_Request_get_status_some(2, requests, &count, indices, statuses));
            while (count < 2);
        else
            for (int i = 0; i < 2; i++)
                do
                    if (way == 2)
                        OK(MPI_Request_get_status_any(1, &requests[i], &index, &flag,
                                                      &statuses[i]));
                    else
                        OK(MPI_Request_get_status(requests[i], &flag, &statuses[i]));
                while (!flag);
        STATUS(&statuses[0], from, 20, sizeof incoming);
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        CHECK(first_wrong(incoming, sizeof incoming, from + way) < 0,
              "variant %d: the message is wrong", way);
    }
}

/* Inquiry of a persistent request that is inactive, active and complete. Afterwards it can be
 * started again. */
static void persistent(void)
{
    int number = -1, flag, index, count, which;
    MPI_Request requests[2];
    MPI_Status status;
    OK(MPI_Recv_init(&number, 1, MPI_INT, from, 30, comm, &requests[0]));
    OK(MPI_Send_init(&rank, 1, MPI_INT, to, 30, comm, &requests[1]));
    for (int round = 0; round < 3; round++) {
        OK(MPI_Request_get_status_all(2, requests, &flag, MPI_STATUSES_IGNORE));
        CHECK(flag == 1, "inactive requests are not complete");
        OK(MPI_Request_get_status_any(2, requests, &index, &flag, &status));
        CHECK(flag == 1 && index == MPI_UNDEFINED, "flag %d, index %d of inactive requests", flag,
              index);
        EMPTY(&status);
        OK(MPI_Request_get_status_some(2, requests, &count, &which, &status));
        CHECK(count == MPI_UNDEFINED, "%d inactive requests are complete", count);
        OK(MPI_Startall(2, requests));
        do OK(MPI_Request_get_status(requests[0], &flag, &status));
        while (!flag);
        STATUS(&status, from, 30, sizeof(int));
        OK(MPI_Request_get_status(requests[0], &flag, &status));
        STATUS(&status, from, 30, sizeof(int));
        CHECK(number == from, "received %d", number);
        FAILS(MPI_Start(&requests[0]), MPI_ERR_REQUEST);
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Request_free(&requests[1]));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    to = (rank + 1) % size, from = (rank + size - 1) % size;
    nothing();
    several();
    progress();
    persistent();
    OK(MPI_Comm_free(&comm));
    return MPI_Finalize();
}
