/* Performance variables: their values agree with what happens, and each handle counts for itself.
 *
 * sizes: 1 2 4
 * modes: default copy narrow threads
 */

#include "check.h"

typedef unsigned long long number;

static MPI_T_pvar_session session;

static int index_of(const char *name)
{
    char seen[128];
    int count, class, index;
    OK(MPI_T_pvar_get_num(&count));
    for (int at = 0; at < count; at++) {
        int length = sizeof seen;
        OK(MPI_T_pvar_get_info(at, seen, &length, NULL, &class, NULL, NULL, NULL, NULL, NULL, NULL,
                               NULL, NULL));
        if (strcmp(seen, name) != 0) continue;
        OK(MPI_T_pvar_get_index(name, class, &index));
        CHECK(index == at, "%s is %d and %d", name, at, index);
        return at;
    }
    fail_at(__FILE__, __LINE__, "%s does not exist", name);
    return -1;
}

static MPI_T_pvar_handle open_bound(const char *name, void *object)
{
    MPI_T_pvar_handle handle;
    int count = 0;
    OK(MPI_T_pvar_handle_alloc(session, index_of(name), object, &handle, &count));
    CHECK(count == 1, "%d elements", count);
    return handle;
}

static MPI_T_pvar_handle open_variable(const char *name) { return open_bound(name, NULL); }

static MPI_T_pvar_handle started(const char *name)
{
    MPI_T_pvar_handle handle = open_variable(name);
    OK(MPI_T_pvar_start(session, handle));
    return handle;
}

static number value_of(MPI_T_pvar_handle handle)
{
    number value = 77777777;
    OK(MPI_T_pvar_read(session, handle, &value));
    return value;
}

static void close_variable(MPI_T_pvar_handle *handle)
{
    OK(MPI_T_pvar_handle_free(session, handle));
    CHECK(*handle == MPI_T_PVAR_HANDLE_NULL, "the handle is not null");
}

/* The description of each variable agrees with its class. */
static void test_descriptions(void)
{
    int count;
    OK(MPI_T_pvar_get_num(&count));
    CHECK(count >= 20, "%d performance variables", count);
    for (int at = 0; at < count; at++) {
        char name[128], text[256];
        int lengths[2] = {sizeof name, sizeof text}, verbosity, class, bind, readonly, continuous,
            atomic;
        MPI_Datatype type;
        MPI_T_enum choices;
        OK(MPI_T_pvar_get_info(at, name, &lengths[0], &verbosity, &class, &type, &choices, text,
                               &lengths[1], &bind, &readonly, &continuous, &atomic));
        int gathers = class == MPI_T_PVAR_CLASS_COUNTER || class == MPI_T_PVAR_CLASS_AGGREGATE ||
            class == MPI_T_PVAR_CLASS_HIGHWATERMARK;
        CHECK(continuous == !gathers && readonly == !gathers && lengths[1] > 1,
              "%s: continuous %d, read-only %d", name, continuous, readonly);
        CHECK((class == MPI_T_PVAR_CLASS_STATE) == (choices != MPI_T_ENUM_NULL),
              "%s: class %d and its enumeration", name, class);
        CHECK(type == (class == MPI_T_PVAR_CLASS_STATE ? MPI_INT : MPI_UNSIGNED_LONG_LONG),
              "%s has a wrong type", name);
        CHECK(bind == MPI_T_BIND_NO_OBJECT || bind == MPI_T_BIND_MPI_COMM, "%s is bound to %d",
              name, bind);
    }
    FAILS(MPI_T_pvar_get_info(count, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                              NULL, NULL), MPI_T_ERR_INVALID_INDEX);
    FAILS(MPI_T_pvar_get_index("nemesis_stage", MPI_T_PVAR_CLASS_COUNTER, &count),
          MPI_T_ERR_INVALID_NAME);
}

static void test_state(int wanted)
{
    MPI_T_pvar_handle stage = open_variable("nemesis_stage");
    int seen = -1;
    OK(MPI_T_pvar_read(session, stage, &seen));
    CHECK(seen == wanted, "stage %d", seen);
    FAILS(MPI_T_pvar_start(session, stage), MPI_T_ERR_PVAR_NO_STARTSTOP);
    FAILS(MPI_T_pvar_stop(session, stage), MPI_T_ERR_PVAR_NO_STARTSTOP);
    FAILS(MPI_T_pvar_reset(session, stage), MPI_T_ERR_PVAR_NO_WRITE);
    FAILS(MPI_T_pvar_write(session, stage, &seen), MPI_T_ERR_PVAR_NO_WRITE);
    close_variable(&stage);
}

