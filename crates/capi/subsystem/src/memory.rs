//! Remote memory for C: windows on a node, and registered memory (`subsystem::window`,
//! `subsystem::registered`).
//!
//! The functions rely on the program's pointers, and check descriptions, keys and addresses of
//! other processes. A refused call has no effect.

use crate::failure::{Failure, argument};
use crate::process::{self, Process};
use crate::remote_memory::RemoteMemory;
use crate::{OK, return_value};
use std::ffi::{c_int, c_void};
use subsystem::Span;
use subsystem::registered::{Key, RegisteredError};
use subsystem::window::{Attached, Description, Window};

/// `nemesis_piece`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Piece {
    address: u64,
    bytes: usize,
}

const _: () =
    assert!(size_of::<Piece>() == 16 && size_of::<Description>() == 32 && size_of::<Key>() == 112);

fn null(name: &str) -> Failure {
    argument(format!("{name} is NULL"))
}

/// Returns memory of the program.
///
/// # Safety
/// It is readable, and writable if it is written to, until the last use of the span.
unsafe fn local(address: *const c_void, bytes: usize) -> Result<Span, Failure> {
    if address.is_null() && bytes > 0 {
        return Err(argument(format!(
            "the local address is NULL, and {bytes} bytes are to be copied"
        )));
    }
    // SAFETY: the caller's promise is R1.
    Ok(unsafe { Span::of_program(address.cast(), bytes) })
}

