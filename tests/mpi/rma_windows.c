/* Window objects: attributes, names, groups, info hints and error handlers; direct access to shared
 * memory; attached and detached memory (MPI 5.0 §12.2, §7.7, §7.8).
 *
 * modes: default copy network threads
 */

#include "rma.h"

static int deleted, handled;

static int on_delete(MPI_Win win, int key, void *value, void *extra)
{
    (void)win, (void)key;
    CHECK(value == &deleted && extra == &handled, "the delete function gets wrong pointers");
    deleted++;
    return MPI_SUCCESS;
}

static void on_error(MPI_Win *win, int *code, ...)
{
    (void)win;
    int class;
    MPI_Error_class(*code, &class);
    handled = class;
}

static void attributes(const struct window *w)
{
    static const int flavours[] = {MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_ALLOCATE,
                                   MPI_WIN_FLAVOR_SHARED, MPI_WIN_FLAVOR_SHARED,
                                    MPI_WIN_FLAVOR_DYNAMIC, MPI_WIN_FLAVOR_CREATE};
    void *base;
    MPI_Aint *bytes;
    int *number, flag;
    OK(MPI_Win_get_attr(w->win, MPI_WIN_BASE, &base, &flag));
    CHECK(flag && base == (w->flavour == DYNAMIC ? MPI_BOTTOM : w->base), "MPI_WIN_BASE is %p",
          base);
    OK(MPI_Win_get_attr(w->win, MPI_WIN_SIZE, &bytes, &flag));
    CHECK(flag && *bytes == (w->flavour == DYNAMIC ? 0 : (MPI_Aint)w->bytes), "MPI_WIN_SIZE is %ld",
          (long)*bytes);
    OK(MPI_Win_get_attr(w->win, MPI_WIN_DISP_UNIT, &number, &flag));
    CHECK(flag && *number == 1, "MPI_WIN_DISP_UNIT is %d", *number);
    OK(MPI_Win_get_attr(w->win, MPI_WIN_CREATE_FLAVOR, &number, &flag));
    CHECK(flag && *number == flavours[w->flavour], "MPI_WIN_CREATE_FLAVOR is %d", *number);
    OK(MPI_Win_get_attr(w->win, MPI_WIN_MODEL, &number, &flag));
    CHECK(flag && *number == MPI_WIN_UNIFIED, "MPI_WIN_MODEL is %d", *number);
    FAILS(MPI_Win_set_attr(w->win, MPI_WIN_SIZE, &flag), MPI_ERR_KEYVAL);
    int key;
    OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_delete, &key, &handled));
    OK(MPI_Win_get_attr(w->win, key, &base, &flag));
    CHECK(!flag, "an attribute exists before it is set");
    OK(MPI_Win_set_attr(w->win, key, &deleted));
    OK(MPI_Win_get_attr(w->win, key, &base, &flag));
    CHECK(flag && base == &deleted, "a wrong value is returned");
    deleted = 0;
    OK(MPI_Win_delete_attr(w->win, key));
    CHECK(deleted == 1, "the delete function ran %d times", deleted);
    /* The attribute is deleted when the window is freed. */
    OK(MPI_Win_set_attr(w->win, key, &deleted));
    OK(MPI_Win_free_keyval(&key));
    CHECK(key == MPI_KEYVAL_INVALID, "the key is not invalid");
}

