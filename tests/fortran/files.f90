! Files (MPI 5.0, chapter 14) through mpi_f08: sections, offsets, views, split collectives, error
! handlers.
module handlers
    use mpi_f08
    implicit none
    integer :: handled = 0, handled_amode = 0
contains
    subroutine remember(file, error_code)
        type(MPI_File) :: file
        integer :: error_code
        handled = error_code
        call MPI_File_get_amode(file, handled_amode)
    end subroutine
end module
program files
    use mpi_f08
    use handlers
    implicit none
    integer :: rank, ranks, i, amode, code
    integer :: grid(4, 4), got(4)
    integer(MPI_OFFSET_KIND) :: at, bytes
    type(MPI_File) :: file
    type(MPI_Datatype) :: view, etype
    type(MPI_Status) :: status
    type(MPI_Request) :: request
    character(len=MPI_MAX_DATAREP_STRING) :: representation
    character(len=200) :: name
    logical :: atomic
    type(MPI_Errhandler) :: errhandler

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call get_environment_variable("TMPDIR", name)
    if (name == " ") name = "/tmp"
    name = trim(name) // "/nemesis-fortran-files"
    call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL)
    call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR &
        + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file)
    call MPI_File_set_size(file, 0_MPI_OFFSET_KIND)
    call MPI_File_get_amode(file, amode)
    call expect(iand(amode, MPI_MODE_RDWR) /= 0, "File_get_amode")
    grid = reshape([(100 * rank + i, i = 1, 16)], [4, 4])
    at = 16 * rank
    call MPI_File_write_at(file, at, grid(2, :), 4, MPI_INTEGER, status)
    call MPI_Get_count(status, MPI_INTEGER, i)
    call expect(i == 4, "the status of File_write_at")
    call MPI_File_sync(file)
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_File_get_size(file, bytes)
    call expect(bytes == 16 * ranks, "File_get_size")
    grid = 0
    at = 16 * modulo(rank + 1, ranks)
    call MPI_File_iread_at(file, at, grid(3, :), 4, MPI_INTEGER, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(count(grid(3, :) /= [(100 * modulo(rank + 1, ranks) + 2 + 4 * i, i = 0, 3)]) == 0 &
        .and. count(grid == 0) == 12, "File_iread_at of a row")
    ! A count that the section has not room for is an error of the file.
    call MPI_File_set_errhandler(file, MPI_ERRORS_RETURN)
    call MPI_File_iread_at(file, at, grid(3, :), 5, MPI_INTEGER, request, code)
    call MPI_Error_class(code, i)
    call expect(i == MPI_ERR_BUFFER, "too high a count")
    ! A subroutine of the program gets the handle of the file.
    call MPI_File_create_errhandler(remember, errhandler)
    call MPI_File_set_errhandler(file, errhandler)
    call MPI_Errhandler_free(errhandler)
    call MPI_File_seek(file, -1_MPI_OFFSET_KIND, MPI_SEEK_SET, code)
    call expect(code /= MPI_SUCCESS .and. handled == code .and. handled_amode == amode, &
        "an error handler of files")
    call MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL)
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, view)
    call MPI_Type_commit(view)
    call MPI_File_set_view(file, at, MPI_INTEGER, view, "native", MPI_INFO_NULL)
    call MPI_File_get_view(file, bytes, etype, etype, representation)
    call expect(bytes == at .and. representation == "native", "File_get_view")
    call MPI_File_read_all_begin(file, got, 2, MPI_INTEGER)
    call MPI_File_read_all_end(file, got, status)
    call expect(got(2) - got(1) == 8, "a view with gaps")
    call MPI_Type_free(view)
    call MPI_File_get_atomicity(file, atomic)
    call expect(.not. atomic, "File_get_atomicity")
    call MPI_File_close(file)
    call expect(file == MPI_FILE_NULL, "File_close")
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
