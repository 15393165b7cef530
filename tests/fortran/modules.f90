! The three interfaces in one program: handles and statuses of one are those of the other.
subroutine by_include(comm, rank)
    implicit none
    include 'mpif.h'
    integer :: comm, rank, code
    call MPI_COMM_RANK(comm, rank, code)
end subroutine

program modules
    use mpi, only: MPI_STATUS_SIZE, MPI_ADDRESS_KIND, MPI_INTEGER, MPI_COMM_WORLD, MPI_Comm, &
        MPI_INFO_NULL, MPI_STATUS_IGNORE, MPI_SUBARRAYS_SUPPORTED, operator(==), operator(/=)
    use mpi_f08, only: f08_world => MPI_COMM_WORLD, f08_self => MPI_COMM_SELF, MPI_Abort, &
        MPI_Init, MPI_Finalize, MPI_Comm_size
    implicit none
    interface
        subroutine by_include(comm, rank)
            integer :: comm, rank
        end subroutine
    end interface
    integer :: rank, ranks, code, sent, got, memory
    integer(MPI_ADDRESS_KIND) :: address
    logical :: is_set
    logical :: truth, falsehood
    type(MPI_Comm) :: comm

    call MPI_Init()
    comm%MPI_VAL = MPI_COMM_WORLD
    call expect(comm == f08_world .and. comm /= f08_self, "handles")
    call MPI_Comm_size(comm, ranks)
    call by_include(comm%MPI_VAL, rank)
    sent = rank
    call by_mpi()
    call expect(got == modulo(rank - 1, ranks), "Sendrecv")
    call expect(.not. MPI_SUBARRAYS_SUPPORTED, "the module mpi has no descriptors")
    call MPI_Finalize()

contains
    subroutine by_mpi()
        use mpi, only: MPI_SENDRECV, MPI_ALLOC_MEM, MPI_FREE_MEM, MPI_ABI_GET_FORTRAN_BOOLEANS, &
            MPI_WTIME
        double precision :: before
        before = MPI_WTIME()
        call MPI_SENDRECV(sent, 1, MPI_INTEGER, modulo(rank + 1, ranks), 0, got, 1, MPI_INTEGER, &
            modulo(rank - 1, ranks), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
        call MPI_ALLOC_MEM(64_MPI_ADDRESS_KIND, MPI_INFO_NULL, address, code)
        call expect(address /= 0, "Alloc_mem")
        truth = .false.
        falsehood = .true.
        call MPI_ABI_GET_FORTRAN_BOOLEANS(4, truth, falsehood, is_set, code)
        call expect(is_set .and. truth .and. .not. falsehood, "Abi_get_fortran_booleans")
        call expect(MPI_WTIME() >= before, "Wtime")
    end subroutine

    subroutine expect(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (holds) return
        print *, what
        call MPI_Abort(f08_world, 1)
    end subroutine
end program
