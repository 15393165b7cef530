//! Requests by their handles: whether an operation is complete, and its result.

use super::PointToPoint;
use crate::abi;
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle, OfLane, Place};
use crate::matching::{Course, Posted};
use crate::packet::{Announcement, kind};
use crate::peer_failure::{self, is_tolerant};
use crate::protocol::{Content, Matched};
use crate::request::{Activity, Completion, Holder, Persistent, Request};
use nemesis::wire::Header;
use nemesis_mpi_check::callbacks;

#[cold]
fn no_request(posted: &Posted, handle: handle::Request, dead: handle::Dead) -> Box<Error> {
    let was_receive = Place::is_one(handle) && Place::index(handle) < posted.places();
    Error::dead(abi::MPI_ERR_REQUEST, if was_receive { handle::Dead::Freed } else { dead })
}

/// Returns what a wait for a receive returns that stays posted although a process has died.
#[cold]
fn interrupted() -> Completion {
    let why = "a process of the communicator has failed that could be the sender; the receive is \
               still posted";
    let error = Error::new(abi::MPIX_ERR_PROC_FAILED_PENDING, why).advise(
        "acknowledge the failure by MPIX_Comm_ack_failed or MPIX_Comm_failure_ack and wait again, \
         or cancel the receive",
    );
    Completion { error: Some(error), ..Completion::EMPTY }
}

/// Fails if the program cannot name another object of a lane that has `count`. For calls that have
/// not acted yet.
#[inline]
pub(crate) fn check_names<H: OfLane>(count: usize) -> Outcome {
    if count < H::NAMED_MAX { Ok(()) } else { Err(too_many_in_lane(H::NAMED_MAX)) }
}

#[cold]
pub(crate) fn too_many_in_lane(most: usize) -> Box<Error> {
    let why = format!("more than {most} requests, or matched messages, are open in one lane");
    Error::new(abi::MPI_ERR_NO_MEM, why)
        .advise("complete some, or set NEMESIS_LANES=1: one lane may have eight times as many")
}

impl PointToPoint {
    /// Adds a request, and returns its handle.
    pub fn new_request(&mut self, request: Request) -> Outcome<handle::Request> {
        if self.core.lane != 0 {
            check_names::<handle::Request>(self.core.requests.len())?;
        }
        let handle = self.core.requests.insert(request).ok_or_else(|| {
            Error::new(abi::MPI_ERR_NO_MEM, "more than four million requests are open")
        })?;
        if nemesis_mpi_check::is_on() {
            nemesis_mpi_check::sites::note(self.core.checked_name(handle));
            self.note_communication(handle);
        }
        Ok(handle)
    }

    /// Tells the checks what the call does that has made a request.
    #[cold]
    fn note_communication(&self, handle: handle::Request) {
        let Ok(request) = self.core.requests.get(handle) else { return };
        match request.activity {
            Activity::Collective => callbacks::is_collective(),
            Activity::File(_) | Activity::Generalized(_) => {}
            // A persistent request is made without communication.
            _ if request.persistent.is_some() => {}
            _ => callbacks::communicates(),
        }
    }

    /// Tells the checks that the call waits for these requests of the program, or tests them.
    #[inline]
    pub fn note_completion(&self, handles: &[handle::Request]) {
        if nemesis_mpi_check::is_on() {
            let active = |&&handle: &&handle::Request| self.is_active(handle).unwrap_or(false);
            handles.iter().filter(active).for_each(|&handle| self.note_end(handle));
        }
    }

    #[cold]
    fn note_end(&self, handle: handle::Request) {
        match self.request(handle).map(|request| &request.activity) {
            Ok(Activity::Collective) => callbacks::is_collective(),
            Ok(Activity::File(_) | Activity::Generalized(_)) => {}
            _ => callbacks::communicates(),
        }
    }

    /// Returns the request that `handle` names. An inline receive has none (`inline_receive`).
    pub fn request(&self, handle: handle::Request) -> Outcome<&Request> {
        let named = match self.core.posted.course(handle) {
            Some(Course::Became(request)) => request,
            _ => handle,
        };
        self.core.requests.get(named).map_err(|dead| no_request(&self.core.posted, handle, dead))
    }

