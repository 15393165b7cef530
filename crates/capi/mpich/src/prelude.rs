//! The names that the generated bindings use; which of them depends on the implemented functions.

#![allow(unused_imports, dead_code)]

pub use crate::convert::{FilePointer, from, same, to};
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
pub use nemesis_capi::types::{Form, Function, Iov};
pub use nemesis_capi::{Fast, binding, direct};
pub use nemesis_mpi::callback::Callback;
pub use nemesis_mpi::handle::{
    Comm, Datatype, Errhandler, File, Group, Handle, Info, Message, Op, Request, Session, Win,
};
pub use std::ffi::{c_char, c_int, c_void};

use crate::callback::Mpich;
use crate::extras::MPIR_Dup_fn;

/// An error code of the implementations as one of this ABI.
#[inline]
pub fn code(code: c_int) -> c_int {
    from::code(code)
}

/// A handle as the integer that `MPI_Comm_toint`, `MPI_Comm_c2f` and their kin give.
pub trait Number: Copy {
    fn to_number(self) -> c_int;
    fn from_number(number: c_int) -> Self;
}

impl Number for c_int {
    fn to_number(self) -> c_int {
        self
    }
    fn from_number(number: c_int) -> c_int {
        number
    }
}

impl Number for FilePointer {
    fn to_number(self) -> c_int {
        self as usize as c_int
    }
    fn from_number(number: c_int) -> FilePointer {
        number as u32 as usize as FilePointer
    }
}

pub fn toint(handle: impl Number) -> c_int {
    handle.to_number()
}

pub fn fromint<N: Number>(number: c_int) -> N {
    N::from_number(number)
}

/// The handle behind a pointer, for the error handler of a call that was given one.
pub fn at<N: Number>(handle: In<'_, N>) -> N {
    handle.get().copied().unwrap_or(N::from_number(0))
}

/// The predefined copy function is an exported one here, and the number 1 in the standard ABI.
fn address(function: Function) -> usize {
    if function == MPIR_Dup_fn as Function { 1 } else { function as usize }
}

pub fn callback(function: Function) -> Callback {
    Callback::new(address(function), false, &Mpich)
}

pub fn long_callback(function: Function) -> Callback {
    Callback::new(address(function), true, &Mpich)
}
