/* Spawned processes (MPI 5.0 §11.7): MPI_Comm_spawn, MPI_Comm_spawn_multiple, MPI_Comm_get_parent,
 * their info keys and error codes, and what is left after many spawns. The program spawns itself;
 * its first argument says what a child does. With CHECK_UNTRACEABLE in the environment no process
 * may be traced.
 *
 * sizes: 1 2 4
 * modes: default network threads
 * seconds: 120 */

#define _GNU_SOURCE
#include "check.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

/* LAZY: descriptors that open at their first use, such as the socket that rings doorbells. */
enum { MANY = 20, CODES = 8, LAZY = 2 };

static char self[4096];
static MPI_Comm parent;

static int descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

static int attribute(int key)
{
    int *value = NULL, found = 0;
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &found));
    return found ? *value : -1;
}

/* Sums over both groups, merges, and sums again. `children` comes last. */
static void use(MPI_Comm inter, int children)
{
    int one = children ? 100 : 1, sum = 0, remote, local, all, place;
    MPI_Comm merged;
    MPI_Comm_size(inter, &local);
    MPI_Comm_remote_size(inter, &remote);
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter));
    CHECK(sum == remote * (children ? 1 : 100), "sum of the other group %d", sum);
    OK(MPI_Intercomm_merge(inter, children, &merged));
    MPI_Comm_size(merged, &all);
    MPI_Comm_rank(merged, &place);
    CHECK(all == local + remote, "%d processes of %d and %d", all, local, remote);
    OK(MPI_Allreduce(&place, &sum, 1, MPI_INT, MPI_SUM, merged));
    CHECK(sum == all * (all - 1) / 2, "sum of ranks %d of %d", sum, all);
    OK(MPI_Comm_disconnect(&merged));
}

/* Mappings of memory that processes share. */
static int shared_mappings(void)
{
    char line[8192];
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps)) count += strstr(line, "/memfd:nemesis") != NULL;
    fclose(maps);
    return count;
}

/* Exchanges messages of many lengths with the other process, each after a short one. The process
 * receives in the first turn or in the second one. Memory that the two share carries short
 * messages, the network may carry longer ones, and none overtakes another. */
static void share(MPI_Comm inter, int receives)
{
    enum { LONGEST = 300000 };
    static unsigned char buffer[LONGEST];
    for (int bytes = 1; bytes <= LONGEST; bytes = bytes * 5 / 4 + 1)
        for (int turn = 0; turn < 2; turn++)
            for (int part = 0; part < 6; part++) {
                int length = part % 2 ? bytes : 4;
                if (turn == receives) {
                    MPI_Status status;
                    OK(MPI_Recv(buffer, LONGEST, MPI_BYTE, 0, MPI_ANY_TAG, inter, &status));
                    CHECK(status.MPI_TAG == part, "message %d arrives as number %d", status.MPI_TAG,
                          part);
                    CHECK(first_wrong(buffer, length, length + part) < 0, "wrong data");
                } else {
                    fill(buffer, length, length + part);
                    OK(MPI_Send(buffer, length, MPI_BYTE, 0, part, inter));
                }
            }
}

/* Returns whether the other process is on this process's host: "localhost" is that of mpiexec. */
static int is_here(MPI_Comm inter)
{
    char own[MPI_MAX_PROCESSOR_NAME] = "", other[MPI_MAX_PROCESSOR_NAME];
    int length;
    OK(MPI_Get_processor_name(own, &length));
    OK(MPI_Sendrecv(own, sizeof own, MPI_CHAR, 0, 99, other, sizeof other, MPI_CHAR, 0, 99, inter,
                    MPI_STATUS_IGNORE));
    return strcmp(own, other) == 0;
}

/* Returns how many of the two processes may open descriptors of the other one. The kernel refuses
 * that between users, for processes that must not be traced, and by security modules. */
static int may_open(MPI_Comm inter)
{
    char path[64], target[4096];
    int own[2] = { (int)getpid(), dup(0) }, other[2], mine, theirs;
    if (own[1] < 0) own[1] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    OK(MPI_Sendrecv(own, 2, MPI_INT, 0, 98, other, 2, MPI_INT, 0, 98, inter, MPI_STATUS_IGNORE));
    snprintf(path, sizeof path, "/proc/%d/fd/%d", other[0], other[1]);
    mine = readlink(path, target, sizeof target) > 0;
    OK(MPI_Sendrecv(&mine, 1, MPI_INT, 0, 97, &theirs, 1, MPI_INT, 0, 97, inter,
                    MPI_STATUS_IGNORE));
    close(own[1]);
    return mine + theirs;
}

