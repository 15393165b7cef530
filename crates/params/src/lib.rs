//! The parameters of C functions, as types whose unsafe part is argued once.
//!
//! The entry point of a C function builds these types from its arguments. It is unsafe: its caller
//! promises what the documentation of the function asks of each argument. The constructors of this
//! crate pass that promise on, and everything else about the types is safe.
//!
//! | parameter | type |
//! |---|---|
//! | `int *flag`, `MPI_Comm *newcomm`, out | [`Out`] |
//! | `MPI_Request *request`, `int *buflen`, in and out | [`InOut`] |
//! | `const MPI_Status *status` | [`In`] |
//! | `int n, const int ranks[]` | [`InSlice`] |
//! | `int maxdims, int coords[]`, out | [`OutSlice`] |
//! | `int count, MPI_Request array_of_requests[]`, in and out | [`InOutSlice`] |
//! | `const char *key`, `char *name`, `char *argv[]` | [`StringIn`], [`StringOut`], [`StringsIn`] |
//! | `char **array_of_argv[]` | [`StringListsIn`] |
//!
//! Three invariants carry the arguments:
//!
//! - **P1** An address is null, or it is what the function's documentation asks of the argument
//!   while the call lasts.
//! - **P2** An array has as many elements as the constructor is told. The entry point tells the
//!   count that is an argument of the same call, so no function can read or write more elements
//!   than its caller promised.
//! - **P3** The arguments of one call that are written do not overlap.
//!
//! A null pointer where a value must be is an error of the library that has the function: its
//! [`Library`] describes it.

#![allow(unsafe_code)]

mod arrays;
mod functions;
mod strings;
mod values;

pub use arrays::{InOutSlice, InSlice, OutSlice};
pub use strings::{StringIn, StringListsIn, StringOut, StringsIn, cut};
pub use values::{In, InOut, InOutRef, Out, OutRef};

use std::marker::PhantomData;

/// A library with C functions.
pub trait Library: 'static {
    type Error;

    /// Describes that the argument `name` is a null pointer.
    fn null(name: &'static str) -> Self::Error;
}

/// The call to which an argument belongs, and the library of the function.
type Call<B, L> = PhantomData<(B, fn() -> L)>;
