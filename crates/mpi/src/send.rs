//! Sending (MPI 5.0 §3.4, §3.7).
//!
//! A message that fits a packet goes out at once, *eagerly*: the send is complete when the bytes are in the peer's fastbox or in a cell. So does a longer
//! one to another node, whose bytes follow as a body (`arrivals`); it is complete when the network has them. Others, and synchronous ones, are announced
//! and complete when the receiver has the bytes (rendezvous). A peer that keeps too many unexpected messages of ours has its flag up, and then
//! everything is announced.
//!
//! Order: packets of a pair arrive in the order in which the endpoint took them. When it has no room, packets wait in the peer's *outgoing* queue,
//! and as long as something waits there, everything later to that peer queues up behind.

use crate::arrivals::Started;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::handle;
use crate::protocol::{Announcement, kind};
use crate::request::{Activity, Completion, Front, Request};
use crate::tool::event::Event;
use crate::{abi, context::Class};
use nemesis::Endpoint;
use nemesis::wire::{Header, LINE_PAYLOAD_BYTES, words};
use nemesis_datatype::Buffer;
use std::ops::Range;
use std::time::{Duration, Instant};

/// When a send is complete (MPI 5.0 §3.4); the ready mode is a standard send, buffered sends copy first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Standard,
    Synchronous,
}

/// The longest message that [`Engine::send_fast`] may take.
pub const SHORT_MAX_BYTES: u32 = LINE_PAYLOAD_BYTES as u32;

/// Whether the call that sends waits until the send is complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    Now,
    /// It begins others meanwhile, perhaps.
    Later,
}

impl Wait {
    /// The longest message that is written while its receiver reads. One alone is faster so than by a copy of the kernel's up to what a long packet
    /// carries; of several that are on their way at the same time, each process copies some.
    const fn eager_max(self) -> usize {
        match self {
            Wait::Now => nemesis::LONG_PACKET_MAX_BYTES,
            Wait::Later => STREAM_PACKET_BYTES,
        }
    }
}

/// Where lines pass fast and two processes send to each other at the same time, longer messages are read by one copy of the kernel, shorter ones go by
/// shuttles if we hold one.
const CROSSING_MAX_BYTES: usize = 32 * 1024;
/// Bytes of one packet of many.
const STREAM_PACKET_BYTES: usize = 64 * 1024;
/// The same where long packets are faster than the kernel's copies.
pub(crate) const PART_BYTES: usize = 256 * 1024;
/// Where long messages cross, a part waits so long for the shuttle that the other one's next part brings: as long as that is copied in and out.
const HANDOFF_WAIT: Duration = Duration::from_micros(20);

/// A message's wait for a shuttle. When one was in vain, the other process has something else to do, and there are no more until a shuttle comes.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandoffWait {
    since: Option<Instant>,
    in_vain: bool,
}

impl HandoffWait {
    /// Whether to wait for a shuttle now, where one `is_here` or not.
    fn is_awaited(&mut self, is_here: bool) -> bool {
        if is_here {
            *self = HandoffWait::default();
            return false;
        }
        self.in_vain =
            self.in_vain || self.since.get_or_insert_with(Instant::now).elapsed() >= HANDOFF_WAIT;
        !self.in_vain
    }
}

/// Where a message goes and what it says of itself.
#[derive(Clone, Copy, Debug)]
pub struct Envelope {
    pub comm: handle::Comm,
    /// Index of the process.
    pub to: u32,
    pub header: Header,
}

/// How far a rendezvous send has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fed {
    Done,
    /// Everything is on its way; the network will tell when it has left.
    Leaving,
    /// There was no room for more.
    Waiting,
}

/// A packet that waits for room.
#[derive(Debug)]
pub struct Outgoing {
    header: Header,
    body: Body,
}

#[derive(Debug)]
enum Body {
    Control([u64; 3]),
    /// A message, and the send that is complete when it is out.
    Message {
        buffer: Buffer,
        request: handle::Request,
    },
}

