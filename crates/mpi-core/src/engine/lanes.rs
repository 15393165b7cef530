//! Lanes: further engines of this process, for the messages of some of its communicators.
//!
//! Threads that communicate at once hinder each other less by the lock than by the state of the
//! engine, which moves from processor to processor. A lane is an engine with an endpoint, matching,
//! requests and a lock of its own. The messages of a communicator travel in one lane, the same at
//! all its processes, so threads with communicators of their own share nothing:
//!
//! ```text
//!   first lane   everything: communicators, collectives, windows, files, sessions, other jobs
//!   others       messages between two processes of this job, requests of these, probes
//! ```
//!
//! * The process that draws a communicator's context draws its lane, too, as a part of the context
//!   (`nemesis_mpi_objects::context`). A lane is opened by the first communicator that travels
//!   there.
//! * The first lane keeps the communicator. The other one has a twin of it under the same handle;
//!   in the first one it has no destinations for messages, so each fast path declines.
//! * A communicator whose processes all assert that they name the tags of their receives has a twin
//!   in several lanes, and each tag has one of these ([`lane_for`]). Without MPI_ANY_TAG a program
//!   sees no order of messages of different tags.
//! * Handles of requests and matched messages name their lane ([`OfLane`]).
//! * A lane knows the datatypes of the program that its calls have used ([`enter_for_data`]).
//! * Two lanes are never waited for at once: whoever holds the first one may wait for another, but
//!   nobody waits for the first one, or for a third, inside a lane. A call of several lanes enters
//!   one after the other.
//!
//! **Attention.** A call that waits has to let all communication of its process go on (MPI 5.0
//! §2.9). A thread that waits in one lane therefore looks after those that nobody attends, that is,
//! in which no thread polls or sleeps. It enters them in passing, and leaves a lane alone that is
//! biased to a thread that computes, unless that lasts. It sleeps at the doorbells of these lanes,
//! too ([`Watch`]); where that is not possible, sleeps are short.

use super::lock::{Mpi, enable_rebias, enter};
use super::{Engine, Stage};
use crate::abi;
use crate::context::Context;
use crate::error::Outcome;
use crate::going_on;
use crate::handle::{self, Handle, OfLane};
use crate::pt2pt::too_many_in_lane;
use crate::request::{Activity, Request};
use crate::state_report::{OtherLane, OtherLanes};
use nemesis::{Asleep, Endpoint};
use nemesis_datatype::NO_MEMORY_MAX;
use nemesis_sync::biased_lock::{BiasedLock, ShortGuard};
use nemesis_sync::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering};
use nemesis_sys::{membarrier, per_process, virtual_process};
use std::ops::Range;
use std::time::{Duration, Instant};

pub use handle::LANES_MAX;

const _: () = assert!(LANES_MAX == nemesis::LANES_MAX && LANES_MAX <= u8::BITS as usize);

/// A value on cache lines of its own. Processors fetch lines in pairs.
#[repr(align(128))]
struct Apart<T>(T);

impl<T> std::ops::Deref for Apart<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// The lanes of a process.
struct OfProcess {
    /// Those other than the first.
    others: [Apart<BiasedLock<Engine>>; LANES_MAX - 1],
    /// Those other than the first that are open, by the bits of their numbers; or [`SIMULATED`].
    open: Apart<AtomicU8>,
    attendance: [Apart<Attendance>; LANES_MAX],
    /// Threads of the program that sleep in calls, in whatever lanes.
    threads_asleep: Apart<AtomicU32>,
    /// The lanes other than the first that have been opened, by the bits of their numbers: their
    /// endpoints stay.
    opened: Apart<AtomicU8>,
    /// The value of [`first_address`].
    first_address: Apart<AtomicUsize>,
    /// The entries of the communicators of a virtual process.
    of_comms: [AtomicU8; COMMS_MAX_VIRTUAL],
}

impl OfProcess {
    const fn new() -> OfProcess {
        OfProcess {
            others: [const { Apart(BiasedLock::new(Engine::new())) }; LANES_MAX - 1],
            open: Apart(AtomicU8::new(0)),
            attendance: [const { Apart(Attendance::new()) }; LANES_MAX],
            threads_asleep: Apart(AtomicU32::new(0)),
            opened: Apart(AtomicU8::new(0)),
            first_address: Apart(AtomicUsize::new(NO_MEMORY_MAX)),
            of_comms: [const { AtomicU8::new(0) }; COMMS_MAX_VIRTUAL],
        }
    }
}

