/* Rank 1 starts communication and a progress thread (MPIX_Start_progress_thread), and then calls
 * nothing of MPI until rank 0 has completed its side, which it tells in a new file, the program's
 * argument. Without the thread neither rank would go on. Exits with 0 if all is right. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int MPIX_Start_progress_thread(int stream);
int MPIX_Stop_progress_thread(int stream);

enum { STREAM_NULL = 0x3c000000, BYTES = 9 << 20 };

static int rank, failures;
static int *completed;

#define CHECK(what)                                                                                \
    ((what) ? (void)0 : (void)(failures++,                                                         \
                               fprintf(stderr, "line %d: false: %s\n", __LINE__, #what)))

/* Waits without MPI for the other rank. */
static void await(int step)
{
    struct timespec pause = {0, 1000000};
    while (__atomic_load_n(completed, __ATOMIC_ACQUIRE) < step) nanosleep(&pause, NULL);
}

/* Rank 0 completes a request at once; rank 1 only after rank 0 has. */
static void complete(int step, MPI_Request *request)
{
    if (rank == 1) await(step);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    if (rank == 0) __atomic_store_n(completed, step, __ATOMIC_RELEASE);
}

static void add(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    (void)datatype;
    for (int i = 0; i < *count; i++) ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    char *large = malloc(BYTES);
    int size, own, sum = 0, file;
    MPI_Request request;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(size == 2);
    file = open(argv[1], O_RDWR | O_CREAT, 0600);
    CHECK(file >= 0 && ftruncate(file, sizeof(int)) == 0);
    completed = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(completed != MAP_FAILED);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) CHECK(MPIX_Start_progress_thread(STREAM_NULL) == MPI_SUCCESS);

    /* A large message to rank 1, and one from it. */
    memset(large, rank == 0 ? 7 : 0, BYTES);
    if (rank == 0)
        MPI_Issend(large, BYTES, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv(large, BYTES, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &request);
    complete(1, &request);
    CHECK(large[0] == 7 && large[BYTES - 1] == 7);
    if (rank == 1)
        MPI_Isend(large, BYTES, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv(large, BYTES, MPI_CHAR, 1, 2, MPI_COMM_WORLD, &request);
    complete(2, &request);

    /* Collectives, one with an operation of the program. */
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    complete(3, &request);
    MPI_Op_create(add, 1, &op);
    own = rank + 1;
    MPI_Iallreduce(&own, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &request);
    complete(4, &request);
    CHECK(sum == 3);

    if (rank == 1) CHECK(MPIX_Stop_progress_thread(STREAM_NULL) == MPI_SUCCESS);
    MPI_Op_free(&op);
    MPI_Finalize();
    free(large);
    return failures != 0;
}
