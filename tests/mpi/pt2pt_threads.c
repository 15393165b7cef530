/* Under MPI_THREAD_MULTIPLE a blocking call of one thread does not block another thread (MPI 5.0
 * §11.6): threads that communicate on communicators and tags of their own, a receive that only
 * another thread of the same process can match, and many threads in waits at once.
 *
 * seconds: 60
 */

#include "check.h"
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 2000, LARGE = 50000 };

static MPI_Comm comms[THREADS];
static int to, from;

/* The ring of each thread, with lengths of all protocols. */
static void *ring(void *argument)
{
    int me = (int)(long)argument;
    unsigned char *sent = malloc(LARGE), *incoming = malloc(LARGE);
    for (int round = 0; round < ROUNDS; round++) {
        static const int lengths[] = {4, 4, 40, 4, 300, 4, 5000, 4, LARGE, 4};
        int length = lengths[round % 10];
        MPI_Status status;
        MPI_Request request;
        fill(sent, length, rank * 10 + me + round);
        OK(MPI_Irecv(incoming, LARGE, MPI_BYTE, from, me, comms[me], &request));
        OK(MPI_Send(sent, length, MPI_BYTE, to, me, comms[me]));
        OK(MPI_Wait(&request, &status));
        STATUS(&status, from, me, length);
        CHECK(first_wrong(incoming, length, from * 10 + me + round) < 0,
              "thread %d, round %d: the message is wrong", me, round);
    }
    free(sent), free(incoming);
    return NULL;
}

/* Blocks until the main thread of the same process sends. */
static void *blocked(void *argument)
{
    int number = -1;
    (void)argument;
    OK(MPI_Recv(&number, 1, MPI_INT, rank, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(number == 4711, "received %d", number);
    return NULL;
}

/* A ping-pong between two threads of one process, which alternate in the progress engine. */
static void *pong(void *argument)
{
    int number;
    (void)argument;
    for (int round = 0; round < ROUNDS; round++) {
        OK(MPI_Recv(&number, 1, MPI_INT, rank, 60, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Send(&number, 1, MPI_INT, rank, 61, MPI_COMM_WORLD));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided = -1, number = 4711;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(provided == MPI_THREAD_MULTIPLE, "thread level %d is provided", provided);
    to = (rank + 1) % size, from = (rank + size - 1) % size;
    for (int i = 0; i < THREADS; i++) OK(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comms[i]));

    /* The first call fills the table of data bytes. It must happen before there are threads. */
    numbers(0);
    pthread_create(&threads[0], NULL, blocked, NULL);
    /* Long enough for the thread to fall asleep in its receive. */
    usleep(20000);
    for (int i = 0; i < 5; i++) OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Send(&number, 1, MPI_INT, rank, 50, MPI_COMM_WORLD));
    pthread_join(threads[0], NULL);

    pthread_create(&threads[0], NULL, pong, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        int back = -1;
        OK(MPI_Send(&round, 1, MPI_INT, rank, 60, MPI_COMM_WORLD));
        OK(MPI_Recv(&back, 1, MPI_INT, rank, 61, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(back == round, "the answer is %d instead of %d", back, round);
    }
    pthread_join(threads[0], NULL);

    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, ring, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) OK(MPI_Comm_free(&comms[i]));
    return MPI_Finalize();
}
