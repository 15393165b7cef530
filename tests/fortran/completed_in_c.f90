! Operations on array sections that Fortran starts and C completes, and the reverse: reductions and
! collectives with counts for each process, which use copies of the sections.
program completed_in_c
    use mpi_f08
    use, intrinsic :: iso_c_binding, only: c_int
    implicit none
    interface
        ! Completes a request: 0 by MPI_Wait, 1 by MPI_Test, 2 by MPI_Waitany, 3 by MPI_Waitall, 4
        ! by MPI_Request_get_status, which leaves the request as it is.
        subroutine complete_request(request, how) bind(C)
            import :: c_int
            integer(c_int), intent(inout) :: request
            integer(c_int), value :: how
        end subroutine
        subroutine start_request(request) bind(C)
            import :: c_int
            integer(c_int), intent(inout) :: request
        end subroutine
        subroutine free_request(request) bind(C)
            import :: c_int
            integer(c_int), intent(inout) :: request
        end subroutine
    end interface
    integer :: rank, ranks, i, how
    integer, asynchronous :: grid(3, 4), got(3, 4)
    integer, asynchronous, allocatable :: rows(:, :)
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    logical :: done

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    allocate(rows(2, 4 * ranks))
    grid = reshape([(100 * rank + i, i = 1, 12)], [3, 4])

    do how = 0, 4
        got = -1
        call MPI_Iallreduce(grid(2, :), got(3, :), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
        call complete_request(request%MPI_VAL, how)
        call expect(all_sums(got(3, :), grid(2, :)), "Iallreduce")
        call expect(count(got == -1) == 8, "what lies beside the sums")
        call expect(how == 4 .neqv. request == MPI_REQUEST_NULL, "the request of Iallreduce")
        if (how == 4) call MPI_Wait(request, MPI_STATUS_IGNORE)

        rows = -1
        call MPI_Iallgatherv(grid(1, :), 4, MPI_INTEGER, rows(2, :), [(4, i = 1, ranks)], &
            [(4 * i, i = 0, ranks - 1)], MPI_INTEGER, MPI_COMM_WORLD, request)
        call complete_request(request%MPI_VAL, how)
        if (how == 4) call MPI_Wait(request, MPI_STATUS_IGNORE)
        do i = 0, ranks - 1
            call expect(count(rows(2, 4 * i + 1:4 * i + 4) == grid(1, :) + 100 * (i - rank)) == 4, &
                "Iallgatherv")
        end do
        call expect(count(rows(1, :) == -1) == 4 * ranks, "what lies beside the rows")
    end do

    ! A persistent operation, started by either language. The copies follow the program's values.
    call MPI_Allreduce_init(grid(2, :), got(1, :), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
        MPI_INFO_NULL, request)
    do how = 0, 7
        grid(2, :) = grid(2, :) + 1
        got = -1
        if (how < 4) call start_request(request%MPI_VAL)
        if (how >= 4) call MPI_Start(request)
        call expect(request /= MPI_REQUEST_NULL, "a persistent request")
        if (how /= 7) call complete_request(request%MPI_VAL, modulo(how, 4))
        if (how == 7) call MPI_Wait(request, MPI_STATUS_IGNORE)
        call expect(all_sums(got(1, :), grid(2, :)), "Allreduce_init")
    end do
    got = -1
    call complete_request(request%MPI_VAL, 0)
    call expect(all(got == -1), "an inactive request")
    call free_request(request%MPI_VAL)
    call expect(request == MPI_REQUEST_NULL, "a freed request")

    ! Fortran's own ways to complete a request.
    call MPI_Iscan(grid(2, :), got(2, :), 4, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request)
    done = .false.
    do while (.not. done)
        call MPI_Test(request, done, status)
    end do
    call expect(count(got(2, :) == grid(2, :)) == 4, "Iscan")

    call MPI_Finalize()
contains
    logical function all_sums(found, mine)
        integer, intent(in) :: found(4), mine(4)
        all_sums = all(found == ranks * mine + 100 * (ranks * (ranks - 1) / 2 - ranks * rank))
    end function

    subroutine expect(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (holds) return
        print *, "rank", rank, "way", how, what
        call MPI_Abort(MPI_COMM_WORLD, 1)
    end subroutine
end program
