/* idle LEVEL: a receive that waits for three seconds must use less than 2 % of a processor at any
 * thread level. LEVEL is 0 (MPI_THREAD_SINGLE) or 1 (MPI_THREAD_MULTIPLE). The traffic before it
 * uses all cells, which must be returned. */

#include "../mpi/check.h"
#include <sys/resource.h>
#include <unistd.h>

static double used(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
           (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

int main(int argc, char **argv)
{
    enum { MESSAGES = 200, BYTES = 16000 };
    static char out[MESSAGES][BYTES], in[BYTES];
    static MPI_Request requests[MESSAGES];
    int provided, level = argc > 1 && argv[1][0] == '1' ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, level, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int to = (rank + 1) % size, from = (rank + size - 1) % size, number = 1;
    for (int i = 0; i < MESSAGES; i++)
        OK(MPI_Isend(out[i], BYTES, MPI_BYTE, to, 0, MPI_COMM_WORLD, &requests[i]));
    for (int i = 0; i < MESSAGES; i++)
        OK(MPI_Recv(in, BYTES, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    OK(MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0) {
        sleep(3);
        for (int i = 1; i < size; i++) OK(MPI_Send(&number, 1, MPI_INT, i, 1, MPI_COMM_WORLD));
    } else {
        double start = MPI_Wtime(), before = used();
        OK(MPI_Recv(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        double waited = MPI_Wtime() - start, share = (used() - before) / waited;
        CHECK(waited > 2.5, "the message came after %.1f s", waited);
        CHECK(share < 0.02, "a receive that waited %.1f s took %.1f %% of a processor", waited,
              share * 100);
    }
    return MPI_Finalize();
}
