//! Collectives among processes of one node through a collective segment (`nemesis::coll_segment`),
//! without messages.
//!
//! | module | contents |
//! |---|---|
//! | this one | the node comm (the members and their segment), and how members wait |
//! | `members` | whether a communicator's processes use collective segments |
//! | `nodes` | communicators of several nodes, or of many members: the members of each node |
//! | `division` | the levels of a node: its members in groups, and their leaders in groups |
//! | `levels` | the parts of an operation that pass through the levels of a node |
//! | `group` | what the members of one group do for that, in their collective segment |
//! | `staged` | payload of a staging buffer: one process copies in, its readers copy out |
//! | `pipelined` | longer broadcasts, gathers, scatters: chunks in staging buffers or rings |
//! | `pair_ring` | reductions and scans of two processes, through a pair ring |
//! | `pairwise` | longer exchanges and reductions, in chunks through rings |
//! | `single_copy` | longer payload: one copy by the kernel from or to the other process's memory |
//! | `reduce_segments` | long reductions: every member reduces a segment of the vector |
//! | `fast` | the fast path of short blocking calls |
//! | `nonblocking` | non-blocking and persistent operations; several may be in progress |
//!
//! Calls on intracommunicators come here if values that all members know alike permit it: sizes,
//! operators and types. All other calls, and those that a builder declines, use messages.
//!
//! A wait makes progress and may end in sleep, like every wait of the library. A publisher
//! therefore checks the doorbells of the members that may wait for it.
//!
//! If processes share processors (*oversubscribed*) and every member needs data of every other
//! (barrier, allreduce, allgather and the like), members do not wait for each other's rows. The
//! last one to arrive does the work for all and wakes them, so that each process is scheduled once
//! in a call. A root that waits for single rows (staged reduce and gather), and a member of a scan
//! that waits for lower ranks, may be scheduled more often.

mod division;
mod fast;
mod group;
mod levels;
mod members;
mod nodes;
mod nonblocking;
mod pair_ring;
mod pairwise;
mod pipelined;
mod reduce_segments;
mod single_copy;
mod staged;

pub use division::{Division, GROUP_MAX_MEMBERS};
pub use fast::{FastCall, SHORT_MAX_BYTES, reducing};
pub use levels::{Level, Levels};
pub use members::{ShmMembers, ShmState};
pub use nodes::{Hierarchy, Nodes, Places, Subset};
pub use nonblocking::{Call, Nonblocking, Shared as SharedNonblocking, ShmOperation};
pub use reduce_segments::Results;
pub use staged::Order;

use super::blocks::{too_short, uneven_for_itself};
use super::site::Site;
use crate::abi;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::handle;
use crate::mismatch;
use nemesis::coll_segment::{
    CollSegment, INLINE_BYTES, Mapped, Phase, SHORT_STAGING_BYTES, STAGING_BYTES,
};
use nemesis::{Backoff, Block, CopyPolicy, Endpoint};
use nemesis_datatype::Buffer;
use std::cell::Cell;
use std::cmp::Ordering;
use std::sync::Arc;

/// Polls of a word before other messages are polled: some tenths of a microsecond. A value six
/// times as large made no measurable difference.
const SPINS: u32 = 400;
/// Polls of a word in a call in which members probably send accesses to memory of this process.
const SPINS_BETWEEN_ACCESSES: u32 = 16;
/// Yields of an oversubscribed process before it polls anything but the word: everything else that
/// it reads is cold in its cache.
const YIELDS: u32 = 4;
/// Polls of a wait after which a member retires from the preceding calls: more than most waits
/// take, fewer than the first sleep needs.
const POLLS_BEFORE_RETIRING: u32 = 32;
/// Polls of a long wait between two looks for members in other operations. A wait that sleeps polls
/// about five times in a second.
const POLLS_PER_LOOK: u32 = 8;

