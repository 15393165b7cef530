//! Strings that a function reads and writes.

#![allow(unsafe_code)]

use super::{InOut, InSlice, Out, null};
use nemesis_mpi::error::Outcome;
use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int};
use std::marker::PhantomData;

/// A C string that a function reads.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct StringIn<'a> {
    address: *const c_char,
    call: PhantomData<&'a CStr>,
}

impl<'a> StringIn<'a> {
    /// # Safety
    /// P1 and P3 hold: `address` is null or a C string that nobody writes while `'a` lasts.
    #[inline(always)]
    pub unsafe fn new(address: *const c_char) -> StringIn<'a> {
        StringIn { address, call: PhantomData }
    }

    /// The text; bytes that are no UTF-8 become U+FFFD. A null pointer is `MPI_ERR_ARG`.
    pub fn require(self, name: &'static str) -> Outcome<Cow<'a, str>> {
        if self.address.is_null() {
            return Err(null(name));
        }
        // SAFETY: not null, so P1 says that it is a C string.
        Ok(unsafe { CStr::from_ptr(self.address) }.to_string_lossy())
    }
}

/// An array of C strings that a function reads (`argv`).
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct StringsIn<'a>(InSlice<'a, *mut c_char>);

impl<'a> StringsIn<'a> {
    /// # Safety
    /// P1, P2 and P3 hold for an array of C strings, any of which may be null.
    #[inline(always)]
    pub unsafe fn new(address: *const *mut c_char) -> StringsIn<'a> {
        // SAFETY: the caller's promise is that of `InSlice::new`.
        StringsIn(unsafe { InSlice::new(address) })
    }

    /// The first `len` strings; none for a null pointer.
    pub fn get(self, len: usize) -> impl Iterator<Item = StringIn<'a>> {
        // SAFETY: P1 says that an element is null or a C string.
        self.0.get(len).unwrap_or(&[]).iter().map(|&string| unsafe { StringIn::new(string) })
    }
}

/// A string that a function writes.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct StringOut<'a> {
    address: *mut c_char,
    call: PhantomData<&'a mut [c_char]>,
}

impl<'a> StringOut<'a> {
    /// # Safety
    /// P1, P2 and P3 hold: `address` is null or has the bytes that the standard or another argument
    /// says.
    #[inline(always)]
    pub unsafe fn new(address: *mut c_char) -> StringOut<'a> {
        StringOut { address, call: PhantomData }
    }

    pub fn is_null(self) -> bool {
        self.address.is_null()
    }

    /// Writes text and a NUL, cut between characters to `capacity` bytes, which the standard or
    /// another argument says. Returns the length without the NUL. A null
    /// pointer is `MPI_ERR_ARG`, unless the capacity is 0.
    pub fn put(self, name: &'static str, text: &str, capacity: usize) -> Outcome<usize> {
        if capacity == 0 {
            return Ok(0);
        }
        if self.is_null() {
            return Err(null(name));
        }
        let text = cut(text, capacity - 1);
        // SAFETY: not null, so P1 and P2 say that there are `capacity` bytes; the text has fewer.
        unsafe {
            self.address.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), text.len());
            self.address.add(text.len()).write(0);
        }
        Ok(text.len())
    }

    /// Writes text into `capacity` bytes, and its length: how names and versions are told.
    pub fn put_with_length(
        self,
        text: &str,
        capacity: c_int,
        resultlen: Out<'_, c_int>,
    ) -> Outcome {
        let length = self.put("the string", text, capacity as usize)?;
        resultlen.put("resultlen", length as c_int)
    }

    /// Writes at most `*length` bytes of the text with its NUL, and into `length` what all of it
    /// needs (MPI 5.0 §15.3.3). A null `length` asks for nothing, a null string for the length.
    pub fn put_for_tool(self, length: InOut<'_, c_int>, text: &str) {
        let Some(length) = length.get() else { return };
        let capacity = usize::try_from(length.read()).unwrap_or(0);
        if !self.is_null() {
            let _ = self.put("the string", text, capacity);
        }
        length.write(text.len() as c_int + 1);
    }
}

/// The longest beginning of `text` that has at most `bytes` bytes and ends between characters.
pub fn cut(text: &str, bytes: usize) -> &str {
    let most = text.len().min(bytes);
    let end = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    &text[..end]
}
