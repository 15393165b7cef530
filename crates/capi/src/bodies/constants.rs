//! What is the same in every process and at every time: versions, clocks, address arithmetic (MPI 5.0 §9.1, §9.6, §5.1.5, §20).

use super::{null, put};
use nemesis_mpi::abi;
use nemesis_mpi::error::Outcome;
use std::ffi::{c_char, c_int, c_void};
use std::sync::OnceLock;
use std::time::Instant;

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

/// Writes text and its length into a buffer of `room` bytes, cut at a character if it is too long, and ended by a NUL.
///
/// # Safety
/// `buffer` is null or has `room` bytes; `resultlen` is null or valid for a write.
pub(super) unsafe fn put_string(buffer: *mut c_char, resultlen: *mut c_int, text: &str, room: c_int) -> Outcome {
    if buffer.is_null() {
        return Err(null("the string"));
    }
    let most = text.len().min(room as usize - 1);
    let length = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    // SAFETY: `length` is below `room`.
    unsafe { buffer.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), length) };
    // SAFETY: as above.
    unsafe { buffer.add(length).write(0) };
    // SAFETY: the caller's place.
    unsafe { put(resultlen, "resultlen", length as c_int) }
}

/// Seconds since the first question for the time in this process.
pub fn wtime() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
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
