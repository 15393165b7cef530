/*
 * Preloaded under the testers of ScaLAPACK's LU and Cholesky solvers (scripts/outside-fortran).
 *
 * PSLACON and PDLACON of ScaLAPACK 2.2.1 read their result, EST, on entry, and compare it with the
 * estimate to decide whether to go on. P?GERFS and P?PORFS pass it unset. Where it differs among
 * the processes, so do their decisions, and they wait for one another for ever, with any MPI
 * library. Here EST is zero when an estimate begins (KASE = 0), which later releases see to.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

#define ESTIMATOR(name, real)                                                                      \
    void name(int *n, void *v, int *iv, int *jv, int *descv, void *x, int *ix, int *jx,            \
              int *descx, int *isgn, real *est, int *kase)                                         \
    {                                                                                              \
        void (*next)(int *, void *, int *, int *, int *, void *, int *, int *, int *, int *,       \
                     real *, int *) = dlsym(RTLD_NEXT, #name);                                     \
        if (*kase == 0)                                                                            \
            *est = 0;                                                                              \
        next(n, v, iv, jv, descv, x, ix, jx, descx, isgn, est, kase);                              \
    }

ESTIMATOR(pslacon_, float)
ESTIMATOR(pdlacon_, double)
