//! `nemesis-jobs SUITE [CASE...]` runs the tests of whole jobs; other commands are those of
//! simulated hosts. `cargo xtask jobs` builds and runs it.

use nemesis_jobs::{hosts, launcher, slurm, stacks, suites};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, rest)) = words.split_first() else { return usage() };
    match (command.as_str(), rest) {
        ("with-hosts", rest) => hosts::with_hosts(rest),
        ("with-slurm", rest) => slurm::with_slurm(rest),
        ("launch", rest) => launcher::launch(rest),
        ("hold", [folder, name]) => hosts::hold(Path::new(folder), name),
        ("ssh", [folder, rest @ ..]) => hosts::ssh(Path::new(folder), rest),
        ("cut-host", [folder, rest @ ..]) => hosts::cut_or_join(Path::new(folder), "down", rest),
        ("join-host", [folder, rest @ ..]) => hosts::cut_or_join(Path::new(folder), "up", rest),
        ("stacks", [variable]) => {
            nemesis_jobs::say!("{}", stacks::of(variable).trim_end());
            ExitCode::SUCCESS
        }
        (name, rest) => match suites::ALL.iter().find(|suite| suite.name == name) {
            Some(suite) => {
                let sum = (suite.run)(rest);
                nemesis_jobs::say!(
                    "{} passed, {} failed, {} skipped",
                    sum.passed,
                    sum.failed,
                    sum.skipped
                );
                ExitCode::from(sum.code())
            }
            None => usage(),
        },
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: nemesis-jobs SUITE [CASE...], or with-hosts, with-slurm, stacks\n");
    for suite in suites::ALL {
        eprintln!("    {:<12} {}", suite.name, suite.about);
    }
    ExitCode::from(2)
}
