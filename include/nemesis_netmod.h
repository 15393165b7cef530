/*
 * nemesis_netmod.h: how to write a network module for Nemesis in C.
 *
 * A module is a shared library with one function, nemesis_netmod_table(). Users name its file in
 * NEMESIS_NETWORKS, by a path with a slash: NEMESIS_NETWORKS=/opt/net/libnemesis_netmod_net.so,tcp
 * (module:NAME stands for libnemesis_netmod_NAME.so in the linker's search path). The function
 * returns a table of five functions: init, finalize, send, poll_send and poll_recv. Nemesis calls
 * them from one thread at a time; none of them may block. Every call lends the module a table of
 * the host's functions (nemesis_host). The module may use that table during the call only. The
 * host's functions never call the module.
 *
 *   addresses   A process is known by its index in the job. init writes the module's business
 *               card: bytes that only this module understands. host->card() returns the cards of
 *               other processes. Connect when a connection is first needed.
 *
 *   packets     24 bytes of header, then payload. Header and payload in one piece are a frame.
 *               Bytes 6 and 7 of the header, little endian, are the payload's size; the module
 *               must not interpret the other bytes. A packet may have a bulk payload: further
 *               bytes that the module sends from the sender's memory and receives into the memory
 *               that the host names.
 *
 *   order       Packets from one process to another arrive in the order in which send accepted
 *               them, each whole, with its bulk payload, exactly once. A packet with a bulk payload
 *               that is not `ordered` may arrive before earlier packets and after later ones.
 *
 *   sending     Try the network at once. Queue what cannot leave now: copy header and payload,
 *               keep the bulk payload's address, and return NEMESIS_PENDING. When the memory of
 *               the bulk payload is free again, call host->completed() with the token from a later
 *               poll_send, poll_recv or finalize. If too much is queued, return NEMESIS_FULL and
 *               accept nothing; this is not an error.
 *
 *   receiving   For each packet take a cell with host->alloc(), write the frame into it, and
 *               deliver it with host->deliver(). Without a cell, leave the packet in the network.
 *               Once header and payload are complete in the cell, ask host->place() for the
 *               destination of the bulk payload; deliver the packet when the bulk payload is
 *               complete. Several bulk payloads of packets that are not ordered may be under way.
 *
 *   memory      Memory that lives long is registered by the RMA table. Bulk payloads and
 *               destinations within it come with the id of the registration.
 *
 *   failures    Report a process that cannot be reached any more once, with host->lost(). Its
 *               pending sends complete with the error, and later sends to it return the error.
 *               Other pairs continue. A process that has finalized is not reported.
 *
 * A host function that returns an error (a negative number) has refused a call that breaks these
 * rules; the module returns that error to its caller. Nemesis checks what it can of the rules and
 * reports a module that breaks one.
 */
#ifndef NEMESIS_NETMOD_H
#define NEMESIS_NETMOD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface. It increases whenever a structure changes. */
#define NEMESIS_NETMOD_ABI 4

#define NEMESIS_HEADER_BYTES 24
#define NEMESIS_CARD_MAX 512

/* Return values of the functions. A poll returns the number of packets that it moved, or 1 if it
   moved only a part of one, so that a process that waits for the packet does not sleep. */
#define NEMESIS_OK 0
#define NEMESIS_DONE 0
#define NEMESIS_PENDING 1
#define NEMESIS_FULL 2
#define NEMESIS_UNREACHABLE (-1) /* no route to the process */
#define NEMESIS_LOST (-2)        /* the connection is lost */
#define NEMESIS_MALFORMED (-3)   /* the other end sent invalid data */
#define NEMESIS_RESOURCES (-4)   /* the system refuses memory, descriptors, ... */
#define NEMESIS_INVALID (-5)     /* an argument is wrong: too long a payload, an unknown process */
#define NEMESIS_BROKEN (-6)      /* the module broke a rule of this file */
#define NEMESIS_UNAVAILABLE (-7) /* init: this host has no device or no library for the network */

/* Flags of a module. */
#define NEMESIS_ENCRYPTS 1 /* encrypts what it sends; a job that asks for encryption may use it */

