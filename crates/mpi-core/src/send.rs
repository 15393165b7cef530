//! Sending (MPI 5.0 §3.4, §3.7).
//!
//! A message that fits a packet is sent at once, *eagerly*: the send is complete when the bytes are
//! in the peer's fastbox or in a cell. A longer message to another node can be eager, too, with its
//! bytes as a bulk payload behind the header (`arrivals`); its send is complete when the network
//! has the bytes. All others, and synchronous sends, are announced and complete when the receiver
//! has the bytes (rendezvous). A peer that keeps too many unexpected messages of this process
//! throttles it, and then every message is announced.
//!
//! Order: packets of a pair arrive in the order in which the endpoint accepted them. If the
//! endpoint has no space, packets wait in the peer's *outgoing* queue, and as long as one waits,
//! all later packets to that peer wait behind it.

use crate::eager_bulk::Started;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::event::Event;
use crate::handle;
use crate::packet::{Announcement, data_header, kind};
use crate::request::{Activity, Completion, Prefix, Request};
use crate::{abi, context::Class};
use nemesis::Endpoint;
use nemesis::wire::{Header, LINE_PAYLOAD_BYTES, words};
use nemesis_datatype::Buffer;
use std::ops::Range;

pub use crate::envelope::{Envelope, Mode};

/// The longest message that [`Engine::send_fast`] may send.
pub const SHORT_MAX_BYTES: u32 = LINE_PAYLOAD_BYTES as u32;

/// Whether the sending call waits until the send is complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    Now,
    /// The program may start other sends meanwhile.
    Later,
}

impl Wait {
    /// The longest message that is written while its receiver reads it. For a single message this
    /// is faster than a kernel copy up to the capacity of a long packet; of several concurrent
    /// messages, each process copies some.
    const fn eager_max(self) -> usize {
        match self {
            Wait::Now => nemesis::LONG_PACKET_MAX_BYTES,
            Wait::Later => STREAM_PACKET_BYTES,
        }
    }
}

/// Limit where cache lines transfer fast and two processes send to each other at the same time:
/// longer messages are read by one kernel copy, shorter ones pass through an ownership-passing
/// buffer if this process holds one.
const CROSSING_MAX_BYTES: usize = 32 * 1024;
/// Bytes of one packet of a message of many packets.
const STREAM_PACKET_BYTES: usize = 64 * 1024;
/// Bytes of one such packet where long packets are faster than kernel copies.
pub(crate) const PART_BYTES: usize = 256 * 1024;

/// Progress of a rendezvous send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fed {
    Done,
    /// All bytes are being sent; the network reports when they have left.
    Leaving,
    /// There was no space for more.
    Waiting,
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
    /// A message, and the send that is complete when it has been sent.
    Message {
        buffer: Buffer,
        request: handle::Request,
    },
}

impl Engine {
    /// Checks a destination and a tag. Returns `None` for `MPI_PROC_NULL`.
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

    /// Fast path: sends a message through the fastbox of its pair. Its conditions are the cached
    /// communicator, valid arguments, no waiting packets, and space in the fastbox. Otherwise
    /// returns false, without any effect.
    #[inline(always)]
    pub fn send_cached(&mut self, comm: handle::Comm, dest: i32, tag: i32, payload: &[u8]) -> bool {
        let Some(to) = self.comm_cache.process(comm, dest) else { return false };
        self.send_line((self.comm_cache.context, self.comm_cache.rank), to, tag, payload)
    }

    /// Sends as [`send_cached`](Self::send_cached) does, with any communicator.
    #[inline(always)]
    pub fn send_fast(&mut self, comm: handle::Comm, dest: i32, tag: i32, payload: &[u8]) -> bool {
        self.count_use(comm);
        let Some(comm) = self.comm_fast(comm) else { return false };
        let Some(&to) = comm.destinations().get(dest as u32 as usize) else { return false };
        let own = (comm.context.class(Class::PointToPoint).0, comm.rank);
        self.send_line(own, to, tag, payload)
    }

    /// Sends a message of a context, from this process's rank there, to process `to`.
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