per_process! {
    /// The lanes of the system's process lie at a constant address, as its first engine does.
    static LANES: OfProcess = OfProcess::new();
}

/// The value of `open` in the system's process while it runs a simulation: each virtual process has
/// lanes of its own. The bit is that of no other lane.
const SIMULATED: u8 = 1;

/// Returns the lanes of this process.
#[inline(always)]
fn here() -> &'static OfProcess {
    let own = LANES.own();
    // Relaxed: as in `are_open`; a simulation is one thread.
    if own.open.load(Ordering::Relaxed) == SIMULATED { of_virtual() } else { own }
}

#[cold]
#[inline(never)]
fn of_virtual() -> &'static OfProcess {
    &LANES
}

/// Leaves the lanes to the virtual processes of a simulation.
pub(super) fn close_for_simulation() {
    // Relaxed: as in `here`.
    LANES.own().open.store(SIMULATED, Ordering::Relaxed);
}

/// Drops what the lanes of a virtual process own, which has ended.
pub(super) fn end_virtual() {
    // Relaxed: as in `here`.
    if here().opened.load(Ordering::Relaxed) != 0 {
        for lane in &here().others {
            lane.enter().iter_mut().for_each(|guard| **guard = Engine::new());
        }
    }
}

/// The lane of each communicator, by the index in its handle; or the last of its lanes and
/// [`BY_TAG`].
static LANE_OF_COMM: Apart<[AtomicU8; COMMS_MAX]> = Apart([const { AtomicU8::new(0) }; COMMS_MAX]);
const COMMS_MAX: usize = 1 << handle::Comm::INDEX_BITS;
/// Mark of communicators each of whose tags has a lane: from 1 to the number beside the mark.
const BY_TAG: u8 = 1 << 7;

/// The lane of a message without a tag, of a communicator each of whose tags has one: none. The
/// first lane explains it.
const NO_LANE: usize = LANES_MAX;

/// What threads in other lanes see of one.
struct Attendance {
    /// A thread has polled the lane since this was cleared.
    polled: AtomicBool,
    /// Threads that sleep at the lane's doorbell, or until a thread calls them that does.
    asleep: AtomicU32,
}

impl Attendance {
    const fn new() -> Attendance {
        Attendance { polled: AtomicBool::new(false), asleep: AtomicU32::new(0) }
    }
}

/// How the lanes are attended, other than that of a thread which waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Others {
    /// Threads poll or sleep in all of them.
    Attended,
    /// Nobody polls or sleeps in these, by the bits of their numbers.
    Silent(u8),
    /// In some a thread has polled of late that is not there now, or is not always there.
    Active,
}

/// Sleep of a thread that cannot sleep at all doorbells at which something may arrive.
const NAP: Duration = Duration::from_millis(1);
/// Sleeps of a thread after which it looks after a lane that is biased to another thread. To revoke
/// a bias takes some ten microseconds, a sleep a millisecond.
const SLEEPS_BEFORE_REVOCATION: u32 = 4;
/// Looks after which a thread does so that does not sleep. Each comes after microseconds.
const LOOKS_BEFORE_REVOCATION: u32 = 256;

/// What an engine knows of the lanes. All but the last is the first one's.
pub struct Lanes {
    /// Number of lanes that may be used, with the first.
    pub max: usize,
    /// Number of those that communicators get in turn (`NEMESIS_LANES`).
    pub in_turn: usize,
    /// The lane that was drawn last.
    last: usize,
    /// Looks of threads in this lane after others.
    looks: u32,
    /// Lanes of which the user has been told that they cannot be opened, by the bits of their
    /// numbers.
    refused: u8,
}

impl Lanes {
    pub(super) const fn new() -> Lanes {
        Lanes { max: 1, in_turn: 1, last: 0, looks: 0, refused: 0 }
    }
}

/// Where the messages of a new communicator are to travel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// In the first lane: communicators of the library.
    First,
    /// In the lanes of `NEMESIS_LANES` in turn, if the process that draws has MPI_THREAD_MULTIPLE.
    Any,
    /// In these lanes by their tags, on the same condition unless the program has `asked`.
    ByTag { asked: bool },
    /// In this lane, as the program wishes by an info.
    Wish(usize),
}

/// Where the processes of a communicator are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Span {
    Node,
    /// On several nodes.
    Nodes,
    /// They belong to several jobs, or are two groups.
    Jobs,
}

