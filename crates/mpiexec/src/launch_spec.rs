//! The description of a job that every launcher of the job has. A node agent receives it as the
//! first message of its parent.

use crate::binding::Binding;
use crate::options::{Program, StdinFor};
use crate::placement::Share;
use nemesis_wireup::mapping::{self, Run};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;

/// The part of the description that is equal on all hosts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Common {
    /// Number of ranks of the job.
    pub size: u32,
    /// Name of the PMI key-value space.
    pub space: String,
    /// The job key, in hexadecimal.
    pub key: String,
    /// The mark that the environment of every process of the job carries.
    pub mark: String,
    /// Which rank is on which node, in PMI's notation.
    pub mapping: String,
    /// The value of `MPI_UNIVERSE_SIZE`.
    pub universe: Option<u32>,
    /// Whether another job has spawned this one.
    pub is_spawned: bool,
    pub programs: Vec<Program>,
    /// The environment of `mpiexec`, from which programs inherit.
    pub environment: Vec<(OsString, OsString)>,
    /// The working directory of `mpiexec`.
    pub directory: PathBuf,
    pub verbose: bool,
    /// Whether the standard input of `mpiexec` is a terminal.
    pub interactive: bool,
    pub binding: Binding,
    pub stdin: StdinFor,
    /// Whether standard error of the ranks is their standard output.
    pub merges: bool,
    /// Whether the other ranks go on when one has failed.
    pub goes_on: bool,
    /// Whether the ranks are told of each other's ends, and go on without those that fail.
    pub is_tolerant: bool,
    /// Whether the exit code of each rank is told.
    pub tells_codes: bool,
    /// Whether the processors of each rank are told.
    pub tells_bindings: bool,
    /// The command that starts an agent (see `tree::starter`).
    pub agent: Vec<String>,
    /// The path of the agent program on other hosts.
    pub agent_path: String,
    /// The TCP ports that may be listened on; 0 to 0 for any.
    pub ports: (u16, u16),
    /// The interfaces that may be used, as `-net` gives them.
    pub net: String,
    /// Whether the profile that the user asks for has a trace; `None` without a profile.
    pub profile: Option<bool>,
}

/// The job as one launcher receives it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LaunchSpec {
    pub common: Common,
    /// The ranks of this host.
    pub here: Share,
    /// The ranks of the other hosts of this subtree.
    pub below: Vec<Share>,
}

impl Common {
    /// Returns the number of the program that a rank runs.
    pub fn program_of(&self, rank: u32) -> u32 {
        let mut before = 0;
        let found = self.programs.iter().position(|program| {
            before += program.processes;
            rank < before
        });
        found.unwrap_or(self.programs.len() - 1) as u32
    }
}

/// Returns the PMI mapping of a job with these shares. The host of the first share is node 0.
pub fn mapping_of(shares: &[Share]) -> String {
    let mut runs: Vec<(u32, Run)> = Vec::new();
    for (node, share) in shares.iter().enumerate() {
        runs.extend(
            share.runs.iter().map(|run| (run.first, Run { node: node as u32, ranks: run.ranks })),
        );
    }
    runs.sort_by_key(|run| run.0);
    mapping::compose(&runs.into_iter().map(|run| run.1).collect::<Vec<Run>>())
}
