//! Inline receives: receives without a request object, and how they become requests.
//!
//! `MPI_Irecv` of a contiguous predefined type creates no request; the posted receive is named by
//! its position in `matching`. In the common case it is posted, gets its message and is waited for
//! there. On any other event, a request is created that continues it. That request has a name of
//! its own, and the name that the program holds leads to it ([`Core::request_of`]).

use crate::engine::Engine;
use crate::handle::{self, Handle};
use crate::matching::{Course, InlineReceive, Received, Slot};
use crate::protocol::{Core, kind, pattern_of};
use crate::request::{Activity, Completion, Request};
use nemesis::wire::Header;
use nemesis::{LongPacket, PacketHandler};

impl Core {
    /// Returns the request that a handle means. An inline receive becomes a request.
    #[inline]
    pub(crate) fn request_of(&mut self, handle: handle::Request) -> handle::Request {
        match self.posted.course(handle) {
            None => handle,
            Some(course) => self.request_of_inline(course),
        }
    }

    #[cold]
    fn request_of_inline(&mut self, course: Course) -> handle::Request {
        match course {
            Course::Became(request) => request,
            Course::Waiting(slot, inline_receive) => {
                let request =
                    self.continue_as_request(slot, &inline_receive, self.posted.next_slot());
                self.posted.replace(slot, request);
                request
            }
            Course::Done(slot, received) => {
                let mut request = Request::new(crate::abi::MPI_COMM_SELF, Activity::Done);
                request.completion = Completion::received(&received);
                self.enter_as_request(slot, request)
            }
        }
    }

    /// Returns the request of a handle that the program is about to give up: the request's own name
    /// is the only one from then on.
    pub(crate) fn sole_request(&mut self, handle: handle::Request) -> handle::Request {
        let request = self.request_of(handle);
        if request != handle {
            self.posted.forget(handle);
        }
        request
    }

    /// Continues the inline receive at `slot` as a request, which is posted at `posted`, or
    /// nowhere.
    #[cold]
    pub(crate) fn continue_as_request(
        &mut self,
        slot: Slot,
        inline_receive: &InlineReceive,
        posted: Slot,
    ) -> handle::Request {
        let activity = Activity::Posted { buffer: inline_receive.place.to_buffer(), slot: posted };
        let mut request = Request::new(handle::Comm(inline_receive.comm as usize), activity);
        request.expected = inline_receive.source();
        self.enter_as_request(slot, request)
    }

    fn enter_as_request(&mut self, slot: Slot, request: Request) -> handle::Request {
        let request = self
            .requests
            .insert(request)
            .expect("four million requests that are no plain receives");
        self.posted.become_request(slot, request);
        request
    }

    /// Turns all pending inline receives into requests, for callers that examine all of them.
    #[cold]
    pub(crate) fn continue_all_as_requests(&mut self) {
        let waiting: Vec<handle::Request> = self.posted.waiting().collect();
        for handle in waiting {
            self.request_of(handle);
        }
    }
}

impl Engine {
    /// Completes requests from the first on, as long as each is of a common kind: null, a completed
    /// send, or an inline receive whose message has arrived or arrives within a moment. `report`
    /// gets the result of a receive, or nothing. Returns the number of completed requests; the
    /// others are unchanged.
    #[inline(always)]
    pub fn complete_first(
        &mut self,
        handles: &mut [handle::Request],
        mut report: impl FnMut(usize, Option<Received>),
    ) -> usize {
        for (index, handle) in handles.iter_mut().enumerate() {
            if *handle == self.done_request || handle.is_null() {
                report(index, None);
            } else {
                let Some(received) = self.complete_inline(*handle) else { return index };
                report(index, Some(received));
            }
            *handle = handle::Request::NULL;
        }
        handles.len()
    }

    #[inline(always)]
    fn complete_inline(&mut self, handle: handle::Request) -> Option<Received> {
        loop {
            if let Some(received) = self.core.posted.collect(handle) {
                return Some(received);
            }
            if !self.take_in(handle) {
                return None;
            }
        }
    }

    /// Takes the message of the inline receive `handle`, together with messages before and behind
    /// it from the same process for similar receives. Returns false if there is none, or one that
    /// needs the general path.
    #[inline(never)]
    fn take_in(&mut self, handle: handle::Request) -> bool {
        let Some(Course::Waiting(_, inline_receive)) = self.core.posted.course(handle) else {
            return false;
        };
        let others_sleep = self.sleeper || self.resting > 0;
        if others_sleep || self.has_duties() {
            return false;
        }
        let (Some(from), Some(endpoint)) = (inline_receive.source(), &mut self.endpoint) else {
            return false;
        };
        let mut run = self.core.posted.run();
        let taken = endpoint.receive_many_fast(from, |header, payload| {
            header.kind == kind::EAGER && run.receive(&pattern_of(header), payload)
        });
        drop(run);
        self.core.finished += u64::from(taken);
        taken > 0 || endpoint.receive_pieces_fast(from, Written(&mut self.core)).is_some()
    }
}

/// The inline receives, as destination of a message that is being written.
struct Written<'a>(&'a mut Core);

impl PacketHandler for Written<'_> {
    fn take(self, _header: &Header, _payload: &[u8]) -> bool {
        false
    }

    fn take_long_packet(self, header: &Header, packet: &mut LongPacket) -> bool {
        header.kind == kind::EAGER && self.0.receive_inline_pipelined(&pattern_of(header), packet)
    }
}
