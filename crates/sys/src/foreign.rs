//! What an MPI library of any implementation says about itself.

#![allow(unsafe_code)]

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{CStr, c_char, c_int};
use std::path::Path;

/// Bytes of a version text at most. The greatest `MPI_MAX_LIBRARY_VERSION_STRING` in use is 8192.
const TEXT_BYTES: usize = 1 << 16;

/// Loads a library and returns the text of its `MPI_Get_library_version`, which may be called
/// before `MPI_Init` (MPI 5.0 §9.1.1).
///
/// Initialisers of the library run in this process, so call this in a process of its own.
pub fn mpi_version(path: &Path) -> Result<String, String> {
    // SAFETY: initialisers of a library are arbitrary code; the caller made a process for them.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }
        .map_err(|why| why.to_string())?;
    type Version = unsafe extern "C" fn(*mut c_char, *mut c_int) -> c_int;
    // SAFETY: every MPI library has this function with these parameters (MPI 5.0 §9.1.1).
    let version = unsafe { library.get::<Version>(b"MPI_Get_library_version\0") };
    let version = version.map_err(|why| why.to_string())?;
    let (mut text, mut length) = (vec![0_u8; TEXT_BYTES], 0);
    // SAFETY: the buffer is longer than any implementation's longest text, and the last byte
    // stays 0.
    unsafe { version(text.as_mut_ptr().cast(), &mut length) };
    let text = CStr::from_bytes_until_nul(&text).map_err(|why| why.to_string())?;
    let text = text.to_string_lossy().into_owned();
    // Threads of the library may still run, so its code stays mapped.
    std::mem::forget(library);
    Ok(text)
}
