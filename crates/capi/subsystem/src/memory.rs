//! Remote memory for C: windows on a node, and registered memory (`subsystem::window`,
//! `subsystem::registered`).
//!
//! The functions rely on the program's pointers, and check descriptions, keys and addresses of
//! other processes. A refused call has no effect.

use crate::failure::{Failure, argument};
use crate::process::{self, Process};
use crate::remote_memory::RemoteMemory;
use crate::types::{Counter, In, InSlice, Local, Out, Subsystem};
use crate::{OK, return_value};
use nemesis_params::{Library, c_functions};
use std::ffi::{c_int, c_void};
use subsystem::registered::{Key, RegisteredError};
use subsystem::window::{Attached, Description, Window};

/// `nemesis_piece` of a window; that of the program is [`Local`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Piece {
    address: u64,
    bytes: usize,
}

const _: () =
    assert!(size_of::<Piece>() == 16 && size_of::<Description>() == 32 && size_of::<Key>() == 176);

c_functions! {
    fn nemesis_window_allocate(
        bytes: usize,
        base: *mut *mut c_void,
        description: *mut Description,
    ) -> c_int
    where base: Out::new(base), description: Out::new(description) => {
        return_value(process::with(|process| window_allocate(process, bytes, base, description)))
    }

    fn nemesis_window_free(base: *mut c_void) -> c_int {
        return_value(process::with(|process| window_free(process, base.addr())))
    }

    fn nemesis_window_attach(description: *const Description) -> c_int
    where description: In::new(description) => {
        return_value(process::with(|process| window_attach(process, description)))
    }

    fn nemesis_window_detach(window: c_int) -> c_int {
        return_value(process::with(|process| {
            process.remote.attached(window)?;
            process.remote.attached[window as usize] = None;
            Ok(OK)
        }))
    }

    fn nemesis_put(window: c_int, target: u64, local: *const c_void, bytes: usize) -> c_int
    where from: Local::new(local, bytes) => {
        return_value(process::with(|process| copy(process, window, target, from, true)))
    }

    fn nemesis_get(window: c_int, target: u64, local: *mut c_void, bytes: usize) -> c_int
    where to: Local::new(local, bytes) => {
        return_value(process::with(|process| copy(process, window, target, to, false)))
    }

    fn nemesis_put_pieces(
        window: c_int,
        target: *const Piece,
        targets: usize,
        local: *const Local,
        locals: usize,
    ) -> c_int
    where
        target: InSlice::new(target, targets as i64),
        local: InSlice::new(local, locals as i64) =>
    {
        return_value(process::with(|process| copy_pieces(process, window, target, local, true)))
    }

    fn nemesis_get_pieces(
        window: c_int,
        target: *const Piece,
        targets: usize,
        local: *const Local,
        locals: usize,
    ) -> c_int
    where
        target: InSlice::new(target, targets as i64),
        local: InSlice::new(local, locals as i64) =>
    {
        return_value(process::with(|process| copy_pieces(process, window, target, local, false)))
    }

    fn nemesis_register(base: *mut c_void, bytes: usize, key: *mut Key) -> c_int
    where region: Local::new(base, bytes), key: Out::new(key) => {
        return_value(process::with(|process| register(process, region, key)))
    }

    fn nemesis_deregister(key: *const Key) -> c_int
    where key: In::new(key) => {
        return_value(process::with(|process| deregister(process, key)))
    }

    fn nemesis_put_start(
        key: *const Key,
        target: u64,
        local: *const c_void,
        bytes: usize,
        counter: *mut c_int,
    ) -> c_int
    where
        key: In::new(key),
        from: Local::new(local, bytes),
        counter: Counter::new(counter) =>
    {
        return_value(process::with(|process| start(process, key, target, from, counter, true)))
    }

    fn nemesis_get_start(
        key: *const Key,
        target: u64,
        local: *mut c_void,
        bytes: usize,
        counter: *mut c_int,
    ) -> c_int
    where
        key: In::new(key),
        to: Local::new(local, bytes),
        counter: Counter::new(counter) =>
    {
        return_value(process::with(|process| start(process, key, target, to, counter, false)))
    }
}

fn window_allocate(
    process: &mut Process,
    bytes: usize,
    base: Out<'_, *mut c_void>,
    description: Out<'_, Description>,
) -> Result<c_int, Failure> {
    let (Some(base), Some(description)) = (base.get(), description.get()) else {
        return Err(Subsystem::null("base or description"));
    };
    let memory = process.remote.memory()?;
    let window =
        Window::allocate(memory, bytes).map_err(|refusal| Failure::Memory(refusal.to_string()))?;
    description.write(window.description(memory));
    base.write(std::ptr::with_exposed_provenance_mut(window.address()));
    process.remote.windows.insert(window.address(), window);
    Ok(OK)
}

