/* Without an error handler of the program's, an error ends the job with a code that is not 0 and says what, who, why and what to try (MPI 5.0 §9.3).
 *
 * dies: MPI_ERR_RANK|what  MPI_Send(|dest=99|who   rank 0 on |pid |why   destination 99 is not a rank|mpiexec: rank 0 aborted */

#include "check.h"

int main(int argc, char **argv)
{
    int number = 0;
    begin(&argc, &argv);
    if (rank == 0) MPI_Send(&number, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    /* The others wait for what never comes: the end of process 0 must end them. */
    MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}
