//! Handles, statuses and truth values of Fortran, and those of the C library.

pub use crate::abi::{file, give_file};
use crate::c;
pub use crate::c::Handle;
use crate::facts;
use crate::places::{self, Ignored};
use std::ffi::{c_int, c_void};

/// A default INTEGER.
pub type Fint = c_int;

/// Reads a handle of a kind.
///
/// # Safety
/// `place` points to an INTEGER.
#[inline]
pub unsafe fn handle<const KIND: Fint>(place: *const Fint) -> Handle {
    // SAFETY: the caller's promise.
    crate::abi::handle::<KIND>(unsafe { *place })
}

/// Writes a handle.
///
/// # Safety
/// `place` points to an INTEGER.
#[inline]
pub unsafe fn give(place: *mut Fint, handle: Handle) {
    // SAFETY: the caller's promise.
    unsafe { *place = crate::abi::number(handle) };
}

/// Writes the handle of a request that a call has made.
///
/// # Safety
/// `place` points to an INTEGER.
#[inline]
pub unsafe fn give_request(place: *mut Fint, handle: Handle) {
    // SAFETY: the caller's promise. The function only notes the address.
    unsafe {
        crate::abi::request_left(place, handle);
        give(place, handle);
    }
}

/// A count of the plain or of the large-count form.
pub trait Wide: Copy {
    fn wide(self) -> i64;
}

impl Wide for c_int {
    fn wide(self) -> i64 {
        self.into()
    }
}

impl Wide for i64 {
    fn wide(self) -> i64 {
        self
    }
}

/// An array of handles, as the C library takes it.
pub struct Handles {
    place: *mut Fint,
    handles: Vec<Handle>,
}

impl Handles {
    /// Reads `count` handles of a kind; none if the number is negative, which the C library
    /// refuses.
    ///
    /// # Safety
    /// `place` points to an array of `count` INTEGERs.
    pub unsafe fn new<const KIND: Fint>(place: *mut Fint, count: i64) -> Handles {
        let read = |index| {
            // SAFETY: the caller's promise.
            unsafe { handle::<KIND>(place.add(index)) }
        };
        Handles { place, handles: (0..count.max(0) as usize).map(read).collect() }
    }

    pub fn place(&mut self) -> *mut Handle {
        self.handles.as_mut_ptr()
    }

    /// Writes the handles back.
    ///
    /// # Safety
    /// The array of `new` is still there.
    pub unsafe fn give(self) {
        for (index, handle) in self.handles.into_iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { give(self.place.add(index), handle) };
        }
    }
}

/// Returns where the C library shall write a status, or statuses.
#[inline]
pub fn status(place: *mut Fint) -> *mut c_void {
    // Most programs ignore it by `MPI_STATUS_IGNORE` of `mpi_f08`, which is the first.
    let is_first = places::is_first(place, Ignored::Statuses);
    if is_first || places::is_candidate(place as usize) && places::is(place, Ignored::Statuses) {
        return c::MPI_STATUS_IGNORE as *mut c_void;
    }
    place.cast()
}

/// Writes a LOGICAL.
///
/// # Safety
/// `place` points to a LOGICAL.
pub unsafe fn logical(place: *mut Fint, value: c_int) {
    // SAFETY: the caller's promise.
    unsafe { *place = facts::logical(value != 0) };
}

/// Turns flags that the C library has written into LOGICALs.
///
/// # Safety
/// `place` points to an array of `count` LOGICALs.
pub unsafe fn logicals(place: *mut Fint, count: c_int) {
    for index in 0..count.max(0) as usize {
        // SAFETY: the caller's promise.
        unsafe { logical(place.add(index), *place.add(index)) };
    }
}

/// Writes the error code, unless the optional argument is absent.
///
/// # Safety
/// `ierror` is null or points to an INTEGER.
#[inline]
pub unsafe fn finish(ierror: *mut Fint, code: c_int) {
    if !ierror.is_null() {
        // SAFETY: the caller's promise.
        unsafe { *ierror = code };
    }
}

/// Turns an index of C, which counts from zero, into one of Fortran.
///
/// # Safety
/// `index` points to an INTEGER.
pub unsafe fn from_one(index: *mut Fint) {
    // SAFETY: the caller's promise.
    unsafe {
        if *index != c::MPI_UNDEFINED {
            *index += 1;
        }
    }
}

/// Turns the first `count` indices of an array into those of Fortran.
///
/// # Safety
/// `count` points to an INTEGER, and `indices` to an array of as many.
pub unsafe fn all_from_one(count: *const Fint, indices: *mut Fint) {
    // SAFETY: the caller's promise; MPI_UNDEFINED is negative.
    for index in 0..unsafe { *count }.max(0) as usize {
        // SAFETY: as above.
        unsafe { from_one(indices.add(index)) };
    }
}
