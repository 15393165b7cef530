/*
 * nemesis.h: the message-passing subsystem without MPI.
 *
 * A process of a job, started by mpiexec, has an endpoint. It sends packets of at most NEMESIS_PACKET_MAX bytes to any process of the
 * job, itself included, and polls one place for what arrives, whoever sent it. Between two processes packets arrive complete, once, and in the order
 * in which they were sent. Packets have a header whose fields mean what the program wants them to mean.
 *
 *     nemesis_init();
 *     nemesis_header header = { .kind = NEMESIS_KIND_FIRST };
 *     while (nemesis_send(to, &header, data, bytes) == NEMESIS_AGAIN)     // no room now: take in what has arrived
 *         nemesis_poll(take, NULL);
 *     nemesis_wait(take, NULL);                                           // take() is called for each packet
 *     nemesis_finalize();
 *
 *     cc -I PREFIX/include program.c -L PREFIX/lib -Wl,-rpath,PREFIX/lib -lnemesis       or: pkg-config --cflags --libs nemesis-subsystem
 *     PREFIX/bin/mpiexec -n 2 ./a.out
 *
 * One thread of the process uses the subsystem: the one that called nemesis_init. A process uses either this interface or MPI, not both.
 * Windows (below) are between processes of one node.
 *
 * Failures: functions return a negative number, and nemesis_why() says in words what failed, why, and what to try. A process that reads nonsense
 * from shared memory, or whose callback unwinds (a C++ exception), is ended: there is nothing left to rely on.
 */
#ifndef NEMESIS_H
#define NEMESIS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of payload in one packet at most. Up to 40 bytes travel in one cache line together with the header. */
#define NEMESIS_PACKET_MAX 16344

/* Kinds below this one belong to the subsystem. */
#define NEMESIS_KIND_FIRST 16

enum {
    NEMESIS_OK = 0,
    /* Not a failure: there is no room for the packet now. Poll, then send again. */
    NEMESIS_AGAIN = 1,
    /* Called before nemesis_init or after nemesis_finalize, by another thread, or from within a callback. */
    NEMESIS_ERR_STATE = -1,
    /* An argument makes no sense; nothing has happened. */
    NEMESIS_ERR_ARGUMENT = -2,
    /* The launcher or this host does not give what is needed to join the job. */
    NEMESIS_ERR_JOIN = -3,
    /* The launcher has died, so the job has no future. */
    NEMESIS_ERR_LAUNCHER = -4,
    /* A process on another host is gone: what is sent to it is lost, nothing comes from it. Told once; the others go on. */
    NEMESIS_ERR_LOST = -5,
    /* There is no shared memory left, memory of another process cannot be reached, or a network does not let go of ours. */
    NEMESIS_ERR_MEMORY = -6
};

/* What travels with a packet besides its bytes. All values are free for the program, except kinds below NEMESIS_KIND_FIRST. */
typedef struct nemesis_header {
    uint64_t context;
    int32_t tag;
    uint32_t rank;
    uint8_t kind;
    uint8_t flags;
} nemesis_header;

/* A packet that has arrived. Payload and header are valid until the callback returns. */
typedef struct nemesis_packet {
    nemesis_header header;
    /* The process that sent it. */
    uint32_t origin;
    uint32_t bytes;
    const void *payload;
} nemesis_packet;

/* Called for each packet that has arrived. Returns nonzero if another one is welcome in this poll, 0 to leave the rest for the next. It must not call the
 * subsystem: it notes what is to be answered, and the program answers after the poll. */
typedef int nemesis_take(const nemesis_packet *packet, void *context);

/* Joins the job that mpiexec started; without a launcher, a job of one process. Once per process.
 * NEMESIS_ERR_STATE: it was called before. NEMESIS_ERR_JOIN: the launcher or the host refuses. */
int nemesis_init(void);

/* Leaves the job. What was sent before arrives, whether or not this process lives on. What has arrived and was not polled is lost.
 * NEMESIS_ERR_STATE. NEMESIS_ERR_LAUNCHER: the launcher did not hear the good-bye. */
int nemesis_finalize(void);

/* This process's number, from 0; NEMESIS_ERR_STATE. */
int nemesis_rank(void);

/* The number of processes; NEMESIS_ERR_STATE. */
int nemesis_size(void);

/* Sends one packet to process `to`. Returns at once; header and payload may be used again. `payload` may be NULL if `bytes` is 0.
 * NEMESIS_AGAIN: no room now, and nothing has been sent. NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT: no such process, no header, a kind of the
 * subsystem's, a payload that is too long. */
int nemesis_send(uint32_t to, const nemesis_header *header, const void *payload, size_t bytes);

/* Calls `take` for packets that have arrived, a bounded number from each process, and returns how many there were. Never waits.
 * NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT: no callback. NEMESIS_ERR_LOST. */
int nemesis_poll(nemesis_take *take, void *context);

