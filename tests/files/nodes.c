/* Files whose ranks run on several nodes, each of which has a cache of its own:
 *   nodes FILE [STEP...]
 *
 * Every step writes at places that share pages with those of other ranks, and compares what each
 * rank reads, and what the file holds afterwards, with what MPI 5.0 §14.6 says. Without an error it
 * prints nothing. */

#include "../mpi/check.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORD = 100, RECORDS = 60 };

static const char *name;
static char other_name[4096];
static int bytes;
static unsigned char *mine, *all;

/* The byte at an offset of the file, in a generation of its contents. It is never 0. */
static unsigned char expected(int offset, int generation)
{
    return (unsigned char)(1 + (unsigned)(offset * 7 + offset / 251 + generation * 41) % 251);
}

static int owner(int offset) { return offset / RECORD % size; }

static MPI_File open_by(MPI_Comm comm, int amode)
{
    MPI_File file;
    OK(MPI_File_open(comm, name, amode, MPI_INFO_NULL, &file));
    return file;
}

static MPI_File open_new(void)
{
    if (rank == 0) unlink(name);
    MPI_Barrier(MPI_COMM_WORLD);
    return open_by(MPI_COMM_WORLD, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR);
}

static void synchronize(MPI_File file)
{
    OK(MPI_File_sync(file));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_sync(file));
}

/* Writes this rank's records, one by one, in an order of its own. */
static void write_records(MPI_File file, int generation)
{
    for (int i = 0; i < RECORDS; i++) {
        int offset = ((i * 7 + rank) % RECORDS * size + rank) * RECORD;
        for (int k = 0; k < RECORD; k++) mine[k] = expected(offset + k, generation);
        OK(MPI_File_write_at(file, offset, mine, RECORD, MPI_BYTE, MPI_STATUS_IGNORE));
    }
}

/* Compares what was read at `offset` with what was written. */
static void compare(const char *step, const unsigned char *read, int offset, int count,
                    int generation)
{
    for (int k = 0; k < count; k++)
        CHECK(read[k] == expected(offset + k, generation),
              "%s: byte %d, of rank %d, is %d, not %d", step, offset + k, owner(offset + k),
              read[k], expected(offset + k, generation));
}

static void read_all_records(const char *step, MPI_File file, int generation)
{
    MPI_Status status;
    int count;
    memset(all, 0, (size_t)bytes);
    OK(MPI_File_read_at(file, 0, all, bytes, MPI_BYTE, &status));
    OK(MPI_Get_count(&status, MPI_BYTE, &count));
    CHECK(count == bytes, "%s: %d bytes read, not %d", step, count, bytes);
    compare(step, all, 0, bytes, generation);
}

