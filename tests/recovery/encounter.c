/* Two jobs that meet, and go on when a process of one of them has died:
 *
 *   encounter serve FILE      accepts, and writes the name of its port into the file
 *   encounter connect FILE    connects; rank 1 dies when the jobs have met
 *   encounter ... differ      only one of the jobs runs with -ft, and nobody dies
 */
#include "recovery.h"

enum { STEP_S = 40, DEAD = 1, LONG = 1 << 18 };

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

/* Opens a port, and writes its name into a file. */
static void open_port(char *port, const char *path)
{
    char early[4096];
    must_work(MPI_Open_port(MPI_INFO_NULL, port));
    snprintf(early, sizeof early, "%s.early", path);
    FILE *file = fopen(early, "w");
    REQUIRE(file && fputs(port, file) >= 0 && fclose(file) == 0 && rename(early, path) == 0);
}

static void read_port(char *port, const char *path)
{
    FILE *file;
    while (!(file = fopen(path, "r"))) {
        usleep(1000);
    }
    REQUIRE(fgets(port, MPI_MAX_PORT_NAME, file));
    fclose(file);
}

/* Returns an intercommunicator of both jobs. */
static MPI_Comm met(int serves, const char *path)
{
    MPI_Comm between;
    char port[MPI_MAX_PORT_NAME] = "";
    if (rank_in(MPI_COMM_WORLD) == 0) {
        serves ? open_port(port, path) : read_port(port, path);
    }
    must_work(serves ? MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between)
                     : MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between));
    MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN);
    return between;
}

/* Each process exchanges a short and a long message with its partner in the other job. */
static void talk(MPI_Comm between, int partner)
{
    static int ours[LONG], theirs[LONG];
    for (int count = 1; count <= LONG; count += LONG - 1) {
        ours[0] = ours[count - 1] = count + partner;
        must_work(MPI_Sendrecv(ours, count, MPI_INT, partner, 0, theirs, count, MPI_INT, partner,
                               0, between, MPI_STATUS_IGNORE));
        REQUIRE(theirs[0] == theirs[count - 1] && theirs[0] >= count);
    }
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    REQUIRE(argc == 3 || argc == 4);
    int serves = strcmp(argv[1], "serve") == 0;
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), word = 0;
    begin("the meeting");
    MPI_Comm between = met(serves, argv[2]), fewer, all;
    begin("messages between the jobs");
    talk(between, rank);
    if (argc == 4) {
        begin("the end of the meeting");
        must_work(MPI_Barrier(between));
        must_work(MPI_Comm_disconnect(&between));
        if (rank == 0) {
            puts("the jobs have met");
        }
        MPI_Finalize();
        return 0;
    }
    /* Its end may come before another one has left the barrier. */
    int failed = MPI_Barrier(between);
    REQUIRE(failed == MPI_SUCCESS || is_expected(failed));
    if (!serves && rank == DEAD) {
        raise(SIGKILL);
    }

    begin("a receive from the dead");
    MPI_Comm with_dead = serves ? between : MPI_COMM_WORLD;
    failed = MPI_Recv(&word, 1, MPI_INT, DEAD, 1, with_dead, MPI_STATUS_IGNORE);
    REQUIRE(class_of(failed) == MPIX_ERR_PROC_FAILED);
    begin("a receive from any process of the other job");
    if (serves) {
        failed = MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 1, between, MPI_STATUS_IGNORE);
        REQUIRE(class_of(failed) == MPIX_ERR_PROC_FAILED_PENDING ||
                class_of(failed) == MPIX_ERR_PROC_FAILED);
    }
    begin("messages between the living");
    if (rank != DEAD) {
        talk(between, rank);
    }
    begin("an agreement between the jobs");
    int flag = serves ? 6 : 3;
    failed = MPIX_Comm_agree(between, &flag);
    REQUIRE(class_of(failed) == MPIX_ERR_PROC_FAILED && flag == 2);
    begin("MPIX_Comm_shrink");
    MPIX_Comm_revoke(between);
    must_work(MPIX_Comm_shrink(between, &fewer));
    MPI_Comm_set_errhandler(fewer, MPI_ERRORS_RETURN);
    int others;
    MPI_Comm_remote_size(fewer, &others);
    REQUIRE(size_of(fewer) == (serves ? size : size - 1));
    REQUIRE(others == (serves ? size - 1 : size));
    begin("MPI_Intercomm_merge");
    must_work(MPI_Intercomm_merge(fewer, !serves, &all));
    MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
    begin("MPI_Allreduce of both jobs");
    int one = 1, sum = 0;
    must_work(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all));
    REQUIRE(sum == 2 * size - 1);
    begin("the end of the meeting");
    must_work(MPI_Comm_disconnect(&all));
    must_work(MPI_Comm_disconnect(&fewer));
    MPI_Comm_free(&between);
    begin("MPI_Finalize");
    if (rank == 0) {
        puts("the others go on");
    }
    MPI_Finalize();
    return 0;
}
