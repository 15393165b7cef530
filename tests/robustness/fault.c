/* fault WORD: rank 1 makes a mistake that ends it, and rank 0 waits.
 *
 *   null      it writes through the null pointer
 *   pointer   it writes through a pointer that is no address
 *   chain     as null, with a handler of its own that calls the one before
 *   inside    it sends from memory that it does not own
 *   operator  its reduction operator writes through the null pointer
 *   stack     it calls itself without end
 *   divide    it divides by zero
 *   memory    it takes ever more memory, four gigabytes at most
 *   epoch     it frees a window after a fence and a put
 *   sleep     none: both sleep for two seconds
 */

#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int zero;

static int deep(int level) {
    volatile char space[4096];
    space[level % 4096] = (char)level;
    return level < 0 ? 0 : deep(level + 1) + space[0];
}

static void free_early(void) {
    int *memory, word = 1;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &memory, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_free(&window);
}

static void take_memory(void) {
    enum { PIECE = 1 << 20, PIECES = 4096 };
    for (int piece = 0; piece < PIECES; piece++) {
        char *memory = malloc(PIECE);
        if (memory)
            memset(memory, 1, PIECE);
    }
}

static void add_nowhere(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)inout, (void)length, (void)type;
    ((volatile int *)(4 * (size_t)zero))[0] = *(int *)in;
}

static void reduce(void) {
    int one = 1, sum = 1;
    MPI_Op operator;
    MPI_Op_create(add_nowhere, 1, &operator);
    MPI_Reduce_local(&one, &sum, 1, MPI_INT, operator);
}

static struct sigaction before;

static void chain(int number, siginfo_t *info, void *context) {
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(number, info, context);
}

static void chain_handler(void) {
    struct sigaction own;
    memset(&own, 0, sizeof own);
    own.sa_sigaction = chain;
    own.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &own, &before);
}

int main(int argc, char **argv) {
    int rank;
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(what, "chain"))
        chain_handler();
    if (!strcmp(what, "sleep"))
        sleep(2);
    else if (rank == 0)
        MPI_Recv(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (!strcmp(what, "null") || !strcmp(what, "chain"))
        *(volatile int *)(4 * (size_t)zero) = 1;
    else if (!strcmp(what, "pointer"))
        *(volatile int *)((size_t)0x4142434445464748 + (size_t)zero) = 1;
    else if (!strcmp(what, "inside"))
        MPI_Send((char *)(size_t)0x123000, 4096, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    else if (!strcmp(what, "operator"))
        reduce();
    else if (!strcmp(what, "stack"))
        zero = deep(0);
    else if (!strcmp(what, "memory"))
        take_memory();
    else if (!strcmp(what, "divide"))
        zero = 7 / zero;
    else if (!strcmp(what, "epoch"))
        free_early();
    MPI_Finalize();
    return 0;
}
