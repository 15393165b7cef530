/*
 * ring.c: a token goes round all processes, and each adds its rank.
 *
 *     mpicc -O2 -o ring ring.c && mpiexec -n 4 ./ring
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
            MPI_Send(&token, 1, MPI_LONG, next, round, MPI_COMM_WORLD);
            MPI_Recv(&token, 1, MPI_LONG, previous, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&token, 1, MPI_LONG, previous, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            token += rank;
            MPI_Send(&token, 1, MPI_LONG, next, round, MPI_COMM_WORLD);
        }
    }
    double nanoseconds = (MPI_Wtime() - start) * 1e9 / ROUNDS / size;

    long expected = (long)ROUNDS * size * (size - 1) / 2;
    if (rank == 0) {
        printf("%d processes, %d rounds, %.0f ns a hop, token %ld (%s)\n", size, ROUNDS, nanoseconds, token,
               token == expected ? "right" : "WRONG");
    }
    MPI_Finalize();
    return rank == 0 && token != expected;
}
