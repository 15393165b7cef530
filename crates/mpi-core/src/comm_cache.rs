//! Cache of the communicator that messages use most.
//!
//! Sending or receiving a short message takes less than a hundred instructions, and a fifth of them
//! would look up the handle. The cache holds what messages need of one communicator, so one
//! comparison finds it. Another communicator replaces it after [`OTHERS_BEFORE_CHANGE`] messages of
//! communicators other than the cached one. Programs that alternate between two communicators
//! change the cache rarely.

use crate::comm::Comm;
use crate::context::Class;
use crate::handle::{self, Handle};

/// Messages of other communicators before the cache changes. A change copies the table of
/// processes.
const OTHERS_BEFORE_CHANGE: u32 = 16;

/// The communicator that sends used last, with the processes of its ranks.
#[derive(Debug)]
pub struct CommCache {
    /// Handle of the cached communicator; null if the cache is empty.
    comm: handle::Comm,
    /// Context of its point-to-point messages.
    pub context: u64,
    /// Rank of this process in the communicator.
    pub rank: u32,
    /// Messages of other communicators since the cache was filled.
    others: u32,
    /// Process of every rank that is a valid destination.
    destinations: Vec<u32>,
}

impl CommCache {
    /// An empty cache.
    pub const NONE: CommCache = CommCache {
        comm: handle::Comm::NULL,
        context: 0,
        rank: 0,
        others: 0,
        destinations: Vec::new(),
    };

    /// Returns the process of `rank`, if `comm` is cached and has that rank.
    #[inline(always)]
    pub fn process(&self, comm: handle::Comm, rank: i32) -> Option<u32> {
        if comm != self.comm {
            return None;
        }
        self.destinations.get(rank as u32 as usize).copied()
    }

    /// Counts a message of `comm` that missed the cache. Returns whether to cache `comm` now.
    #[inline]
    pub(crate) fn count_use(&mut self, comm: handle::Comm) -> bool {
        if comm == self.comm {
            return false;
        }
        self.others += 1;
        self.others.is_multiple_of(OTHERS_BEFORE_CHANGE)
    }

    /// Caches `object`, which `comm` names.
    #[cold]
    pub(crate) fn fill(&mut self, comm: handle::Comm, object: &Comm) {
        let mut destinations = std::mem::take(&mut self.destinations);
        destinations.clear();
        destinations.extend_from_slice(object.destinations());
        let context = object.context.class(Class::PointToPoint).0;
        *self = CommCache { comm, context, rank: object.rank, others: 0, destinations };
    }

    /// Empties the cache if it holds `comm`, whose handle becomes invalid.
    pub fn forget(&mut self, comm: handle::Comm) {
        if comm == self.comm {
            *self = CommCache::NONE;
        }
    }
}
