//! Creates communicators with a topology: a communicator of the processes that take part, with the
//! structure attached.

use super::alike::{Arguments, number_of};
use super::divide::{self, keyed};
use crate::abi;
use crate::comm::signature::{Creator, Signature};
use crate::engine::lanes::Choice;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::handle;
use crate::topology::dist_graph::{DistGraph, NamedEdge};
use crate::topology::{Cart, Graph, Shape, Topology};
use crate::words::allgather_lists;
use crate::{Blocks, alltoall, get_words, put_words, run_for, scratch_bytes};
use std::sync::Arc;

/// Implements `MPI_Cart_create`. Ranks beyond the grid get `MPI_COMM_NULL`. All ranks must pass
/// equal arguments (MPI 5.0 §8.4). It is an error if `reorder` or the number of processes differs;
/// each process uses the others for itself.
pub fn cart(mpi: &mut Mpi, comm: handle::Comm, cart: Cart, reorder: bool) -> Outcome<handle::Comm> {
    let dimensions = || cart.dimensions.iter();
    let arguments = Arguments::default()
        .and("ndims", cart.dimensions.len() as i64)
        .local()
        .and_list("dims", dimensions().map(|dimension| dimension.length.into()))
        .local()
        .and("the product of dims", cart.size().into())
        .and_list("periods", dimensions().map(|dimension| dimension.periodic.into()))
        .local()
        .and("reorder", reorder.into());
    let size = cart.size();
    with_topology(mpi, comm, Creator::CartCreate, &arguments, (size, Shape::Cart(cart)))
}

/// Implements `MPI_Graph_create`. Ranks beyond the nodes get `MPI_COMM_NULL`. All ranks must pass
/// equal arguments (MPI 5.0 §8.4). It is an error if `reorder` or the number of nodes differs; each
/// process uses the others for itself.
pub fn graph(
    mpi: &mut Mpi,
    comm: handle::Comm,
    graph: Graph,
    reorder: bool,
) -> Outcome<handle::Comm> {
    let arguments = Arguments::default()
        .and("nnodes", graph.size().into())
        .and_list("index", graph.index.iter().map(|&end| end.into()))
        .local()
        .and_list("edges", graph.edges.iter().map(|&edge| edge.into()))
        .local()
        .and("reorder", reorder.into());
    let size = graph.size();
    with_topology(mpi, comm, Creator::GraphCreate, &arguments, (size, Shape::Graph(graph)))
}

/// Implements `MPI_Cart_sub`; `remains` tells which dimensions remain.
pub fn cart_sub(mpi: &mut Mpi, comm: handle::Comm, remains: &[bool]) -> Outcome<handle::Comm> {
    let object = mpi.comm(comm)?;
    let (cart, colour, key) = object.cart()?.sub(object.rank, remains);
    let arguments =
        Arguments::default().and_list("remain_dims", remains.iter().map(|&remains| remains.into()));
    let place = (Some(colour), key as i32);
    let made = divide::split_alike(mpi, comm, Creator::CartSub, place, &arguments)?;
    attach(mpi, made, Shape::Cart(cart))
}

