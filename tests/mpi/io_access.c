/* Reading and writing at explicit offsets and at the individual pointer: statuses at the end of the
 * file, buffers with holes, non-blocking and split collective calls, large counts (MPI 5.0 §14.4).
 *
 * modes: default network threads */

#include "io.h"
#include <stdint.h>

enum { N = 1000 };

static void count_up(int *numbers_, int count, int from)
{
    for (int i = 0; i < count; i++) numbers_[i] = from + i;
}

static void explicit_offsets(void)
{
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    int own[N], seen[N];
    MPI_Status status;
    count_up(own, N, rank * N);
    OK(MPI_File_write_at(file, (MPI_Offset)rank * sizeof own, own, N, MPI_INT, &status));
    COUNT(status, MPI_INT, N);
    MPI_Barrier(MPI_COMM_WORLD);
    int next = (rank + 1) % size;
    OK(MPI_File_read_at(file, (MPI_Offset)next * sizeof own, seen, N, MPI_INT, &status));
    COUNT(status, MPI_INT, N);
    for (int i = 0; i < N; i++) CHECK(seen[i] == next * N + i, "number %d is %d", i, seen[i]);
    OK(MPI_File_close(&file));
}

/* A short read is a success with a short count, whichever function reads. */
static void ends(void)
{
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    unsigned char bytes[2000];
    MPI_Status status;
    MPI_Request request;
    if (rank == 0) OK(MPI_File_write_at(file, 0, numbers(1), 1000, MPI_BYTE, &status));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_read_at(file, 900, bytes, 200, MPI_BYTE, &status));
    COUNT(status, MPI_BYTE, 100);
    OK(MPI_File_read_at_all(file, 900, bytes, 200, MPI_BYTE, &status));
    COUNT(status, MPI_BYTE, 100);
    OK(MPI_File_iread_at(file, 900, bytes, 200, MPI_BYTE, &request));
    OK(MPI_Wait(&request, &status));
    COUNT(status, MPI_BYTE, 100);
    OK(MPI_File_iread_at_all(file, 900, bytes, 200, MPI_BYTE, &request));
    OK(MPI_Wait(&request, &status));
    COUNT(status, MPI_BYTE, 100);
    OK(MPI_File_read_at(file, 5000, bytes, 200, MPI_BYTE, &status));
    COUNT(status, MPI_BYTE, 0);
    OK(MPI_File_iread_at(file, 5000, bytes, 200, MPI_BYTE, &request));
    OK(MPI_Wait(&request, &status));
    COUNT(status, MPI_BYTE, 0);
    /* Two of four bytes: blocks that interleave in a collective call. */
    MPI_Datatype pairs, tile;
    OK(MPI_Type_contiguous(2, MPI_BYTE, &pairs));
    OK(MPI_Type_create_resized(pairs, 0, 4, &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, 2 * (rank % 2), MPI_BYTE, tile, "native", MPI_INFO_NULL));
    OK(MPI_File_read_at(file, 0, bytes, 2000, MPI_BYTE, &status));
    COUNT(status, MPI_BYTE, 500);
    for (int i = 0; i < 500; i++)
        CHECK(bytes[i] == numbers(1)[2 * (rank % 2) + i / 2 * 4 + i % 2], "byte %d", i);
    OK(MPI_File_read_at_all(file, 0, bytes, 2000, MPI_BYTE, &status));
    COUNT(status, MPI_BYTE, 500);
    OK(MPI_File_iread_at_all(file, 100, bytes, 2000, MPI_BYTE, &request));
    OK(MPI_Wait(&request, &status));
    COUNT(status, MPI_BYTE, 400);
    OK(MPI_Type_free(&pairs));
    OK(MPI_Type_free(&tile));
    OK(MPI_File_close(&file));
}

