/* Intercommunicators: creation from two communicators and from two groups, inquiry, messages,
 * wildcards and probes between the groups, duplication, splitting, subsets, comparison, merging,
 * and the errors of all these calls. */

#include "check.h"

static MPI_Comm local, inter;
static int side, own_rank, own_size, remote_size;

/* The rank in MPI_COMM_WORLD of rank `peer` of group `side_index`. Even ranks form group 0. */
static int world_of(int side_index, int peer)
{
    return 2 * peer + side_index;
}

static void make(void)
{
    side = rank % 2;
    OK(MPI_Comm_split(MPI_COMM_WORLD, side, 0, &local));
    /* The leaders are the last ranks of their groups. */
    int last[2] = {(size + 1) / 2 - 1, size / 2 - 1};
    OK(MPI_Intercomm_create(local, last[side], side == rank % 2 ? MPI_COMM_WORLD : MPI_COMM_NULL,
                            world_of(1 - side, last[1 - side]), 5, &inter));
    OK(MPI_Comm_rank(inter, &own_rank));
    OK(MPI_Comm_size(inter, &own_size));
    OK(MPI_Comm_remote_size(inter, &remote_size));
}

static void ask(void)
{
    int flag, local_rank, result;
    OK(MPI_Comm_test_inter(inter, &flag));
    CHECK(flag, "no intercommunicator");
    OK(MPI_Comm_test_inter(local, &flag));
    CHECK(!flag, "an intercommunicator");
    OK(MPI_Comm_rank(local, &local_rank));
    CHECK(own_rank == local_rank && own_size == (size + 1 - side) / 2 &&
          remote_size == (size + side) / 2, "rank %d, %d and %d processes", own_rank, own_size,
          remote_size);
    MPI_Group group, remote, world;
    MPI_Comm none;
    OK(MPI_Comm_group(inter, &group));
    OK(MPI_Comm_remote_group(inter, &remote));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (int peer = 0; peer < own_size; peer++) {
        OK(MPI_Group_translate_ranks(group, 1, &peer, world, &result));
        CHECK(result == world_of(side, peer), "local rank %d is %d", peer, result);
    }
    for (int peer = 0; peer < remote_size; peer++) {
        OK(MPI_Group_translate_ranks(remote, 1, &peer, world, &result));
        CHECK(result == world_of(1 - side, peer), "remote rank %d is %d", peer, result);
    }
    OK(MPI_Group_free(&group));
    OK(MPI_Group_free(&remote));
    OK(MPI_Group_free(&world));
    FAILS(MPI_Comm_remote_size(local, &result), MPI_ERR_COMM);
    FAILS(MPI_Comm_remote_group(local, &group), MPI_ERR_COMM);
    FAILS(MPI_Intercomm_merge(local, 0, &none), MPI_ERR_COMM);
    OK(MPI_Comm_compare(inter, inter, &result));
    CHECK(result == MPI_IDENT, "with itself: %d", result);
    OK(MPI_Comm_compare(inter, local, &result));
    CHECK(result == MPI_UNEQUAL, "with its local communicator: %d", result);
}

/* Every rank sends to every rank of the other group: short and long messages, received from any
 * source and after probes. */
