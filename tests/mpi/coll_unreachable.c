/* Collectives with single copies into memory that the kernel refuses to write. Every process whose
 * data are incomplete gets an error, not only the one whose copy failed. Two processes that have a
 * processor each may send messages instead and access that memory themselves, and so may all
 * processes in long reductions if they are oversubscribed.
 *
 * sizes: 3 4 7
 * modes: default dedicated
 */

#define _GNU_SOURCE
#include "coll.h"
#include "reachable.h"
#include <sys/mman.h>

/* Longer than anything that goes through shared memory if processes are oversubscribed. */
enum { BLOCK = 2 << 20, WARM = 6 };

static int rank, size;
static MPI_Comm comm;

static void test_working(void) {
    int one = rank, sum = 0;
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    EQUAL("sum afterwards", sum, size * (size - 1) / 2);
}

/* The last process reduces the end of the vectors and cannot write it to rank 0. */
static void test_reductions(const char *in, char *out) {
    size_t whole = (size_t)BLOCK * size, end = (size_t)BLOCK * (size - 1);
    if (rank == 0) EQUAL("mprotect", mprotect(out + end, BLOCK, PROT_NONE), 0);
    EQUAL("allreduce fails",
          MPI_Allreduce(in, out, (int)(whole / 4), MPI_INT, MPI_SUM, comm) != MPI_SUCCESS, 1);
    test_working();
    EQUAL("reduce fails",
          MPI_Reduce(in, out, (int)(whole / 4), MPI_INT, MPI_SUM, 0, comm) != MPI_SUCCESS, 1);
    test_working();
    if (rank == 0) EQUAL("mprotect", mprotect(out + end, BLOCK, PROT_READ | PROT_WRITE), 0);
    OK(MPI_Allreduce(in, out, (int)(whole / 4), MPI_INT, MPI_SUM, comm));
}

/* The last process cannot write its block to the root. */
static void test_gather(const char *in, char *out) {
    size_t end = (size_t)BLOCK * (size - 1);
    if (rank == 0) EQUAL("mprotect", mprotect(out + end, BLOCK, PROT_NONE), 0);
    int code = MPI_Gather(in, BLOCK, MPI_BYTE, out, BLOCK, MPI_BYTE, 0, comm);
    EQUAL("gather fails", code != MPI_SUCCESS, rank == 0 || rank == size - 1);
    test_working();
    if (rank == 0) EQUAL("mprotect", mprotect(out + end, BLOCK, PROT_READ | PROT_WRITE), 0);
    OK(MPI_Gather(in, BLOCK, MPI_BYTE, out, BLOCK, MPI_BYTE, 0, comm));
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    comm = MPI_COMM_WORLD;
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    size_t whole = (size_t)BLOCK * size;
    char *in = calloc(1, whole);
    char *out = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int call = 0; call < WARM; call++) OK(MPI_Barrier(comm));
    /* If processes cannot read each other's memory, they send messages, and there is nothing to
     * test. */
    if (are_reachable(comm)) {
        const char *oversubscribed = getenv("NEMESIS_OVERSUBSCRIBED");
        if (oversubscribed && strcmp(oversubscribed, "no") == 0) test_reductions(in, out);
        test_gather(in, out);
    }
    munmap(out, whole);
    free(in);
    return end();
}
