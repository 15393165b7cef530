/* Messages of medium length that are sent again and again: their receivers read them through the
 * kernel while that is fast, else they come in packets (crates/mpi-core/src/protocol/reads.rs).
 * Whatever way a message takes, MPI_Send of a message that could be a packet does not wait for its
 * receive, and the sender may write its buffer as soon as the call has returned.
 *
 * sizes: 1 2 3 4
 * modes: default copy network reads dedicated oversubscribed threads
 * seconds: 60
 */

#include "check.h"

enum { SHORTEST = 16 << 10, LONGEST = 256 << 10, ROUNDS = 60, WINDOW = 12 };

static unsigned char *outgoing, *incoming, *kept[WINDOW];

static void expect(const unsigned char *bytes, int length, unsigned seed, const char *what)
{
    long wrong = first_wrong(bytes, length, seed);
    CHECK(wrong < 0, "%s: byte %ld of %d is wrong", what, wrong, length);
}

/* Both processes of a pair send before they receive: no send waits for a receive. */
static void head_to_head(int other, int length, int changes)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (changes || round == 0) fill(outgoing, length, rank + round);
        OK(MPI_Send(outgoing, length, MPI_BYTE, other, round, MPI_COMM_WORLD));
        OK(MPI_Recv(incoming, length, MPI_BYTE, other, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        expect(incoming, length, other + (changes ? round : 0), "head to head");
    }
}

/* One process is ahead of the other by a window of messages, and writes each buffer again after its
 * send. The receives come in another order. */
