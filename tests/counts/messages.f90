! Sends or receives messages of 8 bytes from Fortran or from C, and lets callgrind count the
! instructions of each (scripts/test-fortran): messages fortran|c TIMES. The receiver sleeps before
! it receives, so that the message has arrived. The first messages are not counted. Buffers have
! different addresses, because one in 200 addresses looks like that of MPI_BOTTOM at first sight.
program messages
    use mpi_f08
    use, intrinsic :: iso_c_binding, only: c_int
    implicit none
    interface
        subroutine send_from_c(word) bind(c)
            double precision :: word
        end subroutine
        subroutine receive_from_c(word) bind(c)
            double precision :: word
        end subroutine
        subroutine send_from_fortran(word) bind(c)
            double precision :: word
        end subroutine
        subroutine receive_from_fortran(word) bind(c)
            double precision :: word
        end subroutine
        subroutine pause_shortly() bind(c)
        end subroutine
        subroutine count_from_here() bind(c)
        end subroutine
        subroutine write_counts() bind(c)
        end subroutine
    end interface
    integer, parameter :: uncounted = 10
    integer :: rank, i, times
    double precision :: words(0:15)
    character(len=20) :: language, text

    call get_command_argument(1, language)
    call get_command_argument(2, text)
    read (text, *) times
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    words = 1
    do i = 1, uncounted + times
        call MPI_Barrier(MPI_COMM_WORLD)
        call count_from_here()
        if (rank == 0) then
            if (language == "c") call send_from_c(words(mod(i, 16)))
            if (language == "fortran") call send_from_fortran(words(mod(i, 16)))
        else
            call pause_shortly()
            if (language == "c") call receive_from_c(words(mod(i, 16)))
            if (language == "fortran") call receive_from_fortran(words(mod(i, 16)))
        end if
        if (i > uncounted) call write_counts()
    end do
    call MPI_Finalize()
end program
