/*
 * nemesis.h: the message-passing subsystem without MPI.
 *
 * A process of a job that mpiexec has started has an endpoint. It sends packets of at most
 * NEMESIS_PACKET_MAX bytes to any process of the job, itself included. One poll returns the packets
 * of all senders. Between two processes, packets arrive whole, exactly once, and in the order in
 * which they were sent. The program defines the meaning of a packet's header.
 *
 *     nemesis_init();
 *     nemesis_header header = { .kind = NEMESIS_KIND_FIRST };
 *     while (nemesis_send(to, &header, data, bytes) == NEMESIS_AGAIN) // it cannot leave now
 *         nemesis_poll(take, NULL);
 *     nemesis_wait(take, NULL);                                       // take() gets each packet
 *     nemesis_finalize();
 *
 *     cc -I PREFIX/include program.c -L PREFIX/lib -Wl,-rpath,PREFIX/lib -lnemesis
 *     PREFIX/bin/mpiexec -n 2 ./a.out
 *
 * or with the flags of pkg-config --cflags --libs nemesis-subsystem. Only the thread that called
 * nemesis_init may use the subsystem. A process uses either this interface or MPI, not both.
 * Windows (below) connect processes of one node.
 *
 * Failures: a function returns a negative number, and nemesis_why() says in words what failed, why,
 * and what to try. If a process reads invalid data from shared memory, or if a callback unwinds (a
 * C++ exception), the process is ended, because its state may be wrong.
 */
#ifndef NEMESIS_H
#define NEMESIS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Most bytes of payload in a packet. Up to 40 bytes travel in one cache line with the header. */
#define NEMESIS_PACKET_MAX 16344

/* The first kind of packets for programs. The subsystem uses the kinds below. */
#define NEMESIS_KIND_FIRST 16

enum {
    NEMESIS_OK = 0,
    /* Not a failure: the packet cannot leave now. Poll, then send again. */
    NEMESIS_AGAIN = 1,
    /* The call came before nemesis_init or after nemesis_finalize, from another thread, or from
       within a callback. */
    NEMESIS_ERR_STATE = -1,
    /* An argument is invalid. The call has had no effect. */
    NEMESIS_ERR_ARGUMENT = -2,
    /* The launcher or this host refuses what a process needs to join the job. */
    NEMESIS_ERR_JOIN = -3,
    /* The launcher has ended, so the job cannot go on. */
    NEMESIS_ERR_LAUNCHER = -4,
    /* A process on another host has become unreachable: packets to it are dropped, and none come
       from it. Reported once; the other processes go on. */
    NEMESIS_ERR_LOST = -5,
    /* Shared memory is exhausted, memory of another process cannot be reached, or memory cannot
       be deregistered now. */
    NEMESIS_ERR_MEMORY = -6
};

/* The header of a packet. The program may use all values, except kinds below NEMESIS_KIND_FIRST. */
typedef struct nemesis_header {
    uint64_t context;
    int32_t tag;
    uint32_t rank;
    uint8_t kind;
    uint8_t flags;
} nemesis_header;

/* A packet that has arrived. Header and payload are valid until the callback returns. */
typedef struct nemesis_packet {
    nemesis_header header;
    /* Rank of the process that sent it. */
    uint32_t origin;
    uint32_t bytes;
    const void *payload;
} nemesis_packet;

/* Callback for each packet that has arrived. Returns nonzero if this poll may deliver another
 * packet, 0 to leave further packets for the next poll. It must not call the subsystem; the program
 * sends its answers after the poll. */
typedef int nemesis_take(const nemesis_packet *packet, void *context);

/* Joins the job that mpiexec has started; without a launcher, a job of one process. Once per
 * process.
 * NEMESIS_ERR_STATE: the process has called it before. NEMESIS_ERR_JOIN: the launcher or the host
 * refuses. */
int nemesis_init(void);

/* Leaves the job. Packets sent before arrive, whether or not this process lives on. Packets that
 * have arrived and were not polled are lost.
 * NEMESIS_ERR_STATE. NEMESIS_ERR_LAUNCHER: the launcher could not be informed. */
int nemesis_finalize(void);

/* Returns this process's rank, from 0. NEMESIS_ERR_STATE. */
int nemesis_rank(void);

/* Returns the number of processes. NEMESIS_ERR_STATE. */
int nemesis_size(void);

/* Sends one packet to process `to`. Returns at once; the program may reuse header and payload.
 * `payload` may be NULL if `bytes` is 0.
 * NEMESIS_AGAIN: the packet cannot leave now and has not been sent. NEMESIS_ERR_STATE.
 * NEMESIS_ERR_ARGUMENT: no such process, no header, a kind of the subsystem, too long a payload.
 * A network may carry less than NEMESIS_PACKET_MAX to other hosts, but at least 4096 bytes. */
int nemesis_send(uint32_t to, const nemesis_header *header, const void *payload, size_t bytes);

/* Calls `take` for packets that have arrived, at most a bounded number from each process. Returns
 * the number of packets. Never waits.
 * NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT: no callback. NEMESIS_ERR_LOST. */
int nemesis_poll(nemesis_take *take, void *context);

