/* replace [DEATHS]: ranks die one after the other, and the others spawn replacements, so that the
 * job goes on with its size. */
#include "recovery.h"

enum { STEP_S = 40, STEPS = 4 };


static void begin(const char *what)
{
    begin_step(what, STEP_S);
}

static void must_work(int code)
{
    if (code != MPI_SUCCESS) {
        tell(code);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Merges the survivors, in their order, with the new ones. */
static MPI_Comm merged(MPI_Comm between, int is_new)
{
    MPI_Comm all;
    MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN);
    must_work(MPI_Intercomm_merge(between, is_new, &all));
    MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
    MPI_Comm_free(&between);
    return all;
}

/* Returns a communicator of the size that `comm` had: the living and their replacements. */
static MPI_Comm repaired(MPI_Comm comm, char *program, char **words)
{
    MPI_Comm fewer, between;
    int size = size_of(comm);
    begin("MPIX_Comm_shrink");
    MPIX_Comm_revoke(comm);
    must_work(MPIX_Comm_shrink(comm, &fewer));
    MPI_Comm_free(&comm);
    MPI_Comm_set_errhandler(fewer, MPI_ERRORS_RETURN);
    begin("MPI_Comm_spawn");
    must_work(MPI_Comm_spawn(program, words, size - size_of(fewer), MPI_INFO_NULL, 0, fewer,
                             &between, MPI_ERRCODES_IGNORE));
    MPI_Comm_free(&fewer);
    begin("MPI_Intercomm_merge");
    return merged(between, 0);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    int deaths = argc > 1 ? atoi(argv[1]) : 1, done = 0;
    MPI_Comm comm, parent;
    begin("the beginning");
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        must_work(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    } else {
        comm = merged(parent, 1);
    }
    int size = size_of(comm);
    while (done < STEPS) {
        /* A new process learns how far the others are. */
        begin("MPI_Bcast");
        int state[2] = {done, deaths}, sum = 0, one = 1;
        int failed = MPI_Bcast(state, 2, MPI_INT, 0, comm);
        done = state[0];
        deaths = state[1];
        if (!failed && deaths > 0 && done == 1 && rank_in(comm) == size - 1) {
            raise(SIGKILL);
        }
        if (!failed && done == 1 && deaths > 0) {
            deaths--;
            done++;
        }
        begin("MPI_Allreduce");
        failed = failed ? failed : MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
        int good = !failed;
        begin("MPIX_Comm_agree");
        if (MPIX_Comm_agree(comm, &good) != MPI_SUCCESS || !good) {
            comm = repaired(comm, argv[0], argv + 1);
            done = deaths > 0 ? 1 : done;
            continue;
        }
        REQUIRE(sum == size);
        done++;
    }
    begin("the end");
    if (rank_in(comm) == 0) {
        printf("%d processes have finished\n", size_of(comm));
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
