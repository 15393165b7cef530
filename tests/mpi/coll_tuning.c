/* A file of choices of algorithms (NEMESIS_TUNING): the library reads it when MPI starts, a tool
 * sees what it chooses, and a variable of the environment takes the place of its lines.
 *
 * sizes: 2
 * modes: default network
 */

#include "check.h"
#include <unistd.h>

static void expect(const char *name, const char *wanted)
{
    char value[512] = "";
    int index, count;
    MPI_T_cvar_handle handle;
    OK(MPI_T_cvar_get_index(name, &index));
    OK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count));
    CHECK(count <= (int)sizeof value, "%s has %d bytes", name, count);
    OK(MPI_T_cvar_read(handle, value));
    CHECK(strcmp(value, wanted) == 0, "%s is %s, not %s", name, value, wanted);
    OK(MPI_T_cvar_handle_free(&handle));
}

int main(int argc, char **argv)
{
    static const char text[] = "# choices\n"
                               "allreduce halving:65536- # long vectors\n"
                               "\n"
                               "  allreduce\tstaged\n"
                               "bcast binomial_tree\n"
                               "protocol stream:1-8191\n"
                               "scan recursive_doubling\n";
    char path[] = "/tmp/nemesis-choices-XXXXXX";
    int provided, file = mkstemp(path);
    if (file < 0 || write(file, text, sizeof text - 1) != sizeof text - 1) return 1;
    close(file);
    setenv("NEMESIS_TUNING", path, 1);
    setenv("NEMESIS_SCAN", "staged:0-99", 1);
    begin(&argc, &argv);
    unlink(path);
    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    expect("NEMESIS_ALLREDUCE", "halving:65536-,staged");
    expect("NEMESIS_BCAST", "binomial_tree");
    expect("NEMESIS_SCAN", "staged:0-99");
    expect("NEMESIS_REDUCE", "");
    expect("NEMESIS_PROTOCOL", "stream:1-8191");
    OK(MPI_T_finalize());
    for (int call = 0; call < 6; call++) {
        int sum = -1, own = rank + call;
        OK(MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK(sum == size * (size - 1) / 2 + size * call, "the sum is %d", sum);
        OK(MPI_Bcast(&own, 1, MPI_INT, 0, MPI_COMM_WORLD));
        CHECK(own == call, "%d is broadcast, not %d", own, call);
    }
    MPI_Finalize();
    return 0;
}
