/* Many outstanding nonblocking collectives of all kinds, completed in any order and mixed with
 * messages. User-defined operations run in whatever call waits. Datatypes, operations and
 * communicators are freed while an operation runs.
 *
 * sizes: 1 2 3 4 5 7 8
 * seconds: 90
 */

#include "coll.h"

enum { MANY = 60, LENGTH = 300, RANKS = 16 };

static int rank, size;

static void concatenate(void *in, void *inout, int *length, MPI_Datatype *type) {
    int bytes;
    OK(MPI_Type_size(*type, &bytes));
    EQUAL("size of the type", bytes, sizeof(int));
    /* Concatenates the digits of the left and of the right operand in base three. This is
     * associative and not commutative. */
    for (int index = 0; index < *length; index++) {
        int left = ((int *)in)[index], right = ((int *)inout)[index];
        int power = 1;
        while (power <= right) power *= 3;
        ((int *)inout)[index] = left * power + right;
    }
}

/* Digits are 1 or 2, never 0, so that a number determines how many digits it has. */
static int digit(int peer, int index) { return 1 + (peer + index) % 2; }

static int digits(int first, int last, int index) {
    int number = 0;
    for (int peer = first; peer <= last; peer++) number = number * 3 + digit(peer, index);
    return number;
}

static void shuffle(int *order, int length) {
    for (int index = 0; index < length; index++) order[index] = index;
    srand((unsigned)(world_rank * 77 + 5));
    for (int index = length - 1; index > 0; index--) {
        int other = rand() % (index + 1), keep = order[index];
        order[index] = order[other];
        order[other] = keep;
    }
}

typedef struct Work { int out[LENGTH * RANKS], in[LENGTH * RANKS]; } Work;

static void begin_one(MPI_Comm comm, int number, Work *work, MPI_Op op, MPI_Request *request) {
    int root = number % size;
    for (int index = 0; index < LENGTH * RANKS; index++) {
        work->out[index] = number + rank * 1000 + index;
        work->in[index] = -1;
    }
    switch (number % 6) {
        case 0:
            if (rank == root) memcpy(work->in, work->out, sizeof(int) * LENGTH);
            OK(MPI_Ibcast(work->in, LENGTH, MPI_INT, root, comm, request));
            break;
        case 1:
            OK(MPI_Iallreduce(work->out, work->in, LENGTH, MPI_INT, MPI_SUM, comm, request));
            break;
        case 2:
            for (int index = 0; index < LENGTH; index++) work->out[index] = digit(rank, index);
            OK(MPI_Iallreduce(work->out, work->in, LENGTH, MPI_INT, op, comm, request));
            break;
        case 3:
            OK(MPI_Ialltoall(work->out, LENGTH, MPI_INT, work->in, LENGTH, MPI_INT, comm, request));
            break;
        case 4:
            OK(MPI_Ibarrier(comm, request));
            break;
        default:
            for (int index = 0; index < LENGTH; index++) work->out[index] = digit(rank, index);
            OK(MPI_Iscan(work->out, work->in, LENGTH, MPI_INT, op, comm, request));
            break;
    }
}

static void check_one(int number, const Work *work) {
    for (int index = 0; index < LENGTH; index++) {
        switch (number % 6) {
            case 0:
                EQUAL("broadcast", work->in[index], number + number % size * 1000 + index);
                break;
            case 1:
                EQUAL("sum", work->in[index],
                      size * (number + index) + 1000 * (size * (size - 1) / 2));
                break;
            case 2: EQUAL("digits", work->in[index], digits(0, size - 1, index)); break;
            case 5: EQUAL("scanned digits", work->in[index], digits(0, rank, index)); break;
            case 3:
                for (int peer = 0; peer < size; peer++)
                    EQUAL("exchanged", work->in[peer * LENGTH + index],
                          number + peer * 1000 + rank * LENGTH + index);
                break;
        }
    }
}

