//! PMI-1, the dialect that every launcher of MPI programs speaks (hydra, Slurm, gforker, and our own `mpiexec`).
//!
//! A command is one line of fields, its answer another; the client asks, the server answers, nothing comes unasked:
//!
//! ```text
//!   > cmd=put kvsname=K key=card-0 value=V            < cmd=put_result rc=0
//!   > cmd=barrier_in                                  < cmd=barrier_out rc=0        (when all ranks are in)
//!   > cmd=get kvsname=K key=card-1                    < cmd=get_result rc=0 value=V
//! ```
//!
//! Servers add fields and change their order, so fields are looked up by name. `message` holds what both ends share: the grammar, the
//! assembly of lines, the limits; `client` is a process's end, `mpiexec` has the other.

mod client;
mod message;

pub use client::{Client, Welcome};
pub use message::{Compose, LINE_BYTES_MAX, LineBuffer, Malformed, Message, is_token};

/// The version we announce. Older hydras end the job when they are told 1.2, Slurm refuses it, and nothing in 1.2 is needed.
pub const VERSION: (u32, u32) = (1, 1);

/// Limits that a server tells its clients (`get_maxes`): bytes of a key-value space's name, of a key, of a value.
pub const KVSNAME_BYTES_MAX: usize = 256;
pub const KEY_BYTES_MAX: usize = 64;
pub const VALUE_BYTES_MAX: usize = 1024;

/// Bytes of a command at most, as a client writes it: Slurm takes what one `read` of 1024 bytes gives it for one command.
pub const COMMAND_BYTES_MAX: usize = 1024;

/// The field of the answer to `init` by which our `mpiexec` makes itself known; other clients ignore it.
pub const LAUNCHER_FIELD: (&str, &str) = ("launcher", "nemesis");
/// Fields of the same answer: the job key, and which rank is on which node.
pub const KEY_FIELD: &str = "job_key";
pub const MAPPING_FIELD: &str = "mapping";