/* Opens the file as another program does, and compares it. */
static void look(const char *step, int generation)
{
    MPI_Barrier(MPI_COMM_WORLD);
    int descriptor = open(name, O_RDONLY);
    if (descriptor >= 0) posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    CHECK(descriptor >= 0, "%s: open: %s", step, strerror(errno));
    memset(all, 0, (size_t)bytes);
    int got = (int)read(descriptor, all, (size_t)bytes);
    CHECK(got == bytes, "%s: the file has %d bytes, not %d", step, got, bytes);
    compare(step, all, 0, bytes, generation);
    close(descriptor);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Ranks write disjoint records of the same pages: of a new file, and of one that all have read. */
static void neighbours(void)
{
    MPI_File file = open_new();
    write_records(file, 0);
    OK(MPI_File_close(&file));
    look("independent writes to a new file", 0);

    file = open_by(MPI_COMM_WORLD, MPI_MODE_RDWR);
    for (int generation = 0; generation < 3; generation++) {
        read_all_records("sync, barrier, sync", file, generation);
        MPI_Barrier(MPI_COMM_WORLD);
        write_records(file, generation + 1);
        synchronize(file);
    }
    read_all_records("sync, barrier, sync", file, 3);
    OK(MPI_File_close(&file));
    look("independent writes to pages that all have read", 3);

    file = open_by(MPI_COMM_WORLD, MPI_MODE_WRONLY);
    write_records(file, 4);
    OK(MPI_File_close(&file));
    look("independent writes, write only", 4);
}

/* Each rank opens the file for itself. */
static void alone(void)
{
    MPI_File file;
    if (rank == 0) unlink(name);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    write_records(file, 5);
    synchronize(file);
    read_all_records("own handles", file, 5);
    OK(MPI_File_close(&file));
    look("own handles", 5);
}

static void set_records_view(MPI_File file, int shift)
{
    MPI_Datatype type;
    int sizes[1] = {RECORD * size}, parts[1] = {RECORD}, starts[1] = {RECORD * rank};
    OK(MPI_Type_create_subarray(1, sizes, parts, starts, MPI_ORDER_C, MPI_BYTE, &type));
    OK(MPI_Type_commit(&type));
    OK(MPI_File_set_view(file, shift, MPI_BYTE, type, "native", MPI_INFO_NULL));
    OK(MPI_Type_free(&type));
}

/* Fills `mine` with this rank's part of a range of records that begins at `shift`. */
static void fill_records(int shift, int records, int generation)
{
    for (int i = 0; i < records; i++)
        for (int k = 0; k < RECORD; k++)
            mine[i * RECORD + k] =
                expected(shift + (i * size + rank) * RECORD + k, generation);
}

static void compare_own(const char *step, int records, int generation)
{
    for (int i = 0; i < records; i++)
        compare(step, mine + i * RECORD, (i * size + rank) * RECORD, RECORD, generation);
}

/* A rank sees its own writes, whichever rank has carried them out. */
static void own_writes(void)
{
    MPI_File file = open_new();
    set_records_view(file, 0);
    for (int generation = 0; generation < 4; generation++) {
        fill_records(0, RECORDS, generation);
        OK(MPI_File_write_at_all(file, 0, mine, RECORDS * RECORD, MPI_BYTE, MPI_STATUS_IGNORE));
        memset(mine, 0, RECORDS * RECORD);
        OK(MPI_File_read_at(file, 0, mine, RECORDS * RECORD, MPI_BYTE, MPI_STATUS_IGNORE));
        compare_own("own data after a collective write", RECORDS, generation);

        fill_records(0, RECORDS, generation + 50);
        OK(MPI_File_write_at(file, 0, mine, RECORDS * RECORD, MPI_BYTE, MPI_STATUS_IGNORE));
        memset(mine, 0, RECORDS * RECORD);
        OK(MPI_File_read_at_all(file, 0, mine, RECORDS * RECORD, MPI_BYTE, MPI_STATUS_IGNORE));
        compare_own("own data by a collective read", RECORDS, generation + 50);
    }
    /* Ranges of several lengths: another rank writes a byte each time. The last write counts. */
    for (int generation = 0; generation < 6; generation++) {
        int records = RECORDS - (generation + 1) % 3 * RECORDS / 4;
        fill_records(0, records, generation);
        OK(MPI_File_write_at_all(file, 0, mine, records * RECORD, MPI_BYTE, MPI_STATUS_IGNORE));
    }
    fill_records(0, RECORDS, 6);
    OK(MPI_File_write_at(file, 0, mine, RECORDS * RECORD, MPI_BYTE, MPI_STATUS_IGNORE));
    OK(MPI_File_close(&file));
    look("collective and independent writes", 6);
}

/* In atomic mode a write is visible when it ends, and data of two writes do not mix. */
static void atomic(void)
{
    MPI_File file = open_new();
    OK(MPI_File_set_atomicity(file, 1));
    for (int round = 0; round < 5; round++) {
        write_records(file, round);
        MPI_Barrier(MPI_COMM_WORLD);
        read_all_records("atomic mode", file, round);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    enum { LONG = 9000 };
    static unsigned char block[LONG];
    for (int round = 0; round < 10; round++) {
        memset(block, 1 + rank, LONG);
        OK(MPI_File_write_at(file, 50, block, LONG, MPI_BYTE, MPI_STATUS_IGNORE));
        OK(MPI_File_read_at(file, 50, block, LONG, MPI_BYTE, MPI_STATUS_IGNORE));
        for (int k = 1; k < LONG; k++)
            CHECK(block[k] == block[0], "atomic mode: a read has bytes of ranks %d and %d",
                  block[0] - 1, block[k] - 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_close(&file));
}

static void check_size(const char *step, MPI_File file, MPI_Offset size_)
{
    MPI_Offset seen;
    OK(MPI_File_get_size(file, &seen));
    CHECK(seen == size_, "%s: the size is %lld, not %lld", step, (long long)seen,
          (long long)size_);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* All ranks know the size after a collective call that sets it, and after sync, barrier, sync. */
static void sizes(void)
{
    MPI_File file = open_new();
    MPI_Offset position;
    unsigned char byte = 9;
    MPI_Status status;
    int count;
    check_size("a new file", file, 0);
    for (int round = 1; round < 4; round++) {
        int length = round * 10000;
        OK(MPI_File_set_size(file, length));
        check_size("set_size", file, length);
        if (rank == size - 1)
            OK(MPI_File_write_at(file, length + 10, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE));
        synchronize(file);
        check_size("a write behind the end", file, length + 11);
        OK(MPI_File_read_at(file, length, all, 100, MPI_BYTE, &status));
        OK(MPI_Get_count(&status, MPI_BYTE, &count));
        CHECK(count == 11, "%d bytes read behind the old end, not 11", count);
        CHECK(all[10] == 9, "the byte behind the old end is %d", all[10]);
        OK(MPI_File_seek(file, 0, MPI_SEEK_END));
        OK(MPI_File_get_position(file, &position));
        CHECK(position == length + 11, "the end is at %lld", (long long)position);
        OK(MPI_File_preallocate(file, length + 5000));
        check_size("preallocate", file, length + 5000);
        OK(MPI_File_set_size(file, 100));
        check_size("set_size to less", file, 100);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    OK(MPI_File_close(&file));
    file = open_by(MPI_COMM_WORLD, MPI_MODE_RDWR | MPI_MODE_APPEND);
    OK(MPI_File_get_position(file, &position));
    CHECK(position == 100, "the end is at %lld, not at 100", (long long)position);
    OK(MPI_File_write_ordered(file, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE));
    OK(MPI_File_close(&file));
    file = open_by(MPI_COMM_WORLD, MPI_MODE_RDWR | MPI_MODE_APPEND);
    check_size("ordered writes at the end", file, 100 + size);
    OK(MPI_File_close(&file));
}

/* What a node knows of names is old. */
static void names(void)
{
    struct stat status;
    MPI_File file;
    for (int round = 0; round < 3; round++) {
        if (rank == 0) unlink(name);
        MPI_Barrier(MPI_COMM_WORLD);
        /* Now all nodes know that there is no file. */
        stat(name, &status);
        MPI_Barrier(MPI_COMM_WORLD);
        file = open_by(MPI_COMM_WORLD, MPI_MODE_CREATE | MPI_MODE_RDWR);
        write_records(file, round);
        OK(MPI_File_close(&file));
        look("a name that did not exist", round);

        /* The name now is that of another file. */
        if (rank == 0) CHECK(rename(name, other_name) == 0, "rename: %s", strerror(errno));
        MPI_Barrier(MPI_COMM_WORLD);
        file = open_by(MPI_COMM_WORLD, MPI_MODE_CREATE | MPI_MODE_RDWR);
        write_records(file, round + 1);
        OK(MPI_File_close(&file));
        look("a name that was another file's", round + 1);
        OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                         MPI_INFO_NULL, &file));
        OK(MPI_File_close(&file));
        FAILS(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
              MPI_ERR_NO_SUCH_FILE);
        if (rank == 0) unlink(other_name);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void hint(MPI_Info info, const char *key, const char *value)
{
    OK(MPI_Info_set(info, key, value));
}

/* A file system that keeps Lustre's layouts gets the one that the hints ask for, and tells it. */
static void striping(void)
{
    static const char *const keys[] = {"striping_unit", "striping_factor"};
    static const char *const values[] = {"131072", "3"};
    MPI_Info info;
    MPI_File file;
    OK(MPI_Info_create(&info));
    hint(info, keys[0], "100000");
    hint(info, keys[1], "3");
    if (rank == 0) unlink(name);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, info,
                     &file));
    OK(MPI_Info_free(&info));
    for (int again = 0; again < 2; again++) {
        OK(MPI_File_get_info(file, &info));
        for (int i = 0; i < 2; i++) {
            char value[64];
            int length = sizeof value, flag;
            OK(MPI_Info_get_string(info, keys[i], &length, value, &flag));
            CHECK(flag && strcmp(value, values[i]) == 0, "%s is %s, not %s", keys[i],
                  flag ? value : "missing", values[i]);
        }
        OK(MPI_Info_free(&info));
        OK(MPI_File_close(&file));
        /* Without hints, the file still has its layout. */
        if (again == 0) file = open_by(MPI_COMM_WORLD, MPI_MODE_RDWR);
    }
    if (rank == 0) OK(MPI_File_delete(name, MPI_INFO_NULL));
    MPI_Barrier(MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*run)(void);
} steps[] = {
    {"neighbours", neighbours}, {"alone", alone}, {"own-writes", own_writes},
    {"atomic", atomic},         {"sizes", sizes}, {"names", names},
    {"striping", striping},
};

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (argc < 2) {
        fprintf(stderr, "usage: nodes FILE [STEP...]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    name = argv[1];
    snprintf(other_name, sizeof other_name, "%s.other", name);
    bytes = RECORD * RECORDS * size;
    mine = malloc((size_t)bytes);
    all = malloc((size_t)bytes);
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
        /* Only some file systems keep layouts. */
        int wanted = argc == 2 && steps[i].run != striping;
        for (int k = 2; k < argc; k++) wanted |= strcmp(argv[k], steps[i].name) == 0;
        if (wanted) steps[i].run();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) unlink(name);
    free(mine);
    free(all);
    MPI_Finalize();
    return 0;
}
