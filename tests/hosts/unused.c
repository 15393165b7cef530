/* Prints the threads and descriptors of the process while MPI is initialized, and how many
 * libraries of optional networks it has mapped. Used by scripts/test-verbs. */

#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

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
    MPI_Barrier(MPI_COMM_WORLD);
    int threads = entries("/proc/self/task") - 2, descriptors = entries("/proc/self/fd") - 3;
    printf("%d threads, %d descriptors, %d libraries\n", threads, descriptors, libraries());
    MPI_Finalize();
    return 0;
}