/// Implements `MPI_Dist_graph_create_adjacent`: every process names its own edges. Each edge must
/// be named at both ends (MPI 5.0 §8.5.4), which is checked if the development checks are on in all
/// processes: other graphs do no harm unless a collective operation uses them, and programs have
/// them.
pub fn dist_graph_adjacent(
    mpi: &mut Mpi,
    comm: handle::Comm,
    graph: DistGraph,
) -> Outcome<handle::Comm> {
    let rank = mpi.intracomm(comm)?.rank;
    let (weighted, edges) = (graph.weighted, sum_of_edges(rank, &graph));
    let checks = nemesis_mpi_check::is_on();
    let agreed = edges << 2 | u32::from(checks) << 1 | u32::from(weighted);
    let entry = [0, keyed(rank as i32, agreed), mpi.draw_context_from(comm, Choice::Any)?.0];
    let creator = Creator::DistGraphCreateAdjacent;
    let made = divide::divide(mpi, comm, creator, entry, |mpi, entries| {
        let numbers = || entries.iter().map(divide::agreed);
        let weighted: Vec<_> = numbers().map(|number| Some(number & 1 == 1)).collect();
        if let Some(text) = partly_weighted(&weighted) {
            nemesis_mpi_check::suspect(&nemesis_mpi_check::kinds::DIFFERENT, || text);
        }
        let sum = numbers().fold(0_u32, |sum, number| sum.wrapping_add(number & !3));
        if sum != 0 && numbers().all(|number| number & 2 != 0) {
            tell_edge_of_one_end(mpi, comm, &graph)?;
        }
        Ok(())
    })?;
    attach(mpi, made, Shape::DistGraph(graph))
}

/// Returns a number of 30 bits. The numbers of all processes add up to 0 if every edge is named at
/// both of its ends, and hardly ever otherwise.
fn sum_of_edges(rank: u32, graph: &DistGraph) -> u32 {
    let number = |from: u32, to: u32| number_of(&[from.into(), to.into()]);
    let outgoing = graph.destinations.ranks.iter().map(|&to| number(rank, to));
    let incoming = graph.sources.ranks.iter().map(|&from| number(from, rank));
    let add = |sum: u32, number| sum.wrapping_add(number);
    outgoing.fold(0, add).wrapping_sub(incoming.fold(0, add)) & (u32::MAX >> 2)
}

/// Tells a finding that names an edge which is not named at both ends. Collective.
#[cold]
fn tell_edge_of_one_end(mpi: &mut Mpi, comm: handle::Comm, graph: &DistGraph) -> Outcome {
    let (to, from) = (&graph.destinations.ranks, &graph.sources.ranks);
    let own: Vec<u64> = [to.len() as u64]
        .into_iter()
        .chain(to.iter().chain(from).map(|&rank| rank.into()))
        .collect();
    let lists = allgather_lists(mpi, comm, &own)?;
    let ends: Vec<(&[u64], &[u64])> = lists
        .iter()
        .map(|list| {
            list.split_first().map_or((&[][..], &[][..]), |(&outdegree, ranks)| {
                ranks.split_at(ranks.len().min(outdegree as usize))
            })
        })
        .collect();
    let why = one_end(&ends).unwrap_or_else(|| "an edge is named at one of its ends only".into());
    let (kind, site) = (&nemesis_mpi_check::kinds::GRAPH, nemesis_mpi_check::sites::here());
    nemesis_mpi_check::found(kind, site, 1, why);
    Ok(())
}

/// Describes an edge that its two ends do not name equally often. `ends`: the destinations and the
/// sources of each rank.
fn one_end(ends: &[(&[u64], &[u64])]) -> Option<String> {
    let count = |ranks: &[u64], rank: u64| ranks.iter().filter(|&&other| other == rank).count();
    let times = |count: usize| match count {
        0 => "does not name".into(),
        1 => "names".into(),
        count => format!("names {count} times"),
    };
    let ranks = || (0_u64..).zip(ends);
    ranks().find_map(|(rank, (to, from))| {
        let outgoing = to.iter().map(|&to| (rank, to));
        let mut edges = outgoing.chain(from.iter().map(|&from| (from, rank)));
        edges.find_map(|(from, to)| {
            let (there, here) = (ends.get(from as usize)?.0, ends.get(to as usize)?.1);
            let (there, here) = (count(there, to), count(here, from));
            (there != here).then(|| {
                let (there, here) = (times(there), times(here));
                format!(
                    "rank {from} {there} rank {to} as a destination, and rank {to} {here} rank \
                     {from} as a source"
                )
            })
        })
    })
}

