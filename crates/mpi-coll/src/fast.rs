//! Fast paths of short blocking collectives (`shm::fast`): the view of a communicator.

use crate::engine::Engine;
use crate::handle;
use crate::run::polls_next;
use crate::shm::FastCall;
use crate::state::COLLECTIVES;
use std::hint::cold_path;

/// Returns what a fast path on a communicator needs, or `None` if the general path must be taken.
/// On an oversubscribed node a call yields the processor while it holds the lock, which only a
/// thread that is `alone` may do.
#[inline(always)]
pub fn fast_call(engine: &mut Engine, comm: handle::Comm, alone: bool) -> Option<FastCall<'_>> {
    let (object, endpoint, token) = engine.comm_and_endpoint(comm)?;
    if polls_next(object) {
        cold_path();
        return None;
    }
    let node_comm = COLLECTIVES.get_mut(token).states.get_mut(object)?.node_comm()?;
    FastCall::new(node_comm, endpoint, &mut object.collectives, alone)
}
