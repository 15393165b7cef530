/* Being connected is transitive (MPI 5.0 §11.10.4): intercommunicators among processes of several
 * jobs of which only the leaders have met, by MPI_Intercomm_create and by
 * MPI_Intercomm_create_from_groups, and what is derived from them. The program spawns itself over
 * MPI_COMM_SELF, and a child spawns a grandchild, so the jobs form a row.
 *
 * sizes: 1 2 3
 * modes: default network threads
 * seconds: 60 */

#include "check.h"

enum { CHILDREN = 2, LONG = 100000 };

static char self[4096];

/* Every process of the one group exchanges messages with every process of the other one. */
static void exchange(MPI_Comm inter)
{
    static int out[LONG], in[LONG];
    int own, remote;
    MPI_Comm_rank(inter, &own);
    MPI_Comm_remote_size(inter, &remote);
    for (int peer = 0; peer < remote; peer++)
        for (int count = 1; count <= LONG; count = count * 300) {
            MPI_Request request;
            for (int i = 0; i < count; i++) out[i] = own * 1000 + peer + i;
            OK(MPI_Irecv(in, count, MPI_INT, peer, 3, inter, &request));
            OK(MPI_Send(out, count, MPI_INT, peer, 3, inter));
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            for (int i = 0; i < count; i++)
                CHECK(in[i] == peer * 1000 + own + i, "%d from %d", in[i], peer);
        }
}

/* Uses an intercommunicator, merges it, and makes groups and duplicates of the result. Returns the
 * merged communicator. */
static MPI_Comm use(MPI_Comm inter, int high)
{
    int local, remote, all, place, sum, one = high ? 100 : 1, even[64], count = 0;
    MPI_Comm merged, again, part;
    MPI_Group whole, chosen;
    MPI_Comm_size(inter, &local);
    MPI_Comm_remote_size(inter, &remote);
    exchange(inter);
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter));
    CHECK(sum == remote * (high ? 1 : 100), "the sum of the other group is %d", sum);
    OK(MPI_Intercomm_merge(inter, high, &merged));
    MPI_Comm_size(merged, &all);
    MPI_Comm_rank(merged, &place);
    CHECK(all == local + remote, "%d processes of %d and %d", all, local, remote);
    OK(MPI_Comm_dup(merged, &again));
    OK(MPI_Allreduce(&place, &sum, 1, MPI_INT, MPI_SUM, again));
    CHECK(sum == all * (all - 1) / 2, "the sum of ranks is %d", sum);
    OK(MPI_Comm_disconnect(&again));
    OK(MPI_Comm_group(merged, &whole));
    for (int i = 0; i < all; i += 2) even[count++] = i;
    OK(MPI_Group_incl(whole, count, even, &chosen));
    if (place % 2 == 0) {
        OK(MPI_Comm_create_group(merged, chosen, 5, &part));
        OK(MPI_Allreduce(&place, &sum, 1, MPI_INT, MPI_SUM, part));
        CHECK(sum == count * (count - 1), "the sum of even ranks is %d", sum);
        OK(MPI_Comm_disconnect(&part));
        OK(MPI_Comm_create_from_group(chosen, "even", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &part));
        OK(MPI_Barrier(part));
        OK(MPI_Comm_disconnect(&part));
    }
    OK(MPI_Group_free(&chosen));
    OK(MPI_Group_free(&whole));
    return merged;
}

static MPI_Comm spawn(const char *role, int processes)
{
    char *arguments[] = {(char *)role, NULL};
    MPI_Comm inter;
    OK(MPI_Comm_spawn(self, arguments, processes, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter,
                      MPI_ERRCODES_IGNORE));
    return inter;
}

/* The first process of the parents and the children meet by a spawn; the first child then connects
 * with all parents. So the second child knows the first parent only, and the leaders know all. */
static void by_groups(MPI_Comm leaders, int is_child)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm met = MPI_COMM_NULL, inter;
    MPI_Group local, remote = MPI_GROUP_EMPTY;
    if (!is_child) {
        if (rank == 0) {
            OK(MPI_Open_port(MPI_INFO_NULL, port));
            OK(MPI_Send(port, sizeof port, MPI_CHAR, 0, 1, leaders));
        }
        OK(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &met));
        if (rank == 0) {
            OK(MPI_Close_port(port));
            OK(MPI_Comm_remote_group(leaders, &remote));
        }
    } else if (rank == 0) {
        OK(MPI_Recv(port, sizeof port, MPI_CHAR, 0, 1, leaders, MPI_STATUS_IGNORE));
        OK(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &met));
        OK(MPI_Comm_remote_group(met, &remote));
    }
    /* A group that is not the leader's matters to nobody, but must not be empty. */
    OK(MPI_Comm_group(MPI_COMM_WORLD, &local));
    OK(MPI_Intercomm_create_from_groups(local, 0, rank == 0 ? remote : local, 0, "row",
                                        MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &inter));
    MPI_Comm merged = use(inter, is_child);
    OK(MPI_Comm_disconnect(&merged));
    OK(MPI_Comm_disconnect(&inter));
    if (met != MPI_COMM_NULL) OK(MPI_Comm_disconnect(&met));
    OK(MPI_Group_free(&local));
    if (remote != MPI_GROUP_EMPTY) OK(MPI_Group_free(&remote));
}

/* The grandchild, which only the first child knows, joins all others. */
static void in_a_row(MPI_Comm all, MPI_Comm end, int leads, int place)
{
    int leader, own = leads ? place : 0;
    MPI_Comm inter;
    OK(MPI_Allreduce(&own, &leader, 1, MPI_INT, MPI_MAX, all));
    OK(MPI_Intercomm_create(all, leader, end, 0, 11, &inter));
    MPI_Comm merged = use(inter, 0);
    OK(MPI_Comm_disconnect(&merged));
    OK(MPI_Comm_disconnect(&inter));
}

int main(int argc, char **argv)
{
    MPI_Comm parent, leaders, inter, all, end = MPI_COMM_NULL, merged;
    int place, is_grandchild = argc > 1 && strcmp(argv[1], "grandchild") == 0;
    begin(&argc, &argv);
    snprintf(self, sizeof self, "%s", argv[0]);
    OK(MPI_Comm_get_parent(&parent));
    if (is_grandchild) {
        OK(MPI_Intercomm_create(MPI_COMM_WORLD, 0, parent, 0, 11, &inter));
        merged = use(inter, 1);
        OK(MPI_Comm_disconnect(&merged));
        OK(MPI_Comm_disconnect(&inter));
        OK(MPI_Comm_disconnect(&parent));
        MPI_Finalize();
        return 0;
    }
    int is_child = parent != MPI_COMM_NULL;
    leaders = is_child ? parent : rank == 0 ? spawn("child", CHILDREN) : MPI_COMM_NULL;
    by_groups(leaders, is_child);
    /* Again, from leaders that have met and others that have parted. */
    OK(MPI_Intercomm_create(MPI_COMM_WORLD, 0, leaders, 0, 9, &inter));
    all = use(inter, is_child);
    MPI_Comm_rank(all, &place);
    if (is_child && rank == 0) end = spawn("grandchild", 1);
    in_a_row(all, end, is_child && rank == 0, place);
    if (end != MPI_COMM_NULL) OK(MPI_Comm_disconnect(&end));
    OK(MPI_Comm_disconnect(&all));
    OK(MPI_Comm_disconnect(&inter));
    if (leaders != MPI_COMM_NULL) OK(MPI_Comm_disconnect(&leaders));
    MPI_Finalize();
    return 0;
}
