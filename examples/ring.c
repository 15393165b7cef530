/*
 * ring.c: a token goes around all ranks, and each rank adds its number to it.
 *
 *     mpicc -O2 -o ring ring.c && mpiexec -n 4 ./ring
 *
 * Prints the time of one hop from rank to rank, and whether the token has the expected value.
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 10000 };

int main(int argc, char **argv) {
    int rank, size;
    long token = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    double start = MPI_Wtime();
    for (int round = 0; round < ROUNDS; round++) {
        if (rank == 0) {
            MPI_Send(&token, 1, MPI_LONG, next, 0, MPI_COMM_WORLD);
            MPI_Recv(&token, 1, MPI_LONG, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&token, 1, MPI_LONG, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            token += rank;
            MPI_Send(&token, 1, MPI_LONG, next, 0, MPI_COMM_WORLD);
        }
    }
    double nanoseconds = (MPI_Wtime() - start) * 1e9 / ROUNDS / size;

    /* The token returns to rank 0 with the sum of all ranks, once for each round. */
    long expected = (long)ROUNDS * size * (size - 1) / 2;
    if (rank == 0)
        printf("%d ranks, %d rounds, %.0f ns per hop, token %ld (%s)\n", size, ROUNDS, nanoseconds,
               token, token == expected ? "right" : "WRONG");

    MPI_Finalize();
    return rank == 0 && token != expected;
}
