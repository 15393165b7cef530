//! What a launcher is to start: the same for `mpiexec` itself and for each node agent, who gets it as the first message.

use crate::binding::Binding;
use crate::options::{Program, StdinFor};
use crate::placement::Share;
use nemesis_wireup::mapping::{self, Run};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;

/// What is the same on all hosts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Common {
    pub size: u32,
    /// Name of the key-value space.
    pub space: String,
    /// The job key, in hexadecimal.
    pub key: String,
    /// The job's mark in its processes' environments.
    pub mark: String,
    /// Which rank is on which node.
    pub mapping: String,
    pub universe: Option<u32>,
    pub programs: Vec<Program>,
    /// mpiexec's own environment: what programs get unless they say otherwise.
    pub environment: Vec<(OsString, OsString)>,
    /// mpiexec's own directory.
    pub directory: PathBuf,
    pub verbose: bool,
    /// Somebody sits at a terminal and may be asked something.
    pub interactive: bool,
    pub binding: Binding,
    pub stdin: StdinFor,
    /// The command that starts an agent; see `tree::starter`.
    pub agent: Vec<String>,
    /// The agent's program on the other hosts.
    pub agent_path: String,
    /// The ports that may be listened on; 0 to 0: any.
    pub ports: (u16, u16),
    /// The interfaces that may be used, as -net says it.
    pub net: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LaunchSpec {
    pub common: Common,
    /// What is to be started on this host.
    pub here: Share,
    /// The other hosts of this subtree.
    pub below: Vec<Share>,
}

impl Common {
    /// The program that a rank runs.
    pub fn program_of(&self, rank: u32) -> u32 {
        let mut before = 0;
        let found = self.programs.iter().position(|program| {
            before += program.processes;
            rank < before
        });
        found.unwrap_or(self.programs.len() - 1) as u32
    }
}

/// The mapping of a job whose hosts have these shares: the first share's host is node 0.
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
