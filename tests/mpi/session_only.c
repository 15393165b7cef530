/* Sessions without MPI_Init: many of them, one after another and concurrently; process sets,
 * groups, communicators and error handlers; objects of different sessions cannot be mixed; threads
 * that initialise sessions concurrently.
 *
 * modes: default network tiny threads
 */

#include "check.h"
#include <pthread.h>

static int handler_calls;

static void listen(MPI_Session *session, int *code, ...)
{
    int class;
    MPI_Error_class(*code, &class);
    CHECK(*session != MPI_SESSION_NULL && class == MPI_ERR_OTHER,
          "the handler is called with class %d", class);
    handler_calls++;
}

/* Creates a communicator of a process set. */
static MPI_Comm made(MPI_Session session, const char *set, const char *tag)
{
    MPI_Group group;
    MPI_Comm comm;
    OK(MPI_Group_from_session_pset(session, set, &group));
    OK(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    OK(MPI_Group_free(&group));
    return comm;
}

static void use(MPI_Comm comm)
{
    int own_rank, ranks, sum, seen = -1;
    OK(MPI_Comm_rank(comm, &own_rank));
    OK(MPI_Comm_size(comm, &ranks));
    OK(MPI_Allreduce(&own_rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == ranks * (ranks - 1) / 2, "sum %d", sum);
    OK(MPI_Sendrecv(&own_rank, 1, MPI_INT, (own_rank + 1) % ranks, 0, &seen, 1, MPI_INT,
                    MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE));
    CHECK(seen == (own_rank + ranks - 1) % ranks, "%d from the left", seen);
}

static void sets(MPI_Session session)
{
    int sets, length, flag, world = 0, self = 0;
    char name[MPI_MAX_PSET_NAME_LEN], text[16];
    OK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets));
    CHECK(sets >= 2, "%d process sets", sets);
    for (int set = 0; set < sets; set++) {
        MPI_Info info;
        MPI_Group group;
        int members;
        length = 0;
        OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, set, &length, NULL));
        int whole = length;
        OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, set, &length, name));
        CHECK(length == whole && (int)strlen(name) + 1 == length, "length %d of \"%s\"", length,
              name);
        OK(MPI_Session_get_pset_info(session, name, &info));
        length = sizeof text;
        OK(MPI_Info_get_string(info, "mpi_size", &length, text, &flag));
        OK(MPI_Info_free(&info));
        OK(MPI_Group_from_session_pset(session, name, &group));
        OK(MPI_Group_size(group, &members));
        CHECK(flag && atoi(text) == members, "%s has %d members, its info contains %s", name,
              members, flag ? text : "no size");
        world += strcmp(name, "mpi://WORLD") == 0 && members == size;
        self += strcmp(name, "mpi://SELF") == 0 && members == 1;
        OK(MPI_Group_free(&group));
        length = 5;
        OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, set, &length, name));
        CHECK(length == whole && strlen(name) == 4, "cut to \"%s\", %d", name, length);
    }
    CHECK(world == 1 && self == 1, "mpi://WORLD is listed %d times, mpi://SELF %d times", world,
          self);
    MPI_Group group;
    OK(MPI_Group_from_session_pset(session, "mpi://NOWHERE", &group));
    CHECK(group == MPI_GROUP_NULL, "a group of an unknown process set");
    length = 8;
    FAILS(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, sets, &length, name), MPI_ERR_ARG);
    FAILS(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, -1, &length, name), MPI_ERR_ARG);
}

static void handlers(void)
{
    MPI_Session session;
    MPI_Errhandler handler, seen;
    MPI_Comm comm;
    OK(MPI_Session_create_errhandler(listen, &handler));
    OK(MPI_Session_init(MPI_INFO_NULL, handler, &session));
    OK(MPI_Session_get_errhandler(session, &seen));
    CHECK(seen == handler, "the handler is wrong");
    OK(MPI_Errhandler_free(&seen));
    OK(MPI_Errhandler_free(&handler));
    OK(MPI_Session_call_errhandler(session, MPI_ERR_OTHER));
    CHECK(handler_calls == 1, "the handler was called %d times", handler_calls);
    OK(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
    OK(MPI_Session_call_errhandler(session, MPI_ERR_OTHER));
    CHECK(handler_calls == 1, "the handler was called %d times", handler_calls);
    comm = made(session, "mpi://SELF", "handlers");
    OK(MPI_Comm_get_errhandler(comm, &seen));
    CHECK(seen == MPI_ERRORS_RETURN, "the handler is not the one of the creation");
    OK(MPI_Errhandler_free(&seen));
    OK(MPI_Comm_free(&comm));
    OK(MPI_Session_finalize(&session));
    CHECK(session == MPI_SESSION_NULL, "the handle is kept");
}

static void mixed(MPI_Session one, MPI_Session two)
{
    MPI_Group first, second, both;
    MPI_Comm comm = made(one, "mpi://WORLD", "mixed"), other;
    int result;
    OK(MPI_Group_from_session_pset(one, "mpi://WORLD", &first));
    OK(MPI_Group_from_session_pset(two, "mpi://WORLD", &second));
    FAILS(MPI_Group_union(first, second, &both), MPI_ERR_SESSION);
    FAILS(MPI_Group_compare(first, second, &result), MPI_ERR_SESSION);
    FAILS(MPI_Comm_create(comm, second, &other), MPI_ERR_SESSION);
    FAILS(MPI_Comm_create_group(comm, second, 0, &other), MPI_ERR_SESSION);
    OK(MPI_Group_union(first, MPI_GROUP_EMPTY, &both));
    OK(MPI_Group_compare(first, both, &result));
    CHECK(result == MPI_IDENT, "%d", result);
    OK(MPI_Group_free(&both));
    MPI_Comm copy;
    OK(MPI_Comm_dup(comm, &copy));
    OK(MPI_Comm_group(copy, &both));
    OK(MPI_Group_compare(first, both, &result));
    CHECK(result == MPI_IDENT, "the group of a copy is %d", result);
    OK(MPI_Group_free(&both));
    OK(MPI_Comm_free(&copy));
    OK(MPI_Comm_free(&comm));
    OK(MPI_Group_free(&first));
    OK(MPI_Group_free(&second));
}

/* Communicators of overlapping groups, distinguished only by their string tags. */
static void parts(MPI_Session session)
{
    MPI_Group world, low, high;
    MPI_Comm comms[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &world));
    int middle = size / 2, ranges[2][1][3] = {{{0, middle, 1}}, {{middle, size - 1, 1}}};
    OK(MPI_Group_range_incl(world, 1, ranges[0], &low));
    OK(MPI_Group_range_incl(world, 1, ranges[1], &high));
    if (rank <= middle)
        OK(MPI_Comm_create_from_group(low, "low", MPI_INFO_NULL, MPI_ERRORS_RETURN, comms));
    if (rank >= middle)
        OK(MPI_Comm_create_from_group(high, "high", MPI_INFO_NULL, MPI_ERRORS_RETURN, comms + 1));
    else
        FAILS(MPI_Comm_create_from_group(high, "high", MPI_INFO_NULL, MPI_ERRORS_RETURN, comms + 1),
              MPI_ERR_GROUP);
    for (int index = 0; index < 2; index++)
        if (comms[index] != MPI_COMM_NULL) {
            use(comms[index]);
            OK(MPI_Comm_free(comms + index));
        }
    OK(MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "none", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                  comms));
    CHECK(comms[0] == MPI_COMM_NULL, "a communicator of an empty group");
    OK(MPI_Group_free(&low));
    OK(MPI_Group_free(&high));
    OK(MPI_Group_free(&world));
}

