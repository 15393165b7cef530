/* Extensions of MPICH on two ranks: the segments of datatypes (MPIX_Type_iov), and generalized
 * requests that waits and tests carry on (MPIX_Grequest_start). Exits with 0 if all is right. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, failures;

#define CHECK(what)                                                                                \
    ((what) ? (void)0 : (void)(failures++,                                                         \
                               fprintf(stderr, "line %d: false: %s\n", __LINE__, #what)))

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

/* The bytes that the segments name are those that MPI_Pack takes, in its order. */
static void check_segments(MPI_Datatype type)
{
    enum { BEFORE = 512, BYTES = 4096 };
    static char memory[BYTES], packed[BYTES], gathered[BYTES];
    MPI_Count all, bytes, given, size, whole = 0, position = 0;
    MPIX_Iov segment, *segments;
    int packed_bytes = 0;
    MPI_Type_size_x(type, &size);
    CHECK(MPIX_Type_iov_len(type, size, &all, &bytes) == MPI_SUCCESS && bytes == size);
    CHECK(MPIX_Type_iov_len(type, -1, &given, &bytes) == MPI_SUCCESS);
    CHECK(given == all && bytes == size);
    segments = malloc((size_t)(all + 1) * sizeof *segments);
    CHECK(MPIX_Type_iov(type, 0, segments, all + 1, &given) == MPI_SUCCESS && given == all);
    for (int i = 0; i < BYTES; i++) memory[i] = (char)rand();
    for (MPI_Count i = 0; i < all; i++) {
        char *begin = memory + BEFORE + (MPI_Aint)segments[i].iov_base;
        CHECK(segments[i].iov_len > 0);
        CHECK(begin >= memory && begin + segments[i].iov_len <= memory + BYTES);
        memcpy(gathered + position, begin, (size_t)segments[i].iov_len);
        position += segments[i].iov_len;
    }
    MPI_Pack(memory + BEFORE, 1, type, packed, BYTES, &packed_bytes, MPI_COMM_SELF);
    CHECK(position == size && packed_bytes == size);
    CHECK(memcmp(gathered, packed, (size_t)size) == 0);
    position = 0;
    for (MPI_Count limit = 0; limit < size + 3; limit++) {
        if (whole < all && position + segments[whole].iov_len <= limit)
            position += segments[whole++].iov_len;
        CHECK(MPIX_Type_iov_len(type, limit, &given, &bytes) == MPI_SUCCESS);
        CHECK(given == whole && bytes == position);
    }
    for (MPI_Count i = 0; i < all; i++) {
        CHECK(MPIX_Type_iov(type, i, &segment, 1, &given) == MPI_SUCCESS && given == 1);
        CHECK(segment.iov_base == segments[i].iov_base && segment.iov_len == segments[i].iov_len);
    }
    CHECK(MPIX_Type_iov(type, all, &segment, 1, &given) == MPI_SUCCESS && given == 0);
    CHECK(MPIX_Type_iov(type, 0, NULL, 0, &given) == MPI_SUCCESS && given == 0);
    free(segments);
}

static void check_types(void)
{
    MPI_Datatype vector, list, mixed, resized, part, empty;
    int lengths[] = {2, 1, 3}, places[] = {9, 0, -3}, sizes[] = {4, 5, 6}, parts[] = {2, 3, 2},
        starts[] = {1, 1, 3};
    MPI_Aint distances[] = {1, 900, 500};
    MPI_Count number;
    MPIX_Iov segments[2];
    MPI_Type_vector(4, 3, 5, MPI_INT, &vector);
    MPI_Type_indexed(3, lengths, places, MPI_SHORT, &list);
    MPI_Datatype members[] = {MPI_CHAR, list, vector};
    MPI_Type_create_struct(3, lengths, distances, members, &mixed);
    MPI_Type_create_resized(mixed, -4, 1400, &resized);
    MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &part);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Datatype types[] = {MPI_DOUBLE, MPI_DOUBLE_INT, vector, list, mixed, resized, part, empty};
    enum { TYPES = sizeof types / sizeof *types };
    for (int i = 0; i < TYPES; i++) {
        MPI_Datatype twice;
        MPI_Type_contiguous(2, types[i], &twice);
        if (i > 1) MPI_Type_commit(&types[i]);
        MPI_Type_commit(&twice);
        check_segments(types[i]);
        check_segments(twice);
        MPI_Type_free(&twice);
    }
    CHECK(MPIX_Type_iov(vector, 1, segments, 2, &number) == MPI_SUCCESS && number == 2);
    CHECK((MPI_Aint)segments[0].iov_base == 20 && segments[0].iov_len == 12);
    CHECK((MPI_Aint)segments[1].iov_base == 40 && segments[1].iov_len == 12);
    CHECK(class_of(MPIX_Type_iov(MPI_DATATYPE_NULL, 0, segments, 2, &number)) == MPI_ERR_TYPE);
    CHECK(class_of(MPIX_Type_iov(vector, -1, segments, 2, &number)) == MPI_ERR_ARG);
    CHECK(class_of(MPIX_Type_iov(vector, 0, segments, -1, &number)) == MPI_ERR_ARG);
    CHECK(class_of(MPIX_Type_iov(vector, 0, NULL, 2, &number)) == MPI_ERR_ARG);
    CHECK(class_of(MPIX_Type_iov_len(vector, 8, NULL, &number)) == MPI_ERR_ARG);
    for (int i = 2; i < TYPES; i++) MPI_Type_free(&types[i]);
}

