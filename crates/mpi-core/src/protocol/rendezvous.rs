//! Rendezvous messages: what arrives for their senders and for their receivers.
//!
//! A receive counts the bytes of its message, which arrive as packets or as bulk payloads in any
//! order, because each names its offset in the message.

use super::message::{truncated, unpack_each};
use super::{Content, Core, Message, Task, checked_name};
use crate::abi;
use crate::device_buffers::{pending, received_into};
use crate::error::Error;
use crate::handle::{self, Handle};
use crate::matching::Pattern;
use crate::packet::{Announcement, BULK, REST, UNREADABLE, data_offset, kind, pattern_of};
use crate::peer_failure;
use crate::request::{Activity, Completion, CooperativeCopy, HandoffWait, Prefix, Request};
use nemesis::wire::{Header, word};
use nemesis::{Failure, LongPacket, RegionMut, cooperative};
use nemesis_datatype::Buffer;
use nemesis_mpi_check::kinds::SIGNATURE;
use nemesis_mpi_check::{Signature, found, sites};
use nemesis_sys::mutation::{self, Mutation};
use std::time::Instant;

/// Messages to be read that are remembered. A process that has never been idle since has most
/// likely received the earliest ones.
const UNREAD_MAX: usize = 4096;

/// A message that is read chunk by chunk until its sender sends the rest.
#[derive(Debug, Clone)]
pub struct Reading {
    pub(crate) request: handle::Request,
    pub(crate) origin: u32,
    pub(crate) announcement: Announcement,
    /// The copy, and the time since which its sender can know of it. Only one is active at a time.
    pub(crate) begun: Option<(cooperative::Copy, Instant)>,
}

/// What a receiver tells the sender that it asks for help.
#[derive(Debug, Clone, Copy)]
pub struct HelpRequest {
    /// The receiver's process.
    pub(crate) owner: u32,
    /// The sender's request and the receiver's.
    pub(crate) sender: handle::Request,
    pub(crate) receiver: u64,
    pub(crate) copy: cooperative::Copy,
    /// Address of the bytes in the receiver's memory.
    pub(crate) address: u64,
    /// Whether to help by sending the rest.
    pub(crate) by_rest: bool,
}

impl HelpRequest {
    /// Reads the payload of a JOIN of process `owner`. Returns `None` if it is malformed.
    pub fn read(owner: u32, flags: u8, payload: &[u8]) -> Option<HelpRequest> {
        let at = |index| word(payload, index);
        let copy = cooperative::Copy { generation: u32::try_from(at(2)?).ok()?, bytes: at(3)? };
        Some(HelpRequest {
            owner,
            sender: handle::Request(at(0)? as usize),
            receiver: at(1)?,
            copy,
            address: at(4)?,
            by_rest: flags & REST != 0,
        })
    }
}

/// Tells the checks if a receive names other basic types than the sender of its message, which has
/// the tag `tag`, `bytes` bytes, and the type signature `sent`. The checks know the receive by
/// `name`; without one it is the present call.
#[cold]
pub fn compare_signatures(
    name: Option<usize>,
    tag: i32,
    bytes: u64,
    sent: Signature,
    buffer: &Buffer,
) {
    let fits = bytes <= buffer.bytes() as u64;
    let received = Signature::of(buffer, bytes.min(buffer.bytes() as u64));
    if fits && !sent.matches(received) {
        let text = format!(
            "{bytes} bytes with tag {tag}, sent as {}, received as {}",
            sent.name(),
            received.name(),
        );
        found(&SIGNATURE, name.and_then(sites::of).or_else(sites::here), 1, text);
    }
}

/// Does what [`compare_signatures`] does for a message whose bytes have been read before the
/// present call receives it into `buffer`.
#[cold]
pub fn compare_read(pattern: &Pattern, message: &Message, buffer: &Buffer) {
    compare_signatures(None, pattern.tag, message.bytes(), message.signature, buffer);
}

/// The error of a receive whose sender cannot read the message from a device.
#[cold]
fn unreadable_at(origin: u32) -> Box<Error> {
    let why = format!("process {origin} cannot read the message from its device");
    Error::new(abi::MPI_ERR_OTHER, why).advise("look at the error of its send")
}

