/* Tests of the Remote-Write API on any number of nodes: writes of all lengths arrive before the
 * small message that follows them, floods of messages lose nothing and keep their order, and
 * invalid calls fail without an effect. */
#include <rwapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                        \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            fprintf(stderr, "node %d, line %d: %s (%s)\n", me, __LINE__, #condition, rwapi_why()); \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

enum { BYTES = 5 << 19, FLOOD = 50000 };

static int me = -1, nodes;

/* Messages that have arrived before they are awaited, in their order: a flood of one neighbour, and
 * what both send besides. */
enum { KEPT_MAX = FLOOD + 100 };
static struct { node from; small message; } kept[KEPT_MAX];
static int first_kept, kept_end;

/* Receives a message and keeps it. Returns 0 if none has arrived. */
static int keep_one(void)
{
    if (kept_end == KEPT_MAX) {
        EXPECT(first_kept > 0);
        kept_end -= first_kept;
        memmove(kept, kept + first_kept, sizeof *kept * (size_t)kept_end);
        first_kept = 0;
    }
    int received = rwapi_receive(&kept[kept_end].from, &kept[kept_end].message);
    EXPECT(received == 0 || received == 1);
    kept_end += received;
    return received;
}

/* Returns the next small message of node `from`. */
static small next_of(node from)
{
    for (int i = first_kept; i < kept_end; i++)
        if (kept[i].from == from) {
            small message = kept[i].message;
            for (; i > first_kept; i--) kept[i] = kept[i - 1];
            first_kept++;
            return message;
        }
    for (;;) {
        if (!keep_one() || kept[kept_end - 1].from != from) continue;
        return kept[--kept_end].message;
    }
}

static unsigned char pattern(size_t length, int way, int writer, size_t at)
{
    return (unsigned char)(at * 7 + length * 3 + way * 11 + writer + 1);
}

/* A short write to another host is sent with the next call, and in one packet with a message. Two
 * writes to different addresses, with various calls after the first, must both have arrived when
 * the message after them arrives. */
static void mixtures(unsigned char *inward, unsigned char *outward, net out, net theirs)
{
    enum { AT_ONCE, ALONE, RECEIVES, SENDS_TWICE, SENDS_TO_OTHERS, ALLOCATES, WAYS };
    static const size_t lengths[] = {0, 1, 16, 17, 40, 4095, 16384, 32767, 32768, 65511, 65512,
                                     65513, 65536, 65537, 1 << 20}, half = BYTES / 2;
    node next = (me + 1) % nodes, previous = (me + nodes - 1) % nodes;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int way = AT_ONCE; way < WAYS; way++) {
            size_t bytes = lengths[i];
            for (size_t j = 0; j < bytes; j++)
                outward[j] = outward[half + j] = pattern(i, way, me, j);
            sid first = rwapi_write(next, out, theirs, bytes);
            if (way == ALONE) {
                while (!rwapi_issent(first)) continue;
                memset(outward, 0, bytes);
            }
            /* A call that is independent of writes. */
            if (way == RECEIVES) keep_one();
            if (way == SENDS_TWICE)
                EXPECT(rwapi_send(next, (small){{i, 1}}) == RWAPI_OK &&
                       rwapi_send(next, (small){{i, 2}}) == RWAPI_OK);
            if (way == SENDS_TO_OTHERS) EXPECT(rwapi_send(previous, (small){{i, 3}}) == RWAPI_OK);
            if (way == ALLOCATES) {
                net address;
                void *block = rwapi_alloc(8, &address);
                EXPECT(block && rwapi_free(block) == RWAPI_OK);
            }
            EXPECT(rwapi_write(next, out + half, theirs + half, bytes) > first);
            EXPECT(rwapi_send(next, (small){{i, 4}}) == RWAPI_OK);

            if (way == SENDS_TWICE)
                EXPECT(next_of(previous).words[1] == 1 && next_of(previous).words[1] == 2);
            if (way == SENDS_TO_OTHERS) EXPECT(next_of(next).words[1] == 3);
            small message = next_of(previous);
            EXPECT(message.words[0] == i && message.words[1] == 4);
            for (size_t j = 0; j < bytes; j++) {
                unsigned char expected = pattern(i, way, previous, j);
                EXPECT(inward[j] == expected && inward[half + j] == expected);
            }
            /* Confirms that the data have been checked. */
            EXPECT(rwapi_send(previous, (small){{i, 5}}) == RWAPI_OK);
            EXPECT(next_of(next).words[1] == 5);
        }
}

