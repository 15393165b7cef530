/* Right programs: the checks must find nothing. */
#include "cases.h"
#include <unistd.h>

static int data[4096], other[4096];

/* All ranks but 0 send to rank 0, which completes by each kind of call. */
static void completions(int kind, int unused)
{
    (void)unused;
    MPI_Request request[8];
    int flag = 0, index, count = 0, indices[8];
    if (rank > 0) {
        MPI_Isend(data, 10, MPI_INT, 0, rank, WORLD, &request[0]);
        MPI_Wait(&request[0], IGNORE);
        return;
    }
    for (int i = 1; i < size; i++)
        MPI_Irecv(other + 10 * i, 10, MPI_INT, i, i, WORLD, &request[i - 1]);
    switch (kind) {
    case 0: MPI_Waitall(size - 1, request, MPI_STATUSES_IGNORE); break;
    case 1:
        for (int i = 1; i < size; i++)
            MPI_Waitany(size - 1, request, &index, IGNORE);
        break;
    case 2:
        for (int done = 0; done < size - 1; done += count)
            MPI_Waitsome(size - 1, request, &count, indices, MPI_STATUSES_IGNORE);
        break;
    case 3:
        while (!flag)
            MPI_Testall(size - 1, request, &flag, MPI_STATUSES_IGNORE);
        break;
    case 4:
        for (int done = 0; done < size - 1; done += flag)
            MPI_Testany(size - 1, request, &index, &flag, IGNORE);
        break;
    case 5:
        for (int done = 0; done < size - 1; done += count) {
            count = 0;
            MPI_Testsome(size - 1, request, &count, indices, MPI_STATUSES_IGNORE);
        }
        break;
    default:
        for (int i = 0; i < size - 1; i++)
            for (flag = 0; !flag;)
                MPI_Test(&request[i], &flag, IGNORE);
    }
}

static void ring(int kind, int count)
{
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Request request[2];
    switch (kind) {
    case 0:
        MPI_Sendrecv(data, count, MPI_INT, next, 1, other, count, MPI_INT, previous, 1, WORLD,
                     IGNORE);
        break;
    case 1:
        MPI_Irecv(other, count, MPI_INT, previous, 1, WORLD, &request[0]);
        MPI_Send(data, count, MPI_INT, next, 1, WORLD);
        MPI_Wait(&request[0], IGNORE);
        break;
    case 2:
        MPI_Isend(data, count, MPI_INT, next, 1, WORLD, &request[0]);
        MPI_Recv(other, count, MPI_INT, previous, 1, WORLD, IGNORE);
        MPI_Wait(&request[0], IGNORE);
        break;
    case 3:
        MPI_Sendrecv_replace(data, count, MPI_INT, next, 1, previous, 1, WORLD, IGNORE);
        break;
    case 4:
        MPI_Isendrecv(data, count, MPI_INT, next, 1, other, count, MPI_INT, previous, 1, WORLD,
                      request);
        MPI_Wait(request, IGNORE);
        break;
    case 5:
        MPI_Isendrecv_replace(data, count, MPI_INT, next, 1, previous, 1, WORLD, request);
        MPI_Wait(request, IGNORE);
        break;
    default:
        MPI_Recv_init(other, count, MPI_INT, previous, 1, WORLD, &request[0]);
        MPI_Send_init(data, count, MPI_INT, next, 1, WORLD, &request[1]);
        for (int i = 0; i < 5; i++) {
            MPI_Startall(2, request);
            MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
            memset(data, i, sizeof(int) * count);
        }
        MPI_Request_free(&request[0]);
        MPI_Request_free(&request[1]);
    }
}

