//! Session objects and process sets (MPI 5.0 §11.3).

use crate::info::Info;

/// An open session.
pub struct Session {
    /// The granted thread level.
    pub thread_level: i32,
    /// The granted hints.
    pub hints: Info,
}

/// Names of the process sets, by number.
pub const PROCESS_SETS: [&str; 2] = ["mpi://WORLD", "mpi://SELF"];
