//! What a rank is doing, as launchers report it to each other and to the user.

use serde::{Deserialize, Serialize};

/// What one rank is doing: a line of the state report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    pub rank: u32,
    pub host: String,
    pub pid: i32,
    /// Whether the rank's first process has ended and no other process holds its PMI socket.
    pub is_over: bool,
    /// Packets sent to other nodes; 0 unless the rank waits or has ended.
    pub sent: u64,
    /// Packets received from other nodes; 0 unless the rank waits or has ended.
    pub received: u64,
    pub doing: Doing,
}

/// What a rank is doing, or how it has ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Doing {
    /// Waits inside MPI. `text` names the call, `peer` the only process that it waits for, if there
    /// is one, and `milliseconds` is the time since the rank last received anything.
    Waits {
        text: String,
        peer: Option<u32>,
        milliseconds: u64,
        /// The rank waits inside `MPI_Finalize`.
        finalizes: bool,
        /// No operation of the rank is under way, and none of its threads can act.
        idle: bool,
    },
    /// Has joined the job, and does not wait inside MPI.
    Computes,
    /// Has joined the job through another MPI library, which cannot be asked.
    Foreign,
    NotJoined,
    Finalized,
    Exited(i32),
    Killed(i32),
}
