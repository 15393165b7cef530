//! The engine: the state of MPI in this process, and its progress.
//!
//! One [`Engine`] exists, in a monitor; [`enter`] gives the exclusive guard [`Mpi`]. Inside, everything is plain `&mut` Rust. A blocking call lets the
//! guard go between two polls ([`Mpi::after_poll`]), and whoever calls a user function lets go first ([`Mpi::unlocked`]).
//!
//! *Progress* (MPI 5.0 §3.5) happens in every call that waits or tests: the endpoint is polled, arriving packets go to the protocol's
//! [`Core`], and what they call for is performed afterwards.

use crate::abi;
use crate::coll;
use crate::comm::Comm;
use crate::comm_cache::CommCache;
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle, Place, Table};
use crate::matching::{Course, Posted};
use crate::protocol::{Core, Task};
use crate::receive::Matched;
use crate::request::{Activity, Completion, Request};
use crate::rma::{ProbeBackoffs, ProgressService, Served, Window};
use crate::state_report;
use crate::types::Types;
use crate::waiters::Waiters;
use nemesis::wire::{Header, LINE_PAYLOAD_BYTES};
use nemesis::{Backoff, BackoffStep, Endpoint, Memory, SLEEP, THREADED_SLEEP};
use nemesis_sync::biased_lock::{BiasedLock, Guard, RevocationHooks, ShortGuard};
use nemesis_sys::membarrier;
use nemesis_wireup::Wireup;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The sleeps of one who waits for a word in shared memory: from about what a wake-up costs, up to what takes one per cent of a processor.
const NAP_MIN: Duration = Duration::from_micros(20);
const NAP_MAX: Duration = Duration::from_millis(1);

/// How far the engine, or the world model, has come (MPI 5.0 §11.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    Before,
    Running,
    Finalized,
}

/// The state of MPI in this process.
pub struct Engine {
    pub stage: Stage,
    pub endpoint: Option<Endpoint>,
    pub(crate) wireup: Option<Wireup>,
    pub core: Core,
    /// Something was left to the next call, and no call takes a short path until it is done ([`Mpi::leave_tasks`]).
    left: bool,
    /// `MPI_COMM_WORLD` and `MPI_COMM_SELF`.
    pub(crate) predefined_comms: [Option<Box<Comm>>; 2],
    pub(crate) comm_cache: CommCache,
    pub comms: Table<handle::Comm, Comm>,
    /// The intercommunicator to those who have spawned us; null otherwise.
    pub parent: handle::Comm,
    pub types: Types,
    pub messages: Table<handle::Message, Matched>,
    pub windows: Table<handle::Win, Window>,
    /// Ways to the memory of the processes of this node.
    pub memory: Option<Memory>,
    /// Windows that others access with our help, and who gives it while the program computes.
    pub(crate) served: Served,
    pub(crate) progress_service: ProgressService,
    /// When neighbours are told of accesses to their memory.
    pub(crate) probe_backoffs: ProbeBackoffs,
    /// `NEMESIS_VERBOSE`
    pub(crate) verbose: bool,
    /// Packets that wait for room, by destination, and how many in all.
    pub(crate) outgoing: Vec<VecDeque<crate::send::Outgoing>>,
    pub(crate) outgoing_packets: usize,
    /// Longer messages are announced (`NEMESIS_EAGER_MAX_BYTES`).
    pub(crate) eager_max_bytes: usize,
    /// The same for messages to other nodes that go as bodies, which are at least so long.
    pub(crate) eager_body_max_bytes: usize,
    pub(crate) body_min_bytes: usize,
    /// Longer ones go in several packets (`NEMESIS_PACKET_MAX_BYTES`).
    pub(crate) packet_max_bytes: usize,
    /// Where messages with holes are packed on their way into a packet.
    pub(crate) packing: Vec<u8>,
    /// Where this process draws contexts from.
    pub(crate) contexts: crate::context::Counter,
    /// The request that stands for every send that completed at once; null until there is an endpoint.
    pub(crate) done_request: handle::Request,
    /// The process's buffer of buffered mode.
    pub(crate) buffer: Option<crate::buffered::RoomNumber>,
    pub(crate) users: crate::life::Users,
    pub sessions: Table<handle::Session, crate::session::Session>,
    /// The highest of all that were granted.
    pub thread_level: i32,
    /// Nobody is granted less (`NEMESIS_THREAD_LEVEL`).
    pub(crate) least_thread_level: i32,
    /// Whether a thread of ours sleeps at the doorbell.
    pub(crate) sleeper: bool,
    /// How many others of our threads sleep, in the lounge.
    pub(crate) resting: u32,
    /// `MPI_Finalize` is under way.
    pub(crate) finalizes: bool,
    /// Boards that this process allocated and has left before others.
    pub(crate) deserted: Vec<coll::shm::NodeComm>,
    /// What the calls that take one of several requests have taken.
    pub(crate) choices: crate::completion::Choices,
}

