//! `libmpi.so.12`: the ABI of MPICH, which Intel MPI and others share.
//!
//! The bodies speak the standard ABI; here every argument that looks different is converted on its way in, and back on its way out.
//! `front/` and [`tables`] are generated; by hand are the conversions of single values ([`convert::to`], [`convert::from`]), the places
//! and arrays that hold converted ones during a call ([`places`]), the program's functions ([`callback`]), what Fortran libraries need
//! beside MPI ([`fortran`]), and the other symbols of this ABI that are no functions of the standard ([`extras`]).

#![allow(unsafe_code, non_snake_case, non_upper_case_globals)]
// Generated fronts widen counts that may be wide already, and have as many arguments as the standard gives them.
#![allow(clippy::unnecessary_cast, clippy::too_many_arguments)]

mod callback;
mod convert;
mod extras;
mod fortran;
mod front;
mod places;
mod prelude;
pub mod show;
mod status;
mod tables;
