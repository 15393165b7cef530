! One-sided communication (MPI 5.0, chapter 12) through mpi_f08: memory by C_PTR, sections as
! origins, requests.
program windows
    use mpi_f08
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    implicit none
    integer :: rank, ranks, next, last, i, unit, old
    type(MPI_Win) :: win
    type(c_ptr) :: base
    integer, pointer :: memory(:)
    integer :: grid(4, 4), mine(8)
    integer(MPI_ADDRESS_KIND) :: bytes
    type(MPI_Request) :: request

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    next = modulo(rank + 1, ranks)
    last = modulo(rank - 1, ranks)
    call MPI_Win_allocate(64_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
    call c_f_pointer(base, memory, [16])
    memory = -1
    grid = reshape([(100 * rank + i, i = 1, 16)], [4, 4])
    call MPI_Win_fence(0, win)
    call MPI_Put(grid(2, :), 4, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call expect(count(memory(1:4) /= [(100 * last + 2 + 4 * i, i = 0, 3)]) == 0, "Put of a row")
    grid = 0
    call MPI_Get(grid(4:1:-1, 3), 4, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call expect(count(grid(:, 3) /= [(100 * rank + 2 + 4 * i, i = 3, 0, -1)]) == 0, &
        "Get backwards")
    call expect(count(grid == 0) == 12, "what lies beside it")
    memory = 0
    call MPI_Win_fence(0, win)
    call MPI_Accumulate(grid(1:4:3, 3), 2, MPI_INTEGER, 0, 2_MPI_ADDRESS_KIND, 2, MPI_INTEGER, &
        MPI_SUM, win)
    call MPI_Win_fence(0, win)
    if (rank == 0) call expect(memory(3) == sum([(100 * i + 14, i = 0, ranks - 1)]), "Accumulate")

    call MPI_Win_lock_all(0, win)
    call MPI_Fetch_and_op(1, old, MPI_INTEGER, 0, 8_MPI_ADDRESS_KIND, MPI_SUM, win)
    call MPI_Win_flush(0, win)
    call expect(old >= 0 .and. old < ranks, "Fetch_and_op")
    call MPI_Rput(rank, 1, MPI_INTEGER, next, 9_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Win_unlock_all(win)
    call MPI_Barrier(MPI_COMM_WORLD)
    call expect(memory(10) == last, "Rput")
    call MPI_Win_free(win)
    call expect(win == MPI_WIN_NULL, "Win_free")

    call MPI_Win_allocate_shared(16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
    call MPI_Win_shared_query(win, 0, bytes, unit, base)
    call c_f_pointer(base, memory, [4])
    call expect(bytes == 16 .and. unit == 4, "Win_shared_query")
    call MPI_Win_fence(0, win)
    if (rank == ranks - 1) memory(2) = 42
    call MPI_Win_fence(0, win)
    call expect(memory(2) == 42, "shared memory")
    call MPI_Win_free(win)

    mine = rank
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_attach(win, mine, 32_MPI_ADDRESS_KIND)
    call MPI_Win_detach(win, mine)
    call MPI_Win_free(win)
    call MPI_Alloc_mem(64_MPI_ADDRESS_KIND, MPI_INFO_NULL, base)
    call c_f_pointer(base, memory, [16])
    memory = 1
    call MPI_Free_mem(memory)
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
