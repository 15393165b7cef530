/* Error handlers (MPI 5.0 §9.3): inheritance at creation and not afterwards; user-defined handlers
 * get the right communicator and class, and the call then returns the code; reference counts;
 * errors without an object go to MPI_COMM_SELF, or to MPI_COMM_WORLD until a handler is set on
 * MPI_COMM_SELF; user-defined classes, codes and strings; and the initial handler that the launcher
 * sets. */

#include "check.h"

static MPI_Comm handler_comm;
static int calls, handler_class;

static void listen(MPI_Comm *comm, int *code, ...)
{
    calls++;
    handler_comm = *comm;
    MPI_Error_class(*code, &handler_class);
}

static void other(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    fail_at(__FILE__, __LINE__, "the wrong handler was called");
}

#define CALLS_HANDLER(call, comm, class_)                                                          \
    do {                                                                                           \
        int before_ = calls, returned_ = (call), seen_ = -1;                                       \
        OK(MPI_Error_class(returned_, &seen_));                                                    \
        CHECK(calls == before_ + 1 && handler_comm == (comm) && handler_class == (class_) &&       \
              seen_ == (class_),                                                                   \
              #call ": the handler was called %d times, with class %d, and the call returned %s",  \
              calls - before_, handler_class, error_text(returned_));                              \
    } while (0)

static void inheritance(void)
{
    MPI_Errhandler handler, another, seen;
    MPI_Comm parent, child, part, inter;
    int word = 0;
    OK(MPI_Comm_create_errhandler(listen, &handler));
    OK(MPI_Comm_create_errhandler(other, &another));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &parent));
    OK(MPI_Comm_set_errhandler(parent, handler));
    OK(MPI_Comm_dup(parent, &child));
    OK(MPI_Comm_split(child, rank % 2, 0, &part));
    OK(MPI_Comm_set_errhandler(parent, another));
    CALLS_HANDLER(MPI_Send(&word, 1, MPI_INT, size, 0, child), child, MPI_ERR_RANK);
    CALLS_HANDLER(MPI_Bcast(&word, -1, MPI_INT, 0, part), part, MPI_ERR_COUNT);
    /* The communicator from which the handler was inherited may drop it. */
    OK(MPI_Comm_get_errhandler(part, &seen));
    CHECK(seen == handler, "the handler was not inherited");
    OK(MPI_Errhandler_free(&seen));
    CHECK(seen == MPI_ERRHANDLER_NULL, "the handle is not MPI_ERRHANDLER_NULL");
    OK(MPI_Errhandler_free(&handler));
    CALLS_HANDLER(MPI_Send(&word, 1, MPI_INT, 0, -5, part), part, MPI_ERR_TAG);
    CALLS_HANDLER(MPI_Comm_call_errhandler(child, MPI_ERR_TOPOLOGY) + MPI_ERR_TOPOLOGY, child,
          MPI_ERR_TOPOLOGY);
    if (size > 1) {
        OK(MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &inter));
        CALLS_HANDLER(MPI_Send(&word, 1, MPI_INT, 1000, 0, inter), inter, MPI_ERR_RANK);
        OK(MPI_Comm_free(&inter));
    }
    /* Errors of a request belong to its communicator, whichever call waits for it. */
    MPI_Request request;
    char small = 0;
    double large[100] = {0};
    OK(MPI_Irecv(&small, 1, MPI_CHAR, rank, 1, child, &request));
    OK(MPI_Send(large, 100, MPI_DOUBLE, rank, 1, child));
    CALLS_HANDLER(MPI_Wait(&request, MPI_STATUS_IGNORE), child, MPI_ERR_TRUNCATE);
    OK(MPI_Comm_free(&part));
    OK(MPI_Comm_free(&child));
    OK(MPI_Comm_free(&parent));
    OK(MPI_Errhandler_free(&another));
}

static int refuse(void *extra)
{
    (void)extra;
    return MPI_ERR_OTHER;
}

