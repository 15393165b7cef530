/* blocked WORD PATH: rank 0 is inside the kernel for a call on the pipe or file PATH, and rank 1
 * waits for a message from rank 0.
 *
 *   open    rank 0 opens a pipe that no process opens for writing
 *   write   rank 0 writes to a pipe that nobody reads
 *   thread  the same in a thread, while the main thread waits for rank 1
 *   read    rank 0 reads a file whose server does not answer
 */

#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *path;

static MPI_File open_alone(int amode)
{
    MPI_File file;
    if (MPI_File_open(MPI_COMM_SELF, path, amode, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
        fprintf(stderr, "blocked: %s cannot be opened\n", path);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return file;
}

static void *write_pipe(void *unused)
{
    static char data[1 << 20];
    /* With this end open, opening the other one does not wait. */
    if (open(path, O_RDWR) < 0) perror(path);
    MPI_File file = open_alone(MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
    MPI_File_write_shared(file, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, word, provided;
    pthread_t thread;
    if (argc != 3) return 2;
    path = argv[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && !strcmp(argv[1], "open")) open_alone(MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL);
    if (rank == 0 && !strcmp(argv[1], "write")) write_pipe(NULL);
    if (rank == 0 && !strcmp(argv[1], "thread")) pthread_create(&thread, NULL, write_pipe, NULL);
    if (rank == 0 && !strcmp(argv[1], "read")) {
        MPI_File file = open_alone(MPI_MODE_RDONLY);
        MPI_File_read_at(file, 0, &word, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_Recv(&word, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
