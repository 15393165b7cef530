/* Ports (MPI 5.0 §11.8): accept and connect within a job and between jobs, published names, join,
 * disconnect, and the errors of all of them. The other job is a process of this program without a
 * launcher, which rank 0 starts.
 *
 * sizes: 1 2 4
 * modes: default network tiny threads
 * seconds: 60 */

#define _GNU_SOURCE
#include "check.h"
#include "singleton.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 3, LONG = 1 << 20 };

/* Exchanges messages of several lengths between the first processes of both groups, in both
 * orders. */
static void exchange(MPI_Comm inter, int first)
{
    static unsigned char buffer[LONG];
    int own;
    MPI_Comm_rank(inter, &own);
    if (own > 0) return;
    for (int bytes = 0; bytes <= LONG; bytes = bytes * 16 + 1) {
        for (int turn = 0; turn < 2; turn++)
            if (turn == first) {
                fill(buffer, bytes, bytes + 1);
                OK(MPI_Send(buffer, bytes, MPI_BYTE, 0, bytes & 7, inter));
            } else {
                MPI_Status status;
                int count;
                memset(buffer, 0, bytes);
                OK(MPI_Recv(buffer, LONG, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, inter, &status));
                MPI_Get_count(&status, MPI_BYTE, &count);
                CHECK(count == bytes && status.MPI_TAG == (bytes & 7) && status.MPI_SOURCE == 0,
                      "%d bytes of %d, tag %d", count, bytes, status.MPI_TAG);
                CHECK(first_wrong(buffer, bytes, bytes + 1) < 0, "wrong data of %d bytes", bytes);
            }
    }
}

/* Uses an intercommunicator, merges it, derives others, and frees everything but itself. */
static void use(MPI_Comm inter, int high)
{
    int own, local, remote, is_inter;
    MPI_Comm_test_inter(inter, &is_inter);
    CHECK(is_inter, "no intercommunicator");
    MPI_Comm_rank(inter, &own);
    MPI_Comm_size(inter, &local);
    MPI_Comm_remote_size(inter, &remote);
    exchange(inter, high);
    int one = high ? 100 : 1, sum = 0;
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter));
    CHECK(sum == remote * (high ? 1 : 100), "sum of the other group %d", sum);
    MPI_Comm merged, twin, part, shared;
    OK(MPI_Intercomm_merge(inter, high, &merged));
    int all, place;
    MPI_Comm_size(merged, &all);
    MPI_Comm_rank(merged, &place);
    CHECK(all == local + remote, "%d processes of %d and %d", all, local, remote);
    CHECK(place == own + (high ? remote : 0), "place %d of %d", place, all);
    OK(MPI_Comm_dup(merged, &twin));
    sum = 0;
    OK(MPI_Allreduce(&place, &sum, 1, MPI_INT, MPI_SUM, twin));
    CHECK(sum == all * (all - 1) / 2, "sum of ranks %d of %d", sum, all);
    OK(MPI_Comm_split(merged, place % 2, -place, &part));
    OK(MPI_Barrier(part));
    OK(MPI_Comm_split_type(merged, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared));
    OK(MPI_Barrier(shared));
    int value = place == all - 1 ? 4711 : 0;
    OK(MPI_Bcast(&value, 1, MPI_INT, all - 1, merged));
    CHECK(value == 4711, "broadcast %d", value);
    OK(MPI_Comm_free(&shared));
    OK(MPI_Comm_free(&part));
    OK(MPI_Comm_disconnect(&twin));
    OK(MPI_Comm_disconnect(&merged));
}

/* The other job: connects several times to the port that its argument names. */
static int guest(const char *port)
{
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm inter;
        OK(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter));
        use(inter, 0);
        OK(MPI_Comm_disconnect(&inter));
        CHECK(inter == MPI_COMM_NULL, "the handle is left");
    }
    MPI_Finalize();
    return 0;
}

static int descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

