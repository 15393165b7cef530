/* Every protocol of point-to-point messages, forced by the control variable NEMESIS_PROTOCOL, at
 * lengths around the limits of all protocols: contents arrive, and the counters of the library say
 * that the forced protocol carried them. A protocol that cannot serve the other process leaves the
 * message to another one (docs/design/protocols.md).
 *
 * sizes: 1 2 3 4 7
 * modes: default copy network fast_lines slow_lines
 * seconds: 60
 */

#include "check.h"
#include "one_node.h"
#include <unistd.h>

enum { LONGEST = (1 << 20) + 1, BLOCK = 3, STRIDE = 5, ROUNDS = 2 };

static const char *const protocols[] = {
    "",       "fastbox",        "long_packet", "cell",      "eager_read", "single_copy",
    "stream", "network_packet", "eager_bulk",  "rendezvous"};
static const int lengths[] = {0,     1,     40,        41,          192,       256,    257,
                              511,   4072,  4073,      16336,       16344,     16345,  24576,
                              32768, 65528, 65529,     65537,       262144,    262145, 1 << 20,
                              LONGEST};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static const char *protocol;
static int length;
static unsigned char *outgoing, *incoming;
static MPI_T_cvar_handle variable;
static MPI_T_pvar_session session;

enum { QUEUED, ANNOUNCED, READ, STREAMED, BOX_BYTES, COUNTERS };
static const char *const counters[] = {
    "nemesis_queue_packets_sent", "nemesis_rendezvous_announced", "nemesis_rendezvous_read",
    "nemesis_rendezvous_streamed", "nemesis_fastbox_bytes_sent"};
static const int classes[] = {MPI_T_PVAR_CLASS_COUNTER, MPI_T_PVAR_CLASS_COUNTER,
                              MPI_T_PVAR_CLASS_COUNTER, MPI_T_PVAR_CLASS_COUNTER,
                              MPI_T_PVAR_CLASS_AGGREGATE};
static MPI_T_pvar_handle handles[COUNTERS];

static void open_variables(void)
{
    int index, provided, count;
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    OK(MPI_T_cvar_get_index("NEMESIS_PROTOCOL", &index));
    OK(MPI_T_cvar_handle_alloc(index, NULL, &variable, &count));
    OK(MPI_T_pvar_session_create(&session));
    for (int at = 0; at < COUNTERS; at++) {
        OK(MPI_T_pvar_get_index(counters[at], classes[at], &index));
        OK(MPI_T_pvar_handle_alloc(session, index, NULL, &handles[at], &count));
        OK(MPI_T_pvar_start(session, handles[at]));
    }
}

static void force(const char *name)
{
    char text[256] = "";
    strcpy(text, name);
    OK(MPI_T_cvar_write(variable, text));
    memset(text, '?', sizeof text - 1);
    OK(MPI_T_cvar_read(variable, text));
    CHECK(strcmp(text, name) == 0, "%s was written as %s", text, name);
    protocol = name;
}

static void count(unsigned long long values[COUNTERS])
{
    for (int at = 0; at < COUNTERS; at++)
        OK(MPI_T_pvar_read(session, handles[at], &values[at]));
}

/* The places of a message's bytes: without gaps, or BLOCK of STRIDE. */
static int place(int index, int strided)
{
    return strided ? index / BLOCK * STRIDE + index % BLOCK : index;
}

static void write_message(int round, int strided)
{
    unsigned seed = rank * ROUNDS + round;
    if (!strided) return fill(outgoing, length, seed);
    for (int index = 0; index < length; index++)
        outgoing[place(index, strided)] = byte_of(seed, index);
}

static void clear(int strided) { memset(incoming, GUARD, place(length, strided) + STRIDE); }

static void expect(int from, int round, int strided)
{
    unsigned seed = from * ROUNDS + round;
    long wrong = strided ? -1 : first_wrong(incoming, length, seed);
    for (int index = 0; strided && index < length && wrong < 0; index++)
        if (incoming[place(index, strided)] != byte_of(seed, index)) wrong = index;
    CHECK(wrong < 0, "%s, %d bytes, %s: byte %ld from %d is wrong", protocol, length,
          strided ? "strided" : "contiguous", wrong, from);
    int end = length ? place(length - 1, strided) + 1 : 0;
    CHECK(incoming[end] == GUARD, "%s, %d bytes: a byte behind them is %d", protocol, length,
          incoming[end]);
}

/* The type of the message's bytes, and its count. */
static int type_of(int strided, MPI_Datatype *type)
{
    *type = MPI_BYTE;
    if (!strided) return length;
    int blocks[] = {1, length % BLOCK};
    MPI_Aint places[] = {0, (MPI_Aint)(length / BLOCK) * STRIDE};
    MPI_Datatype types[2];
    OK(MPI_Type_vector(length / BLOCK, BLOCK, STRIDE, MPI_BYTE, &types[0]));
    types[1] = MPI_BYTE;
    OK(MPI_Type_create_struct(2, blocks, places, types, type));
    OK(MPI_Type_commit(type));
    OK(MPI_Type_free(&types[0]));
    return 1;
}

