//! Session objects and process sets (MPI 5.0 §11.3).

use crate::attached_buffers::BufferNumber;
use crate::info::Info;

/// An open session.
pub struct Session {
    /// The granted thread level.
    pub thread_level: i32,
    /// The granted hints.
    pub hints: Info,
    /// The session's own buffer of the buffered mode.
    pub buffer: Option<BufferNumber>,
}

/// Names of the process sets, by number.
pub const PROCESS_SETS: [&str; 2] = ["mpi://WORLD", "mpi://SELF"];
