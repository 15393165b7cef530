/* Spawns two processes of itself for scripts/test-spawn: `spawner CASE`. CASE says who ends how:
 *
 *   lost     the children are killed while the parent waits for a message from them
 *   abort    a child aborts over the communicator of parent and children
 *   crash    a child crashes after both sides have disconnected
 *   parent   the parent kills itself while the children wait for a message from it
 *   wait     everybody waits; the script kills the launcher
 *   leave    the children finalize without disconnecting */

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is(const char *name, const char *given)
{
    return strcmp(name, given) == 0;
}

static int child(MPI_Comm parent, const char *given)
{
    int message;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (is("lost", given)) raise(SIGKILL);
    if (is("abort", given) && rank == 0) MPI_Abort(parent, 7);
    if (is("parent", given) || is("wait", given) || is("abort", given))
        MPI_Recv(&message, 1, MPI_INT, 0, 0, parent, MPI_STATUS_IGNORE);
    if (!is("leave", given)) MPI_Comm_disconnect(&parent);
    if (is("crash", given)) raise(SIGSEGV);
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Comm parent, inter;
    int message, code, class_ = MPI_SUCCESS;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    const char *given = argc > 1 ? argv[1] : "";
    if (parent != MPI_COMM_NULL) return child(parent, given);
    char *arguments[] = { argv[1], NULL };
    MPI_Comm_spawn(argv[0], arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter,
                   MPI_ERRCODES_IGNORE);
    puts("spawned");
    fflush(stdout);
    if (is("parent", given)) raise(SIGKILL);
    if (is("wait", given)) MPI_Recv(&message, 1, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE);
    if (is("lost", given) || is("abort", given)) {
        MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
        code = MPI_Recv(&message, 1, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS) MPI_Error_class(code, &class_);
        puts(class_ == MPI_ERR_PROC_ABORTED ? "noticed" : "not noticed");
    }
    MPI_Comm_disconnect(&inter);
    if (is("crash", given)) sleep(1);
    puts("done");
    MPI_Finalize();
    return 0;
}
