! Request variables that get a second request before the first one is complete (mpi_f08). One of
! these is complete at once.
!
! sizes: 2
! check: requests overwritten before they were complete|MPI_Irecv in|given to MPI_Isend in|given to MPI_Issend in
program overwritten_f08
    use mpi_f08
    implicit none
    type(MPI_Request) :: request, other
    integer :: rank, received(4), sent(4), unused(4)

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    sent = rank
    call MPI_Irecv(received, 4, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, request)
    call MPI_Isend(sent, 4, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, request)
    call MPI_Irecv(unused, 4, MPI_INTEGER, 1 - rank, 2, MPI_COMM_WORLD, other)
    call MPI_Issend(sent, 4, MPI_INTEGER, MPI_PROC_NULL, 2, MPI_COMM_WORLD, other)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Finalize()
end program