/// The place of a DATA packet's bytes in its message travels in the fields that control packets have no other use for.
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

impl Engine {
    /// Checks a destination and a tag; `None` for `MPI_PROC_NULL`.
    #[inline(always)]
    pub fn envelope(&self, comm: handle::Comm, dest: i32, tag: i32) -> Outcome<Option<Envelope>> {
        let object = self.comm(comm)?;
        let Some(&to) = object.destinations().get(dest as usize) else {
            return self.no_destination(comm, dest, tag);
        };
        if tag < 0 {
            return Err(bad_tag(tag));
        }
        let context = object.context.class(Class::PointToPoint).0;
        Ok(Some(Envelope {
            comm,
            to,
            header: Header {
                kind: kind::EAGER,
                context,
                tag,
                rank: object.rank,
                ..Header::default()
            },
        }))
    }

    #[cold]
    fn no_destination(&self, comm: handle::Comm, dest: i32, tag: i32) -> Outcome<Option<Envelope>> {
        if dest != abi::MPI_PROC_NULL {
            return Err(self.bad_rank(comm, "destination", dest));
        }
        if tag < 0 { Err(bad_tag(tag)) } else { Ok(None) }
    }

    #[cold]
    pub fn bad_rank(&self, comm: handle::Comm, role: &str, rank: i32) -> Box<Error> {
        let size = self.comm(comm).map_or(0, |comm| comm.destinations().len());
        Error::new(
            abi::MPI_ERR_RANK,
            format!(
                "{role} {rank} is not a rank of the communicator, which has {size} (0 to {})",
                size.wrapping_sub(1) as i64
            ),
        )
    }

    /// Sends a message through its pair's fastbox if all is as it mostly is: the usual communicator, arguments in order, nothing waiting, a box with room.
    /// False says nothing about the reason, and nothing has happened.
    #[inline(always)]
    pub fn send_cached(&mut self, comm: handle::Comm, dest: i32, tag: i32, payload: &[u8]) -> bool {
        let Some(to) = self.comm_cache.process(comm, dest) else { return false };
        self.send_line((self.comm_cache.context, self.comm_cache.rank), to, tag, payload)
    }

    /// The same with any communicator.
    #[inline(always)]
    pub fn send_fast(&mut self, comm: handle::Comm, dest: i32, tag: i32, payload: &[u8]) -> bool {
        self.count_use(comm);
        let Some(comm) = self.comm_fast(comm) else { return false };
        let Some(&to) = comm.destinations().get(dest as u32 as usize) else { return false };
        let own = (comm.context.class(Class::PointToPoint).0, comm.rank);
        self.send_line(own, to, tag, payload)
    }

    /// Sends a message of a context and our rank there to process `to`.
    #[inline(always)]
    fn send_line(
        &mut self,
        (context, rank): (u64, u32),
        to: u32,
        tag: i32,
        payload: &[u8],
    ) -> bool {
        if tag < 0 || self.outgoing_packets > 0 {
            return false;
        }
        let Some(endpoint) = &mut self.endpoint else { return false };
        endpoint.send_fast(
            to,
            Header { kind: kind::EAGER, context, tag, rank, ..Header::default() },
            payload,
        )
    }

    /// The same for a message of several lines, or one that is written piece by piece: what it costs by itself is hidden less the longer it is.
    #[inline(never)]
    pub fn send_longer(
        &mut self,
        comm: handle::Comm,
        dest: i32,
        tag: i32,
        payload: &[u8],
        wait: Wait,
    ) -> Option<handle::Request> {
        let comm = self.comm_fast(comm)?;
        let &to = comm.destinations().get(dest as u32 as usize)?;
        let context = comm.context.class(Class::PointToPoint).0;
        let header =
            Header { kind: kind::EAGER, context, tag, rank: comm.rank, ..Header::default() };
        let in_packet =
            payload.len() <= self.eager_max(to, wait) && !self.goes_as_body(to, payload.len());
        let fits = tag >= 0 && self.outgoing_packets == 0 && in_packet;
        let endpoint = self.endpoint.as_mut()?;
        let sent = fits && !endpoint.is_throttled(to) && endpoint.try_send(to, header, payload);
        sent.then_some(self.done_request)
    }

