/*
 * What C sees of the handles and the status of openmpi_fortran.f90: its own declarations, as Open
 * MPI's header makes them.
 */

#include <stdio.h>
#include <stddef.h>

typedef void *Handle;
typedef struct {
    int source, tag, error, cancelled;
    size_t bytes;
} Status;

extern struct { char is_opaque[512]; } ompi_mpi_comm_self, ompi_mpi_comm_null;
extern int *MPI_F_STATUS_IGNORE;

Handle MPI_Comm_f2c(int comm);
int MPI_Comm_c2f(Handle comm);
Handle MPI_Type_f2c(int type);
int MPI_Type_c2f(Handle type);
int MPI_Type_size(Handle type, int *size);
int MPI_Comm_size(Handle comm, int *size);
int MPI_Status_f2c(const int *of_fortran, Status *status);

static int wrong;

#define CHECK(condition) \
    ((condition) ? (void)0 : (void)(wrong = 1, fprintf(stderr, "%d: %s\n", __LINE__, #condition)))

/* Returns 0 if the communicator is MPI_COMM_SELF, the type has 12 bytes, the status is that of
 * nobody's message, and the last one is MPI_STATUS_IGNORE. */
int look(int comm, int type, const int *of_fortran, const int *ignored)
{
    Status status;
    int size = 0;
    CHECK(MPI_Comm_f2c(comm) == (Handle)&ompi_mpi_comm_self);
    CHECK(MPI_Comm_c2f((Handle)&ompi_mpi_comm_self) == comm);
    CHECK(MPI_Comm_f2c(2) == (Handle)&ompi_mpi_comm_null);
    CHECK(MPI_Type_c2f(MPI_Type_f2c(type)) == type);
    CHECK(MPI_Type_size(MPI_Type_f2c(type), &size) == 0 && size == 12);
    CHECK(MPI_Comm_size(MPI_Comm_f2c(comm), &size) == 0 && size == 1);
    CHECK(MPI_Status_f2c(of_fortran, &status) == 0);
    CHECK(status.source == -2 && status.tag == -1 && status.bytes == 0);
    CHECK(ignored == MPI_F_STATUS_IGNORE);
    return wrong;
}
