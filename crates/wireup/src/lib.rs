//! Wire-up: finds this process's rank, the other processes of its job, and the memory that the
//! processes of its node share.
//!
//! A process starts with nothing but its environment. [`Wireup::connect`] finds the launcher there,
//! and returns the same answers under every launcher:
//!
//! ```text
//!   environment                      protocol                 segment
//!   PMI_FD of Slurm's pmi2 plug-in   PMI-2 over that socket   passed
//!   PMI_FD of mpiexec of Nemesis     PMI-1 over that socket   inherited
//!   likewise, without segment        PMI-1 over that socket   passed
//!   PMI_FD of any other launcher     PMI-1 over that socket   passed
//!   PMI_PORT and PMI_ID              PMI-1 over TCP           passed
//!   PMIX_NAMESPACE and PMIX_RANK     PMIx, by libpmix.so.2    passed
//!   variables of other launchers     none: an error that names a command that works
//!   none of them                     a job of one process     created by the process
//! ```
//!
//! A library of another build than `mpiexec`, and the second library of a process, do not use the
//! segment of `mpiexec`.
//!
//! The node's lowest rank creates a segment that is *passed*, and passes its descriptor to the
//! others. The first row that applies is used. `NEMESIS_PMI` (`1`, `2`, `pmix`) selects another if
//! a launcher offers several.
//!
//! If a launcher has started several processes but offers no protocol, connecting fails. It never
//! makes N jobs of one process each.
//!
//! Processes exchange small *cards* through the launcher's key-value store: [`put`](Wireup::put),
//! [`barrier`](Wireup::barrier), [`get`](Wireup::get). A card that was put before a barrier is
//! visible after it; each key is put once. Networks use [`publish`](Wireup::publish) before the one
//! [`exchange`](Wireup::exchange), and [`card_of`](Directory::card_of) when they first communicate
//! with a process.

#![warn(missing_docs)]

pub mod build;
mod card;
mod directory;
mod error;
pub mod finding;
pub mod hex;
mod host_identity;
pub mod hosts;
mod key;
mod launch_env;
mod link;
pub mod machine;
pub mod mapping;
pub mod pmi1;
mod pmi2;
mod pmix;
pub mod port;
pub mod ranks;
mod reporter;
pub mod segment;
mod session;
pub mod spawn;

pub use card::place_number;
pub use directory::{Directory, decode_cards, encode_cards};
pub use error::WireupError;
pub use finding::Finding;
pub use key::JobKey;
pub use launch_env::Launcher;
pub use link::Store;
pub use reporter::Reporter;
pub use segment::Segment;
pub use session::{Processors, Wireup};

/// Environment variables from `mpiexec` for the processes it starts, in addition to those of PMI-1.
pub mod environment {
    /// Number of the inherited descriptor of the node's segment.
    pub const SEGMENT_FD: &str = "NEMESIS_SEGMENT_FD";
    /// `FD:PORT`: the Unix socket by which the launcher passes connections to the node's port, if
    /// the node has one.
    pub const ACCEPTOR: &str = "NEMESIS_ACCEPTOR";
    /// `COUNT` or `COUNT:LIST:OWN`. COUNT: number of processors that all ranks of the node together
    /// may keep busy; a bound rank sees only its own. LIST: the processors of which the ranks have
    /// shares that they may give up. OWN: this rank's share.
    pub const PROCESSORS: &str = "NEMESIS_PROCESSORS";
    /// Set for the first rank by `mpiexec -v`: it reports what the ranks talk through.
    pub const REPORT: &str = "NEMESIS_REPORT";
    /// Set to `on` by `mpiexec -check`: development checks.
    pub const CHECK: &str = "NEMESIS_CHECK";
    /// A number of the job in hexadecimal, by which `mpiexec` finds all processes that the job has
    /// started when it ends. It is not secret: the job key travels through the launcher's socket.
    pub const JOB: &str = "NEMESIS_JOB";
}
