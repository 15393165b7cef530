// generated from api/ by cargo xtask generate; do not edit
//! The bindings of MPICH's ABI: topo.

use crate::prelude::*;

binding! {
    MPI_Cart_coords PMPI_Cart_coords(
        comm: c_int as comm, rank: c_int as rank, maxdims: c_int as int, coords: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::cart_coords(to::comm(comm), to::rank(rank), maxdims, OutSlice::new(coords, maxdims as i64))
    }
}

binding! {
    MPI_Cart_create PMPI_Cart_create(
        comm_old: c_int as comm, ndims: c_int as int, dims: *const c_int as address, periods: *const c_int as address,
        reorder: c_int as int, comm_cart: *mut c_int as out_comm,
    )
    on Raise::Comm(to::comm(comm_old)) =>
    {
        let mut comm_cart = Place::out(Out::new(comm_cart), Comm::NULL);
        impls::cart_create(
            to::comm(comm_old), ndims, InSlice::new(dims, ndims as i64), InSlice::new(periods, ndims as i64), reorder,
            Out::new(comm_cart.pass()),
        )?;
        comm_cart.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Cart_get PMPI_Cart_get(
        comm: c_int as comm, maxdims: c_int as int, dims: *mut c_int as address, periods: *mut c_int as address,
        coords: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::cart_get(
            to::comm(comm), maxdims, OutSlice::new(dims, maxdims as i64), OutSlice::new(periods, maxdims as i64),
            OutSlice::new(coords, maxdims as i64),
        )
    }
}

binding! {
    MPI_Cart_map PMPI_Cart_map(
        comm: c_int as comm, ndims: c_int as int, dims: *const c_int as address, periods: *const c_int as address,
        newrank: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newrank = Place::out(Out::new(newrank), 0);
        impls::cart_map(
            to::comm(comm), ndims, InSlice::new(dims, ndims as i64), InSlice::new(periods, ndims as i64),
            Out::new(newrank.pass()),
        )?;
        newrank.leave(from::rank);
        Ok(())
    }
}

binding! {
    MPI_Cart_rank PMPI_Cart_rank(comm: c_int as comm, coords: *const c_int as address, rank: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut rank = Place::out(Out::new(rank), 0);
        impls::cart_rank(to::comm(comm), CommArray::new(coords), Out::new(rank.pass()))?;
        rank.leave(from::rank);
        Ok(())
    }
}

binding! {
    MPI_Cart_shift PMPI_Cart_shift(
        comm: c_int as comm, direction: c_int as int, disp: c_int as int, rank_source: *mut c_int as address,
        rank_dest: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut rank_source = Place::out(Out::new(rank_source), 0);
        let mut rank_dest = Place::out(Out::new(rank_dest), 0);
        impls::cart_shift(to::comm(comm), direction, disp, Out::new(rank_source.pass()), Out::new(rank_dest.pass()))?;
        rank_source.leave(from::rank);
        rank_dest.leave(from::rank);
        Ok(())
    }
}

binding! {
    MPI_Cart_sub PMPI_Cart_sub(
        comm: c_int as comm, remain_dims: *const c_int as address, newcomm: *mut c_int as out_comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        impls::cart_sub(to::comm(comm), CommArray::new(remain_dims), Out::new(newcomm.pass()))?;
        newcomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Cartdim_get PMPI_Cartdim_get(comm: c_int as comm, ndims: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::cartdim_get(to::comm(comm), Out::new(ndims))
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
        comm_old: c_int as comm, n: c_int as int, sources: *const c_int as address, degrees: *const c_int as address,
        destinations: *const c_int as address, weights: *const c_int as address, info: c_int as info,
        reorder: c_int as int, comm_dist_graph: *mut c_int as out_comm,
    )
    on Raise::Comm(to::comm(comm_old)) =>
    {
        let sources = Array::<_, _>::read(InSlice::new(sources, n as i64), to::rank);
        let destinations = Array::<_, _>::read(InSlice::new(destinations, sum(InSlice::new(degrees, n as i64))), to::rank);
        let mut comm_dist_graph = Place::out(Out::new(comm_dist_graph), Comm::NULL);
        impls::dist_graph_create(
            to::comm(comm_old), n, InSlice::new(sources.pass(), n as i64), InSlice::new(degrees, n as i64),
            InSlice::new(destinations.pass(), sum(InSlice::new(degrees, n as i64))),
            InSlice::new(weights, sum(InSlice::new(degrees, n as i64))), to::info(info), reorder,
            Out::new(comm_dist_graph.pass()),
        )?;
        comm_dist_graph.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Dist_graph_create_adjacent PMPI_Dist_graph_create_adjacent(
        comm_old: c_int as comm, indegree: c_int as int, sources: *const c_int as address,
        sourceweights: *const c_int as address, outdegree: c_int as int, destinations: *const c_int as address,
        destweights: *const c_int as address, info: c_int as info, reorder: c_int as int,
        comm_dist_graph: *mut c_int as out_comm,
    )
    on Raise::Comm(to::comm(comm_old)) =>
    {
        let sources = Array::<_, _>::read(InSlice::new(sources, indegree as i64), to::rank);
        let destinations = Array::<_, _>::read(InSlice::new(destinations, outdegree as i64), to::rank);
        let mut comm_dist_graph = Place::out(Out::new(comm_dist_graph), Comm::NULL);
        impls::dist_graph_create_adjacent(
            to::comm(comm_old), indegree, InSlice::new(sources.pass(), indegree as i64),
            InSlice::new(sourceweights, indegree as i64), outdegree,
            InSlice::new(destinations.pass(), outdegree as i64), InSlice::new(destweights, outdegree as i64),
            to::info(info), reorder, Out::new(comm_dist_graph.pass()),
        )?;
        comm_dist_graph.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Dist_graph_neighbors PMPI_Dist_graph_neighbors(
        comm: c_int as comm, maxindegree: c_int as int, sources: *mut c_int as address,
        sourceweights: *mut c_int as address, maxoutdegree: c_int as int, destinations: *mut c_int as address,
        destweights: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut sources = Array::<_, _>::out(OutSlice::new(sources, maxindegree as i64), 0);
        let mut destinations = Array::<_, _>::out(OutSlice::new(destinations, maxoutdegree as i64), 0);
        impls::dist_graph_neighbors(
            to::comm(comm), maxindegree, OutSlice::new(sources.pass_mut(), maxindegree as i64),
            OutSlice::new(sourceweights, maxindegree as i64), maxoutdegree,
            OutSlice::new(destinations.pass_mut(), maxoutdegree as i64),
            OutSlice::new(destweights, maxoutdegree as i64),
        )?;
        sources.leave(from::rank);
        destinations.leave(from::rank);
        Ok(())
    }
}

binding! {
    MPI_Dist_graph_neighbors_count PMPI_Dist_graph_neighbors_count(
        comm: c_int as comm, indegree: *mut c_int as address, outdegree: *mut c_int as address,
        weighted: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::dist_graph_neighbors_count(to::comm(comm), Out::new(indegree), Out::new(outdegree), Out::new(weighted))
    }
}

binding! {
    MPI_Graph_create PMPI_Graph_create(
        comm_old: c_int as comm, nnodes: c_int as int, index: *const c_int as address, edges: *const c_int as address,
        reorder: c_int as int, comm_graph: *mut c_int as out_comm,
    )
    on Raise::Comm(to::comm(comm_old)) =>
    {
        let edges = Array::<_, _>::read(InSlice::new(edges, last(InSlice::new(index, nnodes as i64))), to::rank);
        let mut comm_graph = Place::out(Out::new(comm_graph), Comm::NULL);
        impls::graph_create(
            to::comm(comm_old), nnodes, InSlice::new(index, nnodes as i64),
            InSlice::new(edges.pass(), last(InSlice::new(index, nnodes as i64))), reorder,
            Out::new(comm_graph.pass()),
        )?;
        comm_graph.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPI_Graph_get PMPI_Graph_get(
        comm: c_int as comm, maxindex: c_int as int, maxedges: c_int as int, index: *mut c_int as address,
        edges: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut edges = Array::<_, _>::out(OutSlice::new(edges, maxedges as i64), 0);
        impls::graph_get(
            to::comm(comm), maxindex, maxedges, OutSlice::new(index, maxindex as i64),
            OutSlice::new(edges.pass_mut(), maxedges as i64),
        )?;
        edges.leave(from::rank);
        Ok(())
    }
}

binding! {
    MPI_Graph_map PMPI_Graph_map(
        comm: c_int as comm, nnodes: c_int as int, index: *const c_int as address, edges: *const c_int as address,
        newrank: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let edges = Array::<_, _>::read(InSlice::new(edges, last(InSlice::new(index, nnodes as i64))), to::rank);
        let mut newrank = Place::out(Out::new(newrank), 0);
        impls::graph_map(
            to::comm(comm), nnodes, InSlice::new(index, nnodes as i64),
            InSlice::new(edges.pass(), last(InSlice::new(index, nnodes as i64))), Out::new(newrank.pass()),
        )?;
        newrank.leave(from::rank);
        Ok(())
    }
}

binding! {
    MPI_Graph_neighbors PMPI_Graph_neighbors(
        comm: c_int as comm, rank: c_int as rank, maxneighbors: c_int as int, neighbors: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut neighbors = Array::<_, _>::out(OutSlice::new(neighbors, maxneighbors as i64), 0);
        impls::graph_neighbors(
            to::comm(comm), to::rank(rank), maxneighbors, OutSlice::new(neighbors.pass_mut(), maxneighbors as i64),
        )?;
        neighbors.leave(from::rank);
        Ok(())
    }
}

binding! {
    MPI_Graph_neighbors_count PMPI_Graph_neighbors_count(
        comm: c_int as comm, rank: c_int as rank, nneighbors: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::graph_neighbors_count(to::comm(comm), to::rank(rank), Out::new(nneighbors))
    }
}

binding! {
    MPI_Graphdims_get PMPI_Graphdims_get(
        comm: c_int as comm, nnodes: *mut c_int as address, nedges: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::graphdims_get(to::comm(comm), Out::new(nnodes), Out::new(nedges))
    }
}

binding! {
    MPI_Topo_test PMPI_Topo_test(comm: c_int as comm, status: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut status = Place::out(Out::new(status), 0);
        impls::topo_test(to::comm(comm), Out::new(status.pass()))?;
        status.leave(from::topology);
        Ok(())
    }
}
