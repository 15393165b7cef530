//! The exported functions of libraries on the stack of the calling thread.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_void};

/// Most stack frames that are examined.
const FRAMES: usize = 64;

/// Returns the innermost exported function on the stack of this thread whose name `is_it` accepts.
///
/// Costs tens of microseconds; the first call may allocate.
#[cfg(target_env = "gnu")]
pub fn innermost(is_it: impl Fn(&str) -> bool) -> Option<String> {
    let mut frames = [std::ptr::null_mut(); FRAMES];
    // SAFETY: the C library writes at most as many addresses as the array has places.
    let depth = unsafe { libc::backtrace(frames.as_mut_ptr(), FRAMES as i32) };
    frames[..depth as usize].iter().filter_map(|&frame| exported(frame)).find(|name| is_it(name))
}

/// Returns `None`: only the GNU C library tells the functions.
#[cfg(not(target_env = "gnu"))]
pub fn innermost(_is_it: impl Fn(&str) -> bool) -> Option<String> {
    None
}

/// Returns the exported function that contains a return address.
#[cfg(target_env = "gnu")]
fn exported(frame: *mut c_void) -> Option<String> {
    let mut found = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // The call lies before its return address, which may be the start of another function.
    let call = frame.wrapping_byte_sub(1);
    // SAFETY: the C library looks the address up in its own tables and reads nothing through it. It
    // writes the answer to `found`.
    if unsafe { libc::dladdr(call, &mut found) } == 0 || found.dli_sname.is_null() {
        return None;
    }
    // SAFETY: a name in the symbol table of a loaded library, since this thread executes it.
    unsafe { CStr::from_ptr(found.dli_sname) }.to_str().ok().map(str::to_owned)
}

#[cfg(all(test, target_env = "gnu"))]
mod tests {
    use super::*;
    use std::cell::RefCell;

    thread_local! {
        static FOUND: RefCell<Option<String>> = const { RefCell::new(None) };
    }

    extern "C" fn compare(_: *const c_void, _: *const c_void) -> i32 {
        FOUND.set(innermost(|name| name.starts_with("qsort")));
        0
    }

    #[test]
    fn a_function_that_calls_back_is_found() {
        let mut numbers = [2, 1];
        // SAFETY: two elements of four bytes, and a comparison that reads neither.
        unsafe {
            libc::qsort(numbers.as_mut_ptr().cast(), numbers.len(), size_of::<i32>(), Some(compare))
        };
        let found = FOUND.take();
        assert!(found.as_ref().is_some_and(|name| name.starts_with("qsort")), "{found:?}");
        assert_eq!(innermost(|_| false), None);
    }
}
