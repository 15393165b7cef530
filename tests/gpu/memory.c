/* A long message that goes through the host takes little of its memory: the copies of its parts.
 * The other thread samples how much memory of its own the process has. */
#include "../mpi/check.h"
#include "gpu.h"
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { TAG = 1, MIB = 1 << 20, BYTES = 96 * MIB, MOST_KIB = 32 << 10 };
static atomic_int is_over;
static atomic_long most_kib;

static long anonymous_kib(void)
{
    char line[256];
    long kib = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "RssAnon: %ld", &kib) == 1) break;
    if (file) fclose(file);
    return kib;
}

static void *sample(void *nothing)
{
    while (!is_over) {
        long now = anonymous_kib();
        if (now > most_kib) most_kib = now;
        nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
    }
    return nothing;
}

static unsigned char *mirror;

static void put(char *to, unsigned seed)
{
    for (int at = 0; at < BYTES; at += MIB) {
        fill(mirror, MIB, seed + (unsigned)(at / MIB));
        gpu_put(to + at, mirror, MIB);
    }
}

static void expect(const char *what, const char *of, unsigned seed)
{
    for (int at = 0; at < BYTES; at += MIB) {
        gpu_get(mirror, of + at, MIB);
        long wrong = first_wrong(mirror, MIB, seed + (unsigned)(at / MIB));
        CHECK(wrong < 0, "%s: byte %ld is wrong", what, at + wrong);
    }
}

int main(int argc, char **argv)
{
    static const enum gpu_kind kinds[][2] = {{GPU_DEVICE, GPU_DEVICE}, {GPU_POOL, GPU_DEVICE},
                                             {GPU_DEVICE, GPU_HOST},   {GPU_HOST, GPU_DEVICE},
                                             {GPU_POOL, GPU_MANAGED}};
    gpu_open(0);
    begin(&argc, &argv);
    mirror = malloc(MIB);
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char what[64];
        enum gpu_kind kind = kinds[i][rank % 2];
        snprintf(what, sizeof what, "%s to %s", gpu_kind_names[kinds[i][0]],
                 gpu_kind_names[kinds[i][1]]);
        char *data = gpu_alloc(kind, BYTES);
        put(data, rank % 2 ? 1000 : i);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        pthread_t thread;
        long before = anonymous_kib();
        is_over = 0;
        most_kib = before;
        pthread_create(&thread, NULL, sample, NULL);
        if (rank == 0) OK(MPI_Send(data, BYTES, MPI_BYTE, 1, TAG, MPI_COMM_WORLD));
        if (rank == 1)
            OK(MPI_Recv(data, BYTES, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        is_over = 1;
        pthread_join(thread, NULL);
        if (rank == 1) expect(what, data, i);
        CHECK(before > 0 && most_kib - before < MOST_KIB, "%s: %ld KiB more", what,
              most_kib - before);
        gpu_free(kind, data);
    }
    free(mirror);
    MPI_Finalize();
    return 0;
}
