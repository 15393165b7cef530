/* Processes that exchange messages, until something happens to some of them: scripts/test-faults. All write their process numbers to FOLDER.
 *
 *   partner access FOLDER   rank 0 accesses a window of rank 1, which computes, until that fails, and tells how
 *   partner epochs FOLDER   rank 0 waits for epochs of rank 1, which computes, until that fails, and tells how
 *   partner busy FOLDER     rank 0 sends more than any buffer holds to rank 1, which does not look for 15 seconds, and tells when it has them all
 *   partner bodies FOLDER   rank 0 receives messages of ranks 1 to 4, whose bytes stop in the middle, until that fails, and tells how
 */

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUSY_SECONDS = 15, BYTES = 8192, MESSAGES = 4096, LONG_BYTES = 1000000, FULL_SECONDS = 2 };

static const char *folder;

/* This is where something may happen. */
static void introduce(int rank)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/%d", folder, rank);
    FILE *file = fopen(name, "w");
    if (!file || fprintf(file, "%d\n", (int)getpid()) < 0 || fclose(file) != 0) MPI_Abort(MPI_COMM_WORLD, 2);
}

/* What is said of a process that is lost; `code` otherwise. */
static int tell(int failed, int code)
{
    int class = 0, length;
    char text[MPI_MAX_ERROR_STRING];
    if (failed == MPI_SUCCESS) return code;
    MPI_Error_class(failed, &class);
    MPI_Error_string(failed, text, &length);
    printf("class %s: %s\n", class == MPI_ERR_PROC_ABORTED ? "MPI_ERR_PROC_ABORTED" : "of another kind", text);
    fflush(stdout);
    return class == MPI_ERR_PROC_ABORTED ? 0 : 5;
}

static int access_in_vain(int rank)
{
    MPI_Win win;
    long *memory, one = 1, before, failed = MPI_SUCCESS;
    MPI_Win_allocate(sizeof(long), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    introduce(rank);
    if (rank == 1) for (;;) sleep(1);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    while (failed == MPI_SUCCESS) {
        failed = MPI_Fetch_and_op(&one, &before, MPI_LONG, 1, 0, MPI_SUM, win);
        if (failed == MPI_SUCCESS) failed = MPI_Win_flush(1, win);
    }
    int code = tell((int)failed, 3);
    /* What is begun with it later fails at once. */
    if (MPI_Put(&one, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win) == MPI_SUCCESS) return 4;
    _exit(code);
}

static int await_epochs(int rank)
{
    MPI_Win win;
    MPI_Group world, partner;
    int over, other = 1;
    long *memory;
    MPI_Win_allocate(sizeof(long), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    introduce(rank);
    if (rank == 1) for (;;) sleep(1);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &partner);
    if (MPI_Win_post(partner, 0, win) != MPI_SUCCESS) return 4;
    if (tell(MPI_Win_start(partner, 0, win), 3) != 0) return 5;
    if (tell(MPI_Win_wait(win), 3) != 0) return 6;
    /* That epoch is over; the next fails as well. */
    if (MPI_Win_post(partner, 0, win) != MPI_SUCCESS) return 7;
    if (tell(MPI_Win_test(win, &over), 3) != 0) return 8;
    /* Nor does a lock of all keep our own. */
    if (tell(MPI_Win_lock_all(0, win), 3) != 0) return 9;
    if (MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win) != MPI_SUCCESS || MPI_Win_unlock(0, win) != MPI_SUCCESS) return 10;
    if (MPI_Win_post(partner, 0, win) != MPI_SUCCESS) return 11;
    printf("each epoch has ended\n");
    fflush(stdout);
    _exit(0);
}

static int be_busy(int rank)
{
    static char buffer[BYTES];
    introduce(rank);
    for (int number = 0; number < MESSAGES; number++) {
        if (rank == 0) {
            memset(buffer, number, BYTES);
            if (MPI_Send(buffer, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD) != MPI_SUCCESS) return 6;
        } else {
            if (number == 0) sleep(BUSY_SECONDS);
            if (MPI_Recv(buffer, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS) return 7;
            if (buffer[0] != (char)number || buffer[BYTES - 1] != (char)number) return 8;
        }
    }
    if (rank == 1) printf("all %d messages are there\n", MESSAGES);
    return 0;
}

/* The senders' messages do not fit the connections, and nobody helps them on: a receive that was posted, one that came later, a matched probe, and a
 * message that nobody has asked for. */
static int break_off(int rank)
{
    static char memory[4][2 * LONG_BYTES];
    MPI_Request requests[2];
    MPI_Message message;
    MPI_Datatype pairs;
    /* Connections are made while somebody waits. */
    MPI_Barrier(MPI_COMM_WORLD);
    for (int other = 1; other < 5; other++) {
        if (rank == other) MPI_Ssend(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 0) MPI_Recv(NULL, 0, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank > 0) {
        if (rank < 5) MPI_Isend(memory[0], LONG_BYTES, MPI_BYTE, 0, 1, MPI_COMM_WORLD, requests);
        introduce(rank);
        for (;;) sleep(1);
    }
    /* Until the connections are full. */
    sleep(FULL_SECONDS);
    MPI_Type_vector(LONG_BYTES / 2, 2, 4, MPI_BYTE, &pairs);
    MPI_Type_commit(&pairs);
    MPI_Irecv(memory[0], LONG_BYTES, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Probe(2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(memory[1], 1, pairs, 2, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Mprobe(3, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Probe(4, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    introduce(rank);
    if (tell(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), 3) != 0) return 6;
    if (tell(MPI_Wait(&requests[1], MPI_STATUS_IGNORE), 3) != 0) return 7;
    if (tell(MPI_Mrecv(memory[2], LONG_BYTES, MPI_BYTE, &message, MPI_STATUS_IGNORE), 3) != 0) return 8;
    if (tell(MPI_Recv(memory[3], LONG_BYTES, MPI_BYTE, 4, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE), 3) != 0) return 9;
    printf("all four have failed\n");
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    int rank, number = 0;
    /* By this hydra tells survivors of a death. */
    signal(SIGUSR1, SIG_IGN);
    MPI_Init(&argc, &argv);
    if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Sendrecv(&rank, 1, MPI_INT, rank ^ 1, 0, &number, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    folder = argv[2];
    int code = strcmp(argv[1], "busy") == 0     ? be_busy(rank)
               : strcmp(argv[1], "epochs") == 0 ? await_epochs(rank)
               : strcmp(argv[1], "bodies") == 0 ? break_off(rank)
                                                : access_in_vain(rank);
    if (code != 0) MPI_Abort(MPI_COMM_WORLD, code);
    MPI_Finalize();
    return 0;
}
