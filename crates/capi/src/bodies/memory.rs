//! Memory for messages and windows (MPI 5.0 §9.2).
//!
//! It lies in the node's segment, so that a window made of it is mapped by the others; where there is no shared memory to spare, on the C heap:
//!
//! ```text
//!   allocation            base (given to the program)
//!   | … padding … | start, size, alignment |  size bytes  |
//! ```
//!
//! The words before the base let `MPI_Free_mem` give back what it is told only the address of.

use super::{null, place};
use nemesis_mpi::abi;
use nemesis_mpi::enter_any;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::Info;
use nemesis_mpi::info;
use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_void;

/// A cache line: enough for every predefined type, and no line is shared with a neighbour.
const ALIGNMENT_MIN: usize = 64;

/// What stands right before the base.
#[derive(Clone, Copy)]
struct Before {
    start: *mut u8,
    layout: Layout,
}

/// The alignment that the hint asks for, at least ours.
fn alignment(info: Info) -> Outcome<usize> {
    let hints = info::hints(info)?;
    let asked =
        hints.get("mpi_minimum_memory_alignment").and_then(|value| value.parse::<usize>().ok());
    Ok(asked.and_then(usize::checked_next_power_of_two).unwrap_or(0).max(ALIGNMENT_MIN))
}

pub unsafe fn alloc_mem(size: isize, info: Info, baseptr: *mut c_void) -> Outcome {
    let size = usize::try_from(size).map_err(|_| {
        Error::new(abi::MPI_ERR_ARG, format!("size is {size}, it must not be negative"))
    })?;
    let baseptr = place(baseptr.cast::<*mut u8>(), "baseptr")?;
    let alignment = alignment(info)?;
    let shared =
        enter_any()?.memory.as_mut().and_then(|memory| memory.allocate_piece(size, alignment));
    if let Some(address) = shared {
        // SAFETY: not null, so the caller's place.
        unsafe { baseptr.write(std::ptr::with_exposed_provenance_mut(address)) };
        return Ok(());
    }
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
    // SAFETY: the layout is not empty, the head is in it.
    let start = unsafe { alloc(layout) };
    if start.is_null() {
        return Err(no_memory());
    }
    // SAFETY: `head` bytes lie before it.
    let base = unsafe { start.add(head) };
    // SAFETY: the head has room for the words before the base, and the alignment of the base is a multiple of theirs.
    unsafe { base.cast::<Before>().sub(1).write(Before { start, layout }) };
    // SAFETY: not null, so the caller's place.
    unsafe { baseptr.write(base) };
    Ok(())
}

pub unsafe fn free_mem(base: *mut c_void) -> Outcome {
    if base.is_null() {
        return Err(null("base"));
    }
    if enter_any()?.memory.as_mut().is_some_and(|memory| memory.free_piece(base as usize)) {
        return Ok(());
    }
    // SAFETY: the caller got it from `alloc_mem`, which wrote these words.
    let before = unsafe { base.cast::<Before>().sub(1).read() };
    // SAFETY: as above; nobody uses the memory after this call.
    unsafe { dealloc(before.start, before.layout) };
    Ok(())
}
