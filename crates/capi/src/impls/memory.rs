//! Memory for messages and windows (MPI 5.0 §9.2).
//!
//! It lies in the node's segment, so that the other processes of the node can map a window made of
//! it. If the segment has no free memory, it lies on the C heap, and a table has its layout:
//! `MPI_Free_mem` knows only the address, and refuses one that is in neither.

#![allow(unsafe_code)]

use crate::params::null;
use crate::params::{Out, UserBuffer};
use nemesis_datatype::MemoryRegion;
use nemesis_mpi::abi;
use nemesis_mpi::enter_any;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::Info;
use nemesis_mpi::info;
use nemesis_mpi::rma::{self, Window};
use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
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

/// Makes the error of memory that a window exposes.
#[cold]
fn exposed(window: &Window) -> Box<Error> {
    let (made, advice) = match window.attributes.flavor {
        abi::MPI_WIN_FLAVOR_ALLOCATE => ("MPI_Win_allocate", FREES),
        abi::MPI_WIN_FLAVOR_SHARED => ("MPI_Win_allocate_shared", FREES),
        abi::MPI_WIN_FLAVOR_DYNAMIC => ("MPI_Win_create_dynamic", "call MPI_Win_detach before"),
        _ => ("MPI_Win_create", "call MPI_Win_free before"),
    };
    let name = match window.name.as_str() {
        "" => String::new(),
        name => format!("{name:?} "),
    };
    let why = format!("the window {name}that {made} has made exposes this memory");
    Error::new(abi::MPI_ERR_BASE, why).advise(advice)
}

/// What to do with the memory that a window has allocated.
const FREES: &str = "leave the memory to the window: MPI_Win_free frees it";

pub fn free_mem(base: UserBuffer) -> Outcome {
    if base.is_null() {
        return Err(null("base"));
    }
    let mut mpi = enter_any()?;
    let address = base.address();
    let in_segment = mpi.memory.as_ref().and_then(|memory| memory.piece_bytes(address));
    let bytes = in_segment.or_else(|| on_heap().get(&address).map(Layout::size));
    // A window's own memory is no allocation.
    if let Some(window) = rma::window_over(&mut mpi, address, bytes.unwrap_or(1)) {
        return Err(exposed(window));
    }
    if bytes.is_none() {
        return Err(foreign());
    }
    if let Some(endpoint) = &mut mpi.pt2pt.endpoint {
        endpoint.deregister_piece(address);
    }
    if nemesis_mpi_check::is_on() {
        nemesis_mpi_check::memory::freed(address);
    }
    if mpi.memory.as_mut().is_some_and(|memory| memory.free_piece(address)) {
        return Ok(());
    }
    let layout = on_heap().remove(&address).ok_or_else(foreign)?;
    // SAFETY: `alloc_on_heap` has allocated memory of this layout at this address, and it has not
    // been freed, because the table had it. Nobody uses the memory after this call (MPI 5.0 §9.2).
    unsafe { dealloc(std::ptr::with_exposed_provenance_mut(address), layout) };
    Ok(())
}
