/* Cartesian topologies: creation, coordinates and ranks, shifts, subgrids, balanced dimensions, and
 * errors. */

#include "check.h"

static int same(int count, const int *seen, const int *wanted)
{
    return memcmp(seen, wanted, sizeof(int) * count) == 0;
}

static void test_grid(int ndims, const int *dims, const int *periods)
{
    MPI_Comm cart, copy;
    int places = 1, seen_dims[4], seen_periods[4], coords[4], status, compared, number, low, high,
        mapped;
    for (int d = 0; d < ndims; d++) places *= dims[d];
    for (int reorder = 0; reorder < 2; reorder++) {
        OK(MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, reorder, &cart));
        OK(MPI_Cart_map(MPI_COMM_WORLD, ndims, dims, periods, &mapped));
        CHECK((cart == MPI_COMM_NULL) == (mapped == MPI_UNDEFINED) || reorder,
              "MPI maps this rank to %d", mapped);
        if (cart == MPI_COMM_NULL) {
            CHECK(rank >= places || reorder, "no rank in a grid of %d", places);
            continue;
        }
        OK(MPI_Comm_size(cart, &number));
        CHECK(number == places, "%d processes in a grid of %d", number, places);
        OK(MPI_Comm_dup(cart, &copy));
        OK(MPI_Comm_compare(cart, copy, &compared));
        CHECK(compared == MPI_CONGRUENT, "the duplicate compares as %d", compared);
        OK(MPI_Comm_free(&cart));
        OK(MPI_Topo_test(copy, &status));
        CHECK(status == MPI_CART, "topology %d", status);
        OK(MPI_Cartdim_get(copy, &number));
        CHECK(number == ndims, "%d dimensions instead of %d", number, ndims);
        OK(MPI_Cart_get(copy, 4, seen_dims, seen_periods, coords));
        CHECK(same(ndims, seen_dims, dims), "dimensions differ");
        for (int d = 0; d < ndims; d++) CHECK(!seen_periods[d] == !periods[d], "periods differ");
        int own;
        OK(MPI_Comm_rank(copy, &own));
        CHECK(reorder || own == rank, "rank %d without being asked to reorder", own);
        for (int other = 0; other < places; other++) {
            int there[4], back, expected = 0;
            OK(MPI_Cart_coords(copy, other, 4, there));
            for (int d = 0; d < ndims; d++) expected = expected * dims[d] + there[d];
            CHECK(expected == other, "coordinates of %d are not in row-major order", other);
            CHECK(other != own || same(ndims, there, coords),
                  "MPI_Cart_get and MPI_Cart_coords differ");
            for (int d = 0; d < ndims; d++)
                if (periods[d]) there[d] += dims[d] * (other % 5 - 2);
            OK(MPI_Cart_rank(copy, there, &back));
            CHECK(back == other, "rank %d instead of %d", back, other);
        }
        for (int d = 0; d < ndims; d++)
            for (int disp = -2 * dims[d] - 1; disp <= 2 * dims[d] + 1; disp++) {
                int there[4], wanted[2];
                for (int way = 0; way < 2; way++) {
                    memcpy(there, coords, sizeof there);
                    there[d] += way ? disp : -disp;
                    int outside = there[d] < 0 || there[d] >= dims[d];
                    if (outside && !periods[d]) {
                        wanted[way] = MPI_PROC_NULL;
                        FAILS(MPI_Cart_rank(copy, there, &number), MPI_ERR_ARG);
                    } else
                        OK(MPI_Cart_rank(copy, there, &wanted[way]));
                }
                OK(MPI_Cart_shift(copy, d, disp, &low, &high));
                CHECK(low == wanted[0] && high == wanted[1],
                      "shift %d by %d gives %d, %d instead of %d, %d", d, disp, low, high,
                      wanted[0], wanted[1]);
            }
        OK(MPI_Comm_free(&copy));
    }
}

static void test_sub(void)
{
    int dims[3] = {0, 0, 0}, periods[3] = {1, 0, 1}, coords[3];
    MPI_Comm cart;
    OK(MPI_Dims_create(size, 3, dims));
    OK(MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &cart));
    OK(MPI_Cart_coords(cart, rank, 3, coords));
    for (int mask = 0; mask < 8; mask++) {
        int remain[3], sub_dims[3], sub_periods[3], sub_coords[3], ndims, at = 0, places = 1,
            number, all[64];
        MPI_Comm sub;
        for (int d = 0; d < 3; d++) remain[d] = mask >> d & 1;
        OK(MPI_Cart_sub(cart, remain, &sub));
        OK(MPI_Cartdim_get(sub, &ndims));
        OK(MPI_Cart_get(sub, 3, sub_dims, sub_periods, sub_coords));
        for (int d = 0; d < 3; d++)
            if (remain[d]) {
                CHECK(sub_dims[at] == dims[d] && sub_periods[at] == periods[d] &&
                      sub_coords[at] == coords[d], "dimension %d of part %d", d, mask);
                places *= dims[d];
                at++;
            }
        CHECK(at == ndims, "%d dimensions of part %d", ndims, mask);
        OK(MPI_Comm_size(sub, &number));
        CHECK(number == places, "%d processes instead of %d", number, places);
        /* The members of a part are the ranks with equal coordinates in the dropped dimensions. */
        OK(MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, sub));
        for (int i = 0; i < number; i++) {
            int there[3];
            OK(MPI_Cart_coords(cart, all[i], 3, there));
            for (int d = 0; d < 3; d++)
                CHECK(remain[d] || there[d] == coords[d], "%d is in the wrong part", all[i]);
        }
        OK(MPI_Comm_free(&sub));
    }
    OK(MPI_Comm_free(&cart));
}

