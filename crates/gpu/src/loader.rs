//! Which objects the dynamic loader has loaded.

#![allow(unsafe_code)]

use nemesis_sync::{AtomicU64, Ordering};
use std::ffi::{c_int, c_void};

/// The number of loaded objects at the last look.
static SEEN: AtomicU64 = AtomicU64::new(0);

/// Returns whether the loader has loaded an object since the last call. The first call returns
/// true.
#[inline]
pub fn has_changed() -> bool {
    differs(&SEEN)
}

/// Returns whether the number of loads is not `seen`, and stores it there.
fn differs(seen: &AtomicU64) -> bool {
    let loads = loads();
    // Relaxed: the number is a hint. Of two threads that see the same change, one or both look.
    seen.load(Ordering::Relaxed) != loads && {
        seen.store(loads, Ordering::Relaxed);
        true
    }
}

/// Returns how many objects the loader has ever loaded, by looking at the first entry of its list.
fn loads() -> u64 {
    let mut loads = 0_u64;
    // SAFETY: the callback gets the address of `loads`, which outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut loads).cast()) };
    loads
}

/// Writes the number of loads to the `u64` at `loads`, and ends the iteration.
unsafe extern "C" fn first(info: *mut libc::dl_phdr_info, _: usize, loads: *mut c_void) -> c_int {
    // SAFETY: the C library passes a valid entry; `loads` is the variable of the caller.
    unsafe { *loads.cast::<u64>() = (*info).dlpi_adds };
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loaded_library_is_noticed_once() {
        let seen = AtomicU64::new(0);
        assert!(differs(&seen) && !differs(&seen));
        // SAFETY: the library has no constructors that matter to this program.
        let library = unsafe { libloading::Library::new("libresolv.so.2") };
        assert!(library.is_err() || differs(&seen));
        assert!(!differs(&seen));
    }
}
