//! Receiving (MPI 5.0 §3.2, §3.7).
//!
//! A blocking receive of an eager message needs no request. It is a [`Direct`] receive on the
//! stack, which sees packets before the protocol while the endpoint polls, and takes the first
//! message that matches, unless a receive posted earlier matches that message. The non-blocking
//! receive and the rendezvous use a request.

use crate::comm_cache::CommCache;
use crate::context::{Class, Context};
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use crate::matching::{ANY_RANK, ANY_TAG, InlineReceive, Pattern, Slot};
use crate::packet::{Announcement, kind, pattern_of};
use crate::protocol::{Content, Core, Message, truncated, unpack_long_packet};
use crate::request::{Activity, Completion, Request};
use crate::{abi, completion};
use nemesis::wire::{Header, word};
use nemesis::{Backoff, Failure, LongPacket, Packet, PacketHandler, RegionMut, Sink, Token};
use nemesis_datatype::{Buffer, Contiguous};
use std::hint::cold_path;

pub use crate::envelope::Wanted;
pub use crate::protocol::Matched;

impl Engine {
    /// Fast path: posts a receive. Its conditions are the cached communicator, a named source,
    /// valid arguments, no unexpected message, no lost process. Otherwise returns `None`, without
    /// any effect.
    #[inline(always)]
    pub fn irecv_cached(
        &mut self,
        comm: handle::Comm,
        source: i32,
        tag: i32,
        place: Contiguous,
    ) -> Option<handle::Request> {
        let from = self.comms.cache.process(comm, source)?;
        self.post_fast(Context(self.comms.cache.context), comm, (source as u32, from), tag, place)
    }

    /// Posts a receive with any communicator and source.
    #[inline(always)]
    pub fn irecv_fast(
        &mut self,
        comm: handle::Comm,
        source: i32,
        tag: i32,
        place: Contiguous,
    ) -> Option<handle::Request> {
        self.comms.count_use(comm);
        let object = self.comms.find(comm)?;
        let context = object.context.class(Class::PointToPoint);
        let source = match object.destinations().get(source as u32 as usize) {
            Some(&from) => (source as u32, from),
            None if source == abi::MPI_ANY_SOURCE => (ANY_RANK, InlineReceive::FROM_ANY),
            None => return None,
        };
        self.post_fast(context, comm, source, tag, place)
    }

    /// Posts a receive from a rank, which is process `from`.
    #[inline(always)]
    fn post_fast(
        &mut self,
        context: Context,
        comm: handle::Comm,
        (rank, from): (u32, u32),
        tag: i32,
        place: Contiguous,
    ) -> Option<handle::Request> {
        if !self.pt2pt.core.unexpected.is_empty() || !self.pt2pt.core.losses.is_empty() {
            return None;
        }
        let tag = match tag {
            0.. => tag,
            abi::MPI_ANY_TAG => ANY_TAG,
            _ => return None,
        };
        let inline_receive = InlineReceive { place, comm: comm.0 as u32, from };
        self.pt2pt.core.posted.post_inline(Pattern { context, rank, tag }, inline_receive)
    }
}

/// Destination of a direct receive: contiguous memory on the fast path, any layout otherwise.
pub trait Place {
    /// Takes the message and returns how many of its bytes had space.
    fn put(&mut self, payload: &[u8]) -> usize;
    /// Takes a message while it is being written.
    fn put_long_packet(&mut self, pattern: &Pattern, packet: &mut LongPacket) -> Completion {
        unpack_long_packet(&mut self.as_buffer(), pattern, packet)
    }
    /// Returns the destination as a buffer, for a rendezvous.
    fn as_buffer(&self) -> Buffer;
}

impl Place for &Buffer {
    #[inline]
    fn put(&mut self, payload: &[u8]) -> usize {
        self.unpack_at(0, payload)
    }
    fn as_buffer(&self) -> Buffer {
        (*self).clone()
    }
}

impl Place for Contiguous {
    #[inline(always)]
    fn put(&mut self, payload: &[u8]) -> usize {
        Contiguous::put(self, payload)
    }
    fn as_buffer(&self) -> Buffer {
        self.to_buffer()
    }
}

/// A receive on the stack of the blocking call.
struct Direct<'a, P> {
    core: &'a mut Core,
    wanted: Pattern,
    place: &'a mut P,
    got: Option<Got>,
}

