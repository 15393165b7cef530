/* Persistent requests (MPI 5.0 §3.9): started many times and all at once, matched with ordinary
 * ones, to MPI_PROC_NULL, with communicators and datatypes that the program has freed, and their
 * errors. */

#include "check.h"

static const int lengths[] = {0, 40, 4073, 16344, 16345, 200000};
enum { KINDS = 4, LENGTHS = sizeof lengths / sizeof *lengths, ROUNDS = 20 };

static int to, from;

static void many_rounds(void)
{
    static int (*const init[KINDS])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                                    MPI_Request *) = {
        MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init, MPI_Rsend_init};
    MPI_Request requests[2 * KINDS * LENGTHS];
    MPI_Status statuses[2 * KINDS * LENGTHS];
    unsigned char *sent[KINDS * LENGTHS], *incoming[KINDS * LENGTHS];
    MPI_Comm comm;
    int n = 0;
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm));
    for (int i = 0; i < LENGTHS; i++)
        for (int kind = 0; kind < KINDS; kind++, n++) {
            sent[n] = malloc(lengths[i] + 1), incoming[n] = guarded(lengths[i]);
            OK(MPI_Recv_init(incoming[n], lengths[i], MPI_BYTE, n & 1 ? from : MPI_ANY_SOURCE, n,
                             comm, &requests[n]));
            OK(init[kind](sent[n], lengths[i], MPI_BYTE, to, n, comm,
                          &requests[KINDS * LENGTHS + n]));
        }
    /* The requests keep the communicator alive. */
    OK(MPI_Comm_free(&comm));
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < n; i++) {
            fill(sent[i], lengths[i / KINDS], round * 1000 + i * 10 + rank);
            memset(incoming[i], GUARD, lengths[i / KINDS]);
        }
        OK(MPI_Startall(2 * n, requests));
        OK(MPI_Waitall(2 * n, requests, statuses));
        for (int i = 0; i < n; i++) {
            int length = lengths[i / KINDS];
            CHECK(requests[i] != MPI_REQUEST_NULL, "a persistent request is null");
            STATUS(&statuses[i], from, i, length);
            CHECK(first_wrong(incoming[i], length, round * 1000 + i * 10 + from) < 0 &&
                  untouched(incoming[i], length, length), "round %d, %d bytes are wrong", round,
                  length);
        }
    }
    for (int i = 0; i < 2 * n; i++) OK(MPI_Request_free(&requests[i]));
    for (int i = 0; i < n; i++) {
        free(sent[i]);
        free_guarded(incoming[i]);
    }
}

static void with_ordinary_requests(void)
{
    int out = rank, in = -1;
    MPI_Request request;
    MPI_Status status;
    OK(MPI_Recv_init(&in, 1, MPI_INT, from, 1, MPI_COMM_WORLD, &request));
    OK(MPI_Start(&request));
    OK(MPI_Send(&out, 1, MPI_INT, to, 1, MPI_COMM_WORLD));
    int flag = 0;
    while (!flag) OK(MPI_Test(&request, &flag, &status));
    STATUS(&status, from, 1, 4);
    CHECK(in == from, "received %d", in);
    OK(MPI_Test(&request, &flag, &status));
    CHECK(flag, "an inactive request is not complete");
    EMPTY(&status);
    OK(MPI_Request_free(&request));
}

static void to_proc_null(void)
{
    MPI_Request requests[2];
    MPI_Status status;
    int number = 5;
    OK(MPI_Send_init(&number, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[0]));
    OK(MPI_Recv_init(&number, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[1]));
    for (int round = 0; round < 3; round++) {
        int index, seen = 0;
        OK(MPI_Startall(2, requests));
        for (int i = 0; i < 2; i++) {
            OK(MPI_Waitany(2, requests, &index, &status));
            CHECK(index == 0 || index == 1, "MPI_Waitany gives %d", index);
            if (index == 1) STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
            seen |= 1 << index;
        }
        CHECK(seen == 3 && number == 5, "MPI_Waitany completes only one of two requests");
        OK(MPI_Waitany(2, requests, &index, &status));
        CHECK(index == MPI_UNDEFINED, "MPI_Waitany of inactive requests gives %d", index);
    }
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Request_free(&requests[1]));
}

static void errors(void)
{
    MPI_Request request, ordinary;
    MPI_Comm comm;
    int in = -1, two[2] = {1, 2};
    OK(MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Recv_init(&in, 1, MPI_INT, 0, 1, comm, &request));
    FAILS(MPI_Cancel(&request), MPI_ERR_REQUEST);
    OK(MPI_Start(&request));
    FAILS(MPI_Start(&request), MPI_ERR_REQUEST);
    OK(MPI_Isend(two, 1, MPI_INT, 0, 1, comm, &ordinary));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&ordinary, MPI_STATUS_IGNORE));
    /* A message that has arrived already and is too long. */
    for (int early = 0; early < 2; early++) {
        if (!early) OK(MPI_Start(&request));
        OK(MPI_Isend(two, 2, MPI_INT, 0, 1, comm, &ordinary));
        int flag = 0;
        for (int i = 0; i < 100; i++) OK(MPI_Iprobe(0, 55, comm, &flag, MPI_STATUS_IGNORE));
        if (early) OK(MPI_Start(&request));
        FAILS(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
        CHECK(request != MPI_REQUEST_NULL, "a failed persistent request is null");
        OK(MPI_Wait(&ordinary, MPI_STATUS_IGNORE));
    }
    OK(MPI_Irecv(&in, 1, MPI_INT, 0, 1, comm, &ordinary));
    FAILS(MPI_Start(&ordinary), MPI_ERR_REQUEST);
    OK(MPI_Cancel(&ordinary));
    OK(MPI_Wait(&ordinary, MPI_STATUS_IGNORE));
    FAILS(MPI_Start(&ordinary), MPI_ERR_REQUEST);
    OK(MPI_Request_free(&request));
    OK(MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    to = (rank + 1) % size, from = (rank + size - 1) % size;
    OK(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    many_rounds();
    with_ordinary_requests();
    to_proc_null();
    errors();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    return MPI_Finalize();
}
