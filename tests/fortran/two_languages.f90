! C and Fortran in one program: handles and statuses of Fortran that C converts (MPI 5.0 §19.3).
program two_languages
    use mpi
    implicit none
    interface
        ! Returns how many of the handles are what they should be.
        integer function look_at_handles(comm, datatype, group, op, request)
            integer :: comm, datatype, group, op, request
        end function
        integer function look_at_status(status)
            import :: MPI_STATUS_SIZE
            integer :: status(MPI_STATUS_SIZE)
        end function
        integer function is_ignored(status)
            import :: MPI_STATUS_SIZE
            integer :: status(MPI_STATUS_SIZE)
        end function
        integer function are_ignored(statuses)
            import :: MPI_STATUS_SIZE
            integer :: statuses(MPI_STATUS_SIZE, *)
        end function
        subroutine give_comm(comm)
            integer :: comm
        end subroutine
    end interface
    integer :: comm, datatype, group, request, ranks, size, numbers(4), code
    integer :: status(MPI_STATUS_SIZE)

    call MPI_INIT(code)
    call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, code)
    call MPI_COMM_DUP(MPI_COMM_WORLD, comm, code)
    call MPI_COMM_GROUP(comm, group, code)
    call MPI_TYPE_CONTIGUOUS(3, MPI_INTEGER, datatype, code)
    call MPI_TYPE_COMMIT(datatype, code)
    call MPI_IRECV(numbers, 4, MPI_INTEGER, 0, 7, MPI_COMM_SELF, request, code)
    if (look_at_handles(comm, datatype, group, MPI_MAX, request) /= 5) stop 1
    call MPI_SEND([1, 2, 3], 3, MPI_INTEGER, 0, 7, MPI_COMM_SELF, code)
    call MPI_WAIT(request, status, code)
    if (look_at_status(status) /= 3) stop 2
    ! C knows the constants by which Fortran ignores statuses.
    if (is_ignored(MPI_STATUS_IGNORE) /= 1) stop 3
    if (is_ignored(status) /= 0) stop 4
    if (are_ignored(MPI_STATUSES_IGNORE) /= 1) stop 5
    call MPI_TYPE_FREE(datatype, code)
    call MPI_GROUP_FREE(group, code)
    call MPI_COMM_FREE(comm, code)
    ! A communicator that C has made.
    call give_comm(comm)
    call MPI_COMM_SIZE(comm, size, code)
    if (size /= ranks) stop 6
    call MPI_COMM_FREE(comm, code)
    call MPI_FINALIZE(code)
end program
