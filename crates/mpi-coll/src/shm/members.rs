//! Whether the processes of a communicator use collective segments, and which of them share one.

use super::nonblocking::Shared as SharedNonblocking;
use super::{NodeComm, Nodes};
use crate::handle;
use crate::site::Site;

/// Calls on a communicator before its segment is created, which takes about as long as three calls.
const CALLS_BEFORE: u8 = 3;

/// Whether the processes of a communicator use a collective segment. The node comm is not boxed,
/// which saves a load in the fast path.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
pub enum ShmState {
    /// Not yet: the number of calls until it is created.
    Later(u8),
    /// They use messages for good.
    Never,
    /// They use messages for good, because each is alone on its node.
    Apart,
    /// They use a segment, and short calls take the fast path.
    Here(NodeComm),
    /// They use a segment, and no call takes the fast path.
    HereSlowly(NodeComm),
    /// The members of each node use segments, level by level, and the leader of a node exchanges
    /// messages with those of the other nodes.
    Levels(Box<Nodes>),
}

impl Default for ShmState {
    fn default() -> ShmState {
        ShmState::Later(CALLS_BEFORE)
    }
}

impl ShmState {
    /// Counts a call. Returns true if it is time to create the segment: for the first call that
    /// `reduces`.
    #[inline]
    pub fn is_due(&mut self, reduces: bool) -> bool {
        match self {
            ShmState::Later(calls) if *calls == 0 || reduces => true,
            ShmState::Later(calls) => {
                *calls -= 1;
                false
            }
            _ => false,
        }
    }

    /// Returns the node comm, if all processes share a node and use a collective segment.
    pub fn node_comm(&mut self) -> Option<&mut NodeComm> {
        match self {
            ShmState::Here(node_comm) | ShmState::HereSlowly(node_comm) => Some(node_comm),
            _ => None,
        }
    }

    /// Sets the communicator and its history for the calls that begin from now on.
    #[inline]
    pub fn set_history(&mut self, comm: handle::Comm, history: u64) {
        match self {
            ShmState::Here(node_comm) | ShmState::HereSlowly(node_comm) => {
                node_comm.set_history(comm, history);
            }
            ShmState::Levels(nodes) => nodes.levels().set_history(comm, history),
            ShmState::Later(_) | ShmState::Never | ShmState::Apart => {}
        }
    }

    /// Makes all calls take the general path.
    #[cold]
    pub fn close_fast_path(&mut self) {
        *self = match std::mem::replace(self, ShmState::Never) {
            ShmState::Here(node_comm) => ShmState::HereSlowly(node_comm),
            other => other,
        };
    }

    /// Returns the site and the segment of non-blocking operations, if there is one.
    pub fn nonblocking(&self) -> Option<(Site, &SharedNonblocking)> {
        match self {
            ShmState::Here(node_comm) | ShmState::HereSlowly(node_comm) => {
                Some((node_comm.site(), node_comm.nonblocking.as_ref()?))
            }
            _ => None,
        }
    }

    /// Returns the members that share collective segments.
    #[inline]
    pub fn shm_members(&mut self) -> ShmMembers<'_> {
        match self {
            ShmState::Here(node_comm) | ShmState::HereSlowly(node_comm) => {
                ShmMembers::NodeComm(node_comm)
            }
            ShmState::Levels(nodes) => ShmMembers::Nodes(nodes),
            ShmState::Apart => ShmMembers::Apart,
            ShmState::Later(_) | ShmState::Never => ShmMembers::None,
        }
    }
}

/// The members that share collective segments in a blocking operation.
pub enum ShmMembers<'a> {
    /// None: all processes send messages.
    None,
    /// None, because each participant is the only one of its node.
    Apart,
    /// All processes of the communicator.
    NodeComm(&'a mut NodeComm),
    /// The processes of each node, in levels.
    Nodes(&'a mut Nodes),
}
