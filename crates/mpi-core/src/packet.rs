//! Packets of the point-to-point protocol: their kinds, and what their headers and payloads mean.
//!
//! ```text
//!   eager          EAGER ───────────────────────>  copied to the receive, or kept unexpected
//!
//!   eager, to another node, with a bulk payload
//!                  EAGER_BULK, bulk payload ────>  matched by its header, then read into the
//!                                                  receive's buffer, or kept unexpected
//!
//!   eager by a read, RTS (AT_ONCE) ──────────────>  read now, into the receive's buffer or into
//!   of medium length                               memory of the receiver
//!                  <──────────── DONE (its speed)
//!
//!   rendezvous     RTS (length, address) ───────>  matched: the receiver reads the sender's memory
//!                  <─────────────────────── JOIN  both processes have a processor: the sender may
//!                                                  write a part of the message
//!                  HELPED ──────────────────────>  if it did
//!                  <─────────────────────── DONE
//!   or, where packets are faster than the kernel's copies,
//!                  <──────────────── JOIN (REST)  the sender may send what the receiver has not
//!                                                  begun to read
//!                  DATA … DATA ─────────────────>  if it does
//!                  <─────────────────────── DONE  if the receiver has read a part
//!   or, where the kernel refuses the copy or a side is not contiguous,
//!                  RTS ─────────────────────────>
//!                  <────────────── CTS (request)
//!                  DATA … DATA ─────────────────>  as packets find space; both sides copy at once
//!
//!   rendezvous between memory of devices
//!                  RTS (EXPORTED, export) ──────>  the receiver's device reads the sender's memory
//!                  <─────────────────────── DONE
//!                                              or  CTS as above, if it cannot
//!
//!   rendezvous, to another node, where both sides are contiguous,
//!                  RTS, CTS as above
//!                  DATA, bulk payload ──────────>  written from the sender's memory, read into
//!                                                  the receiver's
//!
//!   cancel a send  CANCEL ──────────────────────>  removed if it is still unexpected
//!                  <───────────────── CANCELLED
//! ```

use crate::context::Context;
use crate::handle;
use crate::matching::Pattern;
use nemesis::wire::{FIRST_CLIENT_KIND, Header, word};
use nemesis_gpu::Export;
use nemesis_mpi_check::Signature;

/// Kinds of packets.
pub mod kind {
    use super::FIRST_CLIENT_KIND;
    /// An eager message: the whole message is the packet's payload.
    pub const EAGER: u8 = FIRST_CLIENT_KIND;
    /// Announces a message (RTS): its length, the sender's request with the type signature, and its
    /// address, which is 0 if the message is not contiguous. With the flag
    /// [`AT_ONCE`](super::AT_ONCE) the receiver reads the message without waiting for a receive.
    pub const RTS: u8 = FIRST_CLIENT_KIND + 1;
    /// Asks for the bytes of an announced message (CTS): the sender's request, the receiver's
    /// request, the number of bytes.
    pub const CTS: u8 = FIRST_CLIENT_KIND + 2;
    /// A part of a message: `context` is the receiver's request, (`rank`, `tag`) the offset in the
    /// message. With the flag [`BULK`](super::BULK) the part is the packet's bulk payload, and the
    /// payload holds its length.
    pub const DATA: u8 = FIRST_CLIENT_KIND + 3;
    /// The receiver has all bytes it wants: the sender's request, and how fast it has read them
    /// (`protocol::reads`).
    pub const DONE: u8 = FIRST_CLIENT_KIND + 4;
    /// Withdraws an announcement: the sender's request.
    pub const CANCEL: u8 = FIRST_CLIENT_KIND + 5;
    /// Answers [`CANCEL`]: the sender's request, and 1 if the announcement was withdrawn. With
    /// [`UNREADABLE`](super::UNREADABLE) as the third word, answers [`CTS`]: the receiver's
    /// request.
    pub const CANCELLED: u8 = FIRST_CLIENT_KIND + 6;
    /// Asks the sender to carry out a part of the copy: the sender's request, the receiver's
    /// request, the copy's generation and length, the address in the receiver's memory. With the
    /// flag [`REST`](super::REST) the sender sends the remaining part as [`DATA`].
    pub const JOIN: u8 = FIRST_CLIENT_KIND + 9;
    /// The sender has carried out its part of a copy: the receiver's request, the copy's
    /// generation, the number of bytes.
    pub const HELPED: u8 = FIRST_CLIENT_KIND + 10;
    /// An eager message whose bytes are the packet's bulk payload (`protocol::eager_bulk`).
    pub const EAGER_BULK: u8 = FIRST_CLIENT_KIND + 16;
    /// A process of another job ends this one, too: the code, and the number of an
    /// [`AbortCause`](super::AbortCause).
    pub const ABORT: u8 = FIRST_CLIENT_KIND + 17;
    /// A communicator is revoked: its context (`recovery`).
    pub const REVOKE: u8 = FIRST_CLIENT_KIND + 18;
    /// A message of an agreement (`recovery`).
    pub const AGREE: u8 = FIRST_CLIENT_KIND + 19;
    /// The first of the kinds that belong to the upper layer (`engine::upper`).
    pub const FIRST_UPPER: u8 = FIRST_CLIENT_KIND + 32;
}

