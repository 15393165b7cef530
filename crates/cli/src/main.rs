//! `nemesis`: measures and describes an installation of the library.
//!
//! | file | what |
//! |---|---|
//! | `bench` | performance on this host, beside the hardware's limit and other libraries |
//! | `doctor` | what keeps jobs from running on some hosts, or slows them down |
//! | `info` | what is installed, and what this host permits |
//! | `top` | what the ranks of a running job do |
//! | `probe` | the helper processes of the other commands |
//! | `completion` | the completion of bash, which a test writes |
//! | `installation` | the paths of the library, its headers and the sources of the measurements |
//! | `diagnostic` | error messages: what failed, why, what to try |
//! | `output` | `print!` and `println!` to a standard output that may refuse them |

#[macro_use]
mod output;

mod bench;
mod completion;
mod diagnostic;
mod doctor;
mod info;
mod installation;
mod probe;
mod top;

use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

#[derive(Parser)]
#[command(
    name = "nemesis",
    version,
    about = "Measures and examines an installation of Nemesis, and hosts for jobs",
    max_term_width = 80
)]
enum Command {
    /// Measure latency, bandwidth, message rate, barrier and start-up; print a table, draw plots
    Bench(bench::Options),
    /// Print what is installed and what this host permits
    Info(info::Options),
    /// Say what keeps jobs from running on some hosts, or slows them down; exit with 1 if something
    /// does
    Doctor(doctor::Options),
    /// Show what the ranks of a running job do: calls, waiting, messages
    Top(top::Options),
    #[command(subcommand, hide = true)]
    Probe(probe::Role),
}

fn main() -> ExitCode {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if words.get(1).is_some_and(|word| word == "doctor") {
        words = words.into_iter().map(doctor::with_two_dashes).collect();
    }
    let succeeded = |()| ExitCode::SUCCESS;
    let outcome = match Command::parse_from(words) {
        Command::Bench(options) => bench::run(&options).map(succeeded),
        Command::Info(options) => info::run(&options).map(succeeded),
        Command::Doctor(options) => doctor::run(&options),
        Command::Top(options) => top::run(&options).map(succeeded),
        Command::Probe(role) => probe::run(&role).map(succeeded),
    };
    match outcome {
        Ok(code) => code,
        Err(diagnostic) => {
            eprintln!("nemesis: {diagnostic}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// Examines the help of a command and of those below it.
    fn fits(mut command: clap::Command) {
        for help in [command.render_help(), command.render_long_help()] {
            let text = help.to_string();
            let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
            assert!(long.is_empty(), "{}: {long:#?}", command.get_name());
        }
        command.get_subcommands().cloned().for_each(fits);
    }

    #[test]
    fn the_help_fits_a_terminal() {
        let mut command = Command::command();
        // Settings of the command reach those below it.
        command.build();
        fits(command);
    }
}
