// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: topo.

use crate::prelude::*;

binding! {
    MPI_Cart_coords PMPI_Cart_coords(
        comm: Comm as comm, rank: c_int as rank, maxdims: c_int as int, coords: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::cart_coords(comm, rank, maxdims, OutSlice::new(coords, maxdims as i64))
    }
}

binding! {
    MPI_Cart_create PMPI_Cart_create(
        comm_old: Comm as comm, ndims: c_int as int, dims: *const c_int as address, periods: *const c_int as address,
        reorder: c_int as int, comm_cart: *mut Comm as out_comm,
    )
    on Raise::Comm(comm_old) =>
    {
        impls::cart_create(
            comm_old, ndims, InSlice::new(dims, ndims as i64), InSlice::new(periods, ndims as i64), reorder,
            Out::new(comm_cart),
        )
    }
}

binding! {
    MPI_Cart_get PMPI_Cart_get(
        comm: Comm as comm, maxdims: c_int as int, dims: *mut c_int as address, periods: *mut c_int as address,
        coords: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::cart_get(
            comm, maxdims, OutSlice::new(dims, maxdims as i64), OutSlice::new(periods, maxdims as i64),
            OutSlice::new(coords, maxdims as i64),
        )
    }
}

binding! {
    MPI_Cart_map PMPI_Cart_map(
        comm: Comm as comm, ndims: c_int as int, dims: *const c_int as address, periods: *const c_int as address,
        newrank: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::cart_map(
            comm, ndims, InSlice::new(dims, ndims as i64), InSlice::new(periods, ndims as i64), Out::new(newrank),
        )
    }
}

binding! {
    MPI_Cart_rank PMPI_Cart_rank(comm: Comm as comm, coords: *const c_int as address, rank: *mut c_int as address)
    on Raise::Comm(comm) =>
    {
        impls::cart_rank(comm, CommArray::new(coords), Out::new(rank))
    }
}

binding! {
    MPI_Cart_shift PMPI_Cart_shift(
        comm: Comm as comm, direction: c_int as int, disp: c_int as int, rank_source: *mut c_int as address,
        rank_dest: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::cart_shift(comm, direction, disp, Out::new(rank_source), Out::new(rank_dest))
    }
}

binding! {
    MPI_Cart_sub PMPI_Cart_sub(comm: Comm as comm, remain_dims: *const c_int as address, newcomm: *mut Comm as out_comm)
    on Raise::Comm(comm) =>
    {
        impls::cart_sub(comm, CommArray::new(remain_dims), Out::new(newcomm))
    }
}

binding! {
    MPI_Cartdim_get PMPI_Cartdim_get(comm: Comm as comm, ndims: *mut c_int as address)
    on Raise::Comm(comm) =>
    {
        impls::cartdim_get(comm, Out::new(ndims))
    }
}

binding! {
    MPI_Dims_create PMPI_Dims_create(nnodes: c_int as int, ndims: c_int as int, dims: *mut c_int as address)
    on Raise::Default =>
    {
        impls::dims_create(nnodes, ndims, InOutSlice::new(dims, ndims as i64))
    }
}

binding! {
    MPI_Dist_graph_create PMPI_Dist_graph_create(
        comm_old: Comm as comm, n: c_int as int, sources: *const c_int as address, degrees: *const c_int as address,
        destinations: *const c_int as address, weights: *const c_int as address, info: Info as info,
        reorder: c_int as int, comm_dist_graph: *mut Comm as out_comm,
    )
    on Raise::Comm(comm_old) =>
    {
        impls::dist_graph_create(
            comm_old, n, InSlice::new(sources, n as i64), InSlice::new(degrees, n as i64),
            InSlice::new(destinations, sum(InSlice::new(degrees, n as i64))),
            InSlice::new(weights, sum(InSlice::new(degrees, n as i64))), info, reorder, Out::new(comm_dist_graph),
        )
    }
}

