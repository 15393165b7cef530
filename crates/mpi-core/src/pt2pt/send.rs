//! Starting sends: eager messages, announcements, and packets that wait for space.

use super::PointToPoint;
use super::eager_bulk::Started;
use super::streams::send_packed;
use crate::device_buffers::pending;
use crate::envelope::{Envelope, Mode, is_of_program};
use crate::error::Outcome;
use crate::event::Event;
use crate::handle;
use crate::packet::{AT_ONCE, Announcement, HELD, kind};
use crate::peer_failure::is_tolerant;
use crate::protocol::reads;
use crate::request::{Activity, Request};
use nemesis::protocols::Call;
use nemesis::wire::{Header, words};
use nemesis_datatype::{Buffer, Datatype};
use nemesis_mpi_check::Signature;
use nemesis_mpi_check::buffers::{self, Access};
use std::collections::VecDeque;
use std::collections::btree_map::Entry;

/// How a message of standard mode reaches its receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// In one packet.
    Packet,
    /// Announced, and read by the receiver at once.
    Read,
    /// Announced; the receive decides about the rest.
    Announced,
}

/// A packet that waits for space.
#[derive(Debug)]
pub struct Outgoing {
    header: Header,
    content: OutgoingContent,
}

#[derive(Debug)]
enum OutgoingContent {
    Control([u64; 3]),
    Bytes(Box<[u8]>),
    /// A message, and the send that is complete when it has been sent.
    Message {
        buffer: Buffer,
        request: handle::Request,
    },
}

impl PointToPoint {
    /// Starts a send. Returns `None` if it is already complete.
    pub fn start_send(
        &mut self,
        buffer: &Buffer,
        envelope: Envelope,
        mode: Mode,
    ) -> Outcome<Option<handle::Request>> {
        let bytes = buffer.bytes();
        if !self.core.losses.is_empty() && is_tolerant() {
            self.core.losses.check(envelope.to)?;
        }
        let throttled =
            self.endpoint.as_ref().is_some_and(|endpoint| endpoint.is_throttled(envelope.to));
        let eager = mode == Mode::Standard && !throttled;
        if pending(buffer).is_some() {
            return self.start_send_from_device(buffer, envelope, (mode, eager));
        }
        if eager && bytes >= self.bulk_min_bytes {
            match self.send_eager_bulk(buffer, envelope)? {
                Started::Complete => return Ok(None),
                Started::Leaving(request) => return Ok(Some(request)),
                Started::Refused => {}
            }
        }
        let way = match eager {
            true => self.way(envelope.to, bytes),
            false => Way::Announced,
        };
        let way = match way {
            Way::Read if buffer.contiguous().is_some() => Way::Read,
            Way::Read if self.fits_eagerly(envelope.to, bytes) => Way::Packet,
            Way::Read => Way::Announced,
            way => way,
        };
        if way != Way::Packet {
            let flags = match way {
                Way::Read => AT_ONCE,
                _ if mode == Mode::Held => self.flags_of_held(bytes),
                _ => 0,
            };
            if way == Way::Read {
                self.core.reads.announced(envelope.to);
            }
            let announced = self.announce(buffer, envelope, flags, None)?;
            if throttled && let Some(endpoint) = &mut self.endpoint {
                endpoint.force_slow_path(envelope.to);
            }
            return Ok(Some(announced));
        }
        if bytes >= reads::MIN_BYTES {
            self.core.reads.sent_in_packet(envelope.to);
        }
        if !self.must_queue(envelope.to) && self.send_packet(envelope.to, envelope.header, buffer) {
            return Ok(None);
        }
        let request = self.new_request(Request::new(envelope.comm, Activity::Deferred))?;
        self.queue_packet(
            envelope.to,
            Outgoing {
                header: envelope.header,
                content: OutgoingContent::Message { buffer: buffer.clone(), request },
            },
        );
        Ok(Some(request))
    }

    /// Returns how a message of `bytes` bytes of standard mode goes to process `to`.
    pub(crate) fn way(&self, to: u32, bytes: usize) -> Way {
        match self.fits_eagerly(to, bytes) {
            false if self.endpoint.as_ref().is_some_and(|it| it.forces_read(to, bytes)) => {
                Way::Read
            }
            true if bytes >= reads::MIN_BYTES && self.should_read(to) => Way::Read,
            true => Way::Packet,
            false => Way::Announced,
        }
    }

    /// Returns whether process `to` should read a message that fits a packet.
    fn should_read(&self, to: u32) -> bool {
        self.core.reads.should_read(to)
            && !nemesis_mpi_check::is_on()
            && self.endpoint.as_ref().is_some_and(|endpoint| endpoint.is_read_by(to))
    }

