/* Large messages, which sender and receiver may copy together: with a sender that waits, one that comes late, one that never looks before all is over,
 * in both directions at once, several at once, and into less room than they need. Every byte arrives, none is written beyond.
 *
 *   sizes: 2 4
 *   modes: default copy threads */

#include "check.h"

static const int lengths[] = {24575, 24576, 65536, 100001, 524288, 524289, 3000000, 9 << 20};

static void compute(double seconds)
{
    double begun = MPI_Wtime();
    while (MPI_Wtime() - begun < seconds) {
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
                    CHECK(first_wrong(incoming[0], length, from) < 0, "%d bytes, way %d: not what was sent", length, late);
                    CHECK(untouched(incoming[0], length, length), "%d bytes: written beyond the buffer", length);
                }
                free_guarded(incoming[0]);
            }
        }
        /* both directions, three at once, the last into too little room */
        MPI_Request requests[6];
        MPI_Status statuses[6];
        int room[3] = {length, length, length - 7};
        for (int k = 0; k < 3; k++) {
            incoming[k] = guarded(room[k]);
            OK(MPI_Irecv(incoming[k], room[k], MPI_BYTE, from, k, comm, &requests[k]));
        }
        for (int k = 0; k < 3; k++) OK(MPI_Isend(sent, length, MPI_BYTE, to, k, comm, &requests[3 + k]));
        FAILS(MPI_Waitall(6, requests, statuses), MPI_ERR_IN_STATUS);
        for (int k = 0; k < 3; k++) {
            if (k < 2) OK(statuses[k].MPI_ERROR);
            else FAILS(statuses[k].MPI_ERROR, MPI_ERR_TRUNCATE);
            CHECK(first_wrong(incoming[k], room[k], from) < 0, "%d bytes both ways: message %d is wrong", length, k);
            CHECK(untouched(incoming[k], room[k], room[k]), "%d bytes both ways: written beyond the buffer", length);
            free_guarded(incoming[k]);
        }
        free(sent);
    }
    OK(MPI_Comm_free(&comm));
    return MPI_Finalize();
}
