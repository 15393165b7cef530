//! AM requests (active messages): accesses to memory that its owner's process carries out when it
//! polls. They serve processes that neither the processor, the kernel nor a network's device
//! reaches. MPI windows, registered memory and the Remote-Write API use them.
//!
//! ```text
//!   origin                                               target
//!   ASK (number, what) stream … DATA (offset) stream ──> checked, carried out part by part
//!                             <── RESULT (offset) …      what a read, or a lock, answers
//!                             <── DONE (number)          all requests up to this one are done
//!                             <── REFUSED (number)       this request is refused, and why
//! ```
//!
//! What a request asks for is the client's: a few fields of the header and a *front* of fixed
//! length ([`Ask`]), then a *stream* of bytes that goes into as many packets as it needs. Requests
//! of a pair are numbered, sent and carried out in the order of the calls, so that one DONE
//! confirms several. A request that wants no confirmation is *quiet*.
//!
//! Long parts of streams and of results are bulk payloads of these packets where the network has
//! them: the sender's memory is read, and the receiver's written, without a copy between. Where
//! they have no one place at the receiver, they arrive in a bounce buffer.
//!
//! A target trusts no packet: the client checks what a request names before memory is accessed
//! ([`Serve`]), and this module checks numbers, offsets and lengths.

mod origin;
mod target;
#[cfg(test)]
mod tests;

pub use origin::{Answer, Answered, Ask, Left, Lost, Origin};
pub use target::{Serve, Target};

use crate::endpoint::Endpoint;
use crate::limits::EAGER_BULK_MAX_BYTES;
use crate::packet::Token;
use nemesis_netmod::{Bounce, Region, RegionMut, Sent};
use nemesis_shm::layout::cell::PAYLOAD_BYTES as PACKET_MAX_BYTES;
use nemesis_wire::{Header, kind};
use std::collections::BTreeMap;

/// Flag of packets with a bulk payload. The client's flags lie below.
const BULK: u8 = 0x40;
/// Flag of a request that is not confirmed.
const QUIET: u8 = 0x80;
/// The flags of a client's request.
const CLIENT_FLAGS: u8 = BULK - 1;

/// Bytes of an ASK before the client's front: its number.
const NUMBER_BYTES: usize = 8;
/// Bytes of a DATA or RESULT before its payload: the offset in the stream, or in the result.
const OFFSET_BYTES: usize = 8;
/// Shortest bulk payload. It costs one more read at the receiver, but two copies less.
const BULK_MIN_BYTES: usize = 32 << 10;

/// Most bytes of a stream or result in one packet, and in one bulk payload.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Most bytes in a packet.
    pub packet: usize,
    /// Most bytes in a bulk payload; 0 for none.
    pub bulk: usize,
}

impl Limits {
    /// No limits but those of the networks.
    pub const NONE: Limits = Limits { packet: usize::MAX, bulk: usize::MAX };
}

/// Where a bulk payload arrives.
#[derive(Debug)]
enum Arriving {
    /// At its place. The number of its bytes.
    InPlace(usize),
    Bounced(Bounce),
    /// Nowhere. The number of bytes that are dropped.
    Dropped(usize),
}

impl Arriving {
    /// Makes a bulk payload of `bytes` bytes arrive at `place`, or in a bounce buffer.
    fn new(place: Option<RegionMut>, bytes: usize) -> (Arriving, RegionMut) {
        match place {
            Some(place) => (Arriving::InPlace(bytes), place),
            None => {
                let (bounce, place) = Bounce::new(bytes);
                (Arriving::Bounced(bounce), place)
            }
        }
    }
}

/// What is sent in parts: the stream of a request, or a result.
trait Parts {
    /// Why bytes cannot be read.
    type Failure;

    /// Copies bytes from `from` on, and returns how many: all that fit, but no part of an element.
    fn fill(&mut self, from: usize, space: &mut [u8]) -> Result<usize, Self::Failure>;

    /// Returns `bytes` bytes from `from` on as memory for a network.
    fn region(&self, from: usize, bytes: usize) -> Option<Region>;

    /// Returns from which byte on there may be such memory.
    fn memory_from(&self) -> usize;

    /// Returns the bytes of an element.
    fn grain(&self) -> usize;
}

