/* A communicator on which no receive names MPI_ANY_TAG, so that each tag may have a lane of its
 * own: an oracle for every kind of call that has to find the lane of a tag. Threads with a tag each
 * exchange messages on one communicator; calls of two tags send in one lane and receive in another;
 * collective operations go on beside them; an assertion that not all processes make has no effect.
 *
 * sizes: 1 2 4
 * seconds: 60
 */

#include "check.h"
#include "thread.h"

enum { TAGS = 8, LONG = 300000, MANY = 40 };

static MPI_Comm comm;
static int to, from, lanes;

/* What the info of a communicator tells. */
static void told(MPI_Comm of, const char *key, char value[32])
{
    MPI_Info info;
    int flag, length = 32;
    OK(MPI_Comm_get_info(of, &info));
    OK(MPI_Info_get_string(info, key, &length, value, &flag));
    OK(MPI_Info_free(&info));
    CHECK(flag, "the info has no %s", key);
}

/* A duplicate whose processes assert, or do not, that they name the tags of their receives. */
static MPI_Comm asserted(MPI_Comm of, int asserts, const char *lane)
{
    MPI_Info info;
    MPI_Comm made;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "mpi_assert_no_any_tag", asserts ? "true" : "false"));
    OK(MPI_Info_set(info, "mpi_assert_no_any_source", "true"));
    if (lane) OK(MPI_Info_set(info, "nemesis_lane", lane));
    OK(MPI_Comm_dup_with_info(of, info, &made));
    OK(MPI_Info_free(&info));
    return made;
}

static int is_by_tag(MPI_Comm of)
{
    char lane[32];
    int mine, all[2], both[2];
    told(of, "nemesis_lane", lane);
    mine = strcmp(lane, "tag") == 0;
    both[0] = mine, both[1] = -mine;
    OK(MPI_Allreduce(both, all, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CHECK(all[0] == mine && all[1] == -mine, "lane %s here, and another one elsewhere", lane);
    return mine;
}

/* Senseless wishes are told; MPICH's key is MPICH's business. */
static void wishes(void)
{
    static const char *const senseless[] = {"two", "8", "-1", "", " 1", "tags"};
    MPI_Comm made;
    MPI_Info info;
    int class;
    char value[32];
    OK(MPI_Info_create(&info));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int i = 0; i < 6; i++) {
        OK(MPI_Info_set(info, "nemesis_lane", senseless[i]));
        int code = MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &made);
        CHECK(code != MPI_SUCCESS, "a communicator in lane \"%s\" is made", senseless[i]);
        OK(MPI_Error_class(code, &class));
        CHECK(class == MPI_ERR_INFO_VALUE, "class %d", class);
        code = MPI_Comm_set_info(comm, info);
        CHECK(code != MPI_SUCCESS, "a communicator gets lane \"%s\"", senseless[i]);
    }
    OK(MPI_Info_delete(info, "nemesis_lane"));
    OK(MPI_Info_set(info, "vci", "two"));
    OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &made));
    OK(MPI_Comm_free(&made));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    OK(MPI_Info_free(&info));

    /* Lanes do not change, so a program cannot take back what they rely on. */
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "mpi_assert_no_any_tag", "false"));
    OK(MPI_Comm_set_info(comm, info));
    told(comm, "mpi_assert_no_any_tag", value);
    CHECK(strcmp(value, lanes ? "true" : "false") == 0, "no_any_tag=%s", value);
    OK(MPI_Info_set(info, "mpi_assert_no_any_tag", "true"));
    OK(MPI_Comm_set_info(comm, info));
    OK(MPI_Info_free(&info));
}

/* Each process speaks for itself: where one does not assert, wildcards are permitted. */
static void unequal_assertions(void)
{
    MPI_Status status;
    int out = rank, in = -1;
    for (int who = 0; who < size; who++) {
        for (int way = 0; way < 2; way++) {
            MPI_Comm made = asserted(MPI_COMM_WORLD, way ? rank == who : rank != who, NULL);
            CHECK(!is_by_tag(made) || (way && size == 1), "lanes by tag without an assertion");
            if (!is_by_tag(made)) {
                OK(MPI_Sendrecv(&out, 1, MPI_INT, to, 5 + way, &in, 1, MPI_INT, from, MPI_ANY_TAG,
                                made, &status));
                CHECK(in == from && status.MPI_TAG == 5 + way, "%d with tag %d", in,
                      status.MPI_TAG);
            }
            OK(MPI_Comm_free(&made));
        }
    }
    /* A duplicate has no hints of its parent, and a wish for one lane is one for one lane. */
    MPI_Comm copy, one = asserted(MPI_COMM_WORLD, 1, "1");
    OK(MPI_Comm_dup(comm, &copy));
    CHECK(!is_by_tag(copy) && !is_by_tag(one), "lanes by tag");
    OK(MPI_Sendrecv(&out, 1, MPI_INT, to, 9, &in, 1, MPI_INT, from, MPI_ANY_TAG, copy, &status));
    CHECK(status.MPI_TAG == 9, "tag %d", status.MPI_TAG);
    OK(MPI_Comm_free(&copy));
    OK(MPI_Comm_free(&one));
}

