/* Functions of the program that MPI runs, and what they call: the functions of operations must not
 * communicate (MPI 5.0 6.9.5), those that convert data of files call no collective routine and free
 * no datatype (14.5.3). The others may call what they like. */
#include "cases.h"

static int data[64], more[64];
/* What the functions call, and with what. */
static int called;
static MPI_Request request;
/* A receive that begins before the operation. */
static MPI_Request arriving = MPI_REQUEST_NULL;
static MPI_Win window;
static MPI_Comm apart;

static void add(int *in, int *out, int count)
{
    for (int i = 0; i < count; i++)
        out[i] += in[i];
}

/* The function of an operation, which communicates. All but the last two by this process alone. */
static void talks(void *in, void *out, int *count, MPI_Datatype *type)
{
    static int sent, received;
    int flag;
    MPI_Request mine;
    MPI_Comm copy;
    (void)type;
    add(in, out, *count);
    switch (called) {
    case 0:
        MPI_Irecv(&received, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &mine);
        MPI_Send(&sent, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
        MPI_Wait(&mine, IGNORE);
        break;
    case 1: MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, apart, &flag, IGNORE); break;
    case 2: MPI_Allreduce(&sent, &received, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF); break;
    case 3:
        MPI_Start(&request);
        MPI_Wait(&request, IGNORE);
        break;
    case 4:
        MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
        MPI_Get(&received, 1, MPI_INT, rank, 0, 1, MPI_INT, window);
        MPI_Win_unlock(rank, window);
        break;
    case 5:
        MPI_Ibarrier(MPI_COMM_SELF, &mine);
        MPI_Wait(&mine, IGNORE);
        break;
    case 6:
        MPI_Comm_dup(MPI_COMM_SELF, &copy);
        MPI_Comm_free(&copy);
        break;
    case 7: MPI_Abort(WORLD, 3); break;
    case 8: MPI_Barrier(WORLD); break;
    case 10: MPI_Wait(&arriving, IGNORE); break;
    case 11: MPI_Test(&arriving, &flag, IGNORE); break;
    case 12: MPI_Waitall(1, &arriving, MPI_STATUSES_IGNORE); break;
    case 13: MPI_Waitany(1, &arriving, &flag, IGNORE); break;
    default: MPI_Sendrecv(&sent, 1, MPI_INT, 1 - rank, 5, &received, 1, MPI_INT, 1 - rank, 5, WORLD,
                          IGNORE);
    }
}

/* Runs the function of an operation by several calls of MPI. */
static void operation(int call, int by)
{
    MPI_Op op;
    MPI_Request mine;
    called = call;
    MPI_Op_create(talks, 1, &op);
    MPI_Comm_dup(WORLD, &apart);
    MPI_Recv_init(more, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_SELF, &request);
    if (call == 3) {
        MPI_Request_free(&request);
        MPI_Barrier_init(MPI_COMM_SELF, MPI_INFO_NULL, &request);
    }
    MPI_Win_create(more, sizeof(more), sizeof(int), MPI_INFO_NULL, WORLD, &window);
    if (call >= 10) {
        MPI_Irecv(more, 1, MPI_INT, rank, 6, apart, &arriving);
        MPI_Send(data, 1, MPI_INT, rank, 6, apart);
    }
    switch (by) {
    case 0: MPI_Allreduce(data, data + 32, 4, MPI_INT, op, WORLD); break;
    case 1:
        MPI_Iallreduce(data, data + 32, 4, MPI_INT, op, WORLD, &mine);
        MPI_Wait(&mine, IGNORE);
        break;
    case 2: MPI_Reduce_local(data, data + 32, 4, MPI_INT, op); break;
    case 3: MPI_Scan(data, data + 32, 4, MPI_INT, op, WORLD); break;
    default: MPI_Reduce(data, data + 32, 4, MPI_INT, op, 0, WORLD); break;
    }
    MPI_Wait(&arriving, IGNORE);
    MPI_Win_free(&window);
    MPI_Request_free(&request);
    MPI_Comm_free(&apart);
    MPI_Op_free(&op);
}

static int extent(MPI_Datatype type, MPI_Aint *bytes, void *state)
{
    MPI_Aint lower;
    (void)state;
    return MPI_Type_get_extent(type, &lower, bytes);
}

