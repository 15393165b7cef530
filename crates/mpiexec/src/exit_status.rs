//! How a job ended, as a message and as an exit code.
//!
//! The message names what happened, which rank or host it was, and what to try. It is printed once,
//! for the first failure. Its consequences, such as the other ranks being ended, are not reported.

use crate::launch_error::LaunchError;
use crate::open_mpi;
use crate::output_files::Refused;
use crate::rank::{NotStarted, Rank};
use crate::tree::message::Report;
use nemesis_cipher::CHANGED_WORDS;
use nemesis_sys::process::Ending;
use nemesis_wireup::hosts;
use nemesis_wireup::pmi1::Malformed;
use rustix::io::Errno;
use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

/// The reason why a job is ended early. `rank` is an index into the ranks of this host.
#[derive(PartialEq, Eq, Debug)]
pub enum Failure {
    /// A rank's process was killed or ended with a non-zero exit code.
    Died {
        rank: usize,
        ending: Ending,
    },
    /// The rank ended with exit code 0 but without MPI_Finalize, and the others may wait for it.
    WithoutFinalize {
        rank: usize,
    },
    /// The rank's MPI process ended without MPI_Finalize, but the rank's first process goes on.
    HungUp {
        rank: usize,
    },
    /// The rank ended without joining the job, and other ranks wait for it.
    NeverJoined {
        rank: usize,
    },
    Aborted {
        rank: usize,
        code: i32,
        message: String,
    },
    MalformedLine {
        rank: usize,
        malformed: Malformed,
    },
    /// No process reads the standard output of `mpiexec` any more.
    Unread,
    /// The standard output of `mpiexec` takes nothing more.
    OutputRefused(Errno),
    NotStarted(NotStarted),
    /// A file for the output of ranks takes nothing more.
    FileRefused(Refused),
    /// The time that the user gives the job is over; what its ranks do.
    TimeIsOver {
        limit: Duration,
        report: String,
    },
    /// The job can never continue; the message for the user.
    Standstill(String),
    /// The failure happened on another host, whose agent has reported it.
    Reported(Report),
    /// A host is lost or could not be reached.
    Host {
        host: String,
        ranks: String,
        /// Number of further hosts that were reached through this one.
        others: usize,
        why: HostFailure,
    },
}

/// What went wrong with a host.
#[derive(PartialEq, Eq, Debug)]
pub enum HostFailure {
    /// Its agent could not be started.
    NotStarted(LaunchError),
    /// The command that starts the agent ended before the agent connected.
    StarterEnded { command: String, output: String, ending: Ending },
    /// The agent did not connect in time.
    Late { seconds: u64, output: String },
    /// The agent, or the connection to it, is lost.
    Lost(String),
    /// Bytes to or from the host were changed, left out or repeated on the way.
    Changed,
    /// The host does not answer. The interface that leads to it, and whether its link is up.
    Silent(Option<(String, bool)>),
}

/// The exit code of a job whose time is over, as that of `timeout` and of Open MPI's mpirun.
const TIME_IS_OVER: i32 = 124;

/// Shells add the number of the signal that ended a command to this exit code.
pub const SIGNAL_BASE: i32 = 128;

impl Failure {
    /// Returns how far the failure explains others that are noticed at the same time. A host that
    /// is lost explains crashes, and a crash explains the errors of other ranks; the reverse does
    /// not hold.
    pub fn weight(&self) -> u32 {
        match self {
            Failure::Reported(report) => report.weight,
            Failure::Host { .. } | Failure::NotStarted(_) | Failure::TimeIsOver { .. } => 4,
            // An agent that has lost its parent may have killed the rank.
            Failure::Died { ending: Ending::Killed(_), .. } => 3,
            Failure::Aborted { .. } | Failure::MalformedLine { .. } => 2,
            Failure::Died { ending: Ending::Exited(_), .. } | Failure::HungUp { .. } => 1,
            Failure::WithoutFinalize { .. }
            | Failure::NeverJoined { .. }
            | Failure::Unread
            | Failure::OutputRefused(_)
            | Failure::FileRefused(_)
            | Failure::Standstill(_) => 0,
        }
    }

