! What programs of Open MPI's mpi_f08 know of the library: types of the module with its name, and
! the procedures that compare them, which lie in the library. Only the compiler reads this file.
module mpi_f08_types
    implicit none
    type, bind(C) :: MPI_Comm
        integer :: MPI_VAL
    end type
    type, bind(C) :: MPI_Datatype
        integer :: MPI_VAL
    end type
    interface operator (==)
        module procedure ompi_comm_op_eq, ompi_datatype_op_eq
    end interface
    interface operator (/=)
        module procedure ompi_comm_op_ne, ompi_datatype_op_ne
    end interface
contains
    logical function ompi_comm_op_eq(a, b)
        type(MPI_Comm), intent(in) :: a, b
        ompi_comm_op_eq = a%MPI_VAL == b%MPI_VAL
    end function
    logical function ompi_comm_op_ne(a, b)
        type(MPI_Comm), intent(in) :: a, b
        ompi_comm_op_ne = a%MPI_VAL /= b%MPI_VAL
    end function
    logical function ompi_datatype_op_eq(a, b)
        type(MPI_Datatype), intent(in) :: a, b
        ompi_datatype_op_eq = a%MPI_VAL == b%MPI_VAL
    end function
    logical function ompi_datatype_op_ne(a, b)
        type(MPI_Datatype), intent(in) :: a, b
        ompi_datatype_op_ne = a%MPI_VAL /= b%MPI_VAL
    end function
end module
