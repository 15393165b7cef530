! Virtual topologies (MPI 5.0, chapter 8) through the module mpi: LOGICAL arrays and weights.
program topology
    use mpi
    implicit none
    integer :: rank, ranks, comm, part, code, dims(2), coords(2), from, to, kind, n, m
    integer :: sources(2), degrees(1), targets(2), weights(2), from_weights(2), to_weights(2)
    logical :: periods(2), keep(2), weighted
    integer :: index(2), edges(2)

    call MPI_INIT(code)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, code)
    call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, code)
    dims = 0
    call MPI_DIMS_CREATE(ranks, 2, dims, code)
    call expect(product(dims) == ranks, "Dims_create")
    call MPI_CART_CREATE(MPI_COMM_WORLD, 2, dims, [.false., .true.], .false., comm, code)
    call MPI_TOPO_TEST(comm, kind, code)
    call expect(kind == MPI_CART, "Topo_test")
    dims = -1
    periods = .true.
    call MPI_CART_GET(comm, 2, dims, periods, coords, code)
    call expect(product(dims) == ranks .and. .not. periods(1) .and. periods(2), "Cart_get")
    call MPI_CART_SHIFT(comm, 0, 1, from, to, code)
    call expect((coords(1) == 0) .eqv. (from == MPI_PROC_NULL), "Cart_shift")
    keep = [.false., .true.]
    call MPI_CART_SUB(comm, keep, part, code)
    call MPI_COMM_SIZE(part, n, code)
    call expect(n == dims(2), "Cart_sub")
    call MPI_COMM_FREE(part, code)
    call MPI_COMM_FREE(comm, code)

    if (ranks > 1) then
        index = [1, 2]
        edges = [1, 0]
        call MPI_GRAPH_CREATE(MPI_COMM_WORLD, 2, index, edges, .false., comm, code)
        if (comm /= MPI_COMM_NULL) then
            call MPI_GRAPH_GET(comm, 2, 2, index, edges, code)
            call expect(all(index == [1, 2]) .and. all(edges == [1, 0]), "Graph_get")
            call MPI_COMM_FREE(comm, code)
        end if
    end if

    sources = [rank, 0]
    degrees = 2
    targets = [modulo(rank + 1, ranks), modulo(rank - 1, ranks)]
    weights = [10, 20]
    call MPI_DIST_GRAPH_CREATE(MPI_COMM_WORLD, 1, sources, degrees, targets, weights, &
        MPI_INFO_NULL, .false., comm, code)
    call MPI_DIST_GRAPH_NEIGHBORS_COUNT(comm, n, m, weighted, code)
    call expect(n == 2 .and. m == 2 .and. weighted, "Dist_graph_neighbors_count")
    call MPI_DIST_GRAPH_NEIGHBORS(comm, 2, sources, from_weights, 2, targets, to_weights, code)
    call expect(sum(from_weights) == 30 .and. sum(to_weights) == 30, "the weights")
    call MPI_COMM_FREE(comm, code)
    call MPI_DIST_GRAPH_CREATE_ADJACENT(MPI_COMM_WORLD, 0, sources, MPI_WEIGHTS_EMPTY, 0, targets, &
        MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., comm, code)
    call MPI_DIST_GRAPH_NEIGHBORS_COUNT(comm, n, m, weighted, code)
    call expect(n == 0 .and. m == 0 .and. weighted, "MPI_WEIGHTS_EMPTY")
    call MPI_COMM_FREE(comm, code)
    call MPI_DIST_GRAPH_CREATE(MPI_COMM_WORLD, 1, [rank], [1], [rank], MPI_UNWEIGHTED, &
        MPI_INFO_NULL, .false., comm, code)
    call MPI_DIST_GRAPH_NEIGHBORS_COUNT(comm, n, m, weighted, code)
    call expect(n == 1 .and. .not. weighted, "MPI_UNWEIGHTED")
    call MPI_DIST_GRAPH_NEIGHBORS(comm, 1, sources, MPI_UNWEIGHTED, 1, targets, MPI_UNWEIGHTED, &
        code)
    call MPI_COMM_FREE(comm, code)
    call MPI_FINALIZE(code)
contains
    subroutine expect(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (holds) return
        print *, what
        call MPI_ABORT(MPI_COMM_WORLD, 1, code)
    end subroutine
end program