/* Programs written for MPI 1.0 to 3.1 set a handler on MPI_COMM_WORLD only. */
static void without_an_object_or_a_handler_of_self(void)
{
    MPI_Errhandler handler, seen;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Datatype type;
    MPI_Group all, part;
    MPI_Info info;
    MPI_Op op = MPI_SUM;
    int number, none = MPI_KEYVAL_INVALID, far = 1000000;
    OK(MPI_Comm_create_errhandler(listen, &handler));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
    OK(MPI_Info_create(&info));
    CALLS_HANDLER(MPI_Type_contiguous(-1, MPI_INT, &type), MPI_COMM_WORLD, MPI_ERR_COUNT);
    CALLS_HANDLER(MPI_Group_incl(all, 1, &far, &part), MPI_COMM_WORLD, MPI_ERR_RANK);
    CALLS_HANDLER(MPI_Info_set(info, "", "value"), MPI_COMM_WORLD, MPI_ERR_INFO_KEY);
    CALLS_HANDLER(MPI_Comm_free_keyval(&none), MPI_COMM_WORLD, MPI_ERR_KEYVAL);
    CALLS_HANDLER(MPI_Cancel(&request), MPI_COMM_WORLD, MPI_ERR_REQUEST);
    CALLS_HANDLER(MPI_Op_free(&op), MPI_COMM_WORLD, MPI_ERR_OP);
    CALLS_HANDLER(MPI_Reduce_local(&far, &number, 1, MPI_FLOAT, MPI_BAND), MPI_COMM_WORLD,
                  MPI_ERR_OP);
    CALLS_HANDLER(MPI_Add_error_code(999999, &number), MPI_COMM_WORLD, MPI_ERR_ARG);
    CALLS_HANDLER(MPI_Comm_rank(MPI_COMM_NULL, &number), MPI_COMM_WORLD, MPI_ERR_COMM);
    OK(MPI_Grequest_start(NULL, refuse, NULL, NULL, &request));
    OK(MPI_Grequest_complete(request));
    CALLS_HANDLER(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_COMM_WORLD, MPI_ERR_OTHER);
    /* Errors of MPI_COMM_SELF still use its own handler. */
    OK(MPI_Comm_get_errhandler(MPI_COMM_SELF, &seen));
    CHECK(seen == MPI_ERRORS_ARE_FATAL, "the handler of MPI_COMM_SELF has changed");
    OK(MPI_Errhandler_free(&seen));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    FAILS(MPI_Type_contiguous(-1, MPI_INT, &type), MPI_ERR_COUNT);
    OK(MPI_Info_free(&info));
    OK(MPI_Group_free(&all));
    OK(MPI_Errhandler_free(&handler));
}

static void without_an_object(void)
{
    MPI_Errhandler handler;
    int number;
    OK(MPI_Comm_create_errhandler(listen, &handler));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
    CALLS_HANDLER(MPI_Comm_rank(MPI_COMM_NULL, &number), MPI_COMM_SELF, MPI_ERR_COMM);
    CALLS_HANDLER(MPI_Type_commit(&(MPI_Datatype){MPI_DATATYPE_NULL}), MPI_COMM_SELF, MPI_ERR_TYPE);
    CALLS_HANDLER(MPI_Group_size(MPI_GROUP_NULL, &number), MPI_COMM_SELF, MPI_ERR_GROUP);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Errhandler_free(&handler));
    FAILS(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRHANDLER_NULL), MPI_ERR_ERRHANDLER);
    MPI_Errhandler return_;
    OK(MPI_Comm_get_errhandler(MPI_COMM_SELF, &return_));
    CHECK(return_ == MPI_ERRORS_RETURN, "the handler was not inherited");
    OK(MPI_Errhandler_free(&return_));
    FAILS(MPI_Comm_create_errhandler(NULL, &handler), MPI_ERR_ARG);
}

/* Checks that the text of an error has these parts, and that it fits. */
static void has_parts(int code, const char *call, const char *cause)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    OK(MPI_Error_string(code, text, &length));
    const char *advice = strstr(text, "; try: ");
    CHECK(length == (int)strlen(text) && length < MPI_MAX_ERROR_STRING, "length %d", length);
    CHECK(strncmp(text, call, strlen(call)) == 0, "\"%s\" does not name %s", text, call);
    CHECK(strstr(text, cause) != NULL, "\"%s\" does not say \"%s\"", text, cause);
    CHECK(advice != NULL && advice[7] != 0, "\"%s\" has no advice", text);
}

/* The text of an error has the call, the cause and what to try, as the message of
 * MPI_ERRORS_ARE_FATAL does: also in a status, from another process, and if the arguments are
 * long. */
static void texts(void)
{
    enum { MANY = 100 };
    static int sizes[MANY], starts[MANY], parts[MANY];
    int number = 0;
    MPI_Comm comm;
    MPI_Datatype type;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    has_parts(MPI_Send(&number, -1, MPI_INT, 0, 0, comm), "MPI_Send(", "count is -1");
    has_parts(MPI_Bcast(&number, 1, MPI_INT, size, comm), "MPI_Bcast(", "root");
    has_parts(MPI_Type_create_subarray(MANY, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type),
              "MPI_Type_create_subarray", "sizes");
    /* A receive that does not fit, as one of several requests. */
    int out[2] = { 1, 2 }, in[2], other = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    OK(MPI_Irecv(in, 1, MPI_INT, from, 1, comm, &requests[0]));
    OK(MPI_Isend(out, 2, MPI_INT, other, 1, comm, &requests[1]));
    int code = MPI_Waitall(2, requests, statuses), class;
    OK(MPI_Error_class(code, &class));
    CHECK(class == MPI_ERR_IN_STATUS, "class %d", class);
    has_parts(code, "MPI_Waitall(", "at least one of the requests failed");
    has_parts(statuses[0].MPI_ERROR, "", "bytes");
    OK(MPI_Comm_free(&comm));
}

