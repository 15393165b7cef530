! A status of another MPI's size does not compile.
! refused: status|fewer|few elements
! abis: standard
program wrong_status
    use mpi
    implicit none
    integer :: n, code, status(5)
    call MPI_INIT(code)
    call MPI_RECV(n, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, status, code)
    call MPI_FINALIZE(code)
end program
