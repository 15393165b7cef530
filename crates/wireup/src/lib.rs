//! Wire-up: who am I, who are the others, and here is the memory that the processes of my node share.
//!
//! A process starts with nothing but its environment. [`Wireup::connect`] finds the launcher that speaks through it and answers the three
//! questions the same way whoever that is:
//!
//! ```text
//!   environment                      dialect                  segment
//!   PMI_FD of Slurm's pmi2 plug-in   PMI-2 over that socket   handed over by the node's lowest rank
//!   PMI_FD of any other              PMI-1 over that socket   ours: inherited; others: handed over
//!   PMI_PORT and PMI_ID              PMI-1 over TCP           handed over
//!   PMIX_NAMESPACE and PMIX_RANK     PMIx, by libpmix.so.2    handed over
//!   a launcher that promised more    none: an error that says which command works
//!   none of them                     a job of one process     made here
//! ```
//!
//! The first that fits is taken. `NEMESIS_PMI` (`1`, `2`, `pmix`) chooses another where a launcher offers several.
//!
//! A launcher that promised several processes while nobody answers is an error, never a job of one process started many times.
//!
//! Processes exchange small *cards* through the launcher's key-value store: [`put`](Wireup::put), [`barrier`](Wireup::barrier),
//! [`get`](Wireup::get). A card put before a barrier is visible after it; a key is put once. Networks have a form of their own for it:
//! [`publish`](Wireup::publish) before the one [`exchange`](Wireup::exchange), [`card_of`](Directory::card_of) when a process is first spoken to.

mod card;
mod directory;
mod error;
mod hex;
mod key;
mod launch_env;
mod link;
pub mod machine;
pub mod mapping;
pub mod pmi1;
mod pmi2;
mod pmix;
pub mod segment;
mod session;

pub use directory::Directory;
pub use error::WireupError;
pub use key::JobKey;
pub use launch_env::Launcher;
pub use segment::Segment;
pub use session::{Processors, Wireup};

/// The environment variables between `mpiexec` and the processes it starts, besides those of PMI-1.
pub mod environment {
    /// Number of the descriptor of the node's segment, inherited.
    pub const SEGMENT_FD: &str = "NEMESIS_SEGMENT_FD";
    /// `FD:PORT`: the line by which the launcher hands over who connects to the node's port, where the node has one.
    pub const ACCEPTOR: &str = "NEMESIS_DOOR";
    /// `COUNT` or `COUNT:LIST:OWN`: how many processors the ranks of the node may keep busy at once, all of them together, since a rank that is bound sees only
    /// its own; and which ones they have got shares of, that may be given up, and which are this rank's.
    pub const PROCESSORS: &str = "NEMESIS_PROCESSORS";
    /// A number of the job's own, in hexadecimal, by which all that its processes have started is found when the job ends. No secret: the job key
    /// comes by the launcher's line.
    pub const JOB: &str = "NEMESIS_JOB";
}
