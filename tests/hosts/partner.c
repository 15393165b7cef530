/* Processes that exchange messages until some of them are killed or their connection is cut. Used
 * by scripts/jobs faults. Each process writes its process ID to FOLDER/RANK.
 *
 * partner access FOLDER: rank 0 accesses a window of rank 1, which makes no MPI call, until the
 * access fails, and prints the error.
 * partner epochs FOLDER: rank 0 waits for epochs of rank 1, which makes no MPI call, until that
 * fails, and prints the error.
 * partner busy FOLDER: rank 0 sends more than any buffer holds to rank 1, which makes no MPI call
 * for 15 seconds and then receives all messages.
 * partner bulk FOLDER: rank 0 receives messages of ranks 1 to 4, which stop in the middle of their
 * payload, until that fails, and prints the errors. Then it receives the message that rank 5 has
 * announced before it was lost. */

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUSY_SECONDS = 15, BYTES = 8192, MESSAGES = 4096, LONG_BYTES = 1000000, FULL_SECONDS = 2 };

static const char *folder;

/* Writes the process ID. From now on the test script may kill the process or cut its connection. */
static void write_pid(int rank)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/%d", folder, rank);
    FILE *file = fopen(name, "w");
    if (!file || fprintf(file, "%d\n", (int)getpid()) < 0 || fclose(file) != 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
}

/* Prints the error. Returns 0 if a process is lost, 5 for another error, and `code` if there is
 * none. */
static int print_error(int failed, int code)
{
    int class = 0, length;
    char text[MPI_MAX_ERROR_STRING];
    if (failed == MPI_SUCCESS) return code;
    MPI_Error_class(failed, &class);
    MPI_Error_string(failed, text, &length);
    printf("class %s: %s\n", class == MPI_ERR_PROC_ABORTED ? "MPI_ERR_PROC_ABORTED" : "other",
           text);
    fflush(stdout);
    return class == MPI_ERR_PROC_ABORTED ? 0 : 5;
}

static int access_until_lost(int rank)
{
    MPI_Win win;
    long *memory, one = 1, before, failed = MPI_SUCCESS;
    MPI_Win_allocate(sizeof(long), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    write_pid(rank);
    if (rank == 1) for (;;) sleep(1);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    while (failed == MPI_SUCCESS) {
        failed = MPI_Fetch_and_op(&one, &before, MPI_LONG, 1, 0, MPI_SUM, win);
        if (failed == MPI_SUCCESS) failed = MPI_Win_flush(1, win);
    }
    int code = print_error((int)failed, 3);
    /* An access that is started later fails at once. */
    if (MPI_Put(&one, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win) == MPI_SUCCESS) return 4;
    _exit(code);
}

static int wait_for_epochs(int rank)
{
    MPI_Win win;
    MPI_Group world, partner;
    int over, other = 1;
    long *memory;
    MPI_Win_allocate(sizeof(long), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    write_pid(rank);
    if (rank == 1) for (;;) sleep(1);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &partner);
    if (MPI_Win_post(partner, 0, win) != MPI_SUCCESS) return 4;
    if (print_error(MPI_Win_start(partner, 0, win), 3) != 0) return 5;
    if (print_error(MPI_Win_wait(win), 3) != 0) return 6;
    /* The epoch is closed. The next one fails, too. */
    if (MPI_Win_post(partner, 0, win) != MPI_SUCCESS) return 7;
    if (print_error(MPI_Win_test(win, &over), 3) != 0) return 8;
    /* After a failed MPI_Win_lock_all the process's own window can still be locked. */
    if (print_error(MPI_Win_lock_all(0, win), 3) != 0) return 9;
    if (MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win) != MPI_SUCCESS ||
        MPI_Win_unlock(0, win) != MPI_SUCCESS)
        return 10;
    if (MPI_Win_post(partner, 0, win) != MPI_SUCCESS) return 11;
    printf("each epoch has ended\n");
    fflush(stdout);
    _exit(0);
}

static int be_busy(int rank)
{
    static char buffer[BYTES];
    write_pid(rank);
    for (int number = 0; number < MESSAGES; number++) {
        if (rank == 0) {
            memset(buffer, number, BYTES);
            if (MPI_Send(buffer, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD) != MPI_SUCCESS) return 6;
        } else {
            if (number == 0) sleep(BUSY_SECONDS);
            if (MPI_Recv(buffer, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE) != MPI_SUCCESS)
                return 7;
            if (buffer[0] != (char)number || buffer[BYTES - 1] != (char)number) return 8;
        }
    }
    if (rank == 1) printf("all %d messages are there\n", MESSAGES);
    return 0;
}

/* The messages are longer than the connections' buffers hold, and their senders make no further MPI
 * call. Rank 0 receives one with a posted receive, one with a later receive, one with a matched
 * probe, and one that is unexpected. */
static int stop_in_payload(int rank)
{
    static char memory[4][2 * LONG_BYTES];
    int flag;
    MPI_Request requests[2];
    MPI_Message message;
    MPI_Datatype pairs;
    /* Connections are established while both sides are in MPI calls. */
    MPI_Barrier(MPI_COMM_WORLD);
    for (int other = 1; other < 5; other++) {
        if (rank == other) MPI_Ssend(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 0) MPI_Recv(NULL, 0, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank > 0) {
        if (rank < 5) MPI_Isend(memory[0], LONG_BYTES, MPI_BYTE, 0, 1, MPI_COMM_WORLD, requests);
        else MPI_Issend(memory[0], LONG_BYTES, MPI_BYTE, 0, 1, MPI_COMM_WORLD, requests);
        write_pid(rank);
        for (;;) sleep(1);
    }
    /* Until the buffers of the connections are full. */
    sleep(FULL_SECONDS);
    MPI_Type_vector(LONG_BYTES / 2, 2, 4, MPI_BYTE, &pairs);
    MPI_Type_commit(&pairs);
    MPI_Irecv(memory[0], LONG_BYTES, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Probe(2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(memory[1], 1, pairs, 2, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Mprobe(3, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Probe(4, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Probe(5, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    write_pid(rank);
    if (print_error(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), 3) != 0) return 6;
    if (print_error(MPI_Wait(&requests[1], MPI_STATUS_IGNORE), 3) != 0) return 7;
    if (print_error(MPI_Mrecv(memory[2], LONG_BYTES, MPI_BYTE, &message, MPI_STATUS_IGNORE),
                    3) != 0)
        return 8;
    if (print_error(MPI_Recv(memory[3], LONG_BYTES, MPI_BYTE, 4, 1, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE), 3) != 0)
        return 9;
    while (MPI_Iprobe(5, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    if (print_error(MPI_Recv(memory[3], LONG_BYTES, MPI_BYTE, 5, 1, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE), 3) != 0)
        return 10;
    printf("all five have failed\n");
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    int rank, number = 0;
    /* Hydra sends SIGUSR1 to the surviving processes when one has died. */
    signal(SIGUSR1, SIG_IGN);
    MPI_Init(&argc, &argv);
    if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Sendrecv(&rank, 1, MPI_INT, rank ^ 1, 0, &number, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    folder = argv[2];
    int code = strcmp(argv[1], "busy") == 0     ? be_busy(rank)
               : strcmp(argv[1], "epochs") == 0 ? wait_for_epochs(rank)
               : strcmp(argv[1], "bulk") == 0   ? stop_in_payload(rank)
                                                : access_until_lost(rank);
    if (code != 0) MPI_Abort(MPI_COMM_WORLD, code);
    MPI_Finalize();
    return 0;
}
