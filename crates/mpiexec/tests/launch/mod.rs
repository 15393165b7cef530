//! Running `mpiexec` and seeing what is left of it.

// Each test program uses its part of this.
#![allow(dead_code)]

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub const MPIEXEC: &str = env!("CARGO_BIN_EXE_mpiexec");
pub const RANK: &str = env!("CARGO_BIN_EXE_nemesis-test-rank");

/// A variable that marks the processes of one test in `/proc`.
const MARK: &str = "NEMESIS_TEST_MARK";

/// For what takes milliseconds, on a machine where ten tests and two compilers run at once.
pub const TIMEOUT: Duration = Duration::from_secs(30);

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

pub fn mpiexec(arguments: &[&str]) -> Ended {
    Command::new(MPIEXEC)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("mpiexec runs")
        .into()
}

/// As [`mpiexec`], with something on standard input.
pub fn mpiexec_reading(input: &[u8], arguments: &[&str]) -> Ended {
    let mut child = start(arguments, "reading").0;
    // A job that reads no input may have ended already.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("mpiexec ends").into()
}

/// Starts mpiexec without waiting; all its processes carry the mark that comes back.
pub fn start(arguments: &[&str], name: &str) -> (Child, String) {
    start_by(&["env", "--default-signal"], arguments, name)
}

/// Starts mpiexec as [`start`] does, by the command `by`.
pub fn start_by(by: &[&str], arguments: &[&str], name: &str) -> (Child, String) {
    let mark = format!("{name}-{}-{:?}", std::process::id(), std::thread::current().id());
    // Whoever runs the tests may ignore signals, as shells do for their background jobs, and a process inherits that.
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

/// The processes that carry `mark` and are more than a zombie.
pub fn marked(mark: &str) -> Vec<i32> {
    let needle = format!("{MARK}={mark}").into_bytes();
    let carries = |pid: &i32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == needle)
    };
    let entries = std::fs::read_dir("/proc").expect("/proc");
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(carries)
        .collect()
}

/// Waits until `condition` holds; says what did not come true otherwise.
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !condition() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub fn signal(pid: u32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(pid as i32).expect("a process");
    rustix::process::kill_process(pid, signal).expect("a signal is sent");
}
