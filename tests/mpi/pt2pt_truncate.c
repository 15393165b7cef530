/* A message that is longer than its receive buffer is an error of the receiver only: no byte past
 * the buffer is written, the message is consumed, its status is right, and the sender gets no error
 * (MPI 5.0 §3.2.4). A shorter message writes only its own bytes. */

#include "check.h"

static const int lengths[] = {1, 40, 41, 4072, 4073, 16344, 16345, 100000, 1 << 20};

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Comm comm;
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int how = 0; how < 4; how++)
            for (int capacity = lengths[i] - 1; capacity >= 0;
                 capacity = capacity > 100 ? capacity / 3 : capacity - 37) {
                int length = lengths[i], code = MPI_SUCCESS, after = -1, closing = rank + 100;
                unsigned char *sent = malloc(length), *incoming = guarded(capacity);
                MPI_Request sending[2], request;
                MPI_Status status, last;
                fill(sent, length, rank);
                if (how == 0) OK(MPI_Irecv(incoming, capacity, MPI_BYTE, from, 1, comm, &request));
                if (how & 1) OK(MPI_Isend(sent, length, MPI_BYTE, to, 1, comm, &sending[0]));
                else OK(MPI_Issend(sent, length, MPI_BYTE, to, 1, comm, &sending[0]));
                OK(MPI_Isend(&closing, 1, MPI_INT, to, 1, comm, &sending[1]));
                memset(&status, 0, sizeof status);
                if (how == 2) {
                    OK(MPI_Probe(from, 1, comm, &status));
                    OK(MPI_Irecv(incoming, capacity, MPI_BYTE, MPI_ANY_SOURCE, 1, comm, &request));
                }
                if (how == 3) {
                    OK(MPI_Barrier(comm));
                    code = MPI_Recv(incoming, capacity, MPI_BYTE, from, MPI_ANY_TAG, comm, &status);
                } else if (how == 1) {
                    code = MPI_Sendrecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, incoming, capacity,
                                        MPI_BYTE, from, 1, comm, &status);
                } else {
                    code = MPI_Wait(&request, &status);
                    CHECK(request == MPI_REQUEST_NULL, "a failed request stays");
                }
                FAILS(code, MPI_ERR_TRUNCATE);
                CHECK(strstr(error_text(code), "bytes") != NULL,
                      "the text does not give the number of bytes: %s", error_text(code));
                CHECK(status.MPI_SOURCE == from && status.MPI_TAG == 1, "the status names (%d, %d)",
                      status.MPI_SOURCE, status.MPI_TAG);
                CHECK(untouched(incoming, capacity, capacity),
                      "%d bytes into %d: bytes past the buffer were written", length, capacity);
                CHECK(first_wrong(incoming, capacity, from) < 0,
                      "%d bytes into %d: the first bytes are wrong", length, capacity);
                OK(MPI_Recv(&after, 1, MPI_INT, from, 1, comm, &last));
                STATUS(&last, from, 1, 4);
                CHECK(after == from + 100, "the truncated message is not consumed");
                OK(MPI_Waitall(2, sending, MPI_STATUSES_IGNORE));
                free(sent);
                free_guarded(incoming);
            }
    OK(MPI_Comm_free(&comm));
    return MPI_Finalize();
}
