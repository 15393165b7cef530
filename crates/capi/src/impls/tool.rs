//! The tool information interface (MPI 5.0 chapter 15).
//!
//! Out parameters of the calls that describe an item may be null, and then nothing is written.
//! Errors are `MPI_T_ERR_…`; they are returned and no error handler is called.

mod category;
mod cvar;
mod event;
mod pvar;

pub use category::*;
pub use cvar::*;
pub use event::*;
pub use pvar::*;

use crate::params::{InOut, InOutRef, Out, OutSlice, StringIn, StringOut, ValueOut};
use nemesis_mpi::abi;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Datatype, Info};
use nemesis_mpi::info;
use nemesis_mpi::tool::{self, choices::Choices};
use std::borrow::Cow;
use std::ffi::{c_int, c_void};
use std::ptr::without_provenance_mut;

#[cold]
fn null(name: &'static str) -> Box<Error> {
    Error::new(abi::MPI_T_ERR_INVALID, format!("{name} is a null pointer"))
}

/// Writes an out parameter. A null pointer is `MPI_T_ERR_INVALID`.
fn put<T>(place: Out<'_, T>, name: &'static str, value: T) -> Outcome {
    place.get().ok_or_else(|| null(name))?.write(value);
    Ok(())
}

/// The name of an item that a call looks up.
fn name(string: StringIn<'_>) -> Outcome<Cow<'_, str>> {
    string.require("name").map_err(|error| Error::new(abi::MPI_T_ERR_INVALID_NAME, error.why))
}

/// Writes the handle of a new info without hints, unless the pointer is null.
fn put_empty_info(place: Out<'_, Info>) -> Outcome {
    if let Some(place) = place.get() {
        place.write(info::create(info::Info::default())?);
    }
    Ok(())
}

/// Checks an info argument. Any info that exists will do, and every hint is ignored.
fn check_info(given: Info) -> Outcome {
    info::hints(given).map(drop).map_err(|error| Error::new(abi::MPI_T_ERR_INVALID, error.why))
}

/// Writes a handle.
fn put_handle(place: Out<'_, *mut c_void>, name: &'static str, handle: usize) -> Outcome {
    put(place, name, without_provenance_mut(handle))
}

/// The variable of the program that holds a handle, which a call frees.
fn handle_at(place: InOut<'_, *mut c_void>) -> Outcome<InOutRef<'_, *mut c_void>> {
    place.get().ok_or_else(|| null("handle"))
}

fn enumeration(choices: Option<Choices>) -> *mut c_void {
    without_provenance_mut(choices.map_or(abi::MPI_T_ENUM_NULL, Choices::handle))
}

/// The datatype of a variable.
fn datatype(choices: Option<Choices>) -> Datatype {
    if choices.is_some() { abi::MPI_INT } else { abi::MPI_UNSIGNED_LONG_LONG }
}

/// An int or an unsigned long long in the buffer of a read.
fn put_value(buffer: ValueOut<'_>, is_int: bool, value: u64) -> Outcome {
    if buffer.is_null() {
        return Err(null("buf"));
    }
    if is_int {
        buffer.put_at(0, &(value as c_int).to_ne_bytes())
    } else {
        buffer.put_at(0, &value.to_ne_bytes())
    }
    Ok(())
}

/// Writes at most `len` indices.
fn put_indices(indices: OutSlice<'_, c_int>, len: c_int, known: &[c_int]) -> Outcome {
    let most = usize::try_from(len).map_err(|_| {
        Error::new(abi::MPI_T_ERR_INVALID, format!("len is {len}, it must not be negative"))
    })?;
    let told = &known[..most.min(known.len())];
    if indices.is_null() && !told.is_empty() {
        return Err(null("indices"));
    }
    indices.fill("indices", told.iter().copied())
}

pub fn t_init_thread(required: c_int, provided: Out<'_, c_int>) -> Outcome {
    if provided.is_null() {
        return Err(null("provided"));
    }
    let granted = tool::init(required)?;
    put(provided, "provided", granted)
}

pub fn t_finalize() -> Outcome {
    tool::finalize()
}

pub fn t_enum_get_info(
    enumtype: *mut c_void,
    num: Out<'_, c_int>,
    name: StringOut<'_>,
    name_len: InOut<'_, c_int>,
) -> Outcome {
    tool::check()?;
    let choices = Choices::of(enumtype.addr())?;
    num.put_unless_null(choices.items.len() as c_int);
    name.put_for_tool(name_len, choices.name);
    Ok(())
}

pub fn t_enum_get_item(
    enumtype: *mut c_void,
    index: c_int,
    value: Out<'_, c_int>,
    name: StringOut<'_>,
    name_len: InOut<'_, c_int>,
) -> Outcome {
    tool::check()?;
    let (item, number) = Choices::of(enumtype.addr())?.item(index)?;
    value.put_unless_null(number);
    name.put_for_tool(name_len, item);
    Ok(())
}
