//! How a job has ended, and what its run has shown.

use super::Loss;
use crate::clock::Time;
use crate::network::Traffic;
use nemesis_mpi::abi;
use std::fmt;

/// How a job ended that did not end well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Nobody can go on.
    Hang,
    /// A process went on at the end of a sleep that should have ended before.
    LostWakeUp(u32),
    /// A process panicked.
    Panic(u32, String),
    /// A call of a process failed, with an error of this class and text.
    Error(u32, i32, String),
    /// A process ended the job, with a code and a message.
    Abort(u32, i32, String),
    /// The launcher ended the job, because this process has died.
    Ended(u32),
    /// Nobody can go on after a loss, and the launcher ends the standstill: a rank that knows of
    /// the loss waits for others alone, or all are in `MPI_Finalize`, where no question finds out
    /// who is lost.
    Standstill,
    /// The processes were resumed too often.
    Endless,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Hang => f.write_str("nobody can go on"),
            Failure::LostWakeUp(rank) => write!(f, "a wake-up of rank {rank} was lost"),
            Failure::Panic(rank, why) => write!(f, "rank {rank} panicked: {why}"),
            Failure::Error(rank, _, why) => write!(f, "rank {rank}: {why}"),
            Failure::Standstill => f.write_str("nobody can go on after a loss"),
            Failure::Ended(rank) => write!(f, "rank {rank} has died"),
            Failure::Abort(rank, code, why) => write!(f, "rank {rank} aborted with {code}: {why}"),
            Failure::Endless => f.write_str("the job does not end"),
        }
    }
}

impl Failure {
    /// Returns whether a job may end like this after a loss: by the launcher, or by an error that
    /// tells of a process that cannot be reached.
    pub fn tells_of(&self, loss: Loss) -> bool {
        // Of several requests, the statuses have the errors.
        let lost = [abi::MPI_ERR_PROC_ABORTED, abi::MPI_ERR_IN_STATUS];
        match self {
            // A fatal error's class is the exit code.
            Failure::Error(_, class, _) | Failure::Abort(_, class, _) => {
                lost.iter().any(|lost| lost.value() == *class)
            }
            Failure::Ended(rank) => loss == Loss::Process(*rank),
            Failure::Standstill => true,
            _ => false,
        }
    }
}

/// An error of a call, as a process panics with it.
#[derive(Debug)]
pub struct CallFailed {
    /// The class of the error.
    pub class: i32,
    /// The call, and the text of the error.
    pub text: String,
}

/// What a run has shown.
#[derive(Clone, Debug)]
pub struct Report {
    /// How the job failed, if it did.
    pub failure: Option<Failure>,
    /// What each rank was in when the run ended.
    pub states: Vec<String>,
    /// The last events: time, rank, what.
    pub events: Vec<(Time, u32, String)>,
    /// What each rank has sent to other nodes, since the last meeting if there was one.
    pub traffic: Vec<Traffic>,
    /// Time of the simulation in nanoseconds.
    pub time: Time,
    /// Resumptions of processes.
    pub turns: u64,
    /// A number that differs if anything of the run differs: who ran in which order and when.
    pub trace: u64,
}
