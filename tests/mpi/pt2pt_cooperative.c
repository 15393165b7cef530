/* Large messages, which sender and receiver may copy cooperatively: the sender waits, comes late,
 * or makes no MPI call before the copy is complete; in both directions at once; several at once;
 * into buffers that are too short; and from memory that the kernel does not let other processes
 * read. Every byte arrives, and no byte past the buffer is written.
 *
 * sizes: 2 4
 * modes: default copy threads
 */

#include "check.h"
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int lengths[] = {24575, 24576, 65536, 100001, 524288, 524289, 3000000, 9 << 20};

static void compute(double seconds)
{
    double start = MPI_Wtime();
    while (MPI_Wtime() - start < seconds) {
    }
}

/* Allocates `length` bytes. The kernel does not let other processes read the bytes from `open` on
 * (memfd_secret, if it is available). */
static unsigned char *secret_memory(size_t length, size_t open)
{
    unsigned char *all = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                              0);
    CHECK(all != MAP_FAILED, "no memory");
#ifdef SYS_memfd_secret
    int file = syscall(SYS_memfd_secret, 0);
    if (file >= 0 && ftruncate(file, length) == 0) {
        unsigned char *secret = mmap(all + open, length - open, PROT_READ | PROT_WRITE,
                                     MAP_SHARED | MAP_FIXED, file, open);
        CHECK(secret == all + open || secret == MAP_FAILED,
              "secret memory is mapped at another address");
        /* Secret memory is limited. If there is none left, ordinary memory is mapped again. */
        if (secret == MAP_FAILED)
            all = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    if (file >= 0) close(file);
#endif
    return all;
}

/* Runs last, because the library may stop using single copies with a process for which the kernel
 * has refused one. Some of the memory can be read, or none; the sender waits, or comes late, or the
 * receiver does. */
static void from_secret_memory(MPI_Comm comm)
{
    enum { LENGTH = 3000001, OPEN = 1 << 20 };
    for (int times = 0; times < 6; times++) {
        size_t open = times < 3 ? OPEN : 0;
        if (rank % 2) {
            unsigned char *place = guarded(LENGTH);
            compute(times % 3 == 1 ? 5e-3 : 0);
            OK(MPI_Recv(place, LENGTH, MPI_BYTE, rank ^ 1, 7, comm, MPI_STATUS_IGNORE));
            CHECK(first_wrong(place, LENGTH, times) < 0, "secret memory: the message is wrong");
            CHECK(untouched(place, LENGTH, LENGTH),
                  "secret memory: bytes past the buffer were written");
            free_guarded(place);
        } else {
            MPI_Request request;
            unsigned char *secret = secret_memory(LENGTH, open);
            fill(secret, LENGTH, times);
            OK(MPI_Isend(secret, LENGTH, MPI_BYTE, rank ^ 1, 7, comm, &request));
            compute(times % 3 == 0 ? 5e-3 : 0);
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            munmap(secret, LENGTH);
        }
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int to = rank ^ 1, from = rank ^ 1;
    MPI_Comm comm;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        int length = lengths[i];
        unsigned char *sent = malloc(length), *incoming[3];
        fill(sent, length, rank);
        for (int late = 0; late < 3; late++) {
            for (int turn = 0; turn < 2; turn++) {
                incoming[0] = guarded(length);
                if (turn == rank % 2) {
                    if (late == 0) {
                        OK(MPI_Send(sent, length, MPI_BYTE, to, 1, comm));
                    } else {
                        MPI_Request request;
                        OK(MPI_Isend(sent, length, MPI_BYTE, to, 1, comm, &request));
                        compute(late == 1 ? 20e-6 : 5e-3);
                        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
                    }
                } else {
                    MPI_Status status;
                    OK(MPI_Recv(incoming[0], length, MPI_BYTE, from, 1, comm, &status));
                    STATUS(&status, from, 1, length);
                    CHECK(first_wrong(incoming[0], length, from) < 0,
                          "%d bytes, variant %d: the message is wrong", length, late);
                    CHECK(untouched(incoming[0], length, length),
                          "%d bytes: bytes past the buffer were written", length);
                }
                free_guarded(incoming[0]);
            }
        }
        /* In both directions, three messages at once, the last of them into a buffer that is too
         * short. */
        MPI_Request requests[6];
        MPI_Status statuses[6];
        int capacity[3] = {length, length, length - 7};
        for (int k = 0; k < 3; k++) {
            incoming[k] = guarded(capacity[k]);
            OK(MPI_Irecv(incoming[k], capacity[k], MPI_BYTE, from, k, comm, &requests[k]));
        }
        for (int k = 0; k < 3; k++)
            OK(MPI_Isend(sent, length, MPI_BYTE, to, k, comm, &requests[3 + k]));
        FAILS(MPI_Waitall(6, requests, statuses), MPI_ERR_IN_STATUS);
        for (int k = 0; k < 3; k++) {
            if (k < 2) OK(statuses[k].MPI_ERROR);
            else FAILS(statuses[k].MPI_ERROR, MPI_ERR_TRUNCATE);
            CHECK(first_wrong(incoming[k], capacity[k], from) < 0,
                  "%d bytes in both directions: message %d is wrong", length, k);
            CHECK(untouched(incoming[k], capacity[k], capacity[k]),
                  "%d bytes in both directions: bytes past the buffer were written", length);
            free_guarded(incoming[k]);
        }
        free(sent);
    }
    from_secret_memory(comm);
    OK(MPI_Comm_free(&comm));
    return MPI_Finalize();
}
