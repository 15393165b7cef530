//! Lost processes of other nodes: operations that need them fail with MPI_ERR_PROC_ABORTED, the
//! others continue.
//!
//! A network reports a loss when it is polled. Every operation that waits for the lost process then
//! fails, and every later operation with it fails at once. Receives and probes with MPI_ANY_SOURCE
//! fail, too, if the lost process could be the source, because the message may never arrive.

use crate::abi;
use crate::error::{Error, Outcome};

/// The lost processes, and the reasons of their losses.
#[derive(Debug)]
pub struct Losses {
    lost: Vec<(u32, String)>,
}

impl Losses {
    pub const fn new() -> Losses {
        Losses { lost: Vec::new() }
    }

    /// Returns whether no process is lost.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.lost.is_empty()
    }

    /// Returns the lost processes.
    pub fn processes(&self) -> impl Iterator<Item = u32> {
        self.lost.iter().map(|(process, _)| *process)
    }

    /// Adds a lost process, and the reason of the loss.
    pub fn add(&mut self, process: u32, why: String) {
        self.lost.push((process, why));
    }

    /// Forgets a process with which this one has disconnected.
    pub fn forget(&mut self, process: u32) {
        self.lost.retain(|(lost, _)| *lost != process);
    }

    /// Fails if `process` is lost.
    #[inline]
    pub fn check(&self, process: u32) -> Outcome {
        if self.lost.is_empty() { Ok(()) } else { self.find(|lost| lost == process) }
    }

    /// Fails if one of `processes` is lost.
    #[cold]
    pub fn check_all(&self, processes: &[u32]) -> Outcome {
        self.find(|lost| processes.contains(&lost))
    }

    #[cold]
    fn find(&self, is_it: impl Fn(u32) -> bool) -> Outcome {
        match self.lost.iter().find(|(process, _)| is_it(*process)) {
            Some((process, why)) => Err(error(*process, why)),
            None => Ok(()),
        }
    }
}

impl Default for Losses {
    fn default() -> Losses {
        Losses::new()
    }
}

/// Makes the error of an operation that needs a lost process; `why` tells why it is lost, and what
/// to try if the network knows it.
#[cold]
pub fn error(process: u32, why: &str) -> Box<Error> {
    let usual = "look at the last output of that process, and at the network between the hosts";
    let (why, advice) = why.split_once("; try: ").unwrap_or((why, usual));
    Error::new(
        abi::MPI_ERR_PROC_ABORTED,
        format!("process {process} of the job cannot be reached any more: {why}"),
    )
    .advise(advice.to_owned())
}

/// Returns the error of a collective operation in which `process` sends no data, because it has
/// lost a process whose data it needed, directly or through others.
#[cold]
pub fn has_failed(process: u32) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_PROC_ABORTED,
        format!(
            "process {process} of the job could not take part: it needs data of a lost process"
        ),
    )
    .advise("look at the error messages of the other processes")
}
