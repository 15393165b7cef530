/* oversubscribed BARRIERS ROUNDS: barriers and a token that goes around all ranks, with far more
 * processes than processors. Must end within the time limit of the script. */

#include "../mpi/check.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int barriers = argc > 1 ? atoi(argv[1]) : 100, rounds = argc > 2 ? atoi(argv[2]) : 20,
        token = 0;
    for (int i = 0; i < barriers; i++) OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < rounds; i++) {
        if (rank == 0) OK(MPI_Send(&token, 1, MPI_INT, 1 % size, 0, MPI_COMM_WORLD));
        OK(MPI_Recv(&token, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
        token++;
        if (rank != 0) OK(MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD));
    }
    if (rank == 0) CHECK(token == rounds * size, "the token counts %d", token);
    return MPI_Finalize();
}
