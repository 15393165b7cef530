//! The engine: the state of MPI in this process, and its progress.
//!
//! A biased lock guards the only [`Engine`] of a process. [`enter`] returns the exclusive guard
//! [`Mpi`]; code behind the guard is plain `&mut` Rust. A blocking call releases the guard between
//! two polls ([`Mpi::after_poll`]). A caller of a user function releases it first
//! ([`Mpi::unlocked`]).
//!
//! Every call that waits or tests makes *progress* (MPI 5.0 §3.5): it polls the endpoint, which
//! hands arriving packets to the protocol's [`Core`], and then carries out the tasks that the
//! packets created.

use crate::abi;
use crate::comm::Comm;
use crate::comm_cache::CommCache;
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle, Place, Table};
use crate::matching::{Course, Posted};
use crate::process;
use crate::protocol::Matched;
use crate::protocol::{Core, Task};
use crate::request::{Activity, Completion, Request};
use crate::state_report;
use crate::types::Types;
use crate::waiters::Waiters;
use nemesis::wire::{Header, LINE_PAYLOAD_BYTES};
use nemesis::{Backoff, BackoffStep, Endpoint, Memory, SLEEP, THREADED_SLEEP};
use nemesis_sync::biased_lock::{BiasedLock, Guard, RevocationHooks, ShortGuard};
use nemesis_sync::guarded::Token;
use nemesis_sys::membarrier;
use nemesis_wireup::Wireup;
use std::collections::VecDeque;
use std::mem::offset_of;
use std::time::{Duration, Instant};

pub mod upper;

use upper::Hooks;

/// Shortest sleep of a wait for a word in shared memory: about the cost of a wake-up.
const WORD_SLEEP_MIN: Duration = Duration::from_micros(20);
/// Longest such sleep: it keeps the load of a waiting process near one per cent of a processor.
const WORD_SLEEP_MAX: Duration = Duration::from_millis(1);

/// Life-cycle stage of the engine, or of the world model (MPI 5.0 §11.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    Before,
    Running,
    Finalized,
}

/// The state of MPI in this process.
pub struct Engine {
    pub stage: Stage,
    /// Sends packets and polls for them; `None` before the engine has started.
    pub endpoint: Option<Endpoint>,
    /// The connection to the launcher; `None` before the engine has started.
    pub wireup: Option<Wireup>,
    /// Everything that arriving packets touch.
    pub core: Core,
    /// The functions of the layers above.
    pub(crate) hooks: &'static Hooks,
    /// Whether deferred work remains for the next call. Fast paths are closed while it is set
    /// ([`Mpi::defer_tasks`]).
    has_deferred: bool,
    /// `MPI_COMM_WORLD` and `MPI_COMM_SELF`.
    pub predefined_comms: [Option<Box<Comm>>; 2],
    /// The communicator that sends used last.
    pub comm_cache: CommCache,
    /// Communicators, without the predefined ones.
    pub comms: Table<handle::Comm, Comm>,
    /// The intercommunicator to the processes that spawned this job; null otherwise.
    pub parent: handle::Comm,
    /// Datatypes.
    pub types: Types,
    /// Messages of matched probes.
    pub messages: Table<handle::Message, Matched>,
    /// Access to the memory of the processes of this node.
    pub memory: Option<Memory>,
    /// Number of polls by calls of the program, which tells a progress thread whether the program
    /// polls itself.
    pub polls: u64,
    /// Whether to print diagnostics (`NEMESIS_VERBOSE`).
    pub verbose: bool,
    /// Packets that wait for space in the endpoint, by destination.
    pub(crate) outgoing: Vec<VecDeque<crate::send::Outgoing>>,
    /// Number of packets in `outgoing`.
    pub outgoing_packets: usize,
    /// Longest eager message; longer messages are announced (`NEMESIS_EAGER_MAX_BYTES`).
    pub(crate) eager_max_bytes: usize,
    /// Longest eager message to another node that travels as bulk payload.
    pub(crate) eager_bulk_max_bytes: usize,
    /// Shortest message to another node that travels as bulk payload.
    pub(crate) bulk_min_bytes: usize,
    /// Longest payload of a packet; longer payloads are split (`NEMESIS_PACKET_MAX_BYTES`).
    pub packet_max_bytes: usize,
    /// Buffer into which non-contiguous messages are packed before they are sent.
    pub packing: Vec<u8>,
    /// The counter from which this process draws context ids.
    pub(crate) contexts: crate::context::Counter,
    /// The request shared by all sends that complete at once; null while there is no endpoint.
    pub done_request: handle::Request,
    /// The process's attached buffer for the buffered mode.
    pub(crate) buffer: Option<crate::attached_buffers::BufferNumber>,
    /// Number of users of the engine: the world model, and open sessions.
    pub users: u32,
    /// Open sessions.
    pub sessions: Table<handle::Session, crate::session::Session>,
    /// Highest thread level granted so far.
    pub thread_level: i32,
    /// Lowest thread level that is granted (`NEMESIS_THREAD_LEVEL`).
    pub least_thread_level: i32,
    /// Whether a thread of this process sleeps at the doorbell.
    pub sleeper: bool,
    /// Number of further threads of this process that sleep in [`Waiters`].
    pub(crate) resting: u32,
    /// `MPI_Finalize` is under way.
    pub finalizes: bool,
    /// State of the calls that complete one of several requests.
    pub(crate) choices: crate::request::Choices,
}

