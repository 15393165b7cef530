//! Processes, found by a variable of their environment that all processes of a job inherit.

use rustix::process::{Pid, Signal};
use std::fs;

/// The variable of the environment that marks the processes of one job, on all hosts.
pub const MARK: &str = "JOBS_MARK";

/// Returns the processes that carry a variable with a value, and are no zombies.
pub fn carrying(variable: &str) -> Vec<i32> {
    let wanted = variable.as_bytes();
    let carries = |pid: &i32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == wanted)
    };
    all().into_iter().filter(carries).filter(|&pid| is_alive(pid)).collect()
}

/// Returns all processes that this machine shows.
pub fn all() -> Vec<i32> {
    let entries = fs::read_dir("/proc").expect("/proc");
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Whether a process exists and is no zombie.
pub fn is_alive(pid: i32) -> bool {
    state(pid).is_some_and(|state| state != 'Z' && state != 'X')
}

/// Returns the letter of a process's state.
pub fn state(pid: i32) -> Option<char> {
    after_name(pid)?.chars().next()
}

/// Returns the process that has started a process.
pub fn parent(pid: i32) -> Option<i32> {
    after_name(pid)?.split(' ').nth(1)?.parse().ok()
}

/// Returns /proc/PID/stat from the state on.
fn after_name(pid: i32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(stat.rsplit_once(") ")?.1.to_string())
}

/// Returns the words of a process's command, separated by spaces.
pub fn command(pid: i32) -> String {
    let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&words).trim_end_matches('\0').replace('\0', " ")
}

/// Returns the network namespace of a process, by which hosts differ.
pub fn network(pid: i32) -> Option<std::path::PathBuf> {
    fs::read_link(format!("/proc/{pid}/ns/net")).ok()
}

/// Sends a signal to a process, which may have ended.
pub fn signal(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = rustix::process::kill_process(pid, signal);
    }
}
