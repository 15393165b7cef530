//! The communicator that messages mostly have.
//!
//! A short message is sent or received in less than a hundred instructions, and to find what a handle names is a fifth of them. So what messages need of one
//! communicator is kept where one comparison finds it. Which one it is changes when another has been asked for often enough; programs that go to and fro
//! between two keep one of them.

use crate::context::Class;
use crate::engine::Engine;
use crate::handle::{Comm, Handle};

/// So many messages of other communicators come before the last of these is the usual one. A change copies its table of processes.
const OTHERS_BEFORE_CHANGE: u32 = 16;

#[derive(Debug)]
pub(crate) struct CommCache {
    /// Its handle; null before there is one.
    comm: Comm,
    /// The context of its messages between two processes.
    pub context: u64,
    /// Our rank in it.
    pub rank: u32,
    /// Messages of other communicators since it is the usual one.
    others: u32,
    /// Process of every rank that messages can go to.
    destinations: Vec<u32>,
}

impl CommCache {
    pub const NONE: CommCache =
        CommCache { comm: Comm::NULL, context: 0, rank: 0, others: 0, destinations: Vec::new() };

    /// Which process has that rank, if `comm` is the usual communicator and has the rank.
    #[inline(always)]
    pub fn process(&self, comm: Comm, rank: i32) -> Option<u32> {
        if comm != self.comm {
            return None;
        }
        self.destinations.get(rank as u32 as usize).copied()
    }

    /// The handle names nothing from now on.
    pub fn forget(&mut self, comm: Comm) {
        if comm == self.comm {
            *self = CommCache::NONE;
        }
    }
}

impl Engine {
    /// A message of `comm` did not take the shortest way.
    #[inline]
    pub(crate) fn get_used_to(&mut self, comm: Comm) {
        if comm != self.comm_cache.comm {
            self.comm_cache.others += 1;
            if self.comm_cache.others.is_multiple_of(OTHERS_BEFORE_CHANGE) {
                self.cache_comm(comm);
            }
        }
    }

    /// From now on `comm` is the usual communicator, if it is one.
    #[cold]
    pub(crate) fn cache_comm(&mut self, comm: Comm) {
        let mut destinations = std::mem::take(&mut self.comm_cache.destinations);
        let Some(object) = self.comm_fast(comm).filter(|object| !object.is_unnamed()) else {
            self.comm_cache.destinations = destinations;
            return;
        };
        destinations.clear();
        destinations.extend_from_slice(object.destinations());
        let context = object.context.class(Class::PointToPoint).0;
        self.comm_cache = CommCache { comm, context, rank: object.rank, others: 0, destinations };
    }
}