static ENGINE: BiasedLock<Engine> = BiasedLock::new(Engine::new());
static WAITERS: Waiters = Waiters::new();

/// Exclusive access to the engine.
pub struct Mpi {
    guard: Guard<'static, Engine>,
}

impl std::ops::Deref for Mpi {
    type Target = Engine;
    #[inline(always)]
    fn deref(&self) -> &Engine {
        &self.guard
    }
}

impl std::ops::DerefMut for Mpi {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Engine {
        &mut self.guard
    }
}

/// Enters for a call that may come at any time: before initialisation, after finalization (MPI 5.0 §11.4.1).
#[inline]
pub fn enter_any() -> Outcome<Mpi> {
    match ENGINE.enter() {
        Some(guard) => Ok(Mpi { guard }),
        None => Err(intruder()),
    }
}

/// Enters for a call that needs MPI to be initialised and not finalized.
#[inline(always)]
pub fn enter() -> Outcome<Mpi> {
    match ENGINE.enter() {
        Some(guard) if guard.stage == Stage::Running => Ok(Mpi { guard }),
        Some(guard) => Err(outside(guard.stage)),
        None => Err(intruder()),
    }
}

/// Enters as [`enter`] does, and makes progress: for calls that may end without ever having waited, and be all that a program calls for long.
#[inline]
pub fn enter_settled() -> Outcome<Mpi> {
    let mut mpi = enter()?;
    mpi.progress();
    Ok(mpi)
}

/// Enters as [`enter`] does, by one comparison, where one thread at a time comes; `None` when that does not suffice.
#[inline(always)]
pub fn enter_alone() -> Option<ShortGuard<'static, Engine>> {
    ENGINE.enter_open()
}

/// The same where threads come at any time, for the one that has come alone so far.
#[inline(always)]
pub fn enter_biased() -> Option<ShortGuard<'static, Engine>> {
    ENGINE.enter_biased()
}

/// Enters as [`enter`] does, by one comparison, and where threads come at any time by the lock alone; `None` when that does not suffice, and then
/// [`enter`] says why.
#[inline(always)]
pub fn enter_open() -> Option<ShortGuard<'static, Engine>> {
    ENGINE.enter_open().or_else(|| ENGINE.enter_shared_open())
}

/// The same where threads come at any time, for who found another inside and has time to wait until it leaves.
#[inline]
pub fn await_shared_open() -> Option<ShortGuard<'static, Engine>> {
    ENGINE.await_shared_open()
}

#[cold]
fn intruder() -> Box<Error> {
    Error::new(
        abi::MPI_ERR_OTHER,
        "another thread is inside MPI, and the library was initialised for one thread at a time",
    )
    .advise("call MPI_Init_thread with MPI_THREAD_MULTIPLE")
}

#[cold]
fn outside(stage: Stage) -> Box<Error> {
    match stage {
        Stage::Finalized => Error::new(abi::MPI_ERR_OTHER, "MPI has been finalized")
            .advise("call it before MPI_Finalize, or open a session by MPI_Session_init"),
        _ => Error::new(abi::MPI_ERR_OTHER, "MPI is not initialised")
            .advise("call MPI_Init, MPI_Init_thread or MPI_Session_init first"),
    }
}

