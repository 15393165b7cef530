//! Copies of sections that live until their request is complete.
//!
//! The procedures that complete requests ask here whether any request has copies. A request that C
//! completes is not seen: a program that passes sections to these operations waits for them in
//! Fortran.

use super::{Descriptor, Place};
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
    entries.insert(request, Entry { places, is_persistent });
    // relaxed: the thread that completes the request has learnt of it after this call.
    COUNT.store(entries.len(), Ordering::Relaxed);
}

/// The numbers of the requests that a call completes, if any request has copies.
pub struct Watched(Vec<Fint>);

/// Reads the requests before the call.
///
/// # Safety
/// `requests` points to `count` requests.
pub unsafe fn watch(requests: *const Fint, count: c_int) -> Option<Watched> {
    // relaxed: see `keep`.
    if COUNT.load(Ordering::Relaxed) == 0 || count <= 0 {
        return None;
    }
    // SAFETY: the caller's promise.
    Some(Watched(unsafe { slice::from_raw_parts(requests, count as usize) }.to_vec()))
}

/// Copies back the buffers of the requests that the call has completed: those for whose index
/// `is_done` holds.
///
/// # Safety
/// `requests` is the array of `watch` after the call.
pub unsafe fn finish(
    watched: Option<Watched>,
    requests: *const Fint,
    is_done: impl Fn(usize) -> bool,
) {
    let Some(Watched(numbers)) = watched else { return };
    let mut entries = entries();
    let Some(entries) = entries.as_mut() else { return };
    for (index, number) in numbers.into_iter().enumerate().filter(|(index, _)| is_done(*index)) {
        // SAFETY: the caller's promise.
        let now = unsafe { *requests.add(index) };
        let Some(entry) = entries.get(&number) else { continue };
        let is_over = now == c::MPI_REQUEST_NULL as Fint;
        if is_over || entry.is_persistent {
            entry.places.iter().for_each(Place::unpack);
        }
        if is_over {
            entries.remove(&number);
        }
    }
    // relaxed: see `keep`.
    COUNT.store(entries.len(), Ordering::Relaxed);
}

/// Forgets the copies of a request that is freed.
pub fn forget(watched: Option<Watched>) {
    let Some(Watched(numbers)) = watched else { return };
    if let Some(entries) = entries().as_mut() {
        numbers.iter().for_each(|number| drop(entries.remove(number)));
        // relaxed: see `keep`.
        COUNT.store(entries.len(), Ordering::Relaxed);
    }
}

/// Copies the sections of persistent requests again, before they are started.
pub fn refresh(watched: Option<&Watched>) {
    let Some(Watched(numbers)) = watched else { return };
    let mut entries = entries();
    let Some(entries) = entries.as_mut() else { return };
    for number in numbers {
        let places = entries.get_mut(number).map(|entry| &mut entry.places);
        let packed = places.into_iter().flatten().filter_map(|place| place.packed.as_mut());
        packed.for_each(super::Packed::pack);
    }
}
