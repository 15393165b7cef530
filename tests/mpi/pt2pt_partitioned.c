/* Partitioned communication (MPI 5.0 chapter 4): partitions arrive when they are ready,
 * independently of the others; the numbers of partitions differ between the two sides;
 * initialisations match in order; the sender may be far ahead; invalid arguments and calls. */

#include "check.h"

static MPI_Comm comm;
static int to, from;

static int has(MPI_Request request, int partition)
{
    int flag = -1;
    OK(MPI_Parrived(request, partition, &flag));
    CHECK(flag == 0 || flag == 1, "flag %d", flag);
    return flag;
}

static void wait_for(MPI_Request request, int partition)
{
    while (!has(request, partition)) continue;
}

/* `sends` partitions of the sender match `receives` partitions of the receiver. They become ready
 * in an order that starts in the middle. */
static void ring(int sends, int receives, int total)
{
    int each = total / sends, theirs = total / receives;
    unsigned char *sent = guarded(total), *incoming = guarded(total), *expected = guarded(total);
    MPI_Request sending, receiving;
    MPI_Status status;
    OK(MPI_Psend_init(sent, sends, each, MPI_BYTE, to, 3, comm, MPI_INFO_NULL, &sending));
    OK(MPI_Precv_init(incoming, receives, theirs, MPI_BYTE, from, 3, comm, MPI_INFO_NULL,
                      &receiving));
    CHECK(has(receiving, 0), "a partition of an inactive request has not arrived");
    for (int round = 0; round < 3; round++) {
        memset(incoming, GUARD, total);
        fill(sent, total, rank * 10 + round);
        fill(expected, total, from * 10 + round);
        OK(MPI_Start(&receiving));
        for (int i = 0; i < receives; i++)
            CHECK(!has(receiving, i), "partition %d has arrived before it was sent", i);
        OK(MPI_Barrier(comm));
        OK(MPI_Start(&sending));
        if (round == 2)
            OK(MPI_Pready_range(0, sends - 1, sending));
        else
            for (int i = 0; i < sends; i++) OK(MPI_Pready((i + sends / 2) % sends, sending));
        for (int i = receives - 1; i >= 0; i--) {
            wait_for(receiving, i);
            CHECK(memcmp(incoming + i * theirs, expected + i * theirs, theirs) == 0,
                  "%d to %d, round %d: partition %d is wrong", sends, receives, round, i);
        }
        OK(MPI_Wait(&sending, MPI_STATUS_IGNORE));
        OK(MPI_Wait(&receiving, &status));
        STATUS(&status, from, 3, total);
        CHECK(sending != MPI_REQUEST_NULL && receiving != MPI_REQUEST_NULL,
              "a partitioned request is null after the wait");
        CHECK(has(receiving, 0), "a partition of an inactive request has not arrived");
        CHECK(untouched(incoming, total, total), "bytes around the buffer were written");
        OK(MPI_Barrier(comm));
    }
    OK(MPI_Request_free(&sending));
    OK(MPI_Request_free(&receiving));
    free_guarded(sent), free_guarded(incoming), free_guarded(expected);
}

/* A partition arrives while the previous one is not ready, and the receiver can use it. `each`
 * bytes select the protocol. */
static void early(int each)
{
    enum { N = 5 };
    unsigned char *sent = guarded((size_t)N * each), *incoming = guarded((size_t)N * each);
    MPI_Request sending, receiving;
    int flag = -1;
    OK(MPI_Psend_init(sent, N, each, MPI_BYTE, to, 4, comm, MPI_INFO_NULL, &sending));
    OK(MPI_Precv_init(incoming, N, each, MPI_BYTE, from, 4, comm, MPI_INFO_NULL, &receiving));
    OK(MPI_Start(&sending));
    OK(MPI_Start(&receiving));
    static const int order[N] = {3, 0, 4, 2, 1};
    for (int i = 0; i < N; i++) {
        int now = order[i];
        fill(sent + (size_t)now * each, each, rank + now);
        OK(MPI_Pready(now, sending));
        wait_for(receiving, now);
        CHECK(first_wrong(incoming + (size_t)now * each, each, from + now) < 0,
              "partition %d is wrong", now);
        OK(MPI_Barrier(comm));
        for (int k = i + 1; k < N; k++)
            CHECK(!has(receiving, order[k]), "partition %d has arrived before it is ready",
                  order[k]);
        OK(MPI_Request_get_status(receiving, &flag, MPI_STATUS_IGNORE));
        if (i < N - 1) {
            CHECK(flag == 0, "the receive is complete after %d partitions", i + 1);
            OK(MPI_Test(&sending, &flag, MPI_STATUS_IGNORE));
            CHECK(flag == 0, "the send is complete after %d partitions", i + 1);
        }
        OK(MPI_Barrier(comm));
    }
    OK(MPI_Wait(&sending, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&receiving, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&sending));
    OK(MPI_Request_free(&receiving));
    free_guarded(sent), free_guarded(incoming);
}

