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
use std::sync::OnceLock;

/// Bytes that are read of the text: the innermost frames come first.
pub const TEXT_MAX: usize = 4096;

/// `PyGILState_GetThisThreadState`
type ThreadState = unsafe extern "C" fn() -> *mut c_void;
/// `_Py_DumpTraceback`
type Dump = unsafe extern "C" fn(c_int, *mut c_void);

/// A place in a program in Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The function, or `<module>`.
    pub function: &'a str,
    /// The path of the file.
    pub file: &'a str,
    /// The line of the file.
    pub line: u32,
}

/// Returns the address of a function of the process.
fn function(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name is a C string.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// The functions of the interpreter that the process has.
static FOUND: OnceLock<(ThreadState, Dump)> = OnceLock::new();

/// Returns whether this process is an interpreter of Python that tells its lines, or has loaded one
/// by now. Once it is, [`place`] may be called, also in a handler of signals.
pub fn is_interpreter() -> bool {
    let find = || {
        let state = function(c"PyGILState_GetThisThreadState")?;
        let dump = function(c"_Py_DumpTraceback")?;
        // SAFETY: these are the signatures of the interpreter's functions of these names.
        Some(unsafe {
            (
                std::mem::transmute::<*mut c_void, ThreadState>(state),
                std::mem::transmute::<*mut c_void, Dump>(dump),
            )
        })
    };
    FOUND.get().is_some() || find().is_some_and(|found| FOUND.set(found).is_ok())
}

/// Returns where this thread is in a program in Python, once [`is_interpreter`] has found one. Of
/// files of packages it is the innermost
/// that does not lie in a folder of packages, if there is one. `None` if the process is no
/// interpreter, or the thread none of Python. Takes some fifty system calls.
///
/// Allocates nothing.
pub fn place(text: &mut [u8; TEXT_MAX]) -> Option<Place<'_>> {
    let &(state, dump) = FOUND.get()?;
    // SAFETY: it reads a variable of the thread, and needs no lock.
    let thread = unsafe { state() };
    if thread.is_null() {
        return None;
    }
    let file = rustix::fs::memfd_create(c"nemesis-python", MemfdFlags::CLOEXEC).ok()?;
    // SAFETY: the state is that of this thread, which does not run Python now. The function is made
    // for handlers of faults: it takes no lock, and checks part of what it reads.
    unsafe { dump(file.as_raw_fd(), thread) };
    let length = rustix::io::pread(&file, &mut text[..], 0).ok()?;
    let whole = match std::str::from_utf8(&text[..length]) {
        Ok(whole) => whole,
        // The last character may be cut.
        Err(error) => std::str::from_utf8(&text[..error.valid_up_to()]).ok()?,
    };
    innermost(whole)
}

/// Returns the frame of the text that is the program's.
fn innermost(text: &str) -> Option<Place<'_>> {
    let is_of_package =
        |file: &str| file.contains("/site-packages/") || file.contains("/lib/python");
    let mut frames = text.lines().filter_map(frame);
    let first = frames.next()?;
    let own = std::iter::once(first).chain(frames).find(|place| !is_of_package(place.file));
    Some(own.unwrap_or(first))
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({}:{})", self.function, self.file, self.line)
    }
}

/// Reads a line such as `  File "/home/u/solver.py", line 12 in solve`.
fn frame(line: &str) -> Option<Place<'_>> {
    let rest = line.trim_start().strip_prefix("File \"")?;
    let (file, rest) = rest.split_once("\", line ")?;
    let (number, function) = rest.split_once(" in ")?;
    Some(Place { function, file, line: number.parse().ok()? })
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
        let words = |text| innermost(text).map(|place| place.to_string());
        assert_eq!(words(text).as_deref(), Some("solve (/home/u/my solver.py:12)"));
        let only_package = text.lines().nth(1).unwrap();
        assert!(words(only_package).unwrap().starts_with("call (/v/lib"));
        assert_eq!(words("File \"x\", line ? in y"), None);
        assert_eq!(place(&mut [0; TEXT_MAX]), None, "this process is no interpreter");
    }
}
