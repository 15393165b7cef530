/* Communicators whose messages travel in lanes of their own: an oracle for every kind of call that
 * has to find the lane. Threads exchange messages on communicators in different lanes at once; one
 * thread waits for requests of several lanes by every call; a thread that waits in one lane lets a
 * long message of another one go on; communicators are made and freed.
 *
 * sizes: 1 2 4
 * seconds: 60
 */

#include "check.h"
#include "thread.h"

enum { COMMS = 8, LONG = 3000000 };

static MPI_Comm comms[COMMS];
static int to, from;

/* The lane of a communicator, which its info tells. */
static int lane_of(MPI_Comm comm)
{
    MPI_Info info;
    char value[32] = "";
    int flag, length = sizeof value;
    OK(MPI_Comm_get_info(comm, &info));
    OK(MPI_Info_get_string(info, "nemesis_lane", &length, value, &flag));
    OK(MPI_Info_free(&info));
    CHECK(flag, "the info has no lane");
    return atoi(value);
}

/* A communicator that wishes for a lane, by the library's own key or by MPICH's. */
static MPI_Comm in_lane(int lane, int number)
{
    MPI_Info info;
    MPI_Comm comm;
    char value[8];
    snprintf(value, sizeof value, "%d", lane);
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, number % 2 ? "vci" : "nemesis_lane", value));
    OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm));
    OK(MPI_Info_free(&info));
    return comm;
}

