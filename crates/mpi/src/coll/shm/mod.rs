//! Collectives among processes of one node: they meet at a board in the segment (`nemesis::coll_segment`) instead of sending messages.
//!
//! | file | what |
//! |---|---|
//! | this one | the circle of those who meet, how it waits |
//! | `making` | how a circle comes to a communicator, and goes |
//! | `nodes` | communicators that span nodes: boards inside them, messages between one process of each |
//! | `rooms` | what fits a room of the board: each byte is copied in once, and out by whoever needs it |
//! | `pieces` | broadcasts, gathers and scatters of what does not, through rooms after all, among more than two; what is passed in broadcasts of two |
//! | `pair_ring` | reductions and scans of two, of which one passes what it has to the other |
//! | `exchanges` | exchanges and reductions of what does not, where pieces in tracks are faster than the kernel's copies |
//! | `direct` | what does not: those who need it copy it from, or to, where it lies |
//! | `shares` | reductions of it: everybody joins a share of the vector |
//! | `short` | calls of which all is as it mostly is, and their data short, in a few instructions |
//! | `nonblocking` | non-blocking and persistent: calls that begin before others have ended |
//!
//! Calls on intracommunicators come here, decided by what all members know alike: sizes, operators, types. All others, and those for which a
//! builder says no, send messages.
//!
//! Waiting goes on making progress, and ends in sleep as every wait does. So whoever publishes looks at the doorbells of those who may wait for it.
//! Where processes share processors (*crowded*) and all hear of all (barrier, allreduce, allgather and the like), those who arrive do not look at each
//! other: the last one does what is to do for all and wakes them, so that each process gets the processor once in a call. A root that waits for rows one
//! by one (reduce, gather in rooms), and who waits for those below it (scan), may get it more often.

mod fast;
mod hierarchical;
mod nonblocking;
mod pair_ring;
mod pairwise;
mod pipelined;
mod reduce_segments;
mod setup;
mod single_copy;
mod staged;

pub use fast::{FastCall, SHORT_MAX_BYTES, Short};
pub use hierarchical::{Nodes, Places};
pub use nonblocking::{Call, Meet, Nonblocking, Shared as SharedNonblocking};
pub use reduce_segments::Results;
pub(super) use setup::perform_among;
pub use setup::{Meeters, Meeting, make, own_nonblocking, part};
pub use staged::{ReduceKernel, fold_of_short, kernel};

use super::schedule::too_long_for_itself;
use super::selection::Site;
use crate::abi;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use nemesis::coll_segment::{
    CollSegment, LINE_BYTES, Mapped, Phase, SHORT_STAGING_BYTES, STAGING_BYTES,
};
use nemesis::{Backoff, Block, CopyPolicy, Endpoint};
use nemesis_datatype::Buffer;
use std::sync::Arc;

/// Looks at a word before others get their turn: some tenths of a microsecond. Measured, six times as many changed nothing.
const LOOKS: u32 = 400;
/// Where processors are shared: times that a process gives its own away before it looks at anything but the word, since all it looks at it finds cold.
const TURNS: u32 = 4;
/// Polls of a wait after which a member says that it has left the calls before: later than most waits end, earlier than the first sleep.
const POLLS_BEFORE_WORD: u32 = 32;

/// The word of a row that tells that its data come as a message: no address.
const A_MESSAGE: u64 = 0;
/// The word of a row that tells that there is more than the row's room holds, which has the first piece, or the next: no address either.
const IN_PIECES: u64 = 1;
/// The word of a row of two that tells that the kernel copies its data to where the root's row says.
const A_COPY: u64 = 2;

/// How data came to a process, if it is one that gets any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "a message that was promised is to be received"]
pub enum Arrival {
    Here,
    /// They come as a message, which is to be received now.
    AsMessage,
}

/// Members of a communicator that share a node, as one of them sees it. Members count in the order of their ranks.
#[derive(Debug)]
pub struct NodeComm {
    coll_segment: CollSegment<Mapped>,
    /// The process of each member.
    processes: Arc<[u32]>,
    /// More members than processors.
    oversubscribed: bool,
    /// Who waits says so before it sleeps, for those who publish: where processors are shared, to look at a bell takes longer than most that is done before,
    /// since it is cold.
    dozing: bool,
    /// Messages in long packets are faster than copies by the kernel.
    long_packets: bool,
    /// The kernel copies between the memories of all members.
    direct: bool,
    /// How rooms and tracks are written.
    copy_policies: CopyPolicies,
    /// The board's memory, at the member that allocated it.
    block: Option<Block>,
    /// The board of their non-blocking operations.
    nonblocking: Option<SharedNonblocking>,
    /// Those that were made for persistent operations, and where they lie in the first member's heap. When the operation has gone, another gets it.
    lent: Vec<(u64, SharedNonblocking)>,
}

