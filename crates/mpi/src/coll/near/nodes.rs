//! Communicators that span nodes: inside a node all meet at its board, and one process of each node, its *speaker*, sends messages to the others.
//!
//! ```text
//!   node 0            node 1
//!   0  1  2  3        4  5  6  7
//!   └──┴──┴──┤ board  └──┴──┴──┤     reduce to the speaker
//!            0 ════════════════4     messages between speakers
//!   ┌──┬──┬──┤        ┌──┬──┬──┤     from the speaker to all
//! ```
//!
//! So each byte crosses the network once for a node, not once for a process. The first member of a node speaks for it, or the operation's root if it is
//! on the node. Here are barrier, bcast, reduce and allreduce, with predefined operators, which are commutative: partial results of nodes may be joined
//! in any order. A speaker that fails to reach another tells the members of its node.

use super::making::perform_among;
use super::{Circle, Results, fold};
use crate::coll::choice::Way;
use crate::coll::operand::Reduction;
use crate::coll::{Schedule, allreduce, barrier, bcast, reduce, scratch};
use crate::engine::Mpi;
use crate::error::Outcome;
use nemesis::board::Phase;
use nemesis_datatype::Buffer;
use std::sync::Arc;

/// Which process is on which node, as all know it.
#[derive(Debug)]
pub struct Places {
    /// By rank: the node, counted by their first ranks, and which of its members.
    places: Vec<(u32, u32)>,
    /// Members of each node.
    counts: Vec<u32>,
}

impl Places {
    pub fn new(mpi: &Mpi, processes: &[u32]) -> Places {
        let (mut nodes, mut counts, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for &process in processes {
            let name = mpi.wireup.as_ref().map_or(0, |wireup| wireup.node_of(process));
            let node = nodes.iter().position(|&known| known == name).unwrap_or_else(|| {
                nodes.push(name);
                counts.push(0);
                nodes.len() - 1
            });
            places.push((node as u32, counts[node]));
            counts[node] += 1;
        }
        Places { places, counts }
    }

    pub fn nodes(&self) -> u32 {
        self.counts.len() as u32
    }

    /// Whether some node has several of the processes.
    pub fn are_shared(&self) -> bool {
        self.counts.iter().any(|&count| count > 1)
    }

    pub fn node_of(&self, rank: u32) -> u32 {
        self.places[rank as usize].0
    }

    /// Which member of its node a rank is.
    pub fn place_of(&self, rank: u32) -> u32 {
        self.places[rank as usize].1
    }

    /// The first process of each node.
    pub fn firsts(&self, processes: &[u32]) -> Arc<[u32]> {
        self.places.iter().zip(processes).filter(|((_, place), _)| *place == 0).map(|(_, &process)| process).collect()
    }

    /// The processes of a node.
    pub fn members(&self, node: u32, processes: &[u32]) -> Arc<[u32]> {
        self.places.iter().zip(processes).filter(|((of, _), _)| *of == node).map(|(_, &process)| process).collect()
    }
}

/// The processes of a communicator by node, as one of them sees them.
#[derive(Debug)]
pub struct Nodes {
    /// Where those of this node meet, if there are several.
    circle: Option<Circle>,
    places: Places,
    /// The process of each rank.
    processes: Arc<[u32]>,
    /// The first process of each node.
    speakers: Arc<[u32]>,
    rank: u32,
    /// On all nodes members reach each other's memory.
    direct: bool,
}

impl Nodes {
    pub fn new(mut circle: Option<Circle>, places: Places, processes: &Arc<[u32]>, rank: u32, direct: bool) -> Nodes {
        if let Some(circle) = &mut circle {
            circle.direct = direct;
        }
        let speakers = places.firsts(processes);
        Nodes { circle, places, processes: processes.clone(), speakers, rank, direct }
    }

    pub fn into_circle(self) -> Option<Circle> {
        self.circle
    }

    fn node(&self) -> u32 {
        self.places.node_of(self.rank)
    }

    /// The member that speaks for this node in an operation with a root.
    fn speaker(&self, root: Option<u32>) -> u32 {
        root.filter(|&root| self.places.node_of(root) == self.node()).map_or(0, |root| self.places.place_of(root))
    }

    fn is_speaker(&self, root: Option<u32>) -> bool {
        self.places.place_of(self.rank) == self.speaker(root)
    }

