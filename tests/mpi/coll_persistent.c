/* Persistent collectives that are started many times, each time with new data in the buffers, and
 * several of them in a different order at each rank.
 *
 * sizes: 1 2 3 4 5 7 8
 * seconds: 60
 */

#include "coll.h"

enum { ROUNDS = 100, LENGTH = 500 };

static int rank, size;

static void outermost(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    /* (a, b) combined with (c, d) is (a, d): the result is the first element of the lowest rank and
     * the second of the highest. */
    for (int index = 0; index < *length; index += 2) ((int *)inout)[index] = ((int *)in)[index];
}

static void test_restarted(MPI_Comm comm) {
    int in[LENGTH], out[LENGTH], scanned[LENGTH], place[LENGTH], ends[LENGTH];
    int *all = malloc(sizeof(int) * LENGTH * size), *every = malloc(sizeof(int) * LENGTH * size);
    MPI_Request requests[7];
    MPI_Op op;
    OK(MPI_Op_create(outermost, 0, &op));
    OK(MPI_Bcast_init(in, LENGTH, MPI_INT, size - 1, comm, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Allgather_init(out, LENGTH, MPI_INT, all, LENGTH, MPI_INT, comm, MPI_INFO_NULL,
                          &requests[1]));
    OK(MPI_Scan_init(out, scanned, LENGTH, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[2]));
    OK(MPI_Allreduce_init(MPI_IN_PLACE, place, LENGTH, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                          &requests[3]));
    OK(MPI_Alltoall_init(all, LENGTH, MPI_INT, every, LENGTH, MPI_INT, comm, MPI_INFO_NULL,
                         &requests[4]));
    OK(MPI_Barrier_init(comm, MPI_INFO_NULL, &requests[5]));
    /* The length is even, so that the elements form pairs. */
    OK(MPI_Allreduce_init(out, ends, LENGTH, MPI_INT, op, comm, MPI_INFO_NULL, &requests[6]));
    OK(MPI_Op_free(&op));
    for (int round = 0; round < ROUNDS; round++) {
        for (int index = 0; index < LENGTH; index++) {
            in[index] = rank == size - 1 ? round + index : -1;
            out[index] = rank * 10 + round * index;
            place[index] = rank + round;
        }
        if (round % 2) {
            /* Each rank starts the operations in an order of its own. */
            OK(MPI_Start(&requests[(rank + round) % 4]));
            for (int which = 0; which < 4; which++)
                if (which != (rank + round) % 4) OK(MPI_Start(&requests[which]));
            OK(MPI_Start(&requests[5]));
            OK(MPI_Start(&requests[6]));
            OK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
            OK(MPI_Start(&requests[4]));
        } else {
            OK(MPI_Startall(4, requests));
            OK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
            OK(MPI_Startall(3, requests + 4));
        }
        OK(MPI_Waitall(7, requests, MPI_STATUSES_IGNORE));
        for (int index = 0; index < LENGTH; index++) {
            EQUAL("broadcast", in[index], round + index);
            for (int peer = 0; peer < size; peer++)
                EQUAL("gathered", all[peer * LENGTH + index], peer * 10 + round * index);
            for (int peer = 0; peer < size; peer++)
                EQUAL("exchanged", every[peer * LENGTH + index], rank * 10 + round * index);
            EQUAL("scanned", scanned[index],
                  10 * (rank * (rank + 1) / 2) + (rank + 1) * round * index);
            EQUAL("summed in place", place[index], size * (size - 1) / 2 + size * round);
            EQUAL("end", ends[index], (index % 2 ? (size - 1) * 10 : 0) + round * index);
        }
    }
    for (int which = 0; which < 7; which++) OK(MPI_Request_free(&requests[which]));
    free(all);
    free(every);
}

/* Long vectors, which run other algorithms. */
static void test_long(MPI_Comm comm) {
    enum { LONG = 60000, TIMES = 5 };
    int *in = malloc(sizeof(int) * LONG), *out = malloc(sizeof(int) * LONG),
        *sum = malloc(sizeof(int) * LONG), *share = malloc(sizeof(int) * LONG);
    MPI_Request requests[3];
    OK(MPI_Bcast_init(in, LONG, MPI_INT, 0, comm, MPI_INFO_NULL, &requests[0]));
    OK(MPI_Allreduce_init(out, sum, LONG, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[1]));
    OK(MPI_Reduce_scatter_block_init(out, share, LONG / size, MPI_INT, MPI_MAX, comm, MPI_INFO_NULL,
                                     &requests[2]));
    for (int round = 0; round < TIMES; round++) {
        for (int index = 0; index < LONG; index++) {
            in[index] = rank == 0 ? round * index : -1;
            out[index] = rank + round + index;
        }
        OK(MPI_Startall(3, requests));
        OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
        for (int index = 0; index < LONG; index++) {
            EQUAL("broadcast", in[index], round * index);
            EQUAL("sum", sum[index], size * (size - 1) / 2 + size * (round + index));
        }
        for (int index = 0; index < LONG / size; index++)
            EQUAL("share", share[index], size - 1 + round + rank * (LONG / size) + index);
    }
    for (int which = 0; which < 3; which++) OK(MPI_Request_free(&requests[which]));
    free(in);
    free(out);
    free(sum);
    free(share);
}

static void test(MPI_Comm comm) {
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    test_restarted(comm);
    test_long(comm);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    form = PERSISTENT;
    on_communicators(test);
    return end();
}