/// Returns whether a wait looks for members in other operations, given the number of its polls. It
/// reads the lines of all members, which takes them from the caches of their writers.
fn looks_for_contradictions(polls: u32) -> bool {
    polls >= POLLS_BEFORE_RETIRING && polls.is_multiple_of(POLLS_PER_LOOK)
}

/// The word of a row whose payload comes as a point-to-point message. It equals no address.
const DEFERRED_TO_PT2PT: u64 = 0;
/// The word of a row whose payload is longer than the staging buffer, which holds the first or next
/// chunk. It equals no address.
const IN_CHUNKS: u64 = 1;
/// The word of a row, of two members, whose payload the kernel copies to the address in the root's
/// row.
const BY_SINGLE_COPY: u64 = 2;

/// How payload reaches a process that receives any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "a message that was promised is to be received"]
pub enum Delivery {
    /// The payload is in its destination.
    Done,
    /// It comes as a point-to-point message, which the caller receives now.
    AsMessage,
}

/// The members of a communicator on one node, as one of them sees them. Members are numbered in the
/// order of their ranks.
#[derive(Debug)]
pub struct NodeComm {
    pub(crate) coll_segment: CollSegment<Mapped>,
    /// The process of each member.
    processes: Arc<[u32]>,
    /// True if the node has more members than processors.
    oversubscribed: bool,
    /// True if a waiting member announces in the segment that it is about to sleep. Publishers on
    /// an oversubscribed node then need not read doorbells, whose lines are cold in their caches.
    announces_sleep: bool,
    /// True if messages in long packets are faster than copies by the kernel.
    long_packets: bool,
    /// True if the kernel copies between the memories of all members.
    direct: bool,
    /// True if the fast path has begun the call that begins next on the slow path.
    pending: bool,
    /// The communicator of the call, for reports of a mismatch.
    comm: handle::Comm,
    /// True if another member is in another operation. No wait of the call waits any more, and no
    /// memory of other members is accessed.
    mismatched: Cell<bool>,
    /// How staging buffers and rings are written.
    copy_policies: CopyPolicies,
    /// The segment's memory, at the member that allocated it.
    block: Option<Block>,
    /// The collective segment of non-blocking operations.
    pub(crate) nonblocking: Option<SharedNonblocking>,
    /// The collective segments made for persistent operations, with their offsets in the first
    /// member's heap. The segment of an operation that was freed is given to another one.
    pub(crate) lent: Vec<(u64, SharedNonblocking)>,
}

/// Properties of a node's members that they all know alike when their segment is created.
#[derive(Clone, Copy)]
pub struct NodeTraits {
    pub oversubscribed: bool,
    pub long_packets: bool,
}

/// The word that members read from each other's memory, to see whether the kernel permits it.
static PROBE: u64 = u64::from_le_bytes(*b"nemesis!");

/// Creation and release.
impl NodeComm {
    /// Creates a node comm of a communicator on a segment that all members have mapped. `block` is
    /// the segment's memory at the member that allocated it. All members call this.
    pub fn new(
        mpi: &mut Mpi,
        (comm, coll_segment): (handle::Comm, CollSegment<Mapped>),
        processes: &Arc<[u32]>,
        NodeTraits { oversubscribed, long_packets }: NodeTraits,
        block: Option<Block>,
    ) -> NodeComm {
        let mut node_comm = NodeComm {
            coll_segment,
            processes: processes.clone(),
            oversubscribed,
            announces_sleep: oversubscribed,
            long_packets,
            direct: false,
            pending: false,
            comm,
            mismatched: Cell::new(false),
            copy_policies: if long_packets {
                CopyPolicies::of(processes.len())
            } else {
                CopyPolicies::default()
            },
            block,
            nonblocking: None,
            lent: Vec::new(),
        };
        node_comm.direct = node_comm.try_memories(mpi);
        node_comm
    }

