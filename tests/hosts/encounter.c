/* Two jobs that meet while one of them is killed, for scripts/jobs spawn:
 *
 *   encounter serve FILE               accepts clients, one after the other, until one says so
 *   encounter client FILE              connects and exchanges a message between each two processes
 *   encounter client FILE stop         the same, and ends the server
 *   encounter client FILE RANK DELAY   is killed at RANK, DELAY microseconds after it has begun to
 *                                      connect
 *   encounter serve FILE RANK DELAY    is killed at RANK, that long after it has begun to accept
 *   encounter survivor FILE            connects to a server that is killed
 *   encounter spawn RANK DELAY         spawns a job that is killed at RANK, DELAY microseconds
 *                                      after that process has begun
 *   encounter spawner RANK DELAY       spawns a job, and is killed at RANK, that long after it has
 *                                      begun to
 *
 * Both jobs have two processes. Who survives tells the class of each error of an accept, a connect,
 * a spawn or a receive; `met` stands for an encounter without an error. */

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { CLIENT = 1, STOP = 2 };

static int rank;

static int class_of(int code)
{
    int class_ = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class_);
    return class_;
}

static const char *name_of(int class_)
{
    return class_ == MPI_SUCCESS                ? "met"
           : class_ == MPI_ERR_PORT             ? "MPI_ERR_PORT"
           : class_ == MPI_ERR_SPAWN            ? "MPI_ERR_SPAWN"
           : class_ == MPI_ERR_PROC_ABORTED     ? "MPI_ERR_PROC_ABORTED"
                                                : "another class";
}

/* Tells how an encounter went; the text of an error goes to standard error. */
static void tell(const char *call, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (code != MPI_SUCCESS) MPI_Error_string(code, text, &length);
    if (code != MPI_SUCCESS) fprintf(stderr, "%d, %s: %s\n", rank, call, text);
    printf("%s %s\n", call, name_of(class_of(code)));
    fflush(stdout);
}

static void on_alarm(int signal)
{
    raise(signal ? SIGKILL : 0);
}

/* Kills this process after `delay` microseconds if it has the rank `victim`. */
static void arm(char **victim)
{
    if (!victim[0] || !victim[1] || atoi(victim[0]) != rank) return;
    long delay = 1 + atol(victim[1]);
    struct itimerval at = { .it_value = { delay / 1000000, delay % 1000000 } };
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &at, NULL);
}

static MPI_Info patience(void)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "timeout", "30");
    return info;
}

static int serve(const char *file, char **victim)
{
    char port[MPI_MAX_PORT_NAME] = "", temporary[4096];
    MPI_Info info = patience();
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        snprintf(temporary, sizeof temporary, "%s.new", file);
        FILE *to = fopen(temporary, "w");
        fprintf(to, "%s\n", port);
        fclose(to);
        rename(temporary, file);
    }
    /* Nobody is killed before the file is there. */
    MPI_Barrier(MPI_COMM_WORLD);
    for (int word = 0; word != STOP;) {
        MPI_Comm client;
        arm(victim);
        int code = MPI_Comm_accept(port, info, 0, MPI_COMM_WORLD, &client);
        if (code != MPI_SUCCESS) {
            tell("accept", code);
            continue;
        }
        MPI_Comm_set_errhandler(client, MPI_ERRORS_RETURN);
        code = MPI_Recv(&word, 1, MPI_INT, rank, 0, client, MPI_STATUS_IGNORE);
        tell("receive", code);
        if (code == MPI_SUCCESS) MPI_Send(&word, 1, MPI_INT, rank, 0, client);
        MPI_Comm_disconnect(&client);
    }
    MPI_Info_free(&info);
    if (rank == 0) MPI_Close_port(port);
    return 0;
}

static int client(const char *file, int word, char **victim)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm server;
    MPI_Info info = patience();
    FILE *from;
    while (!(from = fopen(file, "r"))) usleep(1000);
    if (fscanf(from, "%1023s", port) != 1) return 1;
    fclose(from);
    arm(victim);
    int code = MPI_Comm_connect(port, info, 0, MPI_COMM_WORLD, &server);
    MPI_Info_free(&info);
    if (code != MPI_SUCCESS) {
        tell("connect", code);
        return 0;
    }
    MPI_Comm_set_errhandler(server, MPI_ERRORS_RETURN);
    code = MPI_Send(&word, 1, MPI_INT, rank, 0, server);
    if (code == MPI_SUCCESS)
        code = MPI_Recv(&word, 1, MPI_INT, rank, 0, server, MPI_STATUS_IGNORE);
    tell("receive", code);
    MPI_Comm_disconnect(&server);
    return 0;
}

static int spawn(char **argv, char **victim)
{
    MPI_Comm children;
    int word, is_victim = strcmp(argv[1], "spawner") == 0;
    char *arguments[] = { "child", is_victim ? "-1" : victim[0], victim[1], NULL };
    if (is_victim) arm(victim);
    int code = MPI_Comm_spawn(argv[0], arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                              MPI_ERRCODES_IGNORE);
    if (code != MPI_SUCCESS) {
        tell("spawn", code);
        return 0;
    }
    MPI_Comm_set_errhandler(children, MPI_ERRORS_RETURN);
    code = MPI_Recv(&word, 1, MPI_INT, rank, 0, children, MPI_STATUS_IGNORE);
    tell("receive", code);
    MPI_Comm_disconnect(&children);
    return 0;
}

static int child(void)
{
    MPI_Comm parent;
    MPI_Comm_get_parent(&parent);
    MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
    MPI_Send(&rank, 1, MPI_INT, rank, 0, parent);
    MPI_Comm_disconnect(&parent);
    return 0;
}

int main(int argc, char **argv)
{
    static char *nobody[] = { NULL, NULL };
    const char *number = getenv("PMI_RANK");
    rank = number ? atoi(number) : 0;
    int is_child = argc > 3 && strcmp(argv[1], "child") == 0;
    if (is_child) arm(argv + 2);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (is_child) {
        int failed = child();
        MPI_Finalize();
        return failed;
    }
    if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
    int spawns = strncmp(argv[1], "spawn", 5) == 0;
    char **victim = spawns ? argv + 2 : argc > 4 ? argv + 3 : nobody;
    int stops = argc == 4 && strcmp(argv[3], "stop") == 0;
    int failed = spawns                          ? spawn(argv, victim)
                 : strcmp(argv[1], "serve") == 0 ? serve(argv[2], victim)
                                                 : client(argv[2], stops ? STOP : CLIENT, victim);
    MPI_Finalize();
    return failed;
}
