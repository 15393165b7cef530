/* The default error handler ends the job with a nonzero exit code and prints what failed, where,
 * why and what to try (MPI 5.0 §9.3).
 *
 * dies: MPI_ERR_RANK|what  MPI_Send(|dest=99|who   rank 0 on |pid
 * dies: why   destination 99 is not a rank|mpiexec: rank 0 aborted
 */

#include "check.h"

int main(int argc, char **argv)
{
    int number = 0;
    begin(&argc, &argv);
    if (rank == 0) MPI_Send(&number, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    /* The other ranks wait for a message that nobody sends. The abort of rank 0 must end them. */
    MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}
