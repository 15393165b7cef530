/* Views: types and displacements, holes that stay untouched, what is told of a view, and views that
 * all ranks refuse alike (MPI 5.0 §14.3).
 *
 * modes: default network */

#include "io.h"

/* Each rank writes every size-th block; another program sees the whole. */
static void interleaved(void)
{
    enum { BLOCK = 5, BLOCKS = 300 };
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    MPI_Datatype filetype;
    int own[BLOCK * BLOCKS], seen[BLOCK * BLOCKS];
    MPI_Status status;
    OK(MPI_Type_vector(BLOCKS, BLOCK, BLOCK * size, MPI_INT, &filetype));
    OK(MPI_Type_commit(&filetype));
    OK(MPI_File_set_view(file, 8 + (MPI_Offset)rank * BLOCK * sizeof(int), MPI_INT, filetype,
                         "native", MPI_INFO_NULL));
    for (int i = 0; i < BLOCK * BLOCKS; i++)
        own[i] = (i / BLOCK * size + rank) * BLOCK + i % BLOCK;
    OK(MPI_File_write(file, own, BLOCK * BLOCKS, MPI_INT, &status));
    COUNT(status, MPI_INT, BLOCK * BLOCKS);
    OK(MPI_File_sync(file));
    MPI_Barrier(MPI_COMM_WORLD);
    int total = BLOCK * BLOCKS * size, *all = calloc(total + 2, sizeof(int));
    CHECK(contents(file_name, (void *)all, (total + 2) * sizeof(int)) ==
              (long)((total + 2) * sizeof(int)), "the file has another length");
    for (int i = 0; i < total; i++) CHECK(all[i + 2] == i, "number %d is %d", i, all[i + 2]);
    free(all);
    OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
    OK(MPI_File_read(file, seen, BLOCK * BLOCKS, MPI_INT, &status));
    CHECK(!memcmp(own, seen, sizeof own), "other data come back");
    MPI_Offset offset;
    OK(MPI_File_get_byte_offset(file, BLOCK + 1, &offset));
    CHECK(offset == (MPI_Offset)(8 + ((rank + size) * BLOCK + 1) * sizeof(int)), "offset %ld",
          (long)offset);
    OK(MPI_Type_free(&filetype));
    OK(MPI_File_close(&file));
}

/* A write touches no byte of a hole. */
static void holes(void)
{
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    MPI_Datatype one, tile;
    int stride = size < 9 ? 9 : size + 1, bytes = 100 * stride;
    unsigned char old[bytes], seen[bytes];
    memset(old, 0xee, sizeof old);
    if (rank == 0) OK(MPI_File_write_at(file, 0, old, bytes, MPI_BYTE, MPI_STATUS_IGNORE));
    OK(MPI_Type_contiguous(1, MPI_BYTE, &one));
    OK(MPI_Type_create_resized(one, 0, stride, &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, rank, MPI_BYTE, tile, "native", MPI_INFO_NULL));
    OK(MPI_File_write_at_all(file, 0, numbers(rank), 100, MPI_BYTE, MPI_STATUS_IGNORE));
    OK(MPI_File_write_at(file, 50, numbers(rank) + 50, 20, MPI_BYTE, MPI_STATUS_IGNORE));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(contents(file_name, seen, sizeof seen) == bytes, "the file has another length");
    for (int i = 0; i < bytes; i++) {
        int expected = i % stride < size ? numbers(i % stride)[i / stride] : 0xee;
        CHECK(seen[i] == expected, "byte %d is %d, not %d", i, seen[i], expected);
    }
    OK(MPI_Type_free(&one));
    OK(MPI_Type_free(&tile));
    OK(MPI_File_close(&file));
}