    /// Returns whether all members can read each other's memory. The answer is equal at all
    /// members.
    fn try_memories(&mut self, mpi: &mut Mpi) -> bool {
        let probe = std::ptr::from_ref(&PROBE).expose_provenance() as u64;
        let addresses = self.exchange(mpi, probe);
        let readable = (0..self.members()).zip(addresses).all(|(member, address)| {
            let mut seen = [0; 8];
            let memory = mpi.memory.as_ref();
            let read = memory.map(|memory| {
                memory.read(
                    self.processes[member as usize],
                    [(address, seen.len())].into_iter(),
                    &mut seen,
                )
            });
            member == self.me() || matches!(read, Some(Ok(()))) && u64::from_le_bytes(seen) == PROBE
        });
        self.exchange(mpi, readable.into()).into_iter().all(|word| word == 1)
    }

    /// Sets the communicator and its history for the calls that begin from now on.
    #[inline]
    pub(crate) fn set_history(&mut self, comm: handle::Comm, history: u64) {
        self.comm = comm;
        self.coll_segment.set_history(history);
    }

    /// Exchanges one word: returns that of every member.
    pub(crate) fn exchange(&mut self, mpi: &mut Mpi, word: u64) -> Vec<u64> {
        self.begin(mpi, 0);
        self.coll_segment.set_words(Phase::A, &[word]);
        self.synchronise(mpi, Phase::A);
        (0..self.members()).map(|row| self.coll_segment.word(row, Phase::A, 0)).collect()
    }

    /// Returns another view of this node's members, on another segment. `block` is that segment's
    /// memory at the member that allocated it.
    pub(crate) fn view_on(
        &self,
        coll_segment: CollSegment<Mapped>,
        block: Option<Block>,
    ) -> NodeComm {
        NodeComm {
            coll_segment,
            processes: self.processes.clone(),
            oversubscribed: self.oversubscribed,
            announces_sleep: self.announces_sleep,
            long_packets: self.long_packets,
            direct: self.direct,
            pending: false,
            comm: self.comm,
            mismatched: Cell::new(false),
            copy_policies: self.copy_policies.clone(),
            block,
            nonblocking: None,
            lent: Vec::new(),
        }
    }

    /// Leaves the segment, and those of non-blocking and persistent operations.
    pub(crate) fn leave(&mut self) {
        self.nonblocking = None;
        self.lent.clear();
        self.coll_segment.leave();
    }

    /// Returns whether all members have left the segment.
    pub(crate) fn have_all_left(&self) -> bool {
        self.coll_segment.have_all_left()
    }

    /// Returns whether this process has allocated the segment.
    pub(crate) fn has_block(&self) -> bool {
        self.block.is_some()
    }

    /// Returns the segment's memory at the member that allocated it.
    pub(crate) fn into_block(self) -> Option<Block> {
        self.block
    }

    /// Returns whether this process has left a call in its midst, so that it has not heard all.
    pub(crate) fn has_quit(&self) -> bool {
        self.mismatched.get()
    }

    /// Returns the process of each member.
    pub(crate) fn processes(&self) -> &Arc<[u32]> {
        &self.processes
    }
}

impl NodeComm {
    #[inline(always)]
    pub(crate) fn me(&self) -> u32 {
        self.coll_segment.me()
    }

    #[inline(always)]
    pub fn members(&self) -> u32 {
        self.coll_segment.members()
    }

    /// Returns whether all reductions use the segment.
    pub fn reduces(&self) -> bool {
        self.site().has_rings()
    }

    /// Returns what the choice of an algorithm may depend on. It is equal at all members.
    pub fn site(&self) -> Site {
        Site {
            members: self.members(),
            oversubscribed: self.oversubscribed,
            direct: self.direct,
            long_packets: self.long_packets,
        }
    }

    /// Begins the next call, which publishes up to `bytes` bytes in a row. Waits until its slot is
    /// free.
    #[inline]
    fn begin(&mut self, mpi: &mut Mpi, bytes: usize) {
        self.begin_as(mpi, |coll_segment| coll_segment.begin(bytes));
    }

    /// Makes the next [`begin_or_resume`](Self::begin_or_resume) resume the call that the fast path
    /// has begun.
    pub(crate) fn resume(&mut self) {
        self.pending = true;
    }

