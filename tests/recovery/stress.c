/* stress SEED DEATHS [KIND]: ranks that the seed draws are killed at moments that it draws, while
 * all communicate. The others revoke the communicator, shrink it and go on. */
#include "recovery.h"
#include <string.h>
#include <sys/time.h>

enum {
    COUNT_MAX = 1 << 18,
    KINDS = 8,
    CALLS = 6,
    VICTIMS_MAX = 64,
    FIRST_DEATH_US = 500,
    LAST_DEATH_US = 60000,
};

/* Seconds for which the ranks communicate. */
static const double DURATION = 0.15;

static int sent[COUNT_MAX], received[COUNT_MAX];

static void die(int signal)
{
    (void)signal;
    raise(SIGKILL);
}

/* A receive from any source, which stays posted when a process fails. */
static int any_source(MPI_Comm comm, int count, int to)
{
    MPI_Request receive, send;
    int failed = MPI_Irecv(received, count, MPI_INT, MPI_ANY_SOURCE, 2, comm, &receive);
    if (failed) {
        return failed;
    }
    failed = MPI_Isend(sent, count, MPI_INT, to, 2, comm, &send);
    if (!failed) {
        failed = MPI_Wait(&send, MPI_STATUS_IGNORE);
        int other = MPI_Wait(&receive, MPI_STATUS_IGNORE);
        failed = failed ? failed : other;
    }
    if (receive != MPI_REQUEST_NULL) {
        MPI_Cancel(&receive);
        MPI_Request_free(&receive);
    }
    return failed;
}

/* One call; returns its code. */
static int call(MPI_Comm comm, int kind, int count)
{
    int size = size_of(comm), rank = rank_in(comm), one = 1, sum = 0;
    int to = (rank + 1) % size, from = (rank + size - 1) % size, each = count / size + 1;
    MPI_Request request;
    switch (kind % KINDS) {
    case 0:
        return MPI_Sendrecv(sent, count, MPI_INT, to, 1, received, count, MPI_INT, from, 1, comm,
                            MPI_STATUS_IGNORE);
    case 1: {
        int failed = MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
        if (!failed && sum != size) {
            fprintf(stderr, "wrong: the sum of %d ones is %d\n", size, sum);
        }
        return failed;
    }
    case 2:
        return MPI_Bcast(sent, count, MPI_INT, kind % size, comm);
    case 3:
        return MPI_Barrier(comm);
    case 4:
        return any_source(comm, count, to);
    case 5:
        return MPI_Allreduce(sent, received, count, MPI_INT, MPI_MAX, comm);
    case 6:
        each = each * size > COUNT_MAX ? COUNT_MAX / size : each;
        return MPI_Alltoall(sent, each, MPI_INT, received, each, MPI_INT, comm);
    default: {
        int failed = MPI_Iallreduce(sent, received, count, MPI_INT, MPI_SUM, comm, &request);
        return failed ? failed : MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    }
}

/* Draws who dies when. */
static void prepare_death(int seed, int deaths, int rank, int size)
{
    srand(seed);
    signal(SIGALRM, die);
    for (int i = 0; i < deaths && i < VICTIMS_MAX; i++) {
        int victim = rand() % size, at = FIRST_DEATH_US + rand() % LAST_DEATH_US;
        if (victim == rank) {
            struct itimerval timer = {{0, 0}, {0, at}};
            setitimer(ITIMER_REAL, &timer, NULL);
            return;
        }
    }
}

/* Tells of an error that does not tell of a failure. */
static void require_expected(int code)
{
    if (code && !is_expected(code)) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        MPI_Error_string(code, text, &length);
        fprintf(stderr, "wrong: class %d: %s\n", class_of(code), text);
    }
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    int size = size_of(MPI_COMM_WORLD), rank = rank_in(MPI_COMM_WORLD);
    int seed = argc > 1 ? atoi(argv[1]) : 1, deaths = argc > 2 ? atoi(argv[2]) : 1;
    int only = argc > 3 ? atoi(argv[3]) : -1, recoveries = 0;
    double slowest = 0, begun = MPI_Wtime();
    for (int i = 0; i < COUNT_MAX; i++) {
        sent[i] = 1;
    }
    MPI_Comm comm;
    REQUIRE(MPI_Comm_dup(MPI_COMM_WORLD, &comm) == MPI_SUCCESS);
    /* Nobody dies before all have their communicator. */
    MPI_Barrier(MPI_COMM_WORLD);
    prepare_death(seed, deaths, rank, size);
    for (unsigned round = 0;; round++) {
        int kind = only >= 0 ? only : (int)(round * 2654435761U >> 7) % KINDS;
        int count = 1 << (round * 40503U >> 3) % 19, failed = 0;
        for (int i = 0; i < CALLS && !failed; i++) {
            failed = call(comm, only >= 0 ? only : abs(kind) + i, count);
        }
        require_expected(failed);
        double noticed = MPI_Wtime();
        if (failed) {
            MPIX_Comm_revoke(comm);
        }
        /* Bit 0: nobody has failed. Bit 1: the time is not over. */
        int flag = (failed ? 0 : 1) | (noticed - begun < DURATION ? 2 : 0);
        int disagreed = MPIX_Comm_agree(comm, &flag);
        require_expected(disagreed);
        if (flag & 1 && !disagreed) {
            if (flag & 2) {
                continue;
            }
            break;
        }
        MPI_Comm fewer;
        MPIX_Comm_revoke(comm);
        REQUIRE(MPIX_Comm_shrink(comm, &fewer) == MPI_SUCCESS);
        MPI_Comm_free(&comm);
        comm = fewer;
        recoveries++;
        double took = MPI_Wtime() - noticed;
        slowest = took > slowest ? took : slowest;
    }
    if (rank_in(comm) == 0) {
        printf("%d of %d are left, %d recoveries, the slowest %.1f ms\n", size_of(comm), size,
               recoveries, slowest * 1e3);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
