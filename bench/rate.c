/* Message rate of two processes. rate: rank 0 has 64 outstanding sends and rank 1 as many receives,
 * each completed with MPI_Waitall; an empty answer ends the window, so that neither side runs
 * ahead. stream: 64 calls of MPI_Send and of MPI_Recv one after another, and an empty answer. */
#include "measure.h"

enum { WINDOW = 64 };

static char *buffer;

static double windows(long repetitions, int bytes)
{
    MPI_Request requests[WINDOW];
    double start = now();
    for (long i = 0; i < repetitions; i++) {
        for (int j = 0; j < WINDOW; j++) {
            if (rank == 0)
                MPI_Isend(buffer, bytes, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, &requests[j]);
            else
                MPI_Irecv(buffer + (size_t)j * bytes, bytes, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD,
                          &requests[j]);
        }
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        if (rank == 0)
            MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD);
    }
    return now() - start;
}

static double stream(long repetitions, int bytes)
{
    double start = now();
    for (long i = 0; i < repetitions; i++) {
        for (int j = 0; j < WINDOW; j++) {
            if (rank == 0)
                MPI_Send(buffer, bytes, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD);
            else
                MPI_Recv(buffer, bytes, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (rank == 0)
            MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD);
    }
    return now() - start;
}

int main(int argc, char **argv)
{
    static const int sizes[] = {8, 64, 512, 4096}, streamed[] = {8, 512, 2048, 16384};
    begin(argc, argv);
    buffer = touched(WINDOW * 4096);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double window = measured(windows, sizes[i]);
        if (rank == 0)
            printf("{\"measure\": \"rate\", \"bytes\": %d, \"value\": %.4e}\n", sizes[i],
                   WINDOW / window);
    }
    for (size_t i = 0; i < sizeof streamed / sizeof *streamed; i++) {
        double seconds = measured(stream, streamed[i]);
        if (rank == 0)
            printf("{\"measure\": \"stream\", \"bytes\": %d, \"value\": %.4e}\n", streamed[i],
                   WINDOW / seconds);
    }
    end();
    return 0;
}
