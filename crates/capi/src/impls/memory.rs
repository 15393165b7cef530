//! Memory for messages and windows (MPI 5.0 §9.2).
//!
//! It lies in the node's segment, so that the other processes of the node can map a window made of
//! it. If the segment has no free memory, it lies on the C heap, and a table has its layout:
//! `MPI_Free_mem` knows only the address, and refuses one that is in neither.
//!
//! Memory that a window exposes stays allocated until no window exposes it.

#![allow(unsafe_code)]

use crate::params::null;
use crate::params::{Out, UserBuffer};
use nemesis_datatype::MemoryRegion;
use nemesis_mpi::abi;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::enter_any;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::Info;
use nemesis_mpi::info;
use nemesis_mpi::rma::{self, Window};
use nemesis_mpi_check::kinds;
use std::alloc::{Layout, alloc, dealloc};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One cache line: enough for every predefined type, and two allocations share no line.
const ALIGNMENT_MIN: usize = 64;

/// The layout of each allocation on the C heap, by its address.
static ON_HEAP: Mutex<BTreeMap<usize, Layout>> = Mutex::new(BTreeMap::new());

fn on_heap() -> MutexGuard<'static, BTreeMap<usize, Layout>> {
    // Every change is complete before anything can panic.
    ON_HEAP.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The alignment that the hint asks for, at least [`ALIGNMENT_MIN`].
fn alignment(info: Info) -> Outcome<usize> {
    let hints = info::hints(info)?;
    let asked =
        hints.get("mpi_minimum_memory_alignment").and_then(|value| value.parse::<usize>().ok());
    Ok(asked.and_then(usize::checked_next_power_of_two).unwrap_or(0).max(ALIGNMENT_MIN))
}

pub fn alloc_mem(size: isize, info: Info, baseptr: Out<'_, *mut c_void>) -> Outcome {
    let size = usize::try_from(size).map_err(|_| {
        Error::new(abi::MPI_ERR_ARG, format!("size is {size}, it must not be negative"))
    })?;
    let baseptr = baseptr.require("baseptr")?;
    let alignment = alignment(info)?;
    // Entered once, so that nothing fails between the allocation and the registration.
    let mut mpi = enter_any()?;
    let shared = mpi.memory.as_mut().and_then(|memory| memory.allocate_piece(size, alignment));
    let base = match shared {
        Some(address) => std::ptr::with_exposed_provenance_mut(address),
        None => alloc_on_heap(size, alignment)?,
    };
    // SAFETY: A1: the memory stays allocated until `free_mem` has ended the registration.
    let memory = unsafe { MemoryRegion::of_program(base.cast(), size) };
    if let Some(endpoint) = &mut mpi.pt2pt.endpoint {
        endpoint.register_piece(|| memory.to_register());
    }
    if nemesis_mpi_check::is_on() {
        nemesis_mpi_check::memory::allocated(base.expose_provenance(), size);
    }
    baseptr.write(base.cast());
    Ok(())
}

#[cold]
fn foreign() -> Box<Error> {
    let why = "the address is none that MPI_Alloc_mem has returned, or its memory has been freed";
    Error::new(abi::MPI_ERR_BASE, why)
        .advise("pass each address of MPI_Alloc_mem once; MPI_Win_free frees a window's memory")
}

/// Allocates memory on the C heap.
fn alloc_on_heap(size: usize, alignment: usize) -> Outcome<*mut u8> {
    let no_memory = || {
        Error::new(
            abi::MPI_ERR_NO_MEM,
            format!("{size} bytes aligned to {alignment} cannot be had"),
        )
    };
    // Memory of no bytes has an address of its own, too.
    let layout = Layout::from_size_align(size.max(1), alignment).map_err(|_| no_memory())?;
    // SAFETY: the layout is not empty.
    let base = unsafe { alloc(layout) };
    if base.is_null() {
        return Err(no_memory());
    }
    on_heap().insert(base.expose_provenance(), layout);
    Ok(base)
}

/// The addresses of allocations that the program has freed while a window exposed them. They are
/// freed when no window exposes them any more.
static PUT_OFF: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

