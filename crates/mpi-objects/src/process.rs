//! The identity of this process in messages to the user, and how it ends after a fatal error.
//!
//! The rank is known once the process has joined its job. Before that, a message has none.

use nemesis_sys::host::hostname;
use nemesis_sys::{per_process, virtual_process};
use std::sync::OnceLock;

per_process! {
    static RANK: OnceLock<u32> = OnceLock::new();
    static LEAVING: OnceLock<()> = OnceLock::new();
}

/// Sets the rank in MPI_COMM_WORLD. Called when the process has joined its job.
pub fn introduce(rank: u32) {
    // A second start of the engine in one process has the same rank.
    let _ = RANK.set(rank);
}

/// Returns a description such as "rank 3 on node17, pid 4711".
pub fn who() -> String {
    let rank = RANK.get().map_or("a process without a rank".into(), |rank| format!("rank {rank}"));
    format!("{rank} on {}, pid {}", hostname(), std::process::id())
}

/// Ends this process from within the engine, whose lock the calling thread may hold: functions that
/// run at the exit ask [`is_leaving`] before they enter MPI.
pub fn leave(code: i32) -> ! {
    // Another thread may be leaving, too.
    let _ = LEAVING.set(());
    virtual_process::exit(exit_code(code))
}

/// Returns whether this process ends by [`leave`].
pub fn is_leaving() -> bool {
    LEAVING.get().is_some()
}

/// Returns the exit status of an error code: its low byte, or 1 if that would turn an error into a
/// success. Code 0 stays 0.
pub fn exit_code(code: i32) -> i32 {
    match code & 0xff {
        0 if code != 0 => 1,
        low => low,
    }
}