    /// Returns whether a message of `bytes` bytes goes to process `to` in one packet, without
    /// asking it. A process that has posted receives, or has a message to read, usually sends and
    /// receives at the same time, which its endpoint takes into account.
    fn fits_eagerly(&self, to: u32, bytes: usize) -> bool {
        let Some(endpoint) = &self.endpoint else { return false };
        let receives = !self.core.posted.is_empty() || !self.core.tasks.is_empty();
        let call = match receives {
            true if endpoint.holds_handoff_buffer(to) => Call::CrossingInHandoffBuffer,
            true => Call::Crossing,
            false => Call::Sending,
        };
        bytes <= self.eager_max_bytes
            && (bytes <= endpoint.eager_max(to, call) || endpoint.forces_eager(to, bytes, call))
    }

    /// Returns the flags of the announcement of a message that waits because the program is
    /// checked.
    #[cold]
    fn flags_of_held(&self, bytes: usize) -> u8 {
        match (bytes <= self.eager_max_bytes, self.core.goes_on.sending) {
            (true, true) => HELD | AT_ONCE,
            (true, false) => HELD,
            (false, _) => 0,
        }
    }

    /// Starts sending the copy of a message of elements of type `datatype`, while the program is
    /// checked. Returns `None` if it has left. The receiver learns the types from an announcement.
    /// It reads the copy at once, as if it were eager; where it cannot, it does not learn them.
    #[cold]
    pub(crate) fn start_checked_copy(
        &mut self,
        copy: &Buffer,
        datatype: &Datatype,
        envelope: Envelope,
    ) -> Outcome<Option<handle::Request>> {
        let to = envelope.to;
        let is_readable = self
            .endpoint
            .as_ref()
            .is_some_and(|endpoint| !endpoint.is_remote(to) && endpoint.copies_by_kernel(to));
        if !is_readable || !is_of_program(&envelope.header) {
            return self.start_send(copy, envelope, Mode::Standard);
        }
        let bytes = copy.bytes();
        let flags = if bytes <= self.eager_max_bytes { AT_ONCE } else { 0 };
        let signature = Signature::of_elements(datatype, bytes as u64);
        self.announce(copy, envelope, flags, Some(signature)).map(Some)
    }

    /// Announces a message, by an RTS with these flags. `of_original`: the message is a copy, of
    /// data with this type signature, and no call of the program has to leave it alone.
    fn announce(
        &mut self,
        buffer: &Buffer,
        envelope: Envelope,
        flags: u8,
        of_original: Option<Signature>,
    ) -> Outcome<handle::Request> {
        self.core.losses.check(envelope.to)?;
        let tag = Some(envelope.header.tag);
        let activity = Activity::Announced { buffer: buffer.clone(), to: envelope.to, tag };
        let mut request = Request::new(envelope.comm, activity);
        request.expected = Some(envelope.to);
        let request = self.new_request(request)?;
        let mut signature = Signature::default();
        if nemesis_mpi_check::is_on() && is_of_program(&envelope.header) {
            signature = of_original.unwrap_or_else(|| {
                let name = self.core.checked_name(request);
                buffers::begin(name, buffer, Access::Read);
                if flags & HELD != 0 {
                    buffers::hold(name);
                }
                Signature::of(buffer, buffer.bytes() as u64)
            });
        }
        let (header, control) =
            self.announcement(request, buffer, &envelope.header, envelope.to, signature);
        self.send_control(envelope.to, Header { flags, ..header }, control);
        Ok(request)
    }

    /// Returns the packet that announces the message of `request`, with its type signature.
    pub(super) fn announcement(
        &mut self,
        request: handle::Request,
        buffer: &Buffer,
        header: &Header,
        to: u32,
        signature: Signature,
    ) -> (Header, [u64; 3]) {
        let bytes = buffer.bytes() as u64;
        // Nobody reads a copy that is empty yet.
        let run = buffer.contiguous().filter(|_| pending(buffer).is_none());
        let address = run.map_or(0, |run| run.address as u64);
        self.core.counted.announced += 1;
        self.core.last_announced = Some(request);
        if self.core.events.wanted(Event::Rendezvous) {
            self.core.events.record(
                Event::Rendezvous,
                [bytes, u64::from(header.rank), header.tag as u64, u64::from(to)],
            );
        }
        let sender = Announcement::sender_word(request, signature);
        (Header { kind: kind::RTS, ..*header }, [bytes, sender, address])
    }

    /// Returns a waiting packet in its present form: a message to a process that throttles this one
    /// is announced instead.
    fn held_back(&mut self, to: u32, packet: Outgoing) -> Outgoing {
        // A packet to a lost process is dropped, and its send fails.
        let throttled = self.endpoint.as_ref().is_some_and(|endpoint| endpoint.is_throttled(to))
            && self.core.losses.check(to).is_ok();
        let Outgoing { header, content } = packet;
        match content {
            OutgoingContent::Message { buffer, request } if throttled => {
                let unknown = Signature::default();
                let (header, control) = self.announcement(request, &buffer, &header, to, unknown);
                if let Ok(request) = self.core.requests.get_mut(request) {
                    request.activity = Activity::Announced { buffer, to, tag: Some(header.tag) };
                    request.expected = Some(to);
                }
                Outgoing { header, content: OutgoingContent::Control(control) }
            }
            content => Outgoing { header, content },
        }
    }

