//! Streams: the packets and bulk payloads of rendezvous sends that their receivers have asked for.
//!
//! A message to another node that is contiguous at both ends goes from the sender's memory to the
//! network, and from there into the receiver's memory. The receiver says by a flag of its CTS that
//! its buffer is contiguous. The sender divides its message into bulk payloads of at most the
//! length that the network takes, which may arrive in any order.

use super::PointToPoint;
use crate::handle::{self, Handle};
use crate::packet::{BULK, data_header};
use crate::request::{Activity, Prefix};
use nemesis::wire::{Header, words};
use nemesis::{Endpoint, Sent};
use nemesis_datatype::Buffer;
use std::ops::Range;

/// Longest packet of a message of many packets, in bytes. It is a sixteenth of the copy ring, so
/// that the receiver reads some packets while the sender writes the next.
pub(super) const PART_BYTES: usize = 256 * 1024;

/// Progress of a rendezvous send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fed {
    Done,
    /// All bytes are being sent; the network reports when they have left.
    Leaving,
    /// There was no space for more.
    Waiting,
}

impl PointToPoint {
    /// Continues the rendezvous sends that receivers have asked for.
    pub fn feed_streams(&mut self) {
        for _ in 0..self.core.streams.len() {
            let Some(handle) = self.core.streams.pop_front() else { return };
            let Ok(request) = self.core.requests.get_mut(handle) else { continue };
            let Activity::Streaming { .. } = &request.activity else { continue };
            let mut activity = std::mem::replace(&mut request.activity, Activity::Done);
            let takes_bulk =
                |to: u32| self.endpoint.as_ref().is_some_and(|endpoint| endpoint.bulk_max(to) > 0);
            // A network without bulk payloads carries the message in packets.
            let fed = if let Activity::Streaming { in_bulk: true, to, .. } = activity
                && takes_bulk(to)
            {
                self.feed_bulk(handle, &mut activity)
            } else if self.feed(&mut activity) {
                Fed::Done
            } else {
                Fed::Waiting
            };
            let goes_on = fed == Fed::Done && turn_to_prefix(&mut activity);
            if fed == Fed::Done && matches!(activity, Activity::Streaming { .. }) && !goes_on {
                self.core.finish(handle);
                continue;
            }
            if let Ok(request) = self.core.requests.get_mut(handle) {
                request.activity = activity;
            }
            if fed == Fed::Waiting || goes_on {
                self.core.streams.push_back(handle);
            }
        }
    }

    fn feed(&mut self, activity: &mut Activity) -> bool {
        let Activity::Streaming { buffer, to, receiver, sent, wanted, handoff_wait, .. } = activity
        else {
            return true;
        };
        let Some(endpoint) = &mut self.endpoint else { return true };
        // One packet is read for each that is written, so that neither process fills its space
        // before the other has begun to read.
        let in_parts = endpoint.goes_as_long_packet(*to, PART_BYTES);
        let crosses = in_parts && self.core.partial_copies > 0;
        let most = if crosses { 1 } else { u64::MAX };
        let end = self.core.fed.saturating_add(most);
        while sent < wanted {
            if self.core.fed == end
                || crosses && handoff_wait.is_awaited(endpoint.holds_handoff_buffer(*to))
            {
                return false;
            }
            let length = (*wanted - *sent)
                .min(self.packet_max_bytes)
                .min(endpoint.packet_max(*to))
                .min(PART_BYTES);
            let header = data_header(*receiver, *sent);
            let out = match buffer.as_bytes() {
                Some(bytes) => endpoint.try_send(*to, header, &bytes[*sent..*sent + length]),
                None => send_packed(
                    endpoint,
                    &mut self.packing,
                    *to,
                    header,
                    buffer,
                    *sent..*sent + length,
                ),
            };
            if !out {
                return false;
            }
            *sent += length;
            self.core.fed += 1;
        }
        true
    }

    /// Sends the next bulk payloads of a message, as long as the network has space.
    fn feed_bulk(&mut self, handle: handle::Request, activity: &mut Activity) -> Fed {
        let Activity::Streaming { buffer, to, receiver, sent, wanted, bulk_pending, .. } = activity
        else {
            return Fed::Done;
        };
        let Some(endpoint) = &mut self.endpoint else { return Fed::Done };
        let longest = endpoint.bulk_max(*to);
        while sent < wanted {
            let length = (*wanted - *sent).min(longest);
            let Some(region) = buffer.region(*sent, length) else { return Fed::Done };
            let header = Header { flags: BULK, ..data_header(*receiver, *sent) };
            match endpoint.try_send_bulk(
                *to,
                header,
                words([length as u64]).as_bytes(),
                region,
                handle.bits() as u64,
            ) {
                Ok(Sent::Full) => return Fed::Waiting,
                Ok(Sent::Pending) => *bulk_pending += 1,
                Ok(Sent::Done) => {}
                // The next poll reports the loss of the process, which ends the operation.
                Err(_) => return Fed::Leaving,
            }
            *sent += length;
        }
        if *bulk_pending == 0 { Fed::Done } else { Fed::Leaving }
    }
}

/// Handles a stream all of whose bytes are sent. If the receiver could not read the bytes before
/// them, they follow, and the result is true; if it reads them, the send is as after its
/// announcement.
fn turn_to_prefix(activity: &mut Activity) -> bool {
    let Activity::Streaming { buffer, to, sent, wanted, prefix, .. } = activity else {
        return false;
    };
    match std::mem::replace(prefix, Prefix::None) {
        Prefix::None => return false,
        Prefix::Read => {
            *activity = Activity::Announced { buffer: buffer.clone(), to: *to, tag: None };
        }
        Prefix::Requested(bytes) => (*sent, *wanted) = (0, bytes.min(*wanted)),
    }
    matches!(activity, Activity::Streaming { .. })
}

/// Sends one packet with bytes of a non-contiguous buffer: packed directly into shared memory if it
/// is sent in chunks, else through `packing`.
pub(super) fn send_packed(
    endpoint: &mut Endpoint,
    packing: &mut Vec<u8>,
    to: u32,
    header: Header,
    buffer: &Buffer,
    bytes: Range<usize>,
) -> bool {
    if endpoint.goes_as_long_packet(to, bytes.len()) {
        return endpoint.try_send_filled(to, &header, bytes.len(), |at, piece| {
            buffer.pack_at(bytes.start + at, piece);
        });
    }
    packing.resize(bytes.len().max(packing.len()), 0);
    let packed = &mut packing[..bytes.len()];
    buffer.pack_at(bytes.start, packed);
    endpoint.try_send(to, header, packed)
}