    /// Returns the request that `handle` names. An inline receive becomes a request.
    pub fn request_mut(&mut self, handle: handle::Request) -> Outcome<&mut Request> {
        let named = self.core.request_of(handle);
        self.core
            .requests
            .get_mut(named)
            .map_err(|dead| no_request(&self.core.posted, handle, dead))
    }

    /// Returns a handle for a completed operation. Operations with nothing to report share one
    /// request.
    pub fn completed_request(&mut self, completion: Completion) -> Outcome<handle::Request> {
        let nothing_to_tell =
            completion.source == abi::MPI_ANY_SOURCE && completion.error.is_none();
        if nothing_to_tell && !self.done_request.is_null() {
            return Ok(self.done_request);
        }
        let mut request = Request::new(abi::MPI_COMM_SELF, Activity::Done);
        request.completion = completion;
        self.new_request(request)
    }

    /// Returns whether a wait would return at once. Null and inactive requests are complete.
    #[inline(always)]
    pub fn is_complete(&self, handle: handle::Request) -> Outcome<bool> {
        if handle.is_null() || handle == self.done_request {
            return Ok(true);
        }
        if let Some(done) = self.core.posted.is_done(handle) {
            return Ok(done);
        }
        let request = self.request(handle)?;
        match &request.persistent {
            None => Ok(request.is_done() || request.interrupted),
            Some(persistent) => self.is_persistent_complete(persistent),
        }
    }

    #[inline(never)]
    fn is_persistent_complete(&self, persistent: &Persistent) -> Outcome<bool> {
        match persistent.operation {
            Some(operation) if persistent.active => Ok(self.request(operation)?.is_done()),
            _ => Ok(true),
        }
    }

    /// Returns whether a wait for several requests would choose this one: it is neither null nor
    /// inactive.
    pub fn is_active(&self, handle: handle::Request) -> Outcome<bool> {
        Ok(!handle.is_null()
            && (self.core.posted.is_done(handle).is_some() || self.request(handle)?.is_active()))
    }

    /// Gives up an operation of the library that will not complete: withdraws a receive, cancels a
    /// send that has not been matched, and lets anything else continue without a holder.
    #[cold]
    pub fn give_up(&mut self, handle: handle::Request) {
        let handle = self.core.sole_request(handle);
        // After a death nobody else hears of what goes on without a holder.
        let has_failed = is_tolerant() && !self.core.losses.is_empty();
        let Ok(request) = self.core.requests.get_mut(handle) else { return };
        request.holder = Holder::Nobody;
        let withdrawn = match &request.activity {
            Activity::Posted { slot, .. } => {
                let slot = *slot;
                self.core.posted.withdraw(slot, handle)
            }
            Activity::Deferred => self.withdraw_outgoing(handle),
            Activity::Announced { to, .. } => {
                let to = *to;
                request.completion.error = has_failed.then(peer_failure::revoked);
                self.withdraw_announced(handle, to);
                false
            }
            // The program gets the memory back.
            activity @ (Activity::Streaming { .. } | Activity::Filling { .. }) => {
                has_failed && !activity.lets_others_use_memory()
            }
            _ => request.is_done(),
        };
        if withdrawn {
            self.core.finish(handle);
        }
    }

    /// Asks the receiver of an announced message to forget it.
    pub(crate) fn withdraw_announced(&mut self, handle: handle::Request, to: u32) {
        let header = Header { kind: kind::CANCEL, ..Header::default() };
        self.send_control(to, header, [handle.bits() as u64, 0, 0]);
    }

    /// Forgets the announced messages of a revoked communicator that matched probes have taken:
    /// nobody can receive them.
    #[cold]
    pub(crate) fn forget_matched(&mut self, comm: handle::Comm) {
        let mut senders = Vec::new();
        for Matched { message, .. } in
            self.messages.iter_mut().filter(|matched| matched.comm == comm)
        {
            if let Content::Announced(announcement) = &mut message.content {
                let sender = std::mem::replace(&mut announcement.sender, Announcement::NO_SENDER);
                senders.push((message.origin, sender));
            }
        }
        senders.retain(|(_, sender)| *sender != Announcement::NO_SENDER);
        for (origin, sender) in senders {
            self.tell_given_up(origin, sender);
        }
    }

    /// Tells the sender of an announced message that its receive has ended with an error.
    #[cold]
    pub(crate) fn tell_given_up(&mut self, origin: u32, sender: u64) {
        let header = Header { kind: kind::CANCELLED, ..Header::default() };
        self.send_control(origin, header, [sender, 1, 1]);
    }

