! CHARACTER arguments (MPI 5.0 §19.3.9): names, info objects, error strings, versions.
program strings
    use mpi_f08
    implicit none
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: version
    character(len=MPI_MAX_PROCESSOR_NAME) :: host
    character(len=MPI_MAX_ERROR_STRING) :: text
    character(len=4) :: short
    character(len=20) :: value, key
    integer :: length, code, major, minor, count
    logical :: flag
    type(MPI_Info) :: info, copy
    type(MPI_Comm) :: comm

    call MPI_Get_version(major, minor)
    call expect(major == MPI_VERSION .and. minor == MPI_SUBVERSION, "Get_version")
    call MPI_Get_library_version(version, length)
    call expect(length > 5 .and. version(length + 1:) == " ", "Get_library_version")
    call MPI_Init()
    call MPI_Get_processor_name(host, length)
    call expect(length > 0 .and. len_trim(host) == length, "Get_processor_name")
    call MPI_Comm_get_name(MPI_COMM_WORLD, name, length)
    call expect(name == "MPI_COMM_WORLD" .and. length == 14, "Comm_get_name")
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_set_name(comm, "  two words   ")
    call MPI_Comm_get_name(comm, name, length)
    call expect(name == "  two words" .and. length == 11, "Comm_set_name")
    call MPI_Comm_get_name(comm, short, length)
    call expect(short == "  tw", "a name that is cut")
    call MPI_Comm_free(comm)

    call MPI_Info_create(info)
    call MPI_Info_set(info, "  a key ", "  a value  ")
    call MPI_Info_get(info, "a key", 20, value, flag)
    call expect(flag .and. value == "a value", "Info_get")
    value = "unchanged"
    call MPI_Info_get(info, "no key", 20, value, flag)
    call expect(.not. flag .and. value == "unchanged", "Info_get without a value")
    call MPI_Info_get(info, "a key", 4, short, flag)
    call expect(flag .and. short == "a va", "Info_get with a short variable")
    length = 20
    call MPI_Info_get_string(info, "a key", length, value, flag)
    call expect(flag .and. value == "a value" .and. length == 7, "Info_get_string")
    length = 0
    value = "unchanged"
    call MPI_Info_get_string(info, "a key", length, value, flag)
    call expect(flag .and. value == "unchanged" .and. length == 7, "the length of a value")
    call MPI_Info_get_valuelen(info, "a key", length, flag)
    call expect(flag .and. length == 7, "Info_get_valuelen")
    call MPI_Info_dup(info, copy)
    call MPI_Info_get_nkeys(copy, count)
    call MPI_Info_get_nthkey(copy, 0, key)
    call expect(count == 1 .and. key == "a key", "Info_get_nthkey")
    call MPI_Info_delete(copy, "a key ")
    call MPI_Info_get_nkeys(copy, count)
    call expect(count == 0 .and. info /= copy, "Info_delete")
    call MPI_Info_free(copy)
    call MPI_Info_free(info)
    call expect(info == MPI_INFO_NULL, "Info_free")

    call MPI_Add_error_code(MPI_ERR_OTHER, code)
    call MPI_Add_error_string(code, "an error of the program  ")
    call MPI_Error_string(code, text, length)
    call expect(index(text, "an error of the program") > 0, "Error_string")
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
