/* Communicators whose messages travel in lanes of their own: what the checks and the state reports
 * say must not depend on the lane. Each lane numbers its requests alike, so that those of two lanes
 * have one name inside. The cases initialize MPI themselves, for threads. */
#include "cases.h"
#include <pthread.h>
#include <unistd.h>

enum { LANES = 2, PATIENCE = 9 };

static MPI_Comm comms[LANES];
static int data[LANES][64];

/* With `by_tag` one communicator takes the place of both: each tag has a lane. */
static void begin_in(int by_tag)
{
    int provided;
    MPI_Info info;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    MPI_Info_create(&info);
    for (int i = 0; i < LANES; i++) {
        char lane[] = {(char)('1' + i), 0}, name[] = "lane .";
        if (by_tag && i > 0) {
            comms[i] = comms[0];
            break;
        }
        MPI_Info_set(info, "nemesis_lane", by_tag ? "tag" : lane);
        MPI_Info_set(info, "mpi_assert_no_any_tag", by_tag ? "true" : "false");
        MPI_Comm_dup_with_info(WORLD, info, &comms[i]);
        name[5] = lane[0];
        MPI_Comm_set_name(comms[i], name);
    }
    MPI_Info_free(&info);
}

static void begin(void)
{
    begin_in(0);
}

