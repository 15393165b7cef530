//! The receiver's side of the rendezvous: getting the bytes of an announced message.

use super::PointToPoint;
use super::streams::PART_BYTES;
use crate::device_buffers::received_into;
use crate::handle::{self, Handle};
use crate::packet::{Announcement, BULK, REST, kind};
use crate::peer_failure::is_tolerant;
use crate::protocol::{HelpRequest, Matched, Reading, reads};
use crate::request::{Activity, CooperativeCopy, HandoffWait, Prefix};
use nemesis::wire::{Header, words};
use nemesis::{Endpoint, Help, LONG_PACKET_MAX_BYTES, cooperative};
use nemesis_sys::mutation::{self, Mutation};
use nemesis_sys::virtual_process;
use std::time::{Duration, Instant};

/// Time that a sender has to take a message over before the receiver begins to read it. A sender
/// that waits for the receiver needs a tenth of it.
const TIMEOUT: Duration = Duration::from_micros(8);

/// Returns the length from which on a message that comes in packets is stored past the caches.
pub fn non_temporal_min_bytes(endpoint: Option<&Endpoint>) -> usize {
    endpoint.map_or(usize::MAX, Endpoint::non_temporal_min_bytes)
}

/// Reads an announced message that could have been a packet into memory of its own.
fn read_into_memory(
    endpoint: &mut Endpoint,
    origin: u32,
    announcement: &Announcement,
) -> Option<Box<[u8]>> {
    let bytes = usize::try_from(announcement.bytes).ok()?;
    if bytes > LONG_PACKET_MAX_BYTES || announcement.address == 0 {
        return None;
    }
    let mut into = vec![0; bytes].into_boxed_slice();
    endpoint.read_memory(origin, announcement.address, &mut into).then_some(into)
}

/// Stands for a number of bytes if the kernel refused the copy.
const REFUSED: u64 = u64::MAX;

impl PointToPoint {
    /// Gets an announced message: reads the sender's memory if possible, otherwise asks for the
    /// bytes.
    pub(crate) fn fetch(
        &mut self,
        handle: handle::Request,
        origin: u32,
        announcement: Announcement,
    ) {
        if is_tolerant() && !self.core.is_filling(handle) {
            // The receive has ended because a process has died, and its sender waits.
            return self.tell_given_up(origin, announcement.sender);
        }
        let Some(read) = self.read_announced(handle, origin, &announcement) else { return };
        let (kind, words) = if let Some(speed) = read {
            self.core.counted.read += 1;
            self.core.finish(handle);
            (kind::DONE, [announcement.sender, speed, 0])
        } else {
            self.core.clear_to_send(handle, announcement.sender)
        };
        let flags = if kind == kind::CTS && self.takes_bulk(handle, origin) { BULK } else { 0 };
        let header = Header { kind, flags, ..Header::default() };
        self.send_control(origin, header, words);
        if mutation::strikes(Mutation::AskedTwice) {
            self.send_control(origin, header, words);
        }
    }

    /// Returns whether the bytes from process `origin` can arrive as the bulk payload of one
    /// packet, directly in their buffer.
    fn takes_bulk(&self, handle: handle::Request, origin: u32) -> bool {
        let far = self.endpoint.as_ref().is_some_and(|endpoint| endpoint.is_remote(origin));
        let Ok(request) = self.core.requests.get(handle) else { return false };
        match &request.activity {
            Activity::Filling { buffer, .. } => {
                far && buffer.contiguous().is_some() && received_into(buffer).is_none()
            }
            _ => false,
        }
    }

    /// Reads messages for which no receive is posted into memory of this process, so that their
    /// senders need not wait for the receives. Called when this process has nothing else to do:
    /// often the receive is next.
    #[cold]
    pub(crate) fn read_unexpected(&mut self) {
        for (origin, sender) in std::mem::take(&mut self.core.unread) {
            self.read_unexpected_of(origin, sender);
        }
    }

    fn read_unexpected_of(&mut self, origin: u32, sender: u64) {
        let Some(endpoint) = &mut self.endpoint else { return };
        let collected = self.core.read_unexpected(origin, sender, |announcement| {
            read_into_memory(endpoint, origin, announcement)
        });
        let collected = collected || self.read_matched(origin, sender);
        // A sender whose receiver comes late does better with packets.
        if collected {
            self.core.counted.read += 1;
            let header = Header { kind: kind::DONE, ..Header::default() };
            self.send_control(origin, header, [sender, reads::SLOW, 0]);
        }
    }

    /// Reads a message that a matched probe has taken, as
    /// [`read_unexpected`](Self::read_unexpected) does. Returns whether it was read.
    fn read_matched(&mut self, origin: u32, sender: u64) -> bool {
        let Some(endpoint) = &mut self.endpoint else { return false };
        let found = self.messages.iter_mut().find_map(|Matched { message, .. }| {
            message.to_be_read(origin, sender).map(|announcement| (message, announcement))
        });
        let Some((message, announcement)) = found else { return false };
        let Some(bytes) = read_into_memory(endpoint, origin, &announcement) else { return false };
        message.is_read(bytes);
        true
    }

