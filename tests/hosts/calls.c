/* calls ROUNDS BYTES: a ping-pong in which the answer has long arrived when rank 0 receives it.
 * scripts/jobs calls counts the system calls between the two marks. */

#include <mpi.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

/* A system call that nothing else makes, to find this place in the trace. */
static void mark(void) { prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

static void pause_shortly(void)
{
    struct timespec time = {.tv_nsec = 5000000};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

int main(int argc, char **argv)
{
    int rank;
    static char message[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int rounds = argc == 3 ? atoi(argv[1]) : 0, bytes = argc == 3 ? atoi(argv[2]) : 0;
    for (int round = 0; round < rounds + 3; round++) {
        /* The connection is established in the first rounds. */
        if (round == 3) mark();
        if (rank == 0) MPI_Send(message, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        /* Much longer than a round trip. */
        if (rank == 0) pause_shortly();
        MPI_Recv(message, bytes, MPI_CHAR, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(message, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    mark();
    MPI_Finalize();
    return 0;
}