/* All processes of this job accept the other job, several times. */
static void host(void)
{
    char port[MPI_MAX_PORT_NAME] = "", self[4096];
    pid_t other = 0;
    if (rank == 0) {
        OK(MPI_Open_port(MPI_INFO_NULL, port));
        CHECK(strlen(port) < 256, "the name of the port has %zu bytes", strlen(port));
        ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
        self[length < 0 ? 0 : length] = 0;
        char *command[] = { self, port, NULL };
        CHECK(posix_spawn(&other, self, NULL, NULL, command, without_launcher()) == 0,
              "no process");
    }
    int before = 0;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm inter;
        OK(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));
        use(inter, 1);
        OK(MPI_Comm_disconnect(&inter));
        if (round == 0) before = descriptors();
    }
    CHECK(descriptors() <= before + 1, "%d descriptors, %d before", descriptors(), before);
    if (rank == 0) {
        int status;
        waitpid(other, &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the other job ends with %d", status);
        OK(MPI_Close_port(port));
        MPI_Comm inter;
        FAILS(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter), MPI_ERR_PORT);
        FAILS(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter), MPI_ERR_PORT);
        FAILS(MPI_Close_port(port), MPI_ERR_PORT);
    }
}

/* The two halves of the job connect. Only the roots know the port. */
static void halves(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm half, inter;
    int upper = rank >= size / 2, own, members;
    MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &half);
    MPI_Comm_rank(half, &own);
    MPI_Comm_size(half, &members);
    MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
    if (upper) {
        if (own == members - 1) {
            OK(MPI_Open_port(MPI_INFO_NULL, port));
            OK(MPI_Send(port, sizeof port, MPI_CHAR, 0, 0, MPI_COMM_WORLD));
        }
        OK(MPI_Comm_accept(port, MPI_INFO_NULL, members - 1, half, &inter));
        if (own == members - 1) OK(MPI_Close_port(port));
    } else {
        if (own == 0)
            OK(MPI_Recv(port, sizeof port, MPI_CHAR, size - 1, 0, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE));
        OK(MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &inter));
    }
    use(inter, upper);
    OK(MPI_Comm_disconnect(&inter));
    /* An error of the root is an error of all. */
    FAILS(MPI_Comm_connect("nonsense", MPI_INFO_NULL, 0, half, &inter), MPI_ERR_PORT);
    FAILS(MPI_Comm_accept("nonsense", MPI_INFO_NULL, 0, half, &inter), MPI_ERR_PORT);
    FAILS(MPI_Comm_accept(NULL, MPI_INFO_NULL, 0, half, &inter), MPI_ERR_ARG);
    FAILS(MPI_Comm_connect(NULL, MPI_INFO_NULL, 0, half, &inter), MPI_ERR_ARG);
    FAILS(MPI_Comm_connect("nonsense", MPI_INFO_NULL, members, half, &inter), MPI_ERR_ROOT);
    OK(MPI_Comm_disconnect(&half));
}

/* The first two processes, if they are on one host, join over a socket, which is non-blocking and
 * stays so. */
