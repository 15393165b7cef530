/* Fewer descriptors than connections: the job ends in time with an error that names the limit, and
 * mpiexec says once what is short.
 *
 * sizes: 16
 * modes: default
 * dies: nemesis: process
 * dies: no file descriptor is free for a further connection, which waits
 * dies: a process may have 20 files open
 * dies: the job has 16 ranks; try: a higher `ulimit -n`
 * dies: MPI_ERR_PROC_ABORTED
 * dies: MPI_Waitall
 * dies: cannot be reached any more
 * dies: no free file descriptor for a connection with
 */
#include "check.h"
#include <sys/resource.h>
#include <unistd.h>

/* Closes what whoever runs the tests has left open, so that all have as many to spare. */
static void close_inherited(void)
{
    const char *pmi = getenv("PMI_FD"), *segment = getenv("NEMESIS_SEGMENT_FD");
    for (int fd = 3; fd < 1024; fd++)
        if (!(pmi && fd == atoi(pmi)) && !(segment && fd == atoi(segment))) close(fd);
}

int main(int argc, char **argv)
{
    struct rlimit few = {20, 20};
    close_inherited();
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
