/* Files: MPI-IO beside the system calls that it needs at least, on the same file:
 *
 *   files FOLDER ROUNDS
 *
 * A figure is the least time of many repetitions, which disturbances of the machine and of the disk
 * change little. Prints lines of JSON: what was done, by what (raw, at once, independent,
 * collective), the bytes that a rank moves, and seconds. Rows that a library cannot do are left
 * out.
 *
 * Independent calls, and the bare call in "raw", count for each rank alone, of whose times the
 * least is taken, and of these the slowest rank's. Collective calls, and the bare call in "at
 * once", begin at all ranks at the same time and last until the last rank has ended: the kernel
 * lets one process at a time write to a file, and the processors share the memory. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BLOCK = 1 << 20,       /* of contiguous transfers */
    SPAN = 4 << 20,        /* what a rank moves in interleaved records */
    SMALL = 2000,          /* short calls in a round */
    ALIASED = 16,          /* how malloc places long buffers behind the start of a page */
    RESERVED = 64 << 20,
};

static int rank, size, rounds, descriptor;
static char path[4096], *buffer;
static MPI_File file;

static void must(int code, const char *what)
{
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "%s: %s\n", what, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

#define MUST(call) must(call, #call)

static void row(const char *what, const char *way, long bytes, double seconds)
{
    double slowest;
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("{\"what\": \"%s\", \"way\": \"%s\", \"bytes\": %ld, \"value\": %.9f}\n", what, way,
               bytes, slowest);
    fflush(stdout);
}

/* The least time of `count` executions of the statement in each round; `i` is their number. */
#define LEAST(least, count, statement)                                                             \
    double least = 1e9;                                                                            \
    for (int round_ = 0; round_ < rounds; round_++) {                                              \
        MPI_Barrier(MPI_COMM_WORLD);                                                               \
        for (int i = 0; i < (count); i++) {                                                        \
            double begun_ = MPI_Wtime();                                                           \
            statement;                                                                             \
            begun_ = MPI_Wtime() - begun_;                                                         \
            if (begun_ < least) least = begun_;                                                    \
        }                                                                                          \
    }

/* The least time from when the ranks begin the statement, all at once, until the last one ends. */
#define TOGETHER(least, count, statement)                                                          \
    double least = 1e9;                                                                            \
    for (int i = 0; i < rounds * (count); i++) {                                                   \
        MPI_Barrier(MPI_COMM_WORLD);                                                               \
        double begun_ = MPI_Wtime(), longest_;                                                     \
        statement;                                                                                 \
        MPI_Barrier(MPI_COMM_WORLD);                                                               \
        begun_ = MPI_Wtime() - begun_;                                                             \
        MPI_Allreduce(&begun_, &longest_, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);                 \
        if (longest_ < least) least = longest_;                                                    \
    }

/* The mean time of `count` executions, in the best round: for what is shorter than the clock. */
#define MEAN(mean, count, statement)                                                               \
    double mean = 1e9;                                                                             \
    for (int round_ = 0; round_ < 4 * rounds; round_++) {                                          \
        MPI_Barrier(MPI_COMM_WORLD);                                                               \
        double begun_ = MPI_Wtime();                                                               \
        for (int i = 0; i < (count); i++) statement;                                               \
        begun_ = (MPI_Wtime() - begun_) / (count);                                                 \
        if (begun_ < mean) mean = begun_;                                                          \
    }

static void moved(long bytes, long expected)
{
    if (bytes != expected) MPI_Abort(MPI_COMM_WORLD, 1);
}

static void blocks(const char *what, char *memory)
{
    MPI_Offset at = (MPI_Offset)rank * BLOCK;
    MPI_Status *none = MPI_STATUS_IGNORE;
    int writes = strcmp(what, "write 1 MiB") == 0;
    if (writes) {
        LEAST(raw, 40, moved(pwrite(descriptor, memory, BLOCK, at), BLOCK))
        row(what, "raw", BLOCK, raw);
        TOGETHER(at_once, 40, moved(pwrite(descriptor, memory, BLOCK, at), BLOCK))
        row(what, "at once", BLOCK, at_once);
        LEAST(alone, 40, MUST(MPI_File_write_at(file, at, memory, BLOCK, MPI_BYTE, none)))
        row(what, "independent", BLOCK, alone);
        TOGETHER(all, 40, MUST(MPI_File_write_at_all(file, at, memory, BLOCK, MPI_BYTE, none)))
        row(what, "collective", BLOCK, all);
    } else {
        LEAST(raw, 40, moved(pread(descriptor, memory, BLOCK, at), BLOCK))
        row(what, "raw", BLOCK, raw);
        TOGETHER(at_once, 40, moved(pread(descriptor, memory, BLOCK, at), BLOCK))
        row(what, "at once", BLOCK, at_once);
        LEAST(alone, 40, MUST(MPI_File_read_at(file, at, memory, BLOCK, MPI_BYTE, none)))
        row(what, "independent", BLOCK, alone);
        TOGETHER(all, 40, MUST(MPI_File_read_at_all(file, at, memory, BLOCK, MPI_BYTE, none)))
        row(what, "collective", BLOCK, all);
    }
}

static void short_calls(void)
{
    MPI_Offset at = (MPI_Offset)rank * 8 * SMALL;
    MPI_Status *none = MPI_STATUS_IGNORE;
    MEAN(raw, SMALL, moved(pwrite(descriptor, buffer, 8, at + 8 * i), 8))
    row("write 8 B", "raw", 8, raw);
    MEAN(write, SMALL, MUST(MPI_File_write_at(file, at + 8 * i, buffer, 8, MPI_BYTE, none)))
    row("write 8 B", "independent", 8, write);
    MEAN(raw_read, SMALL, moved(pread(descriptor, buffer, 8, at + 8 * i), 8))
    row("read 8 B", "raw", 8, raw_read);
    MEAN(read, SMALL, MUST(MPI_File_read_at(file, at + 8 * i, buffer, 8, MPI_BYTE, none)))
    row("read 8 B", "independent", 8, read);
}

/* Records of all ranks in turn. At least, each rank moves its bytes in long blocks. */
static void records(int record)
{
    char what[64];
    long count = SPAN / record;
    MPI_Datatype view;
    MPI_Type_vector((int)count, record, record * size, MPI_BYTE, &view);
    MPI_Type_commit(&view);
    MUST(MPI_File_set_view(file, (MPI_Offset)rank * record, MPI_BYTE, view, "native",
                           MPI_INFO_NULL));
    const long at = rank * (long)SPAN;
    MPI_Status *none = MPI_STATUS_IGNORE;
    snprintf(what, sizeof what, "write records of %d B", record);
    TOGETHER(raw, 4, moved(pwrite(descriptor, buffer, SPAN, at), SPAN))
    row(what, "at once", SPAN, raw);
    TOGETHER(write, 4, MUST(MPI_File_write_at_all(file, 0, buffer, SPAN, MPI_BYTE, none)))
    row(what, "collective", SPAN, write);
    snprintf(what, sizeof what, "read records of %d B", record);
    TOGETHER(raw_read, 4, moved(pread(descriptor, buffer, SPAN, at), SPAN))
    row(what, "at once", SPAN, raw_read);
    TOGETHER(read, 4, MUST(MPI_File_read_at_all(file, 0, buffer, SPAN, MPI_BYTE, none)))
    row(what, "collective", SPAN, read);
    MUST(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    MPI_Type_free(&view);
}

static void pointers(void)
{
    MPI_Status *none = MPI_STATUS_IGNORE;
    MEAN(raw, 200, moved(pwrite(descriptor, buffer, 64, rank * 64 + 64L * size * i), 64))
    row("write 64 B at the shared pointer", "raw", 64, raw);
    MEAN(shared, 200, MUST(MPI_File_write_shared(file, buffer, 64, MPI_BYTE, none)))
    row("write 64 B at the shared pointer", "independent", 64, shared);
    MEAN(ordered, 50, MUST(MPI_File_write_ordered(file, buffer, 64, MPI_BYTE, none)))
    row("write 64 B at the shared pointer", "collective", 64, ordered);
}

static void open_and_close(void)
{
    MPI_File other;
    LEAST(raw, 50, close(open(path, O_RDWR | O_CREAT, 0666)))
    row("open and close", "raw", 0, raw);
    LEAST(both, 20, MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR,
                                       MPI_INFO_NULL, &other));
          MUST(MPI_File_close(&other)))
    row("open and close", "collective", 0, both);
}

