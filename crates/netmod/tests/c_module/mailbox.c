/*
 * mailbox.c: a network module in C for the test of the C interface, and an example of one.
 *
 * The "network" is this process's memory: a mailbox for every ordered pair of processes. A frame is
 * copied into its message. The receiver reads a bulk payload from the sender's memory, so a send
 * with a bulk payload is pending until the receiver has polled. A packet that is not ordered
 * arrives one poll late, so later packets overtake it. Copies reach the memory of other processes,
 * in the order of the calls, at the caller's next poll.
 */
#include "nemesis_netmod.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(nemesis_cell) == 24 && sizeof(nemesis_host) == 72
               && sizeof(nemesis_setup) == 56, "as table.rs has them");
_Static_assert(sizeof(nemesis_start) == 560 && sizeof(nemesis_packet) == 56
               && sizeof(nemesis_interest) == 8, "as table.rs has them");
_Static_assert(sizeof(nemesis_netmod) == 96 && sizeof(nemesis_netmod_rma) == 56,
               "as table.rs has them");

enum { PROCESSES_MAX = 16, MAILBOX_MAX = 64, BURST = 16, PAYLOAD_MAX = 16000, BULK_MAX = 1 << 20 };

enum state { HERE, GOODBYE, DEAD };

struct message {
    struct message *next;
    const void *bulk;
    size_t bulk_bytes;
    int ordered;
    uint64_t token;
    size_t frame_bytes;
    unsigned char frame[];
};

/* Memory that a process has registered. */
struct region {
    struct region *next;
    uint32_t process;
    uint64_t id;
    unsigned char *start;
    size_t bytes;
};

enum operation { PUT, GET, FETCH_ADD, COMPARE_SWAP, FLUSH };

/* A one-sided access to memory of another process. */
struct access {
    struct access *next;
    enum operation operation;
    uint32_t process;
    uint64_t address, key, token, value, expected;
    void *local;
    size_t bytes;
};

struct list {
    struct message *first, *last;
    size_t count;
};

/* The network of one job. */
struct network {
    struct network *next;
    uint8_t key[32];
    unsigned members;
    uint32_t processes;
    enum state state[PROCESSES_MAX];
    uint8_t connected[PROCESSES_MAX][PROCESSES_MAX];
    struct list mailbox[PROCESSES_MAX][PROCESSES_MAX]; /* by sender and receiver */
    /* by sender: messages with a bulk payload that has been read */
    struct list read[PROCESSES_MAX];
    struct region *regions;
    uint64_t last_id;
};

struct module {
    struct network *network;
    uint32_t me;
    size_t pending;
    struct access *accesses, **last_access;
    uint8_t reported[PROCESSES_MAX];
    /* by sender: the packet that arrives in the next poll, if any */
    nemesis_cell late[PROCESSES_MAX];
    uint8_t is_late[PROCESSES_MAX];
};

static struct network *networks;

static void append(struct list *list, struct message *message) {
    message->next = NULL;
    if (list->last)
        list->last->next = message;
    else
        list->first = message;
    list->last = message;
    list->count++;
}

static struct message *take(struct list *list) {
    struct message *message = list->first;
    if (message) {
        list->first = message->next;
        if (!list->first)
            list->last = NULL;
        list->count--;
    }
    return message;
}

static struct network *join(const nemesis_setup *setup) {
    struct network *network;
    for (network = networks; network; network = network->next)
        if (memcmp(network->key, setup->job_key, sizeof network->key) == 0)
            break;
    if (!network) {
        network = calloc(1, sizeof *network);
        if (!network)
            return NULL;
        memcpy(network->key, setup->job_key, sizeof network->key);
        network->processes = setup->processes;
        network->next = networks;
        networks = network;
    }
    network->members++;
    return network;
}

static void leave(struct network *network) {
    if (--network->members > 0)
        return;
    for (uint32_t from = 0; from < network->processes; from++)
        for (uint32_t to = 0; to < network->processes; to++)
            for (struct message *message; (message = take(&network->mailbox[from][to]));)
                free(message);
    struct network **link = &networks;
    while (*link != network)
        link = &(*link)->next;
    *link = network->next;
    free(network);
}