/// From now on any thread may enter at any time. The calling thread is not inside; another may be, and is waited for. A thread that comes `first` pays for no
/// lock until another has come, one that comes alone later soon does not any more.
pub(crate) fn admit_all_threads(first: bool) {
    let mut guard = ENGINE.share(membarrier::own_threads);
    guard.enable_rebias(RevocationHooks {
        barrier: membarrier::own_threads_only,
        clock: nemesis_sys::processor::ticks,
    });
    if first {
        guard.bias();
    }
}

/// From now on any thread may enter at any time, whether MPI runs or not; nothing changes where that is so already.
pub fn share() {
    // A thread that cannot enter has found another inside.
    let (shared, running) = enter_any()
        .map_or((false, true), |mpi| (mpi.guard.is_shared(), mpi.stage == Stage::Running));
    if shared {
        return;
    }
    admit_all_threads(!running);
    if let Ok(mut mpi) = enter_any() {
        mpi.tell_of_threads();
    }
}

#[cold]
fn no_comm(handle: handle::Comm, dead: handle::Dead) -> Box<Error> {
    if handle == abi::MPI_COMM_WORLD || handle == abi::MPI_COMM_SELF {
        return Error::new(
            abi::MPI_ERR_COMM,
            "the communicators of the world model exist between MPI_Init and MPI_Finalize",
        )
        .advise(
            "make one from a session: MPI_Group_from_session_pset, MPI_Comm_create_from_group",
        );
    }
    Error::dead(abi::MPI_ERR_COMM, dead)
}

#[cold]
fn no_request(posted: &Posted, handle: handle::Request, dead: handle::Dead) -> Box<Error> {
    let was_receive = Place::is_one(handle) && Place::index(handle) < posted.places();
    Error::dead(abi::MPI_ERR_REQUEST, if was_receive { handle::Dead::Freed } else { dead })
}

impl Mpi {
    /// Calls may come by [`enter_open`] from now on, or no longer.
    pub fn set_open(&mut self, open: bool) {
        self.guard.set_open(open);
    }

    /// What is still to be done is left to the next call. It does not take a short path, which would not look at it.
    pub fn leave_tasks(&mut self) {
        if self.core.tasks.is_empty() {
            return;
        }
        if self.sleeper || self.resting > 0 {
            // Nobody would wake those who sleep for it.
            self.perform_pending();
        }
        self.leave_rest();
    }

    /// Makes progress if something was left to the next call.
    #[inline]
    pub fn settle(&mut self) {
        if self.left {
            self.progress();
        }
    }

    /// Does what arrived packets called for, if anything, and what was left to the next call.
    #[inline(always)]
    pub fn catch_up(&mut self) {
        self.perform_pending();
        if self.left || self.core.halves > 0 {
            self.leave_rest();
        }
    }

    /// Short paths are open only while nothing is left.
    #[cold]
    fn leave_rest(&mut self) {
        let was_left = self.left;
        self.left = !self.core.tasks.is_empty() || self.core.halves > 0;
        if !self.core.readings.is_empty() || was_left && !self.left {
            // Others may sleep until what we leave is done, or has been.
            self.wake_others();
        }
        if self.left { self.set_open(false) } else { self.open() }
    }

    /// Calls may take short paths, if these do what the long ones would: send eagerly whatever fits a line.
    #[cold]
    pub fn open(&mut self) {
        let fast = self.eager_max_bytes >= LINE_PAYLOAD_BYTES;
        self.set_open(fast);
    }

    /// From now on other threads may enter at any time, or no longer. No other thread is about to.
    pub(crate) fn share(&mut self, shared: bool) {
        self.guard.set_shared(shared);
        self.tell_of_threads();
    }

    /// Tells the endpoint whether one thread may sleep while another polls.
    pub(crate) fn tell_of_threads(&mut self) {
        let shared = self.guard.is_shared();
        if let Some(endpoint) = &mut self.endpoint {
            endpoint.share(shared);
        }
    }

    /// Runs `f` with the engine let go, so that it may enter again: how user functions are called.
    pub fn unlocked<R>(&mut self, f: impl FnOnce() -> R) -> R {
        self.guard.unlocked(f)
    }

    /// After a poll of a waiting call that brought `arrived` packets: does what they called for; if there were none, waits a little.
    #[inline]
    pub fn after_poll(&mut self, arrived: u32, backoff: &mut Backoff) {
        self.after_poll_unless(|| false, arrived, backoff);
    }