    /// Sends a message of several lines, or one that is written chunk by chunk. The longer the
    /// message, the less its fixed cost is hidden.
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
        let in_packet = payload.len() <= self.eager_max(to, wait)
            && !self.goes_as_eager_bulk(to, payload.len());
        let fits = tag >= 0 && self.outgoing_packets == 0 && in_packet;
        let endpoint = self.endpoint.as_mut()?;
        let sent = fits && !endpoint.is_throttled(to) && endpoint.try_send(to, header, payload);
        sent.then_some(self.done_request)
    }

    /// Returns the request that stands for every completed send.
    #[inline(always)]
    pub fn done_request(&self) -> handle::Request {
        self.done_request
    }

    /// Starts a send. Returns `None` if it is already complete.
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
        if eager && bytes >= self.bulk_min_bytes {
            match self.send_eager_bulk(buffer, envelope)? {
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
                content: OutgoingContent::Message { buffer: buffer.clone(), request },
            },
        );
        Ok(Some(request))
    }

    /// Returns the length of the longest message that is sent eagerly to process `to`. A process
    /// that has posted receives, or has a message to read, usually sends and receives at the same
    /// time; then two processors are busy anyway, and one copy of a long message is better than two
    /// overlapping copies. Between hosts nothing overlaps.
    fn eager_max(&self, to: u32, wait: Wait) -> usize {
        let receives = !self.core.posted.is_empty() || !self.core.tasks.is_empty();
        let packet_max = match &self.endpoint {
            Some(endpoint) if endpoint.is_remote(to) => endpoint.packet_max(to),
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

    /// Returns the packet that announces the message of `request`.
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

    /// Returns a waiting packet in its present form: a message to a process that throttles this one
    /// is announced instead.
    fn held_back(&mut self, to: u32, packet: Outgoing) -> Outgoing {
        // A packet to a lost process is dropped, and its send is done.
        let throttled = self.endpoint.as_ref().is_some_and(|endpoint| endpoint.is_throttled(to))
            && self.core.losses.check(to).is_ok();
        let Outgoing { header, content } = packet;
        match content {
            OutgoingContent::Message { buffer, request } if throttled => {
                let (header, control) = self.announcement(request, &buffer, &header, to);
                if let Ok(request) = self.core.requests.get_mut(request) {
                    request.activity = Activity::Announced { buffer, to };
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

    pub fn new_request(&mut self, request: Request) -> Outcome<handle::Request> {
        self.core.requests.insert(request).ok_or_else(|| {
            Error::new(abi::MPI_ERR_NO_MEM, "more than four million requests are open")
        })
    }

    /// Sends a control packet, now or as soon as there is space.
    pub fn send_control(&mut self, to: u32, header: Header, control: [u64; 3]) {
        let Some(endpoint) = &mut self.endpoint else { return };
        let waiting = self.outgoing.get(to as usize).is_some_and(|queue| !queue.is_empty());
        if waiting || !endpoint.try_send(to, header, words(control).as_bytes()) {
            self.queue_packet(to, Outgoing { header, content: OutgoingContent::Control(control) });
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

    /// Withdraws a message that waits for space (cancel). Returns false if it has been sent.
    pub fn withdraw_outgoing(&mut self, request: handle::Request) -> bool {
        let is_it = |packet: &Outgoing| match packet.content {
            OutgoingContent::Message { request: waiting, .. } => waiting == request,
            _ => false,
        };
        for queue in &mut self.outgoing {
            if let Some(index) = queue.iter().position(is_it) {
                queue.remove(index);
                self.outgoing_packets -= 1;
                return true;
            }
        }
        false
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
        for to in 0..self.outgoing.len() {
            while let Some(packet) = self.outgoing[to].pop_front() {
                let packet = self.held_back(to as u32, packet);
                let sent = match &packet.content {
                    OutgoingContent::Control(control) => {
                        let endpoint = self
                            .endpoint
                            .as_mut()
                            .expect("packets wait only while there is an endpoint");
                        endpoint.try_send(to as u32, packet.header, words(*control).as_bytes())
                    }
                    OutgoingContent::Message { buffer, .. } => {
                        self.send_packet(to as u32, packet.header, buffer)
                    }
                };
                if !sent {
                    self.outgoing[to].push_front(packet);
                    break;
                }
                self.outgoing_packets -= 1;
                if let OutgoingContent::Message { request, .. } = packet.content {
                    self.core.finish(request);
                }
            }
        }
    }

    /// Continues the rendezvous sends that receivers have asked for.
    pub fn feed_streams(&mut self) {
        for _ in 0..self.core.streams.len() {
            let Some(handle) = self.core.streams.pop_front() else { return };
            let Ok(request) = self.core.requests.get_mut(handle) else { continue };
            let Activity::Streaming { .. } = &request.activity else { continue };
            let mut activity = std::mem::replace(&mut request.activity, Activity::Done);
            let fed = if let Activity::Streaming { in_bulk: true, .. } = activity {
                self.feed_bulk(handle, &mut activity)
            } else if self.feed(&mut activity) {
                Fed::Done
            } else {
                Fed::Waiting
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

    fn feed(&mut self, activity: &mut Activity) -> bool {
        let Activity::Streaming { buffer, to, receiver, sent, wanted, handoff_wait, .. } = activity
        else {
            return true;
        };
        let Some(endpoint) = &mut self.endpoint else { return true };
        // One packet is read for each that is written, so that neither process fills its space
        // before the other has begun to read.
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

/// Handles a stream all of whose bytes are sent. If the receiver could not read the bytes before
/// them, they follow, and the result is true; if it reads them, the send is as after its
/// announcement.
fn turn_to_prefix(activity: &mut Activity) -> bool {
    let Activity::Streaming { buffer, to, sent, wanted, prefix, .. } = activity else {
        return false;
    };
    match std::mem::replace(prefix, Prefix::None) {
        Prefix::None => return false,
        Prefix::Read => *activity = Activity::Announced { buffer: buffer.clone(), to: *to },
        Prefix::Requested(bytes) => (*sent, *wanted) = (0, bytes.min(*wanted)),
    }
    matches!(activity, Activity::Streaming { .. })
}

/// Sends one packet with bytes of a non-contiguous buffer: packed directly into shared memory if it
/// is sent in chunks, else through `packing`.
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

/// Sends a message (`MPI_Send`, `MPI_Rsend`, `MPI_Ssend`). Returns when the send is complete by its
/// mode.
pub fn send(mpi: &mut Mpi, buffer: &Buffer, envelope: Envelope, mode: Mode) -> Outcome {
    match mpi.start_send(buffer, envelope, mode)? {
        None => {
            mpi.run_tasks();
            Ok(())
        }
        Some(mut request) => crate::completion::wait(mpi, &mut request).map(drop),
    }
}

/// Starts a send (`MPI_Isend` and its counterparts), and returns its handle.
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
    // A receive may have deferred a message: now its receiver at the peer can copy at the same
    // time.
    mpi.run_tasks();
    started.map_or_else(|| mpi.completed_request(Completion::EMPTY), Ok)
}
