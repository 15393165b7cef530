/* Messages of megabytes with gaps, through rendezvous: vectors, a struct of absolute addresses, and
 * a matrix that is transposed on the way (MPI 5.0 §5.1).
 *
 * seconds: 60
 */

#include "check.h"

enum { ROWS = 1500, COLUMNS = 700, PITCH = 1024 };

static int to, from;

static double value(int peer, int row, int column)
{
    return peer * 1e7 + row * 1e3 + column;
}

static double *matrix(long elements)
{
    double *made = malloc(elements * sizeof *made);
    CHECK(made != NULL, "no memory");
    for (long i = 0; i < elements; i++) made[i] = -1;
    return made;
}

/* The first columns of a wide matrix are received into the last columns of another: eight megabytes
 * with gaps on both sides. */
static void columns(void)
{
    MPI_Datatype block;
    MPI_Request requests[2];
    double *out = matrix((long)ROWS * PITCH), *in = matrix((long)ROWS * PITCH);
    OK(MPI_Type_vector(ROWS, COLUMNS, PITCH, MPI_DOUBLE, &block));
    OK(MPI_Type_commit(&block));
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            out[row * PITCH + column] = value(rank, row, column);
    OK(MPI_Irecv(in + PITCH - COLUMNS, 1, block, from, 1, MPI_COMM_WORLD, &requests[0]));
    OK(MPI_Isend(out, 1, block, to, 1, MPI_COMM_WORLD, &requests[1]));
    /* An operation that has been started keeps the datatype alive (MPI 5.0 §5.1.9). */
    OK(MPI_Type_free(&block));
    CHECK(block == MPI_DATATYPE_NULL, "a freed type's handle is not null");
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < PITCH; column++) {
            int moved = column - (PITCH - COLUMNS);
            double wanted = moved < 0 ? -1 : value(from, row, moved);
            CHECK(in[row * PITCH + column] == wanted, "[%d][%d] is %g instead of %g", row, column,
                  in[row * PITCH + column], wanted);
        }
    free(out);
    free(in);
}

/* Sent by rows, received by columns. */
static void transposed(void)
{
    enum { SIDE = 600 };
    MPI_Datatype column, by_columns;
    double *out = matrix(SIDE * SIDE), *in = matrix(SIDE * SIDE);
    OK(MPI_Type_vector(SIDE, 1, SIDE, MPI_DOUBLE, &column));
    OK(MPI_Type_create_resized(column, 0, sizeof(double), &by_columns));
    OK(MPI_Type_commit(&by_columns));
    for (int i = 0; i < SIDE * SIDE; i++) out[i] = value(rank, i / SIDE, i % SIDE);
    OK(MPI_Sendrecv(out, SIDE * SIDE, MPI_DOUBLE, to, 2, in, SIDE, by_columns, from, 2,
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < SIDE * SIDE; i++)
        CHECK(in[i] == value(from, i % SIDE, i / SIDE), "[%d][%d] is %g", i / SIDE, i % SIDE,
              in[i]);
    OK(MPI_Type_free(&column));
    OK(MPI_Type_free(&by_columns));
    free(out);
    free(in);
}

/* One datatype with absolute addresses: a variable, an array on the heap, and a part of another
 * array (MPI 5.0 §5.1.5). */
static void absolute(int length)
{
    int number = rank + 1;
    double *array = matrix(length), *other = matrix(3 * length);
    MPI_Aint places[3], again;
    MPI_Datatype everywhere, third, types[3] = {MPI_INT, MPI_DOUBLE, MPI_DATATYPE_NULL};
    OK(MPI_Type_vector(length, 1, 3, MPI_DOUBLE, &third));
    types[2] = third;
    OK(MPI_Get_address(&number, &places[0]));
    OK(MPI_Get_address(array, &places[1]));
    OK(MPI_Get_address(other, &places[2]));
    CHECK(MPI_Aint_diff(MPI_Aint_add(places[1], 8), places[1]) == 8, "addresses do not add up");
    OK(MPI_Get_address(MPI_BOTTOM, &again));
    CHECK(again == 0, "MPI_BOTTOM has the address %ld", (long)again);
    OK(MPI_Type_create_struct(3, (int[]){1, length, 1}, places, types, &everywhere));
    OK(MPI_Type_commit(&everywhere));
    OK(MPI_Type_free(&third));
    for (int i = 0; i < length; i++) array[i] = value(rank, 1, i), other[3 * i] = value(rank, 2, i);
    /* Each process sends from these addresses and receives into them. */
    OK(MPI_Sendrecv_replace(MPI_BOTTOM, 1, everywhere, to, 3, from, 3, MPI_COMM_WORLD,
                            MPI_STATUS_IGNORE));
    CHECK(number == from + 1, "the number is %d", number);
    for (int i = 0; i < length; i++) {
        CHECK(array[i] == value(from, 1, i), "array[%d] is %g", i, array[i]);
        CHECK(other[3 * i] == value(from, 2, i) && other[3 * i + 1] == -1 && other[3 * i + 2] == -1,
              "other[%d] is %g", 3 * i, other[3 * i]);
    }
    OK(MPI_Type_free(&everywhere));
    free(array);
    free(other);
}

/* A message that is shorter than the receive datatype ends within it. The memory after its end is
 * not written. */
static void shorter(void)
{
    enum { SENT = 100001, ROOM = 150000 };
    MPI_Datatype gaps;
    MPI_Status status;
    double *out = matrix(SENT), *in = matrix(2 * ROOM);
    int count;
    OK(MPI_Type_vector(ROOM / 10, 1, 2, MPI_DOUBLE, &gaps));
    OK(MPI_Type_commit(&gaps));
    for (int i = 0; i < SENT; i++) out[i] = i;
    OK(MPI_Sendrecv(out, SENT, MPI_DOUBLE, to, 4, in, 10, gaps, from, 4, MPI_COMM_WORLD,
                    &status));
    OK(MPI_Get_elements(&status, gaps, &count));
    CHECK(count == SENT, "%d doubles arrived", count);
    OK(MPI_Get_count(&status, gaps, &count));
    CHECK(count == MPI_UNDEFINED, "the count of a type that is not full is %d", count);
    /* An element of the datatype is one double shorter than ROOM / 10 times two. */
    for (int i = 0; i < ROOM; i++) {
        long place = (long)(i / (ROOM / 10)) * (2 * (ROOM / 10) - 1) + i % (ROOM / 10) * 2;
        CHECK(in[place] == (i < SENT ? i : -1), "double %d is %g", i, in[place]);
    }
    OK(MPI_Type_free(&gaps));
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    to = (rank + 1) % size;
    from = (rank + size - 1) % size;
    columns();
    transposed();
    absolute(3);
    absolute(5000);
    absolute(200000);
    shorter();
    MPI_Finalize();
    return 0;
}