    /// Begins the next call as [`begin`](Self::begin) does and returns true, or returns false if
    /// the fast path has begun it.
    #[inline]
    fn begin_or_resume(&mut self, mpi: &mut Mpi, bytes: usize) -> bool {
        if std::mem::take(&mut self.pending) {
            return false;
        }
        self.begin(mpi, bytes);
        true
    }

    /// Begins the next call by `begin` and waits until its slot is free.
    #[inline]
    fn begin_as(&mut self, mpi: &mut Mpi, begin: impl FnOnce(&mut CollSegment<Mapped>)) {
        begin(&mut self.coll_segment);
        if !self.coll_segment.is_free() {
            self.wait_for_slot(mpi);
        }
    }

    /// Waits for members that are many calls behind. Their words tell how far they are, and no
    /// doorbell rings when these change.
    #[inline(never)]
    fn wait_for_slot(&mut self, mpi: &mut Mpi) {
        if self.mismatched.get()
            || !self.oversubscribed && (0..SPINS).any(|_| self.coll_segment.has_staging())
        {
            return;
        }
        let mut polls = 0_u32;
        mpi.wait_for_word(|mpi| {
            polls = polls.wrapping_add(1);
            self.coll_segment.has_staging() || self.is_mismatched(mpi, polls)
        });
    }

    /// Returns whether another member is found to be in another operation, which this function
    /// looks for from time to time only, according to the number of polls of a wait.
    #[inline]
    fn is_mismatched(&self, mpi: &mut Mpi, polls: u32) -> bool {
        let is_quiet = mpi.pt2pt.core.losses.is_empty();
        (looks_for_contradictions(polls) || !is_quiet) && self.find_mismatch(mpi)
    }

    /// Leaves the segment if the communicator is revoked or a process of it has died. Returns
    /// whether that is so.
    ///
    /// No wait of this process waits any more, so that the rest of the call works on rows that
    /// nobody has published, and in slots that others still read. What it publishes must reach
    /// none of them: they would take it for data, or for an error that has another cause. They
    /// wait until they learn of the same.
    fn quits_broken(&self, engine: &Engine) -> bool {
        let is_broken = mismatch::broken(engine, self.comm).is_some();
        if is_broken && !self.mismatched.replace(true) {
            self.coll_segment.quit();
        }
        is_broken
    }

    #[cold]
    fn find_mismatch(&self, mpi: &mut Mpi) -> bool {
        if self.quits_broken(mpi) {
            return true;
        }
        self.coll_segment.announce_wait();
        if self.coll_segment.is_contradicted() {
            mismatch::register(mpi, self.comm);
        }
        if !mismatch::look_for_reports(mpi, self.comm) {
            return false;
        }
        self.mismatched.set(true);
        self.coll_segment.disagree();
        true
    }

    /// Begins a call with a root. Between two members, payload of more than `SHORT_STAGING_BYTES`
    /// does not use a staging buffer.
    #[inline]
    fn begin_rooted(&mut self, mpi: &mut Mpi, bytes: usize) {
        let in_room = !self.site().is_pair() || bytes <= SHORT_STAGING_BYTES;
        self.begin_or_resume(mpi, if in_room { bytes } else { 0 });
    }

    /// Announces to the other of two members that `bytes` bytes follow as a point-to-point message.
    pub fn defer_to_pt2pt(&mut self, mpi: &mut Mpi, bytes: usize) -> Delivery {
        self.begin_rooted(mpi, bytes);
        self.coll_segment.set_words(Phase::A, &[DEFERRED_TO_PT2PT]);
        self.ring_all(mpi);
        self.retire();
        Delivery::AsMessage
    }

    /// Returns whether a row holds this word.
    #[inline]
    fn has_word(&self, row: u32, word: u64) -> bool {
        self.coll_segment.has_words(row, Phase::A)
            && self.coll_segment.word(row, Phase::A, 0) == word
    }

