/* Instructions of MPI_Send and MPI_Recv of 8 bytes, when neither has to wait.
 *
 * Rank 1 sleeps before each MPI_Recv, so that the message has arrived. The answer that paces rank 0
 * uses other functions. The count comes from the processor's counter if the kernel allows it
 * (perf_event_open). Otherwise the program only makes the calls, as often as its first argument
 * says, and callgrind counts: two runs with different repetitions give the instructions of one
 * call. */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLES_MAX = 1000 };

static int counter = -1;

static void open_counter(void)
{
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.disabled = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    counter = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}

static void count_on(void)
{
    if (counter < 0) return;
    ioctl(counter, PERF_EVENT_IOC_RESET, 0);
    ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
}

static int64_t count_off(void)
{
    int64_t count = -1;
    if (counter < 0) return -1;
    ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
    return read(counter, &count, sizeof count) == sizeof count ? count : -1;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static int64_t samples[SAMPLES_MAX], empty[SAMPLES_MAX];
    int rank, repetitions = argc > 1 ? atoi(argv[1]) : 100;
    int64_t word = 1, answer = 0;
    MPI_Request requests[2];
    if (repetitions < 1 || repetitions > SAMPLES_MAX) return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    open_counter();

    /* Both ranks are here before the first call that is counted. */
    MPI_Irecv(&answer, 8, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&word, 8, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

    for (int i = 0; i < repetitions; i++) {
        count_on();
        empty[i] = count_off();
        if (rank == 0) {
            count_on();
            MPI_Send(&word, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            samples[i] = count_off();
            MPI_Irecv(&answer, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[0]);
        } else {
            struct timespec pause = {0, 10000000};
            nanosleep(&pause, NULL);
            count_on();
            MPI_Recv(&answer, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            samples[i] = count_off();
            MPI_Isend(&word, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[0]);
        }
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    qsort(samples, repetitions, sizeof *samples, ascending);
    qsort(empty, repetitions, sizeof *empty, ascending);
    if (samples[0] >= 0)
        printf("{\"measure\": \"%s\", \"value\": %lld}\n", rank == 0 ? "send" : "receive",
               (long long)(samples[repetitions / 2] - empty[repetitions / 2]));
    MPI_Finalize();
    return 0;
}