    /// The request that stands for every send that is complete.
    #[inline(always)]
    pub fn done_request(&self) -> handle::Request {
        self.done_request
    }

    /// Begins a send; `None` when it is already complete.
    pub fn start_send(
        &mut self,
        buffer: &Buffer,
        envelope: Envelope,
        mode: Mode,
    ) -> Outcome<Option<handle::Request>> {
        let bytes = buffer.bytes();
        let throttled =
            self.endpoint.as_ref().is_some_and(|endpoint| endpoint.is_throttled(envelope.to));
        let eager = mode == Mode::Standard && !throttled;
        if eager && bytes >= self.body_min_bytes {
            match self.send_body(buffer, envelope)? {
                Started::Complete => return Ok(None),
                Started::Leaving(request) => return Ok(Some(request)),
                Started::Refused => {}
            }
        }
        if !eager || bytes > self.eager_max(envelope.to, Wait::Later) {
            let announced = self.announce(buffer, envelope)?;
            if throttled && let Some(endpoint) = &mut self.endpoint {
                endpoint.force_slow_path(envelope.to);
            }
            return Ok(Some(announced));
        }
        if !self.must_queue(envelope.to) && self.send_packet(envelope.to, envelope.header, buffer) {
            return Ok(None);
        }
        let request = self.new_request(Request::new(envelope.comm, Activity::Deferred))?;
        self.queue_packet(
            envelope.to,
            Outgoing {
                header: envelope.header,
                body: Body::Message { buffer: buffer.clone(), request },
            },
        );
        Ok(Some(request))
    }

    /// The longest message that goes out eagerly to process `to`. Where this process has receives posted, or is to get a message, it mostly sends and
    /// receives at the same time, and then two processors are busy anyway: one copy of a long message is better than two that overlap. Between hosts
    /// nothing overlaps.
    fn eager_max(&self, to: u32, wait: Wait) -> usize {
        let receives = !self.core.posted.is_empty() || !self.core.tasks.is_empty();
        let packet_max = match &self.endpoint {
            Some(endpoint) if endpoint.is_far(to) => endpoint.packet_max(to),
            Some(endpoint) if endpoint.favours_long_packets() => endpoint.packet_max(to),
            Some(endpoint) if !receives => endpoint.packet_max(to).min(wait.eager_max()),
            Some(endpoint) if endpoint.holds_handoff_buffer(to) => {
                endpoint.packet_max(to).min(CROSSING_MAX_BYTES)
            }
            _ => nemesis::PACKET_MAX_BYTES,
        };
        self.eager_max_bytes.min(packet_max)
    }

    fn announce(&mut self, buffer: &Buffer, envelope: Envelope) -> Outcome<handle::Request> {
        self.core.losses.check(envelope.to)?;
        let activity = Activity::Announced { buffer: buffer.clone(), to: envelope.to };
        let mut request = Request::new(envelope.comm, activity);
        request.expected = Some(envelope.to);
        let request = self.new_request(request)?;
        let (header, control) = self.announcement(request, buffer, &envelope.header, envelope.to);
        self.send_control(envelope.to, header, control);
        Ok(request)
    }