/* Converts ints, which stay as they are, and calls something. */
static int convert(void *user, MPI_Datatype type, int count, void *file, MPI_Offset position,
                   void *state)
{
    int sent = 0, received, bytes;
    MPI_Type_size(type, &bytes);
    memcpy((char *)file, (char *)user + position * bytes, (size_t)count * (size_t)bytes);
    (void)state;
    switch (called) {
    case 0: MPI_Barrier(MPI_COMM_SELF); break;
    case 1: MPI_Type_free(&type); break;
    default:
        MPI_Sendrecv(&sent, 1, MPI_INT, 0, 5, &received, 1, MPI_INT, 0, 5, MPI_COMM_SELF, IGNORE);
    }
    return MPI_SUCCESS;
}

/* Writes a file of a data representation of the program. */
static void conversion(int call, int unused)
{
    (void)unused;
    MPI_File file;
    MPI_Datatype pair;
    called = call;
    MPI_Register_datarep("plain", MPI_CONVERSION_FN_NULL, convert, extent, NULL);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_File_open(MPI_COMM_SELF, rank == 0 ? "plain0" : "plain1",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "plain", MPI_INFO_NULL);
    MPI_File_write(file, data, 3, pair, IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&pair);
}

/* The function of an operation, which asks for much and communicates nothing. */
static void asks(void *in, void *out, int *count, MPI_Datatype *type)
{
    int bytes, number, flag, place = 0, one = 1, two = 2;
    MPI_Aint lower, extent, address;
    char name[MPI_MAX_OBJECT_NAME], packed[8];
    void *bound;
    MPI_Info info;
    MPI_Datatype pair;
    MPI_Request mine, none = MPI_REQUEST_NULL;
    MPI_Type_size(*type, &bytes);
    MPI_Type_get_extent(*type, &lower, &extent);
    MPI_Type_get_name(*type, name, &number);
    MPI_Comm_rank(WORLD, &number);
    MPI_Comm_get_attr(WORLD, MPI_TAG_UB, &bound, &flag);
    MPI_Get_address(out, &address);
    MPI_Initialized(&flag);
    MPI_Info_create(&info);
    MPI_Info_free(&info);
    MPI_Type_contiguous(2, *type, &pair);
    MPI_Type_free(&pair);
    MPI_Pack(&one, 1, MPI_INT, packed, 8, &place, WORLD);
    MPI_Reduce_local(&one, &two, 1, MPI_INT, MPI_SUM);
    MPI_Send_init(&one, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &mine);
    MPI_Wait(&mine, IGNORE); /* It is not active. */
    MPI_Request_free(&mine);
    MPI_Wait(&none, IGNORE);
    MPI_Test(&none, &flag, IGNORE);
    (void)MPI_Wtime();
    add(in, out, *count);
}

/* Communicates with this process alone. */
static void talk(void)
{
    int sent = 1, received;
    MPI_Request mine;
    MPI_Irecv(&received, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &mine);
    MPI_Send(&sent, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
    MPI_Wait(&mine, IGNORE);
    MPI_Barrier(MPI_COMM_SELF);
}

static int copy_attribute(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)comm, (void)keyval, (void)state;
    talk();
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_attribute(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)value, (void)state;
    talk();
    return MPI_SUCCESS;
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    talk();
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    talk();
    MPI_Status_set_elements(status, MPI_INT, 1);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    talk();
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    talk();
    return MPI_SUCCESS;
}

