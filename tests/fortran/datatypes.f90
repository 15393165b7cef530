! Datatypes (MPI 5.0, chapter 5 and §19.1.9): absolute addresses, structures, contents, types by
! precision, sizes, packing.
program datatypes
    use mpi_f08
    implicit none
    type, bind(C) :: record
        integer :: number
        double precision :: value
    end type
    type(record) :: sent, got, two(2)
    type(MPI_Datatype) :: made, twin, parts(2), real_type
    integer :: rank, ranks, next, last, code, bytes, n, i
    integer :: integers, addresses, types, combiner, numbers(3)
    integer(MPI_ADDRESS_KIND) :: at(2), lower, extent, places(2)
    integer(MPI_COUNT_KIND) :: large
    integer, parameter :: wide = selected_real_kind(12, 100), small = selected_int_kind(4)
    real(wide) :: x
    integer(small) :: s
    character(len=100) :: packed
    complex :: z(3)

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    next = modulo(rank + 1, ranks)
    last = modulo(rank - 1, ranks)

    call MPI_Get_address(two(1), at(1))
    call MPI_Get_address(two(2), at(2))
    extent = MPI_Aint_diff(at(2), at(1))
    call MPI_Get_address(sent%number, at(1))
    call MPI_Get_address(sent%value, at(2))
    call MPI_Type_create_struct(2, [1, 1], at, [MPI_INTEGER, MPI_DOUBLE_PRECISION], made)
    call MPI_Type_commit(made)
    sent = record(rank, 0.5d0)
    at = [0_MPI_ADDRESS_KIND, MPI_Aint_diff(at(2), at(1))]
    call MPI_Type_create_struct(2, [1, 1], at, [MPI_INTEGER, MPI_DOUBLE_PRECISION], twin)
    call MPI_Type_create_resized(twin, 0_MPI_ADDRESS_KIND, extent, parts(1))
    call MPI_Type_commit(parts(1))
    call MPI_Sendrecv(MPI_BOTTOM, 1, made, next, 0, got, 1, parts(1), last, 0, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE)
    call expect(got%number == last .and. abs(got%value - 0.5d0) < 1d-9, "MPI_BOTTOM")
    call MPI_Type_get_extent(parts(1), lower, extent)
    call expect(lower == 0 .and. extent == storage_size(sent) / 8, "Type_get_extent")
    call MPI_Type_get_envelope(twin, integers, addresses, types, combiner)
    call expect(combiner == MPI_COMBINER_STRUCT .and. types == 2, "Type_get_envelope")
    call MPI_Type_free(parts(1))
    call MPI_Type_get_contents(twin, 3, 2, 2, numbers, places, parts)
    call expect(parts(2) == MPI_DOUBLE_PRECISION .and. places(2) == at(2), "Type_get_contents")
    call MPI_Type_free(twin)
    call MPI_Type_free(made)

    call MPI_Type_size(MPI_INTEGER, bytes)
    call MPI_Type_size(MPI_INTEGER, large)
    call expect(bytes == storage_size(1) / 8 .and. large == bytes, "Type_size")
    call MPI_Type_create_f90_real(12, 100, real_type)
    call MPI_Type_size(real_type, bytes)
    call expect(bytes == storage_size(x) / 8, "Type_create_f90_real")
    call MPI_Type_create_f90_integer(4, made)
    call MPI_Type_size(made, bytes)
    call expect(bytes == storage_size(s) / 8, "Type_create_f90_integer")
    call MPI_Type_create_f90_complex(6, MPI_UNDEFINED, made)
    call MPI_Type_size(made, bytes)
    call expect(bytes == storage_size(z) / 8, "Type_create_f90_complex")
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, made)
    call expect(made == MPI_REAL8 .or. made == MPI_DOUBLE_PRECISION, "Type_match_size")
    call MPI_Sizeof(z, bytes)
    call expect(bytes == 8, "Sizeof of an array")
    call MPI_Sizeof(s, bytes, code)
    call expect(bytes == 2 .and. code == MPI_SUCCESS, "Sizeof of a scalar")

    n = 0
    call MPI_Pack(rank, 1, MPI_INTEGER, packed, 100, n, MPI_COMM_WORLD)
    x = 0.25
    call MPI_Pack(x, 1, real_type, packed, 100, n, MPI_COMM_WORLD)
    i = 0
    call MPI_Unpack(packed, n, i, bytes, 1, MPI_INTEGER, MPI_COMM_WORLD)
    x = 0
    call MPI_Unpack(packed, n, i, x, 1, real_type, MPI_COMM_WORLD)
    call expect(bytes == rank .and. abs(x - 0.25) < 1d-9 .and. i == n, "Pack and Unpack")
    at(1) = 0
    call MPI_Pack_external("external32", numbers(1:3:2), 2, MPI_INTEGER, packed, &
        100_MPI_ADDRESS_KIND, at(1))
    call expect(at(1) == 8, "Pack_external")
    call MPI_F_sync_reg(numbers)
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