static void ahead(int other, int is_first, int length)
{
    for (int round = 0; round < 4; round++) {
        if (is_first) {
            for (int at = 0; at < WINDOW; at++) {
                fill(outgoing, length, round * WINDOW + at);
                OK(MPI_Send(outgoing, length, MPI_BYTE, other, at, MPI_COMM_WORLD));
            }
            OK(MPI_Send(NULL, 0, MPI_BYTE, other, WINDOW, MPI_COMM_WORLD));
        } else {
            OK(MPI_Recv(NULL, 0, MPI_BYTE, other, WINDOW, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            for (int at = WINDOW - 1; at >= 0; at--) {
                MPI_Status status;
                MPI_Message message;
                int bytes;
                OK(MPI_Mprobe(other, at, MPI_COMM_WORLD, &message, &status));
                OK(MPI_Get_count(&status, MPI_BYTE, &bytes));
                CHECK(bytes == length, "%d of %d bytes", bytes, length);
                OK(MPI_Mrecv(incoming, length, MPI_BYTE, &message, &status));
                expect(incoming, length, round * WINDOW + at, "ahead");
            }
        }
    }
}

/* A matched probe takes a message, whose send need not wait for its receive. */
static void matched(int other, int is_first, int length)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (is_first) {
            fill(outgoing, length, round);
            OK(MPI_Send(outgoing, length, MPI_BYTE, other, 5, MPI_COMM_WORLD));
            OK(MPI_Send(NULL, 0, MPI_BYTE, other, 6, MPI_COMM_WORLD));
        } else {
            MPI_Message message;
            OK(MPI_Mprobe(other, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
            OK(MPI_Recv(NULL, 0, MPI_BYTE, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            OK(MPI_Mrecv(incoming, length, MPI_BYTE, &message, MPI_STATUS_IGNORE));
            expect(incoming, length, round, "matched");
        }
    }
}

/* Windows in one direction: receives are posted before and after their messages come. */
static void windows(int other, int is_first, int length)
{
    for (int round = 0; round < 2 * ROUNDS / WINDOW; round++) {
        MPI_Request requests[WINDOW];
        MPI_Status statuses[WINDOW];
        fill(outgoing, length, round);
        if (!is_first && round % 2) OK(MPI_Probe(other, 0, MPI_COMM_WORLD, &statuses[0]));
        for (int at = 0; at < WINDOW; at++)
            if (is_first)
                OK(MPI_Isend(outgoing, length, MPI_BYTE, other, at, MPI_COMM_WORLD, &requests[at]));
            else
                OK(MPI_Irecv(kept[at], length, MPI_BYTE, at % 3 ? other : MPI_ANY_SOURCE, at,
                             MPI_COMM_WORLD, &requests[at]));
        OK(MPI_Waitall(WINDOW, requests, statuses));
        for (int at = 0; !is_first && at < WINDOW; at++) {
            expect(kept[at], length, round, "window");
            memset(kept[at], GUARD, length);
        }
        OK(MPI_Sendrecv(NULL, 0, MPI_BYTE, other, WINDOW, NULL, 0, MPI_BYTE, other, WINDOW,
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
}

/* Receives with gaps, receives that are too short, and sends with gaps. */
static void odd_ends(int other, int is_first, int length)
{
    MPI_Datatype gaps;
    OK(MPI_Type_vector(length / 8, 4, 8, MPI_BYTE, &gaps));
    OK(MPI_Type_commit(&gaps));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    for (int round = 0; round < ROUNDS; round++) {
        int half = length / 2, kind = round % 3;
        fill(outgoing, length, round);
        if (is_first) {
            if (kind == 1)
                OK(MPI_Send(outgoing, 1, gaps, other, round, MPI_COMM_WORLD));
            else
                OK(MPI_Send(outgoing, half, MPI_BYTE, other, round, MPI_COMM_WORLD));
        } else {
            memset(incoming, GUARD, length);
            if (kind == 0) {
                OK(MPI_Recv(incoming, 1, gaps, other, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                for (int at = 0; at < half; at++)
                    CHECK(incoming[at / 4 * 8 + at % 4] == byte_of(round, at), "byte %d", at);
                CHECK(incoming[4] == GUARD, "a gap was written");
            } else if (kind == 1) {
                OK(MPI_Recv(incoming, half, MPI_BYTE, other, round, MPI_COMM_WORLD,
                            MPI_STATUS_IGNORE));
                for (int at = 0; at < half; at++)
                    CHECK(incoming[at] == byte_of(round, at / 4 * 8 + at % 4), "byte %d", at);
            } else {
                FAILS(MPI_Recv(incoming, half - 100, MPI_BYTE, other, round, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE),
                      MPI_ERR_TRUNCATE);
                expect(incoming, half - 100, round, "truncated");
                CHECK(incoming[half - 100] == GUARD, "a byte behind the buffer was written");
            }
        }
    }
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    OK(MPI_Type_free(&gaps));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    outgoing = malloc(LONGEST);
    incoming = malloc(LONGEST + 64);
    for (int at = 0; at < WINDOW; at++) kept[at] = malloc(LONGEST);
    /* Pairs of neighbours; the last of an odd number has nobody. */
    int other = rank ^ 1, is_first = rank % 2 == 0;
    /* Where all messages are read at once, no length makes a send wait. Otherwise oversubscribed
     * processes and networks announce all but short ones. */
    const char *forced = getenv("NEMESIS_PROTOCOL");
    int never_waits = forced && strcmp(forced, "eager_read") == 0;
    static const int lengths[] = {SHORTEST, SHORTEST + 13, 40000, 64 << 10, 200001, LONGEST};
    for (size_t at = 0; other < size && at < sizeof lengths / sizeof *lengths; at++) {
        int length = lengths[at], sent = never_waits ? length : length / 64;
        head_to_head(other, sent, 0);
        head_to_head(other, sent, 1);
        ahead(other, is_first, sent);
        matched(other, is_first, sent);
        windows(other, is_first, length);
        windows(other, !is_first, length);
        odd_ends(other, is_first, length / 8 * 8);
    }
    free(outgoing);
    free(incoming);
    for (int at = 0; at < WINDOW; at++) free(kept[at]);
    return MPI_Finalize();
}
