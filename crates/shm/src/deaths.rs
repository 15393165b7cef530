//! The record of deaths: which processes of the job have ended, told by the launcher of the node
//! (`told_deaths`).
//!
//! A job that is started with `mpiexec -ft` goes on when a process dies. The launcher, whose child
//! the process was, or to which another launcher has reported it, appends its rank to the record in
//! the segment's header, counts it, and rings the doorbells of the node. A process compares the
//! count with the number of deaths that it has handled: one load of a line that no process writes.
//!
//! ```text
//!   header:  DEATHS       | is tolerant | count |          written by the launcher alone
//!            DEATHS + 64  | rank 0 | rank 1 | …            in the order in which they died
//! ```
//!
//! Ordering edges:
//! * E1 *record*: the launcher's write of a rank → its write of the count → Acquire load of the
//!   count → the reader's load of the rank. The launcher writes by `pwrite(2)`, each of which the
//!   kernel orders after the one before.
//! * E2 *sleep*: the launcher writes the count, executes a full fence and loads the doorbell's
//!   flag; a process raises its flag, executes the doorbell's full barrier and loads the count. One
//!   of the two sees the other. A sleep has a limit in any case.

#![allow(unsafe_code)]

use nemesis_sync::{AtomicU32, AtomicU64, Ordering};
use nemesis_sys::mapping::{GRANULE_BYTES, Mapping};
use rustix::fd::AsFd;
use std::ptr::NonNull;

/// Offset of the record in the segment's header.
pub(crate) const DEATHS: usize = 2048;
/// Offset of the count within the record.
pub(crate) const COUNT: usize = 8;
/// Offset of the ranks within the record.
pub(crate) const RANKS: usize = 64;
/// Most deaths that a record holds. A job that loses more is ended.
pub const DEATHS_MAX: usize = (GRANULE_BYTES - DEATHS - RANKS) / 64 * 16;

/// The words of the record.
#[derive(Debug)]
#[repr(C, align(64))]
struct Record {
    is_tolerant: AtomicU64,
    count: AtomicU64,
    unused: [AtomicU64; 6],
    ranks: [AtomicU32; DEATHS_MAX],
}

const _: () = assert!(
    std::mem::offset_of!(Record, count) == COUNT
        && std::mem::offset_of!(Record, ranks) == RANKS
        && DEATHS + RANKS + 4 * DEATHS_MAX <= GRANULE_BYTES
);

/// The record, as a process of the job reads it.
#[derive(Clone, Copy, Debug)]
pub struct Deaths(&'static Record);

impl Deaths {
    /// Returns the record in a segment that is mapped from `header` on.
    ///
    /// # Safety
    /// The first `GRANULE_BYTES` bytes from `header` on are mapped until the process ends.
    pub(crate) unsafe fn within(header: NonNull<u8>) -> Deaths {
        // SAFETY: the record lies within the granule, which begins a page, and stays mapped (the
        // caller's promise); all zero is a record without deaths.
        Deaths(unsafe { header.add(DEATHS).cast::<Record>().as_ref() })
    }

    /// Maps the header of a segment's file. The mapping stays until the process ends.
    pub fn of_file(file: impl AsFd) -> Option<Deaths> {
        let mapping = Mapping::part(file, 0, GRANULE_BYTES).ok()?;
        // SAFETY: the mapping is forgotten, so it stays.
        let deaths = unsafe { Deaths::within(mapping.base()) };
        std::mem::forget(mapping);
        Some(deaths)
    }

    /// Returns whether the job goes on when a process dies.
    pub fn is_tolerant(&self) -> bool {
        // Relaxed: written before any process of the job starts.
        self.0.is_tolerant.load(Ordering::Relaxed) != 0
    }

    /// Returns the number of deaths.
    #[inline(always)]
    pub fn count(&self) -> u64 {
        // Acquire (E1): pairs with the launcher's writes.
        self.0.count.load(Ordering::Acquire).min(DEATHS_MAX as u64)
    }

    /// Returns the rank of the process that died as number `index`, below [`count`](Self::count).
    pub fn rank(&self, index: u64) -> u32 {
        // Relaxed: ordered by the count (E1).
        self.0.ranks.get(index as usize).map_or(u32::MAX, |rank| rank.load(Ordering::Relaxed))
    }
}
