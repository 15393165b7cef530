! What MPICH's mpi_f08 module needs: statuses that are ignored, MPI_IN_PLACE, MPI_UNWEIGHTED and
! MPI_WEIGHTS_EMPTY, an attribute, a window's attribute.
program hello
    use mpi_f08
    integer :: rank, ranks, total, left, sources(1), degrees(1), targets(1), in, out, none(0)
    integer(kind=MPI_ADDRESS_KIND) :: memory(4), bytes
    logical :: weighted, empty_weighted, found
    type(MPI_Comm) :: graph, empty
    type(MPI_Request) :: requests(2)
    type(MPI_Win) :: win
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    total = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Irecv(left, 1, MPI_INTEGER, modulo(rank - 1, ranks), 0, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(rank, 1, MPI_INTEGER, modulo(rank + 1, ranks), 0, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, modulo(rank + 1, ranks), 1, left, 1, MPI_INTEGER, &
        modulo(rank - 1, ranks), 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    sources(1) = rank
    degrees(1) = 1
    targets(1) = modulo(rank + 1, ranks)
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, sources, degrees, targets, MPI_UNWEIGHTED, &
        MPI_INFO_NULL, .false., graph)
    call MPI_Dist_graph_neighbors_count(graph, in, out, weighted)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, none, MPI_WEIGHTS_EMPTY, 0, none, &
        MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., empty)
    call MPI_Dist_graph_neighbors_count(empty, sources(1), degrees(1), empty_weighted)
    call MPI_Win_create(memory, 32_MPI_ADDRESS_KIND, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, bytes, found)
    call MPI_Win_free(win)
    print '(A,99I12)', 'rank', rank, ranks, total, left, in, out, bytes
    if (total /= ranks * (ranks + 1) / 2 .or. left /= modulo(rank - 1, ranks)) stop 1
    if (in /= 1 .or. out /= 1 .or. weighted .or. .not. empty_weighted .or. .not. found .or. bytes &
        /= 32) stop 2
    call MPI_Finalize()
end program