enum Got {
    Message(Completion),
    /// A message of which not all bytes have arrived.
    Part(Pattern, Message),
    /// The bytes are arriving, for a request of their own.
    Arriving(handle::Request),
}

impl<P: Place> Sink for Direct<'_, P> {
    #[inline(always)]
    fn packet(&mut self, packet: Packet<'_>) {
        let pattern = pattern_of(&packet.header);
        let ours =
            packet.header.kind <= kind::RTS && self.got.is_none() && pattern.fits(&self.wanted);
        if !ours || !self.core.posted.is_empty() {
            return self.other(packet, ours, pattern);
        }
        self.take(packet, pattern);
    }

    fn long_packet(&mut self, origin: u32, header: &Header, packet: &mut LongPacket) {
        let pattern = pattern_of(header);
        let fits = header.kind == kind::EAGER && self.got.is_none() && pattern.fits(&self.wanted);
        if fits && !self.core.posted.would_take(&pattern) {
            self.got = Some(Got::Message(self.place.put_long_packet(&pattern, packet)));
        } else {
            self.core.long_packet(origin, header, packet);
        }
    }

    #[inline(always)]
    fn wants_more(&self) -> bool {
        matches!(self.got, None | Some(Got::Arriving(_)))
    }

    fn place(
        &mut self,
        origin: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        let pattern = pattern_of(header);
        let ours =
            header.kind == kind::EAGER_BULK && self.got.is_none() && pattern.fits(&self.wanted);
        if ours
            && !self.core.posted.would_take(&pattern)
            && let Some((region, request)) =
                self.core.begin_bulk_for(self.place.as_buffer(), origin, header, bytes)
        {
            self.got = Some(Got::Arriving(request));
            return Some(region);
        }
        self.core.place(origin, header, payload, bytes)
    }

    fn completed(&mut self, token: Token, outcome: Result<(), Failure>) {
        self.core.completed(token, outcome);
    }

    fn lost(&mut self, process: u32, failure: &Failure) {
        self.core.lost(process, failure);
    }
}

impl<P: Place> Direct<'_, P> {
    #[inline(always)]
    fn take(&mut self, packet: Packet<'_>, pattern: Pattern) {
        if packet.header.kind == kind::EAGER {
            let taken = self.place.put(packet.payload);
            let mut completion = Completion::message(&pattern, taken as u64);
            if taken < packet.payload.len() {
                completion.error = Some(truncated(packet.payload.len() as u64, taken));
            }
            self.got = Some(Got::Message(completion));
        } else {
            self.take_announcement(packet, pattern);
        }
    }

    #[cold]
    fn take_announcement(&mut self, packet: Packet<'_>, pattern: Pattern) {
        let read = |index| word(packet.payload, index);
        match (read(0), read(1), read(2)) {
            (Some(bytes), Some(sender), Some(address)) => {
                let content = Content::Announced(Announcement { bytes, sender, address });
                self.got = Some(Got::Part(pattern, Message { origin: packet.origin, content }));
            }
            _ => self.core.packet(packet),
        }
    }

    /// Handles a packet for another receive, or one that a receive posted earlier may match.
    #[inline(never)]
    fn other(&mut self, packet: Packet<'_>, ours: bool, pattern: Pattern) {
        if ours && !self.core.posted.would_take(&pattern) {
            self.take(packet, pattern);
        } else {
            self.core.packet(packet);
        }
    }
}

impl Engine {
    /// Fast path: receives a message. Its conditions are the cached communicator, valid arguments,
    /// a named source, no posted or unexpected messages, and a message that is the next in the
    /// source's fastbox, has one line and fits. Returns its length; otherwise `None`, without any
    /// effect.
    #[inline(always)]
    pub fn receive_cached(
        &mut self,
        comm: handle::Comm,
        source: i32,
        tag: i32,
        place: Contiguous,
    ) -> Option<usize> {
        let from = self.comms.cache.process(comm, source)?;
        if self.pt2pt.core.posted.len() | self.pt2pt.core.unexpected.len() != 0 {
            return None;
        }
        let most = place.len();
        let wanted = CachedCommReceive { comm_cache: &self.comms.cache, tag, place };
        self.pt2pt.endpoint.as_mut()?.receive_line(from, kind::EAGER, most, wanted)
    }

