//! Versions, clocks and address arithmetic: functions that need no communication (MPI 5.0 §5.1.5,
//! §9.1, §9.6, §20).

use crate::params::{Out, StringOut, UserBuffer};
use nemesis_mpi::abi;
use nemesis_mpi::error::Outcome;
use std::ffi::c_int;

/// The text of `MPI_Get_library_version`.
const LIBRARY_VERSION: &str = concat!("Nemesis ", env!("CARGO_PKG_VERSION"), " (MPI 5.0)");

pub fn get_version(version: Out<'_, c_int>, subversion: Out<'_, c_int>) -> Outcome {
    version.put("version", abi::MPI_VERSION)?;
    subversion.put("subversion", abi::MPI_SUBVERSION)
}

pub fn abi_get_version(abi_major: Out<'_, c_int>, abi_minor: Out<'_, c_int>) -> Outcome {
    abi_major.put("abi_major", abi::MPI_ABI_VERSION)?;
    abi_minor.put("abi_minor", abi::MPI_ABI_SUBVERSION)
}

pub fn get_library_version(version: StringOut<'_>, resultlen: Out<'_, c_int>) -> Outcome {
    version.put_with_length(LIBRARY_VERSION, abi::MPI_MAX_LIBRARY_VERSION_STRING, resultlen)
}

/// Returns the seconds since about the first call in this process.
#[inline]
pub fn wtime() -> f64 {
    nemesis_sys::clock::seconds()
}

/// Returns the resolution of the clock, which counts nanoseconds.
pub fn wtick() -> f64 {
    1e-9
}

pub fn aint_add(base: isize, disp: isize) -> isize {
    base.wrapping_add(disp)
}

pub fn aint_diff(addr1: isize, addr2: isize) -> isize {
    addr1.wrapping_sub(addr2)
}

pub fn get_address(location: UserBuffer, address: Out<'_, isize>) -> Outcome {
    address.put("address", location.address() as isize)
}

/// Does nothing: profiling levels are for tools that replace this function (MPI 5.0 §15.2.4).
pub fn pcontrol(_level: c_int) -> Outcome {
    Ok(())
}