/// Names two processes of which only one passes `MPI_UNWEIGHTED`. `weighted`: whether each process
/// passes weights; `None` if it does not tell.
fn partly_weighted(weighted: &[Option<bool>]) -> Option<String> {
    let first = |wanted: bool| weighted.iter().position(|&given| given == Some(wanted));
    let (with, without) = (first(true)?, first(false)?);
    Some(format!("rank {with} passes weights, and rank {without} MPI_UNWEIGHTED"))
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
    if let Some(why) = partly_weighted(&named.weighted) {
        return Err(Error::new(abi::MPI_ERR_ARG, why)
            .advise("pass MPI_UNWEIGHTED at all processes or at none"));
    }
    let no = named.weighted.contains(&Some(false));
    // If no process tells whether the graph is weighted, none has passed MPI_UNWEIGHTED.
    let graph = DistGraph::from_named(rank, &named.edges, !no);
    let (creator, shape) = (Creator::DistGraphCreate, (size, Shape::DistGraph(graph)));
    with_topology(mpi, comm, creator, &Arguments::default(), shape)
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
    let signature = Signature::creating(Creator::DistGraphCreate);
    run_for(mpi, comm, signature, |steps| {
        alltoall::alltoall(steps, &blocks(&counts), &blocks(&received_counts))
    })?;
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
    run_for(mpi, comm, signature, |steps| {
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
/// the others. All ranks must pass the same `arguments`.
fn with_topology(
    mpi: &mut Mpi,
    comm: handle::Comm,
    creator: Creator,
    arguments: &Arguments,
    (size, shape): (u32, Shape),
) -> Outcome<handle::Comm> {
    let rank = mpi.intracomm(comm)?.rank;
    let place = ((rank < size).then_some(0), rank as i32);
    let made = divide::split_alike(mpi, comm, creator, place, arguments)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::dist_graph::End;

    fn graph(to: &[u32], from: &[u32]) -> DistGraph {
        let end = |ranks: &[u32]| End { ranks: ranks.to_vec(), weights: Vec::new() };
        DistGraph { sources: end(from), destinations: end(to), weighted: false }
    }

    fn sum(graphs: &[DistGraph]) -> u32 {
        let sums = graphs.iter().zip(0..).map(|(graph, rank)| sum_of_edges(rank, graph) << 2);
        sums.fold(0, u32::wrapping_add)
    }

    #[test]
    fn edges_with_two_ends_add_up_to_nothing() {
        let ring = [graph(&[1, 1], &[2, 0]), graph(&[2], &[0, 0]), graph(&[0], &[1])];
        assert_ne!(sum(&ring), 0, "rank 0 has an edge to itself at one end");
        let ring = [graph(&[1, 0, 1], &[2, 0]), graph(&[2], &[0, 0]), graph(&[0], &[1])];
        assert_eq!(sum(&ring), 0);
        assert_ne!(sum(&[graph(&[1], &[]), graph(&[], &[])]), 0);
        assert_ne!(sum(&[graph(&[1], &[]), graph(&[], &[0, 0])]), 0);
    }

    #[test]
    fn an_edge_with_one_end_is_named() {
        assert_eq!(one_end(&[(&[1], &[]), (&[], &[0])]), None);
        assert_eq!(
            one_end(&[(&[1], &[]), (&[], &[])]).unwrap(),
            "rank 0 names rank 1 as a destination, and rank 1 does not name rank 0 as a source"
        );
        assert_eq!(
            one_end(&[(&[1], &[]), (&[], &[0, 0])]).unwrap(),
            "rank 0 names rank 1 as a destination, and rank 1 names 2 times rank 0 as a source"
        );
    }

    #[test]
    fn weights_are_given_by_all_or_by_none() {
        assert_eq!(partly_weighted(&[Some(true), None, Some(true)]), None);
        assert_eq!(partly_weighted(&[None, Some(false)]), None);
        let text = partly_weighted(&[None, Some(false), Some(true)]).unwrap();
        assert_eq!(text, "rank 2 passes weights, and rank 1 MPI_UNWEIGHTED");
    }
}
