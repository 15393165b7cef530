/* What a process holds after a barrier and a sum over all ranks, as means over all ranks: resident
 * bytes and their proportional share (memory that several processes map counts for each in part),
 * the page tables, which the kernel keeps beside them, and open descriptors; and the size of the
 * library's files. */
#include <dirent.h>
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

/* Returns the bytes of this process's page tables; 0 if the kernel does not tell. */
static double page_table_bytes(void)
{
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmPTE: %ld", &kib) == 1) break;
    if (file) fclose(file);
    return 1024.0 * kib;
}

/* Returns the number of open descriptors without the one that counts them. */
static double descriptors(void)
{
    double entries = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder)) entries++;
    if (folder) closedir(folder);
    return entries > 3 ? entries - 3 : 0;
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
    double mine[4], all[4], one = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    read_memory(mine);
    mine[2] = page_table_bytes();
    mine[3] = descriptors();
    /* No rank leaves before all have read their figures, because shares grow when other processes
     * exit. */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Reduce(mine, all, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("{\"measure\": \"resident\", \"value\": %.4e}\n", all[0] / size);
        printf("{\"measure\": \"proportional\", \"value\": %.4e}\n", all[1] / size);
        printf("{\"measure\": \"page_tables\", \"value\": %.4e}\n", all[2] / size);
        printf("{\"measure\": \"descriptors\", \"value\": %.4e}\n", all[3] / size);
        printf("{\"measure\": \"library\", \"value\": %.4e}\n", library_bytes());
    }
    MPI_Finalize();
    return 0;
}
