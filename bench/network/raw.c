/* The lower limit for a message between two hosts: the exchange of pingpong.c over a socket,
 * without any library.
 *
 * raw listen PORT: one end.
 * raw HOST PORT: the other end, which prints what pingpong.c prints.
 *
 * A message is a header of 32 bytes and its payload. Short ones are received with one read, by
 * polling. The payload of long ones is read into its buffer and written from it, as much at once as
 * the socket takes. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "connection.h"
#include "rounds.h"

enum { HEADER = 32 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void send_message(int fd, char *payload, size_t bytes)
{
    char header[HEADER] = {0};
    size_t done = 0;
    memcpy(header, &bytes, sizeof bytes);
    while (done < HEADER + bytes) {
        size_t of_header = done < HEADER ? done : HEADER;
        struct iovec parts[2] = {{header + of_header, HEADER - of_header},
                                 {payload + (done - of_header), bytes - (done - of_header)}};
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
        ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN) fail("sendmsg");
        if (sent > 0) done += sent;
    }
}

static void receive_message(int fd, char *payload, size_t bytes)
{
    static char buffer[65536];
    size_t have = 0;
    while (have < HEADER) {
        ssize_t got = read(fd, buffer + have,
                           HEADER + (bytes < sizeof buffer - HEADER ? bytes : 0) - have);
        if (got == 0 || (got < 0 && errno != EAGAIN)) fail("read");
        if (got > 0) have += got;
    }
    memcpy(payload, buffer + HEADER, have - HEADER);
    for (have -= HEADER; have < bytes;) {
        ssize_t got = read(fd, payload + have, bytes - have);
        if (got == 0 || (got < 0 && errno != EAGAIN)) fail("read");
        if (got > 0) have += got;
    }
}

static double exchange(int fd, int first, char *payload, int bytes)
{
    double times[BATCHES];
    int exchanges = rounds(bytes);
    for (int batch = 0; batch < BATCHES; batch++) {
        double start = now();
        for (int round = 0; round < exchanges; round++) {
            if (first) send_message(fd, payload, bytes);
            receive_message(fd, payload, bytes);
            if (!first) send_message(fd, payload, bytes);
        }
        double each = (now() - start) / exchanges / 2;
        keep(times, batch, each);
    }
    return typical(times);
}

int main(int argc, char **argv)
{
    if (argc != 3) return fprintf(stderr, "raw listen PORT, or raw HOST PORT\n"), 2;
    int fd = open_connection(argv[1], argv[2]), first = strcmp(argv[1], "listen") != 0;
    bind_to_processor(first);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    char *payload = calloc(1, LONG_BYTES);
    exchange(fd, first, payload, 8);
    for (int bytes = 1; bytes <= LONG_BYTES; bytes *= 2) {
        double took = exchange(fd, first, payload, bytes);
        if (first) printf("%d %.3f\n", bytes, took * 1e6);
    }
    return 0;
}
