! A section with a vector subscript does not compile in a non-blocking call: the compiler would pass
! a copy that is gone when the message arrives. flang 19 passes the copy.
! compilers: gfortran
! refused: no specific subroutine for the generic .mpi_irecv
program vector_subscript
    use mpi_f08
    implicit none
    integer :: values(10), places(3) = [1, 5, 7]
    type(MPI_Request) :: request
    call MPI_Init()
    call MPI_Irecv(values(places), 3, MPI_INTEGER, 0, 0, MPI_COMM_SELF, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Finalize()
end program
