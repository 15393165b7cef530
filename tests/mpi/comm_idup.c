/* MPI_Comm_idup: several outstanding duplications of one communicator, completed in any order and
 * mixed with blocking creation. Attributes are copied in the call; a copy callback that fails at
 * one process does not affect the others; the original may be freed meanwhile. */

#include "check.h"

static int copied, deleted, refuse;

static int copy(MPI_Comm comm, int key, void *extra, void *value, void *out, int *flag)
{
    (void)comm, (void)key;
    if (refuse) return MPI_ERR_OTHER + 0 * *(int *)extra;
    copied++;
    *(void **)out = (char *)value + *(int *)extra;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    deleted++;
    return MPI_SUCCESS;
}

/* Exchanges messages on this communicator: each rank receives from its left neighbour, and all
 * compute a sum. */
static void use(MPI_Comm comm, int mark)
{
    int seen = -1, sum = -1, out = rank * 1000 + mark, left = (rank + size - 1) % size;
    OK(MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 1, &seen, 1, MPI_INT, left, MPI_ANY_TAG,
                    comm, MPI_STATUS_IGNORE));
    CHECK(seen == left * 1000 + mark, "%d from the left", seen);
    OK(MPI_Allreduce(&mark, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == size * mark, "sum %d", sum);
}

static void many(void)
{
    enum { MANY = 20 };
    MPI_Comm comms[MANY], between;
    MPI_Request requests[MANY];
    int result;
    for (int index = 0; index < MANY; index++) {
        OK(MPI_Comm_idup(index % 3 == 2 ? MPI_COMM_SELF : MPI_COMM_WORLD, comms + index,
                         requests + index));
        if (index % 7 == 3) {
            OK(MPI_Comm_dup(MPI_COMM_WORLD, &between));
            use(between, index);
            OK(MPI_Comm_free(&between));
        }
    }
    for (int done = 0; done < MANY; done++) {
        int index;
        OK(MPI_Waitany(MANY, requests, &index, MPI_STATUS_IGNORE));
        CHECK(index != MPI_UNDEFINED, "no request is active");
    }
    for (int index = MANY - 1; index >= 0; index--) {
        OK(MPI_Comm_compare(index % 3 == 2 ? MPI_COMM_SELF : MPI_COMM_WORLD, comms[index],
                            &result));
        CHECK(result == MPI_CONGRUENT, "a duplicate is %d", result);
        if (index % 3 != 2) use(comms[index], index);
    }
    for (int index = 0; index < MANY; index++) OK(MPI_Comm_free(comms + index));
}

/* Each duplicate is duplicated, and freed before its own duplicate is complete. */
static void chain(void)
{
    MPI_Comm comm, next;
    MPI_Request request;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (int index = 0; index < 10; index++) {
        OK(MPI_Comm_idup(comm, &next, &request));
        OK(MPI_Comm_free(&comm));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        comm = next;
    }
    use(comm, 5);
    OK(MPI_Comm_free(&comm));
}

static void attributes(void)
{
    int key, step = 3, flag, code;
    char *value, base[64];
    MPI_Comm comm, next = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    OK(MPI_Comm_create_keyval(copy, delete, &key, &step));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_attr(comm, key, base));
    OK(MPI_Comm_idup(comm, &next, &request));
    CHECK(copied == 1, "%d copies at the call", copied);
    OK(MPI_Comm_set_attr(comm, key, base + 40));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Comm_get_attr(next, key, &value, &flag));
    CHECK(flag && value == base + 3, "the copy has %d, %p", flag, (void *)value);
    OK(MPI_Comm_free(&next));
    CHECK(deleted == 2, "%d deletions", deleted);
    /* The copy callback fails at one process. The others get their duplicate. */
    refuse = rank == size - 1;
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    code = MPI_Comm_idup(comm, &next, &request);
    CHECK((code != MPI_SUCCESS) == refuse, "%s", error_text(code));
    if (!refuse) {
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        OK(MPI_Comm_free(&next));
    }
    code = MPI_Comm_dup(comm, &next);
    CHECK((code != MPI_SUCCESS) == refuse, "%s", error_text(code));
    if (!refuse) OK(MPI_Comm_free(&next));
    refuse = 0;
    use(comm, 9);
    OK(MPI_Comm_free(&comm));
    OK(MPI_Comm_free_keyval(&key));
}

static void with_info(void)
{
    MPI_Info info, used;
    MPI_Comm comm, plain;
    MPI_Request requests[2];
    MPI_Errhandler handler;
    char text[16];
    int flag, length = sizeof text;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "mpi_assert_no_any_tag", "true"));
    OK(MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &comm, requests));
    OK(MPI_Wait(requests, MPI_STATUS_IGNORE));
    OK(MPI_Comm_idup(comm, &plain, requests + 1));
    OK(MPI_Wait(requests + 1, MPI_STATUS_IGNORE));
    OK(MPI_Info_free(&info));
    OK(MPI_Comm_get_info(comm, &used));
    OK(MPI_Info_get_string(used, "mpi_assert_no_any_tag", &length, text, &flag));
    CHECK(flag && strcmp(text, "true") == 0, "the hint is %s", flag ? text : "missing");
    OK(MPI_Info_free(&used));
    /* Hints are not propagated. */
    OK(MPI_Comm_get_info(plain, &used));
    OK(MPI_Info_get_string(used, "mpi_assert_no_any_tag", &length, text, &flag));
    CHECK(!flag || strcmp(text, "true") != 0, "the hint was handed down");
    OK(MPI_Info_free(&used));
    OK(MPI_Comm_get_errhandler(comm, &handler));
    CHECK(handler == MPI_ERRORS_RETURN, "the error handler was not inherited");
    OK(MPI_Errhandler_free(&handler));
    OK(MPI_Comm_free(&comm));
    OK(MPI_Comm_free(&plain));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    many();
    chain();
    attributes();
    with_info();
    MPI_Comm comm;
    MPI_Request request;
    FAILS(MPI_Comm_idup(MPI_COMM_NULL, &comm, &request), MPI_ERR_COMM);
    FAILS(MPI_Comm_idup(MPI_COMM_WORLD, NULL, &request), MPI_ERR_ARG);
    FAILS(MPI_Comm_idup(MPI_COMM_WORLD, &comm, NULL), MPI_ERR_ARG);
    return MPI_Finalize();
}
