/* Dynamic processes: how long it takes to spawn, to connect with another job, and to communicate
 * with a process of another job on the same host, and what many spawns leave:
 *
 *   dynamic spawn COUNT          one process spawns two, COUNT times
 *   dynamic serve FILE COUNT     opens a port, writes its name to FILE, and accepts COUNT times
 *   dynamic connect FILE COUNT   connects COUNT times with it
 *   dynamic near                 ping-pong of ranks 0 and 1 of one job
 *   dynamic far                  ping-pong of a process with one that it has spawned
 *   dynamic many COUNT           spawns one process COUNT times; descriptors, threads and memory
 *
 * Prints lines of JSON: what was measured and its value, in seconds unless the name says another
 * unit. Figures are the least of all repetitions, which disturbances of the machine change little.
 */

#define _GNU_SOURCE
#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHORT = 8, LONG = 1 << 20, BATCHES = 20 };

static char self[4096], *buffer;

static void row(const char *what, double value)
{
    printf("{\"what\": \"%s\", \"value\": %.9g}\n", what, value);
    fflush(stdout);
}

static void keep_least(double *least, double value)
{
    if (value < *least) *least = value;
}

static MPI_Comm spawn(char *what, int processes)
{
    char *arguments[] = { what, NULL };
    MPI_Comm inter;
    MPI_Comm_spawn(self, arguments, processes, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter,
                   MPI_ERRCODES_IGNORE);
    return inter;
}

static void measure_spawn(int count)
{
    double spawned = 1e9, parted = 1e9;
    /* The first spawn also starts the network of this process. */
    for (int i = -1; i < count; i++) {
        double begun = MPI_Wtime();
        MPI_Comm inter = spawn("part", 2);
        double met = MPI_Wtime();
        MPI_Comm_disconnect(&inter);
        double ended = MPI_Wtime();
        if (i < 0) continue;
        keep_least(&spawned, met - begun);
        keep_least(&parted, ended - met);
    }
    row("spawn of 2", spawned);
    row("disconnect from 2", parted);
}

static void serve(const char *file, int count)
{
    char port[MPI_MAX_PORT_NAME], temporary[4096];
    MPI_Comm guest;
    MPI_Open_port(MPI_INFO_NULL, port);
    snprintf(temporary, sizeof temporary, "%s.new", file);
    FILE *to = fopen(temporary, "w");
    fprintf(to, "%s\n", port);
    fclose(to);
    rename(temporary, file);
    for (int i = 0; i <= count; i++) {
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &guest);
        MPI_Comm_disconnect(&guest);
    }
    MPI_Close_port(port);
}

static void measure_connect(const char *file, int count)
{
    double connected = 1e9, parted = 1e9;
    char port[MPI_MAX_PORT_NAME] = "", format[32];
    FILE *from;
    while (!(from = fopen(file, "r"))) usleep(10000);
    snprintf(format, sizeof format, "%%%ds", MPI_MAX_PORT_NAME - 1);
    if (fscanf(from, format, port) != 1) MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(from);
    for (int i = -1; i < count; i++) {
        MPI_Comm host;
        double begun = MPI_Wtime();
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &host);
        double met = MPI_Wtime();
        MPI_Comm_disconnect(&host);
        double ended = MPI_Wtime();
        if (i < 0) continue;
        keep_least(&connected, met - begun);
        keep_least(&parted, ended - met);
    }
    row("connect two jobs", connected);
    row("disconnect two jobs", parted);
}

/* Half the round trip with rank `peer` of the communicator. */
static double turns(MPI_Comm comm, int peer, int begins, int bytes, int count)
{
    double best = 1e9;
    for (int batch = 0; batch < BATCHES; batch++) {
        double begun = MPI_Wtime();
        for (int i = 0; i < count; i++) {
            if (begins) MPI_Send(buffer, bytes, MPI_BYTE, peer, 0, comm);
            MPI_Recv(buffer, bytes, MPI_BYTE, peer, 0, comm, MPI_STATUS_IGNORE);
            if (!begins) MPI_Send(buffer, bytes, MPI_BYTE, peer, 0, comm);
        }
        keep_least(&best, (MPI_Wtime() - begun) / count / 2);
    }
    return best;
}

static void pingpong(MPI_Comm comm, int peer, int begins, const char *where)
{
    char what[64];
    double few = turns(comm, peer, begins, SHORT, 500);
    double many = turns(comm, peer, begins, LONG, 20);
    if (!begins) return;
    snprintf(what, sizeof what, "8 B %s", where);
    row(what, few);
    snprintf(what, sizeof what, "1 MiB %s", where);
    row(what, many);
}

static int entries(const char *folder)
{
    int count = 0;
    DIR *opened = opendir(folder);
    while (readdir(opened)) count++;
    closedir(opened);
    return count - 2;
}

static long resident_bytes(void)
{
    long pages = 0;
    FILE *from = fopen("/proc/self/statm", "r");
    if (fscanf(from, "%*d %ld", &pages) != 1) pages = 0;
    fclose(from);
    return pages * sysconf(_SC_PAGESIZE);
}

static void spawn_many(int count)
{
    int descriptors = 0, threads = 0;
    long resident = 0;
    /* A tenth of the spawns fills caches and tables first. */
    for (int i = -count / 10 - 1; i < count; i++) {
        if (i == 0) {
            descriptors = entries("/proc/self/fd");
            threads = entries("/proc/self/task");
            resident = resident_bytes();
        }
        MPI_Comm inter = spawn("part", 1);
        MPI_Comm_disconnect(&inter);
    }
    /* The last connections close when both sides have said goodbye. */
    for (double begun = MPI_Wtime(); MPI_Wtime() < begun + 2;) {
        int pending;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &pending, MPI_STATUS_IGNORE);
    }
    row("descriptors left (number)", entries("/proc/self/fd") - descriptors);
    row("threads left (number)", entries("/proc/self/task") - threads);
    row("memory kept of a spawn (bytes)", (double)(resident_bytes() - resident) / count);
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    int rank;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length < 0 ? 0 : length] = 0;
    buffer = malloc(LONG);
    memset(buffer, 1, LONG);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    const char *what = argc > 1 ? argv[1] : "";
    int count = argc > 2 ? atoi(argv[argc - 1]) : 0;
    if (parent != MPI_COMM_NULL) {
        if (strcmp(what, "far") == 0) pingpong(parent, 0, 0, "");
        MPI_Comm_disconnect(&parent);
    } else if (strcmp(what, "spawn") == 0) {
        measure_spawn(count);
    } else if (strcmp(what, "serve") == 0) {
        serve(argv[2], count);
    } else if (strcmp(what, "connect") == 0) {
        measure_connect(argv[2], count);
    } else if (strcmp(what, "near") == 0) {
        pingpong(MPI_COMM_WORLD, 1 - rank, rank == 0, "within a job");
    } else if (strcmp(what, "far") == 0) {
        MPI_Comm inter = spawn("far", 1);
        pingpong(inter, 0, 1, "with a spawned process");
        MPI_Comm_disconnect(&inter);
    } else if (strcmp(what, "many") == 0) {
        spawn_many(count);
    }
    MPI_Finalize();
    return 0;
}
