//! Copies of sections that live until their request is complete.
//!
//! The procedures that complete requests ask here whether any request has copies. A request that C
//! completes is not seen: a program that passes sections to these operations waits for them in
//! Fortran.

use super::{Descriptor, Packed, Place};
use crate::c;
use crate::types::Fint;
use nemesis_sync::{AtomicUsize, Ordering};
use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::slice;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The buffers of a request.
struct Entry {
    places: Vec<Place>,
    is_persistent: bool,
    /// The operation was started and is not complete: only then its buffers are copied back.
    is_active: bool,
}

impl Entry {
    /// Copies the buffers back once, when the operation is complete.
    fn copy_back(&mut self) {
        if std::mem::take(&mut self.is_active) {
            self.places.iter().for_each(Place::unpack);
        }
    }
}

// SAFETY: the buffers belong to the operation until it is complete, whichever thread completes it.
unsafe impl Send for Entry {}

static ENTRIES: Mutex<Option<HashMap<Fint, Entry>>> = Mutex::new(None);

/// The number of entries, so that programs without sections pay a load.
static COUNT: AtomicUsize = AtomicUsize::new(0);

fn entries() -> MutexGuard<'static, Option<HashMap<Fint, Entry>>> {
    ENTRIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A buffer of an operation that goes on after the call.
pub struct Deferred(Place);

impl Deferred {
    /// Copies a section with gaps. `is_written`: the operation writes the buffer.
    ///
    /// # Safety
    /// `descriptor` describes memory of the program, until the operation is complete.
    pub unsafe fn new(descriptor: *const Descriptor, is_written: bool) -> Result<Deferred, c_int> {
        // SAFETY: the caller's promise.
        Ok(Deferred(unsafe { Place::new(descriptor, is_written)? }))
    }

    pub fn address(&mut self) -> *mut c_void {
        self.0.address()
    }
}

/// Keeps the copies, if there are some, until the request is complete.
///
/// # Safety
/// `request` points to the request that the call has made, or to the null request.
pub unsafe fn keep<const N: usize>(
    request: *const Fint,
    buffers: [Deferred; N],
    is_persistent: bool,
) {
    // SAFETY: the caller's promise.
    let request = unsafe { *request };
    let copied = buffers.iter().any(|buffer| buffer.0.packed.is_some());
    if !copied || request == c::MPI_REQUEST_NULL as Fint {
        return;
    }
    let places = buffers.map(|buffer| buffer.0).into();
    let mut entries = entries();
    let entries = entries.get_or_insert_default();
    entries.insert(request, Entry { places, is_persistent, is_active: !is_persistent });
    // relaxed: the thread that completes the request has learnt of it after this call.
    COUNT.store(entries.len(), Ordering::Relaxed);
}

/// The copies of the requests of a call, each with the index and the number of its request.
///
/// No other thread finds them during the call. Once the C library has completed a request, another
/// thread may get the number for a new request, whose copies must not be taken for these.
pub struct Watched(Vec<(usize, Fint, Entry)>);

/// Takes the copies of the requests that a call may complete, if any request has copies.
///
/// # Safety
/// `requests` points to `count` requests.
pub unsafe fn watch(requests: *const Fint, count: c_int) -> Option<Watched> {
    // relaxed: see `keep`.
    if COUNT.load(Ordering::Relaxed) == 0 || count <= 0 {
        return None;
    }
    // SAFETY: the caller's promise.
    let numbers = unsafe { slice::from_raw_parts(requests, count as usize) };
    let mut entries = entries();
    let entries = entries.as_mut()?;
    let with_copies = numbers
        .iter()
        .enumerate()
        .filter_map(|(index, number)| entries.remove(number).map(|entry| (index, *number, entry)));
    let watched: Vec<_> = with_copies.collect();
    // relaxed: see `keep`.
    COUNT.store(entries.len(), Ordering::Relaxed);
    (!watched.is_empty()).then_some(Watched(watched))
}