static void individual(void)
{
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    int own[N], seen[N];
    MPI_Offset offset;
    count_up(own, N, rank * N);
    OK(MPI_File_set_view(file, (MPI_Offset)rank * sizeof own, MPI_INT, MPI_INT, "native",
                         MPI_INFO_NULL));
    for (int i = 0; i < N; i += 100)
        OK(MPI_File_write(file, own + i, 100, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_get_position(file, &offset));
    CHECK(offset == N, "the pointer is at %ld", (long)offset);
    OK(MPI_File_seek(file, -N, MPI_SEEK_CUR));
    OK(MPI_File_read(file, seen, N, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(!memcmp(own, seen, sizeof own), "other data come back");
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_seek(file, 0, MPI_SEEK_END));
    OK(MPI_File_get_position(file, &offset));
    CHECK(offset == (MPI_Offset)(size - rank) * N, "the end is at %ld", (long)offset);
    OK(MPI_File_get_byte_offset(file, 5, &offset));
    CHECK(offset == (MPI_Offset)(rank * N + 5) * (int)sizeof(int), "offset %ld", (long)offset);
    FAILS(MPI_File_seek(file, -1 - (size - rank) * N, MPI_SEEK_END), MPI_ERR_ARG);
    OK(MPI_File_close(&file));
}

/* Memory with holes, longer than what is staged at a time. */
static void holes_in_memory(void)
{
    enum { BLOCKS = 200000 };
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    MPI_Datatype vector;
    int *own = malloc(2 * BLOCKS * sizeof(int)), *seen = malloc(2 * BLOCKS * sizeof(int));
    OK(MPI_Type_vector(BLOCKS, 1, 2, MPI_INT, &vector));
    OK(MPI_Type_commit(&vector));
    count_up(own, 2 * BLOCKS, rank);
    memset(seen, 0, 2 * BLOCKS * sizeof(int));
    MPI_Offset offset = (MPI_Offset)rank * BLOCKS * sizeof(int);
    MPI_Status status;
    OK(MPI_File_write_at(file, offset, own, 1, vector, &status));
    COUNT(status, vector, 1);
    OK(MPI_File_read_at(file, offset, seen, 1, vector, &status));
    COUNT(status, vector, 1);
    for (int i = 0; i < 2 * BLOCKS; i++)
        CHECK(seen[i] == (i % 2 ? 0 : own[i]), "number %d is %d", i, seen[i]);
    OK(MPI_Type_free(&vector));
    OK(MPI_File_close(&file));
    free(own);
    free(seen);
}

static void nonblocking(void)
{
    enum { PARTS = 20 };
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    int own[PARTS][N], seen[PARTS][N];
    MPI_Request requests[PARTS + 2];
    MPI_Status statuses[PARTS + 2];
    count_up(own[0], PARTS * N, rank);
    MPI_Offset start = (MPI_Offset)rank * sizeof own;
    for (int i = 0; i < PARTS; i++)
        OK(MPI_File_iwrite_at(file, start + i * sizeof own[0], own[i], N, MPI_INT, &requests[i]));
    /* Messages complete in one call with them. */
    int sent = rank, received = -1;
    OK(MPI_Irecv(&received, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 &requests[PARTS]));
    OK(MPI_Isend(&sent, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[PARTS + 1]));
    OK(MPI_Waitall(PARTS + 2, requests, statuses));
    for (int i = 0; i < PARTS; i++) COUNT(statuses[i], MPI_INT, N);
    CHECK(received == (rank + size - 1) % size, "a message is lost");
    OK(MPI_File_seek(file, start, MPI_SEEK_SET));
    for (int i = 0; i < PARTS; i++)
        OK(MPI_File_iread(file, seen[i], N, MPI_INT, &requests[i]));
    for (int left = PARTS; left > 0; left--) {
        int index;
        MPI_Status status;
        OK(MPI_Waitany(PARTS, requests, &index, &status));
        COUNT(status, MPI_INT, N);
    }
    CHECK(!memcmp(own, seen, sizeof own), "other data come back");
    for (int i = 0; i < PARTS; i++)
        OK(MPI_File_iwrite_at_all(file, start + i * sizeof own[0], own[PARTS - 1 - i], N, MPI_INT,
                                  &requests[i]));
    OK(MPI_Waitall(PARTS, requests, MPI_STATUSES_IGNORE));
    OK(MPI_File_seek(file, start, MPI_SEEK_SET));
    for (int i = 0; i < PARTS; i++)
        OK(MPI_File_iread_all(file, seen[i], N, MPI_INT, &requests[i]));
    OK(MPI_Waitall(PARTS, requests, statuses));
    for (int i = 0; i < PARTS; i++) {
        COUNT(statuses[i], MPI_INT, N);
        CHECK(!memcmp(own[PARTS - 1 - i], seen[i], sizeof own[0]), "part %d is another", i);
    }
    OK(MPI_File_close(&file));
}

static void split(void)
{
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    int own[N], seen[N];
    MPI_Status status;
    count_up(own, N, rank * N);
    MPI_Offset offset = (MPI_Offset)rank * sizeof own;
    OK(MPI_File_write_at_all_begin(file, offset, own, N, MPI_INT));
    FAILS(MPI_File_write_all_begin(file, own, N, MPI_INT), MPI_ERR_IO);
    FAILS(MPI_File_write_all_end(file, own, &status), MPI_ERR_IO);
    FAILS(MPI_File_write_at_all_end(file, own + 1, &status), MPI_ERR_BUFFER);
    OK(MPI_File_write_at_all_end(file, own, &status));
    COUNT(status, MPI_INT, N);
    FAILS(MPI_File_write_at_all_end(file, own, &status), MPI_ERR_IO);
    OK(MPI_File_seek(file, offset, MPI_SEEK_SET));
    OK(MPI_File_read_all_begin(file, seen, N, MPI_INT));
    OK(MPI_File_read_all_end(file, seen, &status));
    COUNT(status, MPI_INT, N);
    CHECK(!memcmp(own, seen, sizeof own), "other data come back");
    OK(MPI_File_close(&file));
}

static void large_counts(void)
{
    MPI_File file = scratch_file(MPI_COMM_SELF);
    MPI_Status status;
    MPI_Offset far = ((MPI_Offset)1 << 33) - 3, bytes;
    char text[8] = "";
    OK(MPI_File_write_at_c(file, far, "abcdefg", 7, MPI_CHAR, &status));
    OK(MPI_File_get_size(file, &bytes));
    CHECK(bytes == far + 7, "the size is %lld", (long long)bytes);
    OK(MPI_File_read_at_c(file, far, text, 7, MPI_CHAR, &status));
    CHECK(!strcmp(text, "abcdefg"), "\"%s\" comes back", text);
    MPI_Count extent;
    OK(MPI_File_get_type_extent_c(file, MPI_DOUBLE, &extent));
    CHECK(extent == 8, "the extent is %lld", (long long)extent);
    FAILS(MPI_File_write_at_c(file, INT64_MAX, text, 2, MPI_CHAR, &status),
          MPI_ERR_ARG);
    OK(MPI_File_close(&file));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    choose_name("access");
    explicit_offsets();
    ends();
    individual();
    holes_in_memory();
    nonblocking();
    split();
    if (rank == 0) large_counts();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
