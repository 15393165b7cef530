/* MPI_Comm_disconnect of communicators of which a process has died, and of revoked ones: it frees
 * them, and their error handlers hear of the failure. The last of the ranks dies.
 */
#include "recovery.h"

enum { STEP_S = 40, COMMS = 20 };

static int heard;

static void hear(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    heard++;
}

int main(int argc, char **argv)
{
    MPI_Comm comms[COMMS], revoked, early, living;
    MPI_Errhandler handler;
    start(&argc, &argv);
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    begin_step("the communicators", STEP_S);
    MPI_Comm_create_errhandler(hear, &handler);
    for (int at = 0; at < COMMS; at++) {
        REQUIRE(MPI_Comm_dup(MPI_COMM_WORLD, &comms[at]) == MPI_SUCCESS);
        /* The communicator alone keeps every other handler. */
        MPI_Comm_set_errhandler(comms[at], at % 2 ? MPI_ERRORS_RETURN : handler);
    }
    REQUIRE(MPI_Comm_dup(MPI_COMM_WORLD, &revoked) == MPI_SUCCESS);
    MPI_Comm_set_errhandler(revoked, MPI_ERRORS_RETURN);
    REQUIRE(MPI_Comm_dup(MPI_COMM_WORLD, &early) == MPI_SUCCESS);
    MPI_Comm_set_errhandler(early, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);

    begin_step("MPI_Comm_disconnect of a revoked communicator", STEP_S);
    MPIX_Comm_revoke(revoked);
    REQUIRE(class_of(MPI_Comm_disconnect(&revoked)) == MPIX_ERR_REVOKED);
    REQUIRE(revoked == MPI_COMM_NULL);

    begin_step("MPI_Comm_disconnect while a process dies", STEP_S);
    /* Its end may come before another one has left the barrier. */
    int failed = MPI_Barrier(MPI_COMM_WORLD);
    REQUIRE(failed == MPI_SUCCESS || is_expected(failed));
    if (rank == size - 1) {
        raise(SIGKILL);
    }
    REQUIRE(class_of(MPI_Comm_disconnect(&early)) == MPIX_ERR_PROC_FAILED);
    REQUIRE(early == MPI_COMM_NULL);

    begin_step("MPI_Comm_disconnect after the death", STEP_S);
    await_failures(MPI_COMM_WORLD, 1);
    for (int at = 0; at < COMMS; at++) {
        REQUIRE(class_of(MPI_Comm_disconnect(&comms[at])) == MPIX_ERR_PROC_FAILED);
        REQUIRE(comms[at] == MPI_COMM_NULL && heard == at / 2 + 1);
    }

    begin_step("MPIX_Comm_shrink", STEP_S);
    REQUIRE(MPIX_Comm_shrink(MPI_COMM_WORLD, &living) == MPI_SUCCESS);
    REQUIRE(size_of(living) == size - 1);
    REQUIRE(MPI_Comm_disconnect(&living) == MPI_SUCCESS && living == MPI_COMM_NULL);
    if (rank == 0) {
        puts("the others go on");
    }
    MPI_Finalize();
    return 0;
}
