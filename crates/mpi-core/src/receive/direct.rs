//! Direct receives: a blocking receive takes its message while the endpoint polls.

use crate::envelope::Room;
use crate::handle;
use crate::matching::Pattern;
use crate::packet::{Announcement, kind, pattern_of};
use crate::protocol::{Content, Core, Message, truncated, unpack_long_packet};
use crate::request::Completion;
use nemesis::wire::Header;
use nemesis::{Failure, LongPacket, Packet, RegionMut, Sink, Token};
use nemesis_datatype::{Buffer, Contiguous};

/// Destination of a direct receive: contiguous memory on the fast path, any layout otherwise.
pub trait Place {
    /// Takes the message and returns how many of its bytes had space.
    fn put(&mut self, payload: &[u8]) -> usize;
    /// Returns the destination as a buffer, for a rendezvous.
    fn as_buffer(&self) -> Buffer;
    /// Returns what there is room for, if a receive of the program waits, for the state report.
    #[inline(always)]
    fn room(&self) -> Option<Room> {
        None
    }
}

impl Place for &Buffer {
    #[inline]
    fn put(&mut self, payload: &[u8]) -> usize {
        self.unpack_at(0, payload)
    }
    fn as_buffer(&self) -> Buffer {
        (*self).clone()
    }
    fn room(&self) -> Option<Room> {
        Some(Room::of(self))
    }
}

impl Place for Contiguous {
    #[inline(always)]
    fn put(&mut self, payload: &[u8]) -> usize {
        Contiguous::put(self, payload)
    }
    fn as_buffer(&self) -> Buffer {
        self.to_buffer()
    }
    #[inline(always)]
    fn room(&self) -> Option<Room> {
        Some(Room::of_bytes(self.len()))
    }
}

/// A receive on the stack of the blocking call.
pub(super) struct Direct<'a, P> {
    pub(super) core: &'a mut Core,
    pub(super) wanted: Pattern,
    pub(super) place: &'a mut P,
    pub(super) got: Option<Got>,
}

pub(super) enum Got {
    Message(Completion),
    /// A message of which not all bytes have arrived.
    Part(Pattern, Message),
    /// The bytes are arriving, for a request of their own.
    Arriving(handle::Request),
}

impl<P: Place> Sink for Direct<'_, P> {
    #[inline(always)]
    fn packet(&mut self, packet: Packet<'_>) {
        let pattern = pattern_of(&packet.header);
        let ours =
            packet.header.kind <= kind::RTS && self.got.is_none() && pattern.fits(&self.wanted);
        if !ours || !self.core.posted.is_empty() {
            return self.other(packet, ours, pattern);
        }
        self.take(packet, pattern);
    }

    fn long_packet(&mut self, origin: u32, header: &Header, packet: &mut LongPacket) {
        let pattern = pattern_of(header);
        let fits = header.kind == kind::EAGER && self.got.is_none() && pattern.fits(&self.wanted);
        if fits && !self.core.posted.would_take(&pattern) {
            self.got = Some(Got::Message(unpack_long_packet(
                &mut self.place.as_buffer(),
                &pattern,
                packet,
            )));
        } else {
            self.core.long_packet(origin, header, packet);
        }
    }

    #[inline(always)]
    fn wants_more(&self) -> bool {
        matches!(self.got, None | Some(Got::Arriving(_)))
    }

    fn place(
        &mut self,
        origin: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        let pattern = pattern_of(header);
        let ours =
            header.kind == kind::EAGER_BULK && self.got.is_none() && pattern.fits(&self.wanted);
        if ours
            && !self.core.posted.would_take(&pattern)
            && let Some((region, request)) =
                self.core.begin_bulk_for(self.place.as_buffer(), origin, header, bytes)
        {
            self.got = Some(Got::Arriving(request));
            return Some(region);
        }
        self.core.place(origin, header, payload, bytes)
    }

    fn completed(&mut self, token: Token, outcome: Result<(), Failure>) {
        self.core.completed(token, outcome);
    }

    fn lost(&mut self, process: u32, failure: &Failure) {
        self.core.lost(process, failure);
    }
}

impl<P: Place> Direct<'_, P> {
    #[inline(always)]
    fn take(&mut self, packet: Packet<'_>, pattern: Pattern) {
        if packet.header.kind == kind::EAGER {
            let taken = self.place.put(packet.payload);
            let mut completion = Completion::message(&pattern, taken as u64);
            if taken < packet.payload.len() {
                completion.error = Some(truncated(packet.payload.len() as u64, taken));
            }
            self.got = Some(Got::Message(completion));
        } else {
            self.take_announcement(packet, pattern);
        }
    }

    #[cold]
    fn take_announcement(&mut self, packet: Packet<'_>, pattern: Pattern) {
        match Announcement::read(&packet.header, packet.payload) {
            Some(announcement) => {
                let content = Content::Announced(announcement);
                self.got = Some(Got::Part(pattern, Message::new(packet.origin, content)));
            }
            None => self.core.packet(packet),
        }
    }

    /// Handles a packet for another receive, or one that a receive posted earlier may match.
    #[inline(never)]
    fn other(&mut self, packet: Packet<'_>, ours: bool, pattern: Pattern) {
        if ours && !self.core.posted.would_take(&pattern) {
            self.take(packet, pattern);
        } else {
            self.core.packet(packet);
        }
    }
}
