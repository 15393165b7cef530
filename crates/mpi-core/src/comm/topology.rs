//! The topology of a communicator, as calls ask for it (MPI 5.0 §8.5.5).

use super::Comm;
use crate::abi;
use crate::error::{Error, Outcome};
use crate::topology::{Cart, DistGraph, Graph, Neighbourhood, Shape, Topology};
use std::sync::Arc;

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