/* The sender marks all partitions ready before the receiver has called MPI_Precv_init.
 * Initialisations with equal tags match in order, starts in any order. */
static void ahead(void)
{
    enum { PAIRS = 4, N = 3 };
    int sent[PAIRS][N * 10], incoming[PAIRS][N * 10];
    MPI_Request sending[PAIRS], receiving[PAIRS];
    for (int p = 0; p < PAIRS; p++)
        OK(MPI_Psend_init(sent[p], N, 10, MPI_INT, to, 5, comm, MPI_INFO_NULL, &sending[p]));
    for (int p = PAIRS - 1; p >= 0; p--) {
        static const int which[N] = {2, 0, 1};
        for (int k = 0; k < N * 10; k++) sent[p][k] = rank * 1000 + p * 100 + k;
        OK(MPI_Start(&sending[p]));
        OK(MPI_Pready_list(N, which, sending[p]));
        OK(MPI_Pready_list(0, NULL, sending[p]));
    }
    OK(MPI_Barrier(comm));
    for (int p = 0; p < PAIRS; p++)
        OK(MPI_Precv_init(incoming[p], N, 10, MPI_INT, from, 5, comm, MPI_INFO_NULL,
                          &receiving[p]));
    OK(MPI_Startall(PAIRS, receiving));
    OK(MPI_Waitall(PAIRS, receiving, MPI_STATUSES_IGNORE));
    OK(MPI_Waitall(PAIRS, sending, MPI_STATUSES_IGNORE));
    for (int p = 0; p < PAIRS; p++) {
        for (int k = 0; k < N * 10; k++)
            CHECK(incoming[p][k] == from * 1000 + p * 100 + k, "pair %d, number %d is %d", p, k,
                  incoming[p][k]);
        OK(MPI_Request_free(&sending[p]));
        OK(MPI_Request_free(&receiving[p]));
    }
}

