//! What found no room, and how a write leaves for another host.
//!
//! A long write goes as bodies, from where it lies into the other's block, and what is left of it, or a short one, in packets. All of that is in the order
//! of the calls, as a network keeps it for packets with and without a body.

use crate::inbox::{Inbox, body_header};
use crate::{WRITE, WRITE_FRONT};
use nemesis::wire::{Header, words};
use nemesis::{EAGER_BODY_MAX_BYTES, EAGER_BODY_MIN_BYTES, Endpoint, Region, Sent, Span};

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
}

/// What it takes to send.
pub struct Out<'a> {
    pub endpoint: &'a mut Endpoint,
    /// Where packets of writes are put together.
    pub packet: &'a mut [u8],
    pub inbox: &'a mut Inbox,
    /// The last body's.
    pub token: &'a mut u64,
}

impl Waiting {
    /// The number of a write.
    pub fn write(&self) -> Option<u64> {
        match self {
            Waiting::Write(write) => Some(write.number),
            Waiting::Packet(..) => None,
        }
    }

    /// Sends what there is room for; true when all has left.
    pub fn send(&mut self, out: &mut Out<'_>, node: u32) -> bool {
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
        if self.bytes < EAGER_BODY_MIN_BYTES { self.send_packet(out, node) } else { self.send_body(out, node) }
    }

    fn send_body(&self, out: &mut Out<'_>, node: u32) -> Option<usize> {
        let part = self.bytes.min(EAGER_BODY_MAX_BYTES);
        let body = Region::of_span(&self.from, self.start, part)?;
        *out.token += 1;
        match out.endpoint.try_send_eager_body(node, body_header(self.number, self.net), body, *out.token) {
            Sent::Full => return None,
            Sent::Pending => drop(out.inbox.leaving.insert(*out.token, (node, self.number))),
            Sent::Done => {}
        }
        Some(part)
    }

    fn send_packet(&self, out: &mut Out<'_>, node: u32) -> Option<usize> {
        let part = (out.packet.len() - WRITE_FRONT).min(self.bytes);
        out.packet[..WRITE_FRONT].copy_from_slice(words([self.number, self.net]).as_bytes());
        self.from.read(self.start, &mut out.packet[WRITE_FRONT..WRITE_FRONT + part]);
        let packet = &out.packet[..WRITE_FRONT + part];
        out.endpoint.try_send(node, Header { kind: WRITE, ..Header::default() }, packet).then_some(part)
    }
}
