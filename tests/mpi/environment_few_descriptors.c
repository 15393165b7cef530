/* Fewer descriptors than connections: the job ends in time with an error that names the limit, and
 * mpiexec says once what is short.
 *
 * sizes: 16
 * modes: default
 * dies: nemesis: process
 * dies: no file descriptor is free for a further connection, which waits
 * dies: a process may have 22 files open
 * dies: the job has 16 ranks; try: a higher `ulimit -n`
 * dies: MPI_ERR_PROC_ABORTED
 * dies: MPI_Waitall
 * dies: cannot be reached any more
 * dies: no free file descriptor for a connection with
 */
#include "check.h"
#include <sys/resource.h>

int main(int argc, char **argv)
{
    struct rlimit few = {22, 22};
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0, "the limit cannot be lowered");
    setenv("NEMESIS_SHM", "off", 1);
    begin(&argc, &argv);
    int in[64];
    MPI_Request requests[128];
    for (int i = 0; i < size; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, i, 1, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < size; i++)
        MPI_Isend(&rank, 1, MPI_INT, i, 1, MPI_COMM_WORLD, &requests[size + i]);
    MPI_Waitall(2 * size, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