static void messages(MPI_Comm comm)
{
    enum { LARGE = 300000 };
    static char out[LARGE], in[LARGE];
    int others, me;
    MPI_Request request;
    MPI_Status status;
    OK(MPI_Comm_remote_size(comm, &others));
    OK(MPI_Comm_rank(comm, &me));
    for (int round = 0; round < others; round++) {
        int number = me * 100 + side, seen = -1;
        OK(MPI_Isend(&number, 1, MPI_INT, round, 3, comm, &request));
        OK(MPI_Recv(&seen, 1, MPI_INT, round, 3, comm, &status));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(seen == round * 100 + 1 - side && status.MPI_SOURCE == round, "%d from %d", seen,
              status.MPI_SOURCE);
    }
    MPI_Request requests[64];
    for (int to = 0; to < others; to++) OK(MPI_Isend(&me, 1, MPI_INT, to, 4, comm, requests + to));
    for (int count = 0, sum = 0; count < others; count++) {
        int seen, bytes;
        MPI_Message message;
        if (count % 2) {
            OK(MPI_Mprobe(MPI_ANY_SOURCE, 4, comm, &message, &status));
            OK(MPI_Mrecv(&seen, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
        } else {
            OK(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
            OK(MPI_Recv(&seen, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, &status));
        }
        OK(MPI_Get_count(&status, MPI_INT, &bytes));
        CHECK(bytes == 1 && status.MPI_TAG == 4 && seen == status.MPI_SOURCE, "%d from %d", seen,
              status.MPI_SOURCE);
        sum += 1 << seen;
        CHECK(count < others - 1 || sum == (1 << others) - 1, "messages of %x were counted", sum);
    }
    OK(MPI_Waitall(others, requests, MPI_STATUSES_IGNORE));
    OK(MPI_Barrier(comm));
    int partner = me % others;
    if (me == partner) {
        fill(out, LARGE, (unsigned)(me * 2 + side));
        OK(MPI_Sendrecv(out, LARGE, MPI_BYTE, partner, 0, in, LARGE, MPI_BYTE, partner, 0, comm,
                        &status));
        for (size_t at = 0; at < LARGE; at++)
            CHECK((unsigned char)in[at] == byte_of((unsigned)(partner * 2 + 1 - side), at),
                  "byte %zu", at);
    }
    FAILS(MPI_Send(&me, 1, MPI_INT, others, 0, comm), MPI_ERR_RANK);
    OK(MPI_Barrier(comm));
}

static void check_sum(MPI_Comm comm)
{
    int theirs = -1, one = 1, others;
    OK(MPI_Comm_remote_size(comm, &others));
    OK(MPI_Allreduce(&one, &theirs, 1, MPI_INT, MPI_SUM, comm));
    CHECK(theirs == others, "%d remote ranks, %d of them were counted", others, theirs);
}

static void copies(void)
{
    MPI_Comm copy, copies[3];
    MPI_Request requests[3];
    int result, number = rank, seen;
    OK(MPI_Comm_dup(inter, &copy));
    OK(MPI_Comm_compare(inter, copy, &result));
    CHECK(result == MPI_CONGRUENT, "a duplicate is %d", result);
    /* A message with equal envelope on the original communicator stays there. */
    int to = own_rank % remote_size;
    if (own_rank < remote_size && own_rank < own_size) {
        MPI_Request pending;
        OK(MPI_Isend(&number, 1, MPI_INT, to, 9, inter, &pending));
        OK(MPI_Recv(&seen, 1, MPI_INT, to, 9, inter, MPI_STATUS_IGNORE));
        OK(MPI_Wait(&pending, MPI_STATUS_IGNORE));
        CHECK(seen == world_of(1 - side, to), "%d", seen);
    }
    messages(copy);
    for (int index = 0; index < 3; index++)
        OK(MPI_Comm_idup(index ? copy : inter, copies + index, requests + index));
    OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    for (int index = 2; index >= 0; index--) {
        messages(copies[index]);
        check_sum(copies[index]);
        OK(MPI_Comm_free(copies + index));
    }
    OK(MPI_Comm_free(&copy));
    CHECK(copy == MPI_COMM_NULL, "the handle is kept");
}

/* Splits by three colours in reverse order of ranks. A colour that only one group uses gives
 * MPI_COMM_NULL. */
static void parts(void)
{
    MPI_Comm part;
    int colour = own_rank % 3, result, ranks, others;
    OK(MPI_Comm_split(inter, colour, -own_rank, &part));
    int mine = (own_size - colour + 2) / 3,
        theirs = remote_size > colour ? (remote_size - colour + 2) / 3 : 0;
    if (theirs == 0) {
        CHECK(part == MPI_COMM_NULL, "an intercommunicator with an empty remote group");
    } else {
        OK(MPI_Comm_size(part, &ranks));
        OK(MPI_Comm_remote_size(part, &others));
        OK(MPI_Comm_rank(part, &result));
        CHECK(ranks == mine && others == theirs && result == mine - 1 - own_rank / 3,
              "rank %d, %d and %d", result, ranks, others);
        messages(part);
        check_sum(part);
        OK(MPI_Comm_free(&part));
    }
    OK(MPI_Comm_split(inter, own_rank == 0 ? 4 : MPI_UNDEFINED, 0, &part));
    CHECK((part != MPI_COMM_NULL) == (own_rank == 0), "undefined colours");
    if (part != MPI_COMM_NULL) {
        check_sum(part);
        OK(MPI_Comm_free(&part));
    }
    /* Only group 1 uses this colour. */
    OK(MPI_Comm_split(inter, side, 0, &part));
    CHECK(part == MPI_COMM_NULL, "a colour that only one group uses");
    MPI_Group group, some;
    int first_last[2] = {own_size - 1, 0};
    OK(MPI_Comm_group(inter, &group));
    OK(MPI_Group_incl(group, own_size > 1 ? 2 : 1, first_last, &some));
    OK(MPI_Comm_create(inter, some, &part));
    int in = own_rank == 0 || own_rank == own_size - 1;
    CHECK((part != MPI_COMM_NULL) == in, "in the group: %d", in);
    if (in) {
        OK(MPI_Comm_rank(part, &result));
        OK(MPI_Comm_remote_size(part, &others));
        CHECK(result == (own_rank == own_size - 1 ? 0 : 1) && others == (remote_size > 1 ? 2 : 1),
              "rank %d, %d others", result, others);
        messages(part);
        OK(MPI_Comm_free(&part));
    }
    /* One group contributes no processes. */
    OK(MPI_Comm_create(inter, side ? MPI_GROUP_EMPTY : group, &part));
    CHECK(part == MPI_COMM_NULL, "an intercommunicator with an empty remote group");
    OK(MPI_Group_free(&group));
    OK(MPI_Group_free(&some));
}

static void merged(void)
{
    MPI_Comm both;
    int flag, ranks, peer, sum;
    for (int high = 0; high < 2; high++) {
        OK(MPI_Intercomm_merge(inter, side == high, &both));
        OK(MPI_Comm_test_inter(both, &flag));
        OK(MPI_Comm_size(both, &ranks));
        OK(MPI_Comm_rank(both, &peer));
        int before = side == high ? remote_size : 0;
        CHECK(!flag && ranks == size && peer == before + own_rank, "rank %d of %d", peer, ranks);
        OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, both));
        CHECK(sum == size * (size - 1) / 2, "sum %d", sum);
        OK(MPI_Comm_free(&both));
        /* Both groups pass the same value of `high`: the order of the groups is arbitrary but equal
         * at all ranks. */
        OK(MPI_Intercomm_merge(inter, high, &both));
        OK(MPI_Comm_rank(both, &peer));
        int side_index[64];
        OK(MPI_Allgather(&side, 1, MPI_INT, side_index, 1, MPI_INT, both));
        for (int index = 0; index < size; index++) {
            int in_first = index < (side_index[0] == side ? own_size : remote_size);
            CHECK((side_index[index] == side_index[0]) == in_first, "rank %d is of side %d", index,
                  side_index[index]);
        }
        OK(MPI_Comm_free(&both));
    }
}

/* If either group is empty, the call is local and returns MPI_COMM_NULL. */
static void from_empty_groups(void)
{
    MPI_Group self, empty;
    OK(MPI_Comm_group(MPI_COMM_SELF, &self));
    OK(MPI_Group_difference(self, self, &empty));
    MPI_Group pairs[][2] = {{MPI_GROUP_EMPTY, MPI_GROUP_EMPTY}, {MPI_GROUP_EMPTY, self},
                            {self, MPI_GROUP_EMPTY}, {self, empty}, {empty, self}};
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        MPI_Comm made = MPI_COMM_SELF;
        OK(MPI_Intercomm_create_from_groups(pairs[i][0], 0, pairs[i][1], 0, "org.example.empty",
                                            MPI_INFO_NULL, MPI_ERRORS_RETURN, &made));
        CHECK(made == MPI_COMM_NULL, "pair %u has a communicator", i);
    }
    OK(MPI_Group_free(&self));
}