    /// The same for a call that waits for words which others write, and ring: it does not sleep when `found` sees them.
    #[inline]
    pub fn after_poll_unless(
        &mut self,
        found: impl FnOnce() -> bool,
        arrived: u32,
        backoff: &mut Backoff,
    ) {
        let (finished, fed) = (self.core.finished, self.core.fed);
        self.progress_service.calls += 1;
        self.catch_up();
        if arrived > 0
            || self.core.finished != finished
            || self.core.fed != fed
            || !self.core.readings.is_empty()
        {
            // A packet came, found room, a message is being read, or a collective came to its end: perhaps what the call waits for, or another thread's.
            backoff.renew();
            self.wake_others();
        } else {
            self.idle(found, backoff);
        }
        if self.core.events.any() {
            crate::tool::event::deliver(self);
        }
        self.guard.relax();
    }

    /// What came may be for threads of ours that sleep.
    #[inline]
    pub(crate) fn wake_others(&self) {
        if self.sleeper || self.resting > 0 {
            self.wake_all();
        }
    }

    #[cold]
    fn wake_all(&self) {
        if self.resting > 0 {
            WAITERS.call();
        }
        if self.sleeper
            && let Some(endpoint) = &self.endpoint
        {
            endpoint.wake_sleeper();
        }
    }

    /// A wait is over. If this thread sat at the doorbell, one of those who rest has to take its place.
    #[inline]
    pub(crate) fn leave_wait(&self) {
        if self.resting > 0 && !self.sleeper {
            WAITERS.call();
        }
    }

    /// Nothing came: run a user function that a collective waits for, else spin, yield or sleep.
    #[inline]
    fn idle(&mut self, found: impl FnOnce() -> bool, backoff: &mut Backoff) {
        if !self.core.schedules.is_empty() && coll::run_callbacks(self) {
            return backoff.renew();
        }
        match self.endpoint.as_ref().map(|endpoint| endpoint.advise(backoff)) {
            None | Some(BackoffStep::Poll) => {}
            Some(BackoffStep::Yield) => self.aside(nemesis::yield_now),
            Some(BackoffStep::Sleep) => self.sleep(found, backoff),
        }
    }

    /// Runs `f` with the engine let go of for other threads, where there may be any.
    pub(crate) fn aside(&mut self, f: impl FnOnce()) {
        if self.guard.is_shared() { self.guard.unlocked(f) } else { f() }
    }

    /// Sleeps until something comes, or a little longer.
    #[cold]
    fn sleep(&mut self, found: impl FnOnce() -> bool, backoff: &mut Backoff) {
        let since = backoff.sleeping_since();
        let threaded = self.guard.is_shared();
        let found =
            |mpi: &mut Mpi| found() || !mpi.core.schedules.is_empty() && coll::have_news(mpi);
        // Neighbours give back locks, for which others wait with us, and leave boards, without ringing.
        let limit = if self.served.awaits_lock()
            || !self.core.schedules.is_empty() && coll::wait_for_slot(self)
        {
            NAP_MAX
        } else if threaded {
            THREADED_SLEEP
        } else {
            SLEEP
        };
        if self.sleeper {
            let ticket = WAITERS.ticket();
            if found(self) {
                return;
            }
            self.resting += 1;
            self.aside(|| WAITERS.rest(ticket, limit));
            self.resting -= 1;
            return;
        }
        let Some(asleep) = self.endpoint.as_mut().and_then(|endpoint| endpoint.prepare_sleep())
        else {
            return;
        };
        if found(self) {
            return;
        }
        self.sleeper = true;
        self.aside(|| asleep.sleep(limit));
        drop(asleep);
        self.sleeper = false;
        if self.resting > 0 {
            // It may have been rung for a word that one of them waits for.
            WAITERS.call();
        }
        self.mind_the_launcher(since);
    }

    /// After a sleep: ends the process if its launcher has died, since nobody else would; answers it, if it asks.
    fn mind_the_launcher(&mut self, since: Instant) {
        if self.endpoint.as_ref().is_some_and(Endpoint::is_asked) {
            state_report::answer(self, since);
        }
        if self.wireup.as_ref().is_some_and(Wireup::launcher_is_gone) {
            crate::world::orphaned();
        }
    }

