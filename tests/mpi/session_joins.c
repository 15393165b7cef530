/* A thread opens a session while another thread is in an MPI call, although MPI was initialised
 * with a level that allows only that one thread to call. The other thread makes short calls, or is
 * blocked until the session has been used (MPI 5.0 §11.3, §11.6). Also the calls that any thread
 * may make at any time.
 *
 * modes: default network tiny threads
 * sizes: 1 2 4 7
 * seconds: 60
 */

#include "check.h"
#include "thread.h"

static atomic_int go, used;

static void *joins(void *argument)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int flag, level, sum, one = 1;
    while (!atomic_load(&go)) sched_yield();
    for (int i = 0; i < 1000; i++) {
        OK(MPI_Initialized(&flag));
        CHECK(flag, "MPI is not initialised");
        OK(MPI_Finalized(&flag));
        CHECK(!flag, "MPI is finalized");
        OK(MPI_Is_thread_main(&flag));
        CHECK(!flag, "this is not the main thread");
        OK(MPI_Query_thread(&level));
        CHECK(level >= MPI_THREAD_FUNNELED, "level %d", level);
    }
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    OK(MPI_Comm_create_from_group(group, "joined", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    OK(MPI_Group_free(&group));
    for (int i = 0; i < 100; i++) {
        OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
        CHECK(sum == size, "sum %d", sum);
    }
    OK(MPI_Comm_free(&comm));
    OK(MPI_Session_finalize(&session));
    atomic_store(&used, 1);
    return argument;
}

/* Exchanges messages with rank `other` until threads of both ranks have used their sessions. */
static void ping_pong(int other)
{
    for (int round = 0;; round++) {
        int mine = atomic_load(&used), its = -1;
        MPI_Status status;
        if (round == 100) atomic_store(&go, 1);
        if (rank == other) {
            OK(MPI_Sendrecv(&mine, 1, MPI_INT, rank, round, &its, 1, MPI_INT, rank, round,
                            MPI_COMM_WORLD, &status));
        } else {
            if (rank < other) OK(MPI_Send(&mine, 1, MPI_INT, other, round, MPI_COMM_WORLD));
            OK(MPI_Recv(&its, 1, MPI_INT, other, round, MPI_COMM_WORLD, &status));
        }
        STATUS(&status, other, round, (long)sizeof its);
        if (rank > other) OK(MPI_Send(&mine, 1, MPI_INT, other, round, MPI_COMM_WORLD));
        CHECK(its == 0 || its == 1, "received %d", its);
        if (mine && its) break;
    }
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int provided, number = -1, other;
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK(provided >= MPI_THREAD_FUNNELED, "level %d", provided);
    CHECK(pthread_create(&thread, NULL, joins, NULL) == 0, "no thread");
    if (rank % 2) {
        /* Blocked, and asleep by the time the session is opened. */
        atomic_store(&go, 1);
        OK(MPI_Recv(&number, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(number == 4711, "received %d", number);
    } else {
        other = rank ^ 2;
        ping_pong(other < size ? other : rank);
        number = 4711;
        if (rank + 1 < size) OK(MPI_Send(&number, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD));
    }
    CHECK(pthread_join(thread, NULL) == 0, "the thread cannot be joined");
    OK(MPI_Barrier(MPI_COMM_WORLD));
    return MPI_Finalize();
}
