/* What objects leave behind: every kind of object is made and freed some hundred times, by one job
 * and between two jobs, and memory, descriptors, mappings and threads do not grow. The other job is
 * a process of this program without a launcher, which rank 0 starts.
 *
 * sizes: 2
 * modes: default
 * debug: no
 * seconds: 60
 */

#define _GNU_SOURCE
/* AddressSanitizer would keep freed memory for a while, in order to find later uses. */
#define ASAN_MORE ":quarantine_size_mb=0:thread_local_quarantine_size_kb=0"
#include "check.h"
#include "singleton.h"
#include <dirent.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Rounds between two counts, and most counts. */
enum { ROUNDS = 40, PARTS = 5 };

/* Bytes that a part may leave, less than 9 for each round. */
enum { SLACK_BYTES = 360 };

enum { ALLOCATED, DESCRIPTORS, MAPPINGS, THREADS, KINDS };
static const char *const kinds[] = { "bytes allocated", "descriptors", "mappings", "threads" };

static MPI_Comm half;

static long entries(const char *path)
{
    long count = 0;
    DIR *folder = opendir(path);
    CHECK(folder, "%s cannot be read", path);
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

static long lines(const char *path)
{
    long count = 0;
    FILE *file = fopen(path, "r");
    CHECK(file, "%s cannot be read", path);
    for (int character; (character = getc(file)) != EOF;) count += character == '\n';
    fclose(file);
    return count;
}

static void count_all(long counts[KINDS])
{
    struct mallinfo2 info = mallinfo2();
    counts[ALLOCATED] = (long)(info.uordblks + info.hblkhd);
    counts[DESCRIPTORS] = entries("/proc/self/fd");
    counts[MAPPINGS] = lines("/proc/self/maps");
    counts[THREADS] = entries("/proc/self/task");
}

static int copy(MPI_Comm comm, int key, void *extra, void *value, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra;
    *(void **)out = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static void communicators(void)
{
    MPI_Comm made, other;
    int key, periods[] = { 1, 1 }, sides[] = { size, 1 }, neighbour = rank, one = 1;
    OK(MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &made));
    OK(MPI_Comm_set_attr(made, key, &key));
    OK(MPI_Comm_set_name(made, "a communicator with a long name that is kept elsewhere"));
    OK(MPI_Comm_dup(made, &other));
    OK(MPI_Bcast(&one, 1, MPI_INT, 0, other));
    OK(MPI_Sendrecv_replace(&one, 1, MPI_INT, rank, 7, rank, 7, other, MPI_STATUS_IGNORE));
    OK(MPI_Comm_free(&other));
    OK(MPI_Comm_free(&made));
    OK(MPI_Comm_free_keyval(&key));
    OK(MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periods, 1, &made));
    OK(MPI_Comm_free(&made));
    OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &neighbour, MPI_UNWEIGHTED, 1, &neighbour,
                                      MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made));
    OK(MPI_Neighbor_alltoall(&one, 1, MPI_INT, &neighbour, 1, MPI_INT, made));
    OK(MPI_Comm_free(&made));
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made));
    OK(MPI_Comm_free(&made));
}

static void intercommunicators(void)
{
    MPI_Comm inter, merged, twin;
    int one = 1, sum;
    if (size < 2) return;
    OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank, 3, &inter));
    OK(MPI_Comm_dup(inter, &twin));
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, twin));
    OK(MPI_Intercomm_merge(inter, rank, &merged));
    OK(MPI_Barrier(merged));
    OK(MPI_Comm_disconnect(&merged));
    OK(MPI_Comm_free(&twin));
    OK(MPI_Comm_disconnect(&inter));
}

