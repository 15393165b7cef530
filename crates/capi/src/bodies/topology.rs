//! Process topologies (MPI 5.0 chapter 8).

mod dist_graph;

pub use dist_graph::*;

use super::{place, put};
use nemesis_mpi::abi;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::Comm;
use nemesis_mpi::topology::{Cart, Graph, Shape, create, dims};
use std::ffi::c_int;

/// An array of so many numbers that the call reads.
unsafe fn read<'a>(array: *const c_int, len: usize, name: &'static str) -> Outcome<&'a [c_int]> {
    if len == 0 {
        return Ok(&[]);
    }
    let array = place(array.cast_mut(), name)?;
    // SAFETY: not null, so the caller's array.
    Ok(unsafe { std::slice::from_raw_parts(array, len) })
}

/// Writes numbers into an array.
unsafe fn write(
    array: *mut c_int,
    name: &'static str,
    numbers: impl ExactSizeIterator<Item = c_int>,
) -> Outcome {
    if numbers.len() > 0 {
        place(array, name)?;
    }
    for (index, number) in numbers.enumerate() {
        // SAFETY: the caller's array has as many elements.
        unsafe { array.add(index).write(number) };
    }
    Ok(())
}

/// A number of array elements.
fn length(count: c_int, name: &str, class: c_int) -> Outcome<usize> {
    usize::try_from(count)
        .map_err(|_| Error::new(class, format!("{name} is {count}, it must not be negative")))
}

/// An array that must hold `needed` elements.
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

/// A rank, or `MPI_PROC_NULL` where there is none.
fn or_nobody(rank: Option<u32>) -> c_int {
    rank.map_or(abi::MPI_PROC_NULL, |rank| rank as c_int)
}

pub unsafe fn topo_test(comm: Comm, status: *mut c_int) -> Outcome {
    let mpi = enter()?;
    let kind = match mpi.comm(comm)?.topology.as_deref().map(|topology| &topology.shape) {
        None => abi::MPI_UNDEFINED,
        Some(Shape::Cart(_)) => abi::MPI_CART,
        Some(Shape::Graph(_)) => abi::MPI_GRAPH,
        Some(Shape::DistGraph(_)) => abi::MPI_DIST_GRAPH,
    };
    // SAFETY: the caller's place.
    unsafe { put(status, "status", kind) }
}

/// The grid that a call describes, for the members of `comm`.
unsafe fn grid(
    mpi: &Mpi,
    comm: Comm,
    ndims: c_int,
    dims: *const c_int,
    periods: *const c_int,
) -> Outcome<Cart> {
    let members = mpi.intracomm(comm)?.size();
    let ndims = length(ndims, "ndims", abi::MPI_ERR_DIMS)?;
    // SAFETY: the caller's arrays of `ndims` elements.
    let (dims, periods) = unsafe { (read(dims, ndims, "dims")?, read(periods, ndims, "periods")?) };
    Cart::new(dims, periods, members)
}

pub unsafe fn cart_create(
    comm_old: Comm,
    ndims: c_int,
    dims: *const c_int,
    periods: *const c_int,
    _reorder: c_int,
    comm_cart: *mut Comm,
) -> Outcome {
    let mut mpi = enter()?;
    // SAFETY: the caller's arrays.
    let cart = unsafe { grid(&mpi, comm_old, ndims, dims, periods) }?;
    let comm_cart = place(comm_cart, "comm_cart")?;
    let made = create::cart(&mut mpi, comm_old, cart)?;
    // SAFETY: the caller's place.
    unsafe { put(comm_cart, "comm_cart", made) }
}

/// Ranks stay as they are; those beyond the grid have no place in it.
pub unsafe fn cart_map(
    comm: Comm,
    ndims: c_int,
    dims: *const c_int,
    periods: *const c_int,
    newrank: *mut c_int,
) -> Outcome {
    let mpi = enter()?;
    // SAFETY: the caller's arrays.
    let size = unsafe { grid(&mpi, comm, ndims, dims, periods) }?.size();
    let rank = mpi.comm(comm)?.rank;
    // SAFETY: the caller's place.
    unsafe { put(newrank, "newrank", if rank < size { rank as c_int } else { abi::MPI_UNDEFINED }) }
}

