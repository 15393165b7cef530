//! Short commands whose output is examined.

use nemesis_sys::process::tie_to_parent;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Time that a command has.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Returns the path of this program, whose hidden subcommands examine libraries; `None` in a unit
/// test, whose program has no subcommands.
pub fn this_program() -> Option<PathBuf> {
    if cfg!(test) { None } else { std::env::current_exe().ok() }
}

/// Runs a command and returns its standard output. The error is its standard error, or says that
/// the command does not end.
pub fn output(mut command: Command) -> Result<String, String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    tie_to_parent(&mut command);
    let mut child = command.spawn().map_err(|why| why.to_string())?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (sender, receiver) = mpsc::channel();
    let text = |pipe: Option<&mut dyn Read>| {
        let mut bytes = Vec::new();
        // What has arrived before an error counts.
        let _ = pipe.map(|pipe| pipe.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let errors =
        thread::spawn(move || text(err.map(Box::new).as_deref_mut().map(|pipe| pipe as _)));
    thread::spawn(move || {
        // A receiver that waits no longer has killed the command.
        let _ = sender.send(text(out.map(Box::new).as_deref_mut().map(|pipe| pipe as _)));
    });
    let Ok(text) = receiver.recv_timeout(TIMEOUT) else {
        // It may have ended in this moment.
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("it does not end within {} s", TIMEOUT.as_secs()));
    };
    let status = child.wait().map_err(|why| why.to_string())?;
    if status.success() {
        return Ok(text);
    }
    let errors = errors.join().unwrap_or_default();
    let last = errors.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned);
    Err(last.unwrap_or_else(|| status.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_fails_says_why() {
        let shell = |words: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", words]);
            output(command)
        };
        assert_eq!(shell("echo a"), Ok("a\n".into()));
        assert_eq!(shell("echo b >&2; echo c >&2; exit 1"), Err("c".into()));
        assert!(shell("exit 3").unwrap_err().contains('3'));
        assert!(output(Command::new("/no/such/program")).is_err());
    }
}
