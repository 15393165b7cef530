//! What is sent back: of gets only the place is kept, which is read when it is sent.

use super::super::packet::{Ask, PLACE_BYTES, header};
use super::offer::{Part, find};
use crate::error::Outcome;
use crate::packet_kind as kind;
use nemesis::Endpoint;
use nemesis::wire::words;
use nemesis_datatype::Datatype;
use std::collections::BTreeMap;

/// Something to send back.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) to: u32,
    pub(super) number: u64,
    /// Bytes sent, and bytes in all.
    pub(super) sent: usize,
    pub(super) bytes: usize,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    /// Read when it is sent.
    Place {
        ask: Ask,
        datatype: Datatype,
    },
    Bytes(Box<[u8]>),
    Refusal(Box<[u8]>),
}

impl Reply {
    /// Sends what there is room for, so many bytes in a packet at most; true when all has left.
    pub(super) fn send(
        &mut self,
        endpoint: &mut Endpoint,
        parts: &BTreeMap<u64, Part>,
        packet: &mut [u8],
        room: usize,
    ) -> Outcome<bool> {
        if let What::Refusal(text) = &self.what {
            return Ok(endpoint.try_send(self.to, header(kind::ACCESS_REFUSED, self.number), text));
        }
        loop {
            let part = (packet.len() - PLACE_BYTES).min(room).min(self.bytes - self.sent);
            packet[..PLACE_BYTES].copy_from_slice(words([self.sent as u64]).as_bytes());
            let room = &mut packet[PLACE_BYTES..PLACE_BYTES + part];
            match &self.what {
                What::Place { ask, datatype } => {
                    find(parts, self.to, ask)?.place(ask, datatype)?.get_at(self.sent, room)
                }
                What::Bytes(bytes) | What::Refusal(bytes) => {
                    room.copy_from_slice(&bytes[self.sent..self.sent + part])
                }
            }
            if !endpoint.try_send(
                self.to,
                header(kind::ACCESS_RESULT, self.number),
                &packet[..PLACE_BYTES + part],
            ) {
                return Ok(false);
            }
            self.sent += part;
            if self.sent == self.bytes {
                return Ok(true);
            }
        }
    }
}
