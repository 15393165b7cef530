/*
 * hello.c: every rank tells rank 0 where it runs, and rank 0 prints the list.
 *
 *     mpicc -O2 -o hello hello.c && mpiexec -n 4 ./hello
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    char host[MPI_MAX_PROCESSOR_NAME];
    long pid;
} location;

int main(int argc, char **argv) {
    int rank, size, length;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    location mine = {.pid = (long)getpid()}, *all = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_processor_name(mine.host, &length);
    MPI_Get_library_version(library, &length);

    /* The receive buffer is significant at the root only. */
    if (rank == 0) {
        all = calloc(size, sizeof *all);
        if (!all) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s\n", library);
        for (int i = 0; i < size; i++)
            printf("rank %d of %d on %s, pid %ld\n", i, size, all[i].host, all[i].pid);
    }

    free(all);
    MPI_Finalize();
    return 0;
}
