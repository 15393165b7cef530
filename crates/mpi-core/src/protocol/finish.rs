//! The end of an operation: its request is done, and the holder of the request is told.

use super::{Core, Task};
use crate::abi;
use crate::error::Error;
use crate::handle;
use crate::request::{Activity, Charge, Completion, Holder, Role};

impl Core {
    /// Completes an operation. Also removes its request if no handle of the program names it.
    #[inline]
    pub fn finish(&mut self, handle: handle::Request) {
        if nemesis_mpi_check::is_on() {
            nemesis_mpi_check::buffers::end(handle.0);
        }
        let Ok(request) = self.requests.get_mut(handle) else { return };
        request.activity = Activity::Done;
        self.finished += 1;
        if !matches!(request.holder, Holder::Handle) {
            self.release(handle);
        }
    }

    /// Removes a completed request and tells its holder.
    #[inline(never)]
    fn release(&mut self, handle: handle::Request) {
        let Ok(request) = self.requests.remove(handle) else { return };
        match request.holder {
            Holder::Handle | Holder::Nobody => {}
            Holder::Whole(whole) => self.part_done(whole, request.completion),
            Holder::Buffer(charge) => self.message_left(&charge),
        }
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

    /// Handles that a part of `whole` has completed.
    pub(crate) fn part_done(&mut self, whole: handle::Request, mut part: Completion) {
        let Ok(request) = self.requests.get_mut(whole) else { return };
        let Activity::Compound(compound) = &mut request.activity else { return };
        compound.remaining -= 1;
        let done = compound.remaining == 0;
        // Only the completions of receives name a source.
        let received = part.source != abi::MPI_ANY_SOURCE;
        match &mut compound.role {
            Role::Exchange if received => request.completion = part,
            Role::Copied(copies) => {
                copies.return_results();
                request.completion = part;
            }
            Role::Arrivals(arrivals) if received => {
                if let Some(error) = part.error.take() {
                    request.completion.error.get_or_insert(error);
                }
                if arrivals.note(&part) {
                    self.tasks.push_back(Task::PostPartitions { request: whole });
                }
            }
            _ => {}
        }
        if done {
            self.finish(whole);
        }
    }

    /// Handles that a buffered message has left.
    pub(crate) fn message_left(&mut self, charge: &Charge) {
        for flush in self.attached_buffers.give_back(charge) {
            self.finish(flush);
        }
    }
}
