/*
 * rwapi.h: the Remote-Write API.
 *
 * A program runs on several nodes: the processes that mpiexec starts. A node writes into memory of another, and tells of it by a small message.
 *
 *     rwapi_init(argc, argv);
 *     double *mine = rwapi_alloc(bytes, &net);            memory that others write into
 *     rwapi_send(neighbour, where_it_is);                 sixteen bytes: the network address, say
 *     while (!rwapi_receive(&from, &message)) continue;   the neighbour's
 *     rwapi_write(neighbour, net, its_net, bytes);        from our memory into its
 *     rwapi_send(neighbour, done);                        it receives this when the bytes are there
 *     rwapi_finalize();
 *
 *     cc -I PREFIX/include program.c -L PREFIX/lib -Wl,-rpath,PREFIX/lib -lrwapi
 *     PREFIX/bin/mpiexec -n 2 ./a.out
 *
 * rwapi_write, rwapi_send, rwapi_issent and rwapi_receive never wait. Writes and small messages to one node arrive in the order of their calls. A write of
 * up to 64 KiB to another host leaves with the next call: in one packet with a small message to the same node, before anything that another call does. So
 * who writes and then neither tells nor receives for long calls rwapi_issent. Any thread may call. A process uses either this interface, nemesis.h or MPI.
 * The nodes run on one host or on several.
 *
 * Failures are negative numbers (a null pointer from rwapi_alloc), nothing has happened then, and rwapi_why() says in words what is wrong.
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
    /* Called before rwapi_init or after rwapi_finalize. */
    RWAPI_ERR_STATE = -1,
    /* An argument makes no sense. */
    RWAPI_ERR_ARGUMENT = -2,
    /* The launcher or this host does not give what is needed to join the job. */
    RWAPI_ERR_JOIN = -3,
    /* The launcher has died. */
    RWAPI_ERR_LAUNCHER = -4,
    /* There is no memory left that others can write into. */
    RWAPI_ERR_MEMORY = -5,
    /* A node on another host cannot be reached any more. */
    RWAPI_ERR_LOST = -6
};

/* A node's number, from 0. */
typedef int node;

/* A network address: to be sent around, and to be counted on: net + 8 is eight bytes further in the same block. */
typedef uint64_t net;

/* A small message. */
typedef struct small {
    uint64_t words[2];
} small;

/* The number of a write, above zero. */
typedef int64_t sid;

/* Joins the job and waits for the other nodes. The first call of all, once per process. */
int rwapi_init(int argc, char **argv);

/* Flushes all FIFOs: what was sent and written arrives. Waits until every node is here; messages that were not received are lost. */
int rwapi_finalize(void);

/* This node, and how many there are. These two, and rwapi_why, are the only calls with which no write leaves. */
int rwapi_rank(void);
int rwapi_size(void);

/* A block of `size` bytes, all zero, that others may write into: its address in this process. Its network address is stored at `address`. */
void *rwapi_alloc(size_t size, net *address);

/* Frees a block by its address in this process, when rwapi_issent has told of each write out of it that it is sent. */
int rwapi_free(void *block);

/* Sends a small message. */
int rwapi_send(node to, small message);

/* 1 if there is a small message: the oldest one that has not been received is stored at `message`, and its sender at `from`. 0 if there is none. */
int rwapi_receive(node *from, small *message);

/* Writes `size` bytes from `local`, in a block of this node, to `remote`, in a block of node `to`. The number of the write. What does not lie in a block of
 * a node on another host is refused there: rwapi_issent tells. */
sid rwapi_write(node to, net local, net remote, size_t size);

/* Whether the local memory of a write may be reused: 1 or 0; RWAPI_ERR_ARGUMENT as soon as it is known that the other node has refused it, RWAPI_ERR_LOST if
 * that node was lost before all bytes had left. */
int rwapi_issent(sid write);

/* What the last failure in this thread was; valid until the next one. */
const char *rwapi_why(void);

#ifdef __cplusplus
}
#endif

#endif