fn put_off() -> MutexGuard<'static, BTreeSet<usize>> {
    // Every change is complete before anything can panic.
    PUT_OFF.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns what the program should do instead of freeing memory that a window exposes.
fn advice(window: &Window) -> (&'static str, &'static str) {
    match window.attributes.flavor {
        abi::MPI_WIN_FLAVOR_ALLOCATE => ("MPI_Win_allocate", FREES),
        abi::MPI_WIN_FLAVOR_SHARED => ("MPI_Win_allocate_shared", FREES),
        abi::MPI_WIN_FLAVOR_DYNAMIC => ("MPI_Win_create_dynamic", "call MPI_Win_detach before"),
        _ => ("MPI_Win_create", "call MPI_Win_free before"),
    }
}

/// Says that a window exposes memory that is freed.
#[cold]
fn exposed(window: &Window) -> String {
    let (made, _) = advice(window);
    let name = match window.name.as_str() {
        "" => String::new(),
        name => format!("{name:?} "),
    };
    format!("the window {name}that {made} has made exposes this memory")
}

/// What to do with the memory that a window has allocated.
const FREES: &str = "leave the memory to the window: MPI_Win_free frees it";

pub fn free_mem(base: UserBuffer) -> Outcome {
    if base.is_null() {
        return Err(null("base"));
    }
    let mut mpi = enter_any()?;
    let address = base.address();
    let Some(bytes) = bytes_at(&mpi, address) else {
        // A window's own memory is no allocation.
        let window = rma::window_over(&mut mpi, address, 1);
        return Err(window.map_or_else(foreign, |window| {
            Error::new(abi::MPI_ERR_BASE, exposed(window)).advise(advice(window).1)
        }));
    };
    if put_off().contains(&address) {
        return Err(foreign());
    }
    if nemesis_mpi_check::is_on() {
        nemesis_mpi_check::memory::freed(address);
    }
    if let Some(window) = rma::window_over(&mut mpi, address, bytes) {
        // Programs do so after their last epoch, and every other library lets them.
        nemesis_mpi_check::suspect(&kinds::EXPOSED, || exposed(window));
        put_off().insert(address);
        return Ok(());
    }
    release(&mut mpi, address);
    Ok(())
}

/// Returns the length in bytes of the allocation at an address, if one begins there.
fn bytes_at(mpi: &Mpi, address: usize) -> Option<usize> {
    let in_segment = mpi.memory.as_ref().and_then(|memory| memory.piece_bytes(address));
    in_segment.or_else(|| on_heap().get(&address).map(Layout::size))
}

/// Frees an allocation at once.
fn release(mpi: &mut Mpi, address: usize) {
    if let Some(endpoint) = &mut mpi.pt2pt.endpoint {
        endpoint.deregister_piece(address);
    }
    if mpi.memory.as_mut().is_some_and(|memory| memory.free_piece(address)) {
        return;
    }
    let Some(layout) = on_heap().remove(&address) else { return };
    // SAFETY: `alloc_on_heap` has allocated memory of this layout at this address, and it has not
    // been freed, because the table had it. Nobody uses the memory after the program has freed it
    // (MPI 5.0 §9.2), and no window exposes it.
    unsafe { dealloc(std::ptr::with_exposed_provenance_mut(address), layout) };
}

/// Frees the allocations that the program has freed while a window exposed them, if the last user
/// of MPI has ended: what is left of windows then exposes nothing. MPI may start again, and give an
/// address to the program that it has freed before.
pub(super) fn end_session(mpi: &mut Mpi) {
    if mpi.life.users == 0 {
        for address in std::mem::take(&mut *put_off()) {
            release(mpi, address);
        }
    }
}

/// Frees the allocations that the program has freed while a window exposed them, and that no window
/// exposes any more. Called when a window, or a part of one, has ended.
pub(super) fn free_put_off(mpi: &mut Mpi) {
    let waiting: Vec<usize> = put_off().iter().copied().collect();
    for address in waiting {
        let bytes = bytes_at(mpi, address).unwrap_or(1);
        if rma::window_over(mpi, address, bytes).is_none() {
            put_off().remove(&address);
            release(mpi, address);
        }
    }
}
