//! What one host has found out about itself, and the dialogue between the hosts' probes and the
//! command.
//!
//! ```text
//!   command ── mpiexec -host H ──▶ probe on H:  examines the host, listens on a port
//!           ◀── HostReport, one line of JSON ──
//!           ── the other hosts' Targets ──▶     connects to them
//!           ◀── Attempts ──
//!           ── end of input ──▶                 ends
//! ```

use super::commands::{self, Found};
use super::finding::Finding;
use super::limits::{self, Limit};
use super::mpi_library::MpiLibrary;
use super::network::{self, Target};
use super::program::{self, Program};
use super::python::{self, Python};
use super::wheels;
use crate::diagnostic::Diagnostic;
use crate::info::siblings;
use nemesis_sys::host;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write};
use std::path::PathBuf;

/// What a host says about itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HostReport {
    pub host: String,
    /// The version of this command there.
    pub version: String,
    pub machine: String,
    /// The folder of our libraries there.
    pub libraries: PathBuf,
    pub commands: Vec<Found>,
    /// The MPI libraries in `LD_LIBRARY_PATH`.
    pub library_path: Vec<MpiLibrary>,
    pub program: Option<Program>,
    pub pythons: Vec<Python>,
    pub limits: Vec<Limit>,
    /// Number of processors that jobs may use.
    pub processors: usize,
    /// Number of descriptors that a process may have: the hard limit.
    pub descriptors: u64,
    pub target: Option<Target>,
    pub findings: Vec<Finding>,
}

/// Returns the folders of our commands and of our libraries: those of the tree that contains this
/// program.
fn own_folders() -> (PathBuf, PathBuf) {
    let program = std::env::current_exe().unwrap_or_default();
    let bin = program.parent().unwrap_or(&program).to_owned();
    let lib = bin.parent().unwrap_or(&bin).join("lib");
    (bin, lib)
}

/// Returns the tree that contains this program.
pub fn own_prefix() -> Option<PathBuf> {
    Some(own_folders().0.parent()?.to_owned())
}

/// Examines this host.
fn examine(word: Option<&str>) -> HostReport {
    let name = host::hostname();
    let (bin, lib) = own_folders();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let commands = commands::on_path(&path);
    let program = word.map(program::examine);
    let pythons = python::all(program.as_ref().and_then(Program::python), &path);
    let (limits, mut findings) = limits::examine(siblings::probe());
    findings.extend(commands::judge(&commands, &bin));
    findings.extend(program.iter().flat_map(|program| program::judge(program, &lib)));
    findings.extend(pythons.iter().filter_map(|python| python::judge(python, &lib)));
    findings.extend(own_prefix().as_deref().map(wheels::judge).unwrap_or_default());
    let target = match network::listen(&name) {
        Ok(target) => Some(target),
        Err(why) => {
            findings.push(Finding::problem(
                "this host cannot listen for connections",
                why,
                "another -port-range or -net",
            ));
            None
        }
    };
    HostReport {
        version: nemesis_wireup::build::own().to_owned(),
        machine: std::env::consts::ARCH.to_owned(),
        libraries: lib,
        library_path: commands::in_library_path(std::env::var("LD_LIBRARY_PATH")),
        findings: findings.into_iter().map(|finding| finding.on(&name)).collect(),
        host: name,
        commands,
        program,
        pythons,
        limits,
        processors: host::usable_cores(),
        descriptors: nemesis_sys::descriptors::most(),
        target,
    }
}

/// The probe: prints the report of this host, and answers questions until standard input ends.
pub fn answer(word: Option<&str>) -> Result<(), Diagnostic> {
    let report = examine(word);
    say(&report)?;
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let targets: Vec<Target> = serde_json::from_str(&line).map_err(|why| {
            Diagnostic::new("reading the other hosts' addresses", why, "`nemesis doctor`")
        })?;
        let attempts: Vec<network::Attempt> =
            targets.iter().flat_map(|target| network::reach(&report.host, target)).collect();
        say(&attempts)?;
    }
    Ok(())
}

/// Prints one line of JSON.
fn say(value: &impl Serialize) -> Result<(), Diagnostic> {
    let failed = |why: std::io::Error| {
        Diagnostic::new("writing to the command", why, "reading what mpiexec says")
    };
    let line = serde_json::to_string(value).map_err(|why| failed(why.into()))?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(failed)
}