    /// Receives with any communicator and any packet, which may also arrive within a microsecond.
    #[inline(always)]
    pub fn receive_fast(
        &mut self,
        comm: handle::Comm,
        source: i32,
        tag: i32,
        place: Contiguous,
    ) -> Option<usize> {
        self.comms.count_use(comm);
        let comm = self.comms.find(comm)?;
        let &from = comm.destinations().get(source as u32 as usize)?;
        if !self.pt2pt.core.posted.is_empty() || !self.pt2pt.core.unexpected.is_empty() {
            return None;
        }
        let context = comm.context.class(Class::PointToPoint).0;
        self.pt2pt.endpoint.as_mut()?.receive_fast(from, ExactReceive { context, tag, place })
    }
}

impl Engine {
    /// Receives a message that is written chunk by chunk, if it has arrived.
    #[inline(never)]
    pub fn receive_longer(
        &mut self,
        comm: handle::Comm,
        source: i32,
        tag: i32,
        place: Contiguous,
    ) -> Option<usize> {
        let comm = self.comms.find(comm)?;
        let &from = comm.destinations().get(source as u32 as usize)?;
        let context = comm.context.class(Class::PointToPoint).0;
        if !self.pt2pt.core.posted.is_empty() || !self.pt2pt.core.unexpected.is_empty() {
            return None;
        }
        self.pt2pt
            .endpoint
            .as_mut()?
            .receive_pieces_fast(from, ExactReceive { context, tag, place })
    }
}

/// A message that a receive with a wildcard took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Caught {
    pub source: i32,
    pub tag: i32,
    pub bytes: usize,
}

impl Engine {
    /// Receives as [`receive_fast`](Self::receive_fast) does, with any source or any tag.
    pub fn receive_wild(
        &mut self,
        comm: handle::Comm,
        source: i32,
        tag: i32,
        place: Contiguous,
    ) -> Option<Caught> {
        let comm = self.comms.find(comm)?;
        let from = comm.destinations().get(source as u32 as usize).copied();
        let quiet = self.pt2pt.core.posted.is_empty()
            && self.pt2pt.core.unexpected.is_empty()
            && self.pt2pt.core.losses.is_empty();
        if !quiet || tag < 0 && tag != abi::MPI_ANY_TAG {
            return None;
        }
        let mut caught = Caught::default();
        let context = comm.context.class(Class::PointToPoint).0;
        let wanted = WildcardReceive { context, tag, place, caught: &mut caught };
        let endpoint = self.pt2pt.endpoint.as_mut()?;
        match from {
            Some(from) => endpoint.receive_fast(from, wanted),
            None if source == abi::MPI_ANY_SOURCE => endpoint.receive_any_fast(wanted),
            None => None,
        }?;
        Some(caught)
    }
}

/// Accepts any message of a communicator, with one tag or any.
struct WildcardReceive<'a> {
    context: u64,
    tag: i32,
    place: Contiguous,
    caught: &'a mut Caught,
}

impl PacketHandler for WildcardReceive<'_> {
    #[inline(always)]
    fn take(self, header: &Header, payload: &[u8]) -> bool {
        let fits = header.context == self.context
            && (header.tag == self.tag || self.tag == abi::MPI_ANY_TAG);
        let taken = header.kind == kind::EAGER && fits && self.place.put_whole(payload);
        *self.caught = Caught { source: header.rank as i32, tag: header.tag, bytes: payload.len() };
        taken
    }
}

/// Accepts the one message that the fast path waits for. The process and the context determine its
/// rank. No message has a tag that is negative or MPI_ANY_TAG.
struct ExactReceive {
    context: u64,
    tag: i32,
    place: Contiguous,
}

impl PacketHandler for ExactReceive {
    #[inline(always)]
    fn take(self, header: &Header, payload: &[u8]) -> bool {
        header.kind == kind::EAGER
            && header.context == self.context
            && header.tag == self.tag
            && self.place.put_whole(payload)
    }

    #[inline]
    fn take_long_packet(self, header: &Header, packet: &mut LongPacket) -> bool {
        let ours =
            header.kind == kind::EAGER && header.context == self.context && header.tag == self.tag;
        ours && self.place.put_long_packet(packet)
    }
}

/// Accepts the message among packets that are messages and fit, by successive comparisons: the
/// first poll rarely finds another message.
struct CachedCommReceive<'a> {
    comm_cache: &'a CommCache,
    tag: i32,
    place: Contiguous,
}

