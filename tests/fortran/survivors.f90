! Going on after a process has failed, through mpi_f08: the functions of ULFM (mpi-ext.h in C).
! mpiexec: -ft
! sizes: 4
! dies: 3 of 4 processes have gone on
program survivors
    use mpi_f08
    use mpi_ext_f08, only: MPIX_Comm_agree
    use, intrinsic :: iso_c_binding, only: c_int
    implicit none
    interface
        function raise(number) bind(c)
            import :: c_int
            integer(c_int), value :: number
            integer(c_int) :: raise
        end function
    end interface
    integer, parameter :: killed = 9, victim = 2
    type(MPI_Comm) :: comm, fewer, again
    type(MPI_Group) :: failed, acked, world
    type(MPI_Request) :: request
    integer :: rank, total, one, code, class, known, place, number, places(1)
    integer, asynchronous :: flag
    logical :: is_revoked
    call MPI_Init()
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_group(comm, world)

    ! Before the failure.
    flag = ior(1, ishft(1, rank + 1))
    call MPIX_Comm_agree(comm, flag, code)
    call require(code == MPI_SUCCESS .and. flag == 1, 'agree')
    call MPIX_Comm_is_revoked(comm, is_revoked)
    call require(.not. is_revoked, 'nobody has revoked')

    if (rank == victim) number = raise(int(killed, c_int))
    known = 0
    do while (known == 0)
        call MPIX_Comm_get_failed(comm, failed)
        call MPI_Group_size(failed, known)
        if (known == 0) call MPI_Group_free(failed)
    end do
    call MPI_Group_translate_ranks(failed, 1, [0], world, places)
    place = places(1)
    call require(known == 1 .and. place == victim, 'get_failed')
    call MPI_Barrier(comm, code)
    call MPI_Error_class(code, class)
    call require(class == MPIX_ERR_PROC_FAILED, 'a barrier fails')

    ! An agreement has its flag, and tells of the failure until all have acknowledged it.
    flag = merge(5, 7, rank == 1)
    call MPIX_Comm_agree(comm, flag, code)
    call MPI_Error_class(code, class)
    call require(class == MPIX_ERR_PROC_FAILED .and. flag == 5, 'agree tells of the failure')
    call MPIX_Comm_ack_failed(comm, 1, number)
    call require(number == 1, 'ack_failed')
    call MPIX_Comm_failure_ack(comm)
    call MPIX_Comm_failure_get_acked(comm, acked)
    call MPI_Group_size(acked, number)
    call require(number == 1, 'failure_get_acked')
    flag = merge(5, 7, rank == 3)
    call MPIX_Comm_iagree(comm, flag, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE, code)
    call require(code == MPI_SUCCESS .and. flag == 5, 'iagree')

    ! A revoked communicator can be shrunk.
    call MPIX_Comm_revoke(comm)
    call MPIX_Comm_is_revoked(comm, is_revoked)
    call require(is_revoked, 'is_revoked')
    call MPI_Barrier(comm, code)
    call MPI_Error_class(code, class)
    call require(class == MPIX_ERR_REVOKED, 'a revoked communicator')
    call MPIX_Comm_shrink(comm, fewer)
    call MPIX_Comm_ishrink(comm, again, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    one = 1
    call MPI_Allreduce(one, total, 1, MPI_INTEGER, MPI_SUM, again)
    call require(total == 3, 'ishrink')
    call MPI_Allreduce(one, total, 1, MPI_INTEGER, MPI_SUM, fewer)
    call require(total == 3, 'shrink')
    if (rank == 0) print '(I0, A)', total, ' of 4 processes have gone on'
    call MPI_Comm_free(fewer)
    call MPI_Comm_free(again)
    call MPI_Comm_free(comm)
    call MPI_Finalize()
contains
    subroutine require(holds, what)
        logical, intent(in) :: holds
        character(*), intent(in) :: what
        if (holds) return
        print '(A, I0, 2A)', 'rank ', rank, ': wrong: ', what
        call MPI_Abort(MPI_COMM_WORLD, 1)
    end subroutine
end program
