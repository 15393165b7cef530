/* Reproducible reductions of twelve processes of a node (MPI 5.0 6.9.1) where the kernel does not
 * copy between them: vectors that no staging buffer holds have the sum from rank 0 upwards too,
 * with and without a processor for each process.
 *
 * sizes: 12
 * modes: default
 * seconds: 120
 */

#define MANY
#include "coll_reproducible.c"