    /// Retires from the call: this process has read what it needs.
    #[inline]
    fn retire(&self) {
        self.coll_segment.retire();
        self.coll_segment.prefetch_next_line();
    }

    /// Waits until `done` finds what another member has published.
    #[inline]
    fn wait(&self, mpi: &mut Mpi, done: impl Fn(&CollSegment<Mapped>) -> bool) {
        let is_done = match self.oversubscribed {
            true => self.yields_until(|| done(&self.coll_segment), |turn| mpi.aside(turn)),
            false => {
                let spins =
                    if mpi.waiting.serves_accesses { SPINS_BETWEEN_ACCESSES } else { SPINS };
                (0..spins).any(|_| done(&self.coll_segment))
            }
        };
        if !is_done {
            self.wait_on(mpi, done);
        }
    }

    /// Yields the processor up to `YIELDS` times by `give`, until `done` is true. Returns whether
    /// it is.
    #[inline(always)]
    fn yields_until(&self, done: impl Fn() -> bool, mut give: impl FnMut(fn())) -> bool {
        for _ in 0..YIELDS {
            if done() {
                return true;
            }
            give(nemesis::yield_processor);
        }
        false
    }

    #[inline(never)]
    fn wait_on(&self, mpi: &mut Mpi, done: impl Fn(&CollSegment<Mapped>) -> bool) {
        if self.mismatched.get() {
            return;
        }
        let (mut backoff, mut polls) = (Backoff::yielding(), 0_u32);
        if self.announces_sleep {
            self.coll_segment.begin_sleep();
        }
        while !done(&self.coll_segment) {
            if polls > 0 {
                mpi.relax();
            }
            polls = polls.wrapping_add(1);
            if polls == POLLS_BEFORE_RETIRING {
                self.coll_segment.retire_from_last();
            }
            if self.is_mismatched(mpi, polls) {
                break;
            }
            let arrived = mpi.pt2pt.poll(None);
            mpi.after_poll_unless(|| done(&self.coll_segment), arrived, &mut backoff);
        }
        if self.announces_sleep {
            self.coll_segment.end_sleep();
        }
        mpi.leave_wait();
    }

    #[inline]
    fn wait_for(&self, mpi: &mut Mpi, row: u32, phase: Phase) {
        self.wait(mpi, |coll_segment| coll_segment.is_published(row, phase));
    }

    /// Wakes a member that may wait for what was published.
    #[inline]
    fn ring(&self, engine: &Engine, member: u32) {
        if let Some(endpoint) = &engine.pt2pt.endpoint {
            self.ring_by(endpoint, member);
        }
    }

    /// Wakes all other members that may wait.
    #[inline]
    fn ring_all(&self, engine: &Engine) {
        if let Some(endpoint) = &engine.pt2pt.endpoint {
            self.ring_all_by(endpoint);
        }
    }

    #[inline(always)]
    fn ring_by(&self, endpoint: &Endpoint, member: u32) {
        if self.may_sleep() {
            endpoint.ring(self.processes[member as usize]);
        }
    }

    #[inline(always)]
    fn ring_all_by(&self, endpoint: &Endpoint) {
        if self.may_sleep() {
            for (&process, member) in self.processes.iter().zip(0..) {
                if member != self.me() {
                    endpoint.ring(process);
                }
            }
        }
    }

    /// Returns whether a member that waits in this call may be asleep.
    #[inline(always)]
    fn may_sleep(&self) -> bool {
        !self.announces_sleep || self.coll_segment.has_sleepers()
    }

    /// Iterates over the other members, beginning with the next one.
    fn others(&self) -> impl Iterator<Item = u32> + use<> {
        let (me, members) = (self.me(), self.members());
        (1..members).map(move |step| (me + step) % members)
    }

    /// Publishes data in this process's row.
    #[inline]
    fn post(&mut self, phase: Phase, data: &Buffer) {
        self.post_in(self.me(), phase, data);
    }