static void preallocate(void)
{
    double raw = 1e9, least = 1e9;
    for (int i = 0; i < 3; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begun = MPI_Wtime();
        if (rank == 0 && (ftruncate(descriptor, 0) || posix_fallocate(descriptor, 0, RESERVED)))
            MPI_Abort(MPI_COMM_WORLD, 1);
        begun = MPI_Wtime() - begun;
        if (begun < raw) raw = begun;
        MUST(MPI_File_set_size(file, 0));
        begun = MPI_Wtime();
        MUST(MPI_File_preallocate(file, RESERVED));
        begun = MPI_Wtime() - begun;
        if (begun < least) least = begun;
    }
    row("preallocate 64 MiB", "raw", RESERVED, raw);
    row("preallocate 64 MiB", "collective", RESERVED, least);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rounds = argc > 2 ? atoi(argv[2]) : 5;
    snprintf(path, sizeof path, "%s/nemesis-bench.dat", argc > 1 ? argv[1] : "/tmp");
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MUST(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                       &file));
    descriptor = open(path, O_RDWR);
    void *memory;
    if (descriptor < 0 || posix_memalign(&memory, 4096, SPAN + 4096)) MPI_Abort(MPI_COMM_WORLD, 1);
    buffer = memset(memory, rank + 1, SPAN + 4096);
    moved(pwrite(descriptor, buffer, SPAN, (off_t)rank * SPAN), SPAN);
    blocks("write 1 MiB", buffer);
    blocks("read 1 MiB to a page", buffer);
    blocks("read 1 MiB to malloc's place", buffer + ALIASED);
    short_calls();
    for (int record = 64; record <= 4096; record *= 8) records(record);
    pointers();
    open_and_close();
    preallocate();
    MUST(MPI_File_close(&file));
    close(descriptor);
    if (rank == 0) unlink(path);
    MPI_Finalize();
    return 0;
}
