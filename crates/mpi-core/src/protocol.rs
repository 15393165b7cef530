//! The receiving half of the point-to-point protocol: how this process acts on the packets that
//! [`packet`](crate::packet) describes.
//!
//! [`Core`] is the receiving half. The endpoint hands it packets while it polls, so `Core` cannot
//! send: what a packet calls for becomes a [`Task`], which the engine performs after the poll.
//! `Core` checks every value of a packet before use: request numbers through the handle table,
//! lengths against the buffers.

mod eager_bulk;
mod finish;
mod inline_receive;
mod loss;
mod message;
pub(crate) mod reads;
mod rendezvous;
#[cfg(test)]
mod tests;
mod unexpected;
mod upper;

pub use crate::packet::kind;
pub use message::{Content, Matched, Message, truncated, unpack_long_packet, unpack_message};
pub use rendezvous::{HelpRequest, Reading, compare_read, compare_signatures};
pub use upper::{GoesOn, Layers, PacketHooks, UPPER_TOKEN, Upper};

use crate::agreements::Agreements;
use crate::attached_buffers;
use crate::envelope::Awaited;
use crate::event::Events;
use crate::handle::{self, OfLane, Table};
use crate::matching::{Pattern, Posted, Slot, Taken, Unexpected};
use crate::packet::{AbortCause, Announcement, BULK, pattern_of};
use crate::peer_failure::Losses;
use crate::request::{Functions, Request};
use eager_bulk::BulkArrivals;
use message::{collected, torn};
use nemesis::wire::{Header, word};
use nemesis::{Failure, LongPacket, Packet, PagedTable, RegionMut, Sink, Token, am};
use nemesis_sync::guarded;
use nemesis_sys::panics::invalid;
use reads::Reads;
use std::collections::VecDeque;
use unexpected::Kept;

/// What an arriving packet requires the engine to do after the poll.
#[derive(Debug)]
pub enum Task {
    /// Send a control packet.
    Reply { to: u32, kind: u8, words: [u64; 3] },
    /// Transfer the bytes of an announced message into the receive `request`, whose activity is
    /// `Filling`.
    Fetch { request: handle::Request, origin: u32, announcement: Announcement },
    /// Post the partitions of a partitioned receive whose setup has arrived.
    PostPartitions { request: handle::Request },
    /// Carry out a part of a receiver's copy of a message that this process sends.
    Help(HelpRequest),
    /// End the job, because process `by` of another one ends both.
    Abort { by: u32, code: i32, cause: AbortCause },
    /// Ask process `to` to announce its eager messages (flow control), or to stop doing so.
    Throttle { to: u32, hold_back: bool },
    /// Handle what has arrived for revocations and agreements.
    Recover,
    /// End what waits for a process that has died, in communicators that contain it.
    ProcessDied(u32),
}

/// Matching and requests: all state that arriving packets touch.
pub struct Core {
    pub posted: Posted,
    pub unexpected: Unexpected<Message>,
    pub requests: Table<handle::Request, Request>,
    pub tasks: VecDeque<Task>,
    /// Cooperative copies for which the sender has not reported its part yet.
    pub partial_copies: u32,
    /// Messages that this process reads until their senders send the remaining part: the first is
    /// being read, the others wait.
    pub(crate) readings: VecDeque<Reading>,
    /// Messages of at least this length are copied from their packets with non-temporal stores.
    pub non_temporal_min_bytes: usize,
    /// Rendezvous sends that have bytes to send.
    pub streams: VecDeque<handle::Request>,
    /// Packets of rendezvous sends that have been sent.
    pub(crate) fed: u64,
    /// Unexpected messages that are to be read at once, by their origins and the senders' requests.
    /// Some may have been received meanwhile.
    pub(crate) unread: Vec<(u32, u64)>,
    /// Which messages their receivers should read.
    pub(crate) reads: Reads,
    /// The send that was announced most recently.
    pub(crate) last_announced: Option<handle::Request>,
    /// Unexpected bytes that are kept, by origin.
    kept: PagedTable<Kept>,
    /// Limit of the unexpected bytes of one origin, above which this process asks it to announce
    /// its eager messages (`NEMESIS_UNEXPECTED_MAX_BYTES`).
    pub unexpected_max_bytes: usize,
    /// Number of operations that have been completed.
    pub finished: u64,
    /// What the current blocking receive or probe waits for, or the last one waited for.
    pub(crate) awaited: Option<Awaited>,
    /// Eager messages with a bulk payload that are arriving.
    arrivals: BulkArrivals,
    /// Processes that cannot be reached any more.
    pub losses: Losses,
    /// Revocations and agreements.
    pub(crate) agreements: Agreements,
    /// Number of requests whose completion does more than to free them: generalized ones, those for
    /// which pending communicators wait, and collective ones whose buffers the checks watch.
    pub special_completions: usize,
    /// Number of generalized requests that waits and tests carry on, and that are not complete.
    pub(crate) polled_requests: usize,
    /// The classes of such requests, by their numbers.
    pub(crate) request_classes: Vec<Functions>,
    /// Attached buffers of buffered mode.
    pub attached_buffers: attached_buffers::Shared,
    /// The number of the lane.
    pub(crate) lane: usize,
    /// The upper layer, which handles packets of its own kinds.
    pub upper: Upper,
    /// What the launcher has told a checked program that relies on buffering.
    pub goes_on: GoesOn,
    /// Gives access to the upper layer's state.
    pub token: guarded::Token,
    pub counted: Counted,
    /// Events that tools have registered for.
    pub events: Events,
}

