// generated from api/ by cargo xtask generate; do not edit
//! The procedures: topo.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    cart_coords(comm: *mut Fint, rank: *mut c_int, maxdims: *mut c_int, coords: *mut c_int,
        ierror: *mut Fint);
    let code = c::PMPI_Cart_coords(handle::<COMM>(comm), *rank, *maxdims, coords);
    finish(ierror, code);
}
exports!(cart_coords: mpi_cart_coords_ mpi_cart_coords__ mpi_cart_coords MPI_CART_COORDS pmpi_cart_coords_ pmpi_cart_coords__ pmpi_cart_coords PMPI_CART_COORDS);
exports_f08!(cart_coords: mpi_cart_coords_f08_ pmpir_cart_coords_f08_; cart_coords: mpi_cart_coords_f08_ pmpi_cart_coords_f08_);

procedure! {
    cart_create(comm_old: *mut Fint, ndims: *mut c_int, dims: *mut c_int, periods: *mut c_int,
        reorder: *mut c_int, comm_cart: *mut Fint, ierror: *mut Fint);
    let mut comm_cart_c = handle::<COMM>(comm_cart);
    let code = c::PMPI_Cart_create(handle::<COMM>(comm_old), *ndims, dims, periods, *reorder,
        &mut comm_cart_c);
    give(comm_cart, comm_cart_c);
    finish(ierror, code);
}
exports!(cart_create: mpi_cart_create_ mpi_cart_create__ mpi_cart_create MPI_CART_CREATE pmpi_cart_create_ pmpi_cart_create__ pmpi_cart_create PMPI_CART_CREATE);
exports_f08!(cart_create: mpi_cart_create_f08_ pmpir_cart_create_f08_; cart_create: mpi_cart_create_f08_ pmpi_cart_create_f08_);

