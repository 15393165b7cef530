/* Opening, closing, deleting, sizes, hints, also those of a file that the environment names, groups
 * and modes of files, and errors that all ranks must return alike (MPI 5.0 §14.2, §14.7).
 *
 * modes: default network threads */

#include "io.h"

static int handled;

static void on_error(MPI_File *file, int *code, ...)
{
    (void)file;
    MPI_Error_class(*code, &handled);
}

static void modes(void)
{
    static const int invalid[] = {
        0,
        MPI_MODE_CREATE,
        MPI_MODE_RDONLY | MPI_MODE_RDWR,
        MPI_MODE_RDONLY | MPI_MODE_CREATE,
        MPI_MODE_RDONLY | MPI_MODE_EXCL,
        MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL,
    };
    MPI_File file = (MPI_File)&file;
    for (unsigned i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        FAILS(MPI_File_open(MPI_COMM_WORLD, file_name, invalid[i], MPI_INFO_NULL, &file),
              MPI_ERR_AMODE);
        CHECK(file == MPI_FILE_NULL, "a failed open leaves a handle");
    }
    FAILS(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
          MPI_ERR_NO_SUCH_FILE);
    /* One rank alone makes a mistake; all ranks learn of it. */
    if (size > 1) {
        int amode = rank == size - 1 ? MPI_MODE_RDONLY : MPI_MODE_RDWR | MPI_MODE_CREATE;
        char last[32];
        snprintf(last, sizeof last, "rank %d on ", size - 1);
        FAILS_SAYING(MPI_File_open(MPI_COMM_WORLD, file_name, amode, MPI_INFO_NULL, &file),
                     MPI_ERR_NOT_SAME, last, ": amode is MPI_MODE_RDWR | MPI_MODE_CREATE");
        FAILS_SAYING(MPI_File_open(MPI_COMM_WORLD, file_name, amode, MPI_INFO_NULL, &file),
                     MPI_ERR_NOT_SAME, "rank 0 on ", ": amode is MPI_MODE_RDONLY;");
        FAILS(MPI_File_open(MPI_COMM_WORLD, rank == size - 1 ? "/none/such" : "/tmp",
                            MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
              MPI_ERR_BAD_FILE);
        OK(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                         MPI_INFO_NULL, &file));
        OK(MPI_File_close(&file));
        char other[300];
        snprintf(other, sizeof other, "%s-%d", file_name, rank);
        FAILS(MPI_File_open(MPI_COMM_WORLD, rank == 1 ? other : file_name, MPI_MODE_RDONLY,
                            MPI_INFO_NULL, &file),
              MPI_ERR_NO_SUCH_FILE);
        if (rank == 0) OK(MPI_File_delete(file_name, MPI_INFO_NULL));
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void names(void)
{
    MPI_File file;
    char below[300];
    file = open_file(MPI_COMM_WORLD, MPI_MODE_CREATE | MPI_MODE_RDWR);
    OK(MPI_File_close(&file));
    CHECK(file == MPI_FILE_NULL, "a closed handle is not null");
    FAILS(MPI_File_open(MPI_COMM_WORLD, file_name,
                        MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY, MPI_INFO_NULL, &file),
          MPI_ERR_FILE_EXISTS);
    snprintf(below, sizeof below, "%s/below", file_name);
    FAILS(MPI_File_open(MPI_COMM_WORLD, below, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                        &file),
          MPI_ERR_BAD_FILE);
    FAILS(MPI_File_open(MPI_COMM_WORLD, "/tmp", MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
          MPI_ERR_BAD_FILE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        OK(MPI_File_delete(file_name, MPI_INFO_NULL));
        /* A pipe that nobody has open at its other end: opening it would wait. */
        CHECK(!mkfifo(file_name, 0600), "mkfifo: %s", strerror(errno));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    static const int pipe_modes[] = {MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR};
    for (int i = 0; i < 3; i++)
        FAILS(MPI_File_open(MPI_COMM_WORLD, file_name, pipe_modes[i], MPI_INFO_NULL, &file),
              MPI_ERR_UNSUPPORTED_OPERATION);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        OK(MPI_File_delete(file_name, MPI_INFO_NULL));
        FAILS(MPI_File_delete(file_name, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
        FAILS(MPI_File_delete("/tmp", MPI_INFO_NULL), MPI_ERR_BAD_FILE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* A colon is part of a name. */
    snprintf(below, sizeof below, "%s:ufs:x", file_name);
    OK(MPI_File_open(MPI_COMM_WORLD, below,
                     MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                     &file));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(length_of(below) == 0, "the file has another name");
    OK(MPI_File_close(&file));
    CHECK(length_of(below) == -1, "the file is still there after its close");
}

static void sizes(void)
{
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    MPI_Offset bytes;
    int amode;
    OK(MPI_File_get_amode(file, &amode));
    CHECK(amode == (MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE),
          "amode is %d", amode);
    OK(MPI_File_set_size(file, 1000));
    OK(MPI_File_get_size(file, &bytes));
    CHECK(bytes == 1000, "the size is %ld", (long)bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) OK(MPI_File_write_at(file, 0, numbers(3), 1000, MPI_BYTE, MPI_STATUS_IGNORE));
    OK(MPI_File_sync(file));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_preallocate(file, 100));
    OK(MPI_File_get_size(file, &bytes));
    CHECK(bytes == 1000, "preallocation has cut the file to %ld", (long)bytes);
    OK(MPI_File_preallocate(file, 5000));
    OK(MPI_File_get_size(file, &bytes));
    CHECK(bytes == 5000, "the size is %ld", (long)bytes);
    unsigned char seen[5000];
    MPI_Status status;
    OK(MPI_File_read_at(file, 0, seen, 5000, MPI_BYTE, &status));
    COUNT(status, MPI_BYTE, 5000);
    CHECK(!memcmp(seen, numbers(3), 1000), "preallocation has changed data");
    for (int i = 1000; i < 5000; i++) CHECK(seen[i] == 0, "byte %d is %d", i, seen[i]);
    OK(MPI_File_set_size(file, 10));
    OK(MPI_File_get_size(file, &bytes));
    CHECK(bytes == 10, "the size is %ld", (long)bytes);
    FAILS(MPI_File_set_size(file, -1), MPI_ERR_ARG);
    if (size > 1) {
        FAILS_SAYING(MPI_File_set_size(file, 10 + (rank > 0)), MPI_ERR_NOT_SAME, ": size is 11",
                     ": size is 10");
        FAILS_SAYING(MPI_File_preallocate(file, 10 + (rank > 0)), MPI_ERR_NOT_SAME, "rank 1 on ",
                     "rank 0 on ");
    }
    OK(MPI_File_close(&file));
}

static void read_only(void)
{
    MPI_File file = open_file(MPI_COMM_WORLD, MPI_MODE_CREATE | MPI_MODE_WRONLY);
    int number = 7;
    FAILS(MPI_File_read_at(file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ACCESS);
    FAILS(MPI_File_read_all(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ACCESS);
    OK(MPI_File_close(&file));
    file = open_file(MPI_COMM_WORLD, MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE);
    FAILS(MPI_File_write_at(file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY);
    FAILS(MPI_File_write_all(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY);
    FAILS(MPI_File_set_size(file, 4), MPI_ERR_READ_ONLY);
    FAILS(MPI_File_preallocate(file, 4), MPI_ERR_READ_ONLY);
    FAILS(MPI_File_sync(file), MPI_ERR_READ_ONLY);
    OK(MPI_File_close(&file));
}

static void groups_and_hints(void)
{
    MPI_File file;
    MPI_Info info, used, copy;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "cb_buffer_size", "65536"));
    OK(MPI_Info_set(info, "romio_ds_write", "disable"));
    OK(MPI_Info_set(info, "striping_unit", "4096"));
    OK(MPI_Info_set(info, "colour", "red"));
    OK(MPI_Info_set(info, "file_perm", "600"));
    OK(MPI_File_open(MPI_COMM_WORLD, file_name,
                     MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file));
    MPI_Barrier(MPI_COMM_WORLD);
    struct stat status;
    CHECK(!stat(file_name, &status) && (status.st_mode & 0777) == 0600, "wrong permissions");
    OK(MPI_File_get_info(file, &used));
    OK(MPI_Info_dup(used, &copy));
    static const char *const expected[][2] = {{"cb_buffer_size", "65536"},
                                              {"romio_ds_write", "disable"},
                                              {"striping_unit", "4096"},
                                              {"romio_cb_read", "automatic"}};
    char value[MPI_MAX_INFO_VAL];
    int flag, keys;
    for (int i = 0; i < 4; i++) {
        int length = sizeof value;
        OK(MPI_Info_get_string(copy, expected[i][0], &length, value, &flag));
        CHECK(flag && !strcmp(value, expected[i][1]), "%s is %s", expected[i][0],
              flag ? value : "absent");
    }
    int length = sizeof value;
    OK(MPI_Info_get_string(used, "colour", &length, value, &flag));
    CHECK(!flag, "an unknown hint is told");
    OK(MPI_Info_get_nkeys(used, &keys));
    CHECK(keys >= 15, "%d hints are told", keys);
    OK(MPI_Info_free(&used));
    OK(MPI_Info_free(&copy));
    OK(MPI_Info_set(info, "romio_cb_read", "enable"));
    OK(MPI_File_set_info(file, info));
    OK(MPI_File_get_info(file, &used));
    length = sizeof value;
    OK(MPI_Info_get_string(used, "romio_cb_read", &length, value, &flag));
    CHECK(flag && !strcmp(value, "enable"), "a hint that was set is lost");
    OK(MPI_Info_free(&used));
    OK(MPI_Info_free(&info));
    MPI_Group group, world;
    int result;
    OK(MPI_File_get_group(file, &group));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Group_compare(group, world, &result));
    CHECK(result == MPI_IDENT, "the group is another");
    OK(MPI_Group_free(&group));
    OK(MPI_Group_free(&world));
    OK(MPI_File_close(&file));
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text++) count++;
    return count;
}

/* Opens and closes a file with this info, twice if it is null. Expects what a value then is, and
 * returns what this rank has written to standard error. */
static const char *open_with(MPI_Info info, const char *key, const char *expected)
{
    static char text[4096];
    char value[MPI_MAX_INFO_VAL] = "";
    MPI_File file;
    MPI_Info used;
    int flag, kept = dup(2);
    FILE *caught = tmpfile();
    dup2(fileno(caught), 2);
    for (int turn = 0; turn < (info == MPI_INFO_NULL ? 2 : 1); turn++) {
        int length = sizeof value;
        OK(MPI_File_open(MPI_COMM_WORLD, file_name,
                         MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file));
        OK(MPI_File_get_info(file, &used));
        OK(MPI_Info_get_string(used, key, &length, value, &flag));
        OK(MPI_Info_free(&used));
        OK(MPI_File_close(&file));
    }
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    rewind(caught);
    text[fread(text, 1, sizeof text - 1, caught)] = 0;
    fclose(caught);
    CHECK(!strcmp(value, expected), "%s is \"%s\", not \"%s\"", key, value, expected);
    return text;
}

/* ROMIO_HINTS names a file of hints. Those of the program come first. */
static void hints_of_environment(void)
{
    char name[sizeof file_name + 8];
    snprintf(name, sizeof name, "%s.hints", file_name);
    if (rank == 0) {
        FILE *to = fopen(name, "w");
        fprintf(to, "# hints\ncb_buffer_size 131072\ncb_buffer_size 4096\n\tcb_nodes \t 1 \n"
                    "romio_cb_write maybe\nstriping_unit\nind_rd_buffer_size 65536 bytes\n"
                    "cb_bufer_size 3\nromio_cb_read disable\n");
        fclose(to);
        setenv("ROMIO_HINTS", name, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const char *told = open_with(MPI_INFO_NULL, "cb_buffer_size", "131072");
    static const char *const wrong[] = {
        "line 5: \"romio_cb_write\" cannot be \"maybe\"", "line 6: \"striping_unit\" has no value",
        "line 7: \"bytes\" follows", "line 8: there is no hint \"cb_bufer_size\"", "try "};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(count_of(told, wrong[i]) == (rank == 0), "\"%s\" should tell: %s", told, wrong[i]);
    CHECK(!strstr(told, "line 2") && !strstr(told, "line 9"), "\"%s\"", told);
    MPI_Info info;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "cb_buffer_size", "65536"));
    told = open_with(info, "cb_buffer_size", "65536");
    CHECK(*told == 0, "told again: %s", told);
    open_with(info, "romio_cb_read", "disable");
    if (rank == 0) unlink(name);
    MPI_Barrier(MPI_COMM_WORLD);
    told = open_with(info, "romio_cb_read", "automatic");
    CHECK(count_of(told, "No such file") == (rank == 0), "a missing file: \"%s\"", told);
    OK(MPI_Info_free(&info));
    unsetenv("ROMIO_HINTS");
}

static void handlers(void)
{
    MPI_Errhandler handler, seen;
    OK(MPI_File_get_errhandler(MPI_FILE_NULL, &seen));
    CHECK(seen == MPI_ERRORS_RETURN, "MPI_FILE_NULL has another error handler");
    MPI_File file = scratch_file(MPI_COMM_WORLD), closed = file;
    OK(MPI_File_create_errhandler(on_error, &handler));
    OK(MPI_File_set_errhandler(file, handler));
    OK(MPI_Errhandler_free(&handler));
    FAILS(MPI_File_seek(file, -1, MPI_SEEK_SET), MPI_ERR_ARG);
    CHECK(handled == MPI_ERR_ARG, "the handler got class %d", handled);
    OK(MPI_File_call_errhandler(file, MPI_ERR_IO));
    CHECK(handled == MPI_ERR_IO, "the handler got class %d", handled);
    OK(MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
    FAILS(MPI_File_seek(file, 0, 77), MPI_ERR_ARG);
    FAILS(MPI_File_write_at(file, 0, &handled, -1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_COUNT);
    FAILS(MPI_File_write_at(file, -1, &handled, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    FAILS(MPI_File_write_at(file, 0, (void *)16, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_BUFFER);
    FAILS(MPI_File_write_at(file, 0, &handled, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE),
          MPI_ERR_TYPE);
    OK(MPI_File_close(&file));
    FAILS(MPI_File_close(&file), MPI_ERR_FILE);
    FAILS(MPI_File_seek(closed, 0, MPI_SEEK_SET), MPI_ERR_FILE);
    FAILS(MPI_File_sync(MPI_FILE_NULL), MPI_ERR_FILE);
    CHECK(MPI_File_fromint(MPI_File_toint(MPI_FILE_NULL)) == MPI_FILE_NULL, "no handle comes back");
}

static void appending(void)
{
    MPI_File file = open_file(MPI_COMM_WORLD, MPI_MODE_CREATE | MPI_MODE_WRONLY);
    OK(MPI_File_set_size(file, 12));
    OK(MPI_File_close(&file));
    file = open_file(MPI_COMM_WORLD, MPI_MODE_RDWR | MPI_MODE_APPEND | MPI_MODE_DELETE_ON_CLOSE);
    MPI_Offset own, shared;
    OK(MPI_File_get_position(file, &own));
    OK(MPI_File_get_position_shared(file, &shared));
    CHECK(own == 12 && shared == 12, "the pointers are at %ld and %ld", (long)own, (long)shared);
    /* An explicit offset is not the end. */
    if (rank == 0) OK(MPI_File_write_at(file, 2, "x", 1, MPI_CHAR, MPI_STATUS_IGNORE));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Offset bytes;
    OK(MPI_File_get_size(file, &bytes));
    CHECK(bytes == 12, "an explicit offset was taken for the end");
    OK(MPI_File_close(&file));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    choose_name("files");
    modes();
    names();
    sizes();
    read_only();
    groups_and_hints();
    hints_of_environment();
    handlers();
    appending();
    MPI_Finalize();
    return 0;
}