static int init(const nemesis_setup *setup, const nemesis_host *host, nemesis_start *start) {
    if (setup->processes > PROCESSES_MAX) {
        host->explain(host->self, "the mailbox network connects at most 16 processes");
        return NEMESIS_RESOURCES;
    }
    struct module *module = calloc(1, sizeof *module);
    if (!module || !(module->network = join(setup))) {
        free(module);
        return NEMESIS_RESOURCES;
    }
    module->me = setup->me;
    module->last_access = &module->accesses;
    start->module = module;
    start->payload_max = PAYLOAD_MAX;
    start->bulk_max = BULK_MAX;
    start->card_bytes = sizeof module->me;
    memcpy(start->card, &module->me, sizeof module->me);
    return NEMESIS_OK;
}

static int connect(struct module *module, const nemesis_host *host, uint32_t to) {
    uint32_t card;
    if (to >= module->network->processes)
        return NEMESIS_INVALID;
    if (module->network->state[to] != HERE) {
        host->explain(host->self, "it has left");
        return NEMESIS_LOST;
    }
    if (module->network->connected[module->me][to])
        return NEMESIS_OK;
    if (host->card(host->self, to, &card, sizeof card) != sizeof card || card != to) {
        host->explain(host->self, "it has no mailbox");
        return NEMESIS_UNREACHABLE;
    }
    module->network->connected[module->me][to] = 1;
    return NEMESIS_OK;
}

static int send(void *self, const nemesis_host *host, uint32_t to, const nemesis_packet *packet,
                uint64_t token) {
    struct module *module = self;
    int code = connect(module, host, to);
    if (code < 0)
        return code;
    struct list *mailbox = &module->network->mailbox[module->me][to];
    if (mailbox->count >= MAILBOX_MAX)
        return NEMESIS_FULL;
    size_t frame_bytes = NEMESIS_HEADER_BYTES + packet->payload_bytes;
    struct message *message = malloc(sizeof *message + frame_bytes);
    if (!message)
        return NEMESIS_FULL;
    message->frame_bytes = frame_bytes;
    memcpy(message->frame, packet->header, NEMESIS_HEADER_BYTES);
    if (packet->payload_bytes)
        memcpy(message->frame + NEMESIS_HEADER_BYTES, packet->payload, packet->payload_bytes);
    message->bulk = packet->bulk;
    message->bulk_bytes = packet->bulk_bytes;
    message->ordered = packet->ordered;
    message->token = token;
    append(mailbox, message);
    if (!packet->bulk_bytes)
        return NEMESIS_DONE;
    module->pending++;
    return NEMESIS_PENDING;
}

/* Frees a message, and completes its send if it had a bulk payload. */
static int complete(struct module *module, const nemesis_host *host, struct message *message,
                    int outcome) {
    int code = NEMESIS_OK;
    if (message->bulk_bytes) {
        module->pending--;
        code = host->completed(host->self, message->token, outcome);
    }
    free(message);
    return code;
}

static int register_memory(void *self, void *address, size_t bytes, uint64_t *id, void *key,
                           size_t key_capacity, size_t *key_bytes) {
    struct module *module = self;
    struct region *region = malloc(sizeof *region);
    if (!region || key_capacity < sizeof region->id) {
        free(region);
        return NEMESIS_RESOURCES;
    }
    *region = (struct region){module->network->regions, module->me, ++module->network->last_id,
                              address, bytes};
    module->network->regions = region;
    *id = region->id;
    memcpy(key, &region->id, sizeof region->id);
    *key_bytes = sizeof region->id;
    return NEMESIS_OK;
}

static int deregister(void *self, uint64_t id) {
    struct module *module = self;
    for (struct region **link = &module->network->regions; *link; link = &(*link)->next)
        if ((*link)->process == module->me && (*link)->id == id) {
            struct region *region = *link;
            *link = region->next;
            free(region);
            return NEMESIS_OK;
        }
    return NEMESIS_INVALID;
}

/* Deregisters all memory of a process that leaves. */
static void deregister_all(struct module *module) {
    for (struct region **link = &module->network->regions; *link;) {
        struct region *region = *link;
        if (region->process != module->me) {
            link = &region->next;
            continue;
        }
        *link = region->next;
        free(region);
    }
}

