//! `mpiexec`: starts the ranks of a job on one host or many, serves them PMI-1, carries their output, and leaves nothing behind.
//!
//! ```text
//!   user ──options──▶ job ──starts──▶ rank 0 … rank N-1        each a process group, tied to our life
//!                      │ ◀─PMI-1────▶ (pmi)                    cards, barriers, names, abort
//!                      │ ◀─pipes───── (output, stdin)          whole lines
//!                      │ ──pipe─────▶ watchdog                 cleans up if we are killed
//!                      │ ◀─TCP──────▶ (tree)                   the same program on other hosts, as their node agent
//! ```
//!
//! One thread, one loop (`job`), nothing printed on success. MPI 5.0 §11.5 describes the command.

mod binding;
mod exit_status;
mod hosts;
mod job;
mod launch_spec;
mod options;
mod orphan_cleanup;
mod output;
mod output_sink;
mod placement;
mod pmi;
mod rank;
#[cfg(test)]
mod simulation;
mod stdin;
mod tree;
mod watchdog;

use options::Request;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use tree::invitation;
use tree::starter::AGENT_OPTION;

/// For a command line that cannot be understood.
const USAGE_ERROR: u8 = 2;

fn main() -> ExitCode {
    let mut words = std::env::args_os();
    if words.next().is_some_and(|name| name == watchdog::NAME) {
        watchdog::watch();
        return ExitCode::SUCCESS;
    }
    let words: Vec<OsString> = words.collect();
    if words.first().is_some_and(|word| word == AGENT_OPTION) {
        return agent();
    }
    match options::read(&words, |name| std::env::var(name).ok()) {
        Ok(Request::Help) => tell(&options::help()),
        Ok(Request::Version) => {
            tell(concat!("mpiexec (Nemesis) ", env!("CARGO_PKG_VERSION"), "\n"))
        }
        Ok(Request::Run(plan)) => match job::run(&plan) {
            Ok(code) => ExitCode::from((code & 0xff) as u8),
            Err(why) => {
                eprintln!("mpiexec: {why}");
                ExitCode::FAILURE
            }
        },
        Err(mistake) => {
            eprintln!("mpiexec: {mistake}");
            ExitCode::from(USAGE_ERROR)
        }
    }
}

/// A node agent's whole life; its standard input is its invitation.
fn agent() -> ExitCode {
    let accepted =
        invitation::read(std::io::stdin().lock()).and_then(|invitation| invitation.accept());
    match accepted.and_then(job::run_agent) {
        Ok(_) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("mpiexec: {why}");
            ExitCode::FAILURE
        }
    }
}

fn tell(text: &str) -> ExitCode {
    // A reader that has enough (`mpiexec -help | head`) is no failure.
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}
