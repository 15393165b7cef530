//! Distributed graphs (MPI 5.0 §8.5.4).

use super::{length, member};
use crate::params::{InSlice, Out, OutSlice};
use nemesis_mpi::abi;
use nemesis_mpi::coll::operations;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Info};
use nemesis_mpi::topology::create;
use nemesis_mpi::topology::dist_graph::{DistGraph, End, NamedEdge};
use std::ffi::c_int;

/// The argument for weights.
enum Weights<'a> {
    /// `MPI_UNWEIGHTED`
    None,
    Given(&'a [c_int]),
}

/// Weights for `len` edges. `MPI_WEIGHTS_EMPTY`, or any address, for no edges.
fn weights<'a>(array: InSlice<'a, c_int>, len: usize, name: &'static str) -> Outcome<Weights<'a>> {
    if array.addr() == abi::MPI_UNWEIGHTED {
        return Ok(Weights::None);
    }
    if array.addr() == abi::MPI_WEIGHTS_EMPTY && len > 0 {
        return Err(Error::new(
            abi::MPI_ERR_ARG,
            format!("{name} is MPI_WEIGHTS_EMPTY, and there are {len} edges"),
        )
        .advise("pass an array of weights, or MPI_UNWEIGHTED"));
    }
    let weights = array.require(name)?;
    match weights.iter().position(|weight| *weight < 0) {
        Some(place) => Err(Error::new(
            abi::MPI_ERR_ARG,
            format!("{name}[{place}] is {}, it must not be negative", weights[place]),
        )),
        None => Ok(Weights::Given(weights)),
    }
}

/// Ranks of the communicator.
fn members(
    mpi: &Mpi,
    comm: Comm,
    array: InSlice<'_, c_int>,
    name: &'static str,
) -> Outcome<Vec<u32>> {
    array.require(name)?.iter().map(|&rank| member(mpi, comm, rank)).collect()
}

pub fn dist_graph_create_adjacent(
    comm_old: Comm,
    indegree: c_int,
    sources: InSlice<'_, c_int>,
    sourceweights: InSlice<'_, c_int>,
    outdegree: c_int,
    destinations: InSlice<'_, c_int>,
    destweights: InSlice<'_, c_int>,
    info: Info,
    _reorder: c_int,
    comm_dist_graph: Out<'_, Comm>,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.intracomm(comm_old)?;
    let (indegree, outdegree) = (
        length(indegree, "indegree", abi::MPI_ERR_ARG)?,
        length(outdegree, "outdegree", abi::MPI_ERR_ARG)?,
    );
    let (sources, destinations, from, to) = (
        members(&mpi, comm_old, sources, "sources")?,
        members(&mpi, comm_old, destinations, "destinations")?,
        weights(sourceweights, indegree, "sourceweights")?,
        weights(destweights, outdegree, "destweights")?,
    );
    let (from, to, weighted) = match (from, to) {
        (Weights::None, Weights::None) => (Vec::new(), Vec::new(), false),
        (Weights::Given(from), Weights::Given(to)) => (from.to_vec(), to.to_vec(), true),
        _ => {
            let why = "one of sourceweights and destweights is MPI_UNWEIGHTED, the other is not";
            return Err(Error::new(abi::MPI_ERR_ARG, why)
                .advise("pass MPI_WEIGHTS_EMPTY where there are no edges"));
        }
    };
    let hints = operations::hints(info)?;
    let comm_dist_graph = comm_dist_graph.require("comm_dist_graph")?;
    let graph = DistGraph {
        sources: End { ranks: sources, weights: from },
        destinations: End { ranks: destinations, weights: to },
        weighted,
    };
    let made = create::dist_graph_adjacent(&mut mpi, comm_old, graph)?;
    mpi.comm_mut(made)?.take_hints(&hints);
    comm_dist_graph.write(made);
    Ok(())
}

