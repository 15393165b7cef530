/* Invalid calls of the subsystem, which fail without an effect: packets sent before and after them
 * arrive unchanged. */
#include <nemesis.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                  \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #condition, nemesis_why());    \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

static char payload[NEMESIS_PACKET_MAX + 1];
static int arrived, inner;

static int take(const nemesis_packet *packet, void *context)
{
    EXPECT(context == payload);
    EXPECT(packet->origin == (uint32_t)0 && packet->header.kind == 255 &&
           packet->header.flags == 7);
    EXPECT(packet->header.context == UINT64_MAX && packet->header.tag == INT32_MIN &&
           packet->header.rank == UINT32_MAX);
    EXPECT(packet->bytes == (arrived ? NEMESIS_PACKET_MAX : 0));
    EXPECT(memcmp(packet->payload, payload, packet->bytes) == 0);
    arrived++;
    inner = nemesis_poll(take, context);
    return 0;
}

static void *in_other_thread(void *unused)
{
    EXPECT(nemesis_rank() == NEMESIS_ERR_STATE && strstr(nemesis_why(), "thread"));
    EXPECT(nemesis_init() == NEMESIS_ERR_STATE && strstr(nemesis_why(), "before"));
    return unused;
}

int main(void)
{
    nemesis_header header = {.context = UINT64_MAX, .tag = INT32_MIN, .rank = UINT32_MAX,
                             .kind = 255, .flags = 7};
    nemesis_header theirs = {.kind = NEMESIS_KIND_FIRST - 1};
    pthread_t thread;
    memset(payload, 'x', sizeof payload);

    EXPECT(*nemesis_why() == 0);
    EXPECT(nemesis_size() == NEMESIS_ERR_STATE && strstr(nemesis_why(), "nemesis_init"));
    EXPECT(nemesis_finalize() == NEMESIS_ERR_STATE && nemesis_pause() == NEMESIS_ERR_STATE);
    EXPECT(nemesis_init() == NEMESIS_OK && nemesis_rank() == 0 && nemesis_size() == 1);
    EXPECT(nemesis_init() == NEMESIS_ERR_STATE);
    EXPECT(pthread_create(&thread, NULL, in_other_thread, NULL) == 0 &&
           pthread_join(thread, NULL) == 0);

    EXPECT(nemesis_send(0, &header, NULL, 0) == NEMESIS_OK);
    EXPECT(nemesis_send(1, &header, NULL, 0) == NEMESIS_ERR_ARGUMENT &&
           strstr(nemesis_why(), "no process 1"));
    EXPECT(nemesis_send(0, NULL, NULL, 0) == NEMESIS_ERR_ARGUMENT &&
           strstr(nemesis_why(), "header"));
    EXPECT(nemesis_send(0, &theirs, NULL, 0) == NEMESIS_ERR_ARGUMENT &&
           strstr(nemesis_why(), "kind 15"));
    EXPECT(nemesis_send(0, &header, NULL, 1) == NEMESIS_ERR_ARGUMENT &&
           strstr(nemesis_why(), "payload"));
    EXPECT(nemesis_send(0, &header, payload, NEMESIS_PACKET_MAX + 1) == NEMESIS_ERR_ARGUMENT &&
           strstr(nemesis_why(), "16344"));
    EXPECT(nemesis_poll(NULL, NULL) == NEMESIS_ERR_ARGUMENT &&
           nemesis_wait(NULL, NULL) == NEMESIS_ERR_ARGUMENT);
    EXPECT(nemesis_send(0, &header, payload, NEMESIS_PACKET_MAX) == NEMESIS_OK);

    /* The callback takes one packet at a time, and must not call the subsystem. */
    EXPECT(nemesis_poll(take, payload) == 1 && arrived == 1);
    EXPECT(inner == NEMESIS_ERR_STATE && strstr(nemesis_why(), "callback"));
    EXPECT(nemesis_wait(take, payload) == 1 && arrived == 2);
    EXPECT(nemesis_poll(take, payload) == 0 && nemesis_pause() == NEMESIS_OK);

    /* Nothing is received until there is no space left. Receiving makes space again. */
    int sent = 0;
    while (nemesis_send(0, &header, payload, NEMESIS_PACKET_MAX) == NEMESIS_OK)
        EXPECT(++sent < 100000);
    EXPECT(nemesis_wait(take, payload) == 1 &&
           nemesis_send(0, &header, payload, NEMESIS_PACKET_MAX) == NEMESIS_OK);
    for (int taken = 0; taken < sent; taken++)
        EXPECT(nemesis_wait(take, payload) == 1);

    EXPECT(nemesis_finalize() == NEMESIS_OK && nemesis_finalize() == NEMESIS_ERR_STATE &&
           nemesis_init() == NEMESIS_ERR_STATE);
    return 0;
}
