//! How a job ended, in words and as an exit code.
//!
//! The message names what happened, who it was, and what to try; it is printed once, for the first failure. What follows from that failure (the
//! other ranks being ended) is not reported again.

use crate::rank::Rank;
use nemesis_sys::process::Ending;
use nemesis_wireup::pmi1::Malformed;

/// The reason for which a job is ended before its time.
#[derive(PartialEq, Eq, Debug)]
pub enum Failure {
    /// A rank's process ended badly.
    Died {
        rank: usize,
        ending: Ending,
    },
    /// It ended well, but without MPI_Finalize, and the others may wait for it.
    WithoutFinalize {
        rank: usize,
    },
    /// A process of the rank left the job without MPI_Finalize, while the rank's first process goes on.
    HungUp {
        rank: usize,
    },
    /// It ended and never joined the job in which others wait for it.
    NeverJoined {
        rank: usize,
    },
    Aborted {
        rank: usize,
        code: i32,
        message: String,
    },
    Nonsense {
        rank: usize,
        malformed: Malformed,
    },
    /// Nobody reads our output any more.
    Unread,
}

/// A shell's way to say that a signal ended a command.
pub const SIGNAL_BASE: i32 = 128;

impl Failure {
    /// How much of a cause it is, when several come at once: a crash explains the others' errors, not the other way round.
    pub fn weight(&self) -> u32 {
        match self {
            Failure::Died { ending: Ending::Killed(_), .. } => 3,
            Failure::Aborted { .. } | Failure::Nonsense { .. } => 2,
            Failure::Died { ending: Ending::Exited(_), .. } | Failure::HungUp { .. } => 1,
            Failure::WithoutFinalize { .. } | Failure::NeverJoined { .. } | Failure::Unread => 0,
        }
    }

    pub fn exit_code(&self) -> i32 {
        match self {
            Failure::Died { ending, .. } => exit_code(*ending),
            Failure::Aborted { code, .. } => nonzero(*code),
            Failure::Unread => SIGNAL_BASE + rustix::process::Signal::PIPE.as_raw(),
            _ => 1,
        }
    }

    /// The message, or nothing where the user knows already.
    pub fn message(&self, ranks: &[Rank], host: &str) -> Option<String> {
        let (rank, what, advice) = match self {
            Failure::Died { rank, ending: Ending::Killed(signal) } => {
                (*rank, format!("was killed by {}", signal_name(*signal)), advice_for_signal(*signal, &ranks[*rank]))
            }
            Failure::Died { rank, ending: Ending::Exited(code) } => (
                *rank,
                format!("ended with exit code {code}{}", shell_code(*code)),
                "reading the rank's own messages above; mpiexec -l shows which rank printed what".into(),
            ),
            Failure::WithoutFinalize { rank } => (
                *rank,
                "ended without calling MPI_Finalize".into(),
                "calling MPI_Finalize on every way out of the program, or MPI_Abort".into(),
            ),
            Failure::HungUp { rank } => {
                let what = "lost its MPI process without MPI_Finalize, while the command that started it goes on";
                (*rank, what.into(), "passing on the exit code of the MPI program in that command, or starting it directly".into())
            }
            Failure::NeverJoined { rank } => {
                let what = "ended without calling MPI_Init, which the other ranks wait for";
                (*rank, what.into(), "using only MPI programs in one command, or `:` with none of them waiting for the others".into())
            }
            Failure::Aborted { rank, code, message } => {
                let text = if message.is_empty() { String::new() } else { format!(": {message}") };
                (*rank, format!("aborted the job with code {code}{text}"), "reading the rank's own messages above".into())
            }
            Failure::Nonsense { rank, malformed } => {
                (*rank, format!("sent {malformed} to mpiexec"), "a program that leaves the descriptor PMI_FD alone".into())
            }
            Failure::Unread => return None,
        };
        let others = match ranks.len() {
            1 => "",
            2 => "; the other rank is ended",
            _ => "; the other ranks are ended",
        };
        let Rank { pid, command, .. } = &ranks[rank];
        Some(format!(
            "mpiexec: rank {rank} {what}{others}\n  who: rank {rank} of {}, pid {pid} on {host}: {command}\n  try: {advice}",
            ranks.len()
        ))
    }
}