static void test_handles(void)
{
    MPI_T_pvar_session other, none = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle handle = started("nemesis_packets_sent"), copy = handle,
        null = MPI_T_PVAR_HANDLE_NULL;
    number value;
    OK(MPI_T_pvar_session_create(&other));
    FAILS(MPI_T_pvar_read(other, handle, &value), MPI_T_ERR_INVALID_HANDLE);
    FAILS(MPI_T_pvar_read(none, handle, &value), MPI_T_ERR_INVALID_SESSION);
    FAILS(MPI_T_pvar_read(session, null, &value), MPI_T_ERR_INVALID_HANDLE);
    FAILS(MPI_T_pvar_read(session, MPI_T_PVAR_ALL_HANDLES, &value), MPI_T_ERR_INVALID_HANDLE);
    FAILS(MPI_T_pvar_handle_alloc(session, 10000, NULL, &copy, NULL), MPI_T_ERR_INVALID_INDEX);
    FAILS(MPI_T_pvar_handle_alloc(session, index_of("nemesis_comm_collectives"), NULL, &copy, NULL),
          MPI_T_ERR_INVALID_HANDLE);
    OK(MPI_T_pvar_start(other, MPI_T_PVAR_ALL_HANDLES));
    OK(MPI_T_pvar_session_free(&other));
    CHECK(other == MPI_T_PVAR_SESSION_NULL, "the session handle is not null");
    FAILS(MPI_T_pvar_session_free(&other), MPI_T_ERR_INVALID_SESSION);
    copy = handle;
    close_variable(&handle);
    FAILS(MPI_T_pvar_read(session, copy, &value), MPI_T_ERR_INVALID_HANDLE);
    FAILS(MPI_T_pvar_handle_free(session, &copy), MPI_T_ERR_INVALID_HANDLE);
}

/* Each process exchanges small messages with the next. Packets are counted while a handle runs,
 * whichever path they take. */
