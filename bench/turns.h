/* Turns: programs of several libraries run at the same time, and the program that started them lets
 * one after another measure a batch. So whatever else the machine does affects all libraries alike.
 *
 * NEMESIS_BENCH_TURNS is the path of a socket to which every process of a job connects.
 *
 * A process sends its rank once and sleeps until it receives a byte, when it is its job's turn.
 * Process 0 measures a batch and sends a report, and all processes of the job sleep again. The byte
 * says what becomes of the previous batch. Without the variable a program does not wait for
 * turns. */
#ifndef NEMESIS_BENCH_TURNS_H
#define NEMESIS_BENCH_TURNS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Bits of the byte that starts a turn: the previous batch counts; it was the last one of its
 * figure. */
enum { TURN_COUNTS = 1, TURN_NEXT = 2 };

/* The report of process 0 about its batch. */
struct report {
    /* Seconds of one repetition, and of the whole batch. */
    double seconds, spent;
    /* The distance of the two processes before and after the batch in seconds; 0 if it was not
     * measured. */
    double before, after;
};

/* The socket, or -1 without turns. */
static int turns = -1;

static void connect_turns(int rank)
{
    const char *path = getenv("NEMESIS_BENCH_TURNS");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!path) return;
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    turns = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (turns < 0 || connect(turns, (struct sockaddr *)&address, sizeof address) ||
        write(turns, &rank, sizeof rank) != sizeof rank) {
        perror(path);
        exit(4);
    }
}

/* Sleeps until it is this job's turn, and returns the byte. If the socket is closed, the process
 * exits and its launcher ends the others. */
static int await_turn(void)
{
    unsigned char word;
    if (read(turns, &word, 1) == 1) return word;
    fprintf(stderr, "the program that gives the turns has closed its socket\n");
    exit(5);
}

/* Called by process 0, which then waits for the next turn. */
static void send_report(const struct report *report)
{
    if (write(turns, report, sizeof *report) == sizeof *report) return;
    perror("sending a report");
    exit(5);
}

#endif