impl PacketHandler for CachedCommReceive<'_> {
    #[inline(always)]
    fn take(self, header: &Header, payload: &[u8]) -> bool {
        if header.context != self.comm_cache.context {
            cold_path();
            return false;
        }
        if header.tag != self.tag {
            cold_path();
            return false;
        }
        self.place.put_whole(payload)
    }
}

/// Receives a message (`MPI_Recv`). Returns when the message is in its buffer.
#[inline(always)]
pub fn receive<P: Place>(mpi: &mut Mpi, mut place: P, wanted: Wanted) -> Outcome<Completion> {
    let mut backoff = Backoff::default();
    loop {
        if !mpi.pt2pt.core.unexpected.is_empty()
            && let Some(got) = take_unexpected(mpi, &mut place, &wanted)
        {
            mpi.leave_wait();
            return finish_receive(mpi, got, &place, &wanted);
        }
        let engine = &mut **mpi;
        let endpoint = engine
            .pt2pt
            .endpoint
            .as_mut()
            .expect("a communicator's peers are reached through an endpoint");
        let mut direct = Direct {
            core: &mut engine.pt2pt.core,
            wanted: wanted.pattern,
            place: &mut place,
            got: None,
        };
        let arrived = endpoint.poll(wanted.from, &mut direct);
        if let Some(got) = direct.got {
            if arrived > 1 {
                mpi.wake_others();
            }
            mpi.leave_wait();
            return finish_receive(mpi, got, &place, &wanted);
        }
        mpi.pt2pt.core.awaited = Some(wanted);
        mpi.after_poll(arrived, &mut backoff);
        mpi.comms.check_loss(&mpi.pt2pt.core.losses, &wanted)?;
    }
}

#[cold]
fn take_unexpected<P: Place>(mpi: &mut Mpi, place: &mut P, wanted: &Wanted) -> Option<Got> {
    let (pattern, message) = mpi.pt2pt.core.take_unexpected(&wanted.pattern)?;
    let Content::Eager(payload) = &message.content else {
        return Some(Got::Part(pattern, message));
    };
    let taken = place.put(payload);
    let mut completion = Completion::message(&pattern, taken as u64);
    if taken < payload.len() {
        completion.error = Some(truncated(payload.len() as u64, taken));
    }
    Some(Got::Message(completion))
}

#[inline(always)]
fn finish_receive<P: Place>(
    mpi: &mut Mpi,
    got: Got,
    place: &P,
    wanted: &Wanted,
) -> Outcome<Completion> {
    match got {
        Got::Message(completion) => {
            mpi.run_tasks();
            Ok(completion)
        }
        Got::Part(pattern, message) => fetch(mpi, place.as_buffer(), wanted, &pattern, message),
        Got::Arriving(request) => await_arriving(mpi, request, wanted),
    }
}

#[inline(never)]
fn fetch(
    mpi: &mut Mpi,
    buffer: Buffer,
    wanted: &Wanted,
    pattern: &Pattern,
    message: Message,
) -> Outcome<Completion> {
    let mut request = mpi
        .pt2pt
        .new_request(Request::new(wanted.comm, Activity::Posted { buffer, slot: Slot::NOWHERE }))?;
    mpi.pt2pt.take_over(request, pattern, message);
    mpi.perform_tasks();
    completion::wait_quietly(mpi, &mut request)
}

#[inline(never)]
fn await_arriving(
    mpi: &mut Mpi,
    mut request: handle::Request,
    wanted: &Wanted,
) -> Outcome<Completion> {
    mpi.pt2pt.request_mut(request)?.comm = wanted.comm;
    mpi.perform_pending();
    completion::wait_quietly(mpi, &mut request)
}

/// Starts a receive (`MPI_Irecv`), and returns its handle.
pub fn irecv(mpi: &mut Mpi, buffer: &Buffer, wanted: Option<Wanted>) -> Outcome<handle::Request> {
    let Some(wanted) = wanted else { return mpi.pt2pt.completed_request(Completion::PROC_NULL) };
    match mpi.start_receive(buffer, wanted)? {
        Ok(request) => {
            mpi.defer_tasks();
            Ok(request)
        }
        Err(completion) => mpi.pt2pt.completed_request(completion),
    }
}
