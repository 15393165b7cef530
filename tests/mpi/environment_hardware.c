/* MPI_Get_hw_resource_info (MPI 5.0 §9.1.2): returns a new info object whose values are "true" or
 * "false". A process bound to one processor is restricted to a single resource of every kind.
 *
 * modes: default
 */

#define _GNU_SOURCE
#include "check.h"
#include <sched.h>

/* Returns the number of keys, and in `truths` the number of keys whose value is "true". */
static int keys_and_truths(int *truths)
{
    MPI_Info info;
    char key[MPI_MAX_INFO_KEY + 1], value[8];
    int keys, length, found;
    OK(MPI_Get_hw_resource_info(&info));
    OK(MPI_Info_get_nkeys(info, &keys));
    *truths = 0;
    for (int i = 0; i < keys; i++) {
        length = sizeof value;
        OK(MPI_Info_get_nthkey(info, i, key));
        OK(MPI_Info_get_string(info, key, &length, value, &found));
        CHECK(strstr(key, "://") != NULL, "the key \"%s\" has no scheme", key);
        CHECK(found && (!strcmp(value, "true") || !strcmp(value, "false")), "%s is \"%s\"", key,
              value);
        *truths += !strcmp(value, "true");
    }
    OK(MPI_Info_free(&info));
    return keys;
}

int main(int argc, char **argv)
{
    int truths;
    cpu_set_t set;
    begin(&argc, &argv);
    CHECK(keys_and_truths(&truths) > 0, "no key");
    CPU_ZERO(&set);
    CPU_SET(sched_getcpu(), &set);
    CHECK(sched_setaffinity(0, sizeof set, &set) == 0, "not bound to a processor");
    CHECK(keys_and_truths(&truths) == truths, "bound to one processor, only %d values are true",
          truths);
    OK(MPI_Finalize());
    return 0;
}
