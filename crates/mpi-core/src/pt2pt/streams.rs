//! Streams: the packets and bulk payloads of rendezvous sends that their receivers have asked for.
//!
//! A message to another node that is contiguous at both ends goes from the sender's memory to the
//! network, and from there into the receiver's memory. The receiver says by a flag of its CTS that
//! its buffer is contiguous. The sender divides its message into bulk payloads of at most the
//! length that the network takes, which may arrive in any order.

use super::PointToPoint;
use crate::device_buffers::{pending, unreadable};
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle};
use crate::packet::{BULK, UNREADABLE, data_header, kind};
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
            } else {
                match self.feed(handle, &mut activity) {
                    Ok(true) => Fed::Done,
                    Ok(false) => Fed::Waiting,
                    Err(error) => {
                        self.give_up_stream(handle, &activity, error);
                        continue;
                    }
                }
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

    /// Ends a send whose bytes cannot be read from their device, and its receive.
    #[cold]
    fn give_up_stream(&mut self, handle: handle::Request, activity: &Activity, why: Box<Error>) {
        if let Activity::Streaming { to, receiver, .. } = activity {
            let header = Header { kind: kind::CANCELLED, ..Header::default() };
            self.send_control(*to, header, [*receiver, 1, UNREADABLE]);
        }
        self.core.fail(handle, why);
    }

    /// Sends packets of a message as far as there is space. Returns whether all have been sent.
    ///
    /// # Errors
    /// If the bytes cannot be read from their device.
    fn feed(&mut self, handle: handle::Request, activity: &mut Activity) -> Outcome<bool> {
        let Activity::Streaming { buffer, to, receiver, sent, wanted, handoff_wait, .. } = activity
        else {
            return Ok(true);
        };
        let Some(endpoint) = &mut self.endpoint else { return Ok(true) };
        let original = pending(buffer);
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
                return Ok(false);
            }
            let length = (*wanted - *sent)
                .min(self.packet_max_bytes)
                .min(endpoint.packet_max(*to))
                .min(PART_BYTES);
            let header = data_header(*receiver, *sent);
            let out = if let Some(original) = original {
                let part = self.device_part.read(handle, original, *sent, length);
                endpoint.try_send(*to, header, part.map_err(|why| unreadable(original, &why))?)
            } else if let Some(bytes) = buffer.as_bytes() {
                endpoint.try_send(*to, header, &bytes[*sent..*sent + length])
            } else {
                let bytes = *sent..*sent + length;
                send_packed(endpoint, &mut self.packing, *to, header, buffer, bytes)
            };
            if !out {
                return Ok(false);
            }
            self.device_part.sent();
            *sent += length;
            self.core.fed += 1;
        }
        Ok(true)
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
