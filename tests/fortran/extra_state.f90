! Subroutines that MPI calls get the program's own extra state, not a copy: what they write is seen
! by the program, and what the program writes later is seen by them.
! sizes: 1 2
module subroutines
    use mpi
    implicit none
contains
    subroutine query(extra, status, code)
        integer(kind=MPI_ADDRESS_KIND) :: extra
        integer :: status(MPI_STATUS_SIZE), code
        call MPI_STATUS_SET_CANCELLED(status, .false., code)
        call MPI_STATUS_SET_ELEMENTS(status, MPI_BYTE, 0, code)
        extra = extra + 1
        code = MPI_SUCCESS
    end subroutine

    subroutine release(extra, code)
        integer(kind=MPI_ADDRESS_KIND) :: extra
        integer :: code
        extra = extra + 10
        code = MPI_SUCCESS
    end subroutine

    subroutine cancel(extra, complete, code)
        integer(kind=MPI_ADDRESS_KIND) :: extra
        logical :: complete
        integer :: code
        if (.not. complete) extra = extra + 100
        code = MPI_SUCCESS
    end subroutine

    subroutine copy(object, key, extra, value, copied, flag, code)
        integer :: object, key, code
        integer(kind=MPI_ADDRESS_KIND) :: extra, value, copied
        logical :: flag
        copied = value + extra
        extra = extra + 1
        flag = .true.
        code = MPI_SUCCESS
    end subroutine

    subroutine delete(object, key, value, extra, code)
        integer :: object, key, code
        integer(kind=MPI_ADDRESS_KIND) :: value, extra
        extra = extra + 1000
        code = MPI_SUCCESS
    end subroutine

    subroutine extent(datatype, bytes, extra, code)
        integer :: datatype, code
        integer(kind=MPI_ADDRESS_KIND) :: bytes, extra
        bytes = 4
        extra = extra + 1
        code = MPI_SUCCESS
    end subroutine

    subroutine convert(user, datatype, count, file, position, extra, code)
        integer :: user(*), file(*), datatype, count, code
        integer(kind=MPI_OFFSET_KIND) :: position
        integer(kind=MPI_ADDRESS_KIND) :: extra
        integer :: i
        do i = 1, count
            file(i) = user(int(position) + i)
        end do
        extra = extra + 1
        code = MPI_SUCCESS
    end subroutine
end module

program extra_state
    use subroutines
    implicit none
    integer(kind=MPI_ADDRESS_KIND), save :: extra, value
    integer(kind=MPI_OFFSET_KIND) :: start
    integer :: request, code, rank, key, comm, datatype, twin, file, numbers(4)
    character(len=40) :: name
    logical :: flag

    call MPI_INIT(code)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, code)
    write (name, '(A,I0)') "extra_state.", rank
    extra = 0
    call MPI_GREQUEST_START(query, release, cancel, extra, request, code)
    call MPI_CANCEL(request, code)
    call look("cancel", 100)
    extra = 0
    call MPI_GREQUEST_COMPLETE(request, code)
    call MPI_WAIT(request, MPI_STATUS_IGNORE, code)
    call look("query and free", 11)

    extra = 0
    call MPI_COMM_CREATE_KEYVAL(copy, delete, key, extra, code)
    value = 5
    call MPI_COMM_SET_ATTR(MPI_COMM_WORLD, key, value, code)
    extra = 7
    call MPI_COMM_DUP(MPI_COMM_WORLD, comm, code)
    call look("a copy", 8)
    call MPI_COMM_GET_ATTR(comm, key, value, flag, code)
    if (.not. flag .or. value /= 12) stop 1
    call MPI_COMM_FREE(comm, code)
    call look("a deletion", 1008)
    call MPI_COMM_DELETE_ATTR(MPI_COMM_WORLD, key, code)
    call MPI_COMM_FREE_KEYVAL(key, code)

    extra = 0
    call MPI_TYPE_CREATE_KEYVAL(copy, delete, key, extra, code)
    call MPI_TYPE_CONTIGUOUS(2, MPI_INTEGER, datatype, code)
    value = 5
    call MPI_TYPE_SET_ATTR(datatype, key, value, code)
    call MPI_TYPE_DUP(datatype, twin, code)
    call look("a copy of a datatype", 1)
    call MPI_TYPE_FREE(twin, code)
    call MPI_TYPE_FREE(datatype, code)
    call look("deletions of a datatype", 2001)
    call MPI_TYPE_FREE_KEYVAL(key, code)

    extra = 0
    numbers = [1, 2, 3, 4]
    call MPI_REGISTER_DATAREP("extra state", MPI_CONVERSION_FN_NULL, convert, extent, extra, code)
    call MPI_FILE_OPEN(MPI_COMM_SELF, name, MPI_MODE_CREATE + MPI_MODE_WRONLY + &
        MPI_MODE_DELETE_ON_CLOSE + MPI_MODE_UNIQUE_OPEN, MPI_INFO_NULL, file, code)
    start = 0
    call MPI_FILE_SET_VIEW(file, start, MPI_INTEGER, MPI_INTEGER, "extra state", MPI_INFO_NULL, code)
    call MPI_FILE_WRITE(file, numbers, 4, MPI_INTEGER, MPI_STATUS_IGNORE, code)
    call MPI_FILE_CLOSE(file, code)
    if (extra == 0) call look("a data representation", 1)
    call MPI_FINALIZE(code)
contains
    subroutine look(what, expected)
        character(len=*), intent(in) :: what
        integer, intent(in) :: expected
        if (extra == expected) return
        print *, what, extra
        call MPI_ABORT(MPI_COMM_WORLD, 1, code)
    end subroutine
end program