/// Returns the address above which the first attempt of a call takes buffers. Those below are none:
/// MPI_BOTTOM and MPI_IN_PLACE. While there are several lanes, the first attempts decline, because
/// they would touch the first lane's cache line, and this is how they learn of it: by a comparison
/// that they make anyway.
#[inline(always)]
pub fn first_address() -> usize {
    // Relaxed: as in `are_open`.
    LANES.own().first_address.load(Ordering::Relaxed)
}

/// Returns whether there are lanes beside the first.
#[inline(always)]
pub fn are_open() -> bool {
    // Relaxed: a thread that has the handle of an object in a lane has synchronized with the one
    // that made it, which had opened the lane before.
    match LANES.own().open.load(Ordering::Relaxed) {
        0 => false,
        SIMULATED => of_virtual().open.load(Ordering::Relaxed) != 0,
        _ => true,
    }
}

#[inline]
fn is_open(lane: usize) -> bool {
    // Relaxed: as above.
    lane == 0 || here().open.load(Ordering::Relaxed) & 1 << lane != 0
}

/// Returns a lane if it is open, and otherwise the first.
pub fn open_or_first(lane: usize) -> usize {
    if is_open(lane) { lane } else { 0 }
}

/// Returns what [`lane_for`] does, for a fast path. `None` in simulations.
#[inline(always)]
pub fn lane_for_fast(comm: handle::Comm, tag: i32) -> Option<usize> {
    // Relaxed: as in `are_open`.
    if LANES.own().open.load(Ordering::Relaxed) == SIMULATED {
        return None;
    }
    if comm.is_predefined() {
        return Some(0);
    }
    // Relaxed: as in `are_open`.
    let of = LANE_OF_COMM[comm.bits() % COMMS_MAX].load(Ordering::Relaxed);
    Some(if of < BY_TAG { of.into() } else { lane_of_tag(of & !BY_TAG, tag) })
}

/// Returns whether there may be lanes beside the first. A load, which needs no registers.
#[inline(always)]
pub fn may_be_open() -> bool {
    // Relaxed: as in `are_open`.
    LANES.own().open.load(Ordering::Relaxed) != 0
}

/// Returns the lane in which the messages of a communicator with this tag travel.
#[inline]
pub fn lane_for(comm: handle::Comm, tag: i32) -> usize {
    let of = word_of(comm);
    if of < BY_TAG { of.into() } else { lane_of_tag(of & !BY_TAG, tag) }
}

#[inline]
fn lane_of_tag(last: u8, tag: i32) -> usize {
    if tag < 0 {
        return NO_LANE;
    }
    // Programs number their threads by tags, which are consecutive.
    1 + (tag as u32 % u32::from(last.max(1))) as usize
}

/// The entries of a virtual process, whose handles have small indices.
const COMMS_MAX_VIRTUAL: usize = 1 << 12;

/// Returns the entry of a communicator in [`LANE_OF_COMM`], or that of a virtual process.
#[inline(always)]
fn entry_of(comm: handle::Comm) -> &'static AtomicU8 {
    // Relaxed: as in `here`.
    if LANES.own().open.load(Ordering::Relaxed) == SIMULATED {
        return &of_virtual().of_comms[comm.bits() % COMMS_MAX_VIRTUAL];
    }
    &LANE_OF_COMM[comm.bits() % COMMS_MAX]
}

/// Returns what [`entry_of`] a communicator says.
#[inline]
fn word_of(comm: handle::Comm) -> u8 {
    if !are_open() || comm.is_predefined() {
        return 0;
    }
    // Relaxed: as in `are_open`.
    entry_of(comm).load(Ordering::Relaxed)
}

/// The lanes other than the first in which messages of a communicator travel, by its entry.
fn lanes_in(of: u8) -> Range<usize> {
    let last = usize::from(of & !BY_TAG);
    let first = if of >= BY_TAG { 1 } else { last };
    first.max(1)..last + 1
}

/// Returns the lane of an object that has this name in the program, and its name there. A handle
/// that names a lane which is not open is left to the first one, which explains it.
#[inline]
pub fn split<H: OfLane>(handle: H) -> (usize, H) {
    let (lane, inside) = handle.inside();
    if is_open(lane) { (lane, inside) } else { (0, handle) }
}

/// Returns the name in the program of an object that has this one in a lane.
#[inline]
pub fn name<H: OfLane>(lane: usize, handle: H) -> Outcome<H> {
    handle.outside(lane).ok_or_else(|| too_many_in_lane(H::NAMED_MAX))
}

