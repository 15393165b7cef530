/* everyday WORD: what goes wrong every day, for tests and for scripts/compare-failures. It compiles
 * with every MPI library. WORD says what rank 1 does differently, or what all do:
 *
 *   hello       all print their rank and the number of ranks
 *   rounds      all call MPI_Allreduce 100 times
 *   big         rank 0 sends 16 MiB to rank 1
 *   cross       ranks 0 and 1 receive from each other before they send
 *   left        the others receive from rank 1, which calls MPI_Finalize
 *   exception   rank 1 calls MPI_Finalize and ends with code 1, as a Python program does after an
 *               exception; the others are in a barrier
 *   late        rank 1 ends with code 3 after MPI_Finalize
 *   ssend       rank 0 sends synchronously to rank 1, which waits for a message of rank 0 by a
 *               request
 *   iallreduce  rank 0 waits for a nonblocking reduction, which rank 1 does not start
 *   call        rank 0 is in MPI_Bcast, the others are in MPI_Reduce
 *   call2       rank 0 is in MPI_Barrier, the others are in MPI_Allreduce
 *   root        MPI_Bcast with roots 0 and 1
 *   root2       MPI_Reduce with roots 0 and 1
 *   short       MPI_Bcast, whose root has 10 elements and the others 1024
 *   long        MPI_Bcast, whose root has 1024 elements and the others 10
 *   length      MPI_Allreduce of 10 elements on rank 0 and 20 elsewhere
 *   op          MPI_Allreduce with MPI_SUM on rank 0 and MPI_MAX elsewhere
 *   type        MPI_Allreduce of 1 MPI_DOUBLE on rank 0 and 2 MPI_INT elsewhere
 *   reduction   rank 1 leaves out an MPI_Allreduce before the end
 *   barrier     rank 1 leaves out an MPI_Barrier before the end
 *   bcast       rank 1 leaves out an MPI_Bcast before the end
 *   null        rank 1 writes through the null pointer
 *   stack       rank 1 calls itself without end
 *   exit3       rank 1 ends with code 3 between MPI_Init and MPI_Finalize
 *   exit0       rank 1 ends with code 0 without MPI_Finalize
 *   abort       rank 1 calls abort()
 *   abort42     rank 1 calls MPI_Abort with code 42
 *   freed       rank 1 uses a communicator that it has freed
 *   truncate    rank 0 sends 20 elements to rank 1, which receives 10
 *   char        all reduce MPI_CHAR with MPI_MAX
 *   lock        rank 1 locks a window while an epoch of MPI_Win_fence is open
 *   handle, count, null-handle, target, rank, tag, bad-root   rank 1 passes a wrong argument
 */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONG = 1024, SHORT = 10, BYTES = 16 << 20 };

static int rank, size;
static int in[LONG], out[LONG];
static volatile int zero;

static int deep(int level) {
    volatile char space[4096];
    space[level % 4096] = (char)level;
    return level < 0 ? 0 : deep(level + 1) + space[0];
}

