//! The names that the generated bindings use; which of them depends on the implemented functions.

#![allow(unused_imports, dead_code)]

pub use crate::convert::{from, same, to};
pub use crate::object::RawHandle;
pub use crate::show;
pub use crate::status::Status;
pub use nemesis_capi::errors::Raise;
pub use nemesis_capi::impls::{self, missing};
pub use nemesis_capi::params::{
    CommArray, CountInOut, CountOut, In, InOut, InOutSlice, InSlice, IntArray, IntSlice, Out,
    OutSlice, StatusOut, StatusesOut, StringIn, StringListsIn, StringOut, StringsIn, UserBuffer,
    ValueIn, ValueOut, last, number_at, sum,
};
pub use nemesis_capi::places::{Array, OneStatus, Place, Statuses, address_of};
pub use nemesis_capi::types::{Form, Function};
pub use nemesis_capi::{Fast, binding, direct};
pub use nemesis_mpi::callback::Callback;
pub use nemesis_mpi::handle::{
    Comm, Datatype, Errhandler, File, Group, Handle, Info, Message, Op, Request, Session, Win,
};
pub use std::ffi::{c_char, c_int, c_void};

use crate::callback::Openmpi;
use crate::extras;
use crate::handle::fortran_of;
use crate::object::Numbered;
use crate::objects::ADDRESSES;

/// An error code of the implementations as one of this ABI.
#[inline]
pub fn code(code: c_int) -> c_int {
    from::code(code)
}

/// The number of an object in Fortran.
pub fn toint(handle: RawHandle) -> c_int {
    fortran_of(handle)
}

/// The handle of an object of this kind. The numbers of predefined ones count from 0, and those of
/// the program's objects are negative.
pub fn fromint<H: Numbered>(number: c_int) -> RawHandle {
    match usize::try_from(number) {
        Ok(number) => H::NUMBERS
            .get(number)
            .map_or(std::ptr::null_mut(), |&number| ADDRESSES.handle(number.into())),
        Err(_) => std::ptr::with_exposed_provenance_mut(number as u32 as usize),
    }
}

/// The handle behind a pointer, for the error handler of a call that was given one.
pub fn at(handle: In<'_, RawHandle>) -> RawHandle {
    handle.get().copied().unwrap_or(std::ptr::null_mut())
}

/// The predefined functions of attributes are exported ones here, and numbers in the standard ABI.
fn address(function: Function) -> usize {
    extras::predefined(function).unwrap_or(function as usize)
}

pub fn callback(function: Function) -> Callback {
    Callback::new(address(function), false, &Openmpi)
}

pub fn long_callback(function: Function) -> Callback {
    Callback::new(address(function), true, &Openmpi)
}
