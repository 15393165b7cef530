/* Many outstanding nonblocking and persistent collectives: more than a collective segment has
 * slots, with lengths on both sides of every limit, and completed in a different order at each
 * rank. Operations are started before any other rank starts them, run on communicators that are
 * freed meanwhile, and are waited for by sleeping processes.
 *
 * sizes: 1 2 3 4 7
 * seconds: 60
 */

#include "coll.h"
#include <time.h>
#include <unistd.h>

enum { SEGMENTS = 280, MANY = 60, ROUNDS = 18, OPERATIONS = 9, WARM = 6, LONGEST = 150000 };
static const int lengths[] = {8, 48, 56, 4096, 16384, 16392, 65536, 65544, 150000};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static int rank, size;
static unsigned int state;

/* Fills `order` with a permutation that differs from rank to rank. */
static void shuffle(int *order, int count) {
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        state = state * 1664525u + 1013904223u;
        int other = (int)(state >> 16) % (i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

typedef struct Operation {
    int kind, length, root, number;
    long *in, *out;
} Operation;

static void make(Operation *operation, int number) {
    int length = lengths[number % LENGTHS];
    *operation = (Operation){.kind = number % 4, .length = length / 8, .root = number % size,
                             .number = number};
    operation->in = malloc((size_t)length);
    operation->out = malloc((size_t)length);
}

static void fill(Operation *operation, int round) {
    for (int i = 0; i < operation->length; i++) {
        operation->in[i] = (rank + 1L) * (i % 1000) + operation->number + round;
        operation->out[i] = operation->kind == 1 &&
            rank == operation->root ? i * 3L + operation->number + round : -1;
    }
    if (operation->kind == 3)
        memcpy(operation->out, operation->in, (size_t)operation->length * sizeof(long));
}

static void check(const Operation *operation, int round) {
    for (int i = 0; i < operation->length; i++) {
        long sum = size * (size + 1L) / 2 * (i % 1000) + (long)size * (operation->number + round);
        if (operation->kind == 0 || operation->kind == 3) EQUAL("sum", operation->out[i], sum);
        if (operation->kind == 1)
            EQUAL("broadcast", operation->out[i], i * 3L + operation->number + round);
        if (operation->kind == 2) EQUAL("untouched", operation->out[i], -1);
    }
}

static void start(const Operation *operation, MPI_Comm comm, MPI_Request *request) {
    switch (operation->kind) {
    case 0:
        OK(MPI_Iallreduce(operation->in, operation->out, operation->length, MPI_LONG, MPI_SUM, comm,
                          request));
        break;
    case 1:
        OK(MPI_Ibcast(operation->out, operation->length, MPI_LONG, operation->root, comm, request));
        break;
    case 2: OK(MPI_Ibarrier(comm, request)); break;
    default:
        OK(MPI_Iallreduce(MPI_IN_PLACE, operation->out, operation->length, MPI_LONG, MPI_SUM, comm,
                          request));
    }
}

static void init(const Operation *operation, MPI_Comm comm, MPI_Request *request) {
    switch (operation->kind) {
    case 0:
        OK(MPI_Allreduce_init(operation->in, operation->out, operation->length, MPI_LONG, MPI_SUM,
                              comm, MPI_INFO_NULL, request));
        break;
    case 1:
        OK(MPI_Bcast_init(operation->out, operation->length, MPI_LONG, operation->root, comm,
                          MPI_INFO_NULL, request));
        break;
    case 2: OK(MPI_Barrier_init(comm, MPI_INFO_NULL, request)); break;
    default:
        OK(MPI_Allreduce_init(MPI_IN_PLACE, operation->out, operation->length, MPI_LONG, MPI_SUM,
                              comm, MPI_INFO_NULL, request));
    }
}

static Operation operations[MANY];
static MPI_Request requests[MANY];

static void test_many(MPI_Comm comm) {
    int order[MANY];
    for (int round = 0; round < ROUNDS / 3; round++) {
        for (int i = 0; i < MANY; i++) fill(&operations[i], round);
        for (int i = 0; i < MANY; i++) {
            start(&operations[i], comm, &requests[i]);
            if (i % 7 == round % 7) {
                int one = 1, sum;
                OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
                EQUAL("blocking reduction among them", sum, size);
            }
        }
        shuffle(order, MANY);
        for (int i = 0; i < MANY; i++) {
            OK(MPI_Wait(&requests[order[i]], MPI_STATUS_IGNORE));
            check(&operations[order[i]], round);
        }
    }
}

/* Starting an operation needs no other rank: rank 0 starts all operations before rank 1 starts one,
 * and so on. */
static void test_alone(MPI_Comm comm) {
    for (int i = 0; i < MANY; i++) fill(&operations[i], 0);
    int token = 0;
    if (rank > 0) OK(MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, comm, MPI_STATUS_IGNORE));
    for (int i = 0; i < MANY; i++) start(&operations[i], comm, &requests[i]);
    if (rank + 1 < size) OK(MPI_Send(&token, 1, MPI_INT, rank + 1, 0, comm));
    OK(MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MANY; i++) check(&operations[i], 0);
}

/* Each rank starts the operations in an order of its own, and waits for them in another. */
static void test_persistent(MPI_Comm comm) {
    int order[OPERATIONS];
    for (int i = 0; i < OPERATIONS; i++) init(&operations[i], comm, &requests[i]);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < OPERATIONS; i++) fill(&operations[i], round);
        shuffle(order, OPERATIONS);
        for (int i = 0; i < OPERATIONS; i++) OK(MPI_Start(&requests[order[i]]));
        shuffle(order, OPERATIONS);
        for (int i = 0; i < OPERATIONS; i++) {
            OK(MPI_Wait(&requests[order[i]], MPI_STATUS_IGNORE));
            check(&operations[order[i]], round);
        }
    }
    shuffle(order, OPERATIONS);
    for (int i = 0; i < OPERATIONS; i++) OK(MPI_Request_free(&requests[order[i]]));
}

