//! Plain receives: the short life of most receives, and what becomes of the others.
//!
//! `MPI_Irecv` of a dense predefined type makes no request; the posted receive is named by its place in `matching`. As long as all goes as it mostly
//! does, it is posted, gets its message and is waited for there. As soon as something else happens to it, a request is made that goes on with it: it has
//! a name of its own, and the one that the program has leads there ([`Core::request_of`]).

use crate::engine::Engine;
use crate::handle::{self, Handle};
use crate::matching::{Course, InlineReceive, Received, Slot};
use crate::protocol::{Core, kind, pattern_of};
use crate::request::{Activity, Completion, Request};
use nemesis::wire::Header;
use nemesis::{LongPacket, PacketHandler};

impl Core {
    /// The request that a handle means. If it is a plain receive's, it is continued as one.
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

    /// The same, where the program is about to lose its handle: the request's own is the only one from now on.
    pub(crate) fn sole_request(&mut self, handle: handle::Request) -> handle::Request {
        let request = self.request_of(handle);
        if request != handle {
            self.posted.forget(handle);
        }
        request
    }

    /// Goes on with the plain receive at `slot` as a request's, which is posted at `posted`, or nowhere.
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

    /// Makes requests of all plain receives that wait: for what looks at all of them.
    #[cold]
    pub(crate) fn continue_all_as_requests(&mut self) {
        let waiting: Vec<handle::Request> = self.posted.waiting().collect();
        for handle in waiting {
            self.request_of(handle);
        }
    }
}

impl Engine {
    /// Completes requests from the first on, as long as each is what most are: null, a send that is complete, a plain receive whose message is here or
    /// comes within a moment. `report` gets what a receive brought, or nothing. Returns how many are complete; nothing has happened to the others.
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

    /// Takes in what the plain receive `handle` waits for, with what comes before and behind it from the same process for others like it; false if there
    /// is nothing, or something that is not taken in so easily.
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

/// The plain receives, for a message that is being written.
struct Written<'a>(&'a mut Core);

impl PacketHandler for Written<'_> {
    fn take(self, _header: &Header, _payload: &[u8]) -> bool {
        false
    }

    fn take_long_packet(self, header: &Header, packet: &mut LongPacket) -> bool {
        header.kind == kind::EAGER && self.0.receive_inline_pipelined(&pattern_of(header), packet)
    }
}
