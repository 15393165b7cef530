/* agree SEED DEATHS: ranks agree again and again, and so many of them are killed meanwhile. All
 * living ones must hear the same: the flag is the bitwise and of those of the living, and perhaps
 * of dead ones. */
#include "recovery.h"

/* Rounds, and those after a failure: a round takes milliseconds on a processor that others use. */
enum { STEP_S = 40, ROUNDS = 1000, ROUNDS_AFTER = 100, EARLY = 40 };

static long seed;

static unsigned draw(unsigned first, unsigned second)
{
    unsigned long bits = seed * 0x9e3779b97f4a7c15ul + first * 0x94d049bb133111ebul + second;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ul;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebul;
    return bits >> 33;
}

/* Returns the flag with which a rank enters a round. */
static int flag_of(int rank, int round)
{
    return ~(1 << draw(rank + 1, round) % 31);
}

/* Agrees in one of several ways. Returns the error class. */
static int agree(MPI_Comm comm, int way, int *flag)
{
    MPI_Request requests[2];
    int other = -1;
    switch (way) {
    case 0:
        begin_step("MPIX_Comm_iagree", STEP_S);
        REQUIRE(MPIX_Comm_iagree(comm, flag, &requests[0]) == MPI_SUCCESS);
        return class_of(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    case 1:
        begin_step("two MPIX_Comm_iagree", STEP_S);
        REQUIRE(MPIX_Comm_iagree(comm, flag, &requests[0]) == MPI_SUCCESS);
        REQUIRE(MPIX_Comm_iagree(comm, &other, &requests[1]) == MPI_SUCCESS);
        int second = MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        REQUIRE(second == MPI_SUCCESS || is_expected(second));
        REQUIRE(other == -1);
        return class_of(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    default:
        begin_step("MPIX_Comm_agree", STEP_S);
        return class_of(MPIX_Comm_agree(comm, flag));
    }
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    REQUIRE(argc == 3);
    seed = atol(argv[1]);
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), deaths = atoi(argv[2]);
    MPI_Comm comm, living;
    begin_step("MPI_Comm_dup", STEP_S);
    REQUIRE(MPI_Comm_dup(MPI_COMM_WORLD, &comm) == MPI_SUCCESS);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    /* All have it before one dies. */
    int all = 1;
    REQUIRE(MPIX_Comm_agree(MPI_COMM_WORLD, &all) == MPI_SUCCESS || deaths > 0);
    /* Some agree by messages before they share memory, some after. */
    int barriers = draw(0, 0) % 3 ? 12 : 0, has_failed = 0;
    unsigned long heard = 0;
    for (int victim = 0; victim < deaths; victim++) {
        if (rank == (int)(draw(0, 1) + victim) % size) die_after(50 + draw(0, 2 + victim) % 12000);
    }
    int rounds = ROUNDS;
    for (int round = 0; round < rounds; round++) {
        if (round < EARLY && round % 4 == 0) {
            for (int barrier = 0; barrier < barriers; barrier++) MPI_Barrier(comm);
        }
        int flag = flag_of(rank, round), everyone = -1;
        for (int member = 0; member < size; member++) everyone &= flag_of(member, round);
        int class = agree(comm, draw(0, 100 + round) % 8, &flag);
        REQUIRE(class == MPI_SUCCESS || class == MPIX_ERR_PROC_FAILED);
        if (!has_failed && class != MPI_SUCCESS && round + ROUNDS_AFTER < rounds) {
            rounds = round + ROUNDS_AFTER;
        }
        has_failed |= class != MPI_SUCCESS;
        if ((flag & ~flag_of(rank, round)) || (flag & everyone) != everyone ||
            (!has_failed && flag != everyone)) {
            fprintf(stderr, "wrong: rank %d of %d, seed %ld, round %d: the flag is %x\n", rank,
                    size, seed, round, flag);
        }
        heard = (heard ^ (unsigned)flag ^ (unsigned long)class << 32) * 0x9e3779b97f4a7c15ul;
        if (class != MPI_SUCCESS) MPIX_Comm_failure_ack(comm);
        if (draw(1, 100 + round) % 64 == 0) {
            begin_step("MPIX_Comm_shrink", STEP_S);
            REQUIRE(MPIX_Comm_shrink(comm, &living) == MPI_SUCCESS);
            heard += size_of(living);
            MPI_Comm_free(&living);
        }
    }
    begin_step("the comparison", STEP_S);
    unsigned long same[2] = {heard, ~heard}, least[2];
    int failed;
    do {
        REQUIRE(MPIX_Comm_shrink(comm, &living) == MPI_SUCCESS);
        MPI_Comm_set_errhandler(living, MPI_ERRORS_RETURN);
        failed = MPI_Allreduce(same, least, 2, MPI_UNSIGNED_LONG, MPI_MIN, living);
        int good = !failed;
        MPIX_Comm_agree(living, &good);
        failed |= !good;
        MPI_Comm_free(&living);
    } while (failed);
    if (least[0] != heard || least[1] != ~heard) {
        fprintf(stderr, "wrong: rank %d of %d, seed %ld: the living have heard other decisions\n",
                rank, size, seed);
    }
    MPI_Comm_free(&comm);
    begin_step("MPI_Finalize", STEP_S);
    MPI_Finalize();
    return 0;
}
