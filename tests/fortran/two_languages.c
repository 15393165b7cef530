/* The C half of two_languages.f90. */
#include <mpi.h>

MPI_Fint look_at_handles_(MPI_Fint *comm, MPI_Fint *datatype, MPI_Fint *group, MPI_Fint *op,
                          MPI_Fint *request)
{
    int right = 0, relation, bytes, size, ranks, largest = 0, three = 3, flag = 1;
    MPI_Comm_compare(MPI_Comm_f2c(*comm), MPI_COMM_WORLD, &relation);
    right += relation == MPI_CONGRUENT && MPI_Comm_c2f(MPI_Comm_f2c(*comm)) == *comm;
    MPI_Type_size(MPI_Type_f2c(*datatype), &bytes);
    right += bytes == 12;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Group_size(MPI_Group_f2c(*group), &size);
    right += size == ranks;
    MPI_Allreduce(&three, &largest, 1, MPI_INT, MPI_Op_f2c(*op), MPI_COMM_WORLD);
    right += largest == 3 && MPI_Op_c2f(MPI_MAX) == *op;
    MPI_Request_get_status(MPI_Request_f2c(*request), &flag, MPI_STATUS_IGNORE);
    right += !flag;
    return right;
}

/* Returns the number of integers, if the status is the right one. */
MPI_Fint look_at_status_(MPI_Fint *status)
{
    MPI_Status of_c;
    MPI_F08_status of_f08;
    int count;
    MPI_Status_f2c(status, &of_c);
    MPI_Get_count(&of_c, MPI_INTEGER, &count);
    MPI_Status_f2f08(status, &of_f08);
    return of_c.MPI_TAG == 7 && of_f08.MPI_TAG == 7 && of_c.MPI_SOURCE == 0 ? count : -1;
}

MPI_Fint is_ignored_(MPI_Fint *status)
{
    return status == MPI_F_STATUS_IGNORE;
}

MPI_Fint are_ignored_(MPI_Fint *statuses)
{
    return statuses == MPI_F_STATUSES_IGNORE;
}

void give_comm_(MPI_Fint *comm)
{
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    *comm = MPI_Comm_c2f(made);
}
