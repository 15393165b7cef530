//! Non-blocking and persistent collectives of processes that share a node: calls at a board that begin before others have ended.
//!
//! They have boards of their own, each a *stand*, on which nobody waits inside a call. The non-blocking operations of a communicator share one, where their
//! calls are numbered as they begin, in the same order everywhere. A persistent operation has one for itself, since others may be started before it in one
//! process and after it in another.
//!
//! A call is a step of a schedule ([`Meet`]), which goes on when the engine comes by:
//!
//! ```text
//!   begun ──> posted ──> over
//!         │          └ the rows that it waits for are published
//!         └ its slot and room are free, or it publishes nothing
//! ```
//!
//! So beginning a call never waits for others: it is posted as soon as there is room. Calls end in another order than they begin; a member retires from
//! those up to the oldest that it still has. That it has come to a call does not prove that it has left the one before, so all members retire from all
//! calls. All rooms are short ones, of which there are as many as slots; so they never change their length, for which all would have to wait.
//!
//! Whoever waits sleeps at its doorbell like all others, and looks once more before ([`Call::has_news`]); publishers ring. Only room that becomes free is
//! told by no bell.

use super::NodeComm;
use super::single_copy::Shown;
use super::staged::kernel;
use crate::coll::Operator;
use crate::engine::Engine;
use crate::error::Outcome;
use nemesis::coll_segment::{Phase, Turn};
use nemesis_datatype::{Buffer, Op};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The board of a communicator's non-blocking operations, or of one persistent operation.
#[derive(Debug)]
pub struct Nonblocking {
    node_comm: NodeComm,
    /// The last call that has begun.
    latest: Turn,
    /// This process has done with the calls up to this one.
    over: u64,
    /// And of those behind with these: the lowest bit is the next call's.
    early: u64,
}

/// Schedules use it while they run, even if its communicator has gone.
#[derive(Clone, Debug)]
pub struct Shared(Arc<Mutex<Nonblocking>>);

/// What is done in a call.
#[derive(Clone, Debug)]
pub enum Meet {
    Barrier,
    /// The root shows the others its memory if that is `direct`; otherwise it copies into its short room.
    Bcast {
        buffer: Buffer,
        root: u32,
        direct: bool,
    },
    /// On dense elements of a predefined type, as many as a short room holds.
    Allreduce {
        own: Buffer,
        result: Buffer,
        op: Op,
    },
}

/// A call under way.
#[derive(Debug)]
pub struct Call {
    turn: Turn,
    posted: bool,
    /// What others read from the root's memory.
    shown: Option<Buffer>,
}

impl Shared {
    pub(super) fn new(mut node_comm: NodeComm) -> Shared {
        // Nobody waits inside a call, so nobody says so.
        node_comm.dozing = false;
        let latest = node_comm.coll_segment.turn();
        Shared(Arc::new(Mutex::new(Nonblocking { node_comm, latest, over: 0, early: 0 })))
    }

    /// Whether no operation has it any more.
    pub(super) fn is_idle(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }

    #[inline]
    pub fn lock(&self) -> MutexGuard<'_, Nonblocking> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Nonblocking {
    /// The next call begins.
    pub fn begin(&mut self, meet: &Meet) -> Call {
        self.node_comm.coll_segment.resume(self.latest);
        self.node_comm.coll_segment.begin(meet.published_bytes());
        self.latest = self.node_comm.coll_segment.turn();
        Call { turn: self.latest, posted: false, shown: None }
    }

    /// This process has done with a call: at most so many after the oldest that it has not as there are slots, since nobody publishes before that.
    fn end(&mut self, turn: Turn) {
        self.early |= 1 << (turn.number() - self.over - 1);
        let ended = self.early.trailing_ones();
        self.over += u64::from(ended);
        self.early >>= ended;
        self.node_comm.coll_segment.retire_up_to(self.over);
        self.node_comm.coll_segment.prepare_next();
    }
}

impl Drop for Nonblocking {
    fn drop(&mut self) {
        self.node_comm.coll_segment.leave();
    }
}

impl Meet {
    /// The most that anybody publishes in a row.
    fn published_bytes(&self) -> usize {
        match self {
            Meet::Barrier | Meet::Bcast { direct: true, .. } => 0,
            Meet::Bcast { buffer, .. } => buffer.bytes(),
            Meet::Allreduce { own, .. } => own.bytes(),
        }
    }
}

impl Call {
    /// Goes on as far as it can; the outcome when it is over here.
    pub fn advance(
        &mut self,
        nonblocking: &mut Nonblocking,
        engine: &mut Engine,
        meet: &Meet,
    ) -> Option<Outcome> {
        let node_comm = &mut nonblocking.node_comm;
        node_comm.coll_segment.resume(self.turn);
        let mut outcome = Ok(());
        if !self.posted {
            if !node_comm.may_post(meet) {
                return None;
            }
            self.posted = true;
            outcome = self.post(node_comm, engine, meet);
        }
        if outcome.is_ok() {
            if !node_comm.has_heard(meet) {
                return None;
            }
            outcome = node_comm.finish(engine, meet);
        }
        nonblocking.end(self.turn);
        Some(outcome)
    }

