//! Shared memory: the data structures by which the processes of one node exchange packets.
//!
//! | module | contents |
//! |---|---|
//! | `layout` | the layout of the segment: slots at a fixed stride, offsets instead of pointers |
//! | `segment` | the mapped segment and typed views into it |
//! | `queue` | the lock-free queue: many enqueuers, one dequeuer (Figure 3 and §3.1 of the paper) |
//! | `fastbox` | a ring of cache lines from one process to another (§3.2 of the paper) |
//! | `long_packet` | a long packet that the receiver reads while the sender writes it |
//! | `doorbell` | sleeping and waking without a fence on the sender's side |
//! | `free` | an allocator of ranges of numbers |
//! | `heap` | memory that a process allocates in the segment and others map, for windows |
//! | `span` | ranges of memory that are copied from and to on behalf of others |
//! | `foreign_box` | a fastbox in memory of its own, to a process of another job |
//! | `cooperative` | a single copy that two processes carry out together |
//! | `am_slot` | a short one-sided access that the target's process may carry out itself |
//! | `notices` | words in which a process counts what it tells another one |
//! | `agreement_segment` | where members of a communicator on one node agree although some die |
//! | `coll_segment` | the collective segment of the members of a communicator on one node |
//! | `copy` | memory copies, non-temporal stores and claiming of cache lines |
//! | `measure` | measuring what this host's processors, caches and kernel cost |
//! | `status` | what a process is doing, for the state report |
//! | `deaths`, `told_deaths` | which processes of a job that goes on without them have died |
//! | `word_wait` | a wait, deep inside of a call, for a word of another process |
//! | `kernel_call` | a call of the kernel that may take long, for the state report |
//!
//! "The paper" is "Design and Evaluation of Nemesis" (Buntinas, Mercier, Gropp 2006).
//!
//! The algorithms are generic over the memory in which their words lie: the segment in production,
//! heap memory in tests, loom's cells under the model checker. They link by index instead of by
//! pointer, so one source serves all three.

#![cfg_attr(not(loom), warn(missing_docs))]

pub mod agreement_segment;
pub mod am_slot;
pub mod coll_segment;
pub mod cooperative;
pub mod copy;
#[cfg(not(loom))]
pub mod deaths;
pub mod doorbell;
pub mod fastbox;
#[cfg(not(loom))]
pub mod foreign_box;
#[cfg(not(loom))]
pub mod free;
#[cfg(not(loom))]
pub mod heap;
#[cfg(not(loom))]
pub mod kernel_call;
#[cfg(not(loom))]
pub mod layout;
pub mod long_packet;
#[cfg(not(loom))]
pub mod measure;
pub mod notices;
pub mod queue;
#[cfg(not(loom))]
pub mod segment;
#[cfg(not(loom))]
pub mod span;
#[cfg(not(loom))]
pub mod status;
#[cfg(not(loom))]
pub mod told_deaths;
#[cfg(not(loom))]
pub mod word_wait;

/// Bytes of a page as the processor's caches know it: prefetching ends at its border, and addresses
/// with one offset in their pages delay each other. The kernel's pages can be longer, see
/// `nemesis_sys::mapping::GRANULE_BYTES`.
pub const PAGE_BYTES: usize = 4096;