static void check_error(int code, const char *call)
{
    int class = 0;
    CHECK(code != MPI_SUCCESS, "%s takes any tag, or a negative one", call);
    OK(MPI_Error_class(code, &class));
    CHECK(class == MPI_ERR_TAG, "%s: class %d", call, class);
}

/* Any tag is in no lane, and must be told; a negative one is none anyway. */
static void wildcards(void)
{
    MPI_Request request;
    MPI_Message message;
    int in = 0, flag;
    double long_in[64];
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int way = 0; way < 4; way++) {
        int tag = way % 2 ? -5 : MPI_ANY_TAG, source = way / 2 ? MPI_ANY_SOURCE : from;
        MPI_Status *none = MPI_STATUS_IGNORE;
        if (!lanes && way % 2 == 0) continue;
        check_error(MPI_Recv(&in, 1, MPI_INT, source, tag, comm, none), "MPI_Recv");
        check_error(MPI_Recv(long_in, 64, MPI_DOUBLE, source, tag, comm, none), "MPI_Recv");
        check_error(MPI_Irecv(&in, 1, MPI_INT, source, tag, comm, &request), "MPI_Irecv");
        check_error(MPI_Recv_init(&in, 1, MPI_INT, source, tag, comm, &request), "MPI_Recv_init");
        check_error(MPI_Probe(source, tag, comm, none), "MPI_Probe");
        check_error(MPI_Iprobe(source, tag, comm, &flag, none), "MPI_Iprobe");
        check_error(MPI_Mprobe(source, tag, comm, &message, none), "MPI_Mprobe");
        check_error(MPI_Improbe(source, tag, comm, &flag, &message, none), "MPI_Improbe");
        check_error(MPI_Sendrecv(&in, 1, MPI_INT, to, 1, &in, 1, MPI_INT, source, tag, comm, none),
                    "MPI_Sendrecv");
        check_error(MPI_Sendrecv_replace(&in, 1, MPI_INT, to, 1, source, tag, comm, none),
                    "MPI_Sendrecv_replace");
    }
    check_error(MPI_Send(&in, 1, MPI_INT, to, -5, comm), "MPI_Send");
    check_error(MPI_Isend(&in, 1, MPI_INT, to, MPI_ANY_TAG, comm, &request), "MPI_Isend");
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

static int value_of(int sender, int tag, int round) { return (sender * 1000 + round) * 10 + tag; }