    /// Returns the exit code of `mpiexec` for this failure.
    pub fn exit_code(&self) -> i32 {
        match self {
            Failure::Died { ending, .. } => exit_code(*ending),
            Failure::Aborted { code, .. } => abort_code(*code),
            Failure::Reported(report) => report.code,
            Failure::NotStarted(not_started) => not_started.code,
            Failure::TimeIsOver { .. } => TIME_IS_OVER,
            Failure::Unread => SIGNAL_BASE + rustix::process::Signal::PIPE.as_raw(),
            _ => 1,
        }
    }

    /// Returns whether no other failure can be the cause of this one.
    pub fn is_root_cause(&self) -> bool {
        self.weight() >= 4
    }

    /// Returns the number of a rank that ends by itself and is not signalled at once.
    pub fn spared(&self, ranks: &[Rank]) -> Option<u32> {
        match self {
            Failure::Aborted { rank, .. } => Some(ranks[*rank].number),
            Failure::Reported(report) => report.spared,
            _ => None,
        }
    }

    /// Returns the report for the parent launcher.
    pub fn report(&self, ranks: &[Rank], host: &str, size: u32) -> Report {
        Report {
            weight: self.weight(),
            code: self.exit_code(),
            message: self.message(ranks, host, size),
            spared: self.spared(ranks),
        }
    }

    /// Returns the message for the user, or `None` if the user needs none. `size` is the number of
    /// ranks of the job.
    pub fn message(&self, ranks: &[Rank], host: &str, size: u32) -> Option<String> {
        let (rank, what, advice) = match self {
            Failure::Died { rank, ending: Ending::Killed(signal) } => (
                *rank,
                match &ranks[*rank].memory_kill {
                    Some(_) => "was killed by the kernel, for want of memory".to_owned(),
                    None => format!("was killed by {}", signal_name(*signal)),
                },
                advice_for_signal(*signal, &ranks[*rank]),
            ),
            Failure::Died { rank, ending: Ending::Exited(code) } => (
                *rank,
                format!("ended with exit code {code}{}", shell_code(*code)),
                advice_for_code(*code, &ranks[*rank]),
            ),
            Failure::WithoutFinalize { rank } => (
                *rank,
                "ended without calling MPI_Finalize".into(),
                "calling MPI_Finalize, and MPI_Session_finalize for each session, on every way out \
                 of the program, or MPI_Abort"
                    .into(),
            ),
            Failure::HungUp { rank } => {
                let what = "lost its MPI process without MPI_Finalize, \
                            while the command that started it goes on";
                let advice = "passing on the exit code of the MPI program in that command, \
                              or starting it directly";
                (*rank, what.into(), advice.into())
            }
            Failure::NeverJoined { rank } => {
                let what = "ended without calling MPI_Init, which the other ranks wait for";
                let advice = "using only MPI programs in one command, \
                              or `:` with none of them waiting for the others";
                (*rank, what.into(), advice.into())
            }
            Failure::Aborted { rank, code, message } => {
                let text = if message.is_empty() { String::new() } else { format!(": {message}") };
                (
                    *rank,
                    format!("aborted the job with code {code}{text}"),
                    "reading the rank's own messages above".into(),
                )
            }
            Failure::MalformedLine { rank, malformed } => (
                *rank,
                format!("sent {malformed} to mpiexec"),
                "a program that does not use the descriptor in PMI_FD itself".into(),
            ),
            Failure::Unread => return None,
            Failure::OutputRefused(why) => {
                return Some(format!(
                    "mpiexec: writing the ranks' standard output: {why}; all ranks are ended, and \
                     output is lost\n  \
                     try: space for the file that standard output goes to, or another file (`df`, \
                     `quota`, `ulimit -f`)"
                ));
            }
            Failure::FileRefused(Refused { rank, path, why }) => {
                return Some(format!(
                    "mpiexec: writing the output of rank {rank} to {}: {why}; all ranks are ended, \
                     and output is lost\n  \
                     who: rank {rank} of {size}, whose file mpiexec writes on {host}\n  \
                     try: space for that file, or files in another folder (`df`, `quota`, \
                     `ulimit -f`)",
                    path.display()
                ));
            }
            Failure::TimeIsOver { limit, report } => {
                let report = if report.is_empty() { String::new() } else { format!("{report}\n") };
                return Some(format!(
                    "{report}mpiexec: the job has run for {} s, its time limit; all ranks are \
                     ended\n  \
                     try: a longer -timeout (or MPIEXEC_TIMEOUT), or looking above at what the \
                     ranks do",
                    limit.as_secs_f64()
                ));
            }
            Failure::Standstill(message) => return Some(message.clone()),
            Failure::NotStarted(not_started) => {
                return Some(format!("mpiexec: {}", not_started.error));
            }
            Failure::Reported(report) => return report.message.clone(),
            Failure::Host { host: lost, ranks, others, why } => {
                return Some(host_message(lost, ranks, *others, why, host));
            }
        };
        let others = match size {
            1 => "",
            2 => "; the other rank is ended",
            _ => "; the other ranks are ended",
        };
        let Rank { number, pid, command, place, memory_kill, .. } = &ranks[rank];
        let place = match (self, place, memory_kill) {
            (Failure::Died { .. }, _, Some(why)) => format!("\n  why: {why}"),
            (Failure::Died { .. }, Some(place), None) => format!("\n  where: {place}"),
            _ => String::new(),
        };
        Some(format!(
            "mpiexec: rank {number} {what}{others}\n  \
             who: rank {number} of {size}, pid {pid} on {host}: {command}{place}\n  \
             try: {advice}"
        ))
    }
}