static void sessions(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Info info;
    int count;
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    OK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
    OK(MPI_Session_get_info(session, &info));
    OK(MPI_Info_free(&info));
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    OK(MPI_Comm_create_from_group(group, "object growth", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    OK(MPI_Barrier(comm));
    OK(MPI_Comm_free(&comm));
    OK(MPI_Group_free(&group));
    OK(MPI_Session_finalize(&session));
}

static void windows(void)
{
    MPI_Win win;
    long memory[4] = { 0 }, *own, one = 1;
    void *base;
    for (int way = 0; way < 4; way++) {
        switch (way) {
            case 0:
                OK(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
                break;
            case 1:
                OK(MPI_Win_allocate(4096, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win));
                break;
            case 2:
                OK(MPI_Win_allocate_shared(4096, 1, MPI_INFO_NULL, half, &own, &win));
                break;
            default:
                OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
                OK(MPI_Win_attach(win, memory, sizeof memory));
                OK(MPI_Win_detach(win, memory));
        }
        if (way < 2) {
            OK(MPI_Win_fence(0, win));
            OK(MPI_Accumulate(&one, 1, MPI_LONG, (rank + 1) % size, 0, 1, MPI_LONG, MPI_SUM, win));
            OK(MPI_Win_fence(0, win));
        }
        OK(MPI_Win_free(&win));
    }
    OK(MPI_Alloc_mem(1 << 20, MPI_INFO_NULL, &base));
    OK(MPI_Free_mem(base));
}

static void files(void)
{
    char name[64] = "";
    MPI_File file;
    MPI_Request request;
    int value = rank;
    snprintf(name, sizeof name, "/tmp/object-growth-%d", (int)getpid());
    OK(MPI_Bcast(name, sizeof name, MPI_CHAR, 0, half));
    OK(MPI_File_open(half, name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                     MPI_INFO_NULL, &file));
    OK(MPI_File_set_view(file, 4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_write_at_all(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_iread_at(file, 0, &value, 1, MPI_INT, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_File_write_shared(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_close(&file));
}

static void sum(void *in, void *out, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) ((int *)out)[i] += ((int *)in)[i];
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

static void types(void)
{
    int lengths[] = { 1, 2 }, sides[] = { 4, 4 }, parts[] = { 2, 2 }, begins[] = { 1, 1 };
    MPI_Aint places[] = { 0, 16 };
    MPI_Datatype made[5], members[] = { MPI_INT, MPI_DOUBLE };
    MPI_Op op;
    MPI_Errhandler handler;
    MPI_Info info;
    MPI_Group world, part;
    int ints[16] = { 0 }, result[16], first = 0;
    OK(MPI_Type_create_struct(2, lengths, places, members, &made[0]));
    OK(MPI_Type_vector(3, 1, 2, made[0], &made[1]));
    OK(MPI_Type_create_subarray(2, sides, parts, begins, MPI_ORDER_C, MPI_INT, &made[2]));
    OK(MPI_Type_create_resized(made[2], 0, 256, &made[3]));
    OK(MPI_Type_dup(made[3], &made[4]));
    for (int i = 0; i < 5; i++) OK(MPI_Type_commit(&made[i]));
    OK(MPI_Sendrecv(ints, 1, made[2], rank, 0, result, 4, MPI_INT, rank, 0, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
    for (int i = 0; i < 5; i++) OK(MPI_Type_free(&made[i]));
    OK(MPI_Op_create(sum, 1, &op));
    OK(MPI_Allreduce(ints, result, 16, MPI_INT, op, MPI_COMM_WORLD));
    OK(MPI_Op_free(&op));
    OK(MPI_Comm_create_errhandler(on_error, &handler));
    OK(MPI_Errhandler_free(&handler));
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "a key", "a value that is long enough to be kept elsewhere"));
    OK(MPI_Info_free(&info));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Group_incl(world, 1, &first, &part));
    OK(MPI_Group_free(&part));
    OK(MPI_Group_free(&world));
}

static int nothing(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int no_more(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int no_cancel(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

static void requests(void)
{
    static char room[1 << 16];
    int from = (rank + size - 1) % size, to = (rank + 1) % size, out[8] = { 0 }, in[8], there;
    MPI_Request both[2], one;
    char *detached;
    int bytes;
    OK(MPI_Send_init(out, 8, MPI_INT, to, 1, MPI_COMM_WORLD, &both[0]));
    OK(MPI_Recv_init(in, 8, MPI_INT, from, 1, MPI_COMM_WORLD, &both[1]));
    OK(MPI_Startall(2, both));
    OK(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
    OK(MPI_Request_free(&both[0]));
    OK(MPI_Request_free(&both[1]));
    OK(MPI_Psend_init(out, 2, 4, MPI_INT, to, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &both[0]));
    OK(MPI_Precv_init(in, 2, 4, MPI_INT, from, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &both[1]));
    OK(MPI_Startall(2, both));
    OK(MPI_Pready_range(0, 1, both[0]));
    OK(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
    OK(MPI_Request_free(&both[0]));
    OK(MPI_Request_free(&both[1]));
    OK(MPI_Grequest_start(nothing, no_more, no_cancel, NULL, &one));
    OK(MPI_Grequest_complete(one));
    OK(MPI_Wait(&one, MPI_STATUS_IGNORE));
    OK(MPI_Irecv(in, 8, MPI_INT, from, 99, MPI_COMM_WORLD, &one));
    OK(MPI_Cancel(&one));
    OK(MPI_Wait(&one, MPI_STATUS_IGNORE));
    OK(MPI_Buffer_attach(room, sizeof room));
    OK(MPI_Bsend(out, 8, MPI_INT, to, 3, MPI_COMM_WORLD));
    OK(MPI_Recv(in, 8, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    OK(MPI_Buffer_detach(&detached, &bytes));
    OK(MPI_Allreduce_init(out, in, 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &one));
    OK(MPI_Start(&one));
    OK(MPI_Wait(&one, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&one));
    OK(MPI_Iallgather(out, 1, MPI_INT, in, 1, MPI_INT, half, &one));
    OK(MPI_Wait(&one, MPI_STATUS_IGNORE));
    OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE));
}

static void tools(void)
{
    int provided, count, code;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS, "MPI_T_init_thread");
    CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS, "MPI_T_pvar_session_create");
    code = MPI_T_pvar_handle_alloc(session, 0, NULL, &handle, &count);
    if (code == MPI_SUCCESS) MPI_T_pvar_handle_free(session, &handle);
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS, "MPI_T_pvar_session_free");
    CHECK(MPI_T_finalize() == MPI_SUCCESS, "MPI_T_finalize");
}

static void ports(void)
{
    char port[MPI_MAX_PORT_NAME], name[64];
    MPI_Comm inter;
    snprintf(name, sizeof name, "object growth %d", (int)getpid());
    OK(MPI_Open_port(MPI_INFO_NULL, port));
    OK(MPI_Publish_name(name, MPI_INFO_NULL, port));
    OK(MPI_Lookup_name(name, MPI_INFO_NULL, port));
    OK(MPI_Unpublish_name(name, MPI_INFO_NULL, port));
    OK(MPI_Close_port(port));
    FAILS(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter), MPI_ERR_PORT);
    FAILS(MPI_Comm_spawn("/nonexistent/program", MPI_ARGV_NULL, 0, MPI_INFO_NULL, 0, MPI_COMM_SELF,
                         &inter, MPI_ERRCODES_IGNORE),
          MPI_ERR_ARG);
}

/* Connections with the other job, over a port and over a socket. */
static char port[MPI_MAX_PORT_NAME];
static int is_guest, joint;

static void use(MPI_Comm inter)
{
    int value = 1, sum = 0, own;
    MPI_Comm merged;
    MPI_Comm_rank(inter, &own);
    OK(MPI_Intercomm_merge(inter, is_guest, &merged));
    OK(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, merged));
    OK(MPI_Comm_disconnect(&merged));
    /* As many messages as make the processes share memory, if they may. */
    for (int i = 0; own == 0 && i < 5; i++)
        OK(MPI_Sendrecv_replace(&value, 1, MPI_INT, 0, i, 0, i, inter, MPI_STATUS_IGNORE));
    OK(MPI_Comm_disconnect(&inter));
}

static void connections(void)
{
    MPI_Comm inter;
    if (is_guest) OK(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));
    else OK(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));
    use(inter);
}

static void joins(void)
{
    MPI_Comm inter;
    if (rank > 0) return;
    OK(MPI_Comm_join(joint, &inter));
    use(inter);
}

/* Makes progress, and counts until the counts have not grown or the time is over: what the other
 * process has sent last may still be under way. Returns whether something has grown. */
static int has_grown(const long before[KINDS], long after[KINDS])
{
    int there, grown = 1;
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (double begun = MPI_Wtime(); grown && MPI_Wtime() < begun + 0.5;) {
        OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE));
        count_all(after);
        grown = 0;
        for (int i = 0; i < KINDS; i++) grown |= after[i] > before[i] + (i ? 0 : SLACK_BYTES);
    }
    return grown;
}

/* Makes and frees objects, a number of times and again. What every round leaves makes each of these
 * parts grow; a table that doubles, or a ring that fills, does so in some of them only. `between`:
 * with the other job, which makes as many rounds. */
static void repeat(const char *what, void (*once)(void), int between)
{
    long before[KINDS], after[KINDS];
    int grown = 1, any = 1;
    for (int i = 0; i < ROUNDS; i++) once();
    for (int part = 0; (between || any) && part < PARTS; part++) {
        count_all(before);
        for (int i = 0; i < ROUNDS; i++) once();
        grown = has_grown(before, after) && grown;
        OK(MPI_Allreduce(&grown, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    }
    for (int i = 0; grown && i < KINDS; i++)
        fprintf(stderr, "%s%s: %ld %s after %d rounds, %ld before\n", what,
                is_guest ? ", guest" : "", after[i], kinds[i], ROUNDS, before[i]);
    CHECK(!grown, "%s: every round leaves something", what);
}

/* Connects with another job many times. */
static void host(void)
{
    pid_t other = 0;
    int pair[2] = { -1, -1 }, status;
    if (rank == 0) {
        char self[4096], number[16];
        ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
        self[length < 0 ? 0 : length] = 0;
        OK(MPI_Open_port(MPI_INFO_NULL, port));
        CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "no pair of sockets");
        snprintf(number, sizeof number, "%d", pair[1]);
        char *command[] = { self, port, number, NULL };
        CHECK(posix_spawn(&other, self, NULL, NULL, command, without_launcher()) == 0,
              "no process");
        close(pair[1]);
        joint = pair[0];
    }
    repeat("accept", connections, 1);
    repeat("join", joins, 1);
    if (rank > 0) return;
    waitpid(other, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the other job ends with %d", status);
    OK(MPI_Close_port(port));
    close(joint);
}

/* Messages of many patterns, some before their receive and some after, so that the tables of both
 * have the size at which unused entries are removed. Without that they would grow for some hundred
 * rounds. */
static void fill_tables(void)
{
    enum { PATTERNS = 3000, GO = PATTERNS };
    int sent = 1, got, peer = size > 1 ? 1 - rank : rank;
    MPI_Request first, go;
    for (int tag = 0; tag < PATTERNS; tag++) {
        OK(MPI_Isend(&sent, 1, MPI_INT, peer, tag, MPI_COMM_WORLD, &first));
        OK(MPI_Isend(&sent, 1, MPI_INT, peer, GO, MPI_COMM_WORLD, &go));
        OK(MPI_Recv(&got, 1, MPI_INT, peer, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Recv(&got, 1, MPI_INT, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Wait(&first, MPI_STATUS_IGNORE));
        OK(MPI_Wait(&go, MPI_STATUS_IGNORE));
        OK(MPI_Irecv(&got, 1, MPI_INT, peer, tag, MPI_COMM_WORLD, &first));
        OK(MPI_Isend(&sent, 1, MPI_INT, peer, GO, MPI_COMM_WORLD, &go));
        OK(MPI_Recv(&got, 1, MPI_INT, peer, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Wait(&go, MPI_STATUS_IGNORE));
        OK(MPI_Send(&sent, 1, MPI_INT, peer, tag, MPI_COMM_WORLD));
        OK(MPI_Wait(&first, MPI_STATUS_IGNORE));
    }
}

int main(int argc, char **argv)
{
    /* Without the caches of its threads the allocator counts what is in use. */
    if (!getenv("GLIBC_TUNABLES")) {
        setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1", 1);
        execv("/proc/self/exe", argv);
    }
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    fill_tables();
    if (argc > 2) {
        is_guest = 1;
        joint = atoi(argv[2]);
        snprintf(port, sizeof port, "%s", argv[1]);
        repeat("connect", connections, 1);
        repeat("join", joins, 1);
        return MPI_Finalize();
    }
    OK(MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half));
    repeat("communicators", communicators, 0);
    repeat("intercommunicators", intercommunicators, 0);
    repeat("sessions", sessions, 0);
    repeat("windows", windows, 0);
    repeat("files", files, 0);
    repeat("types", types, 0);
    repeat("requests", requests, 0);
    repeat("tools", tools, 0);
    repeat("ports", ports, 0);
    host();
    OK(MPI_Comm_free(&half));
    return MPI_Finalize();
}
