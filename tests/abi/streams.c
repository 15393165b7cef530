/* MPICH's streams are lanes: threads with a stream and a communicator each exchange messages at
 * once. Exits with 0 if all is right. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

int MPIX_Stream_create(MPI_Info info, int *stream);
int MPIX_Stream_free(int *stream);
int MPIX_Stream_comm_create(MPI_Comm comm, int stream, MPI_Comm *newcomm);
int MPIX_Stream_progress(int stream);
int MPIX_Comm_get_stream(MPI_Comm comm, int idx, int *stream);
int MPIX_Start_progress_thread(int stream);

enum { STREAM_NULL = 0x3c000000, STREAMS = 3, ROUNDS = 2000 };

static int rank, failures, streams[STREAMS];
static MPI_Comm comms[STREAMS];

#define CHECK(what)                                                                                \
    ((what) ? (void)0 : (void)(failures++,                                                         \
                               fprintf(stderr, "line %d: false: %s\n", __LINE__, #what)))

static void *exchange(void *number)
{
    int i = (int)(long)number;
    for (int round = 0; round < ROUNDS; round++) {
        int out = rank + 10 * round + i, in = -1, done = 0;
        MPI_Request request;
        MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 0, comms[i], &request);
        MPI_Send(&out, 1, MPI_INT, 1 - rank, 0, comms[i]);
        while (!done) {
            MPIX_Stream_progress(streams[i]);
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        }
        CHECK(in == 1 - rank + 10 * round + i);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, stream, wrong = 12345;
    pthread_t threads[STREAMS];
    MPI_Comm on_null;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CHECK(provided == MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < STREAMS; i++) {
        CHECK(MPIX_Stream_create(MPI_INFO_NULL, &streams[i]) == MPI_SUCCESS);
        CHECK(streams[i] != STREAM_NULL);
        for (int k = 0; k < i; k++) CHECK(streams[k] != streams[i]);
        CHECK(MPIX_Stream_comm_create(MPI_COMM_WORLD, streams[i], &comms[i]) == MPI_SUCCESS);
        CHECK(MPIX_Comm_get_stream(comms[i], 0, &stream) == MPI_SUCCESS && stream == streams[i]);
        CHECK(MPIX_Comm_get_stream(comms[i], 1, &stream) == MPI_SUCCESS && stream == STREAM_NULL);
    }
    CHECK(MPIX_Stream_comm_create(MPI_COMM_WORLD, STREAM_NULL, &on_null) == MPI_SUCCESS);
    CHECK(MPIX_Comm_get_stream(on_null, 0, &stream) == MPI_SUCCESS && stream == STREAM_NULL);
    CHECK(MPIX_Stream_progress(STREAM_NULL) == MPI_SUCCESS);
    for (long i = 0; i < STREAMS; i++)
        CHECK(pthread_create(&threads[i], NULL, exchange, (void *)i) == 0);
    for (int i = 0; i < STREAMS; i++) pthread_join(threads[i], NULL);

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK(MPIX_Stream_progress(wrong) != MPI_SUCCESS);
    CHECK(MPIX_Stream_free(&wrong) != MPI_SUCCESS);
    CHECK(MPIX_Stream_comm_create(MPI_COMM_WORLD, wrong, &on_null) != MPI_SUCCESS);
    CHECK(MPIX_Start_progress_thread(streams[0]) != MPI_SUCCESS);
    MPI_Comm_free(&on_null);
    for (int i = 0; i < STREAMS; i++) {
        MPI_Comm_free(&comms[i]);
        CHECK(MPIX_Stream_free(&streams[i]) == MPI_SUCCESS && streams[i] == STREAM_NULL);
    }
    MPI_Finalize();
    return failures != 0;
}
