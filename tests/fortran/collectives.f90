! Collective communication (MPI 5.0, chapter 6) through mpi_f08: LOGICAL, pairs, reduction functions
! of the program, counts and datatypes for each process, neighbours.
module operations
    use mpi_f08
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    implicit none
    integer :: calls = 0
contains
    ! Keeps the element with the greater second component.
    subroutine greater(invec, inoutvec, len, datatype)
        type(c_ptr), value :: invec, inoutvec
        integer :: len
        type(MPI_Datatype) :: datatype
        integer, pointer :: in(:, :), inout(:, :)
        integer :: i
        calls = calls + 1
        if (datatype == MPI_DATATYPE_NULL) error stop "no datatype"
        call c_f_pointer(invec, in, [2, len])
        call c_f_pointer(inoutvec, inout, [2, len])
        do i = 1, len
            if (in(2, i) > inout(2, i)) inout(:, i) = in(:, i)
        end do
    end subroutine

    subroutine greater_c(invec, inoutvec, len, datatype)
        type(c_ptr), value :: invec, inoutvec
        integer(MPI_COUNT_KIND) :: len
        type(MPI_Datatype) :: datatype
        call greater(invec, inoutvec, int(len), datatype)
    end subroutine
end module

program collectives
    use operations
    implicit none
    integer :: rank, ranks, i, pair(2), best(2), total, n
    integer, allocatable :: counts(:), places(:), values(:), got(:)
    type(MPI_Datatype), allocatable :: types(:)
    type(MPI_Datatype) :: two
    type(MPI_Op) :: op
    type(MPI_Comm) :: ring
    type(MPI_Request) :: request
    logical :: flags(3), results(3), commutes
    double precision :: average

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)

    flags = [.true., rank == 0, .false.]
    call MPI_Allreduce(flags, results, 3, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD)
    call expect(results(1) .and. results(2) .and. .not. results(3), "MPI_LOR")
    call MPI_Allreduce(flags, results, 3, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD)
    call expect(results(1) .and. (results(2) .eqv. ranks == 1) .and. .not. results(3), "MPI_LAND")

    pair = [modulo(rank + 3, ranks), rank]
    call MPI_Allreduce(pair, best, 1, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_WORLD)
    call expect(best(1) == ranks - 1 .and. modulo(best(2) + 3, ranks) == ranks - 1, "MPI_MAXLOC")

    call MPI_Type_contiguous(2, MPI_INTEGER, two)
    call MPI_Type_commit(two)
    call MPI_Op_create(greater, .true., op)
    call MPI_Op_commutative(op, commutes)
    call expect(commutes, "Op_commutative")
    pair = [rank, 100 - rank]
    call MPI_Allreduce(pair, best, 1, two, op, MPI_COMM_WORLD)
    call expect(best(1) == 0 .and. best(2) == 100, "a reduction function")
    call MPI_Op_free(op)
    call expect(op == MPI_OP_NULL, "Op_free")
    call MPI_Op_create_c(greater_c, .false., op)
    call MPI_Reduce(pair, best, 1, two, op, 0, MPI_COMM_WORLD)
    if (rank == 0) call expect(best(1) == 0, "a reduction function with large counts")
    call MPI_Op_free(op)
    call MPI_Type_free(two)

    ! Counts and datatypes for each process, in place and with large counts.
    allocate(counts(ranks), places(ranks), types(ranks), values(ranks), got(ranks))
    counts = 1
    places = [(4 * (i - 1), i = 1, ranks)]
    types = MPI_INTEGER
    values = [(100 * rank + i, i = 1, ranks)]
    call MPI_Alltoallw(values, counts, places, types, got, counts, places, types, MPI_COMM_WORLD)
    call expect(count(got /= [(100 * i + rank + 1, i = 0, ranks - 1)]) == 0, "Alltoallw")
    got = -1
    got(rank + 1) = rank
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, counts, places / 4, &
        MPI_INTEGER, MPI_COMM_WORLD)
    call expect(count(got /= [(i, i = 0, ranks - 1)]) == 0, "Allgatherv in place")
    got = -1
    call MPI_Allgather(rank, 1_MPI_COUNT_KIND, MPI_INTEGER, got, 1_MPI_COUNT_KIND, MPI_INTEGER, &
        MPI_COMM_WORLD)
    call expect(count(got /= [(i, i = 0, ranks - 1)]) == 0, "Allgather with large counts")
    call MPI_Iallreduce(1, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(total == ranks, "Iallreduce")
    average = 1.5d0
    call MPI_Allreduce(MPI_IN_PLACE, average, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    call expect(abs(average - 1.5d0 * ranks) < 1d-9, "Allreduce in place")

    ! Neighbours, with a datatype for each.
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring)
    block
        integer :: from(2), to(2)
        integer(MPI_ADDRESS_KIND) :: at(2)
        to = [10 * rank, 10 * rank + 1]
        at = [0, 4]
        from = -1
        call MPI_Neighbor_alltoallw(to, [1, 1], at, [MPI_INTEGER, MPI_INTEGER], from, [1, 1], at, &
            [MPI_INTEGER, MPI_INTEGER], ring)
        n = modulo(rank - 1, ranks)
        call expect(from(1) / 10 == n .and. from(2) / 10 == modulo(rank + 1, ranks), &
            "Neighbor_alltoallw")
    end block
    call MPI_Comm_free(ring)
    call MPI_Finalize()

contains
    subroutine expect(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (holds) return
        print *, "rank ", rank, ": ", what
        call MPI_Abort(MPI_COMM_WORLD, 1)
    end subroutine
end program