/// Returns the program's name of an object that a fast path of a lane has made, which makes none
/// that the program cannot name.
#[inline(always)]
pub fn name_of_new<H: OfLane>(lane: usize, handle: H) -> H {
    let named = handle.outside(lane);
    debug_assert!(named.is_some(), "an object of lane {lane} has no name");
    named.unwrap_or(H::NULL)
}

/// Enters the lane with this number, as [`enter`] does.
#[inline]
pub fn enter_lane(lane: usize) -> Outcome<Mpi> {
    if lane == 0 { enter() } else { enter_other(lane) }
}

#[inline(never)]
fn enter_other(lane: usize) -> Outcome<Mpi> {
    virtual_process::preempt();
    // A lane is shared as long as it exists, so nobody is refused but in no lane.
    let other = here().others.get(lane - 1);
    let Some(guard) = other.and_then(|lock| lock.enter()) else { return enter() };
    guard.life.check_running()?;
    Ok(Mpi { guard })
}

/// Enters the lane in which the messages of a communicator with this tag travel.
#[inline]
pub fn enter_for(comm: handle::Comm, tag: i32) -> Outcome<Mpi> {
    if are_open() { enter_lane(lane_for(comm, tag)) } else { enter() }
}

/// Enters the lane of a communicator's messages with this tag, for data of these types. The lane
/// gets to know the types that the program has made since.
#[inline]
pub fn enter_for_data(comm: handle::Comm, tag: i32, types: &[handle::Datatype]) -> Outcome<Mpi> {
    if are_open() { enter_knowing(lane_for(comm, tag), types) } else { enter() }
}

/// Enters a lane that knows these types.
pub fn enter_knowing(lane: usize, types: &[handle::Datatype]) -> Outcome<Mpi> {
    let mut mpi = enter_lane(lane)?;
    if lane != 0 && types.iter().any(|&datatype| mpi.types.get(datatype).is_err()) {
        drop(mpi);
        let first = enter()?;
        // What the first lane does not know either is an error, which the call finds.
        let known = |&datatype| Some((datatype, first.types.get(datatype).ok()?.clone()));
        let found: Vec<_> = types.iter().filter_map(known).collect();
        drop(first);
        mpi = enter_lane(lane)?;
        found.into_iter().for_each(|(handle, datatype)| mpi.types.adopt(handle, datatype));
    }
    Ok(mpi)
}

/// Fast path of [`enter_lane`] for the thread towards which the lane is biased. Not for the first
/// lane.
#[inline(always)]
pub fn enter_lane_biased(lane: usize) -> Option<ShortGuard<'static, Engine>> {
    LANES.own().others.get(lane - 1)?.enter_biased()
}

/// Fast path of [`enter_lane`]. Not for the first lane.
#[inline(always)]
pub fn enter_lane_open(lane: usize) -> Option<ShortGuard<'static, Engine>> {
    LANES.own().others.get(lane - 1)?.enter_shared_open()
}

/// Waits until the thread that is inside a lane leaves it, and enters by the fast path. Not for the
/// first lane.
#[inline]
pub fn await_lane_open(lane: usize) -> Option<ShortGuard<'static, Engine>> {
    LANES.own().others.get(lane - 1)?.await_shared_open()
}

/// The open lanes other than `own`.
fn others(own: usize) -> impl Iterator<Item = usize> {
    (0..LANES_MAX).filter(move |&lane| lane != own && is_open(lane))
}

/// Enters each lane other than the first for work that does not wait. The caller may hold the first
/// one.
pub fn each_other(mut work: impl FnMut(&mut Mpi)) {
    for lane in others(0) {
        if let Some(guard) = here().others[lane - 1].enter() {
            work(&mut Mpi { guard });
        }
    }
}

impl Engine {
    /// Draws the context of a communicator that is made from `parent`, and with it the lane in
    /// which its messages travel.
    pub fn draw_context_from(&mut self, parent: handle::Comm, choice: Choice) -> Outcome<Context> {
        let drawn = self.draw_context()?;
        let lane = self.draw_lane(parent, choice);
        let is_by_tag = matches!(choice, Choice::ByTag { .. }) && lane > 1;
        Ok(if is_by_tag { drawn.in_lanes_by_tag(lane) } else { drawn.in_lane(lane) })
    }

    /// Returns the last of the lanes from 1 to `last` up to which this process can use all, for a
    /// communicator of the processes of `parent`.
    pub fn usable_lanes(&mut self, parent: handle::Comm, last: usize) -> usize {
        let max = match (self.span_of(parent), &self.pt2pt.endpoint) {
            (Span::Node, _) => self.lanes.max,
            (Span::Nodes, Some(endpoint)) => self.lanes.max.min(endpoint.lanes_between_nodes(true)),
            _ => 1,
        };
        let is_usable = |lane: &usize| *lane < max && self.open_lane(*lane).is_ok();
        (1..=last).take_while(is_usable).last().unwrap_or(0)
    }

