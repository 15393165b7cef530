/* Memory that was freed while a window exposed it, and a session that ends before the window does:
 * the next session may get the memory again, and free it.
 *
 * sizes: 1 2
 * modes: default network threads */

#include "check.h"

enum { BYTES = 1 << 16, SESSIONS = 3 };

/* Returns the address of memory that is still exposed when its session ends. */
static void *in_session(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Win win;
    void *memory;
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    OK(MPI_Comm_create_from_group(group, "memory", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    OK(MPI_Group_free(&group));
    OK(MPI_Alloc_mem(BYTES, MPI_INFO_NULL, &memory));
    memset(memory, 1, BYTES);
    OK(MPI_Win_create(memory, BYTES, 1, MPI_INFO_NULL, comm, &win));
    OK(MPI_Win_fence(0, win));
    OK(MPI_Free_mem(memory));
    OK(MPI_Barrier(comm));
    OK(MPI_Session_finalize(&session));
    return memory;
}

int main(void)
{
    void *first = in_session();
    for (int session = 1; session < SESSIONS; session++) {
        void *memory = in_session();
        CHECK(memory == first, "session %d gets %p, not %p, which is free", session, memory, first);
    }
    return 0;
}
