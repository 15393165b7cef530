//! Lost processes: operations that need them fail with MPI_ERR_PROC_ABORTED, the others continue.
//!
//! A network reports a loss when it is polled. In a job that goes on without processes that die
//! (`mpiexec -ft`), the launcher tells of deaths, of this node, too, and the class of the errors is
//! MPIX_ERR_PROC_FAILED (`recovery`). Every operation that waits for the lost process then
//! fails, and every later operation with it fails at once. Receives and probes with MPI_ANY_SOURCE
//! fail, too, if the lost process could be the source, because the message may never arrive.

use crate::abi;
use crate::error::{Error, ErrorClass, Outcome};
use nemesis_sync::{AtomicBool, Ordering};
use nemesis_sys::per_process;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

per_process! {
    /// Whether the job goes on when a process dies.
    static TOLERANT: AtomicBool = AtomicBool::new(false);
    /// The processes of other jobs.
    static FOREIGN: Mutex<BTreeMap<u32, Foreign>> = Mutex::new(BTreeMap::new());
}

/// A process of another job.
struct Foreign {
    /// Its rank there.
    rank: u32,
    /// Whether its job goes on when a process dies.
    goes_on: bool,
}

fn foreign() -> MutexGuard<'static, BTreeMap<u32, Foreign>> {
    // A map is whole after each change, also if a panic follows.
    FOREIGN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes the rank that a process of another job has there, for messages to the user, and whether
/// that job goes on when a process dies.
pub fn note_foreign(process: u32, rank: u32, goes_on: bool) {
    foreign().insert(process, Foreign { rank, goes_on });
}

/// Returns whether the jobs of all these processes, and that of this one, go on when a process
/// dies. All processes of a communicator find the same, so that they wait for each other in the
/// same way: if one is of a job that ends, all do as in such a job.
#[cold]
pub fn all_go_on(processes: &[u32]) -> bool {
    let foreign = foreign();
    let goes_on = |process| foreign.get(process).is_none_or(|foreign| foreign.goes_on);
    is_tolerant() && (foreign.is_empty() || processes.iter().all(goes_on))
}

/// Sets that the job goes on when a process dies.
pub fn be_tolerant() {
    // Relaxed: set before the first communication, and it orders nothing.
    TOLERANT.store(true, Ordering::Relaxed);
}

/// Returns whether the job goes on when a process dies.
pub fn is_tolerant() -> bool {
    // Relaxed: as in `be_tolerant`.
    TOLERANT.load(Ordering::Relaxed)
}

/// Returns the class of errors about lost processes.
pub fn class() -> ErrorClass {
    if is_tolerant() { abi::MPIX_ERR_PROC_FAILED } else { abi::MPI_ERR_PROC_ABORTED }
}

/// Returns whether an error of this class tells that an operation lacks a lost process, or is on a
/// revoked communicator.
pub fn is_one(class: ErrorClass) -> bool {
    [abi::MPI_ERR_PROC_ABORTED, abi::MPIX_ERR_PROC_FAILED, abi::MPIX_ERR_REVOKED].contains(&class)
}

/// The lost processes, and the reasons of their losses.
#[derive(Debug)]
pub struct Losses {
    lost: Vec<(u32, String)>,
    /// Whether a communicator is revoked, so that waits look at theirs.
    has_revoked: bool,
    /// Whether no process is lost and no communicator revoked.
    is_quiet: bool,
}

impl Losses {
    pub const fn new() -> Losses {
        Losses { lost: Vec::new(), has_revoked: false, is_quiet: true }
    }

    /// Returns whether no process is lost and no communicator revoked.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.is_quiet
    }

    /// Returns whether a communicator is revoked.
    pub fn has_revoked(&self) -> bool {
        self.has_revoked
    }

    /// Notes that a communicator is revoked.
    pub fn note_revoked(&mut self) {
        (self.has_revoked, self.is_quiet) = (true, false);
    }

    /// Returns whether a process is lost.
    pub fn contains(&self, process: u32) -> bool {
        self.lost.iter().any(|(lost, _)| *lost == process)
    }

    /// Fails if one of `processes` is lost that is not among `acked`.
    #[cold]
    pub fn check_unacked(&self, processes: &[u32], acked: &[u32]) -> Outcome {
        self.find(|lost| processes.contains(&lost) && !acked.contains(&lost))
    }

    /// Returns the lost processes.
    pub fn processes(&self) -> impl Iterator<Item = u32> {
        self.lost.iter().map(|(process, _)| *process)
    }

    /// Adds a lost process, and the reason of the loss.
    pub fn add(&mut self, process: u32, why: String) {
        self.lost.push((process, why));
        self.is_quiet = false;
    }

    /// Forgets a process with which this one has disconnected.
    pub fn forget(&mut self, process: u32) {
        self.lost.retain(|(lost, _)| *lost != process);
        self.is_quiet = self.lost.is_empty() && !self.has_revoked;
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
    if let Some(Foreign { rank, .. }) = foreign().get(&process) {
        let usual = "look at the messages of that job; where one job may end before the other, \
                     both disconnect first (MPI_Comm_disconnect)";
        let (why, advice) = why.split_once("; try: ").unwrap_or((why, usual));
        let what = "has ended or cannot be reached";
        return Error::new(class(), format!("rank {rank} of a connected job {what}: {why}"))
            .advise(advice.to_owned());
    }
    let usual = "look at the last output of that process, and at the network between the hosts";
    let (why, advice) = why.split_once("; try: ").unwrap_or((why, usual));
    let what = if is_tolerant() { "has failed" } else { "cannot be reached any more" };
    Error::new(class(), format!("process {process} of the job {what}: {why}"))
        .advise(advice.to_owned())
}

/// Returns the error of a collective operation in which `process` sends no data, because it has
/// lost a process whose data it needed, directly or through others.
#[cold]
pub fn has_failed(process: u32) -> Box<Error> {
    Error::new(
        class(),
        format!(
            "process {process} of the job could not take part: it needs data of a lost process"
        ),
    )
    .advise("look at the error messages of the other processes")
}

/// Returns the error of an operation on a revoked communicator.
#[cold]
pub fn revoked() -> Box<Error> {
    Error::new(abi::MPIX_ERR_REVOKED, "the communicator is revoked (MPIX_Comm_revoke)").advise(
        "make a communicator of the living processes by MPIX_Comm_shrink, and free this one",
    )
}
