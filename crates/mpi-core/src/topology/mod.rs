//! Process topologies (MPI 5.0 chapter 8).
//!
//! A communicator refers to its topology, which never changes; duplicates share it. A topology
//! knows which ranks are neighbours, and nothing about messages: the neighbourhood collectives
//! (`nemesis-mpi-coll`) use the [`Neighbourhood`] that is computed at its creation.
//!
//! | module | contents |
//! |---|---|
//! | `cart` | Cartesian grids |
//! | `graph` | graphs that every process knows completely |
//! | `dist_graph` | graphs of which every process knows its own edges |
//! | `neighbourhood` | the partner of each slot, and the order of the slots |
//! | `dims` | balanced grids for a number of processes |
//!
//! Communicators with a topology are created in a layer above (`nemesis-mpi-coll`).
//!
//! Ranks are never reordered, whatever the argument `reorder` says.

pub mod cart;
pub mod dims;
pub mod dist_graph;
pub mod graph;
pub mod neighbourhood;

pub use cart::{Cart, Dimension};
pub use dist_graph::DistGraph;
pub use graph::Graph;
pub use neighbourhood::Neighbourhood;

use std::sync::Arc;

/// The structure of a topology.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Cart(Cart),
    Graph(Graph),
    DistGraph(DistGraph),
}

/// A structure, and this process's neighbours in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    pub shape: Shape,
    pub neighbourhood: Arc<Neighbourhood>,
}

impl Topology {
    /// Makes the topology as the process of `rank` sees it.
    pub fn new(shape: Shape, rank: u32) -> Topology {
        let neighbourhood = match &shape {
            Shape::Cart(cart) => cart.neighbourhood(rank),
            Shape::Graph(graph) => graph.neighbourhood(rank),
            Shape::DistGraph(graph) => graph.neighbourhood(rank),
        };
        Topology { shape, neighbourhood: Arc::new(neighbourhood) }
    }
}

#[cfg(test)]
mod model;
