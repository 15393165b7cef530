//! Where a program in Python is: its function and line.
//!
//! The frames of the C stack are the interpreter's own. It has a function for its handlers of
//! faults that writes the frames of Python as a text, takes no lock and allocates nothing, so that
//! it may be called without the interpreter's lock, which a call of MPI has released. Versions of
//! the interpreter that do not export it have no place in Python.

#![allow(unsafe_code)]

use rustix::fs::MemfdFlags;
use std::ffi::{CStr, c_int, c_void};
use std::os::fd::AsRawFd;

/// Bytes that are read of the text: the innermost frames come first.
const TEXT_MAX: usize = 4096;

/// `PyGILState_GetThisThreadState`
type ThreadState = unsafe extern "C" fn() -> *mut c_void;
/// `_Py_DumpTraceback`
type Dump = unsafe extern "C" fn(c_int, *mut c_void);

/// Returns the address of a function of the process.
fn function(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name is a C string.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// Returns where this thread is in a program in Python, in words: `solve (solver.py:12)`. Of files
/// of packages it is the innermost that does not lie in a folder of packages, if there is one.
/// `None` if the process is no interpreter, or the thread none of Python.
pub fn place() -> Option<String> {
    let state = function(c"PyGILState_GetThisThreadState")?;
    let dump = function(c"_Py_DumpTraceback")?;
    // SAFETY: these are the signatures of the interpreter's functions of these names.
    let (state, dump) = unsafe {
        (
            std::mem::transmute::<*mut c_void, ThreadState>(state),
            std::mem::transmute::<*mut c_void, Dump>(dump),
        )
    };
    // SAFETY: it reads a variable of the thread, and needs no lock.
    let thread = unsafe { state() };
    if thread.is_null() {
        return None;
    }
    let file = rustix::fs::memfd_create(c"nemesis-python", MemfdFlags::CLOEXEC).ok()?;
    // SAFETY: the state is that of this thread, which does not run Python now. The function is made
    // for handlers of faults, and checks what it reads.
    unsafe { dump(file.as_raw_fd(), thread) };
    let mut text = vec![0; TEXT_MAX];
    let length = rustix::io::pread(&file, &mut text, 0).ok()?;
    innermost(&String::from_utf8_lossy(&text[..length]))
}

/// Returns the frame of the text that is the program's.
fn innermost(text: &str) -> Option<String> {
    let frames: Vec<(&str, &str, &str)> = text.lines().filter_map(frame).collect();
    let is_of_package =
        |file: &str| file.contains("/site-packages/") || file.contains("/lib/python");
    let own = frames.iter().find(|(file, ..)| !is_of_package(file));
    let (file, line, function) = own.or(frames.first())?;
    Some(format!("{function} ({file}:{line})"))
}

/// Reads a line such as `  File "/home/u/solver.py", line 12 in solve`.
fn frame(line: &str) -> Option<(&str, &str, &str)> {
    let rest = line.trim_start().strip_prefix("File \"")?;
    let (file, rest) = rest.split_once("\", line ")?;
    let (number, function) = rest.split_once(" in ")?;
    number.parse::<u32>().ok()?;
    Some((file, number, function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_of_the_program_is_found() {
        let text = "Stack (most recent call first):\n  \
                    File \"/v/lib/python3.11/site-packages/x.py\", line 3 in call\n  \
                    File \"/home/u/my solver.py\", line 12 in solve\n  \
                    File \"/home/u/my solver.py\", line 20 in <module>\n";
        assert_eq!(innermost(text).as_deref(), Some("solve (/home/u/my solver.py:12)"));
        let only_package = text.lines().nth(1).unwrap();
        assert!(innermost(only_package).unwrap().starts_with("call (/v/lib"));
        assert_eq!(innermost("File \"x\", line ? in y"), None);
        assert_eq!(place(), None, "this process is no interpreter");
    }
}
