/*
 * rwapi.h: the Remote-Write API.
 *
 * A program runs on several nodes: the processes that mpiexec starts. A node writes into memory of
 * another node, and announces the write by a small message.
 *
 *     rwapi_init(argc, argv);
 *     double *mine = rwapi_alloc(bytes, &net);            memory that other nodes write into
 *     rwapi_send(other, where_it_is);                     16 bytes, for example the network address
 *     while (!rwapi_receive(&from, &message)) continue;   the other node's
 *     rwapi_write(other, net, its_net, bytes);            from memory of this node into the other's
 *     rwapi_send(other, done);                            received when the bytes have arrived
 *     rwapi_finalize();
 *
 *     cc -I PREFIX/include program.c -L PREFIX/lib -Wl,-rpath,PREFIX/lib -lrwapi
 *     PREFIX/bin/mpiexec -n 2 ./a.out
 *
 * rwapi_write, rwapi_send, rwapi_issent and rwapi_receive never wait. Writes and small messages to
 * one node arrive in the order of their calls. A write of at most 64 KiB to another host leaves
 * with the next call: in one packet with a small message to the same node, or before the other
 * call's own work. A program that writes and then neither sends nor receives for a long time calls
 * rwapi_issent. Any thread may call. A process uses this interface, nemesis.h or MPI. The nodes run
 * on one host or on several.
 *
 * A failed call returns a negative number (rwapi_alloc: a null pointer) and has no effect.
 * rwapi_why() then says in words what failed.
 */
#ifndef RWAPI_H
#define RWAPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RWAPI_OK = 0,
    /* The call came before rwapi_init or after rwapi_finalize. */
    RWAPI_ERR_STATE = -1,
    /* An argument is invalid. */
    RWAPI_ERR_ARGUMENT = -2,
    /* The launcher or this host refuses what a process needs to join the job. */
    RWAPI_ERR_JOIN = -3,
    /* The launcher has ended. */
    RWAPI_ERR_LAUNCHER = -4,
    /* No memory is left into which other nodes can write. */
    RWAPI_ERR_MEMORY = -5,
    /* A node on another host has become unreachable. */
    RWAPI_ERR_LOST = -6
};

/* A node's number, from 0. */
typedef int node;

/* A network address. It may be sent to other nodes; net + 8 is 8 bytes further in the same block.
 * */
typedef uint64_t net;

/* A small message. */
typedef struct small {
    uint64_t words[2];
} small;

/* The number of a write, above zero. */
typedef int64_t sid;

/* Joins the job and waits for the other nodes. The first call of a process, made once. */
int rwapi_init(int argc, char **argv);

/* Waits until everything sent and written has arrived and all nodes have called it. Messages that
 * were not received are lost. */
int rwapi_finalize(void);

/* Return the number of this node, and the number of nodes. With these two and rwapi_why, no write
 * leaves. */
int rwapi_rank(void);
int rwapi_size(void);

/* Allocates a block of `size` bytes, all zero, into which other nodes may write. Returns its
 * address in this process, and stores its network address at `address`. */
void *rwapi_alloc(size_t size, net *address);

/* Frees a block by its address in this process. rwapi_issent must have returned 1 for each write
 * from the block. */
int rwapi_free(void *block);

/* Sends a small message. */
int rwapi_send(node to, small message);

/* Receives the oldest small message. Stores the message at `message` and its sender at `from`, and
 * returns 1. Returns 0 if there is none. */
int rwapi_receive(node *from, small *message);

/* Writes `size` bytes from `local`, in a block of this node, to `remote`, in a block of node `to`.
 * Returns the number of the write. A node on another host refuses a write that does not lie in one
 * of its blocks; rwapi_issent tells. */
sid rwapi_write(node to, net local, net remote, size_t size);

/* Returns 1 if the local memory of a write may be reused, otherwise 0. Returns RWAPI_ERR_ARGUMENT
 * once it is known that the other node has refused the write, and RWAPI_ERR_LOST if that node was
 * lost before all bytes had left. */
int rwapi_issent(sid write);

/* Returns what failed last in this thread. Valid until the next failure. */
const char *rwapi_why(void);

#ifdef __cplusplus
}
#endif

#endif