/* Long writes, in which the receiver takes part on one host (cooperative copy): to a node that
 * waits, and by all nodes at once. As soon as a write is sent, the writer may reuse its memory. */
static void long_writes(unsigned char *inward, unsigned char *outward, net out, net theirs)
{
    node next = (me + 1) % nodes, previous = (me + nodes - 1) % nodes;
    for (int round = 0; round < 120; round++) {
        size_t bytes = 12000 + (size_t)round % 40 * 13331, offset = (size_t)round % 7 * 1001;
        int waits = nodes > 1 && round % 3 < 2 && me % 2 == round % 3;
        for (int turn = 0; turn < 2; turn++) {
            if (turn == waits) {
                for (size_t j = 0; j < bytes; j++)
                    outward[offset + j] = pattern(bytes, round, me, j);
                sid write = rwapi_write(next, out + offset, theirs + offset, bytes);
                EXPECT(write > 0);
                while (rwapi_issent(write) == 0) continue;
                memset(outward + offset, 0, bytes);
                EXPECT(rwapi_send(next, (small){{bytes, (uint64_t)round}}) == RWAPI_OK);
            } else {
                small message = next_of(previous);
                EXPECT(message.words[0] == bytes && message.words[1] == (uint64_t)round);
                for (size_t j = 0; j < bytes; j++)
                    EXPECT(inward[offset + j] == pattern(bytes, round, previous, j));
            }
        }
        /* Confirms that the data have been checked. */
        EXPECT(rwapi_send(previous, (small){{5, 5}}) == RWAPI_OK);
        EXPECT(next_of(next).words[0] == 5);
    }
}

/* All nodes allocate and free blocks while all write. A block that exists the whole time must
 * always be found. */
static void changes(net out, net theirs)
{
    node next = (me + 1) % nodes, previous = (me + nodes - 1) % nodes;
    for (int i = 0; i < 2000; i++) {
        net address;
        void *block = rwapi_alloc(8, &address);
        EXPECT(block && rwapi_write(next, out, theirs, 64) > 0);
        EXPECT(rwapi_free(block) == RWAPI_OK && rwapi_write(next, out + 64, theirs + 64, 4095) > 0);
        keep_one();
    }
    EXPECT(rwapi_send(next, (small){{6, 6}}) == RWAPI_OK);
    EXPECT(next_of(previous).words[0] == 6);
    /* No node continues before both neighbours are done. */
    EXPECT(rwapi_send(previous, (small){{7, 7}}) == RWAPI_OK);
    EXPECT(next_of(next).words[0] == 7);
}

/* Waits until a write has failed: at once, or, on another host, by its target. */
static void expect_refusal(sid write, const char *why)
{
    if (write > 0)
        while (rwapi_issent(write) != RWAPI_ERR_ARGUMENT) keep_one();
    else EXPECT(write == RWAPI_ERR_ARGUMENT);
    EXPECT(strstr(rwapi_why(), why));
}

static void refusals(net mine, net theirs, node next)
{
    node from;
    small message = {{0, 0}};
    EXPECT(rwapi_init(0, NULL) == RWAPI_ERR_STATE);
    EXPECT(rwapi_send(nodes, message) == RWAPI_ERR_ARGUMENT && strstr(rwapi_why(), "no node"));
    EXPECT(rwapi_send(-1, message) == RWAPI_ERR_ARGUMENT);
    expect_refusal(rwapi_write(next, mine, theirs + 1, BYTES), "block of node");
    EXPECT(rwapi_write(next, mine + 1, theirs, BYTES) == RWAPI_ERR_ARGUMENT &&
           strstr(rwapi_why(), "this node"));
    expect_refusal(rwapi_write(next, mine, 0, 8), "block of node");
    EXPECT(rwapi_write(next, 0, theirs, 8) == RWAPI_ERR_ARGUMENT);
    EXPECT(rwapi_write(next, mine, theirs, SIZE_MAX) == RWAPI_ERR_ARGUMENT);
    EXPECT(rwapi_write(nodes, mine, theirs, 1) == RWAPI_ERR_ARGUMENT);
    EXPECT(rwapi_issent(0) == RWAPI_ERR_ARGUMENT && rwapi_issent(1 << 30) == RWAPI_ERR_ARGUMENT);
    EXPECT(rwapi_free(&from) == RWAPI_ERR_ARGUMENT && rwapi_alloc(8, NULL) == NULL);
    net address;
    EXPECT(rwapi_alloc(SIZE_MAX, &address) == NULL && strstr(rwapi_why(), "shared memory"));
    EXPECT(rwapi_receive(NULL, &message) == RWAPI_ERR_ARGUMENT);
}

