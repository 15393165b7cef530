//! The point-to-point protocol: what the packets of MPI traffic mean, and how this process acts on
//! them.
//!
//! ```text
//!   eager          EAGER ───────────────────────>  copied to the receive, or kept unexpected
//!
//!   eager, to another node, with a bulk payload
//!                  EAGER_BULK, bulk payload ────>  matched by its header, then read into the
//!                                                  receive's buffer, or kept unexpected
//!
//!   rendezvous     RTS (length, address) ───────>  matched: the receiver reads the sender's memory
//!                  <─────────────────────── JOIN  both processes have a processor: the sender may
//!                                                  write a part of the message
//!                  HELPED ──────────────────────>  if it did
//!                  <─────────────────────── DONE
//!   or, where packets are faster than the kernel's copies,
//!                  <──────────────── JOIN (REST)  the sender may send what the receiver has not
//!                                                  begun to read
//!                  DATA … DATA ─────────────────>  if it does
//!                  <─────────────────────── DONE  if the receiver has read a part
//!   or, where the kernel refuses the copy or a side is not contiguous,
//!                  RTS ─────────────────────────>
//!                  <────────────── CTS (request)
//!                  DATA … DATA ─────────────────>  as packets find space; both sides copy at once
//!
//!   rendezvous, to another node, where both sides are contiguous,
//!                  RTS, CTS as above
//!                  DATA, bulk payload ──────────>  written from the sender's memory, read into
//!                                                  the receiver's
//!
//!   cancel a send  CANCEL ──────────────────────>  removed if it is still unexpected
//!                  <───────────────── CANCELLED
//! ```
//!
//! [`Core`] is the receiving half. The endpoint hands it packets while it polls, so `Core` cannot
//! send: what a packet calls for becomes a [`Task`], which the engine performs after the poll.
//! `Core` checks every value of a packet before use: request numbers through the handle table,
//! lengths against the buffers.

use crate::arrivals::{Arrivals, Arriving};
use crate::buffered::AttachedBuffers;
use crate::context::Context;
use crate::engine::upper::Upper;
use crate::error::Error;
use crate::event::{Event, Events};
use crate::handle::{self, Table};
use crate::matching::{Pattern, Posted, Slot, Taken, Unexpected};
use crate::peer_failure::{self, Losses};
use crate::receive::Wanted;
use crate::rendezvous::{HelpRequest, Reading};
use crate::request::{Activity, Completion, Holder, Prefix, Request};
use crate::{abi, send};
use nemesis::wire::{FIRST_CLIENT_KIND, Header, word};
use nemesis::{Failure, LongPacket, Packet, RegionMut, Sink, Token};
use nemesis_datatype::Buffer;
use nemesis_sync::guarded;
use std::collections::VecDeque;

/// Kinds of packets.
pub mod kind {
    use super::FIRST_CLIENT_KIND;
    /// An eager message: the whole message is the packet's payload.
    pub const EAGER: u8 = FIRST_CLIENT_KIND;
    /// Announces a message (RTS): its length, the sender's request, and its address, which is 0 if
    /// the message is not contiguous.
    pub const RTS: u8 = FIRST_CLIENT_KIND + 1;
    /// Asks for the bytes of an announced message (CTS): the sender's request, the receiver's
    /// request, the number of bytes.
    pub const CTS: u8 = FIRST_CLIENT_KIND + 2;
    /// A part of a message: `context` is the receiver's request, (`rank`, `tag`) the offset in the
    /// message. With the flag [`BULK`](super::BULK) the part is the packet's bulk payload, and the
    /// payload holds its length.
    pub const DATA: u8 = FIRST_CLIENT_KIND + 3;
    /// The receiver has all bytes it wants: the sender's request.
    pub const DONE: u8 = FIRST_CLIENT_KIND + 4;
    /// Withdraws an announcement: the sender's request.
    pub const CANCEL: u8 = FIRST_CLIENT_KIND + 5;
    /// Answers [`CANCEL`]: the sender's request, and 1 if the announcement was withdrawn.
    pub const CANCELLED: u8 = FIRST_CLIENT_KIND + 6;
    /// Asks the sender to carry out a part of the copy: the sender's request, the receiver's
    /// request, the copy's generation and length, the address in the receiver's memory. With the
    /// flag [`REST`](super::REST) the sender sends the remaining part as [`DATA`].
    pub const JOIN: u8 = FIRST_CLIENT_KIND + 9;
    /// The sender has carried out its part of a copy: the receiver's request, the copy's
    /// generation, the number of bytes.
    pub const HELPED: u8 = FIRST_CLIENT_KIND + 10;
    /// An eager message whose bytes are the packet's bulk payload (`arrivals`).
    pub const EAGER_BULK: u8 = FIRST_CLIENT_KIND + 16;
    /// The first of the kinds that belong to the upper layer (`engine::upper`).
    pub const FIRST_UPPER: u8 = FIRST_CLIENT_KIND + 32;
}

