//! The probe on one host, which `mpiexec` starts as it starts ranks.

use crate::diagnostic::Diagnostic;
use nemesis_sys::process::tie_to_parent;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Time that the probe has to end after the end of its input.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// How probes are started.
pub struct Starting {
    /// The words of `mpiexec` before `-host`.
    pub options: Vec<OsString>,
    /// The folder of our commands on the hosts, if it is not the one of this program.
    pub prefix: Option<PathBuf>,
    /// The user's program.
    pub program: Option<String>,
}

/// A probe that runs.
pub struct Remote {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Option<JoinHandle<String>>,
}

impl Remote {
    /// Starts the probe on `host`; on this host if there is none.
    pub fn start(starting: &Starting, host: Option<&str>) -> Result<Remote, Diagnostic> {
        let own = std::env::current_exe()
            .map_err(|why| Diagnostic::new("finding this program", why, "its full path"))?;
        let launcher = own.with_file_name("mpiexec");
        let mut command = Command::new(&launcher);
        command.args(&starting.options).args(["-bind-to", "none", "-n", "1"]);
        if let Some(host) = host {
            command.args(["-host", host]);
        }
        let there = starting.prefix.as_ref().map(|prefix| prefix.join("bin/nemesis"));
        command.arg(there.as_deref().unwrap_or(&own)).args(["probe", "host"]);
        command.args(&starting.program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        tie_to_parent(&mut command);
        Remote::follow(command, &launcher)
    }

    /// Starts the command and follows its output.
    fn follow(mut command: Command, launcher: &Path) -> Result<Remote, Diagnostic> {
        let mut child = command.spawn().map_err(|why| {
            Diagnostic::new(
                format!("starting {}", launcher.display()),
                why,
                "`nemesis` of an installed tree (scripts/install DIR)",
            )
        })?;
        let (sender, lines) = mpsc::channel();
        let out = child.stdout.take();
        let mut err = child.stderr.take();
        thread::spawn(move || {
            let lines = out.map(BufReader::new).into_iter().flat_map(BufRead::lines);
            for line in lines.map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            // What has arrived before an error counts.
            let _ = err.as_mut().map(|err| err.read_to_end(&mut text));
            String::from_utf8_lossy(&text).into_owned()
        });
        let input = child.stdin.take();
        Ok(Remote { child, input, lines, errors: Some(errors) })
    }

    /// Waits for the next answer. The error is what the probe or `mpiexec` has said.
    pub fn answer<T: DeserializeOwned>(&mut self, timeout: Duration) -> Result<T, String> {
        let until = Instant::now() + timeout;
        loop {
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                // Login scripts of other hosts may print lines of their own.
                Ok(line) if !line.starts_with(['{', '[']) => {}
                Ok(line) => return serde_json::from_str(&line).map_err(|why| why.to_string()),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("it has not answered within {} s", timeout.as_secs()));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let said = self.errors.take().and_then(|errors| errors.join().ok());
                    return Err(said.unwrap_or_default().trim().to_owned());
                }
            }
        }
    }

    /// Asks a question.
    pub fn ask(&mut self, question: &impl Serialize) -> Result<(), String> {
        let line = serde_json::to_string(question).map_err(|why| why.to_string())?;
        let input = self.input.as_mut().ok_or("it has ended")?;
        writeln!(input, "{line}").and_then(|()| input.flush()).map_err(|why| why.to_string())
    }
}

impl Drop for Remote {
    /// Ends the probe by the end of its input, or else by a signal to `mpiexec`, which ends all
    /// that it has started.
    fn drop(&mut self) {
        self.input = None;
        let since = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) {
            if since.elapsed() > END_TIMEOUT {
                // mpiexec's watchdog and its agents notice the end.
                let _ = self.child.kill();
                let _ = self.child.wait();
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(words: &str) -> Remote {
        let mut command = Command::new("sh");
        command.args(["-c", words]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Remote::follow(command, Path::new("sh")).unwrap()
    }

    #[test]
    fn a_probe_answers_and_its_other_lines_are_skipped() {
        let mut remote = shell("echo Welcome; read line; echo \"$line\"; read end");
        remote.ask(&[1, 2]).unwrap();
        assert_eq!(remote.answer::<Vec<i32>>(Duration::from_secs(30)), Ok(vec![1, 2]));
        drop(remote);
        let mut failing = shell("echo 'mpiexec: no such host' >&2; exit 1");
        let said = failing.answer::<Vec<i32>>(Duration::from_secs(30));
        assert_eq!(said, Err("mpiexec: no such host".into()));
    }
}