impl NodeComm {
    #[inline(always)]
    fn me(&self) -> u32 {
        self.coll_segment.me()
    }

    #[inline(always)]
    pub fn members(&self) -> u32 {
        self.coll_segment.members()
    }

    /// What a choice of algorithm may depend on: the same at all members.
    pub fn site(&self) -> Site {
        Site {
            members: self.members(),
            oversubscribed: self.oversubscribed,
            direct: self.direct,
            rings: self.coll_segment.has_rings(),
            long_packets: self.long_packets,
        }
    }

    /// The next call begins, in which up to `bytes` bytes are published in a row, when there is room.
    #[inline]
    fn begin(&mut self, mpi: &mut Mpi, bytes: usize) {
        self.begin_as(mpi, |coll_segment| coll_segment.begin(bytes));
    }

    /// The next call begins as `begin` says, when there is room.
    #[inline]
    fn begin_as(&mut self, mpi: &mut Mpi, begin: impl FnOnce(&mut CollSegment<Mapped>)) {
        begin(&mut self.coll_segment);
        if !self.coll_segment.is_free() {
            self.wait_for_room(mpi);
        }
    }

    /// Others are far behind: their words tell how far, and nobody rings when they change.
    #[inline(never)]
    fn wait_for_room(&mut self, mpi: &mut Mpi) {
        if !self.oversubscribed && (0..LOOKS).any(|_| self.coll_segment.has_staging()) {
            return;
        }
        mpi.wait_for_word(|| self.coll_segment.has_staging());
    }

    /// The same in a call with a root. Between two, what is longer than a short room holds does not come in a room.
    #[inline]
    fn begin_rooted(&mut self, mpi: &mut Mpi, bytes: usize) {
        let in_room = !self.site().is_pair() || bytes <= SHORT_STAGING_BYTES;
        self.begin(mpi, if in_room { bytes } else { 0 });
    }

    /// This process has `bytes` bytes for the other one of two, which come as a message: its row tells that.
    pub fn defer_to_pt2pt(&mut self, mpi: &mut Mpi, bytes: usize) -> Arrival {
        self.begin_rooted(mpi, bytes);
        self.coll_segment.set_words(Phase::A, &[A_MESSAGE]);
        self.ring_all(mpi);
        self.retire();
        Arrival::AsMessage
    }

    /// Whether a row tells this.
    #[inline]
    fn tells(&self, row: u32, word: u64) -> bool {
        self.coll_segment.has_words(row, Phase::A)
            && self.coll_segment.word(row, Phase::A, 0) == word
    }

    /// This process has read what it needs.
    #[inline]
    fn retire(&self) {
        self.coll_segment.retire();
        self.coll_segment.prepare_next();
    }

    /// Waits until `done` sees what another member has published.
    #[inline]
    fn wait(&self, mpi: &mut Mpi, done: impl Fn(&CollSegment<Mapped>) -> bool) {
        let is_done = match self.oversubscribed {
            true => self.takes_turns(|| done(&self.coll_segment), |turn| mpi.aside(turn)),
            false => (0..LOOKS).any(|_| done(&self.coll_segment)),
        };
        if !is_done {
            self.wait_on(mpi, done);
        }
    }

    /// Where processors are shared: gives this one away a few times by `give`, until `done`; whether it is.
    #[inline(always)]
    fn takes_turns(&self, done: impl Fn() -> bool, mut give: impl FnMut(fn())) -> bool {
        for _ in 0..TURNS {
            if done() {
                return true;
            }
            give(nemesis::give_turn);
        }
        false
    }

