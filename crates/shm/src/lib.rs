//! Shared memory: how the processes of one node hand each other packets.
//!
//! | file | what |
//! |---|---|
//! | `layout` | where everything lies in the segment: slots at a fixed stride, offsets, never pointers |
//! | `segment` | the mapped segment and typed views into it |
//! | `queue` | the lock-free queue: many enqueuers, one dequeuer (the paper's Figure 3, with the shadow head of its §3.1) |
//! | `fastbox` | a ring of cache lines from one process to another (the paper's §3.2) |
//! | `pieces` | a long packet that is read while it is being written |
//! | `doorbell` | sleeping and waking without a fence on the sender's side |
//! | `free` | what is free of a range of numbers |
//! | `heap` | memory that a process allocates in the segment and others map: windows |
//! | `span` | ranges of memory that others let us copy into |
//! | `cooperative` | a copy that two processes perform together |
//! | `am_slot` | an access to a process's memory that the process itself may carry out |
//! | `coll_segment` | where a group's members meet in collective operations |
//! | `copy` | short copies |
//! | `line_transfer` | how lines pass between processors, measured |
//! | `status` | what a process is doing, for whoever asks |
//!
//! The algorithms are generic over where their words lie: the segment in production, plain heap memory in tests, loom's cells under the model
//! checker. They link by index, so the same code runs in all three.

pub mod am_slot;
pub mod coll_segment;
pub mod cooperative;
pub mod copy;
pub mod doorbell;
pub mod fastbox;
#[cfg(not(loom))]
pub mod free;
#[cfg(not(loom))]
pub mod heap;
#[cfg(not(loom))]
pub mod layout;
#[cfg(not(loom))]
pub mod line_transfer;
pub mod pieces;
pub mod queue;
#[cfg(not(loom))]
pub mod segment;
#[cfg(not(loom))]
pub mod span;
#[cfg(not(loom))]
pub mod status;

/// Bytes of a page: heaps begin and are divided at multiples of it, and mappings can begin there.
pub const PAGE_BYTES: usize = 4096;
