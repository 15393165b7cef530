/* The types of files: filetypes are made of the etype, and data are of the etype (MPI 5.0 14.3,
 * 14.6.6). */
#include "cases.h"

static int data[64];

/* Opens a file of this process alone. */
static MPI_File opened(const char *name)
{
    MPI_File file;
    char own[64];
    snprintf(own, sizeof(own), "%s%d", name, rank);
    MPI_File_open(MPI_COMM_SELF, own, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    return file;
}

static MPI_Datatype committed(MPI_Datatype type)
{
    MPI_Type_commit(&type);
    return type;
}

static MPI_Datatype vector_of(MPI_Datatype type)
{
    MPI_Datatype made;
    MPI_Type_vector(3, 2, 4, type, &made);
    return committed(made);
}

static MPI_Datatype pair_of(MPI_Datatype first, MPI_Datatype second)
{
    MPI_Datatype made, types[2] = {first, second};
    MPI_Aint places[2] = {0, 8};
    MPI_Type_create_struct(2, (int[]){1, 1}, places, types, &made);
    return committed(made);
}

static MPI_Datatype pairs_of(MPI_Datatype type)
{
    MPI_Datatype made;
    MPI_Type_contiguous(2, type, &made);
    return committed(made);
}

/* Writes through a view. */
static void written(const char *name, MPI_Datatype etype, MPI_Datatype filetype, MPI_Datatype type)
{
    MPI_File file = opened(name);
    MPI_File_set_view(file, 8, etype, filetype, "native", MPI_INFO_NULL);
    MPI_File_write(file, data, 2, type, IGNORE);
    MPI_File_close(&file);
}

static void wrong(int kind, int unused)
{
    (void)unused;
    MPI_Datatype pair = pair_of(MPI_INT, MPI_DOUBLE), swapped = pair_of(MPI_DOUBLE, MPI_INT);
    MPI_Datatype floats = vector_of(MPI_FLOAT), ints = vector_of(MPI_INT), four;
    MPI_Type_contiguous(4, MPI_BYTE, &four);
    four = committed(four);
    switch (kind) {
    case 0: written("view0", MPI_INT, floats, MPI_INT); break;
    case 1: written("view1", MPI_INT, four, MPI_INT); break;
    case 2: written("view2", pair, swapped, pair); break;
    case 3: written("view3", MPI_INT, ints, MPI_FLOAT); break;
    case 4: written("view4", pair, pair, swapped); break;
    default: written("view5", MPI_DOUBLE, MPI_DOUBLE, MPI_INT64_T);
    }
    MPI_Type_free(&pair);
    MPI_Type_free(&swapped);
    MPI_Type_free(&floats);
    MPI_Type_free(&ints);
    MPI_Type_free(&four);
}

static void well(int kind, int unused)
{
    (void)unused;
    MPI_Datatype pair = pair_of(MPI_INT, MPI_DOUBLE), pairs = pairs_of(pair), block, cut;
    MPI_Datatype ints = vector_of(MPI_INT), floats = vector_of(MPI_FLOAT), many = vector_of(pair);
    MPI_File file;
    char packed[64];
    int place = 0;
    MPI_Type_create_subarray(2, (int[]){4, 6}, (int[]){2, 3}, (int[]){1, 1}, MPI_ORDER_C, MPI_INT,
                             &block);
    block = committed(block);
    MPI_Type_create_resized(MPI_INT, 0, 12, &cut);
    cut = committed(cut);
    switch (kind) {
    case 0: written("fine0", MPI_BYTE, floats, MPI_INT); break;
    case 1: written("fine1", MPI_INT, ints, ints); break;
    case 2: written("fine2", pair, pairs, pair); break;
    case 3: written("fine3", pair, many, many); break;
    case 4: written("fine4", MPI_INT, block, MPI_INT32_T); break;
    case 5: written("fine5", MPI_INT32_T, cut, MPI_INT); break;
    case 6: written("fine6", MPI_BYTE, MPI_BYTE, pair); break;
    case 7: /* Two instances of MPI_2INT make four ints. */
        written("fine7", MPI_INT, MPI_INT, MPI_2INT);
        break;
    case 8:
        MPI_Pack(data, 2, MPI_INT, packed, sizeof(packed), &place, WORLD);
        file = opened("fine8");
        MPI_File_set_view(file, 0, MPI_INT, ints, "native", MPI_INFO_NULL);
        MPI_File_write(file, packed, place, MPI_PACKED, IGNORE);
        MPI_File_close(&file);
        break;
    default: /* Without a view. */
        file = opened("fine9");
        MPI_File_write_at(file, 3, data, 2, pair, IGNORE);
        MPI_File_read_at_all(file, 3, data, 4, floats, IGNORE);
        MPI_File_close(&file);
    }
    MPI_Type_free(&cut);
    MPI_Type_free(&block);
    MPI_Type_free(&many);
    MPI_Type_free(&floats);
    MPI_Type_free(&ints);
    MPI_Type_free(&pairs);
    MPI_Type_free(&pair);
}

#define DIFFER "types of files that differ from the etype|views.c:|in written (|"
#define FILETYPE DIFFER "MPI_File_set_view|the filetype has "
#define DATA DIFFER "MPI_File_write in|the data have "

const struct test_case views[] = {
    {"view_of_floats", 1, FILETYPE "MPI_FLOAT where the etype has MPI_INT", wrong, 0, 0},
    {"view_of_bytes", 2, FILETYPE "MPI_BYTE where the etype has MPI_INT", wrong, 1, 0},
    {"view_swapped", 1, FILETYPE "MPI_DOUBLE where the etype has MPI_INT", wrong, 2, 0},
    {"view_written_as_float", 2, DATA "MPI_FLOAT where the etype has MPI_INT", wrong, 3, 0},
    {"view_written_swapped", 1, DATA "MPI_DOUBLE where the etype has MPI_INT", wrong, 4, 0},
    {"view_written_as_long", 1, DATA "MPI_INT64_T where the etype has MPI_DOUBLE", wrong, 5, 0},
    {NULL, 0, NULL, NULL, 0, 0},
};

const struct test_case right_views[] = {
    {"right_view_of_bytes", 2, "", well, 0, 0},
    {"right_view_of_ints", 1, "", well, 1, 0},
    {"right_view_of_pairs", 1, "", well, 2, 0},
    {"right_view_of_many_pairs", 1, "", well, 3, 0},
    {"right_view_of_a_block", 1, "", well, 4, 0},
    {"right_view_resized", 1, "", well, 5, 0},
    {"right_view_written_as_pairs", 1, "", well, 6, 0},
    {"right_view_two_ints", 1, "", well, 7, 0},
    {"right_view_packed", 1, "", well, 8, 0},
    {"right_view_none", 1, "", well, 9, 0},
    {NULL, 0, NULL, NULL, 0, 0},
};