/* Polls until `take` has been called for at least one packet: first spins, then yields, then sleeps
 * until a packet arrives. Returns the number of packets.
 * NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT. NEMESIS_ERR_LAUNCHER. NEMESIS_ERR_LOST. */
int nemesis_wait(nemesis_take *take, void *context);

/* To be called after a poll that found nothing, by loops that check other things besides packets.
 * Spins, yields or sleeps for a moment, the longer the more often it is called between two packets.
 * A packet that arrives ends the sleep. NEMESIS_OK. NEMESIS_ERR_STATE. NEMESIS_ERR_LAUNCHER. */
int nemesis_pause(void);

/*
 * Remote memory. There are two ways to access memory of another process.
 *
 * A window is memory that a process allocates and another process of the node maps. The owner sends
 * the window's description in a packet. A process that has attached the window puts and gets by the
 * addresses that the window has in its owner's process. The copy is complete when the call returns.
 *
 *     nemesis_window_allocate(bytes, &base, &description);    send the description, and addresses
 *     int window = nemesis_window_attach(&description);       the other process
 *     nemesis_put(window, target, data, bytes);
 *
 * Any memory can be registered, and then be reached from all hosts. The owner sends the key in a
 * packet. Put and get return at once. A counter of the program is above zero from then on, and is
 * set to zero when the copy is complete. A process that waits for it polls. The target must poll
 * now and then, too: to other hosts, and where the kernel does not let processes reach each other,
 * packets carry out the operation. The target then checks whether the bytes are registered under
 * the key. If they are not, or if the process is lost, the counter is set to -1.
 *
 *     nemesis_register(base, bytes, &key);                    send the key
 *     nemesis_put_start(&key, target, data, bytes, &counter); the other process
 *     while (counter > 0) nemesis_poll(take, NULL);
 *
 * Only the bytes of windows and of registered memory can be reached. A call reaches bytes of one
 * window or of one registration: those of two registrations need two calls, also if they are
 * adjacent. A refused call has no effect.
 */

/* The description of a window. Plain data that may be sent to other processes. */
typedef struct nemesis_description {
    uint64_t words[4];
} nemesis_description;

/* The key of registered memory. Plain data that may be sent to other processes. */
typedef struct nemesis_key {
    uint64_t words[22];
} nemesis_key;

/* Bytes at an address, in the target's process or in this one. */
typedef struct nemesis_piece {
    uint64_t address;
    size_t bytes;
} nemesis_piece;

/* Allocates a window of `bytes` bytes, all zero.
 * NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT. NEMESIS_ERR_MEMORY. */
int nemesis_window_allocate(size_t bytes, void **base, nemesis_description *description);

/* Frees a window. No process may access it any more.
 * NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT: no window begins at `base`. */
int nemesis_window_free(void *base);

/* Maps a window of another process, or of this one. Returns its number in this process, from 0.
 * NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT. NEMESIS_ERR_MEMORY: the description is invalid, or the
 * kernel refuses to map the window. */
int nemesis_window_attach(const nemesis_description *description);

/* Detaches an attached window. NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT. */
int nemesis_window_detach(int window);

/* Copies local bytes to the address `target` of the window's owner, or from there to local memory.
 * The copy is complete when the call returns.
 * NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT: no such window, or it does not contain the bytes. */
int nemesis_put(int window, uint64_t target, const void *local, size_t bytes);
int nemesis_get(int window, uint64_t target, void *local, size_t bytes);

/* Put and get with several pieces on either side, which are used in their order. Both sides have
 * the same number of bytes in total. */
int nemesis_put_pieces(int window, const nemesis_piece *target, size_t targets,
                       const nemesis_piece *local, size_t locals);
int nemesis_get_pieces(int window, const nemesis_piece *target, size_t targets,
                       const nemesis_piece *local, size_t locals);

/* Registers memory: other processes may put into it and get from it, until it is deregistered with
 * the key that this call returns. NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT. NEMESIS_ERR_MEMORY. */
int nemesis_register(void *base, size_t bytes, nemesis_key *key);

/* Deregisters memory: no other process accesses it any more.
 * NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT: no memory is registered under this key.
 * NEMESIS_ERR_MEMORY: an access of another process is under way, or the network refuses; the memory
 * stays registered, other processes may still write it, and the call may be repeated after a
 * poll. */
int nemesis_deregister(const nemesis_key *key);

/* Begins to copy local bytes to the address `target` in registered memory, or from there to local
 * memory. `*counter` is above zero until the copy is complete; until then the local bytes and the
 * counter must stay valid. Then it is 0, or -1 if the target has refused, or is lost.
 * NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT: the key's memory does not contain the bytes, or it is
 * known that they are not registered any more. NEMESIS_ERR_MEMORY. */
int nemesis_put_start(const nemesis_key *key, uint64_t target, const void *local, size_t bytes,
                      int *counter);
int nemesis_get_start(const nemesis_key *key, uint64_t target, void *local, size_t bytes,
                      int *counter);

/* Returns what failed last in this thread, why, and what to try; an empty text if nothing has
 * failed. Valid until the next failure. */
const char *nemesis_why(void);

#ifdef __cplusplus
}
#endif

#endif
