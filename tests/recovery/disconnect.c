/* MPI_Comm_disconnect of communicators of which a process has died, and of revoked ones: it returns
 * the error and keeps the communicator, on which the living agree and from which they make a new
 * one. MPI_Comm_free frees it. The last of the ranks dies.
 */
#include "recovery.h"

enum { STEP_S = 40 };

static MPI_Comm copy_of_world(void)
{
    MPI_Comm copy;
    REQUIRE(MPI_Comm_dup(MPI_COMM_WORLD, &copy) == MPI_SUCCESS);
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    return copy;
}

int main(int argc, char **argv)
{
    MPI_Comm revoked, early, late, living;
    int flag = 1;
    start(&argc, &argv);
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    begin_step("the communicators", STEP_S);
    revoked = copy_of_world();
    early = copy_of_world();
    late = copy_of_world();

    begin_step("MPI_Comm_disconnect of a revoked communicator", STEP_S);
    MPIX_Comm_revoke(revoked);
    REQUIRE(class_of(MPI_Comm_disconnect(&revoked)) == MPIX_ERR_REVOKED);
    REQUIRE(revoked != MPI_COMM_NULL && MPI_Comm_free(&revoked) == MPI_SUCCESS);

    begin_step("MPI_Comm_disconnect while a process dies", STEP_S);
    /* Its end may come before another one has left the barrier. */
    int failed = MPI_Barrier(MPI_COMM_WORLD);
    REQUIRE(failed == MPI_SUCCESS || is_expected(failed));
    if (rank == size - 1) {
        raise(SIGKILL);
    }
    REQUIRE(class_of(MPI_Comm_disconnect(&early)) == MPIX_ERR_PROC_FAILED);

    begin_step("MPI_Comm_disconnect after the death", STEP_S);
    await_failures(MPI_COMM_WORLD, 1);
    REQUIRE(class_of(MPI_Comm_disconnect(&late)) == MPIX_ERR_PROC_FAILED);

    begin_step("MPIX_Comm_agree after it", STEP_S);
    REQUIRE(class_of(MPIX_Comm_agree(early, &flag)) == MPIX_ERR_PROC_FAILED && flag == 1);

    begin_step("MPIX_Comm_shrink after it", STEP_S);
    REQUIRE(MPIX_Comm_shrink(late, &living) == MPI_SUCCESS && size_of(living) == size - 1);
    REQUIRE(MPI_Comm_disconnect(&living) == MPI_SUCCESS && living == MPI_COMM_NULL);
    REQUIRE(MPI_Comm_free(&early) == MPI_SUCCESS && MPI_Comm_free(&late) == MPI_SUCCESS);
    if (rank == 0) {
        puts("the others go on");
    }
    MPI_Finalize();
    return 0;
}