procedure! {
    cart_get(comm: *mut Fint, maxdims: *mut c_int, dims: *mut c_int, periods: *mut c_int,
        coords: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Cart_get(handle::<COMM>(comm), *maxdims, dims, periods, coords);
    logicals(periods, *maxdims);
    finish(ierror, code);
}
exports!(cart_get: mpi_cart_get_ mpi_cart_get__ mpi_cart_get MPI_CART_GET pmpi_cart_get_ pmpi_cart_get__ pmpi_cart_get PMPI_CART_GET);
exports_f08!(cart_get: mpi_cart_get_f08_ pmpir_cart_get_f08_; cart_get: mpi_cart_get_f08_ pmpi_cart_get_f08_);

procedure! {
    cart_map(comm: *mut Fint, ndims: *mut c_int, dims: *mut c_int, periods: *mut c_int,
        newrank: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Cart_map(handle::<COMM>(comm), *ndims, dims, periods, newrank);
    finish(ierror, code);
}
exports!(cart_map: mpi_cart_map_ mpi_cart_map__ mpi_cart_map MPI_CART_MAP pmpi_cart_map_ pmpi_cart_map__ pmpi_cart_map PMPI_CART_MAP);
exports_f08!(cart_map: mpi_cart_map_f08_ pmpir_cart_map_f08_; cart_map: mpi_cart_map_f08_ pmpi_cart_map_f08_);

procedure! {
    cart_rank(comm: *mut Fint, coords: *mut c_int, rank: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Cart_rank(handle::<COMM>(comm), coords, rank);
    finish(ierror, code);
}
exports!(cart_rank: mpi_cart_rank_ mpi_cart_rank__ mpi_cart_rank MPI_CART_RANK pmpi_cart_rank_ pmpi_cart_rank__ pmpi_cart_rank PMPI_CART_RANK);
exports_f08!(cart_rank: mpi_cart_rank_f08_ pmpir_cart_rank_f08_; cart_rank: mpi_cart_rank_f08_ pmpi_cart_rank_f08_);

procedure! {
    cart_shift(comm: *mut Fint, direction: *mut c_int, disp: *mut c_int, rank_source: *mut c_int,
        rank_dest: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Cart_shift(handle::<COMM>(comm), *direction, *disp, rank_source, rank_dest);
    finish(ierror, code);
}
exports!(cart_shift: mpi_cart_shift_ mpi_cart_shift__ mpi_cart_shift MPI_CART_SHIFT pmpi_cart_shift_ pmpi_cart_shift__ pmpi_cart_shift PMPI_CART_SHIFT);
exports_f08!(cart_shift: mpi_cart_shift_f08_ pmpir_cart_shift_f08_; cart_shift: mpi_cart_shift_f08_ pmpi_cart_shift_f08_);

procedure! {
    cart_sub(comm: *mut Fint, remain_dims: *mut c_int, newcomm: *mut Fint, ierror: *mut Fint);
    let mut newcomm_c = handle::<COMM>(newcomm);
    let code = c::PMPI_Cart_sub(handle::<COMM>(comm), remain_dims, &mut newcomm_c);
    give(newcomm, newcomm_c);
    finish(ierror, code);
}
exports!(cart_sub: mpi_cart_sub_ mpi_cart_sub__ mpi_cart_sub MPI_CART_SUB pmpi_cart_sub_ pmpi_cart_sub__ pmpi_cart_sub PMPI_CART_SUB);
exports_f08!(cart_sub: mpi_cart_sub_f08_ pmpir_cart_sub_f08_; cart_sub: mpi_cart_sub_f08_ pmpi_cart_sub_f08_);

procedure! {
    cartdim_get(comm: *mut Fint, ndims: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Cartdim_get(handle::<COMM>(comm), ndims);
    finish(ierror, code);
}
exports!(cartdim_get: mpi_cartdim_get_ mpi_cartdim_get__ mpi_cartdim_get MPI_CARTDIM_GET pmpi_cartdim_get_ pmpi_cartdim_get__ pmpi_cartdim_get PMPI_CARTDIM_GET);
exports_f08!(cartdim_get: mpi_cartdim_get_f08_ pmpir_cartdim_get_f08_; cartdim_get: mpi_cartdim_get_f08_ pmpi_cartdim_get_f08_);

procedure! {
    dims_create(nnodes: *mut c_int, ndims: *mut c_int, dims: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Dims_create(*nnodes, *ndims, dims);
    finish(ierror, code);
}
exports!(dims_create: mpi_dims_create_ mpi_dims_create__ mpi_dims_create MPI_DIMS_CREATE pmpi_dims_create_ pmpi_dims_create__ pmpi_dims_create PMPI_DIMS_CREATE);
exports_f08!(dims_create: mpi_dims_create_f08_ pmpir_dims_create_f08_; dims_create: mpi_dims_create_f08_ pmpi_dims_create_f08_);

procedure! {
    dist_graph_create(comm_old: *mut Fint, n: *mut c_int, sources: *mut c_int, degrees: *mut c_int,
        destinations: *mut c_int, weights: *mut c_int, info: *mut Fint, reorder: *mut c_int,
        comm_dist_graph: *mut Fint, ierror: *mut Fint);
    let mut comm_dist_graph_c = handle::<COMM>(comm_dist_graph);
    let code = c::PMPI_Dist_graph_create(handle::<COMM>(comm_old), *n, sources, degrees,
        destinations, places::weights(weights), handle::<INFO>(info), *reorder,
        &mut comm_dist_graph_c);
    give(comm_dist_graph, comm_dist_graph_c);
    finish(ierror, code);
}
exports!(dist_graph_create: mpi_dist_graph_create_ mpi_dist_graph_create__ mpi_dist_graph_create MPI_DIST_GRAPH_CREATE pmpi_dist_graph_create_ pmpi_dist_graph_create__ pmpi_dist_graph_create PMPI_DIST_GRAPH_CREATE);
exports_f08!(dist_graph_create: mpi_dist_graph_create_f08_ pmpir_dist_graph_create_f08_; dist_graph_create: mpi_dist_graph_create_f08_ pmpi_dist_graph_create_f08_);

procedure! {
    dist_graph_create_adjacent(comm_old: *mut Fint, indegree: *mut c_int, sources: *mut c_int,
        sourceweights: *mut c_int, outdegree: *mut c_int, destinations: *mut c_int,
        destweights: *mut c_int, info: *mut Fint, reorder: *mut c_int, comm_dist_graph: *mut Fint,
        ierror: *mut Fint);
    let mut comm_dist_graph_c = handle::<COMM>(comm_dist_graph);
    let code = c::PMPI_Dist_graph_create_adjacent(handle::<COMM>(comm_old), *indegree, sources,
        places::weights(sourceweights), *outdegree, destinations, places::weights(destweights),
        handle::<INFO>(info), *reorder, &mut comm_dist_graph_c);
    give(comm_dist_graph, comm_dist_graph_c);
    finish(ierror, code);
}
exports!(dist_graph_create_adjacent: mpi_dist_graph_create_adjacent_ mpi_dist_graph_create_adjacent__ mpi_dist_graph_create_adjacent MPI_DIST_GRAPH_CREATE_ADJACENT pmpi_dist_graph_create_adjacent_ pmpi_dist_graph_create_adjacent__ pmpi_dist_graph_create_adjacent PMPI_DIST_GRAPH_CREATE_ADJACENT);
exports_f08!(dist_graph_create_adjacent: mpi_dist_graph_create_adjacent_f08_ pmpir_dist_graph_create_adjacent_f08_; dist_graph_create_adjacent: mpi_dist_graph_create_adjacent_f08_ pmpi_dist_graph_create_adjacent_f08_);

procedure! {
    dist_graph_neighbors(comm: *mut Fint, maxindegree: *mut c_int, sources: *mut c_int,
        sourceweights: *mut c_int, maxoutdegree: *mut c_int, destinations: *mut c_int,
        destweights: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Dist_graph_neighbors(handle::<COMM>(comm), *maxindegree, sources,
        places::weights(sourceweights), *maxoutdegree, destinations, places::weights(destweights));
    finish(ierror, code);
}
exports!(dist_graph_neighbors: mpi_dist_graph_neighbors_ mpi_dist_graph_neighbors__ mpi_dist_graph_neighbors MPI_DIST_GRAPH_NEIGHBORS pmpi_dist_graph_neighbors_ pmpi_dist_graph_neighbors__ pmpi_dist_graph_neighbors PMPI_DIST_GRAPH_NEIGHBORS);
exports_f08!(dist_graph_neighbors: mpi_dist_graph_neighbors_f08_ pmpir_dist_graph_neighbors_f08_; dist_graph_neighbors: mpi_dist_graph_neighbors_f08_ pmpi_dist_graph_neighbors_f08_);

procedure! {
    dist_graph_neighbors_count(comm: *mut Fint, indegree: *mut c_int, outdegree: *mut c_int,
        weighted: *mut c_int, ierror: *mut Fint);
    let mut weighted_c = 0;
    let code = c::PMPI_Dist_graph_neighbors_count(handle::<COMM>(comm), indegree, outdegree,
        &mut weighted_c);
    logical(weighted, weighted_c);
    finish(ierror, code);
}
exports!(dist_graph_neighbors_count: mpi_dist_graph_neighbors_count_ mpi_dist_graph_neighbors_count__ mpi_dist_graph_neighbors_count MPI_DIST_GRAPH_NEIGHBORS_COUNT pmpi_dist_graph_neighbors_count_ pmpi_dist_graph_neighbors_count__ pmpi_dist_graph_neighbors_count PMPI_DIST_GRAPH_NEIGHBORS_COUNT);
exports_f08!(dist_graph_neighbors_count: mpi_dist_graph_neighbors_count_f08_ pmpir_dist_graph_neighbors_count_f08_; dist_graph_neighbors_count: mpi_dist_graph_neighbors_count_f08_ pmpi_dist_graph_neighbors_count_f08_);

procedure! {
    graph_create(comm_old: *mut Fint, nnodes: *mut c_int, index: *mut c_int, edges: *mut c_int,
        reorder: *mut c_int, comm_graph: *mut Fint, ierror: *mut Fint);
    let mut comm_graph_c = handle::<COMM>(comm_graph);
    let code = c::PMPI_Graph_create(handle::<COMM>(comm_old), *nnodes, index, edges, *reorder,
        &mut comm_graph_c);
    give(comm_graph, comm_graph_c);
    finish(ierror, code);
}
exports!(graph_create: mpi_graph_create_ mpi_graph_create__ mpi_graph_create MPI_GRAPH_CREATE pmpi_graph_create_ pmpi_graph_create__ pmpi_graph_create PMPI_GRAPH_CREATE);
exports_f08!(graph_create: mpi_graph_create_f08_ pmpir_graph_create_f08_; graph_create: mpi_graph_create_f08_ pmpi_graph_create_f08_);

procedure! {
    graph_get(comm: *mut Fint, maxindex: *mut c_int, maxedges: *mut c_int, index: *mut c_int,
        edges: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Graph_get(handle::<COMM>(comm), *maxindex, *maxedges, index, edges);
    finish(ierror, code);
}
exports!(graph_get: mpi_graph_get_ mpi_graph_get__ mpi_graph_get MPI_GRAPH_GET pmpi_graph_get_ pmpi_graph_get__ pmpi_graph_get PMPI_GRAPH_GET);
exports_f08!(graph_get: mpi_graph_get_f08_ pmpir_graph_get_f08_; graph_get: mpi_graph_get_f08_ pmpi_graph_get_f08_);

procedure! {
    graph_map(comm: *mut Fint, nnodes: *mut c_int, index: *mut c_int, edges: *mut c_int,
        newrank: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Graph_map(handle::<COMM>(comm), *nnodes, index, edges, newrank);
    finish(ierror, code);
}
exports!(graph_map: mpi_graph_map_ mpi_graph_map__ mpi_graph_map MPI_GRAPH_MAP pmpi_graph_map_ pmpi_graph_map__ pmpi_graph_map PMPI_GRAPH_MAP);
exports_f08!(graph_map: mpi_graph_map_f08_ pmpir_graph_map_f08_; graph_map: mpi_graph_map_f08_ pmpi_graph_map_f08_);

procedure! {
    graph_neighbors(comm: *mut Fint, rank: *mut c_int, maxneighbors: *mut c_int,
        neighbors: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Graph_neighbors(handle::<COMM>(comm), *rank, *maxneighbors, neighbors);
    finish(ierror, code);
}
exports!(graph_neighbors: mpi_graph_neighbors_ mpi_graph_neighbors__ mpi_graph_neighbors MPI_GRAPH_NEIGHBORS pmpi_graph_neighbors_ pmpi_graph_neighbors__ pmpi_graph_neighbors PMPI_GRAPH_NEIGHBORS);
exports_f08!(graph_neighbors: mpi_graph_neighbors_f08_ pmpir_graph_neighbors_f08_; graph_neighbors: mpi_graph_neighbors_f08_ pmpi_graph_neighbors_f08_);

procedure! {
    graph_neighbors_count(comm: *mut Fint, rank: *mut c_int, nneighbors: *mut c_int,
        ierror: *mut Fint);
    let code = c::PMPI_Graph_neighbors_count(handle::<COMM>(comm), *rank, nneighbors);
    finish(ierror, code);
}
exports!(graph_neighbors_count: mpi_graph_neighbors_count_ mpi_graph_neighbors_count__ mpi_graph_neighbors_count MPI_GRAPH_NEIGHBORS_COUNT pmpi_graph_neighbors_count_ pmpi_graph_neighbors_count__ pmpi_graph_neighbors_count PMPI_GRAPH_NEIGHBORS_COUNT);
exports_f08!(graph_neighbors_count: mpi_graph_neighbors_count_f08_ pmpir_graph_neighbors_count_f08_; graph_neighbors_count: mpi_graph_neighbors_count_f08_ pmpi_graph_neighbors_count_f08_);

procedure! {
    graphdims_get(comm: *mut Fint, nnodes: *mut c_int, nedges: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Graphdims_get(handle::<COMM>(comm), nnodes, nedges);
    finish(ierror, code);
}
exports!(graphdims_get: mpi_graphdims_get_ mpi_graphdims_get__ mpi_graphdims_get MPI_GRAPHDIMS_GET pmpi_graphdims_get_ pmpi_graphdims_get__ pmpi_graphdims_get PMPI_GRAPHDIMS_GET);
exports_f08!(graphdims_get: mpi_graphdims_get_f08_ pmpir_graphdims_get_f08_; graphdims_get: mpi_graphdims_get_f08_ pmpi_graphdims_get_f08_);

procedure! {
    topo_test(comm: *mut Fint, status: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Topo_test(handle::<COMM>(comm), status);
    finish(ierror, code);
}
exports!(topo_test: mpi_topo_test_ mpi_topo_test__ mpi_topo_test MPI_TOPO_TEST pmpi_topo_test_ pmpi_topo_test__ pmpi_topo_test PMPI_TOPO_TEST);
exports_f08!(topo_test: mpi_topo_test_f08_ pmpir_topo_test_f08_; topo_test: mpi_topo_test_f08_ pmpi_topo_test_f08_);
