// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: errhan.

use crate::prelude::*;

binding! {
    MPI_Add_error_class PMPI_Add_error_class(errorclass: *mut c_int as address)
    on Raise::Default =>
    {
        impls::add_error_class(Out::new(errorclass))
    }
}

binding! {
    MPI_Add_error_code PMPI_Add_error_code(errorclass: c_int as int, errorcode: *mut c_int as address)
    on Raise::Default =>
    {
        impls::add_error_code(errorclass, Out::new(errorcode))
    }
}

binding! {
    MPI_Add_error_string PMPI_Add_error_string(errorcode: c_int as int, string: *const c_char as string)
    on Raise::Default =>
    {
        impls::add_error_string(errorcode, StringIn::new(string))
    }
}

binding! {
    MPI_Comm_call_errhandler PMPI_Comm_call_errhandler(comm: Comm as comm, errorcode: c_int as int)
    on Raise::Comm(comm) =>
    {
        impls::comm_call_errhandler(comm, errorcode)
    }
}

binding! {
    MPI_Comm_create_errhandler PMPI_Comm_create_errhandler(
        comm_errhandler_fn: Function as address, errhandler: *mut Errhandler as out_errhandler,
    )
    on Raise::Default =>
    {
        impls::comm_create_errhandler(callback(comm_errhandler_fn), Out::new(errhandler))
    }
}

binding! {
    MPI_Comm_get_errhandler PMPI_Comm_get_errhandler(comm: Comm as comm, errhandler: *mut Errhandler as out_errhandler)
    on Raise::Comm(comm) =>
    {
        impls::comm_get_errhandler(comm, Out::new(errhandler))
    }
}

binding! {
    MPI_Comm_set_errhandler PMPI_Comm_set_errhandler(comm: Comm as comm, errhandler: Errhandler as errhandler)
    on Raise::Comm(comm) =>
    {
        impls::comm_set_errhandler(comm, errhandler)
    }
}

binding! {
    MPI_Errhandler_free PMPI_Errhandler_free(errhandler: *mut Errhandler as address)
    on Raise::Default =>
    {
        impls::errhandler_free(InOut::new(errhandler))
    }
}

binding! {
    MPI_Error_class PMPI_Error_class(errorcode: c_int as int, errorclass: *mut c_int as address)
    on Raise::Default =>
    {
        impls::error_class(errorcode, Out::new(errorclass))
    }
}

binding! {
    MPI_Error_string PMPI_Error_string(
        errorcode: c_int as int, string: *mut c_char as address, resultlen: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::error_string(errorcode, StringOut::from(OutSlice::new(string, 512)), Out::new(resultlen))
    }
}

binding! {
    MPI_File_call_errhandler PMPI_File_call_errhandler(fh: File as file, errorcode: c_int as int)
    on Raise::File(fh) =>
    {
        impls::file_call_errhandler(fh, errorcode)
    }
}

binding! {
    MPI_File_create_errhandler PMPI_File_create_errhandler(
        file_errhandler_fn: Function as address, errhandler: *mut Errhandler as out_errhandler,
    )
    on Raise::Default =>
    {
        impls::file_create_errhandler(callback(file_errhandler_fn), Out::new(errhandler))
    }
}

binding! {
    MPI_File_get_errhandler PMPI_File_get_errhandler(file: File as file, errhandler: *mut Errhandler as out_errhandler)
    on Raise::File(file) =>
    {
        impls::file_get_errhandler(file, Out::new(errhandler))
    }
}

binding! {
    MPI_File_set_errhandler PMPI_File_set_errhandler(file: File as file, errhandler: Errhandler as errhandler)
    on Raise::File(file) =>
    {
        impls::file_set_errhandler(file, errhandler)
    }
}

binding! {
    MPI_Remove_error_class PMPI_Remove_error_class(errorclass: c_int as int)
    on Raise::Default =>
    {
        impls::remove_error_class(errorclass)
    }
}

binding! {
    MPI_Remove_error_code PMPI_Remove_error_code(errorcode: c_int as int)
    on Raise::Default =>
    {
        impls::remove_error_code(errorcode)
    }
}

binding! {
    MPI_Remove_error_string PMPI_Remove_error_string(errorcode: c_int as int)
    on Raise::Default =>
    {
        impls::remove_error_string(errorcode)
    }
}

binding! {
    MPI_Session_call_errhandler PMPI_Session_call_errhandler(session: Session as session, errorcode: c_int as int)
    on Raise::Session(session) =>
    {
        impls::session_call_errhandler(session, errorcode)
    }
}

binding! {
    MPI_Session_create_errhandler PMPI_Session_create_errhandler(
        session_errhandler_fn: Function as address, errhandler: *mut Errhandler as out_errhandler,
    )
    on Raise::Default =>
    {
        impls::session_create_errhandler(callback(session_errhandler_fn), Out::new(errhandler))
    }
}

binding! {
    MPI_Session_get_errhandler PMPI_Session_get_errhandler(
        session: Session as session, errhandler: *mut Errhandler as out_errhandler,
    )
    on Raise::Session(session) =>
    {
        impls::session_get_errhandler(session, Out::new(errhandler))
    }
}

binding! {
    MPI_Session_set_errhandler PMPI_Session_set_errhandler(
        session: Session as session, errhandler: Errhandler as errhandler,
    )
    on Raise::Session(session) =>
    {
        impls::session_set_errhandler(session, errhandler)
    }
}

binding! {
    MPI_Win_call_errhandler PMPI_Win_call_errhandler(win: Win as win, errorcode: c_int as int)
    on Raise::Win(win) =>
    {
        impls::win_call_errhandler(win, errorcode)
    }
}

binding! {
    MPI_Win_create_errhandler PMPI_Win_create_errhandler(
        win_errhandler_fn: Function as address, errhandler: *mut Errhandler as out_errhandler,
    )
    on Raise::Default =>
    {
        impls::win_create_errhandler(callback(win_errhandler_fn), Out::new(errhandler))
    }
}

binding! {
    MPI_Win_get_errhandler PMPI_Win_get_errhandler(win: Win as win, errhandler: *mut Errhandler as out_errhandler)
    on Raise::Win(win) =>
    {
        impls::win_get_errhandler(win, Out::new(errhandler))
    }
}

binding! {
    MPI_Win_set_errhandler PMPI_Win_set_errhandler(win: Win as win, errhandler: Errhandler as errhandler)
    on Raise::Win(win) =>
    {
        impls::win_set_errhandler(win, errhandler)
    }
}
