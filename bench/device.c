/* device [KINDS]: messages between two processes in memory of the host and of a CUDA device, and
 * the device's own copy to compare with. Each process uses the device of its rank, in turn.
 *
 * KINDS are words of "host" and "device", separated by commas (default both). Prints a line of JSON
 * for each figure: half of the time of a round trip, and bytes per second of windows of messages in
 * one direction; the median of several batches. The processes load libcuda.so.1 themselves. */
#include "../tests/gpu/gpu.h"
#include <mpi.h>

enum { TAG = 1, WINDOW = 16, BATCHES = 5, LONGEST = 64 << 20 };
static const int lengths[] = {8, 1024, 16384, 65536, 262144, 1 << 20, 8 << 20, LONGEST};
enum { LENGTHS = sizeof lengths / sizeof *lengths };
static const double batch_seconds = 0.05;

static int rank;

static int compare(const void *a, const void *b)
{
    double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

static void round_trip(char *data, int bytes)
{
    int first = rank == 0;
    if (first) MPI_Send(data, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
    MPI_Recv(data, bytes, MPI_BYTE, !rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!first) MPI_Send(data, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
}

static void window(char *data, int bytes)
{
    MPI_Request requests[WINDOW];
    for (int i = 0; i < WINDOW; i++) {
        if (rank == 0) MPI_Isend(data, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &requests[i]);
        else MPI_Irecv(data, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
    /* The window is complete when the receiver says so. */
    if (rank == 0) MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else MPI_Send(NULL, 0, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
}

static CUresult (*copy_async)(CUdeviceptr, CUdeviceptr, size_t, CUstream);
static CUresult (*synchronise)(CUstream);

/* The device copies half of the memory to the other half. */
static void own_copy(char *data, int bytes)
{
    CUdeviceptr half = (CUdeviceptr)(uintptr_t)data + LONGEST;
    CU(copy_async(half, (CUdeviceptr)(uintptr_t)data, (size_t)bytes, NULL));
    CU(synchronise(NULL));
}

/* Returns the median of the seconds of one call. Rank 0 decides how often it is repeated; alone, it
 * measures by itself. */
static double median(void (*call)(char *, int), char *data, int bytes, int is_alone)
{
    double taken[BATCHES];
    int times = 1;
    for (int batch = -1; batch < BATCHES; batch++) {
        for (;;) {
            double begun = MPI_Wtime();
            for (int i = 0; i < times; i++) call(data, bytes);
            double seconds = MPI_Wtime() - begun;
            int more = batch < 0 && seconds < batch_seconds ? 2 * times : times;
            if (!is_alone) MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
            if (batch >= 0) taken[batch] = seconds / times;
            if (more == times) break;
            times = more;
        }
    }
    qsort(taken, BATCHES, sizeof *taken, compare);
    return taken[BATCHES / 2];
}

static void print(const char *kind, const char *measure, int bytes, double value)
{
    if (rank != 0) return;
    printf("{\"measure\": \"%s_%s\", \"bytes\": %d, \"value\": %.4g}\n", kind, measure, bytes,
           value);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const char *kinds = argc > 1 ? argv[1] : "host,device";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int on_device = 0; on_device < 2; on_device++) {
        const char *kind = on_device ? "device" : "host";
        if (!strstr(kinds, kind)) continue;
        if (on_device) {
            int devices = 0;
            void *library = gpu_load();
            gpu_open(0);
            CU(cu_count(&devices));
            if (rank < devices) gpu_open(rank);
            *(void **)&copy_async = gpu_symbol(library, "cuMemcpyAsync");
            *(void **)&synchronise = gpu_symbol(library, "cuStreamSynchronize");
        }
        enum gpu_kind memory = on_device ? GPU_DEVICE : GPU_HOST;
        char *data = gpu_alloc(memory, 2 * (size_t)LONGEST);
        if (!on_device) memset(data, 1, 2 * (size_t)LONGEST);
        /* A rare call, in which libraries may look for the driver. */
        MPI_Comm copy;
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        MPI_Comm_free(&copy);
        for (int i = 0; i < LENGTHS; i++) {
            int bytes = lengths[i];
            print(kind, "half_round_trip_s", bytes, median(round_trip, data, bytes, 0) / 2);
            if (bytes < 1 << 16) continue;
            print(kind, "bytes_per_s", bytes,
                  WINDOW * (double)bytes / median(window, data, bytes, 0));
            if (on_device && rank == 0)
                print(kind, "own_copy_bytes_per_s", bytes,
                      bytes / median(own_copy, data, bytes, 1));
        }
        gpu_free(memory, data);
    }
    MPI_Finalize();
    return 0;
}