/// Flag of a CTS: the receiver takes the bytes as bulk payloads. Flag of a DATA: the bytes are a
/// bulk payload.
pub const BULK: u8 = 1;
/// Flag of a JOIN: the receiver takes the remaining bytes as DATA.
pub const REST: u8 = 2;

/// Bytes that keeping an unexpected message costs in addition to its payload.
const UNEXPECTED_OVERHEAD_BYTES: usize = 128;

/// The content of an unexpected message.
#[derive(Debug)]
pub enum Content {
    Eager(Box<[u8]>),
    Announced(Announcement),
    Arriving(Arriving),
}

/// The content of an RTS.
#[derive(Debug, Clone, Copy)]
pub struct Announcement {
    pub bytes: u64,
    /// The sender's request, or [`NO_SENDER`](Announcement::NO_SENDER) if no data will follow.
    pub sender: u64,
    /// Address of the bytes in the sender's memory; 0 if they are not contiguous.
    pub address: u64,
}

impl Announcement {
    /// A value that names no request. A process that has failed in a collective operation announces
    /// its message with it, to say that it has no data to send.
    pub const NO_SENDER: u64 = 0;

    fn read(payload: &[u8]) -> Option<Announcement> {
        Some(Announcement {
            bytes: word(payload, 0)?,
            sender: word(payload, 1)?,
            address: word(payload, 2)?,
        })
    }
}

/// An unexpected message.
#[derive(Debug)]
pub struct Message {
    pub origin: u32,
    pub content: Content,
}

impl Message {
    pub fn bytes(&self) -> u64 {
        match &self.content {
            Content::Eager(payload) => payload.len() as u64,
            Content::Announced(announcement) => announcement.bytes,
            Content::Arriving(arriving) => arriving.bytes() as u64,
        }
    }

    fn cost(&self) -> usize {
        let kept = match &self.content {
            Content::Eager(payload) => payload.len(),
            Content::Announced(_) => 0,
            Content::Arriving(arriving) => arriving.bytes(),
        };
        UNEXPECTED_OVERHEAD_BYTES + kept
    }
}

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
    /// Perform the next task of the upper layer, which keeps its own queue of them.
    Upper,
    /// Ask process `to` to announce its eager messages (flow control), or to stop doing so.
    Throttle { to: u32, hold_back: bool },
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
    /// The send that was announced most recently.
    pub(crate) last_announced: Option<handle::Request>,
    /// Unexpected bytes that are kept, by origin.
    kept: Vec<Kept>,
    /// Limit of the unexpected bytes of one origin, above which this process asks it to announce
    /// its eager messages (`NEMESIS_UNEXPECTED_MAX_BYTES`).
    pub unexpected_max_bytes: usize,
    /// Number of operations that have been completed.
    pub finished: u64,
    /// What the current blocking receive or probe waits for, or the last one waited for.
    pub(crate) awaited: Option<Wanted>,
    /// Eager messages with a bulk payload that are arriving.
    pub(crate) arrivals: Arrivals,
    /// Processes that cannot be reached any more.
    pub losses: Losses,
    /// Number of generalized requests that exist.
    pub generalized: usize,
    /// Attached buffers of buffered mode.
    pub attached_buffers: AttachedBuffers,
    /// The upper layer, which handles packets of its own kinds.
    pub upper: Upper,
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

