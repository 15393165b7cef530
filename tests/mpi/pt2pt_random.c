/* Random traffic among all processes, in batches: lengths, tags, kinds of sends and receives, and
 * wildcards. The contents of each message are checked, and its number shows the order within
 * (source, tag) (MPI 5.0 §3.5).
 *
 * seconds: 60
 */

#include "check.h"

enum { TAGS = 4, BATCHES = 200, BATCH = 60, LONGEST = 70000, HEADER = 8 };

static unsigned state;

static unsigned draw(unsigned below)
{
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return state % below;
}

static int draw_length(void)
{
    static const int interesting[] = {BOUNDARIES};
    switch (draw(10)) {
    case 0: return HEADER + (int)draw(LONGEST - HEADER);
    case 1: return HEADER + (int)draw(20000);
    case 2: case 3: {
        int length = interesting[draw(19)];
        return length < HEADER ? HEADER : length;
    }
    default: return HEADER + (int)draw(200);
    }
}

static MPI_Comm comms[2];
static unsigned next_out[2][64][TAGS], next_in[2][64][TAGS];

static void arrived(const unsigned char *bytes, const MPI_Status *status, int on)
{
    unsigned header[2];
    int count;
    OK(MPI_Get_count(status, MPI_BYTE, &count));
    memcpy(header, bytes, HEADER);
    int source = status->MPI_SOURCE, tag = status->MPI_TAG;
    CHECK(source >= 0 && source < size && tag >= 0 && tag < TAGS, "a message from %d with tag %d",
          source, tag);
    unsigned expected = next_in[on][source][tag]++;
    CHECK(header[0] == expected && header[1] == (unsigned)count,
          "from %d, tag %d: number %u with %u bytes, the next is %u, the status says %d bytes",
          source, tag, header[0], header[1], expected, count);
    unsigned char *model = malloc(count);
    fill(model, count, expected * 64 + source * 4 + tag);
    memcpy(model, header, HEADER);
    CHECK(memcmp(model, bytes, count) == 0, "from %d, tag %d: message %u of %d bytes is wrong",
          source, tag, expected, count);
    free(model);
}

typedef struct Sent {
    MPI_Request request;
    unsigned char *bytes;
} Sent;

static void send_one(Sent *sent)
{
    int to = (int)draw(size), tag = (int)draw(TAGS), on = (int)draw(2), length = draw_length();
    unsigned header[2] = {next_out[on][to][tag]++, length};
    sent->bytes = malloc(length);
    fill(sent->bytes, length, header[0] * 64 + rank * 4 + tag);
    memcpy(sent->bytes, header, HEADER);
    switch (draw(6)) {
    case 0:
        OK(MPI_Issend(sent->bytes, length, MPI_BYTE, to, tag, comms[on], &sent->request));
        break;
    case 1:
        OK(MPI_Ibsend(sent->bytes, length, MPI_BYTE, to, tag, comms[on], &sent->request));
        break;
    case 2:
        OK(MPI_Irsend(sent->bytes, length, MPI_BYTE, to, tag, comms[on], &sent->request));
        break;
    case 3:
        OK(MPI_Send_init(sent->bytes, length, MPI_BYTE, to, tag, comms[on], &sent->request));
        OK(MPI_Start(&sent->request));
        break;
    default: OK(MPI_Isend(sent->bytes, length, MPI_BYTE, to, tag, comms[on], &sent->request));
    }
}

/* Receives one of the messages that are expected on communicator `on`. Only their number is known,
 * so wildcards are safe while at least one is expected. */
static void receive_one(int on, unsigned *due)
{
    unsigned char *bytes = malloc(1 << 20);
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    int source = (int)draw(size), flag = 0, index = 0;
    while (due[source] == 0) source = (source + 1) % size;
    int from = draw(2) ? source : MPI_ANY_SOURCE;
    switch (draw(5)) {
    case 0: OK(MPI_Recv(bytes, 1 << 20, MPI_BYTE, from, MPI_ANY_TAG, comms[on], &status)); break;
    case 1:
        OK(MPI_Irecv(bytes, 1 << 20, MPI_BYTE, from, MPI_ANY_TAG, comms[on], &request));
        while (!flag) OK(MPI_Test(&request, &flag, &status));
        break;
    case 2:
        OK(MPI_Irecv(bytes, 1 << 20, MPI_BYTE, from, MPI_ANY_TAG, comms[on], &request));
        OK(MPI_Waitany(1, &request, &index, &status));
        break;
    case 3:
        OK(MPI_Mprobe(from, MPI_ANY_TAG, comms[on], &message, &status));
        OK(MPI_Mrecv(bytes, 1 << 20, MPI_BYTE, &message, &status));
        break;
    default:
        OK(MPI_Probe(from, MPI_ANY_TAG, comms[on], &status));
        OK(MPI_Recv(bytes, 1 << 20, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, comms[on],
                    &status));
    }
    due[status.MPI_SOURCE]--;
    arrived(bytes, &status, on);
    free(bytes);
}

int main(int argc, char **argv)
{
    static unsigned sent_before[2][64], due[2][64], counts[64][2], theirs[64][2];
    begin(&argc, &argv);
    state = 12345 + rank * 7777;
    comms[0] = MPI_COMM_WORLD;
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comms[1]));
    void *attached = NULL;
    int unused = 1 << 30;
    OK(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, unused));
    /* With NEMESIS_CMA=off every byte goes through cells, so a quarter of the batches takes as
     * long. */
    const char *cma = getenv("NEMESIS_CMA");
    int batches = cma && strcmp(cma, "off") == 0 ? BATCHES / 4 : BATCHES;
    for (int batch = 0; batch < batches; batch++) {
        static Sent sent[BATCH];
        for (int i = 0; i < BATCH; i++) send_one(&sent[i]);
        /* The numbers of messages are exchanged by a collective, which wildcard receives cannot
         * match. */
        for (int peer = 0; peer < size; peer++)
            for (int on = 0; on < 2; on++) {
                unsigned total = 0;
                for (int tag = 0; tag < TAGS; tag++) total += next_out[on][peer][tag];
                counts[peer][on] = total - sent_before[on][peer];
                sent_before[on][peer] = total;
            }
        OK(MPI_Alltoall(counts, 2, MPI_UNSIGNED, theirs, 2, MPI_UNSIGNED, MPI_COMM_WORLD));
        unsigned left[2] = {0, 0};
        for (int peer = 0; peer < size; peer++)
            for (int on = 0; on < 2; on++) {
                due[on][peer] = theirs[peer][on];
                left[on] += theirs[peer][on];
            }
        while (left[0] + left[1] > 0) {
            int on = left[0] == 0 || (left[1] > 0 && draw(2));
            receive_one(on, due[on]);
            left[on]--;
        }
        for (int i = 0; i < BATCH; i++) {
            OK(MPI_Wait(&sent[i].request, MPI_STATUS_IGNORE));
            if (sent[i].request != MPI_REQUEST_NULL) OK(MPI_Request_free(&sent[i].request));
            free(sent[i].bytes);
        }
        /* No rank may start the next batch while others still receive with wildcards. */
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    OK(MPI_Buffer_detach(&attached, &unused));
    CHECK(attached == MPI_BUFFER_AUTOMATIC, "MPI_Buffer_detach gives %p", attached);
    OK(MPI_Comm_free(&comms[1]));
    return MPI_Finalize();
}