static void names(const struct window *w)
{
    char name[MPI_MAX_OBJECT_NAME], value[32];
    int length, flag, same;
    OK(MPI_Win_get_name(w->win, name, &length));
    CHECK(length == 0 && name[0] == 0, "a new window is called %s", name);
    OK(MPI_Win_set_name(w->win, "the window"));
    OK(MPI_Win_get_name(w->win, name, &length));
    CHECK(length == 10 && strcmp(name, "the window") == 0, "the window is called %s", name);
    MPI_Group world, group;
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Win_get_group(w->win, &group));
    OK(MPI_Group_compare(world, group, &same));
    CHECK(same == MPI_IDENT, "the group differs");
    OK(MPI_Group_free(&world));
    OK(MPI_Group_free(&group));
    MPI_Info info;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "no_locks", "false"));
    OK(MPI_Info_set(info, "accumulate_ops", "same_op"));
    OK(MPI_Info_set(info, "unknown_hint", "1"));
    OK(MPI_Win_set_info(w->win, info));
    OK(MPI_Info_free(&info));
    OK(MPI_Win_get_info(w->win, &info));
    static const char *const expected[][2] = {
        {"no_locks", "false"},
        {"accumulate_ops", "same_op"},
        {"accumulate_ordering", "rar,raw,war,waw"},
        {"same_size", "false"},
        {"same_disp_unit", "false"},
        {"mpi_accumulate_granularity", "0"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        OK(MPI_Info_get(info, expected[i][0], sizeof value - 1, value, &flag));
        CHECK(flag && strcmp(value, expected[i][1]) == 0, "%s is %s", expected[i][0],
              flag ? value : "missing");
    }
    OK(MPI_Info_get(info, "unknown_hint", sizeof value - 1, value, &flag));
    CHECK(!flag, "an unknown hint is returned");
    OK(MPI_Info_free(&info));
}

static void handlers(const struct window *w)
{
    MPI_Errhandler mine, seen;
    OK(MPI_Win_create_errhandler(on_error, &mine));
    OK(MPI_Win_set_errhandler(w->win, mine));
    OK(MPI_Win_get_errhandler(w->win, &seen));
    CHECK(seen == mine, "a wrong handler is returned");
    OK(MPI_Errhandler_free(&seen));
    FAILS(MPI_Put(NULL, 0, MPI_BYTE, size, 0, 0, MPI_BYTE, w->win), MPI_ERR_RANK);
    CHECK(handled == MPI_ERR_RANK, "the handler was called with class %d", handled);
    OK(MPI_Win_call_errhandler(w->win, MPI_ERR_OTHER));
    CHECK(handled == MPI_ERR_OTHER, "the handler was called with class %d", handled);
    OK(MPI_Win_set_errhandler(w->win, MPI_ERRORS_RETURN));
    OK(MPI_Errhandler_free(&mine));
}

/* All processes write directly into each other's memory. */
static void query(const struct window *w)
{
    MPI_Aint bytes;
    int unit;
    unsigned char *there;
    if (w->flavour == DYNAMIC) {
        FAILS(MPI_Win_shared_query(w->win, 0, &bytes, &unit, &there), MPI_ERR_RMA_FLAVOR);
        return;
    }
    OK(MPI_Win_shared_query(w->win, rank, &bytes, &unit, &there));
    CHECK(there == w->base && bytes == (MPI_Aint)w->bytes && unit == 1,
          "our own memory is %ld bytes at %p", (long)bytes, (void *)there);
    if (w->flavour == CREATED) return;
    memset(w->base, 0, w->bytes);
    OK(MPI_Win_fence(0, w->win));
    unsigned char *before = NULL;
    int reached = 0, reachers = 0;
    for (int target = 0; target < size; target++) {
        OK(MPI_Win_shared_query(w->win, target, &bytes, &unit, &there));
        if (bytes == 0 && w->flavour != SHARED && w->flavour != NONCONTIGUOUS) continue;
        CHECK(bytes == (MPI_Aint)w->bytes, "rank %d has %ld bytes", target, (long)bytes);
        reached++;
        there[rank] = (unsigned char)(rank + 1);
        if (w->flavour == SHARED && before)
            CHECK(there == before + w->bytes, "rank %d does not follow its neighbour", target);
        before = there;
    }
    OK(MPI_Win_fence(0, w->win));
    /* The processes that share memory with this one. */
    for (int origin = 0; origin < size; origin++) {
        CHECK(w->base[origin] == 0 || w->base[origin] == origin + 1, "rank %d has written %d",
              origin, w->base[origin]);
        reachers += w->base[origin] != 0;
    }
    CHECK(reached == reachers && w->base[rank] == rank + 1 &&
          (reached == size || !possible(SHARED)), "%d processes are reachable, %d have written",
          reached, reachers);
    OK(MPI_Win_fence(0, w->win));
}

