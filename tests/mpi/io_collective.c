/* Collective reads and writes by aggregators: short interleaved blocks, ranks without data, several
 * aggregators and rounds, rounds of another length in a later view, and failures of one rank that
 * all ranks must return (MPI 5.0 §14.4, §14.7).
 *
 * modes: default network threads
 * seconds: 60 */

#include "io.h"
#include <signal.h>
#include <sys/resource.h>

static MPI_Info hints(const char *nodes, const char *bytes, const char *exchange)
{
    MPI_Info info;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "cb_nodes", nodes));
    OK(MPI_Info_set(info, "cb_buffer_size", bytes));
    OK(MPI_Info_set(info, "romio_cb_write", exchange));
    OK(MPI_Info_set(info, "romio_cb_read", exchange));
    return info;
}

/* Each rank has records of its own length, and writes `count` of them between those of the others.
 * The bytes between two groups of records are a hole. */
static void interleaved(MPI_Info info, int record, int count)
{
    MPI_File file;
    MPI_Datatype block, tile;
    int group = record * size + 3;
    OK(MPI_File_open(MPI_COMM_WORLD, file_name,
                     MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file));
    OK(MPI_Type_contiguous(record, MPI_BYTE, &block));
    OK(MPI_Type_create_resized(block, 0, group, &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, 11 + rank * record, MPI_BYTE, tile, "native", info));
    int bytes = rank % 3 == 2 ? 0 : record * count;
    unsigned char *seen = malloc(record * count + 1);
    MPI_Status status;
    MPI_Request request;
    OK(MPI_File_write_all(file, numbers(rank), bytes, MPI_BYTE, &status));
    COUNT(status, MPI_BYTE, bytes);
    OK(MPI_File_read_at_all(file, 0, seen, bytes, MPI_BYTE, &status));
    COUNT(status, MPI_BYTE, bytes);
    CHECK(!memcmp(seen, numbers(rank), bytes), "other data come back");
    memset(seen, 0, bytes);
    /* From the middle of a record to the middle of another. */
    int part = bytes > 20 ? bytes - 20 : 0;
    OK(MPI_File_iread_at_all(file, 7, seen, part, MPI_BYTE, &request));
    OK(MPI_Wait(&request, &status));
    COUNT(status, MPI_BYTE, part);
    CHECK(!memcmp(seen, numbers(rank) + 7, part), "other data come back");
    MPI_Barrier(MPI_COMM_WORLD);
    long length = 11 + (long)group * count;
    unsigned char *all = malloc(length);
    long got = contents(file_name, all, length);
    for (long i = 11; i < got; i++) {
        long in_group = (i - 11) % group, of = in_group / record;
        int expected = 0;
        if (of < size && of % 3 != 2)
            expected = numbers(of)[(i - 11) / group * record + in_group % record];
        CHECK(all[i] == expected, "byte %ld is %d, not %d", i, all[i], expected);
    }
    free(all);
    free(seen);
    OK(MPI_Type_free(&block));
    OK(MPI_Type_free(&tile));
    OK(MPI_File_close(&file));
}

/* Memory with holes at every rank. */
static void holes_in_memory(MPI_Info info)
{
    enum { N = 3000 };
    MPI_File file;
    MPI_Datatype memory, tile;
    int *own = malloc(3 * N * sizeof(int)), *seen = calloc(3 * N, sizeof(int));
    for (int i = 0; i < 3 * N; i++) own[i] = rank * 3 * N + i;
    OK(MPI_File_open(MPI_COMM_WORLD, file_name,
                     MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file));
    OK(MPI_Type_vector(N, 1, 3, MPI_INT, &memory));
    OK(MPI_Type_commit(&memory));
    OK(MPI_Type_create_resized(MPI_INT, 0, size * sizeof(int), &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, rank * sizeof(int), MPI_INT, tile, "native", info));
    MPI_Status status;
    OK(MPI_File_write_all(file, own, 1, memory, &status));
    COUNT(status, memory, 1);
    OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
    OK(MPI_File_read_all(file, seen, 1, memory, &status));
    COUNT(status, memory, 1);
    for (int i = 0; i < 3 * N; i++)
        CHECK(seen[i] == (i % 3 ? 0 : own[i]), "number %d is %d", i, seen[i]);
    free(own);
    free(seen);
    OK(MPI_Type_free(&memory));
    OK(MPI_Type_free(&tile));
    OK(MPI_File_close(&file));
}

