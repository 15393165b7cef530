/* Attributes of communicators (MPI 5.0 §7.7): the order and the arguments of copy and delete
 * callbacks, callbacks that fail, callbacks that call MPI, keys that are freed while values are
 * stored under them, and predefined attributes, whose addresses do not change. Also info hints of
 * communicators.
 *
 * modes: default threads
 */

#include "check.h"

static char log_[256];
static int refuse_delete = -1, refuse_copy = -1;
static int keys[5], extras[5] = {0, 1, 2, 3, 4};

static void note(char what, int which)
{
    size_t length = strlen(log_);
    CHECK(length + 3 < sizeof log_, "too much happens: %s", log_);
    snprintf(log_ + length, 3, "%c%d", what, which);
}

#define HAPPENED(wanted)                                                    \
    do {                                                                    \
        CHECK(strcmp(log_, wanted) == 0, "%s instead of %s", log_, wanted); \
        log_[0] = 0;                                                        \
    } while (0)

static int copy(MPI_Comm comm, int key, void *extra, void *value, void *out, int *flag)
{
    int which = *(int *)extra, ranks;
    CHECK(key == keys[which], "key %d is not %d", key, keys[which]);
    note('c', which);
    /* A callback may call MPI. */
    OK(MPI_Comm_size(comm, &ranks));
    CHECK(ranks == size, "%d processes", ranks);
    if (which == refuse_copy) return MPI_ERR_OTHER;
    *(void **)out = (char *)value + 1;
    *flag = which != 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int key, void *value, void *extra)
{
    int which = *(int *)extra, ranks, flag;
    void *seen;
    note('d', which);
    OK(MPI_Comm_size(comm, &ranks));
    OK(MPI_Comm_get_attr(comm, key, &seen, &flag));
    CHECK(flag && seen == value, "the value cannot be read in its delete function");
    return which == refuse_delete ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void order(void)
{
    static char base[8];
    MPI_Comm comm, twin;
    char *value;
    int flag;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (int which = 0; which < 5; which++) {
        OK(MPI_Comm_create_keyval(copy, delete, keys + which, extras + which));
        OK(MPI_Comm_set_attr(comm, keys[which], base));
    }
    OK(MPI_Comm_dup(comm, &twin));
    HAPPENED("c0c1c2c3c4");
    OK(MPI_Comm_get_attr(twin, keys[2], &value, &flag));
    CHECK(flag && value == base + 1, "%d, %p", flag, (void *)value);
    OK(MPI_Comm_get_attr(twin, keys[1], &value, &flag));
    CHECK(!flag, "a value whose copy function returned flag 0 was copied");
    /* Values are deleted in the reverse order of their creation. */
    OK(MPI_Comm_free(&twin));
    HAPPENED("d4d3d2d0");
    OK(MPI_Comm_set_attr(comm, keys[0], base + 4));
    HAPPENED("d0");
    OK(MPI_Comm_delete_attr(comm, keys[3]));
    HAPPENED("d3");
    OK(MPI_Comm_get_attr(comm, keys[3], &value, &flag));
    CHECK(!flag, "a deleted value");
    OK(MPI_Comm_split(comm, 0, 0, &twin));
    HAPPENED("");
    OK(MPI_Comm_free(&twin));
    HAPPENED("");
    /* A copy that fails deletes the copies made before it. */
    refuse_copy = 4;
    CHECK(MPI_Comm_dup(comm, &twin) != MPI_SUCCESS,
          "the duplicate is made although a copy function failed");
    HAPPENED("c1c2c4d2");
    refuse_copy = -1;
    /* A deletion that fails keeps the communicator and the values that have not been deleted. */
    refuse_delete = 2;
    twin = comm;
    CHECK(MPI_Comm_free(&twin) != MPI_SUCCESS && twin == comm,
          "the communicator is freed although a delete function failed");
    HAPPENED("d0d4d2");
    CHECK(MPI_Comm_set_attr(comm, keys[2], base) != MPI_SUCCESS,
          "the value is replaced although a delete function failed");
    HAPPENED("d2");
    refuse_delete = -1;
    /* The key is freed, its values stay. */
    OK(MPI_Comm_free_keyval(keys + 2));
    CHECK(keys[2] == MPI_KEYVAL_INVALID, "the handle of a freed key is not MPI_KEYVAL_INVALID");
    OK(MPI_Comm_free(&comm));
    HAPPENED("d2d1");
    for (int which = 0; which < 5; which++)
        if (which != 2) OK(MPI_Comm_free_keyval(keys + which));
}

static void predefined(void)
{
    int *first, *second, flag, key = MPI_TAG_UB;
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &first, &flag));
    CHECK(flag && *first >= 32767, "MPI_TAG_UB is %d", flag ? *first : -1);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &second, &flag));
    CHECK(first == second, "the address of MPI_TAG_UB has changed");
    FAILS(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &key), MPI_ERR_KEYVAL);
    FAILS(MPI_Comm_delete_attr(MPI_COMM_WORLD, MPI_TAG_UB), MPI_ERR_KEYVAL);
    FAILS(MPI_Comm_free_keyval(&key), MPI_ERR_KEYVAL);
    FAILS(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, &key), MPI_ERR_KEYVAL);
}

