/* Barrier, and the sum of one 8-byte number over all ranks: seconds of one call at rank 0, in a
 * loop. */
#include "measure.h"

static double barriers(long repetitions, int bytes)
{
    (void)bytes;
    double start = now();
    for (long i = 0; i < repetitions; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    return now() - start;
}

static double sums(long repetitions, int bytes)
{
    (void)bytes;
    double mine = rank, all = 0;
    double start = now();
    for (long i = 0; i < repetitions; i++)
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return now() - start;
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    double seconds = measured(barriers, 0);
    if (rank == 0) printf("{\"measure\": \"barrier\", \"value\": %.4e}\n", seconds);
    seconds = measured(sums, 0);
    if (rank == 0) printf("{\"measure\": \"allreduce\", \"value\": %.4e}\n", seconds);
    end();
    return 0;
}
