/* Collectives through shared memory: lengths on both sides of every limit, one process far ahead of
 * the others, many communicators, blocking operations among nonblocking ones, communicators freed
 * while other ranks still read, and several threads.
 *
 * sizes: 1 2 3 4 8
 * seconds: 120
 */

#include "coll.h"
#include <pthread.h>

/* A line of a collective segment carries 48 bytes, a staging buffer 64 KiB, or 16 or 32 KiB if each
 * process has a processor. Longer data are copied with single copies, in chunks of 64 KiB. */
static const int lengths[] = {1, 47, 48, 49, 56, 64, 4096, 16384, 16385, 32769, 65535, 65536, 65537,
                              200001, 262145, 524288, 600001};
enum { LENGTHS = sizeof lengths / sizeof *lengths, LONGEST = 600001, CALLS = 40, COMMS = 24,
      THREADS = 4 };

static int rank_of(MPI_Comm comm) { int rank; OK(MPI_Comm_rank(comm, &rank)); return rank; }
static int size_of(MPI_Comm comm) { int size; OK(MPI_Comm_size(comm, &size)); return size; }

static unsigned char byte_of(int rank, int call, int index) {
    return (unsigned char)(rank * 31 + call * 7 + index * 3 + index / 251);
}

static void fill(unsigned char *at, int length, int rank, int call) {
    for (int i = 0; i < length; i++) at[i] = byte_of(rank, call, i);
}

static void check(int line, const unsigned char *at, int length, int rank, int call) {
    for (int i = 0; i < length; i++)
        if (at[i] != byte_of(rank, call, i)) fail_at(line, "byte", at[i], byte_of(rank, call, i));
}
#define CHECK(at, length, rank, call) check(__LINE__, at, length, rank, call)

/* All lengths in turn, short ones among long ones. */
static void test_data(MPI_Comm comm) {
    int rank = rank_of(comm), size = size_of(comm);
    unsigned char *own = malloc((size_t)LONGEST * size), *all = malloc((size_t)LONGEST * size);
    for (int call = 0; call < 2 * LENGTHS; call++) {
        int length = lengths[call * 5 % LENGTHS], root = call % size;
        fill(own, length, rank, call);
        memset(all, 0, (size_t)length * size);
        OK(MPI_Allgather(own, length, MPI_BYTE, all, length, MPI_BYTE, comm));
        for (int from = 0; from < size; from++)
            CHECK(all + (size_t)from * length, length, from, call);
        memset(all, 0, (size_t)length * size);
        OK(MPI_Gather(own, length, MPI_BYTE, all, length, MPI_BYTE, root, comm));
        for (int from = 0; rank == root && from < size; from++)
            CHECK(all + (size_t)from * length, length, from, call);
        for (int to = 0; to < size; to++) fill(all + (size_t)to * length, length, to + rank, call);
        OK(MPI_Scatter(all, length, MPI_BYTE, own, length, MPI_BYTE, root, comm));
        CHECK(own, length, rank + root, call);
        unsigned char *received = malloc((size_t)length * size);
        OK(MPI_Alltoall(all, length, MPI_BYTE, received, length, MPI_BYTE, comm));
        for (int from = 0; from < size; from++)
            CHECK(received + (size_t)from * length, length, rank + from, call);
        free(received);
        if (rank == root) fill(own, length, root, call);
        OK(MPI_Bcast(own, length, MPI_BYTE, root, comm));
        CHECK(own, length, root, call);
    }
    free(own);
    free(all);
}

