//! The state of a launcher's part of the job, on which the other modules of `job` work.

use super::connections::ChildAgents;
use super::counters::Counters;
use super::foreign_library::Looks;
use super::report_progress::StateReports;
use super::signals::Interruption;
use crate::check::{self, Findings};
use crate::exit_status::Failure;
use crate::orphan_cleanup::OrphanCleanup;
use crate::output_sink::OutputSink;
use crate::placement::Share;
use crate::pmi::Server;
use crate::rank::{Facts, Rank};
use crate::slots::Ledger;
use crate::spawned::Spawner;
use crate::stdin::Pump;
use crate::tree::link::Link;
use crate::tree::message::{LateExit, Report};
use crate::watchdog::Watchdog;
use nemesis_profile::figures::Figures;
use nemesis_shm::told_deaths::DeathsOfNode;
use nemesis_sys::memfd::Memory;
use nemesis_sys::memory_kills::MemoryKills;
use nemesis_sys::process::SignalQueue;
use rustix::fd::OwnedFd;
use rustix::process::Pid;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Tokens of epoll events: the upper half is the kind, the lower half an index into the list that
/// belongs to the kind.
pub(super) mod token {
    pub const SIGNAL: u64 = 1 << 32;
    pub const PMI: u64 = 2 << 32;
    pub const OUT: u64 = 3 << 32;
    pub const ERR: u64 = 4 << 32;
    pub const SINK: u64 = 5 << 32;
    pub const INPUT: u64 = 6 << 32;
    pub const FEED: u64 = 7 << 32;
    pub const MPI_PROCESS: u64 = 8 << 32;
    pub const PARENT_LINK: u64 = 9 << 32;
    pub const LISTENER: u64 = 10 << 32;
    pub const PENDING: u64 = 11 << 32;
    pub const CHILD_AGENT: u64 = 12 << 32;
    pub const STARTER: u64 = 13 << 32;
    pub const SPAWNER: u64 = 14 << 32;
    pub const KIND: u64 = !0 << 32;
}

/// A phase of the job, with its deadline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Running,
    Lingering(Instant),
    Terminating(Instant),
    Killing(Instant),
    Over,
}

/// The state of a launcher while its part of the job runs.
pub(super) struct Job {
    pub(super) epoll: OwnedFd,
    pub(super) signals: SignalQueue,
    /// Signals that this process was started to ignore.
    pub(super) ignored: Vec<i32>,
    pub(super) watchdog: Watchdog,
    pub(super) orphan_cleanup: OrphanCleanup,
    pub(super) host: String,
    pub(super) facts: Facts,
    /// The shared segment of this node.
    pub(super) memory: Memory,
    /// The ranks of this host, by local rank.
    pub(super) ranks: Vec<Rank>,
    pub(super) server: Server,
    pub(super) child_agents: ChildAgents,
    /// The connection to the parent launcher, if this process is an agent.
    pub(super) parent_link: Option<Link>,
    pub(super) out: OutputSink,
    pub(super) err: OutputSink,
    pub(super) pump: Option<Pump>,
    /// Whether epoll watches the pump's source. Epoll refuses regular files.
    pub(super) pump_listens: bool,
    pub(super) phase: Phase,
    /// The failure of this round with the greatest weight, and when the round's first one was
    /// noticed.
    pub(super) failure: Option<(Failure, Instant)>,
    pub(super) code: i32,
    /// The first non-zero exit code after `MPI_Finalize` on this host.
    pub(super) late_exit: Option<LateExit>,
    /// A rank of another host that ended without joining the job: a failure if other ranks wait for
    /// it.
    pub(super) never_joined: Option<Report>,
    /// What the kernel had killed for memory when the job began.
    pub(super) memory_kills: MemoryKills,
    /// The record of deaths of this node, if the job goes on without processes that die.
    pub(super) deaths: Option<DeathsOfNode>,
    /// The ranks that are recorded there.
    pub(super) dead: BTreeSet<u32>,
    /// Whether the parent launcher has been told that all ranks of this subtree have ended.
    pub(super) has_reported_over: bool,
    pub(super) state_reports: StateReports,
    pub(super) foreign_looks: Looks,
    /// The signals that have asked for something.
    pub(super) interruption: Interruption,
    /// When the job's time is over, and how much it has.
    pub(super) ends_at: Option<(Instant, Duration)>,
    /// The tie to the process that spawned this job, until the two have disconnected.
    pub(super) spawner: Option<Spawner>,
    /// The process that has spawned this job, in words.
    pub(super) spawned_by: Option<String>,
    /// When the user is told which processes of this job, which another one has spawned, have not
    /// called `MPI_Init`.
    pub(super) unmet_notice: Option<Instant>,
    /// Process ids of the launchers of jobs that this one has spawned.
    pub(super) spawned_jobs: Vec<Pid>,
    /// Options of `mpiexec` that spawned jobs inherit.
    pub(super) spawn_options: Vec<OsString>,
    /// The slots that this job, and those that it is related to by spawning, have taken. Made by
    /// the first spawn.
    pub(super) ledger: Option<Ledger>,
    /// The hosts of this job's ranks, if this process is the root of the launchers' tree.
    pub(super) shares: Vec<Share>,
    /// The memory in which the ranks of this host count, if the user asks for a profile.
    pub(super) counters: Option<Counters>,
    /// The figures of ranks of other hosts.
    pub(super) figures: Vec<Figures>,
    /// The folder of the profile, if this process writes one.
    pub(super) profile_folder: Option<PathBuf>,
    /// What the development checks have found, and what is done with it.
    pub(super) findings: Findings,
    pub(super) check: check::Options,
}
