// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: errhan.

use crate::prelude::*;

binding! {
    MPI_Add_error_class PMPI_Add_error_class(errorclass: *mut c_int as address)
    on Raise::Default =>
    {
        let mut errorclass = Place::out(Out::new(errorclass), 0);
        impls::add_error_class(Out::new(errorclass.pass()))?;
        errorclass.leave(from::class);
        Ok(())
    }
}

binding! {
    MPI_Add_error_code PMPI_Add_error_code(errorclass: c_int as int, errorcode: *mut c_int as address)
    on Raise::Default =>
    {
        let mut errorcode = Place::out(Out::new(errorcode), 0);
        impls::add_error_code(to::class(errorclass), Out::new(errorcode.pass()))?;
        errorcode.leave(from::code);
        Ok(())
    }
}

binding! {
    MPI_Add_error_string PMPI_Add_error_string(errorcode: c_int as int, string: *const c_char as string)
    on Raise::Default =>
    {
        impls::add_error_string(to::code(errorcode), StringIn::new(string))
    }
}

binding! {
    MPI_Comm_call_errhandler PMPI_Comm_call_errhandler(comm: RawHandle as comm, errorcode: c_int as int)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_call_errhandler(to::comm(comm), to::code(errorcode))
    }
}

binding! {
    MPI_Comm_create_errhandler PMPI_Comm_create_errhandler(
        comm_errhandler_fn: Function as address, errhandler: *mut RawHandle as out_errhandler,
    )
    on Raise::Default =>
    {
        let mut errhandler = Place::out(Out::new(errhandler), Errhandler::NULL);
        impls::comm_create_errhandler(callback(comm_errhandler_fn), Out::new(errhandler.pass()))?;
        errhandler.leave(from::errhandler);
        Ok(())
    }
}

binding! {
    MPI_Comm_get_errhandler PMPI_Comm_get_errhandler(
        comm: RawHandle as comm, errhandler: *mut RawHandle as out_errhandler,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut errhandler = Place::out(Out::new(errhandler), Errhandler::NULL);
        impls::comm_get_errhandler(to::comm(comm), Out::new(errhandler.pass()))?;
        errhandler.leave(from::errhandler);
        Ok(())
    }
}

binding! {
    MPI_Comm_set_errhandler PMPI_Comm_set_errhandler(comm: RawHandle as comm, errhandler: RawHandle as errhandler)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_set_errhandler(to::comm(comm), to::errhandler(errhandler))
    }
}

binding! {
    MPI_Errhandler_free PMPI_Errhandler_free(errhandler: *mut RawHandle as address)
    on Raise::Default =>
    {
        let mut errhandler = Place::read(InOut::new(errhandler), Errhandler::NULL, to::errhandler);
        let outcome = impls::errhandler_free(InOut::new(errhandler.pass()));
        errhandler.leave(from::errhandler);
        outcome
    }
}

binding! {
    MPI_Error_class PMPI_Error_class(errorcode: c_int as int, errorclass: *mut c_int as address)
    on Raise::Default =>
    {
        let mut errorclass = Place::out(Out::new(errorclass), 0);
        impls::error_class(to::code(errorcode), Out::new(errorclass.pass()))?;
        errorclass.leave(from::class);
        Ok(())
    }
}

binding! {
    MPI_Error_string PMPI_Error_string(
        errorcode: c_int as int, string: *mut c_char as address, resultlen: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::error_string(to::code(errorcode), StringOut::from(OutSlice::new(string, 256)), Out::new(resultlen))
    }
}

binding! {
    MPI_File_call_errhandler PMPI_File_call_errhandler(fh: RawHandle as file, errorcode: c_int as int)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_call_errhandler(to::file(fh), to::code(errorcode))
    }
}

binding! {
    MPI_File_create_errhandler PMPI_File_create_errhandler(
        file_errhandler_fn: Function as address, errhandler: *mut RawHandle as out_errhandler,
    )
    on Raise::Default =>
    {
        let mut errhandler = Place::out(Out::new(errhandler), Errhandler::NULL);
        impls::file_create_errhandler(callback(file_errhandler_fn), Out::new(errhandler.pass()))?;
        errhandler.leave(from::errhandler);
        Ok(())
    }
}