    /// Publishes data in a row.
    #[inline]
    fn post_in(&mut self, row: u32, phase: Phase, data: &Buffer) {
        let length = data.bytes();
        if length <= INLINE_BYTES {
            let mut line = [0; INLINE_BYTES];
            data.pack_at(0, &mut line[..length]);
            return self.coll_segment.publish_short(row, phase, &line, length);
        }
        self.copy_policies.write(row, data, 0, self.coll_segment.buffer(row, phase, length));
        self.coll_segment.publish(row, phase, length);
    }

    /// Waits until all members have published in a phase, as this process has. Members need not
    /// retire from such a call.
    #[inline]
    fn synchronise(&mut self, mpi: &mut Mpi, phase: Phase) {
        self.meet_and(mpi, phase, false, |_| Some(0));
    }

    /// Waits until all members have arrived in a phase. If oversubscribed, the last member to
    /// arrive runs `last` before the others proceed and publishes the number of bytes that it
    /// returns in the common row, or that it failed. If members of this call `post` rows and one of
    /// them is missing, its member is in another operation, and the wait finds that out.
    #[inline]
    fn meet_and(
        &mut self,
        mpi: &mut Mpi,
        phase: Phase,
        post: bool,
        last: impl FnOnce(&mut NodeComm) -> Option<usize>,
    ) {
        if !self.oversubscribed {
            self.ring_all(mpi);
            for member in self.others() {
                self.wait_for(mpi, member, phase);
            }
        } else if self.coll_segment.arrive(phase, self.members()) && (!post || self.have_come()) {
            self.publish_common(phase, last);
            self.ring_all(mpi);
        } else {
            self.wait_for(mpi, self.coll_segment.common(), phase);
        }
        self.coll_segment.heard_from_all();
        self.coll_segment.prefetch_next_line();
    }

    /// Returns whether the rows of all members are published.
    #[inline]
    fn have_come(&self) -> bool {
        (0..self.members()).all(|row| self.coll_segment.is_published(row, Phase::A))
    }

    /// Waits until all members have arrived in phase A of a call with a root. If oversubscribed,
    /// the root announces that all have come: a member that chose another data path for its length
    /// does not arrive, and only the root waits for every member.
    fn meet_with_root(&mut self, mpi: &mut Mpi, root: u32) {
        if !self.oversubscribed {
            return self.synchronise(mpi, Phase::A);
        }
        if self.me() == root {
            self.others().for_each(|row| self.wait_for(mpi, row, Phase::A));
            self.coll_segment.publish(self.coll_segment.common(), Phase::A, 0);
            self.ring_all(mpi);
        } else {
            self.ring(mpi, root);
            self.wait_for(mpi, self.coll_segment.common(), Phase::A);
        }
        self.coll_segment.heard_from_all();
        self.coll_segment.prefetch_next_line();
    }

    /// Runs `last` at the last member to arrive, and publishes the number of bytes that it returns
    /// in the common row, or that it failed.
    #[inline]
    fn publish_common(&mut self, phase: Phase, last: impl FnOnce(&mut NodeComm) -> Option<usize>) {
        let common = self.coll_segment.common();
        match last(self) {
            Some(length) => self.coll_segment.publish(common, phase, length),
            None => self.coll_segment.fail(common, phase, abi::MPI_ERR_OTHER.value() as u32),
        }
    }

    /// Makes every member but `waiter` arrive and proceed; `waiter` waits until all have arrived.
    fn report_to(&mut self, mpi: &mut Mpi, waiter: u32, phase: Phase) {
        match self.me() == waiter {
            true => self.wait_for(mpi, self.coll_segment.common(), phase),
            false => self.report(mpi, waiter, phase),
        }
    }

    /// Arrives; `waiter` waits for all arrivals.
    fn report(&self, engine: &Engine, waiter: u32, phase: Phase) {
        if self.coll_segment.arrive(phase, self.members() - 1) {
            self.coll_segment.publish(self.coll_segment.common(), phase, 0);
            self.ring(engine, waiter);
        }
    }

