//! A job: the threads of its processes as coroutines, of which one runs at a time, and the seed
//! that decides which.
//!
//! A process begins with one thread, whose number is the process's rank; the further ones, which it
//! starts itself ([`threads`]), have the numbers that follow.
//!
//! ```text
//!   ready    a thread that has called yield_now, or has not begun    ── resumed in random order
//!   waiting  sleeps until its doorbell rings, a packet arrives, or its time limit ends
//!   ended    has returned, or has called exit
//! ```
//!
//! The time stands still while a process runs, moves a little when one yields, and jumps to the
//! next event when none is ready. If nothing but ends of long sleeps is left, and a round of them
//! changes nothing, nobody can go on: the job hangs. If a process goes on after such an end, its
//! wake-up was lost, which a real process would notice as a delay only.

#![allow(unsafe_code)]

use crate::clock::{Clock, Time};
use crate::network::{Defect, Latency, Nature, Network, Traffic, UNDER_WAY_MAX};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use nemesis::tunables::{CELLS, FASTBOX, LANES};
use nemesis_mpi::tool::cvar;
use nemesis_mpi::{engine, life};
use nemesis_shm::segment;
use nemesis_sync::biased_lock::yield_by;
use nemesis_sys::host_model::HostModel;
use nemesis_sys::mutation::Mutation;
use nemesis_sys::virtual_process::{self, Host, VirtualProcess};
use nemesis_wireup::{JobKey, Segment, Store, Wireup};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

mod deaths;
mod outcome;
pub mod threads;

use deaths::NodeLauncher;
pub use outcome::{CallFailed, Failure, Report};
use threads::NewThread;

/// Bytes of a coroutine's stack.
const STACK_BYTES: usize = 512 << 10;
/// Time that a yield takes, in nanoseconds.
const YIELD_TIME: u64 = 300;
/// Sleeps of at least this length end early whenever there is something to do.
const LONG_SLEEP: u64 = 10_000_000;
/// Rounds of long sleeps that end without any change, after which the job hangs.
const IDLE_ROUNDS: u32 = 3;
/// Time after a loss in which a job must have ended, in nanoseconds. A process that nobody tells of
/// the loss asks those for whom it waits, after a while.
const ENDS_AFTER_LOSS: u64 = 20_000_000_000;
/// Time after the death of a process in which the launcher ends the job, in nanoseconds.
const LAUNCHER_NOTICES: u64 = 20_000_000;
/// A thread is preempted once in this many times that it enters MPI beside others.
const PREEMPTED_ONCE_IN: u8 = 4;
/// A mutation strikes once in this many times.
const STRIKES_ONCE_IN: u8 = 4;
/// Events that a report shows.
const EVENTS: usize = 64;

/// What a job looks like.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Decides everything that is random.
    pub seed: u64,
    /// The node of every rank; nodes are numbered in the order of their first rank.
    pub nodes: Vec<u32>,
    /// Threads of every process that call MPI.
    pub threads: u32,
    /// Lanes of every process (`NEMESIS_LANES`).
    pub lanes: usize,
    /// Whether every process has a processor of its own, as far as the library knows.
    pub dedicated: bool,
    /// How long packets between nodes take.
    pub latency: Latency,
    /// Whether all processes run at the same time, and one that yields goes on when packets that
    /// leave now have arrived. Otherwise they take turns, and a yield is short.
    pub lockstep: bool,
    /// Whether the network lets processes access the memory of others without them.
    pub reaches_memory: bool,
    /// The space that packets have.
    pub space: Space,
    /// A defect of the network or of the scheduler that is put in.
    pub defect: Option<Defect>,
    /// A defect of the engine that is put in.
    pub mutation: Option<Mutation>,
    /// What is lost, and after how many resumptions of processes.
    pub loss: Option<(Loss, u64)>,
    /// Which processes die, and how many resumptions of processes after the first [`meet`]. If any
    /// does, the launcher tells the others, and the job goes on.
    pub deaths: Vec<(u32, u64)>,
    /// Most resumptions of processes; more are a job that does not end.
    pub most_turns: u64,
}

