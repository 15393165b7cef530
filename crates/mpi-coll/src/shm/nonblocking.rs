//! Non-blocking and persistent collectives of processes that share a node: calls in a collective
//! segment that may begin before earlier ones have ended.
//!
//! They have collective segments of their own, in which no process waits inside a call. The
//! non-blocking operations of a communicator share one segment; their calls are numbered in the
//! order in which they begin, which is equal at all members. Each persistent operation has its own
//! segment, because processes may start persistent operations in different orders.
//!
//! A call is a step of a schedule ([`ShmOperation`]), which the progress engine advances:
//!
//! ```text
//!   begun ──> posted ──> over
//!         │          └ the rows that it waits for are published
//!         └ its slot and staging buffer are free, or it publishes nothing
//! ```
//!
//! Beginning a call never waits for other processes: it is posted as soon as its slot is free.
//! Calls may end in another order than they begin. A member retires from the calls before the
//! oldest one that it still has. Arriving in a call does not prove that a member has left the one
//! before, so all members retire from all calls. Only short staging buffers are used, of which
//! there is one per slot: changing their length would need all members to wait.
//!
//! A waiting process sleeps at its doorbell and checks once more before it sleeps
//! ([`Call::has_news`]); publishers ring. No doorbell announces that a slot is free.

use super::single_copy::Shown;
use super::{NodeComm, looks_for_contradictions};
use crate::engine::Engine;
use crate::error::Outcome;
use crate::operator::{Operator, SliceKernel, kernel};
use nemesis::coll_segment::{CallState, Phase};
use nemesis_datatype::{Buffer, Op};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The collective segment of a communicator's non-blocking operations, or of one persistent
/// operation.
#[derive(Debug)]
pub struct Nonblocking {
    node_comm: NodeComm,
    /// The last call that has begun.
    latest: CallState,
    /// This process has ended the calls up to this one.
    over: u64,
    /// Calls after `over` that have ended; the lowest bit is the next call's.
    early: u64,
}

/// A shared reference to a [`Nonblocking`]. Schedules keep it while they run, even if the
/// communicator is freed.
#[derive(Clone, Debug)]
pub struct Shared(Arc<Mutex<Nonblocking>>);

/// The operation of a call and its arguments.
#[derive(Clone, Debug)]
pub enum ShmOperation {
    Barrier,
    /// If `direct`, the root shows its memory to the others; otherwise it copies into its short
    /// staging buffer.
    Bcast {
        buffer: Buffer,
        root: u32,
        direct: bool,
    },
    /// On contiguous elements of a predefined type, of at most the length of a short staging
    /// buffer.
    Allreduce {
        own: Buffer,
        result: Buffer,
        op: Op,
    },
}

/// A call in progress.
#[derive(Debug)]
pub struct Call {
    turn: CallState,
    posted: bool,
    /// The number of times that the call could not proceed.
    polls: u32,
    /// The memory of the root that others read.
    shown: Option<Buffer>,
}

impl Shared {
    pub(crate) fn new(mut node_comm: NodeComm) -> Shared {
        // No process waits inside a call, so none announces that it sleeps.
        node_comm.announces_sleep = false;
        let latest = node_comm.coll_segment.call_state();
        Shared(Arc::new(Mutex::new(Nonblocking { node_comm, latest, over: 0, early: 0 })))
    }

    /// Returns whether no operation uses the segment.
    pub(crate) fn is_idle(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }

    #[inline]
    pub fn lock(&self) -> MutexGuard<'_, Nonblocking> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Nonblocking {
    /// Begins the next call.
    pub fn begin(&mut self, operation: &ShmOperation, history: u64) -> Call {
        self.node_comm.coll_segment.resume(self.latest);
        self.node_comm.coll_segment.set_history(history);
        self.node_comm.coll_segment.begin(operation.published_bytes());
        self.latest = self.node_comm.coll_segment.call_state();
        Call { turn: self.latest, posted: false, polls: 0, shown: None }
    }

    /// Ends a call of this process. It is fewer calls than there are slots after the oldest call
    /// that has not ended, because no member publishes earlier.
    fn end(&mut self, turn: CallState) {
        self.early |= 1 << (turn.number() - self.over - 1);
        let ended = self.early.trailing_ones();
        self.over += u64::from(ended);
        self.early >>= ended;
        self.node_comm.coll_segment.retire_up_to(self.over);
        self.node_comm.coll_segment.prefetch_next_line();
    }
}