/* Every way to send with one tag and to receive with another, in one thread or in several. */
static void every_way(MPI_Comm on, int base, int tag, int round)
{
    MPI_Status status;
    MPI_Request requests[4];
    MPI_Message message;
    MPI_Datatype pairs;
    int out[4], in[4] = {-1, -1, -1, -1}, more[2] = {-1, -1}, flag = 0, index, count,
        own = value_of(rank, tag, round), due = value_of(from, tag, round), t = base + tag;
    for (int k = 0; k < 4; k++) out[k] = own + k;
    OK(MPI_Type_vector(2, 1, 2, MPI_INT, &pairs));
    OK(MPI_Type_commit(&pairs));
    memset(&status, 0, sizeof status);
    status.MPI_TAG = t, status.MPI_SOURCE = from;
    switch (round % 10) {
    case 0:
        OK(MPI_Irecv(in, 1, pairs, MPI_ANY_SOURCE, t, on, &requests[0]));
        OK(MPI_Send(out, 1, pairs, to, t, on));
        OK(MPI_Wait(&requests[0], &status));
        break;
    case 1:
        OK(MPI_Isend(out, 1, pairs, to, t, on, &requests[0]));
        OK(MPI_Probe(MPI_ANY_SOURCE, t, on, &status));
        OK(MPI_Recv(in, 1, pairs, from, t, on, &status));
        OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        break;
    case 2:
        OK(MPI_Issend(out, 1, pairs, to, t, on, &requests[0]));
        OK(MPI_Mprobe(from, t, on, &message, &status));
        OK(MPI_Mrecv(in, 1, pairs, &message, &status));
        OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        break;
    case 3: /* Persistent requests of two tags each way. */
        OK(MPI_Send_init(out, 1, pairs, to, t, on, &requests[0]));
        OK(MPI_Recv_init(in, 1, pairs, from, t, on, &requests[1]));
        OK(MPI_Send_init(out, 1, MPI_INT, to, t + TAGS * 100, on, &requests[2]));
        OK(MPI_Recv_init(more, 1, MPI_INT, from, t + TAGS * 100, on, &requests[3]));
        OK(MPI_Startall(4, requests));
        while (!flag) OK(MPI_Testall(4, requests, &flag, MPI_STATUSES_IGNORE));
        for (int i = 0; i < 4; i++) OK(MPI_Request_free(&requests[i]));
        CHECK(more[0] == due, "the second persistent message is %d", more[0]);
        break;
    case 4: /* The message of another tag is sent with the one that is received. */
        OK(MPI_Irecv(more, 1, MPI_INT, from, t + 1001, on, &requests[0]));
        OK(MPI_Isend(out, 1, pairs, to, t, on, &requests[1]));
        OK(MPI_Sendrecv(out, 1, MPI_INT, to, t + 1001, in, 1, pairs, from, t, on, &status));
        OK(MPI_Get_count(&status, pairs, &count));
        CHECK(count == 1, "%d elements", count);
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        CHECK(more[0] == due, "the message beside it is %d", more[0]);
        break;
    case 5:
        OK(MPI_Isend(out, 1, pairs, to, t, on, &requests[0]));
        while (!flag) OK(MPI_Improbe(from, t, on, &flag, &message, &status));
        OK(MPI_Imrecv(in, 1, pairs, &message, &requests[1]));
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        break;
    case 6:
        OK(MPI_Psend_init(out, 2, 1, MPI_INT, to, t, on, MPI_INFO_NULL, &requests[0]));
        OK(MPI_Precv_init(in, 2, 1, MPI_INT, from, t, on, MPI_INFO_NULL, &requests[1]));
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
    case 7: /* A receive that is cancelled, and both halves of MPI_Isendrecv with another tag. */
        OK(MPI_Irecv(in, 1, pairs, from, t + 2000, on, &requests[0]));
        OK(MPI_Cancel(&requests[0]));
        OK(MPI_Wait(&requests[0], &status));
        OK(MPI_Test_cancelled(&status, &flag));
        CHECK(flag, "the receive is not cancelled");
        OK(MPI_Irecv(more, 2, MPI_INT, from, t + 3001, on, &requests[1]));
        OK(MPI_Isendrecv(out, 2, MPI_INT, to, t + 3001, in, 1, pairs, from, t, on, &requests[0]));
        out[0] = own; /* The request below is the receive's; the buffer stays until then. */
        OK(MPI_Send(out, 1, pairs, to, t, on));
        OK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
        OK(MPI_Wait(&requests[0], &status));
        CHECK(more[0] == due && more[1] == due + 1, "sent with it: %d, %d", more[0], more[1]);
        break;
    case 8: /* The same in one buffer, and one of several requests. */
        for (int k = 0; k < 4; k++) in[k] = own + k;
        OK(MPI_Isend(out, 1, pairs, to, t, on, &requests[0]));
        OK(MPI_Irecv(more, 2, MPI_INT, from, t + 3001, on, &requests[1]));
        OK(MPI_Isendrecv_replace(in, 1, pairs, to, t + 3001, from, t, on, &requests[2]));
        for (int left = 3; left > 0; left--) {
            OK(MPI_Waitany(3, requests, &index, &status));
            CHECK(index >= 0 && index < 3, "index %d", index);
        }
        status.MPI_TAG = t, status.MPI_SOURCE = from;
        CHECK(more[0] == due && more[1] == due + 2, "replaced: %d, %d", more[0], more[1]);
        break;
    case 9:
        for (int k = 0; k < 4; k++) in[k] = own + k;
        OK(MPI_Isend(out, 1, pairs, to, t, on, &requests[0]));
        OK(MPI_Irecv(more, 2, MPI_INT, from, t + 3001, on, &requests[1]));
        OK(MPI_Sendrecv_replace(in, 1, pairs, to, t + 3001, from, t, on, &status));
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        CHECK(more[0] == due && more[1] == due + 2, "replaced: %d, %d", more[0], more[1]);
        break;
    }
    OK(MPI_Type_free(&pairs));
    CHECK(status.MPI_TAG == t || round % 10 == 3 || round % 10 == 5 || round % 10 == 6,
          "way %d: tag %d, not %d", round % 10, status.MPI_TAG, t);
    CHECK(in[0] == due && in[2] == due + 2, "way %d with tag %d: %d and %d, not %d", round % 10,
          tag, in[0], in[2], due);
}

static void *exchange(void *argument)
{
    int tag = (int)(long)argument;
    for (int round = 0; round < 120; round++) every_way(comm, 10000 * (tag + 1), tag, round);
    return NULL;
}