static int begin(struct module *module, const nemesis_host *host, struct access access,
                 const void *key, size_t key_bytes) {
    int code = connect(module, host, access.process);
    if (code < 0)
        return code;
    struct access *begun = malloc(sizeof *begun);
    if (!begun)
        return NEMESIS_RESOURCES;
    if (key_bytes == sizeof access.key)
        memcpy(&access.key, key, key_bytes);
    *begun = access;
    *module->last_access = begun;
    module->last_access = &begun->next;
    module->pending++;
    return NEMESIS_OK;
}

static int put(void *self, const nemesis_host *host, const void *from, size_t bytes,
               uint32_t process, uint64_t address, const void *key,
               size_t key_bytes, uint64_t token) {
    struct access access = {.operation = PUT, .process = process, .address = address,
                            .token = token, .local = (void *)(uintptr_t)from, .bytes = bytes};
    return begin(self, host, access, key, key_bytes);
}

static int get(void *self, const nemesis_host *host, void *to, size_t bytes, uint32_t process,
               uint64_t address, const void *key, size_t key_bytes,
               uint64_t token) {
    struct access access = {.operation = GET, .process = process, .address = address,
                            .token = token, .local = to, .bytes = bytes};
    return begin(self, host, access, key, key_bytes);
}

static int fetch_add(void *self, const nemesis_host *host, uint64_t value, uint64_t *old,
                     uint32_t process, uint64_t address, const void *key,
                     size_t key_bytes, uint64_t token) {
    struct access access = {.operation = FETCH_ADD, .process = process, .address = address,
                            .token = token, .value = value, .local = old, .bytes = 8};
    return begin(self, host, access, key, key_bytes);
}

static int compare_swap(void *self, const nemesis_host *host, uint64_t expected, uint64_t value,
                        uint64_t *old, uint32_t process, uint64_t address,
                        const void *key, size_t key_bytes, uint64_t token) {
    struct access access = {.operation = COMPARE_SWAP, .process = process, .address = address,
                            .token = token, .value = value, .expected = expected};
    access.local = old;
    access.bytes = 8;
    return begin(self, host, access, key, key_bytes);
}

static int flush(void *self, const nemesis_host *host, uint32_t process, uint64_t token) {
    return begin(self, host,
                 (struct access){.operation = FLUSH, .process = process, .token = token}, NULL, 0);
}

