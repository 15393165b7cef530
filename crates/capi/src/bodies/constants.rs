//! What is the same in every process and at every time: versions, clocks, address arithmetic (MPI 5.0 §9.1, §9.6, §5.1.5, §20).

use super::put;
use super::text::put_string;
use nemesis_mpi::abi;
use nemesis_mpi::error::Outcome;
use std::ffi::{c_char, c_int, c_void};

/// What `MPI_Get_library_version` says.
const LIBRARY_VERSION: &str = concat!("Nemesis ", env!("CARGO_PKG_VERSION"), " (MPI 5.0)");

pub unsafe fn get_version(version: *mut c_int, subversion: *mut c_int) -> Outcome {
    // SAFETY: the caller's places.
    unsafe { put(version, "version", abi::MPI_VERSION) }?;
    // SAFETY: as above.
    unsafe { put(subversion, "subversion", abi::MPI_SUBVERSION) }
}

pub unsafe fn abi_get_version(abi_major: *mut c_int, abi_minor: *mut c_int) -> Outcome {
    // SAFETY: the caller's places.
    unsafe { put(abi_major, "abi_major", abi::MPI_ABI_VERSION) }?;
    // SAFETY: as above.
    unsafe { put(abi_minor, "abi_minor", abi::MPI_ABI_SUBVERSION) }
}

pub unsafe fn get_library_version(version: *mut c_char, resultlen: *mut c_int) -> Outcome {
    // SAFETY: the caller's buffer has MPI_MAX_LIBRARY_VERSION_STRING bytes.
    unsafe { put_string(version, resultlen, LIBRARY_VERSION, abi::MPI_MAX_LIBRARY_VERSION_STRING) }
}

/// Returns the seconds since the first call in this process.
#[inline]
pub fn wtime() -> f64 {
    nemesis_sys::clock::seconds()
}

/// The clock counts nanoseconds.
pub fn wtick() -> f64 {
    1e-9
}

pub fn aint_add(base: isize, disp: isize) -> isize {
    base.wrapping_add(disp)
}

pub fn aint_diff(addr1: isize, addr2: isize) -> isize {
    addr1.wrapping_sub(addr2)
}

pub unsafe fn get_address(location: *const c_void, address: *mut isize) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { put(address, "address", location as isize) }
}

/// Profiling levels are for tools that replace this function (MPI 5.0 §15.2.4).
pub unsafe fn pcontrol(_level: c_int) -> Outcome {
    Ok(())
}
