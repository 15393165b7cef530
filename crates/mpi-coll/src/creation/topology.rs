//! Creates communicators with a topology: a communicator of the processes that take part, with the
//! structure attached.

use super::divide;
use crate::abi;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle;
use crate::topology::dist_graph::{DistGraph, NamedEdge};
use crate::topology::{Cart, Graph, Shape, Topology};
use crate::{Blocks, alltoall, get_words, put_words, run, scratch_bytes};
use std::sync::Arc;

/// Implements `MPI_Cart_create`. Ranks beyond the grid get `MPI_COMM_NULL`.
pub fn cart(mpi: &mut Mpi, comm: handle::Comm, cart: Cart) -> Outcome<handle::Comm> {
    let size = cart.size();
    with_topology(mpi, comm, size, Shape::Cart(cart))
}

/// Implements `MPI_Graph_create`. Ranks beyond the nodes get `MPI_COMM_NULL`.
pub fn graph(mpi: &mut Mpi, comm: handle::Comm, graph: Graph) -> Outcome<handle::Comm> {
    let size = graph.size();
    with_topology(mpi, comm, size, Shape::Graph(graph))
}

/// Implements `MPI_Cart_sub`; `remains` tells which dimensions remain.
pub fn cart_sub(mpi: &mut Mpi, comm: handle::Comm, remains: &[bool]) -> Outcome<handle::Comm> {
    let object = mpi.comm(comm)?;
    let (cart, colour, key) = object.cart()?.sub(object.rank, remains);
    let made = divide::split(mpi, comm, Some(colour), key as i32)?;
    attach(mpi, made, Shape::Cart(cart))
}

/// Implements `MPI_Dist_graph_create_adjacent`: every process names its own edges.
pub fn dist_graph_adjacent(
    mpi: &mut Mpi,
    comm: handle::Comm,
    graph: DistGraph,
) -> Outcome<handle::Comm> {
    let size = mpi.intracomm(comm)?.size();
    with_topology(mpi, comm, size, Shape::DistGraph(graph))
}

/// Implements `MPI_Dist_graph_create`: this process names `edges`, `weighted` or not. `weighted` is
/// `None` if the process names no edge and so does not tell.
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
    let named = exchange_edges(mpi, comm, &lists, weighted)?;
    let (yes, no) = (named.weighted.contains(&Some(true)), named.weighted.contains(&Some(false)));
    if yes && no {
        let why = "some processes give weights and others MPI_UNWEIGHTED";
        return Err(Error::new(abi::MPI_ERR_ARG, why)
            .advise("pass MPI_UNWEIGHTED at all processes or at none"));
    }
    // If no process tells whether the graph is weighted, none has passed MPI_UNWEIGHTED.
    let graph = DistGraph::from_named(rank, &named.edges, !no);
    with_topology(mpi, comm, size, Shape::DistGraph(graph))
}

/// The edges that all processes have named.
struct Named {
    /// Edges that begin or end at this process, ordered by the rank that named them.
    edges: Vec<NamedEdge>,
    /// Whether each process passes weights; `None` if it does not tell.
    weighted: Vec<Option<bool>>,
}

/// Words of an edge in a message.
const EDGE_WORDS: usize = 3;

/// Sends each process its list of edges, and receives the edges that the others name.
fn exchange_edges(
    mpi: &mut Mpi,
    comm: handle::Comm,
    lists: &[Vec<NamedEdge>],
    weighted: Option<bool>,
) -> Outcome<Named> {
    let size = lists.len();
    let (counts, received_counts) = (scratch_bytes(size * 16)?, scratch_bytes(size * 16)?);
    for (peer, list) in lists.iter().enumerate() {
        let weighting = weighted.map_or(0, |weighted| 1 + u64::from(weighted));
        put_words(&counts.part(peer * 16, 16), &[list.len() as u64, weighting]);
    }
    let blocks = |all: &nemesis_datatype::Buffer| Blocks::Even { all: all.clone(), each: 16 };
    run(mpi, comm, |steps| alltoall::alltoall(steps, &blocks(&counts), &blocks(&received_counts)))?;
    let counts_of_peers: Vec<[u64; 2]> =
        (0..size).map(|peer| get_words(&received_counts, peer * 16)).collect();

    let scratch = |edges: usize| scratch_bytes(edges * EDGE_WORDS * 8);
    let sent = lists.iter().map(|list| scratch(list.len())).collect::<Outcome<Vec<_>>>()?;
    let received = counts_of_peers
        .iter()
        .map(|&[edges, _]| scratch(edges as usize))
        .collect::<Outcome<Vec<_>>>()?;
    for (list, buffer) in lists.iter().zip(&sent) {
        for (place, edge) in list.iter().enumerate() {
            let words = [u64::from(edge.source), u64::from(edge.destination), edge.weight as u64];
            put_words(&buffer.part(place * EDGE_WORDS * 8, EDGE_WORDS * 8), &words);
        }
    }
    let (sent, received_blocks) = (Blocks::List(sent), Blocks::List(received.clone()));
    run(mpi, comm, |steps| {
        alltoall::alltoallv(steps, &sent, &received_blocks);
        Ok(())
    })?;
    let edges = received.iter().zip(&counts_of_peers).flat_map(|(buffer, &[edges, _])| {
        (0..edges as usize).map(|place| {
            let [source, destination, weight] = get_words(buffer, place * EDGE_WORDS * 8);
            NamedEdge {
                source: source as u32,
                destination: destination as u32,
                weight: weight as i32,
            }
        })
    });
    let weighted = counts_of_peers
        .iter()
        .map(|&[_, weighting]| weighting.checked_sub(1).map(|weighted| weighted == 1))
        .collect();
    Ok(Named { edges: edges.collect(), weighted })
}

/// Makes a communicator of the first `size` ranks, with the structure; returns `MPI_COMM_NULL` for
/// the others.
fn with_topology(
    mpi: &mut Mpi,
    comm: handle::Comm,
    size: u32,
    shape: Shape,
) -> Outcome<handle::Comm> {
    let members = mpi.intracomm(comm)?.group.processes()[..size as usize].to_vec();
    let made = divide::create(mpi, comm, Group::new(members))?;
    attach(mpi, made, shape)
}

/// Attaches a structure to a new communicator, if this process is in it.
fn attach(engine: &mut Engine, made: handle::Comm, shape: Shape) -> Outcome<handle::Comm> {
    if made != abi::MPI_COMM_NULL {
        let object = engine.comm_mut(made)?;
        object.topology = Some(Arc::new(Topology::new(shape, object.rank)));
    }
    Ok(made)
}