    /// Tells a receiver that the message it waits for will not come.
    #[cold]
    pub fn send_nothing(&mut self, envelope: Envelope) {
        let header = Header { kind: kind::RTS, ..envelope.header };
        self.send_control(envelope.to, header, [0, Announcement::NO_SENDER, 0]);
    }

    /// Sends a control packet, now or as soon as there is space.
    pub fn send_control(&mut self, to: u32, header: Header, control: [u64; 3]) {
        let Some(endpoint) = &mut self.endpoint else { return };
        let waiting = self.outgoing.contains_key(&to);
        if waiting || !endpoint.try_send(to, header, words(control).as_bytes()) {
            self.queue_packet(to, Outgoing { header, content: OutgoingContent::Control(control) });
        }
    }

    /// Sends a packet of the library itself with any payload that fits a packet, now or as soon as
    /// there is space.
    pub(crate) fn send_bytes(&mut self, to: u32, header: Header, bytes: Box<[u8]>) {
        let Some(endpoint) = &mut self.endpoint else { return };
        let waiting = self.outgoing.contains_key(&to);
        if waiting || !endpoint.try_send(to, header, &bytes) {
            self.queue_packet(to, Outgoing { header, content: OutgoingContent::Bytes(bytes) });
        }
    }

    pub(crate) fn must_queue(&self, to: u32) -> bool {
        self.outgoing_packets > 0 && self.outgoing.contains_key(&to)
    }

    fn queue_packet(&mut self, to: u32, packet: Outgoing) {
        self.outgoing.entry(to).or_default().push_back(packet);
        self.outgoing_packets += 1;
    }

    /// Withdraws a message that waits for space (cancel). Returns false if it has been sent.
    pub fn withdraw_outgoing(&mut self, request: handle::Request) -> bool {
        let is_it = |packet: &Outgoing| match packet.content {
            OutgoingContent::Message { request: waiting, .. } => waiting == request,
            _ => false,
        };
        let place = |(&to, queue): (&u32, &VecDeque<Outgoing>)| {
            queue.iter().position(is_it).map(|index| (to, index))
        };
        let Some((to, index)) = self.outgoing.iter().find_map(place) else { return false };
        if let Entry::Occupied(mut queue) = self.outgoing.entry(to) {
            queue.get_mut().remove(index);
            self.outgoing_packets -= 1;
            if queue.get().is_empty() {
                queue.remove();
            }
        }
        true
    }

    /// Sends one packet with all of `buffer`, which fits.
    fn send_packet(&mut self, to: u32, header: Header, buffer: &Buffer) -> bool {
        let Some(endpoint) = &mut self.endpoint else { return false };
        if let Some(bytes) = buffer.as_bytes() {
            return endpoint.try_send(to, header, bytes);
        }
        send_packed(endpoint, &mut self.packing, to, header, buffer, 0..buffer.bytes())
    }

    /// Sends packets that waited for space, as far as there is space now.
    pub fn flush_outgoing(&mut self) {
        let mut from = 0;
        while let Some((&to, _)) = self.outgoing.range(from..).next() {
            self.flush_outgoing_to(to);
            from = to + 1;
        }
    }

    fn flush_outgoing_to(&mut self, to: u32) {
        while let Some(packet) = self.outgoing.get_mut(&to).and_then(VecDeque::pop_front) {
            let packet = self.held_back(to, packet);
            let sent = match &packet.content {
                OutgoingContent::Control(control) => {
                    let endpoint = self
                        .endpoint
                        .as_mut()
                        .expect("packets wait only while there is an endpoint");
                    endpoint.try_send(to, packet.header, words(*control).as_bytes())
                }
                OutgoingContent::Bytes(bytes) => match &mut self.endpoint {
                    Some(endpoint) => endpoint.try_send(to, packet.header, bytes),
                    None => true,
                },
                OutgoingContent::Message { buffer, .. } => {
                    self.send_packet(to, packet.header, buffer)
                }
            };
            if !sent {
                self.outgoing.entry(to).or_default().push_front(packet);
                return;
            }
            self.outgoing_packets -= 1;
            if let OutgoingContent::Message { request, .. } = packet.content {
                match self.core.losses.check(to) {
                    Ok(()) => self.core.finish(request),
                    Err(error) => self.core.fail(request, error),
                }
            }
        }
        self.outgoing.remove(&to);
    }
}
