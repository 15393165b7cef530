/*
 * nemesis_netmod.h: how to write a network module for Nemesis in C.
 *
 * A module is a shared library libnemesis_netmod_NAME.so with one function, nemesis_netmod_table(), which returns a table of five functions:
 * init, finalize, send, poll_send, poll_recv. Nemesis calls them, one at a time, from one thread at a time; none of them may block. In return
 * every call lends the module a table of the host's functions (nemesis_host), which is valid during that call only and must not be called from
 * anywhere else. The host's functions never call the module back.
 *
 *   addresses   A process is known by its index in the job. init writes the module's business card, bytes that only the same module understands;
 *               host->card() gives the others'. Connect when first needed.
 *
 *   packets     24 bytes of header, then payload. Header and payload in one piece are a frame. Bytes 6 and 7 of the header, little endian, are the
 *               payload's size; the rest of the header is not the module's business. A packet may have a body: more bytes, sent from where they lie,
 *               received where the host wants them.
 *
 *   order       Packets from one process to another arrive in the order in which send accepted them, whole, with their bodies, once.
 *
 *   sending     Try the network at once. What cannot leave now is queued: copy header and payload, keep the body's address, answer NEMESIS_PENDING, and
 *               call host->completed() with the token from a later poll_send, poll_recv or finalize, when the body's memory is free. When too much
 *               waits, answer NEMESIS_FULL and take nothing: that is no error.
 *
 *   receiving   For each packet take a cell with host->alloc(), write the frame into it, and hand it over with host->deliver(). Without a cell leave
 *               the packet in the network. Ask host->place() where a body goes, once header and payload are complete, and deliver the packet when
 *               the body is.
 *
 *   trouble     A process that cannot be reached any more is reported once with host->lost(); its pending sends complete with the error, later ones
 *               return it; other pairs go on. A process that has finalized is not reported.
 *
 * A host function that returns an error (a negative number) has refused a call that breaks these rules; the module returns that error upward.
 * Nemesis checks what it can of the rules and reports a module that breaks one.
 */
#ifndef NEMESIS_NETMOD_H
#define NEMESIS_NETMOD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface. It counts up whenever a structure changes. */
#define NEMESIS_NETMOD_ABI 1

#define NEMESIS_HEADER_BYTES 24
#define NEMESIS_CARD_MAX 512

/* What functions return. Polls return the number of packets they moved, or 1 when only a part of one moved: who waits for it then stays awake. */
#define NEMESIS_OK 0
#define NEMESIS_DONE 0
#define NEMESIS_PENDING 1
#define NEMESIS_FULL 2
#define NEMESIS_UNREACHABLE (-1) /* no way to the process */
#define NEMESIS_LOST (-2)        /* there was a way, it is gone */
#define NEMESIS_MALFORMED (-3)   /* the other end sent nonsense */
#define NEMESIS_RESOURCES (-4)   /* the system refuses memory, descriptors, ... */
#define NEMESIS_INVALID (-5)     /* the call is wrong: a payload beyond the limits, an unknown process */
#define NEMESIS_BROKEN (-6)      /* the module broke a rule of this file */

/* What finalize is called for. */
#define NEMESIS_FLUSH 0 /* bring everything on its way, give cells back, say goodbye; NEMESIS_PENDING: call again, NEMESIS_DONE: finished */
#define NEMESIS_CLOSE 1 /* free everything at once; host is NULL; the last call, with or without a flush before it */

/* A cell, lent to the module until it is delivered or given back. */
typedef struct nemesis_cell {
    uint64_t id;
    void *frame; /* NEMESIS_HEADER_BYTES + room bytes, aligned to 8 */
    size_t room;
} nemesis_cell;

/* What a module may ask of its process. The first argument is always the table's self. */
typedef struct nemesis_host {
    void *self;
    /* Copies the card of a process into buffer; returns its length, or NEMESIS_UNREACHABLE when it has none of this module. */
    int (*card)(void *self, uint32_t process, void *buffer, size_t capacity);
    /* 1: here is a cell with room for so much payload; 0: none now, come again. */
    int (*alloc)(void *self, size_t payload, nemesis_cell *cell);
    /* Hands the packet in the cell over. */
    int (*deliver)(void *self, uint32_t from, const nemesis_cell *cell);
    /* Returns a cell that was not used. */
    int (*give_back)(void *self, const nemesis_cell *cell);
    /* Where the body of the packet with this frame goes. 1: write it to *address, then deliver; 0: read it and throw it away, then deliver. */
    int (*place)(void *self, uint32_t from, const void *frame, size_t body, void **address);
    /* A pending send is complete; code is NEMESIS_OK or why it failed. Not from within the send itself. */
    int (*completed)(void *self, uint64_t token, int code);
    /* The process cannot be reached any more; why is a sentence for the user. */
    int (*lost)(void *self, uint32_t process, int code, const char *why);
    /* Words for the error that the module is about to return. */
    void (*explain)(void *self, const char *why);
} nemesis_host;