/// # Safety
/// `base` and `description` are null or places for a pointer and a description.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nemesis_window_allocate(
    bytes: usize,
    base: *mut *mut c_void,
    description: *mut Description,
) -> c_int {
    return_value(process::with(|process| {
        if base.is_null() || description.is_null() {
            return Err(null("base or description"));
        }
        let memory = process.remote.memory()?;
        let window = Window::allocate(memory, bytes)
            .map_err(|refusal| Failure::Memory(refusal.to_string()))?;
        // SAFETY: not null, so it points to memory of the caller.
        unsafe { description.write(window.description(memory)) };
        // SAFETY: as above.
        unsafe { base.write(std::ptr::with_exposed_provenance_mut(window.address())) };
        process.remote.windows.insert(window.address(), window);
        Ok(OK)
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn nemesis_window_free(base: *mut c_void) -> c_int {
    return_value(process::with(|process| {
        let window = process
            .remote
            .windows
            .remove(&(base as usize))
            .ok_or_else(|| argument(format!("no window begins at {base:p}")))?;
        window.free(process.remote.memory()?);
        Ok(OK)
    }))
}

/// # Safety
/// `description` is null or points to a description.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nemesis_window_attach(description: *const Description) -> c_int {
    return_value(process::with(|process| {
        // SAFETY: null, or a description by the caller's promise.
        let description = unsafe { description.as_ref() }.ok_or_else(|| null("description"))?;
        let attached = Attached::attach(process.remote.memory()?, description)
            .map_err(|refusal| Failure::Memory(refusal.to_string()))?;
        let slots = &mut process.remote.attached;
        let index = slots.iter().position(Option::is_none).unwrap_or(slots.len());
        match slots.get_mut(index) {
            Some(slot) => *slot = Some(attached),
            None => slots.push(Some(attached)),
        }
        c_int::try_from(index).map_err(|_| Failure::Memory("too many windows are attached".into()))
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn nemesis_window_detach(window: c_int) -> c_int {
    return_value(process::with(|process| {
        process.remote.attached(window)?;
        process.remote.attached[window as usize] = None;
        Ok(OK)
    }))
}

fn outside(target: u64, bytes: usize) -> Failure {
    argument(format!("{bytes} bytes at the target's address {target:#x} are not in the window"))
}

/// # Safety
/// `local_address` has `bytes` readable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nemesis_put(
    window: c_int,
    target: u64,
    local_address: *const c_void,
    bytes: usize,
) -> c_int {
    return_value(process::with(|process| {
        // SAFETY: the caller's promise.
        let from = unsafe { local(local_address, bytes) }?;
        if process.remote.attached(window)?.put(target, &from, 0, bytes) {
            Ok(OK)
        } else {
            Err(outside(target, bytes))
        }
    }))
}

/// # Safety
/// `local_address` has `bytes` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nemesis_get(
    window: c_int,
    target: u64,
    local_address: *mut c_void,
    bytes: usize,
) -> c_int {
    return_value(process::with(|process| {
        // SAFETY: the caller's promise.
        let to = unsafe { local(local_address, bytes) }?;
        if process.remote.attached(window)?.get(target, &to, 0, bytes) {
            Ok(OK)
        } else {
            Err(outside(target, bytes))
        }
    }))
}

/// Returns an array of pieces.
///
/// # Safety
/// It is null or has `count` pieces.
unsafe fn pieces<'a>(array: *const Piece, count: usize) -> Result<&'a [Piece], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if array.is_null() {
        return Err(null("an array of pieces"));
    }
    // SAFETY: not null, so the caller's array.
    Ok(unsafe { std::slice::from_raw_parts(array, count) })
}

/// Copies between pieces of a window and pieces of the program, both in their order. Checks all
/// arguments first.
fn copy_pieces(
    process: &Process,
    window: c_int,
    targets: &[Piece],
    locals: &[Piece],
    put: bool,
) -> Result<c_int, Failure> {
    let attached = process.remote.attached(window)?;
    let sum = |pieces: &[Piece]| {
        pieces.iter().try_fold(0usize, |sum, piece| sum.checked_add(piece.bytes))
    };
    match (sum(targets), sum(locals)) {
        (Some(target), Some(local)) if target == local => {}
        (target, local) => {
            return Err(argument(format!(
                "the target's pieces have {target:?} bytes, the local ones {local:?}"
            )));
        }
    }
    for piece in targets {
        attached
            .translate(piece.address, piece.bytes)
            .ok_or_else(|| outside(piece.address, piece.bytes))?;
    }
    if let Some(piece) = locals.iter().find(|piece| piece.address == 0 && piece.bytes > 0) {
        return Err(argument(format!(
            "the local address is NULL, and {} bytes are to be copied",
            piece.bytes
        )));
    }
    let mut locals = locals.iter();
    let (mut here, mut used) = (locals.next(), 0);
    for target in targets {
        let mut done = 0;
        while done < target.bytes {
            let Some(piece) = here else { break };
            if used == piece.bytes {
                (here, used) = (locals.next(), 0);
                continue;
            }
            let part = (target.bytes - done).min(piece.bytes - used);
            // SAFETY: the caller promises the pieces of the program.
            let region = unsafe { local(piece.address as *const c_void, piece.bytes) }?;
            let copied = match put {
                true => attached.put(target.address + done as u64, &region, used, part),
                false => attached.get(target.address + done as u64, &region, used, part),
            };
            debug_assert!(copied, "checked above");
            done += part;
            used += part;
        }
    }
    Ok(OK)
}

/// # Safety
/// The arrays have as many pieces as the arguments say, and the local ones are readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nemesis_put_pieces(
    window: c_int,
    target: *const Piece,
    targets: usize,
    local: *const Piece,
    locals: usize,
) -> c_int {
    return_value(process::with(|process| {
        // SAFETY: the caller's promise.
        let (target, local) = unsafe { (pieces(target, targets)?, pieces(local, locals)?) };
        copy_pieces(process, window, target, local, true)
    }))
}

/// # Safety
/// The arrays have as many pieces as the arguments say, and the local ones are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nemesis_get_pieces(
    window: c_int,
    target: *const Piece,
    targets: usize,
    local: *const Piece,
    locals: usize,
) -> c_int {
    return_value(process::with(|process| {
        // SAFETY: the caller's promise.
        let (target, local) = unsafe { (pieces(target, targets)?, pieces(local, locals)?) };
        copy_pieces(process, window, target, local, false)
    }))
}

/// Turns an error of registered memory into a failure of C.
fn failure_of(error: RegisteredError) -> Failure {
    match error {
        RegisteredError::NotRegistered => argument(error.to_string()),
        RegisteredError::NoDirectory(_)
        | RegisteredError::Unmapped(_)
        | RegisteredError::InUse(_) => Failure::Memory(error.to_string()),
    }
}

/// # Safety
/// `base` has `bytes` bytes that stay readable and writable until they are deregistered; `key` is
/// null or a place for a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nemesis_register(base: *mut c_void, bytes: usize, key: *mut Key) -> c_int {
    return_value(process::with(|process| {
        if key.is_null() {
            return Err(null("key"));
        }
        // SAFETY: the caller's promise.
        let region = unsafe { local(base, bytes) }?;
        let Process { endpoint, remote: RemoteMemory { memory, registered, .. }, .. } = process;
        let memory =
            memory.as_mut().ok_or_else(|| Failure::Memory("this process has no segment".into()))?;
        let made = registered.register(endpoint, memory, region).map_err(failure_of)?;
        // SAFETY: not null, so the caller's process.
        unsafe { key.write(made) };
        Ok(OK)
    }))
}

/// # Safety
/// `key` is null or points to a key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nemesis_deregister(key: *const Key) -> c_int {
    return_value(process::with(|process| {
        // SAFETY: null, or a key by the caller's promise.
        let key = unsafe { key.as_ref() }.ok_or_else(|| null("key"))?;
        if key.process != u64::from(process.endpoint.me()) {
            return Err(failure_of(RegisteredError::NotRegistered));
        }
        process.remote.registered.deregister(&mut process.endpoint, key).map_err(failure_of)?;
        Ok(OK)
    }))
}

