//! Helpers that run `mpiexec` and find the processes of a test.

// Each test program uses a part of these helpers.
#![allow(dead_code)]

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub const MPIEXEC: &str = env!("CARGO_BIN_EXE_mpiexec");
pub const RANK: &str = env!("CARGO_BIN_EXE_nemesis-test-rank");

/// The environment variable that marks the processes of one test.
pub const MARK: &str = "NEMESIS_TEST_MARK";

/// Time-out for what takes milliseconds, on a machine where ten tests and two compilers run at
/// once.
pub const TIMEOUT: Duration = Duration::from_secs(30);

/// The output and exit code of a job.
pub struct Ended {
    pub out: String,
    pub err: String,
    pub code: i32,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Ended {
        Ended {
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code().unwrap_or(-1),
        }
    }
}

/// Runs mpiexec without input.
pub fn mpiexec(arguments: &[&str]) -> Ended {
    Command::new(MPIEXEC)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("mpiexec runs")
        .into()
}

/// Runs mpiexec with `input` on its standard input.
pub fn mpiexec_reading(input: &[u8], arguments: &[&str]) -> Ended {
    let mut child = start(arguments, "reading").0;
    // The write fails if a job that reads no input has ended already.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("mpiexec ends").into()
}

/// Starts mpiexec without waiting for it. Returns the mark that all its processes carry.
pub fn start(arguments: &[&str], name: &str) -> (Child, String) {
    start_by(&["env", "--default-signal"], arguments, name)
}

/// Starts mpiexec as [`start`] does, through the command `by`.
pub fn start_by(by: &[&str], arguments: &[&str], name: &str) -> (Child, String) {
    let mark = format!("{name}-{}-{:?}", std::process::id(), std::thread::current().id());
    // A shell's background jobs ignore signals, and a process inherits that.
    let mut command = Command::new(by[0]);
    command
        .args(&by[1..])
        .arg(MPIEXEC)
        .args(arguments)
        .env(MARK, &mark)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    (command.spawn().expect("mpiexec runs"), mark)
}

/// Returns the processes that carry `mark` and are not zombies.
pub fn marked(mark: &str) -> Vec<i32> {
    let variable_of_test = format!("{MARK}={mark}").into_bytes();
    let carries = |pid: &i32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == variable_of_test)
    };
    let entries = std::fs::read_dir("/proc").expect("/proc");
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(carries)
        .collect()
}

/// Waits until `condition` holds. Panics with `what` after a time-out.
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !condition() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Sends a signal to a process.
pub fn signal(pid: u32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(pid as i32).expect("a process");
    rustix::process::kill_process(pid, signal).expect("a signal is sent");
}
