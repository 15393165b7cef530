/* One process of four kills itself: what each call returns to the others, and what they need to go
 * on. */
#include "recovery.h"

enum { VICTIM = 2, TAG = 5, READY = 7 };

/* A receive, a send and a collective with the failed process fail; with the others all goes on. */
static void errors(int rank)
{
    int word = rank, other = rank == 0 ? 1 : 0;
    REQUIRE(class_of(MPI_Recv(&word, 1, MPI_INT, VICTIM, TAG, MPI_COMM_WORLD,
                              MPI_STATUS_IGNORE)) == MPIX_ERR_PROC_FAILED);
    REQUIRE(class_of(MPI_Send(&word, 1, MPI_INT, VICTIM, TAG, MPI_COMM_WORLD)) ==
            MPIX_ERR_PROC_FAILED);
    REQUIRE(is_expected(MPI_Barrier(MPI_COMM_WORLD)));
    REQUIRE(is_expected(MPI_Bcast(&word, 1, MPI_INT, VICTIM, MPI_COMM_WORLD)));
    if (rank < 2) {
        word = rank;
        REQUIRE(MPI_Sendrecv_replace(&word, 1, MPI_INT, other, TAG, other, TAG, MPI_COMM_WORLD,
                                     MPI_STATUS_IGNORE) == MPI_SUCCESS);
        REQUIRE(word == other);
    }
}

/* A communicator without the failed process is not concerned. */
static void insulation(MPI_Comm without, int rank)
{
    int one = 1, sum = 0;
    REQUIRE(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, without) == MPI_SUCCESS);
    REQUIRE(sum == 3);
    MPI_Request request;
    MPI_Status status;
    int word = -1, next = (rank_in(without) + 1) % 3;
    REQUIRE(MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, TAG, without, &request) == MPI_SUCCESS);
    REQUIRE(MPI_Send(&rank, 1, MPI_INT, next, TAG, without) == MPI_SUCCESS);
    REQUIRE(MPI_Wait(&request, &status) == MPI_SUCCESS && word != -1);
}

/* A receive from any source is interrupted, and goes on after an acknowledgement. */
static void wildcard(MPI_Comm without, int rank)
{
    MPI_Request request;
    int word = -1, acked;
    REQUIRE(MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request) ==
            MPI_SUCCESS);
    REQUIRE(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)) == MPIX_ERR_PROC_FAILED_PENDING);
    REQUIRE(request != MPI_REQUEST_NULL);
    REQUIRE(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)) == MPIX_ERR_PROC_FAILED_PENDING);
    REQUIRE(class_of(MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, TAG + 1, MPI_COMM_WORLD,
                              MPI_STATUS_IGNORE)) == MPIX_ERR_PROC_FAILED);
    REQUIRE(MPIX_Comm_ack_failed(MPI_COMM_WORLD, 0, &acked) == MPI_SUCCESS && acked == 0);
    REQUIRE(MPIX_Comm_ack_failed(MPI_COMM_WORLD, 1, &acked) == MPI_SUCCESS && acked == 1);
    REQUIRE(MPIX_Comm_ack_failed(MPI_COMM_WORLD, 0, &acked) == MPI_SUCCESS && acked == 1);
    MPI_Group group;
    int failed = 0, world;
    MPI_Group of_world;
    REQUIRE(MPIX_Comm_failure_get_acked(MPI_COMM_WORLD, &group) == MPI_SUCCESS);
    MPI_Comm_group(MPI_COMM_WORLD, &of_world);
    MPI_Group_translate_ranks(group, 1, &failed, of_world, &world);
    REQUIRE(world == VICTIM);
    MPI_Group_free(&group);
    MPI_Group_free(&of_world);
    int next = rank == 0 ? 1 : rank == 1 ? 3 : 0;
    REQUIRE(MPI_Barrier(without) == MPI_SUCCESS);
    REQUIRE(MPI_Send(&rank, 1, MPI_INT, next, TAG, MPI_COMM_WORLD) == MPI_SUCCESS);
    REQUIRE(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS && request == MPI_REQUEST_NULL);
    REQUIRE(word == (rank == 0 ? 3 : rank == 1 ? 0 : 1));
}

/* Agreements: an error until all have acknowledged, with one flag everywhere. */
static void agreements(MPI_Comm comm, int rank)
{
    int flag = rank == 1 ? 6 : 7, acked;
    MPI_Request request;
    REQUIRE(class_of(MPIX_Comm_agree(comm, &flag)) == MPIX_ERR_PROC_FAILED && flag == 6);
    flag = rank == 3 ? 3 : 7;
    REQUIRE(MPIX_Comm_iagree(comm, &flag, &request) == MPI_SUCCESS);
    REQUIRE(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)) == MPIX_ERR_PROC_FAILED);
    REQUIRE(flag == 3);
    REQUIRE(MPIX_Comm_ack_failed(comm, 4, &acked) == MPI_SUCCESS && acked == 1);
    flag = 1;
    REQUIRE(MPIX_Comm_agree(comm, &flag) == MPI_SUCCESS && flag == 1);
    /* Several at once, completed in another order. */
    int flags[3] = {1, rank != 0, 1};
    MPI_Request requests[3];
    for (int i = 0; i < 3; i++) {
        REQUIRE(MPIX_Comm_iagree(comm, &flags[i], &requests[i]) == MPI_SUCCESS);
    }
    for (int i = 2; i >= 0; i--) {
        REQUIRE(MPI_Wait(&requests[i], MPI_STATUS_IGNORE) == MPI_SUCCESS);
    }
    REQUIRE(flags[0] == 1 && flags[1] == 0 && flags[2] == 1);
}

