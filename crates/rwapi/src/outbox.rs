//! What has not left yet, and how a write leaves for another host.
//!
//! A long write travels as bulk payloads, from its local memory into the other's block. Its
//! remainder, and a short write, travel in packets. All of them stay in the order of the calls,
//! because a network keeps the order of packets with and without bulk payloads.
//!
//! A small message behind a write that has not left travels with the last part of the write, at the
//! beginning of its payload. The two need one packet, one system call here and one there. A short
//! write is therefore held for one call, since most programs announce a write at once.
//!
//! ```text
//!   header: number, network address, HAS_MESSAGE │ small message │ bytes (or a bulk payload)
//! ```

use crate::inbox::Inbox;
use crate::{HAS_MESSAGE, SMALL_BYTES, Small, WRITE, WRITE_BULK};
use nemesis::wire::Header;
use nemesis::{EAGER_BULK_MAX_BYTES, Endpoint, REMOTE_PACKET_MAX_BYTES, Region, Sent, Span};
use std::collections::VecDeque;

/// Longest payload of a packet.
pub const PAYLOAD_MAX_BYTES: usize = REMOTE_PACKET_MAX_BYTES;
/// Shortest write that travels as bulk payloads. They cost one more read there, but no copy here.
const BULK_MIN_BYTES: usize = 32 << 10;
/// Longest write that waits for the next call. A longer one gains little by travelling with its
/// message, and more by leaving early, beside a computation.
pub const HELD_MAX_BYTES: usize = 64 << 10;

/// A packet or a write that waits.
pub enum Waiting {
    /// A packet: header and payload.
    Packet(Header, Vec<u8>),
    /// What is left of a write.
    Write(Write),
}

/// What is left of a write.
pub struct Write {
    /// Number of the write.
    pub number: u64,
    /// The local block.
    pub from: Span,
    /// Offset of the bytes in the local block.
    pub start: usize,
    /// Network address to which the bytes belong.
    pub net: u64,
    /// Number of bytes left.
    pub bytes: usize,
    /// The small message behind the write.
    pub small: Option<Small>,
}

/// What a send needs.
pub struct SendContext<'a> {
    pub endpoint: &'a mut Endpoint,
    /// Buffer in which packets of writes are built.
    pub packet: &'a mut [u8],
    pub inbox: &'a mut Inbox,
    /// Token of the last bulk payload.
    pub token: &'a mut u64,
}

/// What waits, by node and in the order of the calls.
#[derive(Default)]
pub struct Outbox {
    queues: Vec<VecDeque<Waiting>>,
    /// Nodes for which something waits.
    busy: Vec<u32>,
}

impl Outbox {
    pub fn new(nodes: usize) -> Outbox {
        Outbox { queues: (0..nodes).map(|_| VecDeque::new()).collect(), busy: Vec::new() }
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.busy.is_empty()
    }

    /// Returns whether something waits for a node.
    pub fn has(&self, node: u32) -> bool {
        !self.queues[node as usize].is_empty()
    }

    /// Returns whether a write waits.
    pub fn has_write(&self, number: u64) -> bool {
        self.busy
            .iter()
            .flat_map(|&node| &self.queues[node as usize])
            .any(|waiting| waiting.write() == Some(number))
    }

    /// Queues a packet or a write.
    pub fn push(&mut self, node: u32, waiting: Waiting) {
        let queue = &mut self.queues[node as usize];
        if queue.is_empty() {
            self.busy.push(node);
        }
        queue.push_back(waiting);
    }

    /// Attaches a small message to the write that waits last for the node. Returns false if there
    /// is none, or if it has a message.
    pub fn attach_message(&mut self, node: u32, small: &Small) -> bool {
        match self.queues[node as usize].back_mut() {
            Some(Waiting::Write(Write { small: message @ None, .. })) => {
                *message = Some(*small);
                true
            }
            _ => false,
        }
    }