/* Values of finalize's argument `what`.
   NEMESIS_FLUSH: send everything that is queued, return cells, and end the connections in order.
   Return NEMESIS_PENDING to be called again, or NEMESIS_DONE.
   NEMESIS_CLOSE: free everything at once. `host` is NULL. It is the last call, with or without a
   flush before it.
   NEMESIS_PAUSE: MPI_Finalize. Send everything that is queued, and tell the processes with which
   this one is connected that it may end from now on, without a further call; its end is then no
   loss. Return NEMESIS_PENDING to be called again, or NEMESIS_DONE. A process that begins to use
   MPI again (a session) sends further packets; they revoke what the others were told. */
#define NEMESIS_FLUSH 0
#define NEMESIS_CLOSE 1
#define NEMESIS_PAUSE 2

/* A cell, lent to the module until the module delivers it or gives it back. */
typedef struct nemesis_cell {
    uint64_t id;
    void *frame; /* NEMESIS_HEADER_BYTES + payload_capacity bytes, aligned to 8 */
    size_t payload_capacity;
} nemesis_cell;

/* The destination of a bulk payload. */
typedef struct nemesis_place {
    void *address;
    uint64_t registration; /* id of the module's registration that covers it, if it is registered */
    int registered;
} nemesis_place;

/* The functions of the host, that is of the process that uses the module. The first argument of
   each is the table's `self`. */
typedef struct nemesis_host {
    void *self;
    /* Copies the card of a process into buffer. Returns its length, or NEMESIS_UNREACHABLE if the
       process has no card of this module. */
    int (*card)(void *self, uint32_t process, void *buffer, size_t capacity);
    /* Lends a cell for `payload` bytes of payload. Returns 1, or 0 if no cell is free now. */
    int (*alloc)(void *self, size_t payload, nemesis_cell *cell);
    /* Delivers the packet in the cell, which came from process `from`. */
    int (*deliver)(void *self, uint32_t from, const nemesis_cell *cell);
    /* Gives back a cell that was not used. */
    int (*give_back)(void *self, const nemesis_cell *cell);
    /* Asks for the destination of the bulk payload of the packet in the cell. Returns 1: write the
       `bulk_bytes` bytes to place->address, then deliver the cell; 0: read and discard them, then
       deliver the cell. */
    int (*place)(void *self, uint32_t from, const nemesis_cell *cell, size_t bulk_bytes,
                 nemesis_place *place);
    /* Reports that a pending send is complete. `code` is NEMESIS_OK or the error. The module must
       not call it from within the send itself. */
    int (*completed)(void *self, uint64_t token, int code);
    /* Reports that a process cannot be reached any more. `why` is a sentence for the user. */
    int (*lost)(void *self, uint32_t process, int code, const char *why);
    /* Describes, for the user, the error that the module is about to return. */
    void (*explain)(void *self, const char *why);
} nemesis_host;

/* Arguments of init. */
typedef struct nemesis_setup {
    uint32_t me;
    uint32_t processes;
    /* The job's secret. Each end of a connection proves that it knows the secret before the other
       end reads anything else. */
    uint8_t job_key[32];
    /* The memory of all cells, for the primary module to register; NULL for other modules. */
    void *cells;
    size_t cells_bytes;
} nemesis_setup;

/* Results of init. */
typedef struct nemesis_start {
    void *module; /* the first argument of all other functions */
    /* Longest payload, at most 65535, and at least 4096 if the module is to carry all packets. */
    size_t payload_max;
    uint64_t bulk_max; /* longest bulk payload; 0: none, large messages are cut into packets */
    /* Costs on an idle network, by which Nemesis compares protocols; 0: unknown. */
    uint32_t latency_ns;  /* from a send to the arrival of a short packet */
    uint32_t overhead_ns; /* of the sender's processor, for a packet */
    uint64_t bytes_per_second;
    size_t card_bytes;
    uint8_t card[NEMESIS_CARD_MAX];
} nemesis_start;

/* A packet to send. All pointers are valid during the call. The bulk payload does not change until
   the send has completed. */
typedef struct nemesis_packet {
    const void *header;
    const void *payload;
    size_t payload_bytes;
    const void *bulk;
    size_t bulk_bytes;     /* 0: no bulk payload */
    uint64_t registration; /* id of the registration that covers the bulk payload, if registered */
    uint8_t registered;
    uint8_t ordered; /* 0: other packets may overtake this one, and it may overtake them */
} nemesis_packet;

/* A descriptor that wakes a sleeping process. */
typedef struct nemesis_interest {
    int descriptor;
    uint8_t readable;
    uint8_t writable;
} nemesis_interest;

