/* Whether the processes of a communicator may read each other's memory. Include it after _GNU_SOURCE is defined, behind coll.h. */

#include <sys/uio.h>
#include <unistd.h>

/* Collective: the same everywhere. Processes on several nodes cannot. */
static inline int are_reachable(MPI_Comm comm) {
    MPI_Comm node;
    int rank, size, together, all;
    OK(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    OK(MPI_Comm_size(node, &together));
    OK(MPI_Comm_free(&node));
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    if (together < size) return 0;
    long word = 4711, own[2] = {getpid(), (long)&word}, other[2], seen = 0;
    OK(MPI_Sendrecv(own, 2, MPI_LONG, (rank + 1) % size, 0, other, 2, MPI_LONG, (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE));
    struct iovec here = {&seen, sizeof seen}, there = {(void *)other[1], sizeof seen};
    int mine = process_vm_readv((pid_t)other[0], &here, 1, &there, 1, 0) == sizeof seen && seen == word;
    OK(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm));
    return all;
}