/* A process shares memory with one that it has spawned on its host, until both disconnect. Where
 * the kernel refuses that, they exchange messages without it. */
static void shares_memory(void)
{
    char *arguments[] = { "share", NULL };
    const char *shm = getenv("NEMESIS_SHM"), *boxes = getenv("NEMESIS_FASTBOX");
    int off = (shm && strcmp(shm, "off") == 0) || (boxes && strcmp(boxes, "off") == 0), there;
    if (rank > 0) return;
    MPI_Comm inter;
    MPI_Info info;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "host", "localhost"));
    int before = shared_mappings();
    OK(MPI_Comm_spawn(self, arguments, 1, info, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE));
    int permitted = is_here(inter) ? may_open(inter) : 0;
    share(inter, 1);
    int during = shared_mappings();
    CHECK(permitted == 1 || (permitted && !off) == (during > before),
          "%d mappings, %d before; %d of 2 may open the other's descriptors", during, before,
          permitted);
    OK(MPI_Comm_disconnect(&inter));
    while (shared_mappings() > before)
        OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &there, MPI_STATUS_IGNORE));
    OK(MPI_Info_free(&info));
}

static int child(int argc, char **argv)
{
    char name[MPI_MAX_OBJECT_NAME], directory[4096];
    int length;
    OK(MPI_Comm_get_name(parent, name, &length));
    CHECK(strcmp(name, "MPI_COMM_PARENT") == 0, "the parent is called %s", name);
    if (strcmp(argv[1], "use") == 0) use(parent, 1);
    if (strcmp(argv[1], "arguments") == 0) {
        CHECK(argc == 4 && strcmp(argv[2], "") == 0 && strcmp(argv[3], "a b 'c\"") == 0,
              "%d arguments: %s, %s", argc, argv[2], argv[3]);
        CHECK(strcmp(getcwd(directory, sizeof directory), "/") == 0, "directory %s", directory);
        CHECK(getenv("FOO") && strcmp(getenv("FOO"), "bar=baz") == 0, "FOO is %s", getenv("FOO"));
    }
    if (strcmp(argv[1], "multiple") == 0) {
        int number = attribute(MPI_APPNUM);
        CHECK(number == atoi(argv[2]), "program %d instead of %s", number, argv[2]);
        CHECK(number == (rank > 0), "program %d at rank %d", number, rank);
    }
    if (strcmp(argv[1], "share") == 0) {
        if (is_here(parent)) may_open(parent);
        share(parent, 0);
    }
    if (strcmp(argv[1], "grandchild") == 0) {
        char *arguments[] = { "use", NULL };
        MPI_Comm inter;
        OK(MPI_Comm_spawn(self, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter,
                          MPI_ERRCODES_IGNORE));
        use(inter, 0);
        OK(MPI_Comm_disconnect(&inter));
    }
    OK(MPI_Comm_disconnect(&parent));
    OK(MPI_Comm_get_parent(&parent));
    CHECK(parent == MPI_COMM_NULL, "the parent stays after the disconnect");
    MPI_Finalize();
    return 0;
}

/* Spawns `processes` children that do `what`, and returns how many there are. */
static int spawn(const char *what, int processes, MPI_Info info)
{
    char *arguments[] = { (char *)what, "", "a b 'c\"", NULL };
    if (strcmp(what, "arguments") != 0) arguments[1] = NULL;
    int codes[CODES], remote;
    for (int i = 0; i < CODES; i++) codes[i] = -77;
    MPI_Comm inter;
    int root = size - 1;
    OK(MPI_Comm_spawn(rank == root ? self : NULL, arguments, rank == root ? processes : -1, info,
                      root, MPI_COMM_WORLD, &inter, codes));
    MPI_Comm_remote_size(inter, &remote);
    for (int i = 0; i < CODES; i++) {
        int class_ = codes[i];
        if (i < processes && class_ != 0) MPI_Error_class(codes[i], &class_);
        int expected = i < remote ? MPI_SUCCESS : i < processes ? MPI_ERR_SPAWN : -77;
        CHECK(class_ == expected, "code %d is %d, %d is expected", i, class_, expected);
    }
    if (strcmp(what, "use") == 0) use(inter, 0);
    OK(MPI_Comm_disconnect(&inter));
    return remote;
}

