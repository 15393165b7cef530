! The calls of messages.f90. They are not inlined, because they lie in a file of their own.
subroutine send_from_fortran(word) bind(c)
    use mpi_f08
    double precision :: word
    call MPI_Send(word, 1, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD)
end subroutine

subroutine receive_from_fortran(word) bind(c)
    use mpi_f08
    double precision :: word
    call MPI_Recv(word, 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
end subroutine
