/* Functions and datatypes of MPI-1 that MPI 3.0 removed and MPICH's ABI still has. Prints nothing
 * and exits with 0 if all is right. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int failures, handled, copies, deletions;

#define CHECK(what)                                                                                \
    ((what) ? (void)0 : (void)(failures++,                                                         \
                               fprintf(stderr, "line %d: false: %s\n", __LINE__, #what)))

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    handled++;
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval, (void)extra;
    copies++, *(void **)out = in, *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

static void expect_type(MPI_Datatype type, long lb, long extent, int size)
{
    MPI_Aint seen_lb, seen_ub, seen_extent, other_lb, other_extent;
    int seen_size;
    MPI_Type_lb(type, &seen_lb), MPI_Type_ub(type, &seen_ub), MPI_Type_extent(type, &seen_extent),
        MPI_Type_size(type, &seen_size);
    MPI_Type_get_extent(type, &other_lb, &other_extent);
    CHECK(seen_lb == lb && seen_ub == lb + extent && seen_extent == extent && seen_size == size);
    CHECK(other_lb == lb && other_extent == extent);
    MPI_Type_free(&type);
}

/* A struct with an int between the two markers, and datatypes made of it. */
static void markers(void)
{
    int lengths[3] = { 1, 1, 1 }, two[2] = { 1, 1 }, length;
    MPI_Aint at[3] = { -4, 0, 12 }, apart[2] = { 0, 100 };
    MPI_Datatype types[3] = { MPI_LB, MPI_INT, MPI_UB }, marked, made, mixed[2];
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Type_get_name(MPI_LB, name, &length);
    CHECK(!strcmp(name, "MPI_LB"));
    MPI_Type_get_name(MPI_UB, name, &length);
    CHECK(!strcmp(name, "MPI_UB"));
    MPI_Type_struct(3, lengths, at, types, &marked);
    MPI_Type_contiguous(2, marked, &made), expect_type(made, -4, 32, 8);
    MPI_Type_hvector(3, 1, 16, marked, &made), expect_type(made, -4, 48, 12);
    MPI_Type_hindexed(2, two, apart, marked, &made), expect_type(made, -4, 116, 8);
    MPI_Type_dup(marked, &made), expect_type(made, -4, 16, 4);
    mixed[0] = marked, mixed[1] = MPI_DOUBLE, apart[1] = 40;
    MPI_Type_create_struct(2, two, apart, mixed, &made), expect_type(made, -4, 16, 12);
    types[2] = MPI_BYTE, at[2] = 12;
    MPI_Type_create_struct(3, lengths, at, types, &made), expect_type(made, -4, 20, 5);

    /* A message contains only the int. */
    int from[8] = { 0, 1, 2, 3, 4, 5, 6, 7 }, to[2] = { 0, 0 };
    MPI_Status status;
    int count;
    MPI_Type_commit(&marked);
    MPI_Sendrecv(from + 1, 2, marked, 0, 0, to, 2, MPI_INT, 0, 0, MPI_COMM_SELF, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 2 && to[0] == 1 && to[1] == 5);
    MPI_Sendrecv(from, 3, MPI_UB, 0, 0, to, 0, MPI_INT, 0, 0, MPI_COMM_SELF, &status);
    MPI_Get_count(&status, MPI_LB, &count);
    CHECK(count == 0);
    expect_type(marked, -4, 16, 4);
    int sum = 0, one = 1;
    CHECK(MPI_Reduce_local(&one, &sum, 1, MPI_UB, MPI_SUM) != MPI_SUCCESS);
}

static void functions(void)
{
    MPI_Errhandler handler, found;
    int keyval, flag, *value = NULL, number = 5;
    int array[4];
    MPI_Aint first, third;
    MPI_Comm comm;
    MPI_Address(array, &first), MPI_Address(array + 2, &third);
    CHECK(third - first == 8);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Errhandler_create(handle, &handler);
    MPI_Errhandler_set(comm, handler), MPI_Errhandler_get(comm, &found);
    CHECK(found == handler);
    CHECK(MPI_Send(NULL, 1, MPI_INT, 99, 0, comm) != MPI_SUCCESS && handled == 1);
    MPI_Errhandler_free(&handler), MPI_Errhandler_free(&found);
    MPI_Keyval_create(copy, delete, &keyval, NULL);
    MPI_Attr_put(comm, keyval, &number);
    CHECK(MPI_Attr_get(comm, keyval, &value, &flag) == MPI_SUCCESS && flag && *value == 5);
    MPI_Comm other;
    MPI_Comm_dup(comm, &other);
    CHECK(copies == 1);
    MPI_Attr_delete(other, keyval);
    MPI_Comm_free(&other), MPI_Comm_free(&comm);
    CHECK(deletions == 2);
    MPI_Keyval_free(&keyval);
    CHECK(keyval == MPI_KEYVAL_INVALID);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    markers();
    functions();
    MPI_Finalize();
    return failures != 0;
}
