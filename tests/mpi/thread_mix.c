/* Threads that call all of MPI at random: every kind of send and receive, probes, cancellation,
 * partitioned and generalized requests, collectives, communicators and windows that are created,
 * used and freed, and sessions. Requests that one thread starts are completed by another.
 *
 * Thread i of every process draws the same random numbers and uses a communicator of its own, so
 * that all sides know what must arrive. The environment variable ROUNDS makes the test run longer.
 *
 * sizes: 1 2 4
 * seconds: 120
 */

#include "check.h"
#include "thread.h"

enum { THREADS = 4, LARGE = 40000, MANY = 8, BUFFERED = 1 << 20 };

static MPI_Comm comms[THREADS];
static int to, from, repeats = 40;
static MPI_Win counters = MPI_WIN_NULL;
static long *counted;
static atomic_long added[64];

static int length_of(unsigned number)
{
    static const int lengths[] = {0, 4, 40, 41, 700, 4073, 16345, LARGE};
    return lengths[number % 8];
}

/* Requests that one thread has started and another completes. */
typedef struct Job {
    MPI_Request *requests;
    MPI_Status *statuses;
    int number, way, is_there, is_done;
} Job;

static Job jobs[THREADS];
static int stop;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;

/* Completes all requests with one of the wait and test calls. */
static void complete(int way, int number, MPI_Request *requests, MPI_Status *statuses)
{
    int flag = 0, index, count, indices[2 * MANY];
    MPI_Status some[2 * MANY];
    switch (way % 8) {
    case 0: OK(MPI_Waitall(number, requests, statuses)); break;
    case 1:
        for (; !flag; sched_yield()) OK(MPI_Testall(number, requests, &flag, statuses));
        break;
    case 2:
        for (int left = number; left > 0; left--) {
            OK(MPI_Waitany(number, requests, &index, &some[0]));
            CHECK(index >= 0 && index < number, "index %d", index);
            statuses[index] = some[0];
        }
        break;
    case 3:
        for (int left = number; left > 0; left -= flag) {
            OK(MPI_Testany(number, requests, &index, &flag, &some[0]));
            if (flag)
                statuses[index] = some[0];
            else
                sched_yield();
        }
        break;
    case 4:
    case 5:
        for (int left = number; left > 0; left -= count) {
            if (way % 8 == 4)
                OK(MPI_Waitsome(number, requests, &count, indices, some));
            else
                OK(MPI_Testsome(number, requests, &count, indices, some));
            CHECK(count >= 0 && count <= left, "%d of %d requests", count, left);
            for (int i = 0; i < count; i++) statuses[indices[i]] = some[i];
        }
        break;
    case 6:
        for (int i = number - 1; i >= 0; i--) OK(MPI_Wait(&requests[i], &statuses[i]));
        break;
    case 7:
        for (int i = 0; i < number; i++) {
            for (flag = 0; !flag; sched_yield())
                OK(MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE));
            OK(MPI_Test(&requests[i], &flag, &statuses[i]));
            CHECK(flag, "a request is complete, then not");
        }
        break;
    }
}

/* Completes requests of other threads. There are as many completing threads as starting ones, so
 * that no thread waits for a thread that waits. */
