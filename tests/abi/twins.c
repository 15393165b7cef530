/* A program for two libraries of one ABI: compiled once, it must print the same output with this
 * library and with another one. scripts/jobs abi compiles it, and scripts/test-outside runs it with
 * MPICH. It prints what the ABI defines and the results of messages, datatypes and collectives, but
 * no addresses, no handles of its own objects, and no texts that a library may choose. */

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

/* Rank 0 prints the values of all ranks. */
static void print_gathered(const char *what, long value)
{
    long *values = malloc(size * sizeof *values);
    MPI_Gather(&value, 1, MPI_LONG, values, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s:", what);
        for (int i = 0; i < size; i++) printf(" %ld", values[i]);
        printf("\n");
    }
    free(values);
}

static int class_of(int code)
{
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

static void messages(void)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size, count, flag;
    double out[1000], in[1000];
    MPI_Status status;
    MPI_Request requests[2];
    for (int i = 0; i < 1000; i++) out[i] = rank * 1000 + i, in[i] = -1;
    MPI_Sendrecv(out, 100, MPI_DOUBLE, to, 7, in, 1000, MPI_DOUBLE, from, MPI_ANY_TAG,
                 MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    print_gathered("count", count);
    print_gathered("source", status.MPI_SOURCE);
    print_gathered("tag", status.MPI_TAG);
    print_gathered("last", (long)in[99]);
    MPI_Get_count(&status, MPI_LONG_DOUBLE, &count);
    print_gathered("count of another type", count);
    MPI_Irecv(in, 1000, MPI_DOUBLE, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Issend(out, 1000, MPI_DOUBLE, to, 8, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    print_gathered("requests are null", requests[0] == MPI_REQUEST_NULL &&
                   requests[1] == MPI_REQUEST_NULL);
    print_gathered("last of a thousand", (long)in[999]);
    MPI_Recv(in, 1, MPI_DOUBLE, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
    print_gathered("source of nothing", status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Irecv(in, 1, MPI_DOUBLE, 0, 9, MPI_COMM_SELF, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &flag);
    print_gathered("cancelled", flag != 0);
}

static void types(void)
{
    static const MPI_Datatype named[] = {
        MPI_CHAR,       MPI_INT,              MPI_LONG,    MPI_DOUBLE,         MPI_LONG_DOUBLE,
        MPI_C_BOOL,     MPI_WCHAR,            MPI_AINT,    MPI_COUNT,          MPI_SHORT_INT,
        MPI_DOUBLE_INT, MPI_LONG_DOUBLE_INT,  MPI_INTEGER, MPI_DOUBLE_COMPLEX, MPI_BYTE,
        MPI_PACKED,     MPI_INT64_T,          MPI_C_DOUBLE_COMPLEX,
    };
    MPI_Datatype vector, resized, record;
    MPI_Aint lb, extent;
    int bytes, lengths[2] = {3, 1}, integers, addresses, types, combiner, position = 0;
    MPI_Aint places[2] = {24, -8};
    MPI_Datatype fields[2] = {MPI_INT, MPI_DOUBLE};
    long sum = 0;
    char name[MPI_MAX_OBJECT_NAME], buffer[256];
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        MPI_Type_get_name(named[i], name, &bytes);
        MPI_Type_size(named[i], &bytes);
        MPI_Type_get_extent(named[i], &lb, &extent);
        if (rank == 0) printf("%s %d %ld\n", name, bytes, (long)extent);
    }
    MPI_Type_vector(3, 2, -4, MPI_SHORT, &vector);
    MPI_Type_create_resized(vector, -2, 50, &resized);
    MPI_Type_create_struct(2, lengths, places, fields, &record);
    MPI_Type_get_extent(vector, &lb, &extent);
    print_gathered("lower bound of the vector", lb);
    print_gathered("extent of the vector", extent);
    MPI_Type_get_extent(resized, &lb, &extent);
    print_gathered("extent when resized", extent);
    MPI_Type_get_envelope(resized, &integers, &addresses, &types, &combiner);
    print_gathered("envelope", integers * 100 + addresses * 10 + types);
    print_gathered("combiner", combiner == MPI_COMBINER_RESIZED);
    MPI_Type_get_true_extent(record, &lb, &extent);
    print_gathered("true lower bound of the struct", lb);
    print_gathered("true extent of the struct", extent);
    MPI_Type_commit(&resized);
    short memory[200];
    for (int i = 0; i < 200; i++) memory[i] = i;
    MPI_Pack_external("external32", memory + 100, 2, resized, buffer, sizeof buffer,
                      (MPI_Aint[]){0});
    for (int i = 0; i < 24; i++) sum = sum * 31 % 1000003 + (unsigned char)buffer[i];
    print_gathered("external32", sum);
    MPI_Pack(memory + 100, 2, resized, buffer, sizeof buffer, &position, MPI_COMM_WORLD);
    MPI_Pack_size(2, resized, MPI_COMM_WORLD, &bytes);
    print_gathered("packed size is at most that of Pack_size", position <= bytes);
    MPI_Type_free(&vector);
    MPI_Type_free(&resized);
    MPI_Type_free(&record);
}

static void collectives(void)
{
    struct { double value; int index; } mine = {(rank * 7) % 5, rank}, best;
    long in[4], out[4];
    MPI_Comm half;
    MPI_Group all, first;
    int ranks[1] = {0}, seen, relation;
    for (int i = 0; i < 4; i++) in[i] = rank + i;
    MPI_Allreduce(in, out, 4, MPI_LONG, MPI_PROD, MPI_COMM_WORLD);
    print_gathered("product", out[3]);
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    print_gathered("index of the largest", best.index);
    out[0] = -1;
    MPI_Exscan(in, out, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    print_gathered("exscan", rank == 0 ? 0 : out[0]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &seen);
    print_gathered("rank in its half", seen);
    MPI_Comm_compare(half, MPI_COMM_WORLD, &relation);
    print_gathered("as wide as the world", relation != MPI_UNEQUAL);
    MPI_Comm_free(&half);
    print_gathered("freed", half == MPI_COMM_NULL);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, ranks, &first);
    MPI_Group_rank(first, &seen);
    print_gathered("rank in a group of one", seen == MPI_UNDEFINED ? -1 : seen);
    MPI_Group_free(&first);
    MPI_Group_free(&all);
}

/* Errors by class. The values of the classes belong to the ABI. */
static void mistakes(void)
{
    int value = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    print_gathered("rank", class_of(MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD)));
    print_gathered("count", class_of(MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD)));
    print_gathered("tag", class_of(MPI_Send(&value, 1, MPI_INT, 0, -5, MPI_COMM_WORLD)));
    print_gathered("root", class_of(MPI_Bcast(&value, 1, MPI_INT, -3, MPI_COMM_WORLD)));
    print_gathered("operation",
                   class_of(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_OP_NULL,
                                          MPI_COMM_WORLD)));
}

#ifdef MPI_ABI_VERSION
static int deleted;

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    deleted += *(int *)value;
    return MPI_SUCCESS;
}

