/* The shared pointer, ordered calls, atomic mode, sequential files (MPI 5.0 §14.4.4, §14.6).
 *
 * modes: default network threads
 * seconds: 60 */

#include "io.h"

struct record {
    int rank, number;
};

/* Every record is in the file once, and those of a rank are in order. */
static void records(void)
{
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    MPI_Datatype pair;
    const int count = rounds(2000);
    OK(MPI_Type_contiguous(2, MPI_INT, &pair));
    OK(MPI_Type_commit(&pair));
    OK(MPI_File_set_view(file, 0, pair, pair, "native", MPI_INFO_NULL));
    for (int i = 0; i < count; i++) {
        struct record record = {rank, i};
        if (i % 3) {
            OK(MPI_File_write_shared(file, &record, 1, pair, MPI_STATUS_IGNORE));
        } else {
            MPI_Request request;
            OK(MPI_File_iwrite_shared(file, &record, 1, pair, &request));
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Offset offset;
    OK(MPI_File_get_position_shared(file, &offset));
    CHECK(offset == (MPI_Offset)count * size, "the pointer is at %ld", (long)offset);
    struct record *all = malloc(count * size * sizeof *all);
    OK(MPI_File_read_at_all(file, 0, all, count * size, pair, MPI_STATUS_IGNORE));
    int next[64] = {0};
    for (int i = 0; i < count * size; i++) {
        CHECK(all[i].rank >= 0 && all[i].rank < size, "record %d is of rank %d", i, all[i].rank);
        CHECK(all[i].number == next[all[i].rank]++, "record %d is out of order", i);
    }
    free(all);
    OK(MPI_File_seek_shared(file, -size, MPI_SEEK_END));
    struct record last;
    MPI_Status status;
    OK(MPI_File_read_shared(file, &last, 1, pair, &status));
    COUNT(status, pair, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_read_shared(file, &last, 1, pair, &status));
    COUNT(status, pair, 0);
    FAILS(MPI_File_seek_shared(file, -5, MPI_SEEK_SET), MPI_ERR_ARG);
    if (size > 1) {
        FAILS(MPI_File_seek_shared(file, rank ? 5 : -5, MPI_SEEK_SET), MPI_ERR_ARG);
        FAILS_SAYING(MPI_File_seek_shared(file, rank, MPI_SEEK_SET), MPI_ERR_NOT_SAME,
                     ": offset is 1 from MPI_SEEK_SET", ": offset is 0 from MPI_SEEK_SET");
        FAILS_SAYING(MPI_File_seek_shared(file, 0, rank ? MPI_SEEK_END : MPI_SEEK_CUR),
                     MPI_ERR_NOT_SAME, "from MPI_SEEK_END", "from MPI_SEEK_CUR");
    }
    OK(MPI_Type_free(&pair));
    OK(MPI_File_close(&file));
}

static void ordered(void)
{
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    int own[8], seen[8];
    MPI_Status status;
    OK(MPI_File_set_view(file, 4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    for (int round = 0; round < 50; round++) {
        int count = (rank + round) % 8;
        for (int i = 0; i < count; i++) own[i] = round * 1000 + rank * 10 + i;
        if (round % 2) {
            OK(MPI_File_write_ordered(file, own, count, MPI_INT, &status));
        } else {
            OK(MPI_File_write_ordered_begin(file, own, count, MPI_INT));
            OK(MPI_File_write_ordered_end(file, own, &status));
        }
        COUNT(status, MPI_INT, count);
    }
    OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    for (int round = 0; round < 50; round++) {
        int count = (rank + round) % 8;
        if (round % 2) {
            OK(MPI_File_read_ordered(file, seen, count, MPI_INT, &status));
        } else {
            OK(MPI_File_read_ordered_begin(file, seen, count, MPI_INT));
            OK(MPI_File_read_ordered_end(file, seen, &status));
        }
        COUNT(status, MPI_INT, count);
        for (int i = 0; i < count; i++)
            CHECK(seen[i] == round * 1000 + rank * 10 + i, "round %d, number %d is %d", round, i,
                  seen[i]);
    }
    OK(MPI_File_close(&file));
}

/* In atomic mode overlapping writes never mix. */
static void atomic(void)
{
    enum { BLOCKS = 64 };
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    MPI_Datatype tile;
    int own[BLOCKS], seen[BLOCKS], flag, last = rounds(50);
    OK(MPI_Type_create_resized(MPI_INT, 0, 40, &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, 0, MPI_INT, tile, "native", MPI_INFO_NULL));
    if (size > 1)
        FAILS_SAYING(MPI_File_set_atomicity(file, rank == 1), MPI_ERR_NOT_SAME,
                     ": flag is 1; rank 0 on ", ": flag is 0");
    OK(MPI_File_set_atomicity(file, 1));
    OK(MPI_File_get_atomicity(file, &flag));
    CHECK(flag == 1, "the file is not in atomic mode");
    for (int round = 0; round < last; round++) {
        for (int i = 0; i < BLOCKS; i++) own[i] = round * size + rank;
        if (round % 3 == 2)
            OK(MPI_File_write_at_all(file, 0, own, BLOCKS, MPI_INT, MPI_STATUS_IGNORE));
        else
            OK(MPI_File_write_at(file, 0, own, BLOCKS, MPI_INT, MPI_STATUS_IGNORE));
        OK(MPI_File_read_at(file, 0, seen, BLOCKS, MPI_INT, MPI_STATUS_IGNORE));
        for (int i = 1; i < BLOCKS; i++)
            CHECK(seen[i] == seen[0], "round %d mixes %d and %d", round, seen[0], seen[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_Type_free(&tile));
    OK(MPI_File_close(&file));
}

static void sequential(void)
{
    MPI_File file = open_file(MPI_COMM_WORLD,
                              MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
    MPI_Offset offset;
    char text[] = "abc";
    FAILS(MPI_File_write_at(file, 0, text, 3, MPI_CHAR, MPI_STATUS_IGNORE),
          MPI_ERR_UNSUPPORTED_OPERATION);
    FAILS(MPI_File_write_all(file, text, 3, MPI_CHAR, MPI_STATUS_IGNORE),
          MPI_ERR_UNSUPPORTED_OPERATION);
    FAILS(MPI_File_seek(file, 0, MPI_SEEK_SET), MPI_ERR_UNSUPPORTED_OPERATION);
    FAILS(MPI_File_get_size(file, &offset), MPI_ERR_UNSUPPORTED_OPERATION);
    OK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_CHAR, MPI_CHAR, "native",
                         MPI_INFO_NULL));
    OK(MPI_File_write_ordered(file, text, 3, MPI_CHAR, MPI_STATUS_IGNORE));
    OK(MPI_File_write_shared(file, text, 3, MPI_CHAR, MPI_STATUS_IGNORE));
    OK(MPI_File_close(&file));
    CHECK(length_of(file_name) == 6 * size, "the file has %ld bytes", length_of(file_name));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) OK(MPI_File_delete(file_name, MPI_INFO_NULL));
    /* A device that is always full: every rank learns it. */
    OK(MPI_File_open(MPI_COMM_WORLD, "/dev/full", MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL,
                     MPI_INFO_NULL, &file));
    FAILS(MPI_File_write_ordered(file, text, rank == size - 1 ? 3 : 0, MPI_CHAR,
                                 MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
    FAILS(MPI_File_write_shared(file, text, 3, MPI_CHAR, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
    OK(MPI_File_close(&file));
    OK(MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    OK(MPI_File_write_at_all(file, 100, text, 3, MPI_CHAR, MPI_STATUS_IGNORE));
    OK(MPI_File_close(&file));
    /* A terminal has no offsets. */
    FAILS(MPI_File_open(MPI_COMM_WORLD, "/dev/ptmx", MPI_MODE_RDWR, MPI_INFO_NULL, &file),
          MPI_ERR_UNSUPPORTED_OPERATION);
}

/* Checks that the view begins at byte `disp`, and that all ranks see it. */
static void begins_at(MPI_File file, MPI_Offset disp)
{
    MPI_Offset seen;
    MPI_Datatype etype, filetype;
    char name[MPI_MAX_DATAREP_STRING];
    OK(MPI_File_get_view(file, &seen, &etype, &filetype, name));
    CHECK(seen == disp, "the view begins at %lld, not at %lld", (long long)seen, (long long)disp);
    if (filetype != MPI_INT && filetype != MPI_CHAR) OK(MPI_Type_free(&filetype));
    if (etype != MPI_INT && etype != MPI_CHAR) OK(MPI_Type_free(&etype));
}

/* Views of sequential files begin where the shared pointer stands, in bytes, and put it at 0. The
 * file has three characters, 2 * size integers at a distance of 12 bytes, and a character. */
static void sequential_views(const char *datarep)
{
    enum { HEAD = 3, STEP = 12 };
    int numbers[2] = {2 * rank, 2 * rank + 1}, end = HEAD + STEP * 2 * size;
    char text[] = "abc", last = 'z';
    MPI_Datatype spread, pair;
    MPI_File file = open_file(MPI_COMM_WORLD,
                              MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
    OK(MPI_Type_create_resized(MPI_INT, 0, STEP, &spread));
    OK(MPI_Type_contiguous(2, MPI_INT, &pair));
    OK(MPI_Type_commit(&spread));
    OK(MPI_Type_commit(&pair));
    if (rank == 0) OK(MPI_File_write_shared(file, text, 3, MPI_CHAR, MPI_STATUS_IGNORE));
    MPI_Barrier(MPI_COMM_WORLD);
    /* A call that fails moves nothing. */
    FAILS(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, pair, MPI_INT, datarep, MPI_INFO_NULL),
          MPI_ERR_TYPE);
    FAILS(MPI_File_set_view(file, 5, MPI_INT, MPI_INT, datarep, MPI_INFO_NULL), MPI_ERR_ARG);
    OK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, spread, datarep,
                         MPI_INFO_NULL));
    begins_at(file, HEAD);
    OK(MPI_File_write_ordered(file, numbers, 2, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_CHAR, MPI_CHAR, datarep,
                         MPI_INFO_NULL));
    begins_at(file, end);
    OK(MPI_File_write_ordered(file, &last, rank == size - 1, MPI_CHAR, MPI_STATUS_IGNORE));
    OK(MPI_File_close(&file));
    CHECK(length_of(file_name) == end + 1, "the file has %ld bytes", length_of(file_name));

    file = open_file(MPI_COMM_WORLD, MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL);
    memset(text, 0, sizeof text);
    if (rank == size - 1) {
        OK(MPI_File_read_shared(file, text, 3, MPI_CHAR, MPI_STATUS_IGNORE));
        CHECK(strcmp(text, "abc") == 0, "\"%s\" is read", text);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, spread, datarep,
                         MPI_INFO_NULL));
    begins_at(file, HEAD);
    numbers[0] = -1;
    OK(MPI_File_read_ordered(file, numbers, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(numbers[0] == rank, "%d is read", numbers[0]);
    /* Inside the view: the next one begins with the next integer. */
    OK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, spread, datarep,
                         MPI_INFO_NULL));
    begins_at(file, HEAD + STEP * size);
    OK(MPI_File_read_ordered(file, numbers, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(numbers[0] == size + rank, "%d is read", numbers[0]);
    OK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_CHAR, MPI_CHAR, datarep,
                         MPI_INFO_NULL));
    begins_at(file, end);
    last = 0;
    OK(MPI_File_read_ordered(file, &last, rank == 0, MPI_CHAR, MPI_STATUS_IGNORE));
    CHECK(rank != 0 || last == 'z', "%d is read", last);
    OK(MPI_File_close(&file));
    OK(MPI_Type_free(&spread));
    OK(MPI_Type_free(&pair));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) OK(MPI_File_delete(file_name, MPI_INFO_NULL));
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    choose_name("shared");
    records();
    ordered();
    atomic();
    sequential();
    sequential_views("native");
    sequential_views("external32");
    MPI_Finalize();
    return 0;
}
