/* Data representations: external32 as another program reads it, internal, and one that the program
 * registers (MPI 5.0 §14.5).
 *
 * modes: default network */

#include "io.h"
#include <stdint.h>

static void external32(void)
{
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    MPI_Datatype tile;
    MPI_Aint extent;
    MPI_Status status;
    MPI_Request request;
    long own[50], seen[50];
    unsigned char bytes[4096];
    for (int i = 0; i < 50; i++) own[i] = i % 2 ? -(rank * 100 + i) : rank * 100 + i;
    OK(MPI_Type_vector(50, 1, size, MPI_LONG, &tile));
    OK(MPI_Type_commit(&tile));
    /* The vector scales with MPI_LONG, which has four bytes in the file. */
    OK(MPI_File_set_view(file, 4 * rank, MPI_LONG, tile, "external32", MPI_INFO_NULL));
    OK(MPI_File_get_type_extent(file, MPI_LONG, &extent));
    CHECK(extent == 4, "the extent of MPI_LONG is %ld", (long)extent);
    OK(MPI_File_get_type_extent(file, MPI_LONG_DOUBLE, &extent));
    CHECK(extent == 16, "the extent of MPI_LONG_DOUBLE is %ld", (long)extent);
    OK(MPI_File_write_all(file, own, 25, MPI_LONG, &status));
    COUNT(status, MPI_LONG, 25);
    OK(MPI_File_iwrite_at_all(file, 25, own + 25, 25, MPI_LONG, &request));
    OK(MPI_Wait(&request, &status));
    COUNT(status, MPI_LONG, 25);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(contents(file_name, bytes, sizeof bytes) == 200 * size, "the file has another length");
    for (int i = 0; i < 50; i++) {
        const unsigned char *at = bytes + 4 * (i * size + rank);
        int32_t value = (int32_t)((uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3]);
        CHECK(value == own[i], "number %d is %d, not %ld", i, value, own[i]);
    }
    for (int form = 0; form < 4; form++) {
        memset(seen, 0, sizeof seen);
        if (form == 0) OK(MPI_File_read_at(file, 0, seen, 50, MPI_LONG, &status));
        if (form == 1) OK(MPI_File_read_at_all(file, 0, seen, 50, MPI_LONG, &status));
        if (form == 2) OK(MPI_File_iread_at(file, 0, seen, 50, MPI_LONG, &request));
        if (form == 3) OK(MPI_File_iread_at_all(file, 0, seen, 50, MPI_LONG, &request));
        if (form > 1) OK(MPI_Wait(&request, &status));
        COUNT(status, MPI_LONG, 50);
        CHECK(!memcmp(own, seen, sizeof own), "form %d gives other numbers", form);
    }
    /* Beyond the end. */
    OK(MPI_File_read_at_all(file, 40, seen, 50, MPI_LONG, &status));
    /* The filetype repeats: what follows its last element belongs to the next rank. */
    COUNT(status, MPI_LONG, 10 + (rank < size - 1));
    long large = 1L << 40;
    FAILS(MPI_File_write_at(file, 0, &large, 1, MPI_LONG, MPI_STATUS_IGNORE), MPI_ERR_CONVERSION);
    FAILS(MPI_File_write_at_all(file, 0, rank ? own : &large, 1, MPI_LONG, MPI_STATUS_IGNORE),
          MPI_ERR_CONVERSION);
    OK(MPI_Type_free(&tile));
    OK(MPI_File_close(&file));
}

static int calls, extra_state;

/* In this representation an int has three bytes, the lowest first, each turned over. */
static int to_file(void *userbuf, MPI_Datatype datatype, int count, void *filebuf,
                   MPI_Offset position, void *extra)
{
    if (datatype != MPI_INT || extra != &extra_state) return MPI_ERR_OTHER;
    calls++;
    for (int i = 0; i < count; i++) {
        unsigned value = (unsigned)((int *)userbuf)[position + i];
        for (int byte = 0; byte < 3; byte++)
            ((unsigned char *)filebuf)[3 * i + byte] = (unsigned char)~(value >> 8 * byte);
    }
    return MPI_SUCCESS;
}