static ENGINE: BiasedLock<Engine> = BiasedLock::new(Engine::new());
static WAITERS: Waiters = Waiters::new();

/// Returns the address of the token in [`ENGINE`], which gives access to the upper layer's state.
const fn token_address() -> *const Token {
    ENGINE.as_ptr().cast_const().wrapping_byte_add(offset_of!(Engine, core.token)).cast()
}

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

/// Enters MPI for a call that is valid at any time, also before initialisation and after
/// finalization (MPI 5.0 §11.4.1).
#[inline]
pub fn enter_any() -> Outcome<Mpi> {
    match ENGINE.enter() {
        Some(guard) => Ok(Mpi { guard }),
        None => Err(concurrent_entry()),
    }
}

/// Enters MPI for a call that requires MPI to be initialised and not finalized.
#[inline(always)]
pub fn enter() -> Outcome<Mpi> {
    match ENGINE.enter() {
        Some(guard) if guard.stage == Stage::Running => Ok(Mpi { guard }),
        Some(guard) => Err(not_running(guard.stage)),
        None => Err(concurrent_entry()),
    }
}

/// Enters as [`enter`] does and makes progress. For calls that may return without waiting, and that
/// a program may call for a long time without calling any other.
#[inline]
pub fn enter_and_progress() -> Outcome<Mpi> {
    let mut mpi = enter()?;
    mpi.progress();
    Ok(mpi)
}

/// Fast path of [`enter`] for a library initialised for one thread at a time: one comparison.
/// Returns `None` if the fast path is closed.
#[inline(always)]
pub fn enter_alone() -> Option<ShortGuard<'static, Engine>> {
    ENGINE.enter_open()
}

/// Fast path of [`enter`] for the thread towards which the lock is biased. Returns `None` if the
/// lock is not biased towards the caller, or if the fast path is closed.
#[inline(always)]
pub fn enter_biased() -> Option<ShortGuard<'static, Engine>> {
    ENGINE.enter_biased()
}

/// Fast path of [`enter`]: one comparison, or the lock alone if threads may enter concurrently.
/// Returns `None` if the fast path is closed; [`enter`] then reports the reason.
#[inline(always)]
pub fn enter_open() -> Option<ShortGuard<'static, Engine>> {
    ENGINE.enter_open().or_else(|| ENGINE.enter_shared_open())
}

/// Waits until the thread that is inside leaves, and enters by the fast path of the shared lock.
/// For callers whose [`enter_open`] found another thread inside.
#[inline]
pub fn await_shared_open() -> Option<ShortGuard<'static, Engine>> {
    ENGINE.await_shared_open()
}

