/* Messages of 10 KB to 2 MB, which networks send eagerly as bulk payload behind their header. Every
 * kind of receive takes them, posted or not, while the payload arrives or afterwards, and they keep
 * their order among short messages (MPI 5.0 §3.5, §3.8).
 *
 * modes: default network bulk short tiny threads
 */

#include "check.h"

enum { LONGEST = 2000000, LENGTHS = 7, FLIGHT = 24 };

static const int lengths[LENGTHS] = {10000, 20000, 65528, 65536, 300000, 1048576, LONGEST};
static unsigned char *sent, *got;
static int to, from;

/* Every rank sends to the next one and receives from the previous one. */
static void begin_send(int length, int tag, unsigned seed, MPI_Request *request)
{
    fill(sent, length, seed);
    OK(MPI_Isend(sent, length, MPI_BYTE, to, tag, MPI_COMM_WORLD, request));
}

static void expect(const char *how, int length, unsigned seed, const MPI_Status *status, int tag)
{
    STATUS(status, from, tag, length);
    CHECK(first_wrong(got, length, seed) < 0, "%s: byte %ld of %d is wrong", how,
          (long)first_wrong(got, length, seed), length);
    memset(got, 0, LONGEST);
}

static void test_posted(int length)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    for (int wild = 0; wild < 2; wild++) {
        OK(MPI_Irecv(got, LONGEST, MPI_BYTE, wild ? MPI_ANY_SOURCE : from, wild ? MPI_ANY_TAG : 1,
                     MPI_COMM_WORLD, &requests[0]));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        begin_send(length, 1, rank + length, &requests[1]);
        OK(MPI_Waitall(2, requests, statuses));
        expect("posted", length, from + length, &statuses[0], 1);
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
}

