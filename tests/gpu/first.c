/* The first message of a program is short and lies in memory of a device. The driver is loaded
 * before MPI starts (argument "before"), or behind it, and nothing but a message tells. */
#include "../mpi/check.h"
#include "gpu.h"

int main(int argc, char **argv)
{
    int is_before = argc > 1 && strcmp(argv[1], "before") == 0;
    long value = 0;
    if (is_before) gpu_open(0);
    begin(&argc, &argv);
    if (!is_before) gpu_open(0);
    long *word = gpu_alloc(GPU_DEVICE, sizeof *word);
    if (rank == 0) {
        value = 4711;
        gpu_put(word, &value, sizeof value);
        for (int to = 1; to < size; to++) OK(MPI_Send(word, 1, MPI_LONG, to, 0, MPI_COMM_WORLD));
    } else {
        OK(MPI_Recv(word, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        gpu_get(&value, word, sizeof value);
        CHECK(value == 4711, "the word is %ld", value);
    }
    OK(MPI_Allreduce(MPI_IN_PLACE, word, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    gpu_get(&value, word, sizeof value);
    CHECK(value == 4711L * size, "the sum is %ld", value);
    gpu_free(GPU_DEVICE, word);
    MPI_Finalize();
    return 0;
}
