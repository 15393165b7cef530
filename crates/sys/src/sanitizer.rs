//! AddressSanitizer, if the program is built with it: which memory belongs to the program.

#![allow(unsafe_code)]

use std::ffi::c_void;
use std::sync::OnceLock;

/// `__asan_region_is_poisoned`
type IsPoisoned = unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void;

/// Returns the first address of a range that lies in no variable and in no block, by what the
/// program's AddressSanitizer knows. `None` if there is none, or if the program is built without.
pub fn first_foreign(address: usize, bytes: usize) -> Option<usize> {
    static FUNCTION: OnceLock<Option<IsPoisoned>> = OnceLock::new();
    let is_poisoned = (*FUNCTION.get_or_init(|| {
        // SAFETY: the name is a C string.
        let found =
            unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__asan_region_is_poisoned".as_ptr()) };
        // SAFETY: this is the signature of the function of this name.
        (!found.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, IsPoisoned>(found) })
    }))?;
    // SAFETY: it looks the addresses up in its own table and reads nothing through them.
    let first = unsafe { is_poisoned(std::ptr::without_provenance_mut(address), bytes) };
    (!first.is_null()).then(|| first.addr())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_program_without_it_knows_nothing() {
        assert_eq!(super::first_foreign(0x1000, 1 << 20), None);
    }
}
