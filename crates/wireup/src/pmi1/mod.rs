//! PMI-1, the protocol that every launcher of MPI programs supports (hydra, Slurm, gforker, and
//! `mpiexec` of Nemesis).
//!
//! A command is one line of fields, its answer another. The client asks and the server answers; the
//! server sends nothing unasked:
//!
//! ```text
//!   > cmd=put kvsname=K key=card-0 value=V            < cmd=put_result rc=0
//!   > cmd=barrier_in                                  < cmd=barrier_out rc=0
//!   > cmd=get kvsname=K key=card-1                    < cmd=get_result rc=0 value=V
//! ```
//!
//! The answer to `barrier_in` comes when all ranks have sent it.
//!
//! Servers add fields and change their order, so fields are looked up by name. `message` contains
//! what both ends share: the grammar, the assembly of lines, the limits. `client` is the side of a
//! process; `mpiexec` has the server.

mod client;
mod message;

pub use client::{Client, Welcome};
pub use message::{Compose, LINE_BYTES_MAX, LineBuffer, Malformed, Message, is_token};

/// The version that clients announce. Older hydras end the job if a client announces 1.2, Slurm
/// refuses it, and nothing in 1.2 is needed.
pub const VERSION: (u32, u32) = (1, 1);

/// Longest name of a key-value space, which a server tells its clients (`get_maxes`).
pub const KVSNAME_BYTES_MAX: usize = 256;
/// Longest key, which a server tells its clients (`get_maxes`).
pub const KEY_BYTES_MAX: usize = 64;
/// Longest value, which a server tells its clients (`get_maxes`).
pub const VALUE_BYTES_MAX: usize = 1024;

/// Maximum bytes of a client's command: Slurm takes what one `read` of 1024 bytes returns for one
/// command.
pub const COMMAND_BYTES_MAX: usize = 1024;

/// Field of the answer to `init` by which `mpiexec` of Nemesis identifies itself; other clients
/// ignore it.
pub const LAUNCHER_FIELD: (&str, &str) = ("launcher", "nemesis");
/// Field of `init` and its answer, of `finalize` and of [`START_JOB`]: the [build](crate::build) of
/// the sender.
pub const BUILD_FIELD: &str = "build";
/// Field of `init` and `finalize` that tells the libraries of a process apart.
pub const LIBRARY_FIELD: &str = "library";
/// Field of the answer to `init` with the job key.
pub const KEY_FIELD: &str = "job_key";
/// Field of that answer that says that another job has spawned this one.
pub const SPAWNED_FIELD: &str = "spawned";
/// Field of that answer with the number of libraries of the process that joined the job before, if
/// there are any.
pub const EARLIER_FIELD: &str = "earlier";
/// Field of a negative answer with what is wrong, the rest of the line.
pub const REASON_FIELD: &str = "reason";
/// Key under which the launcher of a spawned job has the name of the port at which its processes
/// meet those that spawned them.
pub const PARENT_KEY: &str = "nemesis-parent";
/// Command that asks `mpiexec` of Nemesis to start the launcher of a spawned job.
pub const START_JOB: &str = "start_job";
/// Command that tells `mpiexec` of Nemesis a finding of the development checks.
pub const FINDING: &str = "finding";
/// Command that asks `mpiexec` of Nemesis to say something to the user, once for each subject.
pub const NOTICE: &str = "notice";
/// Field of that answer with the node of every rank.
pub const MAPPING_FIELD: &str = "mapping";