binding! {
    MPI_Dist_graph_create_adjacent PMPI_Dist_graph_create_adjacent(
        comm_old: Comm as comm, indegree: c_int as int, sources: *const c_int as address,
        sourceweights: *const c_int as address, outdegree: c_int as int, destinations: *const c_int as address,
        destweights: *const c_int as address, info: Info as info, reorder: c_int as int,
        comm_dist_graph: *mut Comm as out_comm,
    )
    on Raise::Comm(comm_old) =>
    {
        impls::dist_graph_create_adjacent(
            comm_old, indegree, InSlice::new(sources, indegree as i64), InSlice::new(sourceweights, indegree as i64),
            outdegree, InSlice::new(destinations, outdegree as i64), InSlice::new(destweights, outdegree as i64),
            info, reorder, Out::new(comm_dist_graph),
        )
    }
}

binding! {
    MPI_Dist_graph_neighbors PMPI_Dist_graph_neighbors(
        comm: Comm as comm, maxindegree: c_int as int, sources: *mut c_int as address,
        sourceweights: *mut c_int as address, maxoutdegree: c_int as int, destinations: *mut c_int as address,
        destweights: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::dist_graph_neighbors(
            comm, maxindegree, OutSlice::new(sources, maxindegree as i64),
            OutSlice::new(sourceweights, maxindegree as i64), maxoutdegree,
            OutSlice::new(destinations, maxoutdegree as i64), OutSlice::new(destweights, maxoutdegree as i64),
        )
    }
}

binding! {
    MPI_Dist_graph_neighbors_count PMPI_Dist_graph_neighbors_count(
        comm: Comm as comm, indegree: *mut c_int as address, outdegree: *mut c_int as address,
        weighted: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::dist_graph_neighbors_count(comm, Out::new(indegree), Out::new(outdegree), Out::new(weighted))
    }
}

binding! {
    MPI_Graph_create PMPI_Graph_create(
        comm_old: Comm as comm, nnodes: c_int as int, index: *const c_int as address, edges: *const c_int as address,
        reorder: c_int as int, comm_graph: *mut Comm as out_comm,
    )
    on Raise::Comm(comm_old) =>
    {
        impls::graph_create(
            comm_old, nnodes, InSlice::new(index, nnodes as i64),
            InSlice::new(edges, last(InSlice::new(index, nnodes as i64))), reorder, Out::new(comm_graph),
        )
    }
}

binding! {
    MPI_Graph_get PMPI_Graph_get(
        comm: Comm as comm, maxindex: c_int as int, maxedges: c_int as int, index: *mut c_int as address,
        edges: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::graph_get(
            comm, maxindex, maxedges, OutSlice::new(index, maxindex as i64), OutSlice::new(edges, maxedges as i64),
        )
    }
}

binding! {
    MPI_Graph_map PMPI_Graph_map(
        comm: Comm as comm, nnodes: c_int as int, index: *const c_int as address, edges: *const c_int as address,
        newrank: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::graph_map(
            comm, nnodes, InSlice::new(index, nnodes as i64),
            InSlice::new(edges, last(InSlice::new(index, nnodes as i64))), Out::new(newrank),
        )
    }
}

binding! {
    MPI_Graph_neighbors PMPI_Graph_neighbors(
        comm: Comm as comm, rank: c_int as rank, maxneighbors: c_int as int, neighbors: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::graph_neighbors(comm, rank, maxneighbors, OutSlice::new(neighbors, maxneighbors as i64))
    }
}

binding! {
    MPI_Graph_neighbors_count PMPI_Graph_neighbors_count(
        comm: Comm as comm, rank: c_int as rank, nneighbors: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::graph_neighbors_count(comm, rank, Out::new(nneighbors))
    }
}

binding! {
    MPI_Graphdims_get PMPI_Graphdims_get(
        comm: Comm as comm, nnodes: *mut c_int as address, nedges: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::graphdims_get(comm, Out::new(nnodes), Out::new(nedges))
    }
}

binding! {
    MPI_Topo_test PMPI_Topo_test(comm: Comm as comm, status: *mut c_int as address)
    on Raise::Comm(comm) =>
    {
        impls::topo_test(comm, Out::new(status))
    }
}
