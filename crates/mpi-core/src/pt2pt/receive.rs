//! Starting receives.

use super::PointToPoint;
use crate::abi;
use crate::communicators::Communicators;
use crate::envelope::Wanted;
use crate::error::Outcome;
use crate::handle;
use crate::matching::{Pattern, Slot};
use crate::protocol::{Content, Matched, Message, compare_read, unpack_message};
use crate::request::{Activity, Completion, Request};
use nemesis_datatype::Buffer;
use nemesis_mpi_check::buffers::{self, Access};

impl PointToPoint {
    /// Starts a receive. Returns an inner `Err(completion)` if it is already complete.
    pub fn start_receive(
        &mut self,
        comms: &Communicators,
        buffer: &Buffer,
        wanted: Wanted,
    ) -> Outcome<Result<handle::Request, Completion>> {
        let found = self.core.take_unexpected(&wanted.pattern);
        let mut interrupted = false;
        if found.is_none() {
            let possible = comms.check_loss(&self.core.losses, &wanted);
            let is_of_program = wanted.pattern.context.knows_wildcards();
            interrupted = possible.as_ref().is_err_and(|error| {
                wanted.from.is_none() && is_of_program && error.class == abi::MPIX_ERR_PROC_FAILED
            });
            if !interrupted {
                possible?;
            }
        }
        if let Some((pattern, message)) = &found
            && let Content::Eager(payload) = &message.content
        {
            if message.signature.is_known() {
                compare_read(pattern, message, buffer);
            }
            return Ok(Err(unpack_message(buffer, pattern, payload).raised_on(wanted.comm)));
        }
        let mut request = Request::new(
            wanted.comm,
            Activity::Posted { buffer: buffer.clone(), slot: self.core.posted.next_slot() },
        );
        (request.expected, request.interrupted) = (wanted.from, interrupted);
        let request = self.new_request(request)?;
        if nemesis_mpi_check::is_on() && wanted.pattern.context.knows_wildcards() {
            buffers::begin(self.core.checked_name(request), buffer, Access::Write);
        }
        match found {
            None => self.core.posted.post(wanted.pattern, request),
            Some((pattern, message)) => self.take_over(request, &pattern, message),
        }
        Ok(Ok(request))
    }

    /// Handles a receive that takes a message of which not all bytes have arrived. Reading an
    /// announced message may be deferred to the next call (`Mpi::defer_tasks`): a program that
    /// posts a receive usually sends next, and if that is announced, too, both processes copy at
    /// once.
    pub(crate) fn take_over(
        &mut self,
        request: handle::Request,
        pattern: &Pattern,
        message: Message,
    ) {
        match message.content {
            Content::Eager(_) => {}
            Content::Arriving(arriving) => {
                self.core.claim(request, message.origin, pattern, arriving)
            }
            Content::Announced(announcement) => {
                self.core.accept(request, message.origin, pattern, announcement)
            }
        }
    }

    /// Receives a message that a matched probe took out.
    pub fn receive_message(
        &mut self,
        buffer: &Buffer,
        matched: Matched,
    ) -> Outcome<Result<handle::Request, Completion>> {
        let Matched { comm, pattern, message } = matched;
        let message = self.core.eager_if_whole(message);
        if let Content::Eager(payload) = &message.content {
            if message.signature.is_known() {
                compare_read(&pattern, &message, buffer);
            }
            return Ok(Err(unpack_message(buffer, &pattern, payload).raised_on(comm)));
        }
        let activity = Activity::Posted { buffer: buffer.clone(), slot: Slot::NOWHERE };
        let request = self.new_request(Request::new(comm, activity))?;
        self.take_over(request, &pattern, message);
        Ok(Ok(request))
    }
}
