/* The pattern of raw.c, uring.c and pingpong.c: all lengths from 1 B to 4 MiB, with each end bound
 * to a processor of its own. The tenth fastest of 40 batches counts: other programs disturb some of
 * them, and two processors of a virtual machine may share a core for a while and are then twice as
 * fast. A batch takes at most two milliseconds, less than a time slice of the kernel: beside other
 * programs, each longer one would lose its processor in the middle. */

#include <sched.h>

enum { BATCHES = 40, LONG_BYTES = 4 << 20 };

static int rounds(int bytes)
{
    return bytes <= 4096 ? 50 : bytes <= 65536 ? 20 : bytes <= 1 << 18 ? 4 : 1;
}

/* Inserts a new time into the sorted times of the previous batches. */
static void keep(double *times, int batch, double time)
{
    int at = batch;
    for (; at > 0 && times[at - 1] > time; at--) times[at] = times[at - 1];
    times[at] = time;
}

static double typical(const double *times)
{
    return times[BATCHES / 4 - 1];
}

/* Binds this process to the processor with this number. Without effect if there is no such
 * processor. */
static void bind_to_processor(int number)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(number, &one);
    sched_setaffinity(0, sizeof one, &one);
}
