//! The engine: the state of MPI in this process, and its progress.
//!
//! A biased lock guards the [`Engine`] of a process. [`enter`] returns the exclusive guard
//! [`Mpi`]; code behind the guard is plain `&mut` Rust. A blocking call releases the guard between
//! two polls ([`Mpi::after_poll`]). A caller of a user function releases it first
//! ([`Mpi::unlocked`]).
//!
//! Every call that waits or tests makes *progress* (MPI 5.0 §3.5): it polls the endpoint, which
//! hands arriving packets to the protocol's [`Core`](crate::protocol::Core), and then carries out
//! the tasks that the packets created.
//!
//! | file | subject |
//! |---|---|
//! | this one | the parts of the engine, and the tasks |
//! | `abort` | aborts that concern other jobs |
//! | `comms` | communicators: what involves several parts |
//! | `lanes` | further engines, for the messages of some communicators |
//! | `lock` | the lock, and the guard |
//! | `progress` | progress, waiting, sleeping |
//! | `upper` | hooks for the layers above |

mod abort;
mod comms;
pub mod lanes;
mod lock;
mod progress;
pub mod upper;

pub use crate::lifecycle::{NOT_INITIALISED, Stage};
pub use crate::packet::AbortCause;
pub use comms::{draw_between_jobs, draw_key};
pub use lock::{
    Mpi, address_of_virtual, admit_all_threads, await_shared_open, close_for_simulation,
    end_virtual, enter, enter_alone, enter_and_progress, enter_any, enter_biased, enter_open,
    share,
};

use crate::abi;
use crate::communicators::Communicators;
use crate::envelope::Wanted;
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle::{self, Table};
use crate::lifecycle::Lifecycle;
use crate::protocol::Layers;
use crate::protocol::Task;
use crate::pt2pt::PointToPoint;
use crate::request::Completion;
use crate::session::{PROCESS_SETS, Session};
use crate::types::Types;
use crate::waiting::Waiting;
use lanes::Lanes;
use nemesis::Memory;
use nemesis::wire::Header;
use nemesis_datatype::Buffer;
use nemesis_wireup::Wireup;
use upper::Hooks;

/// The state of MPI in this process.
pub struct Engine {
    /// Start and end, and thread levels.
    pub life: Lifecycle,
    /// The connection to the launcher; `None` before the engine has started.
    pub wireup: Option<Wireup>,
    /// Access to the memory of the processes of this node.
    pub memory: Option<Memory>,
    /// Communicators.
    pub comms: Communicators,
    /// Datatypes.
    pub types: Types,
    /// Open sessions.
    pub sessions: Table<handle::Session, Session>,
    /// Point-to-point communication, and requests.
    pub pt2pt: PointToPoint,
    /// Polls and sleeps.
    pub waiting: Waiting,
    /// The functions of the layers above.
    pub(crate) hooks: &'static Hooks,
    /// Whether to print diagnostics (`NEMESIS_VERBOSE`).
    pub verbose: bool,
    /// Number of this engine's lane; 0 is the first, which has everything.
    pub lane: usize,
    /// The lanes of the process.
    pub lanes: Lanes,
}

impl Engine {
    const fn new() -> Engine {
        Engine {
            life: Lifecycle::new(),
            wireup: None,
            memory: None,
            comms: Communicators::new(),
            types: Types::new(),
            sessions: Table::new(),
            pt2pt: PointToPoint::new(),
            waiting: Waiting::new(),
            hooks: &Hooks::NONE,
            verbose: false,
            lane: 0,
            lanes: Lanes::new(),
        }
    }

    /// Registers the functions of the layers above. Must be called before the endpoint exists.
    pub fn register(&mut self, hooks: &'static Hooks) {
        self.hooks = hooks;
        self.pt2pt.core.upper.hooks = &hooks.packets;
    }

    /// Returns the session that a handle names.
    pub fn session(&self, handle: handle::Session) -> Outcome<&Session> {
        self.sessions.get(handle).map_err(|dead| Error::dead(abi::MPI_ERR_SESSION, dead))
    }

    /// Returns the processes of a set, or `None` if there is no such set.
    pub fn process_set(&self, name: &str) -> Option<Group> {
        let size = self.wireup.as_ref().map_or(1, |wireup| wireup.size());
        match PROCESS_SETS.iter().position(|known| known.eq_ignore_ascii_case(name))? {
            0 => Some(Group::new((0..size).collect())),
            _ => Some(Group::new(vec![self.pt2pt.own_process()])),
        }
    }

    /// Starts a receive. Returns an inner `Err(completion)` if it is already complete.
    pub fn start_receive(
        &mut self,
        buffer: &Buffer,
        wanted: Wanted,
    ) -> Outcome<Result<handle::Request, Completion>> {
        self.pt2pt.start_receive(&self.comms, buffer, wanted)
    }

    /// Posts the receives of a partitioned message whose setup has arrived.
    pub(crate) fn post_partitions(&mut self, operation: handle::Request) {
        self.pt2pt.post_partitions(&self.comms, operation);
    }

    /// Runs pending tasks, if there are any.
    #[inline(always)]
    pub fn perform_pending(&mut self) {
        if self.pt2pt.has_duties() {
            self.perform_tasks();
        }
    }

    /// Runs all pending tasks and sends queued packets as far as there is space.
    #[inline(never)]
    pub fn perform_tasks(&mut self) {
        if self.pt2pt.outgoing_packets > 0 {
            self.pt2pt.flush_outgoing();
        }
        while let Some(task) = self.pt2pt.core.tasks.pop_front() {
            match task {
                Task::Reply { to, kind, words } => {
                    self.pt2pt.send_control(to, Header { kind, ..Header::default() }, words)
                }
                Task::Help(request) => self.pt2pt.help(request),
                Task::Fetch { request, origin, announcement } => {
                    self.pt2pt.fetch(request, origin, announcement)
                }
                Task::PostPartitions { request } => {
                    self.pt2pt.post_partitions(&self.comms, request)
                }
                Task::Abort { by, code, cause } => self.abort_by(by, code, cause),
                Task::Recover => self.recover(),
                Task::ProcessDied(process) => self.process_died(process),
                Task::Throttle { to, hold_back } => {
                    if let Some(endpoint) = &mut self.pt2pt.endpoint {
                        endpoint.throttle(to, hold_back);
                    }
                }
            }
        }
        if !self.pt2pt.core.readings.is_empty() {
            self.pt2pt.read_on();
        }
        if !self.pt2pt.core.streams.is_empty() {
            self.pt2pt.feed_streams();
        }
        if self.pt2pt.core.upper.busy.any() {
            if self.pt2pt.core.upper.busy.contains(Layers::AGREEMENTS) {
                self.advance_segments();
            }
            (self.hooks.perform)(self);
        }
        if self.pt2pt.core.upper.collectives > 0 {
            (self.hooks.collectives.advance)(self);
        }
    }
}