/* An operation that is complete when it has been polled `polls_left` times, and what its functions
 * were asked. */
typedef struct {
    MPI_Request request;
    int polls_left, polls, queries, frees, cancels, code, tells;
} Operation;

/* The calls of the wait function: how often, and for how many operations the last one. */
static int waits, last_count;

static int query(void *state, MPI_Status *status)
{
    ((Operation *)state)->queries++;
    MPI_Status_set_elements(status, MPI_INT, 5);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 17;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    ((Operation *)state)->frees++;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)complete;
    ((Operation *)state)->cancels++;
    return MPI_SUCCESS;
}

/* Tells the other rank once that the operation goes on, if it is one that does. */
static void tell(Operation *operation)
{
    if (operation->tells) MPI_Send(NULL, 0, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD);
    operation->tells = 0;
}

static int poll(void *state, MPI_Status *status)
{
    Operation *operation = state;
    operation->polls++;
    status->MPI_SOURCE = 99;
    if (operation->code != MPI_SUCCESS) return operation->code;
    tell(operation);
    if (--operation->polls_left == 0) MPI_Grequest_complete(operation->request);
    return MPI_SUCCESS;
}

/* Completes the last of the operations. */
static int wait(int count, void **states, double timeout, MPI_Status *status)
{
    CHECK(count > 0 && timeout == 0 && status == NULL);
    waits++;
    last_count = count;
    tell(states[count - 1]);
    MPI_Grequest_complete(((Operation *)states[count - 1])->request);
    return MPI_SUCCESS;
}

static Operation operation_of(int polls)
{
    return (Operation){.request = MPI_REQUEST_NULL, .polls_left = polls, .code = MPI_SUCCESS};
}

static void begin(Operation *operation, int polls, MPIX_Grequest_poll_function *poll_fn,
                  MPIX_Grequest_wait_function *wait_fn)
{
    *operation = operation_of(polls);
    CHECK(MPIX_Grequest_start(query, release, cancel, poll_fn, wait_fn, operation,
                              &operation->request) == MPI_SUCCESS);
}

/* The operation was polled so often, asked for its status once, and freed. */
static void finished(const Operation *operation, int polls)
{
    CHECK(operation->polls == polls && operation->queries == 1 && operation->frees == 1);
}

static void check_one(void)
{
    Operation operation;
    MPI_Request request;
    MPI_Status status;
    int flag = 0, calls = 0, elements;
    begin(&operation, 3, poll, NULL);
    request = operation.request;
    for (; !flag; calls++) CHECK(MPI_Test(&request, &flag, &status) == MPI_SUCCESS);
    CHECK(calls == 3 && request == MPI_REQUEST_NULL && status.MPI_SOURCE == 17);
    MPI_Get_count(&status, MPI_INT, &elements);
    CHECK(elements == 5);
    finished(&operation, 3);

    begin(&operation, 40, poll, NULL);
    request = operation.request;
    CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS && status.MPI_SOURCE == 17);
    finished(&operation, 40);

    /* Who only waits does not poll. */
    waits = 0;
    begin(&operation, 1, poll, wait);
    request = operation.request;
    CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS && waits == 1 && last_count == 1);
    finished(&operation, 0);

    begin(&operation, 2, poll, wait);
    request = operation.request;
    CHECK(MPI_Request_get_status(request, &flag, &status) == MPI_SUCCESS && !flag);
    CHECK(MPI_Request_get_status(request, &flag, &status) == MPI_SUCCESS && flag);
    CHECK(status.MPI_SOURCE == 17 && operation.queries == 1 && operation.frees == 0);
    CHECK(MPI_Cancel(&request) == MPI_SUCCESS && operation.cancels == 1);
    CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS && waits == 1);
    CHECK(operation.polls == 2 && operation.frees == 1);

    /* Without functions that carry it on it is as one of MPI_Grequest_start. */
    begin(&operation, 1, NULL, NULL);
    request = operation.request;
    CHECK(MPI_Test(&request, &flag, &status) == MPI_SUCCESS && !flag);
    MPI_Grequest_complete(request);
    CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS);
    finished(&operation, 0);

    /* An error of the poll function is that of the call, and the request stays. */
    begin(&operation, 1, poll, NULL);
    request = operation.request;
    operation.code = MPI_ERR_FILE;
    CHECK(class_of(MPI_Test(&request, &flag, &status)) == MPI_ERR_FILE);
    CHECK(class_of(MPI_Wait(&request, &status)) == MPI_ERR_FILE && request == operation.request);
    operation.code = MPI_SUCCESS;
    CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS);
    finished(&operation, 3);

    /* A request that is given back is released by its completion. */
    begin(&operation, 1, poll, NULL);
    request = operation.request;
    CHECK(MPI_Request_free(&request) == MPI_SUCCESS && operation.frees == 0);
    MPI_Grequest_complete(operation.request);
    CHECK(operation.frees == 1 && operation.queries == 0);
}

