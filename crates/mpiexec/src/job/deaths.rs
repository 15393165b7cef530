//! A job that goes on without ranks that fail (`-ft`): who has ended, and how the others are told.
//!
//! ```text
//!   a rank of this host ends ──▶ the record of deaths in this host's segment, its doorbells
//!        │ Up::Died                                      ▲
//!        ▼                                               │ Down::Died
//!   the root ────────────────────────────────────▶ all launchers
//! ```
//!
//! Every end is recorded, also that of a rank that has finalized: another rank may still wait in
//! `MPI_Finalize` for a word of it. Only an end that is a failure is told to the user, and its exit
//! code becomes that of the job, if it is the first. A host that is lost is the end of its ranks:
//! an agent that has lost its parent ends them.

use super::context::{Job, Phase};
use crate::exit_status::Failure;
use crate::pmi::Stage;
use crate::tree::message::{Down, Up};
use nemesis_shm::deaths::DEATHS_MAX;
use nemesis_sys::process::Ending;

impl Job {
    /// Handles the end of a rank in a job that goes on. Returns false if the end is handled as in
    /// any job.
    pub(super) fn goes_on_without_rank(&mut self, rank: usize, ending: Ending) -> bool {
        let stage = self.server.stage(rank);
        let failure = match (ending, stage) {
            (Ending::Killed(_), _) | (Ending::Exited(1..), Stage::NotJoined | Stage::Joined) => {
                Some(Failure::Died { rank, ending })
            }
            (Ending::Exited(_), Stage::Joined) if self.ranks[rank].pmi.is_none() => {
                Some(Failure::WithoutFinalize { rank })
            }
            (Ending::Exited(_), Stage::NotJoined) if self.server.is_awaited(rank) => {
                Some(Failure::NeverJoined { rank })
            }
            (Ending::Exited(_), Stage::Finalized) => None,
            // Its socket has not ended, or no rank waits for it yet.
            (Ending::Exited(_), _) => return false,
        };
        let is_failure = failure.is_some();
        self.lose_rank(rank, failure);
        is_failure
    }

    /// Fails the job, or goes on, because a rank's MPI process has left without `MPI_Finalize`
    /// while its first process goes on.
    pub(super) fn rank_has_hung_up(&mut self, rank: usize) {
        let failure = Failure::HungUp { rank };
        if !self.facts.common.is_tolerant {
            return self.fail(failure);
        }
        self.ranks[rank].hung_up = None;
        self.lose_rank(rank, Some(failure));
    }

    /// Records the end of a rank of this host, and tells the user if it is a failure.
    fn lose_rank(&mut self, rank: usize, failure: Option<Failure>) {
        if self.dead.contains(&self.ranks[rank].number) {
            return;
        }
        let runs = matches!(self.phase, Phase::Running | Phase::Lingering(_))
            && self.interruption.signal.is_none();
        if let Some(failure) = failure.filter(|_| runs) {
            self.tell_and_go_on(&failure);
        }
        let mut effects = Vec::new();
        self.server.leave(rank, &mut effects);
        self.act(effects);
        self.hear_of_death(self.ranks[rank].number);
    }

    /// Goes on without the ranks of a child agent that is lost. Returns false if the job does not.
    pub(super) fn goes_on_without_host(&mut self, number: usize, failure: &Failure) -> bool {
        let runs = matches!(self.phase, Phase::Running) && self.interruption.signal.is_none();
        if !self.facts.common.is_tolerant || !runs {
            return false;
        }
        self.tell_and_go_on(failure);
        let mut effects = Vec::new();
        self.server.lose_child(number, &mut effects);
        self.act(effects);
        let shares = self.child_agents.list[number].shares.clone();
        for rank in shares.iter().flat_map(|share| share.ranks()) {
            self.hear_of_death(rank);
        }
        true
    }

    /// Handles the report of an end in this subtree.
    pub(super) fn hear_of_death(&mut self, rank: u32) {
        // The ranks of this host need not wait for the root.
        if let Some(link) = &mut self.parent_link {
            link.send(&Up::Died(rank));
        }
        self.record_death(rank);
    }

    /// Records an end in this host's segment, and passes it on to the child agents.
    pub(super) fn record_death(&mut self, rank: u32) {
        if !self.dead.insert(rank) {
            return;
        }
        if self.parent_link.is_none() || !self.child_agents.is_empty() {
            self.child_agents.send_all(&Down::Died(rank));
        }
        let Some(deaths) = &mut self.deaths else { return };
        let local = self.facts.local_size as usize;
        let bytes = self.memory.bytes as usize;
        match deaths.tell(&self.memory.descriptor, bytes, local, rank) {
            Ok(true) => {}
            Ok(false) => {
                let what = format!(
                    "more than {DEATHS_MAX} ranks have ended, and the others cannot be told\n  \
                     who: mpiexec on {}\n  try: fewer ranks, or restarting the job",
                    self.host
                );
                self.fail(Failure::Standstill(format!("mpiexec: {what}")));
            }
            Err(why) => {
                let text = format!("mpiexec: the end of rank {rank} cannot be told: {why}");
                self.say(&text);
            }
        }
    }
}
