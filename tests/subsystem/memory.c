/* Access to the memory of other processes: windows and registered memory on any number of
 * processes, and invalid calls, which fail without an effect. */
#include <nemesis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "process %d, line %d: %s (%s)\n", rank, __LINE__, #condition,          \
                    nemesis_why());                                                                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { ADDRESSES = NEMESIS_KIND_FIRST, ARRIVED };
enum { BYTES = 1 << 20 };

/* What a process sends to the previous one. */
struct addresses {
    nemesis_description window;
    nemesis_key key;
    uint64_t window_address, memory_address;
};

static int rank, size, far, arrived[2];
static struct addresses theirs;

static int take(const nemesis_packet *packet, void *unused)
{
    (void)unused;
    if (packet->header.kind == ADDRESSES)
        memcpy(&theirs, packet->payload, sizeof theirs), arrived[0]++;
    else if (packet->header.kind == ARRIVED) arrived[1]++;
    return 1;
}

static void send_to(int to, int kind, const void *payload, size_t bytes)
{
    nemesis_header header = {.kind = (uint8_t)kind};
    int outcome;
    while ((outcome = nemesis_send((uint32_t)to, &header, payload, bytes)) == NEMESIS_AGAIN)
        EXPECT(nemesis_poll(take, NULL) >= 0);
    EXPECT(outcome == NEMESIS_OK);
}

/* A barrier: each process sends a message to all, and waits for a message of each. */
static void barrier(void)
{
    for (int to = 0; to < size; to++) send_to(to, ARRIVED, NULL, 0);
    while (arrived[1] < size) {
        EXPECT(nemesis_poll(take, NULL) >= 0);
        EXPECT(nemesis_pause() == NEMESIS_OK);
    }
    arrived[1] -= size;
}

static void wait_for_counter(const int *counter)
{
    while (*(volatile const int *)counter > 0) {
        EXPECT(nemesis_poll(take, NULL) >= 0);
        EXPECT(nemesis_pause() == NEMESIS_OK);
    }
    EXPECT(*counter == 0);
}

/* Waits until a put or get has failed: at once, or at the target. */
static void expect_refusal(int outcome, const int *counter)
{
    if (outcome != NEMESIS_OK) {
        EXPECT(outcome == NEMESIS_ERR_ARGUMENT && strstr(nemesis_why(), "registered"));
        return;
    }
    while (*(volatile const int *)counter > 0) {
        EXPECT(nemesis_poll(take, NULL) >= 0);
        EXPECT(nemesis_pause() == NEMESIS_OK);
    }
    EXPECT(*counter == -1);
}

static void windows(unsigned char *own, unsigned char *scratch)
{
    int window = nemesis_window_attach(&theirs.window);
    if (far) {
        EXPECT(window == NEMESIS_ERR_MEMORY);
        return;
    }
    uint64_t there = theirs.window_address;
    EXPECT(window >= 0);
    for (int i = 0; i < BYTES; i++) scratch[i] = (unsigned char)(i * 7 + rank);
    EXPECT(nemesis_put(window, there, scratch, BYTES) == NEMESIS_OK);
    memset(scratch, 0, BYTES);
    EXPECT(nemesis_get(window, there + 5, scratch, BYTES - 5) == NEMESIS_OK);
    for (int i = 0; i < BYTES - 5; i++) EXPECT(scratch[i] == (unsigned char)((i + 5) * 7 + rank));
    barrier();
    int previous = (rank + size - 1) % size;
    for (int i = 0; i < BYTES; i++) EXPECT(own[i] == (unsigned char)(i * 7 + previous));
    barrier();

    /* Three pieces at the origin, two at the target. */
    char words[3][8] = {"one", "two", "three"};
    nemesis_piece here[3] = {{(uintptr_t)words[0], 3}, {(uintptr_t)words[1], 3},
                             {(uintptr_t)words[2], 5}};
    nemesis_piece target[2] = {{there + 100, 4}, {there + 200, 7}};
    EXPECT(nemesis_put_pieces(window, target, 2, here, 3) == NEMESIS_OK);
    barrier();
    EXPECT(memcmp(own + 100, "onet", 4) == 0 && memcmp(own + 200, "wothree", 7) == 0);
    memset(words, 0, sizeof words);
    EXPECT(nemesis_get_pieces(window, target, 2, here, 3) == NEMESIS_OK);
    EXPECT(strcmp(words[0], "one") == 0 && strcmp(words[1], "two") == 0 &&
           strcmp(words[2], "three") == 0);

    /* Memory outside the window cannot be accessed. */
    EXPECT(nemesis_put(window, there + BYTES - 3, scratch, 4) == NEMESIS_ERR_ARGUMENT &&
           strstr(nemesis_why(), "not in the window"));
    EXPECT(nemesis_put(window, there - 1, scratch, 1) == NEMESIS_ERR_ARGUMENT);
    EXPECT(nemesis_get(window, there, scratch, SIZE_MAX) == NEMESIS_ERR_ARGUMENT);
    EXPECT(nemesis_put(window + 1, there, scratch, 1) == NEMESIS_ERR_ARGUMENT &&
           nemesis_put(-1, there, scratch, 1) == NEMESIS_ERR_ARGUMENT);
    EXPECT(nemesis_put_pieces(window, target, 1, here, 3) == NEMESIS_ERR_ARGUMENT &&
           strstr(nemesis_why(), "bytes"));
    target[1].address = there + BYTES - 2;
    EXPECT(nemesis_put_pieces(window, target, 2, here, 3) == NEMESIS_ERR_ARGUMENT);
    nemesis_description forged = theirs.window;
    for (int word = 0; word < 3; word++) {
        forged = theirs.window;
        forged.words[word] = UINT64_MAX / 2;
        EXPECT(nemesis_window_attach(&forged) == NEMESIS_ERR_MEMORY);
    }
    barrier();
    EXPECT(memcmp(own + 100, "onet", 4) == 0);
    EXPECT(nemesis_window_detach(window) == NEMESIS_OK &&
           nemesis_window_detach(window) == NEMESIS_ERR_ARGUMENT);
    EXPECT(nemesis_put(window, there, scratch, 1) == NEMESIS_ERR_ARGUMENT);
}

