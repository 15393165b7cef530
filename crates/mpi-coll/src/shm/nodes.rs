//! Communicators of several nodes: the node of each process, and the parts of an operation that the
//! members of one node perform in their collective segment.

use super::{NodeComm, Results};
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::operator::{Reduction, kernel};
use crate::site::DEDICATED_MEMBERS_MAX;
use nemesis::coll_segment::{Phase, STAGING_BYTES};
use nemesis_datatype::Buffer;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// The node of every process, as all processes know it.
#[derive(Debug)]
pub struct Places {
    /// By rank: the node, numbered by first ranks, and the index among its members.
    places: Vec<(u32, u32)>,
    /// The number of members of each node.
    counts: Vec<u32>,
}

impl Places {
    pub fn new(mpi: &Mpi, processes: &[u32]) -> Places {
        // Each job knows the nodes of its own processes only. All processes of a communicator of
        // several jobs agree that each has a node of its own.
        if mpi.spans_jobs(processes) {
            let ranks = 0..processes.len() as u32;
            return Places {
                places: ranks.map(|rank| (rank, 0)).collect(),
                counts: vec![1; processes.len()],
            };
        }
        let node_of =
            |&process: &u32| mpi.wireup.as_ref().map_or(0, |wireup| wireup.node_of(process));
        Places::by_node(processes.iter().map(node_of))
    }

    /// Makes the places from the job's name for the node of each rank, in time linear in the ranks.
    fn by_node<N: Copy + Eq + Hash>(names: impl Iterator<Item = N>) -> Places {
        let (mut counts, mut places) = (Vec::new(), Vec::with_capacity(names.size_hint().0));
        let mut numbers: HashMap<N, usize> = HashMap::new();
        for name in names {
            let node = *numbers.entry(name).or_insert_with(|| {
                counts.push(0);
                counts.len() - 1
            });
            places.push((node as u32, counts[node]));
            counts[node] += 1;
        }
        Places { places, counts }
    }

    pub fn nodes(&self) -> u32 {
        self.counts.len() as u32
    }

    /// Returns whether a node has several of the processes.
    pub fn are_shared(&self) -> bool {
        self.counts.iter().any(|&count| count > 1)
    }

    pub fn node_of(&self, rank: u32) -> u32 {
        self.places[rank as usize].0
    }

    /// Returns the index of a rank among the members of its node.
    pub fn place_of(&self, rank: u32) -> u32 {
        self.places[rank as usize].1
    }

    /// Returns the first process of each node.
    pub fn firsts(&self, processes: &[u32]) -> Subset {
        self.subset(processes, |(_, place)| place == 0)
    }

    /// Returns the processes of a node.
    pub fn members(&self, node: u32, processes: &[u32]) -> Subset {
        self.subset(processes, |(of, _)| of == node)
    }

    /// Returns the processes with node and index for which `is_in` returns true.
    fn subset(&self, processes: &[u32], is_in: impl Fn((u32, u32)) -> bool) -> Subset {
        let ranks = (0..).zip(&self.places).filter(|&(_, &place)| is_in(place));
        Subset::new(ranks.map(|(rank, _)| rank).collect(), processes)
    }
}

/// Some of the processes of an intracommunicator, in the order of their ranks or of their nodes.
#[derive(Clone, Debug)]
pub struct Subset {
    /// The rank of each in the communicator.
    pub ranks: Arc<[u32]>,
    /// The number of each in the job.
    pub processes: Arc<[u32]>,
}

impl Subset {
    /// Returns the processes with these ranks. `processes`: those of the communicator, by rank.
    pub fn new(ranks: Arc<[u32]>, processes: &[u32]) -> Subset {
        let chosen = ranks.iter().map(|&rank| processes[rank as usize]).collect();
        Subset { ranks, processes: chosen }
    }

    /// Returns all processes of a communicator.
    pub fn all(processes: &Arc<[u32]>) -> Subset {
        Subset { ranks: (0..processes.len() as u32).collect(), processes: processes.clone() }
    }
}

/// The processes of a communicator by node, as one of them sees them.
#[derive(Debug)]
pub struct Nodes {
    /// The members of this node, if there are several.
    node_comm: Option<NodeComm>,
    places: Places,
    /// The process of each rank.
    processes: Arc<[u32]>,
    /// The first process of each node.
    leaders: Subset,
    rank: u32,
    /// True if on all nodes the kernel copies between the members' memories.
    direct: bool,
    /// True if no node has more members than a segment of reductions may have.
    reduces: bool,
}

