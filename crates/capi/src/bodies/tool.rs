//! The tool information interface (MPI 5.0 chapter 15).
//!
//! Out parameters of the calls that describe something may be null, and then nothing is told there. Errors are `MPI_T_ERR_…`; no handler hears of
//! them.

mod category;
mod cvar;
mod event;
mod pvar;

pub use category::*;
pub use cvar::*;
pub use event::*;
pub use pvar::*;

use super::text::{cut, text};
use nemesis_mpi::abi;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Datatype, Info};
use nemesis_mpi::info;
use nemesis_mpi::tool::{self, choices::Choices};
use std::borrow::Cow;
use std::ffi::{c_char, c_int, c_void};
use std::ptr::without_provenance_mut;

#[cold]
fn null(name: &'static str) -> Box<Error> {
    Error::new(abi::MPI_T_ERR_INVALID, format!("{name} is a null pointer"))
}

/// Writes an out parameter that must be there.
unsafe fn put<T>(place: *mut T, name: &'static str, value: T) -> Outcome {
    if place.is_null() {
        return Err(null(name));
    }
    // SAFETY: not null, so the caller's place.
    unsafe { place.write(value) };
    Ok(())
}

/// Writes an out parameter that may be missing.
unsafe fn tell<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: not null, so the caller's place.
        unsafe { place.write(value) };
    }
}

/// Tells a string: at most `*length` bytes of it with its NUL, and in any case the length that it needs (MPI 5.0 §15.3.3).
unsafe fn tell_text(buffer: *mut c_char, length: *mut c_int, text: &str) {
    if length.is_null() {
        return;
    }
    // SAFETY: not null, so the caller's length.
    let room = unsafe { length.read() };
    if let (false, Some(most)) =
        (buffer.is_null(), usize::try_from(room).ok().and_then(|room| room.checked_sub(1)))
    {
        let part = cut(text, most);
        // SAFETY: the part and its NUL fit the caller's buffer.
        unsafe {
            buffer.cast::<u8>().copy_from_nonoverlapping(part.as_ptr(), part.len());
            buffer.add(part.len()).write(0);
        }
    }
    // SAFETY: as above.
    unsafe { length.write(text.len() as c_int + 1) };
}

/// A name to look up.
unsafe fn name<'a>(string: *const c_char) -> Outcome<Cow<'a, str>> {
    // SAFETY: the caller's string.
    unsafe { text(string, "name") }
        .map_err(|error| Error::new(abi::MPI_T_ERR_INVALID_NAME, error.why))
}

/// Hands out an info without hints.
unsafe fn tell_info(place: *mut Info) -> Outcome {
    if !place.is_null() {
        // SAFETY: not null, so the caller's place.
        unsafe { place.write(info::create(info::Info::default())?) };
    }
    Ok(())
}

/// An info that is given: any that exists; no hint means anything here.
fn heed(given: Info) -> Outcome {
    info::hints(given).map(drop).map_err(|error| Error::new(abi::MPI_T_ERR_INVALID, error.why))
}

/// Hands out a handle.
unsafe fn put_handle(place: *mut *mut c_void, name: &'static str, handle: usize) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { put(place, name, without_provenance_mut(handle)) }
}

/// The handle in a variable of the caller.
unsafe fn handle_at(place: *mut *mut c_void) -> Outcome<usize> {
    if place.is_null() {
        return Err(null("handle"));
    }
    // SAFETY: not null, so the caller's variable.
    Ok(unsafe { place.read() }.addr())
}

/// The communicator behind a pointer to an object, if there is one.
unsafe fn object(obj_handle: *mut c_void) -> Option<Comm> {
    // SAFETY: the caller's handle, which the front has converted.
    unsafe { obj_handle.cast::<Comm>().as_ref() }.copied()
}

fn enumeration(choices: Option<Choices>) -> *mut c_void {
    without_provenance_mut(choices.map_or(abi::MPI_T_ENUM_NULL, Choices::handle))
}

/// The datatype of a variable.
fn datatype(choices: Option<Choices>) -> Datatype {
    if choices.is_some() { abi::MPI_INT } else { abi::MPI_UNSIGNED_LONG_LONG }
}

/// An int or an unsigned long long in the buffer of a read.
unsafe fn put_value(buffer: *mut c_void, is_int: bool, value: u64) -> Outcome {
    // SAFETY: the caller's buffer has room for the variable's datatype.
    unsafe {
        if is_int {
            put(buffer.cast(), "buf", value as c_int)
        } else {
            put(buffer.cast(), "buf", value)
        }
    }
}

/// Writes at most `len` indices.
unsafe fn put_indices(indices: *mut c_int, len: c_int, known: &[c_int]) -> Outcome {
    let most = usize::try_from(len).map_err(|_| {
        Error::new(abi::MPI_T_ERR_INVALID, format!("len is {len}, it must not be negative"))
    })?;
    let told = &known[..most.min(known.len())];
    if indices.is_null() && !told.is_empty() {
        return Err(null("indices"));
    }
    for (place, index) in told.iter().enumerate() {
        // SAFETY: the caller's array has `len` elements.
        unsafe { indices.add(place).write(*index) };
    }
    Ok(())
}

pub unsafe fn t_init_thread(required: c_int, provided: *mut c_int) -> Outcome {
    if provided.is_null() {
        return Err(null("provided"));
    }
    let granted = tool::init(required)?;
    // SAFETY: the caller's place.
    unsafe { put(provided, "provided", granted) }
}

pub unsafe fn t_finalize() -> Outcome {
    tool::finalize()
}

pub unsafe fn t_enum_get_info(
    enumtype: *mut c_void,
    num: *mut c_int,
    name: *mut c_char,
    name_len: *mut c_int,
) -> Outcome {
    tool::check()?;
    let choices = Choices::of(enumtype.addr())?;
    // SAFETY: the caller's places.
    unsafe {
        tell(num, choices.items.len() as c_int);
        tell_text(name, name_len, choices.name);
    }
    Ok(())
}

pub unsafe fn t_enum_get_item(
    enumtype: *mut c_void,
    index: c_int,
    value: *mut c_int,
    name: *mut c_char,
    name_len: *mut c_int,
) -> Outcome {
    tool::check()?;
    let (item, number) = Choices::of(enumtype.addr())?.item(index)?;
    // SAFETY: the caller's places.
    unsafe {
        tell(value, number);
        tell_text(name, name_len, item);
    }
    Ok(())
}
