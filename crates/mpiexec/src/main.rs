//! `mpiexec`: starts the ranks of a job on this machine, serves them PMI-1, carries their output, and leaves nothing behind.
//!
//! ```text
//!   user ──options──▶ job ──starts──▶ rank 0 … rank N-1        each a process group, tied to our life
//!                      │ ◀─PMI-1────▶ (pmi)                    cards, barriers, names, abort
//!                      │ ◀─pipes───── (output, stdin)          whole lines
//!                      │ ──pipe─────▶ watchdog                 cleans up if we are killed
//! ```
//!
//! One thread, one loop (`job`), nothing printed on success. MPI 5.0 §11.5 describes the command.

mod job;
mod options;
mod outlet;
mod output;
mod pmi;
mod rank;
mod stdin;
mod sweep;
mod verdict;
mod watchdog;

use options::Request;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// For a command line that cannot be understood.
const USAGE_ERROR: u8 = 2;

fn main() -> ExitCode {
    let mut words = std::env::args_os();
    if words.next().is_some_and(|name| name == watchdog::NAME) {
        watchdog::watch();
        return ExitCode::SUCCESS;
    }
    match options::read(&words.collect::<Vec<OsString>>()) {
        Ok(Request::Help) => tell(&options::help()),
        Ok(Request::Version) => tell(concat!("mpiexec (Nemesis) ", env!("CARGO_PKG_VERSION"), "\n")),
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

fn tell(text: &str) -> ExitCode {
    // A reader that has enough (`mpiexec -help | head`) is no failure.
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}
