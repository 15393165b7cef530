//! Inline receives: receives without a request object, and how they become requests.
//!
//! `MPI_Irecv` of a contiguous predefined type creates no request; the posted receive is named by
//! its position in `matching`. In the common case it is posted, gets its message and is waited for
//! there. On any other event, a request is created that continues it. That request has a name of
//! its own, and the name that the program holds leads to it ([`Core::request_of`]).

use super::Core;
use crate::abi;
use crate::handle;
use crate::matching::{Course, InlineReceive, Slot};
use crate::request::{Activity, Completion, Request};

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
                let mut request = Request::new(abi::MPI_COMM_SELF, Activity::Done);
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
