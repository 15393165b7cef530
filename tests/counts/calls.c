/* calls MODE TIMES: makes MPI calls whose instructions callgrind counts (scripts/jobs counts). What
 * a call waits for has always arrived, so that no count depends on time: the receiver sleeps before
 * it receives, and a posted receive finds no message. The first calls are not counted. Modes that
 * begin with lane- have MPI_THREAD_MULTIPLE and a communicator whose messages travel in a lane;
 * those that begin with device- have a driver of devices. */
#include <dlfcn.h>
#include <mpi.h>
#include <valgrind/callgrind.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEND, ISEND, WINDOW, PUT, WILD, FLUSH, FETCH, BARRIER, BCAST, REDUCE, SUM, MODES };
enum { MESSAGES = 64, WARM = 6, UNCOUNTED = 10, UNCOUNTED_IN_LANE = 50 };
static const char *const names[MODES] = {"send", "isend", "window", "put", "wild", "flush", "fetch",
                                         "barrier", "bcast", "reduce", "sum"};
static const struct timespec short_pause = {0, 10000000};
static int rank;
static MPI_Comm comm;

/* Both ranks have come here, and every message between them has been received. Uses only functions
 * that are not counted in the modes that call it. */
static void synchronise(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void one_message(int source, int tag)
{
    double word = 1;
    if (rank == 0) {
        MPI_Send(&word, 1, MPI_DOUBLE, 1, 0, comm);
    } else {
        nanosleep(&short_pause, NULL);
        MPI_Recv(&word, 1, MPI_DOUBLE, source, tag, comm, MPI_STATUS_IGNORE);
    }
}

static void one_request(void)
{
    double word = 1;
    MPI_Request request;
    if (rank == 0) {
        synchronise();
        MPI_Isend(&word, 1, MPI_DOUBLE, 1, 0, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Irecv(&word, 1, MPI_DOUBLE, 0, 0, comm, &request);
        synchronise();
        nanosleep(&short_pause, NULL);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* A window of messages and MPI_Waitall, as in bench/rate.c. */
static void one_window(void)
{
    static double words[MESSAGES];
    MPI_Request requests[MESSAGES];
    if (rank == 0) {
        synchronise();
        for (int i = 0; i < MESSAGES; i++)
            MPI_Isend(&words[i], 1, MPI_DOUBLE, 1, 0, comm, &requests[i]);
    } else {
        for (int i = 0; i < MESSAGES; i++)
            MPI_Irecv(&words[i], 1, MPI_DOUBLE, 0, 0, comm, &requests[i]);
        synchronise();
        nanosleep(&short_pause, NULL);
    }
    MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
}

/* Rank 0 enters after rank 1 has published its contribution. Rank 1 sleeps if it waits for that of
 * rank 0. */
static void one_collective(int mode)
{
    double word = 1, sum;
    if (rank == 0) nanosleep(&short_pause, NULL);
    if (mode == BARRIER) MPI_Barrier(MPI_COMM_WORLD);
    if (mode == BCAST) MPI_Bcast(&word, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    if (mode == REDUCE) MPI_Reduce(&word, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (mode == SUM) MPI_Allreduce(&word, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* Returns a communicator whose messages travel in a lane other than the first. */
static MPI_Comm comm_in_lane(void)
{
    MPI_Comm copy;
    MPI_Info info;
    char lane[8] = "";
    int length = sizeof lane, flag;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_get_info(copy, &info);
    MPI_Info_get_string(info, "nemesis_lane", &length, lane, &flag);
    MPI_Info_free(&info);
    if (atoi(lane) == 0) MPI_Abort(MPI_COMM_WORLD, 3);
    return copy;
}

/* Loads and initialises the driver of tests/gpu. */
static void load_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    int (*init)(unsigned) = NULL;
    if (library) *(void **)&init = dlsym(library, "cuInit");
    if (!init || init(0) != 0) abort();
}

int main(int argc, char **argv)
{
    int mode = 0, times = argc > 2 ? atoi(argv[2]) : 0, provided;
    int in_lane = argc > 1 && strncmp(argv[1], "lane-", 5) == 0;
    int has_device = argc > 1 && strncmp(argv[1], "device-", 7) == 0;
    int uncounted = in_lane ? UNCOUNTED_IN_LANE : UNCOUNTED;
    const char *name = argc > 1 ? argv[1] + 5 * in_lane + 7 * has_device : "";
    double word = 1, *memory;
    long one = 1, before, all[2];
    MPI_Win window;
    if (has_device) load_driver();
    MPI_Init_thread(&argc, &argv, in_lane ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    comm = in_lane ? comm_in_lane() : MPI_COMM_WORLD;
    while (mode < MODES && strcmp(name, names[mode]) != 0) mode++;
    /* Windows and collectives are in the first lane. */
    if (mode == MODES || times < 1 || (in_lane && mode > WINDOW)) MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock_all(0, window);
    /* The fourth collective on a communicator creates its collective segment. */
    for (int i = 0; i < WARM; i++)
        MPI_Allgather(&one, 1, MPI_LONG, all, 1, MPI_LONG, MPI_COMM_WORLD);
    for (int i = 0; i < uncounted + times; i++) {
        CALLGRIND_ZERO_STATS;
        if (mode == SEND) one_message(0, 0);
        if (mode == WILD) one_message(MPI_ANY_SOURCE, MPI_ANY_TAG);
        if (mode == ISEND) one_request();
        if (mode == WINDOW) one_window();
        if (mode == PUT && rank == 0) MPI_Put(&word, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, window);
        if (mode == FLUSH && rank == 0) MPI_Win_flush(1, window);
        if (mode == FETCH && rank == 0)
            MPI_Fetch_and_op(&one, &before, MPI_LONG, 1, 0, MPI_SUM, window);
        if (mode >= BARRIER) one_collective(mode);
        if (mode != BARRIER) synchronise();
        if (i >= uncounted) CALLGRIND_DUMP_STATS;
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    if (in_lane) MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
