//! Spawning (MPI 5.0 §11.7): a job starts another one and becomes connected with it.
//!
//! ```text
//!   root: opens a port ──> launcher: starts a launcher for the new job
//!     │ <── connection of that launcher, which asks what to start, and reports failures
//!     │ <── connection of the new job's process 0, in its MPI_Init
//!     └──> a meeting, as after MPI_Comm_accept
//! ```
//!
//! The new job is a job like any other; only its launcher keeps a connection to the root, its
//! *tie*. If the root ends before the two jobs have disconnected, the new job is ended.

use super::meeting::{self, Call, Encounter, Explain, Seek, meet};
use super::ports::{guest, open_unlisted, unaccepted};
use crate::abi;
use crate::coll::bcast_words;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::handle;
use crate::info::Info;
use crate::life::unwired;
use nemesis_sys::host::hostname;
use nemesis_sys::process::spawn_without_signals;
use nemesis_wireup::port::{ConnectLimits, Connection, NotAccepted, Port, Purpose};
use nemesis_wireup::spawn::{Description, LAUNCHER_OPTION, Notice};
use nemesis_wireup::{Launcher, build};
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// Interval at which the root checks whether the launcher has reported a failure.
const TICK: Duration = Duration::from_millis(20);
/// Time that the root waits for the launcher of the new job. A launcher that cannot reach the root
/// ends earlier, with a message.
const LAUNCHER_TIMEOUT: Duration = Duration::from_secs(60);
/// Time that process 0 of a spawned job takes to reach the root, which accepts at once.
const PARENT_LIMITS: ConnectLimits =
    ConnectLimits { reach: Duration::from_secs(60), accept: Some(Duration::from_secs(60)) };
/// Name of the intercommunicator of `MPI_Comm_get_parent`.
const PARENT_NAME: &str = "MPI_COMM_PARENT";

/// One program to spawn.
pub struct Program {
    pub command: String,
    pub arguments: Vec<String>,
    pub processes: u32,
    pub hints: Info,
}

/// The tie to a spawned job.
struct Tie {
    /// Number of the spawned job.
    job: u64,
    launcher: LauncherLink,
}

/// The connection to the launcher of a spawned job. The thread of the meeting reads from it if the
/// job ends meanwhile.
type LauncherLink = Arc<Mutex<Connection>>;

fn locked(launcher: &LauncherLink) -> MutexGuard<'_, Connection> {
    // A panic ends the process.
    launcher.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Time that a launcher takes to report the failure of its job.
const REPORT_TIMEOUT: Duration = Duration::from_secs(2);

/// Returns what tells the failure that the launcher reports if the new job ends in the meeting.
fn explanation(launcher: LauncherLink) -> Explain {
    Box::new(move || {
        let mut launcher = locked(&launcher);
        let deadline = Instant::now() + REPORT_TIMEOUT;
        while !launcher.has_arrived() {
            if Instant::now() > deadline {
                return None;
            }
            std::thread::sleep(TICK);
        }
        let Notice::Failed(message) = Notice::decode(&launcher.receive().ok()?);
        Some(reported(&message))
    })
}

/// How the launcher of a spawned job has ended, if this process started it.
type LauncherEnd = Arc<OnceLock<String>>;

/// What the root has prepared for a spawn.
struct Prepared {
    /// Where the new job's launcher and process 0 connect.
    port: Port,
    description: Description,
    /// By program, the number of processes.
    counts: Vec<u32>,
    launcher_end: LauncherEnd,
}

/// The ties to the jobs that this process has spawned as a root and that are still connected.
static TIES: Mutex<Vec<Tie>> = Mutex::new(Vec::new());

