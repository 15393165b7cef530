/* A call that fails leaves the null handle where it would have put a new object: communicators,
 * groups, datatypes, windows, files, requests and the rest, whether an argument is wrong or the
 * program's own function fails.
 *
 * modes: default
 * sizes: 1 2 */

#include "check.h"

/* Checks that `call`, which writes a handle to `handle`, fails and makes it null. */
#define NULLED(handle, before, null, call)                                                         \
    do {                                                                                           \
        handle = (before);                                                                         \
        CHECK((call) != MPI_SUCCESS, #call " succeeds");                                           \
        CHECK(handle == (null), #call " leaves a handle that is not null");                        \
    } while (0)

#define NO_COMM(call) NULLED(comm, MPI_COMM_SELF, MPI_COMM_NULL, call)
#define NO_TYPE(call) NULLED(type, MPI_WCHAR, MPI_DATATYPE_NULL, call)
#define NO_GROUP(call) NULLED(group, MPI_GROUP_EMPTY, MPI_GROUP_NULL, call)
#define NO_WIN(call) NULLED(win, other_win, MPI_WIN_NULL, call)
#define NO_REQUEST(call) NULLED(request, other_request, MPI_REQUEST_NULL, call)

static MPI_Comm comm;
static MPI_Datatype type;
static MPI_Group group;
static MPI_Win win, other_win;
static MPI_Request request, other_request;

static int fails(MPI_Comm old, int key, void *extra, void *in, void *out, int *flag)
{
    (void)old, (void)key, (void)extra, (void)in, (void)out, (void)flag;
    return MPI_ERR_OTHER;
}

static int fails_for_type(MPI_Datatype old, int key, void *extra, void *in, void *out, int *flag)
{
    (void)old, (void)key, (void)extra, (void)in, (void)out, (void)flag;
    return MPI_ERR_OTHER;
}

/* The program's own functions fail, after the library has made the object. */
static void attributes(void)
{
    int key, type_key;
    MPI_Comm old;
    MPI_Datatype old_type;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &old));
    OK(MPI_Comm_set_errhandler(old, MPI_ERRORS_RETURN));
    OK(MPI_Comm_create_keyval(fails, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    OK(MPI_Comm_set_attr(old, key, NULL));
    NO_COMM(MPI_Comm_dup(old, &comm));
    NO_COMM(MPI_Comm_dup_with_info(old, MPI_INFO_NULL, &comm));
    comm = old;
    CHECK(MPI_Comm_dup(comm, &comm) != MPI_SUCCESS && comm == old,
          "a communicator is lost that was the call's argument, too");
    comm = MPI_COMM_SELF;
    NO_REQUEST(MPI_Comm_idup(old, &comm, &request));
    CHECK(comm == MPI_COMM_NULL, "MPI_Comm_idup leaves a communicator");
    OK(MPI_Comm_delete_attr(old, key));
    OK(MPI_Comm_free_keyval(&key));
    OK(MPI_Comm_free(&old));
    OK(MPI_Type_contiguous(2, MPI_INT, &old_type));
    OK(MPI_Type_create_keyval(fails_for_type, MPI_TYPE_NULL_DELETE_FN, &type_key, NULL));
    OK(MPI_Type_set_attr(old_type, type_key, NULL));
    NO_TYPE(MPI_Type_dup(old_type, &type));
    OK(MPI_Type_delete_attr(old_type, type_key));
    OK(MPI_Type_free_keyval(&type_key));
    OK(MPI_Type_free(&old_type));
}

static void communicators(void)
{
    int dims[2] = {9, 9}, periods[2] = {0, 0}, index[1] = {7}, edges[1] = {99}, ranks[1] = {99};
    MPI_Group world;
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    NO_COMM(MPI_Comm_dup(MPI_COMM_NULL, &comm));
    NO_COMM(MPI_Comm_split(MPI_COMM_WORLD, -77, 0, &comm));
    NO_COMM(MPI_Comm_split_type(MPI_COMM_WORLD, -77, 0, MPI_INFO_NULL, &comm));
    NO_COMM(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &comm));
    NO_COMM(MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_NULL, 0, &comm));
    NO_COMM(MPI_Comm_create_from_group(MPI_GROUP_NULL, "x", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                       &comm));
    NO_COMM(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm));
    NO_COMM(MPI_Cart_sub(MPI_COMM_WORLD, dims, &comm));
    NO_COMM(MPI_Graph_create(MPI_COMM_WORLD, 1, index, edges, 0, &comm));
    NO_COMM(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, ranks, MPI_UNWEIGHTED, 0, NULL,
                                           MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm));
    NO_COMM(MPI_Intercomm_create(MPI_COMM_WORLD, 99, MPI_COMM_WORLD, 0, 0, &comm));
    NO_COMM(MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &comm));
    NO_COMM(MPI_Comm_connect("no port", MPI_INFO_NULL, 0, MPI_COMM_WORLD, &comm));
    NO_COMM(MPI_Comm_spawn("/no/program", MPI_ARGV_NULL, -1, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                           &comm, MPI_ERRCODES_IGNORE));
    NO_GROUP(MPI_Comm_group(MPI_COMM_NULL, &group));
    NO_GROUP(MPI_Group_incl(world, 1, ranks, &group));
    NO_GROUP(MPI_Group_excl(world, 1, ranks, &group));
    NO_GROUP(MPI_Group_union(world, MPI_GROUP_NULL, &group));
    OK(MPI_Group_free(&world));
}