static void test_many(MPI_Comm comm) {
    MPI_Op op;
    MPI_Request requests[2 * MANY], *messages = requests + MANY;
    int order[MANY], ring[MANY][2];
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    OK(MPI_Op_create(concatenate, 0, &op));
    Work *work = malloc(sizeof(Work) * MANY);
    for (int round = 0; round < 4; round++) {
        for (int number = 0; number < MANY; number++) {
            begin_one(comm, number, &work[number], op, &requests[number]);
            ring[number][0] = rank * 100 + number;
            if (number % 2)
                OK(MPI_Isend(&ring[number][0], 1, MPI_INT, (rank + 1) % size, number - 1, comm,
                             &messages[number]));
            else
                OK(MPI_Irecv(&ring[number][1], 1, MPI_INT, (rank + size - 1) % size, number, comm,
                             &messages[number]));
        }
        if (round == 0) {
            OK(MPI_Waitall(2 * MANY, requests, MPI_STATUSES_IGNORE));
        } else if (round == 1) {
            shuffle(order, MANY);
            for (int index = 0; index < MANY; index++) {
                OK(MPI_Wait(&requests[order[index]], MPI_STATUS_IGNORE));
                OK(MPI_Wait(&messages[order[index]], MPI_STATUS_IGNORE));
            }
        } else if (round == 2) {
            for (int left = 2 * MANY, index; left > 0; left--) {
                OK(MPI_Waitany(2 * MANY, requests, &index, MPI_STATUS_IGNORE));
                EQUAL("index", index >= 0 && index < 2 * MANY, 1);
            }
        } else {
            /* Tests of the last request alone must make all operations progress. */
            for (int flag = 0; !flag;) OK(MPI_Test(&requests[MANY - 1], &flag, MPI_STATUS_IGNORE));
            for (int flag = 0; !flag;)
                OK(MPI_Testall(2 * MANY, requests, &flag, MPI_STATUSES_IGNORE));
        }
        for (int number = 0; number < MANY; number++) {
            EQUAL("request", requests[number] == MPI_REQUEST_NULL &&
                  messages[number] == MPI_REQUEST_NULL, 1);
            check_one(number, &work[number]);
            if (number % 2 == 0)
                EQUAL("message around the ring", ring[number][1],
                      (rank + size - 1) % size * 100 + number + 1);
        }
    }
    OK(MPI_Op_free(&op));
    free(work);
}

/* A long broadcast and a long reduction progress while rendezvous messages are exchanged. */
static void test_long(MPI_Comm comm) {
    enum { LONG = 200000 };
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    int *data = malloc(sizeof(int) * LONG), *out = malloc(sizeof(int) * LONG),
        *in = malloc(sizeof(int) * LONG), *message = malloc(2 * sizeof(int) * LONG);
    MPI_Request requests[5];
    for (int index = 0; index < LONG; index++) {
        data[index] = rank == 0 ? index : -1;
        out[index] = rank + index;
        message[index] = rank * 3 + index;
    }
    OK(MPI_Ibcast(data, LONG, MPI_INT, 0, comm, &requests[0]));
    OK(MPI_Irecv(message + LONG, LONG, MPI_INT, (rank + 1) % size, 1, comm, &requests[1]));
    OK(MPI_Iallreduce(out, in, LONG, MPI_INT, MPI_SUM, comm, &requests[2]));
    OK(MPI_Isend(message, LONG, MPI_INT, (rank + size - 1) % size, 1, comm, &requests[3]));
    OK(MPI_Ibarrier(comm, &requests[4]));
    OK(MPI_Waitall(5, requests, MPI_STATUSES_IGNORE));
    for (int index = 0; index < LONG; index++) {
        EQUAL("broadcast", data[index], index);
        EQUAL("sum", in[index], size * (size - 1) / 2 + size * index);
        EQUAL("message", message[LONG + index], (rank + 1) % size * 3 + index);
    }
    free(data);
    free(out);
    free(in);
    free(message);
}

