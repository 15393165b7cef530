/* MPI_Comm_split_type: splits by shared memory, by the hardware resources that a process is bound
 * to, and by process sets; with a hint, without one, with an unknown one, and with MPI_UNDEFINED at
 * some ranks. The processes bind themselves, so that the result is known. */

#define _GNU_SOURCE
#include "check.h"
#include <sched.h>

static int processors, own_processor;

static MPI_Info hint(const char *key, const char *value)
{
    MPI_Info info;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, key, value));
    return info;
}

static MPI_Comm split(int type, int key, const char *name, const char *value)
{
    MPI_Comm part;
    MPI_Info info = name ? hint(name, value) : MPI_INFO_NULL;
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, type, key, info, &part));
    if (name) OK(MPI_Info_free(&info));
    return part;
}

/* Checks that all members of the part have the same `number` and that there are `members` of
 * them. */
static void expect(const char *what, MPI_Comm *part, int number, int members)
{
    int least, most, ranks;
    CHECK((*part != MPI_COMM_NULL) == (members > 0), "%s: %d are expected", what, members);
    if (*part == MPI_COMM_NULL) return;
    OK(MPI_Comm_size(*part, &ranks));
    OK(MPI_Allreduce(&number, &least, 1, MPI_INT, MPI_MIN, *part));
    OK(MPI_Allreduce(&number, &most, 1, MPI_INT, MPI_MAX, *part));
    CHECK(ranks == members && least == most,
          "%s: %d members with numbers from %d to %d, %d are expected", what, ranks, least, most,
          members);
    OK(MPI_Comm_free(part));
}

static int fact(const char *name)
{
    MPI_Info info;
    char text[16];
    int flag, length = sizeof text;
    OK(MPI_Get_hw_resource_info(&info));
    OK(MPI_Info_get_string(info, name, &length, text, &flag));
    OK(MPI_Info_free(&info));
    CHECK(!flag || strcmp(text, "true") == 0 || strcmp(text, "false") == 0, "%s is \"%s\"", name,
          text);
    return flag ? text[0] == 't' : -1;
}

/* Returns the number of processes whose host name equals ours. */
static int local_processes(void)
{
    char own[MPI_MAX_PROCESSOR_NAME] = "", *all = calloc(size, sizeof own);
    int length, same = 0;
    OK(MPI_Get_processor_name(own, &length));
    OK(MPI_Allgather(own, sizeof own, MPI_CHAR, all, sizeof own, MPI_CHAR, MPI_COMM_WORLD));
    for (int other = 0; other < size; other++) same += strcmp(own, all + other * sizeof own) == 0;
    free(all);
    return same;
}

/* The tests in main assume a single host. On several hosts each host is a part. */
static void on_several_hosts(int expected)
{
    int shared, result;
    MPI_Comm part = split(MPI_COMM_TYPE_SHARED, 0, NULL, NULL),
        guided = split(MPI_COMM_TYPE_HW_GUIDED, 0, "mpi_hw_resource_type", "mpi_shared_memory");
    OK(MPI_Comm_size(part, &shared));
    CHECK(shared == expected, "%d share memory, %d should", shared, expected);
    OK(MPI_Comm_compare(part, guided, &result));
    CHECK(result == MPI_CONGRUENT, "the splits by communicator type and by resource name differ");
    OK(MPI_Comm_free(&part));
    OK(MPI_Comm_free(&guided));
}

/* Processes that name different resources, or process sets: the names are ignored, and nobody gets
 * a communicator. A process that names none gets none. */