/* Rank 0 sends one message in a way that is easily taken for wrong. */
static void ways(int kind, int unused)
{
    (void)unused;
    static char space[4096];
    MPI_Request request;
    MPI_Message message;
    void *address;
    int bytes, position = 0, flag = 0;
    if (rank == 0) {
        switch (kind) {
        case 0:
            MPI_Isend(data, 10, MPI_INT, 1, 1, WORLD, &request);
            MPI_Request_free(&request);
            break;
        case 1:
            MPI_Buffer_attach(space, sizeof(space));
            MPI_Bsend(data, 10, MPI_INT, 1, 1, WORLD);
            memset(data, 1, sizeof(data));
            MPI_Buffer_detach(&address, &bytes);
            break;
        case 2:
            MPI_Pack(data, 10, MPI_INT, other, sizeof(other), &position, WORLD);
            MPI_Send(other, position, MPI_PACKED, 1, 1, WORLD);
            break;
        case 3:
            MPI_Ssend(data, 10, MPI_INT, 1, 1, WORLD);
            MPI_Send(data, 10, MPI_INT, MPI_PROC_NULL, 1, WORLD);
            break;
        default: MPI_Send(data, 10, MPI_INT, 1, 1, WORLD);
        }
    } else {
        switch (kind) {
        case 4:
            MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, IGNORE);
            MPI_Recv(other, 100, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, IGNORE);
            break;
        case 5:
            MPI_Mprobe(0, 1, WORLD, &message, IGNORE);
            MPI_Imrecv(other, 10, MPI_INT, &message, &request);
            MPI_Wait(&request, IGNORE);
            break;
        case 6:
            while (!flag)
                MPI_Iprobe(0, MPI_ANY_TAG, WORLD, &flag, IGNORE);
            MPI_Recv(other, 10, MPI_INT, 0, 1, WORLD, IGNORE);
            break;
        case 7:
            MPI_Irecv(other, 1, MPI_INT, 0, 9, WORLD, &request);
            MPI_Cancel(&request);
            MPI_Wait(&request, IGNORE);
            MPI_Irecv(other, 1, MPI_INT, 0, 9, WORLD, &request);
            MPI_Cancel(&request);
            MPI_Request_free(&request);
            /* fall through */
        default: MPI_Recv(other, 10, MPI_INT, 0, 1, WORLD, IGNORE);
        }
    }
}

/* Several operations share memory where they may. */
static void sharing(int kind, int unused)
{
    (void)unused;
    MPI_Request request[3];
    MPI_Datatype column;
    MPI_Type_vector(5, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0) {
        for (int i = 0; i < 3; i++)
            MPI_Isend(data, 5, MPI_INT, 1, i, WORLD, &request[i]);
    } else {
        for (int i = 0; i < 3; i++) {
            if (kind == 0)
                MPI_Irecv(other + i, 1, column, 0, i, WORLD, &request[i]);
            else
                MPI_Irecv(other + 5 * i, 5, MPI_INT, 0, i, WORLD, &request[i]);
        }
    }
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    MPI_Type_free(&column);
}

static void collectives(int kind, int unused)
{
    (void)unused;
    MPI_Request request;
    MPI_Comm world;
    switch (kind) {
    case 0: MPI_Barrier(WORLD); break;
    case 1: MPI_Bcast(data, 100, MPI_INT, size - 1, WORLD); break;
    case 2: MPI_Reduce(data, other, 100, MPI_INT, MPI_SUM, 0, WORLD); break;
    case 3: MPI_Allreduce(MPI_IN_PLACE, data, 100, MPI_INT, MPI_MAX, WORLD); break;
    case 4: MPI_Alltoall(data, 10, MPI_INT, other, 10, MPI_INT, WORLD); break;
    case 5: MPI_Allgather(data, 100, MPI_INT, other, 100, MPI_INT, WORLD); break;
    case 6: MPI_Scan(data, other, 10, MPI_INT, MPI_SUM, WORLD); break;
    case 7:
        MPI_Ibarrier(WORLD, &request);
        MPI_Wait(&request, IGNORE);
        break;
    case 8:
        MPI_Iallreduce(data, other, 100, MPI_INT, MPI_SUM, WORLD, &request);
        MPI_Wait(&request, IGNORE);
        break;
    case 9:
        MPI_Ialltoall(data, 10, MPI_INT, other, 10, MPI_INT, WORLD, &request);
        MPI_Wait(&request, IGNORE);
        break;
    case 10:
        MPI_Bcast_init(data, 100, MPI_INT, 0, WORLD, MPI_INFO_NULL, &request);
        for (int i = 0; i < 3; i++) {
            MPI_Start(&request);
            MPI_Wait(&request, IGNORE);
        }
        MPI_Request_free(&request);
        break;
    default:
        MPI_Comm_dup(WORLD, &world);
        MPI_Reduce_scatter_block(data, other, 10, MPI_INT, MPI_SUM, world);
        MPI_Comm_free(&world);
    }
}

