//! Packets that arrive, and their receivers.

use nemesis_netmod::{Failure, RegionMut};
use nemesis_shm::long_packet::LongPacket;
use nemesis_wire::Header;

/// The client's identifier of a bulk payload or of an operation on remote memory.
pub type Token = u64;

/// A packet that has arrived.
pub struct Packet<'a> {
    /// Index of the process that sent it.
    pub origin: u32,
    /// The header. Fields of a client's kind mean what the client defines.
    pub header: Header,
    /// The payload.
    pub payload: &'a [u8],
}

/// Receiver of the packets that arrive.
pub trait Sink {
    /// Takes a packet.
    fn packet(&mut self, packet: Packet<'_>);

    /// Takes a long packet that its sender may still be writing: `packet` returns the bytes as they
    /// arrive, or waits for all of them.
    fn long_packet(&mut self, origin: u32, header: &Header, packet: &mut LongPacket) {
        self.packet(Packet { origin, header: *header, payload: packet.wait_for_all() });
    }

    /// Returns whether this poll may deliver another packet.
    #[inline(always)]
    fn wants_more(&self) -> bool {
        true
    }

    /// Returns the memory for the bulk payload of `bytes` bytes that follows a packet, or `None` if
    /// the payload is to be dropped. The packet itself is delivered when the bulk payload has
    /// arrived. If the packet has a place in its pair's order, all earlier packets have been
    /// delivered.
    fn place(
        &mut self,
        _origin: u32,
        _header: &Header,
        _payload: &[u8],
        _bytes: usize,
    ) -> Option<RegionMut> {
        None
    }

    /// Reports that the client may use the memory of a bulk payload again, whose sending was under
    /// way.
    fn completed(&mut self, _token: Token, _outcome: Result<(), Failure>) {}

    /// Reports that a process of another node has become unreachable. No packet from it follows.
    fn lost(&mut self, _process: u32, _failure: &Failure) {}
}

/// Receiver of one particular packet.
pub trait PacketHandler {
    /// Takes the packet if it is the expected one. Returns false, without effect, if it is not.
    fn take(self, header: &Header, payload: &[u8]) -> bool;

    /// Takes a long packet, as [`take`](Self::take) does, that its sender may still be writing.
    fn take_long_packet(self, _header: &Header, _packet: &mut LongPacket) -> bool
    where
        Self: Sized,
    {
        false
    }
}