pub fn dist_graph_create(
    comm_old: Comm,
    n: c_int,
    sources: InSlice<'_, c_int>,
    degrees: InSlice<'_, c_int>,
    destinations: InSlice<'_, c_int>,
    weights: InSlice<'_, c_int>,
    info: Info,
    _reorder: c_int,
    comm_dist_graph: Out<'_, Comm>,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.intracomm(comm_old)?;
    length(n, "n", abi::MPI_ERR_ARG)?;
    let (edges, weighted) = named_edges(&mpi, comm_old, [sources, degrees, destinations, weights])?;
    let hints = operations::hints(info)?;
    let comm_dist_graph = comm_dist_graph.require("comm_dist_graph")?;
    let made = create::dist_graph(&mut mpi, comm_old, &edges, weighted)?;
    mpi.comm_mut(made)?.take_hints(&hints);
    comm_dist_graph.write(made);
    Ok(())
}

/// The edges that a call names, and whether they have weights. A call that names no edge and gives
/// no address of weights says nothing about weights.
fn named_edges(
    mpi: &Mpi,
    comm: Comm,
    arrays: [InSlice<'_, c_int>; 4],
) -> Outcome<(Vec<NamedEdge>, Option<bool>)> {
    let [sources, degrees, destinations, given] = arrays;
    let (sources, degrees) = (members(mpi, comm, sources, "sources")?, degrees.require("degrees")?);
    let degrees = degrees
        .iter()
        .map(|&degree| length(degree, "an entry of degrees", abi::MPI_ERR_ARG))
        .collect::<Outcome<Vec<_>>>()?;
    let total = degrees.iter().sum();
    let (destinations, weights) =
        (members(mpi, comm, destinations, "destinations")?, weights(given, total, "weights")?);
    let origins = sources
        .iter()
        .zip(&degrees)
        .flat_map(|(&source, &degree)| std::iter::repeat_n(source, degree));
    let weight_of = |place: usize| match weights {
        Weights::None => 0,
        Weights::Given(weights) => weights[place],
    };
    let edges = origins
        .zip(destinations)
        .enumerate()
        .map(|(place, (source, destination))| NamedEdge {
            source,
            destination,
            weight: weight_of(place),
        })
        .collect();
    let says = total > 0 || !given.is_null();
    Ok((edges, says.then_some(matches!(weights, Weights::Given(_)))))
}

pub fn dist_graph_neighbors_count(
    comm: Comm,
    indegree: Out<'_, c_int>,
    outdegree: Out<'_, c_int>,
    weighted: Out<'_, c_int>,
) -> Outcome {
    let mpi = enter()?;
    let graph = mpi.comm(comm)?.dist_graph()?;
    indegree.put("indegree", graph.sources.ranks.len() as c_int)?;
    outdegree.put("outdegree", graph.destinations.ranks.len() as c_int)?;
    weighted.put("weighted", c_int::from(graph.weighted))
}

/// Writes the neighbours. Arrays that are too short get the first part (MPI 5.0 §8.5.5). Arrays for
/// weights stay unwritten if the graph has no weights.
pub fn dist_graph_neighbors(
    comm: Comm,
    maxindegree: c_int,
    sources: OutSlice<'_, c_int>,
    sourceweights: OutSlice<'_, c_int>,
    maxoutdegree: c_int,
    destinations: OutSlice<'_, c_int>,
    destweights: OutSlice<'_, c_int>,
) -> Outcome {
    let mpi = enter()?;
    let graph = mpi.comm(comm)?.dist_graph()?;
    let most_in = length(maxindegree, "maxindegree", abi::MPI_ERR_ARG)?;
    let most_out = length(maxoutdegree, "maxoutdegree", abi::MPI_ERR_ARG)?;
    put_end(&graph.sources, most_in, [sources, sourceweights], ["sources", "sourceweights"])?;
    put_end(
        &graph.destinations,
        most_out,
        [destinations, destweights],
        ["destinations", "destweights"],
    )
}

/// Writes at most `most` of the edges at one end of the process.
fn put_end(
    end: &End,
    most: usize,
    [ranks, weights]: [OutSlice<'_, c_int>; 2],
    names: [&'static str; 2],
) -> Outcome {
    ranks.fill(names[0], end.ranks.iter().take(most).map(|&rank| rank as c_int))?;
    if [abi::MPI_UNWEIGHTED, abi::MPI_WEIGHTS_EMPTY].contains(&weights.addr()) {
        return Ok(());
    }
    weights.fill(names[1], end.weights.iter().take(most).copied())
}