static void end(void)
{
    int number = comms[0] == comms[1] ? 1 : LANES;
    for (int i = 0; i < number; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
}

static void in_threads(void *(*function)(void *))
{
    pthread_t threads[LANES];
    for (long i = 0; i < LANES; i++)
        pthread_create(&threads[i], NULL, function, (void *)i);
    for (int i = 0; i < LANES; i++)
        pthread_join(threads[i], NULL);
}

/* Receives before the other rank sends. */
static void *receive_first(void *lane)
{
    long i = (long)lane;
    MPI_Recv(data[i], 4, MPI_INT, 1 - rank, 10 + (int)i, comms[i], IGNORE);
    MPI_Send(data[i], 4, MPI_INT, 1 - rank, 10 + (int)i, comms[i]);
    return NULL;
}

/* Rank 0 receives, and rank 1 sends after a time in which a job looks as if it stood still. */
static void *be_patient(void *lane)
{
    long i = (long)lane;
    if (rank == 0) {
        MPI_Recv(data[i], 4, MPI_INT, 1, 1, comms[i], IGNORE);
    } else {
        if (i == 1)
            sleep(PATIENCE);
        MPI_Send(data[i], 4, MPI_INT, 0, 1, comms[i]);
    }
    return NULL;
}

/* As `be_patient`, with a tag for each thread. */
static void *be_patient_by_tag(void *lane)
{
    long i = (long)lane;
    if (rank == 1 && i == 1)
        sleep(PATIENCE);
    if (rank == 1)
        MPI_Send(data[i], 4, MPI_INT, 0, 10 + (int)i, comms[i]);
    else
        MPI_Recv(data[i], 4, MPI_INT, 1, 10 + (int)i, comms[i], IGNORE);
    return NULL;
}

/* One thread of each rank waits until a message has come, and the other sends one. */
static void *wake_each_other(void *lane)
{
    long i = (long)lane;
    for (int round = 0; round < 3; round++) {
        if (i == 0) {
            MPI_Recv(data[0], 4, MPI_INT, 1 - rank, round, comms[0], IGNORE);
        } else {
            sleep(2);
            MPI_Send(data[1], 4, MPI_INT, 1 - rank, round, comms[0]);
            MPI_Sendrecv_replace(data[1], 4, MPI_INT, 1 - rank, 5, 1 - rank, 5, comms[1], IGNORE);
        }
    }
    return NULL;
}

static void threads(int way, int by_tag)
{
    static void *(*const ways[])(void *) = {receive_first, be_patient, wake_each_other,
                                            be_patient_by_tag};
    begin_in(by_tag);
    in_threads(ways[way]);
    end();
}

/* One call waits for requests of two lanes, and of MPI_COMM_WORLD. */
static void several(int call, int patient)
{
    MPI_Request requests[3];
    int index, count, indices[3];
    begin();
    if (rank == 0) {
        MPI_Irecv(data[0], 4, MPI_INT, 1, 3, comms[0], &requests[0]);
        MPI_Irecv(data[1], 4, MPI_INT, 2, 3, comms[1], &requests[1]);
        MPI_Irecv(data[0] + 8, 4, MPI_INT, 1, 3, WORLD, &requests[2]);
        if (call == 0)
            MPI_Waitany(3, requests, &index, IGNORE);
        else if (call == 1)
            MPI_Waitsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
        else
            MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        MPI_Send(data[0] + 16, 1, MPI_INT, 1, 3, WORLD);
    } else if (rank == 1) {
        if (call == 2 && patient) {
            MPI_Send(data[0], 4, MPI_INT, 0, 3, WORLD);
            MPI_Send(data[0], 4, MPI_INT, 0, 3, comms[0]);
        }
        MPI_Recv(data[0], 1, MPI_INT, 0, 3, WORLD, IGNORE);
        if (call != 2) {
            MPI_Send(data[0], 4, MPI_INT, 0, 3, WORLD);
            MPI_Send(data[0], 4, MPI_INT, 0, 3, comms[0]);
        }
    } else if (patient) {
        sleep(PATIENCE);
        MPI_Send(data[0], 4, MPI_INT, 0, 3, comms[1]);
    } else {
        MPI_Recv(data[0], 1, MPI_INT, 0, 3, comms[1], IGNORE);
    }
    if (rank == 0 && call != 2)
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    end();
}

static void overwritten(int both, int unused)
{
    (void)unused;
    MPI_Request first[LANES], second[LANES];
    begin();
    for (int i = 0; i < LANES; i++) {
        MPI_Irecv(data[i], 4, MPI_INT, 1 - rank, 4, comms[i], &first[i]);
        MPI_Isend(data[i] + 8, 4, MPI_INT, 1 - rank, 4, comms[i],
                  i < both ? &first[i] : &second[i]);
    }
    for (int i = 0; i < LANES; i++) {
        MPI_Wait(&first[i], IGNORE);
        if (i >= both)
            MPI_Wait(&second[i], IGNORE);
    }
    MPI_Barrier(WORLD);
    end();
}

static void lost(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Request request;
    begin();
    if (rank == 0) {
        MPI_Isend(data[1], 4, MPI_INT, 1, 6, comms[1], &request);
        MPI_Request_free(&request);
    } else {
        MPI_Irecv(data[0], 4, MPI_INT, 0, 7, comms[0], &request);
    }
    MPI_Barrier(WORLD);
    MPI_Finalize();
}

/* Two lanes receive into one buffer, or into one each, or rank 0 sends another type. */
static void buffers_of(int overlap, int other_type)
{
    MPI_Request requests[LANES];
    begin();
    if (rank == 0) {
        for (int i = 0; i < LANES; i++)
            MPI_Irecv(data[overlap ? 0 : i], 4, MPI_INT, 1, 2, comms[i], &requests[i]);
        MPI_Send(data[1] + 40, 1, MPI_INT, 1, 2, WORLD);
        MPI_Waitall(LANES, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Recv(data[1] + 40, 1, MPI_INT, 0, 2, WORLD, IGNORE);
        MPI_Send(data[0], 4, MPI_INT, 0, 2, comms[0]);
        MPI_Send(data[1], 4, other_type ? MPI_FLOAT : MPI_INT, 0, 2, comms[1]);
    }
    end();
}

/* Changes the buffer of a send, or reads that of another lane. */
static void changed(int lane, int unused)
{
    (void)unused;
    MPI_Request requests[LANES];
    begin();
    for (int i = 0; i < LANES; i++) {
        if (rank == 0)
            MPI_Isend(data[i], 4, MPI_INT, 1, 2, comms[i], &requests[i]);
    }
    if (rank == 0) {
        if (lane >= 0)
            data[lane][1]++;
        MPI_Send(data[1] + 40, 1, MPI_INT, 1, 2, WORLD);
        MPI_Waitall(LANES, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Recv(data[1] + 40, 1, MPI_INT, 0, 2, WORLD, IGNORE);
        for (int i = 0; i < LANES; i++)
            MPI_Recv(data[i], 4, MPI_INT, 0, 2, comms[i], IGNORE);
    }
    end();
}

static void partitions(int missing, int unused)
{
    (void)unused;
    MPI_Request requests[LANES];
    begin();
    for (int i = 0; i < LANES; i++) {
        if (rank == 0)
            MPI_Psend_init(data[i], 4, 2, MPI_INT, 1, 3, comms[i], MPI_INFO_NULL, &requests[i]);
        else
            MPI_Precv_init(data[i], 4, 2, MPI_INT, 0, 3, comms[i], MPI_INFO_NULL, &requests[i]);
    }
    MPI_Startall(LANES, requests);
    for (int part = 0; rank == 0 && part < 4; part++) {
        for (int i = 0; i < LANES; i++) {
            if (!(missing && i == 1 && part == 2))
                MPI_Pready(part, requests[i]);
        }
    }
    MPI_Waitall(LANES, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < LANES; i++)
        MPI_Request_free(&requests[i]);
    end();
}

/* Each rank sends before the other one receives, in both lanes. */
static void *send_first(void *lane)
{
    long i = (long)lane;
    MPI_Send(data[i], 4, MPI_INT, 1 - rank, 8, comms[i]);
    MPI_Recv(data[i], 4, MPI_INT, 1 - rank, 8, comms[i], IGNORE);
    return NULL;
}

static void unsafe(int unused, int unused2)
{
    (void)unused, (void)unused2;
    begin();
    in_threads(send_first);
    end();
}

#define STUCK "the job cannot go on"

const struct test_case lanes[] = {
    {"lanes_threads_wait", 2,
     STUCK "|another thread waits for a message from rank 1 of lane |a message from rank 1 of "
           "lane 2, tag 11, room for 4 MPI_INT|a message from rank 1 of lane 1, tag 10",
     threads, 0, 0},
    {"lanes_tags_wait", 2,
     STUCK "|another thread waits for a message from rank 1 of lane 1, tag 1|a message from rank 1 "
           "of lane 1, tag 10, room for 4 MPI_INT|a message from rank 1 of lane 1, tag 11, room",
     threads, 0, 1},
    {"lanes_waitany", 3, STUCK "|MPI_Waitany: 3 requests not complete", several, 0, 0},
    {"lanes_waitsome", 3, STUCK "|MPI_Waitsome: 3 requests not complete", several, 1, 0},
    {"lanes_waitall", 3, STUCK "|MPI_Waitall: 3 requests not complete", several, 2, 0},
    {"lanes_overwritten", 2, "overwritten before|MPI_Irecv in overwritten", overwritten, 1, 0},
    {"lanes_overwritten_both", 2, "overwritten before", overwritten, 2, 0},
    {"lanes_lost", 2,
     "messages never received|from rank 0 of lane 2, tag 6|requests never completed|from rank 0 of "
     "lane 1, tag 7",
     lost, 0, 0},
    {"lanes_overlap", 2, "memory at 0 bytes from the start of its buffer", buffers_of, 1, 0},
    {"lanes_other_type", 2, "16 bytes with tag 2, sent as MPI_FLOAT, received as MPI_INT",
     buffers_of, 0, 1},
    {"lanes_changed_first", 2, "changed", changed, 0, 0},
    {"lanes_changed_second", 2, "changed", changed, 1, 0},
    {"lanes_partition_missing", 2, STUCK "|1 of 4 partitions is not marked ready, the first is 2",
     partitions, 1, 0},
    {"lanes_unsafe", 2, STUCK "|MPI_Send", unsafe, 0, 0},
    {0}};

const struct test_case right_lanes[] = {
    {"right_lanes_patient", 2, "", threads, 1, 0},
    {"right_lanes_patient_tags", 2, "", threads, 3, 1},
    {"right_lanes_wake", 2, "", threads, 2, 0},
    {"right_lanes_waitany", 3, "", several, 0, 1},
    {"right_lanes_waitsome", 3, "", several, 1, 1},
    {"right_lanes_waitall", 3, "", several, 2, 1},
    {"right_lanes_variables", 2, "", overwritten, 0, 0},
    {"right_lanes_buffers", 2, "", buffers_of, 0, 0},
    {"right_lanes_unchanged", 2, "", changed, -1, 0},
    {"right_lanes_partitions", 2, "", partitions, 0, 0},
    {0}};