static int free_key_again(MPI_Comm freed, int key, void *value, void *extra)
{
    (void)freed, (void)value, (void)extra;
    OK(MPI_Comm_free_keyval(&key));
    return MPI_SUCCESS;
}

/* A key may be freed while values are stored under it. It disappears with the last of them. */
static void freed_again(void)
{
    MPI_Comm dup;
    MPI_Win win;
    MPI_Datatype type;
    int key, again;
    OK(MPI_Comm_dup(MPI_COMM_SELF, &dup));
    OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_key_again, &key, NULL));
    again = key;
    OK(MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL));
    OK(MPI_Comm_set_attr(dup, key, NULL));
    OK(MPI_Comm_free(&dup));
    OK(MPI_Comm_free_keyval(&key));
    CHECK(key == MPI_KEYVAL_INVALID, "the key is %d", key);
    FAILS(MPI_Comm_set_attr(MPI_COMM_SELF, again, NULL), MPI_ERR_KEYVAL);
    OK(MPI_Comm_delete_attr(MPI_COMM_SELF, again));
    FAILS(MPI_Comm_free_keyval(&again), MPI_ERR_KEYVAL);

    OK(MPI_Type_contiguous(2, MPI_INT, &type));
    OK(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL));
    OK(MPI_Type_set_attr(type, key, NULL));
    again = key;
    OK(MPI_Type_free_keyval(&key));
    key = again;
    OK(MPI_Type_free_keyval(&key));
    OK(MPI_Type_free(&type));
    FAILS(MPI_Type_free_keyval(&again), MPI_ERR_KEYVAL);

    OK(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win));
    OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL));
    OK(MPI_Win_set_attr(win, key, NULL));
    again = key;
    OK(MPI_Win_free_keyval(&key));
    key = again;
    OK(MPI_Win_free_keyval(&key));
    OK(MPI_Win_free(&win));
    FAILS(MPI_Win_free_keyval(&again), MPI_ERR_KEYVAL);
}

static int get_hint(MPI_Comm comm, const char *key, char *text)
{
    MPI_Info used;
    int flag, length = 64;
    OK(MPI_Comm_get_info(comm, &used));
    OK(MPI_Info_get_string(used, key, &length, text, &flag));
    OK(MPI_Info_free(&used));
    return flag;
}

static void hints(void)
{
    MPI_Info info;
    MPI_Comm comm;
    char text[64];
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "mpi_assert_no_any_tag", "true"));
    OK(MPI_Info_set(info, "mpi_memory_alloc_kinds", "mpi,system,warp"));
    OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm));
    OK(MPI_Info_delete(info, "mpi_assert_no_any_tag"));
    CHECK(get_hint(comm, "mpi_assert_no_any_tag", text) && strcmp(text, "true") == 0,
          "the value that was set last is returned");
    CHECK(get_hint(comm, "mpi_memory_alloc_kinds", text) && !strstr(text, "warp") &&
          strstr(text, "system"), "kinds of memory: %s", text);
    /* Hints that the info does not contain are kept. */
    OK(MPI_Info_set(info, "mpi_assert_exact_length", "true"));
    OK(MPI_Comm_set_info(comm, info));
    CHECK(get_hint(comm, "mpi_assert_no_any_tag", text) &&
          get_hint(comm, "mpi_assert_exact_length", text), "a hint was dropped");
    OK(MPI_Info_set(info, "mpi_assert_exact_length", "false"));
    OK(MPI_Comm_set_info(comm, info));
    CHECK(get_hint(comm, "mpi_assert_exact_length", text) && strcmp(text, "false") == 0,
          "the hint has the value %s", text);
    CHECK(get_hint(MPI_COMM_WORLD, "mpi_memory_alloc_kinds", text),
          "the hint mpi_memory_alloc_kinds is missing");
    /* Defaults are returned. Unknown hints and invalid values are ignored. */
    OK(MPI_Info_set(info, "no_such_hint", "1"));
    OK(MPI_Info_set(info, "mpi_assert_no_any_source", "perhaps"));
    OK(MPI_Info_set(info, "mpi_assert_memory_alloc_kinds", "system"));
    OK(MPI_Comm_set_info(comm, info));
    CHECK(!get_hint(comm, "no_such_hint", text), "an unknown hint is returned as %s", text);
    CHECK(get_hint(comm, "mpi_assert_no_any_source", text) && strcmp(text, "false") == 0,
          "the hint has the value %s", text);
    CHECK(get_hint(comm, "mpi_assert_memory_alloc_kinds", text) && strcmp(text, "system") == 0,
          "the hint has the value %s", text);
    CHECK(get_hint(MPI_COMM_WORLD, "mpi_assert_allow_overtaking", text) &&
          strcmp(text, "false") == 0, "the hint has the value %s", text);
    CHECK(!get_hint(MPI_COMM_WORLD, "mpi_assert_memory_alloc_kinds", text),
          "a hint that was never set is returned");
    OK(MPI_Info_free(&info));
    OK(MPI_Comm_free(&comm));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    order();
    predefined();
    freed_again();
    hints();
    return MPI_Finalize();
}
