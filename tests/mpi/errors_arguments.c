/* Wrong arguments are MPI errors of the right class whose text names the call and the value, and
 * the library works afterwards (MPI 5.0 §9.3, §9.4). The order of the checks is communicator,
 * count, datatype, buffer, rank, tag. */

#include "check.h"

static int number[4];

/* Checks that the call fails with the class and that its text contains all the words. */
#define REFUSED(call, class_, ...)                                                                 \
    do {                                                                                           \
        int refused_ = (call);                                                                     \
        const char *words_[] = {__VA_ARGS__};                                                      \
        FAILS(refused_, class_);                                                                   \
        for (size_t w_ = 0; w_ < sizeof words_ / sizeof *words_; w_++)                             \
            CHECK(strstr(error_text(refused_), words_[w_]) != NULL,                                \
                  #call ": \"%s\" is not in: %s", words_[w_], error_text(refused_));               \
    } while (0)

int main(int argc, char **argv)
{
    MPI_Request request, gone;
    MPI_Status status;
    MPI_Message message;
    MPI_Comm comm, freed, null = MPI_COMM_NULL;
    int flag, index, count, *nowhere = NULL;
    char beyond[32], beyond_text[64];
    begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm));
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &freed));
    MPI_Comm stale = freed;
    OK(MPI_Comm_free(&freed));
    CHECK(freed == MPI_COMM_NULL, "MPI_Comm_free does not set the handle to MPI_COMM_NULL");
    snprintf(beyond, sizeof beyond, "%d", size);
    snprintf(beyond_text, sizeof beyond_text, "dest=%d", size);

    /* The communicator is checked first, whatever else is wrong. */
    REFUSED(MPI_Send(nowhere, -1, MPI_DATATYPE_NULL, -9, -9, null), MPI_ERR_COMM, "MPI_Send",
            "MPI_COMM_NULL");
    REFUSED(MPI_Send(number, 1, MPI_INT, 0, 0, stale), MPI_ERR_COMM, "MPI_Send");
    REFUSED(MPI_Recv(number, 1, MPI_INT, 0, 0, null, &status), MPI_ERR_COMM, "MPI_Recv");
    REFUSED(MPI_Irecv(number, 1, MPI_INT, 0, 0, stale, &request), MPI_ERR_COMM, "MPI_Irecv");
    REFUSED(MPI_Probe(0, 0, null, &status), MPI_ERR_COMM, "MPI_Probe");
    REFUSED(MPI_Comm_rank(null, number), MPI_ERR_COMM, "MPI_Comm_rank");
    REFUSED(MPI_Comm_size(stale, number), MPI_ERR_COMM, "MPI_Comm_size");

    REFUSED(MPI_Send(number, -1, MPI_DATATYPE_NULL, -9, -9, comm), MPI_ERR_COUNT, "MPI_Send",
            "count=-1", "-1");
    REFUSED(MPI_Isend(number, -7, MPI_INT, 0, 0, comm, &request), MPI_ERR_COUNT, "MPI_Isend", "-7");
    REFUSED(MPI_Recv(number, -1, MPI_INT, 0, 0, comm, &status), MPI_ERR_COUNT, "MPI_Recv", "-1");
    REFUSED(MPI_Recv_init(number, -1, MPI_INT, 0, 0, comm, &request), MPI_ERR_COUNT,
            "MPI_Recv_init");
    REFUSED(MPI_Waitall(-3, &request, MPI_STATUSES_IGNORE), MPI_ERR_COUNT, "MPI_Waitall", "-3");

    REFUSED(MPI_Send(number, 1, MPI_DATATYPE_NULL, -9, -9, comm), MPI_ERR_TYPE, "MPI_Send",
            "MPI_DATATYPE_NULL");
    REFUSED(MPI_Recv(number, 1, MPI_DATATYPE_NULL, 0, 0, comm, &status), MPI_ERR_TYPE, "MPI_Recv");

    REFUSED(MPI_Send(nowhere, 1, MPI_INT, -9, -9, comm), MPI_ERR_BUFFER, "MPI_Send", "null");
    REFUSED(MPI_Recv(nowhere, 1, MPI_INT, 0, 0, comm, &status), MPI_ERR_BUFFER, "MPI_Recv");

    REFUSED(MPI_Send(number, 1, MPI_INT, size, -9, comm), MPI_ERR_RANK, "MPI_Send", beyond_text,
            beyond);
    REFUSED(MPI_Send(number, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm), MPI_ERR_RANK, "MPI_Send");
    REFUSED(MPI_Send(number, 1, MPI_INT, -77, 0, comm), MPI_ERR_RANK, "-77");
    REFUSED(MPI_Recv(number, 1, MPI_INT, size, 0, comm, &status), MPI_ERR_RANK, "MPI_Recv", beyond);
    REFUSED(MPI_Recv(number, 1, MPI_INT, -77, 0, comm, &status), MPI_ERR_RANK, "-77");
    REFUSED(MPI_Iprobe(size, 0, comm, &flag, &status), MPI_ERR_RANK, "MPI_Iprobe");
    REFUSED(MPI_Mprobe(-77, 0, comm, &message, &status), MPI_ERR_RANK, "MPI_Mprobe");
    REFUSED(MPI_Sendrecv(number, 1, MPI_INT, 0, 0, number + 1, 1, MPI_INT, size, 0, comm, &status),
            MPI_ERR_RANK, "MPI_Sendrecv");

    REFUSED(MPI_Send(number, 1, MPI_INT, 0, -5, comm), MPI_ERR_TAG, "MPI_Send", "tag=-5");
    REFUSED(MPI_Send(number, 1, MPI_INT, 0, MPI_ANY_TAG, comm), MPI_ERR_TAG, "MPI_Send");
    REFUSED(MPI_Recv(number, 1, MPI_INT, 0, -55, comm, &status), MPI_ERR_TAG, "-55");
    REFUSED(MPI_Ssend(number, 1, MPI_INT, MPI_PROC_NULL, -5, comm), MPI_ERR_TAG, "MPI_Ssend");
    REFUSED(MPI_Send(number, -1, MPI_INT, MPI_PROC_NULL, 0, comm), MPI_ERR_COUNT, "MPI_Send");

    /* Arguments that are valid. */
    OK(MPI_Send(nowhere, 0, MPI_INT, MPI_PROC_NULL, 0, comm));
    OK(MPI_Recv(nowhere, 0, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, comm, &status));
    OK(MPI_Irecv(nowhere, 0, MPI_INT, rank, 3, comm, &request));
    OK(MPI_Send(nowhere, 0, MPI_INT, rank, 3, comm));
    OK(MPI_Wait(&request, &status));
    STATUS(&status, rank, 3, 0);

    /* Requests that are complete or freed. */
    OK(MPI_Irecv(number, 1, MPI_INT, rank, 4, comm, &request));
    gone = request;
    OK(MPI_Cancel(&request));
    OK(MPI_Wait(&request, &status));
    request = gone;
    REFUSED(MPI_Wait(&request, &status), MPI_ERR_REQUEST, "MPI_Wait");
    REFUSED(MPI_Test(&request, &flag, &status), MPI_ERR_REQUEST, "MPI_Test");
    REFUSED(MPI_Cancel(&request), MPI_ERR_REQUEST, "MPI_Cancel");
    REFUSED(MPI_Request_free(&request), MPI_ERR_REQUEST, "MPI_Request_free");
    REFUSED(MPI_Request_get_status(request, &flag, &status), MPI_ERR_REQUEST,
            "MPI_Request_get_status");
    REFUSED(MPI_Waitany(1, &request, &index, &status), MPI_ERR_REQUEST, "MPI_Waitany");
    REFUSED(MPI_Testsome(1, &request, &count, &index, &status), MPI_ERR_REQUEST, "MPI_Testsome");
    request = MPI_REQUEST_NULL;
    REFUSED(MPI_Request_free(&request), MPI_ERR_REQUEST, "MPI_Request_free", "null handle");
    REFUSED(MPI_Cancel(&request), MPI_ERR_REQUEST, "MPI_Cancel");
    REFUSED(MPI_Start(&request), MPI_ERR_REQUEST, "MPI_Start");
    REFUSED(MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST, "MPI_Waitall");
    message = MPI_MESSAGE_NULL;
    REFUSED(MPI_Mrecv(number, 1, MPI_INT, &message, &status), MPI_ERR_REQUEST, "MPI_Mrecv");

    /* Null pointers where a result goes. */
    OK(MPI_Recv(number, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &status));
    REFUSED(MPI_Get_count(&status, MPI_INT, NULL), MPI_ERR_ARG, "MPI_Get_count");
    int completed;
    OK(MPI_Irecv(number, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &request));
    REFUSED(MPI_Waitsome(1, &request, &completed, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG,
            "MPI_Waitsome");
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));

    /* Predefined objects cannot be freed. */
    MPI_Comm world = MPI_COMM_WORLD;
    REFUSED(MPI_Comm_free(&world), MPI_ERR_COMM, "MPI_Comm_free");

    /* More errors than the library keeps texts for: the newest text is right, and the classes of
     * all codes stay known. */
    int first = MPI_Send(number, -1, MPI_INT, 0, 0, comm), class;
    for (int i = 0; i < 1000; i++)
        REFUSED(MPI_Send(number, 1, MPI_INT, 0, -2 - i, comm), MPI_ERR_TAG, "MPI_Send");
    OK(MPI_Error_class(first, &class));

    /* The library still works. */
    number[0] = rank;
    OK(MPI_Sendrecv(&number[0], 1, MPI_INT, (rank + 1) % size, 9, &number[1], 1, MPI_INT,
                    (rank + size - 1) % size, 9, comm, &status));
    CHECK(number[1] == (rank + size - 1) % size, "received %d", number[1]);
    OK(MPI_Comm_free(&comm));
    return MPI_Finalize();
}
