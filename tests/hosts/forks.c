/* Forks, and calls system(), while messages are under way by a network with registered memory. Used
 * by scripts/jobs verbs.
 *
 * Two or more processes pass a long message around in each round. The child of a round writes the
 * buffers, in its own copy of them. Prints nothing and exits with 0 if every message has the right
 * bytes. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 1 << 20, ROUNDS = 6, TAG = 5 };

static void fail(int rank, int round, const char *what)
{
    printf("rank %d, round %d: %s\n", rank, round, what);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *out = malloc(BYTES), *in = malloc(BYTES), *expected = malloc(BYTES);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request requests[2];
        int from = (rank + size - 1) % size, to = (rank + 1) % size, status = 0;
        memset(out, 10 * round + rank, BYTES);
        memset(expected, 10 * round + from, BYTES);
        MPI_Irecv(in, BYTES, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, BYTES, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &requests[1]);
        pid_t child = fork();
        if (child == 0) {
            memset(out, 101, BYTES);
            memset(in, 102, BYTES);
            /* With and without the library's handlers of the end of a process. */
            if (round % 2) exit(0);
            _exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
            fail(rank, round, "the child failed");
        if (system("true") != 0) fail(rank, round, "system() failed");
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (memcmp(in, expected, BYTES) != 0) fail(rank, round, "the message has wrong bytes");
    }
    return MPI_Finalize();
}