    /// Returns the next lane in turn for a stream of the program. A process that can have only one
    /// lane has streams, too, and their messages travel there.
    pub fn draw_stream(&mut self) -> usize {
        self.lanes.last = self.lanes.last % (self.lanes.max - 1).max(1) + 1;
        self.lanes.last
    }

    fn draw_lane(&mut self, parent: handle::Comm, choice: Choice) -> usize {
        let Lanes { max, in_turn, last, .. } = self.lanes;
        let is_threaded = self.life.thread_level == abi::MPI_THREAD_MULTIPLE;
        let (asked, wish) = match choice {
            Choice::Any if in_turn > 1 && is_threaded => (false, None),
            Choice::ByTag { asked } if asked || in_turn > 1 && is_threaded => (asked, None),
            Choice::Wish(wish) if wish != 0 => (true, Some(wish)),
            _ => return 0,
        };
        let span = self.span_of(parent);
        let max = match (span, &self.pt2pt.endpoint) {
            (Span::Node, _) => max,
            (Span::Nodes, Some(endpoint)) => max.min(endpoint.lanes_between_nodes(asked)),
            _ => 1,
        };
        let lane = match (wish, choice) {
            (Some(wish), _) if wish < max => wish,
            (None, Choice::ByTag { asked: true }) => max - 1,
            (None, Choice::ByTag { .. }) => in_turn.min(max) - 1,
            (None, _) if in_turn.min(max) > 1 => last % (in_turn.min(max) - 1) + 1,
            _ => return 0,
        };
        if lane == 0 {
            return 0;
        }
        // Where the networks cannot be started once more here, they often cannot elsewhere: the
        // first lane has them.
        if span == Span::Nodes
            && let Err(why) = self.open_lane(lane)
        {
            if self.verbose {
                nemesis_sys::message::tell(format_args!(
                    "nemesis: {}: communicators of several nodes have one lane: {why}",
                    crate::process::who()
                ));
            }
            return 0;
        }
        if choice == Choice::Any {
            self.lanes.last = lane;
        }
        lane
    }

    /// Returns where the processes of a communicator are.
    fn span_of(&self, comm: handle::Comm) -> Span {
        let (Some(comm), Some(endpoint)) = (self.comms.find(comm), &self.pt2pt.endpoint) else {
            return Span::Jobs;
        };
        let processes = comm.group.processes();
        if comm.is_inter() || processes.iter().any(|&process| endpoint.is_foreign(process)) {
            return Span::Jobs;
        }
        match processes.iter().any(|&process| endpoint.is_remote(process)) {
            true => Span::Nodes,
            false => Span::Node,
        }
    }

    /// Opens the lane of a communicator that has its context now, if that names another lane, and
    /// leaves its messages to that lane.
    pub(crate) fn settle_comm(&mut self, handle: handle::Comm) {
        let Some(context) = self.comms.find(handle).map(|comm| comm.context) else { return };
        let of = match context.last_lane_by_tag() {
            0 => context.lane() as u8,
            last => last as u8 | BY_TAG,
        };
        if of == 0 || self.lane != 0 {
            return;
        }
        let mut lane = 0;
        let opened = lanes_in(of).try_for_each(|next| {
            lane = next;
            self.open_lane(next)
        });
        self.comms.cache.forget(handle);
        let Some(comm) = self.comms.find_mut(handle) else { return };
        comm.withhold();
        if let Err(why) = opened {
            // Calls about messages fail, and say so.
            if self.lanes.refused & 1 << lane != 0 {
                return;
            }
            self.lanes.refused |= 1 << lane;
            nemesis_sys::message::tell(format_args!(
                "nemesis: {}: lane {lane} of its communicators cannot be opened: {why}; try: \
                 NEMESIS_LANES=1",
                crate::process::who()
            ));
            return;
        }
        for lane in lanes_in(of) {
            let mut twin = comm.twin(comm.context);
            twin.name.clone_from(&comm.name);
            twin.made_by = comm.made_by;
            if let Some(mut other) = here().others[lane - 1].enter() {
                other.comms.adopt(handle, twin);
                // Its revocation may have arrived in the lane before.
                other.note_new_comm(handle);
            }
        }
        // Relaxed: as in `are_open`.
        entry_of(handle).store(of, Ordering::Relaxed);
    }