/// Why a process of another job ends this one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbortCause {
    /// `MPI_Abort` over a communicator of both jobs.
    Call,
    /// An error under `MPI_ERRORS_ABORT` of an object of both jobs.
    MemberError,
    /// An error under `MPI_ERRORS_ARE_FATAL`, which ends all connected processes.
    FatalError,
}

impl AbortCause {
    /// Returns the cause with this number in a packet.
    pub(crate) fn of_number(number: u64) -> AbortCause {
        match number {
            0 => AbortCause::Call,
            1 => AbortCause::MemberError,
            _ => AbortCause::FatalError,
        }
    }

    /// Returns what rank `by` of another job has done.
    pub(crate) fn text(self, by: u32, code: i32) -> String {
        match self {
            AbortCause::Call => format!(
                "rank {by} of a connected job called MPI_Abort with code {code} over a \
                 communicator of both jobs"
            ),
            AbortCause::MemberError => format!(
                "an MPI error of rank {by} of a connected job ends the processes of an object of \
                 both jobs"
            ),
            AbortCause::FatalError => format!(
                "an MPI error is fatal in rank {by} of a connected job, and ends this one, too"
            ),
        }
    }
}

/// Flag of a CTS: the receiver takes the bytes as bulk payloads. Flag of a DATA: the bytes are a
/// bulk payload.
pub const BULK: u8 = 1;
/// Flag of an RTS: the receiver reads the message at once and alone.
pub const AT_ONCE: u8 = 1;
/// Flag of an RTS: the message would have come in a packet, if the program were not checked.
pub const HELD: u8 = 4;
/// Flag of an RTS: an export of memory of a device follows, where the bytes are.
pub const EXPORTED: u8 = 8;
/// Word of a CANCELLED to the receiver: the sender cannot read the bytes of the message.
pub(crate) const UNREADABLE: u64 = 2;
/// Flag of a JOIN: the receiver takes the remaining bytes as DATA.
pub const REST: u8 = 2;

/// Position of the type signature in the word of an RTS that names the sender's request. A handle
/// has 32 bits.
const SIGNATURE_SHIFT: u32 = 32;

/// The content of an RTS.
#[derive(Debug, Clone)]
pub struct Announcement {
    pub bytes: u64,
    /// The sender's request, or [`NO_SENDER`](Announcement::NO_SENDER) if no data will follow.
    pub sender: u64,
    /// Address of the bytes in the sender's memory; 0 if they are not contiguous.
    pub address: u64,
    /// The type signature; unknown unless the sender checks (`mpiexec -check`).
    pub signature: Signature,
    /// The message is one that could have come in a packet: it is read at once.
    pub at_once: bool,
    /// Only the checks keep the message from being read at once.
    pub held: bool,
    /// Where the bytes are, if they are in memory of a device that exports them.
    pub export: Option<Box<Export>>,
}