/// Copies back the buffers of the requests that the call has completed: those for whose index
/// `is_done` holds. Keeps the copies of the requests that are still there.
///
/// # Safety
/// `requests` is the array of `watch` after the call.
pub unsafe fn finish(
    watched: Option<Watched>,
    requests: *const Fint,
    is_done: impl Fn(usize) -> bool,
) {
    let Some(Watched(watched)) = watched else { return };
    let mut left = Vec::new();
    for (index, number, mut entry) in watched {
        // SAFETY: the caller's promise.
        let is_over = unsafe { *requests.add(index) } == c::MPI_REQUEST_NULL as Fint;
        let is_complete = is_done(index) && (is_over || entry.is_persistent);
        if is_complete {
            entry.copy_back();
        }
        if !(is_complete && is_over) {
            left.push((number, entry));
        }
    }
    put_back(left);
}

/// Copies back the buffers of complete requests that remain: those for whose index `is_done` holds,
/// after a procedure that says whether requests are complete and frees none.
///
/// # Safety
/// `requests` points to `count` requests.
pub unsafe fn complete(requests: *const Fint, count: c_int, is_done: impl Fn(usize) -> bool) {
    // relaxed: see `keep`.
    if COUNT.load(Ordering::Relaxed) == 0 || count <= 0 {
        return;
    }
    // SAFETY: the caller's promise.
    let numbers = unsafe { slice::from_raw_parts(requests, count as usize) };
    let mut entries = entries();
    let Some(entries) = entries.as_mut() else { return };
    for (_, number) in numbers.iter().enumerate().filter(|(index, _)| is_done(*index)) {
        if let Some(entry) = entries.get_mut(number) {
            entry.copy_back();
        }
    }
}

fn put_back(left: Vec<(Fint, Entry)>) {
    if left.is_empty() {
        return;
    }
    let mut entries = entries();
    let entries = entries.get_or_insert_default();
    entries.extend(left);
    // relaxed: see `keep`.
    COUNT.store(entries.len(), Ordering::Relaxed);
}

/// Copies the sections of persistent requests again, before they are started.
pub fn start(watched: Option<Watched>) {
    let Some(Watched(watched)) = watched else { return };
    let started = watched.into_iter().map(|(_, number, mut entry)| {
        entry.places.iter_mut().filter_map(|place| place.packed.as_mut()).for_each(Packed::pack);
        entry.is_active = true;
        (number, entry)
    });
    put_back(started.collect());
}

#[cfg(test)]
mod tests {
    use super::super::Dimension;
    use super::*;

    const NULL: Fint = c::MPI_REQUEST_NULL as Fint;

    /// Returns a buffer of two bytes with a gap, whose copy the operation has filled with `value`.
    fn received(memory: &mut [u8; 3], value: u8) -> Deferred {
        let base = memory.as_mut_ptr();
        let dimensions = vec![Dimension { extent: 2, stride: 2 }];
        let bytes = vec![u128::from_ne_bytes([value; 16])];
        let packed = Some(Packed { base, element_bytes: 1, dimensions, bytes });
        Deferred(Place { base: base.cast(), packed, is_written: true })
    }

    #[test]
    fn a_request_may_have_the_number_of_a_completed_one() {
        let (mut first, mut second) = ([0; 3], [0; 3]);
        // SAFETY: the requests and the buffers are local variables.
        unsafe {
            keep(&101, [received(&mut first, 1)], false);
            let watched = watch(&101, 1);
            // The C library completes the request, and gives its number to another thread.
            keep(&101, [received(&mut second, 2)], false);
            finish(watched, &NULL, |_| true);
            assert_eq!((first, second), ([1, 0, 1], [0; 3]));
            finish(watch(&101, 1), &NULL, |_| true);
            assert_eq!(second, [2, 0, 2]);
            assert!(watch(&101, 1).is_none());
        }
    }

    #[test]
    fn only_a_started_request_is_copied_back_and_only_once() {
        let mut memory = [3; 3];
        // SAFETY: the request and the buffer are local variables.
        unsafe {
            keep(&102, [received(&mut memory, 4)], true);
            finish(watch(&102, 1), &102, |_| true);
            assert_eq!(memory, [3; 3], "it was not started");
            start(watch(&102, 1));
            memory.fill(5);
            finish(watch(&102, 1), &102, |_| false);
            assert_eq!(memory, [5; 3], "it is not complete");
            complete(&102, 1, |_| true);
            assert_eq!(memory, [3, 5, 3], "it is complete");
            memory.fill(6);
            finish(watch(&102, 1), &102, |_| true);
            assert_eq!(memory, [6; 3], "it has been copied back");
            assert!(watch(&102, 1).is_some(), "a persistent request remains");
        }
    }
}