/* Requests that are never started match each other, whichever side frees its request first. */
static void unused(void)
{
    int sent[2] = {rank, -1}, incoming[2] = {-1, -1};
    MPI_Request requests[4];
    OK(MPI_Precv_init(&incoming[1], 1, 1, MPI_INT, from, 6, comm, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Psend_init(&sent[1], 1, 1, MPI_INT, to, 6, comm, MPI_INFO_NULL, &requests[1]));
    OK(MPI_Request_free(&requests[1]));
    OK(MPI_Barrier(comm));
    OK(MPI_Psend_init(&sent[1], 1, 1, MPI_INT, to, 6, comm, MPI_INFO_NULL, &requests[1]));
    OK(MPI_Request_free(&requests[1]));
    OK(MPI_Psend_init(sent, 1, 1, MPI_INT, to, 6, comm, MPI_INFO_NULL, &requests[1]));
    OK(MPI_Barrier(comm));
    OK(MPI_Precv_init(&incoming[1], 1, 1, MPI_INT, from, 6, comm, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Precv_init(incoming, 1, 1, MPI_INT, from, 6, comm, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Startall(2, requests));
    OK(MPI_Pready(0, requests[1]));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(incoming[0] == from && incoming[1] == -1, "received %d and %d", incoming[0], incoming[1]);
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Request_free(&requests[1]));
}

/* The receive elements have gaps, and the sender's partitions begin in the middle of an element. */
static void holes(void)
{
    enum { ELEMENTS = 4, SENDS = 6, INTS = 3 * ELEMENTS };
    int sent[INTS], incoming[ELEMENTS * 5], seen = 0;
    MPI_Datatype gaps, padded;
    MPI_Request requests[2];
    MPI_Status status;
    OK(MPI_Type_vector(3, 1, 2, MPI_INT, &gaps));
    OK(MPI_Type_create_resized(gaps, 0, 5 * sizeof(int), &padded));
    OK(MPI_Type_commit(&padded));
    for (int i = 0; i < INTS; i++) sent[i] = rank * 100 + i;
    memset(incoming, -1, sizeof incoming);
    OK(MPI_Psend_init(sent, SENDS, 2, MPI_INT, to, 7, comm, MPI_INFO_NULL, &requests[1]));
    OK(MPI_Precv_init(incoming, 2, 2, padded, from, 7, comm, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Type_free(&gaps));
    OK(MPI_Type_free(&padded));
    OK(MPI_Startall(2, requests));
    OK(MPI_Pready_range(3, 5, requests[1]));
    wait_for(requests[0], 1);
    CHECK(!has(requests[0], 0), "the first half has arrived before it is ready");
    OK(MPI_Barrier(comm));
    OK(MPI_Pready_range(0, 2, requests[1]));
    OK(MPI_Waitall(1, &requests[1], MPI_STATUSES_IGNORE));
    OK(MPI_Wait(&requests[0], &status));
    STATUS(&status, from, 7, INTS * sizeof(int));
    for (int e = 0; e < ELEMENTS; e++)
        for (int k = 0; k < 5; k++) {
            int expected = k % 2 ? -1 : from * 100 + seen++;
            CHECK(incoming[e * 5 + k] == expected, "element %d, place %d is %d instead of %d", e, k,
                  incoming[e * 5 + k], expected);
        }
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Request_free(&requests[1]));
}

/* Partitions do not match receives or messages of other kinds with equal tag and ranks. */
static void separate_matching(void)
{
    int sent = rank + 1000, partition = rank, got = -1, incoming = -1, flag = -1;
    MPI_Request requests[3];
    OK(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[2]));
    OK(MPI_Psend_init(&partition, 1, 1, MPI_INT, to, 8, comm, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Start(&requests[0]));
    OK(MPI_Pready(0, requests[0]));
    OK(MPI_Barrier(comm));
    OK(MPI_Test(&requests[2], &flag, MPI_STATUS_IGNORE));
    CHECK(flag == 0, "a wildcard receive matched a partition");
    OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE));
    CHECK(flag == 0, "a probe sees a partition");
    OK(MPI_Barrier(comm));
    OK(MPI_Send(&sent, 1, MPI_INT, to, 8, comm));
    OK(MPI_Wait(&requests[2], MPI_STATUS_IGNORE));
    CHECK(got == from + 1000, "received %d", got);
    OK(MPI_Precv_init(&incoming, 1, 1, MPI_INT, from, 8, comm, MPI_INFO_NULL, &requests[1]));
    OK(MPI_Start(&requests[1]));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(incoming == from, "received %d", incoming);
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Request_free(&requests[1]));
}

static void proc_null(void)
{
    int numbers[4] = {1, 2, 3, 4};
    MPI_Request requests[2];
    MPI_Status statuses[2];
    OK(MPI_Psend_init(numbers, 2, 2, MPI_INT, MPI_PROC_NULL, 1, comm, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Precv_init(numbers, 4, 1, MPI_INT, MPI_PROC_NULL, 1, comm, MPI_INFO_NULL, &requests[1]));
    for (int round = 0; round < 2; round++) {
        OK(MPI_Startall(2, requests));
        OK(MPI_Pready_range(0, 1, requests[0]));
        CHECK(has(requests[1], 3), "a partition from MPI_PROC_NULL has not arrived");
        OK(MPI_Waitall(2, requests, statuses));
        STATUS(&statuses[1], MPI_PROC_NULL, MPI_ANY_TAG, 0);
    }
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Request_free(&requests[1]));
}

