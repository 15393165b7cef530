/* Matching takes constant time: each of ten thousand posted receives, and each of ten thousand
 * unexpected messages, costs about as much as each of a few hundred, in whatever order they match.
 * This is a property of this library, not of the standard. The bound is generous, and a linear
 * search would exceed it by far. Modes over the network are excluded, because the system calls of
 * each message would be measured there.
 *
 * sizes: 1 2
 * modes: default copy threads
 */

#include "check.h"
#include <time.h>

enum { FEW = 500, MANY = 10000, TAG_STEP = 7919 };

/* Returns the processor time of this process in seconds, which does not depend on the load of the
 * machine. */
static double seconds(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec + used.tv_nsec * 1e-9;
}

/* Returns the seconds per message when `count` receives with different tags are posted and then
 * matched in another order. */
static double posted(int count, int wild)
{
    static MPI_Request requests[MANY];
    static int got[MANY];
    int peer = rank ^ 1;
    double start = 0;
    if (rank == 0) {
        for (int i = 0; i < count; i++)
            OK(MPI_Irecv(&got[i], 1, MPI_INT, wild && i % 3 == 0 ? MPI_ANY_SOURCE : peer, i,
                         MPI_COMM_WORLD, &requests[i]));
    }
    OK(MPI_Sendrecv(NULL, 0, MPI_INT, peer, 65000, NULL, 0, MPI_INT, peer, 65000, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
    start = seconds();
    if (rank == 0) {
        OK(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < count; i++) CHECK(got[i] == i, "receive %d got %d", i, got[i]);
    } else {
        for (int i = 0; i < count; i++) {
            int tag = (int)((long)i * TAG_STEP % count);
            OK(MPI_Send(&tag, 1, MPI_INT, peer, tag, MPI_COMM_WORLD));
        }
    }
    OK(MPI_Sendrecv(NULL, 0, MPI_INT, peer, 65001, NULL, 0, MPI_INT, peer, 65001, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
    return (seconds() - start) / count;
}

/* Returns the seconds per message when `count` messages arrive before their receives, half of which
 * are wildcards. */
static double unexpected(int count)
{
    static MPI_Request requests[MANY];
    static int numbers[MANY];
    int peer = rank ^ 1, got;
    MPI_Status status;
    if (rank == 1)
        for (int i = 0; i < count; i++) {
            numbers[i] = i;
            OK(MPI_Isend(&numbers[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &requests[i]));
        }
    OK(MPI_Sendrecv(NULL, 0, MPI_INT, peer, 65000, NULL, 0, MPI_INT, peer, 65000, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
    double start = seconds();
    if (rank == 0)
        for (int i = 0; i < count; i++) {
            int tag = (int)((long)i * TAG_STEP % count);
            OK(MPI_Recv(&got, 1, MPI_INT, i & 1 ? MPI_ANY_SOURCE : peer, tag, MPI_COMM_WORLD,
                        &status));
            CHECK(got == tag, "received %d with tag %d", got, tag);
            STATUS(&status, peer, tag, 4);
        }
    else
        OK(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
    OK(MPI_Sendrecv(NULL, 0, MPI_INT, peer, 65001, NULL, 0, MPI_INT, peer, 65001, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
    return (seconds() - start) / count;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (size >= 2 && rank < 2) {
        double few[3] = {1, 1, 1}, many[3] = {1, 1, 1};
        for (int round = 0; round < 5; round++) {
            few[0] = least(few[0], posted(FEW, 0));
            few[1] = least(few[1], posted(FEW, 1));
            few[2] = least(few[2], unexpected(FEW));
        }
        for (int round = 0; round < 3; round++) {
            many[0] = least(many[0], posted(MANY, 0));
            many[1] = least(many[1], posted(MANY, 1));
            many[2] = least(many[2], unexpected(MANY));
        }
        static const char *what[3] = {"posted", "posted with wildcards", "unexpected"};
        for (int i = 0; i < 3; i++)
            CHECK(many[i] < 8 * few[i] + 2e-6, "%s: %.0f ns a message with %d, %.0f ns with %d",
                  what[i], few[i] * 1e9, FEW, many[i] * 1e9, MANY);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    return MPI_Finalize();
}
