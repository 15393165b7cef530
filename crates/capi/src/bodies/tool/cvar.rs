//! Control variables (MPI 5.0 §15.3.6).

use super::{
    datatype as datatype_of, enumeration, handle_at, name as name_of, null, put, put_handle,
    put_value, tell, tell_text,
};
use nemesis_mpi::abi;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::Datatype;
use nemesis_mpi::tool::{self, cvar, cvar::Shape};
use std::ffi::{c_char, c_int, c_void};

pub unsafe fn t_cvar_get_num(num_cvar: *mut c_int) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's place.
    unsafe { put(num_cvar, "num_cvar", cvar::count() as c_int) }
}

pub unsafe fn t_cvar_get_info(
    cvar_index: c_int,
    name: *mut c_char,
    name_len: *mut c_int,
    verbosity: *mut c_int,
    datatype: *mut Datatype,
    enumtype: *mut *mut c_void,
    desc: *mut c_char,
    desc_len: *mut c_int,
    bind: *mut c_int,
    scope: *mut c_int,
) -> Outcome {
    tool::check()?;
    let variable = cvar::variable(cvar_index)?;
    let choices = if let Shape::Choice(choices) = variable.shape { Some(choices) } else { None };
    // SAFETY: the caller's places.
    unsafe {
        tell_text(name, name_len, variable.name);
        tell(verbosity, variable.verbosity);
        tell(
            datatype,
            if variable.shape == Shape::Text { abi::MPI_CHAR } else { datatype_of(choices) },
        );
        tell(enumtype, enumeration(choices));
        tell_text(desc, desc_len, variable.why);
        tell(bind, abi::MPI_T_BIND_NO_OBJECT);
        tell(scope, variable.scope);
    }
    Ok(())
}

pub unsafe fn t_cvar_get_index(name: *const c_char, cvar_index: *mut c_int) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's string and place.
    unsafe { put(cvar_index, "cvar_index", cvar::index_of(&name_of(name)?)?) }
}

pub unsafe fn t_cvar_handle_alloc(
    cvar_index: c_int,
    _obj_handle: *mut c_void,
    handle: *mut *mut c_void,
    count: *mut c_int,
) -> Outcome {
    tool::check()?;
    if handle.is_null() {
        return Err(null("handle"));
    }
    let (opened, elements) = cvar::open(cvar_index)?;
    // SAFETY: the caller's places.
    unsafe {
        tell(count, elements as c_int);
        put_handle(handle, "handle", opened)
    }
}

pub unsafe fn t_cvar_handle_free(handle: *mut *mut c_void) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's variable.
    unsafe {
        cvar::close(handle_at(handle)?)?;
        put_handle(handle, "handle", abi::MPI_T_CVAR_HANDLE_NULL)
    }
}

pub unsafe fn t_cvar_read(handle: *mut c_void, buf: *mut c_void) -> Outcome {
    let (is_int, value) = match cvar::read(handle.addr())? {
        cvar::Value::Int(value) => (true, value as u64),
        cvar::Value::Unsigned(value) => (false, value),
        cvar::Value::Text(words) => {
            let mut length = words.len() as c_int + 1;
            if buf.is_null() {
                return Err(null("buf"));
            }
            // SAFETY: the caller's buffer has as many elements as was said when the variable was opened.
            unsafe { tell_text(buf.cast(), &mut length, &words) };
            return Ok(());
        }
    };
    // SAFETY: the caller's buffer.
    unsafe { put_value(buf, is_int, value) }
}

pub unsafe fn t_cvar_write(handle: *mut c_void, buf: *const c_void) -> Outcome {
    let shape = cvar::shape(handle.addr())?;
    if buf.is_null() {
        return Err(null("buf"));
    }
    // SAFETY: the caller's buffer holds a value of the variable's datatype; words are not looked at, because nobody may write them.
    let value = unsafe {
        match shape {
            Shape::Choice(_) => cvar::Value::Int(buf.cast::<c_int>().read()),
            Shape::Number => cvar::Value::Unsigned(buf.cast::<u64>().read()),
            Shape::Text => cvar::Value::Text(String::new()),
        }
    };
    cvar::write(handle.addr(), value)
}
