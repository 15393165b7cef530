//! Panics inside of the libraries: a message that says what, who, why and what to try, and the end
//! of the process.
//!
//! A library in C tells no panic of Rust. [`report`] replaces what the standard library prints,
//! and ends the process by SIGABRT, so that a core file shows the stack. The hook belongs to this
//! copy of the standard library: a program in Rust that loads one of the C libraries keeps its own.

use crate::host::hostname;
use crate::{calls, crash, virtual_process};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::fmt::Display;
use std::panic::PanicHookInfo;
use std::sync::OnceLock;

/// How the message of a panic begins by which memory is found to be damaged.
const DAMAGED: &str = "the shared segment of the job is damaged: ";
/// How the message of a panic begins by which a packet is found to be invalid.
const INVALID: &str = "a packet is invalid: ";
/// What to try against stray writes.
const CHECKERS: &str = "`mpiexec -check`, valgrind or -fsanitize=address, which find stray writes";

static IS_SET: OnceLock<()> = OnceLock::new();

/// Ends the process because of a word of the job's shared segment that no process of the job can
/// have written. `subject` says what the word is, its value, and which process it came from, if
/// that is known.
///
/// # Panics
/// Always. The C libraries make the panic a message ([`report`]).
#[cold]
#[inline(never)]
#[track_caller]
pub fn damaged(subject: impl Display) -> ! {
    panic!("{DAMAGED}{subject}")
}

/// Ends the process because of a packet that no process of the job can have sent. `subject` says
/// which process it came from, and what it contains.
///
/// # Panics
/// Always, as [`damaged`] does.
#[cold]
#[inline(never)]
#[track_caller]
pub fn invalid(subject: impl Display) -> ! {
    panic!("{INVALID}{subject}")
}

/// Makes each panic of this library a message of the project's form, which names the process by
/// `who`, and the end of the process. Further calls have no effect, and none has in a simulation,
/// which tells panics itself.
pub fn report(who: impl Fn() -> String + Send + Sync + 'static) {
    if virtual_process::current().is_some() {
        return;
    }
    if IS_SET.set(()).is_ok() {
        std::panic::set_hook(Box::new(move |panic| {
            let call = calls::innermost(calls::mpi_name);
            let mut text = message(panic, call, &who());
            let stack = Backtrace::capture();
            if stack.status() == BacktraceStatus::Captured {
                text.push_str(&format!("{stack}\n"));
            }
            crash::write(text.as_bytes());
            std::process::abort();
        }));
    }
}

/// Reports panics as [`report`] does, of a process that `name` names on its host.
pub fn report_as(name: String) {
    report(move || format!("{name} on {}, pid {}", hostname(), std::process::id()));
}

fn message(panic: &PanicHookInfo<'_>, call: Option<&str>, who: &str) -> String {
    let words = panic.payload_as_str().unwrap_or("a panic without words");
    let place = panic.location().map_or("an unknown place".to_owned(), |at| at.to_string());
    of_words(words, &place, call, who)
}

/// Composes the message about a panic with the given words at a place in the source.
fn of_words(words: &str, place: &str, call: Option<&str>, who: &str) -> String {
    let inside = call.map_or_else(String::new, |call| format!("in {call}: "));
    if let Some(subject) = words.strip_prefix(DAMAGED) {
        return format!(
            "nemesis: the shared segment of the job is damaged\n  \
             what  {inside}{subject}\n  \
             who   {who}\n  \
             why   another program or a stray pointer wrote into it\n  \
             try   {CHECKERS}; this was found at {place}\n"
        );
    }
    if let Some(subject) = words.strip_prefix(INVALID) {
        return format!(
            "nemesis: a packet is invalid\n  \
             what  {inside}{subject}\n  \
             who   {who}\n  \
             why   another program or a stray pointer wrote into the shared segment of the job, or \
             the process runs another build of the library\n  \
             try   {CHECKERS}; one build on all hosts; this was found at {place}\n"
        );
    }
    format!(
        "nemesis: an internal error ends this process\n  \
         what  {inside}{words}, at {place}\n  \
         who   {who}\n  \
         why   a mistake in this library, or memory that a stray pointer overwrote, such as \
         the shared segment of the job\n  \
         try   {CHECKERS}; if they find none, report these lines, with the output of \
         `nemesis info` and what the program does in this call\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_told_as_damage() {
        let words = format!("{DAMAGED}cell 7 does not exist");
        let text = of_words(&words, "a.rs:1:2", Some("MPI_Recv"), "rank 1");
        for part in [
            "nemesis: the shared segment of the job is damaged\n",
            "\n  what  in MPI_Recv: cell 7 does not exist\n  who   rank 1\n  why   another program",
            "\n  try   `mpiexec -check`, valgrind",
            "found at a.rs:1:2\n",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn an_invalid_packet_names_its_sender() {
        let text = of_words(&format!("{INVALID}process 3 has sent 7"), "a.rs:1:2", None, "rank 1");
        assert!(text.starts_with("nemesis: a packet is invalid\n  what  process 3 has sent 7\n"));
        assert!(
            text.contains("\n  why   another program") && text.contains("a.rs:1:2\n"),
            "{text}"
        );
    }

    #[test]
    fn another_panic_says_where_and_how_to_report_it() {
        let text = of_words("index out of bounds", "a.rs:1:2", None, "rank 1");
        assert!(text.contains("\n  what  index out of bounds, at a.rs:1:2\n"), "{text}");
        assert!(text.contains("report these lines") && text.ends_with('\n'), "{text}");
    }

    #[test]
    #[should_panic(expected = "the shared segment of the job is damaged: word 3")]
    fn damage_is_a_panic() {
        damaged(format_args!("word {}", 3));
    }
}
