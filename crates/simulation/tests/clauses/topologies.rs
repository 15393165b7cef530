//! Virtual topologies and collectives of neighbours (MPI 5.0 §8).

use crate::vocabulary::*;

fn cart(dims: &[i32], periods: &[i32]) -> Comm {
    let (mut grid, count) = (MPI_COMM_NULL, len(dims));
    mpi!(MPI_Cart_create(WORLD, count, dims.as_ptr(), periods.as_ptr(), 0, &mut grid));
    grid
}

fn shift(grid: Comm, direction: i32, by: i32) -> (i32, i32) {
    let (mut from, mut to) = (-77, -77);
    mpi!(MPI_Cart_shift(grid, direction, by, &mut from, &mut to));
    (from, to)
}

fn rank_at(grid: Comm, coordinates: &[i32]) -> i32 {
    let mut rank = -77;
    mpi!(MPI_Cart_rank(grid, coordinates.as_ptr(), &mut rank));
    rank
}

fn neighbours_sum(graph: Comm, word: i32, count: usize) -> Vec<i32> {
    let (own, mut all) = ([word], vec![-1; count]);
    let place = into(&mut all);
    mpi!(MPI_Neighbor_allgather(of(&own), 1, MPI_INT, place, 1, MPI_INT, graph));
    all
}

#[test]
fn the_last_coordinate_varies_fastest() {
    on(6, |me| {
        let grid = cart(&[2, 3], &[0, 0]);
        let mut coordinates = [-77; 2];
        mpi!(MPI_Cart_coords(grid, me.rank, 2, coordinates.as_mut_ptr()));
        assert_eq!(coordinates, [me.rank / 3, me.rank % 3]);
        assert_eq!(rank_at(grid, &coordinates), me.rank);
        grid.free();
    });
}

#[test]
fn coordinates_wrap_around_where_the_grid_is_periodic() {
    on(6, |_| {
        let grid = cart(&[2, 3], &[0, 1]);
        assert_eq!((rank_at(grid, &[1, -1]), rank_at(grid, &[0, 7])), (5, 1));
        mpi!(MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN));
        let beyond = [2, 0];
        mpi_fails!(MPI_ERR_ARG, MPI_Cart_rank(grid, beyond.as_ptr(), &mut { 0 }));
        grid.free();
    });
}

#[test]
fn a_shift_ends_at_the_edge_or_goes_around() {
    on(6, |me| {
        let grid = cart(&[2, 3], &[0, 1]);
        let (row, column) = (me.rank / 3, me.rank % 3);
        let none = MPI_PROC_NULL;
        let down = if row == 0 { (none, me.rank + 3) } else { (me.rank - 3, none) };
        assert_eq!((shift(grid, 0, 1), shift(grid, 0, 2)), (down, (none, none)));
        let around = (3 * row + (column + 1) % 3, 3 * row + (column + 2) % 3);
        assert_eq!((shift(grid, 1, -1), shift(grid, 1, 2)), (around, around));
        assert_eq!(shift(grid, 1, 0), (me.rank, me.rank));
        mpi!(MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN));
        mpi_fails!(MPI_ERR_DIMS, MPI_Cart_shift(grid, 2, 1, &mut { 0 }, &mut { 0 }));
        grid.free();
    });
}

#[test]
fn a_grid_smaller_than_the_group_leaves_the_last_ranks_out() {
    on(5, |me| {
        let grid = cart(&[2, 2], &[1, 1]);
        assert_eq!(grid == MPI_COMM_NULL, me.rank == 4);
        if me.rank < 4 {
            assert_eq!(grid.size(), 4);
            grid.free();
        }
        let mut none = MPI_COMM_NULL;
        let (dims, periods) = ([2, 3], [0, 0]);
        let (many, p) = (dims.as_ptr(), periods.as_ptr());
        mpi_fails!(MPI_ERR_DIMS, MPI_Cart_create(WORLD, 2, many, p, 0, &mut none));
        WORLD.barrier();
    });
}

