//! This process, as messages name it, and the way it ends when an error is fatal.
//!
//! The engine fills both in when it starts; before that, and after it has gone, a message says "no rank", and ending means leaving.

use std::sync::OnceLock;

/// Ends the whole job with an exit code, and says why.
pub type EndJob = fn(code: i32, why: &str) -> !;

static RANK: OnceLock<u32> = OnceLock::new();
static END_JOB: OnceLock<EndJob> = OnceLock::new();

/// Called once, by the engine's start: the rank in MPI_COMM_WORLD, and how to end the job.
pub fn introduce(rank: u32, end_job: EndJob) {
    // A second start of the engine in one process finds the same rank and the same way out.
    let _ = RANK.set(rank);
    let _ = END_JOB.set(end_job);
}

/// "rank 3 on node17, pid 4711"
pub fn who() -> String {
    let rank = RANK.get().map_or("a process without a rank".into(), |rank| format!("rank {rank}"));
    format!("{rank} on {}, pid {}", host(), std::process::id())
}

/// The kernel's name of this machine.
pub fn host() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname")
        .map_or_else(|_| "an unnamed host".into(), |name| name.trim().into())
}

/// Ends the job; alone, the process, with [`exit_code`].
pub fn end_job(code: i32, why: &str) -> ! {
    match END_JOB.get() {
        Some(end_job) => end_job(code, why),
        None => std::process::exit(exit_code(code)),
    }
}

/// What the operating system sees of an error code: its low byte, or 1 where that would turn an error
/// into a success. Code 0 stays 0.
pub fn exit_code(code: i32) -> i32 {
    match code & 0xff {
        0 if code != 0 => 1,
        low => low,
    }
}
