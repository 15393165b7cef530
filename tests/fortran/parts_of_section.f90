! Operations that write parts of one section with gaps at the same time (MPI 5.0 §19.1.12): each
! writes its own elements, and none of those that another operation or the program writes.
program parts_of_section
    use mpi_f08
    implicit none
    integer :: rank, ranks, i, mine, code, class, length, file_values(3)
    integer, asynchronous :: row(40), pair(2)
    integer, allocatable :: ones(:), front(:), back(:)
    complex, asynchronous :: numbers(8)
    type(MPI_Request) :: requests(2), request
    type(MPI_File) :: file
    type(MPI_Win) :: window
    type(MPI_Datatype) :: real_parts
    character(len=MPI_MAX_ERROR_STRING) :: text
    integer(MPI_ADDRESS_KIND), parameter :: size_bytes = 40

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    allocate(ones(ranks), front(ranks), back(ranks))
    ones = 1
    front = [(i, i = 0, ranks - 1)]
    back = front + ranks
    mine = rank + 1

    ! Two non-blocking collectives, and an element behind theirs that the program writes.
    row = -1
    call MPI_Iallgatherv(mine, 1, MPI_INTEGER, row(1:39:2), ones, front, MPI_INTEGER, &
        MPI_COMM_WORLD, requests(1))
    call MPI_Iallgatherv(10 * mine, 1, MPI_INTEGER, row(1:39:2), ones, back, MPI_INTEGER, &
        MPI_COMM_WORLD, requests(2))
    row(39) = 7
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call expect_parts("Iallgatherv")

    ! The same by persistent collectives.
    row = -1
    call MPI_Allgatherv_init(mine, 1, MPI_INTEGER, row(1:39:2), ones, front, MPI_INTEGER, &
        MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
    pair(1) = 10 * mine
    call MPI_Allgatherv_init(pair(1:1), 1, MPI_INTEGER, row(1:39:2), ones, back, MPI_INTEGER, &
        MPI_COMM_WORLD, MPI_INFO_NULL, requests(2))
    do i = 1, 2
        row = -1
        call MPI_Startall(2, requests)
        row(39) = 7
        call MPI_Wait(requests(2), MPI_STATUS_IGNORE)
        call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
        call expect_parts("Allgatherv_init")
    end do
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))

    ! A reduction of fewer elements than the section has, and a result that only the root gets.
    row = 0
    call MPI_Iallreduce(MPI_IN_PLACE, row(1:39:2), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
        requests(1))
    call MPI_Ireduce(mine, row(39:1:-2), 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, requests(2))
    row(3) = 5
    if (rank > 0) row(39) = 6
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call expect(row(1) == 0 .and. row(3) == 5, "Iallreduce")
    call expect(row(39) == merge(ranks, 6, rank == 0), "Ireduce")

    ! A blocking call, during which a non-blocking receive ends.
    row = -1
    pair = [8, 9]
    call MPI_Irecv(row(9:11:2), 2, MPI_INTEGER, 0, 2, MPI_COMM_SELF, requests(1))
    call MPI_Isend(mine, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, requests(2))
    call MPI_Sendrecv(pair, 2, MPI_INTEGER, 0, 2, row(1:39:2), 4, MPI_INTEGER, 0, 1, &
        MPI_COMM_SELF, MPI_STATUS_IGNORE)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call expect(row(1) == mine .and. all(row(9:11:2) == [8, 9]) .and. count(row /= -1) == 3, &
        "Sendrecv")

    ! Bytes of one element: the real parts are received while the program writes imaginary parts.
    numbers = (0., 0.)
    call MPI_Type_vector(2, 1, 2, MPI_REAL, real_parts)
    call MPI_Type_commit(real_parts)
    call MPI_Ialltoallw([1., 2.], [2, (0, i = 2, ranks)] * merge(1, 0, ranks == 1), &
        [(0, i = 1, ranks)], [(MPI_REAL, i = 1, ranks)], numbers(1:7:2), &
        [1, (0, i = 2, ranks)] * merge(1, 0, ranks == 1), [(0, i = 1, ranks)], &
        [(real_parts, i = 1, ranks)], MPI_COMM_WORLD, request)
    numbers(1)%im = 3.
    numbers(5) = (5., 5.)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    if (ranks == 1) call expect(numbers(1) == (1., 3.) .and. numbers(3) == (2., 0.), "Ialltoallw")
    call expect(numbers(5) == (5., 5.), "Ialltoallw beside its elements")
    call MPI_Type_free(real_parts)

    ! A file that ends before the section does.
    call MPI_File_open(MPI_COMM_SELF, "parts_of_section" // achar(48 + rank), &
        MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file)
    call MPI_File_write_at(file, 0_MPI_OFFSET_KIND, [1, 2, 3], 3, MPI_INTEGER, MPI_STATUS_IGNORE)
    row = -1
    call MPI_File_iread_at(file, 0_MPI_OFFSET_KIND, row(9:13:2), 3, MPI_INTEGER, request)
    call MPI_File_read_at(file, 0_MPI_OFFSET_KIND, row(1:39:2), 4, MPI_INTEGER, MPI_STATUS_IGNORE)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    file_values = [1, 2, 3]
    call expect(all(row(1:5:2) == file_values) .and. row(7) == -1 &
        .and. all(row(9:13:2) == file_values), "a file")
    call MPI_File_close(file)

    ! Memory that MPI keeps must have no gaps.
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call MPI_Win_create(row(1:39:2), size_bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, code)
    call expect_refused("a window")
    call MPI_Comm_attach_buffer(MPI_COMM_WORLD, row(1:39:2), 40, code)
    call expect_refused("the buffer of a communicator")
    call MPI_Finalize()

contains

    subroutine expect_parts(what)
        character(len=*), intent(in) :: what
        call expect(all(row(1:2 * ranks:2) == [(i, i = 1, ranks)]), what // ", the first")
        call expect(all(row(2 * ranks + 1:4 * ranks:2) == [(10 * i, i = 1, ranks)]), &
            what // ", the second")
        call expect(row(39) == 7 .and. count(row /= -1) == 2 * ranks + 1, what // ", the rest")
    end subroutine

    subroutine expect_refused(what)
        character(len=*), intent(in) :: what
        call MPI_Error_class(code, class)
        call MPI_Error_string(code, text, length)
        call expect(class == MPI_ERR_BUFFER .and. index(text, "array section with gaps") > 0, what)
    end subroutine

    subroutine expect(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (holds) return
        print *, "rank ", rank, ": ", what
        call MPI_Abort(MPI_COMM_WORLD, 1)
    end subroutine
end program
