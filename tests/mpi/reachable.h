/* Tells whether the processes of a communicator can read each other's memory with process_vm_readv.
 * Define _GNU_SOURCE and include coll.h before this header. */

#include "one_node.h"
#include <sys/uio.h>
#include <unistd.h>

/* Collective; returns the same value at every rank. Always 0 for processes on several nodes. */
static inline int are_reachable(MPI_Comm comm) {
    int rank, size, all;
    if (!are_on_one_node(comm)) return 0;
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    long word = 4711, own[2] = {getpid(), (long)&word}, other[2], seen = 0;
    OK(MPI_Sendrecv(own, 2, MPI_LONG, (rank + 1) % size, 0, other, 2, MPI_LONG,
                    (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE));
    struct iovec here = {&seen, sizeof seen}, there = {(void *)other[1], sizeof seen};
    int mine = process_vm_readv((pid_t)other[0], &here, 1, &there, 1, 0) == sizeof seen &&
        seen == word;
    OK(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm));
    return all;
}
