/* Spawns two processes of itself for scripts/jobs spawn: `spawner CASE`. CASE says who ends how.
 *
 * While the jobs are connected:
 *
 *   lost       the children are killed while the parent waits for a message from them
 *   lost-probe, lost-iprobe   the same, and the parent probes for a message from any of them
 *   lost-found the children are killed when the parent's matched probes have found their messages:
 *              it still receives the short ones, and an error instead of those that were announced
 *   exit       the children end with code 3 meanwhile
 *   own-abort  a child calls MPI_Abort over its own world meanwhile
 *   abort      a child calls MPI_Abort over the communicator of parent and children
 *   fatal      a child makes an error under MPI_ERRORS_ARE_FATAL
 *   members    a child makes an error under MPI_ERRORS_ABORT of its own world
 *   grandchild a child spawns a further process, which makes such an error
 *   parent     the parent kills itself while the children wait for a message from it
 *   wait       everybody waits; the script kills the launcher
 *   leave      the children finalize without disconnecting
 *   first      the parent finalizes without disconnecting, a second before the children
 *
 * After both sides have disconnected:
 *
 *   crash, late-exit, late-abort, late-fatal   a child ends like this, a second before the parent
 *
 * `spawner many COUNT` spawns one process COUNT times and tells what the parent and mpiexec keep.
 *
 * `spawner wrong COMMAND KEY VALUE` spawns COMMAND, or itself for "-", with this info key, and both
 * processes tell the error; `spawner gone` does so in a directory that it has removed, and `spawner
 * nested` in a process that it has spawned. `spawner excess` spawns more processes than there are
 * slots.
 *
 * `spawner silent` spawns a program that never calls MPI_Init, and ends after four seconds.
 *
 * `spawner variables` spawns processes that tell two variables of the environment.
 *
 * `spawner refused` spawns where no launcher of this library is found, and goes on.
 *
 * Connections of independent jobs: `spawner serve FILE` writes the name of a port to FILE, accepts
 * two clients and answers them; `spawner client FILE die` is killed once it is connected, and
 * `spawner client FILE` waits for the answer. `spawner late FILE` connects to a port whose job has
 * ended. */

#include <dirent.h>
#include <malloc.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is(const char *name, const char *given)
{
    return strcmp(name, given) == 0;
}

static void say(const char *line)
{
    puts(line);
    fflush(stdout);
}

/* Tells an error, and whether it has the right class. */
static void tell(int code, int expected)
{
    char text[MPI_MAX_ERROR_STRING];
    int class_, length;
    if (code == MPI_SUCCESS) return;
    MPI_Error_class(code, &class_);
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "%s\n", text);
    say(class_ == expected ? "noticed" : "not noticed");
}

static MPI_Comm spawn(char **argv, char *what, int processes)
{
    char *arguments[] = { what, NULL };
    MPI_Comm inter;
    tell(MPI_Comm_spawn(argv[0], arguments, processes, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter,
                        MPI_ERRCODES_IGNORE), MPI_ERR_SPAWN);
    return inter;
}

/* Spawns a program that cannot be started as asked. The last process is the root. */
static int wrong(char **argv, char *command, const char *key, const char *value)
{
    char *arguments[] = { "leave", NULL };
    MPI_Comm inter;
    MPI_Info info;
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    if (is("-", command)) command = argv[0];
    tell(MPI_Comm_spawn(command, arguments, 1, info, size - 1, MPI_COMM_WORLD, &inter,
                        MPI_ERRCODES_IGNORE), MPI_ERR_SPAWN);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}

static int silent(void)
{
    char *arguments[] = { "-c", "sleep 4", NULL };
    MPI_Comm inter;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    tell(MPI_Comm_spawn("/bin/sh", arguments, 3, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter,
                        MPI_ERRCODES_IGNORE), MPI_ERR_SPAWN);
    MPI_Finalize();
    return 0;
}

/* Makes a directory the working directory, and removes it. */
static void leave_directory(void)
{
    char name[] = "/tmp/spawner-XXXXXX";
    if (!mkdtemp(name) || chdir(name) || rmdir(name)) perror(name);
}

/* Ends this process by an error under the error handler of MPI_COMM_WORLD. */
static void err(void)
{
    int message = 0;
    MPI_Send(&message, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
}

/* Probes for a message from any process; returns the class of the error. */
static int probe(MPI_Comm comm, int blocks)
{
    int class_, flag = 0, code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !flag)
        code = blocks ? MPI_Probe(MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE)
                      : MPI_Iprobe(MPI_ANY_SOURCE, 0, comm, &flag, MPI_STATUS_IGNORE);
    MPI_Error_class(code, &class_);
    return class_;
}

