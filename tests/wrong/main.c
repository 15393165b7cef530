/* Runs one case of the collection, or lists all:
 *   cases -list      a line for each case: name, ranks, words
 *   cases NAME       runs a case, under mpiexec */
#include "cases.h"

int rank, size;

static const struct test_case *const tables[] = {
    requests, messages, types, buffers, sends, objects, arguments, windows, accesses, stores,
    partitioned, misuse, functions, corners, right_accesses, right_stores, right_partitioned,
    right_misuse, right_functions, right_corners, creators, right_creators, views, right_views,
    transfers, right_transfers, right_buffers, bounds, right_bounds, too_early, right_too_early,
    leaving, right_leaving, right, sessions, right_sessions, lanes, right_lanes};

int main(int argc, char **argv)
{
    const char *wanted = argc > 1 ? argv[1] : "-list";
    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
        for (const struct test_case *each = tables[i]; each->name; each++) {
            if (strcmp(wanted, "-list") == 0) {
                printf("%s %d %s\n", each->name, each->ranks, each->words);
            } else if (strcmp(wanted, each->name) == 0) {
                int itself = tables[i] == sessions || tables[i] == right_sessions ||
                             tables[i] == lanes || tables[i] == right_lanes;
                if (!itself) {
                    MPI_Init(&argc, &argv);
                    MPI_Comm_rank(WORLD, &rank);
                    MPI_Comm_size(WORLD, &size);
                }
                each->run(each->a, each->b);
                if (!itself)
                    MPI_Finalize();
                return 0;
            }
        }
    }
    if (strcmp(wanted, "-list") == 0)
        return 0;
    fprintf(stderr, "no case is called %s\n", wanted);
    return 2;
}
