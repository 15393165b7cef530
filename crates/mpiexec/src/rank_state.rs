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
    /// Waits inside MPI. The first line of `text` names the call, further lines say what else is
    /// open, and `milliseconds` is the time since the rank last received anything.
    Waits {
        text: String,
        /// The process that it waits for, if it waits for one, or that of its first request.
        peer: Option<u32>,
        /// Nothing but a packet of `peer` can end the call.
        only_peer: bool,
        milliseconds: u64,
        /// The rank waits inside `MPI_Finalize`.
        finalizes: bool,
        /// No operation of the rank is under way, and none of its threads can act.
        idle: bool,
    },
    /// Tests, and has finished nothing for `milliseconds`.
    Tests {
        text: String,
        /// The process that every open request waits for, if it is a single one.
        peer: Option<u32>,
        milliseconds: u64,
        /// Milliseconds since a test, if the rank has not answered in time.
        ago: Option<u64>,
    },
    /// Is in a call of the kernel for a call of MPI on a file, and has been for `milliseconds`.
    InKernel {
        /// The call of MPI and the file.
        text: String,
        milliseconds: u64,
    },
    /// Has joined the job, and is not inside MPI.
    Computes,
    /// Has joined the job through another MPI library, which cannot be asked.
    Foreign,
    NotJoined,
    Finalized,
    Exited(i32),
    Killed(i32),
}
