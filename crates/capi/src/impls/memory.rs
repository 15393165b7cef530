//! Memory for messages and windows (MPI 5.0 §9.2).
//!
//! It lies in the node's segment, so that the other processes of the node can map a window made of
//! it. If the segment has no free memory, it lies on the C heap:
//!
//! ```text
//!   allocation            base (given to the program)
//!   | … padding … | start, size, alignment |  size bytes  |
//! ```
//!
//! The words before the base tell `MPI_Free_mem`, which knows only the base, what to free.

#![allow(unsafe_code)]

use crate::params::null;
use crate::params::{Out, UserBuffer};
use nemesis_datatype::MemoryRegion;
use nemesis_mpi::abi;
use nemesis_mpi::enter_any;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::Info;
use nemesis_mpi::info;
use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_void;

/// One cache line: enough for every predefined type, and two allocations share no line.
const ALIGNMENT_MIN: usize = 64;

/// The words right before the base.
#[derive(Clone, Copy)]
struct Before {
    start: *mut u8,
    layout: Layout,
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
    baseptr.write(base.cast());
    Ok(())
}

/// Allocates memory on the C heap, behind the words that tell what to free.
fn alloc_on_heap(size: usize, alignment: usize) -> Outcome<*mut u8> {
    let head = size_of::<Before>().next_multiple_of(alignment);
    let layout =
        size.checked_add(head).and_then(|whole| Layout::from_size_align(whole, alignment).ok());
    let no_memory = || {
        Error::new(
            abi::MPI_ERR_NO_MEM,
            format!("{size} bytes aligned to {alignment} cannot be had"),
        )
    };
    let layout = layout.ok_or_else(no_memory)?;
    // SAFETY: the layout is not empty, because the head belongs to it. The allocation has `head`
    // bytes before the base. They have room for the words, whose alignment divides that of the
    // base.
    unsafe {
        let start = alloc(layout);
        if start.is_null() {
            return Err(no_memory());
        }
        let base = start.add(head);
        base.cast::<Before>().sub(1).write(Before { start, layout });
        Ok(base)
    }
}

pub fn free_mem(base: UserBuffer) -> Outcome {
    if base.is_null() {
        return Err(null("base"));
    }
    if let Some(endpoint) = &mut enter_any()?.pt2pt.endpoint {
        endpoint.deregister_piece(base.address());
    }
    if enter_any()?.memory.as_mut().is_some_and(|memory| memory.free_piece(base.address())) {
        return Ok(());
    }
    // SAFETY: the base comes from `alloc_mem` (MPI 5.0 §9.2), which wrote these words, and nobody
    // uses the memory after this call.
    unsafe {
        let before = base.as_ptr().cast::<Before>().sub(1).read();
        dealloc(before.start, before.layout);
    }
    Ok(())
}
