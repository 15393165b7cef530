//! Processes of other jobs, with which this process has become connected.
//!
//! Such a process has a place among the peers, behind those of the job. Its hello names its job and
//! its index there, and its proofs use the key of the meeting instead of the job key.

use super::{Member, Peer, State};
use crate::frame::Prefix;
use crate::handshake::{Hello, job_number};
use crate::outgoing::Outgoing;
use crate::pending::Sender;
use nemesis_netmod::{Failure, Fault, Foreign, Host};

/// The processes of other jobs.
#[derive(Default)]
pub struct Foreigners {
    /// Number of this process's own job.
    job: u64,
    /// Index of the first one; the processes of the job have the lower indices.
    first: u32,
    known: Vec<Foreign>,
    /// Processes whose connection ends when both have said goodbye.
    leaving: Vec<u32>,
}

impl Foreigners {
    /// Returns the state of a process in a job with this key and this number of processes.
    pub fn new(job_key: &[u8; 32], processes: u32) -> Foreigners {
        Foreigners { job: job_number(job_key), first: processes, ..Foreigners::default() }
    }

    /// Returns the number of this process's own job.
    pub fn own_job(&self) -> u64 {
        self.job
    }

    /// Returns the process of another job with index `peer`.
    pub fn get(&self, peer: u32) -> Option<&Foreign> {
        self.known.get(peer.checked_sub(self.first)? as usize)
    }

    /// Returns whether `peer` is a process of another job that has not been dismissed.
    pub fn is_in_use(&self, peer: u32) -> bool {
        self.get(peer).is_some() && !self.leaving.contains(&peer)
    }

    /// Returns the process that a hello to process `me` names, if it is known.
    pub fn identify(&self, hello: &Hello, me: u32, job_key: &[u8; 32]) -> Option<Sender> {
        if hello.to != me {
            return None;
        }
        if hello.job == self.job {
            let is_another = hello.from != me && hello.from < self.first;
            return is_another.then_some(Sender { peer: hello.from, key: *job_key });
        }
        let is_named = |foreign: &Foreign| foreign.job == hello.job && foreign.index == hello.from;
        let place = self.known.iter().rposition(is_named)?;
        Some(Sender { peer: self.first + place as u32, key: self.known[place].key })
    }
}

impl Member {
    /// Returns whether this process precedes `peer` in the order that both derive alike.
    pub fn precedes(&self, peer: u32) -> bool {
        self.foreigners.get(peer).map_or(self.me < peer, |foreign| foreign.follows)
    }

    pub(super) fn meet_foreign(
        &mut self,
        host: &mut dyn Host,
        process: u32,
        foreign: Foreign,
    ) -> Result<(), Failure> {
        let place = process.checked_sub(self.foreigners.first).map(|place| place as usize);
        match place {
            Some(place) if place == self.foreigners.known.len() => {
                self.foreigners.known.push(foreign);
                self.peers.push(Peer { state: State::Unknown, outgoing: Outgoing::default() });
            }
            Some(place) if place < self.foreigners.known.len() => {
                self.foreigners.known[place] = foreign;
                let failure = Failure::new(Fault::Lost, "it has disconnected").about(process);
                self.close(host, process, State::Unknown, &failure);
                self.foreigners.leaving.retain(|&other| other != process);
            }
            _ => {
                let why = "the index of a process of another job does not follow the last one";
                return Err(Failure::new(Fault::Invalid, why).about(process));
            }
        }
        Ok(())
    }

    pub(super) fn dismiss_foreign(&mut self, host: &mut dyn Host, process: u32) {
        if self.foreigners.get(process).is_none() {
            return;
        }
        let Peer { state, outgoing } = &mut self.peers[process as usize];
        match state {
            State::Linked(link) => {
                if !link.said {
                    link.said = true;
                    outgoing.say(Prefix::Goodbye);
                    self.waiting.push(process);
                }
                self.foreigners.leaving.push(process);
                self.push(host, process);
                self.close_left(host);
            }
            State::Gone | State::Lost(_) => {}
            State::Unknown | State::Connecting(_) => {
                let failure = Failure::new(Fault::Lost, "it has disconnected").about(process);
                self.close(host, process, State::Gone, &failure);
            }
        }
    }

    /// Closes the connections with dismissed processes that have said goodbye as well.
    pub(super) fn close_left(&mut self, host: &mut dyn Host) {
        let leaving = std::mem::take(&mut self.foreigners.leaving);
        for process in leaving {
            let Peer { state, outgoing } = &self.peers[process as usize];
            let State::Linked(link) = state else { continue };
            if link.acknowledged && link.heard && outgoing.is_empty() {
                let failure = Failure::new(Fault::Lost, "it has disconnected").about(process);
                self.close(host, process, State::Gone, &failure);
            } else {
                self.foreigners.leaving.push(process);
            }
        }
    }

    /// Returns whether connections with dismissed processes are still to be closed.
    pub(super) fn is_parting(&self) -> bool {
        !self.foreigners.leaving.is_empty()
    }
}
