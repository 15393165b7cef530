/* fault WORD: rank 1 makes a mistake that ends it, and rank 0 waits.
 *
 *   null      it writes through the null pointer
 *   inside    it sends from memory that it does not own
 *   stack     it calls itself without end
 *   divide    it divides by zero
 *   epoch     it frees a window after a fence and a put
 *   sleep     none: both sleep for two seconds
 */

#include <mpi.h>
#include <string.h>
#include <unistd.h>

static volatile int zero;

static int deep(int level) {
    volatile char space[4096];
    space[level % 4096] = (char)level;
    return level < 0 ? 0 : deep(level + 1) + space[0];
}

static void free_early(void) {
    int *memory, word = 1;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &memory, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv) {
    int rank;
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(what, "sleep"))
        sleep(2);
    else if (rank == 0)
        MPI_Recv(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (!strcmp(what, "null"))
        *(volatile int *)(4 * (size_t)zero) = 1;
    else if (!strcmp(what, "inside"))
        MPI_Send((char *)(size_t)0x123000, 4096, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    else if (!strcmp(what, "stack"))
        zero = deep(0);
    else if (!strcmp(what, "divide"))
        zero = 7 / zero;
    else if (!strcmp(what, "epoch"))
        free_early();
    MPI_Finalize();
    return 0;
}