/* Polls until at least one packet has been taken: spins while an answer may be near, then yields, then sleeps; a packet that arrives wakes it.
 * Returns how many packets there were. NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT. NEMESIS_ERR_LAUNCHER.
 * NEMESIS_ERR_LOST. */
int nemesis_wait(nemesis_take *take, void *context);

/* After a poll that found nothing: spins, yields or sleeps for a moment, the longer the more often it is called between two packets. For loops
 * that have other things to look at besides packets; a packet that arrives wakes it. NEMESIS_OK. NEMESIS_ERR_STATE. NEMESIS_ERR_LAUNCHER. */
int nemesis_pause(void);

/*
 * Memory of others. Two ways lead there:
 *
 * A window is memory that a process allocates and another one of its host maps. Its description is sent in a packet; whoever has attached it puts and gets
 * by the addresses that the window has in its owner's process, and the copy is done when the call returns.
 *
 *     nemesis_window_allocate(bytes, &base, &description);    send the description, and addresses in the window
 *     int window = nemesis_window_attach(&description);       the other process
 *     nemesis_put(window, target, data, bytes);
 *
 * Any memory can be registered, and reached from all hosts. Its key is sent in a packet; put and get return at once, and a counter of the program's, which is
 * above zero from then on, drops to zero when the copy is done. Who waits for it polls; the process whose memory it is polls now and then, for to other
 * hosts, and where the kernel does not let processes reach each other, packets do the work. Then the target looks whether the bytes are registered under the
 * key; if they are not, or the process is lost, the counter drops to -1.
 *
 *     nemesis_register(base, bytes, &key);                    send the key
 *     nemesis_put_start(&key, target, data, bytes, &counter); the other process
 *     while (counter > 0) nemesis_poll(take, NULL);
 *
 * Nothing but the bytes of windows and registered memory can be reached. A refused call has done nothing.
 */

/* What another process must know of a window, and of registered memory: plain data. */
typedef struct nemesis_description {
    uint64_t words[4];
} nemesis_description;

typedef struct nemesis_key {
    uint64_t words[14];
} nemesis_key;

/* Some bytes at an address: in the target's process, or here. */
typedef struct nemesis_piece {
    uint64_t address;
    size_t bytes;
} nemesis_piece;

/* Allocates a window of `bytes` bytes, all zero. NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT. NEMESIS_ERR_MEMORY. */
int nemesis_window_allocate(size_t bytes, void **base, nemesis_description *description);

/* Gives a window's memory back; nobody accesses it any more. NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT: no window begins at `base`. */
int nemesis_window_free(void *base);

/* Maps another process's window, or one's own, and returns its number here, from 0.
 * NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT. NEMESIS_ERR_MEMORY: the description makes no sense, or the kernel does not map it. */
int nemesis_window_attach(const nemesis_description *description);

/* Forgets an attached window. NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT. */
int nemesis_window_detach(int window);

/* Copies bytes of ours to the address `target` of the window's owner, or from there to us; done when it returns.
 * NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT: no such window, or the bytes are not in it. */
int nemesis_put(int window, uint64_t target, const void *local, size_t bytes);
int nemesis_get(int window, uint64_t target, void *local, size_t bytes);

/* The same with bytes in several pieces on either side, taken one after the other; both sides have the same number of bytes in all. */
int nemesis_put_pieces(int window, const nemesis_piece *target, size_t targets, const nemesis_piece *local, size_t locals);
int nemesis_get_pieces(int window, const nemesis_piece *target, size_t targets, const nemesis_piece *local, size_t locals);

/* Lets others put into and get from memory of ours, until it is deregistered with the same key. NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT.
 * NEMESIS_ERR_MEMORY. */
int nemesis_register(void *base, size_t bytes, nemesis_key *key);

/* Ends that: the memory is the program's alone. NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT: it is not registered under this key. NEMESIS_ERR_MEMORY: the
 * network does not let go of it; it is registered as before, others may write it still, and the call may be made again. */
int nemesis_deregister(const nemesis_key *key);

/* Begins to copy bytes of ours to the address `target` in registered memory, or from there to us. `*counter` is above zero until it is done; until then
 * the local bytes and the counter stay where they are. Then it is 0, or -1 if the target, which was asked, has refused, or is lost.
 * NEMESIS_ERR_STATE. NEMESIS_ERR_ARGUMENT: the bytes do not lie in the key's, or are known not to be registered any more. NEMESIS_ERR_MEMORY. */
int nemesis_put_start(const nemesis_key *key, uint64_t target, const void *local, size_t bytes, int *counter);
int nemesis_get_start(const nemesis_key *key, uint64_t target, void *local, size_t bytes, int *counter);

/* What the last failure in this thread was, why, and what to try; an empty text if there was none. Valid until the next failure. */
const char *nemesis_why(void);

#ifdef __cplusplus
}
#endif

#endif
