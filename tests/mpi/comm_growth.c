/* Memory of communicators: after the first few thousand of a hundred thousand communicators,
 * created in every way and freed, resident memory does not grow, and the last communicator works
 * like the first.
 *
 * sizes: 1 4
 * modes: default
 * debug: no
 * seconds: 120
 */

/* AddressSanitizer would keep freed memory for a while, in order to find later uses. */
#define ASAN_MORE ":quarantine_size_mb=0:thread_local_quarantine_size_kb=0"
#include "check.h"

enum { CYCLES = 100000, WARM = 20000, GROWTH_MAX_KIB = 1024 };

static long resident_kib(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%*d %ld", &pages) == 1, "/proc/self/statm cannot be read");
    fclose(file);
    return pages * 4;
}

static int copy(MPI_Comm comm, int key, void *extra, void *value, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra;
    *(void **)out = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static void cycle(int number, MPI_Comm source, MPI_Group group)
{
    MPI_Comm made, other;
    MPI_Request request;
    switch (number % 5) {
        case 0: OK(MPI_Comm_dup(source, &made)); break;
        case 1: OK(MPI_Comm_split(source, 0, 0, &made)); break;
        case 2:
            OK(MPI_Comm_idup(source, &made, &request));
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            break;
        case 3:
            OK(MPI_Comm_create_from_group(group, "growth", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                                          &made));
            break;
        default: OK(MPI_Comm_create_group(source, group, 1, &made)); break;
    }
    if (number % 1000 == 0) {
        int one = 1, sum;
        OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made));
        CHECK(sum == size, "sum %d", sum);
        if (size > 1) {
            MPI_Comm local, inter;
            OK(MPI_Comm_split(made, rank > 0, 0, &local));
            OK(MPI_Intercomm_create(local, 0, made, rank > 0 ? 0 : 1, 3, &inter));
            OK(MPI_Intercomm_merge(inter, rank > 0, &other));
            OK(MPI_Comm_free(&other));
            OK(MPI_Comm_free(&inter));
            OK(MPI_Comm_free(&local));
        }
    }
    OK(MPI_Comm_free(&made));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int key, cycles = size <= 2 ? CYCLES : CYCLES / 5;
    long before = 0;
    MPI_Comm source;
    MPI_Group group;
    OK(MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &source));
    OK(MPI_Comm_set_attr(source, key, &key));
    OK(MPI_Comm_group(source, &group));
    for (int number = 0; number < cycles; number++) {
        if (number == cycles / (CYCLES / WARM)) before = resident_kib();
        cycle(number, source, group);
    }
    long after = resident_kib();
    CHECK(after - before < GROWTH_MAX_KIB, "%ld KiB after %d cycles, %ld KiB after %d", before,
          cycles / (CYCLES / WARM), after, cycles);
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_free(&source));
    OK(MPI_Comm_free_keyval(&key));
    return MPI_Finalize();
}