impl Drop for Nonblocking {
    fn drop(&mut self) {
        self.node_comm.coll_segment.leave();
    }
}

impl ShmOperation {
    /// Returns the most bytes that any member publishes in a row.
    fn published_bytes(&self) -> usize {
        match self {
            ShmOperation::Barrier | ShmOperation::Bcast { direct: true, .. } => 0,
            ShmOperation::Bcast { buffer, .. } => buffer.bytes(),
            ShmOperation::Allreduce { own, .. } => own.bytes(),
        }
    }
}

impl Call {
    /// Advances the call as far as possible. Returns the outcome when this process's part is
    /// complete.
    pub fn advance(
        &mut self,
        nonblocking: &mut Nonblocking,
        engine: &mut Engine,
        operation: &ShmOperation,
    ) -> Option<Outcome> {
        let node_comm = &mut nonblocking.node_comm;
        node_comm.coll_segment.resume(self.turn);
        let mut outcome = Ok(());
        if !self.posted {
            if !node_comm.may_post(operation) {
                return None;
            }
            self.posted = true;
            outcome = self.post(node_comm, engine, operation);
        }
        if outcome.is_ok() {
            if !node_comm.has_heard(operation) {
                return None;
            }
            outcome = node_comm.finish(engine, operation);
        }
        nonblocking.end(self.turn);
        Some(outcome)
    }

    /// Returns whether the call can proceed.
    pub fn has_news(&self, nonblocking: &mut Nonblocking, operation: &ShmOperation) -> bool {
        nonblocking.node_comm.coll_segment.resume(self.turn);
        if self.posted {
            nonblocking.node_comm.has_heard(operation)
        } else {
            nonblocking.node_comm.may_post(operation)
        }
    }

    /// Returns whether another member is in another call with this one's number. Looks for that
    /// from time to time only.
    pub fn is_contradicted(&mut self, nonblocking: &mut Nonblocking) -> bool {
        self.polls = self.polls.wrapping_add(1);
        if !looks_for_contradictions(self.polls) {
            return false;
        }
        let coll_segment = &mut nonblocking.node_comm.coll_segment;
        coll_segment.resume(self.turn);
        if self.turn.number() == nonblocking.over + 1 {
            coll_segment.announce_wait();
        }
        let contradicted = coll_segment.is_contradicted();
        if contradicted {
            coll_segment.disagree();
            self.turn = coll_segment.call_state();
        }
        contradicted
    }

    /// Returns whether the call waits for a slot, which no doorbell announces.
    pub fn waits_for_slot(&self) -> bool {
        !self.posted
    }

    /// Publishes this process's contribution.
    fn post(
        &mut self,
        node_comm: &mut NodeComm,
        engine: &mut Engine,
        operation: &ShmOperation,
    ) -> Outcome {
        let me = node_comm.me();
        match operation {
            ShmOperation::Barrier => {
                if !node_comm.oversubscribed {
                    node_comm.coll_segment.publish(me, Phase::A, 0);
                }
                node_comm.arrive(engine, false, |_| Some(0));
            }
            ShmOperation::Allreduce { own, result, op } => {
                node_comm.post(Phase::A, own);
                node_comm.arrive(engine, true, |node_comm| node_comm.combine_for_all(result, *op));
            }
            ShmOperation::Bcast { root, .. } if *root != me => {}
            ShmOperation::Bcast { buffer, direct: false, .. } => {
                node_comm.post(Phase::A, buffer);
                node_comm.ring_all(engine);
            }
            ShmOperation::Bcast { buffer, direct: true, .. } => {
                let shown = node_comm.or_fail(engine, Shown::full(buffer))?;
                node_comm.show(shown.place());
                node_comm.ring_all(engine);
                self.shown = Some(shown.into_contiguous());
            }
        }
        Ok(())
    }
}

impl NodeComm {
    /// Returns whether this process may publish in a call, or publishes nothing.
    fn may_post(&mut self, operation: &ShmOperation) -> bool {
        let silent = matches!(operation, ShmOperation::Bcast { root, .. } if *root != self.me());
        silent || self.coll_segment.is_free()
    }

