/* The C half of attributes.f90. */
#include <mpi.h>

/* Reads the value -3 that Fortran has set, by its address, and sets a pointer. */
int c_reads(int comm, int keyval)
{
    MPI_Aint *place = 0;
    int found = 0;
    MPI_Comm_get_attr(MPI_Comm_fromint(comm), keyval, &place, &found);
    if (!found || *place != -3)
        return 1;
    return MPI_Comm_set_attr(MPI_Comm_fromint(comm), keyval, (void *)1234567);
}