/* Nothing is read from an empty file, nor at the end of one. */
static void nothing_left(MPI_Info info)
{
    enum { PAGE = 4096 };
    MPI_File file;
    MPI_Datatype tile;
    MPI_Status status;
    int seen[PAGE];
    OK(MPI_File_open(MPI_COMM_WORLD, file_name,
                     MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file));
    OK(MPI_Type_create_resized(MPI_INT, 0, size * sizeof(int), &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, rank * sizeof(int), MPI_INT, tile, "native", info));
    OK(MPI_File_read_at_all(file, 0, seen, PAGE, MPI_INT, &status));
    COUNT(status, MPI_INT, 0);
    OK(MPI_File_write_at_all(file, 0, numbers(rank), PAGE, MPI_INT, &status));
    COUNT(status, MPI_INT, PAGE);
    OK(MPI_File_read_at_all(file, PAGE, seen, PAGE, MPI_INT, &status));
    COUNT(status, MPI_INT, 0);
    OK(MPI_Type_free(&tile));
    OK(MPI_File_close(&file));
}

/* The file may not grow beyond `limit` bytes at one rank: every rank gets the error and why. */
static void too_long(MPI_Info info, int writer, int limit)
{
    MPI_File file;
    MPI_Datatype tile;
    struct rlimit before, least;
    OK(MPI_File_open(MPI_COMM_WORLD, file_name,
                     MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file));
    OK(MPI_Type_create_resized(MPI_INT, 0, size * sizeof(int), &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, rank * sizeof(int), MPI_INT, tile, "native", info));
    getrlimit(RLIMIT_FSIZE, &before);
    least = before;
    least.rlim_cur = limit;
    if (rank == writer) setrlimit(RLIMIT_FSIZE, &least);
    int code = MPI_File_write_all(file, numbers(0), limit / 2, MPI_INT, MPI_STATUS_IGNORE), class;
    setrlimit(RLIMIT_FSIZE, &before);
    OK(MPI_Error_class(code, &class));
    CHECK(class == MPI_ERR_NO_SPACE, "class %d: %s", class, error_text(code));
    char who[32];
    snprintf(who, sizeof who, "rank %d on ", writer);
    CHECK(size == 1 || strstr(error_text(code), who), "who failed? %s", error_text(code));
    /* The next call works. */
    OK(MPI_File_write_at_all(file, 0, numbers(0), 100, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_Type_free(&tile));
    OK(MPI_File_close(&file));
}

/* Returns the write system calls of this process so far, except those to sockets; -1 if the kernel
 * does not count them. */
static long writes(void)
{
    char line[128];
    long count = -1;
    FILE *from = fopen("/proc/self/io", "r");
    while (from && fgets(line, sizeof line, from))
        if (sscanf(line, "syscw: %ld", &count) == 1) break;
    if (from) fclose(from);
    return count;
}

/* Writes a dense range of interleaved records in rounds of `bytes` bytes, and returns the write
 * system calls of the aggregator, rank 0. */
static long writes_in_rounds(MPI_File file, const char *bytes)
{
    enum { RECORD = 64, COUNT_ = 1 << 11 };
    MPI_Info info = hints("1", bytes, "enable");
    MPI_Datatype block, tile;
    OK(MPI_Type_contiguous(RECORD, MPI_BYTE, &block));
    OK(MPI_Type_create_resized(block, 0, RECORD * size, &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, rank * RECORD, MPI_BYTE, tile, "native", info));
    char *data = calloc(COUNT_, RECORD);
    MPI_Barrier(MPI_COMM_WORLD);
    long before = writes();
    OK(MPI_File_write_all(file, data, RECORD * COUNT_, MPI_BYTE, MPI_STATUS_IGNORE));
    long after = writes();
    free(data);
    OK(MPI_Type_free(&tile));
    OK(MPI_Type_free(&block));
    OK(MPI_Info_free(&info));
    return before < 0 ? -1 : after - before;
}

/* The rounds of each view are as long as its cb_buffer_size says. */
static void other_rounds(void)
{
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    long shorter = writes_in_rounds(file, "8192"), longer = writes_in_rounds(file, "2097152");
    long again = writes_in_rounds(file, "8192");
    if (rank == 0 && size > 1 && shorter >= 0) {
        CHECK(shorter >= 16 * size, "%ld writes in rounds of 8 KiB", shorter);
        CHECK(longer <= shorter / 4, "%ld writes in rounds of 2 MiB, %ld in rounds of 8 KiB",
              longer, shorter);
        CHECK(again >= 16 * size, "%ld writes in rounds of 8 KiB after longer ones", again);
    }
    OK(MPI_File_close(&file));
}

/* One rank gives invalid arguments: nobody waits for it. */
static void invalid_arguments(void)
{
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    MPI_Request request;
    int number = 1, last = rank == size - 1;
    FAILS(MPI_File_write_at_all(file, last ? -1 : 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE),
          MPI_ERR_ARG);
    FAILS(MPI_File_write_all(file, &number, last ? -1 : 1, MPI_INT, MPI_STATUS_IGNORE),
          MPI_ERR_COUNT);
    FAILS(MPI_File_read_ordered(file, &number, 1, last ? MPI_DATATYPE_NULL : MPI_INT,
                                MPI_STATUS_IGNORE), MPI_ERR_TYPE);
    if (size > 1) {
        OK(MPI_File_iread_all(file, &number, last ? -1 : 1, MPI_INT, &request));
        FAILS(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_COUNT);
    }
    /* A split operation that one rank has not ended: no rank closes the file. */
    OK(MPI_File_write_all_begin(file, &number, 1, MPI_INT));
    if (!last) OK(MPI_File_write_all_end(file, &number, MPI_STATUS_IGNORE));
    FAILS(MPI_File_close(&file), MPI_ERR_IO);
    if (last) OK(MPI_File_write_all_end(file, &number, MPI_STATUS_IGNORE));
    OK(MPI_File_close(&file));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    signal(SIGXFSZ, SIG_IGN);
    choose_name("collective");
    static const char *const nodes[] = {"1", "2", "7"};
    for (int i = 0; i < 3; i++) {
        MPI_Info info = hints(nodes[i], "4096", "enable");
        interleaved(info, 5, rounds(1000));
        interleaved(info, 700, 20);
        interleaved(info, 1, 1);
        holes_in_memory(info);
        nothing_left(info);
        MPI_Info_free(&info);
        info = hints(nodes[i], "1000000", "automatic");
        interleaved(info, 64, rounds(500));
        interleaved(info, 20000, 3);
        holes_in_memory(info);
        nothing_left(info);
        MPI_Info_free(&info);
    }
    MPI_Info info = hints("1", "4096", "enable");
    too_long(info, 0, 10000);
    MPI_Info_free(&info);
    /* Each rank is an aggregator. */
    char all[12];
    snprintf(all, sizeof all, "%d", size);
    info = hints(all, "4096", "enable");
    too_long(info, size - 1, 10000);
    MPI_Info_free(&info);
    /* Each rank writes its numbers one by one. */
    info = hints("1", "4096", "disable");
    too_long(info, size - 1, 600);
    MPI_Info_free(&info);
    invalid_arguments();
    other_rounds();
    MPI_Finalize();
    return 0;
}