static void *completer(void *argument)
{
    (void)argument;
    pthread_mutex_lock(&lock);
    for (;;) {
        Job *job = NULL;
        for (int i = 0; i < THREADS; i++)
            if (jobs[i].is_there) job = &jobs[i];
        if (!job && stop) break;
        if (!job) {
            pthread_cond_wait(&news, &lock);
            continue;
        }
        job->is_there = 0;
        pthread_mutex_unlock(&lock);
        complete(job->way, job->number, job->requests, job->statuses);
        pthread_mutex_lock(&lock);
        job->is_done = 1;
        pthread_cond_broadcast(&news);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Completes the requests in this thread or in another. */
static void complete_somewhere(int me, unsigned random, int number, MPI_Request *requests,
                               MPI_Status *statuses)
{
    if (random % 2) return complete(random / 2, number, requests, statuses);
    pthread_mutex_lock(&lock);
    jobs[me] = (Job){requests, statuses, number, random / 2, 1, 0};
    pthread_cond_broadcast(&news);
    while (!jobs[me].is_done) pthread_cond_wait(&news, &lock);
    pthread_mutex_unlock(&lock);
}

static void begin_send(unsigned kind, const void *data, int length, int tag, MPI_Comm comm,
                       MPI_Request *request)
{
    switch (kind % 5) {
    case 0: OK(MPI_Isend(data, length, MPI_BYTE, to, tag, comm, request)); break;
    case 1: OK(MPI_Issend(data, length, MPI_BYTE, to, tag, comm, request)); break;
    case 2:
        /* All threads share the attached buffer. It may be full of messages of other threads. */
        if (length > 1000)
            OK(MPI_Isend(data, length, MPI_BYTE, to, tag, comm, request));
        else
            OK(MPI_Ibsend(data, length, MPI_BYTE, to, tag, comm, request));
        break;
    case 3:
        OK(MPI_Send_init(data, length, MPI_BYTE, to, tag, comm, request));
        OK(MPI_Start(request));
        break;
    case 4:
        OK(MPI_Ssend_init(data, length, MPI_BYTE, to, tag, comm, request));
        OK(MPI_Start(request));
        break;
    }
}

static void begin_receive(unsigned kind, void *data, int tag, MPI_Comm comm, MPI_Request *request)
{
    int source = kind / 4 % 2 ? MPI_ANY_SOURCE : from, flag, count;
    MPI_Message message;
    MPI_Status status;
    switch (kind % 4) {
    case 0: OK(MPI_Irecv(data, LARGE, MPI_BYTE, source, tag, comm, request)); break;
    case 1:
        OK(MPI_Recv_init(data, LARGE, MPI_BYTE, source, tag, comm, request));
        OK(MPI_Start(request));
        break;
    case 2:
        OK(MPI_Mprobe(source, tag, comm, &message, &status));
        OK(MPI_Get_count(&status, MPI_BYTE, &count));
        OK(MPI_Imrecv(data, count, MPI_BYTE, &message, request));
        break;
    case 3:
        for (flag = 0; !flag; sched_yield())
            OK(MPI_Iprobe(source, tag, comm, &flag, MPI_STATUS_IGNORE));
        OK(MPI_Irecv(data, LARGE, MPI_BYTE, from, tag, comm, request));
        break;
    }
}

/* Many messages around the ring, each sent and received with a call drawn at random. Receives that
 * probe for their message come last. */
static void messages(int me, unsigned *random, MPI_Comm comm)
{
    static unsigned char sent[THREADS][MANY][LARGE], incoming[THREADS][MANY][LARGE];
    MPI_Request requests[2 * MANY];
    MPI_Status statuses[2 * MANY];
    unsigned kinds[MANY], lengths[MANY], seeds[MANY];
    int many = 1 + next_random(random) % MANY;
    for (int i = 0; i < many; i++)
        kinds[i] = next_random(random), lengths[i] = length_of(next_random(random)),
            seeds[i] = next_random(random) % 10000;
    for (int i = 0; i < many; i++)
        if (kinds[i] % 4 < 2) begin_receive(kinds[i], incoming[me][i], i, comm, &requests[i]);
    for (int i = 0; i < many; i++) {
        fill(sent[me][i], lengths[i], seeds[i] + rank);
        begin_send(next_random(random), sent[me][i], lengths[i], i, comm, &requests[many + i]);
    }
    for (int i = 0; i < many; i++)
        if (kinds[i] % 4 >= 2) begin_receive(kinds[i], incoming[me][i], i, comm, &requests[i]);
    MPI_Request kept[2 * MANY];
    memcpy(kept, requests, sizeof kept);
    complete_somewhere(me, next_random(random), 2 * many, requests, statuses);
    for (int i = 0; i < many; i++) {
        STATUS(&statuses[i], from, i, lengths[i]);
        CHECK(first_wrong(incoming[me][i], lengths[i], seeds[i] + from) < 0,
              "thread %d: message %d of %u bytes is wrong", me, i, lengths[i]);
    }
    for (int i = 0; i < 2 * many; i++) {
        CHECK(requests[i] == MPI_REQUEST_NULL || requests[i] == kept[i],
              "a completing thread changed a request");
        if (requests[i] != MPI_REQUEST_NULL) OK(MPI_Request_free(&requests[i]));
    }
}

static void blocking(int me, unsigned *random, MPI_Comm comm)
{
    static unsigned char sent[THREADS][LARGE], incoming[THREADS][LARGE];
    int length = length_of(next_random(random)), seed = next_random(random) % 10000;
    MPI_Status status;
    MPI_Request request;
    fill(sent[me], length, seed + rank);
    switch (next_random(random) % 4) {
    case 0:
        OK(MPI_Sendrecv(sent[me], length, MPI_BYTE, to, 3, incoming[me], LARGE, MPI_BYTE, from, 3,
                        comm, &status));
        break;
    case 1:
        memcpy(incoming[me], sent[me], length);
        OK(MPI_Sendrecv_replace(incoming[me], length, MPI_BYTE, to, 3, from, 3, comm, &status));
        break;
    case 2:
        OK(MPI_Isendrecv(sent[me], length, MPI_BYTE, to, 3, incoming[me], LARGE, MPI_BYTE, from, 3,
                         comm, &request));
        complete_somewhere(me, next_random(random), 1, &request, &status);
        break;
    case 3:
        OK(MPI_Issend(sent[me], length, MPI_BYTE, to, 3, comm, &request));
        OK(MPI_Recv(incoming[me], LARGE, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        break;
    }
    STATUS(&status, from, 3, length);
    CHECK(first_wrong(incoming[me], length, seed + from) < 0, "thread %d: %d bytes are wrong", me,
          length);
}

/* A receive without a message, and a send that may be matched or not. */
static void cancelling(int me, unsigned *random, MPI_Comm comm)
{
    static unsigned char sent[THREADS][LARGE], incoming[THREADS][LARGE];
    int length = length_of(next_random(random)), cancelled, sent_it, arrives = -1;
    MPI_Request request;
    MPI_Status status;
    OK(MPI_Irecv(incoming[me], LARGE, MPI_BYTE, MPI_ANY_SOURCE, 900, comm, &request));
    OK(MPI_Cancel(&request));
    complete_somewhere(me, next_random(random), 1, &request, &status);
    OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK(cancelled, "a receive without its message is not cancelled");
    OK(MPI_Issend(sent[me], length, MPI_BYTE, to, 901, comm, &request));
    OK(MPI_Cancel(&request));
    complete_somewhere(me, next_random(random) | 1, 1, &request, &status);
    OK(MPI_Test_cancelled(&status, &cancelled));
    /* No receive is posted, so a synchronous send can complete only by being cancelled. */
    CHECK(cancelled, "a synchronous send without its receive is complete");
    sent_it = !cancelled;
    OK(MPI_Sendrecv(&sent_it, 1, MPI_INT, to, 902, &arrives, 1, MPI_INT, from, 902, comm,
                    MPI_STATUS_IGNORE));
    OK(MPI_Iprobe(from, 901, comm, &cancelled, MPI_STATUS_IGNORE));
    CHECK(cancelled == arrives, "a cancelled message was received");
    /* No rank starts the next round before all have looked. */
    OK(MPI_Barrier(comm));
}

static int total_of(int value)
{
    return size * value + size * (size - 1) / 2;
}

static void collectives(int me, unsigned *random, MPI_Comm comm)
{
    enum { N = 2000 };
    static int own[THREADS][3][N], all[THREADS][3][N];
    int count = 1 + next_random(random) % N, value = next_random(random) % 1000,
        root = next_random(random) % size;
    unsigned way = next_random(random);
    MPI_Request requests[3];
    MPI_Status statuses[3];
    for (int i = 0; i < count; i++)
        own[me][0][i] = own[me][1][i] = rank + value + i,
            own[me][2][i] = rank == root ? value + i : -1;
    switch (way % 3) {
    case 0:
        OK(MPI_Allreduce(own[me][0], all[me][0], count, MPI_INT, MPI_SUM, comm));
        OK(MPI_Reduce(own[me][1], all[me][1], count, MPI_INT, MPI_SUM, root, comm));
        OK(MPI_Bcast(own[me][2], count, MPI_INT, root, comm));
        break;
    default:
        if (way % 3 == 1) {
            OK(MPI_Iallreduce(own[me][0], all[me][0], count, MPI_INT, MPI_SUM, comm, &requests[0]));
            OK(MPI_Ireduce(own[me][1], all[me][1], count, MPI_INT, MPI_SUM, root, comm,
                           &requests[1]));
            OK(MPI_Ibcast(own[me][2], count, MPI_INT, root, comm, &requests[2]));
        } else {
            OK(MPI_Allreduce_init(own[me][0], all[me][0], count, MPI_INT, MPI_SUM, comm,
                                  MPI_INFO_NULL, &requests[0]));
            OK(MPI_Reduce_init(own[me][1], all[me][1], count, MPI_INT, MPI_SUM, root, comm,
                               MPI_INFO_NULL, &requests[1]));
            OK(MPI_Bcast_init(own[me][2], count, MPI_INT, root, comm, MPI_INFO_NULL, &requests[2]));
            OK(MPI_Startall(3, requests));
        }
        complete_somewhere(me, next_random(random), 3, requests, statuses);
        for (int i = 0; i < 3; i++)
            if (requests[i] != MPI_REQUEST_NULL) OK(MPI_Request_free(&requests[i]));
    }
    for (int i = 0; i < count; i++) {
        CHECK(all[me][0][i] == total_of(value + i), "thread %d: sum %d is %d", me, i,
              all[me][0][i]);
        CHECK(rank != root || all[me][1][i] == total_of(value + i),
              "thread %d: the root's sum %d is %d", me, i, all[me][1][i]);
        CHECK(own[me][2][i] == value + i, "thread %d: number %d is %d", me, i, own[me][2][i]);
    }
}

static void communicators(int me, unsigned *random, MPI_Comm comm)
{
    MPI_Comm made;
    MPI_Group group;
    MPI_Request request;
    MPI_Status status;
    int result, own, ranks, sum;
    switch (next_random(random) % 4) {
    case 0: OK(MPI_Comm_dup(comm, &made)); break;
    case 1:
        OK(MPI_Comm_idup(comm, &made, &request));
        complete_somewhere(me, next_random(random), 1, &request, &status);
        break;
    case 2: OK(MPI_Comm_split(comm, rank % 2, -rank, &made)); break;
    case 3:
        OK(MPI_Comm_group(comm, &group));
        /* All threads use the same parent. Their tags differ. */
        OK(MPI_Comm_create_group(MPI_COMM_WORLD, group, me, &made));
        OK(MPI_Group_free(&group));
        break;
    }
    OK(MPI_Comm_rank(made, &own));
    OK(MPI_Comm_size(made, &ranks));
    OK(MPI_Comm_compare(comm, made, &result));
    CHECK(result != MPI_IDENT, "a new communicator is identical to the old one");
    if (next_random(random) % 2) {
        OK(MPI_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, made, &request));
        OK(MPI_Comm_free(&made));
        complete_somewhere(me, next_random(random), 1, &request, &status);
    } else {
        OK(MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, made));
        OK(MPI_Comm_free(&made));
    }
    CHECK(sum == ranks * (ranks - 1) / 2, "thread %d: sum %d", me, sum);
}

static void partitions(int me, unsigned *random, MPI_Comm comm)
{
    enum { PARTS = 6, EACH = 500 };
    static int sent[THREADS][PARTS][EACH], incoming[THREADS][PARTS][EACH];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int seed = next_random(random) % 1000;
    OK(MPI_Psend_init(sent[me], PARTS, EACH, MPI_INT, to, 5, comm, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Precv_init(incoming[me], PARTS, EACH, MPI_INT, from, 5, comm, MPI_INFO_NULL,
                      &requests[1]));
    for (int again = 0; again < 2; again++) {
        OK(MPI_Startall(2, requests));
        for (int part = 0; part < PARTS; part++) {
            for (int i = 0; i < EACH; i++)
                sent[me][part][i] = seed + again + rank * 10 + part * 7 + i;
            OK(MPI_Pready(part, requests[0]));
        }
        complete_somewhere(me, next_random(random), 2, requests, statuses);
        for (int part = 0; part < PARTS; part++)
            for (int i = 0; i < EACH; i++)
                CHECK(incoming[me][part][i] == seed + again + from * 10 + part * 7 + i,
                      "thread %d: partition %d", me, part);
    }
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Request_free(&requests[1]));
}

static void windows(int me, unsigned *random, MPI_Comm comm)
{
    MPI_Win win;
    long *memory, one = 1, old, value = next_random(random) % 1000, got = -1;
    int ranks = size, target = (rank + 1) % ranks;
    OK(MPI_Win_allocate(4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, comm, &memory, &win));
    memset(memory, 0, 4 * sizeof *memory);
    OK(MPI_Win_fence(0, win));
    long mine = value + rank;
    OK(MPI_Put(&mine, 1, MPI_LONG, target, 0, 1, MPI_LONG, win));
    OK(MPI_Accumulate(&one, 1, MPI_LONG, target, 1, 1, MPI_LONG, MPI_SUM, win));
    OK(MPI_Win_fence(0, win));
    CHECK(memory[0] == value + from && memory[1] == 1, "thread %d: the window has %ld, %ld", me,
          memory[0], memory[1]);
    OK(MPI_Win_lock_all(0, win));
    OK(MPI_Fetch_and_op(&one, &old, MPI_LONG, 0, 2, MPI_SUM, win));
    OK(MPI_Win_flush(0, win));
    CHECK(old >= 0 && old < ranks, "thread %d: the previous value was %ld", me, old);
    MPI_Request request;
    MPI_Status status;
    OK(MPI_Rget(&got, 1, MPI_LONG, rank, 0, 1, MPI_LONG, win, &request));
    complete_somewhere(me, next_random(random), 1, &request, &status);
    OK(MPI_Win_unlock_all(win));
    CHECK(got == value + from, "thread %d: %ld was read", me, got);
    OK(MPI_Win_free(&win));
    /* One window of all threads. */
    int owner = next_random(random) % ranks;
    OK(MPI_Fetch_and_op(&one, &old, MPI_LONG, owner, 0, MPI_SUM, counters));
    OK(MPI_Win_flush(owner, counters));
    atomic_fetch_add(&added[owner], 1);
}

static int query(void *extra, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_BYTE, (int)(long)extra);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = 7;
    return MPI_SUCCESS;
}

static int free_nothing(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel_nothing(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

static void *finishes(void *request)
{
    OK(MPI_Grequest_complete(*(MPI_Request *)request));
    return NULL;
}

/* A generalized request, which another thread completes while this one waits, and objects that need
 * no partner. */
static void objects(int me, unsigned *random, MPI_Comm comm)
{
    MPI_Request request, same;
    MPI_Status status;
    MPI_Datatype type;
    MPI_Info info;
    MPI_Group group, half;
    pthread_t thread;
    int count, flag, length = 16, key;
    char text[16] = "";
    OK(MPI_Grequest_start(query, free_nothing, cancel_nothing, (void *)(long)(me + 40), &request));
    same = request;
    CHECK(pthread_create(&thread, NULL, finishes, &same) == 0, "no thread");
    complete_somewhere(me, next_random(random), 1, &request, &status);
    pthread_join(thread, NULL);
    STATUS(&status, 7, 7, me + 40);
    OK(MPI_Type_vector(3, 2, 5, MPI_INT, &type));
    OK(MPI_Type_commit(&type));
    OK(MPI_Type_size(type, &count));
    CHECK(count == 24, "%d bytes", count);
    OK(MPI_Type_free(&type));
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "key", "value"));
    OK(MPI_Info_get_string(info, "key", &length, text, &flag));
    CHECK(flag && strcmp(text, "value") == 0, "\"%s\"", text);
    OK(MPI_Info_free(&info));
    OK(MPI_Comm_group(comm, &group));
    OK(MPI_Group_incl(group, 1, &rank, &half));
    OK(MPI_Group_size(half, &count));
    CHECK(count == 1, "%d members", count);
    OK(MPI_Group_free(&half));
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    OK(MPI_Comm_set_attr(comm, key, text));
    void *found = NULL;
    OK(MPI_Comm_get_attr(comm, key, &found, &flag));
    CHECK(flag && found == text, "the attribute is wrong");
    OK(MPI_Comm_delete_attr(comm, key));
    OK(MPI_Comm_free_keyval(&key));
}

static void sessions(int me, unsigned *random)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    char tag[32];
    int sum, one = 1;
    (void)random;
    snprintf(tag, sizeof tag, "thread %d", me);
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    OK(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    OK(MPI_Group_free(&group));
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == size, "thread %d: sum %d", me, sum);
    OK(MPI_Comm_free(&comm));
    OK(MPI_Session_finalize(&session));
}

