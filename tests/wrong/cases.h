/* The cases of the collection: small programs, most of which use MPI wrongly. Each is a function
 * that all ranks call between MPI_Init and MPI_Finalize. */
#ifndef CASES_H
#define CASES_H

#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A case. The output of `mpiexec -check` must contain each of the words, which "|" separates. A
 * right case has none, and must print nothing. */
struct test_case {
    const char *name;
    int ranks;
    const char *words;
    void (*run)(int a, int b);
    int a, b;
};

/* The tables, each of which ends with a case without a name. */
extern const struct test_case requests[], messages[], types[], buffers[], sends[], objects[],
    arguments[], windows[], accesses[], stores[], partitioned[], misuse[], functions[], corners[],
    right_accesses[], right_stores[], right_partitioned[], right_misuse[], right_functions[],
    right_corners[], creators[], right_creators[], views[], right_views[], transfers[],
    right_transfers[], right_buffers[], bounds[], right_bounds[], too_early[], right_too_early[],
    leaving[], right_leaving[], right[];
/* Their cases initialize MPI themselves. */
extern const struct test_case sessions[], right_sessions[], lanes[], right_lanes[];

extern int rank, size;

#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE

#endif