impl Announcement {
    /// A value that names no request. A process that has failed in a collective operation announces
    /// its message with it, to say that it has no data to send.
    pub const NO_SENDER: u64 = 0;

    /// Reads an RTS. Returns `None` if its payload is too short.
    pub(crate) fn read(header: &Header, payload: &[u8]) -> Option<Announcement> {
        let sender = word(payload, 1)?;
        Some(Announcement {
            bytes: word(payload, 0)?,
            sender: sender & u64::from(u32::MAX),
            address: word(payload, 2)?,
            signature: Signature((sender >> SIGNATURE_SHIFT) as u32),
            at_once: header.flags & AT_ONCE != 0,
            held: header.flags & HELD != 0,
            export: match header.flags & EXPORTED {
                0 => None,
                _ => Some(Box::new(Export::read(payload.get(3 * size_of::<u64>()..)?)?)),
            },
        })
    }

    /// Returns the word of an RTS that names the sender's request, with the message's signature.
    pub(crate) fn sender_word(request: handle::Request, signature: Signature) -> u64 {
        request.0 as u64 | u64::from(signature.0) << SIGNATURE_SHIFT
    }
}

/// Returns the pattern by which the message of `header` is matched.
#[inline(always)]
pub fn pattern_of(header: &Header) -> Pattern {
    Pattern { context: Context(header.context), rank: header.rank, tag: header.tag }
}

/// The offset of a DATA packet's bytes in their message is stored in the header fields that control
/// packets do not use otherwise.
pub fn data_offset(header: &Header) -> usize {
    ((u64::from(header.rank) << 32) | u64::from(header.tag as u32)) as usize
}

pub(crate) fn data_header(receiver: u64, offset: usize) -> Header {
    Header {
        kind: kind::DATA,
        context: receiver,
        rank: (offset as u64 >> 32) as u32,
        tag: offset as u32 as i32,
        ..Header::default()
    }
}

#[cfg(test)]
mod tests {
    use super::AbortCause::{Call, FatalError, MemberError};
    use super::*;

    #[test]
    fn a_cause_comes_back_from_its_number() {
        for cause in [Call, MemberError, FatalError] {
            assert_eq!(AbortCause::of_number(cause as u64), cause);
        }
    }

    #[test]
    fn an_offset_comes_back_from_its_header() {
        for offset in [0, 1, u32::MAX as usize, 1 << 32, (1 << 40) + 5, i64::MAX as usize] {
            let header = data_header(7, offset);
            assert_eq!(
                (data_offset(&header), header.context, header.kind),
                (offset, 7, kind::DATA)
            );
        }
    }

    #[test]
    fn an_announcement_is_read_whole_or_not_at_all() {
        let request = handle::Request(0xa000_0001);
        let words = [500, Announcement::sender_word(request, Signature(3)), 0x7000];
        let payload: Vec<u8> = words.iter().flat_map(|word: &u64| word.to_le_bytes()).collect();
        let header = Header { kind: kind::RTS, flags: AT_ONCE, ..Header::default() };
        let read = |payload: &[u8]| Announcement::read(&header, payload);
        let whole = read(&payload).unwrap();
        assert_eq!((whole.bytes, whole.sender, whole.address), (500, 0xa000_0001, 0x7000));
        assert_eq!((whole.signature, whole.at_once, whole.held), (Signature(3), true, false));
        assert!((0..payload.len()).all(|bytes| read(&payload[..bytes]).is_none()));
    }

    #[test]
    fn kinds_of_packets_are_told_apart() {
        let kinds = [
            kind::EAGER,
            kind::RTS,
            kind::CTS,
            kind::DATA,
            kind::DONE,
            kind::CANCEL,
            kind::CANCELLED,
            kind::JOIN,
            kind::HELPED,
            kind::EAGER_BULK,
            kind::ABORT,
            kind::REVOKE,
            kind::AGREE,
        ];
        let differ = |kind: &u8| kinds.iter().filter(|other| *other == kind).count() == 1;
        assert!(kinds.iter().all(|kind| differ(kind) && *kind < kind::FIRST_UPPER));
    }
}
