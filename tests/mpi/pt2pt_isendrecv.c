/* MPI_Isendrecv and MPI_Isendrecv_replace (MPI 5.0 §3.10): one request for both halves, whose
 * status is that of the receive; no deadlock in a ring or with the own rank at any length;
 * MPI_PROC_NULL on either side; layouts with gaps; errors of the receive; all ways to complete the
 * request. */

#include "check.h"

static MPI_Comm comm;
static int to, from;

static void ring(int bytes)
{
    unsigned char *sent = guarded(bytes), *incoming = guarded(bytes);
    MPI_Request request;
    MPI_Status status;
    fill(sent, bytes, rank);
    OK(MPI_Isendrecv(sent, bytes, MPI_BYTE, to, 1, incoming, bytes, MPI_BYTE, from, 1, comm,
                     &request));
    CHECK(request != MPI_REQUEST_NULL, "the request is null");
    OK(MPI_Wait(&request, &status));
    CHECK(request == MPI_REQUEST_NULL, "the request is not null after the wait");
    STATUS(&status, from, 1, bytes);
    CHECK(first_wrong(incoming, bytes, from) < 0, "%d bytes: byte %ld is wrong", bytes,
          first_wrong(incoming, bytes, from));
    CHECK(first_wrong(sent, bytes, rank) < 0, "the send buffer has changed");
    CHECK(untouched(incoming, bytes, bytes), "bytes around the buffer were written");

    OK(MPI_Isendrecv_replace(sent, bytes, MPI_BYTE, to, 2, MPI_ANY_SOURCE, MPI_ANY_TAG, comm,
                             &request));
    int flag = 0;
    while (!flag) OK(MPI_Test(&request, &flag, &status));
    STATUS(&status, from, 2, bytes);
    CHECK(first_wrong(sent, bytes, from) < 0, "replaced, %d bytes: byte %ld is wrong", bytes,
          first_wrong(sent, bytes, from));
    CHECK(untouched(sent, bytes, bytes), "bytes around the buffer were written");
    free_guarded(sent), free_guarded(incoming);
}

/* Many outstanding exchanges, completed together or one by one, in another order than they were
 * started. */
static void many(void)
{
    enum { MANY = 40 };
    static int sent[MANY][3000], incoming[MANY][3000];
    MPI_Request requests[MANY];
    MPI_Status statuses[MANY];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++) {
            int length = i % 4 * 1000;
            for (int k = 0; k < 3000; k++)
                sent[i][k] = rank * 1000003 + i * 1009 + k, incoming[i][k] = -1;
            OK(MPI_Isendrecv(sent[i], length, MPI_INT, to, i, incoming[i], 3000, MPI_INT, from, i,
                             comm, &requests[i]));
        }
        if (round == 0)
            OK(MPI_Waitall(MANY, requests, statuses));
        else
            for (int left = MANY; left > 0; left--) {
                int index;
                MPI_Status status;
                OK(MPI_Waitany(MANY, requests, &index, &status));
                CHECK(index >= 0 && index < MANY, "index %d", index);
                statuses[index] = status;
            }
        for (int i = 0; i < MANY; i++) {
            STATUS(&statuses[i], from, i, (long)(i % 4 * 1000 * sizeof(int)));
            for (int k = 0; k < 3000; k++) {
                int expected = k < i % 4 * 1000 ? from * 1000003 + i * 1009 + k : -1;
                CHECK(incoming[i][k] == expected, "exchange %d, element %d: %d instead of %d", i, k,
                      incoming[i][k], expected);
            }
        }
    }
}

static void proc_null(void)
{
    int number = 5, incoming = 6;
    MPI_Request request;
    MPI_Status status;
    OK(MPI_Isendrecv(&number, 1, MPI_INT, MPI_PROC_NULL, 1, &incoming, 1, MPI_INT, MPI_PROC_NULL, 1,
                     comm, &request));
    OK(MPI_Wait(&request, &status));
    STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    CHECK(incoming == 6, "a receive from MPI_PROC_NULL wrote its buffer");

    /* Only one half has a partner. */
    OK(MPI_Isendrecv(&rank, 1, MPI_INT, to, 3, &incoming, 1, MPI_INT, MPI_PROC_NULL, 3, comm,
                     &request));
    OK(MPI_Recv(&number, 1, MPI_INT, from, 3, comm, MPI_STATUS_IGNORE));
    CHECK(number == from, "received %d", number);
    OK(MPI_Wait(&request, &status));
    STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    OK(MPI_Isendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 3, &incoming, 1, MPI_INT, from, 4, comm,
                     &request));
    OK(MPI_Send(&rank, 1, MPI_INT, to, 4, comm));
    OK(MPI_Wait(&request, &status));
    STATUS(&status, from, 4, sizeof(int));
    CHECK(incoming == from, "received %d", incoming);
}

