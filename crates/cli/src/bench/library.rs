//! A library under measurement: how programs are compiled for it and started on it. Ours and its rivals differ in nothing else.

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

/// The measuring programs, by the name of their C source.
pub const PROGRAMS: [&str; 12] = [
    "pingpong",
    "both",
    "strided",
    "onesided",
    "rate",
    "wildcard",
    "threads",
    "barrier",
    "collectives",
    "init",
    "memory",
    "calls",
];

/// The one whose processes have several threads: they need more than a core each.
const THREADED: &str = "threads";
const THREADS: usize = 4;

/// The one whose whole command is timed, from its start to its end.
pub const STARTER: &str = "init";

/// How long one run may take: far more than any does, so that a rival that hangs does not hang us.
const TIMEOUT: Duration = Duration::from_secs(120);
/// From the request to end until the order to.
const GRACE: Duration = Duration::from_secs(3);
/// What is quoted of a failed program's last words.
const LAST_WORDS_BYTES: usize = 400;

#[derive(Debug)]
pub struct Library {
    /// Name and version, as tables show it.
    pub name: String,
    pub compiler: PathBuf,
    /// The launcher and its options; more options, the number of ranks and the program follow.
    pub launcher: Vec<OsString>,
    /// Options that put each process onto a core of its own, where there is one for each and it has one thread.
    pub roomy: &'static [&'static str],
    /// Options for all else.
    pub tight: &'static [&'static str],
    pub environment: Vec<(OsString, OsString)>,
    /// Besides, where ranks or their threads outnumber processors: what makes those that wait yield.
    pub crowded: &'static [(&'static str, &'static str)],
    /// The variable in which the launcher tells a process its rank.
    pub rank_variable: &'static str,
    /// Where its programs are compiled to.
    pub programs: PathBuf,
}

impl Library {
    /// The one that this program belongs to.
    pub fn ours(installation: &Installation, programs: PathBuf) -> Library {
        Library {
            name: format!("Nemesis {}", env!("CARGO_PKG_VERSION")),
            compiler: installation.program("mpicc"),
            launcher: vec![installation.program("mpiexec").into()],
            roomy: &[],
            tight: &[],
            environment: Vec::new(),
            crowded: &[],
            rank_variable: "PMI_RANK",
            programs,
        }
    }

    /// Another one, which may have the same version.
    pub fn beside(installation: &Installation, programs: PathBuf) -> Library {
        let ours = Library::ours(installation, programs);
        Library { name: format!("Nemesis in {}", installation.prefix.display()), ..ours }
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

    /// Starts `ranks` processes of a measuring program and reads what they print; and how long the whole command took.
    pub fn run(
        &self,
        ranks: u32,
        program: &str,
        arguments: &[String],
    ) -> Result<(Vec<Line>, Duration), Diagnostic> {
        let (text, time) = self.run_under(&[], ranks, program, arguments)?;
        Ok((self.figures(program, &text)?, time))
    }

    /// Starts `ranks` processes of a measuring program under a tool; their standard output, and the time of it all. One rank runs without the launcher.
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

    /// The command that does so.
    pub fn command(
        &self,
        tool: &[OsString],
        ranks: u32,
        program: &str,
        arguments: &[String],
    ) -> Command {
        let threads = if program == THREADED { THREADS } else { 1 };
        let crowded = ranks as usize * threads > nemesis_sys::host::usable_cores();
        let mut words = Vec::new();
        if ranks > 1 {
            let placed = if crowded || program == THREADED { self.tight } else { self.roomy };
            words.extend_from_slice(&self.launcher);
            words.extend(placed.iter().map(OsString::from));
            words.extend(["-n".into(), ranks.to_string().into()]);
        }
        words.extend_from_slice(tool);
        words.push(self.programs.join(program).into());
        words.extend(arguments.iter().map(OsString::from));
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).envs(self.environment.iter().cloned());
        if crowded {
            command.envs(self.crowded.iter().copied());
        }
        command
    }

    /// The figures among a program's output.
    pub fn figures(&self, program: &str, output: &str) -> Result<Vec<Line>, Diagnostic> {
        let lines = output.lines().map(serde_json::from_str).collect::<Result<_, _>>();
        lines.map_err(|error| {
            self.failed(&format!("reading what {program} prints"), &error.to_string())
        })
    }

    /// A program did not do its work.
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

/// A command under way. It ends when this is dropped.
///
/// Output goes to files and the end is waited for in one system call: nothing of this process runs while the other is measured.
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

    /// Waits for its end, within [`TIMEOUT`]; its standard output and how long it took, or why there is none.
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

    /// Waits until there is something to read from `source`, or the command has ended. Otherwise why not.
    pub fn wait_for(&self, source: &impl AsFd) -> Result<(), String> {
        let limit = Timespec { tv_sec: TIMEOUT.as_secs() as i64, tv_nsec: 0 };
        loop {
            let mut either =
                [PollFd::new(source, PollFlags::IN), PollFd::new(&self.peer, PollFlags::IN)];
            match rustix::event::poll(&mut either, Some(&limit)) {
                Ok(0) => return Err(format!("silent for {} s", TIMEOUT.as_secs())),
                Ok(_) if either[0].revents().is_empty() => return Err("ended too early".into()),
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
        // It may end between the question and the signal: then there is nobody to signal, as wanted.
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

fn ends_within(peer: &Peer, patience: Duration) -> bool {
    let deadline = Instant::now() + patience;
    while !peer.has_ended() {
        let Some(left) = deadline.checked_duration_since(Instant::now()) else { return false };
        let limit = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        // Interrupted, or ended: the loop looks.
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

/// The end of what a program said, on one line.
pub fn last_words(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(LAST_WORDS_BYTES)..]);
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() { "it said nothing".into() } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_gives_its_output_or_its_last_words() {
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