    /// Tells the lanes of a communicator its name, for messages.
    pub fn tell_name(&mut self, handle: handle::Comm) {
        let Some(comm) = self.comms.find(handle).filter(|_| self.lane == 0) else { return };
        for lane in lanes_in(word_of(handle)) {
            if let Some(mut other) = here().others[lane - 1].enter()
                && let Some(twin) = other.comms.find_mut(handle)
            {
                twin.name.clone_from(&comm.name);
            }
        }
    }

    /// Removes a communicator from its lanes, after it has been removed from the first one.
    pub(crate) fn unsettle_comm(&mut self, handle: handle::Comm) {
        let of = word_of(handle);
        if of == 0 || self.lane != 0 {
            return;
        }
        // Relaxed: as in `are_open`.
        entry_of(handle).store(0, Ordering::Relaxed);
        for lane in lanes_in(of) {
            if let Some(mut other) = here().others[lane - 1].enter() {
                other.comms.disown(handle);
            }
        }
    }

    /// Opens a lane. The caller holds the first one, which this is.
    fn open_lane(&mut self, lane: usize) -> Result<(), String> {
        if is_open(lane) {
            return Ok(());
        }
        let (Some(first), Some(memory)) = (&mut self.pt2pt.endpoint, &self.memory) else {
            return Err("MPI is not initialised".into());
        };
        let lock = &here().others[lane - 1];
        let mut guard = lock.share(membarrier::own_threads);
        if guard.pt2pt.endpoint.is_none() {
            let endpoint = first.open_lane(lane, memory)?;
            enable_rebias(&mut guard);
            guard.lane = lane;
            guard.register(self.hooks);
            guard.verbose = self.verbose;
            guard.pt2pt.be_like(&self.pt2pt, endpoint, lane);
            let done = Request::new(abi::MPI_COMM_SELF, Activity::Done);
            guard.pt2pt.done_request = guard.pt2pt.new_request(done).map_err(|error| error.why)?;
        }
        guard.life.stage = Stage::Running;
        guard.life.thread_level = abi::MPI_THREAD_MULTIPLE;
        Mpi { guard }.open();
        // Relaxed: as in `are_open`.
        here().open.fetch_or(1 << lane, Ordering::Relaxed);
        here().opened.fetch_or(1 << lane, Ordering::Relaxed);
        here().first_address.store(usize::MAX, Ordering::Relaxed);
        Ok(())
    }
}

impl Mpi {
    /// Lets the other lanes send what their peers need of this process, which ends its use of MPI,
    /// and closes them.
    pub fn close_lanes(&mut self) {
        self.in_each_lane(|other| {
            other.drain();
            let engine = &mut **other;
            if let Some(endpoint) = &mut engine.pt2pt.endpoint {
                endpoint.deliver_all(&mut engine.pt2pt.core);
            }
            other.life.stage = Stage::Finalized;
            other.set_open(false);
        });
        // Relaxed: as in `are_open`.
        here().open.store(0, Ordering::Relaxed);
        here().first_address.store(NO_MEMORY_MAX, Ordering::Relaxed);
    }

    /// Enters the other lanes one after the other, without holding this one, the first. `work` may
    /// wait.
    pub fn in_each_lane(&mut self, mut work: impl FnMut(&mut Mpi)) {
        for lane in others(0) {
            self.aside(|| enter_lane(lane).iter_mut().for_each(&mut work));
        }
    }

    /// Makes a round of progress in this lane and in all others.
    pub(crate) fn progress_in_every_lane(&mut self) {
        self.progress();
        for lane in others(self.lane) {
            self.aside(|| enter_lane(lane).iter_mut().for_each(Mpi::progress));
        }
    }

    /// Enters the lanes of a communicator's messages as [`in_each_lane`](Self::in_each_lane) does,
    /// apart from the first.
    pub fn in_lanes_of(&mut self, comm: handle::Comm, mut work: impl FnMut(&mut Mpi)) {
        for lane in lanes_in(word_of(comm)) {
            self.aside(|| enter_lane(lane).iter_mut().for_each(&mut work));
        }
    }

    /// Tells threads in other lanes that this lane is polled.
    #[inline(always)]
    pub(super) fn attend(&self) {
        if are_open() {
            // Relaxed: a hint; what the poll finds is behind the lock.
            here().attendance[self.lane].polled.store(true, Ordering::Relaxed);
        }
    }