/// Exit code of the loader that finds no library, and of a shell that finds no command.
const NOT_FOUND: i32 = 127;

/// Returns what to try when a rank has ended with `code`.
fn advice_for_code(code: i32, rank: &Rank) -> String {
    let read = "reading the rank's own messages above; ";
    if code != NOT_FOUND {
        return format!("{read}mpiexec -l shows which rank printed what");
    }
    let own = std::env::current_exe().unwrap_or_default();
    let lib = own.parent().and_then(Path::parent).unwrap_or(Path::new("/")).join("lib");
    let program = rank.command.split(' ').next().unwrap_or_default();
    if open_mpi::may_use_cxx_bindings(OsStr::new(program)) {
        return format!(
            "{read}if a symbol that begins with _ZN3MPI is undefined, the program uses MPI's C++ \
             bindings, which MPI 3.0 removed and this library does not have: Open MPI 4 for this \
             program; `nemesis doctor {program}` says what the program loads"
        );
    }
    format!(
        "{read}if a library of MPI cannot be opened, because an installation was moved or removed: \
         LD_LIBRARY_PATH={}, or compiling again; `nemesis doctor {program}` says what the program \
         loads",
        lib.display()
    )
}

/// Returns the message about a rank that has ended with a non-zero exit code after `MPI_Finalize`.
pub fn late_exit_message(rank: &Rank, code: i32, host: &str, size: u32) -> String {
    let Rank { number, pid, command, .. } = rank;
    let shell = shell_code(code);
    let what = format!("rank {number} ended with exit code {code}{shell} after MPI_Finalize");
    format!(
        "mpiexec: {what}\n  \
         who: rank {number} of {size}, pid {pid} on {host}: {command}\n  \
         try: reading the rank's own messages above; if nothing failed, returning 0 from main"
    )
}

