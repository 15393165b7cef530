//! Performance variables (MPI 5.0 §15.3.7).

use super::{
    datatype as datatype_of, enumeration, handle_at, name as name_of, null, object, put,
    put_handle, put_value, tell, tell_text,
};
use nemesis_mpi::abi;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::Datatype;
use nemesis_mpi::tool::{self, pvar, session};
use std::ffi::{c_char, c_int, c_void};

/// Whether a variable is bound to a communicator: what a front must know to convert the object.
pub fn pvar_is_bound(pvar_index: c_int) -> bool {
    pvar::variable(pvar_index).is_ok_and(|variable| variable.is_bound())
}

pub unsafe fn t_pvar_get_num(num_pvar: *mut c_int) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's place.
    unsafe { put(num_pvar, "num_pvar", pvar::VARIABLES.len() as c_int) }
}

pub unsafe fn t_pvar_get_info(
    pvar_index: c_int,
    name: *mut c_char,
    name_len: *mut c_int,
    verbosity: *mut c_int,
    var_class: *mut c_int,
    datatype: *mut Datatype,
    enumtype: *mut *mut c_void,
    desc: *mut c_char,
    desc_len: *mut c_int,
    bind: *mut c_int,
    readonly: *mut c_int,
    continuous: *mut c_int,
    atomic: *mut c_int,
) -> Outcome {
    tool::check()?;
    let variable = pvar::variable(pvar_index)?;
    let accumulates = variable.class.accumulates();
    // SAFETY: the caller's places.
    unsafe {
        tell_text(name, name_len, variable.name);
        tell(verbosity, variable.verbosity);
        tell(var_class, variable.class.constant());
        tell(datatype, datatype_of(variable.class.choices()));
        tell(enumtype, enumeration(variable.class.choices()));
        tell_text(desc, desc_len, variable.what);
        tell(
            bind,
            if variable.is_bound() { abi::MPI_T_BIND_MPI_COMM } else { abi::MPI_T_BIND_NO_OBJECT },
        );
        tell(readonly, c_int::from(!accumulates));
        tell(continuous, c_int::from(!accumulates));
        tell(atomic, c_int::from(accumulates));
    }
    Ok(())
}

pub unsafe fn t_pvar_get_index(
    name: *const c_char,
    var_class: c_int,
    pvar_index: *mut c_int,
) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's string and place.
    unsafe { put(pvar_index, "pvar_index", pvar::index_of(&name_of(name)?, var_class)?) }
}

pub unsafe fn t_pvar_session_create(pe_session: *mut *mut c_void) -> Outcome {
    tool::check()?;
    if pe_session.is_null() {
        return Err(null("pe_session"));
    }
    // SAFETY: the caller's place.
    unsafe { put_handle(pe_session, "pe_session", session::create()?) }
}

pub unsafe fn t_pvar_session_free(pe_session: *mut *mut c_void) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's variable.
    unsafe {
        session::free(handle_at(pe_session)?)?;
        put_handle(pe_session, "pe_session", abi::MPI_T_PVAR_SESSION_NULL)
    }
}

pub unsafe fn t_pvar_handle_alloc(
    pe_session: *mut c_void,
    pvar_index: c_int,
    obj_handle: *mut c_void,
    handle: *mut *mut c_void,
    count: *mut c_int,
) -> Outcome {
    tool::check()?;
    if handle.is_null() {
        return Err(null("handle"));
    }
    // SAFETY: looked at only where the variable is bound to a communicator; then it is the caller's handle of one.
    let comm = if pvar_is_bound(pvar_index) { unsafe { object(obj_handle) } } else { None };
    let opened = session::open(pe_session.addr(), pvar_index, comm)?;
    // SAFETY: the caller's places.
    unsafe {
        tell(count, 1);
        put_handle(handle, "handle", opened)
    }
}

pub unsafe fn t_pvar_handle_free(pe_session: *mut c_void, handle: *mut *mut c_void) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's variable.
    unsafe {
        session::close(pe_session.addr(), handle_at(handle)?)?;
        put_handle(handle, "handle", abi::MPI_T_PVAR_HANDLE_NULL)
    }
}

pub unsafe fn t_pvar_start(pe_session: *mut c_void, handle: *mut c_void) -> Outcome {
    session::start(pe_session.addr(), handle.addr())
}

pub unsafe fn t_pvar_stop(pe_session: *mut c_void, handle: *mut c_void) -> Outcome {
    session::stop(pe_session.addr(), handle.addr())
}

pub unsafe fn t_pvar_reset(pe_session: *mut c_void, handle: *mut c_void) -> Outcome {
    session::reset(pe_session.addr(), handle.addr())
}

pub unsafe fn t_pvar_read(
    pe_session: *mut c_void,
    handle: *mut c_void,
    buf: *mut c_void,
) -> Outcome {
    let is_int = session::is_int(pe_session.addr(), handle.addr())?;
    let value = session::read(pe_session.addr(), handle.addr())?;
    // SAFETY: the caller's buffer.
    unsafe { put_value(buf, is_int, value) }
}

pub unsafe fn t_pvar_readreset(
    pe_session: *mut c_void,
    handle: *mut c_void,
    buf: *mut c_void,
) -> Outcome {
    if buf.is_null() {
        return Err(null("buf"));
    }
    let is_int = session::is_int(pe_session.addr(), handle.addr())?;
    let value = session::read_and_reset(pe_session.addr(), handle.addr())?;
    // SAFETY: the caller's buffer.
    unsafe { put_value(buf, is_int, value) }
}

/// The variables that can be written are numbers of 64 bits.
pub unsafe fn t_pvar_write(
    pe_session: *mut c_void,
    handle: *mut c_void,
    buf: *const c_void,
) -> Outcome {
    if session::is_int(pe_session.addr(), handle.addr())? {
        return session::write(pe_session.addr(), handle.addr(), 0);
    }
    if buf.is_null() {
        return Err(null("buf"));
    }
    // SAFETY: the caller's buffer holds a value of the variable's datatype.
    session::write(pe_session.addr(), handle.addr(), unsafe { buf.cast::<u64>().read() })
}