/// Counters of the rendezvous protocol, for tools.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counted {
    /// Messages announced to their receivers.
    pub announced: u64,
    /// Announced messages that were read from the sender's memory.
    pub read: u64,
    /// Announced messages that were asked for in packets.
    pub streamed: u64,
    /// Times that this process asked another one to announce its eager messages.
    pub throttled: u64,
}

impl Sink for Core {
    #[inline]
    fn packet(&mut self, packet: Packet<'_>) {
        if packet.header.kind == kind::EAGER {
            let pattern = pattern_of(&packet.header);
            if !self.receive_inline(&pattern, packet.payload) {
                self.message(packet, &pattern);
            }
        } else {
            self.control(packet);
        }
    }

    fn long_packet(&mut self, origin: u32, header: &Header, packet: &mut LongPacket) {
        match header.kind {
            kind::EAGER => {}
            kind::DATA if header.flags & BULK == 0 => {
                return self.data_in_long_packet(origin, header, packet);
            }
            _ => {
                return self.packet(Packet {
                    origin,
                    header: *header,
                    payload: packet.wait_for_all(),
                });
            }
        }
        let pattern = pattern_of(header);
        if self.receive_inline_pipelined(&pattern, packet) {
            return;
        }
        match self.take_posted(&pattern) {
            Some(request) => self.deliver_long_packet(request, &pattern, packet),
            None => {
                let bytes = collected(packet);
                // A receive finds that the sender is lost.
                if !packet.is_torn() {
                    self.keep(origin, pattern, Content::Eager(bytes));
                }
            }
        }
    }

    fn place(
        &mut self,
        origin: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        match header.kind {
            kind::EAGER_BULK => self.begin_bulk(origin, header, bytes),
            _ if am::is_packet(header) => {
                (self.upper.hooks.place)(self, origin, header, payload, bytes)
            }
            _ => self.place_of(origin, header, payload).filter(|place| place.len() == bytes),
        }
    }

    fn completed(&mut self, token: Token, outcome: Result<(), Failure>) {
        if token & UPPER_TOKEN != 0 {
            (self.upper.hooks.completed)(self, token, outcome);
        } else {
            self.bulk_left(handle::Request(token as usize), outcome);
        }
    }

    fn lost(&mut self, process: u32, failure: &Failure) {
        self.lose(process, failure);
    }
}

/// Returns the name by which the development checks know a request of a lane: the program's, since
/// each lane has names of its own. Requests beyond those that the program can name have their own.
#[cold]
pub(crate) fn checked_name(lane: usize, handle: handle::Request) -> usize {
    handle.outside(lane).unwrap_or(handle).0
}

impl Core {
    pub const fn new() -> Core {
        Core {
            posted: Posted::new(),
            unexpected: Unexpected::new(),
            requests: Table::new(),
            tasks: VecDeque::new(),
            partial_copies: 0,
            readings: VecDeque::new(),
            non_temporal_min_bytes: usize::MAX,
            streams: VecDeque::new(),
            fed: 0,
            unread: Vec::new(),
            reads: Reads::new(),
            last_announced: None,
            kept: PagedTable::empty(Kept::NOTHING, || Kept::NOTHING),
            unexpected_max_bytes: 0,
            finished: 0,
            awaited: None,
            arrivals: BulkArrivals::new(),
            losses: Losses::new(),
            agreements: Agreements::new(),
            special_completions: 0,
            polled_requests: 0,
            request_classes: Vec::new(),
            attached_buffers: attached_buffers::Shared::new(),
            lane: 0,
            upper: Upper::new(),
            goes_on: GoesOn::ORDERED_NOTHING,
            token: guarded::Token::new(),
            counted: Counted { announced: 0, read: 0, streamed: 0, throttled: 0 },
            events: Events::new(),
        }
    }

    /// Returns the name by which the development checks know a request of this lane.
    #[cold]
    pub(crate) fn checked_name(&self, handle: handle::Request) -> usize {
        checked_name(self.lane, handle)
    }

