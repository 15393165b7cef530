/* A program on the standard ABI that opens the library of the other ABI and calls it: the error
   names both libraries. The first argument is the other library, the second what to call. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    void *other = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!other) {
        printf("%s\n", dlerror());
        return 1;
    }
    if (argv[2][0] == 'i') {
        /* MPI runs here, and not there. */
        int (*barrier)(int) = (int (*)(int))dlsym(other, "MPI_Barrier");
        barrier(0x44000000);
    } else {
        /* MPI runs in both; the handle is one of here. */
        int (*init)(int *, char ***) = (int (*)(int *, char ***))dlsym(other, "MPI_Init");
        int (*barrier)(MPI_Comm) = (int (*)(MPI_Comm))dlsym(other, "MPI_Barrier");
        init(&argc, &argv);
        barrier(MPI_COMM_WORLD);
    }
    return 2;
}