/// How much of a stream is sent.
#[derive(Debug, Clone, Copy)]
struct Progress {
    sent: usize,
    bytes: usize,
}

/// Bulk payloads that are being read from their memory.
#[derive(Debug)]
struct Reads {
    /// Token of the next one.
    next: Token,
    /// By token: process and number of the request.
    requests: BTreeMap<Token, (u32, u64)>,
}

impl Reads {
    const fn new(first_token: Token) -> Reads {
        Reads { next: first_token, requests: BTreeMap::new() }
    }

    /// Adds the one that has the next token.
    fn add(&mut self, process: u32, number: u64) {
        self.requests.insert(self.next, (process, number));
        self.next += 1;
    }

    /// Removes one that has been read. Returns process and number of its request.
    fn take(&mut self, token: Token) -> Option<(u32, u64)> {
        self.requests.remove(&token)
    }

    fn lose(&mut self, process: u32) {
        self.requests.retain(|_, (to, _)| *to != process);
    }
}

/// What became of a packet.
enum Part {
    /// The endpoint does not accept it.
    Full,
    /// It has left. The number of bytes of the stream in it.
    Left(usize),
    /// As `Left`, but some of the bytes are read from their memory until the token is reported.
    Leaving(usize),
}

/// Sends the next packet of a stream, whose first `front` bytes are in `packet`. Adds a bulk
/// payload if the network has them and enough of the stream is left.
fn send_part<P: Parts>(
    endpoint: &mut Endpoint,
    to: u32,
    mut header: Header,
    (packet, front): (&mut [u8], usize),
    parts: &mut P,
    Progress { sent, bytes }: Progress,
    (limits, token): (Limits, Token),
) -> Result<Part, P::Failure> {
    let space = (packet.len() - front).min(limits.packet.max(parts.grain()));
    let before = parts.memory_from().saturating_sub(sent);
    let whole = (bytes - sent).saturating_sub(before);
    let bulk = if before <= space && whole >= BULK_MIN_BYTES.min(space) {
        let length = bulk_part(endpoint, to, whole, parts.grain(), limits.bulk);
        parts.region(sent + before, length).filter(|_| length > 0)
    } else {
        None
    };
    let Some(bulk) = bulk else {
        let part = parts.fill(sent, &mut packet[front..front + space])?;
        let has_left = endpoint.try_send(to, header, &packet[..front + part]);
        return Ok(if has_left { Part::Left(part) } else { Part::Full });
    };
    let part = before + bulk.len();
    parts.fill(sent, &mut packet[front..front + before])?;
    header.flags |= BULK;
    Ok(match endpoint.try_send_eager_bulk(to, header, &packet[..front + before], bulk, token) {
        Sent::Full => Part::Full,
        Sent::Pending => Part::Leaving(part),
        Sent::Done => Part::Left(part),
    })
}

/// Returns how many of `whole` bytes go as a bulk payload; 0 if the network has none.
fn bulk_part(endpoint: &Endpoint, to: u32, whole: usize, grain: usize, limit: usize) -> usize {
    if !endpoint.is_remote(to) {
        return 0;
    }
    let most = endpoint.bulk_max(to).min(EAGER_BULK_MAX_BYTES).min(limit);
    if whole <= most { whole } else { most / grain * grain }
}

/// Returns a buffer in which a packet to a process is assembled, as long as the longest packet.
fn space_for_packet<'a>(endpoint: &Endpoint, to: u32, packing: &'a mut Vec<u8>) -> &'a mut [u8] {
    let longest = if endpoint.is_remote(to) { endpoint.packet_max(to) } else { PACKET_MAX_BYTES };
    if packing.len() < longest {
        packing.resize(longest, 0);
    }
    &mut packing[..longest]
}

/// Returns the header of a packet about request `number`.
fn header(kind: u8, number: u64) -> Header {
    Header { kind, context: number, ..Header::default() }
}

/// Returns whether a packet belongs to AM requests.
pub fn is_packet(header: &Header) -> bool {
    (kind::AM_ASK..=kind::AM_REFUSED).contains(&header.kind)
}

/// Returns whether a packet belongs to AM requests of this process, and not of its sender.
pub fn is_answer(header: &Header) -> bool {
    (kind::AM_RESULT..=kind::AM_REFUSED).contains(&header.kind)
}
