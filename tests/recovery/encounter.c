/* Two jobs that meet, and go on when a process of one of them has died:
 *
 *   encounter serve FILE      accepts, and writes the name of its port into the file
 *   encounter connect FILE    connects; rank 1 dies when the jobs have met
 *   encounter ... differ      only one of the jobs runs with -ft, and nobody dies
 *   encounter ... mixed SEED  as before, and one of the job with -ft dies in collective operations
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

/* Makes a window of all processes, and puts into that of the next one. */
static void use_window(MPI_Comm all)
{
    MPI_Win win;
    int *place, rank = rank_in(all), size = size_of(all);
    begin("MPI_Win_allocate");
    must_work(MPI_Win_allocate(sizeof *place, sizeof *place, MPI_INFO_NULL, all, &place, &win));
    *place = -1;
    begin("MPI_Put");
    must_work(MPI_Win_fence(0, win));
    must_work(MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win));
    must_work(MPI_Win_fence(0, win));
    REQUIRE(*place == (rank + size - 1) % size);
    begin("MPI_Win_free");
    must_work(MPI_Win_free(&win));
    begin("a window of memory of the program");
    int word = rank;
    must_work(MPI_Win_create(&word, sizeof word, sizeof word, MPI_INFO_NULL, all, &win));
    must_work(MPI_Win_free(&win));
    begin("a window without memory");
    must_work(MPI_Win_create_dynamic(MPI_INFO_NULL, all, &win));
    must_work(MPI_Win_free(&win));
}

/* All processes write a file, which is deleted when it is closed. */
static void use_file(MPI_Comm all, const char *path)
{
    MPI_File file;
    char name[4096];
    int rank = rank_in(all), read = -1;
    snprintf(name, sizeof name, "%s.data", path);
    begin("MPI_File_open");
    int amode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    must_work(MPI_File_open(all, name, amode, MPI_INFO_NULL, &file));
    begin("MPI_File_write_at_all");
    MPI_Offset at = rank * (MPI_Offset)sizeof rank;
    must_work(MPI_File_write_at_all(file, at, &rank, 1, MPI_INT, MPI_STATUS_IGNORE));
    must_work(MPI_File_read_at_all(file, at, &read, 1, MPI_INT, MPI_STATUS_IGNORE));
    REQUIRE(read == rank);
    begin("MPI_File_close");
    must_work(MPI_File_close(&file));
}

/* Makes an intercommunicator of two groups, and frees it. */
static void meet_again(MPI_Comm group, int leader, MPI_Comm peer, int remote_leader)
{
    MPI_Comm between, both;
    int one = 1, sum = 0;
    must_work(MPI_Intercomm_create(group, leader, peer, remote_leader, 3, &between));
    MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN);
    must_work(MPI_Intercomm_merge(between, remote_leader == 0, &both));
    must_work(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, both));
    REQUIRE(sum == size_of(both));
    must_work(MPI_Comm_free(&both));
    must_work(MPI_Comm_free(&between));
}

/* Makes all that takes all processes of both jobs, one of which has -ft: nothing may wait for an
 * agreement that the other job does not know of. */
static void make_all(MPI_Comm between, int serves, const char *path)
{
    MPI_Comm all, twin, half, some;
    begin("MPI_Intercomm_merge");
    must_work(MPI_Intercomm_merge(between, !serves, &all));
    MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
    int size = size_of(all), rank = rank_in(all);
    use_window(all);
    use_file(all, path);
    begin("MPI_Comm_dup");
    must_work(MPI_Comm_dup(all, &twin));
    use_window(twin);
    must_work(MPI_Comm_free(&twin));
    begin("an intercommunicator of the jobs");
    meet_again(MPI_COMM_WORLD, 0, all, serves ? size / 2 : 0);
    /* Each half has processes of both jobs. */
    begin("MPI_Comm_split");
    must_work(MPI_Comm_split(all, rank % 2, rank, &half));
    MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
    use_window(half);
    begin("an intercommunicator of mixed groups");
    meet_again(half, 0, all, 1 - rank % 2);
    /* A group of one job, and one of both. */
    begin("MPI_Comm_split in two other parts");
    must_work(MPI_Comm_split(all, rank == 0, rank, &some));
    MPI_Comm_set_errhandler(some, MPI_ERRORS_RETURN);
    begin("an intercommunicator of a part of one job and the rest of both");
    meet_again(some, 0, all, rank == 0);
    begin("MPI_Comm_create_group");
    MPI_Group group, ends;
    MPI_Comm_group(all, &group);
    must_work(MPI_Group_incl(group, 2, (int[]){0, size - 1}, &ends));
    if (rank == 0 || rank == size - 1) {
        must_work(MPI_Comm_create_group(all, ends, 5, &twin));
        MPI_Comm_set_errhandler(twin, MPI_ERRORS_RETURN);
        use_window(twin);
        must_work(MPI_Comm_free(&twin));
    }
    MPI_Group_free(&ends);
    MPI_Group_free(&group);
    begin("MPI_Comm_free");
    must_work(MPI_Comm_free(&some));
    must_work(MPI_Comm_free(&half));
    must_work(MPI_Comm_free(&all));
}

/* Collective operations of both jobs, in which one process of the job with -ft dies: all others
 * get an error. */
static void end_together(MPI_Comm between, int serves, unsigned seed)
{
    MPI_Comm all;
    int is_tolerant = getenv("TOLERANT") != NULL, code = MPI_SUCCESS;
    must_work(MPI_Intercomm_merge(between, !serves, &all));
    MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
    if (is_tolerant && rank_in(MPI_COMM_WORLD) == DEAD) {
        die_after(1 + (seed * 7919L) % 20000);
    }
    begin("collective operations of both jobs");
    static int in[LONG], out[LONG];
    for (int turn = 0; code == MPI_SUCCESS; turn++) {
        int count = (turn + seed) % 7 == 0 ? LONG : 1;
        switch ((turn + seed) % 4) {
        case 0:
            code = MPI_Barrier(all);
            break;
        case 1:
            code = MPI_Bcast(in, count, MPI_INT, turn % size_of(all), all);
            break;
        case 2:
            code = MPI_Allgather(in, 1, MPI_INT, out, 1, MPI_INT, all);
            break;
        default:
            code = MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, all);
        }
    }
    /* One may have got its result, and wait for the others in the next operation. */
    MPIX_Comm_revoke(all);
    int class = class_of(code);
    if (!is_expected(code) && class != MPI_ERR_PROC_ABORTED) {
        must_work(code);
    }
    begin("a window of both jobs");
    int *place;
    MPI_Win win;
    code = MPI_Win_allocate(4, 4, MPI_INFO_NULL, all, &place, &win);
    REQUIRE(code != MPI_SUCCESS);
    begin("the end of both jobs");
    MPI_Comm_free(&all);
    MPI_Comm_free(&between);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    REQUIRE(argc >= 3 && argc <= 5);
    int serves = strcmp(argv[1], "serve") == 0;
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), word = 0;
    begin("the meeting");
    MPI_Comm between = met(serves, argv[2]), fewer, all;
    begin("messages between the jobs");
    talk(between, rank);
    if (argc == 5) {
        end_together(between, serves, atoi(argv[4]));
    } else if (argc == 4) {
        make_all(between, serves, argv[2]);
        begin("the end of the meeting");
        must_work(MPI_Barrier(between));
        must_work(MPI_Comm_disconnect(&between));
    }
    if (argc > 3) {
        begin("MPI_Finalize");
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
