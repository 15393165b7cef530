/* Threads call collectives concurrently, each on its own communicator: blocking and nonblocking
 * ones, duplicates and splits that are created, used and freed, and a user-defined operation that
 * calls MPI, while other threads send and receive on the same communicators.
 *
 * sizes: 1 2 4 7
 * seconds: 90
 */

#include "check.h"
#include "thread.h"

enum { THREADS = 4, ROUNDS = 25, N = 600 };

static MPI_Comm comms[THREADS];
static MPI_Op sum_op;

static void sum(void *input, void *inout, int *length, MPI_Datatype *type)
{
    int flag;
    (void)type;
    /* A user-defined operation may call MPI. */
    OK(MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE));
    for (int i = 0; i < *length; i++) ((int *)inout)[i] += ((int *)input)[i];
}

static int total_of(int value)
{
    return size * value + size * (size - 1) / 2;
}

static void reductions(MPI_Comm comm, int me, int round)
{
    int mine[N], all[N], blocking[N], count = 1 + round * 23 % N;
    MPI_Request requests[2];
    for (int i = 0; i < count; i++) mine[i] = rank + me * 100 + round + i;
    OK(MPI_Iallreduce(mine, all, count, MPI_INT, MPI_SUM, comm, &requests[0]));
    OK(MPI_Ibarrier(comm, &requests[1]));
    OK(MPI_Allreduce(mine, blocking, count, MPI_INT, sum_op, comm));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < count; i++)
        CHECK(all[i] == total_of(me * 100 + round + i) && blocking[i] == all[i],
              "thread %d, round %d: sum %d is %d and %d", me, round, i, all[i], blocking[i]);
}

static void moving(MPI_Comm comm, int me, int round)
{
    static const int lengths[] = {1, 100, 30000};
    int length = lengths[round % 3], root = round % size, *data = malloc(length * sizeof *data),
        *all = malloc(size * sizeof *all);
    for (int i = 0; i < length; i++) data[i] = rank == root ? me * 1000 + round + i : -1;
    OK(MPI_Bcast(data, length, MPI_INT, root, comm));
    for (int i = 0; i < length; i++)
        CHECK(data[i] == me * 1000 + round + i, "thread %d, round %d: number %d is %d", me, round,
              i, data[i]);
    int own = rank * 10 + me;
    OK(MPI_Allgather(&own, 1, MPI_INT, all, 1, MPI_INT, comm));
    for (int i = 0; i < size; i++)
        CHECK(all[i] == i * 10 + me, "thread %d: received %d from rank %d", me, all[i], i);
    free(data), free(all);
}

/* Creates, uses and frees communicators while the other threads do so, too. */
static void creations(MPI_Comm comm, int me, int round)
{
    MPI_Comm copy, half;
    MPI_Request request;
    int own, halves = 1 + (size > 1), result = -1, value = me + round;
    if (round % 2)
        OK(MPI_Comm_dup(comm, &copy));
    else {
        OK(MPI_Comm_idup(comm, &copy, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    OK(MPI_Comm_split(copy, rank % halves, -rank, &half));
    OK(MPI_Comm_rank(half, &own));
    OK(MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % size, 1, &result, 1, MPI_INT,
                    (rank + size - 1) % size, 1, copy, MPI_STATUS_IGNORE));
    CHECK(result == value, "thread %d: %d arrived on the duplicate", me, result);
    OK(MPI_Bcast(&own, 1, MPI_INT, 0, half));
    CHECK(own == 0, "thread %d: %d arrived on the half", me, own);
    OK(MPI_Comm_free(&half));
    OK(MPI_Comm_free(&copy));
}

static void *all_kinds(void *argument)
{
    int me = (int)(long)argument;
    for (int round = 0; round < ROUNDS; round++) {
        int number = -1, expected = (rank + size - 1) % size + round;
        MPI_Request requests[2];
        int sent = rank + round;
        OK(MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, me, comms[me], &requests[0]));
        OK(MPI_Isend(&sent, 1, MPI_INT, (rank + 1) % size, me, comms[me], &requests[1]));
        reductions(comms[me], me, round);
        moving(comms[me], me, round);
        creations(comms[me], me, round);
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        CHECK(number == expected, "thread %d, round %d: received %d", me, round, number);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    begin_threads(&argc, &argv);
    OK(MPI_Op_create(sum, 1, &sum_op));
    for (int i = 0; i < THREADS; i++) OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
    in_threads(THREADS, all_kinds);
    for (int i = 0; i < THREADS; i++) OK(MPI_Comm_free(&comms[i]));
    OK(MPI_Op_free(&sum_op));
    return MPI_Finalize();
}