static int from_file(void *userbuf, MPI_Datatype datatype, int count, void *filebuf,
                     MPI_Offset position, void *extra)
{
    if (datatype != MPI_INT || extra != &extra_state) return MPI_ERR_OTHER;
    calls++;
    for (int i = 0; i < count; i++) {
        const unsigned char *at = (unsigned char *)filebuf + 3 * i;
        ((int *)userbuf)[position + i] =
            (unsigned char)~at[0] | (unsigned char)~at[1] << 8 | (unsigned char)~at[2] << 16;
    }
    return MPI_SUCCESS;
}

static int fails(void *userbuf, MPI_Datatype datatype, int count, void *filebuf,
                 MPI_Offset position, void *extra)
{
    (void)userbuf, (void)datatype, (void)count, (void)filebuf, (void)position, (void)extra;
    return MPI_ERR_OTHER;
}

static int extent_in_file(MPI_Datatype datatype, MPI_Aint *extent, void *extra)
{
    CHECK(extra == &extra_state, "the extent function gets a wrong pointer");
    if (datatype != MPI_INT) return MPI_ERR_TYPE;
    *extent = 3;
    return MPI_SUCCESS;
}

static void registered(void)
{
    OK(MPI_Register_datarep("three", from_file, to_file, extent_in_file, &extra_state));
    FAILS(MPI_Register_datarep("three", from_file, to_file, extent_in_file, &extra_state),
          MPI_ERR_DUP_DATAREP);
    FAILS(MPI_Register_datarep("native", from_file, to_file, extent_in_file, &extra_state),
          MPI_ERR_DUP_DATAREP);
    OK(MPI_Register_datarep("broken", fails, fails, extent_in_file, &extra_state));
    MPI_File file = scratch_file(MPI_COMM_WORLD);
    MPI_Datatype tile;
    MPI_Status status;
    MPI_Request request;
    int own[40], seen[40];
    char name[MPI_MAX_DATAREP_STRING];
    unsigned char bytes[4096];
    for (int i = 0; i < 40; i++) own[i] = rank * 1000 + i;
    OK(MPI_Type_vector(40, 1, size, MPI_INT, &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, 3 * rank, MPI_INT, tile, "three", MPI_INFO_NULL));
    MPI_Offset disp;
    MPI_Datatype etype, filetype;
    OK(MPI_File_get_view(file, &disp, &etype, &filetype, name));
    CHECK(!strcmp(name, "three"), "the representation is %s", name);
    OK(MPI_Type_free(&filetype));
    OK(MPI_File_write_all(file, own, 40, MPI_INT, &status));
    COUNT(status, MPI_INT, 40);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(contents(file_name, bytes, sizeof bytes) == 120 * size, "the file has another length");
    for (int i = 0; i < 40; i++) {
        unsigned char low = bytes[3 * (i * size + rank)];
        CHECK(low == (unsigned char)~own[i], "number %d begins with %d", i, low);
    }
    for (int form = 0; form < 5; form++) {
        memset(seen, 0, sizeof seen);
        if (form == 0) OK(MPI_File_read_at(file, 0, seen, 40, MPI_INT, &status));
        if (form == 1) OK(MPI_File_read_at_all(file, 0, seen, 40, MPI_INT, &status));
        if (form == 2) OK(MPI_File_iread_at(file, 0, seen, 40, MPI_INT, &request));
        if (form == 3) OK(MPI_File_iread_at_all(file, 0, seen, 40, MPI_INT, &request));
        if (form == 2 || form == 3) OK(MPI_Wait(&request, &status));
        if (form == 4) {
            OK(MPI_File_read_at_all_begin(file, 0, seen, 40, MPI_INT));
            OK(MPI_File_read_at_all_end(file, seen, &status));
        }
        COUNT(status, MPI_INT, 40);
        CHECK(!memcmp(own, seen, sizeof own), "form %d gives other numbers", form);
    }
    CHECK(calls >= 6, "the functions ran %d times", calls);
    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "three", MPI_INFO_NULL));
    FAILS(MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "three", MPI_INFO_NULL),
          MPI_ERR_CONVERSION);
    OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "broken", MPI_INFO_NULL));
    FAILS(MPI_File_write_at_all(file, 0, own, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_CONVERSION);
    FAILS(MPI_File_read_at(file, 0, own, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_CONVERSION);
    OK(MPI_Type_free(&tile));
    OK(MPI_File_close(&file));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    choose_name("datarep");
    external32();
    registered();
    MPI_Finalize();
    return 0;
}
