/* For programs that start a process without a launcher, which is a job of its own. */
#ifndef SINGLETON_H
#define SINGLETON_H

#include <string.h>

/* The environment without what launchers tell, so that a program is a job of its own. */
static char **without_launcher(void)
{
    static char *kept[4096];
    static const char *const told[] = { "PMI", "MPI_LOCAL", "SLURM", "PRTE", "NEMESIS_SEGMENT_FD" };
    extern char **environ;
    int count = 0;
    for (char **variable = environ; *variable && count < 4095; variable++) {
        int leave = 0;
        for (unsigned i = 0; i < sizeof told / sizeof *told; i++)
            leave |= strncmp(*variable, told[i], strlen(told[i])) == 0;
        if (!leave) kept[count++] = *variable;
    }
    return kept;
}

#endif
