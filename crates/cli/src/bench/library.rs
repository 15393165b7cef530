//! A library under measurement: how programs are compiled for it and started on it. Ours and its rivals differ in nothing else.

use super::figures::Line;
use crate::complaint::Complaint;
use crate::installation::Installation;
use nemesis_sys::process::{Peer, tie_to_parent};
use rustix::event::{PollFd, PollFlags, Timespec};
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The measuring programs, by the name of their C source.
pub const PROGRAMS: [&str; 12] =
    ["pingpong", "both", "strided", "onesided", "rate", "wildcard", "threads", "barrier", "collectives", "init", "memory", "calls"];

/// The one whose processes have several threads: they need more than a core each.
const THREADED: &str = "threads";
const THREADS: usize = 4;

/// The one whose whole command is timed, from its start to its end.
pub const STARTER: &str = "init";

/// How long one run may take: far more than any does, so that a rival that hangs does not hang us.
const PATIENCE: Duration = Duration::from_secs(120);
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

    /// Compiles all measuring programs from the sources in `sources`.
    pub fn compile(&self, sources: &Path) -> Result<(), Complaint> {
        std::fs::create_dir_all(&self.programs).map_err(|error| self.failed("making a folder for its programs", &error.to_string()))?;
        for program in PROGRAMS {
            let source = sources.join(program).with_extension("c");
            let mut command = Command::new(&self.compiler);
            command
                .args(["-O2", "-pthread"])
                .arg(&source)
                .arg("-o")
                .arg(self.programs.join(program))
                .envs(self.environment.iter().cloned());
            let output = command.stdin(Stdio::null()).output().map_err(|error| self.uncompiled(&source, &error.to_string()))?;
            if !output.status.success() {
                return Err(self.uncompiled(&source, &last_words(&output.stderr)));
            }
        }
        Ok(())
    }

    /// Starts `ranks` processes of a measuring program and reads what they print; and how long the whole command took.
    pub fn run(&self, ranks: u32, program: &str, arguments: &[String]) -> Result<(Vec<Line>, Duration), Complaint> {
        let (text, time) = self.run_under(&[], ranks, program, arguments)?;
        let lines = text.lines().map(serde_json::from_str).collect::<Result<_, _>>();
        let lines = lines.map_err(|error| self.failed(&format!("reading what {program} prints"), &error.to_string()))?;
        Ok((lines, time))
    }

    /// Starts `ranks` processes of a measuring program under a tool; their standard output, and the time of it all. One rank runs without the launcher.
    pub fn run_under(&self, tool: &[OsString], ranks: u32, program: &str, arguments: &[String]) -> Result<(String, Duration), Complaint> {
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
        run_to_end(command).map_err(|why| self.failed(&format!("{program} on {ranks} ranks"), &why))
    }

    fn uncompiled(&self, source: &Path, why: &str) -> Complaint {
        Complaint::new(format!("{}: compiling {}", self.name, source.display()), why, "`apt-get install gcc`, which its mpicc needs")
    }

    fn failed(&self, what: &str, why: &str) -> Complaint {
        let advice = if self.name.starts_with("Nemesis") { "`nemesis info`" } else { "running without --rivals" };
        Complaint::new(format!("{}: {what}", self.name), why, advice)
    }
}

/// Runs a command within [`PATIENCE`]; its standard output and how long it took, or why there is none.
///
/// Output goes to files and the end is waited for in one system call: nothing of this process runs while the other is measured.
fn run_to_end(mut command: Command) -> Result<(String, Duration), String> {
    let said = |error: std::io::Error| error.to_string();
    let mut output = tempfile::tempfile().map_err(said)?;
    let mut errors = tempfile::tempfile().map_err(said)?;
    command.stdin(Stdio::null()).stdout(output.try_clone().map_err(said)?).stderr(errors.try_clone().map_err(said)?);
    tie_to_parent(&mut command);
    let start = Instant::now();
    let mut child = command.spawn().map_err(said)?;
    let pid = rustix::process::Pid::from_child(&child);
    if let Ok(peer) = Peer::open(pid.as_raw_nonzero().get())
        && !ends_within(&peer, PATIENCE)
    {
        // It may end between the question and the signal: then there is nobody to signal, as wanted.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        if !ends_within(&peer, GRACE) {
            let _ = child.kill();
        }
        let _ = child.wait();
        return Err(format!("did not end within {} s", PATIENCE.as_secs()));
    }
    let status = child.wait().map_err(said)?;
    let time = start.elapsed();
    if status.success() {
        Ok((contents(&mut output).map_err(said)?, time))
    } else {
        Err(format!("{status}: {}", last_words(contents(&mut errors).map_err(said)?.as_bytes())))
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
        let (text, time) = run_to_end(good).unwrap();
        assert!(text == "here\n" && time >= Duration::from_millis(50), "{text:?} in {time:?}");
        let mut bad = Command::new("sh");
        bad.args(["-c", "echo what is  wrong >&2; exit 3"]);
        let why = run_to_end(bad).unwrap_err();
        assert!(why.contains('3') && why.ends_with("what is wrong"), "{why}");
    }
}
