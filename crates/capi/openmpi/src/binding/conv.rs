// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: conv.

use crate::prelude::*;

direct! {
    MPI_Comm_c2f PMPI_Comm_c2f(comm: RawHandle) -> c_int { toint(comm) }
}

direct! {
    MPI_Comm_f2c PMPI_Comm_f2c(comm: c_int) -> RawHandle { fromint::<Comm>(comm) }
}

direct! {
    MPI_Errhandler_c2f PMPI_Errhandler_c2f(errhandler: RawHandle) -> c_int { toint(errhandler) }
}

direct! {
    MPI_Errhandler_f2c PMPI_Errhandler_f2c(errhandler: c_int) -> RawHandle { fromint::<Errhandler>(errhandler) }
}

direct! {
    MPI_File_c2f PMPI_File_c2f(file: RawHandle) -> c_int { toint(file) }
}

direct! {
    MPI_File_f2c PMPI_File_f2c(file: c_int) -> RawHandle { fromint::<File>(file) }
}

direct! {
    MPI_Group_c2f PMPI_Group_c2f(group: RawHandle) -> c_int { toint(group) }
}

direct! {
    MPI_Group_f2c PMPI_Group_f2c(group: c_int) -> RawHandle { fromint::<Group>(group) }
}

direct! {
    MPI_Info_c2f PMPI_Info_c2f(info: RawHandle) -> c_int { toint(info) }
}

direct! {
    MPI_Info_f2c PMPI_Info_f2c(info: c_int) -> RawHandle { fromint::<Info>(info) }
}

direct! {
    MPI_Message_c2f PMPI_Message_c2f(message: RawHandle) -> c_int { toint(message) }
}

direct! {
    MPI_Message_f2c PMPI_Message_f2c(message: c_int) -> RawHandle { fromint::<Message>(message) }
}

direct! {
    MPI_Op_c2f PMPI_Op_c2f(op: RawHandle) -> c_int { toint(op) }
}

direct! {
    MPI_Op_f2c PMPI_Op_f2c(op: c_int) -> RawHandle { fromint::<Op>(op) }
}

direct! {
    MPI_Request_c2f PMPI_Request_c2f(request: RawHandle) -> c_int { toint(request) }
}

direct! {
    MPI_Request_f2c PMPI_Request_f2c(request: c_int) -> RawHandle { fromint::<Request>(request) }
}

direct! {
    MPI_Session_c2f PMPI_Session_c2f(session: RawHandle) -> c_int { toint(session) }
}

direct! {
    MPI_Session_f2c PMPI_Session_f2c(session: c_int) -> RawHandle { fromint::<Session>(session) }
}

binding! {
    MPI_Status_c2f PMPI_Status_c2f(c_status: *const Status as address, f_status: *mut c_int as address)
    on Raise::Default =>
    { crate::fortran::copy_status(In::new(c_status.cast()), Out::new(f_status.cast())) }
}

binding! {
    MPI_Status_c2f08 PMPI_Status_c2f08(c_status: *const Status as address, f08_status: *mut Status as address)
    on Raise::Default =>
    { crate::fortran::copy_status(In::new(c_status.cast()), Out::new(f08_status.cast())) }
}

binding! {
    MPI_Status_f082c PMPI_Status_f082c(f08_status: *const Status as address, c_status: *mut Status as address)
    on Raise::Default =>
    { crate::fortran::copy_status(In::new(f08_status.cast()), Out::new(c_status.cast())) }
}

binding! {
    MPI_Status_f082f PMPI_Status_f082f(f08_status: *const Status as address, f_status: *mut c_int as address)
    on Raise::Default =>
    { crate::fortran::copy_status(In::new(f08_status.cast()), Out::new(f_status.cast())) }
}

binding! {
    MPI_Status_f2c PMPI_Status_f2c(f_status: *const c_int as address, c_status: *mut Status as address)
    on Raise::Default =>
    { crate::fortran::copy_status(In::new(f_status.cast()), Out::new(c_status.cast())) }
}

binding! {
    MPI_Status_f2f08 PMPI_Status_f2f08(f_status: *const c_int as address, f08_status: *mut Status as address)
    on Raise::Default =>
    { crate::fortran::copy_status(In::new(f_status.cast()), Out::new(f08_status.cast())) }
}

direct! {
    MPI_Type_c2f PMPI_Type_c2f(datatype: RawHandle) -> c_int { toint(datatype) }
}

direct! {
    MPI_Type_f2c PMPI_Type_f2c(datatype: c_int) -> RawHandle { fromint::<Datatype>(datatype) }
}

direct! {
    MPI_Win_c2f PMPI_Win_c2f(win: RawHandle) -> c_int { toint(win) }
}

direct! {
    MPI_Win_f2c PMPI_Win_f2c(win: c_int) -> RawHandle { fromint::<Win>(win) }
}