/// Returns the message about a host that is lost or could not be reached from the host `here`.
fn host_message(host: &str, ranks: &str, others: usize, why: &HostFailure, here: &str) -> String {
    let quoted = |output: &str| match output {
        "" => String::new(),
        _ => format!(" and said: {output}"),
    };
    let (what, advice) = match why {
        HostFailure::NotStarted(error) => {
            (format!("nothing can be started on {host}: {}", error.what), error.advice.clone())
        }
        HostFailure::StarterEnded { command, .. }
            if let Some(nodes) =
                other_allocation(host, command, |name| std::env::var(name).ok()) =>
        {
            let what = "is not of this Slurm allocation, which has";
            (
                format!("nothing can be started on {host}: it {what} {nodes}"),
                format!("a host of the allocation, or `salloc -w {host}` (sbatch -w) for {host}"),
            )
        }
        HostFailure::StarterEnded { command, output, ending } => {
            let how = match ending {
                Ending::Exited(code) => format!("ended with exit code {code}"),
                Ending::Killed(signal) => format!("was killed by {}", signal_name(*signal)),
            };
            // An agent's own message has its advice.
            let (said, advice) = match output.trim_end().rsplit_once("; try: ") {
                Some((said, advice)) => (said, advice.to_owned()),
                None => (&output[..], starter_advice(host, command, output, *ending)),
            };
            (format!("nothing can be started on {host}: `{command}` {how}{}", quoted(said)), advice)
        }
        HostFailure::Late { seconds, output } => (
            format!(
                "{host} does not answer: no node agent has connected from it within {seconds} s{}",
                quoted(output)
            ),
            format!(
                "`ssh {host} true`; if that works, \
                 a firewall may keep {host} from connecting to this host: -port-range LOW:HIGH"
            ),
        ),
        HostFailure::Lost(why) => (
            format!("{host} is lost: {why}; all ranks are ended"),
            format!(
                "`ssh {host} uptime`: a user may have killed the node agent (mpiexec) there, \
                 or the host or its network is down"
            ),
        ),
        HostFailure::Changed => (
            format!("the connection with {host} is broken: {CHANGED_WORDS}; all ranks are ended"),
            format!(
                "other interfaces (mpiexec -net): a faulty network card, a proxy, or somebody who \
                 attacks changes packets on the way to {host}"
            ),
        ),
        HostFailure::Silent(Some((interface, false))) => (
            format!(
                "{host} is lost: the link of {interface} on {here} is down; all ranks are ended"
            ),
            format!(
                "`ip link show {interface}` on {here} and its cable; \
                 mpiexec -net chooses other interfaces"
            ),
        ),
        HostFailure::Silent(interface) => {
            let over = interface.as_ref().map(|(name, _)| format!(" over {name}"));
            (
                format!(
                    "{host} is lost: it does not answer{}; all ranks are ended",
                    over.unwrap_or_default()
                ),
                format!(
                    "`ssh {host} uptime`: the host may be down, or a link between {here} and {host}"
                ),
            )
        }
    };
    let who = who_is_there(host, ranks, others);
    format!("mpiexec: {what}\n  who: {who}\n  try: {advice}")
}

/// Names the ranks of a host, and the number of hosts that are reached through it.
fn who_is_there(host: &str, ranks: &str, others: usize) -> String {
    let further = match others {
        0 => String::new(),
        1 => ", and 1 more host that is reached through it".to_owned(),
        _ => format!(", and {others} more hosts that are reached through it"),
    };
    let label = if ranks.contains([',', '-']) { "ranks" } else { "rank" };
    format!("{label} {ranks} on {host}{further}")
}

/// Returns the message about a host whose agent has said nothing for `seconds`, although the host's
/// kernel answers.
pub fn frozen_message(host: &str, ranks: &str, others: usize, seconds: u64) -> String {
    let who = who_is_there(host, ranks, others);
    format!(
        "mpiexec: {host} answers, but its node agent (mpiexec) has said nothing for {seconds} s; \
         the job waits on, and this message is not repeated\n  \
         who: {who}\n  \
         why: the processes there are stopped (SIGSTOP, a suspended batch step, a debugger), or \
         the host hangs\n  \
         try: `ssh {host} ps -eo pid,stat,args`: state T is stopped, and `kill -CONT PID` \
         continues it; state D waits for a disk or a file system"
    )
}

/// Returns the hosts of this Slurm allocation, if `command` is a step of it for `host`, which is
/// not one of them.
fn other_allocation(
    host: &str,
    command: &str,
    variable: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    if !command.starts_with("srun ") {
        return None;
    }
    let nodes = variable("SLURM_JOB_NODELIST");
    let hosts = hosts::of_allocation(variable).ok().flatten()?;
    nodes.filter(|_| hosts.iter().all(|own| own.name != host))
}

