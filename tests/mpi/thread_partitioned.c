/* The purpose of partitioned communication (MPI 5.0 §4.1): threads mark their partitions of one
 * message ready when they have filled them, and threads use partitions as they arrive.
 *
 * sizes: 1 2 4
 * seconds: 60
 */

#include "check.h"
#include "thread.h"

enum { THREADS = 4, PARTITIONS = 24, EACH = 3000, ROUNDS = 6 };

static int sent[PARTITIONS][EACH], incoming[PARTITIONS][EACH];
static MPI_Request sending, receiving;
static int from, this_round;

static int number(int source, int partition, int place)
{
    return source * 1000003 + this_round * 10007 + partition * 5003 + place;
}

static void *work(void *argument)
{
    int me = (int)(long)argument;
    unsigned random = me * 77 + this_round;
    for (int partition = me; partition < PARTITIONS; partition += THREADS) {
        if (next_random(&random) % 3 == 0) sched_yield();
        for (int i = 0; i < EACH; i++) sent[partition][i] = number(rank, partition, i);
        OK(MPI_Pready(partition, sending));
    }
    for (int partition = PARTITIONS - 1 - me; partition >= 0; partition -= THREADS) {
        int flag = 0;
        for (; !flag; sched_yield()) OK(MPI_Parrived(receiving, partition, &flag));
        for (int i = 0; i < EACH; i++)
            CHECK(incoming[partition][i] == number(from, partition, i),
                  "round %d, partition %d: number %d is wrong", this_round, partition, i);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    begin_threads(&argc, &argv);
    from = (rank + size - 1) % size;
    OK(MPI_Psend_init(sent, PARTITIONS, EACH, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD,
                      MPI_INFO_NULL, &sending));
    OK(MPI_Precv_init(incoming, PARTITIONS, EACH, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                      &receiving));
    for (this_round = 0; this_round < ROUNDS; this_round++) {
        memset(incoming, -1, sizeof incoming);
        OK(MPI_Start(&receiving));
        OK(MPI_Start(&sending));
        in_threads(THREADS, work);
        OK(MPI_Wait(&sending, MPI_STATUS_IGNORE));
        OK(MPI_Wait(&receiving, MPI_STATUS_IGNORE));
    }
    OK(MPI_Request_free(&sending));
    OK(MPI_Request_free(&receiving));
    return MPI_Finalize();
}