    /// Returns whether the memory of an operation that has been given up may still be used.
    #[cold]
    pub fn uses_memory(&self, handle: handle::Request) -> bool {
        let request = self.core.requests.get(handle);
        request.is_ok_and(|request| request.activity.lets_others_use_memory())
    }

    /// Takes the result of a complete request. The handle becomes null, or inactive if it is
    /// persistent.
    #[inline(always)]
    pub fn collect(&mut self, handle: &mut handle::Request) -> Outcome<Completion> {
        if handle.is_null() {
            return Ok(Completion::EMPTY);
        }
        if *handle == self.done_request {
            *handle = handle::Request::NULL;
            return Ok(Completion::EMPTY);
        }
        if let Some(received) = self.core.posted.collect(*handle) {
            *handle = handle::Request::NULL;
            return Ok(Completion::received(&received));
        }
        *handle = self.core.sole_request(*handle);
        let request = self.request_mut(*handle)?;
        if request.persistent.is_some() {
            return self.collect_persistent(*handle);
        }
        let comm = request.comm;
        if request.interrupted && !request.is_done() {
            return Ok(interrupted().raised_on(comm));
        }
        let completion = std::mem::replace(&mut request.completion, Completion::EMPTY);
        self.core
            .requests
            .discard(*handle)
            .map_err(|dead| Error::dead(abi::MPI_ERR_REQUEST, dead))?;
        *handle = handle::Request::NULL;
        Ok(completion.raised_on(comm))
    }

    #[inline(never)]
    fn collect_persistent(&mut self, handle: handle::Request) -> Outcome<Completion> {
        if nemesis_mpi_check::is_on() {
            nemesis_mpi_check::accesses::learn();
        }
        let Some(persistent) = &mut self.request_mut(handle)?.persistent else {
            return Ok(Completion::EMPTY);
        };
        if !std::mem::take(&mut persistent.active) {
            return Ok(Completion::EMPTY);
        }
        match persistent.operation.take() {
            None => Ok(persistent.ready.clone()),
            Some(mut operation) => self.collect(&mut operation),
        }
    }

    /// Returns the process whose packets to poll first while waiting for `handle`.
    pub fn expected(&self, handle: handle::Request) -> Option<u32> {
        if let Some(Course::Waiting(_, inline_receive)) = self.core.posted.course(handle) {
            return inline_receive.source();
        }
        let request = self.request(handle).ok()?;
        match request.persistent.as_ref().and_then(|persistent| persistent.operation) {
            Some(operation) => self.core.requests.get(operation).ok()?.expected,
            None => request.expected,
        }
    }

    /// Returns the status of a complete request; the empty status if the request is null or
    /// inactive.
    pub(crate) fn peek(&self, handle: handle::Request) -> Outcome<Completion> {
        if !self.is_active(handle)? {
            return Ok(Completion::EMPTY);
        }
        if let Some(Course::Done(_, received)) = self.core.posted.course(handle) {
            return Ok(Completion::received(&received));
        }
        let request = self.request(handle)?;
        Ok(match &request.persistent {
            None => request.completion.clone(),
            Some(persistent) => match persistent.operation {
                Some(operation) => self.request(operation)?.completion.clone(),
                None => persistent.ready.clone(),
            },
        })
    }

    pub(crate) fn are_complete(&self, handles: &[handle::Request]) -> Outcome<bool> {
        for &handle in handles {
            if !self.is_complete(handle)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes a started request a part of `whole`, whose count of parts includes it already.
    pub(crate) fn adopt(&mut self, whole: handle::Request, mut part: handle::Request) -> Outcome {
        let request = self.request_mut(part)?;
        if request.is_done() {
            let completion = self.collect(&mut part)?;
            self.core.part_done(whole, completion);
        } else {
            request.holder = Holder::Whole(whole);
        }
        Ok(())
    }

    /// Makes an incomplete request an additional part of `whole`.
    pub(crate) fn adopt_more(&mut self, whole: handle::Request, part: handle::Request) -> Outcome {
        if let Activity::Compound(compound) = &mut self.request_mut(whole)?.activity {
            compound.remaining += 1;
        }
        self.adopt(whole, part)
    }
}
