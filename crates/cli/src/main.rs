//! `nemesis`: measures and describes an installation of the library.
//!
//! | file | what |
//! |---|---|
//! | `bench` | performance on this host, beside the hardware's limit and other libraries |
//! | `info` | what is installed, and what this host permits |
//! | `probe` | the helper processes of `bench` and `info` |
//! | `installation` | the paths of the library, its headers and the sources of the measurements |
//! | `diagnostic` | error messages: what failed, why, what to try |

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
    about = "Measures an installation of Nemesis, and describes it and this host"
)]
enum Command {
    /// Measure latency, bandwidth, message rate, barrier and start-up; print a table, draw plots
    Bench(bench::Options),
    /// Print what is installed and what this host permits
    Info(info::Options),
    #[command(subcommand, hide = true)]
    Probe(probe::Role),
}

fn main() -> ExitCode {
    let outcome = match Command::parse() {
        Command::Bench(options) => bench::run(&options),
        Command::Info(options) => info::run(&options),
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
