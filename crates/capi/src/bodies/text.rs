//! Strings that go in and out.

use super::null;
use nemesis_mpi::error::Outcome;
use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int};

/// A string of the caller; bytes that are no UTF-8 become U+FFFD.
///
/// # Safety
/// `string` is null or a C string that outlives the result.
pub unsafe fn text<'a>(string: *const c_char, name: &'static str) -> Outcome<Cow<'a, str>> {
    if string.is_null() {
        return Err(null(name));
    }
    // SAFETY: not null, so the caller's C string.
    Ok(unsafe { CStr::from_ptr(string) }.to_string_lossy())
}

/// The longest beginning of `text` that has at most `bytes` bytes and ends between characters.
pub fn cut(text: &str, bytes: usize) -> &str {
    let most = text.len().min(bytes);
    let end = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    &text[..end]
}

/// Writes text and a NUL, as much of it as goes into `room` bytes; nothing if there is no room. Returns the length without the NUL.
///
/// # Safety
/// `buffer` has `room` bytes.
pub unsafe fn write(buffer: *mut c_char, room: usize, text: &str) -> usize {
    if room == 0 {
        return 0;
    }
    let text = cut(text, room - 1);
    // SAFETY: the text is shorter than the room.
    unsafe { buffer.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), text.len()) };
    // SAFETY: as above.
    unsafe { buffer.add(text.len()).write(0) };
    text.len()
}

/// Writes text and its length into a buffer of `room` bytes: how names and versions are told.
///
/// # Safety
/// `buffer` is null or has `room` bytes; `resultlen` is null or valid for a write.
pub unsafe fn put_string(
    buffer: *mut c_char,
    resultlen: *mut c_int,
    text: &str,
    room: c_int,
) -> Outcome {
    if buffer.is_null() {
        return Err(null("the string"));
    }
    // SAFETY: the caller's promise.
    let length = unsafe { write(buffer, room as usize, text) };
    // SAFETY: the caller's place.
    unsafe { super::put(resultlen, "resultlen", length as c_int) }
}