pub fn exit_code(ending: Ending) -> i32 {
    match ending {
        Ending::Exited(code) => code,
        Ending::Killed(signal) => SIGNAL_BASE + signal,
    }
}

/// An aborted job never looks like a success: the kernel keeps eight bits of an exit code, and what would be 0 of them becomes 1.
fn nonzero(code: i32) -> i32 {
    if code & 0xff == 0 { 1 } else { code & 0xff }
}

fn shell_code(code: i32) -> String {
    match signal_text(code - SIGNAL_BASE) {
        Some((name, text)) => format!(" (a shell's way to say {name}, {text})"),
        None => String::new(),
    }
}

fn signal_name(signal: i32) -> String {
    match signal_text(signal) {
        Some((name, text)) => format!("{name} ({text})"),
        None => format!("signal {signal}"),
    }
}

fn signal_text(signal: i32) -> Option<(&'static str, &'static str)> {
    use rustix::process::Signal;
    let known = [
        (Signal::HUP, "SIGHUP", "its terminal is gone"),
        (Signal::INT, "SIGINT", "interrupted"),
        (Signal::QUIT, "SIGQUIT", "quit"),
        (Signal::ILL, "SIGILL", "an instruction that this processor does not have"),
        (Signal::TRAP, "SIGTRAP", "a breakpoint without a debugger"),
        (Signal::ABORT, "SIGABRT", "it called abort"),
        (Signal::BUS, "SIGBUS", "memory that is not there"),
        (Signal::FPE, "SIGFPE", "an arithmetic error"),
        (Signal::KILL, "SIGKILL", "killed from outside"),
        (Signal::SEGV, "SIGSEGV", "an address that is not its own"),
        (Signal::PIPE, "SIGPIPE", "nobody reads what it writes"),
        (Signal::ALARM, "SIGALRM", "its own alarm"),
        (Signal::TERM, "SIGTERM", "asked to end"),
        (Signal::USR1, "SIGUSR1", "a user's signal"),
        (Signal::USR2, "SIGUSR2", "a user's signal"),
        (Signal::XCPU, "SIGXCPU", "its CPU time is used up"),
        (Signal::XFSZ, "SIGXFSZ", "a file beyond its limit"),
        (Signal::SYS, "SIGSYS", "a forbidden system call"),
    ];
    known.iter().find(|row| row.0.as_raw() == signal).map(|row| (row.1, row.2))
}

fn advice_for_signal(signal: i32, rank: &Rank) -> String {
    use rustix::process::Signal;
    let program = rank.command.split(' ').next().unwrap_or_default();
    match signal {
        signal if signal == Signal::KILL.as_raw() => "`dmesg | tail`: the kernel kills a process when memory is used up".into(),
        signal if [Signal::SEGV, Signal::BUS, Signal::ABORT, Signal::FPE, Signal::ILL].iter().any(|crash| crash.as_raw() == signal) => {
            format!("`ulimit -c unlimited`, run it again, and `gdb {program} core`")
        }
        _ => "asking who sends such signals to this process".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_shells_and_an_abort_is_never_a_success() {
        let code = |failure: Failure| failure.exit_code();
        assert_eq!(code(Failure::Died { rank: 0, ending: Ending::Killed(9) }), 137);
        assert_eq!(code(Failure::Died { rank: 0, ending: Ending::Exited(3) }), 3);
        assert_eq!(code(Failure::WithoutFinalize { rank: 0 }), 1);
        let abort = |number| code(Failure::Aborted { rank: 0, code: number, message: String::new() });
        assert_eq!((abort(7), abort(0), abort(256), abort(-1)), (7, 1, 1, 255));
    }

    #[test]
    fn a_crash_outweighs_what_it_causes() {
        let crash = Failure::Died { rank: 1, ending: Ending::Killed(11) };
        let abort = Failure::Aborted { rank: 0, code: 1, message: String::new() };
        assert!(crash.weight() > abort.weight());
    }

    #[test]
    fn signals_have_names() {
        assert_eq!(signal_name(11), "SIGSEGV (an address that is not its own)");
        assert_eq!(signal_name(40), "signal 40");
        assert!(shell_code(139).contains("SIGSEGV"));
        assert_eq!(shell_code(3), "");
    }
}
