//! The end of an operation: its request is done, and the holder of the request is told.

use super::{Core, Task};
use crate::abi;
use crate::error::Error;
use crate::handle;
use crate::request::{Activity, Charge, Completion, Holder, Role};
use nemesis_mpi_check::buffers::{self, Use, begin_collective, begin_persistent};
use nemesis_sys::mutation::{self, Mutation};

impl Core {
    /// Completes an operation. Also removes its request if no handle of the program names it.
    #[inline]
    pub fn finish(&mut self, handle: handle::Request) {
        if nemesis_mpi_check::is_on() {
            self.end_watch_of_message(handle);
        }
        let Ok(request) = self.requests.get_mut(handle) else { return };
        request.activity = Activity::Done;
        self.finished += 1;
        if !matches!(request.holder, Holder::Handle) {
            self.release(handle);
        }
    }

    /// Lets the program use the buffers of an operation again that is done. Those of a receive and
    /// of a collective operation belong to it until a call of the program has completed it.
    #[cold]
    fn end_watch_of_message(&mut self, handle: handle::Request) {
        let Ok(request) = self.requests.get(handle) else { return };
        let is_of_program = matches!(request.holder, Holder::Handle);
        let is_collective = matches!(request.activity, Activity::Collective);
        if is_of_program && buffers::arrived(self.checked_name(handle)) {
            self.special_completions += 1;
        } else if !(is_of_program && is_collective) {
            self.end_watch(handle);
        }
    }

    /// Lets the program use the buffers of an operation again, or of the operation that a
    /// persistent request has started: the program knows that it is complete.
    #[cold]
    pub fn end_watch(&mut self, handle: handle::Request) {
        let request = self.requests.get(handle).ok();
        let persistent = request.and_then(|request| request.persistent.as_ref());
        let operation = persistent.and_then(|persistent| persistent.operation).unwrap_or(handle);
        if nemesis_mpi_check::buffers::end(self.checked_name(operation)) {
            self.special_completions -= 1;
        }
    }

    /// Does what [`end_watch`](Core::end_watch) does if the operation `handle` is done.
    #[cold]
    pub(crate) fn end_watch_of_done(&mut self, handle: handle::Request) {
        if self.requests.get(handle).is_ok_and(|request| request.is_done()) {
            self.end_watch(handle);
        }
    }

    /// Checks the buffers of the collective operation `handle`, which has started, and watches
    /// them until a call of the program completes it.
    #[cold]
    pub fn watch_collective(&mut self, handle: handle::Request, uses: &[Use]) {
        self.special_completions += usize::from(begin_collective(self.checked_name(handle), uses));
    }

    /// Does what [`watch_collective`](Core::watch_collective) does for the operation `handle` that
    /// a persistent request has started.
    #[cold]
    pub(crate) fn watch_started(&mut self, persistent: handle::Request, handle: handle::Request) {
        let (persistent, handle) = (self.checked_name(persistent), self.checked_name(handle));
        self.special_completions += usize::from(begin_persistent(persistent, handle));
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
        if !mutation::strikes(Mutation::ForgottenDecrement) {
            compound.remaining -= 1;
        }
        let mut done = compound.remaining == 0;
        // The first error is that of the whole, whatever part has it.
        let mut error = request.completion.error.take().or(part.error.take());
        // Only the completion of a receive that a message has matched names a source.
        let received = part.source != abi::MPI_ANY_SOURCE;
        match &mut compound.role {
            Role::Exchange if received => request.completion = part,
            Role::Copied { copies, .. } => {
                let returned = copies.return_received(part.bytes as usize).err();
                request.completion = part;
                error = error.or(returned);
            }
            Role::Arrivals(arrivals) => {
                if received && arrivals.note(&part) {
                    self.tasks.push_back(Task::PostPartitions { request: whole });
                }
                // Without a setup no partition will be posted.
                done |= !received && error.is_some() && arrivals.pieces.is_none();
                if done && let Some(copies) = arrivals.copies() {
                    error = error.or(copies.return_results().err());
                }
            }
            _ => {}
        }
        request.completion.error = error;
        if done {
            self.finish(whole);
        }
    }

    /// Handles that a buffered message has left.
    pub(crate) fn message_left(&mut self, charge: &Charge) {
        let are_flushed = self.attached_buffers.lock().give_back(charge);
        if are_flushed && self.lane == 0 {
            self.collect_flushes();
        }
    }

    /// Finishes the flushes of buffers that are complete, in the first lane. Returns whether
    /// buffered messages have not left yet.
    pub(crate) fn collect_flushes(&mut self) -> bool {
        let (complete, are_pending) = self.attached_buffers.collect();
        complete.into_iter().for_each(|flush| self.finish(flush));
        are_pending
    }
}