static void datatypes(void)
{
    int one = 1, bad = -1;
    MPI_Aint at = 0;
    MPI_Datatype member = MPI_DATATYPE_NULL;
    NO_TYPE(MPI_Type_contiguous(-1, MPI_INT, &type));
    NO_TYPE(MPI_Type_vector(1, -1, 1, MPI_INT, &type));
    NO_TYPE(MPI_Type_create_hvector(1, 1, 1, MPI_DATATYPE_NULL, &type));
    NO_TYPE(MPI_Type_indexed(1, &bad, &one, MPI_INT, &type));
    NO_TYPE(MPI_Type_create_hindexed(1, &bad, &at, MPI_INT, &type));
    NO_TYPE(MPI_Type_create_indexed_block(-1, 1, &one, MPI_INT, &type));
    NO_TYPE(MPI_Type_create_struct(1, &one, &at, &member, &type));
    NO_TYPE(MPI_Type_create_subarray(1, &one, &bad, &one, MPI_ORDER_C, MPI_INT, &type));
    NO_TYPE(MPI_Type_create_resized(MPI_DATATYPE_NULL, 0, 8, &type));
    NO_TYPE(MPI_Type_dup(MPI_DATATYPE_NULL, &type));
    NO_TYPE(MPI_Type_match_size(MPI_TYPECLASS_REAL, 77, &type));
    NO_TYPE(MPI_Type_create_f90_integer(999, &type));
}

static void requests(void)
{
    static int data[4], counts[1] = {-1}, places[1];
    MPI_Message message = MPI_MESSAGE_NO_PROC;
    OK(MPI_Send_init(data, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &other_request));
    NO_REQUEST(MPI_Isend(data, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request));
    NO_REQUEST(MPI_Issend(data, 1, MPI_INT, 99, 0, MPI_COMM_WORLD, &request));
    NO_REQUEST(MPI_Ibsend(data, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &request));
    NO_REQUEST(MPI_Irecv(data, 1, MPI_INT, 0, -77, MPI_COMM_WORLD, &request));
    NO_REQUEST(MPI_Recv_init(data, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD, &request));
    NO_REQUEST(MPI_Psend_init(data, -1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                              &request));
    NO_REQUEST(MPI_Ibarrier(MPI_COMM_NULL, &request));
    NO_REQUEST(MPI_Ibcast(data, -1, MPI_INT, 0, MPI_COMM_WORLD, &request));
    NO_REQUEST(MPI_Iallreduce(data, data + 2, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD, &request));
    NO_REQUEST(MPI_Igatherv(data, 1, MPI_INT, data, counts, places, MPI_INT, 99, MPI_COMM_WORLD,
                            &request));
    NO_REQUEST(MPI_Allreduce_init(data, data + 2, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD,
                                  MPI_INFO_NULL, &request));
    NO_REQUEST(MPI_Imrecv(data, 1, MPI_INT, &message, &request) + MPI_Ibarrier(MPI_COMM_NULL,
                                                                               &request));
    NULLED(message, MPI_MESSAGE_NO_PROC, MPI_MESSAGE_NULL,
           MPI_Mprobe(99, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&other_request));
}

static void others(void)
{
    static int data[4];
    void *base;
    MPI_File file;
    MPI_Info info;
    MPI_Op op;
    MPI_Errhandler handler;
    OK(MPI_Win_create(data, sizeof data, 4, MPI_INFO_NULL, MPI_COMM_SELF, &other_win));
    NO_WIN(MPI_Win_create(data, -1, 4, MPI_INFO_NULL, MPI_COMM_SELF, &win));
    NO_WIN(MPI_Win_allocate(-1, 4, MPI_INFO_NULL, MPI_COMM_SELF, &base, &win));
    NO_WIN(MPI_Win_allocate_shared(-1, 4, MPI_INFO_NULL, MPI_COMM_SELF, &base, &win));
    NO_WIN(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_NULL, &win));
    OK(MPI_Win_set_errhandler(other_win, MPI_ERRORS_RETURN));
    NO_REQUEST(MPI_Rput(data, -1, MPI_INT, 0, 0, 1, MPI_INT, other_win, &request));
    OK(MPI_Win_free(&other_win));
    NULLED(file, (MPI_File)&file, MPI_FILE_NULL,
           MPI_File_open(MPI_COMM_SELF, "/no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    NULLED(info, MPI_INFO_ENV, MPI_INFO_NULL, MPI_Info_dup(MPI_INFO_NULL, &info));
    NULLED(info, MPI_INFO_ENV, MPI_INFO_NULL, MPI_Comm_get_info(MPI_COMM_NULL, &info));
    NULLED(op, MPI_SUM, MPI_OP_NULL, MPI_Op_create(NULL, 1, &op));
    NULLED(handler, MPI_ERRORS_RETURN, MPI_ERRHANDLER_NULL,
           MPI_Comm_create_errhandler(NULL, &handler));
    NULLED(handler, MPI_ERRORS_RETURN, MPI_ERRHANDLER_NULL,
           MPI_Comm_get_errhandler(MPI_COMM_NULL, &handler));
    /* A null pointer is an error as before. */
    FAILS(MPI_Comm_dup(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    attributes();
    communicators();
    datatypes();
    requests();
    others();
    MPI_Finalize();
    return 0;
}
