//! Tests whether a process of a job may read the memory of another, with two children of this
//! process, which are siblings as two ranks are.

use crate::diagnostic::Diagnostic;
use nemesis_sys::cma;
use nemesis_sys::process::tie_to_parent;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

const CONTENT: u64 = u64::from_le_bytes(*b"readable");

/// Reads a sibling's memory by means of two children. The error says why that is not possible.
pub fn probe() -> Result<(), String> {
    let said = |error: std::io::Error| error.to_string();
    let mut target = role(&["readable"], Stdio::piped()).map_err(said)?;
    let mut address = String::new();
    let output = target.stdout.take().expect("it is a pipe");
    BufReader::new(output).read_line(&mut address).map_err(said)?;
    let reader = role(&["reader", &target.id().to_string(), address.trim()], Stdio::null())
        .and_then(Child::wait_with_output)
        .map_err(said);
    // Dropping the target's standard input ends it.
    drop(target.stdin.take());
    target.wait().map_err(said)?;
    let reader = reader?;
    if reader.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&reader.stdout).trim().to_owned())
    }
}

fn role(words: &[&str], input: Stdio) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("probe").args(words).stdin(input).stdout(Stdio::piped()).stderr(Stdio::null());
    tie_to_parent(&mut command);
    command.spawn()
}

/// The child whose memory is read.
pub fn be_readable() -> Result<(), Diagnostic> {
    cma::allow_siblings();
    let content = Box::new(CONTENT);
    println!("{}", std::ptr::from_ref(&*content) as u64);
    // Ends when the parent has closed its end, or has ended.
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    std::hint::black_box(content);
    Ok(())
}

/// The child that reads. Prints why it cannot.
pub fn read(pid: i32, address: u64) -> Result<(), Diagnostic> {
    let mut bytes = [0; 8];
    let why = match cma::read_exact(pid, address, &mut bytes) {
        Ok(()) if u64::from_le_bytes(bytes) == CONTENT => return Ok(()),
        Ok(()) => "it read other bytes than those of the sibling".to_owned(),
        Err(refused) => refused.to_string(),
    };
    println!("{why}");
    Err(Diagnostic::new("reading a sibling's memory", why, "`nemesis info`"))
}
