/* Intercommunicators are made again and again, and a rank that the seed draws is killed meanwhile.
 * All living ranks of a group must have the last one, or none; and if both leaders live, all of
 * both groups or none.
 *
 *   between SEED            between the halves of a job
 *   between SEED spawn      between this job and another one, which rank 0 spawns; the others do
 *                           not know its processes before
 *   between SEED spawned    the other job
 */
#include "recovery.h"

enum { STEP_S = 40, TAG = 7 };

/* The communicator of this group, that of both leaders, and the other leader's rank there. */
static MPI_Comm ours, leaders;
static int other_leader;
/* Ranks from the first group's on, whether it is this one, and which of both is killed. */
static int both, is_first, victim;

/* The group is a half of the job. */
static void divide(void)
{
    int rank = rank_in(MPI_COMM_WORLD);
    both = size_of(MPI_COMM_WORLD);
    is_first = rank < both / 2;
    REQUIRE(MPI_Comm_split(MPI_COMM_WORLD, is_first, rank, &ours) == MPI_SUCCESS);
    leaders = MPI_COMM_WORLD;
    other_leader = is_first ? both / 2 : 0;
}

/* The group is the job. Only the leader of the first one knows the other job. */
static void meet(char *program, char *seed, MPI_Comm parent)
{
    MPI_Comm between = parent;
    char *words[] = {seed, "spawned", NULL};
    is_first = parent == MPI_COMM_NULL;
    both = 2 * size_of(MPI_COMM_WORLD);
    REQUIRE(MPI_Comm_dup(MPI_COMM_WORLD, &ours) == MPI_SUCCESS);
    if (is_first && rank_in(ours) == 0) {
        REQUIRE(MPI_Comm_spawn(program, words, both / 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &between,
                               MPI_ERRCODES_IGNORE) == MPI_SUCCESS);
    }
    if (between != MPI_COMM_NULL) {
        REQUIRE(MPI_Intercomm_merge(between, !is_first, &leaders) == MPI_SUCCESS);
        MPI_Comm_set_errhandler(leaders, MPI_ERRORS_RETURN);
    }
    other_leader = is_first ? 1 : 0;
}

/* The leaders exchange a word by the new communicator. */
static void talk(MPI_Comm between)
{
    int word = is_first;
    begin_step("a message between the groups", STEP_S);
    int failed =
        MPI_Sendrecv_replace(&word, 1, MPI_INT, 0, 0, 0, 0, between, MPI_STATUS_IGNORE);
    REQUIRE(failed == MPI_SUCCESS ? word == !is_first
                                  : is_expected(failed) && (victim == 0 || victim == both / 2));
}

/* All of the living ranks of a communicator say the same. */
static void must_say_the_same(MPI_Comm comm, int made, int rounds, const char *seed)
{
    int all = made, none = !made;
    begin_step("MPIX_Comm_agree", STEP_S);
    MPIX_Comm_agree(comm, &all);
    MPIX_Comm_agree(comm, &none);
    if (!all && !none) {
        fprintf(stderr, "wrong: rank %d of %d, seed %s, round %d: %s, and others %s\n",
                rank_in(comm), size_of(comm), seed, rounds,
                made ? "it has it" : "it does not have it", made ? "do not" : "do");
    }
}

int main(int argc, char **argv)
{
    MPI_Comm parent, living, between;
    start(&argc, &argv);
    REQUIRE(argc > 1);
    long seed = atol(argv[1]);
    begin_step("the beginning", STEP_S);
    MPI_Comm_get_parent(&parent);
    argc > 2 ? meet(argv[0], argv[1], parent) : divide();
    MPI_Comm_set_errhandler(ours, MPI_ERRORS_RETURN);
    /* Groups of one size have leaders 0 and `both / 2`; those of a job of an odd size, too. */
    victim = (int)(seed % both);
    int rank = rank_in(ours), is_ours = (victim < both / 2) == is_first;
    /* The victim may die before another rank has left the barrier. */
    int failed = MPI_Barrier(ours);
    REQUIRE(failed == MPI_SUCCESS || is_expected(failed));
    if (is_ours && rank == victim - (is_first ? 0 : both / 2)) {
        /* Processes that have not met yet need longer. */
        die_after(100 + seed * 7919 % (argc > 2 ? 200000 : 60000));
    }
    int made = 1, rounds = 0;
    while (made) {
        begin_step("MPI_Intercomm_create", STEP_S);
        failed = MPI_Intercomm_create(ours, 0, leaders, other_leader, TAG, &between);
        made = failed == MPI_SUCCESS;
        if (!made && !is_expected(failed)) {
            tell(failed);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        if (made) {
            MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN);
            if (rank == 0) talk(between);
            MPI_Comm_free(&between);
            rounds++;
        }
        must_say_the_same(ours, made, rounds, argv[1]);
        if (argc == 2 && victim != 0 && victim != both / 2) {
            must_say_the_same(MPI_COMM_WORLD, made, rounds, argv[1]);
        }
    }
    begin_step("MPIX_Comm_shrink", STEP_S);
    REQUIRE(MPIX_Comm_shrink(ours, &living) == MPI_SUCCESS);
    MPI_Comm_set_errhandler(living, MPI_ERRORS_RETURN);
    int one = 1, sum = 0;
    REQUIRE(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, living) == MPI_SUCCESS);
    REQUIRE(sum == size_of(ours) - is_ours);
    if (rank_in(living) == 0) printf("the others go on after %d rounds\n", rounds);
    MPI_Comm_free(&living);
    MPI_Comm_free(&ours);
    begin_step("MPI_Finalize", STEP_S);
    MPI_Finalize();
    return 0;
}