/* Creation from two groups and a string tag, without a parent communicator. */
static void from_groups(void)
{
    MPI_Group world, groups[2];
    MPI_Comm made, two;
    int range[2][1][3] = {{{0, (size - 1) / 2 * 2, 2}}, {{1, (size - 2) / 2 * 2 + 1, 2}}}, result;
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (int side_index = 0; side_index < 2; side_index++)
        OK(MPI_Group_range_incl(world, 1, range[side_index], groups + side_index));
    int leader = own_size - 1, other = remote_size - 1;
    MPI_Group remote = own_rank == leader ? groups[1 - side] : MPI_GROUP_NULL;
    OK(MPI_Intercomm_create_from_groups(groups[side], leader, remote,
                                        own_rank == leader ? other : -9, "org.example.first",
                                        MPI_INFO_NULL, MPI_ERRORS_RETURN, &made));
    OK(MPI_Intercomm_create_from_groups(groups[side], leader, remote,
                                        own_rank == leader ? other : -9, "org.example.second",
                                        MPI_INFO_NULL, MPI_ERRORS_RETURN, &two));
    OK(MPI_Comm_compare(made, inter, &result));
    CHECK(result == MPI_CONGRUENT, "made from groups: %d", result);
    messages(made);
    messages(two);
    check_sum(two);
    OK(MPI_Comm_free(&made));
    OK(MPI_Comm_free(&two));
    for (int side_index = 0; side_index < 2; side_index++) OK(MPI_Group_free(groups + side_index));
    OK(MPI_Group_free(&world));
}

