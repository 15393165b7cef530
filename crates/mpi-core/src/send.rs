//! Sending (MPI 5.0 §3.4, §3.7).
//!
//! A message that fits a packet is sent at once, *eagerly*: the send is complete when the bytes are
//! in the peer's fastbox or in a cell. A longer message to another node can be eager, too, with its
//! bytes as a bulk payload behind the header; its send is complete when the network has the bytes.
//! All others, and synchronous sends, are announced and complete when the receiver has the bytes
//! (rendezvous). A peer that keeps too many unexpected messages of this process throttles it, and
//! then every message is announced.
//!
//! Order: packets of a pair arrive in the order in which the endpoint accepted them. If the
//! endpoint has no space, packets wait in the peer's *outgoing* queue, and as long as one waits,
//! all later packets to that peer wait behind it.

use crate::completion;
use crate::context::Class;
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use crate::packet::kind;
use crate::protocol::reads;
use crate::pt2pt::Way;
use crate::request::Completion;
use nemesis::wire::{Header, LINE_PAYLOAD_BYTES};
use nemesis_datatype::Buffer;

pub use crate::envelope::{Envelope, Mode, bad_tag};

/// The longest message that [`Engine::send_fast`] may send.
pub const SHORT_MAX_BYTES: u32 = LINE_PAYLOAD_BYTES as u32;

impl Engine {
    /// Fast path: sends a message through the fastbox of its pair. Its conditions are the cached
    /// communicator, valid arguments, no waiting packets, and space in the fastbox. Otherwise
    /// returns false, without any effect.
    #[inline(always)]
    pub fn send_cached(&mut self, comm: handle::Comm, dest: i32, tag: i32, payload: &[u8]) -> bool {
        let Some(to) = self.comms.cache.process(comm, dest) else { return false };
        self.send_line((self.comms.cache.context, self.comms.cache.rank), to, tag, payload)
    }

    /// Sends as [`send_cached`](Self::send_cached) does, with any communicator.
    #[inline(always)]
    pub fn send_fast(&mut self, comm: handle::Comm, dest: i32, tag: i32, payload: &[u8]) -> bool {
        self.comms.count_use(comm);
        let Some(comm) = self.comms.find(comm) else { return false };
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
        if tag < 0 || self.pt2pt.outgoing_packets > 0 {
            return false;
        }
        let Some(endpoint) = &mut self.pt2pt.endpoint else { return false };
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
    ) -> Option<handle::Request> {
        let comm = self.comms.find(comm)?;
        let &to = comm.destinations().get(dest as u32 as usize)?;
        let context = comm.context.class(Class::PointToPoint).0;
        let header =
            Header { kind: kind::EAGER, context, tag, rank: comm.rank, ..Header::default() };
        let in_packet = self.pt2pt.way(to, payload.len()) == Way::Packet
            && !self.pt2pt.goes_as_eager_bulk(to, payload.len());
        let fits = tag >= 0 && self.pt2pt.outgoing_packets == 0 && in_packet;
        let endpoint = self.pt2pt.endpoint.as_mut()?;
        let sent = fits && !endpoint.is_throttled(to) && endpoint.try_send(to, header, payload);
        if sent && payload.len() >= reads::MIN_BYTES {
            self.pt2pt.core.reads.sent_in_packet(to);
        }
        sent.then_some(self.pt2pt.done_request)
    }

    /// Returns the request that stands for every completed send.
    #[inline(always)]
    pub fn done_request(&self) -> handle::Request {
        self.pt2pt.done_request
    }
}

/// Sends a message (`MPI_Send`, `MPI_Rsend`, `MPI_Ssend`). Returns when the send is complete by its
/// mode.
pub fn send(mpi: &mut Mpi, buffer: &Buffer, envelope: Envelope, mode: Mode) -> Outcome {
    match mpi.pt2pt.start_send(buffer, envelope, envelope.mode(mode))? {
        None => {
            mpi.run_tasks();
            Ok(())
        }
        Some(mut request) => completion::wait(mpi, &mut request).map(drop),
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
        Some(envelope) => mpi.pt2pt.start_send(buffer, envelope, envelope.mode(mode))?,
        None => None,
    };
    // A receive may have deferred a message: now its receiver at the peer can copy at the same
    // time.
    mpi.run_tasks();
    started.map_or_else(|| mpi.pt2pt.completed_request(Completion::EMPTY), Ok)
}
