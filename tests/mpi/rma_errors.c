/* Errors of RMA calls have the right class and change no memory (MPI 5.0 §12.5, §12.6).
 *
 * modes: default copy network
 */

#include "rma.h"

static void creation(void)
{
    char memory[64];
    void *base;
    MPI_Win win = MPI_WIN_NULL;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    FAILS(MPI_Win_create(memory, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_SIZE);
    FAILS(MPI_Win_create(memory, 64, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_DISP);
    FAILS(MPI_Win_create(NULL, 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_BASE);
    FAILS(MPI_Win_create(memory, 64, 1, MPI_INFO_NULL, MPI_COMM_NULL, &win), MPI_ERR_COMM);
    FAILS(MPI_Win_allocate(-5, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win), MPI_ERR_SIZE);
    FAILS(MPI_Win_allocate_shared(64, -1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win),
          MPI_ERR_DISP);
    /* Rank 0 requests more memory than exists: all ranks get an error and continue. */
    FAILS(MPI_Win_allocate(rank == 0 ? (MPI_Aint)1 << 50 : 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                           &base, &win), rank == 0 ? MPI_ERR_NO_MEM : MPI_ERR_OTHER);
    FAILS(MPI_Win_allocate_shared((MPI_Aint)1 << 50, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win),
          possible(SHARED) ? MPI_ERR_NO_MEM : MPI_ERR_RMA_SHARED);
    CHECK(win == MPI_WIN_NULL, "a failed creation writes the handle");
    FAILS(MPI_Win_free(&win), MPI_ERR_WIN);
    FAILS(MPI_Win_fence(0, MPI_WIN_NULL), MPI_ERR_WIN);
    FAILS(MPI_Put(memory, 1, MPI_BYTE, 0, 0, 1, MPI_BYTE, MPI_WIN_NULL), MPI_ERR_WIN);
    FAILS(MPI_Win_flush(0, (MPI_Win)MPI_COMM_WORLD), MPI_ERR_WIN);
}

/* Calls in the wrong order. */
static void order(const struct window *w)
{
    int32_t value = 0, result;
    int flag;
    MPI_Request request;
    MPI_Group group;
    OK(MPI_Win_get_group(w->win, &group));
    FAILS(MPI_Put(&value, 1, MPI_INT32_T, rank, at(w, rank, 0), 1, MPI_INT32_T, w->win),
          MPI_ERR_RMA_SYNC);
    FAILS(MPI_Get(&value, 1, MPI_INT32_T, rank, at(w, rank, 0), 1, MPI_INT32_T, w->win),
          MPI_ERR_RMA_SYNC);
    FAILS(MPI_Rput(&value, 1, MPI_INT32_T, rank, at(w, rank, 0), 1, MPI_INT32_T, w->win, &request),
          MPI_ERR_RMA_SYNC);
    FAILS(MPI_Accumulate(&value, 1, MPI_INT32_T, rank, at(w, rank, 0), 1, MPI_INT32_T, MPI_SUM,
                         w->win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Fetch_and_op(&value, &result, MPI_INT32_T, rank, at(w, rank, 0), MPI_SUM, w->win),
          MPI_ERR_RMA_SYNC);
    FAILS(MPI_Compare_and_swap(&value, &value, &result, MPI_INT32_T, rank, at(w, rank, 0), w->win),
          MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_unlock(rank, w->win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_unlock_all(w->win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_flush(rank, w->win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_flush_local_all(w->win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_complete(w->win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_wait(w->win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_test(w->win, &flag), MPI_ERR_RMA_SYNC);
    OK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, w->win));
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, w->win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_lock_all(0, w->win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_fence(0, w->win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_start(group, 0, w->win), MPI_ERR_RMA_SYNC);
    if (size > 1)
        FAILS(MPI_Put(&value, 1, MPI_INT32_T, (rank + 1) % size, at(w, (rank + 1) % size, 0), 1,
                      MPI_INT32_T, w->win), MPI_ERR_RMA_SYNC);
    MPI_Win copy = w->win;
    FAILS(MPI_Win_free(&copy), MPI_ERR_RMA_SYNC);
    OK(MPI_Win_unlock(rank, w->win));
    OK(MPI_Win_fence(0, w->win));
    OK(MPI_Put(&value, 1, MPI_INT32_T, rank, at(w, rank, 0), 1, MPI_INT32_T, w->win));
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, w->win), MPI_ERR_RMA_SYNC);
    OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win));
    FAILS(MPI_Put(&value, 1, MPI_INT32_T, rank, at(w, rank, 0), 1, MPI_INT32_T, w->win),
          MPI_ERR_RMA_SYNC);
    OK(MPI_Group_free(&group));
}

/* Invalid arguments. */
static void arguments(const struct window *w)
{
    int32_t value = 0, result = 0, four[4];
    MPI_Datatype mixed, open, types[2] = {MPI_INT, MPI_DOUBLE};
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, 8};
    OK(MPI_Type_create_struct(2, lengths, places, types, &mixed));
    OK(MPI_Type_commit(&mixed));
    OK(MPI_Type_contiguous(2, MPI_INT, &open));
    FAILS(MPI_Win_lock(7, 0, 0, w->win), MPI_ERR_LOCKTYPE);
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, size, 0, w->win), MPI_ERR_RANK);
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOSTORE, w->win), MPI_ERR_ASSERT);
    FAILS(MPI_Win_fence(MPI_MODE_NOCHECK, w->win), MPI_ERR_ASSERT);
    FAILS(MPI_Win_post(MPI_GROUP_NULL, 0, w->win), MPI_ERR_GROUP);
    OK(MPI_Win_lock_all(0, w->win));
    MPI_Aint disp = at(w, rank, 0), end = at(w, rank, (MPI_Aint)w->bytes);
    FAILS(MPI_Put(&value, -1, MPI_INT32_T, rank, disp, 1, MPI_INT32_T, w->win), MPI_ERR_COUNT);
    FAILS(MPI_Put(&value, 1, MPI_INT32_T, rank, disp, -1, MPI_INT32_T, w->win), MPI_ERR_COUNT);
    FAILS(MPI_Put(NULL, 1, MPI_INT32_T, rank, disp, 1, MPI_INT32_T, w->win), MPI_ERR_BUFFER);
    FAILS(MPI_Put(&value, 1, MPI_DATATYPE_NULL, rank, disp, 1, MPI_INT32_T, w->win), MPI_ERR_TYPE);
    FAILS(MPI_Put(&value, 1, MPI_INT32_T, rank, disp, 1, open, w->win), MPI_ERR_TYPE);
    FAILS(MPI_Put(four, 4, MPI_INT32_T, rank, disp, 1, MPI_INT32_T, w->win), MPI_ERR_TYPE);
    FAILS(MPI_Put(&value, 1, MPI_INT32_T, size, disp, 1, MPI_INT32_T, w->win), MPI_ERR_RANK);
    FAILS(MPI_Put(&value, 1, MPI_INT32_T, -7, disp, 1, MPI_INT32_T, w->win), MPI_ERR_RANK);
    FAILS(MPI_Put(&value, 1, MPI_INT32_T, rank, end - 3, 1, MPI_INT32_T, w->win),
          MPI_ERR_RMA_RANGE);
    FAILS(MPI_Put(&value, 1, MPI_INT32_T, rank, end, 1, MPI_INT32_T, w->win), MPI_ERR_RMA_RANGE);
    int next = (rank + 1) % size;
    REFUSED(MPI_Get(&value, 1, MPI_INT32_T, next, at(w, next, (MPI_Aint)w->bytes - 3), 1,
                    MPI_INT32_T, w->win), next, w->win, MPI_ERR_RMA_RANGE);
    REFUSED(MPI_Put(&value, 1, MPI_INT32_T, next, at(w, next, (MPI_Aint)w->bytes - 3), 1,
                    MPI_INT32_T, w->win), next, w->win, MPI_ERR_RMA_RANGE);
    REFUSED(MPI_Accumulate(&value, 1, MPI_INT32_T, next, at(w, next, -2), 1, MPI_INT32_T, MPI_SUM,
                           w->win), next, w->win,
            w->flavour == DYNAMIC ? MPI_ERR_RMA_RANGE : MPI_ERR_DISP);
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_Rget(&value, 1, MPI_INT32_T, next, at(w, next, (MPI_Aint)w->bytes - 3), 1,
                        MPI_INT32_T, w->win, &request);
    if (code == MPI_SUCCESS) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    FAILS(code, MPI_ERR_RMA_RANGE);
    OK(MPI_Win_flush_all(w->win));
    FAILS(MPI_Get(&value, 1, MPI_INT32_T, rank, (MPI_Aint)1 << 62, 1, MPI_INT32_T, w->win),
          MPI_ERR_RMA_RANGE);
    FAILS(MPI_Fetch_and_op(&value, &result, MPI_INT32_T, rank, end - 2, MPI_SUM, w->win),
          MPI_ERR_RMA_RANGE);
    FAILS(MPI_Get(&value, 1, MPI_INT32_T, rank, -4, 1, MPI_INT32_T, w->win),
          w->flavour == DYNAMIC ? MPI_ERR_RMA_RANGE : MPI_ERR_DISP);
    FAILS(MPI_Accumulate(&value, 1, mixed, rank, disp, 1, mixed, MPI_SUM, w->win), MPI_ERR_TYPE);
    FAILS(MPI_Accumulate(&value, 1, MPI_INT32_T, rank, disp, 1, MPI_INT32_T, MPI_MINLOC, w->win),
          MPI_ERR_OP);
    FAILS(MPI_Accumulate(&value, 1, MPI_INT32_T, rank, disp, 1, MPI_INT32_T, MPI_OP_NULL, w->win),
          MPI_ERR_OP);
    FAILS(MPI_Fetch_and_op(&value, &result, open, rank, disp, MPI_SUM, w->win), MPI_ERR_TYPE);
    FAILS(MPI_Compare_and_swap(&value, &value, &result, MPI_FLOAT, rank, disp, w->win),
          MPI_ERR_TYPE);
    FAILS(MPI_Rput(&value, 1, MPI_INT32_T, rank, disp, 1, MPI_INT32_T, w->win, NULL), MPI_ERR_ARG);
    OK(MPI_Win_unlock_all(w->win));
    if (w->flavour != DYNAMIC) {
        FAILS(MPI_Win_attach(w->win, four, sizeof four), MPI_ERR_RMA_FLAVOR);
        FAILS(MPI_Win_detach(w->win, four), MPI_ERR_RMA_FLAVOR);
    }
    OK(MPI_Type_free(&mixed));
    OK(MPI_Type_free(&open));
}