static void join(void)
{
    if (rank > 1 || size < 2) return;
    char own[MPI_MAX_PROCESSOR_NAME] = "", other[MPI_MAX_PROCESSOR_NAME];
    int bytes;
    MPI_Get_processor_name(own, &bytes);
    OK(MPI_Sendrecv(own, sizeof own, MPI_CHAR, 1 - rank, 2, other, sizeof other, MPI_CHAR, 1 - rank,
                    2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    if (strcmp(own, other) != 0) return;
    int socket_ = socket(AF_INET, SOCK_STREAM, 0), listener = socket_;
    struct sockaddr_in place = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof place;
    if (rank == 0) {
        bind(listener, (struct sockaddr *)&place, length);
        listen(listener, 1);
        getsockname(listener, (struct sockaddr *)&place, &length);
        OK(MPI_Send(&place, sizeof place, MPI_BYTE, 1, 1, MPI_COMM_WORLD));
        socket_ = accept(listener, NULL, NULL);
        close(listener);
    } else {
        OK(MPI_Recv(&place, sizeof place, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(connect(socket_, (struct sockaddr *)&place, length) == 0, "no connection");
    }
    fcntl(socket_, F_SETFL, O_NONBLOCK);
    MPI_Comm inter;
    OK(MPI_Comm_join(socket_, &inter));
    CHECK(inter != MPI_COMM_NULL, "no communicator");
    exchange(inter, rank);
    OK(MPI_Comm_disconnect(&inter));
    CHECK(fcntl(socket_, F_GETFL) & O_NONBLOCK, "the socket has become blocking");
    /* The socket is the program's, and nothing is left unread. */
    char byte = 'x';
    CHECK(write(socket_, &byte, 1) == 1, "the socket is closed");
    fcntl(socket_, F_SETFL, 0);
    CHECK(read(socket_, &byte, 1) == 1 && byte == 'x', "something else was left");
    close(socket_);
}

/* Nothing is written to a descriptor that is no connected stream socket. The other end of a socket
 * may close it, or speak another protocol. */
static void wrong_joints(void)
{
    static const char request[] = "GET / HTTP/1.1\r\n\r\n";
    char name[] = "/tmp/dynamic-ports-XXXXXX";
    int pipe_[2], messages[2], closed[2], other[2], code;
    MPI_Comm inter;
    struct sockaddr_in place = { .sin_family = AF_INET, .sin_port = htons(9) };
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int file = mkstemp(name), udp = socket(AF_INET, SOCK_DGRAM, 0);
    int alone = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(file >= 0 && unlink(name) == 0 && pipe(pipe_) == 0 &&
          socketpair(AF_UNIX, SOCK_SEQPACKET, 0, messages) == 0 &&
          socketpair(AF_UNIX, SOCK_STREAM, 0, closed) == 0 &&
          socketpair(AF_UNIX, SOCK_STREAM, 0, other) == 0 &&
          connect(udp, (struct sockaddr *)&place, sizeof place) == 0, "no descriptors");
    const struct { int descriptor; const char *why; } wrong[] = {
        { -1, "no descriptor" },         { 999, "no descriptor" },
        { file, "else than a socket" },  { pipe_[1], "else than a socket" },
        { udp, "transfers messages" },   { messages[0], "transfers messages" },
        { alone, "not connected" },
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        FAILS(code = MPI_Comm_join(wrong[i].descriptor, &inter), MPI_ERR_ARG);
        CHECK(strstr(error_text(code), wrong[i].why), "descriptor %u: %s", i, error_text(code));
    }
    CHECK(lseek(file, 0, SEEK_END) == 0, "a join has written to a file");
    close(closed[1]);
    FAILS(code = MPI_Comm_join(closed[0], &inter), MPI_ERR_OTHER);
    CHECK(strstr(error_text(code), "the other end"), "%s", error_text(code));
    CHECK(write(other[1], request, sizeof request) == sizeof request, "no request");
    OK(MPI_Comm_join(other[0], &inter));
    CHECK(inter == MPI_COMM_NULL, "a communicator with another protocol");
    const int all[] = { file, pipe_[0], pipe_[1], udp, alone, messages[0], messages[1], closed[0],
                        other[0], other[1] };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) close(all[i]);
}

/* An accept that waits for a limited time. */
static void patient(void)
{
    char port[MPI_MAX_PORT_NAME];
    int code;
    MPI_Comm inter;
    MPI_Info info;
    MPI_Info_create(&info);
    OK(MPI_Open_port(MPI_INFO_NULL, port));
    MPI_Info_set(info, "timeout", "1");
    FAILS(code = MPI_Comm_accept(port, info, 0, MPI_COMM_SELF, &inter), MPI_ERR_PORT);
    CHECK(strstr(error_text(code), "nobody has connected within 1 s"), "%s", error_text(code));
    MPI_Info_set(info, "timeout", "soon");
    FAILS(MPI_Comm_accept(port, info, 0, MPI_COMM_SELF, &inter), MPI_ERR_INFO_VALUE);
    FAILS(MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &inter), MPI_ERR_INFO_VALUE);
    OK(MPI_Close_port(port));
    MPI_Info_free(&info);
}

/* Returns a socket that is bound to a port of an address, or -1. */
static int bound(const char *address, int *port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(*port)};
    socklen_t length = sizeof place;
    int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    inet_pton(AF_INET, address, &place.sin_addr);
    if (bind(socket_, (struct sockaddr *)&place, length) == 0 &&
        getsockname(socket_, (struct sockaddr *)&place, &length) == 0) {
        *port = ntohs(place.sin_port);
        return socket_;
    }
    close(socket_);
    return -1;
}

/* A port at the address and with the number that the info asks for, where nobody accepts. */
static void placed(void)
{
    char port[MPI_MAX_PORT_NAME], other[MPI_MAX_PORT_NAME], text[16];
    static const char *const wrong[][2] = {
        {"ip_port", "0"}, {"ip_port", "70000"}, {"ip_port", "http"}, {"ip_address", "node1"},
        {"ip_address", "0.0.0.0"}, {"ip_address", "::"}};
    int number = 0, elsewhere, free_ = bound("127.0.0.1", &number), code;
    MPI_Comm inter;
    MPI_Info info;
    CHECK(free_ >= 0, "no port of 127.0.0.1 is free");
    close(free_);
    snprintf(text, sizeof text, "%d", number);
    MPI_Info_create(&info);
    MPI_Info_set(info, "ip_address", "127.0.0.1");
    MPI_Info_set(info, "ip_port", text);
    OK(MPI_Open_port(info, port));
    CHECK(bound("127.0.0.1", &number) < 0, "nothing listens at port %d", number);
    elsewhere = bound("127.0.0.2", &number);
    CHECK(elsewhere >= 0, "the port is not at 127.0.0.1 alone");
    close(elsewhere);
    FAILS(MPI_Open_port(info, other), MPI_ERR_OTHER);
    MPI_Info_set(info, "timeout", "1");
    FAILS(code = MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &inter), MPI_ERR_PORT);
    CHECK(strstr(error_text(code), "has not accepted"), "%s", error_text(code));
    OK(MPI_Close_port(port));
    MPI_Info_set(info, "ip_address", "203.0.113.9");
    FAILS(MPI_Open_port(info, port), MPI_ERR_OTHER);
    MPI_Info_free(&info);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        MPI_Info_create(&info);
        MPI_Info_set(info, wrong[i][0], wrong[i][1]);
        FAILS(MPI_Open_port(info, port), MPI_ERR_INFO_VALUE);
        MPI_Info_free(&info);
    }
}

