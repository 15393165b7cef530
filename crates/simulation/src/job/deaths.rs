//! Processes that die while the job goes on: the launcher of each node tells its processes, some
//! time later.

use super::{Job, NodeMemory, State, lock};
use nemesis_shm::told_deaths::DeathsOfNode;
use std::cmp::Reverse;
use std::os::fd::OwnedFd;

/// Time after the death of a process in which the launchers of all nodes know it, in nanoseconds.
const NEWS_TAKES: u64 = 2_000_000;
/// The launcher of a node, which tells of deaths.
pub(super) struct NodeLauncher {
    descriptor: OwnedFd,
    bytes: usize,
    processes: usize,
    deaths: DeathsOfNode,
}

impl NodeLauncher {
    pub(super) fn new(memory: &NodeMemory, node: usize, nodes: &[u32]) -> NodeLauncher {
        let descriptor = memory.0.descriptor.try_clone().expect("a descriptor for the launcher");
        let deaths = DeathsOfNode::begin(&descriptor).expect("a new file");
        let processes = nodes.iter().filter(|&&other| other as usize == node).count();
        NodeLauncher { descriptor, bytes: memory.0.bytes as usize, processes, deaths }
    }

    fn tell(&mut self, rank: u32) {
        let told = self.deaths.tell(&self.descriptor, self.bytes, self.processes, rank);
        assert!(told.expect("the file takes it"), "the record has room");
    }
}

impl Job {
    /// Ends a process wherever it is.
    pub(super) fn kill(&mut self, rank: u32) {
        let node = self.setup.nodes[rank as usize];
        let others: Vec<u32> = (0..self.setup.ranks())
            .filter(|&other| self.setup.nodes[other as usize] != node)
            .collect();
        self.network.cut(&[rank], &others);
        for thread in self.threads_of(rank).collect::<Vec<u32>>() {
            self.ready.retain(|&other| other != thread);
            self.resting[node as usize].retain(|&other| other != thread);
            self.states[thread as usize] = State::Ended;
        }
    }

    /// Lets processes die whose time has come. Returns whether one has.
    pub(super) fn let_die(&mut self) -> bool {
        if self.met_after.is_none() && *lock(&self.shared.meetings) > 0 {
            self.met_after = Some(self.turns);
        }
        let Some(met_after) = self.met_after else { return false };
        let is_next = |&(turn, _): &(u64, u32)| met_after + turn <= self.turns;
        let Some(&(_, rank)) = self.deaths.last().filter(|death| is_next(death)) else {
            return false;
        };
        self.deaths.pop();
        if matches!(self.states[rank as usize], State::Ended) {
            return false;
        }
        if self.lost.is_none() {
            self.note_loss();
        }
        self.kill(rank);
        self.announce_end(rank);
        true
    }

    /// Lets the launchers know, some time from now, that a process has ended, as all do that have
    /// left MPI.
    pub(super) fn announce_end(&mut self, rank: u32) {
        for node in 0..self.launchers.len() as u32 {
            let takes = self.random.u64(..NEWS_TAKES);
            self.news.push(Reverse((self.clock.now() + takes, node, rank)));
        }
    }

    /// Lets launchers tell their nodes of deaths that they know by now.
    pub(super) fn tell_deaths(&mut self) {
        while let Some(&Reverse((time, node, rank))) = self.news.peek()
            && time <= self.clock.now()
        {
            self.news.pop();
            self.launchers[node as usize].tell(rank);
            self.stirred.insert(node);
        }
    }
}