impl Setup {
    /// Returns the setup of `ranks` processes, in blocks on `hosts` nodes.
    pub fn new(seed: u64, ranks: u32, hosts: u32) -> Setup {
        let hosts = hosts.clamp(1, ranks.max(1));
        let nodes =
            (0..ranks).map(|rank| (u64::from(rank) * u64::from(hosts) / u64::from(ranks)) as u32);
        Setup {
            seed,
            nodes: nodes.collect(),
            threads: 1,
            lanes: 1,
            dedicated: false,
            latency: Latency { least: 500, most: 20_000 },
            lockstep: false,
            reaches_memory: false,
            space: Space::AMPLE,
            defect: None,
            mutation: None,
            loss: None,
            deaths: Vec::new(),
            most_turns: u64::MAX,
        }
    }

    fn ranks(&self) -> u32 {
        self.nodes.len() as u32
    }
}

/// The space that packets have. Where there is little, senders wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// Bytes under way from one process to one of another node, beyond which a send is refused.
    pub under_way_max: usize,
    /// Cells of each process for packets on its node (`NEMESIS_CELLS`), if they are limited.
    pub cells: Option<usize>,
    /// Whether pairs of processes of a node have fastboxes (`NEMESIS_FASTBOX`). Without them, all
    /// packets take cells.
    pub fastboxes: bool,
}

impl Space {
    /// As much as without a limit.
    pub const AMPLE: Space = Space { under_way_max: UNDER_WAY_MAX, cells: None, fastboxes: true };
}

/// What a job loses while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The cable between two nodes.
    Cable(u32, u32),
    /// A process, wherever it is: the other nodes notice that it is gone, and the launcher ends the
    /// job some time later.
    Process(u32),
}

/// Why a coroutine has stopped for now.
enum Pause {
    Yield,
    Wait { is_over: *const dyn Fn() -> bool, until: Time, hears_network: bool },
    Nap { until: Time },
    Exit(i32),
}

enum State {
    Ready,
    Waiting(Waiting),
    Napping { until: Time },
    Ended,
}

struct Waiting {
    is_over: *const dyn Fn() -> bool,
    until: Time,
    long: bool,
    is_deaf: bool,
    /// Whether a packet of the network wakes the thread, too.
    hears_network: bool,
}

type Thread = Coroutine<(), Pause, (), DefaultStack>;

thread_local! {
    /// The yielder of the coroutine that runs.
    static YIELDER: Cell<*const Yielder<(), Pause>> = const { Cell::new(std::ptr::null()) };
    /// The rank that runs, and what it notes.
    static NOTES: Cell<*const Notes> = const { Cell::new(std::ptr::null()) };
}

/// Stops the coroutine that runs.
fn pause(why: Pause) {
    let yielder = YIELDER.get();
    assert!(!yielder.is_null(), "only a process of a simulation waits");
    // SAFETY: the scheduler sets it to the yielder of the coroutine that it resumes, which lives as
    // long as the coroutine runs.
    unsafe { (*yielder).suspend(why) };
    YIELDER.set(yielder);
}

/// What processes of a job share besides the network.
struct Shared {
    ranks: u64,
    cards: Mutex<BTreeMap<String, Vec<u8>>>,
    /// Calls of the launcher's barrier so far, and of [`meet`].
    arrived: [Mutex<u64>; 2],
    /// Whether a barrier has just become complete.
    all_have_met: Mutex<bool>,
    /// Meetings that have taken place.
    meetings: Mutex<u64>,
    abort: Mutex<Option<(u32, i32, String)>>,
}

impl Shared {
    /// Waits until all processes have come to their next barrier of a kind, and calls `last` in the
    /// last one.
    fn await_all(&self, kind: Barrier, last: impl FnOnce()) {
        let arrived = &self.arrived[kind as usize];
        let before = {
            let mut arrived = lock(arrived);
            *arrived += 1;
            *arrived - 1
        };
        let all = (before / self.ranks + 1) * self.ranks;
        if before + 1 == all {
            last();
            *lock(&self.all_have_met) = true;
        }
        let is_over = || *lock(arrived) >= all;
        while !is_over() {
            pause_until(&is_over, Time::MAX, true);
        }
    }
}