/// Begins a put or a get.
///
/// # Safety
/// As of [`nemesis_put_start`] and [`nemesis_get_start`].
unsafe fn start(
    key: *const Key,
    target: u64,
    address: *const c_void,
    bytes: usize,
    counter: *mut c_int,
    put: bool,
) -> c_int {
    return_value(process::with(|process| {
        // SAFETY: null, or a key by the caller's promise.
        let key = unsafe { key.as_ref() }.ok_or_else(|| null("key"))?;
        if counter.is_null() {
            return Err(null("counter"));
        }
        // SAFETY: the caller's promise.
        let region = unsafe { local(address, bytes) }?;
        let Process { endpoint, remote: RemoteMemory { memory, registered, counters, .. }, .. } =
            process;
        let memory =
            memory.as_ref().ok_or_else(|| Failure::Memory("this process has no segment".into()))?;
        let begun = match put {
            true => registered.put(endpoint, memory, key, target, region),
            false => registered.get(endpoint, memory, key, target, region),
        };
        let operation = begun.map_err(failure_of)?;
        // SAFETY: not null, so the caller's counter.
        unsafe { counter.write_volatile(1) };
        counters.push((operation, counter));
        process.remote.progress(&mut process.endpoint);
        Ok(OK)
    }))
}

/// # Safety
/// `key` is null or a key; the local bytes are readable, and `counter` valid, as long as the
/// counter is above zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nemesis_put_start(
    key: *const Key,
    target: u64,
    local: *const c_void,
    bytes: usize,
    counter: *mut c_int,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { start(key, target, local, bytes, counter, true) }
}

/// # Safety
/// `key` is null or a key; the local bytes are writable, and `counter` valid, as long as the
/// counter is above zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nemesis_get_start(
    key: *const Key,
    target: u64,
    local: *mut c_void,
    bytes: usize,
    counter: *mut c_int,
) -> c_int {
    // SAFETY: the caller's promises.
    unsafe { start(key, target, local, bytes, counter, false) }
}
