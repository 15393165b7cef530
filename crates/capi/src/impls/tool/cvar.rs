//! Control variables (MPI 5.0 §15.3.6).

use super::{
    datatype as datatype_of, enumeration, handle_at, name as name_of, null, put, put_handle,
    put_value,
};
use crate::params::{InOut, Out, StringIn, StringOut, ValueIn, ValueOut};
use nemesis_mpi::abi;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::Datatype;
use nemesis_mpi::tool::{self, cvar, cvar::Shape};
use std::ffi::{c_int, c_void};
use std::ptr::without_provenance_mut;

pub fn t_cvar_get_num(num_cvar: Out<'_, c_int>) -> Outcome {
    tool::check()?;
    put(num_cvar, "num_cvar", cvar::count() as c_int)
}

pub fn t_cvar_get_info(
    cvar_index: c_int,
    name: StringOut<'_>,
    name_len: InOut<'_, c_int>,
    verbosity: Out<'_, c_int>,
    datatype: Out<'_, Datatype>,
    enumtype: Out<'_, *mut c_void>,
    desc: StringOut<'_>,
    desc_len: InOut<'_, c_int>,
    bind: Out<'_, c_int>,
    scope: Out<'_, c_int>,
) -> Outcome {
    tool::check()?;
    let variable = cvar::variable(cvar_index)?;
    let choices = if let Shape::Choice(choices) = variable.shape { Some(choices) } else { None };
    name.put_for_tool(name_len, variable.name);
    verbosity.put_unless_null(variable.verbosity);
    datatype.put_unless_null(if variable.shape == Shape::Text {
        abi::MPI_CHAR
    } else {
        datatype_of(choices)
    });
    enumtype.put_unless_null(enumeration(choices));
    desc.put_for_tool(desc_len, variable.why);
    bind.put_unless_null(abi::MPI_T_BIND_NO_OBJECT);
    scope.put_unless_null(variable.scope);
    Ok(())
}

pub fn t_cvar_get_index(name: StringIn<'_>, cvar_index: Out<'_, c_int>) -> Outcome {
    tool::check()?;
    put(cvar_index, "cvar_index", cvar::index_of(&name_of(name)?)?)
}

pub fn t_cvar_handle_alloc(
    cvar_index: c_int,
    _obj_handle: ValueIn<'_>,
    handle: Out<'_, *mut c_void>,
    count: Out<'_, c_int>,
) -> Outcome {
    tool::check()?;
    if handle.is_null() {
        return Err(null("handle"));
    }
    let (opened, elements) = cvar::open(cvar_index)?;
    count.put_unless_null(elements as c_int);
    put_handle(handle, "handle", opened)
}

pub fn t_cvar_handle_free(handle: InOut<'_, *mut c_void>) -> Outcome {
    tool::check()?;
    let handle = handle_at(handle)?;
    cvar::close(handle.read().addr())?;
    handle.write(without_provenance_mut(abi::MPI_T_CVAR_HANDLE_NULL));
    Ok(())
}

pub fn t_cvar_read(handle: *mut c_void, buf: ValueOut<'_>) -> Outcome {
    let (is_int, value) = match cvar::read(handle.addr())? {
        cvar::Value::Int(value) => (true, value as u64),
        cvar::Value::Unsigned(value) => (false, value),
        cvar::Value::Text(words) => {
            if buf.is_null() {
                return Err(null("buf"));
            }
            // The buffer has as many elements as `t_cvar_handle_alloc` said.
            return buf.put_bytes("buf", format!("{words}\0").as_bytes());
        }
    };
    put_value(buf, is_int, value)
}

pub fn t_cvar_write(handle: *mut c_void, buf: ValueIn<'_>) -> Outcome {
    let shape = cvar::shape(handle.addr())?;
    if buf.is_null() {
        return Err(null("buf"));
    }
    let null = || null("buf");
    let value = match shape {
        Shape::Choice(_) => cvar::Value::Int(buf.get().map(c_int::from_ne_bytes).ok_or_else(null)?),
        Shape::Number => cvar::Value::Unsigned(buf.get().map(u64::from_ne_bytes).ok_or_else(null)?),
        Shape::Text => cvar::Value::Text(text_of(buf)),
    };
    cvar::write(handle.addr(), value)
}

/// The text up to its NUL, or to the length of the longest text.
fn text_of(buf: ValueIn<'_>) -> String {
    let mut text = &[][..];
    for length in 1..=cvar::ALGORITHMS_BYTES {
        match buf.bytes(length) {
            Some(bytes) if bytes[length - 1] != 0 => text = bytes,
            _ => break,
        }
    }
    String::from_utf8_lossy(text).into_owned()
}
