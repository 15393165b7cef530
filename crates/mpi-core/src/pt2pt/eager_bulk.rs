//! Eager messages with a bulk payload, at their senders.

use super::PointToPoint;
use crate::envelope::Envelope;
use crate::error::Outcome;
use crate::handle::{self, Handle};
use crate::packet::kind;
use crate::request::{Activity, HandoffWait, Prefix, Request};
use nemesis::am::Limits;
use nemesis::forced::Forced;
use nemesis::wire::Header;
use nemesis::{Endpoint, REMOTE_PACKET_MAX_BYTES, Sent};
use nemesis_datatype::Buffer;

/// The result of an attempt to send a message as an eager bulk payload.
pub(crate) enum Started {
    Complete,
    Leaving(handle::Request),
    /// The message must be sent in another way, or the network has no space for it.
    Refused,
}

impl PointToPoint {
    /// Sends a message to another node as an eager bulk payload, if it is contiguous, of suitable
    /// length, and the network has space.
    pub(crate) fn send_eager_bulk(
        &mut self,
        buffer: &Buffer,
        envelope: Envelope,
    ) -> Outcome<Started> {
        let bytes = buffer.bytes();
        if !self.goes_as_eager_bulk(envelope.to, bytes) || self.must_queue(envelope.to) {
            return Ok(Started::Refused);
        }
        let Some(region) = buffer.region(0, bytes) else { return Ok(Started::Refused) };
        self.core.losses.check(envelope.to)?;
        let to = envelope.to;
        let activity = Activity::Streaming {
            buffer: buffer.clone(),
            to,
            receiver: 0,
            sent: bytes,
            wanted: bytes,
            in_bulk: true,
            bulk_pending: 1,
            prefix: Prefix::None,
            handoff_wait: HandoffWait::default(),
        };
        let mut request = Request::new(envelope.comm, activity);
        request.expected = Some(to);
        let request = self.new_request(request)?;
        let Some(endpoint) = &mut self.endpoint else { return Ok(Started::Refused) };
        let header = Header { kind: kind::EAGER_BULK, ..envelope.header };
        let sent = endpoint.try_send_eager_bulk(to, header, &[], region, request.bits() as u64);
        if sent == Sent::Pending {
            return Ok(Started::Leaving(request));
        }
        // No other code has seen the request yet.
        let _ = self.core.requests.discard(request);
        Ok(if sent == Sent::Done { Started::Complete } else { Started::Refused })
    }

    /// Returns whether a message of `bytes` bytes to process `to` goes as an eager bulk payload,
    /// instead of in a packet or by rendezvous.
    #[inline]
    pub(crate) fn goes_as_eager_bulk(&self, to: u32, bytes: usize) -> bool {
        bytes >= self.bulk_min_bytes
            && bytes <= self.eager_bulk_max_bytes
            && self.takes_eager_bulk(to, bytes)
    }

    fn takes_eager_bulk(&self, to: u32, bytes: usize) -> bool {
        let Some(endpoint) = &self.endpoint else { return false };
        // A message that fits a packet goes in a packet. If packets are limited further, all longer
        // messages go as bulk payloads.
        let usual = || bytes > endpoint.packet_max(to).min(self.packet_max_bytes);
        endpoint.is_remote(to)
            && !endpoint.copies_by_kernel(to)
            && bytes <= endpoint.bulk_max(to)
            && endpoint.forces_bulk(to, bytes).unwrap_or_else(usual)
    }

    /// Returns the limits of the packets of AM requests.
    pub fn am_limits(&self) -> Limits {
        Limits { packet: self.packet_max_bytes, bulk: self.eager_bulk_max_bytes }
    }

    /// Forces protocols from now on, and no others (`NEMESIS_PROTOCOL`).
    pub fn force_protocols(&mut self, rows: &[Forced]) {
        if let Some(endpoint) = &mut self.endpoint {
            endpoint.force(rows);
        }
        self.limit_eager(self.eager_bulk_max_bytes);
    }

    /// Limits eager messages to `limit` bytes from now on (`NEMESIS_EAGER_MAX_BYTES`).
    pub fn limit_eager(&mut self, limit: usize) {
        self.eager_max_bytes = limit.min(self.packet_max_bytes);
        self.eager_bulk_max_bytes = limit;
        let forced = self.endpoint.as_ref().is_some_and(Endpoint::has_forced_protocols);
        let packet_max = self
            .endpoint
            .as_ref()
            .map_or(REMOTE_PACKET_MAX_BYTES, |endpoint| endpoint.least_remote_packet_max());
        self.bulk_min_bytes = if forced { 1 } else { packet_max.min(self.packet_max_bytes) + 1 };
    }
}
