! A program whose default INTEGER has 8 bytes, and which gives MPI arguments of 4.
! options: -fdefault-integer-8
program wide_default
    use mpi
    implicit none
    integer, parameter :: m = MPI_INTEGER_KIND
    integer(m) :: code, rank, ranks, status(MPI_STATUS_SIZE)
    integer :: mine, total, got

    call MPI_INIT(code)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, code)
    call MPI_COMM_SIZE(int(MPI_COMM_WORLD, m), ranks, code)
    mine = rank + 1
    mine = mine * 2_8**33
    call MPI_ALLREDUCE(mine, total, 1_m, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD, code)
    if (total /= 2_8**32 * ranks * (ranks + 1_8)) stop 1
    call MPI_SENDRECV(mine, 1_m, MPI_INTEGER8, rank, 3_m, got, 1_m, MPI_INTEGER8, rank, 3_m, &
        MPI_COMM_WORLD, status, code)
    if (got /= mine .or. status(MPI_SOURCE) /= rank) stop 3
    if (kind(mine) /= 8) stop 2
    call MPI_FINALIZE(code)
end program