    /// Makes progress until `done` says so.
    pub fn wait_until(&mut self, expected: Option<u32>, mut done: impl FnMut(&mut Mpi) -> bool) {
        let mut backoff = Backoff::default();
        while !done(self) {
            let arrived = self.poll(expected);
            self.after_poll(arrived, &mut backoff);
        }
        self.leave_wait();
    }

    /// Makes progress until `done`, about which no packet tells: words that others write. Nobody rings when they do, so a long wait is one of short
    /// sleeps.
    pub fn wait_for_word(&mut self, mut done: impl FnMut() -> bool) {
        let (mut backoff, mut nap) = (Backoff::default(), NAP_MIN);
        while !done() {
            self.progress();
            if !self.core.readings.is_empty() {
                (backoff, nap) = (Backoff::default(), NAP_MIN);
            }
            match self.endpoint.as_ref().map(|endpoint| endpoint.advise(&mut backoff)) {
                None | Some(BackoffStep::Poll) => {}
                Some(BackoffStep::Yield) => self.aside(nemesis::yield_now),
                Some(BackoffStep::Sleep) => {
                    self.aside(|| std::thread::sleep(nap));
                    nap = (nap * 2).min(NAP_MAX);
                    self.mind_the_launcher(backoff.sleeping_since());
                }
            }
            self.guard.relax();
        }
    }

    /// One round of progress, for calls that test.
    pub fn progress(&mut self) {
        let finished = self.core.finished;
        self.progress_service.calls += 1;
        let arrived = self.poll(None);
        self.catch_up();
        if arrived > 0 || self.core.finished != finished {
            self.wake_others();
        }
        if !self.core.schedules.is_empty() {
            coll::run_callbacks(self);
        }
        if self.core.events.any() {
            crate::tool::event::deliver(self);
        }
    }
}

impl Engine {
    const fn new() -> Engine {
        Engine {
            stage: Stage::Before,
            endpoint: None,
            wireup: None,
            core: Core::new(),
            left: false,
            predefined_comms: [None, None],
            comm_cache: CommCache::NONE,
            comms: Table::new(),
            types: Types::new(),
            messages: Table::new(),
            windows: Table::new(),
            memory: None,
            served: Served::new(),
            progress_service: ProgressService::new(),
            probe_backoffs: ProbeBackoffs::new(),
            verbose: false,
            outgoing: Vec::new(),
            outgoing_packets: 0,
            eager_max_bytes: 0,
            eager_body_max_bytes: 0,
            body_min_bytes: 0,
            packet_max_bytes: 0,
            packing: Vec::new(),
            contexts: crate::context::Counter::new(),
            parent: handle::Comm::NULL,
            done_request: handle::Request::NULL,
            buffer: None,
            thread_level: abi::MPI_THREAD_SINGLE,
            least_thread_level: abi::MPI_THREAD_SINGLE,
            users: crate::life::Users::new(),
            sessions: Table::new(),
            sleeper: false,
            resting: 0,
            finalizes: false,
            deserted: Vec::new(),
            choices: crate::completion::Choices::new(),
        }
    }

    /// The communicator that a handle names.
    #[inline(always)]
    pub fn comm(&self, handle: handle::Comm) -> Outcome<&Comm> {
        let predefined = handle.0.wrapping_sub(abi::MPI_COMM_WORLD.0);
        match self.predefined_comms.get(predefined) {
            Some(Some(comm)) => Ok(comm),
            _ => self.comms.get(handle).map_err(|dead| no_comm(handle, dead)),
        }
    }

    /// The same, on the paths that count instructions: `None` instead of a reason.
    #[inline(always)]
    pub fn comm_fast(&self, handle: handle::Comm) -> Option<&Comm> {
        match self.predefined_comms.get(handle.0.wrapping_sub(abi::MPI_COMM_WORLD.0)) {
            Some(comm) => comm.as_deref(),
            None => self.comms.find(handle),
        }
    }