fn ties() -> MutexGuard<'static, Vec<Tie>> {
    // Every change is one call of `push`, `retain` or `take`.
    TIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The largest count not above `most` in a set of counts such as `2:8:2,16` (MPI 5.0 §11.7.4,
/// `soft`). Every entry is one count, `FIRST:LAST` or `FIRST:LAST:STRIDE`.
fn largest_in(soft: &str, most: u32) -> Option<u32> {
    let largest = |entry: &str| {
        let mut numbers = entry.split(':').map(|number| number.trim().parse::<i64>().ok());
        let first = numbers.next()??;
        let last = numbers.next().unwrap_or(Some(first))?;
        let stride = numbers.next().unwrap_or(Some(1))?;
        let most = i64::from(most);
        match stride {
            0 => None,
            1.. if first <= last.min(most) => {
                Some(first + (last.min(most) - first) / stride * stride)
            }
            ..0 if first >= last => {
                let steps = if first > most { (first - most + -stride - 1) / -stride } else { 0 };
                let count = first + steps * stride;
                (count >= last).then_some(count)
            }
            _ => None,
        }
    };
    let counts = soft.split(',').filter_map(largest).filter(|&count| count >= 0);
    counts.max().and_then(|count| u32::try_from(count).ok())
}

/// Adds the lines `key=value` of the file that the info key `file` names.
fn with_file(hints: &Info) -> Outcome<Info> {
    let Some(path) = hints.get("file") else { return Ok(hints.clone()) };
    let text = std::fs::read_to_string(path).map_err(|refused| {
        Error::new(
            abi::MPI_ERR_SPAWN,
            format!("the file {path} of hints cannot be read: {refused}"),
        )
        .advise("a path that the root of the spawn can read, in the info key file")
    })?;
    let mut all = Info::default();
    for line in text.lines() {
        if let Some((key, value)) = line.split_once('=') {
            all.set(key.trim(), value.trim());
        }
    }
    // Keys of the info go before those of the file.
    let options = OPTIONS.iter().map(|(key, _)| *key);
    for key in options.chain(KEYS) {
        if let Some(value) = hints.get(key) {
            all.set(key, value);
        }
    }
    Ok(all)
}

/// The info keys whose values are those of an option of the launcher, and the option.
const OPTIONS: [(&str, &str); 17] = [
    ("host", "-host"),
    ("hosts", "-host"),
    ("PMIX_HOST", "-host"),
    ("add-host", "-host"),
    ("PMIX_ADD_HOST", "-host"),
    ("hostfile", "-hostfile"),
    ("PMIX_HOSTFILE", "-hostfile"),
    ("add-hostfile", "-hostfile"),
    ("PMIX_ADD_HOSTFILE", "-hostfile"),
    ("map_by", "-map-by"),
    ("PMIX_MAPBY", "-map-by"),
    ("npernode", "-npernode"),
    ("bind_to", "-bind-to"),
    ("PMIX_BINDTO", "-bind-to"),
    ("mpi_initial_errhandler", "-initial-errhandler"),
    ("wdir", "-wdir"),
    ("PMIX_WDIR", "-wdir"),
];

/// The other info keys that a spawn understands.
const KEYS: [&str; 5] = ["arch", "path", "soft", "env", "PMIX_ENVAR"];

/// Returns the words of the launcher's command line for one program.
fn words_of(program: &Program) -> Outcome<(Vec<OsString>, u32)> {
    let hints = with_file(&program.hints)?;
    let unable = |why: String| Error::new(abi::MPI_ERR_SPAWN, why);
    if let Some(arch) = hints.get("arch").filter(|&arch| arch != std::env::consts::ARCH) {
        let own = std::env::consts::ARCH;
        let why = format!("arch is {arch}, and the processes can have {own} only");
        return Err(unable(why).advise("leave out the info key arch"));
    }
    let processes = match hints.get("soft") {
        None => program.processes,
        Some(soft) => {
            largest_in(soft, program.processes).filter(|&count| count > 0).ok_or_else(|| {
                let most = program.processes;
                let why =
                    format!("soft is {soft:?}, which allows no number of processes up to {most}");
                unable(why).advise(
                    "numbers from 1 to maxprocs, separated by commas, \
                     each N, FIRST:LAST or FIRST:LAST:STRIDE",
                )
            })?
        }
    };
    let mut words: Vec<OsString> = vec!["-n".into(), processes.to_string().into()];
    for (key, option) in OPTIONS {
        if let Some(value) = hints.get(key) {
            words.extend([option.into(), value.into()]);
        }
    }
    for key in ["env", "PMIX_ENVAR"] {
        for assignment in hints.get(key).unwrap_or_default().split('\n') {
            if let Some((name, value)) = assignment.split_once('=') {
                words.extend(["-env".into(), name.into(), value.into()]);
            }
        }
    }
    words.push(found_in(&program.command, hints.get("path")).into_os_string());
    words.extend(program.arguments.iter().map(OsString::from));
    Ok((words, processes))
}

/// Returns the program in the first folder of `path` that has it. A command with a slash, and one
/// that no folder has, stays as it is.
fn found_in(command: &str, path: Option<&str>) -> PathBuf {
    let folders =
        path.filter(|_| !command.contains('/')).into_iter().flat_map(|path| path.split(':'));
    let mut found = folders.map(|folder| Path::new(folder).join(command));
    found.find(|program| program.is_file()).unwrap_or_else(|| command.into())
}

/// Returns what to say of a program that is in none of the folders of its info key `path`; it is
/// then looked for as without that key, because other hosts may have the folders.
fn outside_of_path(programs: &[Program]) -> Option<String> {
    let outside = programs.iter().find_map(|program| {
        let path = with_file(&program.hints).ok()?.get("path")?.to_owned();
        let command = &program.command;
        let found = found_in(command, Some(&path));
        (!command.contains('/') && !found.is_file()).then_some((command, path))
    });
    let (command, path) = outside?;
    Some(format!("this host has no {command} in a folder of the info key path, {path:?}"))
}

/// What the root, `who`, tells the new launcher, and the number of processes of each program.
fn describe(who: String, programs: &[Program]) -> Outcome<(Description, Vec<u32>)> {
    let (mut words, mut counts) = (Vec::new(), Vec::new());
    for program in programs {
        let (own, processes) = words_of(program)?;
        if !counts.is_empty() {
            words.push(OsString::from(":"));
        }
        words.extend(own);
        counts.push(processes);
    }
    let directory = std::env::current_dir().map_err(|refused| {
        Error::new(abi::MPI_ERR_SPAWN, format!("the working directory is gone: {refused}"))
            .advise("call chdir with a directory that exists before the spawn")
    })?;
    Ok((Description { who, directory, words }, counts))
}

/// The outcome of a spawn.
pub struct Spawned {
    /// By program: the number of processes that the root has asked for.
    pub asked: Vec<u32>,
    /// The intercommunicator, and by program the number of processes that were started.
    pub made: Outcome<(handle::Comm, Vec<u32>)>,
}

/// Spawns the programs (`MPI_Comm_spawn`, `MPI_Comm_spawn_multiple`). The root gives them.
pub fn spawn(
    mpi: &mut Mpi,
    comm: handle::Comm,
    root: u32,
    programs: Option<Outcome<Vec<Program>>>,
) -> Spawned {
    // Before anything is started.
    let side = match meeting::begin(mpi, comm, root, Call::Spawn) {
        Ok(side) => side,
        Err(error) => return Spawned { asked: Vec::new(), made: Err(unspawned(error)) },
    };
    let (mut asked, mut started) = (Vec::new(), Vec::new());
    let (keep, kept) = mpsc::channel();
    let seek = programs.map(|programs| {
        let prepared = programs.and_then(|programs| {
            asked = programs.iter().map(|program| program.processes).collect();
            let prepared = prepare(mpi, &programs)?;
            started.clone_from(&prepared.counts);
            Ok((prepared, outside_of_path(&programs)))
        });
        let seek: Seek = Box::new(move || {
            let (prepared, outside) = prepared?;
            let attended = attend(&prepared).map_err(|mut error| {
                if let Some(outside) = outside {
                    error.why = format!("{}; {outside}", error.why).into();
                }
                error
            });
            let (launcher, connection) = attended?;
            let launcher = Arc::new(Mutex::new(launcher));
            // The spawn keeps it when the meeting is complete.
            let _ = keep.send(Arc::clone(&launcher));
            Ok(Encounter { connection, is_host: true, explain: Some(explanation(launcher)) })
        });
        seek
    });
    let made = meet(mpi, side, seek).map_err(unspawned);
    let counts = share_counts(mpi, comm, root, asked, started);
    if let Ok(launcher) = kept.try_recv()
        && let Ok(made) = made
        && let Some(endpoint) = &mpi.pt2pt.endpoint
        && let Some(&first) = mpi.comm(made).ok().and_then(|made| made.destinations().first())
    {
        // If the launcher has ended, so has the job.
        let _ = locked(&launcher).send_bytes(&[Notice::MET]);
        ties().push(Tie { job: endpoint.name_of(first).job, launcher });
    }
    match counts {
        Ok((asked, started)) => Spawned { asked, made: made.map(|made| (made, started)) },
        Err(error) => Spawned { asked: Vec::new(), made: Err(error) },
    }
}

/// Returns the error of a spawn. One that an argument has caused keeps its class, and so does one
/// that tells a job which goes on of failures in its own communicator.
fn unspawned(mut error: Box<Error>) -> Box<Error> {
    let kept = [
        abi::MPI_ERR_ARG,
        abi::MPI_ERR_INFO,
        abi::MPI_ERR_NOT_SAME,
        abi::MPIX_ERR_PROC_FAILED,
        abi::MPIX_ERR_REVOKED,
    ];
    if !kept.contains(&error.class) {
        error.class = abi::MPI_ERR_SPAWN;
    }
    error
}

/// Tells all processes the numbers of processes that the root has asked for and has started.
fn share_counts(
    mpi: &mut Mpi,
    comm: handle::Comm,
    root: u32,
    asked: Vec<u32>,
    mut started: Vec<u32>,
) -> Outcome<(Vec<u32>, Vec<u32>)> {
    started.resize(asked.len(), 0);
    let mut length = [asked.len() as u64];
    bcast_words(mpi, comm, &mut length, root)?;
    let mut words: Vec<u64> = asked.into_iter().chain(started).map(u64::from).collect();
    words.resize(2 * length[0] as usize, 0);
    bcast_words(mpi, comm, &mut words, root)?;
    let counts: Vec<u32> = words.into_iter().map(|word| word as u32).collect();
    let (asked, started) = counts.split_at(length[0] as usize);
    Ok((asked.to_vec(), started.to_vec()))
}

/// Opens the port of a spawn and has the launcher of the new job started.
fn prepare(mpi: &mut Mpi, programs: &[Program]) -> Outcome<Prepared> {
    let (rank, size) = mpi.wireup.as_ref().map_or((0, 1), |own| (own.rank(), own.size()));
    let who = format!("rank {rank} of {size} on {}, pid {}", hostname(), std::process::id());
    let (description, counts) = describe(who, programs)?;
    let port = open_unlisted()?;
    let (started, own) = match &mut mpi.wireup {
        Some(wireup) => (wireup.start_job(port.name()).map_err(unwired)?, wireup.launcher()),
        None => (false, Launcher::Singleton),
    };
    let launcher_end = LauncherEnd::default();
    if !started {
        start_launcher(port.name(), own, Arc::clone(&launcher_end))?;
    }
    Ok(Prepared { port, description, counts, launcher_end })
}

/// Waits for the launcher of the new job, tells it what to start, and waits for the processes or
/// for its failure. Returns the connections to the launcher and to process 0.
fn attend(prepared: &Prepared) -> Outcome<(Connection, Connection)> {
    let Prepared { port, description, launcher_end, .. } = prepared;
    let unable = |why: String| Error::new(abi::MPI_ERR_SPAWN, why);
    let broken = |error: std::io::Error| unable(format!("the port of the spawn failed: {error}"));
    let refused = |why: NotAccepted| match why {
        NotAccepted::Failed(error) => broken(error),
        NotAccepted::OtherBuild(_) => unaccepted(abi::MPI_ERR_SPAWN, &why),
    };
    let deadline = Instant::now() + LAUNCHER_TIMEOUT;
    let mut launcher = loop {
        // What the launcher has said before its end is looked at first.
        let mut looks = 0;
        let is_over = || {
            looks += u32::from(Instant::now() > deadline || launcher_end.get().is_some());
            looks > 1
        };
        match port.accept(TICK, is_over).map_err(refused)? {
            Some((Purpose::Launch, connection)) => break connection,
            Some((Purpose::Meet, _)) => {}
            None if let Some(how) = launcher_end.get() => {
                let why = format!("{how}, before it has connected to this process");
                return Err(unable(why).advise(
                    "look at its messages on standard error; \
                     set NEMESIS_MPIEXEC to the mpiexec that was installed with this library",
                ));
            }
            None => {
                let why = format!(
                    "mpiexec, which starts the processes, has not connected to this process within \
                     {} s",
                    LAUNCHER_TIMEOUT.as_secs()
                );
                return Err(unable(why).advise(
                    "look at its messages on standard error; \
                     choose interfaces that both can use by mpiexec -net",
                ));
            }
        }
    };
    launcher.send(&description.encode()).map_err(broken)?;
    loop {
        match port.accept(TICK, || launcher.has_arrived()).map_err(refused)? {
            Some((Purpose::Meet, connection)) => return Ok((launcher, connection)),
            Some((Purpose::Launch, _)) => {}
            None => {
                return Err(match launcher.receive() {
                    Ok(record) => {
                        let Notice::Failed(message) = Notice::decode(&record);
                        reported(&message)
                    }
                    Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                        let why =
                            format!("connection with mpiexec, which starts the processes: {error}");
                        unable(why).advise(
                            "look for a proxy, a faulty network card or an attacker between the \
                             two hosts; choose interfaces by mpiexec -net",
                        )
                    }
                    Err(_) => {
                        unable("mpiexec, which starts the processes, has ended early".to_owned())
                            .advise("look at its messages on standard error")
                    }
                });
            }
        }
    }
}

