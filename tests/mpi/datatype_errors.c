/* Errors of datatype calls have the right class (MPI 5.0 §5.1): counts, lengths, handles that are
 * null, freed or predefined, datatypes that are not committed, and sizes beyond 64 bits. Datatypes
 * without data are valid.
 *
 * sizes: 1 2
 * modes: default
 */

#include "check.h"

static MPI_Datatype type, none = MPI_DATATYPE_NULL;

static void constructors(void)
{
    FAILS(MPI_Type_contiguous(-1, MPI_INT, &type), MPI_ERR_COUNT);
    FAILS(MPI_Type_contiguous(1, none, &type), MPI_ERR_TYPE);
    FAILS(MPI_Type_contiguous(1, MPI_INT, NULL), MPI_ERR_ARG);
    FAILS(MPI_Type_contiguous_c((MPI_Count)1 << 62, MPI_DOUBLE, &type), MPI_ERR_ARG);
    FAILS(MPI_Type_vector(-1, 1, 1, MPI_INT, &type), MPI_ERR_COUNT);
    FAILS(MPI_Type_vector(1, -1, 1, MPI_INT, &type), MPI_ERR_ARG);
    FAILS(MPI_Type_create_hvector(2, 1, 1, none, &type), MPI_ERR_TYPE);
    FAILS(MPI_Type_indexed(-2, (int[]){1}, (int[]){1}, MPI_INT, &type), MPI_ERR_COUNT);
    FAILS(MPI_Type_indexed(2, (int[]){1, -1}, (int[]){1, 2}, MPI_INT, &type), MPI_ERR_ARG);
    FAILS(MPI_Type_indexed(2, NULL, (int[]){1, 2}, MPI_INT, &type), MPI_ERR_ARG);
    FAILS(MPI_Type_create_indexed_block(1, -1, (int[]){1}, MPI_INT, &type), MPI_ERR_ARG);
    FAILS(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8},
                                 (MPI_Datatype[]){MPI_INT, none}, &type), MPI_ERR_TYPE);
    FAILS(MPI_Type_create_subarray(0, NULL, NULL, NULL, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);
    FAILS(MPI_Type_create_subarray(1, (int[]){5}, (int[]){3}, (int[]){3}, MPI_ORDER_C, MPI_INT,
                                   &type), MPI_ERR_ARG);
    FAILS(MPI_Type_create_subarray(1, (int[]){5}, (int[]){3}, (int[]){2}, 777, MPI_INT, &type),
          MPI_ERR_ARG);
    FAILS(MPI_Type_create_darray(4, 4, 1, (int[]){8}, (int[]){MPI_DISTRIBUTE_BLOCK},
                                 (int[]){MPI_DISTRIBUTE_DFLT_DARG}, (int[]){4}, MPI_ORDER_C,
                                 MPI_INT, &type), MPI_ERR_ARG);
}

static void handles(void)
{
    MPI_Datatype freed;
    int number = 0, bytes;
    MPI_Aint lb, extent;
    type = MPI_INT;
    FAILS(MPI_Type_free(&type), MPI_ERR_TYPE);
    CHECK(type == MPI_INT, "a predefined handle was changed");
    FAILS(MPI_Type_free(&none), MPI_ERR_TYPE);
    OK(MPI_Type_commit(&type));
    OK(MPI_Type_contiguous(2, MPI_INT, &type));
    FAILS(MPI_Send(&number, 1, type, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    FAILS(MPI_Bcast(&number, 1, type, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    OK(MPI_Type_commit(&type));
    OK(MPI_Type_commit(&type));
    OK(MPI_Send(&number, 1, type, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    freed = type;
    OK(MPI_Type_free(&type));
    CHECK(type == MPI_DATATYPE_NULL, "the handle is not null");
    FAILS(MPI_Type_size(freed, &bytes), MPI_ERR_TYPE);
    FAILS(MPI_Send(&number, 1, freed, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    FAILS(MPI_Type_free(&freed), MPI_ERR_TYPE);
    FAILS(MPI_Type_get_extent(MPI_DATATYPE_NULL, &lb, &extent), MPI_ERR_TYPE);
    FAILS(MPI_Type_get_contents(MPI_INT, 0, 0, 0, NULL, NULL, NULL), MPI_ERR_TYPE);
    FAILS(MPI_Type_commit(&none), MPI_ERR_TYPE);
}

/* A datatype that the machine does not support keeps its handle, and its size is MPI_UNDEFINED (MPI
 * 5.0 §20.3). */
static void unsupported(void)
{
#ifdef MPI_REAL2
    int bytes, number = 0;
    OK(MPI_Type_size(MPI_REAL2, &bytes));
    if (bytes == MPI_UNDEFINED) {
        FAILS(MPI_Type_contiguous(1, MPI_REAL2, &type), MPI_ERR_TYPE);
        FAILS(MPI_Send(&number, 1, MPI_REAL2, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    }
#endif
}

static void without_data(void)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size, count, number = 7;
    MPI_Aint lb, extent;
    MPI_Status status;
    MPI_Datatype empty[4];
    OK(MPI_Type_contiguous(0, MPI_INT, &empty[0]));
    OK(MPI_Type_indexed(2, (int[]){0, 0}, (int[]){5, -5}, MPI_DOUBLE, &empty[1]));
    OK(MPI_Type_create_struct(0, NULL, NULL, NULL, &empty[2]));
    OK(MPI_Type_create_resized(empty[0], -8, 32, &empty[3]));
    for (int i = 0; i < 4; i++) {
        OK(MPI_Type_commit(&empty[i]));
        OK(MPI_Type_size(empty[i], &count));
        CHECK(count == 0, "type %d without data has %d bytes", i, count);
        OK(MPI_Type_get_extent(empty[i], &lb, &extent));
        CHECK(i == 3 ? lb == -8 && extent == 32 : lb == 0 && extent == 0,
              "type %d: bounds %ld, %ld", i, (long)lb, (long)extent);
        OK(MPI_Type_get_true_extent(empty[i], &lb, &extent));
        CHECK(lb == 0 && extent == 0, "type %d: true bounds %ld, %ld", i, (long)lb, (long)extent);
        OK(MPI_Sendrecv(&number, 5, empty[i], to, 1, &number, 3, empty[i], from, 1, MPI_COMM_WORLD,
                        &status));
        OK(MPI_Get_count(&status, empty[i], &count));
        CHECK(count == 0 && number == 7, "a message without data has %d elements", count);
        OK(MPI_Type_free(&empty[i]));
    }
}

/* A receive that truncates a message fails and writes nothing past the buffer (MPI 5.0 §3.2.4). */
static void truncated(void)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size, numbers[8], places[8];
    for (int i = 0; i < 8; i++) numbers[i] = i, places[i] = -1;
    OK(MPI_Type_vector(2, 1, 2, MPI_INT, &type));
    OK(MPI_Type_commit(&type));
    FAILS(MPI_Sendrecv(numbers, 8, MPI_INT, to, 2, places, 1, type, from, 2, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    for (int i = 0; i < 8; i++)
        CHECK(places[i] == -1 || (i == 0 && places[i] == 0) || (i == 2 && places[i] == 1),
              "place %d is %d", i, places[i]);
    OK(MPI_Type_free(&type));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    constructors();
    handles();
    unsupported();
    without_data();
    truncated();
    MPI_Finalize();
    return 0;
}
