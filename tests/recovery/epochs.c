/* An origin dies in an epoch of MPI_Win_post. The living origins complete their part of it before
 * or after its end, and the next epoch waits for what they do in it. */
#include "recovery.h"

enum { TARGET = 0, EARLY = 1, VICTIM = 2, LATE = 3, STEP_S = 40, GO = 5 };

static int *memory;
static MPI_Win window;

static void begin(const char *what)
{
    begin_step(what, STEP_S);
}

static void must_work(int code)
{
    if (code != MPI_SUCCESS) {
        tell(code);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static MPI_Group group_of(int count, const int *ranks)
{
    MPI_Group all, group;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, count, ranks, &group);
    MPI_Group_free(&all);
    return group;
}

/* One epoch that fails, and one of the living, whose end is waited for or tested. */
static void be_target(int tests)
{
    MPI_Group three = group_of(3, (int[]){EARLY, VICTIM, LATE});
    MPI_Group two = group_of(2, (int[]){EARLY, LATE});
    begin("an epoch in which an origin dies");
    must_work(MPI_Win_post(three, 0, window));
    int code = MPI_SUCCESS, ended = 0;
    while (tests && !ended && code == MPI_SUCCESS) {
        code = MPI_Win_test(window, &ended);
    }
    code = tests ? code : MPI_Win_wait(window);
    REQUIRE(class_of(code) == MPIX_ERR_PROC_FAILED);
    must_work(MPI_Send(NULL, 0, MPI_INT, LATE, GO, MPI_COMM_WORLD));
    begin("an epoch of the living");
    must_work(MPI_Win_post(two, 0, window));
    for (ended = 0; tests && !ended;) {
        must_work(MPI_Win_test(window, &ended));
    }
    must_work(tests ? MPI_SUCCESS : MPI_Win_wait(window));
    if (memory[EARLY] != 2 || memory[LATE] != 2) {
        fprintf(stderr, "wrong: the epoch has ended with %d and %d\n", memory[EARLY],
                memory[LATE]);
    }
    MPI_Group_free(&three);
    MPI_Group_free(&two);
}

static void be_origin(int rank)
{
    MPI_Group target = group_of(1, (int[]){TARGET});
    for (int value = 1; value <= 2; value++) {
        begin("MPI_Win_start and MPI_Win_complete");
        must_work(MPI_Win_start(target, 0, window));
        if (value == 1 && rank == VICTIM) {
            raise(SIGKILL);
        } else if (value == 1 && rank == LATE) {
            must_work(MPI_Recv(NULL, 0, MPI_INT, TARGET, GO, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE));
        }
        if (value == 2) {
            usleep(100000);
        }
        must_work(MPI_Put(&value, 1, MPI_INT, TARGET, rank, 1, MPI_INT, window));
        must_work(MPI_Win_complete(window));
    }
    MPI_Group_free(&target);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    int tests = argc > 1;
    begin("MPI_Win_allocate");
    REQUIRE(size == 4);
    must_work(MPI_Win_allocate(sizeof(int) * size, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                               &memory, &window));
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    for (int i = 0; i < size; i++) {
        memory[i] = 0;
    }
    if (rank == TARGET) {
        be_target(tests);
        puts("the others go on");
    } else {
        be_origin(rank);
    }
    begin("MPI_Win_free");
    must_work(MPI_Win_free(&window));
    MPI_Finalize();
    return 0;
}