static int wait_for(MPI_Comm comm, int rank)
{
    int message, class_ = MPI_SUCCESS;
    int code = MPI_Recv(&message, 1, MPI_INT, rank, 0, comm, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class_);
    return class_;
}

/* Messages of a child that matched probes find. Those before them open the shared memory of the two
 * jobs. */
enum { BEFORE = 100, LONG_BYTES = 3000000, FIRST_TAG = 10, SHORT = 0, LONG, SHORT_LATER, LONG_LATER,
       FOUND };
static char payload[LONG_BYTES];

static void announce(MPI_Comm parent)
{
    MPI_Request request;
    for (int i = 0; i < BEFORE; i++) MPI_Send(&i, 1, MPI_INT, 0, FIRST_TAG - 1, parent);
    payload[0] = FOUND;
    for (int i = 0; i < FOUND; i++) {
        if (i == LONG || i == LONG_LATER)
            MPI_Issend(payload, LONG_BYTES, MPI_BYTE, 0, FIRST_TAG + i, parent, &request);
        else
            MPI_Isend(payload, 1, MPI_BYTE, 0, FIRST_TAG + i, parent, &request);
    }
}

static void find(MPI_Comm inter, MPI_Message found[2][FOUND])
{
    int number;
    for (int child = 0; child < 2; child++) {
        for (int i = 0; i < BEFORE; i++)
            MPI_Recv(&number, 1, MPI_INT, child, FIRST_TAG - 1, inter, MPI_STATUS_IGNORE);
        for (int i = 0; i < FOUND; i++) {
            int is_there = i < SHORT_LATER;
            if (is_there)
                MPI_Mprobe(child, FIRST_TAG + i, inter, &found[child][i], MPI_STATUS_IGNORE);
            /* An error ends this process here. */
            while (!is_there)
                MPI_Improbe(child, FIRST_TAG + i, inter, &is_there, &found[child][i],
                            MPI_STATUS_IGNORE);
        }
    }
}

/* Receives what has been found; returns whether the short messages and no others arrive. */
static int receive(MPI_Message found[2][FOUND])
{
    int right = 1;
    for (int i = 0; i < 2 * FOUND; i++) {
        MPI_Message *message = &found[i / FOUND][i % FOUND];
        MPI_Request request;
        int code, class_ = MPI_SUCCESS, each = i % FOUND;
        payload[0] = 0;
        if (each < SHORT_LATER) {
            code = MPI_Mrecv(payload, LONG_BYTES, MPI_BYTE, message, MPI_STATUS_IGNORE);
        } else {
            code = MPI_Imrecv(payload, LONG_BYTES, MPI_BYTE, message, &request);
            if (code == MPI_SUCCESS) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        if (code != MPI_SUCCESS) MPI_Error_class(code, &class_);
        right &= each == LONG || each == LONG_LATER
                     ? class_ == MPI_ERR_PROC_ABORTED
                     : code == MPI_SUCCESS && payload[0] == FOUND;
    }
    return right;
}

/* Returns whether the children end the parent, which first has to say that it has spawned them, or
 * to find their messages. */
static int waits_for_go(const char *given)
{
    return is("lost-found", given) || is("abort", given) || is("fatal", given) ||
           is("grandchild", given);
}

/* Whether the children finalize without waiting for anything. */
static int ends_at_once(const char *given)
{
    return is("leave", given) || is("nested", given) || is("excess", given) ||
           is("variables", given);
}

static int child(MPI_Comm parent, char **argv)
{
    const char *given = argv[1];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (is("lost-found", given)) announce(parent);
    if (waits_for_go(given)) {
        int go;
        MPI_Recv(&go, 1, MPI_INT, 0, 1, parent, MPI_STATUS_IGNORE);
    }
    if (strncmp("lost", given, 4) == 0) raise(SIGKILL);
    if (is("exit", given)) exit(3);
    if (is("abort", given) && rank == 0) MPI_Abort(parent, 7);
    if (is("own-abort", given) && rank == 0) MPI_Abort(MPI_COMM_WORLD, 7);
    if (is("members", given)) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ABORT);
    if ((is("fatal", given) || is("members", given)) && rank == 0) err();
    if (is("deep", given)) err();
    if (is("variables", given) && rank == 0) {
        const char *passed = getenv("PASSED"), *left = getenv("LEFT");
        printf("%s %s\n", passed ? passed : "none", left ? left : "none");
        fflush(stdout);
    }
    if (is("nested", given)) {
        char *missing[] = { "/nonexistent/program", NULL };
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        if (rank == 0) spawn(missing, "deep", 1);
    }
    if (is("grandchild", given) && rank == 0) wait_for(spawn(argv, "deep", 1), 0);
    if (is("first", given)) {
        sleep(1);
        if (rank == 0) say("done");
    } else if (ends_at_once(given)) {
        /* It finalizes at once. */
    } else if (is("crash", given) || strncmp("late", given, 4) == 0) {
        MPI_Comm_disconnect(&parent);
        if (is("crash", given)) raise(SIGSEGV);
        if (is("late-exit", given)) exit(3);
        if (is("late-abort", given)) MPI_Abort(MPI_COMM_WORLD, 7);
        if (is("late-fatal", given)) err();
    } else {
        wait_for(parent, 0);
    }
    MPI_Finalize();
    return 0;
}

