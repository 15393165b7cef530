//! `nemesis`: questions about an installation of the library.
//!
//! | file | what |
//! |---|---|
//! | `bench` | how fast it is here, beside the hardware's limit and other libraries |
//! | `info` | what is installed, and what this host allows |
//! | `probe` | the processes that `bench` and `info` start beside them |
//! | `installation` | where the library, its headers and the C sources of the measurements lie |
//! | `diagnostic` | what is said when something fails: what, why, what to try |

mod bench;
mod diagnostic;
mod info;
mod installation;
mod probe;

use clap::Parser;
use std::process::ExitCode;

#[derive(Parser)]
#[command(
    name = "nemesis",
    version,
    about = "Measures an installation of Nemesis, and says what it finds on this host"
)]
enum Command {
    /// Measure latency, bandwidth, message rate, barrier and start-up; print a table, draw plots
    Bench(bench::Options),
    /// Say what is installed and what this host allows
    Info,
    #[command(subcommand, hide = true)]
    Probe(probe::Role),
}

fn main() -> ExitCode {
    let outcome = match Command::parse() {
        Command::Bench(options) => bench::run(&options),
        Command::Info => info::run(),
        Command::Probe(role) => probe::run(&role),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(diagnostic) => {
            eprintln!("nemesis: {diagnostic}");
            ExitCode::FAILURE
        }
    }
}