static void wishes(void)
{
    int of[COMMS], all[COMMS];
    MPI_Comm comm;
    for (int i = 0; i < COMMS; i++) of[i] = lane_of(comms[i]);
    OK(MPI_Allreduce(of, all, COMMS, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    for (int i = 0; i < COMMS; i++)
        CHECK(of[i] == all[i], "lane %d here, %d elsewhere", of[i], all[i]);
    CHECK(lane_of(MPI_COMM_WORLD) == 0, "MPI_COMM_WORLD is in lane %d", lane_of(MPI_COMM_WORLD));
    comm = in_lane(0, 0);
    CHECK(lane_of(comm) == 0, "lane %d instead of 0", lane_of(comm));
    OK(MPI_Comm_free(&comm));
    if (of[0] == 0) return; /* There is one lane. */
    /* A wish for a lane that does not exist is one for none: between nodes there are four. */
    for (int i = 0, lanes = of[3] == 0 ? 4 : 8; i < COMMS; i++)
        CHECK(of[i] == (i % 7 + 1 < lanes ? i % 7 + 1 : 0), "communicator %d: lane %d", i, of[i]);
}

static int value_of(int sender, int i, int round) { return (sender * 1000 + round) * 10 + i; }

/* Every way to send and to receive, on each communicator, with data of derived types. */
static void every_way(int i, int round)
{
    MPI_Comm comm = comms[i];
    MPI_Status status;
    MPI_Request requests[2];
    MPI_Message message;
    MPI_Datatype pairs;
    int out[4], in[4] = {-1, -1, -1, -1}, flag = 0, count, own = value_of(rank, i, round),
        due = value_of(from, i, round);
    for (int k = 0; k < 4; k++) out[k] = own + k;
    OK(MPI_Type_vector(2, 1, 2, MPI_INT, &pairs));
    OK(MPI_Type_commit(&pairs));
    switch (round % 8) {
    case 0:
        OK(MPI_Irecv(in, 1, pairs, from, 7, comm, &requests[0]));
        OK(MPI_Send(out, 1, pairs, to, 7, comm));
        OK(MPI_Wait(&requests[0], &status));
        break;
    case 1:
        OK(MPI_Isend(out, 1, pairs, to, 7, comm, &requests[0]));
        OK(MPI_Probe(from, MPI_ANY_TAG, comm, &status));
        OK(MPI_Recv(in, 1, pairs, MPI_ANY_SOURCE, 7, comm, &status));
        OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        break;
    case 2:
        OK(MPI_Issend(out, 1, pairs, to, 7, comm, &requests[0]));
        OK(MPI_Mprobe(from, 7, comm, &message, &status));
        OK(MPI_Mrecv(in, 1, pairs, &message, &status));
        OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        break;
    case 3:
        OK(MPI_Send_init(out, 1, pairs, to, 7, comm, &requests[0]));
        OK(MPI_Recv_init(in, 1, pairs, from, 7, comm, &requests[1]));
        OK(MPI_Startall(2, requests));
        while (!flag) OK(MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE));
        OK(MPI_Request_free(&requests[0]));
        OK(MPI_Request_free(&requests[1]));
        break;
    case 4:
        OK(MPI_Sendrecv(out, 1, pairs, to, 7, in, 1, pairs, from, 7, comm, &status));
        OK(MPI_Get_count(&status, pairs, &count));
        CHECK(count == 1, "%d elements", count);
        break;
    case 5:
        OK(MPI_Isend(out, 1, pairs, to, 7, comm, &requests[0]));
        while (!flag) OK(MPI_Improbe(from, 7, comm, &flag, &message, &status));
        OK(MPI_Imrecv(in, 1, pairs, &message, &requests[1]));
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        break;
    case 6:
        OK(MPI_Psend_init(out, 2, 1, MPI_INT, to, 7, comm, MPI_INFO_NULL, &requests[0]));
        OK(MPI_Precv_init(in, 2, 1, MPI_INT, from, 7, comm, MPI_INFO_NULL, &requests[1]));
        OK(MPI_Startall(2, requests));
        OK(MPI_Pready(1, requests[0]));
        OK(MPI_Pready(0, requests[0]));
        while (!flag) OK(MPI_Parrived(requests[1], 1, &flag));
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        CHECK(in[1] == due + 1, "partition: %d, not %d", in[1], due + 1);
        in[2] = due + 2;
        OK(MPI_Request_free(&requests[0]));
        OK(MPI_Request_free(&requests[1]));
        break;
    case 7:
        OK(MPI_Irecv(in, 1, pairs, from, 8, comm, &requests[0]));
        OK(MPI_Cancel(&requests[0]));
        OK(MPI_Wait(&requests[0], &status));
        OK(MPI_Test_cancelled(&status, &flag));
        CHECK(flag, "the receive is not cancelled");
        OK(MPI_Isendrecv(out, 1, pairs, to, 7, in, 1, pairs, from, 7, comm, &requests[0]));
        OK(MPI_Wait(&requests[0], &status));
        break;
    }
    OK(MPI_Type_free(&pairs));
    CHECK(in[0] == due && in[2] == due + 2, "way %d on communicator %d: %d and %d, not %d",
          round % 8, i, in[0], in[2], due);
}

static void *exchange(void *argument)
{
    int i = (int)(long)argument;
    for (int round = 0; round < 160; round++) every_way(i, round);
    return NULL;
}

/* One thread completes requests of several lanes, by every call. */
static void across_lanes(void)
{
    MPI_Request requests[2 * COMMS];
    MPI_Status statuses[2 * COMMS];
    int in[COMMS], out[COMMS], indices[2 * COMMS], index, flag, count, left;
    for (int way = 0; way < 8; way++) {
        for (int i = 0; i < COMMS; i++) {
            in[i] = -1;
            out[i] = value_of(rank, i, way);
            OK(MPI_Irecv(&in[i], 1, MPI_INT, from, way, comms[i], &requests[i]));
        }
        for (int i = 0; i < COMMS; i++)
            OK(MPI_Isend(&out[i], 1, MPI_INT, to, way, comms[i], &requests[COMMS + i]));
        if (way == 0) OK(MPI_Request_free(&requests[COMMS]));
        switch (way) {
        case 0:
        case 1: OK(MPI_Waitall(2 * COMMS, requests, statuses)); break;
        case 2:
            for (flag = 0; !flag;) OK(MPI_Testall(2 * COMMS, requests, &flag, statuses));
            break;
        case 3:
        case 4:
            for (left = 2 * COMMS; left > 0; left--) {
                if (way == 3)
                    OK(MPI_Waitany(2 * COMMS, requests, &index, &statuses[0]));
                else
                    for (flag = 0; !flag;)
                        OK(MPI_Testany(2 * COMMS, requests, &index, &flag, &statuses[0]));
                CHECK(index >= 0 && index < 2 * COMMS, "index %d", index);
                CHECK(requests[index] == MPI_REQUEST_NULL, "request %d is not null", index);
            }
            OK(MPI_Waitany(2 * COMMS, requests, &index, &statuses[0]));
            CHECK(index == MPI_UNDEFINED, "index %d of nothing", index);
            break;
        case 5:
        case 6:
            for (left = 2 * COMMS; left > 0; left -= count) {
                if (way == 5)
                    OK(MPI_Waitsome(2 * COMMS, requests, &count, indices, statuses));
                else
                    OK(MPI_Testsome(2 * COMMS, requests, &count, indices, statuses));
                CHECK(count >= 0 && count <= left, "%d of %d", count, left);
            }
            break;
        case 7:
            for (flag = 0; !flag;)
                OK(MPI_Request_get_status_all(2 * COMMS, requests, &flag, statuses));
            for (int i = 0; i < COMMS; i++)
                CHECK(statuses[i].MPI_TAG == way && statuses[i].MPI_SOURCE == from, "status %d", i);
            OK(MPI_Waitall(2 * COMMS, requests, MPI_STATUSES_IGNORE));
            break;
        }
        for (int i = 0; i < COMMS; i++)
            CHECK(in[i] == value_of(from, i, way), "way %d: %d on communicator %d", way, in[i], i);
    }
}

/* A long message in one lane goes on while its processes wait in another one: nobody attends the
 * lane of the long message. */
static void attention(void)
{
    for (int i = 0; i < COMMS; i++) {
        unsigned char *out = malloc(LONG), *in = calloc(LONG, 1);
        int token = rank, came = -1;
        MPI_Request requests[2], wait;
        for (int k = 0; k < LONG; k++) out[k] = (unsigned char)(k * 7 + rank);
        OK(MPI_Irecv(in, LONG, MPI_BYTE, from, 1, comms[i], &requests[0]));
        OK(MPI_Isend(out, LONG, MPI_BYTE, to, 1, comms[i], &requests[1]));
        /* Rank 0 finishes the long message first and then lets the others go, in another lane. */
        if (rank == 0) {
            OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
            for (int r = 1; r < size; r++)
                OK(MPI_Send(&token, 1, MPI_INT, r, 2, comms[(i + 1) % COMMS]));
        } else {
            OK(MPI_Irecv(&came, 1, MPI_INT, 0, 2, comms[(i + 1) % COMMS], &wait));
            OK(MPI_Wait(&wait, MPI_STATUS_IGNORE));
            CHECK(came == 0, "token %d", came);
            OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        }
        for (int k = 0; k < LONG; k++)
            CHECK(in[k] == (unsigned char)(k * 7 + from), "byte %d is %d", k, in[k]);
        free(out);
        free(in);
    }
}

/* Buffered sends in a lane use the buffer that the program has attached. */
static void buffered(void)
{
    int bytes = 100 * (int)(sizeof(int) + MPI_BSEND_OVERHEAD), out = rank, in = -1;
    void *buffer = malloc((size_t)bytes), *detached;
    MPI_Comm_set_errhandler(comms[0], MPI_ERRORS_RETURN);
    int code = MPI_Bsend(&out, 1, MPI_INT, to, 3, comms[0]), class;
    OK(MPI_Error_class(code, &class));
    CHECK(class == MPI_ERR_BUFFER, "without a buffer: class %d", class);
    OK(MPI_Buffer_attach(buffer, bytes));
    for (int i = 0; i < COMMS; i++) OK(MPI_Bsend(&out, 1, MPI_INT, to, 3, comms[i]));
    for (int i = 0; i < COMMS; i++) {
        OK(MPI_Recv(&in, 1, MPI_INT, from, 3, comms[i], MPI_STATUS_IGNORE));
        CHECK(in == from, "%d came, not %d", in, from);
    }
    OK(MPI_Buffer_detach(&detached, &bytes));
    free(buffer);
}

/* Errors in a lane are those of the communicator. */
static void errors(void)
{
    int code, class, out = 0;
    MPI_Comm_set_errhandler(comms[1], MPI_ERRORS_RETURN);
    code = MPI_Send(&out, 1, MPI_INT, size, 0, comms[1]);
    OK(MPI_Error_class(code, &class));
    CHECK(class == MPI_ERR_RANK, "class %d", class);
    code = MPI_Send(&out, 1, MPI_INT, 0, -77, comms[1]);
    OK(MPI_Error_class(code, &class));
    CHECK(class == MPI_ERR_TAG, "class %d", class);
    MPI_Datatype type;
    OK(MPI_Type_contiguous(3, MPI_INT, &type));
    code = MPI_Send(&out, 1, type, 0, 0, comms[1]);
    OK(MPI_Error_class(code, &class));
    CHECK(class == MPI_ERR_TYPE, "class %d", class);
    OK(MPI_Type_free(&type));
}

/* Communicators are made and freed in all lanes, and collectives of theirs are right. */
static void many_communicators(void)
{
    for (int round = 0; round < 20; round++) {
        MPI_Comm made[COMMS];
        for (int i = 0; i < COMMS; i++) {
            int own = rank, sum = -1, last = -1;
            OK(MPI_Comm_split(comms[i], 0, -rank, &made[i]));
            OK(MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, made[i]));
            CHECK(sum == size * (size - 1) / 2, "sum %d", sum);
            OK(MPI_Sendrecv(&own, 1, MPI_INT, 0, 5, &last, 1, MPI_INT, MPI_ANY_SOURCE, 5,
                            rank == size - 1 ? made[i] : MPI_COMM_SELF, MPI_STATUS_IGNORE));
            CHECK(last == rank, "last %d", last);
        }
        for (int i = 0; i < COMMS; i++) OK(MPI_Comm_free(&made[i]));
    }
}

