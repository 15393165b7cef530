//! Processes of other nodes that are gone: the operations that need them end with MPI_ERR_PROC_ABORTED, the others go on.
//!
//! A network tells of a loss while it is polled. Whatever waits for the process then fails, and whatever is begun later with it fails at once.
//! Receives from anybody fail, too, if the process might be the one: nobody could tell whether a message still comes.

use crate::abi;
use crate::comm::Comm;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::handle;
use crate::protocol::Core;
use crate::receive::Wanted;
use crate::request::{Activity, Request};
use nemesis::Failure;

/// The processes that are lost, and how.
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

    /// Adds a lost process, and why it is lost.
    pub fn add(&mut self, process: u32, why: String) {
        self.lost.push((process, why));
    }

    /// An error if a process is lost.
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

#[cold]
pub fn error(process: u32, why: &str) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_PROC_ABORTED,
        format!("process {process} of the job cannot be reached any more: {why}"),
    )
    .advise("looking at what that process said last, and at the network between the hosts")
}

/// A process has no part of a collective operation to send, because it, or one whose part it needed, has lost a process.
#[cold]
pub(crate) fn has_failed(process: u32) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_PROC_ABORTED,
        format!(
            "process {process} of the job could not do its part: it depends on one that is lost"
        ),
    )
    .advise("looking at what the other processes say")
}

impl Core {
    /// A process is lost: everything that waits for it fails.
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
        let needy: Vec<handle::Request> = self
            .requests
            .named()
            .filter(|(_, request)| needs_it(request))
            .map(|(name, _)| name)
            .collect();
        for handle in needy {
            self.fail(handle, error(process, &why));
        }
        // Whose help was lost with them will not tell of its half.
        let awaits_half = |request: &Request| {
            matches!(request.activity, Activity::Filling { cooperative: Some(_), .. })
        };
        self.partial_copies =
            self.requests.named().filter(|(_, request)| awaits_half(request)).count() as u32;
        self.break_body(process);
        (self.upper.hooks.lost)(self, process, &why);
        self.losses.add(process, why);
    }

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
    /// An error if what is to be received could only come, or might have come, from a process that is lost.
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