    /// The packet that announces the message of `request`.
    fn announcement(
        &mut self,
        request: handle::Request,
        buffer: &Buffer,
        header: &Header,
        to: u32,
    ) -> (Header, [u64; 3]) {
        let (bytes, address) =
            (buffer.bytes() as u64, buffer.contiguous().map_or(0, |run| run.address as u64));
        self.core.counted.announced += 1;
        self.core.last_announced = Some(request);
        if self.core.events.wanted(Event::Rendezvous) {
            self.core.events.record(
                Event::Rendezvous,
                [bytes, u64::from(header.rank), header.tag as u64, u64::from(to)],
            );
        }
        (Header { kind: kind::RTS, ..*header }, [bytes, request.0 as u64, address])
    }

    /// A packet that waits for room, as it goes now: a message to a process that asks us to hold back is announced instead.
    fn held_back(&mut self, to: u32, packet: Outgoing) -> Outgoing {
        // What goes to a lost process is gone, and its send is done.
        let throttled = self.endpoint.as_ref().is_some_and(|endpoint| endpoint.is_throttled(to))
            && self.core.losses.check(to).is_ok();
        let Outgoing { header, body } = packet;
        match body {
            Body::Message { buffer, request } if throttled => {
                let (header, control) = self.announcement(request, &buffer, &header, to);
                if let Ok(request) = self.core.requests.get_mut(request) {
                    request.activity = Activity::Announced { buffer, to };
                    request.expected = Some(to);
                }
                Outgoing { header, body: Body::Control(control) }
            }
            body => Outgoing { header, body },
        }
    }

    /// Tells a receiver that what it waits for will not come.
    #[cold]
    pub fn send_nothing(&mut self, envelope: Envelope) {
        let header = Header { kind: kind::RTS, ..envelope.header };
        self.send_control(envelope.to, header, [0, Announcement::NO_SENDER, 0]);
    }

    pub fn new_request(&mut self, request: Request) -> Outcome<handle::Request> {
        self.core.requests.insert(request).ok_or_else(|| {
            Error::new(abi::MPI_ERR_NO_MEM, "more than four million requests are open")
        })
    }

    /// Sends a control packet, now or as soon as there is room.
    pub fn send_control(&mut self, to: u32, header: Header, control: [u64; 3]) {
        let Some(endpoint) = &mut self.endpoint else { return };
        let waiting = self.outgoing.get(to as usize).is_some_and(|queue| !queue.is_empty());
        if waiting || !endpoint.try_send(to, header, words(control).as_bytes()) {
            self.queue_packet(to, Outgoing { header, body: Body::Control(control) });
        }
    }

    pub(crate) fn must_queue(&self, to: u32) -> bool {
        self.outgoing_packets > 0
            && self.outgoing.get(to as usize).is_some_and(|queue| !queue.is_empty())
    }

    fn queue_packet(&mut self, to: u32, packet: Outgoing) {
        if self.outgoing.len() <= to as usize {
            self.outgoing.resize_with(to as usize + 1, Default::default);
        }
        self.outgoing[to as usize].push_back(packet);
        self.outgoing_packets += 1;
    }

    /// Takes a message that waits for room back (cancelled); false when it is out.
    pub fn withdraw_outgoing(&mut self, request: handle::Request) -> bool {
        let is_it = |packet: &Outgoing| matches!(packet.body, Body::Message { request: waiting, .. } if waiting == request);
        for queue in &mut self.outgoing {
            if let Some(index) = queue.iter().position(is_it) {
                queue.remove(index);
                self.outgoing_packets -= 1;
                return true;
            }
        }
        false
    }

    /// One packet with all of `buffer`, which fits.
    fn send_packet(&mut self, to: u32, header: Header, buffer: &Buffer) -> bool {
        let Some(endpoint) = &mut self.endpoint else { return false };
        if let Some(bytes) = buffer.as_bytes() {
            return endpoint.try_send(to, header, bytes);
        }
        send_packed(endpoint, &mut self.packing, to, header, buffer, 0..buffer.bytes())
    }