/* Every other element of some pairs is replaced in place, and the elements between them are not
 * written. The count is a large count. */
static void holes(void)
{
    enum { BLOCKS = 5000 };
    static int data[2 * BLOCKS];
    MPI_Datatype strided;
    MPI_Request request;
    OK(MPI_Type_vector(BLOCKS, 1, 2, MPI_INT, &strided));
    OK(MPI_Type_commit(&strided));
    for (int i = 0; i < 2 * BLOCKS; i++) data[i] = i % 2 ? -i : rank * 100000 + i;
    OK(MPI_Isendrecv_replace_c(data, 1, strided, to, 5, from, 5, comm, &request));
    /* The datatype may be freed while it is in use. */
    OK(MPI_Type_free(&strided));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < 2 * BLOCKS; i++)
        CHECK(data[i] == (i % 2 ? -i : from * 100000 + i), "place %d holds %d", i, data[i]);
}

static void errors(void)
{
    int sent[4] = {1, 2, 3, 4}, incoming[4] = {0}, shorter[1];
    MPI_Request request, requests[2];
    MPI_Status statuses[2];
    FAILS(MPI_Isendrecv(sent, -1, MPI_INT, to, 1, incoming, 1, MPI_INT, from, 1, comm, &request),
          MPI_ERR_COUNT);
    FAILS(MPI_Isendrecv(sent, 1, MPI_INT, size, 1, incoming, 1, MPI_INT, from, 1, comm, &request),
          MPI_ERR_RANK);
    FAILS(MPI_Isendrecv(sent, 1, MPI_INT, to, 1, incoming, 1, MPI_INT, from, -7, comm, &request),
          MPI_ERR_TAG);
    FAILS(MPI_Isendrecv(sent, 1, MPI_INT, to, 1, incoming, 1, MPI_DATATYPE_NULL, from, 1, comm,
                        &request), MPI_ERR_TYPE);
    FAILS(MPI_Isendrecv_replace(sent, 1, MPI_INT, to, 1, from, 1, MPI_COMM_NULL, &request),
          MPI_ERR_COMM);

    OK(MPI_Isendrecv(sent, 4, MPI_INT, MPI_PROC_NULL, 6, incoming, 2, MPI_INT, from, 6, comm,
                     &request));
    FAILS(MPI_Cancel(&request), MPI_ERR_REQUEST);
    OK(MPI_Barrier(comm));
    OK(MPI_Send(sent, 4, MPI_INT, to, 6, comm));
    FAILS(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    CHECK(incoming[1] == 2 && incoming[2] == 0, "the truncated message is %d %d %d", incoming[0],
          incoming[1], incoming[2]);
    OK(MPI_Isendrecv(sent, 4, MPI_INT, to, 7, incoming, 4, MPI_INT, from, 7, comm, &requests[0]));
    OK(MPI_Isendrecv(sent, 4, MPI_INT, to, 8, shorter, 1, MPI_INT, from, 8, comm, &requests[1]));
    FAILS(MPI_Waitall(2, requests, statuses), MPI_ERR_IN_STATUS);
    int class = -1;
    OK(MPI_Error_class(statuses[1].MPI_ERROR, &class));
    CHECK(statuses[0].MPI_ERROR == MPI_SUCCESS && class == MPI_ERR_TRUNCATE, "codes %d and %d",
          statuses[0].MPI_ERROR, class);
}

/* The request is freed, and the exchange still completes (MPI 5.0 §3.7.3). */
static void freed(void)
{
    int incoming = -1;
    MPI_Request request;
    OK(MPI_Isendrecv(&rank, 1, MPI_INT, to, 9, &incoming, 1, MPI_INT, from, 9, comm, &request));
    OK(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL, "the handle is not null");
    for (volatile int *came = &incoming; *came != from;) {
        int flag;
        OK(MPI_Iprobe(MPI_ANY_SOURCE, 99, comm, &flag, MPI_STATUS_IGNORE));
    }
}

int main(int argc, char **argv)
{
    static const int lengths[] = {BOUNDARIES};
    begin(&argc, &argv);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    to = (rank + 1) % size, from = (rank + size - 1) % size;
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) ring(lengths[i]);
    many();
    proc_null();
    holes();
    errors();
    OK(MPI_Barrier(comm));
    freed();
    OK(MPI_Comm_free(&comm));
    return MPI_Finalize();
}
