//! Communicators of several nodes, or of more members of a node than share a collective segment:
//! the node of each process, and the levels of this one's node.

use super::levels::Levels;
use crate::engine::Mpi;
use crate::grid::Grid;
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
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

    /// Returns what the choice of an algorithm may depend on. `oversubscribed`: members of a node
    /// share processors.
    pub fn hierarchy(&self, oversubscribed: bool) -> Hierarchy {
        Hierarchy {
            nodes: self.nodes(),
            oversubscribed,
            in_blocks: self.places.is_sorted(),
            even: self.counts.windows(2).all(|two| two[0] == two[1]),
        }
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

/// What the choice of an algorithm may depend on for processes that pass data through levels. All
/// of them know it alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hierarchy {
    pub nodes: u32,
    /// True if members of some node share processors.
    pub oversubscribed: bool,
    /// True if the ranks of each node follow one another.
    pub in_blocks: bool,
    /// True if all nodes have as many members.
    pub even: bool,
}

impl Hierarchy {
    /// Returns how `ranks` processes stand on several nodes, if the nodes are alike.
    pub fn grid(&self, ranks: u32) -> Option<Grid> {
        let alike = self.nodes > 1 && self.in_blocks && self.even;
        alike.then(|| Grid { nodes: self.nodes, members: ranks / self.nodes })
    }
}

/// The processes of a communicator by node, as one of them sees them.
#[derive(Debug)]
pub struct Nodes {
    /// The members of this node.
    levels: Levels,
    places: Places,
    /// By node: the number of members of the nodes before it; the last entry is that of all.
    starts: Vec<u32>,
    /// The process of each rank.
    processes: Arc<[u32]>,
    /// The first process of each node.
    leaders: Subset,
    rank: u32,
    hierarchy: Hierarchy,
}

impl Nodes {
    pub fn new(
        levels: Levels,
        (places, hierarchy): (Places, Hierarchy),
        processes: &Arc<[u32]>,
        rank: u32,
    ) -> Nodes {
        let leaders = places.firsts(processes);
        let mut starts = vec![0];
        for count in &places.counts {
            starts.push(starts.last().unwrap_or(&0) + count);
        }
        Nodes { levels, places, starts, processes: processes.clone(), leaders, rank, hierarchy }
    }

    /// Returns the members of this node.
    pub fn levels(&mut self) -> &mut Levels {
        &mut self.levels
    }

    pub fn into_levels(self) -> Levels {
        self.levels
    }

    /// Returns what the choice of an algorithm may depend on.
    pub fn hierarchy(&self) -> Hierarchy {
        self.hierarchy
    }

    pub(crate) fn node(&self) -> u32 {
        self.places.node_of(self.rank)
    }

    /// Returns the member that is the leader of this node in an operation with this root.
    fn leader(&self, root: Option<u32>) -> u32 {
        root.filter(|&root| self.places.node_of(root) == self.node())
            .map_or(0, |root| self.places.place_of(root))
    }

    /// Returns the position of this node's leader in an operation with this root.
    pub(crate) fn leader_position(&self, root: Option<u32>) -> u32 {
        self.levels.division().position_of(self.leader(root))
    }

    pub(crate) fn is_leader(&self, root: Option<u32>) -> bool {
        self.places.place_of(self.rank) == self.leader(root)
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

    /// Returns the index of a rank if ranks are counted node by node.
    pub(crate) fn index_of(&self, rank: u32) -> u32 {
        self.starts[self.places.node_of(rank) as usize] + self.places.place_of(rank)
    }

    /// Returns the ranks, node by node.
    pub(crate) fn ranks_by_node(&self) -> Vec<u32> {
        let mut ranks = vec![0; self.processes.len()];
        (0..ranks.len() as u32).for_each(|rank| ranks[self.index_of(rank) as usize] = rank);
        ranks
    }

    /// Returns the indices of the members of a node among the ranks, counted node by node.
    pub(crate) fn indices_of(&self, node: u32) -> Range<u32> {
        self.starts[node as usize]..self.starts[node as usize + 1]
    }

    /// Returns by position where the data of this node's members begin, and where the last ones
    /// end. `bytes_of`: the bytes of the member with an index in the node.
    pub(crate) fn offsets(&self, bytes_of: impl Fn(u32) -> usize) -> Vec<usize> {
        let division = self.levels.division();
        let mut offsets = vec![0];
        for position in 0..division.members() {
            offsets.push(offsets[position as usize] + bytes_of(division.member_at(position)));
        }
        offsets
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
