//! Eager messages with a bulk payload: messages from other nodes whose bytes follow their header at
//! once, without a copy into a packet.
//!
//! Such a message is matched when its header arrives. What it is matched with decides where its
//! bytes go:
//!
//! | matched with | its bytes go |
//! |---|---|
//! | a receive into a contiguous, large enough buffer | straight into the buffer |
//! | another receive | into a bounce buffer, unpacked when all bytes have arrived |
//! | no receive (unexpected) | into a bounce buffer, counted as unexpected bytes of the sender |
//!
//! A network delivers the packets of a process in order, so one bulk payload at a time arrives from
//! a process, and [`BulkArrivals`] finds it by its sender. An unexpected message may be probed,
//! received, or removed by a matched probe while its bytes arrive: it carries the number of its
//! arrival.
//!
//! ```text
//!   header ─┬─ receive posted ──> InPlace or Bounced ──── all bytes here ──> the receive completes
//!           └─ unexpected ──> Unclaimed ─┬─ received ──> Bounced ─────────────┘
//!                                        └─ all bytes here ──> like any eager message
//! ```

use super::message::unpack_message;
use super::{Content, Core, Message};
use crate::handle::{self, Handle};
use crate::matching::{Pattern, Slot};
use crate::packet::{kind, pattern_of};
use crate::peer_failure;
use crate::request::{Activity, Completion, Request};
use nemesis::wire::Header;
use nemesis::{Bounce, EAGER_BULK_MAX_BYTES, RegionMut};
use nemesis_datatype::Buffer;
use std::collections::BTreeMap;

/// The content of an unexpected message that arrives, or arrived, as a bulk payload.
#[derive(Debug)]
pub struct Arriving {
    number: u64,
    bounce: Bounce,
}

impl Arriving {
    /// Returns the message's length, including bytes that have not arrived yet.
    pub fn bytes(&self) -> usize {
        self.bounce.len()
    }
}

/// The owner of the bytes that are arriving.
#[derive(Debug)]
enum Claim {
    Unclaimed(u64),
    InPlace(handle::Request),
    Bounced(handle::Request, Pattern, Bounce),
}

/// The bulk payloads that are arriving, by their senders.
#[derive(Debug)]
pub struct BulkArrivals {
    coming: BTreeMap<u32, Claim>,
    last: u64,
    /// Messages that matched probes removed, and of which bytes were missing when their senders
    /// were lost.
    broken: Vec<u64>,
}

impl BulkArrivals {
    pub const fn new() -> BulkArrivals {
        BulkArrivals { coming: BTreeMap::new(), last: 0, broken: Vec::new() }
    }

    fn is_coming(&self, origin: u32, number: u64) -> bool {
        matches!(self.coming.get(&origin), Some(Claim::Unclaimed(coming)) if *coming == number)
    }
}

impl Default for BulkArrivals {
    fn default() -> BulkArrivals {
        BulkArrivals::new()
    }
}

impl Core {
    /// Begins to receive an eager bulk payload whose header has arrived. Returns where the bytes
    /// go, or `None` if the header is invalid.
    pub(crate) fn begin_bulk(
        &mut self,
        origin: u32,
        header: &Header,
        bytes: usize,
    ) -> Option<RegionMut> {
        if !self.may_begin(origin, header, bytes) {
            return None;
        }
        let pattern = pattern_of(header);
        match self.take_posted(&pattern) {
            Some(request) => self.receive_bulk(request, origin, &pattern, bytes),
            None => Some(self.keep_bulk(origin, pattern, bytes)),
        }
    }

    /// Begins to receive an eager bulk payload for a blocking receive that is not posted, and
    /// creates the receive's request.
    pub(crate) fn begin_bulk_for(
        &mut self,
        buffer: Buffer,
        origin: u32,
        header: &Header,
        bytes: usize,
    ) -> Option<(RegionMut, handle::Request)> {
        if !self.may_begin(origin, header, bytes) {
            return None;
        }
        let request =
            Request::new(handle::Comm::NULL, Activity::Posted { buffer, slot: Slot::NOWHERE });
        let request = self.requests.insert(request)?;
        Some((self.receive_bulk(request, origin, &pattern_of(header), bytes)?, request))
    }