#[test]
fn a_part_of_a_grid_keeps_some_dimensions() {
    on(8, |me| {
        let grid = cart(&[2, 2, 2], &[0, 1, 0]);
        let (mut part, mut count) = (MPI_COMM_NULL, 0);
        mpi!(MPI_Cart_sub(grid, [1, 0, 1].as_ptr(), &mut part));
        mpi!(MPI_Cartdim_get(part, &mut count));
        let middle = me.rank & 2;
        assert_eq!(
            (count, part.allgather(me.rank)),
            (2, vec![middle, 1 | middle, 4 | middle, 5 | middle])
        );
        let (mut dims, mut periods, mut at) = ([0; 2], [7; 2], [7; 2]);
        let (d, p, c) = (dims.as_mut_ptr(), periods.as_mut_ptr(), at.as_mut_ptr());
        mpi!(MPI_Cart_get(part, 2, d, p, c));
        assert_eq!((dims, periods, at), ([2, 2], [0, 0], [me.rank >> 2, me.rank & 1]));
        part.free();
        mpi!(MPI_Cart_sub(grid, [0, 0, 0].as_ptr(), &mut part));
        mpi!(MPI_Cartdim_get(part, &mut count));
        assert_eq!((count, part.size()), (0, 1));
        part.free();
        grid.free();
    });
}

#[test]
fn a_duplicate_has_the_topology_and_a_split_has_none() {
    on(4, |_| {
        let grid = cart(&[4], &[1]);
        let (twin, part, mut kind) = (grid.dup(), grid.split(0, 0), 0);
        for (comm, expected) in [(grid, MPI_CART), (twin, MPI_CART), (part, MPI_UNDEFINED)] {
            mpi!(MPI_Topo_test(comm, &mut kind));
            assert_eq!(kind, expected);
            comm.free();
        }
        mpi_fails!(MPI_ERR_TOPOLOGY, MPI_Cartdim_get(WORLD, &mut { 0 }));
    });
}

#[test]
fn dims_are_filled_in_falling_order_around_those_given() {
    on(1, |_| {
        let balanced = |nodes, given: &[i32]| {
            let mut dims = given.to_vec();
            mpi!(MPI_Dims_create(nodes, len(given), dims.as_mut_ptr()));
            dims
        };
        assert_eq!(balanced(6, &[0, 0]), [3, 2]);
        assert_eq!(balanced(7, &[0, 0]), [7, 1]);
        assert_eq!(balanced(6, &[0, 3, 0]), [2, 3, 1]);
        assert_eq!(balanced(64, &[0, 0, 0]), [4, 4, 4]);
        mpi_fails!(MPI_ERR_DIMS, MPI_Dims_create(7, 2, [0, 3].as_mut_ptr()));
    });
}

#[test]
fn neighbours_of_a_grid_come_in_pairs_by_dimension() {
    on(6, |me| {
        let grid = cart(&[2, 3], &[0, 1]);
        let (row, column) = (me.rank / 3, me.rank % 3);
        let found = neighbours_sum(grid, me.rank, 4);
        let up = if row == 1 { me.rank - 3 } else { -1 };
        let down = if row == 0 { me.rank + 3 } else { -1 };
        assert_eq!(found, [up, down, 3 * row + (column + 2) % 3, 3 * row + (column + 1) % 3]);
        grid.free();
    });
}

#[test]
fn words_to_the_left_arrive_from_the_right_even_in_a_ring_of_two() {
    for ranks in [1, 2, 3] {
        on(ranks, |me| {
            let ring = cart(&[me.size], &[1]);
            let (out, mut got) = ([10 * me.rank, 10 * me.rank + 1], [-1; 2]);
            let place = into(&mut got);
            mpi!(MPI_Neighbor_alltoall(of(&out), 1, MPI_INT, place, 1, MPI_INT, ring));
            let (left, right) = ((me.rank + me.size - 1) % me.size, (me.rank + 1) % me.size);
            assert_eq!(got, [10 * left + 1, 10 * right]);
            ring.free();
        });
    }
}