/* More persistent operations than a process has collective segments for. */
static void test_segments(MPI_Comm comm) {
    static long in[SEGMENTS], out[SEGMENTS];
    static MPI_Request all[SEGMENTS];
    int order[SEGMENTS];
    for (int i = 0; i < SEGMENTS; i++)
        OK(MPI_Allreduce_init(&in[i], &out[i], 1, MPI_LONG, MPI_SUM, comm, MPI_INFO_NULL, &all[i]));
    for (int round = 0; round < 3; round++) {
        shuffle(order, SEGMENTS);
        for (int i = 0; i < SEGMENTS; i++) in[i] = rank + i + round;
        for (int i = 0; i < SEGMENTS; i++) OK(MPI_Start(&all[order[i]]));
        OK(MPI_Waitall(SEGMENTS, all, MPI_STATUSES_IGNORE));
        for (int i = 0; i < SEGMENTS; i++)
            EQUAL("sum", out[i], size * (size - 1L) / 2 + (long)size * (i + round));
    }
    for (int i = 0; i < SEGMENTS; i++) OK(MPI_Request_free(&all[i]));
}

static MPI_Comm warm(MPI_Comm comm) {
    MPI_Comm other;
    OK(MPI_Comm_dup(comm, &other));
    for (int call = 0; call < WARM; call++) OK(MPI_Barrier(other));
    return other;
}

/* Operations complete after their communicator has been freed. */
static void test_freed(MPI_Comm comm) {
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm other = warm(comm);
        Operation *own = &operations[round % OPERATIONS];
        fill(own, round);
        start(own, other, &requests[0]);
        OK(MPI_Comm_free(&other));
        OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        check(own, round);
    }
}

/* The other ranks sleep when the last one enters. Without a wake-up the sleeps would take much
 * longer than the limit. */
static void test_sleep(MPI_Comm comm) {
    struct timespec begin, end;
    OK(MPI_Barrier(comm));
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int round = 0; round < ROUNDS; round++) {
        Operation *own = &operations[round % 4];
        fill(own, round);
        if (rank == round % size) usleep(3000);
        start(own, comm, &requests[0]);
        OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        check(own, round);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    EQUAL("sleeps without a wake-up", end.tv_sec - begin.tv_sec > ROUNDS / 6, 0);
}

static void test(MPI_Comm comm) {
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    state = (unsigned)rank + 1;
    MPI_Comm other = warm(comm);
    for (int i = 0; i < MANY; i++) make(&operations[i], i);
    test_many(other);
    test_alone(other);
    test_persistent(other);
    test_persistent(other);
    test_freed(comm);
    test_sleep(other);
    for (int i = 0; i < MANY; i++) free(operations[i].in), free(operations[i].out);
    OK(MPI_Comm_free(&other));
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    on_communicators(test);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    test_segments(MPI_COMM_WORLD);
    return end();
}