/* A mistake of a leader is an error at all ranks of its group, and in the other group if only that
 * one can detect it. */
static void mistakes(void)
{
    MPI_Comm made;
    int code, class;
    OK(MPI_Comm_set_errhandler(local, MPI_ERRORS_RETURN));
    FAILS(MPI_Intercomm_create(local, own_size, MPI_COMM_WORLD, 0, 1, &made), MPI_ERR_RANK);
    code = MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, size, 1, &made);
    OK(MPI_Error_class(code, &class));
    CHECK(class == (own_rank == 0 ? MPI_ERR_RANK : MPI_ERR_OTHER), "%s", error_text(code));
    code = MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, 0, -1, &made);
    OK(MPI_Error_class(code, &class));
    CHECK(class == (own_rank == 0 ? MPI_ERR_TAG : MPI_ERR_OTHER), "%s", error_text(code));
    FAILS(MPI_Intercomm_create(inter, 0, MPI_COMM_WORLD, 0, 1, &made), MPI_ERR_COMM);
}

/* Two members of a group pass different ones to MPI_Comm_create. All other processes of both groups
 * have their result. */
static void groups_that_differ(void)
{
    static const int first[] = {0, 1};
    MPI_Group all, some;
    MPI_Comm part;
    OK(MPI_Comm_group(local, &all));
    OK(MPI_Group_incl(all, side == 1 || own_rank == 0 ? 1 : 2, first, &some));
    if (side == 0 && own_rank < 2) {
        FAILS(MPI_Comm_create(inter, some, &part), MPI_ERR_GROUP);
    } else {
        OK(MPI_Comm_create(inter, some, &part));
        CHECK((part == MPI_COMM_NULL) == (own_rank > 0), "another result");
        if (part != MPI_COMM_NULL) OK(MPI_Comm_free(&part));
    }
    OK(MPI_Group_free(&some));
    OK(MPI_Group_free(&all));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    /* A process that is in both groups. */
    MPI_Comm made;
    FAILS(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, rank, 1, &made), MPI_ERR_COMM);
    MPI_Comm parent = MPI_COMM_WORLD;
    OK(MPI_Comm_get_parent(&parent));
    CHECK(parent == MPI_COMM_NULL, "a parent");
    from_empty_groups();
    if (size > 1) {
        make();
        ask();
        messages(inter);
        check_sum(inter);
        copies();
        parts();
        merged();
        from_groups();
        mistakes();
        if (size > 2) groups_that_differ();
        OK(MPI_Comm_disconnect(&inter));
        OK(MPI_Comm_free(&local));
    }
    return MPI_Finalize();
}