impl Nodes {
    pub fn new(
        mut node_comm: Option<NodeComm>,
        places: Places,
        processes: &Arc<[u32]>,
        rank: u32,
        direct: bool,
    ) -> Nodes {
        if let Some(node_comm) = &mut node_comm {
            node_comm.direct = direct;
        }
        let leaders = places.firsts(processes);
        let reduces = places.counts.iter().all(|&members| members <= DEDICATED_MEMBERS_MAX);
        Nodes { node_comm, places, processes: processes.clone(), leaders, rank, direct, reduces }
    }

    /// Returns the members of this node, if there are several.
    pub(crate) fn node_comm_mut(&mut self) -> Option<&mut NodeComm> {
        self.node_comm.as_mut()
    }

    pub fn into_node_comm(self) -> Option<NodeComm> {
        self.node_comm
    }

    pub(crate) fn node(&self) -> u32 {
        self.places.node_of(self.rank)
    }

    /// Returns the member that is the leader of this node in an operation with this root.
    pub(crate) fn leader(&self, root: Option<u32>) -> u32 {
        root.filter(|&root| self.places.node_of(root) == self.node())
            .map_or(0, |root| self.places.place_of(root))
    }

    pub(crate) fn is_leader(&self, root: Option<u32>) -> bool {
        self.places.place_of(self.rank) == self.leader(root)
    }

    /// Returns whether reductions use the collective segments.
    pub fn reduces(&self) -> bool {
        self.reduces
    }

    /// Returns the bytes of the longest data that uses the collective segments.
    pub fn takes_max(&self) -> usize {
        nodes_take_max(self.direct)
    }

    /// Returns the process of each node that speaks for it in an operation with this root.
    pub(crate) fn leaders(&self, root: Option<u32>) -> Subset {
        let Some(root) = root.filter(|&root| self.places.place_of(root) != 0) else {
            return self.leaders.clone();
        };
        let mut ranks = self.leaders.ranks.to_vec();
        ranks[self.places.node_of(root) as usize] = root;
        Subset::new(ranks.into(), &self.processes)
    }

    /// Returns the node of a rank.
    pub(crate) fn node_of(&self, rank: u32) -> u32 {
        self.places.node_of(rank)
    }

    /// Waits at the first member until all members of its node have come; the others proceed.
    pub(crate) fn arrive(&mut self, mpi: &mut Mpi) {
        if let Some(node_comm) = &mut self.node_comm {
            node_comm.begin(mpi, 0);
            node_comm.report_to(mpi, 0, Phase::A);
        }
    }

    /// Releases the members of the node that have arrived, and tells them if the leaders failed.
    pub(crate) fn release(&mut self, mpi: &mut Mpi, crossed: Outcome) -> Outcome {
        match &mut self.node_comm {
            Some(node_comm) => node_comm.release(mpi, 0, crossed),
            None => crossed,
        }
    }

    /// Sends what `leader` has to all members of the node, unless the leaders failed.
    pub(crate) fn spread(
        &mut self,
        mpi: &mut Mpi,
        buffer: &Buffer,
        leader: u32,
        crossed: Outcome,
    ) -> Outcome {
        match &mut self.node_comm {
            Some(node_comm) => node_comm.spread(mpi, buffer, leader, crossed),
            None => crossed,
        }
    }

    /// Reduces the members' contributions at the leader, into `value` if it could allocate memory.
    pub(crate) fn combine(
        &mut self,
        mpi: &mut Mpi,
        own: &Buffer,
        value: Option<&Buffer>,
        reduction: Reduction,
        leader: u32,
    ) -> Outcome {
        let Some(node_comm) = &mut self.node_comm else {
            if let Some(value) = value.filter(|value| value.address() != own.address()) {
                nemesis_datatype::copy(own, value);
            }
            return Ok(());
        };
        let Some(kernel) = kernel(reduction.operator, own) else { return Ok(()) };
        match own.bytes() <= node_comm.site().staged_max() {
            true => node_comm.reduce(mpi, own, value, &kernel, leader),
            false => node_comm.reduce_direct(mpi, own, value, &kernel, Results::At(leader)),
        }
    }
}

