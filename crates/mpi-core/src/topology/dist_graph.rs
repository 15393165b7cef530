//! Distributed graph topologies (MPI 5.0 §8.5.4): every process knows the edges that begin or end
//! at it.
//!
//! `MPI_Dist_graph_create` lets any process name any edge. Both ends of an edge learn of it. Each
//! end orders its edges by the rank that named them, then by their position in that rank's call. So
//! both ends of a pair know their common edges in one order, which is the same in every call with
//! equal arguments.

use super::neighbourhood::Neighbourhood;

/// The edges in one direction, in the order of queries and buffers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    pub ranks: Vec<u32>,
    /// One weight for each rank; empty if the graph is not weighted.
    pub weights: Vec<i32>,
}

/// The edges of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DistGraph {
    pub sources: End,
    pub destinations: End,
    pub weighted: bool,
}

/// An edge as a process names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedEdge {
    pub source: u32,
    pub destination: u32,
    pub weight: i32,
}

impl DistGraph {
    /// Returns the edges of process `rank` among `edges`, which are in naming order.
    pub fn from_named(rank: u32, edges: &[NamedEdge], weighted: bool) -> DistGraph {
        let end = |is_here: &dyn Fn(&NamedEdge) -> bool, other: &dyn Fn(&NamedEdge) -> u32| {
            let here: Vec<&NamedEdge> = edges.iter().filter(|edge| is_here(edge)).collect();
            let weights =
                if weighted { here.iter().map(|edge| edge.weight).collect() } else { Vec::new() };
            End { ranks: here.iter().map(|edge| other(edge)).collect(), weights }
        };
        DistGraph {
            sources: end(&|edge| edge.destination == rank, &|edge| edge.source),
            destinations: end(&|edge| edge.source == rank, &|edge| edge.destination),
            weighted,
        }
    }

    /// Returns the neighbours of process `rank`.
    pub fn neighbourhood(&self, rank: u32) -> Neighbourhood {
        let (to, from) = (&self.destinations.ranks, &self.sources.ranks);
        Neighbourhood::new(
            rank,
            Neighbourhood::in_order(to),
            Neighbourhood::in_order(from),
            [to.len(), from.len()],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_list_the_edges_between_them_in_one_order() {
        let edge = |source, destination, weight| NamedEdge { source, destination, weight };
        let edges = [edge(1, 0, 5), edge(0, 1, 6), edge(1, 0, 7), edge(1, 1, 8)];
        let (begin, end) =
            (DistGraph::from_named(1, &edges, true), DistGraph::from_named(0, &edges, true));
        assert_eq!(
            (begin.destinations.ranks, begin.destinations.weights),
            (vec![0, 0, 1], vec![5, 7, 8])
        );
        assert_eq!((begin.sources.ranks, begin.sources.weights), (vec![0, 1], vec![6, 8]));
        assert_eq!((end.sources.ranks, end.sources.weights), (vec![1, 1], vec![5, 7]));
        assert!(DistGraph::from_named(1, &edges, false).sources.weights.is_empty());
    }
}
