//! Unexpected messages, and how the bytes of eager messages reach their buffers.

use super::eager_bulk::Arriving;
use crate::abi;
use crate::error::Error;
use crate::handle;
use crate::matching::Pattern;
use crate::packet::Announcement;
use crate::peer_failure;
use crate::request::Completion;
use nemesis::LongPacket;
use nemesis_datatype::Buffer;
use nemesis_mpi_check::Signature;

/// Bytes that keeping an unexpected message costs in addition to its payload.
const UNEXPECTED_OVERHEAD_BYTES: usize = 128;

/// The content of an unexpected message.
#[derive(Debug)]
pub enum Content {
    Eager(Box<[u8]>),
    Announced(Announcement),
    Arriving(Arriving),
}

/// An unexpected message.
#[derive(Debug)]
pub struct Message {
    pub origin: u32,
    /// The type signature of a message whose announcement had one, and whose bytes have been read.
    pub signature: Signature,
    pub content: Content,
}

impl Message {
    pub(crate) fn new(origin: u32, content: Content) -> Message {
        Message { origin, signature: Signature::default(), content }
    }

    /// Notes the bytes of an announced message, which have been read.
    pub(crate) fn is_read(&mut self, bytes: Box<[u8]>) {
        if let Content::Announced(announcement) = &self.content {
            self.signature = announcement.signature;
        }
        self.content = Content::Eager(bytes);
    }

    /// Returns the message's length.
    pub fn bytes(&self) -> u64 {
        match &self.content {
            Content::Eager(payload) => payload.len() as u64,
            Content::Announced(announcement) => announcement.bytes,
            Content::Arriving(arriving) => arriving.bytes() as u64,
        }
    }

    /// Returns the announcement if the message is to be read at once, and is that of the send
    /// `sender` of process `origin`.
    pub(crate) fn to_be_read(&self, origin: u32, sender: u64) -> Option<Announcement> {
        match &self.content {
            Content::Announced(it) => {
                let is_it = it.at_once && it.sender == sender && self.origin == origin;
                is_it.then(|| it.clone())
            }
            _ => None,
        }
    }

    pub(super) fn cost(&self) -> usize {
        let kept = match &self.content {
            Content::Eager(payload) => payload.len(),
            Content::Announced(_) => 0,
            Content::Arriving(arriving) => arriving.bytes(),
        };
        UNEXPECTED_OVERHEAD_BYTES + kept
    }
}

/// A message that a matched probe has taken out of matching (MPI 5.0 §3.8.2).
#[derive(Debug)]
pub struct Matched {
    pub comm: handle::Comm,
    pub pattern: Pattern,
    pub message: Message,
}

/// Copies a long packet, whose sender may still be writing it, into memory of its own.
pub(super) fn collected(packet: &mut LongPacket) -> Box<[u8]> {
    let mut bytes = Vec::with_capacity(packet.len());
    while bytes.len() < packet.len() {
        bytes.extend_from_slice(packet.next_chunk());
    }
    bytes.into()
}

/// Unpacks a long packet into a receive's buffer while its sender writes it.
pub fn unpack_long_packet(
    buffer: &mut Buffer,
    pattern: &Pattern,
    packet: &mut LongPacket,
) -> Completion {
    let taken = packet.len().min(buffer.bytes());
    match buffer.as_bytes_mut() {
        Some(bytes) => _ = packet.copy_into(bytes),
        None => unpack_each(buffer, 0, packet),
    }
    if packet.is_torn() {
        return torn(packet);
    }
    let mut completion = Completion::message(pattern, taken as u64);
    if taken < packet.len() {
        completion.error = Some(truncated(packet.len() as u64, taken));
    }
    completion
}

/// Returns the result of a receive whose sender has died while it wrote the message.
#[cold]
pub(super) fn torn(packet: &LongPacket) -> Completion {
    let error = peer_failure::error(packet.writer(), "it has died while it sent the message");
    Completion { error: Some(error), ..Completion::EMPTY }
}

/// Unpacks a long packet from byte `offset` of the packed stream on, as far as the buffer reaches,
/// while its sender writes it.
pub(super) fn unpack_each(buffer: &Buffer, mut offset: usize, packet: &mut LongPacket) {
    loop {
        let chunk = packet.next_chunk();
        if chunk.is_empty() {
            return;
        }
        buffer.unpack_at(offset, chunk);
        offset += chunk.len();
    }
}

/// Unpacks an eager message into a receive's buffer.
pub fn unpack_message(buffer: &Buffer, pattern: &Pattern, payload: &[u8]) -> Completion {
    let taken = buffer.unpack_at(0, payload);
    let mut completion = Completion::message(pattern, taken as u64);
    if taken < payload.len() {
        completion.error = Some(truncated(payload.len() as u64, taken));
    }
    completion
}

/// Returns the error of a message that is longer than its receive buffer.
#[cold]
pub fn truncated(bytes: u64, room: usize) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_TRUNCATE,
        format!("the message has {bytes} bytes, the receive buffer has room for {room}"),
    )
    .advise("receive with the sender's count, or ask MPI_Probe and MPI_Get_count first")
}
