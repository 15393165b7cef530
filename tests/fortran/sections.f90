! Array sections as buffers (MPI 5.0 §19.1.12): blocking, non-blocking and persistent calls,
! datatypes over sections, and what is refused.
program sections
    use mpi_f08
    implicit none
    integer :: rank, ranks, next, last, i, j, code, class, length
    integer, asynchronous :: grid(6, 8), got(6, 8), line(48), part(5)
    integer, allocatable :: every(:)
    logical :: done
    complex :: pairs(8), read(8)
    character(len=3) :: words(6), heard(6)
    type(MPI_Request) :: request, both(2)
    type(MPI_Datatype) :: spread
    type(MPI_Status) :: status
    character(len=MPI_MAX_ERROR_STRING) :: text

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    next = modulo(rank + 1, ranks)
    last = modulo(rank - 1, ranks)
    call expect(MPI_SUBARRAYS_SUPPORTED .and. MPI_ASYNC_PROTECTS_NONBLOCKING, "the constants")

    ! A row of a matrix goes to a row by non-blocking calls; the rest stays.
    grid = reshape([(1000 * rank + i, i = 1, 48)], [6, 8])
    got = -1
    call MPI_Irecv(got(2, :), 8, MPI_INTEGER, last, 1, MPI_COMM_WORLD, both(1))
    call MPI_Isend(grid(3, :), 8, MPI_INTEGER, next, 1, MPI_COMM_WORLD, both(2))
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE)
    call expect(all_of(got(2, :), [(1000 * last + 3 + 6 * j, j = 0, 7)]), "a row")
    call expect(count(got /= -1) == 8, "what lies beside the row")

    ! A block with gaps in both dimensions, backwards, and fewer elements than the section has.
    got = -1
    call MPI_Irecv(got(5:1:-2, 2:8:3), 7, MPI_INTEGER, last, 2, MPI_COMM_WORLD, both(1))
    call MPI_Isend(grid(1:5:2, 1:7:3), 7, MPI_INTEGER, next, 2, MPI_COMM_WORLD, both(2))
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE)
    line(1:9) = reshape(grid(1:5:2, 1:7:3), [9]) + 1000 * (last - rank)
    call expect(all_of(reshape(got(5:1:-2, 2:8:3), [9]), [line(1:7), -1, -1]), "part of a block")
    call expect(count(got /= -1) == 7, "what lies beside the block")

    ! Blocking calls.
    got = -1
    call MPI_Sendrecv(grid(2:6:2, 8), 3, MPI_INTEGER, next, 3, got(1, 1:8:3), 3, MPI_INTEGER, &
        last, 3, MPI_COMM_WORLD, status)
    call expect(all_of(got(1, 1:8:3), grid(2:6:2, 8) + 1000 * (last - rank)), "Sendrecv")
    call expect(count(got /= -1) == 3, "what lies beside the elements of Sendrecv")
    got = -1
    allocate(every(4 * ranks))
    call MPI_Allgather(grid(6, 1:8:2), 4, MPI_INTEGER, every, 4, MPI_INTEGER, MPI_COMM_WORLD)
    do i = 0, ranks - 1
        call expect(all_of(every(4 * i + 1:4 * i + 4), grid(6, 1:8:2) + 1000 * (i - rank)), &
            "Allgather")
    end do
    got = 0
    call MPI_Allreduce(grid(1, :), got(4, :), 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call expect(all_of(got(4, :), ranks * grid(1, :) &
        + 1000 * (ranks * (ranks - 1) / 2 - ranks * rank)), "Allreduce")
    call expect(count(got /= 0) == 8, "what lies beside the sum")
    got(5, :) = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, got(5, :), 8, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call expect(all_of(got(5, :), [(ranks, i = 1, 8)]), "Allreduce in place")
    got(1:5:2, 3) = rank
    call MPI_Bcast(got(1:5:2, 3), 3, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD)
    call expect(all_of(got(1:5:2, 3), [(ranks - 1, i = 1, 3)]), "Bcast")

    ! Datatypes of another size than the elements, and characters.
    pairs = [(cmplx(rank, i), i = 1, 8)]
    read = 0
    call MPI_Irecv(read(2:8:2), 8, MPI_REAL, last, 5, MPI_COMM_WORLD, both(1))
    call MPI_Isend(pairs(1:7:2), 8, MPI_REAL, next, 5, MPI_COMM_WORLD, both(2))
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE)
    call expect(count(read(2:8:2) /= [(cmplx(last, i), i = 1, 7, 2)]) == 0 &
        .and. count(read /= 0) == 4, "complex numbers")
    words = ["abc", "def", "ghi", "jkl", "mno", "pqr"]
    heard = "---"
    call MPI_Irecv(heard(1:6:2), 9, MPI_CHARACTER, last, 6, MPI_COMM_WORLD, both(1))
    call MPI_Isend(words(6:2:-2), 9, MPI_CHARACTER, next, 6, MPI_COMM_WORLD, both(2))
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE)
    call expect(heard(1) == "pqr" .and. heard(3) == "jkl" .and. heard(5) == "def" &
        .and. heard(2) == "---", "characters")
    call MPI_Irecv(heard(1:6:2), 5, MPI_CHARACTER, last, 6, MPI_COMM_WORLD, both(1))
    call MPI_Isend("vwxyz", 5, MPI_CHARACTER, next, 6, MPI_COMM_WORLD, both(2))
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE)
    call expect(heard(1) == "vwx" .and. heard(3) == "yzl", "half a word")

    ! A derived datatype is laid out over the array that the section stands for.
    call MPI_Type_vector(3, 1, 2, MPI_INTEGER, spread)
    call MPI_Type_commit(spread)
    line = [(i, i = 1, 48)]
    part = -1
    call MPI_Irecv(part, 3, MPI_INTEGER, last, 7, MPI_COMM_WORLD, both(1))
    call MPI_Isend(line(1:48:9), 1, spread, MPI_PROC_NULL, 7, MPI_COMM_WORLD, both(2))
    call MPI_Wait(both(2), MPI_STATUS_IGNORE)
    call MPI_Isend(line(2:48:4), 1, spread, next, 7, MPI_COMM_WORLD, both(2))
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE)
    call expect(all_of(part, [2, 10, 18, -1, -1]), "a vector over a section")
    got = -1
    call MPI_Recv_init(got(1, :), 1, spread, last, 8, MPI_COMM_WORLD, both(1))
    call MPI_Send_init(line(1:48:7), 3, MPI_INTEGER, next, 8, MPI_COMM_WORLD, both(2))
    do i = 1, 2
        line = i * [(j, j = 1, 48)]
        call MPI_Startall(2, both)
        call MPI_Waitall(2, both, MPI_STATUSES_IGNORE)
        call expect(all_of(got(1, :), [i, -1, 8 * i, -1, 15 * i, -1, -1, -1]), "persistent")
    end do
    call MPI_Request_free(both(1))
    call MPI_Request_free(both(2))
    call MPI_Type_free(spread)

    ! Reductions and counts for each process, which no datatype can describe: copies live until the
    ! requests are complete.
    grid = reshape([(1000 * rank + i, i = 1, 48)], [6, 8])
    got = 0
    call MPI_Iallreduce(grid(1, :), got(1, :), 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, both(1))
    call MPI_Iallreduce(MPI_IN_PLACE, grid(3:5:2, 8), 2, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, &
        both(2))
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE)
    call expect(all_of(got(1, :), [(ranks * (1 + 6 * j) + 500 * ranks * (ranks - 1), j = 0, 7)]), &
        "Iallreduce of a row")
    call expect(count(got /= 0) == 8, "what lies beside the row of the sum")
    call expect(all_of(grid(3:5:2, 8), [1000 * (ranks - 1) + 45, 1000 * (ranks - 1) + 47]), &
        "Iallreduce in place")
    got = -1
    call MPI_Ialltoallv(line(1:2 * ranks:2), [(1, i = 1, ranks)], [(i, i = 0, ranks - 1)], &
        MPI_INTEGER, got(1:ranks, 2:2), [(1, i = 1, ranks)], [(i, i = 0, ranks - 1)], &
        MPI_INTEGER, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(all_of(got(1:ranks, 2), [(2 * (2 * rank + 1), i = 1, ranks)]), "Ialltoallv")
    got = 0
    call MPI_Allreduce_init(grid(2, :), got(6, :), 8, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, &
        MPI_INFO_NULL, request)
    do i = 1, 2
        grid(2, :) = i + rank
        call MPI_Start(request)
        call MPI_Wait(request, MPI_STATUS_IGNORE)
        call expect(all_of(got(6, :), [(i + ranks - 1, j = 1, 8)]), "Allreduce_init of a row")
    end do
    got(6, :) = -1
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(all(got(6, :) == -1), "a wait for a request that is not started")
    call MPI_Start(request)
    done = .false.
    do while (.not. done)
        call MPI_Request_get_status(request, done, MPI_STATUS_IGNORE)
    end do
    call expect(all(got(6, :) == ranks + 1), "the row of a request that is known to be complete")
    got(6, :) = -1
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(all(got(6, :) == -1), "a row that was copied back before the wait")
    call MPI_Request_free(request)

    ! No elements, and a scalar.
    call MPI_Sendrecv(grid(1:0, :), 0, MPI_INTEGER, next, 9, got(:, 1:0), 0, MPI_INTEGER, last, &
        9, MPI_COMM_WORLD, MPI_STATUS_IGNORE)

    ! What no datatype can describe, and counts that do not fit, are errors with a sentence.
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call MPI_Psend_init(grid(1, :), 2, 4_MPI_COUNT_KIND, MPI_INTEGER, next, 9, MPI_COMM_WORLD, &
        MPI_INFO_NULL, request, code)
    call MPI_Error_class(code, class)
    call MPI_Error_string(code, text, length)
    call expect(class == MPI_ERR_BUFFER .and. index(text, "array section with gaps") > 0, &
        "Psend_init of a section")
    call MPI_Isend(grid(1, :), 9, MPI_INTEGER, next, 9, MPI_COMM_WORLD, request, code)
    call MPI_Error_string(code, text, length)
    call expect(code /= MPI_SUCCESS .and. index(text, "take 36 bytes") > 0, "too high a count")
    call MPI_Finalize()

contains

    logical function all_of(a, b)
        integer, intent(in) :: a(:), b(:)
        all_of = size(a) == size(b)
        if (all_of) all_of = count(a /= b) == 0
    end function

    subroutine expect(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (holds) return
        print *, "rank ", rank, ": ", what
        call MPI_Abort(MPI_COMM_WORLD, 1)
    end subroutine
end program
