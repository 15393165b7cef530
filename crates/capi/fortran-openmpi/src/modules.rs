//! Procedures and variables that lie in Open MPI's modules.

use std::ffi::{c_int, c_void};

/// What gfortran knows of a type where a variable may have any (`CLASS(*)`).
#[repr(C)]
pub struct Class {
    hash: u32,
    bytes: usize,
    parent: *const Class,
    first: *const c_void,
    copy: unsafe extern "C" fn(*const c_int, *mut c_int),
    _final: *const c_void,
    _deallocate: *const c_void,
}

// SAFETY: it is only read.
unsafe impl Sync for Class {}

impl Class {
    pub const fn new(
        hash: u32,
        bytes: usize,
        first: *const c_void,
        copy: unsafe extern "C" fn(*const c_int, *mut c_int),
    ) -> Class {
        let none: *const c_void = std::ptr::null();
        Class { hash, bytes, parent: none.cast(), first, copy, _final: none, _deallocate: none }
    }
}

/// Copies a value of a type of this many integers.
pub unsafe extern "C" fn copy<const INTEGERS: usize>(from: *const c_int, to: *mut c_int) {
    // SAFETY: gfortran passes variables of the type.
    unsafe { to.copy_from(from, INTEGERS) };
}

/// Defines what gfortran knows of types: the description, the first value, and the copy.
#[macro_export]
macro_rules! classes {
    ($($table:ident $first:ident $copy:ident: $bytes:literal $hash:literal;)*) => {$(
        #[unsafe(no_mangle)]
        static $first: [c_int; $bytes / 4] = [0; $bytes / 4];
        $crate::exports!(modules::copy::<{ $bytes / 4 }>: $copy);
        #[unsafe(no_mangle)]
        static $table: Class =
            Class::new($hash, $bytes, (&raw const $first).cast(), modules::copy::<{ $bytes / 4 }>);
    )*};
}