pub unsafe fn cartdim_get(comm: Comm, ndims: *mut c_int) -> Outcome {
    let dimensions = enter()?.comm(comm)?.cart()?.dimensions.len();
    // SAFETY: the caller's place.
    unsafe { put(ndims, "ndims", dimensions as c_int) }
}

pub unsafe fn cart_get(
    comm: Comm,
    maxdims: c_int,
    dims: *mut c_int,
    periods: *mut c_int,
    coords: *mut c_int,
) -> Outcome {
    let mpi = enter()?;
    let object = mpi.comm(comm)?;
    let cart = object.cart()?;
    long_enough(maxdims, "maxdims", cart.dimensions.len())?;
    // SAFETY: the caller's arrays, which are long enough.
    unsafe {
        write(dims, "dims", cart.dimensions.iter().map(|dimension| dimension.length as c_int))?;
        write(
            periods,
            "periods",
            cart.dimensions.iter().map(|dimension| c_int::from(dimension.periodic)),
        )?;
        write(coords, "coords", cart.coordinates(object.rank).into_iter())
    }
}

pub unsafe fn cart_coords(comm: Comm, rank: c_int, maxdims: c_int, coords: *mut c_int) -> Outcome {
    let mpi = enter()?;
    let cart = mpi.comm(comm)?.cart()?;
    let rank = member(&mpi, comm, rank)?;
    long_enough(maxdims, "maxdims", cart.dimensions.len())?;
    // SAFETY: the caller's array, which is long enough.
    unsafe { write(coords, "coords", cart.coordinates(rank).into_iter()) }
}

pub unsafe fn cart_rank(comm: Comm, coords: *const c_int, rank: *mut c_int) -> Outcome {
    let mpi = enter()?;
    let cart = mpi.comm(comm)?.cart()?;
    // SAFETY: the caller's array has a coordinate for each dimension.
    let found = cart.rank(unsafe { read(coords, cart.dimensions.len(), "coords") }?)?;
    // SAFETY: the caller's place.
    unsafe { put(rank, "rank", found as c_int) }
}

pub unsafe fn cart_shift(
    comm: Comm,
    direction: c_int,
    disp: c_int,
    rank_source: *mut c_int,
    rank_dest: *mut c_int,
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
    // SAFETY: the caller's places.
    unsafe {
        put(rank_source, "rank_source", or_nobody(source))?;
        put(rank_dest, "rank_dest", or_nobody(dest))
    }
}

pub unsafe fn cart_sub(comm: Comm, remain_dims: *const c_int, newcomm: *mut Comm) -> Outcome {
    let mut mpi = enter()?;
    let dimensions = mpi.comm(comm)?.cart()?.dimensions.len();
    // SAFETY: the caller's array has an element for each dimension.
    let remains: Vec<bool> = unsafe { read(remain_dims, dimensions, "remain_dims") }?
        .iter()
        .map(|&remains| remains != 0)
        .collect();
    let newcomm = place(newcomm, "newcomm")?;
    let made = create::cart_sub(&mut mpi, comm, &remains)?;
    // SAFETY: the caller's place.
    unsafe { put(newcomm, "newcomm", made) }
}

pub unsafe fn dims_create(nnodes: c_int, ndims: c_int, dims: *mut c_int) -> Outcome {
    let len = length(ndims, "ndims", abi::MPI_ERR_DIMS)?;
    if len == 0 {
        return dims::fill(nnodes, &mut []);
    }
    let dims = place(dims, "dims")?;
    // SAFETY: not null, so the caller's array.
    dims::fill(nnodes, unsafe { std::slice::from_raw_parts_mut(dims, len) })
}

