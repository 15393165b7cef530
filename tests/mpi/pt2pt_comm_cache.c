/* The communicator cache of messages: the library remembers the communicator that it has seen most,
 * and messages of one communicator must never match on another (MPI 5.0 §3.2.3, §6.4.3). The world,
 * a duplicate, the reversed ranks, a half and an intercommunicator are used alternately, once or
 * many times in a row. Then they are freed and created again, so that handles and contexts are
 * reused. */

#include "check.h"

enum { KINDS = 5, BURST = 40, TIMES = 3 };

static const char *const names[KINDS] = {"world", "duplicate", "reverse", "half", "inter"};
static MPI_Comm comms[KINDS];
static int serial;

static void make(void)
{
    int half = rank % 2, leader = 1 - half;
    comms[0] = MPI_COMM_WORLD;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]));
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &comms[2]));
    OK(MPI_Comm_split(MPI_COMM_WORLD, half, rank, &comms[3]));
    comms[4] = MPI_COMM_NULL;
    if (size > 1) OK(MPI_Intercomm_create(comms[3], 0, MPI_COMM_WORLD, leader, 7, &comms[4]));
    for (int kind = 1; kind < KINDS; kind++)
        if (comms[kind] != MPI_COMM_NULL)
            OK(MPI_Comm_set_errhandler(comms[kind], MPI_ERRORS_RETURN));
}

/* Finds the ranks to send to and to receive from: the next and the previous rank, or the opposite
 * rank of the other group. Returns 0 if this process has none. */
static int neighbours(int kind, int *to, int *from)
{
    int own, all, remote;
    if (comms[kind] == MPI_COMM_NULL) return 0;
    OK(MPI_Comm_rank(comms[kind], &own));
    OK(MPI_Comm_size(comms[kind], &all));
    if (kind == 4) {
        OK(MPI_Comm_remote_size(comms[kind], &remote));
        *to = *from = own;
        return own < remote;
    }
    *to = (own + 1) % all;
    *from = (own + all - 1) % all;
    return 1;
}

/* Sends and receives one number on communicator `kind` and checks its source. */
static void exchange(int kind)
{
    int to, from, seen, source = -1, count;
    MPI_Status status;
    MPI_Request request;
    serial++;
    if (!neighbours(kind, &to, &from)) return;
    int mine[2] = {serial, rank}, got[2] = {-1, -1};
    if (serial % 3 == 0) {
        /* To this process or to others: messages that no receive has matched wait in the
         * library. */
        OK(MPI_Isend(mine, 2, MPI_INT, to, kind, comms[kind], &request));
        OK(MPI_Recv(got, 2, MPI_INT, from, kind, comms[kind], &status));
    } else {
        OK(MPI_Irecv(got, 2, MPI_INT, from, kind, comms[kind], &request));
        OK(MPI_Send(mine, 2, MPI_INT, to, kind, comms[kind]));
        OK(MPI_Wait(&request, &status));
        request = MPI_REQUEST_NULL;
    }
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    seen = status.MPI_SOURCE;
    OK(MPI_Get_count(&status, MPI_INT, &count));
    MPI_Group there, world;
    if (kind == 4)
        OK(MPI_Comm_remote_group(comms[kind], &there));
    else
        OK(MPI_Comm_group(comms[kind], &there));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Group_translate_ranks(there, 1, &from, world, &source));
    OK(MPI_Group_free(&there));
    OK(MPI_Group_free(&world));
    CHECK(seen == from && status.MPI_TAG == kind && count == 2, "%s: from %d, tag %d, %d numbers",
          names[kind], seen, status.MPI_TAG, count);
    CHECK(got[0] == serial && got[1] == source,
          "%s: message %d of rank %d instead of %d of rank %d", names[kind], got[0], got[1], serial,
          source);
}

/* Two messages with one tag on two communicators, received in reverse order. */
static void keep_apart(int first, int second)
{
    int to, from, to_second, from_second, a = rank, b = rank + 1000, got = -1;
    MPI_Request requests[2];
    if (!neighbours(first, &to, &from) || !neighbours(second, &to_second, &from_second)) return;
    OK(MPI_Isend(&a, 1, MPI_INT, to, 9, comms[first], &requests[0]));
    OK(MPI_Isend(&b, 1, MPI_INT, to_second, 9, comms[second], &requests[1]));
    OK(MPI_Recv(&got, 1, MPI_INT, from_second, 9, comms[second], MPI_STATUS_IGNORE));
    CHECK(got >= 1000, "%s got the message of %s", names[second], names[first]);
    OK(MPI_Recv(&got, 1, MPI_INT, from, 9, comms[first], MPI_STATUS_IGNORE));
    CHECK(got < 1000, "%s got the message of %s", names[first], names[second]);
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    /* Errors of a freed communicator are errors of MPI_COMM_SELF (MPI 5.0 §9.3). */
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    for (int time = 0; time < TIMES; time++) {
        make();
        for (int kind = 0; kind < KINDS; kind++)
            for (int i = 0; i < BURST; i++) exchange(kind);
        for (int i = 0; i < KINDS * BURST; i++) exchange((i + i / KINDS) % KINDS);
        for (int run = 1; run <= 2 * BURST; run += 13)
            for (int i = 0; i < run; i++) exchange((run + (i > run / 2)) % KINDS);
        for (int first = 0; first < 4; first++)
            for (int second = 0; second < 4; second++)
                if (first != second) keep_apart(first, second);

        /* A rank that is valid in the world but not in the half, while the cache holds the half;
         * and a freed communicator. */
        int number = 0;
        for (int i = 0; i < BURST; i++) exchange(3);
        FAILS(MPI_Send(&number, 1, MPI_INT, size, 0, comms[3]), MPI_ERR_RANK);
        FAILS(MPI_Recv(&number, 1, MPI_INT, -77, 0, comms[3], MPI_STATUS_IGNORE), MPI_ERR_RANK);
        FAILS(MPI_Send(&number, 1, MPI_INT, 0, -5, comms[3]), MPI_ERR_TAG);
        MPI_Comm gone = comms[3];
        for (int kind = 1; kind < KINDS; kind++)
            if (comms[kind] != MPI_COMM_NULL) OK(MPI_Comm_free(&comms[kind]));
        FAILS(MPI_Send(&number, 1, MPI_INT, 0, 0, gone), MPI_ERR_COMM);
        FAILS(MPI_Recv(&number, 1, MPI_INT, 0, 0, gone, MPI_STATUS_IGNORE), MPI_ERR_COMM);
        for (int i = 0; i < BURST; i++) exchange(0);
    }
    MPI_Finalize();
    return 0;
}
