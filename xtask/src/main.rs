//! Tools of this repository: `cargo xtask COMMAND`.
//!
//! * `generate` writes the files that follow from `api/`: headers, constants, C entry points,
//!   layout tests, the README's table;
//! * `generate --check` fails if a committed one is stale;
//! * `fortran DIR` writes `mpif.h` and the sources of the Fortran modules;
//! * `fortran-calls DIR` writes programs that call every procedure of Fortran, for tests;
//! * `abi` compares the symbols of the built libraries with the table;
//! * `signature NAME` prints the signature that the implementation of a function must have;
//! * `simulate --seeds N [--seed S] [--ranks R] [--hosts H]` runs random programs as simulated
//!   jobs;
//! * `model [OPTIONS]` tells what collective operations cost in jobs of any size, by a model;
//! * `jobs SUITE [CASE...]` runs tests of whole jobs, `jobs with-hosts` a command among simulated
//!   hosts;
//! * `check [-q | STAGE...]` runs all tests, or stages of them, or those before each commit;
//! * `startup [FILE.svg]` tells what the start of a job costs on up to a million simulated ranks;
//! * `tidy` checks the project's rules that no compiler knows;
//! * `check-aarch64 [STEP...]` runs the tests for aarch64 under emulation;
//! * `wheel [ARCH]` packs a release build as a Python wheel;
//! * `check-wheel` installs and tries the wheel in environments of Python;
//! * `dist [ADDRESS]` packs the last commit as an archive that builds without a network, and writes
//!   the recipes of package managers for it; `dist --check` tries it;
//! * `deb` builds Debian packages from that archive; `deb --check` installs them in new systems;
//! * `release VERSION` names the next release wherever the version stands.

mod aarch64;
mod api;
mod bindings;
mod check;
mod commands;
mod constants;
mod deb;
mod dist;
mod fortran;
mod headers;
mod layouts;
mod manuals;
mod metadata;
mod output;
mod profile;
mod readme;
mod release;
mod startup;
mod symbols;
mod tidy;
mod wheel;

use api::{Abi, Api};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "cargo xtask check [-q | STAGE...] | generate [--check] | fortran DIR | \
                     fortran-mpich DIR | fortran-calls DIR | manuals DIR | abi | \
                     signature MPI_NAME | simulate ARGUMENTS | model ARGUMENTS | jobs ARGUMENTS | \
                     startup [FILE.svg] | tidy | check-aarch64 [STEP...] | wheel [ARCH] | \
                     check-wheel | dist [ADDRESS] | dist --check | deb | deb --check | \
                     release VERSION";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let root = root();
    match words[..] {
        ["generate"] => output::write(&generate(&root), &root),
        ["generate", "--check"] => ExitCode::from(generated_is_right(&root)),
        ["check", ref words @ ..] => check::run(&root, words),
        ["fortran", folder] => fortran::write(&Api::load(&root), Abi::Standard, Path::new(folder)),
        ["fortran-mpich", folder] => {
            fortran::write(&Api::load(&root), Abi::Mpich, Path::new(folder))
        }
        ["fortran-calls", folder] => fortran::write_calls(&Api::load(&root), Path::new(folder)),
        ["manuals", folder] => manuals::write(&root, Path::new(folder)),
        ["abi"] => symbols::check(&Api::load(&root)),
        ["signature", name] => {
            let api = Api::load(&root);
            println!("{}", bindings::body_signature(&api, api.function(name)));
            ExitCode::SUCCESS
        }
        ["simulate", ref arguments @ ..] => simulate(&root, arguments),
        ["model", ref arguments @ ..] => model(&root, arguments),
        ["jobs", ref arguments @ ..] => jobs(&root, arguments),
        ["startup", ref words @ ..] if words.len() < 2 => startup::run(&root, words),
        ["tidy"] => tidy::check(&root),
        ["check-aarch64", ref words @ ..] => aarch64::check(&root, words),
        ["wheel"] => wheel::make(&root, None),
        ["dist"] => dist::make(&root, None),
        ["dist", "--check"] => dist::check(&root),
        ["dist", address] => dist::make(&root, Some(address)),
        ["deb"] => deb::make(&root),
        ["deb", "--check"] => deb::check(&root),
        ["release", version] => release::make(&root, version),
        ["wheel", architecture] => wheel::make(&root, Some(architecture)),
        ["check-wheel"] => wheel::check_installed(&root),
        _ => {
            eprintln!("usage: {USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Builds the simulation and runs it.
fn simulate(root: &Path, arguments: &[&str]) -> ExitCode {
    let mut command = commands::cargo();
    command.current_dir(root).args(["run", "--quiet", "--package", "nemesis-simulation", "--"]);
    end_as(command.args(arguments))
}

/// Builds the model of collectives and runs it.
fn model(root: &Path, arguments: &[&str]) -> ExitCode {
    let mut command = commands::cargo();
    command.current_dir(root).args(["run", "--quiet", "--package", "nemesis-model", "--"]);
    end_as(command.args(arguments))
}

/// Builds the tests of jobs and runs some.
fn jobs(root: &Path, arguments: &[&str]) -> ExitCode {
    end_as(Command::new(root.join("scripts/jobs")).args(arguments))
}

/// Runs a command, and returns the exit code of what it runs.
fn end_as(command: &mut Command) -> ExitCode {
    match command.status() {
        Ok(status) => ExitCode::from(status.code().map_or(1, |code| code as u8)),
        Err(why) => {
            eprintln!("{command:?} cannot be started: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the generated files that are committed are those which would be generated: 0 or 1.
fn generated_is_right(root: &Path) -> u8 {
    let checks = [output::check(&generate(root), root), manuals::check(root)];
    u8::from(checks.iter().any(|check| *check != ExitCode::SUCCESS))
}

fn generate(root: &Path) -> Vec<output::File> {
    let api = Api::load(root);
    let mut files = Vec::new();
    files.extend(headers::generate(&api));
    files.extend(constants::generate(&api));
    files.extend(bindings::generate(&api));
    files.extend(fortran::generate(&api));
    files.extend(layouts::generate(&api));
    files.extend(profile::generate(&api));
    files.extend(readme::generate(&api));
    files
}

/// Returns the root of the repository: the folder above this crate, where cargo found it.
fn root() -> PathBuf {
    let crate_folder =
        std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&crate_folder).parent().expect("xtask lies in the repository").into()
}
