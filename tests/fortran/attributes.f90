! Attributes (MPI 5.0 §7.7, §19.3.7): keys with functions of the program, the predefined ones, and
! what C and Fortran read of each other.
module keys
    use mpi_f08
    implicit none
    integer :: copies = 0, deletes = 0
    logical :: refuses = .false.
contains
    subroutine copy(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, &
        ierror)
        type(MPI_Comm) :: oldcomm
        integer :: comm_keyval, ierror
        integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
        logical :: flag
        copies = copies + 1
        attribute_val_out = attribute_val_in + extra_state
        flag = oldcomm == MPI_COMM_WORLD
        ierror = MPI_SUCCESS
    end subroutine

    subroutine delete(comm, comm_keyval, attribute_val, extra_state, ierror)
        type(MPI_Comm) :: comm
        integer :: comm_keyval, ierror
        integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
        deletes = deletes + 1
        ierror = merge(MPI_ERR_OTHER, MPI_SUCCESS, refuses .and. extra_state == 6)
    end subroutine
end module

program attributes
    use keys
    use, intrinsic :: iso_c_binding
    implicit none
    interface
        ! Sets an attribute in C, and reads one that Fortran has set.
        integer(c_int) function c_reads(comm, keyval) bind(C)
            import :: c_int
            integer(c_int), value :: comm, keyval
        end function
    end interface
    integer :: key, other, code, rank
    integer(MPI_ADDRESS_KIND) :: value, extra
    type(MPI_Comm) :: twin
    type(MPI_Win) :: win
    type(MPI_Datatype) :: kind_of_int
    integer :: memory(4)
    logical :: found

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, found)
    call expect(found .and. value >= 32767, "MPI_TAG_UB")

    extra = 5
    call MPI_Comm_create_keyval(copy, delete, key, extra)
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, other, extra)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, value, found)
    call expect(.not. found, "no value")
    value = ishft(7_MPI_ADDRESS_KIND, 40)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, value)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, other, -3_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_WORLD, twin)
    call MPI_Comm_get_attr(twin, key, value, found)
    call expect(found .and. value == ishft(7_MPI_ADDRESS_KIND, 40) + 5 .and. copies == 1, "a copy")
    call MPI_Comm_get_attr(twin, other, value, found)
    call expect(found .and. value == -3, "MPI_COMM_DUP_FN")
    call expect(c_reads(MPI_COMM_WORLD%MPI_VAL, other) == 0, "what C reads")
    call MPI_Comm_get_attr(MPI_COMM_WORLD, other, value, found)
    call expect(found .and. value == 1234567, "what C has set")
    call MPI_Comm_free(twin)
    call expect(deletes == 1, "the delete function")
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, key)
    call expect(deletes == 2, "Comm_delete_attr")
    call MPI_Comm_free_keyval(key)
    call expect(key == MPI_KEYVAL_INVALID, "Comm_free_keyval")
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, other)
    call MPI_Comm_free_keyval(other)

    ! A delete function that refuses.
    extra = 6
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, key, extra)
    call MPI_Comm_set_attr(MPI_COMM_SELF, key, 1_MPI_ADDRESS_KIND)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
    refuses = .true.
    call MPI_Comm_delete_attr(MPI_COMM_SELF, key, code)
    refuses = .false.
    call expect(code /= MPI_SUCCESS, "a delete function that refuses")

    call MPI_Win_create(memory, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, found)
    call expect(found .and. value == 16, "MPI_WIN_SIZE")
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, found)
    call expect(found .and. value == 4, "MPI_WIN_DISP_UNIT")
    call MPI_Win_get_attr(win, MPI_WIN_BASE, value, found)
    call MPI_Get_address(memory, extra)
    call expect(found .and. value == extra, "MPI_WIN_BASE")
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, key, extra)
    call MPI_Win_set_attr(win, key, 8_MPI_ADDRESS_KIND)
    call MPI_Win_get_attr(win, key, value, found)
    call expect(found .and. value == 8, "an attribute of a window")
    call MPI_Win_free(win)

    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, key, extra)
    call MPI_Type_set_attr(MPI_INTEGER, key, 9_MPI_ADDRESS_KIND)
    call MPI_Type_dup(MPI_INTEGER, kind_of_int)
    call MPI_Type_get_attr(kind_of_int, key, value, found)
    call expect(found .and. value == 9, "an attribute of a datatype")
    call MPI_Type_free(kind_of_int)
    call MPI_Finalize()

contains
    subroutine expect(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (holds) return
        print *, "rank ", rank, ": ", what
        call MPI_Abort(MPI_COMM_WORLD, 1)
    end subroutine
end program