/* Sums of integers, which are exact in any order. */
static void test_sums(MPI_Comm comm) {
    int rank = rank_of(comm), size = size_of(comm), ranks = size * (size - 1) / 2;
    int *own = malloc(LONGEST * sizeof *own), *sum = malloc(LONGEST * sizeof *sum),
        *counts = malloc((size_t)size * sizeof *counts);
    for (int call = 0; call < LENGTHS; call++) {
        int count = lengths[call] / 3 + 1, root = (call * 3) % size;
        for (int i = 0; i < count; i++) own[i] = rank + i % 1000 + call;
        memset(sum, 0xff, (size_t)count * sizeof *sum);
        OK(MPI_Allreduce(own, sum, count, MPI_INT, MPI_SUM, comm));
        for (int i = 0; i < count; i++) EQUAL("sum", sum[i], ranks + size * (i % 1000 + call));
        memcpy(sum, own, (size_t)count * sizeof *sum);
        OK(MPI_Allreduce(MPI_IN_PLACE, sum, count, MPI_INT, MPI_SUM, comm));
        for (int i = 0; i < count; i++)
            EQUAL("sum in place", sum[i], ranks + size * (i % 1000 + call));
        memcpy(sum, own, (size_t)count * sizeof *sum);
        OK(rank == root ? MPI_Reduce(MPI_IN_PLACE, sum, count, MPI_INT, MPI_SUM, root, comm)
                        : MPI_Reduce(own, NULL, count, MPI_INT, MPI_SUM, root, comm));
        for (int i = 0; rank == root && i < count; i++)
            EQUAL("sum at the root", sum[i], ranks + size * (i % 1000 + call));
        memcpy(sum, own, (size_t)count * sizeof *sum);
        OK(MPI_Scan(MPI_IN_PLACE, sum, count, MPI_INT, MPI_SUM, comm));
        for (int i = 0; i < count; i++)
            EQUAL("prefix", sum[i], rank * (rank + 1) / 2 + (rank + 1) * (i % 1000 + call));
        OK(MPI_Exscan(own, sum, count, MPI_INT, MPI_SUM, comm));
        for (int i = 0; rank > 0 && i < count; i++)
            EQUAL("prefix before", sum[i], rank * (rank - 1) / 2 + rank * (i % 1000 + call));
        int first = 0;
        for (int to = 0; to < size; to++)
            counts[to] = count / size + (to < count % size), first += to < rank ? counts[to] : 0;
        memcpy(sum, own, (size_t)count * sizeof *sum);
        OK(MPI_Reduce_scatter(MPI_IN_PLACE, sum, counts, MPI_INT, MPI_SUM, comm));
        for (int i = 0; i < counts[rank]; i++)
            EQUAL("share", sum[i], ranks + size * ((first + i) % 1000 + call));
    }
    free(own);
    free(sum);
    free(counts);
}

/* The root runs as far ahead as it can. Lines, staging buffers and single copies alternate. */
static void test_ahead(MPI_Comm comm) {
    int rank = rank_of(comm), size = size_of(comm);
    unsigned char *data = malloc(LONGEST);
    for (int call = 0; call < 20 * CALLS; call++) {
        int length = call % 97 == 0 ? LONGEST : lengths[call % 7], root = call / 64 % size;
        if (rank == root) fill(data, length, root, call);
        OK(MPI_Bcast(data, length, MPI_BYTE, root, comm));
        CHECK(data, length, root, call);
        int one = call, all = 0;
        if (call % 13 == 0) OK(MPI_Reduce(&one, &all, 1, MPI_INT, MPI_MAX, root, comm));
        if (call % 13 == 0 && rank == root) EQUAL("maximum", all, call);
    }
    free(data);
}

/* Data that go through the rings of the members. Roots alternate without waiting for anyone, with
 * reductions among the broadcasts. Every other element belongs to a broadcast. */
static void test_rings(MPI_Comm comm) {
    static const int longs[] = {262145, 300001, 1048576, 1048577, 1300001, 2700001};
    enum { LONGS = sizeof longs / sizeof *longs, MOST = 2700001, GATHERED = 1048577 };
    int rank = rank_of(comm), size = size_of(comm);
    unsigned char *data = malloc(2 * (size_t)MOST), *all = malloc((size_t)GATHERED * size);
    for (int call = 0; call < 2 * LONGS; call++) {
        int length = longs[call * 5 % LONGS], root = call % size, one = call, sum = 0;
        MPI_Datatype every_second;
        OK(MPI_Type_vector(length, 1, 2, MPI_BYTE, &every_second));
        OK(MPI_Type_commit(&every_second));
        memset(data, 0xaa, 2 * (size_t)length);
        for (int i = 0; rank == root && i < length; i++)
            data[2 * (size_t)i] = byte_of(root, call, i);
        OK(MPI_Bcast(data, 1, every_second, root, comm));
        for (int i = 0; i < length; i++) {
            EQUAL("byte", data[2 * (size_t)i], byte_of(root, call, i));
            EQUAL("byte between", data[2 * (size_t)i + 1], 0xaa);
        }
        OK(MPI_Type_free(&every_second));
        if (length <= GATHERED) {
            fill(data, length, rank, call);
            OK(MPI_Gather(data, length, MPI_BYTE, all, length, MPI_BYTE, root, comm));
            for (int from = 0; rank == root && from < size; from++)
                CHECK(all + (size_t)from * length, length, from, call);
        }
        fill(data, length, root, call + 1);
        OK(MPI_Bcast(data, length, MPI_BYTE, (root + 1) % size, comm));
        CHECK(data, length, root, call + 1);
        if (call % 3 == 0) OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
        if (call % 3 == 0) EQUAL("sum", sum, size * call);
    }
    free(data);
    free(all);
}