enum { MANY = 4 };

static void check_many(void)
{
    Operation operations[MANY];
    MPI_Request requests[MANY];
    int indices[MANY], index, flag = 0, number, completed = 0;
    for (int i = 0; i < MANY; i++) {
        begin(&operations[i], i + 1, poll, NULL);
        requests[i] = operations[i].request;
    }
    for (int calls = 1; !flag; calls++) {
        MPI_Testall(MANY, requests, &flag, MPI_STATUSES_IGNORE);
        CHECK(flag == (calls == MANY));
    }
    for (int i = 0; i < MANY; i++) finished(&operations[i], i + 1);

    for (int i = 0; i < MANY; i++) {
        begin(&operations[i], 3 * i + 1, poll, NULL);
        requests[i] = operations[i].request;
    }
    MPI_Testany(MANY, requests, &index, &flag, MPI_STATUS_IGNORE);
    CHECK(flag && index == 0);
    MPI_Waitany(MANY, requests, &index, MPI_STATUS_IGNORE);
    CHECK(index == 1);
    for (; completed < 2; completed += number) {
        MPI_Testsome(MANY, requests, &number, indices, MPI_STATUSES_IGNORE);
        CHECK(number == 0 || indices[0] == completed + 2);
    }
    for (int i = 0; i < MANY; i++) finished(&operations[i], 3 * i + 1);
}

static void allocate(MPIX_Grequest_class class, Operation *operations, MPI_Request *requests)
{
    for (int i = 0; i < MANY; i++) {
        operations[i] = operation_of(1000);
        CHECK(MPIX_Grequest_class_allocate(class, &operations[i], &requests[i]) == MPI_SUCCESS);
        operations[i].request = requests[i];
    }
}

static void check_classes(void)
{
    MPIX_Grequest_class class, other;
    Operation operations[MANY];
    MPI_Request requests[MANY];
    int index, number, indices[MANY];
    CHECK(MPIX_Grequest_class_create(query, release, cancel, poll, wait, &class) == MPI_SUCCESS);
    CHECK(MPIX_Grequest_class_create(query, release, cancel, poll, wait, &other) == MPI_SUCCESS);
    CHECK(class != other);
    CHECK(class_of(MPIX_Grequest_class_allocate(other + 77, NULL, requests)) == MPI_ERR_ARG);

    /* Each call of the wait function is for all operations that are left. */
    allocate(class, operations, requests);
    waits = 0;
    CHECK(MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    CHECK(waits == MANY && last_count == 1);
    for (int i = 0; i < MANY; i++) finished(&operations[i], 0);

    allocate(class, operations, requests);
    waits = 0;
    MPI_Waitany(MANY, requests, &index, MPI_STATUS_IGNORE);
    CHECK(index == MANY - 1 && waits == 1 && last_count == MANY);
    MPI_Waitsome(MANY, requests, &number, indices, MPI_STATUSES_IGNORE);
    CHECK(number == 1 && indices[0] == MANY - 2 && waits == 2 && last_count == MANY - 1);
    /* Beside operations of another class they are polled. */
    MPI_Request pair[2] = {requests[0]};
    Operation stranger = operation_of(2);
    MPIX_Grequest_class_allocate(other, &stranger, &pair[1]);
    stranger.request = pair[1];
    MPI_Waitany(2, pair, &index, MPI_STATUS_IGNORE);
    CHECK(index == 1 && waits == 2 && operations[0].polls > 0);
    requests[0] = pair[0];
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; i++)
        CHECK(operations[i].frees == 1 && requests[i] == MPI_REQUEST_NULL);
}

/* Messages that the other rank sends only when it or this rank has carried an operation on. */
static void check_beside_messages(void)
{
    Operation operation;
    MPI_Request requests[3];
    int value = -1, index, flag = 0;
    for (int call = 0; call < 4; call++) {
        begin(&operation, 20, poll, call % 2 ? wait : NULL);
        operation.tells = 1;
        MPI_Irecv(&value, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(NULL, 0, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &requests[2]);
        requests[1] = operation.request;
        if (call < 2) {
            MPI_Request two[2] = {requests[1], requests[2]};
            MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
            MPI_Send(&rank, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        } else {
            while (!flag) {
                MPI_Test(&requests[2], &flag, MPI_STATUS_IGNORE);
                if (!flag && requests[1] != MPI_REQUEST_NULL)
                    MPI_Test(&requests[1], &index, MPI_STATUS_IGNORE);
            }
            flag = 0;
            MPI_Send(&rank, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        }
        CHECK(value == 1 - rank && operation.queries == 1 && operation.frees == 1);
        value = -1;
    }
}

int main(int argc, char **argv)
{
    int size, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK(size == 2);
    check_types();
    check_one();
    check_many();
    check_classes();
    check_beside_messages();
    MPI_Allreduce(&failures, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum != 0;
}
