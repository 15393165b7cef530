! Dynamic processes (MPI 5.0, chapter 11) through mpi_f08: commands and arguments are CHARACTER
! arrays that blanks end, and blanks before and after them do not count.
! sizes: 1 2
program spawn
    use mpi_f08
    implicit none
    type(MPI_Comm) :: parent, children
    character(len=300) :: program_name, commands(2)
    character(len=20) :: arguments(3), each(2, 2), argument
    integer :: rank, total, length, codes(2)

    call MPI_Init()
    call MPI_Comm_get_parent(parent)
    call get_command_argument(0, program_name)
    if (parent /= MPI_COMM_NULL) then
        call get_command_argument(1, argument, length)
        call expect(length == len_trim(argument), "blanks at the end of an argument")
        call MPI_Comm_rank(MPI_COMM_WORLD, rank)
        if (argument == "two words") then
            call expect(command_argument_count() == 2, "the number of arguments")
            rank = rank + 1
        else if (argument == "multiple") then
            rank = rank + 10
        else
            rank = 100
        end if
        call MPI_Reduce(rank, total, 1, MPI_INTEGER, MPI_SUM, 0, parent)
        call MPI_Comm_disconnect(parent)
    else
        call spawn_children()
    end if
    call MPI_Finalize()

contains
    subroutine spawn_children()
        call MPI_Comm_rank(MPI_COMM_WORLD, rank)
        arguments = ["  two words", " last      ", "           "]
        codes = -1
        call MPI_Comm_spawn("  " // program_name, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, &
            codes)
        call expect(count(codes /= MPI_SUCCESS) == 0, "the error codes")
        call collect(3, "Comm_spawn")
        call MPI_Comm_spawn(program_name, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &
            children, MPI_ERRCODES_IGNORE)
        call collect(100, "Comm_spawn without arguments")
        commands = " " // program_name
        each(:, 1) = " multiple"
        each(:, 2) = " "
        call MPI_Comm_spawn_multiple(2, commands, each, [1, 1], [MPI_INFO_NULL, MPI_INFO_NULL], 0, &
            MPI_COMM_WORLD, children, codes)
        call collect(21, "Comm_spawn_multiple")
    end subroutine

    ! Adds up what the children send.
    subroutine collect(expected, what)
        integer, intent(in) :: expected
        character(len=*), intent(in) :: what
        integer :: nothing
        total = expected
        call MPI_Reduce(nothing, total, 1, MPI_INTEGER, MPI_SUM, &
            merge(MPI_ROOT, MPI_PROC_NULL, rank == 0), children)
        call expect(total == expected, what)
        call MPI_Comm_disconnect(children)
    end subroutine

    subroutine expect(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (holds) return
        print *, what
        call MPI_Abort(MPI_COMM_WORLD, 1)
    end subroutine
end program