/* Carries an access out and returns its result. */
static int carry_out(struct network *network, const struct access *access) {
    if (network->state[access->process] != HERE)
        return NEMESIS_LOST;
    if (access->operation == FLUSH)
        return NEMESIS_OK;
    struct region *region = network->regions;
    while (region && (region->process != access->process || region->id != access->key))
        region = region->next;
    uint64_t start = region ? (uintptr_t)region->start : 0;
    if (!region || access->address < start || access->bytes > region->bytes
        || access->address - start > region->bytes - access->bytes)
        return NEMESIS_INVALID;
    unsigned char *there = region->start + (access->address - start);
    uint64_t before = access->expected;
    if (access->operation == PUT) {
        memcpy(there, access->local, access->bytes);
        return NEMESIS_OK;
    }
    if (access->operation == GET) {
        memcpy(access->local, there, access->bytes);
        return NEMESIS_OK;
    }
    if ((uintptr_t)there % sizeof before)
        return NEMESIS_INVALID;
    /* Processors may change the word at the same time. */
    if (access->operation == FETCH_ADD)
        before = __atomic_fetch_add((uint64_t *)(void *)there, access->value, __ATOMIC_SEQ_CST);
    else
        __atomic_compare_exchange_n((uint64_t *)(void *)there, &before, access->value, 0,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    memcpy(access->local, &before, sizeof before);
    return NEMESIS_OK;
}

static int poll_send(void *self, const nemesis_host *host) {
    struct module *module = self;
    struct network *network = module->network;
    struct message *message;
    int moved = 0;
    for (struct access *access; (access = module->accesses); moved++) {
        module->accesses = access->next;
        if (!access->next)
            module->last_access = &module->accesses;
        int code = host->completed(host->self, access->token, carry_out(network, access));
        free(access);
        module->pending--;
        if (code < 0)
            return NEMESIS_BROKEN;
    }
    for (; (message = take(&network->read[module->me])); moved++)
        if (complete(module, host, message, NEMESIS_OK) < 0)
            return NEMESIS_BROKEN;
    for (uint32_t to = 0; to < network->processes; to++)
        while (network->state[to] != HERE && (message = take(&network->mailbox[module->me][to])))
            if (complete(module, host, message, NEMESIS_LOST) < 0)
                return NEMESIS_BROKEN;
    return moved;
}

/* Delivers the first message of a mailbox and returns 1; 0 if there is none or no cell for it. */
static int receive(struct module *module, const nemesis_host *host, uint32_t from) {
    struct list *mailbox = &module->network->mailbox[from][module->me];
    struct message *message = mailbox->first;
    nemesis_cell cell;
    nemesis_place place;
    if (!message
        || host->alloc(host->self, message->frame_bytes - NEMESIS_HEADER_BYTES, &cell) != 1)
        return 0;
    take(mailbox);
    memcpy(cell.frame, message->frame, message->frame_bytes);
    if (message->bulk_bytes) {
        int wanted = host->place(host->self, from, &cell, message->bulk_bytes, &place);
        if (wanted < 0)
            return wanted;
        if (wanted)
            memcpy(place.address, message->bulk, message->bulk_bytes);
        int ordered = message->ordered;
        append(&module->network->read[from], message);
        if (!ordered && !module->is_late[from]) {
            module->late[from] = cell;
            module->is_late[from] = 1;
            return 1;
        }
    } else {
        free(message);
    }
    int code = host->deliver(host->self, from, &cell);
    return code < 0 ? code : 1;
}

static int poll_recv(void *self, const nemesis_host *host) {
    struct module *module = self;
    struct network *network = module->network;
    int moved = 0;
    for (uint32_t from = 0; from < network->processes; from++) {
        int code = 0;
        if (module->is_late[from]) {
            module->is_late[from] = 0;
            code = host->deliver(host->self, from, &module->late[from]);
            if (code < 0)
                return code;
            moved++;
        }
        for (int packets = 0; packets < BURST; packets++) {
            code = receive(module, host, from);
            if (code <= 0)
                break;
            moved++;
        }
        if (code < 0)
            return code;
        int connected =
            network->connected[from][module->me] || network->connected[module->me][from];
        if (connected && network->state[from] == DEAD && !module->reported[from]
            && !network->mailbox[from][module->me].count && !module->is_late[from]) {
            module->reported[from] = 1;
            host->lost(host->self, from, NEMESIS_LOST, "it closed without a goodbye");
        }
    }
    return moved;
}

static int finalize(void *self, const nemesis_host *host, int what) {
    struct module *module = self;
    struct network *network = module->network;
    if (what == NEMESIS_PAUSE) {
        int moved = poll_send(self, host);
        return moved < 0 ? moved : module->pending ? NEMESIS_PENDING : NEMESIS_DONE;
    }
    if (what == NEMESIS_FLUSH) {
        if (poll_send(self, host) < 0)
            return NEMESIS_BROKEN;
        if (module->pending)
            return NEMESIS_PENDING;
        for (uint32_t from = 0; from < network->processes; from++)
            if (module->is_late[from]) {
                module->is_late[from] = 0;
                host->give_back(host->self, &module->late[from]);
            }
        deregister_all(module);
        network->state[module->me] = GOODBYE;
        return NEMESIS_DONE;
    }
    struct message *message;
    if (network->state[module->me] == HERE) {
        network->state[module->me] = DEAD;
        for (uint32_t to = 0; to < network->processes; to++)
            while ((message = take(&network->mailbox[module->me][to])))
                free(message);
    }
    while ((message = take(&network->read[module->me])))
        free(message);
    for (struct access *access; (access = module->accesses); free(access))
        module->accesses = access->next;
    deregister_all(module);
    leave(network);
    free(module);
    return NEMESIS_DONE;
}

static const nemesis_netmod_rma rma = {
    .register_memory = register_memory,
    .deregister = deregister,
    .put = put,
    .get = get,
    .fetch_add = fetch_add,
    .compare_swap = compare_swap,
    .flush = flush,
};

const nemesis_netmod *nemesis_netmod_table(void) {
    static const nemesis_netmod table = {
        .abi = NEMESIS_NETMOD_ABI,
        .bytes = sizeof table,
        .name = "mailbox",
        .init = init,
        .finalize = finalize,
        .send = send,
        .poll_send = poll_send,
        .poll_recv = poll_recv,
        .rma = &rma,
    };
    return &table;
}
