//! Fast paths of receives.

use crate::abi;
use crate::comm_cache::CommCache;
use crate::context::{Class, Context};
use crate::engine::Engine;
use crate::handle;
use crate::matching::{ANY_RANK, ANY_TAG, InlineReceive, Pattern, Received};
use crate::packet::kind;
use nemesis::wire::Header;
use nemesis::{LongPacket, PacketHandler};
use nemesis_datatype::Contiguous;
use std::hint::cold_path;

/// What a receive took, for its status.
#[derive(Clone, Copy, Debug, Default)]
pub struct Caught {
    pub source: i32,
    pub tag: i32,
    pub bytes: usize,
}

impl From<Received> for Caught {
    #[inline(always)]
    fn from(message: Received) -> Caught {
        Caught {
            source: message.pattern.rank as i32,
            tag: message.pattern.tag,
            bytes: message.bytes as usize,
        }
    }
}

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

    /// Receives as [`receive_fast`](Self::receive_fast) does, with any source or any tag.
    #[inline(always)]
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