static void *everything(void *argument)
{
    int me = (int)(long)argument;
    unsigned random = 1000 + me;
    for (int round = 0; round < repeats; round++) {
        MPI_Comm comm = comms[me];
        switch (next_random(&random) % 12) {
        case 0:
        case 1:
        case 2: messages(me, &random, comm); break;
        case 3:
        case 4: blocking(me, &random, comm); break;
        case 5: cancelling(me, &random, comm); break;
        case 6: collectives(me, &random, comm); break;
        case 7: communicators(me, &random, comm); break;
        case 8: partitions(me, &random, comm); break;
        case 9:
            if (counters != MPI_WIN_NULL) windows(me, &random, comm);
            break;
        case 10: objects(me, &random, comm); break;
        case 11: sessions(me, &random); break;
        }
    }
    return NULL;
}

/* A window of one counter, which all threads increment. Not used if processes share no memory. */
static void open_counters(void)
{
    int class;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    int code = MPI_Win_allocate(sizeof *counted, sizeof *counted, MPI_INFO_NULL, MPI_COMM_WORLD,
                                &counted, &counters);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    if (code != MPI_SUCCESS) {
        OK(MPI_Error_class(code, &class));
        CHECK(class == MPI_ERR_UNSUPPORTED_OPERATION, "%s", error_text(code));
        counters = MPI_WIN_NULL;
        return;
    }
    *counted = 0;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, counters));
}