/* All processes send to the next one and receive from the one before, at the same time. */
static void exchange(int sent_strided, int received_strided)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Datatype sent, received;
    int out = type_of(sent_strided, &sent), in = type_of(received_strided, &received);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request requests[2];
        MPI_Status statuses[2];
        int bytes;
        write_message(round, sent_strided);
        clear(received_strided);
        /* The receive is posted first, or last. */
        for (int step = 0; step < 2; step++)
            if ((step + round) % 2 == 0)
                OK(MPI_Irecv(incoming, in, received, from, round, MPI_COMM_WORLD, &requests[0]));
            else
                OK(MPI_Isend(outgoing, out, sent, to, round, MPI_COMM_WORLD, &requests[1]));
        OK(MPI_Waitall(2, requests, statuses));
        OK(MPI_Get_count(&statuses[0], MPI_BYTE, &bytes));
        CHECK(bytes == length, "%s: %d of %d bytes", protocol, bytes, length);
        expect(from, round, received_strided);
    }
    if (sent_strided) OK(MPI_Type_free(&sent));
    if (received_strided) OK(MPI_Type_free(&received));
}

/* A token goes around by calls that wait. Returns the number of messages that this process sent. */
static int relay(int strided)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Datatype type;
    int messages = type_of(strided, &type);
    if (size < 2) goto done;
    for (int round = 0; round < ROUNDS; round++) {
        write_message(round, strided);
        clear(strided);
        if (rank == 0) OK(MPI_Send(outgoing, messages, type, to, 0, MPI_COMM_WORLD));
        OK(MPI_Recv(incoming, messages, type, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        expect(from, round, strided);
        if (rank != 0) OK(MPI_Send(outgoing, messages, type, to, 0, MPI_COMM_WORLD));
    }
done:
    if (strided) OK(MPI_Type_free(&type));
    return ROUNDS;
}

static int is(const char *name) { return strcmp(protocol, name) == 0; }

/* Two processes of one node with a processor for each, and without other tunables: the counters
 * tell which protocol carried the messages of `relay`. */
static void expect_protocol(const unsigned long long before[], int messages)
{
    unsigned long long after[COUNTERS], delta[COUNTERS];
    count(after);
    for (int at = 0; at < COUNTERS; at++)
        delta[at] = after[at] - before[at];
    if (length == 0) return;
    int reads = is("eager_read") && length <= 1 << 20;
    unsigned long long announced = is("single_copy") || is("stream") || reads ? messages : 0;
    if (announced || (!is("") && length <= 4072))
        CHECK(delta[ANNOUNCED] == announced, "%s, %d bytes: %llu messages are announced", protocol,
              length, delta[ANNOUNCED]);
    if (is("cell") && length <= 16336)
        CHECK(delta[QUEUED] == (unsigned long long)messages, "%d bytes: %llu cells", length,
              delta[QUEUED]);
    if (is("fastbox") && length <= 4072)
        CHECK(delta[QUEUED] == 0 && delta[BOX_BYTES] >= (unsigned long long)messages * length,
              "%d bytes: %llu cells, %llu bytes in fastboxes", length, delta[QUEUED],
              delta[BOX_BYTES]);
    if (is("long_packet") && length > 64 && length <= 1 << 20)
        CHECK(delta[QUEUED] == 0 && delta[BOX_BYTES] <= (unsigned long long)messages * 128,
              "%d bytes: %llu cells, %llu bytes in fastboxes", length, delta[QUEUED],
              delta[BOX_BYTES]);
}

static void expect_errors(void)
{
    char text[256] = "pigeon:1-";
    FAILS(MPI_T_cvar_write(variable, text), MPI_T_ERR_INVALID);
    strcpy(text, "cell:9");
    FAILS(MPI_T_cvar_write(variable, text), MPI_T_ERR_INVALID);
}

static int has_tunables(void)
{
    return getenv("NEMESIS_FASTBOX") || getenv("NEMESIS_CMA") ||
           getenv("NEMESIS_OVERSUBSCRIBED") || getenv("NEMESIS_EAGER_MAX_BYTES") ||
           getenv("NEMESIS_PACKET_MAX_BYTES") ||
           /* The development checks announce every message of the program. */
           getenv("NEMESIS_CHECK");
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int longest = LONGEST / BLOCK * STRIDE + 2 * STRIDE;
    int counted = are_on_one_node(MPI_COMM_WORLD) && size == 2 &&
                  sysconf(_SC_NPROCESSORS_ONLN) >= 2 && !has_tunables();
    outgoing = malloc(longest);
    incoming = malloc(longest);
    open_variables();
    expect_errors();
    for (size_t row = 0; row < sizeof protocols / sizeof *protocols; row++) {
        OK(MPI_Barrier(MPI_COMM_WORLD));
        force(protocols[row]);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        for (int at = 0; at < LENGTHS; at++) {
            length = lengths[at];
            /* Few processes suffice for long messages. */
            if (size > 3 && length > 65537) break;
            for (int strided = 0; strided < 2; strided++) {
                unsigned long long before[COUNTERS];
                count(before);
                int messages = relay(strided);
                if (counted && !strided) expect_protocol(before, messages);
            }
            for (int way = 0; way < 3; way++)
                exchange(way == 1, way == 2);
        }
    }
    force("");
    OK(MPI_T_pvar_session_free(&session));
    OK(MPI_T_cvar_handle_free(&variable));
    OK(MPI_T_finalize());
    free(outgoing);
    free(incoming);
    return MPI_Finalize();
}