/// Returns what to try after the output of a starter that failed.
fn starter_advice(host: &str, command: &str, output: &str, ending: Ending) -> String {
    let program = command.split(' ').find(|word| word.ends_with("/mpiexec")).unwrap_or("mpiexec");
    if output.contains("ould not resolve") || output.contains("not known") {
        format!("spelling {host} as `getent hosts` knows it, or giving its address")
    } else if output.contains("ermission denied (") || output.contains("Host key verification") {
        format!(
            "`ssh {host} true` must work without asking for anything: \
             `ssh-copy-id {host}`, or accept its key once by hand"
        )
    } else if matches!(ending, Ending::Exited(126 | 127)) || output.contains("No such file") {
        format!(
            "installing the library on {host} too ({program} is not there), \
             or -prefix DIR where it is there"
        )
    } else {
        format!(
            "running `{command}` by hand: it must start, \
             and say that its input has no bootstrap record"
        )
    }
}

/// Returns the exit code that a shell gives for `ending`.
pub fn exit_code(ending: Ending) -> i32 {
    match ending {
        Ending::Exited(code) => code,
        Ending::Killed(signal) => SIGNAL_BASE + signal,
    }
}

/// Returns the exit code of a job that was aborted with `code`. The program may choose 0. The
/// kernel keeps eight bits of an exit code; another code whose eight bits are 0 becomes 1.
fn abort_code(code: i32) -> i32 {
    if code & 0xff == 0 && code != 0 { 1 } else { code & 0xff }
}

/// Names the signal if `code` is a shell's exit code for one.
fn shell_code(code: i32) -> String {
    match signal_text(code - SIGNAL_BASE) {
        Some((name, text)) => format!(" (a shell's code for {name}, {text})"),
        None => String::new(),
    }
}

/// Returns a signal's name and what it means, or its number.
pub fn signal_name(signal: i32) -> String {
    match signal_text(signal) {
        Some((name, text)) => format!("{name} ({text})"),
        None => format!("signal {signal}"),
    }
}

/// Returns the name and the meaning of a signal.
fn signal_text(signal: i32) -> Option<(&'static str, &'static str)> {
    use rustix::process::Signal;
    let known = [
        (Signal::HUP, "SIGHUP", "its terminal is gone"),
        (Signal::INT, "SIGINT", "interrupted"),
        (Signal::QUIT, "SIGQUIT", "quit"),
        (Signal::ILL, "SIGILL", "an instruction that this processor does not have"),
        (Signal::TRAP, "SIGTRAP", "a breakpoint without a debugger"),
        (Signal::ABORT, "SIGABRT", "it called abort"),
        (Signal::BUS, "SIGBUS", "it used memory that does not exist"),
        (Signal::FPE, "SIGFPE", "an arithmetic error"),
        (Signal::KILL, "SIGKILL", "killed by another process or the kernel"),
        (Signal::SEGV, "SIGSEGV", "it used an invalid address"),
        (Signal::PIPE, "SIGPIPE", "no process reads what it writes"),
        (Signal::ALARM, "SIGALRM", "its timer expired"),
        (Signal::TERM, "SIGTERM", "asked to end"),
        (Signal::USR1, "SIGUSR1", "a user's signal"),
        (Signal::USR2, "SIGUSR2", "a user's signal"),
        (Signal::XCPU, "SIGXCPU", "it used up its CPU time"),
        (Signal::XFSZ, "SIGXFSZ", "a file exceeded its size limit"),
        (Signal::SYS, "SIGSYS", "a forbidden system call"),
    ];
    known.iter().find(|row| row.0.as_raw() == signal).map(|row| (row.1, row.2))
}

