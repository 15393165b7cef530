//! The watchdog: a small second process that cleans up if the launcher dies.
//!
//! ```text
//!   mpiexec ──pipe──▶ watchdog        the job's mark, then records of 4 bytes:
//!                                     +group  a process group began      -group  it is empty
//!                                      0      the job has ended: exit
//! ```
//!
//! If the pipe ends without the last record, the launcher has died, even by SIGKILL. The watchdog
//! then kills every group that it knows, and every process that carries the job's mark in its
//! environment, in whatever session it runs. The ranks themselves are tied to the launcher and die
//! with it; the watchdog is for the processes that ranks started.
//!
//! The watchdog is this program under another name. It starts before anything else, in a process
//! group of its own so that Ctrl-C does not reach it, without the mark in its environment, and with
//! no descriptor open but the pipe.

use crate::orphan_cleanup::OrphanCleanup;
use nemesis_sys::process::signal_group;
use nemesis_wireup::environment;
use rustix::process::{Pid, Signal};
use std::io::{self, PipeWriter, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The name under which the watchdog runs.
pub const NAME: &str = "nemesis-watchdog";

/// Time that the watchdog looks for processes. A process between fork and exec may not be visible
/// for a moment.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(2);

/// Digits of a job's mark.
const MARK_DIGITS: usize = 64;

/// Returns the path of this program. Where `/proc` is not mounted, that is the word by which it was
/// called or, if the word has no slash, the program of that name on `PATH`.
pub fn own_program() -> io::Result<PathBuf> {
    std::env::current_exe().or_else(|unknown| {
        let word = PathBuf::from(std::env::args_os().next().unwrap_or_default());
        if word.components().count() > 1 {
            return std::path::absolute(word);
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut places = std::env::split_paths(&path).map(|folder| folder.join(&word));
        places.find(|place| place.is_file()).map_or(Err(unknown), std::path::absolute)
    })
}

/// The launcher's end of the pipe to the watchdog.
#[derive(Debug)]
pub struct Watchdog {
    pipe: PipeWriter,
    process: Child,
}

impl Watchdog {
    /// Starts the watchdog of the job with this mark.
    pub fn start(mark: &str) -> io::Result<Watchdog> {
        let (reader, mut pipe) = io::pipe()?;
        let mut command = Command::new(own_program()?);
        command.arg0(NAME).process_group(0).current_dir("/").env_remove(environment::JOB);
        let process = command.stdin(reader).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        pipe.write_all(mark.as_bytes())?;
        Ok(Watchdog { pipe, process })
    }

    /// Tells the watchdog that a process group has begun.
    pub fn group_began(&mut self, leader: Pid) {
        self.record(leader.as_raw_nonzero().get());
    }

    /// Tells the watchdog that a process group is empty.
    pub fn group_is_empty(&mut self, leader: Pid) {
        self.record(-leader.as_raw_nonzero().get());
    }

    /// Ends the watchdog and waits for it.
    pub fn job_has_ended(mut self) {
        self.record(0);
        // An error means that the watchdog has ended before.
        let _ = self.process.wait();
    }

    /// Sends a record to the watchdog.
    fn record(&mut self, record: i32) {
        // The write fails if the watchdog has been killed. The job goes on without it.
        let _ = self.pipe.write_all(&record.to_ne_bytes());
    }
}

/// Runs the watchdog, whose standard input is the pipe.
pub fn watch() {
    // `pkill mpiexec` must not end the watchdog as well.
    let _ = rustix::thread::set_name(c"nemesis-watch");
    let mut pipe = io::stdin().lock();
    let mut mark = [0; MARK_DIGITS];
    if pipe.read_exact(&mut mark).is_err() {
        return;
    }
    let mut groups: Vec<Pid> = Vec::new();
    let mut record = [0; 4];
    while pipe.read_exact(&mut record).is_ok() {
        let record = i32::from_ne_bytes(record);
        let Some(leader) = record.checked_abs().and_then(Pid::from_raw) else { return };
        groups.retain(|known| *known != leader);
        if record > 0 {
            groups.push(leader);
        }
    }
    groups.iter().for_each(|leader| signal_group(*leader, Signal::KILL.as_raw()));
    let orphan_cleanup = OrphanCleanup::for_mark(&String::from_utf8_lossy(&mark));
    let deadline = Instant::now() + CLEANUP_TIMEOUT;
    while orphan_cleanup.kill() > 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
}
