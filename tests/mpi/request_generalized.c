/* Generalized requests (MPI 5.0 §13.2): which callbacks are called, how often and in which order,
 * by all calls that complete, inquire, free and cancel; their results reach the caller; another
 * thread completes a request that a thread waits for.
 *
 * modes: default
 */

#include "check.h"
#include <pthread.h>
#include <unistd.h>

/* The number of calls of each callback of a request, and the codes that they return. */
typedef struct {
    MPI_Datatype type;
    int queries, frees, cancels, complete_seen, ints, source, tag, cancelled, query_code, free_code,
        cancel_code;
} Work;

static int query(void *state, MPI_Status *status)
{
    Work *work = state;
    work->queries++;
    CHECK(status != NULL && status != MPI_STATUS_IGNORE,
          "the query function is called without a status");
    CHECK(work->frees == 0, "the query function is called after the free function");
    OK(MPI_Status_set_elements(status, work->type, work->ints));
    OK(MPI_Status_set_cancelled(status, work->cancelled));
    status->MPI_SOURCE = work->source;
    status->MPI_TAG = work->tag;
    /* A callback may call MPI. */
    int flag;
    OK(MPI_Iprobe(MPI_ANY_SOURCE, 999, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE));
    return work->query_code;
}

static int release(void *state)
{
    Work *work = state;
    work->frees++;
    return work->free_code;
}

static int cancel(void *state, int complete)
{
    Work *work = state;
    work->cancels++;
    work->complete_seen = complete;
    return work->cancel_code;
}

static MPI_Request start(Work *work)
{
    MPI_Request request = MPI_REQUEST_NULL;
    memset(work, 0, sizeof *work);
    work->ints = 3, work->source = 11, work->tag = 12, work->type = MPI_INT;
    OK(MPI_Grequest_start(query, release, cancel, work, &request));
    CHECK(request != MPI_REQUEST_NULL, "the request is null");
    return request;
}

#define CALLED(work, q, f)                                                                         \
    CHECK((work).queries == (q) && (work).frees == (f),                                            \
          "%d queries and %d frees, %d and %d are expected", (work).queries, (work).frees, q, f)

