/* only_sessions [MS]: a ring of messages and an MPI_Allreduce in a session, without MPI_Init, for
 * the check of profiles. The last rank exits MS milliseconds later than the others (300). */

#define _DEFAULT_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int rank, size, sum, token = 0;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Group_rank(group, &rank);
    MPI_Group_size(group, &size);
    MPI_Comm_create_from_group(group, "ring", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    for (int round = 0; round < 10; round++) {
        if (rank == 0)
            MPI_Send(&token, 1, MPI_INT, 1 % size, 0, comm);
        MPI_Recv(&token, 1, MPI_INT, (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
        if (rank != 0)
            MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 0, comm);
    }
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    if (rank == size - 1)
        usleep((argc > 1 ? atoi(argv[1]) : 300) * 1000u);
    return 0;
}
