//! Graph topologies (MPI 5.0 §8.5.3): every process knows all edges. A neighbour may occur several
//! times, and a process may be its own neighbour.

use super::neighbourhood::Neighbourhood;
use crate::abi;
use crate::error::{Error, Outcome};

/// A graph, as `MPI_Graph_create` describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// For each node, the end of its neighbours in `edges`.
    pub index: Vec<u32>,
    pub edges: Vec<u32>,
}

impl Graph {
    /// Checks the argument `index` of a call. Its last entry is the number of edges.
    pub fn index(index: &[i32]) -> Outcome<Vec<u32>> {
        let mut before = 0;
        for (node, &end) in index.iter().enumerate() {
            if end < before {
                let why = format!(
                    "index[{node}] is {end}, and {before} edges come before: the entries must not \
                     decrease"
                );
                return Err(Error::new(abi::MPI_ERR_ARG, why));
            }
            before = end;
        }
        Ok(index.iter().map(|&end| end as u32).collect())
    }

    /// Makes a graph with one node for each entry of `index`, for at most `members` processes.
    pub fn new(index: Vec<u32>, edges: &[i32], members: u32) -> Outcome<Graph> {
        let nodes = index.len();
        if nodes > members as usize {
            return Err(Error::new(
                abi::MPI_ERR_ARG,
                format!("the graph has {nodes} nodes, the communicator {members} processes"),
            ));
        }
        if let Some((place, edge)) = edges
            .iter()
            .enumerate()
            .find(|(_, edge)| usize::try_from(**edge).map_or(true, |edge| edge >= nodes))
        {
            return Err(Error::new(
                abi::MPI_ERR_ARG,
                format!("edges[{place}] is {edge}, which is none of the {nodes} nodes"),
            ));
        }
        Ok(Graph { index, edges: edges.iter().map(|&edge| edge as u32).collect() })
    }

    /// Returns the number of processes.
    pub fn size(&self) -> u32 {
        self.index.len() as u32
    }

    /// Returns the neighbours of a rank, in the order of `edges`.
    pub fn neighbours(&self, rank: u32) -> &[u32] {
        let begin = if rank == 0 { 0 } else { self.index[rank as usize - 1] };
        &self.edges[begin as usize..self.index[rank as usize] as usize]
    }

    /// Returns the neighbours of a rank. It sends to and receives from each of them, so edges must
    /// be named at both ends (MPI 5.0 §8.6).
    pub fn neighbourhood(&self, rank: u32) -> Neighbourhood {
        let neighbours = self.neighbours(rank);
        let edges = Neighbourhood::in_order(neighbours);
        Neighbourhood::new(rank, edges.clone(), edges, [neighbours.len(); 2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_keep_order_and_repetitions() {
        let graph = Graph::new(Graph::index(&[2, 3, 3, 6]).expect("ends"), &[1, 3, 0, 0, 3, 3], 4)
            .expect("a graph");
        assert_eq!(graph.neighbours(0), [1, 3]);
        assert_eq!(graph.neighbours(2), []);
        assert_eq!(graph.neighbours(3), [0, 3, 3]);
        assert_eq!(graph.neighbourhood(3).own, [(1, 1), (2, 2)]);
    }

    #[test]
    fn wrong_graphs_are_refused() {
        assert_eq!(Graph::index(&[2, 1]).map_err(|error| error.class), Err(abi::MPI_ERR_ARG));
        assert_eq!(Graph::index(&[-1]).map_err(|error| error.class), Err(abi::MPI_ERR_ARG));
        assert_eq!(
            Graph::new(vec![1], &[1], 4).map_err(|error| error.class),
            Err(abi::MPI_ERR_ARG)
        );
        assert_eq!(
            Graph::new(vec![0; 5], &[], 4).map_err(|error| error.class),
            Err(abi::MPI_ERR_ARG)
        );
    }
}