static void test_dims(void)
{
    static const int wanted[][5] = {
        {6, 2, 3, 2, 0}, {7, 2, 7, 1, 0}, {16, 2, 4, 4, 0}, {24, 3, 4, 3, 2}, {36, 3, 4, 3, 3},
        {1, 3, 1, 1, 1}, {60, 3, 5, 4, 3}, {5040, 3, 21, 16, 15},
    };
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        int dims[3] = {0, 0, 0};
        OK(MPI_Dims_create(wanted[i][0], wanted[i][1], dims));
        CHECK(same(wanted[i][1], dims, wanted[i] + 2), "%d is %d x %d x %d", wanted[i][0], dims[0],
              dims[1], dims[2]);
    }
    int given[3] = {0, 3, 0}, wrong[2] = {5, 0}, full[2] = {2, 3}, negative[1] = {-1};
    OK(MPI_Dims_create(12, 3, given));
    CHECK(given[0] == 2 && given[1] == 3 && given[2] == 2, "%d x %d x %d", given[0], given[1],
          given[2]);
    OK(MPI_Dims_create(6, 2, full));
    OK(MPI_Dims_create(1, 0, NULL));
    FAILS(MPI_Dims_create(6, 2, wrong), MPI_ERR_DIMS);
    FAILS(MPI_Dims_create(7, 2, full), MPI_ERR_DIMS);
    FAILS(MPI_Dims_create(7, 1, negative), MPI_ERR_DIMS);
    FAILS(MPI_Dims_create(7, -1, full), MPI_ERR_DIMS);
    FAILS(MPI_Dims_create(0, 1, wrong), MPI_ERR_ARG);
}

static void test_refused(void)
{
    MPI_Comm cart, split;
    int dims[2] = {size + 1, 1}, zero[1] = {0}, periods[2] = {0, 0}, number, coords[2] = {0, 0},
        status;
    FAILS(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart), MPI_ERR_DIMS);
    FAILS(MPI_Cart_create(MPI_COMM_WORLD, 1, zero, periods, 0, &cart), MPI_ERR_DIMS);
    FAILS(MPI_Cart_create(MPI_COMM_WORLD, -1, dims, periods, 0, &cart), MPI_ERR_DIMS);
    FAILS(MPI_Cart_create(MPI_COMM_NULL, 1, dims, periods, 0, &cart), MPI_ERR_COMM);
    FAILS(MPI_Cartdim_get(MPI_COMM_WORLD, &number), MPI_ERR_TOPOLOGY);
    FAILS(MPI_Cart_rank(MPI_COMM_WORLD, coords, &number), MPI_ERR_TOPOLOGY);
    FAILS(MPI_Graphdims_get(MPI_COMM_WORLD, &number, &number), MPI_ERR_TOPOLOGY);
    FAILS(MPI_Neighbor_allgather(&number, 1, MPI_INT, coords, 1, MPI_INT, MPI_COMM_WORLD),
          MPI_ERR_TOPOLOGY);
    OK(MPI_Topo_test(MPI_COMM_WORLD, &status));
    CHECK(status == MPI_UNDEFINED, "the world has topology %d", status);
    dims[0] = size;
    OK(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart));
    FAILS(MPI_Cart_coords(cart, size, 2, coords), MPI_ERR_RANK);
    FAILS(MPI_Cart_coords(cart, 0, 1, coords), MPI_ERR_ARG);
    FAILS(MPI_Cart_shift(cart, 2, 1, &number, &number), MPI_ERR_DIMS);
    FAILS(MPI_Cart_shift(cart, -1, 1, &number, &number), MPI_ERR_DIMS);
    FAILS(MPI_Graph_neighbors_count(cart, 0, &number), MPI_ERR_TOPOLOGY);
    /* Only duplicates keep the topology. */
    OK(MPI_Comm_split(cart, 0, rank, &split));
    OK(MPI_Topo_test(split, &status));
    CHECK(status == MPI_UNDEFINED, "a split has topology %d", status);
    OK(MPI_Comm_free(&split));
    OK(MPI_Comm_free(&cart));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int half = (size + 1) / 2, none[4] = {0}, all[4] = {1, 1, 1, 1}, mixed[4] = {1, 0, 7, 0};
    int balanced[4] = {0}, row[1] = {size}, column[2] = {1, size}, part[2] = {half, 1},
        ones[4] = {1, 1, 1, 1};
    OK(MPI_Dims_create(size, 4, balanced));
    const int *periods[] = {none, all, mixed};
    for (int i = 0; i < 3; i++) {
        test_grid(4, balanced, periods[i]);
        test_grid(1, row, periods[i]);
        test_grid(2, column, periods[i]);
        test_grid(2, part, periods[i]);
        test_grid(4, ones, periods[i]);
    }
    test_grid(0, NULL, NULL);
    test_sub();
    test_dims();
    test_refused();
    return MPI_Finalize();
}
