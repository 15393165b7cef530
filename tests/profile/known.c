/* Calls, messages and bytes of known numbers, for the check of profiles.
 *
 * usage: known [FILE]
 *
 * On N ranks, each rank r sends to its right neighbour, (r + 1) % N:
 *   10 messages of 8 bytes (MPI_Send), 2 of 100 bytes (a persistent send), and one access of 16
 *   bytes (MPI_Put);
 * to its left neighbour 3 messages of 8000 bytes (MPI_Isend); and, by its rank in a communicator in
 * reverse order, 7 bytes to the last rank of the job, unless it is that rank.
 * With FILE all ranks but rank 0 then wait in MPI_Recv until the file exists. */

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHORT = 10, LONG = 3, INTS = 2000, STARTS = 2, REDUCTIONS = 5 };

static int rank, size;

static void neighbours(void)
{
    static char word[8], persistent[100], in[100];
    static int out[LONG][INTS], into[LONG][INTS];
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Request requests[2 * LONG], request;

    for (int i = 0; i < SHORT; i++) {
        MPI_Send(word, sizeof word, MPI_BYTE, right, 1, MPI_COMM_WORLD);
        MPI_Recv(word, sizeof word, MPI_BYTE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < LONG; i++) {
        MPI_Irecv(into[i], INTS, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(out[i], INTS, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[LONG + i]);
    }
    MPI_Waitall(2 * LONG, requests, MPI_STATUSES_IGNORE);
    MPI_Send_init(persistent, sizeof persistent, MPI_BYTE, right, 3, MPI_COMM_WORLD, &request);
    for (int i = 0; i < STARTS; i++) {
        MPI_Start(&request);
        MPI_Recv(in, sizeof in, MPI_BYTE, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

static void access_window(void)
{
    double *base, values[2] = {1, 2};
    MPI_Win win;

    MPI_Win_allocate(sizeof values, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    MPI_Put(values, 2, MPI_DOUBLE, (rank + 1) % size, 0, 2, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void reversed(void)
{
    char bytes[7] = {0};
    int own;
    MPI_Comm comm;

    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    MPI_Comm_rank(comm, &own);
    if (own != 0)
        MPI_Send(bytes, sizeof bytes, MPI_CHAR, 0, 4, comm);
    else
        for (int i = 1; i < size; i++)
            MPI_Recv(bytes, sizeof bytes, MPI_CHAR, i, 4, comm, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    double in[4] = {0}, sum[4];
    char word = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    neighbours();
    access_window();
    reversed();
    for (int i = 0; i < REDUCTIONS; i++)
        MPI_Allreduce(in, sum, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (argc > 1 && strcmp(argv[1], "die") == 0 && rank == size - 1)
        _exit(3);
    if (argc > 1 && rank == 0) {
        while (access(argv[1], F_OK) != 0)
            usleep(10000);
        for (int i = 1; i < size; i++)
            MPI_Send(&word, 1, MPI_CHAR, i, 5, MPI_COMM_WORLD);
    } else if (argc > 1) {
        MPI_Recv(&word, 1, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