#[cold]
fn concurrent_entry() -> Box<Error> {
    Error::new(
        abi::MPI_ERR_OTHER,
        "another thread is inside MPI, and the library was initialised for one thread at a time",
    )
    .advise("call MPI_Init_thread with MPI_THREAD_MULTIPLE")
}

#[cold]
fn not_running(stage: Stage) -> Box<Error> {
    match stage {
        Stage::Finalized => Error::new(abi::MPI_ERR_OTHER, "MPI has been finalized")
            .advise("call it before MPI_Finalize, or open a session by MPI_Session_init"),
        _ => Error::new(abi::MPI_ERR_OTHER, "MPI is not initialised")
            .advise("call MPI_Init, MPI_Init_thread or MPI_Session_init first"),
    }
}

/// Allows any thread to enter at any time. The calling thread must not be inside; the function
/// waits for another thread that is. With `first`, the lock is biased towards the calling thread,
/// which then pays for no lock until another thread enters; later the lock rebiases by itself.
pub fn admit_all_threads(first: bool) {
    let mut guard = ENGINE.share(membarrier::own_threads);
    guard.enable_rebias(RevocationHooks {
        barrier: membarrier::own_threads_only,
        clock: nemesis_sys::processor::ticks,
    });
    if first {
        guard.bias();
    }
}

