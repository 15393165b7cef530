/* The halves of a job make intercommunicators from groups by the same string, again and again. */
#include "recovery.h"

enum { STEP_S = 40, TIMES = 200 };

/* Returns the group of consecutive ranks. */
static MPI_Group ranks(int first, int last)
{
    MPI_Group world, some;
    int range[1][3] = {{first, last, 1}};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, range, &some);
    MPI_Group_free(&world);
    return some;
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), half = size / 2;
    MPI_Group low = ranks(0, half - 1), high = ranks(half, size - 1);
    MPI_Group ours = rank < half ? low : high, theirs = rank < half ? high : low;
    begin_step("MPI_Intercomm_create_from_groups", STEP_S);
    for (int time = 0; time < TIMES; time++) {
        MPI_Comm between;
        REQUIRE(MPI_Intercomm_create_from_groups(ours, 0, theirs, 0, "again", MPI_INFO_NULL,
                                                 MPI_ERRORS_RETURN, &between) == MPI_SUCCESS);
        MPI_Comm_free(&between);
    }
    MPI_Group_free(&low);
    MPI_Group_free(&high);
    if (rank == 0) puts("all are made");
    MPI_Finalize();
    return 0;
}