    /// Runs `sleep`, which waits for news of this lane.
    pub(super) fn attend_asleep(&mut self, sleep: impl FnOnce()) {
        let asleep = &here().attendance[self.lane].asleep;
        // Relaxed: as above. Other threads that see it late are attentive for nothing.
        asleep.fetch_add(1, Ordering::Relaxed);
        here().threads_asleep.fetch_add(1, Ordering::Relaxed);
        self.aside(sleep);
        here().threads_asleep.fetch_sub(1, Ordering::Relaxed);
        asleep.fetch_sub(1, Ordering::Relaxed);
    }

    /// Returns the packets that this lane has sent to other nodes, and received from them.
    fn network_packets(&mut self) -> [u64; 2] {
        let traffic = self.pt2pt.endpoint.as_mut().map(Endpoint::traffic);
        traffic.map_or([0; 2], |all| [all.network_packets_sent, all.network_packets_received])
    }

    /// Looks after the lanes that no thread attends, for a thread of the library that is about to
    /// sleep. Returns whether there are any.
    pub fn look_after_lanes(&mut self) -> bool {
        are_open() && self.attend_others(Some(virtual_process::now())) != Others::Attended
    }

    /// Looks after the lanes that no thread attends, and returns which there are. A wait that is
    /// about to sleep passes since when it sleeps.
    #[cold]
    pub(super) fn attend_others(&mut self, since: Option<Instant>) -> Others {
        let own = self.lane;
        self.lanes.looks = self.lanes.looks.wrapping_add(1);
        let patience =
            if since.is_some() { SLEEPS_BEFORE_REVOCATION } else { LOOKS_BEFORE_REVOCATION };
        let insist = self.lanes.looks.is_multiple_of(patience);
        // Flushes of buffers may wait for messages of lanes that other threads attend.
        let mut are_active = own == 0 && self.pt2pt.core.collect_flushes();
        let mut silent = 0;
        for lane in others(own) {
            // Relaxed: as in `attend`.
            let Attendance { polled, asleep } = &here().attendance[lane].0;
            if asleep.load(Ordering::Relaxed) > 0 {
                continue;
            }
            if polled.load(Ordering::Relaxed) {
                polled.store(false, Ordering::Relaxed);
                are_active = true;
                continue;
            }
            silent |= 1 << lane;
            self.aside(|| look_after(lane, insist, since));
        }
        match silent {
            _ if are_active => Others::Active,
            0 => Others::Attended,
            lanes => Others::Silent(lanes),
        }
    }
}

/// Enters a lane in passing: see [`BiasedLock::enter_in_passing`].
fn enter_in_passing(lane: usize, insist: bool) -> Option<Mpi> {
    let guard = match lane {
        0 => super::lock::enter_first_in_passing(insist)?,
        _ => here().others[lane - 1].enter_in_passing(insist)?,
    };
    Some(Mpi { guard })
}

fn look_after(lane: usize, insist: bool, since: Option<Instant>) {
    if let Some(mut mpi) = enter_in_passing(lane, insist) {
        mpi.look_for_deaths();
        mpi.poll_once();
        // Nobody is about to receive in a lane that nobody attends.
        mpi.read_unexpected();
        if lane == 0
            && let Some(since) = since
        {
            mpi.check_launcher(since);
        }
    }
}

/// Returns the number of threads that sleep in calls. While there are lanes, since otherwise the
/// threads of several simulated processes count.
pub(super) fn threads_asleep() -> u32 {
    // Relaxed: what a thread has done before it sleeps is behind the lock of its lane, which the
    // caller has taken in the meantime.
    here().threads_asleep.load(Ordering::Relaxed)
}

/// Returns what a state report says of the lanes other than `own`, and obeys the launcher's
/// question there. The caller is inside none.
pub(super) fn reports_of_others(own: usize) -> OtherLanes {
    let mut all = OtherLanes::default();
    for lane in others(own).chain(closed()) {
        let Some(mut mpi) = enter_in_passing(lane, true) else {
            all.are_partial = true;
            continue;
        };
        add(&mut all.network_packets, mpi.network_packets());
        if is_open(lane) {
            let quiet = virtual_process::since(mpi.quiet_since());
            let Engine { comms, pt2pt, waiting, life, .. } = &mut *mpi;
            let mut said = OtherLane::of(comms, pt2pt, waiting, quiet);
            said.finalizes = life.finalizes;
            all.lanes.push(said);
            let waits = mpi.waiting.others_sleep();
            if going_on::obey(&mut mpi.pt2pt, None, waits) {
                mpi.wake_others();
            }
        }
    }
    all
}

