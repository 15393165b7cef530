/* Calls on a file, some of which fail at one rank:
 *
 *   errors FILE SEED [CLASS...]
 *
 * All ranks of a collective call must see one class, and only one of the named classes (by their
 * names without MPI_ERR_). Prints at rank 0 how many collective calls have failed. */

#include "../mpi/check.h"

enum { CALLS = 24, MOST = 20000, ALLOWED = 8 };

static int allowed[ALLOWED], allowed_count;
static unsigned state;

static int draw(int below)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)below);
}

static int class_of(int code)
{
    int class_ = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class_);
    return class_;
}

/* Checks the class, and that it has a text. */
static void check_class(const char *call, int number, int code)
{
    int class_ = class_of(code), known = class_ == MPI_SUCCESS;
    for (int i = 0; i < allowed_count; i++) known |= class_ == allowed[i];
    CHECK(known, "call %d, %s: class %d: %s", number, call, class_, error_text(code));
    CHECK(code == MPI_SUCCESS || strlen(error_text(code)) > 20, "an error without a text");
}

/* A collective call ends alike at all ranks. */
static int check_alike(const char *call, int number, int code)
{
    int mine[2] = {class_of(code), -class_of(code)}, most[2];
    check_class(call, number, code);
    OK(MPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CHECK(most[0] == -most[1], "call %d, %s: class %d here, %d to %d elsewhere: %s", number, call,
          mine[0], -most[1], most[0], error_text(code));
    return code != MPI_SUCCESS;
}

static int one_call(MPI_File file, int number)
{
    static int data[MOST];
    MPI_Request request;
    int ints = 1 + draw(MOST), kind = draw(9), code;
    MPI_Offset offset = draw(1000) + (MPI_Offset)(number % 3) * MOST;
    switch (kind) {
    case 0:
        return check_alike("write_at_all", number, MPI_File_write_at_all(
                               file, offset, data, ints, MPI_INT, MPI_STATUS_IGNORE));
    case 1:
        return check_alike("read_at_all", number, MPI_File_read_at_all(
                               file, offset, data, ints, MPI_INT, MPI_STATUS_IGNORE));
    case 2:
        return check_alike("write_ordered", number, MPI_File_write_ordered(
                               file, data, ints, MPI_INT, MPI_STATUS_IGNORE));
    case 3:
        OK(MPI_File_iwrite_at_all(file, offset, data, ints, MPI_INT, &request));
        return check_alike("iwrite_at_all", number, MPI_Wait(&request, MPI_STATUS_IGNORE));
    case 4:
        OK(MPI_File_write_at_all_begin(file, offset, data, ints, MPI_INT));
        return check_alike("write_at_all_end", number,
                           MPI_File_write_at_all_end(file, data, MPI_STATUS_IGNORE));
    case 5:
        check_class("write_at", number,
                    MPI_File_write_at(file, offset, data, ints, MPI_INT, MPI_STATUS_IGNORE));
        return 0;
    case 6:
        OK(MPI_File_iwrite_at(file, offset, data, MOST, MPI_INT, &request));
        check_class("iwrite_at", number, MPI_Wait(&request, MPI_STATUS_IGNORE));
        return 0;
    case 7:
        code = MPI_File_preallocate(file, (offset + MOST) * (MPI_Offset)sizeof(int));
        return check_alike("preallocate", number, code);
    default:
        return check_alike("sync", number, MPI_File_sync(file));
    }
}

static int class_called(const char *name)
{
    static const struct { const char *name; int class_; } classes[] = {
        {"IO", MPI_ERR_IO}, {"NO_SPACE", MPI_ERR_NO_SPACE}, {"QUOTA", MPI_ERR_QUOTA},
        {"ACCESS", MPI_ERR_ACCESS},
    };
    for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i].name, name) == 0) return classes[i].class_;
    CHECK(0, "no class is called %s", name);
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const buffering[] = {"automatic", "enable", "disable"};
    begin(&argc, &argv);
    CHECK(argc >= 3, "%d arguments", argc);
    for (int i = 3; i < argc && allowed_count < ALLOWED; i++)
        allowed[allowed_count++] = class_called(argv[i]);
    state = (unsigned)atoi(argv[2]);
    MPI_Info info;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "romio_cb_write", buffering[draw(3)]));
    OK(MPI_Info_set(info, "cb_nodes", draw(2) ? "1" : "2"));
    OK(MPI_Info_set(info, "cb_buffer_size", draw(2) ? "8192" : "1000000"));
    MPI_File file;
    int failed = check_alike("open", -1, MPI_File_open(MPI_COMM_WORLD, argv[1],
                                                       MPI_MODE_CREATE | MPI_MODE_RDWR, info,
                                                       &file));
    if (failed) {
        CHECK(file == MPI_FILE_NULL, "a failed open leaves a handle");
    } else {
        MPI_Datatype tile;
        OK(MPI_Type_create_resized(MPI_INT, 0, size * (MPI_Aint)sizeof(int), &tile));
        OK(MPI_Type_commit(&tile));
        for (int number = 0; number < CALLS; number++) {
            if (number % 6 == 0) {
                /* Etypes in turn, or pieces one after the other. */
                int turns = draw(2);
                MPI_Offset start = turns ? rank * (MPI_Offset)sizeof(int) : 0;
                failed += check_alike("set_view", number, MPI_File_set_view(
                    file, start, MPI_INT, turns ? tile : MPI_INT, "native", MPI_INFO_NULL));
            }
            failed += one_call(file, number);
        }
        OK(MPI_Type_free(&tile));
        failed += check_alike("close", CALLS, MPI_File_close(&file));
    }
    OK(MPI_Info_free(&info));
    if (rank == 0) printf("%d failed\n", failed);
    MPI_Finalize();
    return 0;
}