/// Returns what to try after a signal has killed a rank.
fn advice_for_signal(signal: i32, rank: &Rank) -> String {
    use rustix::process::Signal;
    let program = rank.command.split(' ').next().unwrap_or_default();
    match signal {
        signal if signal == Signal::KILL.as_raw() && rank.memory_kill.is_some() => {
            "more memory for the job (--mem of Slurm, memory limits of containers), fewer ranks on \
             a host, or less memory in each"
                .into()
        }
        signal if signal == Signal::KILL.as_raw() => {
            "`dmesg | tail`: the kernel kills a process when memory is used up".into()
        }
        signal
            if [Signal::SEGV, Signal::BUS, Signal::ABORT, Signal::FPE, Signal::ILL]
                .iter()
                .any(|crash| crash.as_raw() == signal) =>
        {
            format!("`ulimit -c unlimited`, run it again, and `gdb {program} core`")
        }
        _ => "finding out which process sends such signals to this one".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_those_of_shells_and_an_error_is_never_0() {
        let code = |failure: Failure| failure.exit_code();
        assert_eq!(code(Failure::Died { rank: 0, ending: Ending::Killed(9) }), 137);
        assert_eq!(code(Failure::Died { rank: 0, ending: Ending::Exited(3) }), 3);
        assert_eq!(code(Failure::WithoutFinalize { rank: 0 }), 1);
        let abort =
            |number| code(Failure::Aborted { rank: 0, code: number, message: String::new() });
        assert_eq!((abort(7), abort(0), abort(256), abort(-1)), (7, 0, 1, 255));
    }

    #[test]
    fn a_crash_outweighs_what_it_causes() {
        let crash = Failure::Died { rank: 1, ending: Ending::Killed(11) };
        let abort = Failure::Aborted { rank: 0, code: 1, message: String::new() };
        assert!(crash.weight() > abort.weight());
    }

    #[test]
    fn every_message_about_a_host_says_what_to_try() {
        let (command, output) = ("ssh x /opt/bin/mpiexec".to_owned(), String::new());
        let slurm = |name: &str| match name {
            "SLURM_JOB_ID" => Some("7".to_owned()),
            "SLURM_JOB_NODELIST" => Some("n[1-2]".to_owned()),
            _ => None,
        };
        let outside = other_allocation("n3", "srun --nodelist=n3 x", slurm);
        assert_eq!(outside.as_deref(), Some("n[1-2]"));
        for (host, command) in [("n2", "srun --nodelist=n2 x"), ("n3", "ssh n3 x")] {
            assert_eq!(other_allocation(host, command, slurm), None);
        }
        let ended = |ending, output: &str| HostFailure::StarterEnded {
            command: command.clone(),
            output: output.into(),
            ending,
        };
        let whys = [
            HostFailure::NotStarted(LaunchError::new("ssh is not on this host", "installing it")),
            ended(Ending::Exited(127), ""),
            ended(Ending::Killed(9), ""),
            ended(Ending::Exited(255), "Could not resolve hostname"),
            ended(Ending::Exited(255), "Permission denied (publickey)"),
            ended(Ending::Exited(1), "mpiexec: different builds; try: the same installation"),
            ended(Ending::Exited(1), "anything"),
            HostFailure::Late { seconds: 30, output },
            HostFailure::Lost("it closed the connection".into()),
            HostFailure::Changed,
            HostFailure::Silent(None),
            HostFailure::Silent(Some(("eth0".into(), true))),
            HostFailure::Silent(Some(("eth0".into(), false))),
        ];
        for why in whys {
            let message = host_message("node2", "1", 0, &why, "node1");
            assert_eq!(message.matches("try: ").count(), 1, "{message}");
            assert!(message.contains("\n  who: rank 1 on node2\n  try: "), "{message}");
        }
    }

    #[test]
    fn a_silent_host_is_reported_with_the_link_that_leads_to_it() {
        let message = |link: Option<(&str, bool)>| {
            let link = link.map(|(name, is_up)| (name.to_owned(), is_up));
            host_message("node2", "1", 0, &HostFailure::Silent(link), "node1")
        };
        let down = message(Some(("eth0", false)));
        assert!(down.contains("node2 is lost: the link of eth0 on node1 is down;"), "{down}");
        let up = message(Some(("eth0", true)));
        assert!(up.contains("node2 is lost: it does not answer over eth0;"), "{up}");
        assert!(message(None).contains("node2 is lost: it does not answer;"));
    }

    #[test]
    fn signals_have_names() {
        assert_eq!(signal_name(11), "SIGSEGV (it used an invalid address)");
        assert_eq!(signal_name(40), "signal 40");
        assert!(shell_code(139).contains("SIGSEGV"));
        assert_eq!(shell_code(3), "");
    }
}
