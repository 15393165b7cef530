//! Programs that other commands of this crate run, and the folders they work in.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What stops a command: a sentence for the terminal.
pub type Failure = String;

/// Ends a command of this crate: prints what it made, or why it stopped.
pub fn end(command: &str, result: Result<String, Failure>) -> ExitCode {
    match result {
        Ok(made) => {
            println!("{made}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("{command}: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Returns a function that turns an error of the system at `path` into a failure.
pub fn at(path: &Path) -> impl Fn(io::Error) -> Failure {
    let path = path.display().to_string();
    move |error| format!("{path}: {error}")
}

/// Returns a call of the cargo that has started this program.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a command whose output goes to the terminal.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    let line = line(command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("'{line}' ended with {status}")),
        Err(error) => Err(format!("'{line}': {error}; is the program installed?")),
    }
}

/// Runs a command and returns what it writes to its standard output.
pub fn output(command: &mut Command) -> Result<String, Failure> {
    let line = line(command);
    let done = command
        .output()
        .map_err(|error| format!("'{line}': {error}; is the program installed?"))?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    let error = String::from_utf8_lossy(&done.stderr);
    Err(format!("'{line}' ended with {}:\n{}", done.status, error.trim_end()))
}

/// Returns program and arguments as one line.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Name of [`copy_of_this_program`].
pub const COPY_OF_THIS_PROGRAM: &str = "xtask";

/// Copies this program into a folder and returns the path, for commands that run it after minutes:
/// cargo may have replaced it then.
pub fn copy_of_this_program(folder: &Path) -> Result<PathBuf, Failure> {
    fs::create_dir_all(folder).map_err(at(folder))?;
    let own = std::env::current_exe().map_err(|why| format!("the path of this program: {why}"))?;
    let copy = folder.join(COPY_OF_THIS_PROGRAM);
    fs::copy(&own, &copy).map_err(at(&copy))?;
    Ok(copy)
}

/// Makes an empty folder, in place of one that is there.
pub fn empty(folder: &Path) -> Result<(), Failure> {
    remove(folder)?;
    fs::create_dir_all(folder).map_err(at(folder))
}

/// Removes a folder with what it holds, if it is there.
pub fn remove(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(folder)(error)),
        _ => Ok(()),
    }
}

/// Reads a text file.
pub fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(at(path))
}

/// Writes a text file, and its folder if that is missing.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(at(folder))?;
    }
    fs::write(path, text).map_err(at(path))
}
