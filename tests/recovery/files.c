/* files FOLDER: a process dies that has files open with others. Collective calls on them fail, and
 * nobody waits for it; calls of one process, and files of the survivors, work. */
#include "recovery.h"

enum { VICTIM = 2, WORDS = 20000, STEP_S = 20 };

static long data[WORDS];

static void begin(const char *what)
{
    begin_step(what, STEP_S);
}

static void must_fail(int code)
{
    if (class_of(code) != MPIX_ERR_PROC_FAILED) {
        tell(code);
    }
}

static void must_work(int code)
{
    if (code != MPI_SUCCESS) {
        tell(code);
    }
}

/* A call that waits for a lock may fail, because the dead may hold it. */
static void must_end(int code)
{
    if (code != MPI_SUCCESS) {
        must_fail(code);
    }
}

static MPI_File open_file(MPI_Comm comm, const char *folder, const char *name)
{
    char path[4096];
    MPI_File file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    REQUIRE(!MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    return file;
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    REQUIRE(argc > 1);
    int rank = rank_in(MPI_COMM_WORLD);
    MPI_Offset at = (MPI_Offset)rank * sizeof data;
    begin("the beginning");
    MPI_File file = open_file(MPI_COMM_WORLD, argv[1], "all");
    MPI_File atomic = open_file(MPI_COMM_WORLD, argv[1], "atomic");
    MPI_File unused = open_file(MPI_COMM_WORLD, argv[1], "unused");
    REQUIRE(!MPI_File_set_atomicity(atomic, 1));
    REQUIRE(!MPI_File_write_at_all(file, at, data, WORDS, MPI_LONG, MPI_STATUS_IGNORE));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == VICTIM) {
        raise(SIGKILL);
    }
    await_failures(MPI_COMM_WORLD, 1);
    MPI_Status status;
    begin("MPI_File_write_at_all");
    must_fail(MPI_File_write_at_all(file, at, data, WORDS, MPI_LONG, &status));
    begin("MPI_File_read_at_all");
    must_fail(MPI_File_read_at_all(file, at, data, WORDS, MPI_LONG, &status));
    begin("MPI_File_write_ordered");
    must_fail(MPI_File_write_ordered(file, data, 100, MPI_LONG, &status));
    begin("MPI_File_iwrite_at_all");
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_File_iwrite_at_all(file, at, data, WORDS, MPI_LONG, &request);
    must_fail(code ? code : MPI_Wait(&request, &status));
    begin("MPI_File_read_all_begin");
    code = MPI_File_read_all_begin(file, data, WORDS, MPI_LONG);
    must_fail(code ? code : MPI_File_read_all_end(file, data, &status));
    begin("MPI_File_set_view");
    must_fail(MPI_File_set_view(file, 0, MPI_LONG, MPI_LONG, "native", MPI_INFO_NULL));
    begin("MPI_File_set_size");
    must_fail(MPI_File_set_size(file, 4 * sizeof data));
    begin("MPI_File_preallocate");
    must_fail(MPI_File_preallocate(file, sizeof data));
    begin("MPI_File_set_atomicity");
    must_fail(MPI_File_set_atomicity(file, 1));
    begin("MPI_File_sync");
    must_fail(MPI_File_sync(file));
    begin("MPI_File_seek_shared");
    must_fail(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    begin("MPI_File_write_at");
    must_work(MPI_File_write_at(file, at, data, 100, MPI_LONG, &status));
    begin("MPI_File_read_at, atomic");
    must_end(MPI_File_read_at(atomic, 0, data, 100, MPI_LONG, &status));
    begin("MPI_File_write_shared");
    must_end(MPI_File_write_shared(file, data, 100, MPI_LONG, &status));
    begin("MPI_File_open");
    char path[4096];
    MPI_File another;
    snprintf(path, sizeof path, "%s/another", argv[1]);
    must_fail(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                            &another));
    begin("MPI_File_close");
    must_work(MPI_File_close(&unused));
    must_work(MPI_File_close(&atomic));
    must_work(MPI_File_close(&file));
    REQUIRE(file == MPI_FILE_NULL && unused == MPI_FILE_NULL);
    begin("files of the survivors");
    MPI_Comm fewer;
    must_work(MPIX_Comm_shrink(MPI_COMM_WORLD, &fewer));
    file = open_file(fewer, argv[1], "fewer");
    at = (MPI_Offset)rank_in(fewer) * sizeof data;
    for (int i = 0; i < WORDS; i++) {
        data[i] = rank;
    }
    must_work(MPI_File_write_at_all(file, at, data, WORDS, MPI_LONG, &status));
    must_work(MPI_File_close(&file));
    MPI_Comm_free(&fewer);
    begin("the end");
    if (rank == 0) {
        printf("the others go on\n");
    }
    MPI_Finalize();
    return 0;
}
