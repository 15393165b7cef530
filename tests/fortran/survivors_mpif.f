C     Going on after a process has failed, through mpif.h.
C     mpiexec: -ft
C     sizes: 3
C     dies: 2 of 3 processes have gone on
      program survivors
      implicit none
      include 'mpif.h'
      integer rank, comm, fewer, flag, code, class, failed, known
      integer one, total, ierror
      logical revoked
      call MPI_INIT(ierror)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierror)
      call MPI_COMM_SET_ERRHANDLER(comm, MPI_ERRORS_RETURN, ierror)
      call MPI_COMM_RANK(comm, rank, ierror)
      call MPI_BARRIER(comm, ierror)
C     A process that ends without MPI_FINALIZE has failed.
      if (rank .eq. 1) stop 3
      known = 0
 10   call MPIX_COMM_GET_FAILED(comm, failed, ierror)
      call MPI_GROUP_SIZE(failed, known, ierror)
      if (known .eq. 0) goto 10
      call MPI_GROUP_FREE(failed, ierror)
      call MPI_BARRIER(comm, code)
      call MPI_ERROR_CLASS(code, class, ierror)
      if (class .ne. MPIX_ERR_PROC_FAILED) goto 90
      call MPIX_COMM_FAILURE_ACK(comm, ierror)
      flag = 6 + rank / 2
      call MPIX_COMM_AGREE(comm, flag, ierror)
      if (ierror .ne. MPI_SUCCESS .or. flag .ne. 6) goto 90
      call MPIX_COMM_REVOKE(comm, ierror)
      call MPIX_COMM_IS_REVOKED(comm, revoked, ierror)
      if (.not. revoked) goto 90
      call MPIX_COMM_SHRINK(comm, fewer, ierror)
      one = 1
      call MPI_ALLREDUCE(one, total, 1, MPI_INTEGER, MPI_SUM, fewer,
     & ierror)
      if (total .ne. 2) goto 90
      if (rank .eq. 0) print *, '2 of 3 processes have gone on'
      call MPI_COMM_FREE(fewer, ierror)
      call MPI_COMM_FREE(comm, ierror)
      call MPI_FINALIZE(ierror)
      stop
 90   print *, 'rank ', rank, ': wrong'
      call MPI_ABORT(MPI_COMM_WORLD, 1, ierror)
      end