static int serve(const char *file)
{
    char port[MPI_MAX_PORT_NAME], temporary[4096];
    MPI_Comm clients[2];
    int dies[2], classes[2], answer = 1;
    MPI_Open_port(MPI_INFO_NULL, port);
    snprintf(temporary, sizeof temporary, "%s.new", file);
    FILE *to = fopen(temporary, "w");
    fprintf(to, "%s\n", port);
    fclose(to);
    rename(temporary, file);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &clients[i]);
        MPI_Comm_set_errhandler(clients[i], MPI_ERRORS_RETURN);
        MPI_Recv(&dies[i], 1, MPI_INT, 0, 0, clients[i], MPI_STATUS_IGNORE);
    }
    /* The client that dies is waited for first, the other one is then served as before. */
    for (int i = 0; i < 2; i++)
        if (dies[i]) {
            classes[i] = wait_for(clients[i], 0);
            say(classes[i] == MPI_ERR_PROC_ABORTED ? "noticed" : "not noticed");
            MPI_Comm_disconnect(&clients[i]);
        }
    for (int i = 0; i < 2; i++)
        if (!dies[i]) {
            MPI_Send(&answer, 1, MPI_INT, 0, 0, clients[i]);
            MPI_Comm_disconnect(&clients[i]);
        }
    MPI_Close_port(port);
    say("done");
    MPI_Finalize();
    return 0;
}

static int read_port(const char *file, char *port)
{
    FILE *from;
    while (!(from = fopen(file, "r"))) usleep(10000);
    int read = fscanf(from, "%1023s", port) == 1;
    fclose(from);
    return read;
}

static int late(const char *file)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm server;
    if (!read_port(file, port)) return 1;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    tell(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &server), MPI_ERR_PORT);
    MPI_Finalize();
    return 0;
}

static int client(const char *file, int dies)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm server;
    if (!read_port(file, port)) return 1;
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &server);
    MPI_Send(&dies, 1, MPI_INT, 0, 0, server);
    if (dies) raise(SIGKILL);
    wait_for(server, 0);
    MPI_Comm_disconnect(&server);
    MPI_Finalize();
    return 0;
}

/* What spawned jobs may leave: descriptors of this process and of mpiexec, threads, processes that
 * mpiexec has started, KiB of memory, and bytes that are allocated. */
enum { DESCRIPTORS, LAUNCHER_DESCRIPTORS, THREADS, LAUNCHED, KIB, ALLOCATED, KINDS };

static long entries(const char *format, int process)
{
    char path[64];
    long count = 0;
    snprintf(path, sizeof path, format, process);
    DIR *opened = opendir(path);
    if (!opened) return -1;
    while (readdir(opened)) count++;
    closedir(opened);
    return count;
}

static long words(const char *format, int process)
{
    char path[64], word[32];
    long count = 0;
    snprintf(path, sizeof path, format, process, process);
    FILE *from = fopen(path, "r");
    if (!from) return -1;
    while (fscanf(from, "%31s", word) == 1) count++;
    fclose(from);
    return count;
}

