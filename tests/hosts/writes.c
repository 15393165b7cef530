/* Writes back and forth, each with a small message behind it, as calls.c does it with messages of MPI: the answer has long been there when node 0 looks.
 *
 *   writes ROUNDS BYTES */

#include <rwapi.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static net mine, theirs;

/* Something that nobody else calls, to be found in the list of calls. */
static void mark(void) { prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

static void pause_a_little(void)
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

static void tell(int me, int bytes)
{
    if (rwapi_write(1 - me, mine, theirs, bytes) < 0 || rwapi_send(1 - me, (small){{1, 1}}) < 0) exit(1);
}

int main(int argc, char **argv)
{
    int rounds = argc == 3 ? atoi(argv[1]) : 0, bytes = argc == 3 ? atoi(argv[2]) : 0;
    net its;
    if (rwapi_init(argc, argv) < 0 || !rwapi_alloc(4096, &mine) || !rwapi_alloc(4096, &its)) return 1;
    int me = rwapi_rank();
    rwapi_send(1 - me, (small){{its, 0}});
    theirs = take().words[0];
    for (int round = 0; round < rounds + 3; round++) {
        if (round == 3) mark();
        if (me == 0) tell(me, bytes);
        /* Far longer than the way there and back. */
        if (me == 0) pause_a_little();
        take();
        if (me == 1) tell(me, bytes);
    }
    mark();
    return rwapi_finalize() < 0;
}
