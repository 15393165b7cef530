//! CHARACTER arguments: blank-padded in Fortran, ended by a zero in C (MPI 5.0 §19.3.9).

use std::ffi::{c_char, c_int};
use std::slice;

/// A string for the C library.
pub struct Text(Vec<u8>);

impl Text {
    pub fn place(&self) -> *mut c_char {
        self.0.as_ptr().cast_mut().cast()
    }
}

fn of(bytes: &[u8]) -> Text {
    let mut text = bytes.to_vec();
    text.push(0);
    Text(text)
}

/// The characters of a string without the blanks at its end.
///
/// # Safety
/// `place` points to `length` characters.
pub unsafe fn trimmed<'a>(place: *const c_char, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    let bytes: &[u8] = unsafe { slice::from_raw_parts(place.cast(), length) };
    let end = bytes.iter().rposition(|&byte| byte != b' ').map_or(0, |last| last + 1);
    &bytes[..end]
}

/// Returns a string without the blanks at its end: those at its beginning belong to names, and to
/// the names of files.
///
/// # Safety
/// `place` points to `length` characters.
pub unsafe fn text(place: *const c_char, length: usize) -> Text {
    // SAFETY: the caller's promise.
    of(unsafe { trimmed(place, length) })
}

/// Returns a string without the blanks at both ends: a key or a value of an info object (MPI 5.0
/// §10), a command or an argument of a new process (§11.8.2).
///
/// # Safety
/// `place` points to `length` characters.
pub unsafe fn inner_text(place: *const c_char, length: usize) -> Text {
    // SAFETY: the caller's promise.
    of(unsafe { trimmed(place, length) }.trim_ascii_start())
}

/// The longest string that the C library writes, MPI_MAX_LIBRARY_VERSION_STRING.
const LONGEST_BYTES: usize = 8192;

/// A place for a string that the C library writes.
pub struct TextOut {
    place: *mut c_char,
    length: usize,
    bytes: Vec<u8>,
}

impl TextOut {
    pub fn new(place: *mut c_char, length: usize) -> TextOut {
        TextOut { place, length, bytes: vec![0; length.max(LONGEST_BYTES) + 1] }
    }

    pub fn place(&mut self) -> *mut c_char {
        self.bytes.as_mut_ptr().cast()
    }

    /// Returns how many characters of those that the program offers fit into its variable.
    pub fn fitting(&self, offered: c_int) -> c_int {
        offered.min(self.length.min(c_int::MAX as usize - 1) as c_int)
    }

    /// Writes the string into the program's variable, cut or followed by blanks.
    ///
    /// # Safety
    /// The variable has as many characters as `new` was told.
    pub unsafe fn give(self) {
        if self.length == 0 {
            return;
        }
        // SAFETY: the caller's promise.
        let variable: &mut [u8] =
            unsafe { slice::from_raw_parts_mut(self.place.cast(), self.length) };
        let end = self.bytes.iter().position(|&byte| byte == 0).unwrap_or(self.bytes.len());
        let kept = end.min(self.length);
        variable[..kept].copy_from_slice(&self.bytes[..kept]);
        variable[kept..].fill(b' ');
    }
}

/// Turns the length of a string that Fortran offers into that of C, which counts the zero.
///
/// # Safety
/// `length` points to an INTEGER.
pub unsafe fn length_for_c(length: *const c_int, out: &TextOut) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { *length } {
        offered if offered > 0 => out.fitting(offered) + 1,
        other => other,
    }
}

/// Writes the length of a string that C returned, without the zero.
///
/// # Safety
/// `length` points to an INTEGER.
pub unsafe fn give_length(length: *mut c_int, of_c: c_int) {
    // SAFETY: the caller's promise.
    unsafe { *length = (of_c - 1).max(0) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_removed_and_added() {
        let key = b"  a key  ";
        // SAFETY: the array has these characters.
        let (plain, info) = unsafe {
            (text(key.as_ptr().cast(), key.len()), inner_text(key.as_ptr().cast(), key.len()))
        };
        assert_eq!((plain.0, info.0), (b"  a key\0".to_vec(), b"a key\0".to_vec()));

        let mut variable = *b"xxxxxx";
        let mut out = TextOut::new(variable.as_mut_ptr().cast(), variable.len());
        assert_eq!(out.fitting(100), 6);
        // SAFETY: the place has room for more.
        unsafe { out.place().copy_from(c"abc".as_ptr(), 4) };
        // SAFETY: the variable is the array above.
        unsafe { out.give() };
        assert_eq!(&variable, b"abc   ");
    }
}