    /// Makes this process's row known to all. If oversubscribed, the last member to arrive runs
    /// `last` for all, unless members of this call `post` rows and one of them is missing.
    fn arrive(
        &mut self,
        engine: &mut Engine,
        post: bool,
        last: impl FnOnce(&mut NodeComm) -> Option<usize>,
    ) {
        if !self.oversubscribed {
            self.ring_all(engine);
        } else if self.coll_segment.arrive(Phase::A, self.members()) && (!post || self.have_come())
        {
            self.publish_common(Phase::A, last);
            self.ring_all(engine);
        }
    }

    /// Returns whether all rows that this process waits for are published.
    fn has_heard(&self, operation: &ShmOperation) -> bool {
        let coll_segment = &self.coll_segment;
        match operation {
            ShmOperation::Barrier | ShmOperation::Allreduce { .. } if self.oversubscribed => {
                coll_segment.is_published(coll_segment.common(), Phase::A)
            }
            ShmOperation::Barrier | ShmOperation::Allreduce { .. } => {
                self.others().all(|row| coll_segment.is_published(row, Phase::A))
            }
            ShmOperation::Bcast { root, .. } if *root != self.me() => {
                coll_segment.is_published(*root, Phase::A)
            }
            ShmOperation::Bcast { direct, .. } => {
                !direct || coll_segment.is_published(coll_segment.common(), Phase::B)
            }
        }
    }

    /// Copies or reduces what this process needs, after all rows that it waits for are published.
    fn finish(&mut self, engine: &mut Engine, operation: &ShmOperation) -> Outcome {
        match operation {
            ShmOperation::Allreduce { result, .. } if self.oversubscribed => {
                self.take_common(result)
            }
            ShmOperation::Allreduce { result, op, .. } => self.combine_all(result, *op),
            ShmOperation::Bcast { buffer, root, .. } if *root != self.me() => {
                if !self.coll_segment.has_words(*root, Phase::A) {
                    return self.take(*root, buffer, *root);
                }
                let fetched = self.fetch(engine, *root, self.place_in_words(*root), buffer);
                self.report(engine, *root, Phase::B);
                fetched
            }
            ShmOperation::Barrier | ShmOperation::Bcast { .. } => Ok(()),
        }
    }

    /// Reduces all members' contributions into `result`, in the order of recursive doubling: an
    /// operation that begins before the segment exists uses that algorithm
    /// (`messages::allreduce_doubling`), and its result must have equal bits.
    fn combine_all(&self, result: &Buffer, op: Op) -> Outcome {
        let mut place = result.clone();
        match (kernel(Operator::Predefined(op), result), place.as_bytes_mut()) {
            (Some(kernel), Some(value)) => self.combine_by_doubling(&kernel, value),
            _ => Ok(()),
        }
    }

    /// Reduces all members' vectors into `value`, in the order of recursive doubling.
    ///
    /// With n members, of which 2^k is the greatest power of two, the first 2 (n - 2^k) members
    /// form pairs. The 2^k pairs and single members are then combined, neighbours first.
    pub(super) fn combine_by_doubling(
        &self,
        kernel: &SliceKernel<'_>,
        value: &mut [u8],
    ) -> Outcome {
        let rounds = self.members().ilog2();
        // The upper half of the places in each round.
        let mut upper = vec![0; rounds as usize * value.len()];
        self.combine_places(kernel, 0..1 << rounds, value, &mut upper)
    }

    /// Reduces a power of two of neighbouring places, each of a pair or a single member, into
    /// `value`. `upper` has space for a vector in each round.
    fn combine_places(
        &self,
        kernel: &SliceKernel<'_>,
        places: Range<u32>,
        value: &mut [u8],
        upper: &mut [u8],
    ) -> Outcome {
        if places.len() == 1 {
            let pairs = self.members() - (1 << self.members().ilog2());
            let row_of = |place: u32| place + place.min(pairs);
            return self.combine_rows(kernel, row_of(places.start)..row_of(places.end), value);
        }
        let middle = places.start + places.len() as u32 / 2;
        let (next, upper) = upper.split_at_mut(value.len());
        self.combine_places(kernel, places.start..middle, value, upper)?;
        self.combine_places(kernel, middle..places.end, next, upper)?;
        kernel.combine(value, next)
    }

    /// Reduces all members' contributions and copies the result to the common row. Returns its
    /// length, or `None` if that failed.
    fn combine_for_all(&mut self, result: &Buffer, op: Op) -> Option<usize> {
        self.combine_all(result, op).ok()?;
        let (common, length) = (self.coll_segment.common(), result.bytes());
        result.pack_at(0, self.coll_segment.buffer(common, Phase::A, length));
        Some(length)
    }
}
