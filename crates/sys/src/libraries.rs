//! The shared libraries of this process.

#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Returns the paths of the loaded libraries whose file names `is_it` accepts, as the loader found
/// them, in the order of loading.
pub fn loaded(is_it: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut all: Vec<String> = Vec::new();
    // SAFETY: the callback gets the address of `all`, which outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut all).cast()) };
    all.retain(|path| path.rsplit('/').next().is_some_and(&is_it));
    all.into_iter().map(PathBuf::from).collect()
}

/// Appends the name of a library to the list at `all`.
unsafe extern "C" fn note(info: *mut libc::dl_phdr_info, _: usize, all: *mut c_void) -> c_int {
    // SAFETY: the C library passes a valid entry, whose name is null or a C string.
    let name = unsafe {
        let name = (*info).dlpi_name;
        (!name.is_null()).then(|| CStr::from_ptr(name))
    };
    // SAFETY: `loaded` passes the address of its list, to which no other reference exists.
    let all = unsafe { &mut *all.cast::<Vec<String>>() };
    all.extend(name.and_then(|name| name.to_str().ok()).map(str::to_owned));
    0
}

/// Returns the path of the library or program that contains `function`, as the loader found it.
/// Of a library it is the path that [`loaded`] returns.
pub fn library_of(function: fn()) -> Option<PathBuf> {
    let mut found = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // SAFETY: the C library looks the address up in its own tables and reads nothing through it.
    if unsafe { libc::dladdr(function as *const c_void, &mut found) } == 0
        || found.dli_fname.is_null()
    {
        return None;
    }
    // SAFETY: a C string that lives as long as the library, which contains this code.
    let path = unsafe { CStr::from_ptr(found.dli_fname) }.to_str().ok()?;
    Some(path.into())
}

/// Returns whether a loaded MPI library has been initialised; `false` if it is not loaded.
pub fn has_started_mpi(library: &Path) -> bool {
    let Ok(path) = CString::new(library.as_os_str().as_bytes()) else { return false };
    // SAFETY: the path is a C string, and a library that is not loaded is not loaded by this.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    if handle.is_null() {
        return false;
    }
    let mut flag: c_int = 0;
    // SAFETY: the handle is valid, and the name a C string.
    let found = unsafe { libc::dlsym(handle, c"PMPI_Initialized".as_ptr()) };
    if !found.is_null() {
        type Initialized = unsafe extern "C" fn(*mut c_int) -> c_int;
        // SAFETY: the MPI standard gives the function this type, in every library.
        let initialized = unsafe { std::mem::transmute::<*mut c_void, Initialized>(found) };
        // SAFETY: the flag is a local variable; the function may be called at any time.
        unsafe { initialized(&mut flag) };
    }
    // SAFETY: the handle is valid. The library stays, because it was loaded before.
    unsafe { libc::dlclose(handle) };
    flag != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_c_library_is_loaded_once() {
        assert_eq!(loaded(|name| name.starts_with("libc.so")).len(), 1);
        assert!(loaded(|_| false).is_empty());
        assert!(!has_started_mpi(Path::new("libnothing.so")));
        assert!(!has_started_mpi(&loaded(|name| name.starts_with("libc.so"))[0]));
        let own = library_of(the_c_library_is_loaded_once);
        let canonical = |path: &PathBuf| path.canonicalize().ok();
        assert_eq!(own.as_ref().and_then(canonical), canonical(&std::env::current_exe().unwrap()));
    }
}
