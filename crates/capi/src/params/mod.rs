//! The parameters of MPI functions, as types whose unsafe part is argued once.
//!
//! The bindings build these from the arguments of the C function. A binding is unsafe: its caller
//! promises what the MPI standard asks of each argument. The constructors pass that promise on, and
//! everything else about the types is safe. Most of the types are those of [`nemesis_params`],
//! which has the invariants P1, P2 and P3; this module adds:
//!
//! | parameter | type |
//! |---|---|
//! | `MPI_Status *status`, `MPI_Status array_of_statuses[]`, out | [`StatusOut`], [`StatusesOut`] |
//! | `const int counts[]`, `const MPI_Count counts[]`, as long as an argument says | [`IntSlice`] |
//! | arrays as long as the communicator says | [`CommArray`], [`IntArray`] |
//! | `int *count` and `MPI_Count *count` | [`CountOut`], [`CountInOut`] |
//! | `const void *buf`, `void *buf` (choice buffers) | [`UserBuffer`] |
//! | `void *buf` whose type another argument names | [`ValueIn`], [`ValueOut`] |
//!
//! The MPI standard says what P1 asks of an argument; of a choice buffer it asks that while the
//! operation lasts. The table in `api/` says which argument counts the elements of an array (P2).
//! Where it says that a communicator does, the implementation asks for as many elements as the
//! communicator has ranks, neighbours or dimensions.

mod buffer;
mod comm_arrays;
mod counts;
mod status;
mod values;

pub use buffer::UserBuffer;
pub(crate) use buffer::negative_count;
pub(crate) use buffer::not_in_place;
pub use comm_arrays::{CommArray, IntArray};
pub use counts::{CountInOut, CountOut, CountRef, IntSlice, Ints};
pub use nemesis_params::{InOutRef, Library, OutRef, cut};
pub use status::{StatusOut, StatusesOut};
pub use values::{ValueIn, ValueOut};

use nemesis_mpi::abi::MPI_ERR_ARG;
use nemesis_mpi::error::Error;
use std::ffi::c_int;

/// The library of MPI functions: a null pointer where a value must be is `MPI_ERR_ARG`.
#[derive(Clone, Copy)]
pub struct MpiLibrary;

impl Library for MpiLibrary {
    type Error = Box<Error>;

    #[cold]
    fn null(name: &'static str) -> Box<Error> {
        Error::new(MPI_ERR_ARG, format!("{name} is a null pointer"))
    }
}

pub(crate) fn null(name: &'static str) -> Box<Error> {
    MpiLibrary::null(name)
}

pub type In<'a, T> = nemesis_params::In<'a, T, MpiLibrary>;
pub type InOut<'a, T> = nemesis_params::InOut<'a, T, MpiLibrary>;
pub type InOutSlice<'a, T> = nemesis_params::InOutSlice<'a, T, MpiLibrary>;
pub type InSlice<'a, T> = nemesis_params::InSlice<'a, T, MpiLibrary>;
pub type Out<'a, T> = nemesis_params::Out<'a, T, MpiLibrary>;
pub type OutSlice<'a, T> = nemesis_params::OutSlice<'a, T, MpiLibrary>;
pub type StringIn<'a> = nemesis_params::StringIn<'a, MpiLibrary>;
pub type StringListsIn<'a> = nemesis_params::StringListsIn<'a, MpiLibrary>;
pub type StringOut<'a> = nemesis_params::StringOut<'a, MpiLibrary>;
pub type StringsIn<'a> = nemesis_params::StringsIn<'a, MpiLibrary>;

/// The number behind a pointer that counts the elements of an array; 0 for a null pointer.
pub fn number_at(place: In<'_, c_int>) -> i64 {
    place.get().map_or(0, |&number| number.into())
}

/// The sum of an array, which is the length of another one; 0 for a null pointer.
pub fn sum(numbers: InSlice<'_, c_int>) -> i64 {
    numbers.get().unwrap_or(&[]).iter().map(|&number| i64::from(number.max(0))).sum()
}

/// The last element of an array, which is the length of another one; 0 for a null pointer.
pub fn last(numbers: InSlice<'_, c_int>) -> i64 {
    numbers.get().unwrap_or(&[]).last().map_or(0, |&number| number.into())
}
