//! A library that is measured: how its programs are compiled and started. This is all in which this
//! installation and its rivals differ.

use super::figures::Line;
use crate::diagnostic::Diagnostic;
use crate::installation::Installation;
use nemesis_sys::process::{Peer, tie_to_parent};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::AsFd;
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The measuring programs, by the names of their C sources.
pub const PROGRAMS: [&str; 13] = [
    "pingpong",
    "both",
    "strided",
    "onesided",
    "rate",
    "usual",
    "wildcard",
    "threads",
    "barrier",
    "collectives",
    "init",
    "memory",
    "calls",
];

/// The program whose processes have several threads, which need more than a core each.
const THREADED: &str = "threads";
const THREADS: usize = 4;

/// The program whose whole command is timed, from its start to its end.
pub const STARTER: &str = "init";

/// Longest run, far longer than a run takes, so that a rival that hangs does not stop the
/// measurements.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Time between the request to end (SIGTERM) and the order to end (SIGKILL).
const GRACE: Duration = Duration::from_secs(3);
/// Most characters of a failed program's output that are quoted.
const LAST_WORDS_BYTES: usize = 400;

#[derive(Debug)]
pub struct Library {
    /// Name and version, for tables.
    pub name: String,
    pub compiler: PathBuf,
    /// The launcher and its options. Further options, the number of ranks and the program follow.
    pub launcher: Vec<OsString>,
    /// Options that bind each process to its own core, if there are enough cores and each process
    /// has one thread.
    pub dedicated: &'static [&'static str],
    /// Options for all other runs.
    pub shared: &'static [&'static str],
    pub environment: Vec<(OsString, OsString)>,
    /// Variables that make waiting processes yield, for ranks or threads that outnumber the
    /// processors.
    pub oversubscribed: &'static [(&'static str, &'static str)],
    /// The variable in which the launcher tells a process its rank.
    pub rank_variable: &'static str,
    /// Folder for its compiled programs.
    pub programs: PathBuf,
}

impl Library {
    /// Returns the library of the installation that contains this program.
    pub fn ours(installation: &Installation, programs: PathBuf) -> Library {
        Library {
            name: format!("Nemesis {}", env!("CARGO_PKG_VERSION")),
            compiler: installation.program("mpicc"),
            launcher: vec![installation.program("mpiexec").into()],
            dedicated: &[],
            shared: &[],
            environment: Vec::new(),
            oversubscribed: &[],
            rank_variable: "PMI_RANK",
            programs,
        }
    }

    /// Returns the library of another installation, which may have the same version. It keeps its
    /// model of the host in a folder of its own, because one that finds another format measures
    /// again, and so would ours.
    pub fn beside(installation: &Installation, programs: PathBuf) -> Library {
        let caches = programs.join("cache").into_os_string();
        Library {
            name: format!("Nemesis in {}", installation.prefix.display()),
            environment: vec![("XDG_CACHE_HOME".into(), caches)],
            ..Library::ours(installation, programs)
        }
    }

    /// Compiles all measuring programs from the sources in `sources`.
    pub fn compile(&self, sources: &Path) -> Result<(), Diagnostic> {
        std::fs::create_dir_all(&self.programs)
            .map_err(|error| self.failed("making a folder for its programs", &error.to_string()))?;
        for program in PROGRAMS {
            let source = sources.join(program).with_extension("c");
            let mut command = Command::new(&self.compiler);
            command
                .args(["-O2", "-pthread"])
                .arg(&source)
                .arg("-o")
                .arg(self.programs.join(program))
                .envs(self.environment.iter().cloned());
            let output = command
                .stdin(Stdio::null())
                .output()
                .map_err(|error| self.uncompiled(&source, &error.to_string()))?;
            if !output.status.success() {
                return Err(self.uncompiled(&source, &last_words(&output.stderr)));
            }
        }
        Ok(())
    }

    /// Runs a measuring program on `ranks` processes. Returns what it printed, and the time of the
    /// whole command.
    pub fn run(
        &self,
        ranks: u32,
        program: &str,
        arguments: &[String],
    ) -> Result<(Vec<Line>, Duration), Diagnostic> {
        let (text, time) = self.run_under(&[], ranks, program, arguments)?;
        Ok((self.figures(program, &text)?, time))
    }

    /// Runs a measuring program on `ranks` processes under a tool. Returns its standard output, and
    /// the time of the command. One rank runs without the launcher.
    pub fn run_under(
        &self,
        tool: &[OsString],
        ranks: u32,
        program: &str,
        arguments: &[String],
    ) -> Result<(String, Duration), Diagnostic> {
        let running = Running::start(self.command(tool, ranks, program, arguments));
        running.and_then(Running::end).map_err(|why| self.failed_on(program, ranks, &why))
    }

