//! Replies to AM requests. The reply to a get holds no data: the memory is read when the reply is
//! sent.

use super::super::packet::{Ask, PLACE_BYTES, header};
use super::offer::{Part, find};
use crate::error::Outcome;
use crate::packet_kind as kind;
use nemesis::Endpoint;
use nemesis::wire::words;
use nemesis_datatype::Datatype;
use std::collections::BTreeMap;

/// A reply that has not been sent completely.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) to: u32,
    pub(super) number: u64,
    /// Number of bytes sent, and of all bytes.
    pub(super) sent: usize,
    pub(super) bytes: usize,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    /// Memory to read when the reply is sent.
    Place {
        ask: Ask,
        datatype: Datatype,
    },
    Bytes(Box<[u8]>),
    Refusal(Box<[u8]>),
}

impl Reply {
    /// Sends the next packets of a reply as long as there is space, each with at most
    /// `part_max_bytes` bytes of data. Returns whether the whole reply has been sent.
    pub(super) fn send(
        &mut self,
        endpoint: &mut Endpoint,
        parts: &BTreeMap<u64, Part>,
        packet: &mut [u8],
        part_max_bytes: usize,
    ) -> Outcome<bool> {
        if let What::Refusal(text) = &self.what {
            return Ok(endpoint.try_send(self.to, header(kind::ACCESS_REFUSED, self.number), text));
        }
        loop {
            let part = (packet.len() - PLACE_BYTES).min(part_max_bytes).min(self.bytes - self.sent);
            packet[..PLACE_BYTES].copy_from_slice(words([self.sent as u64]).as_bytes());
            let data = &mut packet[PLACE_BYTES..PLACE_BYTES + part];
            match &self.what {
                What::Place { ask, datatype } => {
                    let offered = find(parts, self.to, ask)?;
                    let place = offered.place(ask, datatype)?;
                    offered.fetch(&place, self.sent..self.sent + part)?;
                    place.get_at(self.sent, data);
                }
                What::Bytes(bytes) | What::Refusal(bytes) => {
                    data.copy_from_slice(&bytes[self.sent..self.sent + part])
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