int main(int argc, char **argv)
{
    EXPECT(rwapi_rank() == RWAPI_ERR_STATE && rwapi_finalize() == RWAPI_ERR_STATE);
    EXPECT(rwapi_init(argc, argv) == RWAPI_OK);
    me = rwapi_rank();
    nodes = rwapi_size();
    node next = (me + 1) % nodes, previous = (me + nodes - 1) % nodes;
    net in, out, theirs;
    unsigned char *inward = rwapi_alloc(BYTES, &in), *outward = rwapi_alloc(BYTES, &out);
    EXPECT(inward && outward && inward[0] == 0 && inward[BYTES - 1] == 0);
    EXPECT(rwapi_send(previous, (small){{in, BYTES}}) == RWAPI_OK);
    small message = next_of(next);
    theirs = message.words[0];
    EXPECT(message.words[1] == BYTES);

    static const size_t lengths[] = {0, 1, 15, 64, 4095, 65536, 1 << 20, BYTES};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t bytes = lengths[i], offset = (BYTES - bytes) / 2;
        for (size_t j = 0; j < bytes; j++) outward[offset + j] = (unsigned char)(j * 5 + i + me);
        sid write = rwapi_write(next, out + offset, theirs + offset, bytes);
        EXPECT(write > 0);
        while (!rwapi_issent(write)) continue;
        memset(outward, 0, BYTES);
        EXPECT(rwapi_send(next, (small){{bytes, i}}) == RWAPI_OK);
        message = next_of(previous);
        EXPECT(message.words[0] == bytes && message.words[1] == i);
        for (size_t j = 0; j < bytes; j++)
            EXPECT(inward[offset + j] == (unsigned char)(j * 5 + i + previous));
        if (offset > 0) EXPECT(inward[offset - 1] == 0 || i > 0);
        /* Confirms that the data have been checked. */
        EXPECT(rwapi_send(previous, (small){{1, 1}}) == RWAPI_OK);
        message = next_of(next);
    }
    mixtures(inward, outward, out, theirs);
    long_writes(inward, outward, out, theirs);
    changes(out, theirs);
    refusals(out, theirs, next);

    /* More messages than the buffers hold, which are not received meanwhile. */
    for (int i = 0; i < FLOOD; i++) EXPECT(rwapi_send(next, (small){{(uint64_t)i, 7}}) == RWAPI_OK);
    for (int i = 0; i < FLOOD; i++) {
        message = next_of(previous);
        EXPECT(message.words[0] == (uint64_t)i && message.words[1] == 7);
    }

    /* A freed block cannot be written to. */
    EXPECT(rwapi_free(inward) == RWAPI_OK && rwapi_free(inward) == RWAPI_ERR_ARGUMENT);
    EXPECT(rwapi_send(previous, (small){{2, 2}}) == RWAPI_OK);
    message = next_of(next);
    expect_refusal(rwapi_write(next, out, theirs, 1), "block of node");
    EXPECT(rwapi_send(previous, (small){{4, 4}}) == RWAPI_OK);
    message = next_of(next);
    /* Messages that are not received must not keep a node from finalising. */
    for (int i = 0; i < FLOOD; i++) EXPECT(rwapi_send(next, (small){{3, 3}}) == RWAPI_OK);
    EXPECT(rwapi_finalize() == RWAPI_OK && rwapi_finalize() == RWAPI_ERR_STATE &&
           rwapi_rank() == RWAPI_ERR_STATE);
    return 0;
}
