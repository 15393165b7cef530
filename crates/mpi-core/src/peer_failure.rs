//! Lost processes of other nodes: operations that need them fail with MPI_ERR_PROC_ABORTED, the
//! others continue.
//!
//! A network reports a loss when it is polled. Every operation that waits for the lost process then
//! fails, and every later operation with it fails at once. A receive from MPI_ANY_SOURCE fails,
//! too, if the lost process could be its source, because the message may never arrive.

use crate::abi;
use crate::comm::Comm;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::handle;
use crate::protocol::Core;
use crate::receive::Wanted;
use crate::request::{Activity, Request};
use nemesis::Failure;

/// The lost processes, and the reasons of their losses.
#[derive(Debug)]
pub struct Losses {
    lost: Vec<(u32, String)>,
}

impl Losses {
    pub const fn new() -> Losses {
        Losses { lost: Vec::new() }
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.lost.is_empty()
    }

    /// Adds a lost process, and the reason of the loss.
    pub fn add(&mut self, process: u32, why: String) {
        self.lost.push((process, why));
    }

    /// Fails if `process` is lost.
    #[inline]
    pub fn check(&self, process: u32) -> Outcome {
        if self.lost.is_empty() { Ok(()) } else { self.find(|lost| lost == process) }
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

/// Makes the error of an operation that needs a lost process; `why` tells why it is lost.
#[cold]
pub fn error(process: u32, why: &str) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_PROC_ABORTED,
        format!("process {process} of the job cannot be reached any more: {why}"),
    )
    .advise("look at the last output of that process, and at the network between the hosts")
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

impl Core {
    /// Handles the loss of a process: fails every operation that waits for it.
    #[cold]
    pub(crate) fn lose(&mut self, process: u32, failure: &Failure) {
        let why = failure.why.clone();
        self.continue_all_as_requests();
        let needs_it = |request: &Request| match &request.activity {
            Activity::Announced { to, .. } | Activity::Streaming { to, .. } => *to == process,
            Activity::Filling { .. } | Activity::Arriving { .. } => {
                request.expected == Some(process)
            }
            Activity::Posted { .. } => request.expected.is_none_or(|expected| expected == process),
            _ => false,
        };
        let failing: Vec<handle::Request> = self
            .requests
            .named()
            .filter(|(_, request)| needs_it(request))
            .map(|(name, _)| name)
            .collect();
        for handle in failing {
            self.fail(handle, error(process, &why));
        }
        // A lost sender does not report its part of a cooperative copy: count the copies that are
        // left.
        let awaits_half = |request: &Request| {
            matches!(request.activity, Activity::Filling { cooperative: Some(_), .. })
        };
        self.partial_copies =
            self.requests.named().filter(|(_, request)| awaits_half(request)).count() as u32;
        self.give_up_bulk(process);
        (self.upper.hooks.lost)(self, process, &why);
        self.losses.add(process, why);
    }

    /// Finishes a request with an error.
    pub fn fail(&mut self, handle: handle::Request, error: Box<Error>) {
        let Ok(request) = self.requests.get_mut(handle) else { return };
        request.completion.error = Some(error);
        if let Activity::Posted { slot, .. } = request.activity {
            self.posted.withdraw(slot, handle);
        }
        self.finish(handle);
    }
}

impl Engine {
    /// Fails if the message to receive could come, or could have come, from a lost process.
    #[inline]
    pub(crate) fn check_loss(&self, wanted: &Wanted) -> Outcome {
        if self.core.losses.lost.is_empty() { Ok(()) } else { self.check_source(wanted) }
    }

    #[cold]
    fn check_source(&self, wanted: &Wanted) -> Outcome {
        match wanted.from {
            Some(from) => self.core.losses.check(from),
            None => {
                let comm: &Comm = self.comm(wanted.comm)?;
                self.core.losses.find(|lost| comm.destinations().contains(&lost))
            }
        }
    }
}