/* Remote memory access, for networks that reach memory without the target's processor. A module has
 * all of these functions, or no table; fetch_add and compare_swap may both be NULL.
 *
 * register_memory makes memory reachable until it is deregistered, and writes a key for other
 * processes, at most key_capacity bytes long. The other functions begin an operation and return
 * NEMESIS_OK, or refuse it. The memory of an operation belongs to the module until the module calls
 * host->completed() with the token, from a later poll_send, poll_recv or finalize.
 *
 *   - A put completes when its bytes may change.
 *   - A get or an atomic completes when the result is in the initiator's memory (of an atomic: the
 *     former value of an aligned 64-bit word).
 *   - The atomics change a word of 64 bits. They exclude each other and the atomic instructions of
 *     the target's processors. Atomics of one process at another are carried out in their order. A
 *     module that cannot promise this leaves both out.
 *   - A flush completes when all operations that were begun before it towards its process are done
 *     there. Nothing else is ordered.
 *
 * An operation on bytes that are not registered at the target touches nothing and fails. If it is a
 * put that has completed already, the next flush fails instead. Operations on a process that is
 * lost or has finalized fail. A deregister that is refused changes nothing and may be repeated.
 *
 * Nemesis registers windows and the memory of MPI_Alloc_mem with each module that has a table, and
 * puts, gets and flushes by the module that leads to the target. If both ends have the atomics,
 * accumulate functions on aligned integers of 8 bytes in windows of MPI_Win_allocate, or of memory
 * of MPI_Alloc_mem, use them. */
typedef struct nemesis_netmod_rma {
    int (*register_memory)(void *module, void *address, size_t bytes, uint64_t *id, void *key,
                           size_t key_capacity, size_t *key_bytes);
    int (*deregister)(void *module, uint64_t id);
    int (*put)(void *module, const nemesis_host *host, const void *from, size_t bytes,
               uint32_t process, uint64_t address, const void *key, size_t key_bytes,
               uint64_t token);
    int (*get)(void *module, const nemesis_host *host, void *to, size_t bytes, uint32_t process,
               uint64_t address, const void *key, size_t key_bytes, uint64_t token);
    int (*fetch_add)(void *module, const nemesis_host *host, uint64_t value, uint64_t *old,
                     uint32_t process, uint64_t address, const void *key, size_t key_bytes,
                     uint64_t token);
    int (*compare_swap)(void *module, const nemesis_host *host, uint64_t expected, uint64_t value,
                        uint64_t *old, uint32_t process, uint64_t address, const void *key,
                        size_t key_bytes, uint64_t token);
    int (*flush)(void *module, const nemesis_host *host, uint32_t process, uint64_t token);
} nemesis_netmod_rma;

/* Collective operations that the network carries out. Nemesis does not call this table. */
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
    uint64_t flags; /* NEMESIS_ENCRYPTS, or 0 */

    /* The five functions. */
    int (*init)(const nemesis_setup *setup, const nemesis_host *host, nemesis_start *start);
    int (*finalize)(void *module, const nemesis_host *host, int what);
    int (*send)(void *module, const nemesis_host *host, uint32_t to, const nemesis_packet *packet,
                uint64_t token);
    int (*poll_send)(void *module, const nemesis_host *host);
    int (*poll_recv)(void *module, const nemesis_host *host);

    /* Called before the process sleeps; may be NULL. Writes at most `capacity` descriptors, their
       number, and in *milliseconds the longest sleep (negative: no limit). Returns 1 if the process
       may sleep on these descriptors, 0 if it must keep polling. */
    int (*rest)(void *module, nemesis_interest *interests, size_t capacity, size_t *count,
                int64_t *milliseconds);

    /* Compares the card of another process with the module's own, without communication; may be
       NULL. Returns 1 if they can connect, 0 if not: then it writes why, a C string of at most
       `capacity` bytes. Both processes must come to one answer. */
    int (*connects)(void *module, uint32_t process, const void *card, size_t card_bytes, char *why,
                    size_t capacity);

    /* Tables of optional functions; each may be NULL. */
    const nemesis_netmod_rma *rma;
    const nemesis_netmod_collectives *collectives;
} nemesis_netmod;

/* The only symbol of a module. The table is valid as long as the library is loaded. */
const nemesis_netmod *nemesis_netmod_table(void);

#ifdef __cplusplus
}
#endif

#endif