static void test_packets(void)
{
    enum { ROUNDS = 1000 };
    if (size < 2 || rank > 1) return;
    MPI_T_pvar_handle sent = started("nemesis_packets_sent"),
        received = started("nemesis_packets_received");
    MPI_T_pvar_handle ways[6] = {started("nemesis_fastbox_packets_sent"),
                                 started("nemesis_queue_packets_sent"),
                                 started("nemesis_network_packets_sent"),
                                     started("nemesis_fastbox_packets_received"),
                                 started("nemesis_queue_packets_received"),
                                     started("nemesis_network_packets_received")};
    MPI_T_pvar_handle bytes = started("nemesis_fastbox_bytes_sent"),
        idle = open_variable("nemesis_packets_sent");
    long word = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (rank == 0) OK(MPI_Send(&word, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD));
        OK(MPI_Recv(&word, 1, MPI_LONG, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        if (rank == 1) OK(MPI_Send(&word, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD));
    }
    number out = value_of(sent), in = value_of(received);
    CHECK(out >= ROUNDS && in >= ROUNDS && out < 4 * ROUNDS && in < 4 * ROUNDS,
          "%llu packets sent, %llu received", out, in);
    CHECK(out == value_of(ways[0]) + value_of(ways[1]) + value_of(ways[2]),
          "the paths of sent packets do not add up to %llu", out);
    CHECK(in == value_of(ways[3]) + value_of(ways[4]) + value_of(ways[5]),
          "the paths of received packets do not add up to %llu", in);
    CHECK(value_of(bytes) >= 64 * value_of(ways[0]), "%llu bytes of lines for %llu packets",
          value_of(bytes), value_of(ways[0]));
    CHECK(value_of(idle) == 0, "a handle that was not started has the value %llu", value_of(idle));
    /* A stopped handle keeps its value, a reset handle starts anew, and a written handle continues
     * from the written value. */
    OK(MPI_T_pvar_stop(session, sent));
    number kept = value_of(sent), written = 5000000, again;
    if (rank == 0) OK(MPI_Send(&word, 1, MPI_LONG, 1, 1, MPI_COMM_WORLD));
    if (rank == 1) OK(MPI_Recv(&word, 1, MPI_LONG, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(value_of(sent) == kept, "%llu after it was stopped at %llu", value_of(sent), kept);
    OK(MPI_T_pvar_start(session, sent));
    OK(MPI_T_pvar_readreset(session, sent, &again));
    CHECK(again == kept && value_of(sent) == 0, "%llu read, then %llu", again, value_of(sent));
    OK(MPI_T_pvar_write(session, sent, &written));
    if (rank == 0) OK(MPI_Send(&word, 1, MPI_LONG, 1, 1, MPI_COMM_WORLD));
    if (rank == 1) OK(MPI_Recv(&word, 1, MPI_LONG, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(value_of(sent) >= written + (rank == 0) && value_of(sent) < written + 10,
          "%llu after %llu", value_of(sent), written);
    OK(MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES));
    CHECK(value_of(sent) == 0 && value_of(ways[0]) == 0, "not all were reset");
    OK(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES));
    close_variable(&sent);
    close_variable(&received);
    close_variable(&bytes);
    close_variable(&idle);
    for (int way = 0; way < 6; way++) close_variable(&ways[way]);
}

/* Unexpected messages on two communicators. */
static void test_unexpected(void)
{
    enum { FIRST = 30, SECOND = 12 };
    MPI_Comm copy;
    int word = 0, flag;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    MPI_T_pvar_handle length = open_variable("nemesis_unexpected_length"),
        bytes = open_variable("nemesis_unexpected_bytes");
    MPI_T_pvar_handle total = started("nemesis_unexpected_messages"),
        peak = started("nemesis_unexpected_length_max");
    MPI_T_pvar_handle late = open_variable("nemesis_unexpected_length_max");
    MPI_T_pvar_handle here = open_bound("nemesis_comm_unexpected_length", &copy);
    number before = value_of(length), bytes_before = value_of(bytes);
    if (size > 1 && rank == 0) {
        MPI_Request requests[FIRST + SECOND + 2];
        /* Wait until the receiver has looked: messages that arrive earlier would be among those
         * that it finds. */
        OK(MPI_Recv(&word, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int i = 0; i < FIRST + SECOND; i++)
            OK(MPI_Isend(&word, 1, MPI_INT, 1, 5, i < FIRST ? copy : MPI_COMM_WORLD, &requests[i]));
        OK(MPI_Isend(&word, 1, MPI_INT, 1, 6, copy, &requests[FIRST + SECOND]));
        OK(MPI_Isend(&word, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &requests[FIRST + SECOND + 1]));
        OK(MPI_Waitall(FIRST + SECOND + 2, requests, MPI_STATUSES_IGNORE));
    } else if (rank == 1) {
        MPI_Status status;
        OK(MPI_Send(&word, 1, MPI_INT, 0, 4, MPI_COMM_WORLD));
        do OK(MPI_Iprobe(0, 6, copy, &flag, &status));
        while (!flag);
        do OK(MPI_Iprobe(0, 6, MPI_COMM_WORLD, &flag, &status));
        while (!flag);
        CHECK(value_of(length) == before + FIRST + SECOND + 2, "%llu are unexpected",
              value_of(length));
        CHECK(value_of(here) == FIRST + 1, "%llu messages of the communicator are unexpected",
              value_of(here));
        CHECK(value_of(bytes) >= bytes_before + (FIRST + SECOND) * sizeof(int), "%llu bytes",
              value_of(bytes));
        CHECK(value_of(total) == FIRST + SECOND + 2, "%llu have been unexpected", value_of(total));
        for (int i = 0; i < FIRST; i++)
            OK(MPI_Recv(&word, 1, MPI_INT, 0, 5, copy, MPI_STATUS_IGNORE));
        OK(MPI_Recv(&word, 1, MPI_INT, 0, 6, copy, MPI_STATUS_IGNORE));
        /* The high watermark of a handle that starts now is lower than that of a handle that has
         * been running. */
        OK(MPI_T_pvar_start(session, late));
        OK(MPI_T_pvar_reset(session, late));
        CHECK(value_of(late) == before + SECOND + 1, "a new handle has seen %llu", value_of(late));
        for (int i = 0; i < SECOND; i++)
            OK(MPI_Recv(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Recv(&word, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(value_of(length) == before && value_of(here) == 0, "%llu are left", value_of(length));
        CHECK(value_of(peak) == before + FIRST + SECOND + 2, "the most were %llu", value_of(peak));
        CHECK(value_of(late) == before + SECOND + 1, "a later handle has seen %llu",
              value_of(late));
        OK(MPI_T_pvar_reset(session, peak));
        CHECK(value_of(peak) == before, "after a reset the high watermark is %llu", value_of(peak));
        for (int peer = 0; peer < size; peer++)
            if (peer != 1) OK(MPI_Send(NULL, 0, MPI_INT, peer, 4, MPI_COMM_WORLD));
    }
    /* No rank sends anything else before the counters have been read. */
    if (rank != 1 && size > 1)
        OK(MPI_Recv(NULL, 0, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    OK(MPI_Comm_free(&copy));
    number value;
    FAILS(MPI_T_pvar_read(session, here, &value), MPI_T_ERR_INVALID_HANDLE);
    close_variable(&length);
    close_variable(&bytes);
    close_variable(&total);
    close_variable(&peak);
    close_variable(&late);
    close_variable(&here);
}

/* Posted receives and long messages. */
static void test_rendezvous(void)
{
    enum { LARGE = 2 << 20, POSTED = 20 };
    static char memory[LARGE];
    MPI_T_pvar_handle posted = open_variable("nemesis_posted_length"),
        announced = started("nemesis_rendezvous_announced");
    MPI_T_pvar_handle got[2] = {started("nemesis_rendezvous_read"),
                                started("nemesis_rendezvous_streamed")};
    MPI_T_pvar_handle bytes =
        started(rank == 0 ? "nemesis_memory_bytes_written" : "nemesis_memory_bytes_read");
    number copied[3];
    if (rank == 1) {
        MPI_Request requests[POSTED];
        int words[POSTED];
        number before = value_of(posted);
        for (int i = 0; i < POSTED; i++)
            OK(MPI_Irecv(&words[i], 1, MPI_INT, 0, 8, MPI_COMM_WORLD, &requests[i]));
        CHECK(value_of(posted) == before + POSTED, "%llu are posted", value_of(posted));
        OK(MPI_Send(NULL, 0, MPI_INT, 0, 7, MPI_COMM_WORLD));
        OK(MPI_Waitall(POSTED, requests, MPI_STATUSES_IGNORE));
        CHECK(value_of(posted) == before, "%llu are still posted", value_of(posted));
        OK(MPI_Recv(memory, LARGE, MPI_CHAR, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(value_of(got[0]) + value_of(got[1]) >= 1, "no large message was received");
        copied[0] = value_of(got[0]);
        copied[1] = value_of(bytes);
        copied[2] = value_of(got[1]);
        OK(MPI_Send(copied, sizeof copied, MPI_BYTE, 0, 10, MPI_COMM_WORLD));
    } else if (rank == 0 && size > 1) {
        int word = 1;
        OK(MPI_Recv(NULL, 0, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int i = 0; i < POSTED; i++) OK(MPI_Send(&word, 1, MPI_INT, 1, 8, MPI_COMM_WORLD));
        number before = value_of(announced);
        OK(MPI_Send(memory, LARGE, MPI_CHAR, 1, 9, MPI_COMM_WORLD));
        CHECK(value_of(announced) == before + 1, "%llu were announced",
              value_of(announced) - before);
        OK(MPI_Recv(copied, sizeof copied, MPI_BYTE, 1, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        if (copied[2] == 0)
            CHECK(copied[1] + value_of(bytes) >= LARGE, "%llu bytes were read and %llu written",
                  copied[1], value_of(bytes));
    }
    close_variable(&posted);
    close_variable(&announced);
    close_variable(&got[0]);
    close_variable(&got[1]);
    close_variable(&bytes);
}

static void test_collectives(void)
{
    MPI_Comm copy;
    MPI_T_pvar_handle comms = open_variable("nemesis_communicators");
    number before = value_of(comms);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    CHECK(value_of(comms) == before + 1, "%llu communicators instead of %llu", value_of(comms),
          before + 1);
    MPI_T_pvar_handle collectives = open_bound("nemesis_comm_collectives", &copy);
    OK(MPI_T_pvar_start(session, collectives));
    for (int i = 0; i < 5; i++) OK(MPI_Barrier(copy));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(value_of(collectives) == 5, "%llu collectives", value_of(collectives));
    close_variable(&collectives);
    OK(MPI_Comm_free(&copy));
    CHECK(value_of(comms) == before, "%llu communicators instead of %llu", value_of(comms), before);
    close_variable(&comms);
}

int main(int argc, char **argv)
{
    int provided;
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    OK(MPI_T_pvar_session_create(&session));
    test_descriptions();
    test_state(0);
    begin(&argc, &argv);
    test_state(1);
    test_handles();
    test_packets();
    test_unexpected();
    test_rendezvous();
    test_collectives();
    MPI_Finalize();
    test_state(2);
    test_descriptions();
    OK(MPI_T_pvar_session_free(&session));
    OK(MPI_T_finalize());
    return 0;
}