/* An access that its target refuses is reported when that target is synchronised, here by
 * MPI_Win_unlock, and not by MPI_Win_lock of another target, which succeeds. */
static void refusals_and_locks(const struct window *w)
{
    int32_t value = 0;
    int next = (rank + 1) % size, other = (rank + 2) % size;
    MPI_Request request;
    if (size < 3) return;
    OK(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, w->win));
    int code = MPI_Put(&value, 1, MPI_INT32_T, next, at(w, next, (MPI_Aint)w->bytes - 3), 1,
                       MPI_INT32_T, w->win);
    /* When this access completes, the refusal of the previous one has arrived. */
    OK(MPI_Rget(&value, 1, MPI_INT32_T, next, at(w, next, 0), 1, MPI_INT32_T, w->win, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, other, 0, w->win));
    OK(MPI_Get(&value, 1, MPI_INT32_T, other, at(w, other, 0), 1, MPI_INT32_T, w->win));
    FAILS(code == MPI_SUCCESS ? MPI_Win_unlock(next, w->win) : code, MPI_ERR_RMA_RANGE);
    if (code != MPI_SUCCESS) OK(MPI_Win_unlock(next, w->win));
    OK(MPI_Win_unlock(other, w->win));
    /* No lock is left held. */
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, w->win));
    OK(MPI_Win_unlock(other, w->win));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    creation();
    for (int flavour = 0; flavour < FLAVOURS; flavour++) {
        if (!possible(flavour)) continue;
        struct window w = window(flavour, 4096);
        order(&w);
        arguments(&w);
        refusals_and_locks(&w);
        free_window(&w);
    }
    return MPI_Finalize();
}