/* Blocking operations start and complete while nonblocking ones are outstanding, on one
 * communicator and on another. */
static void test_mixed(MPI_Comm comm) {
    int rank = rank_of(comm), size = size_of(comm), sums[CALLS], ones[CALLS], here;
    MPI_Request requests[CALLS];
    MPI_Comm other;
    OK(MPI_Comm_dup(comm, &other));
    for (int call = 0; call < CALLS; call++) {
        ones[call] = rank + call;
        OK(MPI_Iallreduce(&ones[call], &sums[call], 1, MPI_INT, MPI_SUM, comm, &requests[call]));
        OK(MPI_Allreduce(&ones[call], &here, 1, MPI_INT, MPI_SUM, call % 2 ? comm : other));
        EQUAL("sum meanwhile", here, size * (size - 1) / 2 + size * call);
        if (call % 3 == 0) OK(MPI_Barrier(comm));
    }
    OK(MPI_Waitall(CALLS, requests, MPI_STATUSES_IGNORE));
    for (int call = 0; call < CALLS; call++)
        EQUAL("sum", sums[call], size * (size - 1) / 2 + size * call);
    OK(MPI_Comm_free(&other));
}

/* Many communicators, used in turn, and freed by a root whose data the others still read. */
static void test_many(MPI_Comm comm) {
    int size = size_of(comm), rank = rank_of(comm);
    MPI_Comm comms[COMMS];
    for (int i = 0; i < COMMS; i++)
        OK(i % 2 ? MPI_Comm_dup(comm, &comms[i])
                 : MPI_Comm_split(comm, 0, i % 4 ? rank : -rank, &comms[i]));
    for (int call = 0; call < 12; call++) {
        for (int i = 0; i < COMMS; i++) {
            int one = i + call, sum = 0;
            OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comms[i]));
            EQUAL("sum", sum, size * (i + call));
        }
    }
    for (int i = 0; i < COMMS; i++) {
        unsigned char data[4096];
        if (rank_of(comms[i]) == 0) fill(data, sizeof data, 0, i);
        OK(MPI_Bcast(data, sizeof data, MPI_BYTE, 0, comms[i]));
        MPI_Comm freed = comms[i];
        OK(MPI_Comm_free(&comms[i]));
        (void)freed;
        CHECK(data, (int)sizeof data, 0, i);
    }
}

static MPI_Comm of_thread[THREADS];

static void *work(void *number) {
    int index = *(int *)number, size = size_of(of_thread[index]);
    for (int call = 0; call < 300; call++) {
        int one = index * 1000 + call, sum = 0;
        OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, of_thread[index]));
        EQUAL("sum of a thread", sum, size * one);
        if (call % 10 == index) OK(MPI_Barrier(of_thread[index]));
    }
    return NULL;
}

static void test_threads(MPI_Comm comm) {
    pthread_t threads[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < THREADS; i++) OK(MPI_Comm_dup(comm, &of_thread[i]));
    for (int i = 0; i < THREADS; i++)
        numbers[i] = i, pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) OK(MPI_Comm_free(&of_thread[i]));
}

static void test_all(MPI_Comm comm) {
    for (int call = 0; call < 8; call++) OK(MPI_Barrier(comm));
    test_data(comm);
    test_sums(comm);
    test_ahead(comm);
    test_rings(comm);
    test_mixed(comm);
}

int main(int argc, char **argv) {
    int granted;
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &granted));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &world_rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &world_size));
    on_communicators(test_all);
    test_many(MPI_COMM_WORLD);
    test_threads(MPI_COMM_WORLD);
    return end();
}