static void errors(void)
{
    int numbers[8] = {0}, flag = -1;
    static const int twice[2] = {1, 1}, outside[2] = {0, 2};
    MPI_Request sending, receiving, other;
    MPI_Info info = MPI_INFO_NULL;
    FAILS(MPI_Psend_init(numbers, 0, 1, MPI_INT, to, 9, comm, info, &sending), MPI_ERR_ARG);
    FAILS(MPI_Precv_init(numbers, -3, 1, MPI_INT, from, 9, comm, info, &receiving), MPI_ERR_ARG);
    FAILS(MPI_Psend_init(numbers, 1, -1, MPI_INT, to, 9, comm, info, &sending), MPI_ERR_COUNT);
    FAILS(MPI_Psend_init(NULL, 2, 1, MPI_INT, to, 9, comm, info, &sending), MPI_ERR_BUFFER);
    FAILS(MPI_Psend_init(numbers, 2, 1, MPI_INT, size, 9, comm, info, &sending), MPI_ERR_RANK);
    FAILS(MPI_Psend_init(numbers, 2, 1, MPI_INT, to, -2, comm, info, &sending), MPI_ERR_TAG);
    FAILS(MPI_Precv_init(numbers, 2, 1, MPI_INT, MPI_ANY_SOURCE, 9, comm, info, &receiving),
          MPI_ERR_RANK);
    FAILS(MPI_Precv_init(numbers, 2, 1, MPI_INT, from, MPI_ANY_TAG, comm, info, &receiving),
          MPI_ERR_TAG);
    FAILS(MPI_Psend_init(numbers, 2, 1, MPI_INT, to, 9, MPI_COMM_NULL, info, &sending),
          MPI_ERR_COMM);

    OK(MPI_Psend_init(numbers, 2, 2, MPI_INT, to, 9, comm, info, &sending));
    OK(MPI_Precv_init(numbers + 4, 4, 1, MPI_INT, from, 9, comm, info, &receiving));
    FAILS(MPI_Pready(0, sending), MPI_ERR_REQUEST);
    FAILS(MPI_Pready(0, MPI_REQUEST_NULL), MPI_ERR_REQUEST);
    OK(MPI_Start(&sending));
    OK(MPI_Start(&receiving));
    FAILS(MPI_Start(&sending), MPI_ERR_REQUEST);
    FAILS(MPI_Request_free(&sending), MPI_ERR_REQUEST);
    FAILS(MPI_Request_free(&receiving), MPI_ERR_REQUEST);
    FAILS(MPI_Cancel(&sending), MPI_ERR_REQUEST);
    FAILS(MPI_Cancel(&receiving), MPI_ERR_REQUEST);
    FAILS(MPI_Pready(2, sending), MPI_ERR_ARG);
    FAILS(MPI_Pready(-1, sending), MPI_ERR_ARG);
    FAILS(MPI_Pready_range(1, 0, sending), MPI_ERR_ARG);
    FAILS(MPI_Pready_range(1, 2, sending), MPI_ERR_ARG);
    FAILS(MPI_Pready_list(2, twice, sending), MPI_ERR_ARG);
    FAILS(MPI_Pready_list(2, outside, sending), MPI_ERR_ARG);
    FAILS(MPI_Pready(0, receiving), MPI_ERR_REQUEST);
    FAILS(MPI_Parrived(sending, 0, &flag), MPI_ERR_REQUEST);
    FAILS(MPI_Parrived(receiving, 4, &flag), MPI_ERR_ARG);
    OK(MPI_Parrived(MPI_REQUEST_NULL, 0, &flag));
    CHECK(flag == 1, "a partition of a null request has not arrived");
    /* The failed calls have marked no partition ready. */
    OK(MPI_Pready(0, sending));
    FAILS(MPI_Pready(0, sending), MPI_ERR_ARG);
    OK(MPI_Pready(1, sending));
    FAILS(MPI_Pready(1, sending), MPI_ERR_ARG);
    OK(MPI_Wait(&sending, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&receiving, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&sending));
    OK(MPI_Request_free(&receiving));

    OK(MPI_Send_init(numbers, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &other));
    OK(MPI_Start(&other));
    FAILS(MPI_Pready(0, other), MPI_ERR_REQUEST);
    OK(MPI_Wait(&other, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&other));

    /* Different total sizes on the two sides are an error, and no byte past the buffer is
     * written. */
    unsigned char *incoming = guarded(8);
    OK(MPI_Psend_init(numbers, 4, 1, MPI_INT, to, 10, comm, info, &sending));
    OK(MPI_Precv_init(incoming, 1, 8, MPI_BYTE, from, 10, comm, info, &receiving));
    OK(MPI_Start(&sending));
    OK(MPI_Pready_range(0, 3, sending));
    OK(MPI_Start(&receiving));
    FAILS(MPI_Wait(&receiving, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    CHECK(untouched(incoming, 8, 8), "bytes past the buffer were written");
    OK(MPI_Wait(&sending, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&sending));
    OK(MPI_Request_free(&receiving));
    free_guarded(incoming);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    to = (rank + 1) % size, from = (rank + size - 1) % size;
    static const int pairs[][2] = {{1, 1}, {4, 4}, {1, 6}, {6, 1}, {6, 4}, {10, 15}, {3, 60}};
    static const int totals[] = {0, 60, 60 * 300, 60 * 2000, 60 * 4000};
    for (unsigned p = 0; p < sizeof pairs / sizeof *pairs; p++)
        for (unsigned t = 0; t < sizeof totals / sizeof *totals; t++)
            ring(pairs[p][0], pairs[p][1], totals[t]);
    early(0);
    early(8);
    early(5000);
    early(300000);
    ahead();
    unused();
    holes();
    separate_matching();
    proc_null();
    errors();
    OK(MPI_Comm_free(&comm));
    return MPI_Finalize();
}
