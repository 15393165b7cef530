/* Turns: programs of several libraries are under way at the same time, and whoever started them lets one of them measure after the other, a batch each. What
 * the machine does meanwhile, to itself or for others, meets all of them alike.
 *
 *   NEMESIS_BENCH_TURNS   the path of a socket, to which every process of a job connects
 *
 * A process says its rank, once. It then sleeps until it is sent a byte, at its job's turn. Process 0 measures a batch and sends a report, and all of the job
 * sleep again; nothing of them runs in between. The byte says what becomes of the last batch. Without the variable a program has all time for itself.
 */
#ifndef NEMESIS_BENCH_TURNS_H
#define NEMESIS_BENCH_TURNS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The bits of a turn's byte: the last batch counts; it was the last of its figure. */
enum { TURN_COUNTS = 1, TURN_NEXT = 2 };

/* What process 0 says of its batch. */
struct report {
    /* Seconds of one repetition, and of all of the batch. */
    double seconds, spent;
    /* How far the two processes of a job were from each other, before and after it, in seconds; 0 if nobody looked. */
    double before, after;
};

/* Where turns come from; -1 if nobody gives any. */
static int turns = -1;

static void begin_turns(int rank)
{
    const char *path = getenv("NEMESIS_BENCH_TURNS");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!path) return;
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    turns = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (turns < 0 || connect(turns, (struct sockaddr *)&address, sizeof address) || write(turns, &rank, sizeof rank) != sizeof rank) {
        perror(path);
        exit(4);
    }
}

/* Sleeps until it is this job's turn, and returns its byte. Where turns have ended so does the process: its launcher sees to the others. */
static int await_turn(void)
{
    unsigned char word;
    if (read(turns, &word, 1) == 1) return word;
    fprintf(stderr, "whoever gives the turns has gone\n");
    exit(5);
}

/* Process 0, which awaits the next turn then. */
static void tell_report(const struct report *report)
{
    if (write(turns, report, sizeof *report) == sizeof *report) return;
    perror("telling of a batch");
    exit(5);
}

#endif
