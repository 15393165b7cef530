//! What has not left yet, and how a write leaves for another host.
//!
//! A long write goes as bulk payloads, from where it lies into the other's block, and what is left of it, or a short
//! one, in packets. All of that is in the order
//! of the calls, as a network keeps it for packets with and without a bulk payload.
//!
//! A small message behind a write that has not left goes with the write's last part, as the front of its payload: the two are one packet, one system call
//! here and one read there. So a short write is kept back for the length of one call: who writes mostly tells of it at once.
//!
//! ```text
//!   header: number, network address, whether a message is told │ small message │ bytes, or nothing before a bulk payload
//! ```

use crate::inbox::Inbox;
use crate::{SMALL_BYTES, Small, TELLS, WRITE, WRITE_BODY};
use nemesis::wire::Header;
use nemesis::{EAGER_BULK_MAX_BYTES, EAGER_BULK_MIN_BYTES, Endpoint, Region, Sent, Span};
use std::collections::VecDeque;

/// The longest payload of a packet.
pub const PAYLOAD_MAX_BYTES: usize = EAGER_BULK_MIN_BYTES - 1;
/// Writes from here on are bulk payloads: a read more there, but no copy here.
const BULK_MIN_BYTES: usize = 32 << 10;
/// Writes up to here wait for the next call. A longer one gains little by leaving with its message, and by leaving early its way beside a computation.
pub const HELD_MAX_BYTES: usize = 64 << 10;

pub enum Waiting {
    Packet(Header, Vec<u8>),
    Write(Write),
}

/// The rest of a write: from byte `start` of a block of ours on.
pub struct Write {
    pub number: u64,
    pub from: Span,
    pub start: usize,
    pub net: u64,
    pub bytes: usize,
    /// The small message behind it.
    pub small: Option<Small>,
}

/// What it takes to send.
pub struct Out<'a> {
    pub endpoint: &'a mut Endpoint,
    /// Where packets of writes are put together.
    pub packet: &'a mut [u8],
    pub inbox: &'a mut Inbox,
    /// The last bulk payload's.
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

    /// Whether something waits for a node.
    pub fn has(&self, node: u32) -> bool {
        !self.queues[node as usize].is_empty()
    }

    /// Whether a write waits.
    pub fn has_write(&self, number: u64) -> bool {
        self.busy
            .iter()
            .flat_map(|&node| &self.queues[node as usize])
            .any(|waiting| waiting.write() == Some(number))
    }

    pub fn push(&mut self, node: u32, waiting: Waiting) {
        let queue = &mut self.queues[node as usize];
        if queue.is_empty() {
            self.busy.push(node);
        }
        queue.push_back(waiting);
    }

    /// Lets a small message go with the write that waits last for the node; false when there is none without a message.
    pub fn join(&mut self, node: u32, small: &Small) -> bool {
        match self.queues[node as usize].back_mut() {
            Some(Waiting::Write(Write { small: told @ None, .. })) => {
                *told = Some(*small);
                true
            }
            _ => false,
        }
    }

    /// Gives up what waits for a node: the numbers of the writes.
    pub fn give_up(&mut self, node: u32) -> Vec<u64> {
        self.busy.retain(|&busy| busy != node);
        let queue = std::mem::take(&mut self.queues[node as usize]);
        queue.iter().filter_map(Waiting::write).collect()
    }

    /// Sends what there is room for.
    pub fn flush(&mut self, out: &mut Out<'_>) {
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
    /// The number of a write.
    fn write(&self) -> Option<u64> {
        match self {
            Waiting::Write(write) => Some(write.number),
            Waiting::Packet(..) => None,
        }
    }

    /// Sends what there is room for; true when all has left.
    fn send(&mut self, out: &mut Out<'_>, node: u32) -> bool {
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
    /// Sends some of it; how much, if there was room.
    fn send_part(&self, out: &mut Out<'_>, node: u32) -> Option<usize> {
        if self.bytes < BULK_MIN_BYTES {
            self.send_packet(out, node)
        } else {
            self.send_bulk(out, node)
        }
    }

    /// The header of the next `part` bytes, and the message that goes with them.
    fn front(&self, kind: u8, part: usize) -> (Header, &[u8]) {
        let small =
            self.small.as_ref().filter(|_| part == self.bytes).map_or(&[][..], |small| &small[..]);
        let flags = if small.is_empty() { 0 } else { TELLS };
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

    fn send_bulk(&self, out: &mut Out<'_>, node: u32) -> Option<usize> {
        let part = self.bytes.min(EAGER_BULK_MAX_BYTES);
        let bulk = Region::of_span(&self.from, self.start, part)?;
        let (header, small) = self.front(WRITE_BODY, part);
        *out.token += 1;
        match out.endpoint.try_send_eager_bulk(node, header, small, bulk, *out.token) {
            Sent::Full => return None,
            Sent::Pending => drop(out.inbox.leaving.insert(*out.token, (node, self.number))),
            Sent::Done => {}
        }
        Some(part)
    }

    fn send_packet(&self, out: &mut Out<'_>, node: u32) -> Option<usize> {
        let (header, part, length) = self.pack(out.packet);
        out.endpoint.try_send(node, header, &out.packet[..length]).then_some(part)
    }

    /// Puts the next packet's payload together: its header, how much of the write is in it, its length.
    pub fn pack(&self, packet: &mut [u8]) -> (Header, usize, usize) {
        let part = self.bytes.min(packet.len() - SMALL_BYTES);
        let (header, small) = self.front(WRITE, part);
        let length = small.len() + part;
        packet[..small.len()].copy_from_slice(small);
        self.from.read(self.start, &mut packet[small.len()..length]);
        (header, part, length)
    }
}
