/* Connections beyond the soft limit of descriptors: every process connects with every other, the
 * limit that the program has set stays what it is, its own table keeps room, and the programs that
 * it starts inherit its limit.
 *
 * sizes: 16
 * modes: default
 * seconds: 60
 */
#include "check.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SOFT = 30 };

#define HOLDS(condition) CHECK(condition, "not so: %s", #condition)

/* limit_of_child FORKS: what a shell says of its soft limit. */
static int limit_of_child(int forks)
{
    if (!forks) {
        FILE *shell = popen("ulimit -Sn", "r");
        int limit = -1;
        HOLDS(shell && fscanf(shell, "%d", &limit) == 1);
        pclose(shell);
        return limit;
    }
    int ends[2], limit = -1, status = -1;
    HOLDS(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        execl("/bin/sh", "sh", "-c", "ulimit -Sn", (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    FILE *output = fdopen(ends[0], "r");
    HOLDS(child > 0 && fscanf(output, "%d", &limit) == 1);
    HOLDS(waitpid(child, &status, 0) == child && status == 0);
    fclose(output);
    return limit;
}

int main(int argc, char **argv)
{
    struct rlimit before, after;
    HOLDS(getrlimit(RLIMIT_NOFILE, &before) == 0);
    before.rlim_cur = SOFT;
    HOLDS(setrlimit(RLIMIT_NOFILE, &before) == 0);
    setenv("NEMESIS_SHM", "off", 1);
    begin(&argc, &argv);
    int out[64], in[64];
    MPI_Request requests[128];
    for (int i = 0; i < size; i++) {
        out[i] = 1000 * rank + i;
        in[i] = -1;
        MPI_Irecv(&in[i], 1, MPI_INT, i, 1, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < size; i++)
        MPI_Isend(&out[i], 1, MPI_INT, i, 1, MPI_COMM_WORLD, &requests[size + i]);
    MPI_Waitall(2 * size, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < size; i++)
        HOLDS(in[i] == 1000 * i + rank);

    /* libfabric opens sockets by itself: for it the soft limit stays raised, except in children of
     * fork. */
    const char *networks = getenv("NEMESIS_NETWORKS");
    int by_ofi = networks && strncmp(networks, "ofi", 3) == 0;
    HOLDS(limit_of_child(1) == SOFT);
    if (!by_ofi) {
        HOLDS(getrlimit(RLIMIT_NOFILE, &after) == 0);
        HOLDS(after.rlim_cur == SOFT && after.rlim_max == before.rlim_max);
        HOLDS(limit_of_child(0) == SOFT);
        for (int i = 0; i < 4; i++)
            HOLDS(open("/dev/null", O_RDONLY) >= 0);
    }
    MPI_Finalize();
    HOLDS(by_ofi || (getrlimit(RLIMIT_NOFILE, &after) == 0 && after.rlim_cur == SOFT));
    return 0;
}
