//! The identity of this process in messages to the user, and how it ends after a fatal error.
//!
//! The engine sets both when it starts. Before that, a message has no rank, and the process ends
//! alone.

use std::sync::OnceLock;

/// Ends the whole job with an exit code, and prints the reason.
pub type EndJob = fn(code: i32, why: &str) -> !;

static RANK: OnceLock<u32> = OnceLock::new();
static END_JOB: OnceLock<EndJob> = OnceLock::new();
static LEAVING: OnceLock<()> = OnceLock::new();

/// Sets the rank in MPI_COMM_WORLD and the function that ends the job. Called when the engine
/// starts.
pub fn introduce(rank: u32, end_job: EndJob) {
    // A second start of the engine in one process has the same rank and the same function.
    let _ = RANK.set(rank);
    let _ = END_JOB.set(end_job);
}

/// Returns a description such as "rank 3 on node17, pid 4711".
pub fn who() -> String {
    let rank = RANK.get().map_or("a process without a rank".into(), |rank| format!("rank {rank}"));
    format!("{rank} on {}, pid {}", host(), std::process::id())
}

/// Returns the host name.
pub fn host() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname")
        .map_or_else(|_| "an unnamed host".into(), |name| name.trim().into())
}

/// Ends the job with [`exit_code`], or only this process if it has no job.
pub fn end_job(code: i32, why: &str) -> ! {
    match END_JOB.get() {
        Some(end_job) => end_job(code, why),
        None => std::process::exit(exit_code(code)),
    }
}

/// Ends this process from within the engine, whose lock the calling thread may hold: functions that
/// run at the exit ask [`is_leaving`] before they enter MPI.
pub fn leave(code: i32) -> ! {
    // Another thread may be leaving, too.
    let _ = LEAVING.set(());
    std::process::exit(exit_code(code))
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
