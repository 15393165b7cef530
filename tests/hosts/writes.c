/* writes ROUNDS BYTES: remote writes in both directions, each followed by a small message, as
 * calls.c does with MPI messages. The answer has long arrived when node 0 receives it. */

#include <rwapi.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static net mine, theirs;

/* A system call that nothing else makes, to find this place in the trace. */
static void mark(void) { prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

static void pause_shortly(void)
{
    struct timespec time = {.tv_nsec = 5000000};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

static small take(void)
{
    node from;
    small message;
    while (rwapi_receive(&from, &message) != 1) continue;
    return message;
}

static void write_and_notify(int me, int bytes)
{
    if (rwapi_write(1 - me, mine, theirs, bytes) < 0 || rwapi_send(1 - me, (small){{1, 1}}) < 0)
        exit(1);
}

int main(int argc, char **argv)
{
    int rounds = argc == 3 ? atoi(argv[1]) : 0, bytes = argc == 3 ? atoi(argv[2]) : 0;
    net own;
    if (rwapi_init(argc, argv) < 0 || !rwapi_alloc(4096, &mine) || !rwapi_alloc(4096, &own))
        return 1;
    int me = rwapi_rank();
    rwapi_send(1 - me, (small){{own, 0}});
    theirs = take().words[0];
    for (int round = 0; round < rounds + 3; round++) {
        if (round == 3) mark();
        if (me == 0) write_and_notify(me, bytes);
        /* Much longer than a round trip. */
        if (me == 0) pause_shortly();
        take();
        if (me == 1) write_and_notify(me, bytes);
    }
    mark();
    return rwapi_finalize() < 0;
}
