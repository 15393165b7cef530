/* What tests/counts/messages.f90 compares with, and what it needs of C. */
#include <mpi.h>
#include <valgrind/callgrind.h>
#include <time.h>

void send_from_c(double *word)
{
    MPI_Send(word, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
}

void receive_from_c(double *word)
{
    MPI_Recv(word, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void pause_shortly(void)
{
    nanosleep(&(struct timespec){0, 10000000}, NULL);
}

void count_from_here(void) { CALLGRIND_ZERO_STATS; }

void write_counts(void) { CALLGRIND_DUMP_STATS; }
