//! A job: its processes as coroutines, of which one runs at a time, and the seed that decides
//! which.
//!
//! ```text
//!   ready    a process that has called yield_now, or has not begun   ── resumed in random order
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
use nemesis::tunables::{CELLS, FASTBOX};
use nemesis_mpi::tool::cvar;
use nemesis_mpi::{abi, engine, life};
use nemesis_shm::segment;
use nemesis_sys::host_model::HostModel;
use nemesis_sys::mutation::Mutation;
use nemesis_sys::virtual_process::{Host, VirtualProcess};
use nemesis_wireup::{JobKey, Segment, Store, Wireup};
use std::any::Any;
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

mod deaths;

use deaths::NodeLauncher;

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

/// How a job ended that did not end well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Nobody can go on.
    Hang,
    /// A process went on at the end of a sleep that should have ended before.
    LostWakeUp(u32),
    /// A process panicked.
    Panic(u32, String),
    /// A call of a process failed, with an error of this class and text.
    Error(u32, i32, String),
    /// A process ended the job, with a code and a message.
    Abort(u32, i32, String),
    /// The launcher ended the job, because this process has died.
    Ended(u32),
    /// Nobody can go on after a loss, and the launcher ends the standstill: a rank that knows of
    /// the loss waits for others alone, or all are in `MPI_Finalize`, where no question finds out
    /// who is lost.
    Standstill,
    /// The processes were resumed too often.
    Endless,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Hang => f.write_str("nobody can go on"),
            Failure::LostWakeUp(rank) => write!(f, "a wake-up of rank {rank} was lost"),
            Failure::Panic(rank, why) => write!(f, "rank {rank} panicked: {why}"),
            Failure::Error(rank, _, why) => write!(f, "rank {rank}: {why}"),
            Failure::Standstill => f.write_str("nobody can go on after a loss"),
            Failure::Ended(rank) => write!(f, "rank {rank} has died"),
            Failure::Abort(rank, code, why) => write!(f, "rank {rank} aborted with {code}: {why}"),
            Failure::Endless => f.write_str("the job does not end"),
        }
    }
}

impl Failure {
    /// Returns whether a job may end like this after a loss: by the launcher, or by an error that
    /// tells of a process that cannot be reached.
    pub fn tells_of(&self, loss: Loss) -> bool {
        // Of several requests, the statuses have the errors.
        let lost = [abi::MPI_ERR_PROC_ABORTED, abi::MPI_ERR_IN_STATUS];
        match self {
            // A fatal error's class is the exit code.
            Failure::Error(_, class, _) | Failure::Abort(_, class, _) => {
                lost.iter().any(|lost| lost.value() == *class)
            }
            Failure::Ended(rank) => loss == Loss::Process(*rank),
            Failure::Standstill => true,
            _ => false,
        }
    }
}

/// An error of a call, as a process panics with it.
#[derive(Debug)]
pub struct CallFailed {
    /// The class of the error.
    pub class: i32,
    /// The call, and the text of the error.
    pub text: String,
}

/// What a run has shown.
#[derive(Clone, Debug)]
pub struct Report {
    /// How the job failed, if it did.
    pub failure: Option<Failure>,
    /// What each rank was in when the run ended.
    pub states: Vec<String>,
    /// The last events: time, rank, what.
    pub events: Vec<(Time, u32, String)>,
    /// What each rank has sent to other nodes, since the last meeting if there was one.
    pub traffic: Vec<Traffic>,
    /// Time of the simulation in nanoseconds.
    pub time: Time,
    /// Resumptions of processes.
    pub turns: u64,
    /// A number that differs if anything of the run differs: who ran in which order and when.
    pub trace: u64,
}

/// Why a coroutine has stopped for now.
enum Pause {
    Yield,
    Wait { is_over: *const dyn Fn() -> bool, until: Time },
    Nap { until: Time },
    Exit(i32),
}

enum State {
    Ready,
    Waiting { is_over: *const dyn Fn() -> bool, until: Time, long: bool, is_deaf: bool },
    Napping { until: Time },
    Ended,
}

type Process = Coroutine<(), Pause, (), DefaultStack>;

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
    /// Waits until all of `ranks` processes have come to their next barrier of a kind, and calls
    /// `last` in the last one.
    fn await_all(&self, kind: Barrier, ranks: u64, last: impl FnOnce()) {
        let arrived = &self.arrived[kind as usize];
        let before = {
            let mut arrived = lock(arrived);
            *arrived += 1;
            *arrived - 1
        };
        let all = (before / ranks + 1) * ranks;
        if before + 1 == all {
            last();
            *lock(&self.all_have_met) = true;
        }
        let is_over = || *lock(arrived) >= all;
        while !is_over() {
            pause_until(&is_over, Time::MAX);
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
    ranks: u64,
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
        self.shared.await_all(Barrier::Launcher, self.ranks, || {});
    }

    fn abort(&mut self, code: i32, message: &str) {
        lock(&self.shared.abort).get_or_insert((self.rank, code, message.to_owned()));
    }
}