/* Revoking ends what waits on the communicator at all others, and everything later. */
static void revocation(MPI_Comm comm, int rank)
{
    int word = 0, flag = 1;
    REQUIRE(MPIX_Comm_is_revoked(comm, &flag) == MPI_SUCCESS && flag == 0);
    if (rank == 0) {
        /* The others wait: they have said so. */
        int ready;
        for (int from = 1; from < 4; from += 2) {
            REQUIRE(MPI_Recv(&ready, 1, MPI_INT, from, READY, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ==
                    MPI_SUCCESS);
        }
        REQUIRE(MPIX_Comm_revoke(comm) == MPI_SUCCESS);
        REQUIRE(MPIX_Comm_revoke(comm) == MPI_SUCCESS);
    } else {
        MPI_Request request;
        REQUIRE(MPI_Irecv(&word, 1, MPI_INT, 0, TAG, comm, &request) == MPI_SUCCESS);
        REQUIRE(MPI_Send(&rank, 1, MPI_INT, 0, READY, MPI_COMM_WORLD) == MPI_SUCCESS);
        REQUIRE(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)) == MPIX_ERR_REVOKED);
    }
    REQUIRE(MPIX_Comm_is_revoked(comm, &flag) == MPI_SUCCESS && flag == 1);
    REQUIRE(class_of(MPI_Send(&word, 1, MPI_INT, 0, TAG, comm)) == MPIX_ERR_REVOKED);
    REQUIRE(class_of(MPI_Send(&word, 1, MPI_INT, MPI_PROC_NULL, TAG, comm)) == MPIX_ERR_REVOKED);
    REQUIRE(class_of(MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, TAG, comm, MPI_STATUS_IGNORE)) ==
            MPIX_ERR_REVOKED);
    REQUIRE(class_of(MPI_Barrier(comm)) == MPIX_ERR_REVOKED);
    REQUIRE(MPIX_Comm_agree(comm, &flag) == MPI_SUCCESS);
}

/* The living processes make a communicator and use it. */
static void shrinking(MPI_Comm comm)
{
    MPI_Comm fewer[2];
    MPI_Request request;
    REQUIRE(MPIX_Comm_shrink(comm, &fewer[0]) == MPI_SUCCESS);
    REQUIRE(MPIX_Comm_ishrink(comm, &fewer[1], &request) == MPI_SUCCESS);
    REQUIRE(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    int result;
    MPI_Comm_compare(fewer[0], fewer[1], &result);
    REQUIRE(result == MPI_CONGRUENT);
    for (int i = 0; i < 2; i++) {
        int one = 1, sum = 0;
        REQUIRE(size_of(fewer[i]) == 3);
        REQUIRE(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, fewer[i]) == MPI_SUCCESS);
        REQUIRE(sum == 3);
        REQUIRE(MPI_Barrier(fewer[i]) == MPI_SUCCESS);
        MPI_Comm_free(&fewer[i]);
    }
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    int rank = rank_in(MPI_COMM_WORLD);
    MPI_Comm without, agreeing, revoked;
    REQUIRE(size_of(MPI_COMM_WORLD) == 4);
    MPI_Comm_split(MPI_COMM_WORLD, rank == VICTIM, rank, &without);
    MPI_Comm_dup(MPI_COMM_WORLD, &agreeing);
    MPI_Comm_split(without, 0, rank, &revoked);
    /* No barrier: it may fail where the process dies before the others have left it. */
    if (rank == VICTIM) {
        for (int other = 0; other < 4; other++)
            if (other != VICTIM)
                REQUIRE(MPI_Recv(NULL, 0, MPI_INT, other, TAG, MPI_COMM_WORLD,
                                 MPI_STATUS_IGNORE) == MPI_SUCCESS);
        raise(SIGKILL);
    }
    REQUIRE(MPI_Send(NULL, 0, MPI_INT, VICTIM, TAG, MPI_COMM_WORLD) == MPI_SUCCESS);
    errors(rank);
    insulation(without, rank);
    agreements(agreeing, rank);
    wildcard(without, rank);
    revocation(revoked, rank);
    shrinking(MPI_COMM_WORLD);
    REQUIRE(MPIX_Comm_revoke(MPI_COMM_WORLD) == MPI_SUCCESS);
    shrinking(MPI_COMM_WORLD);
    insulation(without, rank);
    if (rank == 0) {
        puts("the others go on");
    }
    MPI_Finalize();
    return 0;
}