/// A kind of barrier outside of MPI.
#[derive(Clone, Copy)]
enum Barrier {
    Launcher,
    Meeting,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The launcher, as one process sees it.
struct Launcher {
    shared: Arc<Shared>,
    rank: u32,
}

impl fmt::Debug for Launcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Launcher")
    }
}

impl Store for Launcher {
    fn put(&mut self, key: &str, card: &[u8]) {
        lock(&self.shared.cards).insert(key.to_owned(), card.to_vec());
    }

    fn get(&mut self, key: &str) -> Option<Vec<u8>> {
        lock(&self.shared.cards).get(key).cloned()
    }

    fn barrier(&mut self) {
        self.shared.await_all(Barrier::Launcher, || {});
    }

    fn abort(&mut self, code: i32, message: &str) {
        lock(&self.shared.abort).get_or_insert((self.rank, code, message.to_owned()));
    }
}

fn pause_until(is_over: &dyn Fn() -> bool, until: Time, hears_network: bool) {
    // SAFETY: changes the lifetime alone. The scheduler calls it only while the coroutine is
    // paused, so that the closure lives.
    let is_over: *const (dyn Fn() -> bool + 'static) = unsafe { std::mem::transmute(is_over) };
    pause(Pause::Wait { is_over, until, hears_network });
}

/// The simulation, as one process sees it.
struct Simulated {
    clock: Clock,
    mutation: Option<Mutation>,
    /// Whether the program has several threads. One that has windows shares its engine, too.
    has_threads: bool,
    /// Decides when the mutation strikes, and when a thread is preempted.
    random: Mutex<fastrand::Rng>,
}

impl Host for Simulated {
    fn yield_now(&self) {
        pause(Pause::Yield);
    }

    fn wait(&self, is_over: &dyn Fn() -> bool, limit: Duration) {
        pause_until(is_over, self.clock.now().saturating_add(nanos(limit)), true);
    }

    fn rest(&self, is_over: &dyn Fn() -> bool, limit: Duration) {
        pause_until(is_over, self.clock.now().saturating_add(nanos(limit)), false);
    }

    fn preempt(&self) {
        let is_preempted = || lock(&self.random).u8(..PREEMPTED_ONCE_IN) == 0;
        if self.has_threads && is_preempted() {
            pause(Pause::Yield);
        }
    }

    fn nap(&self, time: Duration) {
        pause(Pause::Nap { until: self.clock.now().saturating_add(nanos(time)) });
    }

    fn now(&self) -> Duration {
        Duration::from_nanos(self.clock.now())
    }

    fn exit(&self, code: i32) -> ! {
        pause(Pause::Exit(code));
        unreachable!("a process that has ended is not resumed")
    }

    fn strikes(&self, mutation: Mutation) -> bool {
        // A loss is met once in a job, and other processes make up for one that is not told. A
        // thread that is not called now is called soon.
        let always = [Mutation::LossUntold, Mutation::RestUncalled];
        let may_miss = !always.contains(&mutation);
        self.mutation == Some(mutation)
            && !(may_miss && lock(&self.random).u8(..STRIKES_ONCE_IN) > 0)
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The notes of one job.
struct Notes {
    clock: Clock,
    network: Network,
    shared: Arc<Shared>,
    /// The rank of the process that runs, and its thread.
    rank: Cell<u32>,
    thread: Cell<u32>,
    events: Mutex<VecDeque<(Time, u32, String)>>,
    /// By thread.
    states: Mutex<Vec<String>>,
    /// Threads that the one that runs has started.
    new_threads: RefCell<Vec<NewThread>>,
}

/// Notes what the process that runs is about to do, for the report.
pub fn note(what: impl FnOnce() -> String) {
    let notes = NOTES.get();
    if notes.is_null() {
        return;
    }
    // SAFETY: `Job::run` keeps the notes as long as the pointer is set.
    let notes = unsafe { &*notes };
    let (text, rank, thread) = (what(), notes.rank.get(), notes.thread.get());
    let mut events = lock(&notes.events);
    if events.len() == EVENTS {
        events.pop_front();
    }
    let by = if thread == rank { String::new() } else { format!("thread {thread}: ") };
    events.push_back((notes.clock.now(), rank, format!("{by}{text}")));
    lock(&notes.states)[thread as usize] = text;
}

/// Waits, outside of MPI, until all processes of the job have called this function. Returns what
/// this process has sent to other nodes since the last such meeting. No packet of a call may be
/// missing when a process calls it: it takes none in.
pub fn meet() -> Traffic {
    let notes = NOTES.get();
    assert!(!notes.is_null(), "only a process of a simulation meets others");
    // SAFETY: `Job::run` keeps the notes as long as the pointer is set.
    let notes = unsafe { &*notes };
    let traffic = notes.network.traffic_of(notes.rank.get());
    notes.shared.await_all(Barrier::Meeting, || {
        notes.network.note_meeting();
        *lock(&notes.shared.meetings) += 1;
    });
    traffic
}

/// A job that runs.
struct Job {
    setup: Setup,
    clock: Clock,
    network: Network,
    random: fastrand::Rng,
    shared: Arc<Shared>,
    virtuals: Vec<&'static VirtualProcess>,
    threads: Vec<Option<Thread>>,
    /// The rank of the process of each thread.
    rank_of: Vec<u32>,
    /// By thread.
    states: Vec<State>,
    /// Threads that are ready.
    ready: Vec<u32>,
    /// By node: threads that wait or nap.
    resting: Vec<Vec<u32>>,
    /// Nodes of which a process has run since its resting ones were looked at last.
    stirred: BTreeSet<u32>,
    /// Ends of naps and of short waits, with the thread and the number of its turns.
    ends: BinaryHeap<Reverse<(Time, u32, u64)>>,
    /// By thread: its turns so far.
    turns_of: Vec<u64>,
    turns: u64,
    trace: u64,
    /// When something was lost.
    lost: Option<Time>,
    /// The process that has died, and when.
    died: Option<(u32, Time)>,
    /// The launchers of the nodes, if the job goes on when a process dies.
    launchers: Vec<NodeLauncher>,
    /// Deaths that launchers will know: when, the node, and who has died.
    news: BinaryHeap<Reverse<(Time, u32, u32)>>,
    /// Deaths that will be, by the number of turns, the next one last.
    deaths: Vec<(u64, u32)>,
    /// The number of turns at the first meeting.
    met_after: Option<u64>,
}

/// Runs a program as a job. `program` gets the rank.
pub fn run(setup: Setup, program: impl Fn(u32) + Clone + 'static) -> Report {
    static CLOSED: OnceLock<bool> = OnceLock::new();
    let is_closed = *CLOSED.get_or_init(engine::close_for_simulation);
    assert!(is_closed, "MPI is in use in this process, so no simulation can run in it");
    yield_by(virtual_process::yield_now);
    let mut job = Job::new(setup, program);
    let notes = Notes {
        clock: job.clock.clone(),
        network: job.network.clone(),
        shared: job.shared.clone(),
        rank: Cell::new(0),
        thread: Cell::new(0),
        events: Mutex::new(VecDeque::new()),
        states: Mutex::new(vec!["has not begun".into(); job.states.len()]),
        new_threads: RefCell::default(),
    };
    NOTES.set(&notes);
    let failure = job.go_on(&notes);
    NOTES.set(std::ptr::null());
    job.end(failure.is_none());
    let traffic = job.network.traffic();
    let events = lock(&notes.events).iter().cloned().collect();
    let states = job.states_of_ranks(&lock(&notes.states));
    let (time, turns, trace) = (job.clock.now(), job.turns, job.trace);
    Report { failure, states, events, traffic, time, turns, trace }
}

impl Job {
    fn new(setup: Setup, program: impl Fn(u32) + Clone + 'static) -> Job {
        let ranks = setup.ranks();
        let clock = Clock::default();
        let nature = Nature {
            latency: setup.latency,
            under_way_max: setup.space.under_way_max,
            reaches_memory: setup.reaches_memory,
            defect: setup.defect,
        };
        let network = Network::new(ranks, clock.clone(), nature, setup.seed ^ 0x5eed);
        let shared = Arc::new(Shared {
            ranks: u64::from(ranks),
            cards: Mutex::default(),
            arrived: [Mutex::new(0), Mutex::new(0)],
            all_have_met: Mutex::new(false),
            meetings: Mutex::new(0),
            abort: Mutex::new(None),
        });
        let segments = segments(&setup.nodes);
        let goes_on = !setup.deaths.is_empty();
        let launchers = segments.iter().enumerate().filter(|_| goes_on);
        let launchers =
            launchers.map(|(node, memory)| NodeLauncher::new(memory, node, &setup.nodes)).collect();
        let mut deaths: Vec<(u64, u32)> =
            setup.deaths.iter().map(|&(rank, turn)| (turn, rank)).collect();
        deaths.sort_unstable_by(|one, other| other.cmp(one));
        let mut virtuals = Vec::new();
        let mut threads = Vec::new();
        for rank in 0..ranks {
            let process = VirtualProcess::new(Box::new(Simulated {
                clock: clock.clone(),
                mutation: setup.mutation,
                has_threads: setup.threads > 1,
                random: Mutex::new(fastrand::Rng::with_seed(setup.seed ^ u64::from(rank) << 32)),
            }));
            let store = Launcher { shared: shared.clone(), rank };
            let first = setup.nodes.iter().position(|node| *node == setup.nodes[rank as usize]);
            let segment =
                segments[setup.nodes[rank as usize] as usize].share(first == Some(rank as usize));
            let processors = if setup.dedicated { usize::MAX } else { 1 };
            let key = JobKey::from_hex(&"5a".repeat(32)).expect("64 digits");
            let wireup = Wireup::simulated(
                rank,
                setup.nodes.clone(),
                key,
                segment,
                processors,
                Box::new(store),
            );
            process.enter(|| {
                life::provide(wireup);
                nemesis::provide_network(network.driver());
                setup.space.cells.iter().for_each(|&cells| cvar::provide(CELLS, cells));
                cvar::provide(FASTBOX, usize::from(setup.space.fastboxes));
                cvar::provide(LANES, setup.lanes);
            });
            virtuals.push(process);
            let program = program.clone();
            threads.push(Some(coroutine(move || program(rank))));
        }
        Job {
            random: fastrand::Rng::with_seed(setup.seed),
            states: (0..ranks).map(|_| State::Ready).collect(),
            ready: (0..ranks).collect(),
            resting: vec![
                Vec::new();
                setup.nodes.iter().max().map_or(0, |&last| last as usize + 1)
            ],
            stirred: BTreeSet::new(),
            ends: BinaryHeap::new(),
            turns_of: vec![0; ranks as usize],
            turns: 0,
            trace: 0,
            lost: None,
            died: None,
            launchers,
            news: BinaryHeap::new(),
            deaths,
            met_after: None,
            setup,
            clock,
            network,
            shared,
            virtuals,
            threads,
            rank_of: (0..ranks).collect(),
        }
    }

    /// Returns the node of a thread.
    fn node_of(&self, thread: u32) -> u32 {
        self.setup.nodes[self.rank_of[thread as usize] as usize]
    }

    /// Runs the job until it ends. After the death of a process the launcher ends it, sooner or
    /// later.
    fn go_on(&mut self, notes: &Notes) -> Option<Failure> {
        let failure = self.go_on_alone(notes);
        match (self.died, failure) {
            (Some((rank, _)), None | Some(Failure::Hang)) => Some(Failure::Ended(rank)),
            (None, Some(Failure::Hang)) if self.lost.is_some() && self.is_explained(notes) => {
                Some(Failure::Standstill)
            }
            (_, failure) => failure,
        }
    }

    /// Returns whether the loss explains that nobody can go on.
    ///
    /// A rank that knows of the loss may wait for others, which wait for a message that was lost,
    /// directly or through others, and whose senders nobody has told. The launcher learns of the
    /// loss from that rank. If a rank waits for a process that it knows to be lost, its operation
    /// should have failed.
    fn is_explained(&self, notes: &Notes) -> bool {
        let mut is_known = false;
        for process in &self.virtuals {
            let Some(engine) = process.enter(engine::address_of_virtual) else { continue };
            // SAFETY: virtual processes and their engines are leaked. The job stands still, so no
            // coroutine whose stack has a reference to the engine is resumed any more.
            let core = unsafe { &(*engine).pt2pt.core };
            if core.waits_for_lost() {
                return false;
            }
            is_known |= !core.losses.is_empty();
        }
        let states = lock(&notes.states);
        let mut running = states.iter().zip(&self.states);
        is_known
            || running.all(|(call, state)| call == "MPI_Finalize" || matches!(state, State::Ended))
    }

    /// Notes that something is lost.
    fn note_loss(&mut self) {
        self.lost = Some(self.clock.now());
        // From now on, sleeps that end by themselves are events.
        for (thread, state) in (0..).zip(&self.states) {
            if let State::Waiting(Waiting { until, long: true, .. }) = state
                && *until < Time::MAX
            {
                self.ends.push(Reverse((*until, thread, self.turns_of[thread as usize])));
            }
        }
    }

    /// Loses what the setup says.
    fn lose(&mut self, loss: Loss) {
        self.note_loss();
        let all = 0..self.setup.ranks();
        match loss {
            Loss::Cable(one, other) => {
                let of = |node| -> Vec<u32> {
                    all.clone().filter(|&rank| self.setup.nodes[rank as usize] == node).collect()
                };
                self.network.cut(&of(one), &of(other));
            }
            Loss::Process(rank) => {
                self.kill(rank);
                self.died = Some((rank, self.clock.now()));
            }
        }
    }

    /// Runs the job until it ends or cannot go on.
    fn go_on_alone(&mut self, notes: &Notes) -> Option<Failure> {
        let mut idle_rounds = 0;
        // Threads whose long sleep has just ended by itself.
        let mut expired: Vec<u32> = Vec::new();
        loop {
            if self.ready.is_empty() {
                if self.resting.iter().all(Vec::is_empty) {
                    return None;
                }
                match self.advance(&mut expired) {
                    Advance::Event => idle_rounds = 0,
                    Advance::Expired => idle_rounds += 1,
                    Advance::Never => return Some(Failure::Hang),
                }
                let is_late =
                    self.lost.is_some_and(|then| self.clock.now() > then + ENDS_AFTER_LOSS);
                if idle_rounds > IDLE_ROUNDS || is_late {
                    return Some(Failure::Hang);
                }
                continue;
            }
            if self.turns >= self.setup.most_turns {
                return Some(Failure::Endless);
            }
            if let Some((rank, when)) = self.died
                && self.clock.now() > when + LAUNCHER_NOTICES
            {
                return Some(Failure::Ended(rank));
            }
            if let Some((loss, turn)) = self.setup.loss
                && turn == self.turns
            {
                self.lose(loss);
                self.turns += 1;
                continue;
            }
            if self.let_die() {
                continue;
            }
            self.wake();
            let index = self.random.usize(..self.ready.len());
            let thread = self.ready.swap_remove(index);
            let was_expired = expired.iter().position(|other| *other == thread);
            if let Some(index) = was_expired {
                expired.swap_remove(index);
            }
            if let Err(failure) = self.resume(thread, notes) {
                return Some(failure);
            }
            self.begin_threads(notes);
            let state = &self.states[thread as usize];
            let sleeps_on = matches!(state, State::Waiting(Waiting { long: true, .. }));
            if was_expired.is_some() && !sleeps_on {
                return Some(Failure::LostWakeUp(self.rank_of[thread as usize]));
            }
            if let Some((rank, code, why)) = lock(&self.shared.abort).clone() {
                return Some(Failure::Abort(rank, code, why));
            }
        }
    }

    /// Resumes a thread until it pauses.
    fn resume(&mut self, thread: u32, notes: &Notes) -> Result<(), Failure> {
        let (rank, node) = (self.rank_of[thread as usize], self.node_of(thread));
        self.turns += 1;
        self.turns_of[thread as usize] += 1;
        self.stirred.insert(node);
        self.trace = (self.trace ^ (u64::from(thread) << 32 | self.clock.now() & 0xffff_ffff))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29);
        notes.rank.set(rank);
        notes.thread.set(thread);
        let Some(coroutine) = &mut self.threads[thread as usize] else { return Ok(()) };
        let virtual_process = self.virtuals[rank as usize];
        let resumed =
            catch_unwind(AssertUnwindSafe(|| virtual_process.enter(|| coroutine.resume(()))));
        let state = match resumed {
            Err(panic) => {
                self.states[thread as usize] = State::Ended;
                return Err(match panic.downcast::<CallFailed>() {
                    Ok(error) => Failure::Error(rank, error.class, error.text),
                    Err(panic) => Failure::Panic(rank, text_of(&*panic)),
                });
            }
            Ok(CoroutineResult::Return(())) => State::Ended,
            Ok(CoroutineResult::Yield(Pause::Exit(code))) => {
                self.states[thread as usize] = State::Ended;
                let told = lock(&self.shared.abort).clone();
                let (rank, code, why) = told.unwrap_or((rank, code, "exit".into()));
                return Err(Failure::Abort(rank, code, why));
            }
            Ok(CoroutineResult::Yield(Pause::Yield)) if self.setup.lockstep => {
                State::Napping { until: self.clock.now() + self.setup.latency.most }
            }
            Ok(CoroutineResult::Yield(Pause::Yield)) => {
                self.clock.advance_to(self.clock.now() + YIELD_TIME);
                State::Ready
            }
            Ok(CoroutineResult::Yield(Pause::Wait { is_over, until, hears_network })) => {
                let long = until.saturating_sub(self.clock.now()) >= LONG_SLEEP;
                let is_deaf = self.setup.defect.is_some() && self.random.u8(..20) == 0;
                State::Waiting(Waiting { is_over, until, long, is_deaf, hears_network })
            }
            Ok(CoroutineResult::Yield(Pause::Nap { until })) => State::Napping { until },
        };
        let turn = self.turns_of[thread as usize];
        match state {
            State::Ready => self.ready.push(thread),
            State::Waiting(_) | State::Napping { .. } => self.resting[node as usize].push(thread),
            State::Ended if thread == rank => self.announce_end(rank),
            State::Ended => {}
        }
        if let State::Napping { until } | State::Waiting(Waiting { until, .. }) = state
            && (self.lost.is_some() || !matches!(state, State::Waiting(Waiting { long: true, .. })))
            && until < Time::MAX
        {
            self.ends.push(Reverse((until, thread, turn)));
        }
        self.states[thread as usize] = state;
        Ok(())
    }

    /// Returns whether a waiting thread has a reason to go on now.
    fn is_due(&self, thread: u32) -> bool {
        let State::Waiting(waiting) = &self.states[thread as usize] else { return false };
        let hears = |defect| !waiting.is_deaf || self.setup.defect != Some(defect);
        // SAFETY: the coroutine is paused in `pause_until`, whose caller owns the closure.
        let is_over = || unsafe { (*waiting.is_over)() };
        let has_arrived = || self.network.has_arrived(self.rank_of[thread as usize]);
        hears(Defect::Doorbell) && is_over()
            || waiting.hears_network && hears(Defect::Arrival) && has_arrived()
    }

    /// Makes a resting thread ready.
    fn make_ready(&mut self, thread: u32) {
        let node = self.node_of(thread) as usize;
        let Some(index) = self.resting[node].iter().position(|&other| other == thread) else {
            return;
        };
        self.resting[node].swap_remove(index);
        self.states[thread as usize] = State::Ready;
        self.ready.push(thread);
    }

    /// Makes those of the resting threads ready that have a reason to go on: of the nodes of which
    /// a process has run, those at which packets have arrived, and those whose time is over.
    fn wake(&mut self) {
        if std::mem::take(&mut *lock(&self.shared.all_have_met)) {
            self.stirred.extend(self.setup.nodes.iter());
        }
        self.tell_deaths();
        let stirred = std::mem::take(&mut self.stirred);
        let looked_at = stirred.iter().flat_map(|&node| self.resting[node as usize].clone());
        let arrived = self.network.take_arrivals().into_iter();
        let arrived = arrived.flat_map(|rank| self.threads_of(rank).collect::<Vec<u32>>());
        let due: Vec<u32> =
            looked_at.chain(arrived).filter(|&thread| self.is_due(thread)).collect();
        for thread in due {
            self.make_ready(thread);
        }
        while let Some(&Reverse((until, thread, turn))) = self.ends.peek()
            && until <= self.clock.now()
        {
            self.ends.pop();
            if turn == self.turns_of[thread as usize] {
                self.make_ready(thread);
            }
        }
    }

    /// Moves the time to the next event, when no process is ready.
    fn advance(&mut self, expired: &mut Vec<u32>) -> Advance {
        self.wake();
        if !self.ready.is_empty() {
            return Advance::Event;
        }
        let end = self.ends.peek().map(|next| next.0.0);
        let news = self.news.peek().map(|next| next.0.0);
        if let Some(time) = [self.network.next_arrival(), end, news].into_iter().flatten().min() {
            self.clock.advance_to(time);
            self.wake();
            return Advance::Event;
        }
        // Nothing is left but sleeps that end by themselves: all end now.
        let asleep: Vec<(Time, u32)> = self
            .resting
            .iter()
            .flatten()
            .filter_map(|&thread| match &self.states[thread as usize] {
                State::Waiting(waiting) if waiting.until < Time::MAX => {
                    Some((waiting.until, thread))
                }
                _ => None,
            })
            .collect();
        let Some(&(last, _)) = asleep.iter().max() else { return Advance::Never };
        self.clock.advance_to(last);
        asleep.iter().for_each(|&(_, thread)| self.make_ready(thread));
        expired.clone_from(&self.ready);
        Advance::Expired
    }

    /// Drops what the processes own.
    fn end(&mut self, regularly: bool) {
        for mut coroutine in self.threads.iter_mut().filter_map(Option::take) {
            if !coroutine.done() {
                // SAFETY: nothing on the stack is used again; what it owns is leaked. A process
                // that was killed would not run its destructors either.
                unsafe { coroutine.force_reset() };
            }
        }
        if regularly && self.setup.deaths.is_empty() {
            self.virtuals.iter().for_each(|process| process.enter(engine::end_virtual));
        }
    }
}

/// Makes a coroutine of a thread.
fn coroutine(run: impl FnOnce() + 'static) -> Thread {
    let stack = DefaultStack::new(STACK_BYTES).expect("memory for a stack");
    Coroutine::with_stack(stack, move |yielder, ()| {
        YIELDER.set(yielder);
        run();
    })
}

enum Advance {
    Event,
    Expired,
    Never,
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "no text".into())
}

/// The segment of a node.
struct NodeMemory(nemesis_sys::memfd::Memory);

impl NodeMemory {
    fn share(&self, is_first: bool) -> Segment {
        let descriptor = self.0.descriptor.try_clone().expect("a descriptor for each process");
        Segment { descriptor, bytes: self.0.bytes, backing: self.0.backing, is_first }
    }
}

/// Makes the segments of all nodes.
fn segments(nodes: &[u32]) -> Vec<NodeMemory> {
    let count = nodes.iter().max().map_or(0, |last| last + 1);
    (0..count)
        .map(|node| {
            let processes = nodes.iter().filter(|&&other| other == node).count();
            let memory = nemesis_wireup::segment::make(processes).expect("memory for a segment");
            segment::tell_model(&memory.descriptor, &HostModel::default()).expect("a new file");
            NodeMemory(memory)
        })
        .collect()
}
