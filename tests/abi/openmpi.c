/*
 * A program as Open MPI's header makes it: its own declarations of the objects, types and constants
 * of that ABI, and what a user notices of them. Run on two processes.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sizes make the linker reserve memory into which the objects are copied. */
#define OBJECT(name, bytes) extern struct { char is_opaque[bytes]; } name
OBJECT(ompi_mpi_comm_world, 512);
OBJECT(ompi_mpi_comm_null, 512);
OBJECT(ompi_mpi_int, 512);
OBJECT(ompi_mpi_double, 512);
OBJECT(ompi_mpi_integer, 512);
OBJECT(ompi_mpi_op_sum, 2048);
OBJECT(ompi_request_null, 256);
OBJECT(ompi_mpi_errors_return, 1024);
OBJECT(ompi_mpi_info_null, 256);

typedef void *Handle;
#define WORLD ((Handle)&ompi_mpi_comm_world)
#define INT ((Handle)&ompi_mpi_int)
#define DOUBLE ((Handle)&ompi_mpi_double)
#define SUM ((Handle)&ompi_mpi_op_sum)

typedef struct {
    int source, tag, error, cancelled;
    size_t bytes;
} Status;
_Static_assert(sizeof(Status) == 24, "size of a status");

enum { ANY_SOURCE = -1, ANY_TAG = -1, PROC_NULL = -2, CREATE = 1, RDWR = 8, DELETE_ON_CLOSE = 16 };
enum { ERR_RANK = 6, ERR_TYPE = 3, STRING_MAX = 256, IN_PLACE = 1, DISTRIBUTE_BLOCK = 0 };

int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Abort(Handle comm, int code);
int MPI_Comm_rank(Handle comm, int *rank);
int MPI_Comm_size(Handle comm, int *size);
int MPI_Allreduce(const void *in, void *out, int count, Handle type, Handle op, Handle comm);
int MPI_Gather(const void *in, int count, Handle type, void *out, int out_count, Handle out_type,
               int root, Handle comm);
int MPI_Send(const void *buf, int count, Handle type, int dest, int tag, Handle comm);
int MPI_Recv(void *buf, int count, Handle type, int source, int tag, Handle comm, Status *status);
int MPI_Irecv(void *buf, int count, Handle type, int source, int tag, Handle comm, Handle *request);
int MPI_Wait(Handle *request, Status *status);
int MPI_Get_count(const Status *status, Handle type, int *count);
int MPI_Op_create(void (*function)(void *, void *, int *, Handle *), int commutes, Handle *op);
int MPI_Op_free(Handle *op);
int MPI_Comm_dup(Handle comm, Handle *copy);
int MPI_Comm_free(Handle *comm);
int MPI_Comm_set_errhandler(Handle comm, Handle handler);
int MPI_Comm_create_keyval(void *copy, void *del, int *keyval, void *extra);
int MPI_Comm_set_attr(Handle comm, int keyval, void *value);
int MPI_Comm_get_attr(Handle comm, int keyval, void *value, int *flag);
int MPI_Error_class(int code, int *class);
int MPI_Error_string(int code, char *text, int *length);
int MPI_Type_create_darray(int size, int rank, int dims, const int *sizes, const int *distributions,
                           const int *arguments, const int *grid, int order, Handle old,
                           Handle *new);
int MPI_Type_free(Handle *type);
int MPI_File_open(Handle comm, const char *name, int mode, Handle info, Handle *file);
int MPI_File_close(Handle *file);
int MPI_Comm_c2f(Handle comm);
Handle MPI_Comm_f2c(int comm);
Handle MPI_Type_f2c(int type);
int OMPI_C_MPI_COMM_DUP_FN(Handle old, int keyval, void *extra, void *in, void *out, int *flag);
int OMPI_C_MPI_COMM_NULL_DELETE_FN(Handle comm, int keyval, void *value, void *extra);

int MPI_Session_init(Handle info, Handle errhandler, Handle *session);
int MPI_Session_set_info(Handle session, Handle info);
int MPI_Session_finalize(Handle *session);
int MPI_Info_create(Handle *info);
int MPI_Info_free(Handle *info);
int OMPI_Affinity_str(int format, char *bound, char *now, char *there);

static int wrong;