/* Messages of one tag arrive in their order, short and long ones, whatever other tags do. */
static void *in_order(void *argument)
{
    static unsigned char sent[TAGS][LONG], incoming[TAGS][LONG];
    int tag = (int)(long)argument, count;
    unsigned random = (unsigned)tag + 5;
    MPI_Request request;
    MPI_Status status;
    for (int i = 0; i < MANY; i++) {
        int length = (int)(next_random(&random) % (i % 4 ? 200 : LONG));
        for (int k = 0; k < length; k++) sent[tag][k] = (unsigned char)(k + i + rank);
        OK(MPI_Isend(sent[tag], length, MPI_BYTE, to, tag, comm, &request));
        OK(MPI_Recv(incoming[tag], LONG, MPI_BYTE, i % 3 ? from : MPI_ANY_SOURCE, tag, comm,
                    &status));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        OK(MPI_Get_count(&status, MPI_BYTE, &count));
        CHECK(count == length, "tag %d, message %d: %d bytes, not %d", tag, i, count, length);
        for (int k = 0; k < length; k++)
            CHECK(incoming[tag][k] == (unsigned char)(k + i + from), "tag %d, message %d, byte %d",
                  tag, i, k);
    }
    return NULL;
}

/* Collective operations of the communicator, beside messages that are under way. */
static void collectives(void)
{
    MPI_Request requests[2 * TAGS + 1];
    int in[TAGS], out[TAGS], sum = 0, max = 0;
    for (int tag = 0; tag < TAGS; tag++) {
        in[tag] = -1, out[tag] = value_of(rank, tag, 3);
        OK(MPI_Irecv(&in[tag], 1, MPI_INT, from, tag, comm, &requests[tag]));
    }
    OK(MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[2 * TAGS]));
    OK(MPI_Allreduce(&rank, &max, 1, MPI_INT, MPI_MAX, comm));
    for (int tag = 0; tag < TAGS; tag++)
        OK(MPI_Isend(&out[tag], 1, MPI_INT, to, tag, comm, &requests[TAGS + tag]));
    OK(MPI_Waitall(2 * TAGS + 1, requests, MPI_STATUSES_IGNORE));
    CHECK(max == size - 1 && sum == size * (size - 1) / 2, "maximum %d, sum %d", max, sum);
    for (int tag = 0; tag < TAGS; tag++)
        CHECK(in[tag] == value_of(from, tag, 3), "tag %d: %d", tag, in[tag]);
}

/* Communicators that are made, used and freed while their messages are under way. */
static void many_communicators(void)
{
    for (int i = 0; i < 30; i++) {
        MPI_Comm made = asserted(i % 2 ? comm : MPI_COMM_WORLD, 1, i % 3 ? NULL : "tag");
        MPI_Request requests[2 * TAGS];
        int in[TAGS], out[TAGS];
        OK(MPI_Comm_set_name(made, "by tag"));
        /* A program that asks for lanes gets them whatever NEMESIS_LANES is. */
        int by_tag = is_by_tag(made);
        CHECK(by_tag == lanes || (by_tag && i % 3 == 0), "communicator %d: %d", i, by_tag);
        every_way(made, 0, i % TAGS, i);
        for (int tag = 0; tag < TAGS; tag++) {
            in[tag] = -1, out[tag] = value_of(rank, tag, i);
            OK(MPI_Irecv(&in[tag], 1, MPI_INT, from, tag, made, &requests[tag]));
            OK(MPI_Isend(&out[tag], 1, MPI_INT, to, tag, made, &requests[TAGS + tag]));
        }
        if (i % 2)
            OK(MPI_Comm_free(&made));
        OK(MPI_Waitall(2 * TAGS, requests, MPI_STATUSES_IGNORE));
        for (int tag = 0; tag < TAGS; tag++)
            CHECK(in[tag] == value_of(from, tag, i), "tag %d: %d", tag, in[tag]);
        if (i % 2 == 0)
            OK(MPI_Comm_disconnect(&made));
    }
}

int main(int argc, char **argv)
{
    begin_threads(&argc, &argv);
    to = (rank + 1) % size;
    from = (rank + size - 1) % size;
    comm = asserted(MPI_COMM_WORLD, 1, NULL);
    lanes = is_by_tag(comm);
    wishes();
    unequal_assertions();
    wildcards();
    for (int round = 0; round < 40; round++) every_way(comm, 0, round % TAGS, round);
    collectives();
    in_threads(TAGS, exchange);
    in_threads(TAGS, in_order);
    many_communicators();
    collectives();
    OK(MPI_Comm_free(&comm));
    return MPI_Finalize();
}
