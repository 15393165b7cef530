/* Messages and collectives of two or more processes as common micro-benchmarks measure them.
 *
 * They differ from the other programs of this folder: a collective is timed at each process, a
 * barrier follows that does not count, and the figure is the mean of all processes, with rank 0 as
 * the root. So it rewards a root that returns before the others have the data. One buffer is sent
 * again and again and nobody writes it, so that it lies in the caches of whoever has read it.
 *
 * window: 64 MPI_Isend and MPI_Irecv of one buffer, MPI_Waitall, and a short answer: seconds of
 * one message. windows: the same in both directions at once. usual_...: seconds of a collective. */
#include "measure.h"
#include <string.h>

enum { WINDOW = 64, WINDOW_LARGEST = 4 << 20, LARGEST = 1 << 20 };

static char *outgoing, *incoming;
static MPI_Request requests[2 * WINDOW];

static double window(long repetitions, int bytes)
{
    double start = now();
    for (long i = 0; i < repetitions; i++) {
        if (rank == 0) {
            for (int j = 0; j < WINDOW; j++)
                MPI_Isend(outgoing, bytes, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, &requests[j]);
            MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
            MPI_Recv(incoming, 4, MPI_BYTE, 1, TAG_PLAN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            for (int j = 0; j < WINDOW; j++)
                MPI_Irecv(incoming, bytes, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD, &requests[j]);
            MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
            MPI_Send(outgoing, 4, MPI_BYTE, 0, TAG_PLAN, MPI_COMM_WORLD);
        }
    }
    return now() - start;
}

static double windows(long repetitions, int bytes)
{
    double start = now();
    for (long i = 0; i < repetitions && rank < 2; i++) {
        for (int j = 0; j < WINDOW; j++)
            MPI_Irecv(incoming, bytes, MPI_BYTE, 1 - rank, TAG_DATA, MPI_COMM_WORLD,
                      &requests[j]);
        for (int j = 0; j < WINDOW; j++)
            MPI_Isend(outgoing, bytes, MPI_BYTE, 1 - rank, TAG_DATA, MPI_COMM_WORLD,
                      &requests[WINDOW + j]);
        MPI_Waitall(2 * WINDOW, requests, MPI_STATUSES_IGNORE);
        if (rank == 0) {
            MPI_Recv(incoming, 4, MPI_BYTE, 1, TAG_PLAN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Send(outgoing, 4, MPI_BYTE, 0, TAG_PLAN, MPI_COMM_WORLD);
        }
    }
    return now() - start;
}

/* Returns at rank 0 the mean of the processes' seconds. */
static double mean(double seconds)
{
    double sum = 0;
    MPI_Reduce(&seconds, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return sum / size;
}

#define REPEATED(name, call)                        \
    static double name(long repetitions, int bytes) \
    {                                               \
        int doubles = bytes / 8;                    \
        double seconds = 0;                         \
        for (long i = 0; i < repetitions; i++) {    \
            double start = now();                   \
            call;                                   \
            seconds += now() - start;               \
            MPI_Barrier(MPI_COMM_WORLD);            \
        }                                           \
        (void)doubles;                              \
        return mean(seconds);                       \
    }

REPEATED(bcast, MPI_Bcast(outgoing, bytes, MPI_BYTE, 0, MPI_COMM_WORLD))
REPEATED(reduce, MPI_Reduce(outgoing, incoming, doubles, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD))
REPEATED(sum, MPI_Allreduce(outgoing, incoming, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
REPEATED(gather, MPI_Gather(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE, 0,
                            MPI_COMM_WORLD))
REPEATED(scatter, MPI_Scatter(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE, 0,
                              MPI_COMM_WORLD))
REPEATED(allgather, MPI_Allgather(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE,
                                  MPI_COMM_WORLD))
REPEATED(alltoall, MPI_Alltoall(outgoing, bytes, MPI_BYTE, incoming, bytes, MPI_BYTE,
                                MPI_COMM_WORLD))

static const struct {
    const char *name;
    exchange *what;
} operations[] = {
    {"usual_bcast", bcast},         {"usual_reduce", reduce},   {"usual_sum", sum},
    {"usual_gather", gather},       {"usual_scatter", scatter}, {"usual_allgather", allgather},
    {"usual_alltoall", alltoall},
};

static void report(const char *name, int bytes, double value)
{
    if (rank == 0)
        printf("{\"measure\": \"%s\", \"bytes\": %d, \"value\": %.4e}\n", name, bytes, value);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    size_t room = (size_t)LARGEST * size;
    if (room < WINDOW_LARGEST) room = WINDOW_LARGEST;
    outgoing = touched(room);
    incoming = touched(room);
    /* The data are zeros, so that sums are normal numbers. */
    memset(outgoing, 0, room);
    for (int bytes = 4096; bytes <= WINDOW_LARGEST; bytes *= 4) {
        report("window", bytes, measured(window, bytes) / WINDOW);
        report("windows", bytes, measured(windows, bytes) / WINDOW);
    }
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        for (int bytes = 8; bytes <= LARGEST; bytes *= bytes < 4096 ? 8 : 4)
            report(operations[i].name, bytes, measured(operations[i].what, bytes));
    end();
    return 0;
}