/// Returns the length of a bulk payload that a receive expects from a process.
fn bulk_length(request: &Request, origin: u32, header: &Header, payload: &[u8]) -> Option<usize> {
    let length = usize::try_from(word(payload, 0)?).ok()?;
    let Activity::Filling { wanted, .. } = &request.activity else { return None };
    let fits = data_offset(header).checked_add(length).is_some_and(|end| end <= *wanted)
        && request.expected == Some(origin);
    (header.flags & BULK != 0 && fits).then_some(length)
}

impl Core {
    /// Returns whether process `to` has, as far as is known here, a message of this process to
    /// read. Only the message announced last is considered.
    pub(crate) fn has_announced_to(&self, process: u32) -> bool {
        let request = self.last_announced.and_then(|last| self.requests.get(last).ok());
        request.is_some_and(
            |request| matches!(request.activity, Activity::Announced { to, .. } if to == process),
        )
    }

    /// Asks the sender `sender` for all bytes of the receive `handle`. If its communicator has been
    /// revoked meanwhile, the receive ends, and the sender is told so.
    pub(crate) fn clear_to_send(&mut self, handle: handle::Request, sender: u64) -> (u8, [u64; 3]) {
        if self.is_revoked(handle) {
            self.finish(handle);
            return (kind::CANCELLED, [sender, 1, 1]);
        }
        self.counted.streamed += 1;
        let mut missing = 0;
        if let Ok(request) = self.requests.get_mut(handle)
            && let Activity::Filling { received, wanted, cooperative, .. } = &mut request.activity
        {
            (*received, *cooperative) = (0, None);
            missing = *wanted as u64;
        }
        (kind::CTS, [sender, handle.bits() as u64, missing])
    }

    /// Completes a message from process `origin`, part of which it may have sent instead of being
    /// read. The sender is told if bytes were read.
    pub(crate) fn end_partial_copy(&mut self, origin: u32, cooperative: Option<CooperativeCopy>) {
        let Some(cooperative) = cooperative else { return };
        self.partial_copies = self.partial_copies.saturating_sub(1);
        if cooperative.read > 0 {
            self.tasks.push_back(Task::Reply {
                to: origin,
                kind: kind::DONE,
                words: [cooperative.sender, 0, 0],
            });
        }
    }

    /// Handles the report that the sender has done its part of a copy.
    pub(crate) fn helped(&mut self, origin: u32, payload: &[u8]) -> Option<()> {
        let (receiver, generation, copied) =
            (word(payload, 0)?, word(payload, 1)?, word(payload, 2)?);
        let handle = handle::Request(receiver as usize);
        // The receiver may have changed to another protocol meanwhile, and may even be done.
        let Ok(request) = self.requests.get_mut(handle) else { return Some(()) };
        let Activity::Filling { received, wanted, cooperative: Some(cooperative), .. } =
            &mut request.activity
        else {
            return Some(());
        };
        if u64::from(cooperative.generation) != generation {
            return Some(());
        }
        let sender = cooperative.sender;
        self.partial_copies = self.partial_copies.saturating_sub(1);
        let (kind, words) = if copied == (*wanted - *received) as u64 {
            self.counted.read += 1;
            self.finish(handle);
            (kind::DONE, [sender, 0, 0])
        } else {
            self.clear_to_send(handle, sender)
        };
        self.tasks.push_back(Task::Reply { to: origin, kind, words });
        Some(())
    }

    pub(super) fn announced(&mut self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        let announcement = Announcement::read(header, payload)?;
        let pattern = pattern_of(header);
        match self.take_posted(&pattern) {
            Some(request) => self.accept(request, origin, &pattern, announcement),
            None => {
                let at_once = announcement.at_once.then_some(announcement.sender);
                self.keep(origin, pattern, Content::Announced(announcement));
                if let Some(sender) = at_once {
                    if self.unread.len() == UNREAD_MAX {
                        self.unread.drain(..UNREAD_MAX / 2);
                    }
                    self.unread.push((origin, sender));
                }
            }
        }
        Some(())
    }