fn pause_until(is_over: &dyn Fn() -> bool, until: Time) {
    // SAFETY: changes the lifetime alone. The scheduler calls it only while the coroutine is
    // paused, so that the closure lives.
    let is_over: *const (dyn Fn() -> bool + 'static) = unsafe { std::mem::transmute(is_over) };
    pause(Pause::Wait { is_over, until });
}

/// The simulation, as one process sees it.
struct Simulated {
    clock: Clock,
    mutation: Option<Mutation>,
    /// Decides when the mutation strikes.
    random: Mutex<fastrand::Rng>,
}

impl Host for Simulated {
    fn yield_now(&self) {
        pause(Pause::Yield);
    }

    fn wait(&self, is_over: &dyn Fn() -> bool, limit: Duration) {
        pause_until(is_over, self.clock.now().saturating_add(nanos(limit)));
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
        // A loss is met once in a job, and other processes make up for one that is not told.
        let may_miss = mutation != Mutation::LossUntold;
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
    rank: Cell<u32>,
    events: Mutex<VecDeque<(Time, u32, String)>>,
    states: Mutex<Vec<String>>,
}

/// Notes what the process that runs is about to do, for the report.
pub fn note(what: impl FnOnce() -> String) {
    let notes = NOTES.get();
    if notes.is_null() {
        return;
    }
    // SAFETY: `Job::run` keeps the notes as long as the pointer is set.
    let notes = unsafe { &*notes };
    let (text, rank) = (what(), notes.rank.get());
    let mut events = lock(&notes.events);
    if events.len() == EVENTS {
        events.pop_front();
    }
    events.push_back((notes.clock.now(), rank, text.clone()));
    lock(&notes.states)[rank as usize] = text;
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
    let ranks = lock(&notes.states).len() as u64;
    notes.shared.await_all(Barrier::Meeting, ranks, || {
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
    processes: Vec<Option<Process>>,
    states: Vec<State>,
    /// Ranks that are ready.
    ready: Vec<u32>,
    /// By node: ranks that wait or nap.
    resting: Vec<Vec<u32>>,
    /// Nodes of which a process has run since its resting ones were looked at last.
    stirred: BTreeSet<u32>,
    /// Ends of naps and of short waits, with the rank and the number of its turns.
    ends: BinaryHeap<Reverse<(Time, u32, u64)>>,
    /// By rank: its turns so far.
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
    let mut job = Job::new(setup, program);
    let notes = Notes {
        clock: job.clock.clone(),
        network: job.network.clone(),
        shared: job.shared.clone(),
        rank: Cell::new(0),
        events: Mutex::new(VecDeque::new()),
        states: Mutex::new(vec!["has not begun".into(); job.states.len()]),
    };
    NOTES.set(&notes);
    let failure = job.go_on(&notes);
    NOTES.set(std::ptr::null());
    job.end(failure.is_none());
    let traffic = job.network.traffic();
    let events = lock(&notes.events).iter().cloned().collect();
    let states = lock(&notes.states).clone();
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
        let mut processes = Vec::new();
        for rank in 0..ranks {
            let process = VirtualProcess::new(Box::new(Simulated {
                clock: clock.clone(),
                mutation: setup.mutation,
                random: Mutex::new(fastrand::Rng::with_seed(setup.seed ^ u64::from(rank) << 32)),
            }));
            let store = Launcher { shared: shared.clone(), rank, ranks: u64::from(ranks) };
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
            });
            virtuals.push(process);
            let program = program.clone();
            let stack = DefaultStack::new(STACK_BYTES).expect("memory for a stack");
            processes.push(Some(Coroutine::with_stack(stack, move |yielder, ()| {
                YIELDER.set(yielder);
                program(rank);
            })));
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
            processes,
        }
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
        is_known || lock(&notes.states).iter().all(|state| state == "MPI_Finalize")
    }

    /// Notes that something is lost.
    fn note_loss(&mut self) {
        self.lost = Some(self.clock.now());
        // From now on, sleeps that end by themselves are events.
        for (rank, state) in (0..).zip(&self.states) {
            if let State::Waiting { until, long: true, .. } = state
                && *until < Time::MAX
            {
                self.ends.push(Reverse((*until, rank, self.turns_of[rank as usize])));
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
        // Ranks whose long sleep has just ended by itself.
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
            let rank = self.ready.swap_remove(index);
            let was_expired = expired.iter().position(|other| *other == rank);
            if let Some(index) = was_expired {
                expired.swap_remove(index);
            }
            if let Err(failure) = self.resume(rank, notes) {
                return Some(failure);
            }
            let sleeps_on = matches!(self.states[rank as usize], State::Waiting { long: true, .. });
            if was_expired.is_some() && !sleeps_on {
                return Some(Failure::LostWakeUp(rank));
            }
            if let Some((rank, code, why)) = lock(&self.shared.abort).clone() {
                return Some(Failure::Abort(rank, code, why));
            }
        }
    }

    /// Resumes a process until it pauses.
    fn resume(&mut self, rank: u32, notes: &Notes) -> Result<(), Failure> {
        self.turns += 1;
        self.turns_of[rank as usize] += 1;
        self.stirred.insert(self.setup.nodes[rank as usize]);
        self.trace = (self.trace ^ (u64::from(rank) << 32 | self.clock.now() & 0xffff_ffff))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29);
        notes.rank.set(rank);
        let Some(process) = &mut self.processes[rank as usize] else { return Ok(()) };
        let virtual_process = self.virtuals[rank as usize];
        let resumed =
            catch_unwind(AssertUnwindSafe(|| virtual_process.enter(|| process.resume(()))));
        let state = match resumed {
            Err(panic) => {
                self.states[rank as usize] = State::Ended;
                return Err(match panic.downcast::<CallFailed>() {
                    Ok(error) => Failure::Error(rank, error.class, error.text),
                    Err(panic) => Failure::Panic(rank, text_of(&*panic)),
                });
            }
            Ok(CoroutineResult::Return(())) => State::Ended,
            Ok(CoroutineResult::Yield(Pause::Exit(code))) => {
                self.states[rank as usize] = State::Ended;
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
            Ok(CoroutineResult::Yield(Pause::Wait { is_over, until })) => {
                let long = until.saturating_sub(self.clock.now()) >= LONG_SLEEP;
                let is_deaf = self.setup.defect.is_some() && self.random.u8(..20) == 0;
                State::Waiting { is_over, until, long, is_deaf }
            }
            Ok(CoroutineResult::Yield(Pause::Nap { until })) => State::Napping { until },
        };
        let (node, turn) = (self.setup.nodes[rank as usize], self.turns_of[rank as usize]);
        match state {
            State::Ready => self.ready.push(rank),
            State::Waiting { .. } => self.resting[node as usize].push(rank),
            State::Napping { .. } => self.resting[node as usize].push(rank),
            State::Ended => self.announce_end(rank),
        }
        if let State::Napping { until } | State::Waiting { until, .. } = state
            && (self.lost.is_some() || !matches!(state, State::Waiting { long: true, .. }))
            && until < Time::MAX
        {
            self.ends.push(Reverse((until, rank, turn)));
        }
        self.states[rank as usize] = state;
        Ok(())
    }

    /// Returns whether a waiting process has a reason to go on now.
    fn is_due(&self, rank: u32) -> bool {
        let State::Waiting { is_over, is_deaf, .. } = self.states[rank as usize] else {
            return false;
        };
        let hears = |defect| !is_deaf || self.setup.defect != Some(defect);
        // SAFETY: the coroutine is paused in `pause_until`, whose caller owns the closure.
        let is_over = || unsafe { (*is_over)() };
        hears(Defect::Doorbell) && is_over()
            || hears(Defect::Arrival) && self.network.has_arrived(rank)
    }

    /// Makes a resting process ready.
    fn make_ready(&mut self, rank: u32) {
        let node = self.setup.nodes[rank as usize] as usize;
        let Some(index) = self.resting[node].iter().position(|&other| other == rank) else {
            return;
        };
        self.resting[node].swap_remove(index);
        self.states[rank as usize] = State::Ready;
        self.ready.push(rank);
    }

    /// Makes those of the resting processes ready that have a reason to go on: of the nodes of
    /// which a process has run, those at which packets have arrived, and those whose time is over.
    fn wake(&mut self) {
        if std::mem::take(&mut *lock(&self.shared.all_have_met)) {
            self.stirred.extend(self.setup.nodes.iter());
        }
        self.tell_deaths();
        let stirred = std::mem::take(&mut self.stirred);
        let looked_at = stirred.iter().flat_map(|&node| self.resting[node as usize].clone());
        let arrived = self.network.take_arrivals();
        let due: Vec<u32> = looked_at.chain(arrived).filter(|&rank| self.is_due(rank)).collect();
        for rank in due {
            self.make_ready(rank);
        }
        while let Some(&Reverse((until, rank, turn))) = self.ends.peek()
            && until <= self.clock.now()
        {
            self.ends.pop();
            if turn == self.turns_of[rank as usize] {
                self.make_ready(rank);
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
            .filter_map(|&rank| match self.states[rank as usize] {
                State::Waiting { until, .. } if until < Time::MAX => Some((until, rank)),
                _ => None,
            })
            .collect();
        let Some(&(last, _)) = asleep.iter().max() else { return Advance::Never };
        self.clock.advance_to(last);
        asleep.iter().for_each(|&(_, rank)| self.make_ready(rank));
        expired.clone_from(&self.ready);
        Advance::Expired
    }

    /// Drops what the processes own.
    fn end(&mut self, regularly: bool) {
        for (process, coroutine) in self.virtuals.iter().zip(&mut self.processes) {
            if let Some(mut coroutine) = coroutine.take()
                && !coroutine.done()
            {
                // SAFETY: nothing on the stack is used again; what it owns is leaked. A process
                // that was killed would not run its destructors either.
                unsafe { coroutine.force_reset() };
            }
            if regularly && self.setup.deaths.is_empty() {
                process.enter(engine::end_virtual);
            }
        }
    }
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
