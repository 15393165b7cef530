! A COMMON block of mpif.h as -fdefault-integer-8 makes it, in a program that another command than
! mpifort may have linked: the program ends before MPI writes half of each INTEGER.
! dies: compiled with an INTEGER of 8 bytes
! abis: standard
program wide_integers
    implicit none
    integer(8) :: bottom, in_place, status_ignore(8), code
    common /MPIPRIV1/ bottom, in_place, status_ignore
    external :: MPI_Init, MPI_Finalize
    call MPI_Init(code)
    call MPI_Finalize(code)
end program
