C     A request variable that gets a second request before the first
C     one is complete (mpif.h).
C
C     sizes: 2
C     check: requests overwritten|MPI_Ibarrier in|given to MPI_Ibcast in
      program overwritten_mpif
      implicit none
      include 'mpif.h'
      integer request, number, ierror
      number = 1
      call MPI_INIT(ierror)
      call MPI_IBARRIER(MPI_COMM_WORLD, request, ierror)
      call MPI_IBCAST(number, 1, MPI_INTEGER, 0, MPI_COMM_WORLD,
     &    request, ierror)
      call MPI_WAIT(request, MPI_STATUS_IGNORE, ierror)
      call MPI_FINALIZE(ierror)
      end
