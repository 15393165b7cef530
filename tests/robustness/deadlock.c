/* deadlock WORD: three ranks, of which some can never continue.
 *
 *   cycle     all wait in receives, each for its right neighbour
 *   part      ranks 0 and 1 wait for each other, rank 2 is outside MPI
 *   calls     rank 0 is in MPI_Barrier, ranks 1 and 2 wait for messages of rank 0
 *   tag       rank 1 waits for tag 81, and rank 0 has sent tag 80
 *   polls     rank 0 tests a receive from rank 1, which is outside MPI
 *   all_poll  each tests a receive from its right neighbour
 *   seldom    the same, and sleeps a second or two between the tests
 *   outside   rank 0 waits for rank 1, which is outside MPI
 *   states    rank 0 waits for rank 1, which computes, and rank 2 is stopped by a signal
 *   accept    all ranks wait for another job, which may connect at any time
 *   join      each rank waits for the other end of a socket
 *   parts     all wait in receives on a communicator without a name, and on one with a name
 *   lanes     two threads of each rank wait, on a communicator in a lane of its own each
 *
 * and some jobs that look like it and go on, because rank 2 sends after 12 seconds:
 *
 *   any       rank 0 waits for one of two receives; rank 1, the source of one, waits for rank 0
 *   open      rank 0 has a receive from rank 1 open, which waits for rank 0, and is in a barrier
 *             with rank 2
 */

#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int word;

static void receive(int source, int tag) {
    MPI_Recv(&word, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_word(int destination, int tag) {
    MPI_Send(&word, 1, MPI_INT, destination, tag, MPI_COMM_WORLD);
}

__attribute__((noinline)) static void compute(void) {
    for (volatile double value = 1;; value = value * 1.5 - value / 3)
        ;
}

static void any(int rank) {
    MPI_Request requests[2];
    int which, words[2];
    if (rank == 0) {
        for (int source = 1; source <= 2; source++)
            MPI_Irecv(&words[source - 1], 1, MPI_INT, source, 7, MPI_COMM_WORLD,
                      &requests[source - 1]);
        MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
        send_word(1, 7);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else if (rank == 1) {
        receive(0, 7);
        send_word(0, 7);
    } else {
        sleep(12);
        send_word(0, 7);
    }
}

static void open_receive(int rank) {
    MPI_Comm some;
    MPI_Request request;
    int early;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1, 0, &some);
    if (rank == 0) {
        MPI_Irecv(&early, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
        MPI_Barrier(some);
        send_word(1, 7);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        receive(0, 7);
        send_word(0, 7);
    } else {
        sleep(12);
        MPI_Barrier(some);
    }
    MPI_Comm_free(&some);
}

static void accept_another_job(void) {
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm other;
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
}

static void join_another_process(void) {
    int ends[2];
    MPI_Comm other;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    MPI_Comm_join(ends[0], &other);
}

__attribute__((noinline)) static void receive_on_parts(int rank) {
    MPI_Comm parts, named;
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &parts);
    MPI_Comm_dup(parts, &named);
    MPI_Comm_set_name(named, "halo");
    MPI_Recv(&word, 1, MPI_INT, (rank + 1) % 3, 7, rank ? parts : named, MPI_STATUS_IGNORE);
}

static MPI_Comm lanes[2];
static int ring[2];

/* Each message goes round the ring, and then each rank waits for one that nobody sends. */
static void *wait_in_lane(void *lane) {
    long i = (long)lane;
    int token = 0;
    MPI_Sendrecv(&token, 1, MPI_INT, ring[0], 5, &token, 1, MPI_INT, ring[1], 5, lanes[i],
                 MPI_STATUS_IGNORE);
    MPI_Recv(&token, 1, MPI_INT, ring[0], 7 + (int)i, lanes[i], MPI_STATUS_IGNORE);
    return NULL;
}

static void wait_in_lanes(int rank) {
    MPI_Info info;
    pthread_t threads[2];
    ring[0] = (rank + 1) % 3, ring[1] = (rank + 2) % 3;
    MPI_Info_create(&info);
    for (int i = 0; i < 2; i++) {
        MPI_Info_set(info, "nemesis_lane", i ? "2" : "1");
        MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &lanes[i]);
        MPI_Comm_set_name(lanes[i], i ? "second" : "first");
    }
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, wait_in_lane, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
    int rank, done = 0, provided;
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Request request;
    MPI_Init_thread(&argc, &argv, strcmp(what, "lanes") ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE,
                    &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(what, "cycle")) {
        receive((rank + 1) % 3, 7);
    } else if (!strcmp(what, "part")) {
        if (rank == 2)
            pause();
        receive(1 - rank, 7);
    } else if (!strcmp(what, "calls")) {
        if (rank == 0)
            MPI_Barrier(MPI_COMM_WORLD);
        receive(0, 7);
    } else if (!strcmp(what, "tag")) {
        if (rank == 0)
            send_word(1, 80);
        if (rank == 1)
            receive(0, 81);
    } else if (!strcmp(what, "all_poll") || !strcmp(what, "seldom") ||
               (!strcmp(what, "polls") && rank == 0)) {
        unsigned pause_us = !strcmp(what, "seldom") ? 1200000 + 300000 * (unsigned)rank : 100;
        MPI_Irecv(&word, 1, MPI_INT, (rank + 1) % 3, 7, MPI_COMM_WORLD, &request);
        while (!done) {
            usleep(pause_us);
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        }
    } else if (!strcmp(what, "polls") || (!strcmp(what, "outside") && rank > 0)) {
        pause();
    } else if (!strcmp(what, "outside")) {
        receive(1, 7);
    } else if (!strcmp(what, "states")) {
        if (rank == 0)
            receive(1, 7);
        else if (rank == 1)
            compute();
        else
            raise(SIGSTOP);
    } else if (!strcmp(what, "accept")) {
        accept_another_job();
    } else if (!strcmp(what, "join")) {
        join_another_process();
    } else if (!strcmp(what, "parts")) {
        receive_on_parts(rank);
    } else if (!strcmp(what, "lanes")) {
        wait_in_lanes(rank);
    } else if (!strcmp(what, "any")) {
        any(rank);
    } else if (!strcmp(what, "open")) {
        open_receive(rank);
    }
    MPI_Finalize();
    return 0;
}
