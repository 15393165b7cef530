/* asks [MODULE]: asks its process for functions of MPI before it has loaded a library, as mpi4py
 * does by ctypes.CDLL(None). Then it loads MODULE, which is this source compiled with -DMODULE and
 * linked with a library of MPI, for itself alone, as a module of Python is loaded. */

#ifdef MODULE
#include <mpi.h>

int run(void)
{
    int rank, sum;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; i++)
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return MPI_Finalize();
}
#else
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int major = 0, minor = 0, (*run)(void);
    int (*version)(int *, int *) = (int (*)(int *, int *))dlsym(RTLD_DEFAULT, "MPI_Get_version");
    if (version) version(&major, &minor);
    if (version && major != 5) return 2;
    version = (int (*)(int *, int *))dlsym(RTLD_DEFAULT, "MPI_Abi_get_version");
    if (version && version(&major, &minor)) return 3;
    if (argc < 2) return 0;
    void *module = dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL);
    if (!module) return fprintf(stderr, "%s\n", dlerror()), 4;
    run = (int (*)(void))dlsym(module, "run");
    return run ? run() : 5;
}
#endif
