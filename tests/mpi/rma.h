/* Common parts of the RMA tests: windows of every flavour and epochs of every kind. */

#include "check.h"
#include <stdint.h>

enum { CREATED, ALLOCATED, SHARED, NONCONTIGUOUS, DYNAMIC, ALLOC_MEM, FLAVOURS };
enum { FENCE, ACTIVE, LOCK, LOCK_ALL, EPOCHS };

static const char *const flavour_name[] = {"create", "allocate", "shared", "shared, not contiguous",
                                           "dynamic", "create on MPI_Alloc_mem"};
static const char *const epoch_name[] = {"fence", "post-start", "lock", "lock_all"};

struct window {
    MPI_Win win;
    unsigned char *base;
    size_t bytes;
    int flavour;
    /* What is added to a displacement in bytes: 0, or the address of the target's memory in a
     * dynamic window. */
    MPI_Aint *origins;
};

/* Creates a window of `bytes` bytes at every process, with displacement unit 1. */
static struct window window(int flavour, size_t bytes)
{
    struct window w = {.bytes = bytes, .flavour = flavour,
                       .origins = calloc(size, sizeof(MPI_Aint))};
    MPI_Info info;
    switch (flavour) {
    case CREATED:
        w.base = malloc(bytes + 1);
        OK(MPI_Win_create(w.base, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.win));
        break;
    case ALLOC_MEM:
        OK(MPI_Alloc_mem(bytes + 64, MPI_INFO_NULL, &w.base));
        OK(MPI_Win_create(w.base + 64, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.win));
        w.base += 64;
        break;
    case ALLOCATED:
        OK(MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.base, &w.win));
        break;
    case SHARED:
        OK(MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.base, &w.win));
        break;
    case NONCONTIGUOUS:
        OK(MPI_Info_create(&info));
        OK(MPI_Info_set(info, "alloc_shared_noncontig", "true"));
        OK(MPI_Win_allocate_shared(bytes, 1, info, MPI_COMM_WORLD, &w.base, &w.win));
        OK(MPI_Info_free(&info));
        break;
    case DYNAMIC:
        w.base = malloc(bytes + 1);
        OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w.win));
        OK(MPI_Win_attach(w.win, w.base, bytes));
        MPI_Aint address;
        OK(MPI_Get_address(w.base, &address));
        OK(MPI_Allgather(&address, 1, MPI_AINT, w.origins, 1, MPI_AINT, MPI_COMM_WORLD));
        break;
    }
    OK(MPI_Win_set_errhandler(w.win, MPI_ERRORS_RETURN));
    return w;
}

static void free_window(struct window *w)
{
    if (w->flavour == DYNAMIC) OK(MPI_Win_detach(w->win, w->base));
    OK(MPI_Win_free(&w->win));
    CHECK(w->win == MPI_WIN_NULL, "the window is not null after MPI_Win_free");
    if (w->flavour == DYNAMIC || w->flavour == CREATED) free(w->base);
    if (w->flavour == ALLOC_MEM) OK(MPI_Free_mem(w->base - 64));
    free(w->origins);
}

/* Returns whether windows of this flavour can be created: shared windows need all ranks on one
 * node. */
static int possible(int flavour)
{
    static int node_size;
    if (flavour != SHARED && flavour != NONCONTIGUOUS) return 1;
    if (!node_size) {
        MPI_Comm node;
        OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
        OK(MPI_Comm_size(node, &node_size));
        OK(MPI_Comm_free(&node));
        OK(MPI_Allreduce(MPI_IN_PLACE, &node_size, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    }
    return node_size == size;
}

/* An access that must fail, at once or, if it is carried out by the target, at the flush. */
#define REFUSED(call, target, win, class) FAILS(refused_later((call), (target), (win)), class)

static int refused_later(int code, int target, MPI_Win win)
{
    return code == MPI_SUCCESS ? MPI_Win_flush(target, win) : code;
}

static MPI_Aint at(const struct window *w, int target, MPI_Aint disp)
{
    return w->flavour == DYNAMIC ? MPI_Aint_add(w->origins[target], disp) : disp;
}

/* Opens an epoch in which this process accesses `target` and is accessed by `origin`. */
static void open_epoch(const struct window *w, int kind, int target, int origin)
{
    MPI_Group world, one;
    switch (kind) {
    case FENCE:
        OK(MPI_Win_fence(MPI_MODE_NOPRECEDE, w->win));
        break;
    case ACTIVE:
        OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
        OK(MPI_Group_incl(world, 1, &origin, &one));
        OK(MPI_Win_post(one, 0, w->win));
        OK(MPI_Group_free(&one));
        OK(MPI_Group_incl(world, 1, &target, &one));
        OK(MPI_Win_start(one, 0, w->win));
        OK(MPI_Group_free(&one));
        OK(MPI_Group_free(&world));
        break;
    case LOCK:
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, w->win));
        break;
    case LOCK_ALL:
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Win_lock_all(0, w->win));
        break;
    }
}

/* Closes the epoch. When it returns, the accesses of all processes are complete. */
static void close_epoch(const struct window *w, int kind, int target)
{
    switch (kind) {
    case FENCE:
        OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win));
        break;
    case ACTIVE:
        OK(MPI_Win_complete(w->win));
        OK(MPI_Win_wait(w->win));
        break;
    case LOCK:
        OK(MPI_Win_unlock(target, w->win));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        break;
    case LOCK_ALL:
        OK(MPI_Win_unlock_all(w->win));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        break;
    }
}