#[test]
fn a_distributed_graph_keeps_the_order_of_its_neighbours() {
    on(4, |me| {
        let (mut graph, info) = (MPI_COMM_NULL, MPI_INFO_NULL);
        let (sources, targets) =
            ([(me.rank + 1) % 4, (me.rank + 3) % 4], [(me.rank + 3) % 4, (me.rank + 1) % 4]);
        let plain = MPI_UNWEIGHTED as *const i32;
        let (from, to) = (sources.as_ptr(), targets.as_ptr());
        mpi!(MPI_Dist_graph_create_adjacent(
            WORLD, 2, from, plain, 2, to, plain, info, 0, &mut graph
        ));
        let (mut found, mut there) = ([-77; 2], [-77; 2]);
        let (mut weights, mut others) = ([0; 2], [0; 2]);
        let (f, w) = (found.as_mut_ptr(), weights.as_mut_ptr());
        let (t, o) = (there.as_mut_ptr(), others.as_mut_ptr());
        mpi!(MPI_Dist_graph_neighbors(graph, 2, f, w, 2, t, o));
        assert_eq!((found, there), (sources, targets));
        assert_eq!(neighbours_sum(graph, me.rank, 2), sources);
        graph.free();
    });
}

#[test]
fn edges_told_by_one_rank_are_known_by_their_ends() {
    on(4, |me| {
        let (mut graph, info) = (MPI_COMM_NULL, MPI_INFO_NULL);
        let (sources, degrees, targets, weights) = ([3, 0], [2, 1], [0, 1, 3], [30, 31, 3]);
        let told = if me.rank == 2 { 2 } else { 0 };
        let (s, d, t, w) = (sources.as_ptr(), degrees.as_ptr(), targets.as_ptr(), weights.as_ptr());
        mpi!(MPI_Dist_graph_create(WORLD, told, s, d, t, w, info, 0, &mut graph));
        let (mut come, mut go, mut weighted) = (-77, -77, -77);
        mpi!(MPI_Dist_graph_neighbors_count(graph, &mut come, &mut go, &mut weighted));
        let expected = [(1, 1), (1, 0), (0, 0), (1, 2)][me.rank as usize];
        assert_eq!(((come, go), weighted), (expected, 1));
        let found = neighbours_sum(graph, 100 + me.rank, come as usize);
        let from = [vec![103], vec![103], vec![], vec![100]];
        assert_eq!(found, from[me.rank as usize]);
        graph.free();
    });
}

#[test]
fn a_graph_gives_each_rank_its_neighbours() {
    on(4, |me| {
        let (mut graph, index, edges) = (MPI_COMM_NULL, [2, 3, 4, 6], [1, 3, 0, 3, 0, 2]);
        mpi!(MPI_Graph_create(WORLD, 4, index.as_ptr(), edges.as_ptr(), 0, &mut graph));
        let (mut count, mut found) = (-77, [-77; 2]);
        mpi!(MPI_Graph_neighbors_count(graph, 3, &mut count));
        mpi!(MPI_Graph_neighbors(graph, 3, 2, found.as_mut_ptr()));
        assert_eq!((count, found), (2, [0, 2]));
        let expected = [vec![1, 3], vec![0], vec![3], vec![0, 2]];
        let expected = &expected[me.rank as usize];
        assert_eq!(neighbours_sum(graph, me.rank, expected.len()), *expected);
        graph.free();
    });
}

#[test]
fn exchanges_of_neighbours_have_counts_for_each() {
    on(3, |me| {
        let ring = cart(&[3], &[1]);
        let (left, right) = ((me.rank + 2) % 3, (me.rank + 1) % 3);
        let (out, mut got) = ([me.rank; 4], [-1; 6]);
        let (sends, from, receives, to) = ([1, 3], [0, 1], [3, 1], [3, 0]);
        let place = into(&mut got);
        let (s, f, r, t) = (sends.as_ptr(), from.as_ptr(), receives.as_ptr(), to.as_ptr());
        mpi!(MPI_Neighbor_alltoallv(of(&out), s, f, MPI_INT, place, r, t, MPI_INT, ring));
        assert_eq!(got, [right, -1, -1, left, left, left]);
        ring.free();
    });
}
