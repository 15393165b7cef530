/* First collective operations on communicators in which ranks that follow each other are on
 * different nodes, while one process comes late.
 *
 * The first operation on a communicator makes a collective segment for the members of each node:
 * they exchange messages among themselves first, and then with all processes. A message of another
 * node must not be taken for that of a late member of the own node.
 *
 * sizes: 2 3 4 7
 */

#include "check.h"

#include <time.h>

static void come_late(void)
{
    struct timespec time = {0, 50000000};
    nanosleep(&time, NULL);
}

/* Performs one operation of each kind, of which the result depends on all processes. */
static void operate(MPI_Comm comm, int late)
{
    int own, sum = -1, word = -1;
    OK(MPI_Comm_rank(comm, &own));
    if (own == late)
        come_late();
    OK(MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == size * (size - 1) / 2, "rank %d is late: the sum is %d", late, sum);
    word = own == late ? 7 + late : -1;
    OK(MPI_Bcast(&word, 1, MPI_INT, late, comm));
    CHECK(word == 7 + late, "rank %d is the root: received %d", late, word);
    sum = -1;
    OK(MPI_Reduce(&own, &sum, 1, MPI_INT, MPI_SUM, late, comm));
    CHECK(own != late || sum == size * (size - 1) / 2, "root %d: the sum is %d", late, sum);
    OK(MPI_Barrier(comm));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm odd_first, reversed, dup;
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, (1 - rank % 2) * size + rank, &odd_first));
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed));
    MPI_Comm orders[] = {odd_first, reversed, MPI_COMM_WORLD};
    for (int order = 0; order < 3; order++)
        for (int late = 0; late < size && late < 4; late++) {
            OK(MPI_Comm_dup(orders[order], &dup));
            operate(dup, late);
            OK(MPI_Comm_free(&dup));
        }
    OK(MPI_Comm_free(&odd_first));
    OK(MPI_Comm_free(&reversed));
    return MPI_Finalize();
}
