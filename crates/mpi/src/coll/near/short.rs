//! Short calls: what the calls of the other files do in a few instructions, where all is as it mostly is.
//!
//! The law is that of short messages (memo 0003): what is to be known before a call begins is looked at first, and "no" has touched nothing, so that the
//! general way begins from the arguments. From there on the call is under way. If others do not come while this process looks, or what they have published
//! is not what belongs to the call, it has *begun*, and the general way goes on from there (`…_begun`): it waits, and explains.
//!
//! Members with a processor each, predefined types and operators, all on one node. Nothing here may do what the general way would not: one member goes
//! this way and another one that.

use super::{Circle, LOOKS};
use crate::comm::count;
use crate::engine::Engine;
use crate::handle;
use nemesis::Endpoint;
use nemesis::board::Phase;
use nemesis_datatype::{Dense, Joining};

/// What a row may have in a short call. All of them go through lines and rooms (`choice`).
pub const SHORT_MAX_BYTES: u32 = 1 << 10;

/// How far a short call came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Short {
    /// Nothing has happened.
    No,
    /// This process has published its part, if it has any, and the others' are not there, or not what they should be.
    Begun,
    Done,
}

impl Engine {
    /// The next call on a communicator begins, if its processes meet at a board where all is free that a row of `bytes` bytes needs, and `root` is one of
    /// them.
    #[inline(always)]
    fn begin_short(&mut self, comm: handle::Comm, bytes: usize, root: u32) -> Option<(&mut Circle, &Endpoint)> {
        let (object, endpoint) = self.comm_and_endpoint(comm)?;
        let (circle, schedule) = object.blocking.as_deref_mut()?.circle()?;
        if circle.crowded || root >= circle.members() || !circle.board.try_begin(bytes) {
            return None;
        }
        schedule.renew(count(&mut object.collectives));
        Some((circle, endpoint))
    }

    /// This process's rank, if the handle is a communicator's.
    #[inline(always)]
    pub fn rank_fast(&self, comm: handle::Comm) -> Option<u32> {
        Some(self.comm_fast(comm)?.rank)
    }

    /// `MPI_Barrier`
    #[inline]
    pub fn barrier_short(&mut self, comm: handle::Comm) -> Short {
        let Some((circle, endpoint)) = self.begin_short(comm, 0, 0) else { return Short::No };
        circle.board.publish(circle.me(), Phase::A, 0);
        circle.ring_others(endpoint);
        if !circle.see_others(|row| circle.sees(row)) {
            return Short::Begun;
        }
        circle.have_met();
        Short::Done
    }

    /// `MPI_Bcast` of some bytes. A root's is never only begun.
    #[inline]
    pub fn bcast_short(&mut self, comm: handle::Comm, data: Dense, root: u32) -> Short {
        let Some((circle, endpoint)) = self.begin_short(comm, data.len(), root) else { return Short::No };
        if circle.me() == root {
            circle.board.post(Phase::A, data.as_bytes());
            circle.ring_others(endpoint);
        } else if circle.sees_bytes(root, data.len()) {
            data.put(circle.board.room(root, Phase::A, data.len()));
        } else {
            return Short::Begun;
        }
        circle.retire();
        Short::Done
    }

    /// `MPI_Reduce` where this process is not the root: never only begun.
    #[inline]
    pub fn contribute_short(&mut self, comm: handle::Comm, own: Dense, root: u32) -> Short {
        let Some((circle, endpoint)) = self.begin_short(comm, own.len(), root) else { return Short::No };
        circle.board.post(Phase::A, own.as_bytes());
        endpoint.ring(circle.processes[root as usize]);
        circle.retire();
        Short::Done
    }

    /// `MPI_Reduce` at the root, of which nothing is published when it has only begun. The result is not where the contribution is.
    #[inline]
    pub fn reduce_short(&mut self, comm: handle::Comm, own: Dense, result: Dense, joining: Joining) -> Short {
        let Some((circle, _)) = self.begin_short(comm, own.len(), 0) else { return Short::No };
        if !circle.see_others(|row| circle.sees_bytes(row, own.len())) {
            return Short::Begun;
        }
        circle.join_short(joining, Some(own), result);
        circle.retire();
        Short::Done
    }

    /// `MPI_Allreduce`. The result may be where the contribution is.
    #[inline]
    pub fn allreduce_short(&mut self, comm: handle::Comm, own: Dense, result: Dense, joining: Joining) -> Short {
        let Some((circle, endpoint)) = self.begin_short(comm, own.len(), 0) else { return Short::No };
        circle.board.post(Phase::A, own.as_bytes());
        circle.ring_others(endpoint);
        if !circle.see_others(|row| circle.sees_bytes(row, own.len())) {
            return Short::Begun;
        }
        circle.have_met();
        circle.join_short(joining, None, result);
        Short::Done
    }
}

impl Circle {
    /// Looks at a row until it is published, for a while.
    #[inline(always)]
    fn sees(&self, row: u32) -> bool {
        (0..LOOKS).any(|_| self.board.is_published(row, Phase::A))
    }

    /// The same of a row that should have so many bytes; false if it has not.
    #[inline(always)]
    fn sees_bytes(&self, row: u32, bytes: usize) -> bool {
        self.sees(row) && self.board.length(row, Phase::A) == bytes
    }

    /// Wakes all others that may wait.
    #[inline(always)]
    fn ring_others(&self, endpoint: &Endpoint) {
        for (&process, member) in self.processes.iter().zip(0..) {
            if member != self.me() {
                endpoint.ring(process);
            }
        }
    }

    /// Whether that is so of all other rows.
    #[inline(always)]
    fn see_others(&self, sees: impl Fn(u32) -> bool) -> bool {
        (0..self.members()).all(|row| row == self.me() || sees(row))
    }

    /// All have been heard of.
    #[inline(always)]
    fn have_met(&mut self) {
        self.board.met_all();
        self.board.prepare_next();
    }

    /// Joins what all rows have published in their order, of which each has as many bytes as the value. This process's own need not be published.
    #[inline(always)]
    fn join_short(&self, joining: Joining, own: Option<Dense>, mut value: Dense) {
        for row in 0..self.members() {
            let next = match &own {
                Some(own) if row == self.me() => own.as_bytes(),
                _ => self.board.room(row, Phase::A, value.len()),
            };
            if row == 0 {
                value.put(next);
            } else {
                joining.join(value.as_bytes_mut(), next);
            }
        }
    }
}
