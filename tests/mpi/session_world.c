/* Sessions and the world model in one process: a session that is open from before MPI_Init until
 * after MPI_Finalize, one within, and one afterwards. Communicators of the world model end with it,
 * those of sessions end with their session. Attributes of MPI_COMM_SELF are deleted first in
 * MPI_Finalize, in the reverse order of their creation. */

#include "check.h"

static int order[4], deleted;

static int delete(MPI_Comm comm, int key, void *value, void *extra)
{
    int flag, ranks;
    (void)key, (void)value;
    MPI_Finalized(&flag);
    OK(MPI_Comm_size(comm, &ranks));
    CHECK(!flag && ranks == 1, "MPI is finalised (flag), or MPI_COMM_SELF has %d processes", ranks);
    order[deleted++] = *(int *)extra;
    return MPI_SUCCESS;
}

static MPI_Comm made(MPI_Session session, const char *tag)
{
    MPI_Group group;
    MPI_Comm comm;
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    OK(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    OK(MPI_Group_free(&group));
    return comm;
}

static void use(MPI_Comm comm)
{
    int sum, one = 1, ranks;
    OK(MPI_Comm_size(comm, &ranks));
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == ranks, "%d of %d", sum, ranks);
}

int main(int argc, char **argv)
{
    MPI_Session before, within, after;
    MPI_Comm comm, kept;
    MPI_Group world, group, both;
    int flag, provided, result;
    static int numbers[4] = {0, 1, 2, 3};
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &before));
    comm = made(before, "before");
    use(comm);
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    OK(MPI_Query_thread(&result));
    CHECK(result == provided && provided >= MPI_THREAD_FUNNELED, "level %d, then %d", provided,
          result);
    use(MPI_COMM_WORLD);
    use(comm);
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &within));
    MPI_Info used;
    char level[32];
    int length = sizeof level;
    OK(MPI_Session_get_info(within, &used));
    OK(MPI_Info_get_string(used, "thread_level", &length, level, &flag));
    CHECK(flag &&
          strcmp(level,
                 provided == MPI_THREAD_MULTIPLE ? "MPI_THREAD_MULTIPLE" : "MPI_THREAD_FUNNELED") ==
          0, "a session without hints has %s, the process %d", flag ? level : "no level", provided);
    OK(MPI_Info_free(&used));
    kept = made(within, "within");
    use(kept);
    /* Objects of the world model and of a session cannot be mixed in one call. */
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Comm_group(kept, &group));
    FAILS(MPI_Group_intersection(world, group, &both), MPI_ERR_SESSION);
    OK(MPI_Group_free(&world));
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_free(&kept));
    OK(MPI_Session_finalize(&within));
    use(MPI_COMM_WORLD);
    for (int index = 0; index < 4; index++) {
        int key;
        OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &key, numbers + index));
        OK(MPI_Comm_set_attr(MPI_COMM_SELF, key, numbers));
        OK(MPI_Comm_free_keyval(&key));
    }
    OK(MPI_Finalize());
    CHECK(deleted == 4 && order[0] == 3 && order[1] == 2 && order[2] == 1 && order[3] == 0,
          "%d deletions", deleted);
    OK(MPI_Initialized(&flag));
    CHECK(flag, "not initialised");
    OK(MPI_Finalized(&flag));
    CHECK(flag, "not finalised");
    /* The first session is still open. */
    use(comm);
    OK(MPI_Comm_dup(comm, &kept));
    use(kept);
    OK(MPI_Comm_free(&kept));
    OK(MPI_Comm_free(&comm));
    OK(MPI_Session_finalize(&before));
    for (int round = 0; round < 3; round++) {
        OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &after));
        comm = made(after, "after");
        use(comm);
        OK(MPI_Comm_free(&comm));
        OK(MPI_Session_finalize(&after));
    }
    return 0;
}