#[derive(Clone, Default)]
struct Kept {
    bytes: usize,
    throttled: bool,
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
            None => self.keep(origin, pattern, Content::Eager(collected(packet))),
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
            _ => self.place_of(origin, header, payload).filter(|place| place.len() == bytes),
        }
    }

    fn completed(&mut self, token: Token, outcome: Result<(), Failure>) {
        self.bulk_left(handle::Request(token as usize), outcome);
    }

    fn lost(&mut self, process: u32, failure: &Failure) {
        self.lose(process, failure);
    }
}

/// Returns the pattern by which the message of `header` is matched.
#[inline(always)]
pub fn pattern_of(header: &Header) -> Pattern {
    Pattern { context: Context(header.context), rank: header.rank, tag: header.tag }
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
            last_announced: None,
            kept: Vec::new(),
            unexpected_max_bytes: 0,
            finished: 0,
            awaited: None,
            arrivals: Arrivals::new(),
            losses: Losses::new(),
            generalized: 0,
            attached_buffers: AttachedBuffers::new(),
            upper: Upper::new(),
            token: guarded::Token::new(),
            counted: Counted { announced: 0, read: 0, streamed: 0, throttled: 0 },
            events: Events::new(),
        }
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
        request.completion = unpack_long_packet(&mut buffer, pattern, packet);
        self.finish(handle);
    }

    /// Completes an operation. Also removes its request if no handle of the program names it.
    #[inline]
    pub fn finish(&mut self, handle: handle::Request) {
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

    pub fn keep(&mut self, origin: u32, pattern: Pattern, content: Content) {
        let message = Message { origin, content };
        if self.kept.len() <= origin as usize {
            self.kept.resize(origin as usize + 1, Kept::default());
        }
        let kept = &mut self.kept[origin as usize];
        kept.bytes += message.cost();
        if kept.bytes > self.unexpected_max_bytes && !kept.throttled {
            kept.throttled = true;
            self.counted.throttled += 1;
            self.tasks.push_back(Task::Throttle { to: origin, hold_back: true });
        }
        if self.events.wanted(Event::Unexpected) {
            self.events.record(
                Event::Unexpected,
                [message.bytes(), u64::from(pattern.rank), pattern.tag as u64, u64::from(origin)],
            );
        }
        self.unexpected.keep(pattern, message);
    }

    /// Returns the bytes that unexpected messages take, the cost of keeping them included.
    pub fn bytes_kept(&self) -> usize {
        self.kept.iter().map(|kept| kept.bytes).sum()
    }

    /// Removes and returns the earliest unexpected message that `wanted` matches.
    #[inline(always)]
    pub fn take_unexpected(&mut self, wanted: &Pattern) -> Option<(Pattern, Message)> {
        if self.unexpected.is_empty() {
            return None;
        }
        let (pattern, message) = self.unexpected.take(wanted)?;
        self.no_longer_kept(&message);
        Some((pattern, self.into_eager_if_whole(message)))
    }

    pub(crate) fn no_longer_kept(&mut self, message: &Message) {
        let kept = &mut self.kept[message.origin as usize];
        kept.bytes -= message.cost();
        if kept.throttled && kept.bytes <= self.unexpected_max_bytes / 2 {
            kept.throttled = false;
            self.tasks.push_back(Task::Throttle { to: message.origin, hold_back: false });
        }
    }

    #[inline(never)]
    fn control(&mut self, packet: Packet<'_>) {
        let Packet { origin, header, payload } = packet;
        let understood = match header.kind {
            kind::FIRST_UPPER.. => (self.upper.hooks.packet)(self, origin, &header, payload),
            kind::EAGER_BULK => self.end_bulk(origin),
            kind::RTS => self.announced(origin, &header, payload),
            kind::CTS => self.cleared_to_send(&header, payload),
            kind::DATA if header.flags & BULK != 0 => self.bulk_arrived(origin, &header, payload),
            kind::DATA => self.data(origin, &header, payload),
            kind::DONE => {
                word(payload, 0).map(|sender| self.finish(handle::Request(sender as usize)))
            }
            kind::JOIN => HelpRequest::read(origin, header.flags, payload)
                .map(|help_request| self.tasks.push_back(Task::Help(help_request))),
            kind::HELPED => self.helped(origin, payload),
            kind::CANCEL => self.cancel_announcement(origin, payload),
            kind::CANCELLED => self.cancelled(payload),
            _ => None,
        };
        assert!(understood.is_some(), "process {origin} sent an invalid packet: {header:?}");
    }

    fn announced(&mut self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        let announcement = Announcement::read(payload)?;
        let pattern = pattern_of(header);
        match self.take_posted(&pattern) {
            Some(request) => self.accept(request, origin, &pattern, announcement),
            None => self.keep(origin, pattern, Content::Announced(announcement)),
        }
        Some(())
    }

    /// Matches a posted receive with an announced message: the receive's activity becomes
    /// `Filling`.
    pub fn accept(
        &mut self,
        handle: handle::Request,
        origin: u32,
        pattern: &Pattern,
        announcement: Announcement,
    ) {
        if announcement.sender == Announcement::NO_SENDER {
            return self.fail(handle, peer_failure::has_failed(origin));
        }
        let Ok(request) = self.requests.get_mut(handle) else { return };
        let Some(buffer) = request.activity.take_posted() else { return };
        let room = buffer.bytes();
        let wanted = usize::try_from(announcement.bytes).map_or(room, |bytes| bytes.min(room));
        request.completion = Completion::message(pattern, wanted as u64);
        if announcement.bytes > room as u64 {
            request.completion.error = Some(truncated(announcement.bytes, room));
        }
        request.activity = Activity::Filling { buffer, received: 0, wanted, cooperative: None };
        request.expected = Some(origin);
        self.tasks.push_back(Task::Fetch { request: handle, origin, announcement });
    }

    fn cleared_to_send(&mut self, header: &Header, payload: &[u8]) -> Option<()> {
        let (sender, receiver, wanted) = (word(payload, 0)?, word(payload, 1)?, word(payload, 2)?);
        let handle = handle::Request(sender as usize);
        let request = self.requests.get_mut(handle).ok()?;
        if let Activity::Streaming { prefix: prefix @ Prefix::Read, .. } = &mut request.activity {
            *prefix = Prefix::Requested(usize::try_from(wanted).ok()?);
            return Some(());
        }
        let Activity::Announced { buffer, to } =
            std::mem::replace(&mut request.activity, Activity::Done)
        else {
            return None;
        };
        let wanted = usize::try_from(wanted).ok()?.min(buffer.bytes());
        let in_bulk = header.flags & BULK != 0 && buffer.contiguous().is_some();
        request.activity = Activity::Streaming {
            buffer,
            to,
            receiver,
            sent: 0,
            wanted,
            in_bulk,
            bulk_pending: 0,
            prefix: Prefix::None,
            handoff_wait: send::HandoffWait::default(),
        };
        self.streams.push_back(handle);
        Some(())
    }

    fn data(&mut self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        self.take_data(origin, header, payload.len(), |buffer, offset, _| {
            buffer.unpack_at(offset, payload);
        })
    }

    #[inline(never)]
    fn data_in_long_packet(&mut self, origin: u32, header: &Header, packet: &mut LongPacket) {
        // Where messages travel in both directions, the caches hold twice as many buffers.
        let non_temporal_min_bytes = if self.streams.is_empty() {
            self.non_temporal_min_bytes
        } else {
            self.non_temporal_min_bytes / 2
        };
        let understood = self.take_data(origin, header, packet.len(), |buffer, offset, wanted| {
            match buffer.as_bytes_mut() {
                Some(bytes) => {
                    let place = &mut bytes[offset..];
                    match wanted {
                        _ if wanted >= non_temporal_min_bytes => packet.copy_non_temporal(place),
                        _ => packet.copy_into(place),
                    };
                }
                None => unpack_each(buffer, offset, packet),
            }
        });
        assert!(understood.is_some(), "process {origin} sent invalid data: {header:?}");
    }

    /// Receives a part of a message. `unpack` moves the part into the buffer; it is given the
    /// buffer, the part's offset in the message, and the message's length. Returns `None` if the
    /// packet is invalid.
    fn take_data(
        &mut self,
        origin: u32,
        header: &Header,
        bytes: usize,
        unpack: impl FnOnce(&mut Buffer, usize, usize),
    ) -> Option<()> {
        let handle = handle::Request(header.context as usize);
        let offset = send::data_offset(header);
        let request = self.requests.get_mut(handle).ok()?;
        let Activity::Filling { buffer, received, wanted, cooperative } = &mut request.activity
        else {
            return None;
        };
        if offset.checked_add(bytes)? > *wanted {
            return None;
        }
        unpack(buffer, offset, *wanted);
        *received += bytes;
        if received == wanted {
            let cooperative = cooperative.take();
            self.end_partial_copy(origin, cooperative);
            self.finish(handle);
        }
        Some(())
    }

    fn cancel_announcement(&mut self, origin: u32, payload: &[u8]) -> Option<()> {
        let sender = word(payload, 0)?;
        let is_it = |message: &Message| {
            message.origin == origin
                && matches!(&message.content, Content::Announced(rts) if rts.sender == sender)
        };
        let taken = self.unexpected.take_where(is_it);
        if let Some((_, message)) = &taken {
            self.no_longer_kept(message);
        }
        self.tasks.push_back(Task::Reply {
            to: origin,
            kind: kind::CANCELLED,
            words: [sender, u64::from(taken.is_some()), 0],
        });
        Some(())
    }

    fn cancelled(&mut self, payload: &[u8]) -> Option<()> {
        let (sender, forgotten) = (word(payload, 0)?, word(payload, 1)? != 0);
        let handle = handle::Request(sender as usize);
        if forgotten && let Ok(request) = self.requests.get_mut(handle) {
            request.completion.cancelled = true;
            self.finish(handle);
        }
        Some(())
    }
}

