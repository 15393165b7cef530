! An element of an array of requests that gets a second request before the first one is complete
! (mpi), and elements that are used again when they are.
!
! sizes: 2
! check: requests overwritten before they were complete|MPI_Recv_init in|given to MPI_Isend in
program overwritten_mpi
    use mpi
    implicit none
    integer :: requests(2), rank, round, received(4), sent(4), ierror

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    sent = rank
    do round = 1, 3
        call MPI_Irecv(received, 4, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, requests(1), ierror)
        call MPI_Isend(sent, 4, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, requests(2), ierror)
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
    end do
    call MPI_Recv_init(received, 4, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Irecv(received, 4, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Isend(sent, 4, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
    call MPI_Finalize(ierror)
end program