static void registered(unsigned char *own, nemesis_key *key, unsigned char *scratch)
{
    static const size_t lengths[] = {0, 1, 100, 16336, 16337, BYTES};
    int counter[2];
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t bytes = lengths[i];
        memset(own, 0, BYTES);
        barrier();
        for (size_t j = 0; j < bytes; j++) scratch[j] = (unsigned char)(j * 3 + i + rank);
        EXPECT(nemesis_put_start(&theirs.key, theirs.memory_address, scratch, bytes,
                                 &counter[0]) == NEMESIS_OK);
        wait_for_counter(&counter[0]);
        memset(scratch, 0, BYTES);
        EXPECT(nemesis_get_start(&theirs.key, theirs.memory_address, scratch, bytes / 2,
                                 &counter[0]) == NEMESIS_OK);
        EXPECT(nemesis_get_start(&theirs.key, theirs.memory_address + bytes / 2,
                                 scratch + bytes / 2, bytes - bytes / 2,
                                 &counter[1]) == NEMESIS_OK);
        wait_for_counter(&counter[1]);
        wait_for_counter(&counter[0]);
        for (size_t j = 0; j < bytes; j++) EXPECT(scratch[j] == (unsigned char)(j * 3 + i + rank));
        barrier();
        int previous = (rank + size - 1) % size;
        for (size_t j = 0; j < bytes; j++) EXPECT(own[j] == (unsigned char)(j * 3 + i + previous));
        for (size_t j = bytes; j < BYTES; j++) EXPECT(own[j] == 0);
    }
    counter[0] = -7;
    EXPECT(nemesis_put_start(&theirs.key, theirs.memory_address + BYTES - 1, scratch, 2,
                             counter) == NEMESIS_ERR_ARGUMENT && counter[0] == -7);
    EXPECT(nemesis_get_start(&theirs.key, theirs.memory_address - 1, scratch, 1,
                             counter) == NEMESIS_ERR_ARGUMENT && counter[0] == -7);
    barrier();
    /* A forged key for memory that exists, and for memory next to it. */
    for (int word = 2; word < 5; word++) {
        nemesis_key forged = theirs.key;
        forged.words[word] += word == 2 ? 0 - (uint64_t)4096 : 4096;
        uint64_t place = word == 2 ? theirs.memory_address - 4096
                                   : theirs.memory_address + (word == 3 ? BYTES : 0);
        if (word == 4 && !far) continue;
        /* A network goes by its own key. Without it, packets carry the token. */
        if (word == 4) forged.words[5] = 0;
        memset(scratch, 0xee, 4096);
        expect_refusal(nemesis_put_start(&forged, place, scratch, 64, counter), counter);
        expect_refusal(nemesis_get_start(&forged, place, scratch, 64, counter), counter);
        for (int i = 0; i < 64; i++) EXPECT(scratch[i] == 0xee);
    }
    barrier();
    EXPECT(nemesis_deregister(key) == NEMESIS_OK &&
           nemesis_deregister(key) == NEMESIS_ERR_ARGUMENT);
    barrier();
    expect_refusal(nemesis_put_start(&theirs.key, theirs.memory_address, scratch, 1, counter),
                   counter);
    expect_refusal(nemesis_get_start(&theirs.key, theirs.memory_address, scratch, BYTES, counter),
                   counter);
    expect_refusal(nemesis_put_start(&theirs.key, theirs.memory_address, scratch, BYTES, counter),
                   counter);
    barrier();
}

int main(void)
{
    EXPECT(nemesis_init() == NEMESIS_OK);
    rank = nemesis_rank();
    size = nemesis_size();
    const char *shm = getenv("NEMESIS_SHM");
    far = size > 1 && shm && strcmp(shm, "off") == 0;
    void *base;
    struct addresses ours;
    unsigned char *memory = malloc(BYTES), *scratch = malloc(BYTES);
    EXPECT(nemesis_window_allocate(BYTES, &base, &ours.window) == NEMESIS_OK);
    EXPECT(nemesis_register(memory, BYTES, &ours.key) == NEMESIS_OK);
    ours.window_address = (uintptr_t)base;
    ours.memory_address = (uintptr_t)memory;
    send_to((rank + size - 1) % size, ADDRESSES, &ours, sizeof ours);
    while (!arrived[0]) EXPECT(nemesis_wait(take, NULL) >= 0);
    windows(base, scratch);
    registered(memory, &ours.key, scratch);
    barrier();
    EXPECT(nemesis_window_free(base) == NEMESIS_OK &&
           nemesis_window_free(base) == NEMESIS_ERR_ARGUMENT);
    EXPECT(nemesis_window_allocate(1, &base, NULL) == NEMESIS_ERR_ARGUMENT);
    EXPECT(nemesis_window_allocate(SIZE_MAX, &base, &ours.window) == NEMESIS_ERR_MEMORY);
    EXPECT(nemesis_finalize() == NEMESIS_OK);
    free(memory);
    free(scratch);
    return 0;
}