/// Returns the error for a message of the new launcher. It ends with `try: ` and the advice, in the
/// same line or in one of its own.
fn reported(message: &str) -> Box<Error> {
    let message = message.strip_prefix("mpiexec: ").unwrap_or(message);
    let (why, advice) = message.rsplit_once("try: ").unwrap_or((message, ""));
    let why = why.trim_end_matches(|end: char| end == ';' || end.is_whitespace());
    let lines: Vec<&str> = why.lines().map(str::trim).collect();
    Error::new(abi::MPI_ERR_SPAWN, lines.join("; ")).advise(advice.trim_end().to_owned())
}

/// Starts the launcher of a spawned job under the launcher `own`, which cannot, or without one.
/// `end` tells when it has ended.
fn start_launcher(port: &str, own: Launcher, end: LauncherEnd) -> Outcome {
    let program = launcher_program(own)?;
    let unable = |refused: std::io::Error| {
        let why = format!("{} cannot be started: {refused}", program.display());
        Error::new(abi::MPI_ERR_SPAWN, why)
            .advise("set NEMESIS_MPIEXEC to the path of the mpiexec of this library")
            .with_limit(&refused)
    };
    let mut command = Command::new(&program);
    // Written before the child can end, because a write to a pipe that nobody reads would raise
    // SIGPIPE, which ends the program.
    let (input, mut output) = std::io::pipe().map_err(unable)?;
    output.write_all(format!("{port}\n").as_bytes()).map_err(unable)?;
    drop(output);
    command.arg(LAUNCHER_OPTION).stdin(Stdio::from(input)).process_group(0);
    // The new job is not a part of the job that this process's launcher serves.
    for name in
        ["PMI_FD", "PMI_RANK", "PMI_SIZE", "PMI_PORT", "PMI_ID", "PMIX_RANK", "PMIX_NAMESPACE"]
    {
        command.env_remove(name);
    }
    let mut child = command.spawn().map_err(unable)?;
    // A thread waits for the end of the child, so that none stays as a zombie.
    let shown = program.display().to_string();
    let reap = move || {
        let how = child.wait().map_or_else(|why| why.to_string(), |status| status.to_string());
        // The only writer.
        let _ = end.set(format!("{shown}, which starts the processes, has ended ({how})"));
    };
    spawn_without_signals("nemesis-reaper", reap).map_err(unable)?;
    Ok(())
}

