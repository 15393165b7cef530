//! `mpiexec`: starts the ranks of a job on one host or many, serves them PMI-1, forwards their
//! output, and leaves no process behind.
//!
//! ```text
//!   user ──options──▶ job ──starts──▶ rank 0 … rank N-1    each a process group, ends with mpiexec
//!                      │ ◀─PMI-1────▶ (pmi)                cards, barriers, names, abort
//!                      │ ◀─pipes───── (output, stdin)      whole lines
//!                      │ ──pipe─────▶ watchdog             cleans up if mpiexec is killed
//!                      │ ◀─TCP──────▶ (tree)               node agents (mpiexec on other hosts)
//! ```
//!
//! One thread runs one event loop (`job`). A job that succeeds prints nothing of its own. MPI 5.0
//! §11.5 describes the command line.

mod agent_commands;
mod binding;
mod check;
mod exit_status;
mod job;
mod labels;
mod launch_error;
mod launch_spec;
mod open_mpi;
mod options;
mod orphan_cleanup;
mod output;
mod output_files;
mod output_sink;
mod placement;
mod pmi;
mod rank;
mod rank_state;
mod repeats;
#[cfg(test)]
mod simulation;
mod slots;
mod spawned;
mod stdin;
mod tree;
mod watchdog;

use launch_error::LaunchError;
use options::Request;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use tree::bootstrap;
use tree::starter::AGENT_OPTION;

/// Exit code for a command line that cannot be parsed.
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
    if let Some((_, inherited)) =
        words.split_first().filter(|(word, _)| *word == spawned::SPAWNED_OPTION)
    {
        let accepted = spawned::accept(inherited);
        return exit_code(accepted.and_then(|(plan, spawner)| job::run(&plan, Some(spawner))));
    }
    match options::read(&words, |name| std::env::var(name).ok()) {
        Ok(Request::Tell(text)) => print_answer(&text),
        Ok(Request::Run(plan)) => {
            plan.note().iter().for_each(nemesis_sys::message::tell);
            exit_code(job::run(&plan, None))
        }
        Err(error) => {
            nemesis_sys::message::tell(format_args!("mpiexec: {error}"));
            ExitCode::from(USAGE_ERROR)
        }
    }
}

/// Returns the exit code of a job; prints an error of the launcher itself.
fn exit_code(outcome: Result<i32, LaunchError>) -> ExitCode {
    match outcome {
        Ok(code) => ExitCode::from((code & 0xff) as u8),
        Err(why) => {
            nemesis_sys::message::tell(format_args!("mpiexec: {why}"));
            ExitCode::FAILURE
        }
    }
}

/// Runs a node agent, which reads its bootstrap record from standard input.
fn agent() -> ExitCode {
    let accepted =
        bootstrap::read(std::io::stdin().lock()).and_then(|bootstrap| bootstrap.accept());
    match accepted.and_then(job::run_agent) {
        Ok(_) => ExitCode::SUCCESS,
        Err(why) => {
            nemesis_sys::message::tell(format_args!("mpiexec: {why}"));
            ExitCode::FAILURE
        }
    }
}

fn print_answer(text: &str) -> ExitCode {
    match std::io::stdout().write_all(text.as_bytes()) {
        // A reader that closes the pipe early (`mpiexec -help | head`) is not an error.
        Err(why) if why.kind() != std::io::ErrorKind::BrokenPipe => {
            nemesis_sys::message::tell(format_args!(
                "mpiexec: writing to standard output: {why}; try: space for the file that it goes \
                 to, or another file"
            ));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
