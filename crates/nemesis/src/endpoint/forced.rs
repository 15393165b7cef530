//! Packets and messages whose protocol is forced (`NEMESIS_PROTOCOL`).
//!
//! While a row is forced, no limit of the paths of messages decides: each of them declines, and the
//! functions of this file find the row of each length.

use super::Endpoint;
use crate::forced::Forced;
use crate::peer::{Outbound, Reach};
use crate::protocols::{
    CELL, Call, EAGER_READ, FASTBOX, Forcing, LONG_PACKET, NETWORK_BULK, PeerKind, Protocol, STREAM,
};
use nemesis_shm::doorbell;
use nemesis_wire::{Header, next_seq};

impl Endpoint {
    /// Forces the protocols of `rows`, and no others, from the next packet on.
    pub fn force(&mut self, rows: &[Forced]) {
        if let Some(forcing) = self.forcing.take() {
            self.limits = forcing.usual;
        }
        if !rows.is_empty() {
            let usual = self.limits;
            self.limits = usual.undecided();
            self.forcing = Some(Box::new(Forcing { rows: rows.to_vec(), usual }));
            (0..self.processes()).for_each(|process| self.force_slow_path(process));
        }
    }

    /// Returns whether any protocol is forced.
    pub fn has_forced_protocols(&self) -> bool {
        self.forcing.is_some()
    }

    /// If protocols are forced, makes the next packet of one line to process `to` take the way of
    /// longer ones.
    #[inline]
    pub(super) fn decide_each_packet(&mut self, to: u32) {
        if self.forcing.is_some() {
            self.force_slow_path(to);
        }
    }

    /// Sends a packet as its forced protocol, or else the usual one, sends it. Returns false,
    /// without effect, if it takes a cell, or there is no space now.
    #[cold]
    pub(super) fn send_forced(&mut self, to: u32, header: &Header, payload: &[u8]) -> bool {
        let protocol = self.protocol_of_packet(to, payload.len());
        let sent = if std::ptr::eq(protocol, &FASTBOX) {
            self.send_in_fastbox(to, header, payload)
        } else {
            std::ptr::eq(protocol, &LONG_PACKET) && self.try_send_written(to, header, payload)
        };
        self.decide_each_packet(to);
        sent
    }

    fn send_in_fastbox(&mut self, to: u32, header: &Header, payload: &[u8]) -> bool {
        let peer = &mut self.peers[to as usize];
        if !peer.outbox.try_send(header, payload) {
            return false;
        }
        peer.next_seq = next_seq(header.seq);
        if doorbell::must_wake(&peer.doorbell.flag) {
            peer.wake();
        }
        true
    }

    /// Returns the protocol of a packet of `bytes` bytes to a process of this node.
    fn protocol_of_packet(&self, to: u32, bytes: usize) -> &'static Protocol {
        let Some(forcing) = &self.forcing else { return &CELL };
        let is_open = matches!(self.peers[to as usize].outbound, Outbound::Open);
        forcing.of_packet(&self.kind_of(to), bytes).unwrap_or({
            if is_open && bytes < forcing.usual.box_end_bytes {
                &FASTBOX
            } else if is_open && !self.shared_processors {
                &LONG_PACKET
            } else {
                &CELL
            }
        })
    }

    /// Returns whether a packet to process `to` is a long packet, by force or because no protocol
    /// is forced for its length.
    #[cold]
    pub(super) fn is_forced_long(&self, to: u32, bytes: usize) -> bool {
        std::ptr::eq(self.protocol_of_packet(to, bytes), &LONG_PACKET)
    }

    /// Returns whether a message longer than [`eager_max`](Self::eager_max) goes to process `to` in
    /// one packet all the same, because protocols are forced.
    #[inline]
    pub fn forces_eager(&self, to: u32, bytes: usize, call: Call) -> bool {
        self.forcing.as_ref().is_some_and(|forcing| self.is_eager(forcing, to, bytes, call))
    }

    #[cold]
    fn is_eager(&self, forcing: &Forcing, to: u32, bytes: usize, call: Call) -> bool {
        if let Some(protocol) = forcing.of_message(&self.kind_of(to), bytes) {
            return protocol.is_packet;
        }
        let is_open = matches!(self.peers[to as usize].outbound, Outbound::Open);
        bytes
            <= match is_open {
                true => forcing.usual.eager_max_bytes[call as usize],
                false => self.packet_max(to),
            }
    }

    /// Returns whether a message to process `to` of another node is forced to be an eager bulk
    /// payload, or not to be one; `None` if no protocol is forced for its length.
    pub fn forces_bulk(&self, to: u32, bytes: usize) -> Option<bool> {
        let forcing = self.forcing.as_ref()?;
        let protocol = forcing.of_message(&self.kind_of(to), bytes)?;
        Some(std::ptr::eq(protocol, &NETWORK_BULK))
    }

    /// Returns whether a message to process `to` is forced to be read by the kernel at once.
    pub fn forces_read(&self, to: u32, bytes: usize) -> bool {
        self.forcing.as_ref().is_some_and(|forcing| {
            let forced = forcing.of_message(&self.kind_of(to), bytes);
            forced.is_some_and(|protocol| std::ptr::eq(protocol, &EAGER_READ))
        })
    }

    /// Returns whether an announced message of `bytes` bytes from process `from` comes in packets,
    /// and the kernel copies only until its sender begins to send. Otherwise the kernel copies it.
    pub fn streams(&self, from: u32, bytes: usize) -> bool {
        let forced = self.forcing.as_ref().and_then(|forcing| {
            forcing.of_message(&self.kind_of(from), bytes).filter(|row| !row.is_packet)
        });
        forced.map_or(self.prefers_packets, |protocol| std::ptr::eq(protocol, &STREAM))
    }

    /// Returns what decides which protocols serve a process.
    fn kind_of(&self, process: u32) -> PeerKind {
        let peer = &self.peers[process as usize];
        PeerKind {
            remote: self.is_remote(process),
            fastbox: matches!(peer.outbound, Outbound::Open),
            oversubscribed: self.shared_processors,
            kernel_copies: peer.reach != Reach::Refused,
            bulk: self.bulk_max(process) > 0,
            packet_max_bytes: self.remote_packet_max(process),
            costs: self.costs_to(process),
        }
    }
}
