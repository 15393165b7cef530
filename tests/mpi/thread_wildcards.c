/* Threads that all receive from any source on one communicator: each message is received by exactly
 * one of them, and completely, whether they receive directly or match the message with a probe
 * first. Each process also sends from several threads.
 *
 * sizes: 1 2 4
 * seconds: 90
 */

#include "check.h"
#include "thread.h"

enum { SENDERS = 2, RECEIVERS = 3, MESSAGES = 150, LARGE = 30000, DATA = 1, STOP = 2 };

static MPI_Comm comm;
/* How often each message has been received: by source, sending thread and number. */
static atomic_int seen[16][SENDERS][MESSAGES];
static int way;

/* A message begins with its source, thread and number. The other bytes depend on them. */
typedef struct {
    int source, thread, number;
} Name;

static int length_of(int number)
{
    static const int lengths[] = {12, 40, 300, 5000, 12, LARGE};
    return lengths[number % 6];
}

static void *sender(void *argument)
{
    int me = (int)(long)argument;
    unsigned char *data = malloc(LARGE);
    for (int number = 0; number < MESSAGES; number++) {
        int length = length_of(number), to = (rank + number) % size;
        Name name = {rank, me, number};
        fill(data, length, number + me);
        memcpy(data, &name, sizeof name);
        if (number % 5 == 0)
            OK(MPI_Ssend(data, length, MPI_BYTE, to, DATA, comm));
        else
            OK(MPI_Send(data, length, MPI_BYTE, to, DATA, comm));
    }
    free(data);
    return NULL;
}

/* Receives one message with the calls of variant `way`; `status` gets its status. */
static void receive(unsigned char *data, MPI_Status *status)
{
    MPI_Request request;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status probed;
    int flag = 0, count;
    switch (way) {
    case 0: OK(MPI_Recv(data, LARGE, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status)); return;
    case 1:
        OK(MPI_Irecv(data, LARGE, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request));
        for (;; sched_yield()) {
            OK(MPI_Test(&request, &flag, status));
            if (flag) return;
        }
    case 2: OK(MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message, &probed)); break;
    case 3:
        for (;; sched_yield()) {
            OK(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &message, &probed));
            if (flag) break;
        }
        break;
    }
    OK(MPI_Get_count(&probed, MPI_BYTE, &count));
    if (way == 2)
        OK(MPI_Mrecv(data, count, MPI_BYTE, &message, status));
    else {
        OK(MPI_Imrecv(data, count, MPI_BYTE, &message, &request));
        OK(MPI_Wait(&request, status));
    }
    CHECK(message == MPI_MESSAGE_NULL, "the message is left");
    STATUS(status, probed.MPI_SOURCE, probed.MPI_TAG, count);
}

static void *receiver(void *argument)
{
    unsigned char *data = malloc(LARGE);
    (void)argument;
    for (;;) {
        MPI_Status status;
        Name name;
        receive(data, &status);
        if (status.MPI_TAG == STOP) break;
        memcpy(&name, data, sizeof name);
        CHECK(name.source == status.MPI_SOURCE && name.number < MESSAGES && name.thread < SENDERS,
              "message (%d, %d, %d) arrived from rank %d", name.source, name.thread, name.number,
              status.MPI_SOURCE);
        int length = length_of(name.number);
        STATUS(&status, name.source, DATA, length);
        for (int i = sizeof name; i < length; i++)
            CHECK(data[i] == byte_of(name.number + name.thread, i),
                  "message (%d, %d, %d): byte %d is wrong", name.source, name.thread, name.number,
                  i);
        CHECK(atomic_fetch_add(&seen[name.source][name.thread][name.number], 1) == 0,
              "message (%d, %d, %d) was received twice", name.source, name.thread, name.number);
    }
    free(data);
    return NULL;
}

static void *either(void *argument)
{
    long me = (long)argument;
    return me < SENDERS ? sender(argument) : receiver(argument);
}

/* Sends and receives all messages. */
static void run(void)
{
    pthread_t threads[SENDERS + RECEIVERS];
    for (long i = 0; i < SENDERS + RECEIVERS; i++)
        pthread_create(&threads[i], NULL, either, (void *)i);
    for (int i = 0; i < SENDERS; i++) pthread_join(threads[i], NULL);
    /* All messages have been sent. The last messages of this rank arrive before its stop message,
     * because messages keep their order. */
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < RECEIVERS; i++) OK(MPI_Send(NULL, 0, MPI_BYTE, rank, STOP, comm));
    for (int i = SENDERS; i < SENDERS + RECEIVERS; i++) pthread_join(threads[i], NULL);
}

/* Returns the number of messages that are sent to this process. */
static int expected(void)
{
    int count = 0;
    for (int source = 0; source < size; source++)
        for (int number = 0; number < MESSAGES; number++)
            count += (source + number) % size == rank ? SENDERS : 0;
    return count;
}

static int received_messages(void)
{
    int count = 0;
    for (int source = 0; source < size; source++)
        for (int thread = 0; thread < SENDERS; thread++)
            for (int number = 0; number < MESSAGES; number++)
                count += atomic_load(&seen[source][thread][number]);
    return count;
}

int main(int argc, char **argv)
{
    begin_threads(&argc, &argv);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (way = 0; way < 4; way++) {
        memset(seen, 0, sizeof seen);
        run();
        unsigned char *data = malloc(LARGE);
        /* Messages that the receivers left when they stopped: messages of other ranks may arrive
         * after the stop message and after the barrier. */
        for (int left = expected() - received_messages(); left > 0; left--) {
            MPI_Status status;
            Name name;
            OK(MPI_Recv(data, LARGE, MPI_BYTE, MPI_ANY_SOURCE, DATA, comm, &status));
            memcpy(&name, data, sizeof name);
            CHECK(name.source == status.MPI_SOURCE, "a message of %d arrived from %d", name.source,
                  status.MPI_SOURCE);
            CHECK(atomic_fetch_add(&seen[name.source][name.thread][name.number], 1) == 0,
                  "message (%d, %d, %d) was received twice", name.source, name.thread, name.number);
        }
        free(data);
        for (int source = 0; source < size; source++)
            for (int thread = 0; thread < SENDERS; thread++)
                for (int number = 0; number < MESSAGES; number++)
                    if ((source + number) % size == rank)
                        CHECK(atomic_load(&seen[source][thread][number]) == 1,
                              "variant %d: message (%d, %d, %d) was not received", way, source,
                              thread, number);
        int more;
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &more, MPI_STATUS_IGNORE));
        CHECK(!more, "variant %d: there is one message too many", way);
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    OK(MPI_Comm_free(&comm));
    return MPI_Finalize();
}