    /// Whether it can go on.
    pub fn has_news(&self, nonblocking: &mut Nonblocking, meet: &Meet) -> bool {
        nonblocking.node_comm.coll_segment.resume(self.turn);
        if self.posted {
            nonblocking.node_comm.has_heard(meet)
        } else {
            nonblocking.node_comm.may_post(meet)
        }
    }

    /// Whether it waits for others to leave a call, of which no bell tells.
    pub fn waits_for_room(&self) -> bool {
        !self.posted
    }

    /// Publishes this process's part.
    fn post(&mut self, node_comm: &mut NodeComm, engine: &mut Engine, meet: &Meet) -> Outcome {
        let me = node_comm.me();
        match meet {
            Meet::Barrier => {
                if !node_comm.oversubscribed {
                    node_comm.coll_segment.publish(me, Phase::A, 0);
                }
                node_comm.arrive(engine, |_| Some(0));
            }
            Meet::Allreduce { own, result, op } => {
                node_comm.post(Phase::A, own);
                node_comm.arrive(engine, |node_comm| node_comm.join_for_all(result, *op));
            }
            Meet::Bcast { root, .. } if *root != me => {}
            Meet::Bcast { buffer, direct: false, .. } => {
                node_comm.post(Phase::A, buffer);
                node_comm.ring_all(engine);
            }
            Meet::Bcast { buffer, direct: true, .. } => {
                let shown = node_comm.or_fail(engine, Shown::full(buffer))?;
                node_comm.show(shown.place());
                node_comm.ring_all(engine);
                self.shown = Some(shown.into_dense());
            }
        }
        Ok(())
    }
}

impl NodeComm {
    /// Whether this process may publish in a call, if it does.
    fn may_post(&mut self, meet: &Meet) -> bool {
        let silent = matches!(meet, Meet::Bcast { root, .. } if *root != self.me());
        silent || self.coll_segment.is_free()
    }

    /// All are to hear of this process's row. Where processors are shared, the last one to come does `last` for all.
    fn arrive(&mut self, engine: &mut Engine, last: impl FnOnce(&mut NodeComm) -> Option<usize>) {
        if !self.oversubscribed {
            self.ring_all(engine);
        } else if self.coll_segment.arrive(Phase::A, self.members()) {
            self.publish_common(Phase::A, last);
            self.ring_all(engine);
        }
    }

    /// Whether those have published for whom this process waits.
    fn has_heard(&self, meet: &Meet) -> bool {
        let coll_segment = &self.coll_segment;
        match meet {
            Meet::Barrier | Meet::Allreduce { .. } if self.oversubscribed => {
                coll_segment.is_published(coll_segment.common(), Phase::A)
            }
            Meet::Barrier | Meet::Allreduce { .. } => {
                self.others().all(|row| coll_segment.is_published(row, Phase::A))
            }
            Meet::Bcast { root, .. } if *root != self.me() => {
                coll_segment.is_published(*root, Phase::A)
            }
            Meet::Bcast { direct, .. } => {
                !direct || coll_segment.is_published(coll_segment.common(), Phase::B)
            }
        }
    }

    /// Takes what this process needs, when it has heard.
    fn finish(&mut self, engine: &mut Engine, meet: &Meet) -> Outcome {
        match meet {
            Meet::Allreduce { result, .. } if self.oversubscribed => self.take_common(result),
            Meet::Allreduce { result, op, .. } => self.join_all(result, *op),
            Meet::Bcast { buffer, root, .. } if *root != self.me() => {
                if !self.coll_segment.has_words(*root, Phase::A) {
                    return self.take(*root, buffer, *root);
                }
                let fetched = self.fetch(engine, *root, self.place_in_words(*root), buffer);
                self.report(engine, *root, Phase::B);
                fetched
            }
            Meet::Barrier | Meet::Bcast { .. } => Ok(()),
        }
    }

    /// Another circle of the same processes, at the same board until it gets another.
    pub(super) fn view(&self) -> NodeComm {
        let (coll_segment, processes) = (self.coll_segment.clone(), self.processes.clone());
        NodeComm {
            coll_segment,
            processes,
            oversubscribed: self.oversubscribed,
            dozing: self.dozing,
            long_packets: self.long_packets,
            direct: self.direct,
            copy_policies: self.copy_policies.clone(),
            block: None,
            nonblocking: None,
            lent: Vec::new(),
        }
    }

    /// All members' contributions to a reduction, joined.
    fn join_all(&self, result: &Buffer, op: Op) -> Outcome {
        let mut place = result.clone();
        match (kernel(Operator::Predefined(op), result), place.as_bytes_mut()) {
            (Some(kernel), Some(value)) => self.join_rows(&kernel, 0..self.members(), value),
            _ => Ok(()),
        }
    }

    /// The same, put where all take it from: so many bytes, unless that failed.
    fn join_for_all(&mut self, result: &Buffer, op: Op) -> Option<usize> {
        self.join_all(result, op).ok()?;
        let (common, length) = (self.coll_segment.common(), result.bytes());
        result.pack_at(0, self.coll_segment.place(common, Phase::A, length));
        Some(length)
    }
}
