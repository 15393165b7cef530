/* A correct program in which, for eight seconds, one rank is in MPI_Finalize and another one waits.
 * mpiexec must not end it.
 *
 * patient neighbour: rank 0 waits for rank 2, which sleeps first.
 * patient thread: a thread of rank 0 waits for its main thread, which sleeps first. */

#include <mpi.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static void *receive(void *source) {
    int got;
    MPI_Recv(&got, 1, MPI_INT, *(int *)source, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

static void send_late(void) {
    int sent = 1;
    sleep(8);
    MPI_Send(&sent, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int rank, level, source;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int in_thread = !strcmp(argv[1], "thread");
    source = in_thread ? 0 : 2;
    if (rank == 0 && in_thread) {
        pthread_t thread;
        pthread_create(&thread, NULL, receive, &source);
        send_late();
        pthread_join(thread, NULL);
    } else if (rank == 0) {
        receive(&source);
    } else if (rank == 2 && !in_thread) {
        send_late();
    }
    MPI_Finalize();
    return 0;
}