static void add(void *in, void *out, int *count, MPI_Datatype *datatype)
{
    (void)datatype;
    for (int i = 0; i < *count; i++)
        ((int *)out)[i] += ((int *)in)[i];
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

static void freed(int kind, int unused)
{
    (void)unused;
    static int memory[16];
    MPI_Comm comm, apart;
    MPI_Group group, part;
    MPI_Datatype type, whole;
    MPI_Info info;
    MPI_Op op;
    MPI_Errhandler errhandler;
    MPI_Win win;
    MPI_File file;
    MPI_Request request;
    void *base;
    int zero = 0, dims[1] = {size}, keyval;
    switch (kind) {
    case 0:
        MPI_Comm_split(WORLD, rank % 2, rank, &comm);
        MPI_Comm_free(&comm);
        break;
    case 1:
        MPI_Cart_create(WORLD, 1, dims, &zero, 0, &comm);
        MPI_Comm_disconnect(&comm);
        break;
    case 2:
        MPI_Comm_split(WORLD, rank > 0, rank, &apart);
        MPI_Intercomm_create(apart, 0, WORLD, rank > 0 ? 0 : 1, 3, &comm);
        MPI_Comm_free(&apart);
        MPI_Comm_free(&comm);
        break;
    case 3:
        MPI_Comm_group(WORLD, &group);
        MPI_Group_incl(group, 1, &zero, &part);
        MPI_Group_free(&group);
        MPI_Group_free(&part);
        break;
    case 4:
        MPI_Type_vector(2, 1, 3, MPI_INT, &type);
        MPI_Type_contiguous(2, type, &whole);
        MPI_Type_free(&type);
        MPI_Type_commit(&whole);
        MPI_Type_free(&whole);
        break;
    case 5:
        MPI_Info_create(&info);
        MPI_Comm_set_info(WORLD, info);
        MPI_Info_free(&info);
        break;
    case 6:
        MPI_Op_create(add, 1, &op);
        MPI_Allreduce(data, other, 10, MPI_INT, op, WORLD);
        MPI_Op_free(&op);
        break;
    case 7:
        MPI_Comm_create_errhandler(handle, &errhandler);
        MPI_Comm_set_errhandler(WORLD, errhandler);
        MPI_Errhandler_free(&errhandler);
        break;
    case 8:
        MPI_Comm_get_errhandler(WORLD, &errhandler);
        MPI_Errhandler_free(&errhandler);
        break;
    case 9:
        MPI_Win_create(memory, sizeof(memory), 4, MPI_INFO_NULL, WORLD, &win);
        MPI_Win_fence(0, win);
        MPI_Put(data, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
        MPI_Win_free(&win);
        break;
    case 10:
        MPI_Win_allocate(64, 4, MPI_INFO_NULL, WORLD, &base, &win);
        MPI_Win_lock_all(0, win);
        MPI_Get(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush_all(win);
        MPI_Win_unlock_all(win);
        MPI_Win_free(&win);
        break;
    case 11:
        MPI_File_open(WORLD, "closed", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &file);
        MPI_File_write_at_all(file, 40 * rank, data, 10, MPI_INT, IGNORE);
        MPI_File_close(&file);
        break;
    case 12:
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, keyval, data);
        MPI_Comm_free_keyval(&keyval);
        break;
    case 13:
        MPI_Comm_idup(WORLD, &comm, &request);
        MPI_Wait(&request, IGNORE);
        MPI_Comm_free(&comm);
        break;
    case 14:
        MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
        MPI_Win_allocate_shared(64, 4, MPI_INFO_NULL, comm, &base, &win);
        MPI_Win_free(&win);
        MPI_Comm_free(&comm);
        break;
    default:
        MPI_Comm_get_parent(&comm);
        MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
    }
}

static MPI_Session session;
static MPI_Comm of_session;

static void end_session(void)
{
    MPI_Comm_free(&of_session);
    MPI_Session_finalize(&session);
}

/* A session that ends after MPI_Finalize, with a communicator. */
static void session_outlives(int unused, int unused2)
{
    (void)unused, (void)unused2;
    MPI_Group group;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "outlives", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                               &of_session);
    MPI_Group_free(&group);
    atexit(end_session);
}

/* More accesses to the shared pointer of a file than the log of a window holds. */
static void shared_pointer(int writes, int unused)
{
    (void)unused;
    MPI_File file;
    MPI_File_open(WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    for (int i = 0; i < writes; i++)
        MPI_File_write_shared(file, data, 1, MPI_INT, IGNORE);
    MPI_File_close(&file);
}

/* Rank 0 takes long. */
static void add_slowly(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    if (rank == 0)
        usleep(600000);
    for (int i = 0; i < *count; i++)
        ((double *)inout)[i] += ((double *)in)[i];
}

/* Rank 2 waits for rank 0, which computes, and asks it whether both are in one operation. Rank 0
 * takes that question from its queue when it has done its part, together with what it waits for in
 * MPI_Finalize. */
static void asked_late(int unused, int unused_too)
{
    (void)unused, (void)unused_too;
    double value = 1, sum;
    MPI_Op op;
    MPI_Op_create(add_slowly, 1, &op);
    MPI_Reduce(&value, &sum, 1, MPI_DOUBLE, op, 2, WORLD);
    MPI_Op_free(&op);
    if (rank == 0)
        usleep(600000);
}

const struct test_case right[] = {
    {"right_waitall", 4, "", completions, 0, 0},
    {"right_waitany", 4, "", completions, 1, 0},
    {"right_waitsome", 4, "", completions, 2, 0},
    {"right_testall", 4, "", completions, 3, 0},
    {"right_testany", 4, "", completions, 4, 0},
    {"right_testsome", 4, "", completions, 5, 0},
    {"right_test", 4, "", completions, 6, 0},
    {"right_ring_sendrecv", 3, "", ring, 0, 10},
    {"right_ring_sendrecv_long", 3, "", ring, 0, 4096},
    {"right_ring_irecv", 3, "", ring, 1, 10},
    {"right_ring_irecv_long", 3, "", ring, 1, 4096},
    {"right_ring_isend", 3, "", ring, 2, 10},
    {"right_ring_isend_long", 3, "", ring, 2, 4096},
    {"right_ring_replace", 3, "", ring, 3, 10},
    {"right_ring_isendrecv", 3, "", ring, 4, 10},
    {"right_ring_isendrecv_long", 3, "", ring, 4, 4096},
    {"right_ring_isendrecv_replace", 3, "", ring, 5, 10},
    {"right_ring_persistent", 3, "", ring, 6, 10},
    {"right_ring_persistent_long", 3, "", ring, 6, 4096},
    {"right_ring_empty", 3, "", ring, 0, 0},
    {"right_ring_isend_empty", 3, "", ring, 2, 0},
    {"right_self_sendrecv", 1, "", ring, 0, 10},
    {"right_self_isend", 1, "", ring, 2, 10},
    {"right_self_persistent", 1, "", ring, 6, 10},
    {"right_request_freed", 2, "", ways, 0, 0},
    {"right_bsend", 2, "", ways, 1, 0},
    {"right_packed", 2, "", ways, 2, 0},
    {"right_proc_null", 2, "", ways, 3, 0},
    {"right_probe", 2, "", ways, 4, 0},
    {"right_mprobe", 2, "", ways, 5, 0},
    {"right_iprobe", 2, "", ways, 6, 0},
    {"right_cancel", 2, "", ways, 7, 0},
    {"right_columns", 2, "", sharing, 0, 0},
    {"right_neighbours", 2, "", sharing, 1, 0},
    {"right_barrier", 3, "", collectives, 0, 0},
    {"right_bcast", 3, "", collectives, 1, 0},
    {"right_reduce", 3, "", collectives, 2, 0},
    {"right_allreduce", 3, "", collectives, 3, 0},
    {"right_alltoall", 3, "", collectives, 4, 0},
    {"right_allgather", 3, "", collectives, 5, 0},
    {"right_scan", 3, "", collectives, 6, 0},
    {"right_ibarrier", 3, "", collectives, 7, 0},
    {"right_iallreduce", 3, "", collectives, 8, 0},
    {"right_ialltoall", 3, "", collectives, 9, 0},
    {"right_bcast_init", 3, "", collectives, 10, 0},
    {"right_reduce_scatter", 3, "", collectives, 11, 0},
    {"right_split", 3, "", freed, 0, 0},
    {"right_cart", 3, "", freed, 1, 0},
    {"right_inter", 3, "", freed, 2, 0},
    {"right_group", 3, "", freed, 3, 0},
    {"right_type", 2, "", freed, 4, 0},
    {"right_info", 2, "", freed, 5, 0},
    {"right_op", 2, "", freed, 6, 0},
    {"right_errhandler", 2, "", freed, 7, 0},
    {"right_errhandler_got", 2, "", freed, 8, 0},
    {"right_win_create", 2, "", freed, 9, 0},
    {"right_win_allocate", 2, "", freed, 10, 0},
    {"right_file", 2, "", freed, 11, 0},
    {"right_keyval", 2, "", freed, 12, 0},
    {"right_idup", 2, "", freed, 13, 0},
    {"right_win_shared", 2, "", freed, 14, 0},
    {"right_session", 2, "", session_outlives, 0, 0},
    {"right_shared_pointer", 2, "", shared_pointer, 4000, 0},
    {"right_parent", 2, "", freed, 15, 0},
    {"right_asked_late", 4, "", asked_late, 0, 0},
    {0}};
