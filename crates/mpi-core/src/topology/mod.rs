//! Process topologies (MPI 5.0 chapter 8).
//!
//! A communicator refers to its topology, which never changes; duplicates share it. A topology
//! knows which ranks are neighbours, and nothing about messages: the neighbourhood collectives
//! (`coll::neighbour`) use the [`Neighbourhood`] that is computed at its creation.
//!
//! | module | contents |
//! |---|---|
//! | `cart` | Cartesian grids |
//! | `graph` | graphs that every process knows completely |
//! | `dist_graph` | graphs of which every process knows its own edges |
//! | `neighbourhood` | the partner of each slot, and the order of the slots |
//! | `dims` | balanced grids for a number of processes |
//! | `create` | communicators with a topology |
//!
//! Ranks are never reordered, whatever the argument `reorder` says.

pub mod cart;
pub mod create;
pub mod dims;
pub mod dist_graph;
pub mod graph;
pub mod neighbourhood;

pub use cart::{Cart, Dimension};
pub use dist_graph::DistGraph;
pub use graph::Graph;
pub use neighbourhood::Neighbourhood;

use crate::abi;
use crate::comm::Comm;
use crate::error::{Error, Outcome};
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

impl Comm {
    /// Returns the Cartesian topology, or an error if the communicator has none.
    pub fn cart(&self) -> Outcome<&Cart> {
        match self.topology.as_deref() {
            Some(Topology { shape: Shape::Cart(cart), .. }) => Ok(cart),
            other => Err(wrong_topology(other, "a Cartesian topology", "MPI_Cart_create")),
        }
    }

    /// Returns the graph topology, or an error if the communicator has none.
    pub fn graph(&self) -> Outcome<&Graph> {
        match self.topology.as_deref() {
            Some(Topology { shape: Shape::Graph(graph), .. }) => Ok(graph),
            other => Err(wrong_topology(other, "a graph topology", "MPI_Graph_create")),
        }
    }

    /// Returns the distributed graph topology, or an error if the communicator has none.
    pub fn dist_graph(&self) -> Outcome<&DistGraph> {
        match self.topology.as_deref() {
            Some(Topology { shape: Shape::DistGraph(graph), .. }) => Ok(graph),
            other => Err(wrong_topology(
                other,
                "a distributed graph topology",
                "MPI_Dist_graph_create or MPI_Dist_graph_create_adjacent",
            )),
        }
    }

    /// Returns the neighbours of this process, for neighbourhood collectives.
    pub fn neighbourhood(&self) -> Outcome<Arc<Neighbourhood>> {
        match &self.topology {
            Some(topology) => Ok(topology.neighbourhood.clone()),
            None => Err(wrong_topology(
                None,
                "a topology",
                "MPI_Cart_create, MPI_Graph_create or MPI_Dist_graph_create",
            )),
        }
    }
}

#[cold]
fn wrong_topology(topology: Option<&Topology>, wanted: &str, maker: &str) -> Box<Error> {
    let has = match topology.map(|topology| &topology.shape) {
        None => "has no topology",
        Some(Shape::Cart(_)) => "has a Cartesian topology",
        Some(Shape::Graph(_)) => "has a graph topology",
        Some(Shape::DistGraph(_)) => "has a distributed graph topology",
    };
    Error::new(
        abi::MPI_ERR_TOPOLOGY,
        format!("the call needs a communicator with {wanted}, this one {has}"),
    )
    .advise(format!("make such a communicator by {maker}"))
}
