/* MPI_Sendrecv acts like a send and a receive of two threads, and MPI_Sendrecv_replace does so in
 * one buffer: with the own rank, with MPI_PROC_NULL and around a ring, at any length (MPI 5.0
 * §3.10, §3.11). */

#include "check.h"

static const int lengths[] = {BOUNDARIES};

static void exchange(int to, int from, int length)
{
    unsigned char *sent = malloc(length), *incoming = guarded(length + 7);
    MPI_Status status;
    fill(sent, length, rank);
    OK(MPI_Sendrecv(sent, length, MPI_BYTE, to, 3, incoming, length + 7, MPI_BYTE, from, 3,
                    MPI_COMM_WORLD, &status));
    if (from == MPI_PROC_NULL) {
        STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        CHECK(untouched(incoming, 0, length + 7), "a receive from MPI_PROC_NULL writes");
    } else {
        STATUS(&status, from, 3, length);
        CHECK(first_wrong(incoming, length, from) < 0 && untouched(incoming, length, length + 7),
              "%d bytes are wrong", length);
    }
    free(sent);
    free_guarded(incoming);
}

static void replace(int to, int from, int length)
{
    unsigned char *both = guarded(length);
    MPI_Status status;
    fill(both, length, rank);
    OK(MPI_Sendrecv_replace(both, length, MPI_BYTE, to, 4, from, 4, MPI_COMM_WORLD, &status));
    int source = from == MPI_PROC_NULL ? rank : from;
    if (from == MPI_PROC_NULL) STATUS(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    else STATUS(&status, from, 4, length);
    CHECK(first_wrong(both, length, source) < 0 && untouched(both, length, length),
          "%d bytes replaced are wrong", length);
    free_guarded(both);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        exchange(next, previous, lengths[i]);
        exchange(rank, rank, lengths[i]);
        exchange(MPI_PROC_NULL, MPI_PROC_NULL, lengths[i]);
        exchange(rank + 1 < size ? rank + 1 : MPI_PROC_NULL, rank > 0 ? rank - 1 : MPI_PROC_NULL,
                 lengths[i]);
        replace(next, previous, lengths[i]);
        replace(rank, rank, lengths[i]);
        replace(MPI_PROC_NULL, MPI_PROC_NULL, lengths[i]);
        replace(rank + 1 < size ? rank + 1 : MPI_PROC_NULL, rank > 0 ? rank - 1 : MPI_PROC_NULL,
                lengths[i]);
    }
    /* The partner may use an ordinary send and receive. */
    int out = rank, in = -1;
    MPI_Request requests[2];
    OK(MPI_Irecv(&in, 1, MPI_INT, previous, 9, MPI_COMM_WORLD, &requests[0]));
    OK(MPI_Isend(&out, 1, MPI_INT, next, 9, MPI_COMM_WORLD, &requests[1]));
    OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK(in == previous, "received %d", in);
    return MPI_Finalize();
}
