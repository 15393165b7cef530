//! Printing to standard output, which may refuse it: on a full disk, or when its reader has ended.
//! The macros of the standard library panic then.

use crate::diagnostic::Diagnostic;
use std::fmt::Arguments;
use std::io::{ErrorKind, Write};
use std::process::exit;

/// Exit code of a process whose output nobody reads, as if SIGPIPE had ended it.
const UNREAD: i32 = 141;

/// Prints text. If standard output refuses it, the process ends: with the reason, or without a
/// message if nobody reads it any more, as in `nemesis info | head`.
pub fn print(text: Arguments<'_>) {
    let Err(why) = std::io::stdout().lock().write_fmt(text) else { return };
    if why.kind() == ErrorKind::BrokenPipe {
        exit(UNREAD);
    }
    let advice = "space for the file that standard output goes to, or another file";
    eprintln!("nemesis: {}", Diagnostic::new("writing to standard output", why, advice));
    exit(1);
}

macro_rules! print {
    ($($text:tt)*) => { $crate::output::print(format_args!($($text)*)) };
}

macro_rules! println {
    ($($text:tt)*) => { $crate::output::print(format_args!("{}\n", format_args!($($text)*))) };
}