    /// Sends what has waited for room, as far as there is some now.
    pub fn flush_outgoing(&mut self) {
        for to in 0..self.outgoing.len() {
            while let Some(packet) = self.outgoing[to].pop_front() {
                let packet = self.held_back(to as u32, packet);
                let sent = match &packet.body {
                    Body::Control(control) => {
                        let endpoint = self
                            .endpoint
                            .as_mut()
                            .expect("packets wait only while there is an endpoint");
                        endpoint.try_send(to as u32, packet.header, words(*control).as_bytes())
                    }
                    Body::Message { buffer, .. } => {
                        self.send_packet(to as u32, packet.header, buffer)
                    }
                };
                if !sent {
                    self.outgoing[to].push_front(packet);
                    break;
                }
                self.outgoing_packets -= 1;
                if let Body::Message { request, .. } = packet.body {
                    self.core.finish(request);
                }
            }
        }
    }

    /// Sends on with the rendezvous sends that receivers have asked for.
    pub fn feed_streams(&mut self) {
        for _ in 0..self.core.streams.len() {
            let Some(handle) = self.core.streams.pop_front() else { return };
            let Ok(request) = self.core.requests.get_mut(handle) else { continue };
            let Activity::Streaming { .. } = &request.activity else { continue };
            let mut activity = std::mem::replace(&mut request.activity, Activity::Done);
            let fed = if let Activity::Streaming { as_bodies: true, .. } = activity {
                self.feed_bodies(handle, &mut activity)
            } else if self.feed(&mut activity) {
                Fed::Done
            } else {
                Fed::Waiting
            };
            let goes_on = fed == Fed::Done && turn_to_front(&mut activity);
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
        // What comes meanwhile is read, one packet for each that is written: so neither process fills its room before the other has begun to read.
        let in_parts =
            endpoint.favours_long_packets() && endpoint.goes_as_long_packet(*to, PART_BYTES);
        let packet_max = if in_parts { PART_BYTES } else { STREAM_PACKET_BYTES };
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
                .min(packet_max);
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
}

/// All bytes of a stream are out. If the receiver could not read those before them, they follow: true; if it reads them, the send is as announced.
fn turn_to_front(activity: &mut Activity) -> bool {
    let Activity::Streaming { buffer, to, sent, wanted, front, .. } = activity else {
        return false;
    };
    match std::mem::replace(front, Front::None) {
        Front::None => return false,
        Front::Read => *activity = Activity::Announced { buffer: buffer.clone(), to: *to },
        Front::Asked(bytes) => (*sent, *wanted) = (0, bytes.min(*wanted)),
    }
    matches!(activity, Activity::Streaming { .. })
}

/// One packet with some bytes of a buffer with holes: packed into the receiver's sight if it goes in pieces, else by way of `packing`.
fn send_packed(
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

#[cold]
pub fn bad_tag(tag: i32) -> Box<Error> {
    Error::new(abi::MPI_ERR_TAG, format!("tag {tag} is negative; tags go from 0 to {}", i32::MAX))
}

/// `MPI_Send`, `MPI_Rsend`, `MPI_Ssend`: returns when the mode says that the send is complete.
pub fn send(mpi: &mut Mpi, buffer: &Buffer, envelope: Envelope, mode: Mode) -> Outcome {
    match mpi.start_send(buffer, envelope, mode)? {
        None => {
            mpi.run_tasks();
            Ok(())
        }
        Some(mut request) => crate::completion::wait(mpi, &mut request).map(drop),
    }
}

/// `MPI_Isend` and its kin: the handle of a send that has begun.
pub fn isend(
    mpi: &mut Mpi,
    buffer: &Buffer,
    envelope: Option<Envelope>,
    mode: Mode,
) -> Outcome<handle::Request> {
    let started = match envelope {
        Some(envelope) => mpi.start_send(buffer, envelope, mode)?,
        None => None,
    };
    // A receive may have left a message to be got: now the receiver of ours can copy at the same time.
    mpi.run_tasks();
    started.map_or_else(|| mpi.completed_request(Completion::EMPTY), Ok)
}