static void count_all(long counts[KINDS])
{
    long pages = 0;
    FILE *from = fopen("/proc/self/statm", "r");
    if (!from || fscanf(from, "%*d %ld", &pages) != 1) pages = 0;
    if (from) fclose(from);
    counts[DESCRIPTORS] = entries("/proc/%d/fd", getpid());
    counts[LAUNCHER_DESCRIPTORS] = entries("/proc/%d/fd", getppid());
    counts[THREADS] = entries("/proc/%d/task", getpid());
    counts[LAUNCHED] = words("/proc/%d/task/%d/children", getppid());
    counts[KIB] = pages * (sysconf(_SC_PAGESIZE) / 1024);
    struct mallinfo2 info = mallinfo2();
    counts[ALLOCATED] = (long)(info.uordblks + info.hblkhd);
}

/* Counts until nothing has grown or the time is over: the last connections close when both sides
 * have said goodbye. Returns whether something has grown. */
static int has_grown(const long before[KINDS], long after[KINDS], int spawns, double seconds)
{
    const long allowed[] = { 0, 0, 0, 0, 64, 1024 + 8 * spawns };
    int pending, grown = 1;
    for (double begun = MPI_Wtime(); grown && MPI_Wtime() < begun + seconds;) {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &pending, MPI_STATUS_IGNORE);
        count_all(after);
        grown = 0;
        for (int i = 0; i < KINDS; i++) grown |= after[i] > before[i] + allowed[i] || before[i] < 0;
        if (grown) usleep(10000);
    }
    return grown;
}

/* Spawns one process `count` times, in several parts. What every spawn leaves makes each part grow;
 * a table that doubles does so in one of them. The caches of the allocator are off (GLIBC_TUNABLES
 * in scripts/jobs spawn), so it counts what is in use. */
static int many(char **argv, int count)
{
    static const char *const names[] = { "descriptors", "descriptors of mpiexec", "threads",
                                         "processes of mpiexec", "KiB", "bytes allocated" };
    enum { PARTS = 5 };
    long before[KINDS], after[KINDS];
    int spawns = count / PARTS, grown = 1;
    for (int part = -1; part < PARTS; part++) {
        count_all(before);
        for (int i = 0; i < spawns; i++) {
            MPI_Comm inter = spawn(argv, "late", 1);
            MPI_Comm_disconnect(&inter);
        }
        if (has_grown(before, after, spawns, part == PARTS - 1 && grown ? 20 : 1) || part < 0)
            continue;
        grown = 0;
    }
    for (int i = 0; i < KINDS; i++)
        if (grown || getenv("SPAWNER_TELLS"))
            printf("%d spawns: %ld %s, %ld before\n", spawns, after[i], names[i], before[i]);
    say(grown ? "not done" : "done");
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    const char *given = argc > 1 ? argv[1] : "";
    if (parent != MPI_COMM_NULL) return child(parent, argv);
    if (is("serve", given)) return serve(argv[2]);
    if (is("client", given)) return client(argv[2], argc > 3);
    if (is("late", given)) return late(argv[2]);
    if (is("many", given)) return many(argv, atoi(argv[2]));
    if (is("wrong", given)) return wrong(argv, argv[2], argv[3], argv[4]);
    if (is("silent", given)) return silent();
    if (is("gone", given)) {
        leave_directory();
        return wrong(argv, argv[0], "nothing", "");
    }
    if (is("refused", given)) MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm inter = spawn(argv, argv[1], is("excess", given) ? 5 : 2);
    if (is("refused", given)) {
        MPI_Finalize();
        return 0;
    }
    say("spawned");
    MPI_Message found[2][FOUND];
    if (is("lost-found", given)) find(inter, found);
    for (int i = 0; i < 2 && waits_for_go(given); i++) MPI_Send(&i, 1, MPI_INT, i, 1, inter);
    if (is("parent", given)) raise(SIGKILL);
    int is_late = is("crash", given) || strncmp("late", given, 4) == 0;
    int is_quiet = ends_at_once(given);
    if (!is_late && !is_quiet && !is("first", given)) {
        MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
        int probes = strstr(given, "probe") != NULL,
            class_ = probes ? probe(inter, is("lost-probe", given)) : wait_for(inter, 0);
        /* A child that still lives would send the rest of a long message. */
        if (is("lost-found", given) && (wait_for(inter, 1) != class_ || !receive(found)))
            class_ = MPI_SUCCESS;
        say(class_ == MPI_ERR_PROC_ABORTED ? "noticed" : "not noticed");
    }
    if (!is("first", given)) MPI_Comm_disconnect(&inter);
    if (is_late) sleep(1);
    if (!is("first", given)) say("done");
    MPI_Finalize();
    return 0;
}