fn window_free(process: &mut Process, base: usize) -> Result<c_int, Failure> {
    let window = process
        .remote
        .windows
        .remove(&base)
        .ok_or_else(|| argument(format!("no window begins at {base:#x}")))?;
    window.free(process.remote.memory()?);
    Ok(OK)
}

fn window_attach(
    process: &mut Process,
    description: In<'_, Description>,
) -> Result<c_int, Failure> {
    let description = description.require("description")?;
    let attached = Attached::attach(process.remote.memory()?, description)
        .map_err(|refusal| Failure::Memory(refusal.to_string()))?;
    let slots = &mut process.remote.attached;
    let index = slots.iter().position(Option::is_none).unwrap_or(slots.len());
    match slots.get_mut(index) {
        Some(slot) => *slot = Some(attached),
        None => slots.push(Some(attached)),
    }
    c_int::try_from(index).map_err(|_| Failure::Memory("too many windows are attached".into()))
}

fn outside(target: u64, bytes: usize) -> Failure {
    argument(format!("{bytes} bytes at the target's address {target:#x} are not in the window"))
}

/// Copies between a window and memory of the program.
fn copy(
    process: &Process,
    window: c_int,
    target: u64,
    local: Local,
    put: bool,
) -> Result<c_int, Failure> {
    let (span, bytes) = (local.span()?, local.bytes());
    let attached = process.remote.attached(window)?;
    let copied = match put {
        true => attached.put(target, &span, 0, bytes),
        false => attached.get(target, &span, 0, bytes),
    };
    if copied { Ok(OK) } else { Err(outside(target, bytes)) }
}

/// Adds numbers of bytes; `None` if the sum overflows.
fn sum(bytes: impl IntoIterator<Item = usize>) -> Option<usize> {
    bytes.into_iter().try_fold(0_usize, |sum, bytes| sum.checked_add(bytes))
}

/// Copies between pieces of a window and pieces of the program, both in their order. Checks all
/// arguments first.
fn copy_pieces(
    process: &Process,
    window: c_int,
    targets: InSlice<'_, Piece>,
    locals: InSlice<'_, Local>,
    put: bool,
) -> Result<c_int, Failure> {
    let name = "an array of pieces";
    let (targets, locals) = (targets.require(name)?, locals.require(name)?);
    let attached = process.remote.attached(window)?;
    match (sum(targets.iter().map(|piece| piece.bytes)), sum(locals.iter().map(Local::bytes))) {
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
    locals.iter().try_for_each(Local::check)?;
    let mut locals = locals.iter();
    let (mut here, mut used) = (locals.next(), 0);
    for target in targets {
        let mut done = 0;
        while done < target.bytes {
            let Some(piece) = here else { break };
            if used == piece.bytes() {
                (here, used) = (locals.next(), 0);
                continue;
            }
            let part = (target.bytes - done).min(piece.bytes() - used);
            let region = piece.span()?;
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

/// Turns an error of registered memory into a failure of C.
fn failure_of(error: RegisteredError) -> Failure {
    match error {
        RegisteredError::NotRegistered => argument(error.to_string()),
        RegisteredError::NoDirectory(_)
        | RegisteredError::Unmapped(_)
        | RegisteredError::InUse(_) => Failure::Memory(error.to_string()),
    }
}

fn register(process: &mut Process, region: Local, key: Out<'_, Key>) -> Result<c_int, Failure> {
    let key = key.require("key")?;
    let region = region.span()?;
    let Process { endpoint, remote: RemoteMemory { memory, registered, .. }, .. } = process;
    let memory =
        memory.as_mut().ok_or_else(|| Failure::Memory("this process has no segment".into()))?;
    key.write(registered.register(endpoint, memory, region).map_err(failure_of)?);
    Ok(OK)
}

fn deregister(process: &mut Process, key: In<'_, Key>) -> Result<c_int, Failure> {
    let key = key.require("key")?;
    if key.process != u64::from(process.endpoint.me()) {
        return Err(failure_of(RegisteredError::NotRegistered));
    }
    process.remote.registered.deregister(&mut process.endpoint, key).map_err(failure_of)?;
    Ok(OK)
}

/// Begins a put or a get.
fn start(
    process: &mut Process,
    key: In<'_, Key>,
    target: u64,
    local: Local,
    counter: Counter,
    put: bool,
) -> Result<c_int, Failure> {
    let (key, counter) = (key.require("key")?, counter.require()?);
    let region = local.span()?;
    let Process { endpoint, remote: RemoteMemory { memory, registered, counters, .. }, .. } =
        process;
    let memory =
        memory.as_ref().ok_or_else(|| Failure::Memory("this process has no segment".into()))?;
    let begun = match put {
        true => registered.put(endpoint, memory, key, target, region),
        false => registered.get(endpoint, memory, key, target, region),
    };
    let operation = begun.map_err(failure_of)?;
    counter.set(1);
    counters.push((operation, counter));
    process.remote.progress(&mut process.endpoint);
    Ok(OK)
}