    /// Returns the command that runs it.
    pub fn command(
        &self,
        tool: &[OsString],
        ranks: u32,
        program: &str,
        arguments: &[String],
    ) -> Command {
        let threads = if program == THREADED { THREADS } else { 1 };
        let oversubscribed = ranks as usize * threads > nemesis_sys::host::usable_cores();
        let mut words = Vec::new();
        if ranks > 1 {
            let placed =
                if oversubscribed || program == THREADED { self.shared } else { self.dedicated };
            words.extend_from_slice(&self.launcher);
            words.extend(placed.iter().map(OsString::from));
            words.extend(["-n".into(), ranks.to_string().into()]);
        }
        words.extend_from_slice(tool);
        words.push(self.programs.join(program).into());
        words.extend(arguments.iter().map(OsString::from));
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).envs(self.environment.iter().cloned());
        if oversubscribed {
            command.envs(self.oversubscribed.iter().copied());
        }
        command
    }

    /// Returns the samples in a program's output.
    pub fn figures(&self, program: &str, output: &str) -> Result<Vec<Line>, Diagnostic> {
        let lines = output.lines().map(serde_json::from_str).collect::<Result<_, _>>();
        lines.map_err(|error| {
            self.failed(&format!("reading what {program} prints"), &error.to_string())
        })
    }

    /// Returns the message of a program that failed.
    pub fn failed_on(&self, program: &str, ranks: u32, why: &str) -> Diagnostic {
        self.failed(&format!("{program} on {ranks} ranks"), why)
    }

    fn uncompiled(&self, source: &Path, why: &str) -> Diagnostic {
        Diagnostic::new(
            format!("{}: compiling {}", self.name, source.display()),
            why,
            "`apt-get install gcc`, which its mpicc needs",
        )
    }

    fn failed(&self, what: &str, why: &str) -> Diagnostic {
        let advice = if self.name.starts_with("Nemesis") {
            "`nemesis info`"
        } else {
            "running without --rivals"
        };
        Diagnostic::new(format!("{}: {what}", self.name), why, advice)
    }
}

/// A command that runs. Dropping it ends the command.
///
/// Its output goes to files, and one system call waits for its end: this process executes nothing
/// while the command is measured.
pub struct Running {
    child: Child,
    peer: Peer,
    output: File,
    errors: File,
    start: Instant,
}

impl Running {
    pub fn start(mut command: Command) -> Result<Running, String> {
        let said = |error: std::io::Error| error.to_string();
        let (output, errors) =
            (tempfile::tempfile().map_err(said)?, tempfile::tempfile().map_err(said)?);
        command
            .stdin(Stdio::null())
            .stdout(output.try_clone().map_err(said)?)
            .stderr(errors.try_clone().map_err(said)?);
        tie_to_parent(&mut command);
        let start = Instant::now();
        let child = command.spawn().map_err(said)?;
        let peer = Peer::open(rustix::process::Pid::from_child(&child).as_raw_nonzero().get())
            .map_err(|error| error.to_string())?;
        Ok(Running { child, peer, output, errors, start })
    }

    /// Waits for its end, at most for [`TIMEOUT`]. Returns its standard output and its time, or why
    /// there is none.
    pub fn end(mut self) -> Result<(String, Duration), String> {
        let said = |error: std::io::Error| error.to_string();
        if !ends_within(&self.peer, TIMEOUT) {
            return Err(format!("did not end within {} s", TIMEOUT.as_secs()));
        }
        let status = self.child.wait().map_err(said)?;
        let time = self.start.elapsed();
        if status.success() {
            Ok((contents(&mut self.output).map_err(said)?, time))
        } else {
            Err(format!(
                "{status}: {}",
                last_words(contents(&mut self.errors).map_err(said)?.as_bytes())
            ))
        }
    }

    /// Waits until `source` is readable. The error says that the command has ended, or why there is
    /// nothing to read.
    pub fn wait_for(&self, source: &impl AsFd) -> Result<(), String> {
        let limit = Timespec { tv_sec: TIMEOUT.as_secs() as i64, tv_nsec: 0 };
        loop {
            let mut either =
                [PollFd::new(source, PollFlags::IN), PollFd::new(&self.peer, PollFlags::IN)];
            match rustix::event::poll(&mut either, Some(&limit)) {
                Ok(0) => return Err(format!("silent for {} s", TIMEOUT.as_secs())),
                Ok(_) if either[0].revents().is_empty() => return Err("it ended too early".into()),
                Ok(_) => return Ok(()),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.to_string()),
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.peer.has_ended() {
            let _ = self.child.wait();
            return;
        }
        // The command may end between the check and the signal. Then nothing is left to do.
        let _ = rustix::process::kill_process(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::TERM,
        );
        if !ends_within(&self.peer, GRACE) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

fn ends_within(peer: &Peer, limit: Duration) -> bool {
    let deadline = Instant::now() + limit;
    while !peer.has_ended() {
        let Some(left) = deadline.checked_duration_since(Instant::now()) else { return false };
        let limit = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        // Interrupted, or ended: the loop checks which.
        let _ = rustix::event::poll(&mut [PollFd::new(peer, PollFlags::IN)], Some(&limit));
    }
    true
}

fn contents(file: &mut File) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the end of a program's output, in one line.
pub fn last_words(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(LAST_WORDS_BYTES)..]);
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() { "it printed nothing".into() } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_gives_its_output_or_the_end_of_its_errors() {
        let mut good = Command::new("sh");
        good.args(["-c", "echo here; sleep 0.05"]);
        let (text, time) = Running::start(good).and_then(Running::end).unwrap();
        assert!(text == "here\n" && time >= Duration::from_millis(50), "{text:?} in {time:?}");
        let mut bad = Command::new("sh");
        bad.args(["-c", "echo what is  wrong >&2; exit 3"]);
        let why = Running::start(bad).and_then(Running::end).unwrap_err();
        assert!(why.contains('3') && why.ends_with("what is wrong"), "{why}");
    }
}