/// Returns the path of `mpiexec`: `NEMESIS_MPIEXEC`, or the one installed beside this library.
/// `own` has started this process.
fn launcher_program(own: Launcher) -> Outcome<PathBuf> {
    if let Some(path) = std::env::var_os("NEMESIS_MPIEXEC") {
        return Ok(path.into());
    }
    let beside = build::file().and_then(|library| {
        let folder = library.parent()?;
        [folder.join("mpiexec"), folder.join("../bin/mpiexec")]
            .into_iter()
            .find(|program| program.is_file())
    });
    beside.ok_or_else(|| {
        let why = format!(
            "the mpiexec of this library starts processes, and there is none beside the library; \
             NEMESIS_MPIEXEC names none either; the launcher of this job is {own}"
        );
        Error::new(abi::MPI_ERR_SPAWN, why).advise(
            "set NEMESIS_MPIEXEC to the path of that mpiexec on all hosts, \
             or start this program by that mpiexec, too",
        )
    })
}

/// Connects a spawned job with the processes that have spawned it, in its MPI_Init.
pub fn meet_parents(mpi: &mut Mpi) -> Outcome {
    let Some(wireup) = &mut mpi.wireup else { return Ok(()) };
    if !wireup.is_spawned() {
        return Ok(());
    }
    let seek = if wireup.rank() == 0 {
        let port = wireup.parent_port().map_err(unwired)?.unwrap_or_default();
        let seek: Seek = Box::new(move || guest(&port, PARENT_LIMITS));
        Some(seek)
    } else {
        None
    };
    let side = meeting::begin(mpi, abi::MPI_COMM_WORLD, 0, Call::Init)?;
    let parent = meet(mpi, side, seek)?;
    mpi.comm_mut(parent)?.name = PARENT_NAME.to_owned();
    mpi.comms.parent = parent;
    Ok(())
}

