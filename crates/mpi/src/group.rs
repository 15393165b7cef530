//! Groups (MPI 5.0 §7.3): ordered sets of processes.

use std::sync::Arc;

/// An ordered set of processes, by their index in the job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    processes: Arc<[u32]>,
}

impl Group {
    /// Rank i is process `processes[i]`; no process stands twice.
    pub fn new(processes: Vec<u32>) -> Group {
        Group { processes: processes.into() }
    }

    pub fn processes(&self) -> &[u32] {
        &self.processes
    }

    pub fn rank_of(&self, process: u32) -> Option<u32> {
        self.processes.iter().position(|&member| member == process).map(|rank| rank as u32)
    }
}