binding! {
    MPI_File_get_errhandler PMPI_File_get_errhandler(
        file: RawHandle as file, errhandler: *mut RawHandle as out_errhandler,
    )
    on Raise::File(to::file(file)) =>
    {
        let mut errhandler = Place::out(Out::new(errhandler), Errhandler::NULL);
        impls::file_get_errhandler(to::file(file), Out::new(errhandler.pass()))?;
        errhandler.leave(from::errhandler);
        Ok(())
    }
}

binding! {
    MPI_File_set_errhandler PMPI_File_set_errhandler(file: RawHandle as file, errhandler: RawHandle as errhandler)
    on Raise::File(to::file(file)) =>
    {
        impls::file_set_errhandler(to::file(file), to::errhandler(errhandler))
    }
}

binding! {
    MPI_Remove_error_class PMPI_Remove_error_class(errorclass: c_int as int)
    on Raise::Default =>
    {
        impls::remove_error_class(to::class(errorclass))
    }
}

binding! {
    MPI_Remove_error_code PMPI_Remove_error_code(errorcode: c_int as int)
    on Raise::Default =>
    {
        impls::remove_error_code(to::code(errorcode))
    }
}

binding! {
    MPI_Remove_error_string PMPI_Remove_error_string(errorcode: c_int as int)
    on Raise::Default =>
    {
        impls::remove_error_string(to::code(errorcode))
    }
}

binding! {
    MPI_Session_call_errhandler PMPI_Session_call_errhandler(session: RawHandle as session, errorcode: c_int as int)
    on Raise::Session(to::session(session)) =>
    {
        impls::session_call_errhandler(to::session(session), to::code(errorcode))
    }
}

binding! {
    MPI_Session_create_errhandler PMPI_Session_create_errhandler(
        session_errhandler_fn: Function as address, errhandler: *mut RawHandle as out_errhandler,
    )
    on Raise::Default =>
    {
        let mut errhandler = Place::out(Out::new(errhandler), Errhandler::NULL);
        impls::session_create_errhandler(callback(session_errhandler_fn), Out::new(errhandler.pass()))?;
        errhandler.leave(from::errhandler);
        Ok(())
    }
}

binding! {
    MPI_Session_get_errhandler PMPI_Session_get_errhandler(
        session: RawHandle as session, errhandler: *mut RawHandle as out_errhandler,
    )
    on Raise::Session(to::session(session)) =>
    {
        let mut errhandler = Place::out(Out::new(errhandler), Errhandler::NULL);
        impls::session_get_errhandler(to::session(session), Out::new(errhandler.pass()))?;
        errhandler.leave(from::errhandler);
        Ok(())
    }
}

binding! {
    MPI_Session_set_errhandler PMPI_Session_set_errhandler(
        session: RawHandle as session, errhandler: RawHandle as errhandler,
    )
    on Raise::Session(to::session(session)) =>
    {
        impls::session_set_errhandler(to::session(session), to::errhandler(errhandler))
    }
}

binding! {
    MPI_Win_call_errhandler PMPI_Win_call_errhandler(win: RawHandle as win, errorcode: c_int as int)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_call_errhandler(to::win(win), to::code(errorcode))
    }
}

binding! {
    MPI_Win_create_errhandler PMPI_Win_create_errhandler(
        win_errhandler_fn: Function as address, errhandler: *mut RawHandle as out_errhandler,
    )
    on Raise::Default =>
    {
        let mut errhandler = Place::out(Out::new(errhandler), Errhandler::NULL);
        impls::win_create_errhandler(callback(win_errhandler_fn), Out::new(errhandler.pass()))?;
        errhandler.leave(from::errhandler);
        Ok(())
    }
}

binding! {
    MPI_Win_get_errhandler PMPI_Win_get_errhandler(win: RawHandle as win, errhandler: *mut RawHandle as out_errhandler)
    on Raise::Win(to::win(win)) =>
    {
        let mut errhandler = Place::out(Out::new(errhandler), Errhandler::NULL);
        impls::win_get_errhandler(to::win(win), Out::new(errhandler.pass()))?;
        errhandler.leave(from::errhandler);
        Ok(())
    }
}

binding! {
    MPI_Win_set_errhandler PMPI_Win_set_errhandler(win: RawHandle as win, errhandler: RawHandle as errhandler)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_set_errhandler(to::win(win), to::errhandler(errhandler))
    }
}
