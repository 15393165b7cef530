/* Floating-point numbers of 16 bits: MPI_REAL2 and MPI_COMPLEX4 against the compiler's _Float16,
 * which rounds every operation to the nearest number.
 *
 * modes: default
 */
#include "check.h"

enum { COUNT = 3000 };

static _Float16 number(int rank, int index)
{
    return (_Float16)((((index * 37 + rank * 11) % 401) - 200) / (_Float16)8);
}

/* MPI_Reduce_local must give the compiler's result for each element. Each process has its own
 * numbers. */
static void against_the_compiler(void)
{
    static _Float16 in[COUNT], inout[COUNT];
    static const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN};
    for (int op = 0; op < 4; op++) {
        for (int i = 0; i < COUNT; i++)
            in[i] = number(rank, i), inout[i] = number(rank + 1, i) * (_Float16)300;
        OK(MPI_Reduce_local(in, inout, COUNT, MPI_REAL2, ops[op]));
        for (int i = 0; i < COUNT; i++) {
            _Float16 a = in[i], b = number(rank + 1, i) * (_Float16)300;
            _Float16 expected = op == 0   ? a + b
                                : op == 1 ? a * b
                                : op == 2 ? (a > b ? a : b)
                                          : (a < b ? a : b);
            CHECK(inout[i] == expected, "operation %d, element %d: %g and %g give %g", op, i,
                  (double)a, (double)b, (double)inout[i]);
        }
    }
}

/* Small integers: sums are exact in any order, and the maximum is known. */
static void over_all(void)
{
    _Float16 mine[4], sum[4];
    for (int i = 0; i < 4; i++)
        mine[i] = (_Float16)(rank + i);
    OK(MPI_Allreduce(mine, sum, 4, MPI_REAL2, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < 4; i++)
        CHECK(sum[i] == (_Float16)(size * (size - 1) / 2 + size * i), "sum %d is %g", i,
              (double)sum[i]);
    OK(MPI_Allreduce(mine, sum, 2, MPI_COMPLEX4, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < 4; i++)
        CHECK(sum[i] == (_Float16)(size * (size - 1) / 2 + size * i), "complex sum %d is %g", i,
              (double)sum[i]);
    OK(MPI_Allreduce(mine, sum, 4, MPI_REAL2, MPI_MAX, MPI_COMM_WORLD));
    CHECK(sum[0] == (_Float16)(size - 1), "maximum %g", (double)sum[0]);
}

/* (1 + 2i)(3 + 4i) = -5 + 10i. The external32 representation is binary16, most significant byte
 * first. */
static void products_and_bytes(void)
{
    _Float16 a[2] = {1, 2}, b[2] = {3, 4};
    char bytes[4];
    MPI_Aint size, position = 0;
    OK(MPI_Reduce_local(a, b, 1, MPI_COMPLEX4, MPI_PROD));
    CHECK(b[0] == -5 && b[1] == 10, "%g %g", (double)b[0], (double)b[1]);
    OK(MPI_Pack_external_size("external32", 1, MPI_COMPLEX4, &size));
    CHECK(size == 4, "%ld bytes", (long)size);
    OK(MPI_Pack_external("external32", a, 1, MPI_COMPLEX4, bytes, sizeof bytes, &position));
    CHECK(position == 4 && !memcmp(bytes, "\x3c\0\x40\0", 4), "bytes of 1 + 2i");
    MPI_Datatype matched;
    OK(MPI_Type_match_size(MPI_TYPECLASS_REAL, 2, &matched));
    CHECK(matched == MPI_REAL2, "match_size");
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    against_the_compiler();
    over_all();
    products_and_bytes();
    OK(MPI_Finalize());
    return 0;
}