    #[inline(never)]
    fn wait_on(&self, mpi: &mut Mpi, done: impl Fn(&CollSegment<Mapped>) -> bool) {
        let (mut backoff, mut polls) = (Backoff::yielding(), 0_u32);
        if self.dozing {
            self.coll_segment.sleep();
        }
        while !done(&self.coll_segment) {
            polls = polls.wrapping_add(1);
            if polls == POLLS_BEFORE_WORD {
                self.coll_segment.retire_from_last();
            }
            let arrived = mpi.poll(None);
            mpi.after_poll_unless(|| done(&self.coll_segment), arrived, &mut backoff);
        }
        if self.dozing {
            self.coll_segment.wake();
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
        if let Some(endpoint) = &engine.endpoint {
            self.ring_by(endpoint, member);
        }
    }

    /// Wakes all others that may wait.
    #[inline]
    fn ring_all(&self, engine: &Engine) {
        if let Some(endpoint) = &engine.endpoint {
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

    /// Whether a member may be asleep that waits in this call.
    #[inline(always)]
    fn may_sleep(&self) -> bool {
        !self.dozing || self.coll_segment.has_sleepers()
    }

    /// The others, beginning with the next.
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
        if length <= LINE_BYTES {
            let mut line = [0; LINE_BYTES];
            data.pack_at(0, &mut line[..length]);
            return self.coll_segment.publish_short(row, phase, &line, length);
        }
        self.copy_policies.write(row, data, 0, self.coll_segment.place(row, phase, length));
        self.coll_segment.publish(row, phase, length);
    }

    /// Waits until all have published in a phase, as this process has. Nobody need say that it retires from such a call.
    #[inline]
    fn meet(&mut self, mpi: &mut Mpi, phase: Phase) {
        self.meet_and(mpi, phase, |_| Some(0));
    }

    /// The same; where processors are shared, the last one to come does `last` before the others know, and publishes so many bytes in the common row, or
    /// that it failed.
    #[inline]
    fn meet_and(
        &mut self,
        mpi: &mut Mpi,
        phase: Phase,
        last: impl FnOnce(&mut NodeComm) -> Option<usize>,
    ) {
        if !self.oversubscribed {
            self.ring_all(mpi);
            for member in self.others() {
                self.wait_for(mpi, member, phase);
            }
        } else if self.coll_segment.arrive(phase, self.members()) {
            self.publish_common(phase, last);
            self.ring_all(mpi);
        } else {
            self.wait_for(mpi, self.coll_segment.common(), phase);
        }
        self.coll_segment.met_all();
        self.coll_segment.prepare_next();
    }

    /// The same in the first phase of a call with a root. Where processors are shared it is the root that says when all have come: a process whose length leads
    /// it another way does not arrive, and only the root hears of all.
    fn meet_with_root(&mut self, mpi: &mut Mpi, root: u32) {
        if !self.oversubscribed {
            return self.meet(mpi, Phase::A);
        }
        if self.me() == root {
            self.others().for_each(|row| self.wait_for(mpi, row, Phase::A));
            self.coll_segment.publish(self.coll_segment.common(), Phase::A, 0);
            self.ring_all(mpi);
        } else {
            self.ring(mpi, root);
            self.wait_for(mpi, self.coll_segment.common(), Phase::A);
        }
        self.coll_segment.met_all();
        self.coll_segment.prepare_next();
    }

    /// The last one to come does `last`, and publishes so many bytes in the common row, or that it failed.
    #[inline]
    fn publish_common(&mut self, phase: Phase, last: impl FnOnce(&mut NodeComm) -> Option<usize>) {
        let common = self.coll_segment.common();
        match last(self) {
            Some(length) => self.coll_segment.publish(common, phase, length),
            None => self.coll_segment.fail(common, phase, abi::MPI_ERR_OTHER as u32),
        }
    }

    /// Everybody but `waiter` arrives and goes on; it waits until all have.
    fn report_to(&mut self, mpi: &mut Mpi, waiter: u32, phase: Phase) {
        match self.me() == waiter {
            true => self.wait_for(mpi, self.coll_segment.common(), phase),
            false => self.report(mpi, waiter, phase),
        }
    }

    /// This process arrives, for which `waiter` waits.
    fn report(&self, engine: &Engine, waiter: u32, phase: Phase) {
        if self.coll_segment.arrive(phase, self.members() - 1) {
            self.coll_segment.publish(self.coll_segment.common(), phase, 0);
            self.ring(engine, waiter);
        }
    }

    /// `MPI_Barrier`.
    pub fn barrier(&mut self, mpi: &mut Mpi) -> Outcome {
        self.begin(mpi, 0);
        if !self.oversubscribed {
            self.coll_segment.publish(self.me(), Phase::A, 0);
        }
        self.meet(mpi, Phase::A);
        Ok(())
    }

    /// The same, when the call has begun and this process has published that it is there, or arrived.
    pub fn barrier_begun(&mut self, mpi: &mut Mpi) -> Outcome {
        self.meet_begun(mpi);
        Ok(())
    }

    /// Waits until all have come to a call that has begun in short: where processors are shared, this process has arrived.
    fn meet_begun(&mut self, mpi: &mut Mpi) {
        if !self.oversubscribed {
            return self.meet(mpi, Phase::A);
        }
        self.wait_for(mpi, self.coll_segment.common(), Phase::A);
        self.coll_segment.met_all();
        self.coll_segment.prepare_next();
    }
}

/// How a call may go wrong for this process.
impl NodeComm {
    /// This process's part failed, and a row, which is its to write, says so to those who wait for it.
    #[cold]
    fn fail(&self, row: u32, phase: Phase, error: &Error) {
        self.coll_segment.fail(row, phase, error.class as u32);
    }

    /// An error if a row says that its writer failed.
    #[inline]
    fn verdict(&self, row: u32, phase: Phase, writer: u32) -> Outcome {
        self.coll_segment
            .failure(row, phase)
            .map_or(Ok(()), |reason| Err(self.failed(writer, reason)))
    }

    /// A member had an error that concerns this process as well.
    #[cold]
    fn failed(&self, member: u32, reason: u64) -> Box<Error> {
        let process = self.processes[member as usize];
        if reason == abi::MPI_ERR_PROC_ABORTED as u64 {
            let why = format!(
                "process {process} of the job, which speaks for this node, could not exchange with the other nodes"
            );
            return Error::new(abi::MPI_ERR_PROC_ABORTED, why)
                .advise("looking at what that process said, and at the network between the hosts");
        }
        let why = format!(
            "process {process} of the job could not do its part of the collective operation, so data are lacking here"
        );
        Error::new(abi::MPI_ERR_OTHER, why)
            .advise("looking at the error that that process returned")
    }

    /// A member has more for this process than it has room for.
    #[cold]
    fn too_long(&self, member: u32, bytes: usize, room: usize) -> Box<Error> {
        let process = self.processes[member as usize];
        let why = format!(
            "within the collective operation, from process {process} of the job: {bytes} bytes do not fit into the {room} of the buffer"
        );
        Error::new(abi::MPI_ERR_TRUNCATE, why)
            .advise("give all processes counts and datatypes that agree: a collective has no larger receive buffer")
    }

    /// What a member has published is not what belongs to this call.
    #[cold]
    fn another_call(&self, member: u32) -> Box<Error> {
        let process = self.processes[member as usize];
        let why = format!(
            "process {process} of the job takes part in another collective operation, or with another count"
        );
        Error::new(abi::MPI_ERR_TRUNCATE, why)
            .advise("the same calls in the same order, with counts that agree, on all processes of the communicator")
    }

    /// A member has a vector of another length.
    #[cold]
    fn uneven(&self, member: u32, theirs: usize, ours: usize) -> Box<Error> {
        let process = self.processes[member as usize];
        let why = format!(
            "process {process} of the job takes part in a reduction with {theirs} bytes, this process with {ours}"
        );
        Error::new(abi::MPI_ERR_TRUNCATE, why)
            .advise("give all processes the same count and datatype")
    }

    /// What `writer` has published in a row, into a buffer that should have as many bytes.
    #[inline]
    fn take(&self, row: u32, buffer: &Buffer, writer: u32) -> Outcome {
        if self.coll_segment.length(row, Phase::A) == buffer.bytes() {
            buffer.unpack_at(0, self.coll_segment.content(row, Phase::A));
            return Ok(());
        }
        self.take_other(row, buffer, writer)
    }

    /// The same of a row that was published with another length. Fewer bytes are taken for what they are, as from messages, where writer and reader look for
    /// them at the same place.
    #[cold]
    fn take_other(&self, row: u32, buffer: &Buffer, writer: u32) -> Outcome {
        self.verdict(row, Phase::A, writer)?;
        let (bytes, room) = (self.coll_segment.length(row, Phase::A), buffer.bytes());
        if self.coll_segment.has_words(row, Phase::A) {
            return Err(self.another_call(writer));
        }
        let is_here = matches!(place_of(bytes), Place::Line) || place_of(bytes) == place_of(room);
        if is_here {
            buffer.unpack_at(0, self.coll_segment.content(row, Phase::A));
        }
        match is_here {
            _ if bytes > room => Err(self.too_long(writer, bytes, room)),
            true => Ok(()),
            false => Err(self.another_call(writer)),
        }
    }
}

/// Where bytes lie that are published: by their length.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Line,
    Short,
    Long,
    Nowhere,
}

const fn place_of(bytes: usize) -> Place {
    if bytes <= LINE_BYTES {
        Place::Line
    } else if bytes <= SHORT_STAGING_BYTES {
        Place::Short
    } else if bytes <= STAGING_BYTES {
        Place::Long
    } else {
        Place::Nowhere
    }
}

/// How rooms and tracks are written, where that depends on the caches of those who read them: one way for each row that a part of them is for, since some
/// processes share this one's processor. What is for all is written as what a process has in its own row.
#[derive(Clone, Debug, Default)]
struct CopyPolicies(Vec<CopyPolicy>);

impl CopyPolicies {
    fn of(members: usize) -> CopyPolicies {
        CopyPolicies(vec![CopyPolicy::default(); members])
    }

    /// Whether it makes a difference who looks.
    fn are_kept(&self) -> bool {
        !self.0.is_empty()
    }

    /// Writes the bytes of `data` from `start` on where `row` looks for them.
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

/// What a process has for itself.
fn keep(own: &Buffer, place: &Buffer) -> Outcome {
    if nemesis_datatype::copy(own, place).truncated {
        Err(too_long_for_itself(own, place))
    } else {
        Ok(())
    }
}
