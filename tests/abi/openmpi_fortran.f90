! A Fortran program as Open MPI's mpif.h, mpi and mpi_f08 make it: its own declarations of the
! constants, the COMMON blocks and the procedures, and what a user notices of them. Run on two
! processes. openmpi_fortran.c looks at its handles from C.
module openmpi
    implicit none
    ! Handles count from zero in each kind.
    integer, parameter :: COMM_WORLD = 0, COMM_SELF = 1, COMM_NULL = 2, REQUEST_NULL = 0
    integer, parameter :: BYTE = 1, INTEGER_TYPE = 7, DOUBLE_PRECISION_TYPE = 17, DATATYPE_NULL = 0
    integer, parameter :: SUM_OP = 3, OP_NULL = 0, INFO_NULL = 0, FILE_NULL = 0, WIN_NULL = 0
    integer, parameter :: ERRHANDLER_NULL = 0, ERRORS_ARE_FATAL = 1, ERRORS_RETURN = 2
    integer, parameter :: GROUP_EMPTY = 1
    integer, parameter :: ANY_SOURCE = -1, ANY_TAG = -1, PROC_NULL = -2, UNDEFINED = -32766
    integer, parameter :: STATUS_SIZE = 6, TAG_UB = 0, HOST = 1, WIN_SIZE = 8, FLAVOR = 10
    integer, parameter :: ERR_RANK = 6, ERR_COMM = 5, CREATE = 1, RDWR = 8, DELETE_ON_CLOSE = 16
    integer, parameter :: ADDRESS = selected_int_kind(18)

    integer :: BOTTOM, IN_PLACE, UNWEIGHTED, WEIGHTS_EMPTY, ERRCODES_IGNORE(1)
    integer :: STATUS_IGNORE(STATUS_SIZE), STATUSES_IGNORE(STATUS_SIZE, 1)
    character(1) :: ARGV_NULL(1), ARGVS_NULL(1, 1)
    common /mpi_fortran_bottom/ BOTTOM
    common /mpi_fortran_in_place/ IN_PLACE
    common /mpi_fortran_unweighted/ UNWEIGHTED
    common /mpi_fortran_weights_empty/ WEIGHTS_EMPTY
    common /mpi_fortran_errcodes_ignore/ ERRCODES_IGNORE
    common /mpi_fortran_status_ignore/ STATUS_IGNORE
    common /mpi_fortran_statuses_ignore/ STATUSES_IGNORE
    common /mpi_fortran_argv_null/ ARGV_NULL
    common /mpi_fortran_argvs_null/ ARGVS_NULL

    ! What the subroutines have seen.
    integer :: reductions = 0, errors = 0, copies = 0, deletions = 0, queries = 0, frees = 0
    integer :: seen_comm = -1, seen_code = -1
    integer :: rank, ranks
contains
    subroutine expect(condition, what)
        logical, intent(in) :: condition
        character(*), intent(in) :: what
        if (condition) return
        print *, rank, ': ', what
        stop 1
    end subroutine

    subroutine product_of(in, inout, count, datatype)
        integer :: count, datatype
        double precision :: in(count), inout(count)
        call expect(datatype == DOUBLE_PRECISION_TYPE, 'the datatype in a reduction')
        inout = in * inout
        reductions = reductions + 1
    end subroutine

    subroutine on_error(comm, code)
        integer :: comm, code
        seen_comm = comm
        seen_code = code
        errors = errors + 1
    end subroutine

    subroutine copy_attribute(comm, keyval, extra, in, out, flag, ierror)
        integer :: comm, keyval, ierror
        integer(ADDRESS) :: extra, in, out
        logical :: flag
        seen_comm = comm
        copies = copies + 1
        out = in + extra
        flag = .true.
        ierror = 0
    end subroutine

    subroutine delete_attribute(comm, keyval, value, extra, ierror)
        integer :: comm, keyval, ierror
        integer(ADDRESS) :: value, extra
        deletions = deletions + 1
        ierror = 0
    end subroutine

    subroutine query_request(extra, status, ierror)
        integer(ADDRESS) :: extra
        integer :: status(STATUS_SIZE), ierror
        queries = queries + 1
        call mpi_status_set_elements(status, INTEGER_TYPE, int(extra), ierror)
        call mpi_status_set_cancelled(status, .false., ierror)
        status(1) = 77
    end subroutine

    subroutine free_request(extra, ierror)
        integer(ADDRESS) :: extra
        integer :: ierror
        frees = frees + 1
        ierror = 0
    end subroutine

    subroutine cancel_request(extra, complete, ierror)
        integer(ADDRESS) :: extra
        logical :: complete
        integer :: ierror
        ierror = 0
    end subroutine