static void multiple(void)
{
    char *commands[] = { self, self };
    char *first[] = { "multiple", "0", NULL }, *second[] = { "multiple", "1", NULL };
    char **arguments[] = { first, second };
    int counts[] = { 1, 2 }, codes[3] = { -1, -1, -1 }, remote;
    MPI_Info infos[] = { MPI_INFO_NULL, MPI_INFO_NULL };
    MPI_Comm inter;
    OK(MPI_Comm_spawn_multiple(2, commands, arguments, counts, infos, 0, MPI_COMM_WORLD, &inter,
                               codes));
    MPI_Comm_remote_size(inter, &remote);
    CHECK(remote == 3, "%d processes", remote);
    CHECK(!codes[0] && !codes[1] && !codes[2], "codes %d %d %d", codes[0], codes[1], codes[2]);
    OK(MPI_Comm_disconnect(&inter));
}

/* A spawn that fails gives one class at all processes, and all go on. */
static void failures(void)
{
    MPI_Comm inter;
    MPI_Info info;
    int codes[2] = { 0, 0 }, class_;
    FAILS(MPI_Comm_spawn("/nonexistent/program", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                         &inter, codes),
          MPI_ERR_SPAWN);
    for (int i = 0; i < 2; i++) {
        MPI_Error_class(codes[i], &class_);
        CHECK(class_ == MPI_ERR_SPAWN, "code %d", codes[i]);
    }
    char *none[] = { NULL };
    FAILS(MPI_Comm_spawn("/bin/true", none, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter,
                         MPI_ERRCODES_IGNORE),
          MPI_ERR_SPAWN);
    const char *wrong[][2] = { { "arch", "pdp11" }, { "soft", "5:9" }, { "wdir", "/nonexistent" },
                               { "file", "/nonexistent" }, { "host", "nosuchhost.invalid" } };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        MPI_Info_create(&info);
        MPI_Info_set(info, wrong[i][0], wrong[i][1]);
        FAILS(MPI_Comm_spawn(self, MPI_ARGV_NULL, 2, info, 0, MPI_COMM_WORLD, &inter, codes),
              MPI_ERR_SPAWN);
        MPI_Info_free(&info);
    }
    FAILS(MPI_Comm_spawn(self, MPI_ARGV_NULL, 0, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, codes),
          MPI_ERR_ARG);
    FAILS(MPI_Comm_spawn("", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, codes),
          MPI_ERR_ARG);
    FAILS(MPI_Comm_spawn(self, MPI_ARGV_NULL, 1, MPI_INFO_NULL, size, MPI_COMM_WORLD, &inter,
                         codes),
          MPI_ERR_ROOT);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

static void keys(void)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "wdir", "/");
    MPI_Info_set(info, "env", "FOO=bar=baz");
    MPI_Info_set(info, "nobody_knows", "this key");
    MPI_Info_set(info, "npernode", "4");
    MPI_Info_set(info, "bind_to", "none");
    CHECK(spawn("arguments", 1, info) == 1, "another number");
    MPI_Info_set(info, "soft", "1:2");
    CHECK(spawn("", 3, info) == 2, "not the largest number of the set");
    MPI_Info_free(&info);
    /* PMIx's names of these keys. */
    MPI_Info_create(&info);
    MPI_Info_set(info, "PMIX_WDIR", "/");
    MPI_Info_set(info, "PMIX_ENVAR", "FOO=bar=baz");
    MPI_Info_set(info, "PMIX_MAPBY", "slot");
    CHECK(spawn("arguments", 1, info) == 1, "another number");
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length < 0 ? 0 : length] = 0;
    /* Other processes of the user, without privileges, may then not open this one's descriptors. */
    if (getenv("CHECK_UNTRACEABLE")) prctl(PR_SET_DUMPABLE, 0);
    begin(&argc, &argv);
    OK(MPI_Comm_get_parent(&parent));
    CHECK((parent != MPI_COMM_NULL) == (argc > 1), "%d arguments", argc);
    if (argc > 1) return child(argc, argv);
    int universe = attribute(MPI_UNIVERSE_SIZE);
    CHECK(universe == -1 || universe >= size, "universe %d", universe);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    shares_memory();
    CHECK(spawn("use", 2, MPI_INFO_NULL) == 2, "another number");
    spawn("grandchild", 1, MPI_INFO_NULL);
    multiple();
    keys();
    failures();
    int before = descriptors(), pending;
    for (int i = 0; i < MANY; i++) spawn("", 1, MPI_INFO_NULL);
    /* The last connections close when both sides have said goodbye. */
    for (double begun = MPI_Wtime(); descriptors() > before + LAZY && MPI_Wtime() < begun + 20;)
        OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &pending, MPI_STATUS_IGNORE));
    CHECK(descriptors() <= before + LAZY, "%d descriptors, %d before", descriptors(), before);
    MPI_Finalize();
    return 0;
}