    /// Performs `MPI_Barrier`.
    pub fn barrier(&mut self, mpi: &mut Mpi) -> Outcome {
        let begins = self.begin_or_resume(mpi, 0);
        if begins && !self.oversubscribed {
            self.coll_segment.publish(self.me(), Phase::A, 0);
        }
        self.meet(mpi, begins);
        Ok(())
    }

    /// Waits until all members have come. `arrives` is false in a call that the fast path has
    /// begun: then this process has arrived.
    #[inline]
    fn meet(&mut self, mpi: &mut Mpi, arrives: bool) {
        match arrives {
            true => self.synchronise(mpi, Phase::A),
            false => self.meet_begun(mpi),
        }
    }

    /// Waits until all members have come to a call that the fast path has begun. If oversubscribed,
    /// this process has arrived.
    fn meet_begun(&mut self, mpi: &mut Mpi) {
        if !self.oversubscribed {
            return self.synchronise(mpi, Phase::A);
        }
        self.wait_for(mpi, self.coll_segment.common(), Phase::A);
        self.coll_segment.heard_from_all();
        self.coll_segment.prefetch_next_line();
    }
}

/// Errors of a call.
impl NodeComm {
    /// Publishes in `row`, which this process writes, that its part failed, for members that wait
    /// for it.
    #[cold]
    fn fail(&self, row: u32, phase: Phase, error: &Error) {
        self.coll_segment.fail(row, phase, error.class.value() as u32);
    }

    /// Returns an error if a row says that its writer failed.
    #[inline]
    fn check_row(&self, row: u32, phase: Phase, writer: u32) -> Outcome {
        self.coll_segment
            .failure(row, phase)
            .map_or(Ok(()), |reason| Err(self.failed(writer, reason)))
    }

    /// Returns the error for a member's failure that concerns this process as well.
    #[cold]
    fn failed(&self, member: u32, reason: u64) -> Box<Error> {
        let process = self.processes[member as usize];
        if let Some(class) =
            [abi::MPI_ERR_PROC_ABORTED, abi::MPIX_ERR_PROC_FAILED, abi::MPIX_ERR_REVOKED]
                .into_iter()
                .find(|class| reason == class.value() as u64)
        {
            let why = format!(
                "process {process} of the job, the leader of this node, \
                could not exchange messages with the other nodes"
            );
            return Error::new(class, why)
                .advise("look at that process's messages, and at the network between the hosts");
        }
        let why = format!(
            "process {process} of the job could not do its part of the collective operation, \
            so this process lacks that data"
        );
        Error::new(abi::MPI_ERR_OTHER, why)
            .advise("look at the error that the other process returned")
    }

    /// Returns the error for a member that sends more than this process's buffer holds.
    #[cold]
    fn too_long(&self, member: u32, bytes: usize, capacity: usize) -> Box<Error> {
        let process = self.processes[member as usize];
        let why = format!(
            "within the collective operation, from process {process} of the job: \
            {bytes} bytes do not fit into the buffer of {capacity} bytes"
        );
        Error::new(abi::MPI_ERR_TRUNCATE, why).advise(
            "give all processes counts and datatypes that agree: \
            a collective has no larger receive buffer",
        )
    }

    /// Returns the error for a member that sends less than this process's buffer holds.
    #[cold]
    fn too_short(&self, member: u32, bytes: usize, capacity: usize) -> Box<Error> {
        let process = self.processes[member as usize];
        too_short(&format!("process {process} of the job"), bytes as u64, capacity)
    }

    /// Returns an error unless a member's data have the length of this process's buffer.
    #[inline]
    fn fills(&self, member: u32, bytes: usize, capacity: usize) -> Outcome {
        match bytes.cmp(&capacity) {
            Ordering::Equal => Ok(()),
            Ordering::Less => Err(self.too_short(member, bytes, capacity)),
            Ordering::Greater => Err(self.too_long(member, bytes, capacity)),
        }
    }