static void test_blocking(int length)
{
    MPI_Request request;
    MPI_Status status;
    for (int wild = 0; wild < 2; wild++) {
        begin_send(length, 2, rank + length, &request);
        OK(MPI_Recv(got, LONGEST, MPI_BYTE, wild ? MPI_ANY_SOURCE : from, 2, MPI_COMM_WORLD,
                    &status));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        expect("blocking", length, from + length, &status, 2);
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
}

/* Unexpected messages: found by a probe as soon as the header arrives, received at once or late,
 * and overtaken by a receive with another tag. */
static void test_unexpected(int length)
{
    MPI_Request requests[2];
    MPI_Status status;
    int count = 0, word = 0;
    for (int late = 0; late < 2; late++) {
        begin_send(length, 3, rank + length, &requests[0]);
        OK(MPI_Isend(&rank, 1, MPI_INT, to, 4, MPI_COMM_WORLD, &requests[1]));
        OK(MPI_Probe(from, 3, MPI_COMM_WORLD, &status));
        OK(MPI_Get_count(&status, MPI_BYTE, &count));
        CHECK(count == length, "the probe returns %d bytes instead of %d", count, length);
        if (late) OK(MPI_Recv(&word, 1, MPI_INT, from, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Recv(got, length, MPI_BYTE, from, 3, MPI_COMM_WORLD, &status));
        expect("unexpected", length, from + length, &status, 3);
        if (!late) OK(MPI_Recv(&word, 1, MPI_INT, from, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(word == from, "the other message contains %d", word);
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
}

/* Unexpected messages matched by MPI_Mprobe, and received at once or when a later message shows
 * that the whole payload has arrived. */
static void test_matched_probe(int length)
{
    MPI_Request requests[3];
    MPI_Message message;
    MPI_Status status;
    int word, flag = 0;
    for (int late = 0; late < 2; late++) {
        begin_send(length, 5, rank + length, &requests[0]);
        OK(MPI_Isend(&rank, 1, MPI_INT, to, 6, MPI_COMM_WORLD, &requests[1]));
        while (!flag) OK(MPI_Improbe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &flag, &message, &status));
        flag = 0;
        if (late) OK(MPI_Recv(&word, 1, MPI_INT, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Imrecv(got, length, MPI_BYTE, &message, &requests[2]));
        if (!late) OK(MPI_Recv(&word, 1, MPI_INT, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Wait(&requests[2], &status));
        expect("matched probe", length, from + length, &status, 5);
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
}

/* Messages that are too long for the buffer, expected and unexpected: the first bytes arrive, no
 * byte past the buffer is written, and the message is consumed. */
static void test_truncated(int length)
{
    MPI_Request requests[2];
    MPI_Status status;
    int capacity = length - 17;
    for (int posted = 0; posted < 2; posted++) {
        if (posted) OK(MPI_Irecv(got, capacity, MPI_BYTE, from, 7, MPI_COMM_WORLD, &requests[0]));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        begin_send(length, 7, rank + length, &requests[1]);
        if (posted)
            FAILS(MPI_Wait(&requests[0], &status), MPI_ERR_TRUNCATE);
        else
            FAILS(MPI_Recv(got, capacity, MPI_BYTE, from, 7, MPI_COMM_WORLD, &status),
                  MPI_ERR_TRUNCATE);
        CHECK(first_wrong(got, capacity, from + length) < 0, "byte %ld of what fits is wrong",
              (long)first_wrong(got, capacity, from + length));
        for (int i = capacity; i < length; i++)
            CHECK(got[i] == 0, "byte %d past the buffer was written", i);
        OK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
        memset(got, 0, LONGEST);
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
}

/* Messages into a receive datatype with gaps. */
static void test_strided(int length)
{
    MPI_Request requests[2];
    MPI_Datatype pairs;
    MPI_Status status;
    int blocks = length / 4;
    OK(MPI_Type_vector(blocks, 2, 4, MPI_BYTE, &pairs));
    OK(MPI_Type_commit(&pairs));
    for (int posted = 0; posted < 2; posted++) {
        if (posted) OK(MPI_Irecv(got, 1, pairs, from, 8, MPI_COMM_WORLD, &requests[0]));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        begin_send(2 * blocks, 8, rank + length, &requests[1]);
        if (posted)
            OK(MPI_Wait(&requests[0], &status));
        else
            OK(MPI_Recv(got, 1, pairs, from, 8, MPI_COMM_WORLD, &status));
        STATUS(&status, from, 8, 2 * blocks);
        for (int i = 0; i < 4 * blocks; i++) {
            unsigned char wanted = i % 4 < 2 ? byte_of(from + length, i / 4 * 2 + i % 4) : 0;
            CHECK(got[i] == wanted, "byte %d is %d, not %d", i, got[i], wanted);
        }
        OK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
        memset(got, 0, LONGEST);
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    OK(MPI_Type_free(&pairs));
}

/* A receive that is cancelled before its message arrives takes nothing. A receive whose message has
 * begun to arrive cannot be cancelled. */
static void test_cancelled(int length)
{
    MPI_Request requests[2];
    MPI_Status status;
    int cancelled = 0;
    OK(MPI_Irecv(got, LONGEST, MPI_BYTE, from, 9, MPI_COMM_WORLD, &requests[0]));
    OK(MPI_Cancel(&requests[0]));
    OK(MPI_Wait(&requests[0], &status));
    OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK(cancelled, "a receive without a message is not cancelled");
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Irecv(got, LONGEST, MPI_BYTE, from, 9, MPI_COMM_WORLD, &requests[0]));
    begin_send(length, 9, rank + length, &requests[1]);
    OK(MPI_Sendrecv(NULL, 0, MPI_BYTE, to, 10, NULL, 0, MPI_BYTE, from, 10, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
    OK(MPI_Cancel(&requests[0]));
    OK(MPI_Wait(&requests[0], &status));
    OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK(!cancelled, "a receive with a matched message is cancelled");
    expect("cancelled too late", length, from + length, &status, 9);
    OK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* Many outstanding long and short messages with one tag, some of whose requests are freed. */
static void test_order(void)
{
    MPI_Request requests[FLIGHT];
    MPI_Status status;
    unsigned char *all = malloc((size_t)FLIGHT * 300000);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < FLIGHT; i++) {
            int length = i % 3 == 0 ? 8 : lengths[i % 5];
            fill(all + i * 300000, length, rank * 100 + i);
            OK(MPI_Isend(all + i * 300000, length, MPI_BYTE, to, 11, MPI_COMM_WORLD, &requests[i]));
            if (i % 4 == 1) OK(MPI_Request_free(&requests[i]));
        }
        for (int i = 0; i < FLIGHT; i++) {
            int length = i % 3 == 0 ? 8 : lengths[i % 5];
            OK(MPI_Recv(got, LONGEST, MPI_BYTE, round ? MPI_ANY_SOURCE : from, MPI_ANY_TAG,
                        MPI_COMM_WORLD, &status));
            expect("in order", length, from * 100 + i, &status, 11);
        }
        OK(MPI_Waitall(FLIGHT, requests, MPI_STATUSES_IGNORE));
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    free(all);
}

/* Unexpected messages of more bytes than a receiver accepts from one sender, received late. */
static void test_flood(void)
{
    enum { MANY = 60, EACH = 250000 };
    MPI_Request requests[MANY];
    MPI_Status status;
    fill(sent, EACH, rank);
    for (int i = 0; i < MANY; i++)
        OK(MPI_Isend(sent, EACH, MPI_BYTE, to, 12, MPI_COMM_WORLD, &requests[i]));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < MANY; i++) {
        OK(MPI_Recv(got, EACH, MPI_BYTE, from, 12, MPI_COMM_WORLD, &status));
        expect("flood", EACH, from, &status, 12);
    }
    OK(MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE));
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    to = (rank + 1) % size, from = (rank + size - 1) % size;
    sent = malloc(LONGEST), got = calloc(1, LONGEST);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    for (int i = 0; i < LENGTHS; i++) {
        test_posted(lengths[i]);
        test_blocking(lengths[i]);
        test_unexpected(lengths[i]);
        test_matched_probe(lengths[i]);
        test_truncated(lengths[i]);
        test_strided(lengths[i]);
        test_cancelled(lengths[i]);
    }
    test_order();
    test_flood();
    MPI_Finalize();
    return 0;
}
