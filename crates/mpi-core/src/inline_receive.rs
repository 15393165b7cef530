//! Completing inline receives: receives without a request object.

use crate::engine::Engine;
use crate::handle::{self, Handle};
use crate::matching::{Course, Received};
use crate::packet::{kind, pattern_of};
use crate::protocol::Core;
use nemesis::wire::Header;
use nemesis::{LongPacket, PacketHandler};

impl Engine {
    /// Completes requests from the first on, as long as each is of a common kind: null, a completed
    /// send, or an inline receive whose message has arrived or arrives within a moment. `report`
    /// gets the result of a receive, or nothing. Returns the number of completed requests; the
    /// others are unchanged.
    #[inline(always)]
    pub fn complete_first(
        &mut self,
        handles: &mut [handle::Request],
        report: impl FnMut(usize, Option<Received>),
    ) -> usize {
        self.complete_first_named(handles, self.pt2pt.done_request, Some, report)
    }

    /// Completes requests as [`complete_first`](Self::complete_first) does, which have other names
    /// for the program: `done` is that of complete sends, and `inside` returns the name here, or
    /// `None` for a request of another lane.
    #[inline(always)]
    pub fn complete_first_named(
        &mut self,
        handles: &mut [handle::Request],
        done: handle::Request,
        inside: impl Fn(handle::Request) -> Option<handle::Request>,
        mut report: impl FnMut(usize, Option<Received>),
    ) -> usize {
        for (index, handle) in handles.iter_mut().enumerate() {
            if *handle == done || handle.is_null() {
                report(index, None);
            } else {
                let Some(received) = inside(*handle).and_then(|named| self.complete_inline(named))
                else {
                    return index;
                };
                report(index, Some(received));
            }
            *handle = handle::Request::NULL;
        }
        handles.len()
    }

    #[inline(always)]
    fn complete_inline(&mut self, handle: handle::Request) -> Option<Received> {
        loop {
            if let Some(received) = self.pt2pt.core.posted.collect(handle) {
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
        let Some(Course::Waiting(_, inline_receive)) = self.pt2pt.core.posted.course(handle) else {
            return false;
        };
        if self.waiting.others_sleep() || self.pt2pt.has_duties() {
            return false;
        }
        let (Some(from), Some(endpoint)) = (inline_receive.source(), &mut self.pt2pt.endpoint)
        else {
            return false;
        };
        let mut run = self.pt2pt.core.posted.run();
        let taken = endpoint.receive_many_fast(from, |header, payload| {
            header.kind == kind::EAGER && run.receive(&pattern_of(header), payload)
        });
        drop(run);
        self.pt2pt.core.finished += u64::from(taken);
        taken > 0 || endpoint.receive_pieces_fast(from, Written(&mut self.pt2pt.core)).is_some()
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
