//! The send queue of one process: packets that could not be written at once.

use crate::frame::{HEAD_BYTES, PREFIX_BYTES, Prefix};
use crate::socket::Moved;
use crate::stream::{self, Stream};
use nemesis_netmod::{Packet, Region, Sent, Token};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::io::IoSlice;

/// Bytes of queued frames beyond which the module is full for a process. Bulk payloads do not
/// count, because they are not copied.
const QUEUE_MAX_BYTES: usize = 1 << 20;
/// Number of queued packets beyond which the module is full for a process.
const QUEUE_MAX: usize = 4096;
/// Maximum number of packets that one call writes.
const GATHER: usize = 16;

/// Maximum total size of a packet that is copied into one piece and written as one. The copy costs
/// less than the kernel's work on several slices.
const RUN_BYTES: usize = 2048;

/// A packet that is not completely written.
struct Waiting {
    /// Copy of prefix, header and payload, or of what was left of them when they were queued.
    frame: Vec<u8>,
    written: usize,
    /// The bulk payload, and how many of its bytes are written.
    bulk: Option<(Region, usize)>,
    token: Option<Token>,
}

/// Packets to one process, in order.
#[derive(Default)]
pub struct Outgoing {
    queue: VecDeque<Waiting>,
    bytes: usize,
}

impl Outgoing {
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Sends a packet directly: if the queue is empty, writes what the socket takes without a copy.
    /// Queues the remainder.
    pub fn send(
        &mut self,
        socket: Option<&Stream>,
        packet: Packet<'_>,
        token: Token,
        piece: usize,
        scratch: &mut [u8],
    ) -> Sent {
        if self.bytes >= QUEUE_MAX_BYTES || self.queue.len() >= QUEUE_MAX {
            return Sent::Full;
        }
        let bulk = packet.bulk.filter(|bulk| !bulk.is_empty());
        let bulk_bytes = bulk.as_ref().map_or(0, Region::len);
        let mut head = [0; HEAD_BYTES];
        head[..PREFIX_BYTES].copy_from_slice(&Prefix::Packet(bulk_bytes as u64).encode());
        head[PREFIX_BYTES..].copy_from_slice(&packet.header.encode());
        let frame = HEAD_BYTES + packet.payload.len();
        let written = match socket.filter(|_| self.queue.is_empty()) {
            Some(socket) if bulk.is_none() && frame <= RUN_BYTES.min(piece) => {
                let run = &mut scratch[..frame];
                run[..HEAD_BYTES].copy_from_slice(&head);
                run[HEAD_BYTES..].copy_from_slice(packet.payload);
                count(stream::write_run(socket, run))
            }
            Some(socket) => write_packet(socket, &head, packet.payload, bulk.as_ref(), piece),
            None => 0,
        };
        if written == frame + bulk_bytes {
            return Sent::Done;
        }
        let rest = if written < frame {
            [&head, packet.payload].concat().split_off(written)
        } else {
            Vec::new()
        };
        let token = bulk.is_some().then_some(token);
        self.put(Waiting {
            frame: rest,
            written: 0,
            bulk: bulk.map(|bulk| (bulk, written.saturating_sub(frame))),
            token,
        });
        if token.is_some() { Sent::Pending } else { Sent::Done }
    }

    /// Queues a frame that is not a packet.
    pub fn say(&mut self, prefix: Prefix) {
        let mut frame = vec![0; HEAD_BYTES];
        frame[..PREFIX_BYTES].copy_from_slice(&prefix.encode());
        self.put(Waiting { frame, written: 0, bulk: None, token: None });
    }

    fn put(&mut self, waiting: Waiting) {
        self.bytes += waiting.frame.len();
        self.queue.push_back(waiting);
    }

    /// Writes what the socket takes. Returns the number of completed packets, at least 1 if a part
    /// of one was written, and appends the tokens of completed packets.
    pub fn push(
        &mut self,
        socket: &Stream,
        piece: usize,
        completed: &mut Vec<Token>,
    ) -> Result<u32, Errno> {
        let (mut packets, mut some) = (0, false);
        while !self.queue.is_empty() {
            let (offered, moved) = self.write(socket, piece);
            let written = match moved {
                Moved::Bytes(written) => written,
                Moved::Failed(errno) => return Err(errno),
                Moved::Nothing | Moved::End => break,
            };
            some |= written > 0;
            packets += self.advance(written, completed);
            if written < offered {
                break;
            }
        }
        Ok(packets.max(u32::from(some)))
    }

    fn write(&self, socket: &Stream, piece: usize) -> (usize, Moved) {
        let mut slices = Vec::with_capacity(2 * GATHER);
        for waiting in self.queue.iter().take(GATHER) {
            slices.push(&waiting.frame[waiting.written..]);
            if let Some((bulk, written)) = &waiting.bulk {
                slices.push(&bulk.bytes()[*written..]);
            }
        }
        slices.retain(|slice| !slice.is_empty());
        let offered = slices.iter().map(|slice| slice.len()).sum();
        (offered, write_slices(socket, &slices, piece))
    }

    /// Removes `written` bytes from the front of the queue.
    fn advance(&mut self, mut written: usize, completed: &mut Vec<Token>) -> u32 {
        let mut packets = 0;
        while let Some(first) = self.queue.front_mut() {
            let of_frame = written.min(first.frame.len() - first.written);
            first.written += of_frame;
            written -= of_frame;
            let mut left = first.frame.len() - first.written;
            if let Some((bulk, done)) = &mut first.bulk {
                let of_bulk = if left == 0 { written.min(bulk.len() - *done) } else { 0 };
                *done += of_bulk;
                written -= of_bulk;
                left += bulk.len() - *done;
            }
            if left > 0 {
                break;
            }
            self.bytes -= first.frame.len();
            completed.extend(first.token);
            self.queue.pop_front();
            packets += 1;
        }
        packets
    }

    /// Empties the queue and returns the tokens that cannot complete any more.
    pub fn abandon(&mut self) -> Vec<Token> {
        self.bytes = 0;
        self.queue.drain(..).filter_map(|waiting| waiting.token).collect()
    }
}

/// Writes a new packet without a copy and returns the number of bytes written. The next write
/// reports a failure again.
fn write_packet(
    socket: &Stream,
    head: &[u8],
    payload: &[u8],
    bulk: Option<&Region>,
    piece: usize,
) -> usize {
    let moved = match bulk {
        None if piece == usize::MAX => {
            stream::write(socket, &[IoSlice::new(head), IoSlice::new(payload)])
        }
        None => write_slices(socket, &[head, payload], piece),
        Some(bulk) => write_slices(socket, &[head, payload, bulk.bytes()], piece),
    };
    count(moved)
}

fn count(moved: Moved) -> usize {
    if let Moved::Bytes(written) = moved { written } else { 0 }
}

/// Writes at most `piece` bytes of the slices, in order.
fn write_slices(socket: &Stream, slices: &[&[u8]], piece: usize) -> Moved {
    let mut room = piece;
    let mut limited = Vec::with_capacity(slices.len());
    for slice in slices {
        let take = slice.len().min(room);
        limited.push(IoSlice::new(&slice[..take]));
        room -= take;
    }
    stream::write(socket, &limited)
}