/// Copies a long packet, whose sender may still be writing it, into memory of its own.
fn collected(packet: &mut LongPacket) -> Box<[u8]> {
    let mut bytes = Vec::with_capacity(packet.len());
    while bytes.len() < packet.len() {
        bytes.extend_from_slice(packet.next_chunk());
    }
    bytes.into()
}

/// Unpacks a long packet into a receive's buffer while its sender writes it.
pub fn unpack_long_packet(
    buffer: &mut Buffer,
    pattern: &Pattern,
    packet: &mut LongPacket,
) -> Completion {
    let taken = packet.len().min(buffer.bytes());
    match buffer.as_bytes_mut() {
        Some(bytes) => _ = packet.copy_into(bytes),
        None => unpack_each(buffer, 0, packet),
    }
    let mut completion = Completion::message(pattern, taken as u64);
    if taken < packet.len() {
        completion.error = Some(truncated(packet.len() as u64, taken));
    }
    completion
}

/// Unpacks a long packet from byte `offset` of the packed stream on, as far as the buffer reaches,
/// while its sender writes it.
fn unpack_each(buffer: &Buffer, mut offset: usize, packet: &mut LongPacket) {
    loop {
        let chunk = packet.next_chunk();
        if chunk.is_empty() {
            return;
        }
        buffer.unpack_at(offset, chunk);
        offset += chunk.len();
    }
}

/// Unpacks an eager message into a receive's buffer.
pub fn unpack_message(buffer: &Buffer, pattern: &Pattern, payload: &[u8]) -> Completion {
    let taken = buffer.unpack_at(0, payload);
    let mut completion = Completion::message(pattern, taken as u64);
    if taken < payload.len() {
        completion.error = Some(truncated(payload.len() as u64, taken));
    }
    completion
}

#[cold]
pub fn truncated(bytes: u64, room: usize) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_TRUNCATE,
        format!("the message has {bytes} bytes, the receive buffer has room for {room}"),
    )
    .advise("receive with the sender's count, or ask MPI_Probe and MPI_Get_count first")
}
