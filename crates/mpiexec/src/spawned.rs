//! Spawned jobs (MPI 5.0 §11.7): a running job asks `mpiexec` to start another one.
//!
//! ```text
//!   process that spawns ── start_job PORT (PMI) ──▶ mpiexec ──starts──▶ mpiexec of the new job
//!          │  ◀────────── connection to PORT, proved by its secret ──────────┘
//!          │  ──────────▶ description: directory, command line
//!          │  ◀────────── an error, if the processes cannot be started
//!          │  ──────────▶ MET: the processes have become connected
//!          │  ──────────▶ FREE: the jobs have disconnected
//! ```
//!
//! A spawned job is a job like any other, with a launcher of its own. The connection ties it to the
//! process that spawned it: if that process ends before it has said FREE, the job ends. The port's
//! name, which contains a secret, travels in neither arguments nor environment. Standard input
//! brings it, and the descriptor of the ledger of slots ([`crate::slots`]).

use crate::launch_error::LaunchError;
use crate::options::{self, Plan, Request};
use crate::slots::Ledger;
use nemesis_profile::layout::PROFILE_VARIABLE;
use nemesis_sys::bell::{self, PollInterest};
use nemesis_wireup::build;
use nemesis_wireup::port::{self, ConnectLimits, Connection, Purpose, Refused};
use nemesis_wireup::spawn::{Description, Notice};
use rustix::fd::{AsFd, BorrowedFd, RawFd};
use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The option that makes `mpiexec` the launcher of a spawned job. The name of the port follows on
/// standard input.
pub const SPAWNED_OPTION: &str = nemesis_wireup::spawn::LAUNCHER_OPTION;

/// Time to reach the process that spawns. It accepts when all processes of the spawn have called
/// it, which may take any time.
const LIMITS: ConnectLimits = ConnectLimits { reach: Duration::from_secs(30), accept: None };

/// Time that a launcher whose job has failed waits until its report is read.
const READ_TIMEOUT: Duration = Duration::from_secs(5);
/// Interval at which that launcher looks at the time.
const TICK: Duration = Duration::from_millis(200);

/// The tie between a spawned job and the process that spawned it.
pub struct Spawner {
    connection: Connection,
    /// Name of the port at which the processes of the job meet those that spawned them.
    pub port: String,
    /// Which process it is, in words.
    pub who: String,
    /// Whether the processes have become connected, so that errors are not those of the spawn.
    has_met: bool,
    /// The failure that was reported, as long as nobody is known to have read it.
    unread: Option<String>,
    /// The ledger of the launcher that started this one, if it is one of ours.
    pub ledger: Option<Ledger>,
}

/// What the process that spawned the job has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// Nothing.
    None,
    /// It has disconnected: the job goes on by itself.
    Free,
    /// It has ended while it was connected.
    Gone,
    /// What it has said was changed on the way.
    Changed,
}

/// Starts the launcher of a spawned job, a child of this process, which inherits the ledger of this
/// number. Returns its process id.
///
/// # Errors
///
/// The program cannot be started.
pub fn start(port: &str, ledger: Option<RawFd>, options: &[OsString]) -> io::Result<i32> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(SPAWNED_OPTION).args(options).stdin(Stdio::piped()).process_group(0);
    nemesis_sys::process::tie_to_parent(&mut command);
    nemesis_sys::process::unblock_signals(&mut command);
    let mut child = command.spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // If the child has ended already, SIGCHLD tells.
        let ledger = ledger.map_or(String::new(), |number| format!("{number}\n"));
        let _ = input.write_all(format!("{port}\n{ledger}").as_bytes());
    }
    Ok(child.id() as i32)
}

/// What to try if the process that spawns a job says nothing.
const LOOK_AT_SPAWNER: &str = "looking whether that process still runs, and at its messages";

/// Learns from the process that spawns what to start. `inherited` are the options of the job that
/// spawns. An error has been reported to that process, if it can be reached.
///
/// # Errors
///
/// Returns a message.
pub fn accept(inherited: &[OsString]) -> Result<(Box<Plan>, Spawner), LaunchError> {
    close_on_exec();
    let read = || {
        let mut line = String::new();
        let told = io::stdin().read_line(&mut line);
        told.map(|_| line.trim().to_owned())
            .map_err(|error| LaunchError::of_system("reading the port of what spawns", &error))
    };
    let port = read()?;
    // A process that starts its launcher itself has no ledger.
    let ledger = read()?.parse().ok().and_then(|number| Ledger::inherited(number).ok());
    let mut connection = port::connect(&port, Purpose::Launch, LIMITS).map_err(|refused| {
        let what = format!("reaching the process that spawns this job: {refused}");
        let is_other = matches!(refused, Refused::OtherBuild(_));
        LaunchError::new(what, if is_other { build::ADVICE } else { LOOK_AT_SPAWNER })
    })?;
    let told = |error: io::Error| {
        LaunchError::new(format!("reading what to spawn: {error}"), LOOK_AT_SPAWNER)
    };
    let described = connection.receive().map_err(told)?;
    let Description { who, directory, words } =
        Description::decode(&described).ok_or_else(|| {
            let what = "the process that spawns this job does not say what to start";
            LaunchError::new(what, LOOK_AT_SPAWNER)
        })?;
    match plan(inherited, &directory, &words) {
        Ok(plan) => {
            let spawner = Spawner::new(connection, port, who, ledger).map_err(told)?;
            Ok((plan, spawner))
        }
        Err(why) => {
            // If that process has ended, nobody waits for the error.
            let _ = connection.send(&Notice::Failed(why.to_string()).encode());
            Err(why)
        }
    }
}