/* Functions that MPI 5.0 adds for other languages: handles as integers, and access to statuses. */
static void conversions(void)
{
    MPI_Status status;
    int major, minor, keyval, value = 5, count, flag, source, tag, error;
    MPI_Abi_get_version(&major, &minor);
    print_gathered("ABI", major * 100 + minor);
    print_gathered("predefined integers",
                   MPI_Comm_toint(MPI_COMM_WORLD) * 10000L + MPI_Type_toint(MPI_DOUBLE));
    print_gathered("back", MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_SELF)) == MPI_COMM_SELF &&
                   MPI_Op_fromint(MPI_Op_toint(MPI_SUM)) == MPI_SUM &&
                   MPI_Errhandler_fromint(MPI_Errhandler_toint(MPI_ERRORS_RETURN)) ==
                   MPI_ERRORS_RETURN &&
                   MPI_Info_fromint(MPI_Info_toint(MPI_INFO_ENV)) == MPI_INFO_ENV &&
                   MPI_Group_fromint(MPI_Group_toint(MPI_GROUP_EMPTY)) == MPI_GROUP_EMPTY &&
                   MPI_Request_fromint(MPI_Request_toint(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
    MPI_Comm made, again;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    again = MPI_Comm_fromint(MPI_Comm_toint(made));
    print_gathered("one's own back", again == made);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keyval, NULL);
    MPI_Comm_set_attr(made, keyval, &value);
    MPI_Comm_free(&made);
    print_gathered("attributes deleted", deleted);
    memset(&status, 0, sizeof status);
    MPI_Status_set_source(&status, 3);
    MPI_Status_set_tag(&status, 4);
    MPI_Status_set_error(&status, MPI_ERR_TAG);
    MPI_Status_set_elements(&status, MPI_INT, 11);
    MPI_Status_set_cancelled(&status, 1);
    MPI_Status_get_source(&status, &source);
    MPI_Status_get_tag(&status, &tag);
    MPI_Status_get_error(&status, &error);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Test_cancelled(&status, &flag);
    print_gathered("status", source * 1000 + tag * 100 + count);
    print_gathered("error and cancelled", error * 10 + (flag != 0));
}
#else
/* A status from C to Fortran 2008, to Fortran 77 and back. */
static void through_fortran(void)
{
    MPI_Status status, back;
    MPI_F08_status f08, again;
    MPI_Fint f77[MPI_F_STATUS_SIZE];
    int count, flag;
    memset(&status, 0, sizeof status);
    status.MPI_SOURCE = 3, status.MPI_TAG = 4, status.MPI_ERROR = MPI_ERR_TAG;
    MPI_Status_set_elements(&status, MPI_INT, 11);
    MPI_Status_set_cancelled(&status, 1);
    MPI_Status_c2f08(&status, &f08);
    MPI_Status_f082f(&f08, f77);
    MPI_Status_f2f08(f77, &again);
    MPI_Status_f082c(&again, &back);
    MPI_Get_count(&back, MPI_INT, &count);
    MPI_Test_cancelled(&back, &flag);
    print_gathered("status", back.MPI_SOURCE * 1000 + back.MPI_TAG * 100 + count);
    print_gathered("error and cancelled", back.MPI_ERROR * 10 + (flag != 0));
    MPI_Status_f2c(f77, &back);
    MPI_Status_c2f(&back, f77);
    print_gathered("source in Fortran",
                   f77[MPI_F_SOURCE] * 100 + f77[MPI_F_TAG] * 10 + f77[MPI_F_ERROR]);
}

static void conversions(void)
{
    print_gathered("back", MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_SELF)) == MPI_COMM_SELF &&
                   MPI_Type_f2c(MPI_Type_c2f(MPI_DOUBLE)) == MPI_DOUBLE);
    print_gathered("predefined integers", MPI_Comm_c2f(MPI_COMM_WORLD));
    print_gathered("of a type", MPI_Type_c2f(MPI_DOUBLE));
    print_gathered("of an operation", MPI_Op_c2f(MPI_SUM));
    print_gathered("of nothing",
                   (long)MPI_Comm_c2f(MPI_COMM_NULL) + MPI_Request_c2f(MPI_REQUEST_NULL) +
                       MPI_Info_c2f(MPI_INFO_NULL) + MPI_Group_c2f(MPI_GROUP_NULL));
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    print_gathered("one's own back", MPI_Comm_f2c(MPI_Comm_c2f(made)) == made);
    MPI_Comm_free(&made);
    through_fortran();
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    messages();
    types();
    collectives();
    mistakes();
    conversions();
    MPI_Finalize();
    return 0;
}
