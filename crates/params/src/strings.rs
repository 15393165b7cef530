//! Strings that a function reads and writes.

use crate::{Call, InOut, InSlice, Library, Out, OutSlice};
use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int};
use std::marker::PhantomData;

/// A C string that a function reads.
#[repr(transparent)]
pub struct StringIn<'a, L> {
    address: *const c_char,
    call: Call<&'a CStr, L>,
}

impl<L> Clone for StringIn<'_, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for StringIn<'_, L> {}

impl<'a, L: Library> StringIn<'a, L> {
    /// # Safety
    /// P1 and P3 hold: `address` is null or a C string that nobody writes while `'a` lasts.
    #[inline(always)]
    pub unsafe fn new(address: *const c_char) -> Self {
        StringIn { address, call: PhantomData }
    }

    /// The bytes, as names of files have them. `None` for a null pointer.
    pub fn as_c(self) -> Option<&'a CStr> {
        let address = self.address;
        // SAFETY: not null, so P1 says that it is a C string.
        (!address.is_null()).then(|| unsafe { CStr::from_ptr(address) })
    }

    /// The text; bytes that are no UTF-8 become U+FFFD. `None` for a null pointer.
    pub fn get(self) -> Option<Cow<'a, str>> {
        self.as_c().map(CStr::to_string_lossy)
    }

    /// The text, as [`get`](Self::get) gives it. A null pointer is an error.
    pub fn require(self, name: &'static str) -> Result<Cow<'a, str>, L::Error> {
        self.get().ok_or_else(|| L::null(name))
    }
}

/// An array of C strings that a function reads (`argv`).
pub struct StringsIn<'a, L>(InSlice<'a, StringIn<'a, L>, L>);

impl<'a, L: Library> StringsIn<'a, L> {
    /// # Safety
    /// P1, P2 and P3 hold: `address` is null or an array of `count` C strings, any of which may be
    /// null.
    #[inline(always)]
    pub unsafe fn new(address: *const *mut c_char, count: i64) -> Self {
        // SAFETY: the caller's promise is that of `InSlice::new`, and that of `StringIn::new` for
        // each element.
        StringsIn(unsafe { InSlice::new(address.cast(), count) })
    }

    /// The strings; none for a null pointer.
    pub fn get(self) -> impl Iterator<Item = StringIn<'a, L>> {
        self.0.get().unwrap_or(&[]).iter().copied()
    }
}

impl<'a, L: Library> StringsIn<'a, L> {
    /// # Safety
    /// P1, P2 and P3 hold: `address` is null or an array of C strings that ends with a null
    /// pointer. It need be none if the function does not ask for the strings.
    #[inline(always)]
    pub unsafe fn terminated(address: *const *mut c_char) -> Self {
        // SAFETY: the elements are counted when they are asked for.
        StringsIn(unsafe { InSlice::new(address.cast(), UNCOUNTED) })
    }

    /// A null pointer: no strings.
    pub fn none() -> Self {
        StringsIn(InSlice::null())
    }

    /// The strings before the null pointer that ends the array; none for a null pointer.
    pub fn until_null(self) -> Vec<StringIn<'a, L>> {
        let mut strings = Vec::new();
        let mut place = self.0.as_ptr();
        if place.is_null() {
            return strings;
        }
        // SAFETY: P1 and P2 say that the array ends with a null pointer, at which the loop ends.
        unsafe {
            while !(*place).address.is_null() {
                strings.push(*place);
                place = place.add(1);
            }
        }
        strings
    }
}

/// Length of an array that a null pointer ends. No slice of this length is made.
const UNCOUNTED: i64 = 0;

/// An array of arrays of C strings, each of which a null pointer ends (`array_of_argv`).
pub struct StringListsIn<'a, L>(InSlice<'a, *mut *mut c_char, L>);

impl<'a, L: Library> StringListsIn<'a, L> {
    /// # Safety
    /// P1, P2 and P3 hold: `address` is null or an array of `count` arrays of C strings, each of
    /// which is null or ends with a null pointer. It need be none if the function does not ask for
    /// the strings.
    #[inline(always)]
    pub unsafe fn new(address: *const *mut *mut c_char, count: i64) -> Self {
        // SAFETY: the caller's promise is that of `InSlice::new`.
        StringListsIn(unsafe { InSlice::new(address, count) })
    }

    /// The arrays; none for a null pointer.
    pub fn get(self) -> impl Iterator<Item = StringsIn<'a, L>> {
        // SAFETY: P1 says that an element is null or such an array.
        self.0.get().unwrap_or(&[]).iter().map(|&list| unsafe { StringsIn::terminated(list) })
    }
}

/// A string that a function writes.
pub struct StringOut<'a, L>(OutSlice<'a, c_char, L>);

impl<L> Clone for StringOut<'_, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for StringOut<'_, L> {}

impl<'a, L> From<OutSlice<'a, c_char, L>> for StringOut<'a, L> {
    /// A string of as many bytes as the array has.
    #[inline(always)]
    fn from(bytes: OutSlice<'a, c_char, L>) -> Self {
        StringOut(bytes)
    }
}

impl<L: Library> StringOut<'_, L> {
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Writes text and a NUL, cut between characters to `capacity` bytes and to the bytes of the
    /// string. Returns the length without the NUL. A null pointer is an error, unless the capacity
    /// is 0.
    pub fn put(self, name: &'static str, text: &str, capacity: usize) -> Result<usize, L::Error> {
        let capacity = capacity.min(self.0.len());
        if capacity == 0 {
            return Ok(0);
        }
        let text = cut(text, capacity - 1);
        let bytes = text.bytes().chain([0]).map(|byte| byte as c_char);
        if self.is_null() {
            return Err(L::null(name));
        }
        self.0.fill_unless_null(bytes);
        Ok(text.len())
    }

    /// Writes text into `capacity` bytes, and its length: how names and versions are told.
    pub fn put_with_length(
        self,
        text: &str,
        capacity: c_int,
        resultlen: Out<'_, c_int, L>,
    ) -> Result<(), L::Error> {
        let length = self.put("the string", text, capacity as usize)?;
        resultlen.put("resultlen", length as c_int)
    }

    /// Writes at most `*length` bytes of the text with its NUL, and into `length` what all of it
    /// needs (MPI 5.0 §15.3.3). A null `length` asks for nothing, a null string for the length.
    pub fn put_for_tool(self, length: InOut<'_, c_int, L>, text: &str) {
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
