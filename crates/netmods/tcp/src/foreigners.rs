//! The processes of other jobs that a process knows.
//!
//! Such a process has a place among the peers, behind those of the job. Its hello names its job and
//! its index there, and its proofs use the key of the meeting instead of the job key.

use crate::handshake::{Hello, job_number};
use crate::pending::Sender;
use nemesis_netmod::Foreign;

/// The processes of other jobs.
#[derive(Default)]
pub struct Foreigners {
    /// Number of this process's own job.
    job: u64,
    /// Index of the first one; the processes of the job have the lower indices.
    pub first: u32,
    pub known: Vec<Foreign>,
    /// Processes whose connection ends when both have said goodbye.
    pub leaving: Vec<u32>,
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
