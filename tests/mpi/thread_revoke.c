/* MPIX_Comm_revoke in programs with threads, whose messages travel in lanes, in a job that does not
 * go on after failures: what waits on such a communicator ends in every thread and process, and
 * later calls fail. Others go on.
 *
 * sizes: 1 2 4
 * seconds: 60
 */

#include "check.h"
#include "thread.h"
#include <mpi-ext.h>

enum { THREADS = 4, ROUNDS = 10 };

static MPI_Comm comms[THREADS], other;

static int class_of(int code)
{
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
    return class;
}

#define REVOKED(call)                                                                \
    do {                                                                             \
        int class = class_of(call);                                                  \
        CHECK(class == MPIX_ERR_REVOKED, #call " gives class %d", class);            \
    } while (0)

/* A message of a communicator of its own, of which each thread has one, that never comes. */
static void wait_for_ever(long thread)
{
    int value;
    REVOKED(MPI_Recv(&value, 1, MPI_INT, (rank + 1) % size, 0, comms[thread],
                     MPI_STATUS_IGNORE));
}

/* Rank 0 revokes while the threads of all ranks wait, also before they do. */
static void *act(void *number)
{
    long thread = (long)number;
    if (thread < THREADS) {
        wait_for_ever(thread);
    } else if (rank == 0) {
        for (int i = 0; i < THREADS; i++) OK(MPIX_Comm_revoke(comms[i]));
    }
    return NULL;
}

static void after(MPI_Comm comm)
{
    int value = rank, flag = 0;
    MPI_Request request;
    OK(MPIX_Comm_is_revoked(comm, &flag));
    CHECK(flag, "it is not revoked");
    REVOKED(MPI_Send(&value, 1, MPI_INT, rank, 0, comm));
    REVOKED(MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, comm));
    REVOKED(MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE));
    REVOKED(MPI_Isend(&value, 1, MPI_INT, rank, 0, comm, &request));
    REVOKED(MPI_Iprobe(MPI_ANY_SOURCE, 0, comm, &flag, MPI_STATUS_IGNORE));
    REVOKED(MPI_Barrier(comm));
}

int main(int argc, char **argv)
{
    begin_threads(&argc, &argv);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &other));
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < THREADS; i++) {
            MPI_Info info;
            OK(MPI_Info_create(&info));
            /* Half of them have a lane for each tag. */
            if (i % 2) OK(MPI_Info_set(info, "mpi_assert_no_any_tag", "true"));
            OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comms[i]));
            OK(MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN));
            OK(MPI_Info_free(&info));
        }
        in_threads(THREADS + 1, act);
        for (int i = 0; i < THREADS; i++) {
            after(comms[i]);
            MPI_Comm fewer;
            OK(MPIX_Comm_shrink(comms[i], &fewer));
            int sum = 0, one = 1;
            OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, fewer));
            CHECK(sum == size, "%d processes", sum);
            OK(MPI_Comm_free(&fewer));
            OK(MPI_Comm_free(&comms[i]));
        }
        int in = -1, to = (rank + 1) % size, from = (rank + size - 1) % size;
        OK(MPI_Sendrecv(&rank, 1, MPI_INT, to, round, &in, 1, MPI_INT, from, round, other,
                        MPI_STATUS_IGNORE));
        CHECK(in == from, "%d", in);
    }
    OK(MPI_Comm_free(&other));
    return MPI_Finalize();
}
