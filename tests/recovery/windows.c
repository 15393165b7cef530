/* windows: a target dies. Accesses to it, and synchronisation with it, tell of that in every kind
 * of epoch and on every flavour of window; nothing waits for it. */
#include "recovery.h"

enum { VICTIM = 2, WORDS = 4096, STEP_S = 20 };
enum { ALLOCATED, CREATED, DYNAMIC, FLAVOURS };

static long memory[WORDS], from[WORDS], into[WORDS];

static void begin(const char *what)
{
    begin_step(what, STEP_S);
}

/* Requires the class of errors about failed processes, of the window `win`. */
static void must_fail(int code)
{
    if (class_of(code) != MPIX_ERR_PROC_FAILED) {
        tell(code);
    }
}

static void must_work(int code)
{
    if (code != MPI_SUCCESS) {
        tell(code);
    }
}

static MPI_Win make(int flavour, MPI_Comm comm, MPI_Aint *displacement)
{
    MPI_Win win;
    void *base;
    *displacement = 0;
    switch (flavour) {
    case ALLOCATED:
        REQUIRE(!MPI_Win_allocate(sizeof memory, sizeof(long), MPI_INFO_NULL, comm, &base, &win));
        break;
    case CREATED:
        REQUIRE(!MPI_Win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, comm, &win));
        break;
    default: {
        MPI_Aint own, all[64];
        REQUIRE(!MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &win));
        REQUIRE(!MPI_Win_attach(win, memory, sizeof memory));
        MPI_Get_address(memory, &own);
        REQUIRE(!MPI_Allgather(&own, 1, MPI_AINT, all, 1, MPI_AINT, comm));
        *displacement = all[VICTIM];
    }
    }
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    return win;
}

/* The code of an access, or of the flush that follows. */
static int flushed(int code, MPI_Win win)
{
    int later = MPI_Win_flush(VICTIM, win);
    return code ? code : later;
}

/* Accesses to the dead target in an epoch of MPI_Win_lock_all. */
static void access_dead(MPI_Win win, MPI_Aint at)
{
    for (int count = 1; count <= WORDS; count *= WORDS) {
        begin("MPI_Put and MPI_Win_flush");
        must_fail(flushed(MPI_Put(from, count, MPI_LONG, VICTIM, at, count, MPI_LONG, win), win));
        begin("MPI_Get and MPI_Win_flush");
        must_fail(flushed(MPI_Get(into, count, MPI_LONG, VICTIM, at, count, MPI_LONG, win), win));
        begin("MPI_Accumulate and MPI_Win_flush");
        must_fail(flushed(MPI_Accumulate(from, count, MPI_LONG, VICTIM, at, count, MPI_LONG,
                                         MPI_SUM, win),
                          win));
        begin("MPI_Get_accumulate and MPI_Win_flush");
        must_fail(flushed(MPI_Get_accumulate(from, count, MPI_LONG, into, count, MPI_LONG, VICTIM,
                                             at, count, MPI_LONG, MPI_SUM, win),
                          win));
        begin("MPI_Rput");
        MPI_Request request = MPI_REQUEST_NULL;
        int code = MPI_Rput(from, count, MPI_LONG, VICTIM, at, count, MPI_LONG, win, &request);
        int later = code ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
        must_fail(flushed(later, win));
    }
    begin("MPI_Fetch_and_op and MPI_Win_flush");
    must_fail(flushed(MPI_Fetch_and_op(from, into, MPI_LONG, VICTIM, at, MPI_SUM, win), win));
    begin("MPI_Compare_and_swap and MPI_Win_flush");
    must_fail(
        flushed(MPI_Compare_and_swap(from, into, into, MPI_LONG, VICTIM, at, win), win));
    begin("MPI_Win_flush_all");
    MPI_Put(from, 1, MPI_LONG, VICTIM, at, 1, MPI_LONG, win);
    must_fail(MPI_Win_flush_all(win));
    begin("MPI_Win_flush_local");
    MPI_Put(from, 1, MPI_LONG, VICTIM, at, 1, MPI_LONG, win);
    MPI_Win_flush_local(VICTIM, win);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    begin("the beginning");
    MPI_Win passive[FLAVOURS], locked[FLAVOURS], fenced[FLAVOURS], posted[FLAVOURS];
    MPI_Aint at[FLAVOURS], unused;
    for (int flavour = 0; flavour < FLAVOURS; flavour++) {
        passive[flavour] = make(flavour, MPI_COMM_WORLD, &at[flavour]);
        locked[flavour] = make(flavour, MPI_COMM_WORLD, &unused);
        fenced[flavour] = make(flavour, MPI_COMM_WORLD, &unused);
        posted[flavour] = make(flavour, MPI_COMM_WORLD, &unused);
        REQUIRE(!MPI_Win_lock_all(0, passive[flavour]));
        REQUIRE(!MPI_Win_fence(0, fenced[flavour]));
    }
    MPI_Group world, victim;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){VICTIM}, &victim);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == VICTIM) {
        raise(SIGKILL);
    }
    await_failures(MPI_COMM_WORLD, 1);
    for (int flavour = 0; flavour < FLAVOURS; flavour++) {
        access_dead(passive[flavour], at[flavour]);
        begin("MPI_Win_unlock_all");
        must_fail(MPI_Win_unlock_all(passive[flavour]));
        for (int exclusive = 0; exclusive < 2; exclusive++) {
            begin("MPI_Win_lock of the dead");
            int type = exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED;
            int code = MPI_Win_lock(type, VICTIM, 0, locked[flavour]);
            must_fail(code ? code : MPI_Win_unlock(VICTIM, locked[flavour]));
        }
        begin("MPI_Win_lock_all");
        int code = MPI_Win_lock_all(0, locked[flavour]);
        must_fail(code ? code : MPI_Win_unlock_all(locked[flavour]));
        begin("MPI_Win_fence");
        must_fail(MPI_Win_fence(0, fenced[flavour]));
        begin("MPI_Win_start and MPI_Win_complete");
        code = MPI_Win_start(victim, 0, posted[flavour]);
        must_fail(code ? code : MPI_Win_complete(posted[flavour]));
        begin("MPI_Win_post and MPI_Win_wait");
        code = MPI_Win_post(victim, 0, posted[flavour]);
        must_fail(code ? code : MPI_Win_wait(posted[flavour]));
        begin("MPI_Win_free");
        MPI_Win_free(&fenced[flavour]);
    }
    begin("the shrunk communicator");
    MPI_Comm fewer;
    must_work(MPIX_Comm_shrink(MPI_COMM_WORLD, &fewer));
    MPI_Comm_set_errhandler(fewer, MPI_ERRORS_RETURN);
    for (int flavour = 0; flavour < FLAVOURS; flavour++) {
        begin("a window of the survivors");
        MPI_Win win = make(flavour == DYNAMIC ? ALLOCATED : flavour, fewer, &unused);
        must_work(MPI_Win_fence(0, win));
        from[0] = rank;
        must_work(MPI_Put(from, 1, MPI_LONG, (rank_in(fewer) + 1) % (size - 1), 0, 1, MPI_LONG,
                          win));
        must_work(MPI_Win_fence(0, win));
        must_work(MPI_Win_free(&win));
    }
    begin("the end");
    if (rank == 0) {
        printf("the others go on\n");
    }
    MPI_Finalize();
    return 0;
}
