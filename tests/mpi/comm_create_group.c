/* MPI_Comm_create_group and MPI_Comm_create_from_group: only the members of the new communicator
 * take part. Groups overlap and are used in one order everywhere; other processes are busy
 * meanwhile; several threads use different tags; a string tag replaces the parent. No two
 * communicators share a context. */

#include "check.h"
#include <pthread.h>

static MPI_Group world;

/* The group of `count` ranks from `first` on, cyclically. */
static MPI_Group some_ranks(int first, int count)
{
    int ranks[64];
    MPI_Group group;
    for (int index = 0; index < count; index++) ranks[index] = (first + index) % size;
    OK(MPI_Group_incl(world, count, ranks, &group));
    return group;
}

static void use(MPI_Comm comm, int mark, int members)
{
    int ranks, own_rank, seen = -1, sum;
    OK(MPI_Comm_size(comm, &ranks));
    OK(MPI_Comm_rank(comm, &own_rank));
    CHECK(ranks == members, "%d members, %d are expected", ranks, members);
    int out = mark * 100 + own_rank;
    OK(MPI_Sendrecv(&out, 1, MPI_INT, (own_rank + 1) % ranks, 1, &seen, 1, MPI_INT,
                    (own_rank + ranks - 1) % ranks, 1, comm, MPI_STATUS_IGNORE));
    CHECK(seen == mark * 100 + (own_rank + ranks - 1) % ranks, "%d from the left, mark %d", seen,
          mark);
    OK(MPI_Allreduce(&mark, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == mark * members, "sum %d", sum);
}

/* Groups of neighbouring ranks in a ring, each overlapping with the next ones. Their communicators
 * exist at the same time. */
static void overlapping(int by_string)
{
    MPI_Comm comms[64];
    int made = 0, marks[64], width = size < 3 ? size : 3;
    for (int first = 0; first < size; first++) {
        if ((rank - first + size) % size >= width) continue;
        MPI_Group group = some_ranks(first, width);
        char string[32];
        snprintf(string, sizeof string, "window %d", first);
        if (by_string)
            OK(MPI_Comm_create_from_group(group, string, MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                          comms + made));
        else OK(MPI_Comm_create_group(MPI_COMM_WORLD, group, first, comms + made));
        marks[made++] = first;
        OK(MPI_Group_free(&group));
    }
    for (int index = 0; index < made; index++) use(comms[index], marks[index], width);
    for (int index = 0; index < made; index++) OK(MPI_Comm_free(comms + index));
}

/* The first ranks create a communicator while the last rank waits for a message that is sent only
 * afterwards. */
static void without_the_others(void)
{
    if (size < 2) return;
    int word = 0;
    if (rank == size - 1) {
        OK(MPI_Recv(&word, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        return;
    }
    MPI_Group group = some_ranks(0, size - 1);
    MPI_Comm comm;
    /* Messages with the same tag on the parent belong to the program. */
    MPI_Request request;
    OK(MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request));
    OK(MPI_Comm_create_group(MPI_COMM_WORLD, group, 7, &comm));
    use(comm, 3, size - 1);
    OK(MPI_Comm_free(&comm));
    OK(MPI_Group_free(&group));
    OK(MPI_Cancel(&request));
    MPI_Status status;
    int cancelled;
    OK(MPI_Wait(&request, &status));
    OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK(cancelled, "the receive matched an internal message of the library");
    if (rank == 0) OK(MPI_Send(&word, 1, MPI_INT, size - 1, 7, MPI_COMM_WORLD));
}

static void *in_a_thread(void *number)
{
    int tag = *(int *)number;
    for (int round = 0; round < 20; round++) {
        MPI_Group group = some_ranks(0, size);
        MPI_Comm comm;
        char string[32];
        snprintf(string, sizeof string, "thread %d", tag);
        if (tag % 2) OK(MPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &comm));
        else OK(MPI_Comm_create_from_group(group, string, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
        use(comm, tag * 20 + round, size);
        OK(MPI_Comm_free(&comm));
        OK(MPI_Group_free(&group));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    overlapping(0);
    overlapping(1);
    without_the_others();
    OK(MPI_Barrier(MPI_COMM_WORLD));
    pthread_t threads[4];
    int numbers[4];
    for (int thread = 0; thread < 4; thread++) {
        numbers[thread] = thread;
        CHECK(pthread_create(threads + thread, NULL, in_a_thread, numbers + thread) == 0,
              "a thread cannot be created");
    }
    for (int thread = 0; thread < 4; thread++) pthread_join(threads[thread], NULL);
    /* Disjoint groups of one communicator, at the same time. */
    MPI_Comm part;
    MPI_Group group;
    int half = size / 2,
        ranges[1][3] = {{rank < half ? 0 : half, rank < half ? half - 1 : size - 1, 1}};
    OK(MPI_Group_range_incl(world, 1, ranges, &group));
    OK(MPI_Comm_create(MPI_COMM_WORLD, group, &part));
    use(part, 5, rank < half ? half : size - half);
    OK(MPI_Comm_free(&part));
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    FAILS(MPI_Comm_create_group(MPI_COMM_WORLD, world, -1, &part), MPI_ERR_TAG);
    char *longest = calloc(1, MPI_MAX_STRINGTAG_LEN + 1);
    memset(longest, 'x', MPI_MAX_STRINGTAG_LEN);
    FAILS(MPI_Comm_create_from_group(world, longest, MPI_INFO_NULL, MPI_ERRORS_RETURN, &part),
          MPI_ERR_ARG);
    longest[MPI_MAX_STRINGTAG_LEN - 1] = 0;
    OK(MPI_Comm_create_from_group(world, longest, MPI_INFO_NULL, MPI_ERRORS_RETURN, &part));
    use(part, 6, size);
    OK(MPI_Comm_free(&part));
    free(longest);
    OK(MPI_Group_free(&world));
    return MPI_Finalize();
}
