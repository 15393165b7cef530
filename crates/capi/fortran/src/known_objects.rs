//! Objects of which only the address means something, and how objects are found by their names.

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char, c_void};

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Returns the first object of this name in the process. That is the program's, if it has one.
pub fn object(name: &CStr) -> *mut c_void {
    // SAFETY: the null handle means the default order of search.
    unsafe { dlsym(std::ptr::null_mut(), name.as_ptr()) }
}

/// An object that is known by its address. Its contents are never read.
#[repr(C)]
pub struct Known<T>(UnsafeCell<T>);

// SAFETY: the contents are never read.
unsafe impl<T> Sync for Known<T> {}

impl<T> Known<T> {
    pub const fn new(contents: T) -> Known<T> {
        Known(UnsafeCell::new(contents))
    }
}

/// Defines objects that are known by their addresses.
#[macro_export]
macro_rules! known {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $value:expr;)*) => {
        $($(#[$doc])* #[unsafe(no_mangle)]
        pub static $name: Known<$type> = Known::new($value);)*
    };
}

/// A constant, or two that mean one thing.
#[derive(Clone, Copy)]
pub enum Ignored {
    Bottom,
    InPlace,
    Automatic,
    Statuses,
    Errcodes,
    Argv,
    Unweighted,
    WeightsEmpty,
}