static int attribute_deleted;

static int delete(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    attribute_deleted++;
    return MPI_SUCCESS;
}

/* Objects that exist when the session is finalised are freed with it, without an error. */
static void left_over(void)
{
    MPI_Session session, other;
    MPI_Comm comm;
    int key;
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other));
    OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &key, NULL));
    comm = made(session, "mpi://SELF", "left");
    OK(MPI_Comm_set_attr(comm, key, &key));
    OK(MPI_Session_finalize(&session));
    CHECK(attribute_deleted == 0, "a delete function was called");
    OK(MPI_Comm_free_keyval(&key));
    OK(MPI_Session_finalize(&other));
}

static void *in_a_thread(void *number)
{
    MPI_Session session;
    MPI_Info info, used;
    char tag[32], level[32];
    int flag, length = sizeof level;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE"));
    OK(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
    OK(MPI_Info_free(&info));
    OK(MPI_Session_get_info(session, &used));
    OK(MPI_Info_get_string(used, "thread_level", &length, level, &flag));
    CHECK(flag && strcmp(level, "MPI_THREAD_MULTIPLE") == 0, "the level is %s",
          flag ? level : "missing");
    length = sizeof level;
    OK(MPI_Info_get_string(used, "mpi_memory_alloc_kinds", &length, level, &flag));
    CHECK(flag && strstr(level, "system"), "the kinds of memory are %s", flag ? level : "missing");
    OK(MPI_Info_free(&used));
    snprintf(tag, sizeof tag, "thread %d", *(int *)number);
    for (int round = 0; round < 5; round++) {
        MPI_Comm comm = made(session, "mpi://WORLD", tag);
        use(comm);
        OK(MPI_Comm_free(&comm));
    }
    OK(MPI_Session_finalize(&session));
    return NULL;
}

/* An invalid thread level is an error before the session opens anything. */
static void no_level(void)
{
    MPI_Session session;
    MPI_Info info;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "thread_level", "MPI_THREAD_MANY"));
    FAILS(MPI_Session_init(info, MPI_ERRORS_RETURN, &session), MPI_ERR_INFO_VALUE);
    OK(MPI_Info_free(&info));
}

int main(void)
{
    MPI_Session session, two;
    MPI_Comm comm;
    int flag;
    OK(MPI_Initialized(&flag));
    CHECK(!flag, "initialised");
    no_level();
    for (int round = 0; round < 50; round++) {
        OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
        comm = made(session, "mpi://WORLD", "round");
        OK(MPI_Comm_rank(comm, &rank));
        OK(MPI_Comm_size(comm, &size));
        use(comm);
        OK(MPI_Comm_free(&comm));
        OK(MPI_Session_finalize(&session));
    }
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &two));
    OK(MPI_Initialized(&flag));
    CHECK(!flag, "the world model is initialised");
    sets(session);
    mixed(session, two);
    parts(two);
    comm = made(two, "mpi://WORLD", "of two");
    OK(MPI_Session_finalize(&session));
    use(comm);
    OK(MPI_Comm_free(&comm));
    OK(MPI_Session_finalize(&two));
    handlers();
    left_over();
    pthread_t threads[3];
    int numbers[3];
    for (int thread = 0; thread < 3; thread++) {
        numbers[thread] = thread;
        CHECK(pthread_create(threads + thread, NULL, in_a_thread, numbers + thread) == 0,
              "no thread");
    }
    for (int thread = 0; thread < 3; thread++) pthread_join(threads[thread], NULL);
    OK(MPI_Finalized(&flag));
    CHECK(!flag, "the world model is finalised");
    return 0;
}
