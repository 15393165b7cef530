/* between SEED: communicators are made again and again, between the halves of the job, and a rank
 * that the seed draws is killed meanwhile. All living ranks must have the last one, or none. */
#include "recovery.h"
#include <time.h>

enum { STEP_S = 40, TAG = 7 };

/* Kills this process so many microseconds from now. */
static void die_after(long delay)
{
    timer_t timer;
    struct sigevent by = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    struct itimerspec at = {.it_value = {0, 1000 * delay}};
    REQUIRE(timer_create(CLOCK_MONOTONIC, &by, &timer) == 0);
    REQUIRE(timer_settime(timer, 0, &at, NULL) == 0);
}

/* Returns how many living ranks say that something holds, by the communicator of the living. */
static int count_of(MPI_Comm living, int holds)
{
    int sum = 0;
    int failed = MPI_Allreduce(&holds, &sum, 1, MPI_INT, MPI_SUM, living);
    REQUIRE(failed == MPI_SUCCESS);
    return sum;
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    long seed = argc > 1 ? atol(argv[1]) : 1;
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), half = size / 2;
    /* The victim leads no half: whether the other half has heard of the end of a leader is not
     * agreed on. */
    int low = rank < half, leader = low ? 0 : half;
    int victim = 1 + (int)(seed % (size - 2));
    if (victim >= half) victim++;
    MPI_Comm ours;
    begin_step("MPI_Comm_split", STEP_S);
    REQUIRE(MPI_Comm_split(MPI_COMM_WORLD, low, rank, &ours) == MPI_SUCCESS);
    MPI_Comm_set_errhandler(ours, MPI_ERRORS_RETURN);
    /* The victim may die before another rank has left the barrier. */
    int failed = MPI_Barrier(MPI_COMM_WORLD);
    REQUIRE(failed == MPI_SUCCESS || is_expected(failed));
    if (rank == victim) die_after(100 + seed * 7919 % 60000);
    int made = 1, rounds = 0;
    while (made) {
        MPI_Comm between;
        begin_step("MPI_Intercomm_create", STEP_S);
        failed = MPI_Intercomm_create(ours, 0, MPI_COMM_WORLD, low ? half : 0, TAG, &between);
        made = failed == MPI_SUCCESS;
        if (!made && !is_expected(failed)) {
            tell(failed);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        if (made) {
            MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN);
            int word = rank;
            begin_step("a message between the halves", STEP_S);
            if (rank == leader) {
                failed = MPI_Sendrecv_replace(&word, 1, MPI_INT, 0, 0, 0, 0, between,
                                              MPI_STATUS_IGNORE);
                REQUIRE(failed == MPI_SUCCESS && word == (low ? half : 0));
            }
            MPI_Comm_free(&between);
            rounds++;
        }
        /* All living ranks know now whether all of them have made it. */
        begin_step("MPIX_Comm_agree", STEP_S);
        MPI_Comm living;
        int all = made, none = !made;
        MPIX_Comm_agree(MPI_COMM_WORLD, &all);
        MPIX_Comm_agree(MPI_COMM_WORLD, &none);
        if (!all && !none) {
            fprintf(stderr, "wrong: rank %d of %d, seed %ld, round %d: %s, and others %s\n", rank,
                    size, seed, rounds, made ? "it has it" : "it does not have it",
                    made ? "do not" : "do");
        }
        if (!all) {
            begin_step("MPIX_Comm_shrink", STEP_S);
            REQUIRE(MPIX_Comm_shrink(MPI_COMM_WORLD, &living) == MPI_SUCCESS);
            MPI_Comm_set_errhandler(living, MPI_ERRORS_RETURN);
            REQUIRE(count_of(living, 1) == size - 1);
            MPI_Comm_free(&living);
            break;
        }
    }
    MPI_Comm_free(&ours);
    if (rank == 0) printf("the others go on after %d rounds\n", rounds);
    begin_step("MPI_Finalize", STEP_S);
    MPI_Finalize();
    return 0;
}
