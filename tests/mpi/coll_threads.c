/* Under MPI_THREAD_MULTIPLE, threads run collectives concurrently, each on its own communicator
 * (MPI 5.0 §6.14): blocking, nonblocking and persistent ones, with user-defined operations, while
 * other threads create communicators or wait for a message that is sent only at the end.
 *
 * sizes: 1 2 3 4
 * seconds: 120
 */

#include "coll.h"
#include <pthread.h>

enum { ROUNDS = 150, LENGTH = 700 };

typedef struct Place {
    int number;
    MPI_Comm comm;
} Place;

static int rank, size;
static MPI_Op op;

/* The maximum, as a user-defined operation. */
static void greater(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    for (int index = 0; index < *length; index++)
        if (((int *)in)[index] > ((int *)inout)[index]) ((int *)inout)[index] = ((int *)in)[index];
}

static void one_round(const Place *place, int round, int *own, int *result, int *all) {
    MPI_Comm comm = place->comm;
    int root = (round + place->number) % size, length = round % 5 == 4 ? LENGTH : 1 + round % 7,
        salt = place->number * 10000 + round;
    for (int index = 0; index < length; index++)
        own[index] = salt + rank * 100 + index % 50, result[index] = -1;
    switch ((round + place->number) % 6) {
        case 0:
            OK(MPI_Allreduce(own, result, length, MPI_INT, MPI_SUM, comm));
            for (int index = 0; index < length; index++)
                EQUAL("sum", result[index],
                      size * (salt + index % 50) + 100 * (size * (size - 1) / 2));
            break;
        case 1:
            OK(MPI_Bcast(own, length, MPI_INT, root, comm));
            for (int index = 0; index < length; index++)
                EQUAL("broadcast", own[index], salt + root * 100 + index % 50);
            break;
        case 2:
            OK(MPI_Allgather(own, length, MPI_INT, all, length, MPI_INT, comm));
            for (int peer = 0; peer < size; peer++)
                for (int index = 0; index < length; index++)
                    EQUAL("gathered", all[peer * length + index], salt + peer * 100 + index % 50);
            break;
        case 3:
            OK(MPI_Reduce(own, result, length, MPI_INT, op, root, comm));
            for (int index = 0; rank == root && index < length; index++)
                EQUAL("greatest", result[index], salt + (size - 1) * 100 + index % 50);
            break;
        case 4:
            for (int index = 0; index < size * length; index++)
                all[index] = salt + rank * 100 + index / length;
            OK(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, length, MPI_INT, comm));
            for (int index = 0; index < size * length; index++)
                EQUAL("exchanged", all[index], salt + index / length * 100 + rank);
            break;
        default:
            OK(MPI_Scan(own, result, length, MPI_INT, op, comm));
            for (int index = 0; index < length; index++)
                EQUAL("scanned", result[index], salt + rank * 100 + index % 50);
    }
}

static void *blocking(void *argument) {
    int *own = malloc(sizeof(int) * LENGTH), *result = malloc(sizeof(int) * LENGTH),
        *all = malloc(sizeof(int) * LENGTH * size);
    for (int round = 0; round < ROUNDS; round++) one_round(argument, round, own, result, all);
    free(own);
    free(result);
    free(all);
    return NULL;
}

/* Several outstanding operations, completed from the last to the first. */
static void *nonblocking(void *argument) {
    enum { AT_ONCE = 6 };
    const Place *place = argument;
    MPI_Request requests[AT_ONCE];
    int own[AT_ONCE], result[AT_ONCE];
    for (int round = 0; round < ROUNDS; round++) {
        for (int which = 0; which < AT_ONCE; which++) {
            own[which] = place->number * 100 + round + rank + which;
            OK(MPI_Iallreduce(&own[which], &result[which], 1, MPI_INT, which % 2 ? op : MPI_MAX,
                              place->comm, &requests[which]));
        }
        for (int which = AT_ONCE - 1; which >= 0; which--) {
            OK(MPI_Wait(&requests[which], MPI_STATUS_IGNORE));
            EQUAL("greatest", result[which], place->number * 100 + round + size - 1 + which);
        }
    }
    return NULL;
}

static void *persistent(void *argument) {
    const Place *place = argument;
    MPI_Request requests[2];
    int word = 0, *all = malloc(sizeof(int) * size), sum;
    OK(MPI_Allgather_init(&word, 1, MPI_INT, all, 1, MPI_INT, place->comm, MPI_INFO_NULL,
                          &requests[0]));
    OK(MPI_Allreduce_init(&word, &sum, 1, MPI_INT, MPI_SUM, place->comm, MPI_INFO_NULL,
                          &requests[1]));
    for (int round = 0; round < ROUNDS; round++) {
        word = rank * 1000 + round;
        OK(MPI_Startall(2, requests));
        OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        for (int peer = 0; peer < size; peer++) EQUAL("gathered", all[peer], peer * 1000 + round);
        EQUAL("sum", sum, size * round + 1000 * (size * (size - 1) / 2));
    }
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Request_free(&requests[1]));
    free(all);
    return NULL;
}

/* Creates communicators of all kinds, uses them and frees them. */
static void *creating(void *argument) {
    const Place *place = argument;
    for (int round = 0; round < ROUNDS / 5; round++) {
        MPI_Comm made, grid;
        int sum, dims[1] = {size}, periods[1] = {1}, low, high, from[2];
        OK(MPI_Comm_split(place->comm, rank % 2, -rank, &made));
        OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_MIN, made));
        EQUAL("smallest rank", sum, rank % 2);
        OK(MPI_Comm_free(&made));
        OK(MPI_Cart_create(place->comm, 1, dims, periods, 0, &grid));
        OK(MPI_Cart_shift(grid, 0, 1, &low, &high));
        OK(MPI_Neighbor_allgather(&rank, 1, MPI_INT, from, 1, MPI_INT, grid));
        EQUAL("neighbour below", from[0], low);
        EQUAL("neighbour above", from[1], high);
        OK(MPI_Comm_free(&grid));
    }
    return NULL;
}

/* Waits for a message that is sent only after all other threads have ended. */
static void *waiting(void *argument) {
    const Place *place = argument;
    int word = 0;
    OK(MPI_Recv(&word, 1, MPI_INT, rank, 99, place->comm, MPI_STATUS_IGNORE));
    EQUAL("the last message", word, 4711);
    return NULL;
}

int main(int argc, char **argv) {
    static void *(*const work[])(void *) = {blocking, nonblocking, persistent, creating, blocking,
                                            waiting};
    enum { WORK = sizeof work / sizeof *work };
    pthread_t threads[WORK];
    Place places[WORK];
    int provided, word = 4711;
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    EQUAL("thread level", provided, MPI_THREAD_MULTIPLE);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &world_rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &world_size));
    rank = world_rank;
    size = world_size;
    OK(MPI_Op_create(greater, 0, &op));
    for (int which = 0; which < WORK; which++) {
        places[which].number = which;
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &places[which].comm));
    }
    for (int which = 0; which < WORK; which++)
        EQUAL("thread", pthread_create(&threads[which], NULL, work[which], &places[which]), 0);
    for (int which = 0; which < WORK - 1; which++)
        EQUAL("join", pthread_join(threads[which], NULL), 0);
    OK(MPI_Send(&word, 1, MPI_INT, rank, 99, places[WORK - 1].comm));
    EQUAL("join", pthread_join(threads[WORK - 1], NULL), 0);
    for (int which = 0; which < WORK; which++) OK(MPI_Comm_free(&places[which].comm));
    OK(MPI_Op_free(&op));
    return end();
}