    pub fn comm_mut(&mut self, handle: handle::Comm) -> Outcome<&mut Comm> {
        let predefined = handle.0.wrapping_sub(abi::MPI_COMM_WORLD.0);
        match self.predefined_comms.get_mut(predefined) {
            Some(Some(comm)) => Ok(comm),
            _ => self.comms.get_mut(handle).map_err(|dead| no_comm(handle, dead)),
        }
    }

    /// A communicator, and what its processes are reached by, as [`comm_fast`](Self::comm_fast) does.
    #[inline(always)]
    pub(crate) fn comm_and_endpoint(
        &mut self,
        handle: handle::Comm,
    ) -> Option<(&mut Comm, &Endpoint)> {
        let comm = match self.predefined_comms.get_mut(handle.0.wrapping_sub(abi::MPI_COMM_WORLD.0))
        {
            Some(comm) => comm.as_deref_mut()?,
            None => self.comms.get_mut(handle).ok()?,
        };
        Some((comm, self.endpoint.as_ref()?))
    }

    /// The request that a handle names. A plain receive has none (`inline_receive`).
    pub fn request(&self, handle: handle::Request) -> Outcome<&Request> {
        let named = match self.core.posted.course(handle) {
            Some(Course::Became(request)) => request,
            _ => handle,
        };
        self.core.requests.get(named).map_err(|dead| no_request(&self.core.posted, handle, dead))
    }

    /// The same; a plain receive becomes one.
    pub fn request_mut(&mut self, handle: handle::Request) -> Outcome<&mut Request> {
        let named = self.core.request_of(handle);
        self.core
            .requests
            .get_mut(named)
            .map_err(|dead| no_request(&self.core.posted, handle, dead))
    }

    /// A handle for an operation that is already complete. Those that have nothing to tell share one.
    pub fn completed_request(&mut self, completion: Completion) -> Outcome<handle::Request> {
        let nothing_to_tell =
            completion.source == abi::MPI_ANY_SOURCE && completion.error.is_none();
        if nothing_to_tell && !self.done_request.is_null() {
            return Ok(self.done_request);
        }
        let mut request = Request::new(abi::MPI_COMM_SELF, Activity::Done);
        request.completion = completion;
        self.new_request(request)
    }

    /// Polls the endpoint once; returns how many packets came.
    #[inline]
    pub fn poll(&mut self, expected: Option<u32>) -> u32 {
        match &mut self.endpoint {
            Some(endpoint) => endpoint.poll(expected, &mut self.core),
            None => 0,
        }
    }

    /// Whether there is something to do that does not come of itself.
    #[inline(always)]
    pub fn has_duties(&self) -> bool {
        let core = &self.core;
        let accesses = core.origin.is_busy() || self.served.is_busy();
        !core.tasks.is_empty()
            || !core.streams.is_empty()
            || !core.readings.is_empty()
            || !core.schedules.is_empty()
            || self.outgoing_packets > 0
            || accesses
    }

    /// Does what arrived packets called for, if anything.
    #[inline(always)]
    pub fn perform_pending(&mut self) {
        if self.has_duties() {
            self.perform_tasks();
        }
    }

    /// Does what arrived packets called for, and sends what had no room before.
    #[inline(never)]
    pub fn perform_tasks(&mut self) {
        if self.outgoing_packets > 0 {
            self.flush_outgoing();
        }
        while let Some(task) = self.core.tasks.pop_front() {
            match task {
                Task::Reply { to, kind, words } => {
                    self.send_control(to, Header { kind, ..Header::default() }, words)
                }
                Task::Help(request) => self.help(request),
                Task::Fetch { request, origin, announcement } => {
                    self.fetch(request, origin, announcement)
                }
                Task::Serve(arrived) => self.serve(&arrived),
                Task::Release { process } => self.served.lose(process),
                Task::PostPartitions { request } => crate::partitioned::post(self, request),
                Task::Throttle { to, hold_back } => {
                    if let Some(endpoint) = &mut self.endpoint {
                        endpoint.throttle(to, hold_back);
                    }
                }
            }
        }
        if !self.core.readings.is_empty() {
            self.read_on();
        }
        if !self.core.streams.is_empty() {
            self.feed_streams();
        }
        self.feed_accesses();
        self.answer_accesses();
        if !self.core.schedules.is_empty() {
            coll::advance(self);
        }
    }
}
