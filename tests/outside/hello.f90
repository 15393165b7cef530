! What MPICH's Fortran library needs of the MPI library: ignored statuses, MPI_IN_PLACE, attributes
! in both directions, a generalized request, and a datatype with a marker of MPI-1. Every rank
! prints one line.
module callbacks
contains
    subroutine query(state, status, ierror)
        use mpi
        integer(kind=MPI_ADDRESS_KIND) :: state
        integer :: status(MPI_STATUS_SIZE), ierror
        status(MPI_SOURCE) = int(state)
        status(MPI_TAG) = 9
        call MPI_Status_set_elements(status, MPI_INTEGER, 2, ierror)
        call MPI_Status_set_cancelled(status, .false., ierror)
    end subroutine

    subroutine release(state, ierror)
        use mpi
        integer(kind=MPI_ADDRESS_KIND) :: state
        integer :: ierror
        if (state == 5) ierror = MPI_SUCCESS
    end subroutine

    subroutine cancel(state, complete, ierror)
        use mpi
        integer(kind=MPI_ADDRESS_KIND) :: state
        logical :: complete
        integer :: ierror
        ierror = MPI_ERR_OTHER
        if (state == 5 .and. .not. complete) ierror = MPI_SUCCESS
    end subroutine
end module

program hello
    use mpi
    use callbacks
    integer :: rank, ranks, total, left, key, old_key, value, count, request, requests(2), &
        status(MPI_STATUS_SIZE), copy, marked, ierror
    integer(kind=MPI_ADDRESS_KIND) :: bound, state, large, back, places(2), lower, extent
    logical :: found, old_found, large_found
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    total = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call MPI_Irecv(left, 1, MPI_INTEGER, modulo(rank - 1, ranks), 0, MPI_COMM_WORLD, requests(1), &
        ierror)
    call MPI_Isend(rank, 1, MPI_INTEGER, modulo(rank + 1, ranks), 0, MPI_COMM_WORLD, requests(2), &
        ierror)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, bound, found, ierror)
    call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, old_key, value, ierror)
    call MPI_Attr_put(MPI_COMM_WORLD, old_key, -7, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
    call MPI_Attr_get(copy, old_key, value, old_found, ierror)
    large = 2_8**40 + rank
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, state, ierror)
    call MPI_Comm_set_attr(copy, key, large, ierror)
    call MPI_Comm_get_attr(copy, key, back, large_found, ierror)
    state = 5
    call MPI_Grequest_start(query, release, cancel, state, request, ierror)
    call MPI_Cancel(request, ierror)
    call MPI_Grequest_complete(request, ierror)
    call MPI_Wait(request, status, ierror)
    call MPI_Get_count(status, MPI_INTEGER, count, ierror)
    places = (/ 0_8, 64_8 /)
    call MPI_Type_create_struct(2, (/ 1, 1 /), places, (/ MPI_INTEGER, MPI_UB /), marked, ierror)
    call MPI_Type_get_extent(marked, lower, extent, ierror)
    print '(A,99I12)', 'rank', rank, ranks, total, left, bound, value, back - large, &
        status(MPI_SOURCE), status(MPI_TAG), count, extent
    if (.not. (found .and. old_found .and. large_found)) stop 1
    if (total /= ranks * (ranks + 1) / 2 .or. left /= modulo(rank - 1, ranks) .or. bound < 32767 &
        .or. value /= -7 .or. back /= large) stop 2
    if (status(MPI_SOURCE) /= 5 .or. status(MPI_TAG) /= 9 .or. count /= 2 .or. lower /= 0 .or. &
        extent /= 64) stop 3
    call MPI_Finalize(ierror)
end program