/* What init is told. */
typedef struct nemesis_setup {
    uint32_t me;
    uint32_t processes;
    uint8_t job_key[32]; /* the job's secret: prove it on every connection before anything else is read */
    void *cells;         /* the memory of all cells, for the primary module to register; NULL for the others */
    size_t cells_bytes;
} nemesis_setup;

/* What init tells. */
typedef struct nemesis_start {
    void *module; /* the first argument of all other functions */
    size_t payload_max; /* at most 65535; at least 65528 if it is to carry all packets, not bodies alone */
    uint64_t body_max;  /* 0: no bodies, large messages are cut into packets */
    size_t card_bytes;
    uint8_t card[NEMESIS_CARD_MAX];
} nemesis_start;

/* A packet to send. All pointers are valid during the call; the body stays until completed. */
typedef struct nemesis_packet {
    const void *header;
    const void *payload;
    size_t payload_bytes;
    const void *body;
    size_t body_bytes; /* 0: no body */
} nemesis_packet;

/* A descriptor that wakes a sleeper. */
typedef struct nemesis_interest {
    int descriptor;
    uint8_t readable;
    uint8_t writable;
} nemesis_interest;

/* Remote memory access, for networks where the target's processor takes no part. All functions or no table.
 *
 * register_memory makes memory reachable until it is deregistered, and writes a key for the others, of at most key_capacity bytes. The other functions begin an
 * operation and answer NEMESIS_OK, or refuse it; its memory is the module's until it calls host->completed() with the token, from a later poll_send, poll_recv
 * or finalize. A put is complete when its bytes may change, a get and an atomic when the result is here (the old value of an aligned 64-bit word), a flush
 * when everything begun before it towards that process is done there; otherwise nothing is ordered. What names bytes that are not registered there touches
 * nothing and fails: itself or, if it is a put that had completed, the next flush. Operations on a process that is lost or has left fail. A deregister that is
 * refused leaves all as it is, and may come again.
 *
 * Nemesis calls the primary network's table for registered memory (nemesis_register), but no atomics yet. Of the networks that it comes with none has one. */
typedef struct nemesis_netmod_rma {
    int (*register_memory)(void *module, void *address, size_t bytes, uint64_t *id, void *key, size_t key_capacity, size_t *key_bytes);
    int (*deregister)(void *module, uint64_t id);
    int (*put)(void *module, const nemesis_host *host, const void *from, size_t bytes, uint32_t process, uint64_t address, const void *key,
               size_t key_bytes, uint64_t token);
    int (*get)(void *module, const nemesis_host *host, void *to, size_t bytes, uint32_t process, uint64_t address, const void *key, size_t key_bytes,
               uint64_t token);
    int (*fetch_add)(void *module, const nemesis_host *host, uint64_t value, uint64_t *old, uint32_t process, uint64_t address, const void *key,
                     size_t key_bytes, uint64_t token);
    int (*swap)(void *module, const nemesis_host *host, uint64_t value, uint64_t *old, uint32_t process, uint64_t address, const void *key,
                size_t key_bytes, uint64_t token);
    int (*compare_swap)(void *module, const nemesis_host *host, uint64_t expected, uint64_t value, uint64_t *old, uint32_t process, uint64_t address,
                        const void *key, size_t key_bytes, uint64_t token);
    int (*flush)(void *module, const nemesis_host *host, uint32_t process, uint64_t token);
} nemesis_netmod_rma;

/* Collective operations that the network itself carries out. Nemesis does not call this table yet. */
typedef struct nemesis_netmod_collectives {
    int (*group)(void *module, const uint32_t *members, size_t count, uint64_t *group);
    int (*disband)(void *module, uint64_t group);
    int (*barrier)(void *module, const nemesis_host *host, uint64_t group, uint64_t token);
} nemesis_netmod_collectives;

/* The module. */
typedef struct nemesis_netmod {
    uint32_t abi;   /* NEMESIS_NETMOD_ABI */
    uint32_t bytes; /* sizeof(nemesis_netmod) */
    const char *name;

    /* The five functions. */
    int (*init)(const nemesis_setup *setup, const nemesis_host *host, nemesis_start *start);
    int (*finalize)(void *module, const nemesis_host *host, int what);
    int (*send)(void *module, const nemesis_host *host, uint32_t to, const nemesis_packet *packet, uint64_t token);
    int (*poll_send)(void *module, const nemesis_host *host);
    int (*poll_recv)(void *module, const nemesis_host *host);

    /* Before sleep; may be NULL. Writes up to capacity descriptors and their number, and in *milliseconds how long to sleep at most (negative: no
       limit). 1: sleep on them; 0: do not sleep, poll. */
    int (*rest)(void *module, nemesis_interest *interests, size_t capacity, size_t *count, int64_t *milliseconds);

    /* May be NULL. */
    const nemesis_netmod_rma *rma;
    const nemesis_netmod_collectives *collectives;
} nemesis_netmod;

/* The one symbol of a module. The table lives as long as the library. */
const nemesis_netmod *nemesis_netmod_table(void);

#ifdef __cplusplus
}
#endif

#endif