    /// Performs the messages between the speakers, of whom this process is one. If those of its node could not join their contributions, it has nothing
    /// to say, and the others hear that.
    fn between(
        &self,
        mpi: &mut Mpi,
        whole: &Schedule,
        root: Option<u32>,
        joined: &Outcome,
        build: impl FnOnce(&mut crate::coll::Steps<'_>) -> Outcome,
    ) -> Outcome {
        let mut speakers = self.speakers.clone();
        if let Some(root) = root.filter(|&root| self.places.place_of(root) != 0) {
            let mut others = speakers.to_vec();
            others[self.places.node_of(root) as usize] = self.processes[root as usize];
            speakers = others.into();
        }
        perform_among(mpi, whole, (&speakers, self.node()), joined, build)
    }

    /// Whether data of this length passes by the boards.
    pub fn takes(&self, bytes: usize) -> bool {
        crate::coll::choice::Site { members: 2, crowded: true, direct: self.direct, tracks: false, long_packets: false }.way_within(bytes)
            != Way::Messages
    }

    /// `MPI_Barrier`
    pub fn barrier(&mut self, mpi: &mut Mpi, whole: &Schedule) -> Outcome {
        if let Some(circle) = &mut self.circle {
            circle.begin(mpi, 0);
            circle.report_to(mpi, 0, Phase::A);
        }
        let crossed = if self.is_speaker(None) { self.between(mpi, whole, None, &Ok(()), barrier::barrier) } else { Ok(()) };
        match &mut self.circle {
            Some(circle) => circle.release(mpi, 0, crossed),
            None => crossed,
        }
    }

    /// `MPI_Bcast`
    pub fn bcast(&mut self, mpi: &mut Mpi, whole: &Schedule, buffer: &Buffer, root: u32) -> Outcome {
        let mut crossed = Ok(());
        if self.is_speaker(Some(root)) {
            let node = self.places.node_of(root);
            crossed = self.between(mpi, whole, Some(root), &Ok(()), |steps| bcast::bcast(steps, buffer, node));
        }
        let speaker = self.speaker(Some(root));
        match &mut self.circle {
            Some(circle) => circle.spread(mpi, buffer, speaker, crossed),
            None => crossed,
        }
    }

    /// The members' contributions joined at the speaker, who has `value` for it, if there was memory.
    fn join(&mut self, mpi: &mut Mpi, own: &Buffer, value: Option<&Buffer>, reduction: Reduction, speaker: u32) -> Outcome {
        let Some(circle) = &mut self.circle else {
            if let Some(value) = value.filter(|value| value.address() != own.address()) {
                nemesis_datatype::copy(own, value);
            }
            return Ok(());
        };
        let Some(fold) = fold(reduction.operator, own) else { return Ok(()) };
        match circle.site().way_within(own.bytes()) {
            Way::Rooms => circle.reduce(mpi, own, value, &fold, speaker),
            _ => circle.reduce_direct(mpi, own, value, &fold, Results::At(speaker)),
        }
    }

    /// `MPI_Reduce`
    pub fn reduce(
        &mut self,
        mpi: &mut Mpi,
        whole: &Schedule,
        own: &Buffer,
        result: Option<&Buffer>,
        reduction: Reduction,
        root: u32,
    ) -> Outcome {
        let speaker = self.speaker(Some(root));
        if !self.is_speaker(Some(root)) {
            return self.join(mpi, own, None, reduction, speaker);
        }
        let value = result.cloned().map_or_else(|| scratch(own.count(), own.datatype()), Ok);
        let joined = self.join(mpi, own, value.as_ref().ok(), reduction, speaker);
        let joined = value.as_ref().map_or_else(|error| Err(error.clone()), |_| joined);
        let (node, value) = (self.places.node_of(root), value.as_ref().unwrap_or(own));
        let crossed = self.between(mpi, whole, Some(root), &joined, |steps| reduce::reduce(steps, value, result, reduction, node));
        joined.and(crossed)
    }

    /// `MPI_Allreduce`
    pub fn allreduce(&mut self, mpi: &mut Mpi, whole: &Schedule, own: &Buffer, result: &Buffer, reduction: Reduction) -> Outcome {
        let speaks = self.is_speaker(None);
        let joined = self.join(mpi, own, speaks.then_some(result), reduction, 0);
        let mut crossed = Ok(());
        if speaks {
            crossed = self.between(mpi, whole, None, &joined, |steps| allreduce::allreduce(steps, result, result, reduction));
            crossed = joined.and(crossed);
        }
        match &mut self.circle {
            Some(circle) => circle.spread(mpi, result, 0, crossed),
            None => crossed,
        }
    }
}

impl Circle {
    /// The end of a call in which `speaker` has waited for all members: it lets them go, and tells them if it failed.
    fn release(&mut self, mpi: &mut Mpi, speaker: u32, crossed: Outcome) -> Outcome {
        let common = self.board.common();
        if self.me() != speaker {
            self.wait_for(mpi, common, Phase::B);
            self.board.met_all();
            return self.verdict(common, Phase::B, speaker);
        }
        match &crossed {
            Ok(()) => self.board.publish(common, Phase::B, 0),
            Err(error) => self.fail(common, Phase::B, error),
        }
        self.ring_all(mpi);
        self.board.met_all();
        crossed
    }

    /// What `speaker` has for all members of the node, unless it failed.
    fn spread(&mut self, mpi: &mut Mpi, buffer: &Buffer, speaker: u32, crossed: Outcome) -> Outcome {
        let way = self.site().way_within(buffer.bytes());
        if let Err(error) = &crossed {
            // As many bytes as the others begin with: all must count rooms alike.
            self.begin(mpi, if way == Way::Rooms { buffer.bytes() } else { 0 });
            self.fail(speaker, Phase::A, error);
            self.ring_all(mpi);
            self.retire();
            return crossed;
        }
        // Within a node nobody promises messages.
        match way {
            Way::Rooms => self.bcast(mpi, buffer, speaker).map(drop),
            _ => self.bcast_direct(mpi, buffer, speaker).map(drop),
        }
    }
}