    /// Matches a posted receive with an announced message: the receive's activity becomes
    /// `Filling`. Fails the receive if the sender is lost, which sends nothing any more.
    pub fn accept(
        &mut self,
        handle: handle::Request,
        origin: u32,
        pattern: &Pattern,
        announcement: Announcement,
    ) {
        if announcement.sender == Announcement::NO_SENDER {
            let is_revoked = self.losses.has_revoked() && !self.losses.contains(origin);
            let why = match is_revoked {
                true => peer_failure::revoked(),
                false => peer_failure::has_failed(origin),
            };
            return self.fail(handle, why);
        }
        if let Err(error) = self.losses.check(origin) {
            return self.fail(handle, error);
        }
        let Ok(request) = self.requests.get_mut(handle) else { return };
        let Some(buffer) = request.activity.take_posted() else { return };
        if nemesis_mpi_check::is_on() {
            let Announcement { bytes, signature, .. } = announcement;
            let name = checked_name(self.lane, handle);
            compare_signatures(Some(name), pattern.tag, bytes, signature, &buffer);
            nemesis_mpi_check::buffers::arrives(name);
        }
        let room = buffer.bytes();
        let wanted = usize::try_from(announcement.bytes).map_or(room, |bytes| bytes.min(room));
        request.completion = Completion::message(pattern, wanted as u64);
        if announcement.bytes > room as u64 {
            request.completion.error = Some(truncated(announcement.bytes, room));
        }
        request.activity =
            Activity::Filling { buffer, received: 0, wanted, cooperative: None, arriving: 0 };
        request.expected = Some(origin);
        self.tasks.push_back(Task::Fetch { request: handle, origin, announcement });
    }

    pub(super) fn cleared_to_send(&mut self, header: &Header, payload: &[u8]) -> Option<()> {
        let (sender, receiver, wanted) = (word(payload, 0)?, word(payload, 1)?, word(payload, 2)?);
        let handle = handle::Request(sender as usize);
        let request = self.requests.get_mut(handle).ok()?;
        if let Activity::Streaming { prefix: prefix @ Prefix::Read, .. } = &mut request.activity {
            *prefix = Prefix::Requested(usize::try_from(wanted).ok()?);
            return Some(());
        }
        if request.completion.error.is_some()
            && matches!(request.activity, Activity::Announced { .. })
        {
            // It has been withdrawn, and the receiver hears of the reason, too.
            self.finish(handle);
            return Some(());
        }
        let Activity::Announced { buffer, to, .. } =
            std::mem::replace(&mut request.activity, Activity::Done)
        else {
            return None;
        };
        let wanted = usize::try_from(wanted).ok()?.min(buffer.bytes());
        let in_bulk =
            header.flags & BULK != 0 && buffer.contiguous().is_some() && pending(&buffer).is_none();
        request.activity = Activity::Streaming {
            buffer,
            to,
            receiver,
            sent: 0,
            wanted,
            in_bulk,
            bulk_pending: 0,
            prefix: Prefix::None,
            handoff_wait: HandoffWait::default(),
        };
        self.streams.push_back(handle);
        Some(())
    }

    pub(super) fn data(&mut self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        self.take_data(origin, header, payload.len(), |buffer, offset, _| {
            match received_into(buffer) {
                Some(original) => original.write(offset, payload),
                None => _ = buffer.unpack_at(offset, payload),
            }
            true
        })
    }

    #[inline(never)]
    pub(super) fn data_in_long_packet(
        &mut self,
        origin: u32,
        header: &Header,
        packet: &mut LongPacket,
    ) {
        // Where messages travel in both directions, the caches hold twice as many buffers.
        let non_temporal_min_bytes = if self.streams.is_empty() {
            self.non_temporal_min_bytes
        } else {
            self.non_temporal_min_bytes / 2
        };
        let understood = self.take_data(origin, header, packet.len(), |buffer, offset, wanted| {
            if let Some(original) = received_into(buffer) {
                original.write(offset, packet.wait_for_all());
                return !packet.is_torn();
            }
            match buffer.as_bytes_mut() {
                Some(bytes) => {
                    let place = &mut bytes[offset..];
                    match wanted {
                        _ if wanted >= non_temporal_min_bytes => packet.copy_non_temporal(place),
                        _ => packet.copy_into(place),
                    };
                }
                None => unpack_each(buffer, offset, packet),
            }
            !packet.is_torn()
        });
        // As in `control`.
        assert!(
            understood.is_some() || !self.losses.is_empty(),
            "process {origin} sent invalid data: {header:?}"
        );
    }

