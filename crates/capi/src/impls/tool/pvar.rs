//! Performance variables (MPI 5.0 §15.3.7).

use super::{
    datatype as datatype_of, enumeration, handle_at, name as name_of, null, put, put_handle,
    put_value,
};
use crate::params::{InOut, Out, StringIn, StringOut, ValueIn, ValueOut};
use nemesis_mpi::abi;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Comm, Datatype};
use nemesis_mpi::tool::{self, pvar, session};
use std::ffi::{c_int, c_void};
use std::ptr::without_provenance_mut;

/// Whether a variable is bound to a communicator, whose handle the binding of MPICH's ABI converts.
pub fn pvar_is_bound(pvar_index: c_int) -> bool {
    pvar::variable(pvar_index).is_ok_and(|variable| variable.is_bound())
}

pub fn t_pvar_get_num(num_pvar: Out<'_, c_int>) -> Outcome {
    tool::check()?;
    put(num_pvar, "num_pvar", pvar::VARIABLES.len() as c_int)
}

pub fn t_pvar_get_info(
    pvar_index: c_int,
    name: StringOut<'_>,
    name_len: InOut<'_, c_int>,
    verbosity: Out<'_, c_int>,
    var_class: Out<'_, c_int>,
    datatype: Out<'_, Datatype>,
    enumtype: Out<'_, *mut c_void>,
    desc: StringOut<'_>,
    desc_len: InOut<'_, c_int>,
    bind: Out<'_, c_int>,
    readonly: Out<'_, c_int>,
    continuous: Out<'_, c_int>,
    atomic: Out<'_, c_int>,
) -> Outcome {
    tool::check()?;
    let variable = pvar::variable(pvar_index)?;
    let accumulates = variable.class.accumulates();
    name.put_for_tool(name_len, variable.name);
    verbosity.put_unless_null(variable.verbosity);
    var_class.put_unless_null(variable.class.constant());
    datatype.put_unless_null(datatype_of(variable.class.choices()));
    enumtype.put_unless_null(enumeration(variable.class.choices()));
    desc.put_for_tool(desc_len, variable.what);
    bind.put_unless_null(if variable.is_bound() {
        abi::MPI_T_BIND_MPI_COMM
    } else {
        abi::MPI_T_BIND_NO_OBJECT
    });
    readonly.put_unless_null(c_int::from(!accumulates));
    continuous.put_unless_null(c_int::from(!accumulates));
    atomic.put_unless_null(c_int::from(accumulates));
    Ok(())
}

pub fn t_pvar_get_index(
    name: StringIn<'_>,
    var_class: c_int,
    pvar_index: Out<'_, c_int>,
) -> Outcome {
    tool::check()?;
    put(pvar_index, "pvar_index", pvar::index_of(&name_of(name)?, var_class)?)
}

pub fn t_pvar_session_create(pe_session: Out<'_, *mut c_void>) -> Outcome {
    tool::check()?;
    if pe_session.is_null() {
        return Err(null("pe_session"));
    }
    put_handle(pe_session, "pe_session", session::create()?)
}

pub fn t_pvar_session_free(pe_session: InOut<'_, *mut c_void>) -> Outcome {
    tool::check()?;
    let pe_session = handle_at(pe_session)?;
    session::free(pe_session.read().addr())?;
    pe_session.write(without_provenance_mut(abi::MPI_T_PVAR_SESSION_NULL));
    Ok(())
}

pub fn t_pvar_handle_alloc(
    pe_session: *mut c_void,
    pvar_index: c_int,
    obj_handle: ValueIn<'_>,
    handle: Out<'_, *mut c_void>,
    count: Out<'_, c_int>,
) -> Outcome {
    tool::check()?;
    if handle.is_null() {
        return Err(null("handle"));
    }
    let comm = if pvar_is_bound(pvar_index) {
        obj_handle.get().map(|bits| Comm(usize::from_ne_bytes(bits)))
    } else {
        None
    };
    let opened = session::open(pe_session.addr(), pvar_index, comm)?;
    count.put_unless_null(1);
    put_handle(handle, "handle", opened)
}

pub fn t_pvar_handle_free(pe_session: *mut c_void, handle: InOut<'_, *mut c_void>) -> Outcome {
    tool::check()?;
    let handle = handle_at(handle)?;
    session::close(pe_session.addr(), handle.read().addr())?;
    handle.write(without_provenance_mut(abi::MPI_T_PVAR_HANDLE_NULL));
    Ok(())
}

pub fn t_pvar_start(pe_session: *mut c_void, handle: *mut c_void) -> Outcome {
    session::start(pe_session.addr(), handle.addr())
}

pub fn t_pvar_stop(pe_session: *mut c_void, handle: *mut c_void) -> Outcome {
    session::stop(pe_session.addr(), handle.addr())
}

pub fn t_pvar_reset(pe_session: *mut c_void, handle: *mut c_void) -> Outcome {
    session::reset(pe_session.addr(), handle.addr())
}

pub fn t_pvar_read(pe_session: *mut c_void, handle: *mut c_void, buf: ValueOut<'_>) -> Outcome {
    let is_int = session::is_int(pe_session.addr(), handle.addr())?;
    let value = session::read(pe_session.addr(), handle.addr())?;
    put_value(buf, is_int, value)
}

pub fn t_pvar_readreset(
    pe_session: *mut c_void,
    handle: *mut c_void,
    buf: ValueOut<'_>,
) -> Outcome {
    if buf.is_null() {
        return Err(null("buf"));
    }
    let is_int = session::is_int(pe_session.addr(), handle.addr())?;
    let value = session::read_and_reset(pe_session.addr(), handle.addr())?;
    put_value(buf, is_int, value)
}

/// Writes a variable. Those that can be written are numbers of 64 bits.
pub fn t_pvar_write(pe_session: *mut c_void, handle: *mut c_void, buf: ValueIn<'_>) -> Outcome {
    if session::is_int(pe_session.addr(), handle.addr())? {
        return session::write(pe_session.addr(), handle.addr(), 0);
    }
    let value = buf.get().map(u64::from_ne_bytes).ok_or_else(|| null("buf"))?;
    session::write(pe_session.addr(), handle.addr(), value)
}
