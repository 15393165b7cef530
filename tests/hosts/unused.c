/* Prints the threads and descriptors of the process while MPI is initialized, and how many
 * libraries of optional networks it has mapped. Threads and descriptors are the least of 50
 * counts, because two processes that connect to each other at once have two connections until a
 * poll finds one of them closed. Used by scripts/jobs verbs. */

#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int entries(const char *folder)
{
    int count = 0;
    DIR *all = opendir(folder);
    while (all && readdir(all)) count++;
    if (all) closedir(all);
    return count;
}

static int libraries(void)
{
    static const char *names[] = {"libibverbs", "librdmacm", "libfabric", "libnemesis_verbs_mock"};
    char line[4096];
    int found[sizeof names / sizeof *names] = {0}, count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        for (size_t index = 0; index < sizeof names / sizeof *names; index++)
            if (strstr(line, names[index])) found[index] = 1;
    if (maps) fclose(maps);
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) count += found[index];
    return count;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int threads = 1 << 30, descriptors = threads;
    for (int round = 0; round < 50; round++) {
        MPI_Barrier(MPI_COMM_WORLD);
        usleep(1000);
        for (int poll = 0, found; poll < 100; poll++)
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        int now = entries("/proc/self/task") - 2;
        if (now < threads) threads = now;
        now = entries("/proc/self/fd") - 3;
        if (now < descriptors) descriptors = now;
    }
    printf("%d threads, %d descriptors, %d libraries\n", threads, descriptors, libraries());
    MPI_Finalize();
    return 0;
}
