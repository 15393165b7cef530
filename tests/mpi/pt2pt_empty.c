/* MPI_DATATYPE_NULL with count 0 is accepted, because no data are moved, as in MPICH and Intel MPI:
 * sends and receives in all forms, to other ranks, to the own rank and to MPI_PROC_NULL, with int
 * and large counts, and collectives. It is an error with any other count, and wherever data are
 * packed or combined.
 *
 * sizes: 1 2 3
 */

#include "check.h"

static const MPI_Datatype none = MPI_DATATYPE_NULL;

/* An empty message from each rank to the next. */
static void messages(int to, int from)
{
    MPI_Request both[2];
    MPI_Status statuses[2], status;
    MPI_Message message;
    int source = from == MPI_PROC_NULL ? MPI_PROC_NULL : from,
        tag = from == MPI_PROC_NULL ? MPI_ANY_TAG : 3;
#define FROM_THE_ONE_BEFORE(status) STATUS(status, source, tag, 0)
    OK(MPI_Irecv(NULL, 0, none, from, 3, MPI_COMM_WORLD, &both[0]));
    OK(MPI_Isend(NULL, 0, none, to, 3, MPI_COMM_WORLD, &both[1]));
    OK(MPI_Waitall(2, both, statuses));
    FROM_THE_ONE_BEFORE(&statuses[0]);
    OK(MPI_Irecv_c(NULL, 0, none, from, 3, MPI_COMM_WORLD, &both[0]));
    OK(MPI_Send_c(NULL, 0, none, to, 3, MPI_COMM_WORLD));
    OK(MPI_Wait(&both[0], &status));
    FROM_THE_ONE_BEFORE(&status);
    OK(MPI_Bsend(NULL, 0, none, to, 3, MPI_COMM_WORLD));
    OK(MPI_Recv(NULL, 0, none, from, 3, MPI_COMM_WORLD, &status));
    FROM_THE_ONE_BEFORE(&status);
    OK(MPI_Issend(NULL, 0, none, to, 3, MPI_COMM_WORLD, &both[1]));
    OK(MPI_Mprobe(from, 3, MPI_COMM_WORLD, &message, &status));
    OK(MPI_Mrecv(NULL, 0, none, &message, &status));
    FROM_THE_ONE_BEFORE(&status);
    OK(MPI_Wait(&both[1], MPI_STATUS_IGNORE));
    OK(MPI_Sendrecv(NULL, 0, none, to, 3, NULL, 0, none, from, 3, MPI_COMM_WORLD, &status));
    FROM_THE_ONE_BEFORE(&status);
    OK(MPI_Sendrecv_replace(NULL, 0, none, to, 3, from, 3, MPI_COMM_WORLD, &status));
    FROM_THE_ONE_BEFORE(&status);
    OK(MPI_Isendrecv(NULL, 0, none, to, 3, NULL, 0, none, from, 3, MPI_COMM_WORLD, &both[0]));
    OK(MPI_Wait(&both[0], MPI_STATUS_IGNORE));
    OK(MPI_Recv_init(NULL, 0, none, from, 3, MPI_COMM_WORLD, &both[0]));
    OK(MPI_Send_init(NULL, 0, none, to, 3, MPI_COMM_WORLD, &both[1]));
    for (int round = 0; round < 2; round++) {
        OK(MPI_Startall(2, both));
        OK(MPI_Waitall(2, both, statuses));
        FROM_THE_ONE_BEFORE(&statuses[0]);
    }
    OK(MPI_Request_free(&both[0]));
    OK(MPI_Request_free(&both[1]));
    OK(MPI_Precv_init(NULL, 2, 0, none, from, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &both[0]));
    OK(MPI_Psend_init(NULL, 2, 0, none, to, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &both[1]));
    OK(MPI_Startall(2, both));
    OK(MPI_Pready_range(0, 1, both[1]));
    OK(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
    OK(MPI_Request_free(&both[0]));
    OK(MPI_Request_free(&both[1]));
    FAILS(MPI_Send(&source, 1, none, to, 3, MPI_COMM_WORLD), MPI_ERR_TYPE);
    FAILS(MPI_Recv(&source, 1, none, from, 3, MPI_COMM_WORLD, &status), MPI_ERR_TYPE);
}

/* A message that is not empty is truncated. */
static void truncation(void)
{
    MPI_Request request;
    MPI_Status status;
    OK(MPI_Isend(&rank, 1, MPI_INT, rank, 4, MPI_COMM_WORLD, &request));
    FAILS(MPI_Recv(NULL, 0, none, rank, 4, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void ignore(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)type;
    CHECK(*length == 0, "%d elements", *length);
}

static void collectives(void)
{
    MPI_Request request;
    MPI_Op op;
    int zeros[16] = {0}, position = 0, out;
    OK(MPI_Bcast(NULL, 0, none, 0, MPI_COMM_WORLD));
    OK(MPI_Bcast_c(NULL, 0, none, 0, MPI_COMM_WORLD));
    OK(MPI_Gather(NULL, 0, none, NULL, 0, none, 0, MPI_COMM_WORLD));
    OK(MPI_Gatherv(NULL, 0, none, NULL, zeros, zeros, none, 0, MPI_COMM_WORLD));
    OK(MPI_Scatter(NULL, 0, none, NULL, 0, none, 0, MPI_COMM_WORLD));
    OK(MPI_Scatterv(NULL, zeros, zeros, none, NULL, 0, none, 0, MPI_COMM_WORLD));
    OK(MPI_Allgather(NULL, 0, none, NULL, 0, none, MPI_COMM_WORLD));
    OK(MPI_Allgatherv(NULL, 0, none, NULL, zeros, zeros, none, MPI_COMM_WORLD));
    OK(MPI_Alltoall(NULL, 0, none, NULL, 0, none, MPI_COMM_WORLD));
    OK(MPI_Alltoallv(NULL, zeros, zeros, none, NULL, zeros, zeros, none, MPI_COMM_WORLD));
    OK(MPI_Ialltoall(NULL, 0, none, NULL, 0, none, MPI_COMM_WORLD, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Allgather_init(NULL, 0, none, NULL, 0, none, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    OK(MPI_Start(&request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&request));
    OK(MPI_Op_create(ignore, 1, &op));
    OK(MPI_Allreduce(NULL, NULL, 0, none, op, MPI_COMM_WORLD));
    OK(MPI_Op_free(&op));
    FAILS(MPI_Bcast(&out, 1, none, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    /* No predefined operation is defined for MPI_DATATYPE_NULL. */
    FAILS(MPI_Allreduce(NULL, NULL, 0, none, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_OP);
    FAILS(MPI_Pack(NULL, 0, none, &out, sizeof out, &position, MPI_COMM_WORLD), MPI_ERR_TYPE);
    FAILS(MPI_Pack_size(0, none, MPI_COMM_WORLD, &out), MPI_ERR_TYPE);
}

int main(int argc, char **argv)
{
    static char memory[4096];
    begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Buffer_attach(memory, sizeof memory));
    messages((rank + 1) % size, (rank + size - 1) % size);
    messages(rank, rank);
    messages(MPI_PROC_NULL, MPI_PROC_NULL);
    truncation();
    collectives();
    int left;
    void *detached;
    OK(MPI_Buffer_detach(&detached, &left));
    return MPI_Finalize();
}
