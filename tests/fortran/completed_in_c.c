/* The C half of completed_in_c.f90. */
#include <mpi.h>

/* Completes a request in one of the ways that the Fortran half names. */
void complete_request(int *number, int how)
{
    MPI_Request request = MPI_Request_fromint(*number);
    int flag = 0, index;
    switch (how) {
    case 0:
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 1:
        while (!flag)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        break;
    case 2:
        MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
        break;
    case 3:
        MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
        break;
    default:
        while (!flag)
            MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    }
    *number = MPI_Request_toint(request);
}

void start_request(int *number)
{
    MPI_Request request = MPI_Request_fromint(*number);
    MPI_Start(&request);
}

void free_request(int *number)
{
    MPI_Request request = MPI_Request_fromint(*number);
    MPI_Request_free(&request);
    *number = MPI_Request_toint(request);
}
