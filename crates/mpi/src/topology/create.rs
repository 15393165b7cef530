//! Communicators with a topology: a communicator of the processes that take part, with the structure hung on it.

use super::dist_graph::{DistGraph, NamedEdge};
use super::{Cart, Graph, Shape, Topology};
use crate::abi;
use crate::coll::{self, Blocks};
use crate::comm;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle;
use std::sync::Arc;

/// `MPI_Cart_create`: ranks beyond the grid get no communicator.
pub fn cart(mpi: &mut Mpi, comm: handle::Comm, cart: Cart) -> Outcome<handle::Comm> {
    let size = cart.size();
    with_topology(mpi, comm, size, Shape::Cart(cart))
}

/// `MPI_Graph_create`: ranks beyond the nodes get no communicator.
pub fn graph(mpi: &mut Mpi, comm: handle::Comm, graph: Graph) -> Outcome<handle::Comm> {
    let size = graph.size();
    with_topology(mpi, comm, size, Shape::Graph(graph))
}

/// `MPI_Cart_sub`
pub fn cart_sub(mpi: &mut Mpi, comm: handle::Comm, remains: &[bool]) -> Outcome<handle::Comm> {
    let object = mpi.comm(comm)?;
    let (cart, colour, key) = object.cart()?.sub(object.rank, remains);
    let made = comm::split(mpi, comm, Some(colour), key as i32)?;
    hang(mpi, made, Shape::Cart(cart))
}

/// `MPI_Dist_graph_create_adjacent`: everybody names the edges that end or begin at it.
pub fn dist_graph_adjacent(
    mpi: &mut Mpi,
    comm: handle::Comm,
    graph: DistGraph,
) -> Outcome<handle::Comm> {
    let size = mpi.intracomm(comm)?.size();
    with_topology(mpi, comm, size, Shape::DistGraph(graph))
}

/// `MPI_Dist_graph_create`: this process names `edges`, with weights or without; `None` when it names none and says nothing about weights.
pub fn dist_graph(
    mpi: &mut Mpi,
    comm: handle::Comm,
    edges: &[NamedEdge],
    weighted: Option<bool>,
) -> Outcome<handle::Comm> {
    let object = mpi.intracomm(comm)?;
    let (rank, size) = (object.rank, object.size());
    let mut lists = vec![Vec::new(); size as usize];
    for edge in edges {
        lists[edge.source as usize].push(*edge);
        if edge.destination != edge.source {
            lists[edge.destination as usize].push(*edge);
        }
    }
    let named = tell_edges(mpi, comm, &lists, weighted)?;
    let (yes, no) = (named.weighted.contains(&Some(true)), named.weighted.contains(&Some(false)));
    if yes && no {
        let why = "some processes give weights and others MPI_UNWEIGHTED";
        return Err(Error::new(abi::MPI_ERR_ARG, why)
            .advise("pass MPI_UNWEIGHTED at all processes or at none"));
    }
    // Where nobody says anything, nobody has passed MPI_UNWEIGHTED.
    let graph = DistGraph::from_named(rank, &named.edges, !no);
    with_topology(mpi, comm, size, Shape::DistGraph(graph))
}

/// What all processes have named.
struct Named {
    /// Those that begin or end here, by who named them.
    edges: Vec<NamedEdge>,
    /// What each process says of weights.
    weighted: Vec<Option<bool>>,
}

/// Words of an edge on its way.
const EDGE_WORDS: usize = 3;

/// Tells each process its list of edges, and hears what the others name.
fn tell_edges(
    mpi: &mut Mpi,
    comm: handle::Comm,
    lists: &[Vec<NamedEdge>],
    weighted: Option<bool>,
) -> Outcome<Named> {
    let size = lists.len();
    let (counts, heard) = (coll::scratch_bytes(size * 16)?, coll::scratch_bytes(size * 16)?);
    for (peer, list) in lists.iter().enumerate() {
        let opinion = weighted.map_or(0, |weighted| 1 + u64::from(weighted));
        coll::put_words(&counts.part(peer * 16, 16), &[list.len() as u64, opinion]);
    }
    let blocks = |all: &nemesis_datatype::Buffer| Blocks::Even { all: all.clone(), each: 16 };
    coll::run(mpi, comm, |steps| {
        coll::alltoall::alltoall(steps, &blocks(&counts), &blocks(&heard))
    })?;
    let said: Vec<[u64; 2]> = (0..size).map(|peer| coll::get_words(&heard, peer * 16)).collect();

    let room = |edges: usize| coll::scratch_bytes(edges * EDGE_WORDS * 8);
    let sent = lists.iter().map(|list| room(list.len())).collect::<Outcome<Vec<_>>>()?;
    let received =
        said.iter().map(|&[edges, _]| room(edges as usize)).collect::<Outcome<Vec<_>>>()?;
    for (list, buffer) in lists.iter().zip(&sent) {
        for (place, edge) in list.iter().enumerate() {
            let words = [u64::from(edge.source), u64::from(edge.destination), edge.weight as u64];
            coll::put_words(&buffer.part(place * EDGE_WORDS * 8, EDGE_WORDS * 8), &words);
        }
    }
    let (sent, received_blocks) = (Blocks::List(sent), Blocks::List(received.clone()));
    coll::run(mpi, comm, |steps| {
        coll::alltoall::alltoallv(steps, &sent, &received_blocks);
        Ok(())
    })?;
    let edges = received.iter().zip(&said).flat_map(|(buffer, &[edges, _])| {
        (0..edges as usize).map(|place| {
            let [source, destination, weight] = coll::get_words(buffer, place * EDGE_WORDS * 8);
            NamedEdge {
                source: source as u32,
                destination: destination as u32,
                weight: weight as i32,
            }
        })
    });
    let weighted = said
        .iter()
        .map(|&[_, opinion]| opinion.checked_sub(1).map(|weighted| weighted == 1))
        .collect();
    Ok(Named { edges: edges.collect(), weighted })
}

/// A communicator of the first `size` ranks, with the shape; null for the others.
fn with_topology(
    mpi: &mut Mpi,
    comm: handle::Comm,
    size: u32,
    shape: Shape,
) -> Outcome<handle::Comm> {
    let members = mpi.intracomm(comm)?.group.processes()[..size as usize].to_vec();
    let made = comm::create(mpi, comm, Group::new(members))?;
    hang(mpi, made, shape)
}

/// Hangs a shape on a new communicator, if this process is in it.
fn hang(engine: &mut Engine, made: handle::Comm, shape: Shape) -> Outcome<handle::Comm> {
    if made != abi::MPI_COMM_NULL {
        let object = engine.comm_mut(made)?;
        object.topology = Some(Arc::new(Topology::new(shape, object.rank)));
    }
    Ok(made)
}
