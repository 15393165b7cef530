/* Buffered sends return at once, occupy as much of the attached buffer as MPI 5.0 §3.6.1 says and
 * release it, fail with MPI_ERR_BUFFER if the buffer is full, and are delivered before a detach or
 * a flush returns. */

#include "check.h"

enum { LENGTH = 1100000, MESSAGES = 10, BUFFER_BYTES = MESSAGES * (LENGTH + MPI_BSEND_OVERHEAD) };

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int to = (rank + 1) % size, from = (rank + size - 1) % size, length = -1, number = 1;
    unsigned char *sent = malloc(LENGTH), *incoming = malloc(LENGTH),
        *attached = malloc(BUFFER_BYTES);
    void *address = NULL;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Status status;
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));

    FAILS(MPI_Bsend(&number, 1, MPI_INT, to, 1, comm), MPI_ERR_BUFFER);
    FAILS(MPI_Ibsend(&number, 1, MPI_INT, to, 1, comm, &request), MPI_ERR_BUFFER);
    OK(MPI_Bsend(&number, 1, MPI_INT, MPI_PROC_NULL, 1, comm));

    OK(MPI_Buffer_attach(attached, BUFFER_BYTES));
    FAILS(MPI_Buffer_attach(attached, BUFFER_BYTES), MPI_ERR_BUFFER);
    for (int round = 0; round < 5; round++) {
        /* The buffer holds exactly MESSAGES messages that nobody receives. */
        for (int i = 0; i < MESSAGES; i++) {
            fill(sent, LENGTH, rank * 100 + i);
            OK(MPI_Bsend(sent, LENGTH, MPI_BYTE, to, 1, comm));
            memset(sent, 0, LENGTH);
        }
        FAILS(MPI_Bsend(sent, LENGTH, MPI_BYTE, to, 1, comm), MPI_ERR_BUFFER);
        OK(MPI_Barrier(comm));
        for (int i = 0; i < MESSAGES; i++) {
            OK(MPI_Recv(incoming, LENGTH, MPI_BYTE, from, 1, comm, &status));
            STATUS(&status, from, 1, LENGTH);
            CHECK(first_wrong(incoming, LENGTH, from * 100 + i) < 0, "buffered message %d is wrong",
                  i);
        }
        if (round == 1) OK(MPI_Buffer_flush());
        if (round == 2) {
            OK(MPI_Buffer_iflush(&request));
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        if (round == 3) {
            OK(MPI_Buffer_detach(&address, &length));
            CHECK(address == attached && length == BUFFER_BYTES, "MPI_Buffer_detach gives %p, %d",
                  address, length);
            FAILS(MPI_Bsend(&number, 1, MPI_INT, to, 1, comm), MPI_ERR_BUFFER);
            OK(MPI_Buffer_attach(attached, BUFFER_BYTES));
        }
        /* All messages have been received, so that progress releases their parts of the buffer. */
        OK(MPI_Barrier(comm));
        OK(MPI_Buffer_flush());
    }
    OK(MPI_Buffer_detach(&address, &length));

    /* Automatic buffering has no limit: many messages are sent before the first receive. Their
     * contents do not change when the program overwrites its own memory. */
    OK(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    for (int i = 0; i < 500; i++) {
        int bytes = i * 37 % LENGTH;
        fill(sent, bytes, rank * 1000 + i);
        OK(MPI_Ibsend(sent, bytes, MPI_BYTE, to, 2, comm, &request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    for (int i = 0; i < 500; i++) {
        int bytes = i * 37 % LENGTH;
        OK(MPI_Recv(incoming, LENGTH, MPI_BYTE, from, 2, comm, &status));
        STATUS(&status, from, 2, bytes);
        CHECK(first_wrong(incoming, bytes, from * 1000 + i) < 0, "message %d is wrong", i);
    }
    OK(MPI_Buffer_detach(&address, &length));
    CHECK(address == MPI_BUFFER_AUTOMATIC, "MPI_Buffer_detach gives %p", address);

    /* MPI_Finalize delivers the messages that are still in the buffer (MPI 5.0 §11.2.3). */
    OK(MPI_Buffer_attach(attached, BUFFER_BYTES));
    fill(sent, LENGTH, rank);
    OK(MPI_Bsend(sent, LENGTH, MPI_BYTE, to, 3, MPI_COMM_WORLD));
    OK(MPI_Recv(incoming, LENGTH, MPI_BYTE, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(first_wrong(incoming, LENGTH, from) < 0, "the last message is wrong");
    OK(MPI_Comm_free(&comm));
    OK(MPI_Finalize());
    free(sent), free(incoming), free(attached);
    return 0;
}
