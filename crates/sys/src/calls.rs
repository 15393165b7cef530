//! The exported functions of libraries on the stack of the calling thread.

#![allow(unsafe_code)]

#[cfg(target_env = "gnu")]
use std::ffi::{CStr, c_int, c_void};

/// Most stack frames that are examined.
#[cfg(target_env = "gnu")]
const FRAMES: usize = 64;

/// Returns the innermost exported function on the stack of this thread whose name `is_it` accepts.
///
/// Costs tens of microseconds. Allocates nothing, so signal handlers may call it.
#[cfg(target_env = "gnu")]
pub fn innermost(is_it: impl Fn(&str) -> bool) -> Option<&'static str> {
    let mut stack = Stack { frames: [std::ptr::null_mut(); FRAMES], depth: 0 };
    // SAFETY: the callback gets the address of `stack`, which outlives the call.
    unsafe { _Unwind_Backtrace(note, (&raw mut stack).cast()) };
    let frames = &stack.frames[..stack.depth];
    frames.iter().filter_map(|&frame| exported(frame)).find(|name| is_it(name))
}

/// Returns `None`: only the GNU C library tells the functions.
#[cfg(not(target_env = "gnu"))]
pub fn innermost(_is_it: impl Fn(&str) -> bool) -> Option<&'static str> {
    None
}

/// The return addresses on a stack, the innermost first.
#[cfg(target_env = "gnu")]
struct Stack {
    frames: [*mut c_void; FRAMES],
    depth: usize,
}

// The unwinder of the Itanium C++ ABI, against which the standard library is linked. `backtrace` of
// the C library opens it by name at the first call, which takes 30 microseconds and allocates.
#[cfg(target_env = "gnu")]
unsafe extern "C" {
    fn _Unwind_Backtrace(
        note: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        stack: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
}

/// Appends a frame to the `Stack` at `stack`. Returns another number than 0 when that is full.
#[cfg(target_env = "gnu")]
unsafe extern "C" fn note(context: *mut c_void, stack: *mut c_void) -> c_int {
    const NO_REASON: c_int = 0;
    const END_OF_STACK: c_int = 5;
    // SAFETY: `innermost` passes the address of its stack, to which no other reference exists.
    let stack = unsafe { &mut *stack.cast::<Stack>() };
    let Some(frame) = stack.frames.get_mut(stack.depth) else { return END_OF_STACK };
    // SAFETY: the unwinder passes its own context.
    *frame = unsafe { _Unwind_GetIP(context) } as *mut c_void;
    stack.depth += 1;
    NO_REASON
}

/// Returns the exported function that contains a return address.
#[cfg(target_env = "gnu")]
fn exported(frame: *mut c_void) -> Option<&'static str> {
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
    // SAFETY: a name in the symbol table of a loaded library, which stays loaded while this thread
    // executes it.
    unsafe { CStr::from_ptr(found.dli_sname) }.to_str().ok()
}

#[cfg(all(test, target_env = "gnu"))]
mod tests {
    use super::*;
    use std::cell::RefCell;

    thread_local! {
        static FOUND: RefCell<Option<&'static str>> = const { RefCell::new(None) };
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
