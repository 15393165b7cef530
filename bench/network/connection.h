/* Connects the two programs of a benchmark: one is called with "listen PORT", the other with "HOST
 * PORT". */

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* Returns a connection without Nagle's algorithm. The connecting side retries for some seconds. */
static int open_connection(const char *host, const char *port)
{
    int listens = strcmp(host, "listen") == 0, on = 1;
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM,
                             .ai_flags = listens ? AI_PASSIVE : 0}, *found;
    if (getaddrinfo(listens ? NULL : host, port, &hints, &found) != 0) fail("getaddrinfo");
    int fd = socket(found->ai_family, found->ai_socktype, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (listens) {
        if (bind(fd, found->ai_addr, found->ai_addrlen) != 0 || listen(fd, 1) != 0) fail("listen");
        fd = accept(fd, NULL, NULL);
    } else {
        for (int tries = 0; connect(fd, found->ai_addr, found->ai_addrlen) != 0; tries++) {
            if (tries == 100) fail("connect");
            usleep(50000);
            close(fd);
            fd = socket(found->ai_family, found->ai_socktype, 0);
        }
    }
    freeaddrinfo(found);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}