static void different_names(void)
{
    static const char *const names[] = {"mpi_shared_memory", "hwloc://Core"};
    int other = rank == size - 1 && size > 1;
    int alone = size == 1;
    MPI_Comm part = split(MPI_COMM_TYPE_HW_GUIDED, 0, "mpi_hw_resource_type", names[other]);
    CHECK(alone || part == MPI_COMM_NULL, "different resources");
    if (part != MPI_COMM_NULL) OK(MPI_Comm_free(&part));
    part = split(MPI_COMM_TYPE_RESOURCE_GUIDED, 0, "mpi_hw_resource_type", names[other]);
    CHECK(alone || part == MPI_COMM_NULL, "different resources with RESOURCE_GUIDED");
    if (part != MPI_COMM_NULL) OK(MPI_Comm_free(&part));
    part = split(MPI_COMM_TYPE_RESOURCE_GUIDED, 0, "mpi_pset_name",
                 other ? "mpi://SELF" : "mpi://WORLD");
    CHECK(alone || part == MPI_COMM_NULL, "different process sets");
    if (part != MPI_COMM_NULL) OK(MPI_Comm_free(&part));
    part = split(MPI_COMM_TYPE_HW_GUIDED, 0, other ? "another_key" : "mpi_hw_resource_type",
                 names[0]);
    CHECK(!other || part == MPI_COMM_NULL, "no resource");
    if (part != MPI_COMM_NULL) OK(MPI_Comm_free(&part));
    /* The communicator is as usable as before. */
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    const char *memory = getenv("NEMESIS_SHM");
    /* With NEMESIS_SHM=off, processes of one host share no memory. */
    int same = memory && strcmp(memory, "off") == 0 ? 1 : local_processes();
    if (same < size) {
        on_several_hosts(same);
        return MPI_Finalize();
    }
    cpu_set_t allowed, one;
    sched_getaffinity(0, sizeof allowed, &allowed);
    /* A launcher may bind each rank to its own processors. The test uses all of them. */
    OK(MPI_Allreduce(MPI_IN_PLACE, &allowed, sizeof allowed, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD));
    CHECK(sched_setaffinity(0, sizeof allowed, &allowed) == 0,
          "a rank cannot be bound to the processors of all ranks");
    processors = CPU_COUNT(&allowed);
    MPI_Comm part = split(MPI_COMM_TYPE_SHARED, 0, NULL, NULL);
    int shared, own_rank;
    OK(MPI_Comm_size(part, &shared));
    CHECK(shared == size, "%d of %d share memory", shared, size);
    expect("shared", &part, 0, size);
    part = split(MPI_COMM_TYPE_SHARED, -rank, NULL, NULL);
    OK(MPI_Comm_rank(part, &own_rank));
    CHECK(own_rank == size - 1 - rank, "rank %d by the key", own_rank);
    OK(MPI_Comm_free(&part));
    part = split(rank % 2 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, NULL, NULL);
    expect("undefined", &part, rank % 2, rank % 2 ? 0 : (size + 1) / 2);

    part = split(MPI_COMM_TYPE_HW_GUIDED, 0, NULL, NULL);
    expect("without a hint", &part, 0, 0);
    part = split(MPI_COMM_TYPE_HW_GUIDED, 0, "mpi_hw_resource_type", "hwloc://Warp");
    expect("an unknown kind", &part, 0, 0);
    part = split(MPI_COMM_TYPE_HW_GUIDED, 0, "mpi_hw_resource_type", "mpi_shared_memory");
    expect("shared by name", &part, 0, size);
    part = split(MPI_COMM_TYPE_RESOURCE_GUIDED, 0, "mpi_hw_resource_type", "mpi_shared_memory");
    expect("shared by name, as a resource", &part, 0, size);
    part = split(MPI_COMM_TYPE_HW_GUIDED, 0, "mpi_hw_resource_type", "hwloc://Machine");
    expect("machine", &part, 0, size);
    part = split(MPI_COMM_TYPE_RESOURCE_GUIDED, 0, "mpi_pset_name", "mpi://WORLD");
    expect("world", &part, 0, size);
    part = split(MPI_COMM_TYPE_RESOURCE_GUIDED, 0, "mpi_pset_name", "mpi://SELF");
    expect("self", &part, rank, 1);
    part = split(MPI_COMM_TYPE_RESOURCE_GUIDED, 0, "mpi_pset_name", "mpi://NOWHERE");
    expect("no set", &part, 0, 0);

    CHECK(fact("hwloc://Machine") == 1, "not on this machine");
    CHECK(fact("hwloc://PU") == (processors == 1), "%d processors, and bound to one: %d",
          processors, fact("hwloc://PU"));
    if (processors > 1) {
        part = split(MPI_COMM_TYPE_HW_GUIDED, 0, "mpi_hw_resource_type", "hwloc://PU");
        expect("not confined", &part, 0, 0);
    }

    /* From here on ranks are bound alternately to the first and the second processor. */
    int turn = processors > 1 ? rank % 2 : 0, first = -1;
    for (int processor = 0, seen = 0; processor < CPU_SETSIZE; processor++)
        if (CPU_ISSET(processor, &allowed) && seen++ <= turn)
            own_processor = processor, first = first < 0 ? processor : first;
    CPU_ZERO(&one);
    CPU_SET(own_processor, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0, "a rank cannot be bound to one processor");
    int alike = processors > 1 ? (size + 1 - turn) / 2 : size;
    CHECK(fact("hwloc://PU") == 1 && fact("hwloc://Core") != 0, "the binding is not seen");
    part = split(MPI_COMM_TYPE_HW_GUIDED, 0, "mpi_hw_resource_type", "hwloc://PU");
    expect("bound", &part, own_processor, alike);
    part = split(size > 1 && rank == size - 1 ? MPI_UNDEFINED : MPI_COMM_TYPE_HW_GUIDED, 0,
                 "mpi_hw_resource_type", "hwloc://PU");
    int last = size > 1 ? (size - 1) % 2 : -1;
    expect("bound, without the last", &part, own_processor,
           size > 1 && rank == size - 1 ? 0
           : processors > 1             ? alike - (turn == last)
                                        : size - (size > 1));

    /* MPI_COMM_TYPE_HW_UNGUIDED splits by the largest resource that separates processes, and
     * returns its name. */
    char text[64];
    int flag, length = sizeof text;
    MPI_Info info = hint("something", "else");
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, info, &part));
    OK(MPI_Info_get_string(info, "mpi_hw_resource_type", &length, text, &flag));
    OK(MPI_Info_free(&info));
    int separated = processors > 1 && size > 1;
    CHECK(flag == separated, "the resource type is %s", flag ? text : "missing");
    expect("unguided", &part, own_processor, separated ? alike : 0);
    if (separated) {
        part = split(MPI_COMM_TYPE_HW_GUIDED, 0, "mpi_hw_resource_type", text);
        expect("by the name that the info returned", &part, own_processor, alike);
    }
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    FAILS(MPI_Comm_split_type(MPI_COMM_WORLD, 4711, 0, MPI_INFO_NULL, &part), MPI_ERR_ARG);
    return MPI_Finalize();
}