    /// Removes the posted receive that matches a message, and returns its request.
    pub fn take_posted(&mut self, pattern: &Pattern) -> Option<handle::Request> {
        if self.posted.is_empty() {
            return None;
        }
        match self.posted.take(pattern)? {
            Taken::Of(request) => Some(request),
            Taken::InlineReceive(slot, inline_receive) => {
                Some(self.continue_as_request(slot, &inline_receive, Slot::NOWHERE))
            }
        }
    }

    /// Completes the inline receive that an eager message matches. Returns false, and has done
    /// nothing, if the message matches another kind of receive or none, or is too long for the
    /// receive.
    #[inline(always)]
    pub fn receive_inline(&mut self, pattern: &Pattern, payload: &[u8]) -> bool {
        let received = !self.posted.is_empty() && self.posted.receive_inline(pattern, payload);
        self.finished += u64::from(received);
        received
    }

    /// Completes the inline receive that matches a long packet, whose sender may still be writing
    /// it. Returns false, as [`receive_inline`](Core::receive_inline) does.
    pub fn receive_inline_pipelined(&mut self, pattern: &Pattern, packet: &mut LongPacket) -> bool {
        let received =
            !self.posted.is_empty() && self.posted.receive_inline_pipelined(pattern, packet);
        self.finished += u64::from(received);
        received
    }

    /// Delivers an eager message to a receive with a request, or keeps it as unexpected.
    #[inline(never)]
    fn message(&mut self, packet: Packet<'_>, pattern: &Pattern) {
        match self.take_posted(pattern) {
            Some(request) => self.deliver(request, pattern, packet.payload),
            None => self.keep(packet.origin, *pattern, Content::Eager(packet.payload.into())),
        }
    }

    /// Completes the receive of a request with an eager message.
    fn deliver(&mut self, handle: handle::Request, pattern: &Pattern, payload: &[u8]) {
        let Ok(request) = self.requests.get_mut(handle) else { return };
        let Some(buffer) = request.activity.take_posted() else { return };
        request.completion = unpack_message(&buffer, pattern, payload);
        self.finish(handle);
    }

    /// Completes the receive of a request with a long packet, whose sender may still be writing it.
    fn deliver_long_packet(
        &mut self,
        handle: handle::Request,
        pattern: &Pattern,
        packet: &mut LongPacket,
    ) {
        let Ok(request) = self.requests.get_mut(handle) else { return };
        let Some(mut buffer) = request.activity.take_posted() else { return };
        request.completion = match packet.is_torn() {
            true => torn(packet),
            false => unpack_long_packet(&mut buffer, pattern, packet),
        };
        self.finish(handle);
    }

    #[inline(never)]
    fn control(&mut self, packet: Packet<'_>) {
        let Packet { origin, header, payload } = packet;
        let understood = match header.kind {
            kind::FIRST_UPPER.. => (self.upper.hooks.packet)(self, origin, &header, payload),
            _ if am::is_packet(&header) => {
                (self.upper.hooks.packet)(self, origin, &header, payload)
            }
            kind::EAGER_BULK => self.end_bulk(origin),
            kind::RTS => self.announced(origin, &header, payload),
            kind::CTS => self.cleared_to_send(&header, payload),
            kind::DATA if header.flags & BULK != 0 => self.bulk_arrived(origin, &header, payload),
            kind::DATA => self.data(origin, &header, payload),
            kind::DONE => word(payload, 0).zip(word(payload, 1)).map(|(sender, speed)| {
                self.reads.answered(origin, speed);
                self.finish(handle::Request(sender as usize));
            }),
            kind::JOIN => HelpRequest::read(origin, header.flags, payload)
                .map(|help_request| self.tasks.push_back(Task::Help(help_request))),
            kind::HELPED => self.helped(origin, payload),
            kind::CANCEL => self.cancel_announcement(origin, payload),
            kind::CANCELLED => self.cancelled(origin, payload),
            kind::REVOKE | kind::AGREE => {
                self.agreements.keep(origin, header, payload);
                self.tasks.push_back(Task::Recover);
                Some(())
            }
            kind::ABORT => word(payload, 0).zip(word(payload, 1)).map(|(code, cause)| {
                let cause = AbortCause::of_number(cause);
                self.tasks.push_back(Task::Abort { by: origin, code: code as i32, cause });
            }),
            _ => None,
        };
        // A request that has ended with an error, because a communicator was revoked or a process
        // has died, is none any more for packets that were on their way.
        let is_late = matches!(header.kind, kind::CTS | kind::DATA | kind::JOIN | kind::HELPED)
            && !self.losses.is_empty();
        if understood.is_none() && !is_late {
            invalid(format_args!("process {origin} has sent {header:?}"));
        }
    }
}
