/* generated from api/ by cargo xtask generate; do not edit */
/* Extensions of MPI 5.0: going on after processes have failed (User-Level Failure Mitigation). */
#ifndef MPI_EXT_H_INCLUDED
#define MPI_EXT_H_INCLUDED

#include <mpi.h>

#define MPIX_HAVE_ULFM 1
#define OMPI_HAVE_MPI_EXT_FTMPI 1

/* Buffers may lie in memory of CUDA devices. */
#define MPIX_CUDA_AWARE_SUPPORT 1

/* mpi.h of this ABI has the functions and constants. */

#endif
