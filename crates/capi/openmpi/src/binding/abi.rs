// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: abi.

use crate::prelude::*;

binding! {
    MPI_Abi_get_fortran_booleans PMPI_Abi_get_fortran_booleans(
        logical_size: c_int as int, logical_true: *mut c_void as address, logical_false: *mut c_void as address,
        is_set: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::abi_get_fortran_booleans(
            logical_size, ValueOut::new(logical_true), ValueOut::new(logical_false), Out::new(is_set),
        )
    }
}

binding! {
    MPI_Abi_get_fortran_info PMPI_Abi_get_fortran_info(info: *mut RawHandle as out_info)
    on Raise::Default =>
    {
        let mut info = Place::out(Out::new(info), Info::NULL);
        impls::abi_get_fortran_info(Out::new(info.pass()))?;
        info.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_Abi_get_info PMPI_Abi_get_info(info: *mut RawHandle as out_info)
    on Raise::Default =>
    {
        let mut info = Place::out(Out::new(info), Info::NULL);
        impls::abi_get_info(Out::new(info.pass()))?;
        info.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_Abi_get_version PMPI_Abi_get_version(abi_major: *mut c_int as address, abi_minor: *mut c_int as address)
    on Raise::Default =>
    {
        impls::abi_get_version(Out::new(abi_major), Out::new(abi_minor))?;
        abi_major.write(-1);
        abi_minor.write(-1);
        Ok(())
    }
}

binding! {
    MPI_Abi_set_fortran_booleans PMPI_Abi_set_fortran_booleans(
        logical_size: c_int as int, logical_true: *mut c_void as address, logical_false: *mut c_void as address,
    )
    on Raise::Default =>
    {
        impls::abi_set_fortran_booleans(logical_size, ValueIn::new(logical_true), ValueIn::new(logical_false))
    }
}

binding! {
    MPI_Abi_set_fortran_info PMPI_Abi_set_fortran_info(info: RawHandle as info)
    on Raise::Default =>
    {
        impls::abi_set_fortran_info(to::info(info))
    }
}

direct! {
    MPI_Comm_fromint PMPI_Comm_fromint(comm: c_int) -> RawHandle { fromint::<Comm>(comm) }
}

direct! {
    MPI_Comm_toint PMPI_Comm_toint(comm: RawHandle) -> c_int { toint(comm) }
}

direct! {
    MPI_Errhandler_fromint PMPI_Errhandler_fromint(errhandler: c_int) -> RawHandle { fromint::<Errhandler>(errhandler) }
}

direct! {
    MPI_Errhandler_toint PMPI_Errhandler_toint(errhandler: RawHandle) -> c_int { toint(errhandler) }
}

direct! {
    MPI_File_fromint PMPI_File_fromint(file: c_int) -> RawHandle { fromint::<File>(file) }
}

direct! {
    MPI_File_toint PMPI_File_toint(file: RawHandle) -> c_int { toint(file) }
}

direct! {
    MPI_Group_fromint PMPI_Group_fromint(group: c_int) -> RawHandle { fromint::<Group>(group) }
}

direct! {
    MPI_Group_toint PMPI_Group_toint(group: RawHandle) -> c_int { toint(group) }
}

direct! {
    MPI_Info_fromint PMPI_Info_fromint(info: c_int) -> RawHandle { fromint::<Info>(info) }
}

direct! {
    MPI_Info_toint PMPI_Info_toint(info: RawHandle) -> c_int { toint(info) }
}

direct! {
    MPI_Message_fromint PMPI_Message_fromint(message: c_int) -> RawHandle { fromint::<Message>(message) }
}

direct! {
    MPI_Message_toint PMPI_Message_toint(message: RawHandle) -> c_int { toint(message) }
}

direct! {
    MPI_Op_fromint PMPI_Op_fromint(op: c_int) -> RawHandle { fromint::<Op>(op) }
}

direct! {
    MPI_Op_toint PMPI_Op_toint(op: RawHandle) -> c_int { toint(op) }
}

direct! {
    MPI_Request_fromint PMPI_Request_fromint(request: c_int) -> RawHandle { fromint::<Request>(request) }
}

direct! {
    MPI_Request_toint PMPI_Request_toint(request: RawHandle) -> c_int { toint(request) }
}

direct! {
    MPI_Session_fromint PMPI_Session_fromint(session: c_int) -> RawHandle { fromint::<Session>(session) }
}

direct! {
    MPI_Session_toint PMPI_Session_toint(session: RawHandle) -> c_int { toint(session) }
}

direct! {
    MPI_Type_fromint PMPI_Type_fromint(datatype: c_int) -> RawHandle { fromint::<Datatype>(datatype) }
}

direct! {
    MPI_Type_toint PMPI_Type_toint(datatype: RawHandle) -> c_int { toint(datatype) }
}

direct! {
    MPI_Win_fromint PMPI_Win_fromint(win: c_int) -> RawHandle { fromint::<Win>(win) }
}

direct! {
    MPI_Win_toint PMPI_Win_toint(win: RawHandle) -> c_int { toint(win) }
}
