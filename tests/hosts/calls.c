/* Messages back and forth; when rank 0 looks for the answer it has long been there. scripts/test-calls counts the system calls between two marks.
 *
 *   calls ROUNDS BYTES */

#include <mpi.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

/* Something that nobody else calls, to be found in the list of calls. */
static void mark(void) { prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

static void pause_a_little(void)
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
        /* The connection stands after the first rounds. */
        if (round == 3) mark();
        if (rank == 0) MPI_Send(message, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        /* Far longer than the way there and back. */
        if (rank == 0) pause_a_little();
        MPI_Recv(message, bytes, MPI_CHAR, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(message, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    mark();
    MPI_Finalize();
    return 0;
}
