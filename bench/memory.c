/* Memory of a process after a barrier and a sum over all ranks: resident bytes and their
 * proportional share (memory that several processes map counts for each in part), as means over all
 * ranks; and the size of the library's files. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Reads both figures in bytes from the kernel's summary of this process. They are 0 if there is
 * none. */
static void read_memory(double figures[2])
{
    char line[256];
    long kib;
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    figures[0] = figures[1] = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "Rss: %ld", &kib) == 1) figures[0] = 1024.0 * kib;
        if (sscanf(line, "Pss: %ld", &kib) == 1) figures[1] = 1024.0 * kib;
    }
    if (file) fclose(file);
}

/* Returns the bytes of all mapped files whose name begins with "libmpi". The mappings of one file
 * follow each other. */
static double library_bytes(void)
{
    char line[4096], last[4096] = "";
    double bytes = 0;
    struct stat about;
    FILE *file = fopen("/proc/self/maps", "r");
    while (file && fgets(line, sizeof line, file)) {
        char *path = strchr(line, '/'), *name = path ? strrchr(path, '/') : NULL;
        if (!name || strncmp(name, "/libmpi", 7) != 0) continue;
        path[strcspn(path, "\n")] = 0;
        if (strcmp(path, last) != 0 && stat(path, &about) == 0) bytes += about.st_size;
        strcpy(last, path);
    }
    if (file) fclose(file);
    return bytes;
}

int main(int argc, char **argv)
{
    int rank, size;
    double mine[2], all[2], one = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    read_memory(mine);
    /* No rank leaves before all have read their figures, because shares grow when other processes
     * exit. */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Reduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("{\"measure\": \"resident\", \"value\": %.4e}\n", all[0] / size);
        printf("{\"measure\": \"proportional\", \"value\": %.4e}\n", all[1] / size);
        printf("{\"measure\": \"library\", \"value\": %.4e}\n", library_bytes());
    }
    MPI_Finalize();
    return 0;
}
