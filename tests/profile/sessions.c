/* Calls of several threads without MPI_Init, for the check of profiles: each of THREADS threads
 * calls MPI_Initialized CALLS times while a session is open. */

#include <mpi.h>
#include <pthread.h>

enum { THREADS = 4, CALLS = 500000 };

static void *ask(void *unused)
{
    int flag;
    for (int i = 0; i < CALLS; i++)
        MPI_Initialized(&flag);
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    MPI_Session session;
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
    MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Info_free(&info);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, ask, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    MPI_Session_finalize(&session);
    return 0;
}