/// Returns the bytes of the longest data that the segments of several nodes take. `direct`: on all
/// of them the kernel copies between the members' memories.
pub fn nodes_take_max(direct: bool) -> usize {
    if direct { usize::MAX } else { STAGING_BYTES }
}

impl NodeComm {
    /// Ends a call in which `leader` has waited for all members: it releases them and tells them if
    /// it failed.
    fn release(&mut self, mpi: &mut Mpi, leader: u32, crossed: Outcome) -> Outcome {
        let common = self.coll_segment.common();
        if self.me() != leader {
            self.wait_for(mpi, common, Phase::B);
            self.coll_segment.heard_from_all();
            return self.check_row(common, Phase::B, leader);
        }
        match &crossed {
            Ok(()) => self.coll_segment.publish(common, Phase::B, 0),
            Err(error) => self.fail(common, Phase::B, error),
        }
        self.ring_all(mpi);
        self.coll_segment.heard_from_all();
        crossed
    }

    /// Sends what `leader` has to all members of the node, unless it failed.
    fn spread(&mut self, mpi: &mut Mpi, buffer: &Buffer, leader: u32, crossed: Outcome) -> Outcome {
        let staged = buffer.bytes() <= self.site().staged_max();
        if let Err(error) = &crossed {
            // All members must count staging buffers alike, so this call begins with their number
            // of bytes.
            self.begin(mpi, if staged { buffer.bytes() } else { 0 });
            self.fail(leader, Phase::A, error);
            self.ring_all(mpi);
            self.retire();
            return crossed;
        }
        // No member of a node defers to a point-to-point message here.
        match staged {
            true => self.bcast(mpi, buffer, leader).map(drop),
            false => self.bcast_direct(mpi, buffer, leader).map(drop),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::hash::Hasher;

    /// The name of a node that counts how often it is compared.
    #[derive(Clone, Copy)]
    struct Counted<'a>(u32, &'a Cell<u64>);

    impl PartialEq for Counted<'_> {
        fn eq(&self, other: &Self) -> bool {
            self.1.set(self.1.get() + 1);
            self.0 == other.0
        }
    }

    impl Eq for Counted<'_> {}

    impl Hash for Counted<'_> {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.hash(state);
        }
    }

    #[test]
    fn nodes_are_numbered_by_their_first_ranks() {
        let places = Places::by_node([7_u32, 3, 7, 9, 3, 7].into_iter());
        assert_eq!(places.places, [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]);
        assert_eq!(places.counts, [3, 2, 1]);
    }

    #[test]
    fn members_and_firsts_are_named_by_rank_and_by_process() {
        let places = Places::by_node([7_u32, 3, 7, 9, 3, 7].into_iter());
        let processes = [10, 11, 12, 13, 14, 15];
        let firsts = places.firsts(&processes);
        assert_eq!((&firsts.ranks[..], &firsts.processes[..]), (&[0, 1, 3][..], &[10, 11, 13][..]));
        let members = places.members(0, &processes);
        assert_eq!(
            (&members.ranks[..], &members.processes[..]),
            (&[0, 2, 5][..], &[10, 12, 15][..])
        );
        assert_eq!((0..6).map(|rank| places.node_of(rank)).collect::<Vec<_>>(), [0, 1, 0, 2, 1, 0]);
        assert_eq!(
            (0..6).map(|rank| places.place_of(rank)).collect::<Vec<_>>(),
            [0, 0, 1, 0, 1, 2]
        );
        assert!(places.are_shared() && places.nodes() == 3);
        assert!(!Places::by_node([1, 2, 3].into_iter()).are_shared());
    }

    #[test]
    fn the_steps_grow_with_the_ranks_and_not_with_the_nodes() {
        let (ranks, nodes) = (65_536_u32, 1024);
        for is_block in [true, false] {
            let compared = Cell::new(0);
            let node = |rank: u32| if is_block { rank / (ranks / nodes) } else { rank % nodes };
            let places = Places::by_node((0..ranks).map(|rank| Counted(node(rank), &compared)));
            assert_eq!(places.counts, vec![ranks / nodes; nodes as usize]);
            assert!(compared.get() <= 2 * u64::from(ranks), "{} comparisons", compared.get());
        }
    }
}
