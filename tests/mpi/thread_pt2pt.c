/* Threads on one communicator, distinguished by tags: many requests each, of all lengths, completed
 * by every kind of wait and test; requests that one thread starts and another completes; buffered
 * sends of all threads from one attached buffer; and a thread that is blocked meanwhile.
 *
 * sizes: 1 2 4
 * seconds: 90
 */

#include "check.h"
#include "thread.h"

enum { THREADS = 4, MANY = 12, ROUNDS = 40, LARGE = 40000 };

static MPI_Comm comm;
static int to, from;

static int length_of(unsigned seed)
{
    static const int lengths[] = {0, 8, 40, 41, 700, 4073, 16345, LARGE};
    return lengths[seed % 8];
}

/* Completes all requests with one of the wait and test calls. `statuses[i]` becomes the status of
 * request i. */
static void complete(int way, int number, MPI_Request *requests, MPI_Status *statuses)
{
    int flag = 0, index, count, indices[2 * MANY];
    MPI_Status some[2 * MANY];
    switch (way % 6) {
    case 0: OK(MPI_Waitall(number, requests, statuses)); break;
    case 1:
        for (; !flag; sched_yield()) OK(MPI_Testall(number, requests, &flag, statuses));
        break;
    case 2:
        for (int left = number; left > 0; left--) {
            OK(MPI_Waitany(number, requests, &index, &some[0]));
            CHECK(index >= 0 && index < number, "index %d", index);
            statuses[index] = some[0];
        }
        break;
    case 3:
        for (int left = number; left > 0; left -= flag) {
            OK(MPI_Testany(number, requests, &index, &flag, &some[0]));
            if (flag)
                statuses[index] = some[0];
            else
                sched_yield();
        }
        break;
    case 4:
        for (int left = number; left > 0; left -= count) {
            OK(MPI_Waitsome(number, requests, &count, indices, some));
            for (int i = 0; i < count; i++) statuses[indices[i]] = some[i];
        }
        break;
    case 5:
        for (int i = number - 1; i >= 0; i--) OK(MPI_Wait(&requests[i], &statuses[i]));
        break;
    }
}

static void *exchange(void *argument)
{
    int me = (int)(long)argument;
    unsigned char *sent = malloc((size_t)MANY * LARGE), *incoming = malloc((size_t)MANY * LARGE);
    MPI_Request requests[2 * MANY];
    MPI_Status statuses[2 * MANY];
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < MANY; i++)
            OK(MPI_Irecv(incoming + (size_t)i * LARGE, LARGE, MPI_BYTE,
                         i % 3 ? from : MPI_ANY_SOURCE, me * MANY + i, comm, &requests[i]));
        for (int i = 0; i < MANY; i++) {
            int length = length_of(round + i + me);
            unsigned char *data = sent + (size_t)i * LARGE;
            fill(data, length, rank * 1000 + me * 100 + round + i);
            OK((i % 4 ? MPI_Isend : MPI_Issend)(data, length, MPI_BYTE, to, me * MANY + i, comm,
                                                &requests[MANY + i]));
        }
        complete(round + me, 2 * MANY, requests, statuses);
        for (int i = 0; i < MANY; i++) {
            int length = length_of(round + i + me);
            STATUS(&statuses[i], from, me * MANY + i, length);
            CHECK(first_wrong(incoming + (size_t)i * LARGE, length,
                              from * 1000 + me * 100 + round + i) < 0,
                  "thread %d, round %d: message %d is wrong", me, round, i);
        }
    }
    free(sent), free(incoming);
    return NULL;
}

/* Pairs of threads: even threads start requests, odd ones complete them. */
enum { SLOTS = 64 };
static struct {
    MPI_Request request;
    int sent, incoming;
    atomic_int state; /* 0 free, 1 started */
} slots[THREADS / 2][SLOTS];

static void *hand_over(void *argument)
{
    int me = (int)(long)argument, pair = me / 2;
    for (int i = 0; i < 20 * SLOTS; i++) {
        int wanted = me % 2;
        typeof(slots[0][0]) *slot = &slots[pair][i % SLOTS];
        while (atomic_load(&slot->state) != wanted) sched_yield();
        if (me % 2 == 0) {
            slot->sent = rank * 100000 + i;
            slot->incoming = -1;
            OK(MPI_Irecv(&slot->incoming, 1, MPI_INT, from, 500 + pair, comm, &slot->request));
            OK(MPI_Send(&slot->sent, 1, MPI_INT, to, 500 + pair, comm));
        } else {
            int flag = 0;
            if (i % 2)
                OK(MPI_Wait(&slot->request, MPI_STATUS_IGNORE));
            else
                for (; !flag; sched_yield()) OK(MPI_Test(&slot->request, &flag, MPI_STATUS_IGNORE));
            CHECK(slot->incoming == from * 100000 + i, "received %d instead of %d", slot->incoming,
                  from * 100000 + i);
        }
        atomic_store(&slot->state, !wanted);
    }
    return NULL;
}

static void *buffered(void *argument)
{
    int me = (int)(long)argument, length = 3000;
    unsigned char *data = malloc(length);
    for (int i = 0; i < 60; i++) {
        MPI_Request flush;
        fill(data, length, rank * 100 + me + i);
        OK(MPI_Bsend(data, length, MPI_BYTE, to, 600 + me, comm));
        OK(MPI_Comm_iflush_buffer(comm, &flush));
        OK(MPI_Recv(data, length, MPI_BYTE, from, 600 + me, comm, MPI_STATUS_IGNORE));
        CHECK(first_wrong(data, length, from * 100 + me + i) < 0,
              "thread %d: buffered message %d is wrong", me, i);
        OK(MPI_Wait(&flush, MPI_STATUS_IGNORE));
    }
    free(data);
    return NULL;
}

static void *blocked(void *argument)
{
    (void)argument;
    OK(MPI_Recv(NULL, 0, MPI_INT, rank, 900, comm, MPI_STATUS_IGNORE));
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t sleeper;
    void *address;
    int length;
    begin_threads(&argc, &argv);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    to = (rank + 1) % size, from = (rank + size - 1) % size;
    pthread_create(&sleeper, NULL, blocked, NULL);
    in_threads(THREADS, exchange);
    in_threads(THREADS, hand_over);
    OK(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
    in_threads(THREADS, buffered);
    OK(MPI_Comm_detach_buffer(comm, &address, &length));
    OK(MPI_Send(NULL, 0, MPI_INT, rank, 900, comm));
    pthread_join(sleeper, NULL);
    OK(MPI_Comm_free(&comm));
    return MPI_Finalize();
}
