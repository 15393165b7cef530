//! Lanes: further endpoints of a process, to the same processes of its job.
//!
//! Several threads that communicate at once by one endpoint hinder each other, because its state
//! moves from processor to processor. An endpoint of a lane has a slot of its own in the segment,
//! and with it a receive queue, cells, fastboxes and a doorbell. It exchanges packets with the
//! endpoints of the same lane only, so nothing of its state is shared with another lane:
//!
//! ```text
//!   slots of n processes   | lane 0: 0 … n-1 | lane 1: n … 2n-1 | lane 2 …  | unused
//! ```
//!
//! Some lanes have network modules of their own, too (`networks::lanes`).
//!
//! All-zero memory is a valid slot, so a process may send in a lane that the receiver opens later.

use super::Endpoint;
use crate::limits::LANES_MAX;
use crate::memory::Memory;
use crate::peer::{Outbound, Peer, Reach, Slots};
use crate::tunables::Tunables;
use nemesis_shm::layout::Layout;
use nemesis_shm::segment::{Segment, Slot};
use nemesis_sync::Ordering;
use nemesis_wireup::Wireup;

/// What the first endpoint keeps for those of other lanes.
#[derive(Debug)]
pub(super) struct Common {
    pub means: Means,
    /// The mapping that contains the slots of all lanes; made for the first of them.
    segment: Option<Segment>,
    /// This process's slots in the other lanes that are open and have no networks.
    opened: Vec<Slot>,
    /// Number of lanes for which the segment of each node has space.
    pub on_every_node: usize,
}

impl Default for Common {
    fn default() -> Common {
        Common { means: Means::default(), segment: None, opened: Vec::new(), on_every_node: 1 }
    }
}

/// Returns the number of lanes for which the segment of each node has space, if nodes have ample
/// memory. Processes may share segments, or have one each.
pub(super) fn on_every_node(wireup: &Wireup, share: bool) -> usize {
    if !share {
        return LANES_MAX;
    }
    let processes = wireup.processes_of_nodes().into_iter().filter(|&of| of > 0);
    let lanes = processes.map(|of| Layout::ample_slots(of) / of);
    lanes.min().unwrap_or(1).min(LANES_MAX)
}

/// The means of communication that the user may have restricted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Means {
    cells: usize,
    cma: bool,
    fastbox: bool,
}

impl Default for Means {
    fn default() -> Means {
        Means::of(&Tunables::default())
    }
}

impl Means {
    pub(super) fn of(tunables: &Tunables) -> Means {
        Means { cells: tunables.cells, cma: tunables.cma, fastbox: tunables.fastbox }
    }
}

impl Endpoint {
    /// Uses only these means. Must be called before the first packet.
    pub(super) fn restrict(&mut self, means: Means) {
        self.free.limit(means.cells);
        self.copy_ring.limit(means.cells);
        self.peers.for_each_met(|_, peer| {
            if !means.cma {
                peer.reach = Reach::Refused;
            }
            if !means.fastbox && peer.slot.is_some() {
                peer.outbound = Outbound::Refused;
            }
        });
    }

    /// Number of processes of the node.
    fn processes_of_node(&self) -> usize {
        self.peers.met().filter(|(_, peer)| peer.slot.is_some()).count()
    }

    /// Returns the number of lanes for which the segment has space, with the first: one in a job
    /// that goes on when a process dies.
    pub fn lanes(&self) -> usize {
        if self.is_tolerant() {
            return 1;
        }
        (self.segment.layout().slots / self.processes_of_node().max(1)).clamp(1, LANES_MAX)
    }

    /// Returns the number of lanes for communicators with processes of several nodes, if the
    /// program has `asked` for a lane, or has not.
    pub fn lanes_between_nodes(&self, asked: bool) -> usize {
        let of_networks = self.networks.as_ref().map_or(1, |networks| networks.lanes(asked));
        self.lanes().min(of_networks).min(self.for_lanes.on_every_node)
    }

    /// Opens the endpoint of lane `lane`, counted from 1, to the processes of this job. This
    /// endpoint is that of the first lane, and `memory` what it has handed out.
    ///
    /// # Errors
    /// Why the lane cannot be opened: the segment has no space for so many lanes, the kernel does
    /// not map it, or no network starts.
    pub fn open_lane(&mut self, lane: usize, memory: &Memory) -> Result<Endpoint, String> {
        let opened = self.open_endpoint_of(lane, memory);
        if opened.is_err()
            && let Some(networks) = &self.networks
        {
            networks.decline_lane(lane);
        }
        opened
    }

    fn open_endpoint_of(&mut self, lane: usize, memory: &Memory) -> Result<Endpoint, String> {
        let most = self.lanes();
        if most <= lane {
            return Err(format!("this process can have {most} lanes"));
        }
        let processes = self.processes_of_node();
        let segment = match self.for_lanes.segment {
            Some(segment) => segment,
            None => {
                let all =
                    memory.map_slots(processes * most).map_err(|refused| refused.to_string())?;
                *self.for_lanes.segment.insert(all)
            }
        };
        // Processes of other jobs are in the first lane only.
        let own_job = self.foreigners.own_size();
        let slot_of = |(process, peer): (u32, &Peer)| {
            let slot = self.segment.slot_index_of(peer.slot.as_ref()?) + lane * processes;
            (process < own_job).then_some((process, slot))
        };
        let slots =
            Slots { processes: own_job, local: self.peers.met().filter_map(slot_of).collect() };
        let own = segment.slot(slots.of(self.me));
        let networks = match &self.networks {
            Some(networks) => networks.open_lane(lane, self.slot.doorbell(), own.doorbell())?,
            None => None,
        };
        let mut other = Endpoint::new(segment, &slots, self.me);
        other.report = self.report;
        other.shared_processors = self.shared_processors;
        (other.placed, other.spins, other.limits) = (true, self.spins, self.limits);
        if let Some(forcing) = &self.forcing {
            other.limits = forcing.usual;
            other.force(&forcing.rows);
        }
        other.restrict(self.for_lanes.means);
        if let Some(networks) = networks {
            other.open_networks(networks);
            other.share(true);
            return Ok(other);
        }
        // Relaxed: this process's own value.
        let bell = self.slot.doorbell().bell.load(Ordering::Relaxed);
        self.for_lanes.opened.push(other.slot);
        self.ring_in_lanes(bell);
        Ok(other)
    }

    /// Lets senders in all lanes ring this bell: a thread that sleeps on the descriptors of
    /// networks sleeps for all lanes.
    pub(super) fn ring_in_lanes(&self, bell: u64) {
        for slot in &self.for_lanes.opened {
            // Relaxed: as in `peer::wake`; nobody has slept for this lane on descriptors before the
            // barrier of `open_networks`, or before the lane was open.
            slot.doorbell().bell.store(bell, Ordering::Relaxed);
        }
    }
}