/// Tells the launchers of the jobs that this process has spawned and disconnected from that they go
/// on by themselves.
pub fn release(mpi: &Mpi) {
    let Some(endpoint) = &mpi.pt2pt.endpoint else { return };
    let foreign = (0..endpoint.processes()).filter(|&process| endpoint.is_foreign(process));
    let is_connected = |job| {
        foreign
            .clone()
            .any(|process| endpoint.name_of(process).job == job && mpi.comms.contain(process))
    };
    release_if(|job| !is_connected(job));
}

/// Tells the launchers of all jobs that this process has spawned that they go on by themselves,
/// because this process ends in order.
pub fn release_all() {
    release_if(|_| true);
}

fn release_if(mut is_free: impl FnMut(u64) -> bool) {
    ties().retain_mut(|tie| {
        let released = is_free(tie.job);
        if released {
            // If the launcher has ended, so has the job.
            let _ = locked(&tie.launcher).send_bytes(&[Notice::FREE]);
        }
        !released
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_allowed_number_is_taken() {
        for (soft, most, expected) in [
            ("1:2", 3, Some(2)),
            ("2:8:2", 7, Some(6)),
            ("4", 3, None),
            ("4", 4, Some(4)),
            ("1,3,9", 8, Some(3)),
            ("9:1:-3", 8, Some(6)),
            ("8:2:-2", 8, Some(8)),
            ("9:8:-1", 7, None),
            ("x", 4, None),
            ("0:100", 4, Some(4)),
        ] {
            assert_eq!(largest_in(soft, most), expected, "{soft} up to {most}");
        }
    }

    #[test]
    fn a_program_is_looked_for_in_the_given_folders() {
        assert_eq!(found_in("sh", Some("/nowhere:/bin")), Path::new("/bin/sh"));
        assert_eq!(found_in("sh", None), Path::new("sh"));
        assert_eq!(found_in("./sh", Some("/bin")), Path::new("./sh"));
    }

    #[test]
    fn a_message_of_the_launcher_has_cause_and_advice() {
        for (message, why, advice) in [
            (
                "mpiexec: x: no such program; try: its full path",
                "x: no such program",
                "its full path",
            ),
            (
                "mpiexec: rank 0 died\n  who: pid 7\n  try: ./x alone\n",
                "rank 0 died; who: pid 7",
                "./x alone",
            ),
            ("nothing else", "nothing else", ""),
        ] {
            let error = reported(message);
            assert_eq!((&*error.why, &*error.advice), (why, advice));
        }
    }
}