    /// Returns a word about the speed of the read if all bytes have been read, or `Some(None)` if
    /// they must be sent; `None` while the sender's part is missing, or if there is nothing to do.
    fn read_announced(
        &mut self,
        handle: handle::Request,
        origin: u32,
        announcement: &Announcement,
    ) -> Option<Option<u64>> {
        let whole = |read: bool| Some(read.then_some(0));
        let crossing = self.core.has_announced_to(origin);
        let request = self.core.requests.get_mut(handle).ok()?;
        let Activity::Filling { buffer, received, wanted, cooperative, .. } = &mut request.activity
        else {
            return None;
        };
        if *wanted == 0 {
            return whole(true);
        }
        let original = received_into(buffer);
        if let Some(export) = &announcement.export {
            return whole(original.is_some_and(|it| it.import(export, *wanted).is_ok()));
        }
        if let Some(original) = original
            && announcement.address != 0
            && !announcement.at_once
            && let Some(endpoint) = &mut self.endpoint
        {
            let from = (origin, announcement.address);
            return whole(self.device_part.receive(endpoint, from, original, *wanted));
        }
        let Some(into) = buffer.as_bytes_mut().filter(|_| announcement.address != 0) else {
            return whole(false);
        };
        let into = &mut into[..*wanted];
        let endpoint = self.endpoint.as_mut().expect("a message arrived through it");
        if announcement.at_once {
            let begun = virtual_process::now();
            let read = endpoint.read_memory(origin, announcement.address, into);
            let is_fast = endpoint.is_fast_read(into.len(), virtual_process::since(begun));
            let speed = if is_fast { reads::FAST } else { reads::SLOW };
            return Some(read.then_some(speed));
        }
        let in_packets = endpoint.streams(origin, into.len());
        // If two long messages cross, each process has one to read, and neither is free to help.
        // Packets are faster even so.
        let is_alone = crossing && !in_packets;
        if is_alone || !endpoint.shares_copies(origin, into.len()) {
            return whole(endpoint.read_memory(origin, announcement.address, into));
        }
        if in_packets {
            *cooperative =
                Some(CooperativeCopy { generation: 0, sender: announcement.sender, read: 0 });
            self.core.partial_copies += 1;
            self.core.readings.push_back(Reading {
                request: handle,
                origin,
                announcement: announcement.clone(),
                begun: None,
            });
            return None;
        }
        let copy = endpoint.begin_cooperative(into.len());
        let help_request = words([
            announcement.sender,
            handle.bits() as u64,
            u64::from(copy.generation),
            copy.bytes,
            into.as_ptr() as u64,
        ]);
        // A sender that cannot be told now is not told: the copy continues without it.
        endpoint.try_send(
            origin,
            Header { kind: kind::JOIN, ..Header::default() },
            help_request.as_bytes(),
        );
        match endpoint.read_cooperatively(&copy, origin, announcement.address, into) {
            Some(bytes) if bytes == *wanted => whole(true),
            Some(bytes) => {
                *received = bytes;
                *cooperative = Some(CooperativeCopy {
                    generation: copy.generation,
                    sender: announcement.sender,
                    read: 0,
                });
                self.core.partial_copies += 1;
                None
            }
            None => whole(false),
        }
    }

    /// Starts the next pending read, and reads a chunk of a message that its sender does not take
    /// over.
    pub(crate) fn read_on(&mut self) {
        while let Some(reading) = self.core.readings.front().cloned() {
            let goes_on = match &reading.begun {
                None => self.begin_reading(&reading),
                Some((copy, since)) => self.read_some(&reading, copy, *since),
            };
            if goes_on {
                return;
            }
            self.core.readings.pop_front();
        }
    }

    /// Returns whether there is something to read.
    fn begin_reading(&mut self, reading: &Reading) -> bool {
        let &Reading { request: handle, origin, ref announcement, .. } = reading;
        let Ok(request) = self.core.requests.get_mut(handle) else { return false };
        let Activity::Filling { buffer, wanted, .. } = &mut request.activity else { return false };
        let (address, wanted) = (buffer.contiguous().map_or(0, |run| run.address as u64), *wanted);
        let endpoint = self.endpoint.as_mut().expect("a message arrived through it");
        let Some(copy) = endpoint.begin_reading(origin, wanted) else {
            // Meanwhile the kernel has refused.
            self.ask_for_all(handle, origin, announcement.sender);
            return false;
        };
        let help_request = words([
            announcement.sender,
            handle.bits() as u64,
            u64::from(copy.generation),
            copy.bytes,
            address,
        ]);
        // A sender that cannot be told now is not told: this process reads everything.
        endpoint.try_send(
            origin,
            Header { kind: kind::JOIN, flags: REST, ..Header::default() },
            help_request.as_bytes(),
        );
        self.core.readings[0].begun = Some((copy, virtual_process::now()));
        true
    }