/// The lanes that have been open.
fn closed() -> impl Iterator<Item = usize> {
    // Relaxed: as in `are_open`.
    let opened = here().opened.load(Ordering::Relaxed);
    (1..LANES_MAX).filter(move |&lane| opened & 1 << lane != 0 && !is_open(lane))
}

/// Returns the packets that the lanes other than the first have sent to other nodes, and received
/// from them. The caller may hold the first one.
pub fn network_packets_of_others() -> [u64; 2] {
    let mut all = [0; 2];
    for lane in others(0).chain(closed()) {
        if let Some(guard) = here().others[lane - 1].enter() {
            add(&mut all, Mpi { guard }.network_packets());
        }
    }
    all
}

fn add(sum: &mut [u64; 2], more: [u64; 2]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.wrapping_add(more));
}

/// Lanes at whose doorbells a thread sleeps that waits in another one, or for several: to their own
/// threads it is a thread that sleeps there. The thread is inside no lane.
pub struct Watch {
    lanes: Vec<(usize, Asleep)>,
    /// Some lanes could not be taken, so that a sleep must be short.
    is_partial: bool,
}

impl Watch {
    /// Begins to watch these lanes, by the bits of their numbers. `None` if something has arrived
    /// in one of them.
    pub fn over(lanes: u8) -> Option<Watch> {
        let mut watch = Watch { lanes: Vec::new(), is_partial: false };
        for lane in (0..LANES_MAX).filter(|lane| lanes & 1 << lane != 0 && is_open(*lane)) {
            let free = enter_in_passing(lane, false).filter(|mpi| !mpi.waiting.sleeper);
            let Some(mut mpi) = free else {
                watch.is_partial = true;
                continue;
            };
            watch.is_partial |= mpi.naps();
            let asleep = mpi.prepare_sleep()?;
            if mpi.have_collectives_news() {
                mpi.end_sleep(asleep);
                return None;
            }
            watch.lanes.push((lane, asleep));
            // Relaxed: as in `Mpi::attend_asleep`.
            here().attendance[lane].asleep.fetch_add(1, Ordering::Relaxed);
        }
        Some(watch)
    }

    /// Sleeps until something arrives in one of the lanes, at most for `limit`, for a call that
    /// waits for several.
    pub fn sleep_for_all(&self, limit: Duration) {
        // Relaxed: as in `Mpi::attend_asleep`.
        here().threads_asleep.fetch_add(1, Ordering::Relaxed);
        self.sleep(None, limit);
        here().threads_asleep.fetch_sub(1, Ordering::Relaxed);
    }

    /// Sleeps until something arrives in one of the lanes, or at `own`, at most for `limit`.
    pub(super) fn sleep(&self, own: Option<&Asleep>, limit: Duration) {
        let limit = if self.is_partial { limit.min(NAP) } else { limit };
        let all = self.lanes.iter().map(|(_, asleep)| asleep).chain(own);
        if all.clone().next().is_none() || !Asleep::sleep_on_any(all, limit) {
            match own {
                Some(own) => own.sleep(limit.min(NAP)),
                None => virtual_process::nap(limit.min(NAP)),
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        for (lane, asleep) in self.lanes.drain(..) {
            // Relaxed: as in `Mpi::attend_asleep`.
            here().attendance[lane].asleep.fetch_sub(1, Ordering::Relaxed);
            // A lane that is closed meanwhile has no threads.
            if let Ok(mut mpi) = enter_lane(lane) {
                mpi.end_sleep(asleep);
            }
        }
    }
}

/// The open lanes, by the bits of their numbers.
pub fn open_lanes() -> u8 {
    // Relaxed: as in `are_open`.
    here().open.load(Ordering::Relaxed) | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_spread_over_the_lanes_of_their_communicator() {
        let lanes = |of: u8| lanes_in(of).collect::<Vec<usize>>();
        assert_eq!([lanes(0), lanes(5), lanes(3 | BY_TAG)], [vec![], vec![5], vec![1, 2, 3]]);
        let of_tags: Vec<usize> = (0..7).map(|tag| lane_of_tag(3, tag)).collect();
        assert_eq!(of_tags, [1, 2, 3, 1, 2, 3, 1]);
        assert!((0..LANES_MAX as u8).all(|last| lane_of_tag(last, i32::MAX) < LANES_MAX));
        assert_eq!([lane_of_tag(3, abi::MPI_ANY_TAG), lane_of_tag(3, -5)], [NO_LANE; 2]);
    }
}
