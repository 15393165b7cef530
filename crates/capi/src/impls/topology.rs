//! Process topologies (MPI 5.0 chapter 8).

mod dist_graph;

pub use dist_graph::*;

use crate::params::{CommArray, InOutSlice, InSlice, Out, OutSlice};
use nemesis_mpi::abi;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, ErrorClass, Outcome};
use nemesis_mpi::handle::Comm;
use nemesis_mpi::topology::{Cart, Graph, Shape, create, dims};
use std::ffi::c_int;

/// The length of an array.
fn length(count: c_int, name: &str, class: ErrorClass) -> Outcome<usize> {
    usize::try_from(count)
        .map_err(|_| Error::new(class, format!("{name} is {count}, it must not be negative")))
}

/// Checks that an array is long enough for what is written into it.
fn long_enough(max: c_int, name: &str, needed: usize) -> Outcome {
    if length(max, name, abi::MPI_ERR_ARG)? < needed {
        return Err(Error::new(
            abi::MPI_ERR_ARG,
            format!("{name} is {max}, and there are {needed} to be told"),
        ));
    }
    Ok(())
}

/// A rank of the communicator.
fn member(mpi: &Mpi, comm: Comm, rank: c_int) -> Outcome<u32> {
    let size = mpi.comm(comm)?.size();
    match u32::try_from(rank) {
        Ok(rank) if rank < size => Ok(rank),
        _ => Err(Error::new(
            abi::MPI_ERR_RANK,
            format!("rank {rank} is not in the communicator, which has {size} (0 to {})", size - 1),
        )),
    }
}

/// A rank, or `MPI_PROC_NULL` for `None`.
fn or_proc_null(rank: Option<u32>) -> c_int {
    rank.map_or(abi::MPI_PROC_NULL, |rank| rank as c_int)
}

pub fn topo_test(comm: Comm, status: Out<'_, c_int>) -> Outcome {
    let mpi = enter()?;
    let kind = match mpi.comm(comm)?.topology.as_deref().map(|topology| &topology.shape) {
        None => abi::MPI_UNDEFINED,
        Some(Shape::Cart(_)) => abi::MPI_CART,
        Some(Shape::Graph(_)) => abi::MPI_GRAPH,
        Some(Shape::DistGraph(_)) => abi::MPI_DIST_GRAPH,
    };
    status.put("status", kind)
}

/// The grid that a call describes, for the members of `comm`.
fn grid(
    mpi: &Mpi,
    comm: Comm,
    ndims: c_int,
    dims: InSlice<'_, c_int>,
    periods: InSlice<'_, c_int>,
) -> Outcome<Cart> {
    let members = mpi.intracomm(comm)?.size();
    length(ndims, "ndims", abi::MPI_ERR_DIMS)?;
    Cart::new(dims.require("dims")?, periods.require("periods")?, members)
}

pub fn cart_create(
    comm_old: Comm,
    ndims: c_int,
    dims: InSlice<'_, c_int>,
    periods: InSlice<'_, c_int>,
    reorder: c_int,
    comm_cart: Out<'_, Comm>,
) -> Outcome {
    let mut mpi = enter()?;
    let cart = grid(&mpi, comm_old, ndims, dims, periods)?;
    let comm_cart = comm_cart.require("comm_cart")?;
    let made = create::cart(&mut mpi, comm_old, cart, reorder != 0)?;
    comm_cart.write(made);
    Ok(())
}

/// Keeps the rank. A rank beyond the grid has no place in it.
pub fn cart_map(
    comm: Comm,
    ndims: c_int,
    dims: InSlice<'_, c_int>,
    periods: InSlice<'_, c_int>,
    newrank: Out<'_, c_int>,
) -> Outcome {
    let mpi = enter()?;
    let size = grid(&mpi, comm, ndims, dims, periods)?.size();
    let rank = mpi.comm(comm)?.rank;
    newrank.put("newrank", if rank < size { rank as c_int } else { abi::MPI_UNDEFINED })
}

pub fn cartdim_get(comm: Comm, ndims: Out<'_, c_int>) -> Outcome {
    let dimensions = enter()?.comm(comm)?.cart()?.dimensions.len();
    ndims.put("ndims", dimensions as c_int)
}

pub fn cart_get(
    comm: Comm,
    maxdims: c_int,
    dims: OutSlice<'_, c_int>,
    periods: OutSlice<'_, c_int>,
    coords: OutSlice<'_, c_int>,
) -> Outcome {
    let mpi = enter()?;
    let object = mpi.comm(comm)?;
    let cart = object.cart()?;
    long_enough(maxdims, "maxdims", cart.dimensions.len())?;
    dims.fill("dims", cart.dimensions.iter().map(|dimension| dimension.length as c_int))?;
    periods
        .fill("periods", cart.dimensions.iter().map(|dimension| c_int::from(dimension.periodic)))?;
    coords.fill("coords", cart.coordinates(object.rank))
}

pub fn cart_coords(
    comm: Comm,
    rank: c_int,
    maxdims: c_int,
    coords: OutSlice<'_, c_int>,
) -> Outcome {
    let mpi = enter()?;
    let cart = mpi.comm(comm)?.cart()?;
    let rank = member(&mpi, comm, rank)?;
    long_enough(maxdims, "maxdims", cart.dimensions.len())?;
    coords.fill("coords", cart.coordinates(rank))
}