    /// Returns whether there is still something to read.
    fn read_some(&mut self, reading: &Reading, copy: &cooperative::Copy, since: Instant) -> bool {
        let &Reading { request: handle, origin, ref announcement, .. } = reading;
        let endpoint = self.endpoint.as_mut().expect("a message arrived through it");
        if endpoint.is_claimed(copy) {
            // The sender has the rest, and may even have sent it.
            endpoint.end_reading(copy);
            self.core.counted.streamed += 1;
            return false;
        }
        let is_revoked = self.core.is_revoked(handle);
        let activity = self.core.requests.get_mut(handle).map(|request| &mut request.activity);
        let Ok(Activity::Filling {
            buffer, received, wanted, cooperative: Some(cooperative), ..
        }) = activity
        else {
            endpoint.end_reading(copy);
            return false;
        };
        if cooperative.read == 0 && virtual_process::since(since) < TIMEOUT {
            return true;
        }
        let into = buffer.as_bytes_mut().expect("what is read is one run");
        match endpoint.read_chunk(copy, origin, announcement.address, &mut into[..*wanted]) {
            None => {
                endpoint.end_reading(copy);
                false
            }
            Some((bytes, true)) => {
                cooperative.read = bytes.end;
                *received += bytes.len();
                if received != wanted {
                    return true;
                }
                endpoint.end_reading(copy);
                self.core.counted.read += 1;
                self.core.partial_copies = self.core.partial_copies.saturating_sub(1);
                self.core.finish(handle);
                self.send_control(
                    origin,
                    Header { kind: kind::DONE, ..Header::default() },
                    [announcement.sender, 0, 0],
                );
                false
            }
            Some((bytes, false)) => {
                if endpoint.end_reading(copy) || bytes.end == *wanted || is_revoked {
                    self.ask_for_all(handle, origin, announcement.sender);
                } else {
                    // The sender sends the rest, and afterwards what could not be read.
                    *received -= cooperative.read;
                    cooperative.read = 0;
                    self.core.counted.streamed += 1;
                    let header = Header { kind: kind::CTS, ..Header::default() };
                    self.send_control(
                        origin,
                        header,
                        [announcement.sender, handle.bits() as u64, bytes.end as u64],
                    );
                }
                false
            }
        }
    }

    /// Handles a refusal by the kernel of a message of which nothing has been sent yet.
    fn ask_for_all(&mut self, handle: handle::Request, origin: u32, sender: u64) {
        self.core.partial_copies = self.core.partial_copies.saturating_sub(1);
        let (kind, words) = self.core.clear_to_send(handle, sender);
        self.send_control(origin, Header { kind, ..Header::default() }, words);
    }

    /// Takes over the rest of a message that its receiver would read: it is sent in packets.
    fn send_rest(&mut self, help_request: &HelpRequest) {
        let Ok(request) = self.core.requests.get_mut(help_request.sender) else { return };
        let (Activity::Announced { buffer, to, .. }, Some(endpoint)) =
            (&request.activity, &self.endpoint)
        else {
            return;
        };
        let Ok(wanted) = usize::try_from(help_request.copy.bytes) else { return };
        let can_send = *to == help_request.owner
            && wanted <= buffer.bytes()
            && endpoint.goes_as_long_packet(*to, PART_BYTES);
        if !can_send {
            return;
        }
        let Some(sent) = endpoint.claim_rest(help_request.owner, &help_request.copy) else {
            return;
        };
        let prefix = if sent > 0 { Prefix::Read } else { Prefix::None };
        let (buffer, to) = (buffer.clone(), *to);
        request.activity = Activity::Streaming {
            buffer,
            to,
            receiver: help_request.receiver,
            sent,
            wanted,
            in_bulk: false,
            bulk_pending: 0,
            prefix,
            handoff_wait: HandoffWait::default(),
        };
        self.core.streams.push_back(help_request.sender);
    }

    /// Helps the receiver of a message, and reports the bytes copied.
    pub(crate) fn help(&mut self, help_request: HelpRequest) {
        if help_request.by_rest {
            return self.send_rest(&help_request);
        }
        let Ok(request) = self.core.requests.get_mut(help_request.sender) else { return };
        let Activity::Announced { buffer, to, .. } = &request.activity else { return };
        let (Some(bytes), Some(endpoint)) = (buffer.as_bytes(), &mut self.endpoint) else { return };
        if *to != help_request.owner {
            return;
        }
        let copied = match endpoint.help(
            help_request.owner,
            &help_request.copy,
            help_request.address,
            bytes,
        ) {
            // Too late: the receiver has copied everything.
            Help::Copied(0) => return,
            Help::Copied(bytes) => bytes,
            Help::Refused => REFUSED,
        };
        let words = [help_request.receiver, u64::from(help_request.copy.generation), copied];
        self.send_control(
            help_request.owner,
            Header { kind: kind::HELPED, ..Header::default() },
            words,
        );
    }
}