    /// Drops what waits for a node. Returns the numbers of its writes.
    pub fn drop_queue(&mut self, node: u32) -> Vec<u64> {
        self.busy.retain(|&busy| busy != node);
        let queue = std::mem::take(&mut self.queues[node as usize]);
        queue.iter().filter_map(Waiting::write).collect()
    }

    /// Sends as much as the endpoint accepts.
    pub fn flush(&mut self, out: &mut SendContext<'_>) {
        let Outbox { queues, busy } = self;
        busy.retain(|&node| {
            let queue = &mut queues[node as usize];
            while queue.front_mut().is_some_and(|first| first.send(out, node)) {
                queue.pop_front();
            }
            !queue.is_empty()
        });
    }
}

impl Waiting {
    /// Returns the number of a write.
    fn write(&self) -> Option<u64> {
        match self {
            Waiting::Write(write) => Some(write.number),
            Waiting::Packet(..) => None,
        }
    }

    /// Sends as much as the endpoint accepts. Returns true when all is sent.
    fn send(&mut self, out: &mut SendContext<'_>, node: u32) -> bool {
        match self {
            Waiting::Packet(header, payload) => out.endpoint.try_send(node, *header, payload),
            Waiting::Write(write) => loop {
                let Some(part) = write.send_part(out, node) else { return false };
                write.start += part;
                write.net = write.net.wrapping_add(part as u64);
                write.bytes -= part;
                if write.bytes == 0 {
                    return true;
                }
            },
        }
    }
}

impl Write {
    /// Sends a part. Returns its length, or `None` if the endpoint does not accept it.
    fn send_part(&self, out: &mut SendContext<'_>, node: u32) -> Option<usize> {
        let packet_max = out.endpoint.packet_max(node).min(PAYLOAD_MAX_BYTES);
        let bulk_max = out.endpoint.bulk_max(node).min(EAGER_BULK_MAX_BYTES);
        if bulk_max == 0 || self.bytes < BULK_MIN_BYTES.min(packet_max - SMALL_BYTES) {
            self.send_packet(out, node, packet_max)
        } else {
            self.send_bulk(out, node, bulk_max)
        }
    }

    /// Returns the header of the next `part` bytes, and the message that travels with them.
    fn header(&self, kind: u8, part: usize) -> (Header, &[u8]) {
        let small =
            self.small.as_ref().filter(|_| part == self.bytes).map_or(&[][..], |small| &small[..]);
        let flags = if small.is_empty() { 0 } else { HAS_MESSAGE };
        let header = Header {
            kind,
            flags,
            context: self.net,
            tag: (self.number >> 32) as i32,
            rank: self.number as u32,
            ..Header::default()
        };
        (header, small)
    }

    fn send_bulk(&self, out: &mut SendContext<'_>, node: u32, bulk_max: usize) -> Option<usize> {
        let part = self.bytes.min(bulk_max);
        let bulk = Region::of_span(&self.from, self.start, part)?;
        let (header, small) = self.header(WRITE_BULK, part);
        *out.token += 1;
        match out.endpoint.try_send_eager_bulk(node, header, small, bulk, *out.token) {
            Sent::Full => return None,
            Sent::Pending => drop(out.inbox.under_way.insert(*out.token, (node, self.number))),
            Sent::Done => {}
        }
        Some(part)
    }

    fn send_packet(
        &self,
        out: &mut SendContext<'_>,
        node: u32,
        packet_max: usize,
    ) -> Option<usize> {
        let (header, part, length) = self.pack(&mut out.packet[..packet_max]);
        out.endpoint.try_send(node, header, &out.packet[..length]).then_some(part)
    }

    /// Builds the payload of the next packet. Returns its header, the number of bytes of the write
    /// in it, and its length.
    pub fn pack(&self, packet: &mut [u8]) -> (Header, usize, usize) {
        let part = self.bytes.min(packet.len() - SMALL_BYTES);
        let (header, small) = self.header(WRITE, part);
        let length = small.len() + part;
        packet[..small.len()].copy_from_slice(small);
        self.from.read(self.start, &mut packet[small.len()..length]);
        (header, part, length)
    }
}
