//! The module in one process: its state.

use crate::buffers::Slots;
use crate::control::Purpose;
use crate::device::Device;
use crate::inner::{Event, InnerHost};
use crate::iwarp::Link;
use crate::layout::Wc;
use crate::options::Options;
use crate::peer::Peer;
use crate::registered::{Exposed, Readable};
use crate::slab::Slab;
use crate::work::{Atomic, Transfer};
use nemesis_netmod::{Failure, Fault, Host, Module, PagedTable, Token};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

/// Memory of a pending send, which its receiver reads.
pub struct ExposedSend {
    pub to: u32,
    pub token: Token,
    /// Dropped when the receiver has read it, or is lost.
    pub memory: Readable,
}

/// A connection that has failed.
pub struct Broken {
    pub peer: u32,
    pub purpose: Purpose,
    /// That of the connection's queue pair, which may have been replaced since.
    pub serial: u32,
    pub fault: Fault,
    pub why: String,
}

/// The module in one process.
pub struct Member {
    pub me: u32,
    pub tcp: Box<dyn Module>,
    pub device: Device,
    pub peers: PagedTable<Peer>,
    /// Processes of this job. Later ones belong to other jobs.
    pub job_processes: u32,
    pub options: Options,
    /// Whether the module offers remote memory access.
    pub has_memory: bool,
    pub transfers: Slab<Transfer>,
    pub atomics: Slab<Atomic>,
    pub exposed: Slab<ExposedSend>,
    /// Memory that other processes access; `None` for an empty region. Transfers under way share
    /// the registration, so that the device may finish them after the window has been deregistered.
    pub windows: Slab<Option<Arc<Exposed>>>,
    /// Completed sends and operations, for the next poll to report.
    pub done: VecDeque<(Token, Result<(), Failure>)>,
    /// Connections that have failed, for the next poll to handle.
    pub broken: VecDeque<Broken>,
    /// Connections of an iWARP device that have failed, since when and why. The TCP connection may
    /// tell that the process has finalized.
    pub suspects: Vec<(u32, Instant, String)>,
    pub events: VecDeque<Event>,
    /// Processes with work.
    pub active: Vec<u32>,
    /// An empty list, so that a poll that empties `active` allocates none.
    pub inactive: Vec<u32>,
    /// Room for the completions of one poll of both queues.
    pub completions: Vec<Wc>,
    /// Processes with a ring of this one.
    pub rings: Vec<u32>,
    /// Slots of closed rings, for other ones: registering memory takes longer than many messages.
    pub spare_slots: Vec<Slots>,
    pub polls: u32,
    pub needs_tcp: bool,
    /// Whether the user knows of a process that is reached by TCP.
    pub has_warned: bool,
    /// Since when the link of the port is down.
    pub down_since: Option<Instant>,
    pub next_serial: u32,
    /// Packets that have left since the last poll.
    pub sent: u32,
    /// Messages and completions found since the last poll.
    pub found: u32,
}

impl Drop for Member {
    /// Destroys the queue pairs first: afterwards the device accesses no memory of this process.
    fn drop(&mut self) {
        for peer in self.peers.iter_mut() {
            peer.packets.pair = None;
            peer.packets.link = Link::default();
            peer.memory.pair = None;
        }
    }
}

impl Member {
    /// Calls a function of the TCP module. Returns its result and the number of packets that it
    /// delivered.
    pub fn with_tcp<T>(
        &mut self,
        host: &mut dyn Host,
        call: impl FnOnce(&mut dyn Module, &mut InnerHost<'_>) -> T,
    ) -> (T, u32) {
        let mut inner = InnerHost { host, events: &mut self.events, delivered: 0 };
        let result = call(&mut *self.tcp, &mut inner);
        let delivered = inner.delivered;
        (result, delivered)
    }

    /// Notes that a connection has failed.
    pub fn note_broken(&mut self, peer: u32, purpose: Purpose, fault: Fault, why: String) {
        let serial = self.peers[peer as usize].connection(purpose).serial;
        self.broken.push_back(Broken { peer, purpose, serial, fault, why });
    }

    /// Notes that polls have something to do for a process.
    pub fn activate(&mut self, peer: u32) {
        let state = &mut self.peers[peer as usize];
        if !state.is_active {
            state.is_active = true;
            self.active.push(peer);
        }
    }
}
