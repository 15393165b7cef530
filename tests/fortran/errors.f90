! Error handlers of the program, generalized requests and profiling names (MPI 5.0, chapters 9, 13
! and 15).
module handlers
    use mpi_f08
    implicit none
    integer :: seen = 0, freed = 0, cancelled = 0
    type(MPI_Comm) :: where_seen
contains
    subroutine handler(comm, error_code)
        type(MPI_Comm) :: comm
        integer :: error_code
        call MPI_Error_class(error_code, seen)
        where_seen = comm
    end subroutine

    subroutine query(extra_state, status, ierror)
        integer(MPI_ADDRESS_KIND) :: extra_state
        type(MPI_Status) :: status
        integer :: ierror
        call MPI_Status_set_elements(status, MPI_INTEGER, int(extra_state))
        call MPI_Status_set_cancelled(status, .false.)
        status%MPI_SOURCE = 3
        status%MPI_TAG = 4
        ierror = MPI_SUCCESS
    end subroutine

    subroutine release(extra_state, ierror)
        integer(MPI_ADDRESS_KIND) :: extra_state
        integer :: ierror
        freed = int(extra_state)
        ierror = MPI_SUCCESS
    end subroutine

    subroutine cancel(extra_state, complete, ierror)
        integer(MPI_ADDRESS_KIND) :: extra_state
        logical :: complete
        integer :: ierror
        cancelled = merge(2, 1, complete)
        ierror = MPI_SUCCESS
    end subroutine
end module

! A tool's barrier, which calls the library's.
subroutine MPI_Barrier_f08(comm, ierror)
    use mpi_f08, only: MPI_Comm, PMPI_Barrier
    implicit none
    type(MPI_Comm), intent(in) :: comm
    integer, optional, intent(out) :: ierror
    integer :: barriers
    common /tool/ barriers
    barriers = barriers + 1
    call PMPI_Barrier(comm, ierror)
end subroutine

program errors
    use handlers
    implicit none
    type(MPI_Comm) :: comm
    type(MPI_Errhandler) :: errhandler
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    integer :: code, n, barriers
    integer :: old(MPI_STATUS_SIZE)
    logical :: flag
    common /tool/ barriers

    barriers = 0
    call MPI_Init()
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_create_errhandler(handler, errhandler)
    call MPI_Comm_set_errhandler(comm, errhandler)
    call MPI_Send(n, 1, MPI_INTEGER, 99999, 0, comm, code)
    call expect(code /= MPI_SUCCESS .and. seen == MPI_ERR_RANK .and. where_seen == comm, &
        "the error handler")
    call MPI_Errhandler_free(errhandler)
    call MPI_Comm_free(comm)

    call MPI_Grequest_start(query, release, cancel, 7_MPI_ADDRESS_KIND, request)
    call MPI_Test(request, flag, status)
    call expect(.not. flag, "a request that is not complete")
    call MPI_Cancel(request)
    call expect(cancelled == 1, "the cancel function")
    call MPI_Grequest_complete(request)
    call MPI_Wait(request, status)
    call MPI_Get_count(status, MPI_INTEGER, n)
    call expect(n == 7 .and. freed == 7, "the query and the free function")
    call expect(status%MPI_SOURCE == 3 .and. status%MPI_TAG == 4, "the status of the request")

    call MPI_Status_f082f(status, old)
    call expect(old(MPI_SOURCE) == 3 .and. old(MPI_TAG) == 4, "Status_f082f")
    status%MPI_TAG = 0
    call MPI_Status_f2f08(old, status)
    call expect(status%MPI_TAG == 4, "Status_f2f08")
    call MPI_Test_cancelled(status, flag)
    call expect(.not. flag, "Test_cancelled")

    call MPI_Barrier(MPI_COMM_WORLD)
    call expect(barriers == 1, "a tool's barrier")
    call MPI_Finalize()
contains
    subroutine expect(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (holds) return
        print *, what
        call MPI_Abort(MPI_COMM_WORLD, 1)
    end subroutine
end program