    fn may_begin(&self, origin: u32, header: &Header, bytes: usize) -> bool {
        header.kind == kind::EAGER_BULK
            && bytes <= EAGER_BULK_MAX_BYTES
            && !self.arrivals.coming.contains_key(&origin)
    }

    fn receive_bulk(
        &mut self,
        handle: handle::Request,
        origin: u32,
        pattern: &Pattern,
        bytes: usize,
    ) -> Option<RegionMut> {
        let request = self.requests.get_mut(handle).ok()?;
        let buffer = request.activity.take_posted()?;
        let (claim, region) = match buffer.region_mut(0, bytes) {
            Some(region) => (Claim::InPlace(handle), region),
            None => {
                let (bounce, region) = Bounce::new(bytes);
                (Claim::Bounced(handle, *pattern, bounce), region)
            }
        };
        request.completion = Completion::message(pattern, bytes as u64);
        request.activity = Activity::Arriving { buffer };
        request.expected = Some(origin);
        self.arrivals.coming.insert(origin, claim);
        Some(region)
    }

    fn keep_bulk(&mut self, origin: u32, pattern: Pattern, bytes: usize) -> RegionMut {
        let (bounce, region) = Bounce::new(bytes);
        self.arrivals.last += 1;
        let number = self.arrivals.last;
        self.arrivals.coming.insert(origin, Claim::Unclaimed(number));
        self.keep(origin, pattern, Content::Arriving(Arriving { number, bounce }));
        region
    }

    /// Completes a bulk payload of which all bytes have arrived.
    pub(crate) fn end_bulk(&mut self, origin: u32) -> Option<()> {
        match self.arrivals.coming.remove(&origin)? {
            Claim::Unclaimed(_) => {}
            Claim::InPlace(handle) => self.finish(handle),
            Claim::Bounced(handle, pattern, mut bounce) => {
                let request = self.requests.get_mut(handle).ok()?;
                let Activity::Arriving { buffer } = &request.activity else { return None };
                request.completion = unpack_message(buffer, &pattern, bounce.bytes()?);
                self.finish(handle);
            }
        }
        Some(())
    }

    /// Turns a message into an ordinary eager one if it came as a bulk payload and all of it has
    /// arrived.
    pub(crate) fn eager_if_whole(&self, mut message: Message) -> Message {
        if let Content::Arriving(Arriving { number, bounce }) = message.content {
            let is_whole = !self.arrivals.is_coming(message.origin, number)
                && !self.arrivals.broken.contains(&number);
            message.content = match bounce.into_bytes() {
                Ok(bytes) if is_whole => Content::Eager(bytes),
                Ok(bytes) => Content::Arriving(Arriving { number, bounce: Bounce::from(bytes) }),
                Err(bounce) => Content::Arriving(Arriving { number, bounce }),
            };
        }
        message
    }

    /// Matches a receive with an unexpected message of which bytes are still missing. Fails the
    /// receive if they will never arrive.
    pub(crate) fn claim(
        &mut self,
        handle: handle::Request,
        origin: u32,
        pattern: &Pattern,
        arriving: Arriving,
    ) {
        if !self.arrivals.is_coming(origin, arriving.number) {
            self.arrivals.broken.retain(|&broken| broken != arriving.number);
            let error =
                self.losses.check(origin).err().unwrap_or_else(|| peer_failure::has_failed(origin));
            return self.fail(handle, error);
        }
        let Ok(request) = self.requests.get_mut(handle) else { return };
        let Some(buffer) = request.activity.take_posted() else { return };
        request.activity = Activity::Arriving { buffer };
        request.expected = Some(origin);
        self.arrivals.coming.insert(origin, Claim::Bounced(handle, *pattern, arriving.bounce));
    }

    /// Gives up the bulk payload that was arriving from a process that is lost.
    pub(crate) fn give_up_bulk(&mut self, origin: u32) {
        let Some(Claim::Unclaimed(number)) = self.arrivals.coming.remove(&origin) else { return };
        let is_it = |message: &Message| match &message.content {
            Content::Arriving(arriving) => arriving.number == number,
            _ => false,
        };
        match self.unexpected.take_where(is_it) {
            Some((_, message)) => self.no_longer_kept(&message),
            None => self.arrivals.broken.push(number),
        }
    }
}