/// Reads the command line of a spawned job, which starts in `directory`.
fn plan(
    inherited: &[OsString],
    directory: &std::path::Path,
    words: &[OsString],
) -> Result<Box<Plan>, LaunchError> {
    std::env::set_current_dir(directory).map_err(|why| {
        let what = format!("the directory {} cannot be entered: {why}", directory.display());
        LaunchError::new(what, "the info key wdir with a directory of this host")
    })?;
    let arguments = [inherited, words].concat();
    // The profile of the job that spawns this one goes to the folder that its variable names.
    let variable = |name: &str| std::env::var(name).ok().filter(|_| name != PROFILE_VARIABLE);
    match options::read(&arguments, variable)? {
        Request::Run(plan) => Ok(plan),
        Request::Tell(_) => {
            Err(LaunchError::new("what is to be spawned is no program", "the program's path"))
        }
    }
}

/// Keeps descriptors of the launcher that started this one, the segment of its job among them, from
/// the processes of this job.
fn close_on_exec() {
    let Ok(folder) = std::fs::read_dir("/proc/self/fd") else { return };
    let numbers = folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    for number in numbers.filter(|&number: &i32| number > 2).collect::<Vec<i32>>() {
        // A descriptor that is not open any more, such as the folder's own, needs nothing.
        let _ = nemesis_sys::process::inherit(number);
    }
}

impl Spawner {
    fn new(
        connection: Connection,
        port: String,
        who: String,
        ledger: Option<Ledger>,
    ) -> io::Result<Spawner> {
        connection.set_nonblocking(true)?;
        Ok(Spawner { connection, port, who, has_met: false, unread: None, ledger })
    }

    /// Returns whether the processes are known to have become connected.
    pub fn has_met(&self) -> bool {
        self.has_met
    }

    /// Reads what the process that spawned the job has said.
    pub fn hear(&mut self) -> News {
        let mut bytes = [0; 16];
        loop {
            match self.connection.read(&mut bytes) {
                Ok(0) => return News::Gone,
                Ok(length) => {
                    let said = &bytes[..length];
                    self.has_met |= said.contains(&Notice::MET);
                    if said.contains(&Notice::FREE) {
                        return News::Free;
                    }
                }
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => return News::None,
                    ErrorKind::InvalidData => return News::Changed,
                    _ => return News::Gone,
                },
            }
        }
    }

    /// Reports a failure of the job, as [`report`](Self::report) does, and keeps its text: the
    /// processes may have met already, and then nobody reads the report.
    pub fn report_failure(&mut self, why: &str) -> bool {
        let reported = self.report(why);
        self.unread = reported.then(|| why.to_owned());
        reported
    }

    /// Returns the reported failure that the process that spawned the job does not read, because
    /// the processes have met.
    pub fn take_unread(&mut self) -> Option<String> {
        self.unread.take_if(|_| self.has_met)
    }

    /// Waits until the process that spawned the job has read the reported failure, which ends the
    /// connection, or says that the processes have met.
    pub fn await_reader(&mut self) {
        let deadline = Instant::now() + READ_TIMEOUT;
        while self.unread.is_some() && !self.has_met && Instant::now() < deadline {
            if self.hear() != News::None {
                return;
            }
            bell::wait(&[PollInterest::to_read(&self.connection)], TICK);
        }
    }

    /// Reports that the job cannot be started. Returns false if its processes have met those that
    /// spawned them, so that the failure is not one of the spawn.
    pub fn report(&mut self, why: &str) -> bool {
        self.hear();
        if !self.has_met {
            // The message is short, and nothing was sent before: the kernel takes all of it.
            let record = Notice::Failed(why.to_owned()).encode();
            let _ = self.connection.send(&record);
        }
        !self.has_met
    }
}

impl AsFd for Spawner {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.connection.as_fd()
    }
}