end module

program openmpi_fortran
    use openmpi
    use mpi_f08_types
    implicit none
    integer :: ierror, parent
    logical :: spawned

    call mpi_init(ierror)
    call expect(ierror == 0, 'MPI_Init')
    call mpi_comm_rank(COMM_WORLD, rank, ierror)
    call mpi_comm_size(COMM_WORLD, ranks, ierror)
    call mpi_comm_get_parent(parent, ierror)
    spawned = parent /= COMM_NULL
    if (spawned) then
        call expect(ranks == 1, 'the size of the spawned job')
        call mpi_barrier(parent, ierror)
        call mpi_comm_disconnect(parent, ierror)
        call expect(parent == COMM_NULL, 'a communicator that was disconnected')
    else
        call expect(ranks == 2, 'the number of processes')
        call messages
        call several_requests
        call reductions_of_the_program
        call errors_and_attributes
        call generalized_requests
        call datatypes_and_buffers
        call topologies
        call windows_and_files
        call module_procedures
        call from_c
        call spawning
    end if
    call mpi_finalize(ierror)
contains
    subroutine messages()
        integer :: sent(5), got(5), count, next
        ! Integers around a status must keep their values, and it may lie at any of them.
        integer :: held(STATUS_SIZE + 3), status(STATUS_SIZE)
        equivalence (held(2), status(1))
        integer :: ierror
        next = 1 - rank
        sent = [1, 2, 3, 4, 5] + 10 * rank
        held = -7
        call mpi_sendrecv(sent, 5, INTEGER_TYPE, next, 31, got, 5, INTEGER_TYPE, next, ANY_TAG, &
            COMM_WORLD, status, ierror)
        call expect(all(got == [1, 2, 3, 4, 5] + 10 * next), 'the message')
        call expect(status(1) == next .and. status(2) == 31, 'source and tag')
        call expect(held(1) == -7 .and. all(held(STATUS_SIZE + 2:) == -7), 'around a status')
        call mpi_get_count(status, INTEGER_TYPE, count, ierror)
        call expect(count == 5, 'the count')
        call mpi_recv(got, 5, BYTE, PROC_NULL, 1, COMM_WORLD, status, ierror)
        call expect(status(1) == PROC_NULL .and. status(2) == ANY_TAG, 'a message of nobody')
        call mpi_sendrecv(sent, 5, INTEGER_TYPE, next, 1, got, 5, INTEGER_TYPE, ANY_SOURCE, 1, &
            COMM_WORLD, STATUS_IGNORE, ierror)
        call expect(all(STATUS_IGNORE == 0), 'an ignored status is not written')
    end subroutine

    subroutine several_requests()
        integer :: requests(2), statuses(STATUS_SIZE, 2), indices(2), done, values(2), ierror
        logical :: flag
        call mpi_irecv(values(1), 1, INTEGER_TYPE, 1 - rank, 1, COMM_WORLD, requests(1), ierror)
        call expect(requests(1) < 0, 'the number of a request')
        call mpi_isend(rank, 1, INTEGER_TYPE, 1 - rank, 1, COMM_WORLD, requests(2), ierror)
        call mpi_waitall(2, requests, statuses, ierror)
        call expect(all(requests == REQUEST_NULL), 'requests that are complete')
        call expect(statuses(1, 1) == 1 - rank .and. values(1) == 1 - rank, 'statuses')
        call mpi_irecv(values(2), 1, INTEGER_TYPE, PROC_NULL, 1, COMM_WORLD, requests(2), ierror)
        call mpi_waitsome(2, requests, done, indices, STATUSES_IGNORE, ierror)
        call expect(done == 1 .and. indices(1) == 2, 'an index counts from one')
        call mpi_testany(2, requests, indices(1), flag, STATUS_IGNORE, ierror)
        call expect(flag .and. indices(1) == UNDEFINED, 'no request')
    end subroutine

    subroutine reductions_of_the_program()
        double precision :: values(3), results(3)
        integer :: op, number, ierror
        values = [2d0, 3d0, 4d0] + rank
        call mpi_op_create(product_of, .true., op, ierror)
        call mpi_allreduce(values, results, 3, DOUBLE_PRECISION_TYPE, op, COMM_WORLD, ierror)
        call expect(all(results == [6d0, 12d0, 20d0]), 'the product')
        call mpi_reduce_local(values, results, 3, DOUBLE_PRECISION_TYPE, op, ierror)
        call expect(reductions > 0, 'the reduction was called')
        call mpi_op_free(op, ierror)
        call expect(op == OP_NULL, 'an operation that was freed')
        number = rank + 1
        call mpi_allreduce(IN_PLACE, number, 1, INTEGER_TYPE, SUM_OP, COMM_WORLD, ierror)
        call expect(number == 3, 'MPI_IN_PLACE')
    end subroutine

    subroutine errors_and_attributes()
        integer :: comm, copy, handler, ierror, class, key
        integer(ADDRESS) :: value, extra
        logical :: flag
        call mpi_comm_dup(COMM_WORLD, comm, ierror)
        call mpi_comm_create_errhandler(on_error, handler, ierror)
        call mpi_comm_set_errhandler(comm, handler, ierror)
        call mpi_send(rank, 1, INTEGER_TYPE, 17, 1, comm, ierror)
        call expect(errors == 1 .and. seen_comm == comm, 'the communicator of an error')
        call expect(seen_code == ierror, 'the code of an error')
        call mpi_error_class(ierror, class, ierror)
        call expect(class == ERR_RANK, 'the class of an error')
        call mpi_errhandler_free(handler, ierror)
        call expect(handler == ERRHANDLER_NULL, 'an error handler that was freed')
        call mpi_comm_set_errhandler(COMM_WORLD, ERRORS_RETURN, ierror)
        call mpi_comm_get_errhandler(COMM_WORLD, handler, ierror)
        call expect(handler == ERRORS_RETURN, 'a predefined error handler')
        call mpi_comm_set_errhandler(COMM_WORLD, ERRORS_ARE_FATAL, ierror)
        ! Subroutines get the predefined communicator's number, too.
        call mpi_comm_create_errhandler(on_error, handler, ierror)
        call mpi_comm_set_errhandler(COMM_SELF, handler, ierror)
        call mpi_send(rank, 1, INTEGER_TYPE, 17, 1, COMM_SELF, ierror)
        call expect(errors == 2 .and. seen_comm == COMM_SELF, 'MPI_COMM_SELF of an error')
        call mpi_comm_set_errhandler(COMM_SELF, ERRORS_ARE_FATAL, ierror)

        extra = 100
        call mpi_comm_create_keyval(copy_attribute, delete_attribute, key, extra, ierror)
        value = 2_ADDRESS**40 + rank
        call mpi_comm_set_attr(comm, key, value, ierror)
        call mpi_comm_dup(comm, copy, ierror)
        call expect(copies == 1 .and. seen_comm == comm, 'the communicator of a copy')
        value = 0
        call mpi_comm_get_attr(copy, key, value, flag, ierror)
        call expect(flag .and. value == 2_ADDRESS**40 + rank + 100, 'the value of a copy')
        call mpi_comm_delete_attr(copy, key, ierror)
        call mpi_comm_free(copy, ierror)
        call mpi_comm_free(comm, ierror)
        call expect(deletions == 2 .and. comm == COMM_NULL, 'deletions')
        call mpi_comm_free_keyval(key, ierror)
        call mpi_comm_get_attr(COMM_WORLD, TAG_UB, value, flag, ierror)
        call expect(flag .and. value >= 32767, 'MPI_TAG_UB')
        call mpi_comm_get_attr(COMM_WORLD, HOST, value, flag, ierror)
        call expect(flag .and. value == PROC_NULL, 'MPI_HOST')
    end subroutine

    subroutine generalized_requests()
        integer :: request, status(STATUS_SIZE), count, ierror
        integer(ADDRESS) :: extra
        extra = 9
        call mpi_grequest_start(query_request, free_request, cancel_request, extra, &
            request, ierror)
        call mpi_grequest_complete(request, ierror)
        call mpi_wait(request, status, ierror)
        call mpi_get_count(status, INTEGER_TYPE, count, ierror)
        call expect(queries == 1 .and. frees == 1, 'the subroutines of a request')
        call expect(status(1) == 77 .and. count == 9, 'the status of a request')
    end subroutine

    subroutine datatypes_and_buffers()
        integer :: datatype, integers(4), types(2), parts(2), counts(4), ierror
        integer(ADDRESS) :: places(2), lower, extent
        ! Their addresses are in the datatype, which the compiler cannot know.
        integer, volatile :: value
        double precision, volatile :: other
        call mpi_get_address(value, places(1), ierror)
        call mpi_get_address(other, places(2), ierror)
        parts = 1
        types = [INTEGER_TYPE, DOUBLE_PRECISION_TYPE]
        call mpi_type_create_struct(2, parts, places, types, datatype, ierror)
        call mpi_type_commit(datatype, ierror)
        value = rank
        other = rank + 0.5d0
        call mpi_bcast(BOTTOM, 1, datatype, 1, COMM_WORLD, ierror)
        call expect(value == 1 .and. other == 1.5d0, 'MPI_BOTTOM')
        types = -1
        call mpi_type_get_envelope(datatype, counts(1), counts(2), counts(3), counts(4), ierror)
        call mpi_type_get_contents(datatype, 4, 2, 2, integers, places, types, ierror)
        call expect(all(types == [INTEGER_TYPE, DOUBLE_PRECISION_TYPE]), 'the contents of a type')
        call mpi_type_free(datatype, ierror)
        call expect(datatype == DATATYPE_NULL, 'a type that was freed')
        call mpi_type_get_extent(DOUBLE_PRECISION_TYPE, lower, extent, ierror)
        call expect(lower == 0 .and. extent == 8, 'an extent')
    end subroutine

    subroutine topologies()
        integer :: comm, sources(1), sinks(1), weights(1), counts(2), ierror
        logical :: weighted
        sources = 1 - rank
        call mpi_dist_graph_create_adjacent(COMM_WORLD, 1, sources, UNWEIGHTED, 1, sources, &
            UNWEIGHTED, INFO_NULL, .false., comm, ierror)
        call mpi_dist_graph_neighbors_count(comm, counts(1), counts(2), weighted, ierror)
        call expect(all(counts == 1) .and. .not. weighted, 'MPI_UNWEIGHTED')
        call mpi_dist_graph_neighbors(comm, 1, sources, UNWEIGHTED, 1, sinks, UNWEIGHTED, ierror)
        call expect(sinks(1) == 1 - rank, 'a neighbour')
        call mpi_comm_free(comm, ierror)
        weights = 0
        call mpi_dist_graph_create_adjacent(COMM_WORLD, 0, sources, WEIGHTS_EMPTY, 0, sources, &
            WEIGHTS_EMPTY, INFO_NULL, .false., comm, ierror)
        call mpi_dist_graph_neighbors_count(comm, counts(1), counts(2), weighted, ierror)
        call expect(all(counts == 0) .and. weighted, 'MPI_WEIGHTS_EMPTY')
        call mpi_comm_free(comm, ierror)
    end subroutine

    subroutine windows_and_files()
        integer :: win, file, memory(4), got, status(STATUS_SIZE), ierror
        integer(ADDRESS) :: bytes, place, value
        character(200) :: name
        logical :: flag
        memory = rank
        bytes = 16
        call mpi_win_create(memory, bytes, 4, INFO_NULL, COMM_WORLD, win, ierror)
        call mpi_win_get_attr(win, WIN_SIZE, value, flag, ierror)
        call expect(flag .and. value == 16, 'MPI_WIN_SIZE')
        call mpi_win_get_attr(win, FLAVOR, value, flag, ierror)
        call expect(flag .and. value == 1, 'MPI_WIN_CREATE_FLAVOR')
        place = 2
        call mpi_win_fence(0, win, ierror)
        call mpi_get(got, 1, INTEGER_TYPE, 1 - rank, place, 1, INTEGER_TYPE, win, ierror)
        call mpi_win_fence(0, win, ierror)
        call expect(got == 1 - rank, 'MPI_Get')
        call mpi_win_free(win, ierror)
        call expect(win == WIN_NULL, 'a window that was freed')

        call get_command_argument(1, name)
        call mpi_file_open(COMM_WORLD, name, CREATE + RDWR + DELETE_ON_CLOSE, INFO_NULL, file, &
            ierror)
        call expect(ierror == 0, 'MPI_File_open')
        place = 4 * rank
        call mpi_file_write_at_all(file, place, rank, 1, INTEGER_TYPE, status, ierror)
        call mpi_file_sync(file, ierror)
        call mpi_barrier(COMM_WORLD, ierror)
        place = 4 * (1 - rank)
        call mpi_file_read_at(file, place, got, 1, INTEGER_TYPE, status, ierror)
        call expect(got == 1 - rank, 'MPI_File_read_at')
        call mpi_file_close(file, ierror)
        call expect(file == FILE_NULL, 'a file that was closed')
    end subroutine

    ! Procedures of mpi_f08 take the addresses of buffers; the error code may be absent.
    subroutine module_procedures()
        interface
            subroutine MPI_Comm_dup_f08(comm, newcomm, ierror)
                use mpi_f08_types
                type(MPI_Comm), intent(in) :: comm
                type(MPI_Comm), intent(out) :: newcomm
                integer, optional, intent(out) :: ierror
            end subroutine
            subroutine MPI_Comm_free_f08(comm, ierror)
                use mpi_f08_types
                type(MPI_Comm), intent(inout) :: comm
                integer, optional, intent(out) :: ierror
            end subroutine
            subroutine MPI_Bcast_f08(buffer, count, datatype, root, comm, ierror)
                use mpi_f08_types
                !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
                type(*), dimension(*) :: buffer
                integer, intent(in) :: count, root
                type(MPI_Datatype), intent(in) :: datatype
                type(MPI_Comm), intent(in) :: comm
                integer, optional, intent(out) :: ierror
            end subroutine
        end interface
        type(MPI_Comm) :: world, copy, null
        type(MPI_Datatype) :: datatype, other
        integer :: values(3), bytes
        world%MPI_VAL = COMM_WORLD
        null%MPI_VAL = COMM_NULL
        datatype%MPI_VAL = INTEGER_TYPE
        other%MPI_VAL = BYTE
        call MPI_Comm_dup_f08(world, copy)
        call expect(copy /= world .and. copy /= null, 'a copy is another communicator')
        values = rank
        call MPI_Bcast_f08(values, 3, datatype, 1, copy)
        call expect(all(values == 1), 'MPI_Bcast of mpi_f08')
        call MPI_Comm_free_f08(copy)
        call expect(copy == null .and. .not. datatype == other, 'MPI_Comm_free of mpi_f08')
        call mpi_sizeof_complex64_r2(values, bytes, ierror)
        call expect(bytes == 16, 'MPI_Sizeof')
    end subroutine

    subroutine from_c()
        interface
            integer(c_int) function look(comm, datatype, status, ignored) bind(C)
                use, intrinsic :: iso_c_binding
                integer(c_int), value :: comm, datatype
                integer(c_int) :: status(*), ignored(*)
            end function
        end interface
        integer :: status(STATUS_SIZE), datatype, ierror
        call mpi_type_contiguous(3, INTEGER_TYPE, datatype, ierror)
        call mpi_recv(rank, 0, BYTE, PROC_NULL, 1, COMM_WORLD, status, ierror)
        call expect(look(COMM_SELF, datatype, status, STATUS_IGNORE) == 0, 'what C sees')
        call mpi_type_free(datatype, ierror)
    end subroutine

    subroutine spawning()
        character(500) :: command
        integer :: children, ierror
        call get_command_argument(0, command)
        call mpi_comm_spawn(command, ARGV_NULL, 1, INFO_NULL, 0, COMM_WORLD, children, &
            ERRCODES_IGNORE, ierror)
        call expect(ierror == 0, 'MPI_Comm_spawn')
        call mpi_barrier(children, ierror)
        call mpi_comm_disconnect(children, ierror)
    end subroutine
end program