/* Returns the number of sockets of this process that listen. */
static int listeners(void)
{
    int count = 0;
    for (int fd = 0; fd < 1024; fd++) {
        int listens = 0;
        socklen_t length = sizeof listens;
        count += getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens;
    }
    return count;
}

static void names(void)
{
    char name[64], port[MPI_MAX_PORT_NAME], endless[2000];
    MPI_Info user;
    MPI_Info_create(&user);
    MPI_Info_set(user, "nemesis_scope", "user");
    for (int scope = 0; scope < 2; scope++) {
        MPI_Info info = scope ? user : MPI_INFO_NULL;
        snprintf(name, sizeof name, "a name %d of %d, %d", scope, rank, (int)getpid());
        FAILS(MPI_Lookup_name(name, info, port), MPI_ERR_NAME);
        OK(MPI_Publish_name(name, info, "some port"));
        FAILS(MPI_Publish_name(name, info, "some port"), MPI_ERR_SERVICE);
        OK(MPI_Lookup_name(name, MPI_INFO_NULL, port));
        CHECK(strcmp(port, "some port") == 0, "another port: %s", port);
        OK(MPI_Unpublish_name(name, info, "some port"));
        FAILS(MPI_Lookup_name(name, info, port), MPI_ERR_NAME);
        FAILS(MPI_Unpublish_name(name, info, "some port"), MPI_ERR_SERVICE);
    }
    MPI_Info_free(&user);
    memset(endless, 'x', sizeof endless);
    endless[sizeof endless - 1] = 0;
    FAILS(MPI_Publish_name(endless, MPI_INFO_NULL, "some port"), MPI_ERR_SERVICE);
    FAILS(MPI_Lookup_name(endless, MPI_INFO_NULL, port), MPI_ERR_NAME);
    FAILS(MPI_Unpublish_name(endless, MPI_INFO_NULL, "some port"), MPI_ERR_SERVICE);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (argc > 1) return guest(argv[1]);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    names();
    if (rank == 0) {
        placed();
        patient();
        wrong_joints();
    }
    if (size > 1) halves();
    join();
    host();
    /* A port that the program has not closed does not outlive MPI_Finalize. */
    char port[MPI_MAX_PORT_NAME];
    int before = listeners();
    OK(MPI_Open_port(MPI_INFO_NULL, port));
    CHECK(listeners() == before + 1, "%d sockets listen, %d before", listeners(), before);
    MPI_Finalize();
    CHECK(listeners() <= before, "%d sockets listen after the end, %d before", listeners(), before);
    return 0;
}
