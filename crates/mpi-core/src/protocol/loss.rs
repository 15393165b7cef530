//! What the loss of a process ends.

use super::{Core, Task};
use crate::handle;
use crate::peer_failure::{error, is_tolerant};
use crate::request::{Activity, Request};
use nemesis::Failure;
use nemesis_sys::mutation::{self, Mutation};

impl Core {
    /// Returns the requests of the operations that wait for a process.
    fn that_need(&self, process: u32) -> Vec<handle::Request> {
        let needs_it = |request: &Request| match &request.activity {
            Activity::Announced { to, .. } | Activity::Streaming { to, .. } => *to == process,
            Activity::Filling { .. } | Activity::Arriving { .. } => {
                request.expected == Some(process)
            }
            // In a job that goes on, a receive from any source ends by `Engine::process_died` if
            // its communicator contains the process.
            Activity::Posted { .. } => match request.expected {
                Some(expected) => expected == process,
                None => !is_tolerant(),
            },
            _ => false,
        };
        self.requests
            .named()
            .filter(|(_, request)| needs_it(request))
            .map(|(name, _)| name)
            .collect()
    }

    /// Returns whether an operation waits for a process that is known to be lost.
    pub fn waits_for_lost(&self) -> bool {
        self.losses.processes().any(|lost| !self.that_need(lost).is_empty())
    }

    /// Counts the cooperative copies that are left after requests have failed.
    pub(crate) fn recount_partial_copies(&mut self) {
        let awaits_half = |request: &Request| {
            matches!(request.activity, Activity::Filling { cooperative: Some(_), .. })
        };
        self.partial_copies =
            self.requests.named().filter(|(_, request)| awaits_half(request)).count() as u32;
    }

    /// Handles the loss of a process: fails every operation that waits for it.
    #[cold]
    pub(crate) fn lose(&mut self, process: u32, failure: &Failure) {
        let why = failure.why.clone();
        self.continue_all_as_requests();
        for handle in self.that_need(process) {
            if mutation::strikes(Mutation::LossUntold) {
                continue;
            }
            self.fail(handle, error(process, &why));
        }
        // A lost sender does not report its part of a cooperative copy.
        self.recount_partial_copies();
        self.give_up_bulk(process);
        (self.upper.hooks.lost)(self, process, &why);
        self.losses.add(process, why);
        self.tasks.push_back(Task::ProcessDied(process));
    }
}
