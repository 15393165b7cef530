/* Ranks that die between exec and the end of MPI_Init:
 *
 *   init SEED DEATHS    so many ranks, which the seed draws, are killed at random times
 *
 * A timer of this kind goes on through exec, so that a rank may die in the dynamic linker, too.
 * Those that live make a communicator of the living, if the job goes on.
 */
#include "recovery.h"
#include <sys/time.h>

enum { STEP_S = 40, LONGEST_US = 12000 };

/* Returns a number that the seed and another one draw. */
static unsigned drawn(unsigned seed, unsigned number)
{
    unsigned bits = seed * 2654435761u ^ (number + 1) * 2246822519u;
    bits = (bits ^ bits >> 15) * 3266489917u;
    return bits ^ bits >> 13;
}

static void end_after(long delay)
{
    struct itimerval at = {.it_value = {0, delay}};
    REQUIRE(setitimer(ITIMER_REAL, &at, NULL) == 0);
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        int rank = atoi(getenv("PMI_RANK")), size = atoi(getenv("PMI_SIZE"));
        unsigned seed = atoi(argv[1]), deaths = atoi(argv[2]);
        for (unsigned death = 0; death < deaths; death++) {
            if ((int)(drawn(seed, death) % size) == rank) {
                end_after(1 + drawn(seed, 100 + death) % LONGEST_US);
            }
        }
        execv(argv[0], (char *[]){argv[0], NULL});
        return 1;
    }
    MPI_Init(&argc, &argv);
    end_after(0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    begin_step("the communicator of the living", STEP_S);
    MPI_Comm living;
    int one = 1, sum = 0, code = MPIX_Comm_shrink(MPI_COMM_WORLD, &living);
    REQUIRE(code == MPI_SUCCESS);
    MPI_Comm_set_errhandler(living, MPI_ERRORS_RETURN);
    begin_step("a sum of the living", STEP_S);
    /* One that ends MPI_Init meanwhile cancels its death. */
    code = MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, living);
    REQUIRE(code == MPI_SUCCESS && sum == size_of(living));
    begin_step("MPI_Finalize", STEP_S);
    MPI_Comm_free(&living);
    if (rank_in(MPI_COMM_WORLD) == 0) {
        puts("the start is over");
    }
    MPI_Finalize();
    return 0;
}
