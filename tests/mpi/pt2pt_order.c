/* Messages between two ranks keep their order, whichever protocol each of them takes, for exact and
 * wildcard receives (MPI 5.0 §3.5). Unexpected messages can be received in any order of tags. */

#include "check.h"

enum { MESSAGES = 400, LONGEST = 100000 };

static const int lengths[] = {4, 20000, 40, 4072, 8, 16344, 16345, 41, 4, 4073, LONGEST, 4, 4,
                              65536, 100};
#define LENGTHS (int)(sizeof lengths / sizeof *lengths)

static int length_of(int i)
{
    return lengths[(i * 7 + i / LENGTHS) % LENGTHS];
}

static unsigned char *message(int number, int length)
{
    unsigned char *bytes = malloc(length);
    fill(bytes, length, number);
    memcpy(bytes, &number, 4);
    return bytes;
}

static void check_message(const unsigned char *bytes, int length, int number, const char *what)
{
    int seen;
    memcpy(&seen, bytes, 4);
    CHECK(seen == number, "%s: message %d arrived, %d is expected", what, seen, number);
    for (int i = 4; i < length; i++)
        CHECK(bytes[i] == byte_of(number, i), "%s: byte %d of message %d is wrong", what, i,
              number);
}

static void send_all(int to, MPI_Request *requests, unsigned char **sent, int tags)
{
    for (int i = 0; i < MESSAGES; i++) {
        int length = length_of(i);
        sent[i] = message(i, length);
        if (i % 5 == 3)
            OK(MPI_Issend(sent[i], length, MPI_BYTE, to, i % tags, MPI_COMM_WORLD, &requests[i]));
        else OK(MPI_Isend(sent[i], length, MPI_BYTE, to, i % tags, MPI_COMM_WORLD, &requests[i]));
    }
}

static void wait_sent(MPI_Request *requests, unsigned char **sent)
{
    OK(MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MESSAGES; i++) free(sent[i]);
}

/* One tag. Receives alternate between exact ones and the three kinds of wildcards, and between
 * blocking, posted and probed ones. */
static void in_order(int from)
{
    unsigned char *incoming[8];
    MPI_Status status;
    for (int i = 0; i < 8; i++) incoming[i] = malloc(LONGEST);
    for (int i = 0; i < MESSAGES;) {
        int source = i & 1 ? MPI_ANY_SOURCE : from, tag = i & 2 ? MPI_ANY_TAG : 0;
        int group = i % 3 == 0 && i + 8 <= MESSAGES ? 8 : 1;
        if (group == 8) {
            MPI_Request requests[8];
            MPI_Status statuses[8];
            for (int k = 0; k < 8; k++)
                OK(MPI_Irecv(incoming[k], LONGEST, MPI_BYTE, k & 1 ? MPI_ANY_SOURCE : from,
                             k & 4 ? MPI_ANY_TAG : 0, MPI_COMM_WORLD, &requests[k]));
            OK(MPI_Waitall(8, requests, statuses));
            for (int k = 0; k < 8; k++) {
                STATUS(&statuses[k], from, 0, length_of(i + k));
                check_message(incoming[k], length_of(i + k), i + k, "posted together");
            }
        } else {
            if (i % 4 == 1) {
                OK(MPI_Probe(source, tag, MPI_COMM_WORLD, &status));
                STATUS(&status, from, 0, length_of(i));
            }
            OK(MPI_Recv(incoming[0], LONGEST, MPI_BYTE, source, tag, MPI_COMM_WORLD, &status));
            STATUS(&status, from, 0, length_of(i));
            check_message(incoming[0], length_of(i), i, "one by one");
        }
        i += group;
    }
    for (int i = 0; i < 8; i++) free(incoming[i]);
}

/* Four tags, all unexpected: the messages of each tag are received in order, the tags in another
 * order than they were sent. */
static void by_tag(int from)
{
    unsigned char *incoming = malloc(LONGEST);
    MPI_Status status;
    for (int tag = 3; tag >= 0; tag--)
        for (int i = tag; i < MESSAGES; i += 4) {
            OK(MPI_Recv(incoming, LONGEST, MPI_BYTE, tag & 1 ? MPI_ANY_SOURCE : from, tag,
                        MPI_COMM_WORLD, &status));
            STATUS(&status, from, tag, length_of(i));
            check_message(incoming, length_of(i), i, "by tag");
        }
    free(incoming);
}

/* Exact and wildcard receives are posted alternately. Each message must match the first posted
 * receive that fits. */
static void first_posted_wins(int from, int to)
{
    int got[6] = {-1, -1, -1, -1, -1, -1}, out[6] = {10, 11, 12, 13, 14, 15};
    MPI_Request requests[6];
    MPI_Status statuses[6];
    OK(MPI_Irecv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[0]));
    OK(MPI_Irecv(&got[1], 1, MPI_INT, from, 6, MPI_COMM_WORLD, &requests[1]));
    OK(MPI_Irecv(&got[2], 1, MPI_INT, from, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[2]));
    OK(MPI_Irecv(&got[3], 1, MPI_INT, from, 5, MPI_COMM_WORLD, &requests[3]));
    OK(MPI_Irecv(&got[4], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[4]));
    OK(MPI_Irecv(&got[5], 1, MPI_INT, from, 6, MPI_COMM_WORLD, &requests[5]));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    /* Receives: 5 with any source; 5 with any tag; 6 exact; any source and tag; 5 exact; 6
     * exact. */
    static const int tags[6] = {5, 5, 6, 7, 5, 6}, receiver[6] = {0, 2, 1, 4, 3, 5};
    for (int i = 0; i < 6; i++) OK(MPI_Send(&out[i], 1, MPI_INT, to, tags[i], MPI_COMM_WORLD));
    OK(MPI_Waitall(6, requests, statuses));
    for (int i = 0; i < 6; i++) {
        CHECK(got[receiver[i]] == out[i], "receive %d got %d, message %d is expected", receiver[i],
              got[receiver[i]], out[i]);
        STATUS(&statuses[receiver[i]], from, tags[i], 4);
    }
}

int main(int argc, char **argv)
{
    static MPI_Request requests[MESSAGES];
    static unsigned char *sent[MESSAGES];
    begin(&argc, &argv);
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    send_all(to, requests, sent, 1);
    in_order(from);
    wait_sent(requests, sent);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    send_all(to, requests, sent, 4);
    by_tag(from);
    wait_sent(requests, sent);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    first_posted_wins(from, to);
    return MPI_Finalize();
}