#define CHECK(condition) \
    ((condition) ? (void)0 : (void)(wrong = 1, fprintf(stderr, "%d: %s\n", __LINE__, #condition)))

static void product(void *in, void *inout, int *count, Handle *type)
{
    CHECK(*type == DOUBLE);
    for (int at = 0; at < *count; at++) ((double *)inout)[at] *= ((double *)in)[at];
}

static void messages(int rank)
{
    /* A status lies between bytes that nobody may write. */
    struct { uint64_t before; Status status; uint64_t after; } held = {7, {0}, 7};
    int numbers[5] = {rank, 1, 2, 3, 4}, got[5] = {0}, count = 0;
    if (rank == 0) {
        MPI_Send(numbers, 5, INT, 1, 31, WORLD);
    } else {
        MPI_Recv(got, 5, INT, ANY_SOURCE, ANY_TAG, WORLD, &held.status);
        MPI_Get_count(&held.status, INT, &count);
        CHECK(held.status.source == 0 && held.status.tag == 31 && count == 5 && got[4] == 4);
        CHECK(held.status.bytes == 20 && held.before == 7 && held.after == 7);
    }
    Handle request = NULL;
    MPI_Irecv(got, 1, INT, PROC_NULL, 3, WORLD, &request);
    MPI_Wait(&request, &held.status);
    CHECK(request == (Handle)&ompi_request_null);
    CHECK(held.status.source == PROC_NULL && held.status.tag == ANY_TAG);
}

static void collectives(int rank, int size)
{
    int sum = 0, one = 1, all[2] = {0};
    MPI_Allreduce(&one, &sum, 1, INT, SUM, WORLD);
    CHECK(sum == size);
    MPI_Allreduce((void *)IN_PLACE, &sum, 1, INT, SUM, WORLD);
    CHECK(sum == size * size);
    /* Arguments that count at the root only may be anything elsewhere. */
    Handle type = rank == 0 ? INT : (Handle)0x123456789a0;
    MPI_Gather(&rank, 1, INT, rank == 0 ? all : NULL, 1, type, 0, WORLD);
    CHECK(rank != 0 || (all[0] == 0 && all[1] == 1));
    Handle op;
    double in = rank + 2, out = 0;
    MPI_Op_create(product, 1, &op);
    MPI_Allreduce(&in, &out, 1, DOUBLE, op, WORLD);
    CHECK(out == 6);
    MPI_Op_free(&op);
}

/* Open MPI's own library writes its objects, which lie in the program's memory. */
static void objects(void)
{
    ((volatile char *)&ompi_mpi_comm_world)[500] = 1;
    ((volatile char *)&ompi_mpi_op_sum)[2000] = 1;
}

static void attributes(void)
{
    Handle copy;
    int keyval, flag = 0, *tag_max = NULL;
    void *value = NULL;
    MPI_Comm_create_keyval((void *)OMPI_C_MPI_COMM_DUP_FN, (void *)OMPI_C_MPI_COMM_NULL_DELETE_FN,
                           &keyval, NULL);
    MPI_Comm_set_attr(WORLD, keyval, &keyval);
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_get_attr(copy, keyval, &value, &flag);
    CHECK(flag && value == &keyval);
    MPI_Comm_get_attr(copy, 0, &tag_max, &flag);
    CHECK(flag && *tag_max >= 32767);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(copy)) == copy && MPI_Comm_c2f(copy) < 0);
    MPI_Comm_free(&copy);
    CHECK(copy == (Handle)&ompi_mpi_comm_null);
    CHECK(MPI_Comm_c2f(WORLD) == 0 && MPI_Comm_f2c(0) == WORLD);
    CHECK(MPI_Type_f2c(7) == (Handle)&ompi_mpi_integer);
}

/* What Open MPI has beside the standard's functions. */
static void extensions(void)
{
    Handle session, info;
    char bound[1025], now[1025], there[1025];
    bound[1024] = now[1024] = there[1024] = 'x';
    CHECK(MPI_Session_init((Handle)&ompi_mpi_info_null, (Handle)&ompi_mpi_errors_return, &session)
          == 0);
    MPI_Info_create(&info);
    CHECK(MPI_Session_set_info(session, info) == 0);
    MPI_Info_free(&info);
    CHECK(MPI_Session_set_info(session, (Handle)0xdeadbeef000) != 0);
    CHECK(MPI_Session_finalize(&session) == 0);
    CHECK(OMPI_Affinity_str(0, bound, now, there) == 0);
    CHECK(*bound && *now && strstr(there, "socket 0 has "));
    CHECK(OMPI_Affinity_str(1, bound, now, there) == 0 && there[0] == '[');
    CHECK(OMPI_Affinity_str(7, bound, now, there) != 0);
    CHECK(bound[1024] == 'x' && now[1024] == 'x' && there[1024] == 'x');
}

static void errors(void)
{
    struct { char text[STRING_MAX]; char after; } held = {.after = 'x'};
    int class = 0, length = 0, number = 0;
    MPI_Comm_set_errhandler(WORLD, (Handle)&ompi_mpi_errors_return);
    int code = MPI_Send(&number, 1, INT, 99, 0, WORLD);
    MPI_Error_class(code, &class);
    CHECK(class == ERR_RANK);
    MPI_Error_string(code, held.text, &length);
    CHECK(length < STRING_MAX && held.after == 'x' && strstr(held.text, "99"));
    /* No handle: an error, and not the end of the program. */
    code = MPI_Send(&number, 1, (Handle)0xdeadbeef000, 0, 0, WORLD);
    MPI_Error_class(code, &class);
    CHECK(class == ERR_TYPE);
}

static void files(const char *name)
{
    /* Bits of modes are those of assertions, and orders have the numbers of distributions. */
    Handle file, type;
    CHECK(MPI_File_open(WORLD, name, CREATE | RDWR | DELETE_ON_CLOSE,
                        (Handle)&ompi_mpi_info_null, &file) == 0);
    CHECK(MPI_File_close(&file) == 0);
    int sizes[1] = {8}, distributions[1] = {DISTRIBUTE_BLOCK}, arguments[1] = {-1}, grid[1] = {2};
    int code = MPI_Type_create_darray(2, 0, 1, sizes, distributions, arguments, grid, 0, INT,
                                      &type);
    CHECK(code == 0);
    CHECK(MPI_Type_free(&type) == 0);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    CHECK(size == 2);
    objects();
    if (size == 2) {
        messages(rank);
        collectives(rank, size);
        attributes();
        extensions();
        errors();
        files(argv[1]);
    }
    if (wrong) MPI_Abort(WORLD, 1);
    MPI_Finalize();
    return 0;
}