static void receive(int count, int source, int tag) {
    MPI_Recv(in, count, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void allreduce(int count, MPI_Op op) {
    MPI_Allreduce(in, out, count, MPI_INT, op, MPI_COMM_WORLD);
}

/* Messages between ranks 0 and 1. Returns whether the word is one of them. */
static int messages(const char *word) {
    MPI_Request request;
    if (!strcmp(word, "big")) {
        char *buffer = calloc(BYTES, 1);
        if (rank == 0) MPI_Send(buffer, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(buffer, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        free(buffer);
    } else if (!strcmp(word, "cross")) {
        if (rank < 2) receive(1, 1 - rank, 7);
        if (rank < 2) MPI_Send(out, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD);
    } else if (!strcmp(word, "left")) {
        if (rank != 1) receive(1, 1, 7);
    } else if (!strcmp(word, "ssend")) {
        if (rank == 0) MPI_Ssend(out, 5, MPI_INT, 1, 7, MPI_COMM_WORLD);
        if (rank == 1) {
            MPI_Irecv(in, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    } else if (!strcmp(word, "truncate")) {
        if (rank == 0) MPI_Send(out, 20, MPI_INT, 1, 7, MPI_COMM_WORLD);
        if (rank == 1) receive(SHORT, 0, 7);
    } else {
        return 0;
    }
    return 1;
}

/* Collective operations that do not match. Returns whether the word is one of them. */
static int collectives(const char *word) {
    int first = rank == 0, odd = rank == 1;
    MPI_Request request;
    if (!strcmp(word, "call")) {
        if (first) MPI_Bcast(out, 1, MPI_INT, 0, MPI_COMM_WORLD);
        else MPI_Reduce(in, out, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    } else if (!strcmp(word, "call2")) {
        if (first) MPI_Barrier(MPI_COMM_WORLD);
        else allreduce(1, MPI_SUM);
    } else if (!strcmp(word, "root")) {
        MPI_Bcast(out, 1, MPI_INT, first ? 0 : 1, MPI_COMM_WORLD);
    } else if (!strcmp(word, "root2")) {
        MPI_Reduce(in, out, 1, MPI_INT, MPI_SUM, first ? 0 : 1, MPI_COMM_WORLD);
    } else if (!strcmp(word, "short")) {
        MPI_Bcast(out, first ? SHORT : LONG, MPI_INT, 0, MPI_COMM_WORLD);
    } else if (!strcmp(word, "long")) {
        MPI_Bcast(out, first ? LONG : SHORT, MPI_INT, 0, MPI_COMM_WORLD);
    } else if (!strcmp(word, "length")) {
        allreduce(first ? 10 : 20, MPI_SUM);
    } else if (!strcmp(word, "op")) {
        allreduce(1, first ? MPI_SUM : MPI_MAX);
    } else if (!strcmp(word, "type")) {
        if (first) MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        else allreduce(2, MPI_SUM);
    } else if (!strcmp(word, "reduction")) {
        if (!odd) allreduce(1, MPI_SUM);
    } else if (!strcmp(word, "barrier")) {
        if (!odd) MPI_Barrier(MPI_COMM_WORLD);
    } else if (!strcmp(word, "bcast")) {
        if (!odd) MPI_Bcast(out, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else if (!strcmp(word, "iallreduce")) {
        if (odd) pause();
        MPI_Iallreduce(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (!strcmp(word, "char")) {
        char mine = (char)('a' + rank), most = 0;
        MPI_Allreduce(&mine, &most, 1, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
        if (most != 'a' + size - 1) MPI_Abort(MPI_COMM_WORLD, 1);
    } else if (!strcmp(word, "rounds")) {
        for (int round = 0; round < 100; round++) allreduce(1, MPI_SUM);
    } else {
        return 0;
    }
    return 1;
}

/* Wrong arguments of rank 1. Returns whether the word is one of them. */
static int arguments(const char *word) {
    MPI_Win window;
    MPI_Comm comm;
    int is_target = !strcmp(word, "target"), *memory;
    if (is_target || !strcmp(word, "lock")) {
        MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
        MPI_Win_fence(0, window);
        if (rank == 1 && is_target) MPI_Put(out, 1, MPI_INT, 0, 5, 1, MPI_INT, window);
        if (rank == 1 && !is_target) {
            MPI_Put(out, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
            MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    } else if (!strcmp(word, "freed")) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm again = comm;
        MPI_Comm_free(&comm);
        if (rank == 1) MPI_Send(out, 1, MPI_INT, 0, 7, again);
    } else if (rank != 1) {
        return 0;
    } else if (!strcmp(word, "handle")) {
        memset(&comm, 0x66, sizeof comm);
        MPI_Send(out, 1, MPI_INT, 0, 7, comm);
    } else if (!strcmp(word, "null-handle")) {
        MPI_Send(out, 1, MPI_INT, 0, 7, MPI_COMM_NULL);
    } else if (!strcmp(word, "count")) {
        MPI_Send(out, -3, MPI_INT, 0, 7, MPI_COMM_WORLD);
    } else if (!strcmp(word, "rank")) {
        MPI_Send(out, 1, MPI_INT, size, 7, MPI_COMM_WORLD);
    } else if (!strcmp(word, "tag")) {
        MPI_Send(out, 1, MPI_INT, 0, -7, MPI_COMM_WORLD);
    } else if (!strcmp(word, "bad-root")) {
        MPI_Bcast(out, 1, MPI_INT, size, MPI_COMM_WORLD);
    } else {
        return 0;
    }
    return 1;
}

/* Ends of rank 1. */
static void ends(const char *word) {
    if (!strcmp(word, "null")) *(volatile int *)(4 * (size_t)zero) = 1;
    if (!strcmp(word, "stack")) zero = deep(0);
    if (!strcmp(word, "exit3")) exit(3);
    if (!strcmp(word, "exit0")) _exit(0);
    if (!strcmp(word, "abort")) abort();
    if (!strcmp(word, "abort42")) MPI_Abort(MPI_COMM_WORLD, 42);
    if (!strcmp(word, "exception")) {
        MPI_Finalize();
        exit(1);
    }
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "hello";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!strcmp(word, "hello")) {
        printf("I am rank %d of %d\n", rank, size);
    } else if (!messages(word) && !collectives(word) && !arguments(word)) {
        if (rank == 1) ends(word);
        if (strcmp(word, "late")) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return rank == 1 && !strcmp(word, "late") ? 3 : 0;
}