static void one_by_one(void)
{
    Work work;
    MPI_Status status;
    int flag = -1;
    MPI_Request request = start(&work);
    OK(MPI_Test(&request, &flag, &status));
    CHECK(flag == 0, "complete without MPI_Grequest_complete");
    OK(MPI_Request_get_status(request, &flag, &status));
    CHECK(flag == 0, "complete without MPI_Grequest_complete");
    OK(MPI_Grequest_complete(request));
    CALLED(work, 0, 0);
    for (int i = 1; i <= 3; i++) {
        OK(MPI_Request_get_status(request, &flag, &status));
        CHECK(flag == 1, "not complete");
        STATUS(&status, 11, 12, 12);
        CALLED(work, i, 0);
    }
    FAILS(MPI_Grequest_complete(request), MPI_ERR_REQUEST);
    OK(MPI_Wait(&request, &status));
    STATUS(&status, 11, 12, 12);
    CALLED(work, 4, 1);
    CHECK(request == MPI_REQUEST_NULL, "the request is not null after the wait");

    request = start(&work);
    work.cancelled = 1;
    OK(MPI_Grequest_complete(request));
    OK(MPI_Test(&request, &flag, &status));
    CHECK(flag == 1 && request == MPI_REQUEST_NULL, "flag %d", flag);
    OK(MPI_Test_cancelled(&status, &flag));
    CHECK(flag == 1, "the request is not cancelled in the status");
    CALLED(work, 1, 1);

    request = start(&work);
    OK(MPI_Grequest_complete(request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALLED(work, 1, 1);

    /* A generalized request without callbacks. */
    OK(MPI_Grequest_start(NULL, NULL, NULL, NULL, &request));
    OK(MPI_Cancel(&request));
    OK(MPI_Grequest_complete(request));
    OK(MPI_Wait(&request, &status));
    EMPTY(&status);
}

/* Generalized requests, a receive and a null request in one array. */
/* The query function sets a number of basic elements of a derived datatype: a struct of an int and
 * a double, and half of another. */
static void elements_of_a_derived_type(void)
{
    Work work;
    MPI_Status status;
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, made;
    MPI_Count large;
    int lengths[2] = {1, 1}, elements, count;
    OK(MPI_Type_create_struct(2, lengths, places, types, &made));
    OK(MPI_Type_commit(&made));
    MPI_Request request = start(&work);
    work.type = made;
    OK(MPI_Grequest_complete(request));
    OK(MPI_Wait(&request, &status));
    OK(MPI_Get_elements(&status, made, &elements));
    OK(MPI_Get_count(&status, made, &count));
    CHECK(elements == 3 && count == MPI_UNDEFINED, "%d elements, count %d", elements, count);
    OK(MPI_Get_count(&status, MPI_BYTE, &count));
    CHECK(count == 16, "%d bytes", count);
    OK(MPI_Status_set_elements_c(&status, made, ((MPI_Count)1 << 40) + 1));
    OK(MPI_Get_elements_c(&status, made, &large));
    CHECK(large == ((MPI_Count)1 << 40) + 1, "%lld elements", (long long)large);
    OK(MPI_Status_set_elements(&status, made, 4));
    OK(MPI_Get_count(&status, made, &count));
    CHECK(count == 2, "count %d", count);
    OK(MPI_Type_free(&made));
}

static void several(void)
{
    enum { N = 4 };
    Work work[N];
    MPI_Request requests[N];
    MPI_Status statuses[N], status;
    int number = -1, flag, index, count, indices[N];
    for (int way = 0; way < 4; way++) {
        requests[0] = start(&work[0]);
        OK(MPI_Irecv(&number, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &requests[1]));
        requests[2] = MPI_REQUEST_NULL;
        requests[3] = start(&work[3]);
        work[3].ints = 7;
        OK(MPI_Testall(N, requests, &flag, statuses));
        CHECK(flag == 0, "all are complete");
        OK(MPI_Testany(N, requests, &index, &flag, &status));
        CHECK(flag == 0, "number %d is complete", index);
        OK(MPI_Testsome(N, requests, &count, indices, statuses));
        CHECK(count == 0, "%d are complete", count);

        OK(MPI_Grequest_complete(requests[3]));
        OK(MPI_Request_get_status_some(N, requests, &count, indices, statuses));
        CHECK(count == 1 && indices[0] == 3, "%d are complete, number %d among them", count,
              indices[0]);
        STATUS(&statuses[0], 11, 12, 28);
        CALLED(work[3], 1, 0);
        if (way % 2 == 0) {
            OK(MPI_Waitany(N, requests, &index, &status));
            CHECK(index == 3, "number %d is complete", index);
            STATUS(&status, 11, 12, 28);
            CALLED(work[3], 2, 1);
        }
        OK(MPI_Grequest_complete(requests[0]));
        OK(MPI_Send(&way, 1, MPI_INT, 0, 5, MPI_COMM_SELF));
        if (way < 2) {
            OK(MPI_Waitall(N, requests, statuses));
            STATUS(&statuses[0], 11, 12, 12);
            STATUS(&statuses[1], 0, 5, 4);
        } else {
            for (int left = way % 2 ? 3 : 2; left > 0; left -= count) {
                OK(MPI_Waitsome(N, requests, &count, indices, statuses));
                CHECK(count > 0 && count <= left, "%d of %d are complete", count, left);
            }
        }
        CHECK(number == way, "received %d", number);
        for (int i = 0; i < N; i++) CHECK(requests[i] == MPI_REQUEST_NULL, "request %d is left", i);
        CALLED(work[0], 1, 1);
        CALLED(work[3], 2, 1);
    }
}

static void freed(void)
{
    Work work;
    MPI_Request copy, request = start(&work);
    OK(MPI_Grequest_complete(request));
    OK(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL, "the handle is not null");
    CALLED(work, 0, 1);

    request = copy = start(&work);
    OK(MPI_Request_free(&request));
    CALLED(work, 0, 0);
    OK(MPI_Grequest_complete(copy));
    CALLED(work, 0, 1);
}

static void cancelled(void)
{
    Work work;
    MPI_Request request = start(&work);
    OK(MPI_Cancel(&request));
    CHECK(work.cancels == 1 && work.complete_seen == 0, "%d cancels, complete %d", work.cancels,
          work.complete_seen);
    OK(MPI_Grequest_complete(request));
    OK(MPI_Cancel(&request));
    CHECK(work.cancels == 2 && work.complete_seen == 1, "%d cancels, complete %d", work.cancels,
          work.complete_seen);
    work.cancel_code = MPI_ERR_IO;
    FAILS(MPI_Cancel(&request), MPI_ERR_IO);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALLED(work, 1, 1);
}

static void errors(void)
{
    Work work;
    MPI_Request requests[2], receive;
    MPI_Status statuses[2];
    int class = -1, number, flag = -1;
    requests[0] = start(&work);
    work.query_code = MPI_ERR_BUFFER;
    OK(MPI_Grequest_complete(requests[0]));
    FAILS(MPI_Wait(&requests[0], &statuses[0]), MPI_ERR_BUFFER);
    CHECK(requests[0] == MPI_REQUEST_NULL, "the request is left");
    CALLED(work, 1, 1);

    /* If both callbacks fail, the error of the free function is returned. */
    requests[0] = start(&work);
    work.query_code = MPI_ERR_BUFFER, work.free_code = MPI_ERR_DIMS;
    OK(MPI_Grequest_complete(requests[0]));
    FAILS(MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE), MPI_ERR_DIMS);
    CHECK(flag == 1, "flag %d", flag);

    requests[0] = start(&work);
    work.free_code = MPI_ERR_DIMS;
    OK(MPI_Grequest_complete(requests[0]));
    FAILS(MPI_Request_free(&requests[0]), MPI_ERR_DIMS);

    requests[0] = start(&work);
    work.free_code = MPI_ERR_DIMS;
    OK(MPI_Grequest_complete(requests[0]));
    OK(MPI_Irecv(&number, 1, MPI_INT, 0, 6, MPI_COMM_SELF, &requests[1]));
    OK(MPI_Send(&rank, 1, MPI_INT, 0, 6, MPI_COMM_SELF));
    FAILS(MPI_Waitall(2, requests, statuses), MPI_ERR_IN_STATUS);
    OK(MPI_Error_class(statuses[0].MPI_ERROR, &class));
    CHECK(class == MPI_ERR_DIMS && statuses[1].MPI_ERROR == MPI_SUCCESS, "codes %d and %d",
          statuses[0].MPI_ERROR, statuses[1].MPI_ERROR);

    OK(MPI_Irecv(&number, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &receive));
    FAILS(MPI_Grequest_complete(receive), MPI_ERR_REQUEST);
    FAILS(MPI_Grequest_complete(MPI_REQUEST_NULL), MPI_ERR_REQUEST);
    OK(MPI_Cancel(&receive));
    OK(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    FAILS(MPI_Grequest_start(query, release, cancel, &work, NULL), MPI_ERR_ARG);
}

static void *completer(void *argument)
{
    /* Long enough for the other thread to fall asleep. */
    usleep(30000);
    OK(MPI_Grequest_complete(*(MPI_Request *)argument));
    return NULL;
}

/* One thread waits, another thread completes the request. */
static void threads(void)
{
    for (int way = 0; way < 4; way++) {
        Work work;
        MPI_Request requests[2] = {start(&work), MPI_REQUEST_NULL}, copy = requests[0];
        MPI_Status statuses[2];
        int index, count, which;
        pthread_t thread;
        pthread_create(&thread, NULL, completer, &copy);
        if (way == 0) OK(MPI_Wait(requests, statuses));
        if (way == 1) OK(MPI_Waitall(2, requests, statuses));
        if (way == 2) OK(MPI_Waitany(2, requests, &index, statuses));
        if (way == 3) OK(MPI_Waitsome(2, requests, &count, &which, statuses));
        STATUS(&statuses[0], 11, 12, 12);
        CALLED(work, 1, 1);
        pthread_join(thread, NULL);
    }
}

int main(int argc, char **argv)
{
    int provided = -1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(provided == MPI_THREAD_MULTIPLE, "thread level %d is provided", provided);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    one_by_one();
    elements_of_a_derived_type();
    several();
    freed();
    cancelled();
    errors();
    threads();
    return MPI_Finalize();
}