    /// Receives a part of a message. `unpack` moves the part into the buffer; it is given the
    /// buffer, the part's offset in the message, and the message's length, and returns false if the
    /// sender has died before it had written the part. Returns `None` if the packet is invalid.
    fn take_data(
        &mut self,
        origin: u32,
        header: &Header,
        bytes: usize,
        unpack: impl FnOnce(&mut Buffer, usize, usize) -> bool,
    ) -> Option<()> {
        let handle = handle::Request(header.context as usize);
        let offset = data_offset(header);
        let request = self.requests.get_mut(handle).ok()?;
        let Activity::Filling { buffer, received, wanted, cooperative, .. } = &mut request.activity
        else {
            return None;
        };
        if offset.checked_add(bytes)? > *wanted {
            return None;
        }
        if !unpack(buffer, offset, *wanted) {
            return Some(());
        }
        *received += bytes;
        if received == wanted || mutation::strikes(Mutation::EarlyCompletion) {
            let cooperative = cooperative.take();
            self.end_partial_copy(origin, cooperative);
            self.finish(handle);
        }
        Some(())
    }

    pub(super) fn cancel_announcement(&mut self, origin: u32, payload: &[u8]) -> Option<()> {
        let sender = word(payload, 0)?;
        let is_it = |message: &Message| {
            message.origin == origin
                && matches!(&message.content, Content::Announced(rts) if rts.sender == sender)
        };
        let taken = self.unexpected.take_where(is_it);
        if let Some((_, message)) = &taken {
            self.no_longer_kept(message);
        }
        self.tasks.push_back(Task::Reply {
            to: origin,
            kind: kind::CANCELLED,
            words: [sender, u64::from(taken.is_some()), 0],
        });
        Some(())
    }

    pub(super) fn cancelled(&mut self, origin: u32, payload: &[u8]) -> Option<()> {
        let (named, forgotten) = (word(payload, 0)?, word(payload, 1)? != 0);
        let reason = word(payload, 2)?;
        let is_given_up = reason != 0;
        let handle = handle::Request(named as usize);
        if reason == UNREADABLE {
            let request = self.requests.get(handle).ok()?;
            if request.expected == Some(origin) && self.is_filling(handle) {
                self.fail(handle, unreadable_at(origin));
            }
            return Some(());
        }
        if forgotten
            && let Ok(request) = self.requests.get_mut(handle)
            && matches!(request.activity, Activity::Announced { .. })
        {
            // Of a withdrawn message, or of a receive that has ended with an error.
            if is_given_up && request.completion.error.is_none() {
                request.completion.error = Some(peer_failure::revoked());
            }
            request.completion.cancelled = request.completion.error.is_none();
            self.finish(handle);
        }
        Some(())
    }

    /// Returns whether the communicator of an operation was revoked while others used its memory.
    pub(crate) fn is_revoked(&self, handle: handle::Request) -> bool {
        let error = self.requests.get(handle).ok().and_then(|one| one.completion.error.as_ref());
        error.is_some_and(|error| error.class == abi::MPIX_ERR_REVOKED)
    }

    /// Returns whether a receive waits for the bytes of its message.
    pub(crate) fn is_filling(&self, handle: handle::Request) -> bool {
        let request = self.requests.get(handle);
        request.is_ok_and(|request| matches!(request.activity, Activity::Filling { .. }))
    }

    /// Returns where a bulk payload goes: into the buffer of the receive that its header names.
    /// Returns `None` unless that receive expects these bytes from this process.
    pub(crate) fn place_of(
        &mut self,
        origin: u32,
        header: &Header,
        payload: &[u8],
    ) -> Option<RegionMut> {
        let request = self.requests.get_mut(handle::Request(header.context as usize)).ok()?;
        let length = bulk_length(request, origin, header, payload)?;
        let Activity::Filling { buffer, arriving, .. } = &mut request.activity else {
            return None;
        };
        let place = buffer.region_mut(data_offset(header), length)?;
        *arriving += 1;
        Some(place)
    }

    /// Counts a bulk payload that has arrived in the receive's buffer, and completes the receive
    /// with the last one.
    pub(crate) fn bulk_arrived(
        &mut self,
        origin: u32,
        header: &Header,
        payload: &[u8],
    ) -> Option<()> {
        let handle = handle::Request(header.context as usize);
        let is_revoked = self.is_revoked(handle);
        let request = self.requests.get_mut(handle).ok()?;
        let length = bulk_length(request, origin, header, payload)?;
        let Activity::Filling { received, wanted, arriving, .. } = &mut request.activity else {
            return None;
        };
        *received += length;
        *arriving = arriving.saturating_sub(1);
        let is_over = is_revoked && *arriving == 0;
        if is_over || *received >= *wanted || mutation::strikes(Mutation::EarlyCompletion) {
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
