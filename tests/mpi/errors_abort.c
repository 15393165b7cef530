/* MPI_ERRORS_ABORT on a communicator of one process ends the job, and mpiexec names the reason (MPI
 * 5.0 §9.3).
 *
 * modes: default
 * dies: MPI_ERR_COUNT|what  MPI_Send(|why   count is -3|ends the processes of its object
 */

#include "check.h"

int main(int argc, char **argv)
{
    int number = 0;
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ABORT);
    if (rank == size - 1) MPI_Send(&number, -3, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}