/* Blocking collectives while nonblocking ones are outstanding. All ranks call them in one order. */
static void test_mixed(MPI_Comm comm) {
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    for (int round = 0; round < 50; round++) {
        int early = rank == 0 ? round : -1, own = rank + 1, sum, total;
        MPI_Request first, second;
        OK(MPI_Ibcast(&early, 1, MPI_INT, 0, comm, &first));
        OK(MPI_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm, &second));
        OK(MPI_Allreduce(&own, &total, 1, MPI_INT, MPI_SUM, comm));
        EQUAL("blocking sum", total, size * (size + 1) / 2);
        OK(MPI_Wait(&second, MPI_STATUS_IGNORE));
        OK(MPI_Wait(&first, MPI_STATUS_IGNORE));
        EQUAL("sum", sum, total);
        EQUAL("broadcast", early, round);
    }
}

/* The user frees objects that an operation still uses. */
static void test_freed(void) {
    MPI_Comm comm;
    MPI_Op op;
    MPI_Datatype type;
    MPI_Request request;
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    int own[LENGTH], in[LENGTH];
    for (int index = 0; index < LENGTH; index++) own[index] = digit(rank, index);
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm));
    OK(MPI_Op_create(concatenate, 0, &op));
    OK(MPI_Type_contiguous(1, MPI_INT, &type));
    OK(MPI_Type_commit(&type));
    OK(MPI_Iallreduce(own, in, LENGTH, type, op, comm, &request));
    OK(MPI_Op_free(&op));
    OK(MPI_Comm_free(&comm));
    OK(MPI_Type_free(&type));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int index = 0; index < LENGTH; index++)
        EQUAL("digits", in[index], digits(0, size - 1, index));
}

/* No rank leaves a barrier before all ranks have entered it. */
static void test_barrier(void) {
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    if (size == 1) return;
    int flag = 0, word = 1;
    MPI_Request request;
    if (rank == 0) {
        /* The barrier of the others cannot be complete: rank 0 enters it only after it has received
         * their messages. */
        for (int peer = 1; peer < size; peer++)
            OK(MPI_Recv(&word, 1, MPI_INT, peer, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    } else {
        OK(MPI_Ibarrier(MPI_COMM_WORLD, &request));
        for (int poll = 0; poll < 100; poll++) OK(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
        EQUAL("complete before rank 0 enters", flag, 0);
        OK(MPI_Send(&word, 1, MPI_INT, 0, 9, MPI_COMM_WORLD));
    }
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* Rank 0 runs ahead: its broadcasts complete before the others call them. */
static void test_ahead(MPI_Comm comm) {
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    for (int round = 0; round < 3000; round++) {
        int word = rank == 0 ? round : -1;
        OK(MPI_Bcast(&word, 1, MPI_INT, 0, comm));
        EQUAL("broadcast", word, round);
        int back = rank * 2 + round, *all = rank == 0 ? malloc(sizeof(int) * size) : NULL;
        OK(MPI_Gather(&back, 1, MPI_INT, all, 1, MPI_INT, 0, comm));
        for (int peer = 0; rank == 0 && peer < size; peer++)
            EQUAL("gathered", all[peer], peer * 2 + round);
        free(all);
        if (round % 16 == 0) {
            int sum;
            OK(MPI_Reduce(&word, &sum, 1, MPI_INT, MPI_SUM, size - 1, comm));
            if (rank == size - 1) EQUAL("sum", sum, size * round);
        }
    }
}

static void test(MPI_Comm comm) {
    test_many(comm);
    test_long(comm);
    test_mixed(comm);
    test_ahead(comm);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    form = NONBLOCKING;
    on_communicators(test);
    for (int round = 0; round < 20; round++) test_freed();
    test_barrier();
    return end();
}
