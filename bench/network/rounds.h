/* What raw.c, uring.c and pingpong.c exchange: all lengths from 1 B to 4 MiB, each end on a processor of its own. Of some batches the fifth best counts:
 * others disturb, and where processors are simulated two of them come to share a core at times and are twice as fast until they part again. */

#include <sched.h>

enum { BATCHES = 20, LONG_BYTES = 4 << 20 };

static int rounds(int bytes)
{
    return bytes <= 4096 ? 100 : bytes <= 65536 ? 40 : bytes <= 1 << 20 ? 8 : 2;
}

/* Puts a new time among those of the batches before it, the shortest first. */
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

/* This end onto the processor with this number, wherever its launcher has put it. Where there are not so many, it stays as it is. */
static void take_processor(int number)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(number, &one);
    sched_setaffinity(0, sizeof one, &one);
}
