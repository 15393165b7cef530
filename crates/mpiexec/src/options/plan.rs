//! The job that a command line describes.

use crate::binding::Binding;
use crate::check;
use crate::labels::Pattern;
use nemesis_wireup::hosts::Host;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Which variables of the environment of `mpiexec` a program gets.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Inherit {
    #[default]
    All,
    Only(Vec<String>),
}

/// One program of the job: what stands between two colons (MPI 5.0 §11.5).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Program {
    pub processes: u32,
    pub path: OsString,
    pub arguments: Vec<OsString>,
    pub directory: Option<OsString>,
    /// The folders in which the program is looked for first, separated by colons.
    pub search: Option<OsString>,
    pub inherit: Inherit,
    pub variables: Vec<(OsString, OsString)>,
    /// The hosts of this program, if the user has given any.
    #[serde(skip)]
    pub hosts: Option<Vec<Host>>,
}

/// The ranks that get standard input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StdinFor {
    Rank(u32),
    All,
    Nobody,
}

/// The profile that the user asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProfilePlan {
    /// The folder for its files.
    pub folder: PathBuf,
    /// Whether it has a trace.
    pub trace: bool,
}

/// Where the output of the ranks goes, and what stands before each line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OutputPlan {
    /// What stands before each line.
    pub prefix: Option<Pattern>,
    /// Whether the time stands before each line.
    pub times: bool,
    /// The files of standard output and standard error; without one the stream of `mpiexec`.
    pub files: [Option<Pattern>; 2],
    /// Whether folders of these files are made.
    pub makes_folders: bool,
    /// Whether output goes to the streams of `mpiexec`, too, if it goes to files.
    pub copies: bool,
}

/// What is told on standard error before the ranks start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Display {
    /// Which rank is on which host.
    pub map: bool,
    /// The hosts and their slots.
    pub allocation: bool,
}

/// The order in which ranks are numbered, whatever the order of placing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankBy {
    /// All ranks of a host one after the other.
    Slot,
    /// One rank on each host in turn.
    Node,
}

/// The job that a command line describes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    pub programs: Vec<Program>,
    /// Which variables all programs get, and those that are set for all: for jobs that are spawned.
    pub inherit: Inherit,
    pub variables: Vec<(OsString, OsString)>,
    /// The hosts for programs without hosts of their own; empty for this host.
    pub hosts: Vec<Host>,
    /// Whether each host gets one rank in its turn.
    pub by_node: bool,
    /// The order of numbers, if it is not that of placing.
    pub rank_by: Option<RankBy>,
    pub binding: Binding,
    /// The command that starts an agent, if the user has given one.
    pub agent: Option<String>,
    /// The directory of the library on other hosts, if the user has given one.
    pub prefix: Option<String>,
    /// The TCP ports that may be listened on; 0 to 0 for any.
    pub ports: (u16, u16),
    /// The interfaces that may be used, as `Choice` reads them; empty for all.
    pub net: String,
    pub output: OutputPlan,
    /// Whether standard error of the ranks is their standard output.
    pub merges: bool,
    pub verbose: bool,
    /// The value of `MPI_UNIVERSE_SIZE`, if it has one.
    pub universe: Option<u32>,
    pub stdin: StdinFor,
    /// Whether a job that can never continue is only told, and not ended.
    pub tells_deadlocks: bool,
    /// Time of fruitless waits and tests after which the user is told.
    pub notice_after: Duration,
    /// Time after which the job is ended.
    pub time_limit: Option<Duration>,
    /// Whether the other ranks go on when one has failed.
    pub goes_on: bool,
    /// Whether the ranks are told of each other's ends, and go on without those that fail.
    pub is_tolerant: bool,
    /// Whether the exit code of each rank is told.
    pub tells_codes: bool,
    /// Whether the processors of each rank are told.
    pub tells_bindings: bool,
    pub display: Display,
    /// Whether nothing is started.
    pub only_shows: bool,
    /// Where the process id of `mpiexec` is written: `-`, `+`, or a file.
    pub pid_to: Option<String>,
    /// Options that have no effect.
    pub unused: Vec<String>,
    /// The profile to make, if the user asks for one.
    pub profile: Option<ProfilePlan>,
    /// What is done with the findings of the development checks.
    pub check: check::Options,
}

impl Plan {
    /// Returns the number of ranks.
    pub fn processes(&self) -> u32 {
        self.programs.iter().map(|program| program.processes).sum()
    }

    /// Returns the note about options that have no effect, if there are any.
    pub fn note(&self) -> Option<String> {
        let list = self.unused.join(", ");
        (!list.is_empty()).then(|| {
            format!(
                "mpiexec: without effect here: {list}; `mpiexec -help moving` says why, \
                 and -q leaves this line out"
            )
        })
    }
}

/// What a command line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    Run(Box<Plan>),
    /// A text for standard output.
    Tell(String),
}