/* A receive that the program cannot be given a name of is not posted: the next message is not
 * for it. */
static void limit(void)
{
    enum { MORE = (1 << 20) + 10 };
    MPI_Comm comm;
    int code = MPI_SUCCESS, count = 0, sent = 42, came = 0, none = 0, class;
    MPI_Request *requests = malloc(MORE * sizeof *requests);
    OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (; count < MORE; count++) {
        code = MPI_Irecv(&none, 1, MPI_INT, 0, count, comm, &requests[count]);
        if (code != MPI_SUCCESS) break;
    }
    if (code != MPI_SUCCESS) {
        OK(MPI_Error_class(code, &class));
        CHECK(class == MPI_ERR_NO_MEM, "class %d", class);
        OK(MPI_Cancel(&requests[0]));
        OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        OK(MPI_Irecv(&came, 1, MPI_INT, 0, count, comm, &requests[0]));
        OK(MPI_Send(&sent, 1, MPI_INT, 0, count, comm));
        OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        CHECK(came == sent && none == 0, "%d came, and %d at the refused receive", came, none);
    }
    for (int i = 0; i < count; i++)
        if (requests[i] != MPI_REQUEST_NULL) {
            OK(MPI_Cancel(&requests[i]));
            OK(MPI_Request_free(&requests[i]));
        }
    OK(MPI_Comm_free(&comm));
    free(requests);
}

int main(int argc, char **argv)
{
    begin_threads(&argc, &argv);
    to = (rank + 1) % size;
    from = (rank + size - 1) % size;
    for (int i = 0; i < COMMS; i++) comms[i] = in_lane(i % 7 + 1, i);
    wishes();
    across_lanes();
    attention();
    buffered();
    errors();
    if (size == 1) limit();
    many_communicators();
    in_threads(COMMS, exchange);
    across_lanes();
    for (int i = 0; i < COMMS; i++) OK(MPI_Comm_free(&comms[i]));
    return MPI_Finalize();
}
