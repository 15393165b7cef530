/* What going on after failures costs, with any library that has the functions of ULFM:
 *
 *   ft start     starts and ends MPI, for a measurement from outside
 *   ft agree     MPIX_Comm_agree and MPI_Barrier without a failure, in microseconds: the least mean
 *                of a batch
 *   ft repair    the last rank kills itself: microseconds until a receive from it fails at rank 0,
 *                and for MPIX_Comm_revoke, MPIX_Comm_shrink and MPIX_Comm_agree after that
 *
 * A program for `mpiexec -ft` of this library and `mpiexec --with-ft ulfm` of Open MPI.
 */
#include <mpi.h>
#include <mpi-ext.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCHES = 40, CALLS = 500 };

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return 1e6 * at.tv_sec + 1e-3 * at.tv_nsec;
}

static void must(int code)
{
    if (code != MPI_SUCCESS) {
        fprintf(stderr, "a call has failed with code %d\n", code);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Returns the mean time of a call in a batch. */
static double batch(MPI_Comm comm, int agrees)
{
    int flag = 1;
    must(MPI_Barrier(comm));
    double begin = now();
    for (int call = 0; call < CALLS; call++) {
        must(agrees ? MPIX_Comm_agree(comm, &flag) : MPI_Barrier(comm));
    }
    return (now() - begin) / CALLS;
}

static void agree(MPI_Comm comm, int rank)
{
    double least[2] = {1e9, 1e9};
    for (int count = 0; count < 2 * BATCHES; count++) {
        double mean = batch(comm, count % 2);
        if (mean < least[count % 2]) least[count % 2] = mean;
    }
    if (rank == 0) printf("agree %.3f barrier %.3f\n", least[1], least[0]);
}

static void repair(MPI_Comm comm, int rank, int size)
{
    double died, failed, done;
    MPI_Comm living;
    int word, flag = 1;
    /* All connections are there. */
    for (int call = 0; call < 20; call++) {
        must(MPI_Barrier(comm));
        must(MPIX_Comm_agree(comm, &flag));
    }
    if (rank == size - 1) {
        died = now();
        must(MPI_Send(&died, 1, MPI_DOUBLE, 0, 0, comm));
        raise(SIGKILL);
    }
    if (rank == 0) {
        must(MPI_Recv(&died, 1, MPI_DOUBLE, size - 1, 0, comm, MPI_STATUS_IGNORE));
    }
    if (MPI_Recv(&word, 1, MPI_INT, size - 1, 1, comm, MPI_STATUS_IGNORE) == MPI_SUCCESS) {
        must(MPI_ERR_OTHER);
    }
    failed = now();
    MPIX_Comm_revoke(comm);
    must(MPIX_Comm_shrink(comm, &living));
    must(MPIX_Comm_agree(living, &flag));
    done = now();
    if (rank == 0) printf("error %.0f repair %.0f\n", failed - died, done - failed);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm comm;
    const char *what = argc > 1 ? argv[1] : "agree";
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (strcmp(what, "agree") == 0) agree(comm, rank);
    if (strcmp(what, "repair") == 0) repair(comm, rank, size);
    MPI_Finalize();
    return 0;
}