static void codes(void)
{
    int class, code, seen, *last, flag, length, before;
    char text[MPI_MAX_ERROR_STRING];
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    CHECK(flag && *last >= MPI_ERR_LASTCODE, "the last code is %d", flag ? *last : -1);
    before = *last;
    OK(MPI_Add_error_class(&class));
    OK(MPI_Add_error_code(class, &code));
    CHECK(class > before && code > class && *last == code, "class %d, code %d, last %d", class,
          code, *last);
    OK(MPI_Error_class(code, &seen));
    CHECK(seen == class, "code %d is of class %d", code, seen);
    OK(MPI_Error_string(code, text, &length));
    CHECK(length == 0, "\"%s\" before a string was added", text);
    FAILS(MPI_Remove_error_string(code), MPI_ERR_ARG);
    OK(MPI_Add_error_string(class, "the class"));
    OK(MPI_Add_error_string(code, "the code"));
    OK(MPI_Error_string(code, text, &length));
    CHECK(strcmp(text, "the code") == 0 && length == 8, "\"%s\", %d", text, length);
    OK(MPI_Comm_call_errhandler(MPI_COMM_WORLD, code));
    FAILS(MPI_Remove_error_class(class), MPI_ERR_ARG);
    FAILS(MPI_Remove_error_code(code), MPI_ERR_ARG);
    OK(MPI_Remove_error_string(code));
    OK(MPI_Remove_error_code(code));
    FAILS(MPI_Remove_error_class(class), MPI_ERR_ARG);
    OK(MPI_Remove_error_string(class));
    OK(MPI_Remove_error_class(class));
    FAILS(MPI_Error_class(code, &seen), MPI_ERR_ARG);
    FAILS(MPI_Remove_error_class(MPI_ERR_RANK), MPI_ERR_ARG);
    FAILS(MPI_Remove_error_code(class), MPI_ERR_ARG);
    FAILS(MPI_Add_error_string(MPI_ERR_RANK, "another"), MPI_ERR_ARG);
    FAILS(MPI_Add_error_code(999999, &seen), MPI_ERR_ARG);
    for (int number = 64; number < MPI_ERR_LASTCODE; number *= 2) {
        FAILS(MPI_Error_class(number, &seen), MPI_ERR_ARG);
        FAILS(MPI_Error_string(number, text, &length), MPI_ERR_ARG);
    }
    for (int predefined = MPI_SUCCESS; predefined <= MPI_ERR_SESSION; predefined++) {
        OK(MPI_Error_class(predefined, &seen));
        OK(MPI_Error_string(predefined, text, &length));
        CHECK(seen == predefined && length > 0 && length == (int)strlen(text),
              "class %d is %d, \"%s\"", predefined, seen, text);
    }
}

static void environment(void)
{
    char text[MPI_MAX_INFO_VAL];
    int flag, length = sizeof text, keys;
    OK(MPI_Info_get_nkeys(MPI_INFO_ENV, &keys));
    CHECK(keys > 0, "%d keys", keys);
    OK(MPI_Info_get_string(MPI_INFO_ENV, "maxprocs", &length, text, &flag));
    CHECK(flag && atoi(text) == size, "maxprocs is %s", flag ? text : "missing");
    static const char *keys_with_values[] = {"command", "arch", "host", "wdir", "thread_level",
                                      "mpi_memory_alloc_kinds"};
    for (int key = 0; key < (int)(sizeof keys_with_values / sizeof *keys_with_values); key++) {
        length = sizeof text;
        OK(MPI_Info_get_string(MPI_INFO_ENV, keys_with_values[key], &length, text, &flag));
        CHECK(flag && text[0], "%s is missing", keys_with_values[key]);
    }
    CHECK(strstr(text, "system"), "the kinds of memory are %s", text);
    FAILS(MPI_Info_set(MPI_INFO_ENV, "maxprocs", "9"), MPI_ERR_INFO);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    inheritance();
    without_an_object_or_a_handler_of_self();
    without_an_object();
    texts();
    codes();
    environment();
    return MPI_Finalize();
}