/* A view of 10^9 blocks, and the end of a file of 64 GiB. */
static void huge(void)
{
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    MPI_Datatype many, tile;
    MPI_Offset end;
    OK(MPI_Type_vector(1000000000, 1, 16, MPI_INT, &many));
    OK(MPI_Type_commit(&many));
    OK(MPI_File_set_size(file, (MPI_Offset)64 << 30));
    OK(MPI_File_set_view(file, rank * 4, MPI_INT, many, "native", MPI_INFO_NULL));
    OK(MPI_File_seek(file, 999999000, MPI_SEEK_SET));
    OK(MPI_File_write_all(file, numbers(rank), 100, MPI_INT, MPI_STATUS_IGNORE));
    unsigned char seen[400];
    OK(MPI_File_read_at_all(file, 999999000, seen, 100, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(!memcmp(seen, numbers(rank), 400), "other data come back");
    OK(MPI_Type_free(&many));
    OK(MPI_Type_create_resized(MPI_DOUBLE, 0, 16, &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, 0, MPI_DOUBLE, tile, "native", MPI_INFO_NULL));
    OK(MPI_File_seek(file, 0, MPI_SEEK_END));
    OK(MPI_File_get_position(file, &end));
    CHECK(end == (MPI_Offset)4 << 30, "the end is at %lld", (long long)end);
    OK(MPI_Type_free(&tile));
    OK(MPI_File_close(&file));
}

static void told(void)
{
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    MPI_Offset disp;
    MPI_Datatype etype, filetype, vector;
    char datarep[MPI_MAX_DATAREP_STRING];
    OK(MPI_File_get_view(file, &disp, &etype, &filetype, datarep));
    CHECK(disp == 0 && etype == MPI_BYTE && filetype == MPI_BYTE && !strcmp(datarep, "native"),
          "the first view is not that of bytes");
    OK(MPI_Type_vector(2, 1, 3, MPI_SHORT, &vector));
    OK(MPI_Type_commit(&vector));
    OK(MPI_File_set_view(file, 10, MPI_SHORT, vector, "internal", MPI_INFO_NULL));
    OK(MPI_Type_free(&vector));
    OK(MPI_File_get_view(file, &disp, &etype, &filetype, datarep));
    int integers, addresses, types, combiner;
    OK(MPI_Type_get_envelope(filetype, &integers, &addresses, &types, &combiner));
    CHECK(disp == 10 && etype == MPI_SHORT && combiner == MPI_COMBINER_VECTOR &&
              !strcmp(datarep, "internal"), "another view is told");
    OK(MPI_Type_free(&filetype));
    MPI_Aint extent;
    OK(MPI_File_get_type_extent(file, MPI_LONG, &extent));
    CHECK(extent == sizeof(long), "the extent is %ld", (long)extent);
    OK(MPI_File_close(&file));
}

static void refused(void)
{
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    MPI_Datatype back, overlap;
    OK(MPI_Type_indexed(2, (int[]){1, 1}, (int[]){4, 0}, MPI_INT, &back));
    OK(MPI_Type_create_hvector(3, 1, 2, MPI_INT, &overlap));
    OK(MPI_Type_commit(&overlap));
    FAILS(MPI_File_set_view(file, 0, MPI_INT, back, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
    OK(MPI_Type_commit(&back));
    FAILS(MPI_File_set_view(file, 0, MPI_INT, back, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
    FAILS(MPI_File_set_view(file, 0, MPI_INT, overlap, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
    FAILS(MPI_File_set_view(file, 0, MPI_INT, MPI_SHORT, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
    FAILS(MPI_File_set_view(file, -1, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_ARG);
    FAILS(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native",
                            MPI_INFO_NULL), MPI_ERR_ARG);
    FAILS(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "weird", MPI_INFO_NULL),
          MPI_ERR_UNSUPPORTED_DATAREP);
    if (size > 1) {
        /* Etypes of other lengths are a view as on other libraries. */
        MPI_Datatype own = rank ? MPI_INT : MPI_DOUBLE;
        OK(MPI_File_set_view(file, 0, own, own, "native", MPI_INFO_NULL));
        OK(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
        FAILS_SAYING(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, rank ? "external32" : "native",
                                       MPI_INFO_NULL),
                     MPI_ERR_NOT_SAME, "datarep is \"native\"", "datarep is \"external32\"");
        /* A mistake of one rank is an error at all of them. */
        FAILS(MPI_File_set_view(file, rank == 1 ? -1 : 0, MPI_INT, MPI_INT, "native",
                                MPI_INFO_NULL), MPI_ERR_ARG);
    }
    /* The view is still the first one. */
    MPI_Offset offset;
    OK(MPI_File_get_byte_offset(file, 7, &offset));
    CHECK(offset == 7, "a refused view has changed the file's");
    short half = 1;
    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    FAILS(MPI_File_write_at(file, 0, &half, 1, MPI_SHORT, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    OK(MPI_Type_free(&back));
    OK(MPI_Type_free(&overlap));
    OK(MPI_File_close(&file));
}

/* HDF5 makes such filetypes: one part has an explicit extent, which becomes that of the whole, so
 * filetypes would overlap. A single one is in order and does not. */
static void one_filetype(void)
{
    enum { PARTS = 4, STEP = 40 };
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    MPI_Datatype part, tile;
    MPI_Aint lb, extent;
    OK(MPI_Type_create_resized(MPI_INT, 0, STEP, &part));
    OK(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, STEP * PARTS},
                              (MPI_Datatype[]){MPI_INT, part}, &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_Type_get_extent(tile, &lb, &extent));
    CHECK(lb == STEP * PARTS && extent == STEP, "lower bound %ld, extent %ld", (long)lb,
          (long)extent);
    OK(MPI_File_set_view(file, rank * (MPI_Offset)sizeof(int), MPI_INT, tile, "native",
                         MPI_INFO_NULL));
    int out[2] = {rank + 1, rank + 1000}, in[2] = {0, 0};
    MPI_Status status;
    OK(MPI_File_write_at_all(file, 0, out, 2, MPI_INT, &status));
    COUNT(status, MPI_INT, 2);
    OK(MPI_File_sync(file));
    CHECK(length_of(file_name) == (long)(STEP * PARTS + size * sizeof(int)), "another length: %ld",
          length_of(file_name));
    OK(MPI_File_read_at_all(file, 0, in, 2, MPI_INT, &status));
    COUNT(status, MPI_INT, 2);
    CHECK(in[0] == out[0] && in[1] == out[1], "read %d, %d", in[0], in[1]);
    OK(MPI_File_read_at_all(file, 1, in, 1, MPI_INT, &status));
    CHECK(in[0] == out[1], "read %d", in[0]);
    OK(MPI_Type_free(&part));
    OK(MPI_Type_free(&tile));
    OK(MPI_File_close(&file));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    choose_name("views");
    interleaved();
    one_filetype();
    holes();
    huge();
    told();
    refused();
    MPI_Finalize();
    return 0;
}
