! Adds the ranks, counted from one, and prints the sum at rank 0.
program sum_of_ranks
  use mpi_f08
  implicit none
  integer :: rank, total

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Reduce(rank + 1, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) print '(a, i0)', 'the sum is ', total
  call MPI_Finalize()
end program sum_of_ranks