    /// Returns the error for a row that does not belong to this call.
    #[cold]
    fn another_call(&self, member: u32) -> Box<Error> {
        let process = self.processes[member as usize];
        let why = format!(
            "process {process} of the job takes part in another collective operation, \
            or with another count"
        );
        Error::new(abi::MPI_ERR_TRUNCATE, why).advise(
            "make all processes of the communicator call the same operations in the same order, \
            with counts that agree",
        )
    }

    /// Returns the error for a member whose vector has another length.
    #[cold]
    fn uneven(&self, member: u32, theirs: usize, ours: usize) -> Box<Error> {
        let process = self.processes[member as usize];
        let why = format!(
            "process {process} of the job takes part in a reduction with {theirs} bytes, \
            this process with {ours}"
        );
        Error::new(abi::MPI_ERR_TRUNCATE, why)
            .advise("give all processes the same count and datatype")
    }

    /// Copies what `writer` has published in a row into a buffer that should have that length.
    #[inline]
    fn take(&self, row: u32, buffer: &Buffer, writer: u32) -> Outcome {
        if self.coll_segment.length(row, Phase::A) == buffer.bytes() {
            buffer.unpack_at(0, self.coll_segment.content(row, Phase::A));
            return Ok(());
        }
        self.take_other(row, buffer, writer)
    }

    /// Copies a row that was published with another length than the buffer's, as far as both reach,
    /// if writer and reader look for it in one place, and returns an error.
    #[cold]
    fn take_other(&self, row: u32, buffer: &Buffer, writer: u32) -> Outcome {
        self.check_row(row, Phase::A, writer)?;
        let (bytes, capacity) = (self.coll_segment.length(row, Phase::A), buffer.bytes());
        if self.coll_segment.has_words(row, Phase::A) {
            return Err(self.another_call(writer));
        }
        let is_here =
            matches!(place_of(bytes), Place::Line) || place_of(bytes) == place_of(capacity);
        if is_here {
            buffer.unpack_at(0, self.coll_segment.content(row, Phase::A));
        }
        match is_here {
            _ if bytes > capacity => Err(self.too_long(writer, bytes, capacity)),
            true => Err(self.too_short(writer, bytes, capacity)),
            false => Err(self.another_call(writer)),
        }
    }
}

/// Where published payload lies, by its length.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Line,
    Short,
    Long,
    Nowhere,
}

const fn place_of(bytes: usize) -> Place {
    if bytes <= INLINE_BYTES {
        Place::Line
    } else if bytes <= SHORT_STAGING_BYTES {
        Place::Short
    } else if bytes <= STAGING_BYTES {
        Place::Long
    } else {
        Place::Nowhere
    }
}

/// How staging buffers and rings are written, which depends on the caches of their readers: one
/// policy for each row that a part is for, since some processes share this one's processor. What is
/// for all members uses the policy of this process's own row.
#[derive(Clone, Debug, Default)]
struct CopyPolicies(Vec<CopyPolicy>);

impl CopyPolicies {
    fn of(members: usize) -> CopyPolicies {
        CopyPolicies(vec![CopyPolicy::default(); members])
    }

    /// Returns whether a policy is kept per reader.
    fn are_kept(&self) -> bool {
        !self.0.is_empty()
    }

    /// Writes the bytes of `data` from `start` on to `place`, which `row` reads.
    #[inline]
    fn write(&mut self, row: u32, data: &Buffer, start: usize, place: &mut [u8]) {
        if let (Some(copy_policy), Some(bytes)) = (self.0.get_mut(row as usize), data.as_bytes())
            && let Some(bytes) = bytes.get(start..start + place.len())
        {
            return copy_policy.copy(bytes, place);
        }
        data.pack_at(start, place);
    }
}

/// Copies a process's own contribution to its own result.
fn keep(own: &Buffer, place: &Buffer) -> Outcome {
    nemesis_datatype::copy(own, place);
    match own.bytes() == place.bytes() {
        true => Ok(()),
        false => Err(uneven_for_itself(own, place)),
    }
}
