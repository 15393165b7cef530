/* A put, a get and a flush need no help of the target if the network reaches memory by itself: they
 * complete while the target's process is stopped (MPI 5.0 §12.5, passive target). So do changes of
 * integers of 8 bytes if the network has atomic operations.
 *
 * Runs where NEMESIS_NETWORKS names verbs, and both processes are on this host. Its device
 * "mock_atomic" has atomic operations.
 *
 * sizes: 2
 * modes: network
 */

#include "rma.h"
#include <signal.h>
#include <unistd.h>

enum { BYTES = 300000, SHORT = 8, SECONDS = 20 };

static volatile pid_t target;

/* Lets the target go on and ends the job: an access has waited for the stopped target. */
static void too_late(int signal)
{
    static const char text[] = "rma_stopped: an access does not complete without the target\n";
    (void)signal;
    kill(target, SIGCONT);
    if (write(2, text, sizeof text - 1) < 0) _exit(2);
    _exit(1);
}

/* Returns the state of the target's process, as in /proc/PID/stat. */
static char state_of_target(void)
{
    char name[64], line[512], *end;
    snprintf(name, sizeof name, "/proc/%d/stat", (int)target);
    FILE *file = fopen(name, "r");
    CHECK(file && fgets(line, sizeof line, file), "%s cannot be read", name);
    fclose(file);
    end = strrchr(line, ')');
    CHECK(end && end[1] == ' ', "%s has another form: %s", name, line);
    return end[2];
}

/* Stops the target once it sleeps, or after two seconds. Processes share a lock of the mock: one
 * that is stopped while it holds the lock stops the device. */
static void stop_target(void)
{
    for (int tries = 0; tries < 20000 && state_of_target() != 'S'; tries++) usleep(100);
    CHECK(kill(target, SIGSTOP) == 0, "process %d cannot be stopped", (int)target);
    while (state_of_target() != 'T') usleep(100);
}

static void access_stopped(const struct window *w, unsigned seed)
{
    static unsigned char out[BYTES], back[BYTES];
    MPI_Request requests[2];
    fill(out, BYTES, seed);
    alarm(SECONDS);
    stop_target();
    OK(MPI_Put(out, SHORT, MPI_BYTE, 1, 0, SHORT, MPI_BYTE, w->win));
    OK(MPI_Put(out + SHORT, BYTES - SHORT, MPI_BYTE, 1, SHORT, BYTES - SHORT, MPI_BYTE, w->win));
    OK(MPI_Win_flush(1, w->win));
    memset(back, 0, BYTES);
    OK(MPI_Get(back, BYTES, MPI_BYTE, 1, 0, BYTES, MPI_BYTE, w->win));
    OK(MPI_Win_flush_local_all(w->win));
    CHECK(first_wrong(back, BYTES, seed) < 0, "MPI_Get returns wrong data at %ld",
          first_wrong(back, BYTES, seed));
    /* Halves, with requests. */
    memset(back, 0, BYTES);
    OK(MPI_Rput(out, BYTES / 2, MPI_BYTE, 1, BYTES / 2, BYTES / 2, MPI_BYTE, w->win, requests));
    OK(MPI_Rget(back, SHORT, MPI_BYTE, 1, 0, SHORT, MPI_BYTE, w->win, requests + 1));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(first_wrong(back, SHORT, seed) < 0, "MPI_Rget returns wrong data");
    OK(MPI_Win_flush_all(w->win));
    CHECK(state_of_target() == 'T', "the target goes on before it is told to");
    CHECK(kill(target, SIGCONT) == 0, "process %d cannot go on", (int)target);
    alarm(0);
}

/* Changes of one word while the target is stopped. */
static void changes_stopped(const struct window *w)
{
    const int64_t start = 7, ten = 10, seventeen = 17, other = 5, zero = 0;
    int64_t before[3];
    OK(MPI_Put(&start, 1, MPI_INT64_T, 1, 0, 1, MPI_INT64_T, w->win));
    OK(MPI_Win_flush(1, w->win));
    alarm(SECONDS);
    stop_target();
    OK(MPI_Accumulate(&ten, 1, MPI_INT64_T, 1, 0, 1, MPI_INT64_T, MPI_SUM, w->win));
    OK(MPI_Compare_and_swap(&other, &seventeen, before, MPI_INT64_T, 1, 0, w->win));
    OK(MPI_Fetch_and_op(&ten, before + 1, MPI_INT64_T, 1, 0, MPI_SUM, w->win));
    OK(MPI_Fetch_and_op(&zero, before + 2, MPI_INT64_T, 1, 0, MPI_NO_OP, w->win));
    OK(MPI_Win_flush(1, w->win));
    CHECK(before[0] == 17 && before[1] == 5 && before[2] == 15, "the words before: %d %d %d",
          (int)before[0], (int)before[1], (int)before[2]);
    CHECK(state_of_target() == 'T', "the target goes on before it is told to");
    CHECK(kill(target, SIGCONT) == 0, "process %d cannot go on", (int)target);
    alarm(0);
}

/* Accesses to more than one window, each at another place. */
static void one_flavour(int flavour, int has_atomics)
{
    struct window w = window(flavour, BYTES);
    unsigned char first = 0;
    memset(w.base, GUARD, BYTES);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, w.win));
    if (rank == 0) {
        /* The first access may have to connect, which the target takes part in. */
        OK(MPI_Get(&first, 1, MPI_BYTE, 1, 0, 1, MPI_BYTE, w.win));
        OK(MPI_Win_flush(1, w.win));
        CHECK(first == GUARD, "MPI_Get returns %d", first);
        if (has_atomics) changes_stopped(&w);
        access_stopped(&w, 5 + flavour);
    }
    OK(MPI_Win_unlock_all(w.win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 1) {
        CHECK(first_wrong(w.base, BYTES / 2, 5 + flavour) < 0 &&
                  first_wrong(w.base + BYTES / 2, BYTES / 2, 5 + flavour) < 0,
              "%s: the window has wrong data", flavour_name[flavour]);
    }
    free_window(&w);
}

int main(int argc, char **argv)
{
    const char *networks = getenv("NEMESIS_NETWORKS");
    int pids[2], own, has_atomics;
    begin(&argc, &argv);
    CHECK(size == 2, "two processes are needed");
    if (!networks || !strstr(networks, "verbs") || possible(SHARED)) return MPI_Finalize();
    own = getpid();
    OK(MPI_Allgather(&own, 1, MPI_INT, pids, 1, MPI_INT, MPI_COMM_WORLD));
    target = pids[1];
    signal(SIGALRM, too_late);
    /* Other processes of the node change private memory under a lock, which no network takes. */
    has_atomics = strstr(networks, "mock_atomic") != NULL;
    one_flavour(CREATED, 0);
    one_flavour(ALLOCATED, has_atomics);
    one_flavour(ALLOC_MEM, has_atomics);
    return MPI_Finalize();
}
