/* What the programs share that go on after processes have failed. */
#ifndef RECOVERY_H
#define RECOVERY_H

#include <mpi.h>
#include <mpi-ext.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Ends the job if a condition does not hold. */
#define REQUIRE(holds)                                                                             \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds);                            \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

static inline int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

/* Returns the number of processes of a communicator. */
static inline int size_of(MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    return size;
}

static inline int rank_in(MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

/* Returns whether the error tells of a failed process or a revoked communicator. */
static inline int is_expected(int code)
{
    int class = class_of(code);
    return class == MPIX_ERR_PROC_FAILED || class == MPIX_ERR_PROC_FAILED_PENDING ||
           class == MPIX_ERR_REVOKED;
}

/* What the program does, for messages about it. */
static const char *step = "the start";

/* Tells which step does not end. */
static inline void too_long(int signal)
{
    (void)signal;
    static const char text[] = "wrong: waits for ever in ";
    if (write(2, text, strlen(text)) < 0 || write(2, step, strlen(step)) < 0 ||
        write(2, "\n", 1) < 0) {
        _exit(2);
    }
    _exit(3);
}

/* Begins a step, which may take so many seconds. */
static inline void begin_step(const char *what, unsigned seconds)
{
    step = what;
    signal(SIGALRM, too_long);
    alarm(seconds);
}

/* Tells of an error that the step must not have. */
static inline void tell(int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "wrong: %s: class %d: %s\n", step, class_of(code), text);
}

/* Starts MPI with errors that are returned. */
static inline void start(int *argc, char ***argv)
{
    REQUIRE(MPI_Init(argc, argv) == MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

/* Kills this process so many microseconds from now. */
static inline void die_after(long delay)
{
    timer_t timer;
    struct sigevent by = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    struct itimerspec at = {.it_value = {0, 1000 * delay}};
    REQUIRE(timer_create(CLOCK_MONOTONIC, &by, &timer) == 0);
    REQUIRE(timer_settime(timer, 0, &at, NULL) == 0);
}

/* Waits until a number of processes of a communicator are known to have failed. */
static inline void await_failures(MPI_Comm comm, int failures)
{
    for (int known = 0; known < failures;) {
        MPI_Group failed;
        REQUIRE(MPIX_Comm_get_failed(comm, &failed) == MPI_SUCCESS);
        MPI_Group_size(failed, &known);
        if (failed != MPI_GROUP_EMPTY) {
            MPI_Group_free(&failed);
        }
    }
}

#endif
