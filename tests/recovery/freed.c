/* Communicators that are made, agreed on and freed again and again take no memory in the end: what
 * has been agreed on is forgotten when all have it. */
#include "recovery.h"
#include <malloc.h>

enum { STEP_S = 50, FIRST = 2000, TURNS = 10000, GROWTH_MAX = 100 << 10 };

int main(int argc, char **argv)
{
    start(&argc, &argv);
    begin_step("agreements on new communicators", STEP_S);
    size_t before = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        if (turn == FIRST) {
            before = mallinfo2().uordblks;
        }
        MPI_Comm comm;
        int flag = turn;
        REQUIRE(MPI_Comm_dup(MPI_COMM_WORLD, &comm) == MPI_SUCCESS);
        REQUIRE(MPIX_Comm_agree(comm, &flag) == MPI_SUCCESS && flag == turn);
        MPI_Comm_free(&comm);
    }
    long growth = (long)(mallinfo2().uordblks - before);
    if (growth > GROWTH_MAX) {
        fprintf(stderr, "wrong: %d communicators keep %ld bytes\n", TURNS - FIRST, growth);
    }
    printf("rank %d: %ld bytes\n", rank_in(MPI_COMM_WORLD), growth);
    if (rank_in(MPI_COMM_WORLD) == 0) {
        puts("all are freed");
    }
    MPI_Finalize();
    return 0;
}