/* Parts of different sizes and displacement units, some of them empty. */
static void shapes(void)
{
    MPI_Aint bytes = rank % 2 ? 8 * (rank + 1) : 0, seen;
    int unit = rank % 2 ? 8 : 1, theirs;
    void *base, *first, *other;
    MPI_Win win;
    if (possible(SHARED)) {
        OK(MPI_Win_allocate_shared(bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
        OK(MPI_Win_shared_query(win, MPI_PROC_NULL, &seen, &theirs, &first));
        if (size > 1) {
            OK(MPI_Win_shared_query(win, 1, &bytes, &unit, &other));
            CHECK(first == other && seen == 16 && theirs == 8,
                  "the first that is not empty has %ld bytes of unit %d", (long)seen, theirs);
        } else {
            CHECK(seen == 0, "an empty rank has %ld bytes", (long)seen);
        }
        OK(MPI_Win_free(&win));
    } else {
        OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
        FAILS(MPI_Win_allocate_shared(bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win),
              MPI_ERR_RMA_SHARED);
        OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    }
    /* The displacement unit is that of the target. */
    int64_t value = 500 + rank, *mine;
    OK(MPI_Win_allocate_c(8 * (rank + 2), rank + 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win));
    OK(MPI_Win_fence(0, win));
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    /* Eight bytes at displacement eight, in units of rank + 1 bytes. */
    OK(MPI_Put(&value, 1, MPI_INT64_T, next, 8, 1, MPI_INT64_T, win));
    OK(MPI_Win_fence(0, win));
    CHECK(mine[rank + 1] == 500 + previous, "%ld arrived", (long)mine[rank + 1]);
    OK(MPI_Win_free(&win));
    /* A window without memory. */
    OK(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    OK(MPI_Win_fence(0, win));
    OK(MPI_Put(&value, 0, MPI_INT64_T, next, 0, 0, MPI_INT64_T, win));
    OK(MPI_Win_fence(0, win));
    OK(MPI_Win_free(&win));
    OK(MPI_Win_allocate(0, 1, MPI_INFO_NULL, MPI_COMM_SELF, &base, &win));
    OK(MPI_Win_free(&win));
    /* Large windows cost only the memory that is touched, and release it. */
    for (int i = 0; i < 20; i++) {
        char *large;
        OK(MPI_Win_allocate((MPI_Aint)2 << 30, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &large, &win));
        OK(MPI_Win_fence(0, win));
        OK(MPI_Put(&value, 8, MPI_BYTE, next, ((MPI_Aint)2 << 30) - 8, 8, MPI_BYTE, win));
        OK(MPI_Win_fence(0, win));
        CHECK(*(int64_t *)(large + ((MPI_Aint)2 << 30) - 8) == 500 + previous,
              "the end of a large window is wrong");
        CHECK(large[1 << 20] == 0, "a new window is not zero");
        memset(large + (1 << 20), 1, 1 << 20);
        OK(MPI_Win_free(&win));
    }
}

/* Many regions are attached and detached. Detached regions cannot be accessed. */
static void regions(void)
{
    enum { REGIONS = 600, ROUNDS = 3 };
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Win win;
    static int32_t memory[REGIONS][4];
    MPI_Aint base, theirs;
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    OK(MPI_Get_address(memory, &base));
    OK(MPI_Sendrecv(&base, 1, MPI_AINT, previous, 0, &theirs, 1, MPI_AINT, next, 0, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
    for (int round = 0; round < ROUNDS; round++) {
        /* Every other region, so that no two of them are adjacent. */
        for (int i = 0; i < REGIONS; i += 2) OK(MPI_Win_attach(win, memory[i], sizeof memory[i]));
        OK(MPI_Win_attach(win, NULL, 0));
        FAILS(MPI_Win_attach(win, &memory[2][1], 4), MPI_ERR_RMA_ATTACH);
        FAILS(MPI_Win_attach(win, &memory[1][0], 32), MPI_ERR_RMA_ATTACH);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
        for (int i = 0; i < REGIONS; i += 97) {
            int32_t value = 10000 * round + i;
            MPI_Aint there = MPI_Aint_add(theirs,
                                          MPI_Aint_diff((MPI_Aint)&memory[i][1], (MPI_Aint)memory));
            if (i % 2)
                REFUSED(MPI_Put(&value, 1, MPI_INT32_T, next, there, 1, MPI_INT32_T, win), next,
                        win, MPI_ERR_RMA_RANGE);
            else OK(MPI_Put(&value, 1, MPI_INT32_T, next, there, 1, MPI_INT32_T, win));
        }
        int32_t longer[8] = {0};
        REFUSED(MPI_Put(longer, 8, MPI_INT32_T, next, theirs, 8, MPI_INT32_T, win), next, win,
                MPI_ERR_RMA_RANGE);
        OK(MPI_Win_unlock(next, win));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        for (int i = 0; i < REGIONS; i += 97)
            CHECK(memory[i][1] == (i % 2 ? 0 : 10000 * round + i), "region %d has %d in round %d",
                  i, memory[i][1], round);
        for (int i = 0; i < REGIONS; i += 2) OK(MPI_Win_detach(win, memory[i]));
        OK(MPI_Win_detach(win, NULL));
        FAILS(MPI_Win_detach(win, memory[0]), MPI_ERR_RMA_ATTACH);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Win_lock_all(0, win));
        REFUSED(MPI_Put(longer, 1, MPI_INT32_T, next, theirs, 1, MPI_INT32_T, win), next, win,
                MPI_ERR_RMA_RANGE);
        OK(MPI_Win_unlock_all(win));
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    OK(MPI_Win_free(&win));
}

/* Every kind of access across the boundary of two adjacent regions, in the middle of an element,
 * and an access to several distant regions. */
static void across_the_boundary(MPI_Win win, int target, MPI_Aint there, int first)
{
    enum { INTS = 256, SPAN = 200, FROM = 28 };
    static int32_t data[SPAN], back[SPAN];
    MPI_Request request;
    MPI_Aint begin_ = MPI_Aint_add(there, FROM * 4), middle = MPI_Aint_add(there, INTS / 2 * 4);
    int32_t one = 1, seen = -1, next_value = 77, value = first + INTS / 2 - FROM;
    for (int i = 0; i < SPAN; i++) data[i] = first + i;
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win));
    OK(MPI_Put(data, SPAN, MPI_INT32_T, target, begin_, SPAN, MPI_INT32_T, win));
    OK(MPI_Win_flush(target, win));
    OK(MPI_Get(back, SPAN, MPI_INT32_T, target, begin_, SPAN, MPI_INT32_T, win));
    OK(MPI_Win_flush(target, win));
    CHECK(memcmp(back, data, sizeof data) == 0, "MPI_Get does not return what was put");
    OK(MPI_Accumulate(data, SPAN, MPI_INT32_T, target, begin_, SPAN, MPI_INT32_T, MPI_SUM, win));
    OK(MPI_Get_accumulate(data, SPAN, MPI_INT32_T, back, SPAN, MPI_INT32_T, target, begin_, SPAN,
                          MPI_INT32_T, MPI_SUM, win));
    OK(MPI_Win_flush(target, win));
    for (int i = 0; i < SPAN; i++) CHECK(back[i] == 2 * data[i], "element %d was %d", i, back[i]);
    OK(MPI_Fetch_and_op(&one, &seen, MPI_INT32_T, target, middle, MPI_SUM, win));
    OK(MPI_Win_flush(target, win));
    CHECK(seen == 3 * value, "the previous value was %d", seen);
    value = 3 * value + 1;
    OK(MPI_Compare_and_swap(&next_value, &value, &seen, MPI_INT32_T, target, middle, win));
    OK(MPI_Win_flush(target, win));
    CHECK(seen == value, "%d was compared", seen);
    OK(MPI_Rput(data, SPAN, MPI_INT32_T, target, begin_, SPAN, MPI_INT32_T, win, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Win_flush(target, win));
    OK(MPI_Raccumulate(data, SPAN, MPI_INT32_T, target, begin_, SPAN, MPI_INT32_T, MPI_SUM, win,
                       &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Win_flush(target, win));
    OK(MPI_Rget(back, SPAN, MPI_INT32_T, target, begin_, SPAN, MPI_INT32_T, win, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < SPAN; i++) CHECK(back[i] == 2 * data[i], "element %d is %d", i, back[i]);
    OK(MPI_Win_unlock(target, win));
}

static void side_by_side(void)
{
    enum { INTS = 256, BOUNDARY = INTS / 2 * 4 + 2 };
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, targets[] = {rank, next};
    static int32_t whole[INTS], distant[8], both[4] = {1, 2, 3, 4}, none[4];
    MPI_Win win;
    MPI_Aint own[2], theirs[2], places[4];
    MPI_Datatype strided;
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    OK(MPI_Get_address(whole, &own[0]));
    OK(MPI_Get_address(distant, &own[1]));
    OK(MPI_Sendrecv(own, 2, MPI_AINT, previous, 0, theirs, 2, MPI_AINT, next, 0, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
    for (int round = 0; round < 2; round++) {
        /* The upper region is attached first. */
        OK(MPI_Win_attach(win, (char *)whole + BOUNDARY, sizeof whole - BOUNDARY));
        OK(MPI_Win_attach(win, whole, BOUNDARY));
        OK(MPI_Win_attach(win, distant, 8));
        OK(MPI_Win_attach(win, distant + 6, 8));
        for (int which = 0; which < 2; which++) {
            MPI_Aint *there = which == 0 ? own : theirs;
            OK(MPI_Barrier(MPI_COMM_WORLD));
            across_the_boundary(win, targets[which], there[0], 1000 * round + rank);
            OK(MPI_Barrier(MPI_COMM_WORLD));
            /* Absolute addresses in three regions, then one outside all regions. */
            for (int i = 0; i < 2; i++) {
                places[0] = MPI_Aint_add(there[1], 28),
                places[1] = MPI_Aint_add(there[0], BOUNDARY - 2);
                places[2] = MPI_Aint_add(there[1], i == 0 ? 4 : 8),
                places[3] = MPI_Aint_add(there[1], 24);
                OK(MPI_Type_create_hindexed_block(4, 1, places, MPI_INT32_T, &strided));
                OK(MPI_Type_commit(&strided));
                OK(MPI_Win_lock(MPI_LOCK_SHARED, targets[which], 0, win));
                if (i == 0) {
                    OK(MPI_Put(both, 4, MPI_INT32_T, targets[which], 0, 1, strided, win));
                    OK(MPI_Win_flush(targets[which], win));
                    OK(MPI_Get(none, 4, MPI_INT32_T, targets[which], 0, 1, strided, win));
                    OK(MPI_Win_flush(targets[which], win));
                    CHECK(memcmp(none, both, sizeof both) == 0, "%d %d %d %d", none[0], none[1],
                          none[2], none[3]);
                } else {
                    REFUSED(MPI_Put(both, 4, MPI_INT32_T, targets[which], 0, 1, strided, win),
                            targets[which], win, MPI_ERR_RMA_RANGE);
                }
                OK(MPI_Win_unlock(targets[which], win));
                OK(MPI_Type_free(&strided));
            }
            OK(MPI_Barrier(MPI_COMM_WORLD));
        }
        OK(MPI_Win_detach(win, round == 0 ? (char *)whole + BOUNDARY : (char *)whole));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        int32_t middle[4] = {0};
        MPI_Aint joint = MPI_Aint_add(theirs[0], INTS / 2 * 4 - 8);
        OK(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
        REFUSED(MPI_Put(middle, 4, MPI_INT32_T, next, joint, 4, MPI_INT32_T, win), next, win,
                MPI_ERR_RMA_RANGE);
        REFUSED(MPI_Accumulate(middle, 4, MPI_INT32_T, next, joint, 4, MPI_INT32_T, MPI_SUM, win),
                next, win, MPI_ERR_RMA_RANGE);
        OK(MPI_Win_unlock(next, win));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Win_detach(win, round == 0 ? (char *)whole : (char *)whole + BOUNDARY));
        OK(MPI_Win_detach(win, distant));
        OK(MPI_Win_detach(win, distant + 6));
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    OK(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int flavour = 0; flavour < FLAVOURS; flavour++) {
        if (!possible(flavour)) continue;
        struct window w = window(flavour, 4096);
        deleted = 0;
        attributes(&w);
        names(&w);
        handlers(&w);
        query(&w);
        free_window(&w);
        CHECK(deleted == 2, "the delete function ran %d times", deleted);
    }
    shapes();
    regions();
    side_by_side();
    return MPI_Finalize();
}
