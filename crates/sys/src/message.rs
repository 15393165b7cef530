//! Messages on standard error.

use std::fmt::Display;
use std::io::Write;

/// Prints a line by one call of the kernel, so that lines of processes with one terminal or one
/// file do not mix. `eprintln!` writes each part of its text by a call of its own.
pub fn tell(line: impl Display) {
    let text = format!("{line}\n");
    // Nobody is left to be told of an error.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
