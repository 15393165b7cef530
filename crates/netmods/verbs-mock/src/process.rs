//! The device of this process, and objects that callers hold by address.

use crate::hardware::Hardware;
use std::ffi::c_int;
use std::sync::{Mutex, PoisonError};

/// The device of this process, from the first `ibv_open_device` on.
pub static HARDWARE: Mutex<Option<Hardware>> = Mutex::new(None);

/// Calls `f` with the device; `None` if there is none.
pub fn with<T>(f: impl FnOnce(&mut Hardware) -> T) -> Option<T> {
    let mut hardware = HARDWARE.lock().unwrap_or_else(PoisonError::into_inner);
    hardware.as_mut().map(f)
}

pub fn leak<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Frees what `leak` returned.
pub unsafe fn free<T>(value: *mut T) -> c_int {
    // SAFETY: the caller names an object that the mock made, and does not use it again.
    drop(unsafe { Box::from_raw(value) });
    0
}

pub fn fail(code: c_int) {
    // SAFETY: the error number belongs to this thread.
    unsafe { *libc::__errno_location() = code };
}