pub fn cart_rank(comm: Comm, coords: CommArray<'_, c_int>, rank: Out<'_, c_int>) -> Outcome {
    let mpi = enter()?;
    let cart = mpi.comm(comm)?.cart()?;
    let found = cart.rank(coords.require(cart.dimensions.len(), "coords")?)?;
    rank.put("rank", found as c_int)
}

pub fn cart_shift(
    comm: Comm,
    direction: c_int,
    disp: c_int,
    rank_source: Out<'_, c_int>,
    rank_dest: Out<'_, c_int>,
) -> Outcome {
    let mpi = enter()?;
    let object = mpi.comm(comm)?;
    let (cart, own) = (object.cart()?, object.rank);
    let direction = match usize::try_from(direction) {
        Ok(direction) if direction < cart.dimensions.len() => direction,
        _ => {
            return Err(Error::new(
                abi::MPI_ERR_DIMS,
                format!(
                    "direction {direction} is none of the {} dimensions",
                    cart.dimensions.len()
                ),
            ));
        }
    };
    let (source, dest) = (cart.before(own, direction, disp), cart.along(own, direction, disp));
    rank_source.put("rank_source", or_proc_null(source))?;
    rank_dest.put("rank_dest", or_proc_null(dest))
}

pub fn cart_sub(comm: Comm, remain_dims: CommArray<'_, c_int>, newcomm: Out<'_, Comm>) -> Outcome {
    let mut mpi = enter()?;
    let dimensions = mpi.comm(comm)?.cart()?.dimensions.len();
    let remains: Vec<bool> = remain_dims
        .require(dimensions, "remain_dims")?
        .iter()
        .map(|&remains| remains != 0)
        .collect();
    let newcomm = newcomm.require("newcomm")?;
    let made = create::cart_sub(&mut mpi, comm, &remains)?;
    newcomm.write(made);
    Ok(())
}

pub fn dims_create(nnodes: c_int, ndims: c_int, dims: InOutSlice<'_, c_int>) -> Outcome {
    length(ndims, "ndims", abi::MPI_ERR_DIMS)?;
    dims::fill(nnodes, dims.require("dims")?)
}

/// The graph that a call describes, for the members of `comm`.
fn nodes(
    mpi: &Mpi,
    comm: Comm,
    nnodes: c_int,
    index: InSlice<'_, c_int>,
    edges: InSlice<'_, c_int>,
) -> Outcome<Graph> {
    let members = mpi.intracomm(comm)?.size();
    length(nnodes, "nnodes", abi::MPI_ERR_ARG)?;
    let index = Graph::index(index.require("index")?)?;
    Graph::new(index, edges.require("edges")?, members)
}

pub fn graph_create(
    comm_old: Comm,
    nnodes: c_int,
    index: InSlice<'_, c_int>,
    edges: InSlice<'_, c_int>,
    reorder: c_int,
    comm_graph: Out<'_, Comm>,
) -> Outcome {
    let mut mpi = enter()?;
    let graph = nodes(&mpi, comm_old, nnodes, index, edges)?;
    let comm_graph = comm_graph.require("comm_graph")?;
    let made = create::graph(&mut mpi, comm_old, graph, reorder != 0)?;
    comm_graph.write(made);
    Ok(())
}

/// Keeps the rank. A rank beyond the nodes has no place in the graph.
pub fn graph_map(
    comm: Comm,
    nnodes: c_int,
    index: InSlice<'_, c_int>,
    edges: InSlice<'_, c_int>,
    newrank: Out<'_, c_int>,
) -> Outcome {
    let mpi = enter()?;
    let size = nodes(&mpi, comm, nnodes, index, edges)?.size();
    let rank = mpi.comm(comm)?.rank;
    newrank.put("newrank", if rank < size { rank as c_int } else { abi::MPI_UNDEFINED })
}

pub fn graphdims_get(comm: Comm, nnodes: Out<'_, c_int>, nedges: Out<'_, c_int>) -> Outcome {
    let mpi = enter()?;
    let graph = mpi.comm(comm)?.graph()?;
    nnodes.put("nnodes", graph.size() as c_int)?;
    nedges.put("nedges", graph.edges.len() as c_int)
}

pub fn graph_get(
    comm: Comm,
    maxindex: c_int,
    maxedges: c_int,
    index: OutSlice<'_, c_int>,
    edges: OutSlice<'_, c_int>,
) -> Outcome {
    let mpi = enter()?;
    let graph = mpi.comm(comm)?.graph()?;
    long_enough(maxindex, "maxindex", graph.index.len())?;
    long_enough(maxedges, "maxedges", graph.edges.len())?;
    index.fill("index", graph.index.iter().map(|&end| end as c_int))?;
    edges.fill("edges", graph.edges.iter().map(|&edge| edge as c_int))
}

pub fn graph_neighbors_count(comm: Comm, rank: c_int, nneighbors: Out<'_, c_int>) -> Outcome {
    let mpi = enter()?;
    let graph = mpi.comm(comm)?.graph()?;
    let neighbours = graph.neighbours(member(&mpi, comm, rank)?).len();
    nneighbors.put("nneighbors", neighbours as c_int)
}

pub fn graph_neighbors(
    comm: Comm,
    rank: c_int,
    maxneighbors: c_int,
    neighbors: OutSlice<'_, c_int>,
) -> Outcome {
    let mpi = enter()?;
    let graph = mpi.comm(comm)?.graph()?;
    let told = graph.neighbours(member(&mpi, comm, rank)?);
    long_enough(maxneighbors, "maxneighbors", told.len())?;
    neighbors.fill("neighbors", told.iter().map(|&rank| rank as c_int))
}
