//! Rendezvous messages between nodes as bulk payloads: the bytes go from the sender's memory to the
//! network, and from there into the receiver's memory.
//!
//! The receiver that has matched an announcement asks for the bytes (CTS), and says by a flag that
//! its buffer is contiguous. The sender divides its message into bulk payloads of at most the
//! length that the network takes, which may arrive in any order: each names its offset in the
//! message. The receiver counts the bytes.

use crate::engine::Engine;
use crate::handle::{self, Handle};
use crate::packet::{BULK, data_header};
use crate::request::Activity;
use crate::send::Fed;
use nemesis::Sent;
use nemesis::wire::{Header, words};

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