static void close_counters(void)
{
    long total = 0;
    OK(MPI_Win_unlock_all(counters));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, counters));
    long mine = *counted;
    OK(MPI_Win_unlock(rank, counters));
    for (int i = 0; i < size; i++) {
        long here = atomic_load(&added[i]);
        OK(MPI_Reduce(&here, &total, 1, MPI_LONG, MPI_SUM, i, MPI_COMM_WORLD));
        if (i == rank) CHECK(total == mine, "%ld were added, the counter is %ld", total, mine);
    }
    OK(MPI_Win_free(&counters));
}

int main(int argc, char **argv)
{
    pthread_t completers[THREADS];
    begin_threads(&argc, &argv);
    if (getenv("ROUNDS")) repeats = atoi(getenv("ROUNDS"));
    to = (rank + 1) % size, from = (rank + size - 1) % size;
    void *buffer = malloc(BUFFERED);
    int detached;
    OK(MPI_Buffer_attach(buffer, BUFFERED));
    for (int i = 0; i < THREADS; i++) OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
    open_counters();
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&completers[i], NULL, completer, NULL) == 0, "no thread");
    in_threads(THREADS, everything);
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_cond_broadcast(&news);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; i++) pthread_join(completers[i], NULL);
    if (counters != MPI_WIN_NULL) close_counters();
    for (int i = 0; i < THREADS; i++) OK(MPI_Comm_free(&comms[i]));
    OK(MPI_Buffer_detach(&buffer, &detached));
    free(buffer);
    return MPI_Finalize();
}
