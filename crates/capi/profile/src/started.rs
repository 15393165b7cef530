//! Persistent sends: a message for each start of a request.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The process and the bytes of the message of each persistent send, by the request's handle.
static SENDS: Mutex<Option<HashMap<usize, (u32, u64)>>> = Mutex::new(None);

fn with<R>(act: impl FnOnce(&mut HashMap<usize, (u32, u64)>) -> R) -> R {
    let mut sends = SENDS.lock().unwrap_or_else(PoisonError::into_inner);
    act(sends.get_or_insert_default())
}

/// Remembers a persistent send.
pub fn made(request: usize, process: u32, bytes: u64) {
    with(|sends| sends.insert(request, (process, bytes)));
}

/// Returns the process and the bytes of a persistent send, if the request is one.
pub fn message(request: usize) -> Option<(u32, u64)> {
    with(|sends| sends.get(&request).copied())
}

/// Forgets a request.
pub fn freed(request: usize) {
    with(|sends| sends.remove(&request));
}
