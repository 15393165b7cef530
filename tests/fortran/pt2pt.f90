! Point-to-point communication (MPI 5.0, chapter 3) through mpi_f08.
program pt2pt
    use mpi_f08
    implicit none
    integer :: rank, ranks, next, last, i, index, outcount
    integer, allocatable :: sent(:), got(:), indices(:)
    type(MPI_Request), allocatable :: requests(:)
    type(MPI_Status), allocatable :: statuses(:)
    type(MPI_Status) :: status
    type(MPI_Request) :: request
    type(MPI_Message) :: message
    integer :: number, copy
    integer(MPI_COUNT_KIND) :: many
    logical :: flag

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    next = modulo(rank + 1, ranks)
    last = modulo(rank - 1, ranks)

    ! Statuses by their components, and by the functions.
    number = rank
    call MPI_Sendrecv(number, 1, MPI_INTEGER, next, 7, copy, 1, MPI_INTEGER, last, MPI_ANY_TAG, &
        MPI_COMM_WORLD, status)
    call expect(copy == last, "Sendrecv")
    call expect(status%MPI_SOURCE == last .and. status%MPI_TAG == 7, "the status of Sendrecv")
    call MPI_Get_count(status, MPI_INTEGER, i)
    call expect(i == 1, "Get_count")
    call MPI_Get_count(status, MPI_INTEGER, many)
    call expect(many == 1, "Get_count with MPI_COUNT_KIND")
    call MPI_Status_get_tag(status, i)
    call expect(i == 7, "Status_get_tag")

    ! Large counts by overloading, and the optional error code.
    many = 1
    i = -1
    call MPI_Irecv(copy, many, MPI_INTEGER, last, 1, MPI_COMM_WORLD, request, i)
    call expect(i == MPI_SUCCESS, "the error code of Irecv")
    call MPI_Send(number, many, MPI_INTEGER, next, 1, MPI_COMM_WORLD, ierror=i)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(copy == last .and. request == MPI_REQUEST_NULL, "large counts")

    ! Indices count from one.
    allocate(sent(4), got(4), requests(4), statuses(4), indices(4))
    sent = [(10 * rank + i, i = 1, 4)]
    got = -1
    do i = 1, 4
        call MPI_Irecv(got(i), 1, MPI_INTEGER, last, i, MPI_COMM_WORLD, requests(i))
    end do
    call MPI_Send(sent(3), 1, MPI_INTEGER, next, 3, MPI_COMM_WORLD)
    call MPI_Waitany(4, requests, index, status)
    call expect(index == 3 .and. got(3) == 10 * last + 3, "the index of Waitany")
    call expect(requests(3) == MPI_REQUEST_NULL .and. requests(1) /= MPI_REQUEST_NULL, &
        "the requests of Waitany")
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Send(sent(1), 1, MPI_INTEGER, next, 1, MPI_COMM_WORLD)
    call MPI_Waitsome(4, requests, outcount, indices, statuses)
    call expect(outcount == 1 .and. indices(1) == 1 .and. statuses(1)%MPI_TAG == 1, "Waitsome")
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Send(sent(2), 1, MPI_INTEGER, next, 2, MPI_COMM_WORLD)
    call MPI_Send(sent(4), 1, MPI_INTEGER, next, 4, MPI_COMM_WORLD)
    call MPI_Waitall(4, requests, statuses)
    call expect(all(got == [(10 * last + i, i = 1, 4)]) .and. statuses(4)%MPI_TAG == 4, "Waitall")
    call MPI_Waitany(4, requests, index, MPI_STATUS_IGNORE)
    call expect(index == MPI_UNDEFINED, "Waitany without requests")
    call MPI_Testsome(4, requests, outcount, indices, MPI_STATUSES_IGNORE)
    call expect(outcount == MPI_UNDEFINED, "Testsome without requests")
    call MPI_Testany(4, requests, index, flag, status)
    call expect(flag .and. index == MPI_UNDEFINED, "Testany without requests")

    ! Probes and matched receives.
    call MPI_Isend(number, 1, MPI_INTEGER, next, 9, MPI_COMM_WORLD, request)
    call MPI_Mprobe(last, 9, MPI_COMM_WORLD, message, status)
    call MPI_Get_count(status, MPI_INTEGER, i)
    call MPI_Mrecv(copy, i, MPI_INTEGER, message, MPI_STATUS_IGNORE)
    call expect(copy == last .and. message == MPI_MESSAGE_NULL, "Mrecv")
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, flag, status)
    call expect(.not. flag, "Iprobe")
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Sendrecv_replace(number, 1, MPI_INTEGER, next, 2, last, 2, MPI_COMM_WORLD, status)
    call expect(number == last, "Sendrecv_replace")

    call buffered()
    call MPI_Finalize()

contains

    subroutine buffered()
        use, intrinsic :: iso_c_binding, only: c_ptr, c_associated, c_loc
        integer, target :: space(1000)
        type(c_ptr) :: detached
        integer :: bytes
        call MPI_Buffer_attach(space, 4000)
        call MPI_Bsend(rank, 1, MPI_INTEGER, next, 3, MPI_COMM_WORLD)
        call MPI_Recv(copy, 1, MPI_INTEGER, last, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
        call MPI_Buffer_detach(detached, bytes)
        call expect(copy == last .and. bytes == 4000, "a buffered message")
        call expect(c_associated(detached, c_loc(space)), "the detached buffer")
    end subroutine

    subroutine expect(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (holds) return
        print *, "rank ", rank, ": ", what
        call MPI_Abort(MPI_COMM_WORLD, 1)
    end subroutine
end program
