/* The tool information interface: strings, control variables, categories and enumerations, before,
 * during and after MPI.
 *
 * sizes: 1 2 4
 */

#include "check.h"
#include <limits.h>

static void check_text(const char *what, const char *text, int length, const char *whole)
{
    int all = (int)strlen(whole) + 1;
    CHECK(length == all, "%s: length %d instead of %d", what, length, all);
    CHECK(strncmp(text, whole, strlen(text)) == 0, "%s: \"%s\" is not a prefix of \"%s\"", what,
          text, whole);
}

/* The rules for strings (MPI 5.0 §15.3.3), checked with the name of a control variable. */
static void test_strings(void)
{
    char whole[256], part[8];
    int length = sizeof whole, wanted;
    OK(MPI_T_cvar_get_info(0, whole, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    wanted = (int)strlen(whole) + 1;
    CHECK(length == wanted && wanted > 5, "length %d of \"%s\"", length, whole);
    for (int capacity = 1; capacity <= 5; capacity++) {
        memset(part, '#', sizeof part);
        length = capacity;
        OK(MPI_T_cvar_get_info(0, part, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
        CHECK((int)strlen(part) == capacity - 1 && part[capacity] == '#',
              "%zu characters in %d bytes", strlen(part), capacity);
        check_text("name", part, length, whole);
    }
    length = 0;
    memset(part, '#', sizeof part);
    OK(MPI_T_cvar_get_info(0, part, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    CHECK(length == wanted && part[0] == '#', "length %d for a buffer of length 0", length);
    length = 100;
    OK(MPI_T_cvar_get_info(0, NULL, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    CHECK(length == wanted, "length %d without a buffer", length);
    OK(MPI_T_cvar_get_info(0, part, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    CHECK(part[0] == '#', "written without a length");
}

static int cvar(const char *name, MPI_T_cvar_handle *handle)
{
    int index, count;
    OK(MPI_T_cvar_get_index(name, &index));
    OK(MPI_T_cvar_handle_alloc(index, NULL, handle, &count));
    CHECK(count == 1, "%d elements", count);
    return index;
}

static unsigned long long read_number(MPI_T_cvar_handle handle)
{
    unsigned long long value = ULLONG_MAX;
    OK(MPI_T_cvar_read(handle, &value));
    return value;
}

enum { BEFORE, RUNNING, FINALIZED };

/* String variables have the value of the environment variable, with its terminating null
 * character. */
static void check_words(int index, const char *name)
{
    MPI_T_cvar_handle handle;
    const char *wanted = getenv(name) ? getenv(name) : "";
    char words[1000];
    int count;
    memset(words, '#', sizeof words);
    OK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count));
    CHECK(count == (int)strlen(wanted) + 1, "%s has %d characters", name, count);
    OK(MPI_T_cvar_read(handle, words));
    CHECK(strcmp(words, wanted) == 0 && words[count] == '#', "%s is \"%s\"", name, words);
    FAILS(MPI_T_cvar_write(handle, words), MPI_T_ERR_CVAR_SET_NEVER);
    OK(MPI_T_cvar_handle_free(&handle));
}

/* The algorithms of collectives: text that can be set before MPI starts, and keeps its value. The
 * protocols of messages can be set while MPI runs, too. */
static void check_algorithms(int index, const char *name, int stage)
{
    MPI_T_cvar_handle handle;
    const char *wanted = strcmp(name, "NEMESIS_BCAST") == 0 ? "binomial_tree:8-,staged" : "";
    char text[256];
    int count;
    OK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count));
    CHECK(count == sizeof text, "%s has %d characters", name, count);
    int always = strcmp(name, "NEMESIS_PROTOCOL") == 0;
    if (stage == BEFORE || (always && stage != FINALIZED)) {
        FAILS(MPI_T_cvar_write(handle, "no_such_algorithm"), MPI_T_ERR_INVALID);
        OK(MPI_T_cvar_write(handle, wanted));
    } else
        FAILS(MPI_T_cvar_write(handle, wanted), MPI_T_ERR_CVAR_SET_NOT_NOW);
    OK(MPI_T_cvar_read(handle, text));
    CHECK(strcmp(text, wanted) == 0, "%s is \"%s\"", name, text);
    OK(MPI_T_cvar_handle_free(&handle));
}

static void test_cvars(int stage)
{
    int count, index, is_switch;
    MPI_T_cvar_handle handle;
    OK(MPI_T_cvar_get_num(&count));
    CHECK(count >= 5, "%d control variables", count);
    for (int at = 0; at < count; at++) {
        char name[256], text[512];
        int name_length = sizeof name, text_length = sizeof text, verbosity, bind, scope;
        MPI_Datatype type;
        MPI_T_enum choices;
        OK(MPI_T_cvar_get_info(at, name, &name_length, &verbosity, &type, &choices, text,
                               &text_length, &bind, &scope));
        CHECK(text_length > 1 && bind == MPI_T_BIND_NO_OBJECT,
              "%s has no description or is bound to %d", name, bind);
        CHECK(verbosity >= MPI_T_VERBOSITY_USER_BASIC && verbosity <= MPI_T_VERBOSITY_MPIDEV_ALL,
              "%s: verbosity %d", name, verbosity);
        CHECK(scope == MPI_T_SCOPE_LOCAL || scope == MPI_T_SCOPE_CONSTANT ||
              scope == MPI_T_SCOPE_READONLY || scope == MPI_T_SCOPE_ALL_EQ, "%s: scope %d", name,
              scope);
        is_switch = choices != MPI_T_ENUM_NULL;
        int is_text = scope == MPI_T_SCOPE_READONLY || scope == MPI_T_SCOPE_ALL_EQ;
        CHECK(type == (is_switch ? MPI_INT : is_text ? MPI_CHAR : MPI_UNSIGNED_LONG_LONG),
              "%s has a wrong type", name);
        OK(MPI_T_cvar_get_index(name, &index));
        CHECK(index == at, "%s is %d and %d", name, at, index);
        if (scope == MPI_T_SCOPE_READONLY) check_words(at, name);
        if (scope == MPI_T_SCOPE_ALL_EQ) check_algorithms(at, name, stage);
        if (scope != MPI_T_SCOPE_CONSTANT) continue;
        OK(MPI_T_cvar_handle_alloc(at, NULL, &handle, NULL));
        unsigned long long value = read_number(handle);
        FAILS(MPI_T_cvar_write(handle, &value), MPI_T_ERR_CVAR_SET_NEVER);
        OK(MPI_T_cvar_handle_free(&handle));
        CHECK(handle == MPI_T_CVAR_HANDLE_NULL, "the handle is not null");
    }
    FAILS(MPI_T_cvar_get_info(count, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
          MPI_T_ERR_INVALID_INDEX);
    FAILS(MPI_T_cvar_get_info(-1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
          MPI_T_ERR_INVALID_INDEX);
    FAILS(MPI_T_cvar_handle_alloc(count, NULL, &handle, NULL), MPI_T_ERR_INVALID_INDEX);
    FAILS(MPI_T_cvar_get_index("NEMESIS_NO_SUCH", &index), MPI_T_ERR_INVALID_NAME);
    handle = MPI_T_CVAR_HANDLE_NULL;
    FAILS(MPI_T_cvar_handle_free(&handle), MPI_T_ERR_INVALID_HANDLE);

    /* A switch and a number. */
    int on = -1, off = 0, wrong = 7;
    cvar("NEMESIS_CMA", &handle);
    OK(MPI_T_cvar_read(handle, &on));
    CHECK(on == 0 || on == 1, "a switch is %d", on);
    if (stage == BEFORE) {
        FAILS(MPI_T_cvar_write(handle, &wrong), MPI_T_ERR_INVALID);
        OK(MPI_T_cvar_write(handle, &off));
        OK(MPI_T_cvar_read(handle, &off));
        CHECK(off == 0, "the switch is %d", off);
    } else
        FAILS(MPI_T_cvar_write(handle, &on), MPI_T_ERR_CVAR_SET_NOT_NOW);
    /* A value that was set before MPI_Init stays in effect. */
    if (stage == RUNNING) CHECK(on == 0, "the switch was switched off");
    OK(MPI_T_cvar_handle_free(&handle));

    cvar("NEMESIS_EAGER_MAX_BYTES", &handle);
    unsigned long long value = read_number(handle), other = 100, huge = ULLONG_MAX;
    if (stage == FINALIZED)
        FAILS(MPI_T_cvar_write(handle, &other), MPI_T_ERR_CVAR_SET_NOT_NOW);
    else {
        OK(MPI_T_cvar_write(handle, &other));
        CHECK(read_number(handle) == 100, "%llu was written as 100", read_number(handle));
        FAILS(MPI_T_cvar_write(handle, &huge), MPI_T_ERR_INVALID);
        OK(MPI_T_cvar_write(handle, &value));
        CHECK(read_number(handle) == value, "%llu was written as %llu", read_number(handle), value);
    }
    OK(MPI_T_cvar_handle_free(&handle));
}

/* A send that is longer than the limit waits for its receive, so MPI_Test returns flag 0 until the
 * other rank has posted it. */
static void test_eager_limit(void)
{
    if (size < 2 || rank > 1) return;
    MPI_T_cvar_handle handle;
    unsigned long long none = 0, before;
    cvar("NEMESIS_EAGER_MAX_BYTES", &handle);
    before = read_number(handle);
    OK(MPI_T_cvar_write(handle, &none));
    if (rank == 0) {
        MPI_Request request;
        int number = 7, flag = 1;
        OK(MPI_Isend(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request));
        for (int i = 0; i < 1000; i++) {
            OK(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
            CHECK(!flag, "complete before its receive");
        }
        OK(MPI_Send(&number, 0, MPI_INT, 1, 1, MPI_COMM_WORLD));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else {
        int number = 0;
        OK(MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(number == 7, "%d was sent as 7", number);
    }
    OK(MPI_T_cvar_write(handle, &before));
    OK(MPI_T_cvar_handle_free(&handle));
}

static void test_enums(void)
{
    char name[64], item[64];
    int index, length = sizeof name, items, value;
    MPI_T_enum choices;
    OK(MPI_T_cvar_get_index("NEMESIS_FASTBOX", &index));
    OK(MPI_T_cvar_get_info(index, NULL, NULL, NULL, NULL, &choices, NULL, NULL, NULL, NULL));
    OK(MPI_T_enum_get_info(choices, &items, name, &length));
    CHECK(items == 2 && length > 1, "%d items of \"%s\"", items, name);
    for (int at = 0; at < items; at++) {
        length = sizeof item;
        OK(MPI_T_enum_get_item(choices, at, &value, item, &length));
        CHECK(strcmp(item, value ? "on" : "off") == 0, "%d is called %s", value, item);
    }
    FAILS(MPI_T_enum_get_item(choices, items, &value, NULL, NULL), MPI_T_ERR_INVALID_INDEX);
    FAILS(MPI_T_enum_get_info(MPI_T_ENUM_NULL, &items, NULL, NULL), MPI_T_ERR_INVALID_HANDLE);
}

/* Every variable and event is in one category, and every category but the first is in another
 * one. */
static void test_categories(void)
{
    int categories, cvars, pvars, events, before, after, seen[4] = {0};
    OK(MPI_T_category_get_num(&categories));
    OK(MPI_T_cvar_get_num(&cvars));
    OK(MPI_T_pvar_get_num(&pvars));
    OK(MPI_T_event_get_num(&events));
    OK(MPI_T_category_changed(&before));
    for (int at = 0; at < categories; at++) {
        char name[128], text[256];
        int name_length = sizeof name, text_length = sizeof text, own[3], n_events, index,
            list[128];
        OK(MPI_T_category_get_info(at, name, &name_length, text, &text_length, &own[0], &own[1],
                                   &own[2]));
        OK(MPI_T_category_get_num_events(at, &n_events));
        OK(MPI_T_category_get_index(name, &index));
        CHECK(index == at && text_length > 1, "%s is %d and %d", name, at, index);
        list[own[0]] = -7;
        OK(MPI_T_category_get_cvars(at, 128, list));
        CHECK(list[own[0]] == -7 || own[0] == 128, "more control variables than the category has");
        for (int i = 0; i < own[0]; i++)
            CHECK(list[i] >= 0 && list[i] < cvars, "control variable %d", list[i]);
        OK(MPI_T_category_get_pvars(at, 128, list));
        for (int i = 0; i < own[1]; i++)
            CHECK(list[i] >= 0 && list[i] < pvars, "performance variable %d", list[i]);
        OK(MPI_T_category_get_categories(at, 128, list));
        for (int i = 0; i < own[2]; i++)
            CHECK(list[i] > 0 && list[i] < categories, "category %d", list[i]);
        OK(MPI_T_category_get_events(at, 128, list));
        for (int i = 0; i < n_events; i++)
            CHECK(list[i] >= 0 && list[i] < events, "event %d", list[i]);
        if (own[1] > 1) {
            list[1] = -7;
            OK(MPI_T_category_get_pvars(at, 1, list));
            CHECK(list[1] == -7, "more than was asked for");
        }
        seen[0] += own[0], seen[1] += own[1], seen[2] += own[2], seen[3] += n_events;
    }
    CHECK(seen[0] == cvars && seen[1] == pvars && seen[2] == categories - 1 && seen[3] == events,
          "%d, %d, %d, %d members", seen[0], seen[1], seen[2], seen[3]);
    FAILS(MPI_T_category_get_num_events(categories, &events), MPI_T_ERR_INVALID_INDEX);
    FAILS(MPI_T_category_get_cvars(-1, 0, NULL), MPI_T_ERR_INVALID_INDEX);
    FAILS(MPI_T_category_get_index("no_such_category", &events), MPI_T_ERR_INVALID_NAME);
    OK(MPI_T_category_changed(&after));
    CHECK(before == after, "categories have changed");
}

int main(int argc, char **argv)
{
    int provided, number;
    setenv("NEMESIS_PORTS", "20000:29999", 1);
    FAILS(MPI_T_cvar_get_num(&number), MPI_T_ERR_NOT_INITIALIZED);
    FAILS(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    CHECK(provided == MPI_THREAD_SINGLE, "thread level %d", provided);
    OK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided));
    CHECK(provided == MPI_THREAD_MULTIPLE, "thread level %d", provided);
    OK(MPI_T_finalize());
    test_strings();
    test_cvars(BEFORE);
    test_enums();
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    /* Errors of the tool information interface are only returned. The error handler of
     * MPI_COMM_SELF is still MPI_ERRORS_ARE_FATAL. */
    test_strings();
    test_cvars(RUNNING);
    test_enums();
    test_categories();
    test_eager_limit();
    MPI_Finalize();
    test_strings();
    test_cvars(FINALIZED);
    OK(MPI_T_finalize());
    FAILS(MPI_T_cvar_get_num(&number), MPI_T_ERR_NOT_INITIALIZED);
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    test_categories();
    OK(MPI_T_finalize());
    return 0;
}
