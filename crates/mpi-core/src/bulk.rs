//! Rendezvous messages between nodes as bulk payloads: the bytes go from the sender's memory to the
//! network, and from there into the receiver's memory.
//!
//! The receiver that has matched an announcement asks for the bytes (CTS), and says by a flag that
//! its buffer is contiguous. The sender divides its message into bulk payloads of at most the
//! length that the network takes, which may arrive in any order: each names its offset in the
//! message. The receiver counts the bytes.

use crate::engine::Engine;
use crate::handle::{self, Handle};
use crate::protocol::{BULK, Core};
use crate::request::Activity;
use crate::send::{Fed, data_header, data_offset};
use nemesis::wire::{Header, word, words};
use nemesis::{Failure, RegionMut, Sent};

impl Engine {
    /// Sends the next bulk payloads of a message, as long as the network has space.
    pub(crate) fn feed_bulk(&mut self, handle: handle::Request, activity: &mut Activity) -> Fed {
        let Activity::Streaming { buffer, to, receiver, sent, wanted, bulk_pending, .. } = activity
        else {
            return Fed::Done;
        };
        let Some(endpoint) = &mut self.endpoint else { return Fed::Done };
        let longest = endpoint.bulk_max();
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

impl Core {
    /// Returns where a bulk payload goes: into the buffer of the receive that its header names.
    /// Returns `None` unless that receive expects these bytes from this process.
    pub(crate) fn place_of(
        &mut self,
        origin: u32,
        header: &Header,
        payload: &[u8],
    ) -> Option<RegionMut> {
        let length = usize::try_from(word(payload, 0)?).ok()?;
        let request = self.requests.get(handle::Request(header.context as usize)).ok()?;
        let Activity::Filling { buffer, wanted, .. } = &request.activity else { return None };
        let offset = data_offset(header);
        let fits = offset.checked_add(length).is_some_and(|end| end <= *wanted)
            && request.expected == Some(origin);
        if header.flags & BULK != 0 && fits { buffer.region_mut(offset, length) } else { None }
    }

    /// Counts a bulk payload that has arrived in the receive's buffer, and completes the receive
    /// with the last one.
    pub(crate) fn bulk_arrived(
        &mut self,
        origin: u32,
        header: &Header,
        payload: &[u8],
    ) -> Option<()> {
        let length = self.place_of(origin, header, payload)?.len();
        let handle = handle::Request(header.context as usize);
        let Activity::Filling { received, wanted, .. } =
            &mut self.requests.get_mut(handle).ok()?.activity
        else {
            return None;
        };
        *received += length;
        if *received >= *wanted {
            self.finish(handle);
        }
        Some(())
    }

    /// Counts a bulk payload of a send that has left, or failed. A failure means that the process
    /// is lost, which ends the send elsewhere.
    pub(crate) fn bulk_left(&mut self, handle: handle::Request, outcome: Result<(), Failure>) {
        let Ok(request) = self.requests.get_mut(handle) else { return };
        let Activity::Streaming { sent, wanted, bulk_pending, .. } = &mut request.activity else {
            return;
        };
        *bulk_pending = bulk_pending.saturating_sub(1);
        if outcome.is_ok() && *bulk_pending == 0 && sent == wanted {
            self.finish(handle);
        }
    }
}