/// The graph that a call describes, for the members of `comm`.
unsafe fn nodes(
    mpi: &Mpi,
    comm: Comm,
    nnodes: c_int,
    index: *const c_int,
    edges: *const c_int,
) -> Outcome<Graph> {
    let members = mpi.intracomm(comm)?.size();
    let nnodes = length(nnodes, "nnodes", abi::MPI_ERR_ARG)?;
    // SAFETY: the caller's array.
    let index = Graph::index(unsafe { read(index, nnodes, "index") }?)?;
    // SAFETY: the caller's array has as many edges as the last entry says.
    let edges = unsafe { read(edges, index.last().map_or(0, |&edges| edges as usize), "edges") }?;
    Graph::new(index, edges, members)
}

pub unsafe fn graph_create(
    comm_old: Comm,
    nnodes: c_int,
    index: *const c_int,
    edges: *const c_int,
    _reorder: c_int,
    comm_graph: *mut Comm,
) -> Outcome {
    let mut mpi = enter()?;
    // SAFETY: the caller's arrays.
    let graph = unsafe { nodes(&mpi, comm_old, nnodes, index, edges) }?;
    let comm_graph = place(comm_graph, "comm_graph")?;
    let made = create::graph(&mut mpi, comm_old, graph)?;
    // SAFETY: the caller's place.
    unsafe { put(comm_graph, "comm_graph", made) }
}

/// Ranks stay as they are; those beyond the nodes have no place in the graph.
pub unsafe fn graph_map(
    comm: Comm,
    nnodes: c_int,
    index: *const c_int,
    edges: *const c_int,
    newrank: *mut c_int,
) -> Outcome {
    let mpi = enter()?;
    // SAFETY: the caller's arrays.
    let size = unsafe { nodes(&mpi, comm, nnodes, index, edges) }?.size();
    let rank = mpi.comm(comm)?.rank;
    // SAFETY: the caller's place.
    unsafe { put(newrank, "newrank", if rank < size { rank as c_int } else { abi::MPI_UNDEFINED }) }
}

pub unsafe fn graphdims_get(comm: Comm, nnodes: *mut c_int, nedges: *mut c_int) -> Outcome {
    let mpi = enter()?;
    let graph = mpi.comm(comm)?.graph()?;
    // SAFETY: the caller's places.
    unsafe {
        put(nnodes, "nnodes", graph.size() as c_int)?;
        put(nedges, "nedges", graph.edges.len() as c_int)
    }
}

pub unsafe fn graph_get(
    comm: Comm,
    maxindex: c_int,
    maxedges: c_int,
    index: *mut c_int,
    edges: *mut c_int,
) -> Outcome {
    let mpi = enter()?;
    let graph = mpi.comm(comm)?.graph()?;
    long_enough(maxindex, "maxindex", graph.index.len())?;
    long_enough(maxedges, "maxedges", graph.edges.len())?;
    // SAFETY: the caller's arrays, which are long enough.
    unsafe {
        write(index, "index", graph.index.iter().map(|&end| end as c_int))?;
        write(edges, "edges", graph.edges.iter().map(|&edge| edge as c_int))
    }
}

pub unsafe fn graph_neighbors_count(comm: Comm, rank: c_int, nneighbors: *mut c_int) -> Outcome {
    let mpi = enter()?;
    let graph = mpi.comm(comm)?.graph()?;
    let neighbours = graph.neighbours(member(&mpi, comm, rank)?).len();
    // SAFETY: the caller's place.
    unsafe { put(nneighbors, "nneighbors", neighbours as c_int) }
}

pub unsafe fn graph_neighbors(
    comm: Comm,
    rank: c_int,
    maxneighbors: c_int,
    neighbors: *mut c_int,
) -> Outcome {
    let mpi = enter()?;
    let graph = mpi.comm(comm)?.graph()?;
    let told = graph.neighbours(member(&mpi, comm, rank)?);
    long_enough(maxneighbors, "maxneighbors", told.len())?;
    // SAFETY: the caller's array, which is long enough.
    unsafe { write(neighbors, "neighbors", told.iter().map(|&rank| rank as c_int)) }
}
