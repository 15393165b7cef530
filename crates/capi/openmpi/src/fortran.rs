//! The conversions between the statuses of C, Fortran and Fortran 2008, which are the same 24
//! bytes.

use crate::status::Status;
use nemesis_capi::params::{In, Out};
use nemesis_capi::places::ForeignStatus;
use nemesis_mpi::error::Outcome;
use std::mem::MaybeUninit;

/// A status whose fields may be uninitialised. A copy cares for none of them.
pub type AnyStatus = MaybeUninit<Status>;

pub fn copy_status(from: In<'_, AnyStatus>, to: Out<'_, AnyStatus>) -> Outcome {
    nemesis_capi::fortran::copy_status(from, to, |address| address == Status::IGNORE)
}
