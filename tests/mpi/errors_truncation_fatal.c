/* A truncated message under the default error handler: the text gives its length and what to try
 * (MPI 5.0 §3.2.4, §9.3).
 *
 * sizes: 2 4
 * dies: MPI_ERR_TRUNCATE|what  MPI_Recv(|count=2|who   rank 0 on
 * dies: why   the message has 400 bytes, the receive buffer has room for 8|try   receive with
 */

#include "check.h"

int main(int argc, char **argv)
{
    int numbers[100] = {0};
    begin(&argc, &argv);
    if (rank == 0) MPI_Recv(numbers, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank == 1) MPI_Send(numbers, 100, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
