/*
 * The Fortran library is loaded by a program in C that has set the facts about its Fortran compiler
 * (MPI 5.0 20.4), before MPI starts and after it. The program's facts remain.
 */
#include <mpi.h>
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int truth = -1, falsehood = 0, found[2] = {0, 1}, is_set = 0;
    MPI_Info info;
    MPI_Abi_set_fortran_booleans(4, &truth, &falsehood);
    if (argc > 1)
        MPI_Init(&argc, &argv);
    if (!dlopen("libmpifort_abi.so.1", RTLD_NOW | RTLD_GLOBAL)) {
        puts(dlerror());
        return 1;
    }
    if (argc == 1)
        MPI_Init(&argc, &argv);
    MPI_Abi_get_fortran_booleans(4, &found[0], &found[1], &is_set);
    MPI_Abi_get_fortran_info(&info);
    if (!is_set || found[0] != -1 || found[1] != 0 || info == MPI_INFO_NULL)
        puts("other facts");
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
