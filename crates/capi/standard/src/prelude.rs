//! The names that the generated bindings use; which of them depends on the implemented functions.

#![allow(unused_imports, dead_code)]

pub use nemesis_capi::errors::Raise;
pub use nemesis_capi::impls::{self, missing};
pub use nemesis_capi::params::{
    CommArray, CountInOut, CountOut, In, InOut, InOutSlice, InSlice, IntArray, IntSlice, Out,
    OutSlice, StatusOut, StatusesOut, StringIn, StringListsIn, StringOut, StringsIn, UserBuffer,
    ValueIn, ValueOut, last, number_at, sum,
};
pub use nemesis_capi::types::{Form, Function, Status};
pub use nemesis_capi::{binding, direct, show};
pub use nemesis_mpi::callback::Callback;
pub use nemesis_mpi::handle::{
    Comm, Datatype, Errhandler, File, Group, Handle, Info, Message, Op, Request, Session, Win,
};
pub use std::ffi::{c_char, c_int, c_void};

use crate::callback::Standard;

/// An error code of the implementations is one of this ABI.
#[inline]
pub fn code(code: c_int) -> c_int {
    code
}

/// `MPI_Comm_toint` and its kin: handles are 32-bit numbers (MPI 5.0 §20.3.4).
pub fn toint<H: Handle>(handle: H) -> c_int {
    handle.bits() as c_int
}

/// `MPI_Comm_fromint` and its kin.
pub fn fromint<H: Handle>(number: c_int) -> H {
    H::from_bits(number as u32 as usize)
}

/// The handle behind a pointer, for the error handler of a call that was given one.
pub fn at<H: Handle>(handle: In<'_, H>) -> H {
    handle.get().copied().unwrap_or(H::NULL)
}

pub fn callback(function: Function) -> Callback {
    Callback::new(function as usize, false, &Standard)
}

pub fn long_callback(function: Function) -> Callback {
    Callback::new(function as usize, true, &Standard)
}