/* Functions that do what they may. */
static void permitted(int kind, int by)
{
    MPI_Op op;
    MPI_Comm copy, second;
    MPI_Errhandler handler;
    MPI_Request mine;
    int keyval;
    switch (kind) {
    case 0:
        MPI_Op_create(asks, 1, &op);
        if (by == 1) {
            MPI_Iallreduce(data, data + 32, 4, MPI_INT, op, WORLD, &mine);
            MPI_Wait(&mine, IGNORE);
        } else
            MPI_Allreduce(data, data + 32, 4, MPI_INT, op, WORLD);
        MPI_Op_free(&op);
        break;
    case 1:
        MPI_Comm_create_keyval(copy_attribute, delete_attribute, &keyval, NULL);
        MPI_Comm_dup(WORLD, &copy);
        MPI_Comm_set_attr(copy, keyval, data);
        MPI_Comm_dup(copy, &second);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&second);
        MPI_Comm_free_keyval(&keyval);
        break;
    case 2:
        MPI_Comm_create_errhandler(handle, &handler);
        MPI_Comm_dup(WORLD, &copy);
        MPI_Comm_set_errhandler(copy, handler);
        MPI_Send(data, -1, MPI_INT, 0, 0, copy);
        MPI_Comm_free(&copy);
        MPI_Errhandler_free(&handler);
        break;
    default:
        MPI_Grequest_start(query, release, cancel, NULL, &mine);
        MPI_Cancel(&mine);
        MPI_Grequest_complete(mine);
        MPI_Wait(&mine, IGNORE);
    }
}

#define IN_AN_OPERATION \
    "calls of MPI in functions of the program|in talks (|callbacks.c:|the function of an " \
    "operation|given to MPI_Op_create in operation ("

const struct test_case functions[] = {
    {"op_sends", 2, IN_AN_OPERATION "|MPI_Send in|MPI_Irecv in|which MPI_Allreduce runs", operation,
     0, 0},
    {"op_probes", 2, IN_AN_OPERATION "|MPI_Iprobe in|which MPI_Allreduce runs", operation, 1, 0},
    {"op_reduces", 2, IN_AN_OPERATION "|MPI_Allreduce in|which MPI_Scan runs", operation, 2, 3},
    {"op_starts", 2, IN_AN_OPERATION "|MPI_Start in", operation, 3, 0},
    {"op_gets", 2, IN_AN_OPERATION "|MPI_Win_lock in|MPI_Get in|MPI_Win_unlock in", operation, 4,
     0},
    {"op_begins_a_barrier", 2, IN_AN_OPERATION "|MPI_Ibarrier in", operation, 5, 0},
    {"op_makes_a_communicator", 2, IN_AN_OPERATION "|MPI_Comm_dup in|which MPI_Reduce runs",
     operation, 6, 4},
    {"op_sends_in_a_wait", 2, IN_AN_OPERATION "|MPI_Send in|which MPI_Wait runs|rank", operation, 0,
     1},
    {"op_sends_at_home", 1, IN_AN_OPERATION "|MPI_Send in|which MPI_Reduce_local runs", operation,
     0, 2},
    {"op_aborts", 2, "aborted the job with code 3", operation, 7, 0},
    {"op_enters_the_barrier", 2, IN_AN_OPERATION "|MPI_Barrier in", operation, 8, 0},
    {"op_exchanges", 2, IN_AN_OPERATION "|MPI_Sendrecv in", operation, 9, 0},
    {"op_waits", 2, IN_AN_OPERATION "|MPI_Wait in|which MPI_Allreduce runs", operation, 10, 0},
    {"op_tests", 2, IN_AN_OPERATION "|MPI_Test in|which MPI_Wait runs", operation, 11, 1},
    {"op_waits_for_all", 1, IN_AN_OPERATION "|MPI_Waitall in", operation, 12, 2},
    {"op_waits_for_any", 2, IN_AN_OPERATION "|MPI_Waitany in", operation, 13, 4},
    {"conversion_enters_a_barrier", 2,
     "calls of MPI in functions of the program|MPI_Barrier in convert (|a conversion function, "
     "which MPI_File_write runs|given to MPI_Register_datarep in conversion (",
     conversion, 0, 0},
    {"conversion_frees_the_type", 2,
     "MPI_File_write in conversion (|frees the datatype it is given|given to MPI_Register_datarep",
     conversion, 1, 0},
    {NULL, 0, NULL, NULL, 0, 0},
};

const struct test_case right_functions[] = {
    {"right_op_asks", 2, "", permitted, 0, 0},
    {"right_op_asks_in_a_wait", 3, "", permitted, 0, 1},
    {"right_attributes_talk", 2, "", permitted, 1, 0},
    {"right_handler_talks", 2, "", permitted, 2, 0},
    {"right_grequest_talks", 2, "", permitted, 3, 0},
    {"right_conversion_talks", 2, "", conversion, 2, 0},
    {NULL, 0, NULL, NULL, 0, 0},
};