/// Allows any thread to enter at any time, whether MPI runs or not. Does nothing if that is so
/// already.
pub fn share() {
    // `enter_any` fails only if another thread is inside.
    let (shared, running) = enter_any()
        .map_or((false, true), |mpi| (mpi.guard.is_shared(), mpi.stage == Stage::Running));
    if shared {
        return;
    }
    admit_all_threads(!running);
    if let Ok(mut mpi) = enter_any() {
        mpi.update_thread_mode();
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
    /// Opens or closes the fast path of [`enter_open`].
    pub fn set_open(&mut self, open: bool) {
        self.guard.set_open(open);
    }

    /// Leaves pending tasks to the next call, and closes the fast paths, which would not run them.
    pub fn defer_tasks(&mut self) {
        if self.core.tasks.is_empty() {
            return;
        }
        if self.sleeper || self.resting > 0 {
            // Threads that sleep may wait for these tasks, and nothing else would wake them.
            self.perform_pending();
        }
        self.update_deferred();
    }

    /// Makes progress if an earlier call deferred work.
    #[inline]
    pub fn run_deferred(&mut self) {
        if self.has_deferred {
            self.progress();
        }
    }

    /// Runs the tasks that arrived packets created, and updates whether work is deferred.
    #[inline(always)]
    pub fn run_tasks(&mut self) {
        self.perform_pending();
        if self.has_deferred || self.core.partial_copies > 0 {
            self.update_deferred();
        }
    }

    /// Records whether work is deferred, and opens the fast paths only if none is.
    #[cold]
    fn update_deferred(&mut self) {
        let was_left = self.has_deferred;
        self.has_deferred = !self.core.tasks.is_empty() || self.core.partial_copies > 0;
        if !self.core.readings.is_empty() || was_left && !self.has_deferred {
            // Other threads may sleep until the deferred work is done, or has been done.
            self.wake_others();
        }
        if self.has_deferred { self.set_open(false) } else { self.open() }
    }

    /// Opens the fast paths if they behave like the general path, that is, if every message that
    /// fits a line is eager.
    #[cold]
    pub fn open(&mut self) {
        let fast = self.eager_max_bytes >= LINE_PAYLOAD_BYTES;
        self.set_open(fast);
    }

    /// Sets whether other threads may enter at any time. No other thread may be about to enter.
    pub fn share(&mut self, shared: bool) {
        self.guard.set_shared(shared);
        self.update_thread_mode();
    }

    /// Tells the endpoint whether one thread may sleep while another polls.
    pub fn update_thread_mode(&mut self) {
        let shared = self.guard.is_shared();
        if let Some(endpoint) = &mut self.endpoint {
            endpoint.share(shared);
        }
    }

    /// Runs `f` with the engine unlocked, so that `f` may enter MPI. User functions are called this
    /// way.
    pub fn unlocked<R>(&mut self, f: impl FnOnce() -> R) -> R {
        self.guard.unlocked(f)
    }

    /// Continues a waiting call after a poll that took `arrived` packets: runs pending tasks and,
    /// if nothing happened, backs off.
    #[inline]
    pub fn after_poll(&mut self, arrived: u32, backoff: &mut Backoff) {
        self.after_poll_unless(|| false, arrived, backoff);
    }

    /// Continues a waiting call, as [`after_poll`](Self::after_poll) does, whose condition is a
    /// word that another process writes before it rings the doorbell. The call does not sleep if
    /// `found` sees the word.
    #[inline]
    pub fn after_poll_unless(
        &mut self,
        found: impl FnOnce() -> bool,
        arrived: u32,
        backoff: &mut Backoff,
    ) {
        let (finished, fed) = (self.core.finished, self.core.fed);
        self.polls += 1;
        self.run_tasks();
        if arrived > 0
            || self.core.finished != finished
            || self.core.fed != fed
            || !self.core.readings.is_empty()
        {
            // A packet arrived or was sent, a message is being read, or an operation finished: this
            // call or another thread may wait for it.
            backoff.renew();
            self.wake_others();
        } else {
            self.idle(found, backoff);
        }
        if self.core.events.any() {
            (self.hooks.deliver_events)(self);
        }
        self.guard.relax();
    }

    /// Wakes sleeping threads of this process, because what arrived may be theirs.
    #[inline]
    pub fn wake_others(&self) {
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

    /// Ends a wait. If this thread slept at the doorbell, a thread that rests takes its place.
    #[inline]
    pub fn leave_wait(&self) {
        if self.resting > 0 && !self.sleeper {
            WAITERS.call();
        }
    }

    /// Backs off after a poll without result: runs a user function that a collective waits for, or
    /// spins, yields or sleeps.
    #[inline]
    fn idle(&mut self, found: impl FnOnce() -> bool, backoff: &mut Backoff) {
        if self.core.upper.collectives > 0 && (self.hooks.collectives.run_callback)(self) {
            return backoff.renew();
        }
        match self.endpoint.as_ref().map(|endpoint| endpoint.advise(backoff)) {
            None | Some(BackoffStep::Poll) => {}
            Some(BackoffStep::Yield) => self.aside(nemesis::yield_now),
            Some(BackoffStep::Sleep) => self.sleep(found, backoff),
        }
    }

    /// Runs `f`, with the engine unlocked if other threads may enter.
    pub fn aside(&mut self, f: impl FnOnce()) {
        if self.guard.is_shared() { self.guard.unlocked(f) } else { f() }
    }

    /// Sleeps until the doorbell rings or a time limit ends.
    #[cold]
    fn sleep(&mut self, found: impl FnOnce() -> bool, backoff: &mut Backoff) {
        let since = backoff.sleeping_since();
        let threaded = self.guard.is_shared();
        let found = |mpi: &mut Mpi| {
            found() || mpi.core.upper.collectives > 0 && (mpi.hooks.collectives.have_news)(mpi)
        };
        // Local processes release window locks and leave collective segments without ringing the
        // doorbell, so such waits sleep briefly.
        let limit = if self.core.upper.await_word.any()
            || self.core.upper.collectives > 0 && (self.hooks.collectives.wait_for_slot)(self)
        {
            WORD_SLEEP_MAX
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
            // The doorbell may have rung for a word that another thread waits for.
            WAITERS.call();
        }
        self.check_launcher(since);
    }

    /// Answers a launcher that asks for a state report, and ends the process if its launcher has
    /// died.
    fn check_launcher(&mut self, since: Instant) {
        if self.endpoint.as_ref().is_some_and(Endpoint::is_asked) {
            state_report::answer(self, since);
        }
        if self.wireup.as_ref().is_some_and(Wireup::launcher_is_gone) {
            exit_without_launcher();
        }
    }

    /// Makes progress until `done` returns true.
    pub fn wait_until(&mut self, expected: Option<u32>, mut done: impl FnMut(&mut Mpi) -> bool) {
        let mut backoff = Backoff::default();
        while !done(self) {
            let arrived = self.poll(expected);
            self.after_poll(arrived, &mut backoff);
        }
        self.leave_wait();
    }

    /// Makes progress until `done`, which reads words that other processes write, returns true.
    /// Writers do not ring the doorbell, so a long wait consists of short sleeps.
    pub fn wait_for_word(&mut self, mut done: impl FnMut() -> bool) {
        let (mut backoff, mut nap) = (Backoff::default(), WORD_SLEEP_MIN);
        while !done() {
            self.progress();
            if !self.core.readings.is_empty() {
                (backoff, nap) = (Backoff::default(), WORD_SLEEP_MIN);
            }
            match self.endpoint.as_ref().map(|endpoint| endpoint.advise(&mut backoff)) {
                None | Some(BackoffStep::Poll) => {}
                Some(BackoffStep::Yield) => self.aside(nemesis::yield_now),
                Some(BackoffStep::Sleep) => {
                    self.aside(|| std::thread::sleep(nap));
                    nap = (nap * 2).min(WORD_SLEEP_MAX);
                    self.check_launcher(backoff.sleeping_since());
                }
            }
            self.guard.relax();
        }
    }

    /// Makes one round of progress. For calls that test.
    pub fn progress(&mut self) {
        let finished = self.core.finished;
        self.polls += 1;
        let arrived = self.poll(None);
        self.run_tasks();
        if arrived > 0 || self.core.finished != finished {
            self.wake_others();
        }
        if self.core.upper.collectives > 0 {
            (self.hooks.collectives.run_callback)(self);
        }
        if self.core.events.any() {
            (self.hooks.deliver_events)(self);
        }
    }
}

/// Ends the process after its launcher has died, since no other process would end it.
#[cold]
fn exit_without_launcher() -> ! {
    eprintln!("nemesis: {}: the launcher is gone, so the job ends", process::who());
    std::process::exit(1)
}

impl Engine {
    const fn new() -> Engine {
        Engine {
            stage: Stage::Before,
            endpoint: None,
            wireup: None,
            core: Core::new(),
            hooks: &Hooks::NONE,
            has_deferred: false,
            predefined_comms: [None, None],
            comm_cache: CommCache::NONE,
            comms: Table::new(),
            types: Types::new(),
            messages: Table::new(),
            memory: None,
            polls: 0,
            verbose: false,
            outgoing: Vec::new(),
            outgoing_packets: 0,
            eager_max_bytes: 0,
            eager_bulk_max_bytes: 0,
            bulk_min_bytes: 0,
            packet_max_bytes: 0,
            packing: Vec::new(),
            contexts: crate::context::Counter::new(),
            parent: handle::Comm::NULL,
            done_request: handle::Request::NULL,
            buffer: None,
            thread_level: abi::MPI_THREAD_SINGLE,
            least_thread_level: abi::MPI_THREAD_SINGLE,
            users: 0,
            sessions: Table::new(),
            sleeper: false,
            resting: 0,
            finalizes: false,
            choices: crate::request::Choices::new(),
        }
    }

    /// Registers the functions of the layers above. Must be called before the endpoint exists.
    pub fn register(&mut self, hooks: &'static Hooks) {
        self.hooks = hooks;
        self.core.upper.hooks = &hooks.packets;
    }

    /// Returns the communicator that `handle` names.
    #[inline(always)]
    pub fn comm(&self, handle: handle::Comm) -> Outcome<&Comm> {
        let predefined = handle.0.wrapping_sub(abi::MPI_COMM_WORLD.0);
        match self.predefined_comms.get(predefined) {
            Some(Some(comm)) => Ok(comm),
            _ => self.comms.get(handle).map_err(|dead| no_comm(handle, dead)),
        }
    }

    /// Returns the communicator that `handle` names, or `None`. For paths whose instructions are
    /// counted.
    #[inline(always)]
    pub fn comm_fast(&self, handle: handle::Comm) -> Option<&Comm> {
        match self.predefined_comms.get(handle.0.wrapping_sub(abi::MPI_COMM_WORLD.0)) {
            Some(comm) => comm.as_deref(),
            None => self.comms.find(handle),
        }
    }

    pub fn comm_mut(&mut self, handle: handle::Comm) -> Outcome<&mut Comm> {
        Ok(self.comm_and_token(handle)?.0)
    }

    /// Returns the communicator that `handle` names, and the token of the upper layers' state.
    #[inline]
    pub fn comm_and_token(&mut self, handle: handle::Comm) -> Outcome<(&mut Comm, &mut Token)> {
        let predefined = handle.0.wrapping_sub(abi::MPI_COMM_WORLD.0);
        let comm = match self.predefined_comms.get_mut(predefined) {
            Some(Some(comm)) => comm,
            _ => self.comms.get_mut(handle).map_err(|dead| no_comm(handle, dead))?,
        };
        Ok((comm, &mut self.core.token))
    }

    /// Returns a communicator, the endpoint and the token of the upper layers' state, as
    /// [`comm_fast`](Self::comm_fast) does.
    #[inline(always)]
    pub fn comm_and_endpoint(
        &mut self,
        handle: handle::Comm,
    ) -> Option<(&mut Comm, &Endpoint, &mut Token)> {
        let comm = match self.predefined_comms.get_mut(handle.0.wrapping_sub(abi::MPI_COMM_WORLD.0))
        {
            Some(comm) => comm.as_deref_mut()?,
            None => self.comms.get_mut(handle).ok()?,
        };
        Some((comm, self.endpoint.as_ref()?, &mut self.core.token))
    }

    /// Returns the request that `handle` names. An inline receive has none (`inline_receive`).
    pub fn request(&self, handle: handle::Request) -> Outcome<&Request> {
        let named = match self.core.posted.course(handle) {
            Some(Course::Became(request)) => request,
            _ => handle,
        };
        self.core.requests.get(named).map_err(|dead| no_request(&self.core.posted, handle, dead))
    }

    /// Returns the request that `handle` names. An inline receive becomes a request.
    pub fn request_mut(&mut self, handle: handle::Request) -> Outcome<&mut Request> {
        let named = self.core.request_of(handle);
        self.core
            .requests
            .get_mut(named)
            .map_err(|dead| no_request(&self.core.posted, handle, dead))
    }

    /// Returns a handle for a completed operation. Operations with nothing to report share one
    /// request.
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

    /// Polls the endpoint once and returns the number of packets taken.
    #[inline]
    pub fn poll(&mut self, expected: Option<u32>) -> u32 {
        match &mut self.endpoint {
            Some(endpoint) => endpoint.poll(expected, &mut self.core),
            None => 0,
        }
    }

    /// Returns whether work is pending that this process must carry out itself.
    #[inline(always)]
    pub fn has_duties(&self) -> bool {
        let core = &self.core;
        !core.tasks.is_empty()
            || !core.streams.is_empty()
            || !core.readings.is_empty()
            || core.upper.collectives > 0
            || self.outgoing_packets > 0
            || core.upper.busy.any()
    }

    /// Runs pending tasks, if there are any.
    #[inline(always)]
    pub fn perform_pending(&mut self) {
        if self.has_duties() {
            self.perform_tasks();
        }
    }

    /// Runs all pending tasks and sends queued packets as far as there is space.
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
                Task::Upper => (self.hooks.task)(self),
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
        if self.core.upper.busy.any() {
            (self.hooks.perform)(self);
        }
        if self.core.upper.collectives > 0 {
            (self.hooks.collectives.advance)(self);
        }
    }
}
