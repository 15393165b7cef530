/* Target datatypes of every constructor, which only the origin knows: a remote access must have the
 * same effect as the same access to the process's own memory (MPI 5.0 §12.3).
 *
 * modes: default copy network bulk short tiny threads
 * seconds: 60
 */

#include "rma.h"

enum { TYPES = 9, BYTES = 1 << 16 };

static MPI_Datatype type[TYPES];

static void make_types(void)
{
    MPI_Datatype column, pair[2] = {MPI_INT, MPI_INT};
    int lengths[3] = {2, 1, 3}, block[2] = {1, 2}, sizes[3] = {6, 5, 4}, parts[3] = {3, 2, 2},
        starts[3] = {1, 2, 1};
    int places[3] = {10, 0, 5};
    MPI_Aint bytes[2] = {24, 4}, many[700];
    OK(MPI_Type_vector(7, 2, 5, MPI_INT, &type[0]));
    OK(MPI_Type_indexed(3, lengths, places, MPI_INT, &type[1]));
    OK(MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_INT, &type[2]));
    OK(MPI_Type_create_struct(2, block, bytes, pair, &type[3]));
    OK(MPI_Type_create_resized(type[3], -8, 64, &type[4]));
    OK(MPI_Type_vector(3, 1, 2, type[4], &column));
    OK(MPI_Type_create_hvector(2, 2, 512, column, &type[5]));
    OK(MPI_Type_free(&column));
    OK(MPI_Type_contiguous(11, MPI_INT, &type[6]));
    /* A datatype whose description needs several packets. */
    for (int i = 0; i < 700; i++) many[i] = (MPI_Aint)((i * 37) % 700) * 32;
    OK(MPI_Type_create_hindexed_block(700, 2, many, MPI_INT, &type[7]));
    int gsizes[2] = {16, 12}, distribs[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK},
        dargs[2] = {2, MPI_DISTRIBUTE_DFLT_DARG}, psizes[2] = {2, 2};
    OK(MPI_Type_create_darray(4, 1, 2, gsizes, distribs, dargs, psizes, MPI_ORDER_C, MPI_INT,
                              &type[8]));
    for (int i = 0; i < TYPES; i++) OK(MPI_Type_commit(&type[i]));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    make_types();
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    int *expected = malloc(BYTES), *data = malloc(BYTES), *back = malloc(BYTES),
        *start = malloc(BYTES);
    static const int flavours[] = {ALLOCATED, CREATED, DYNAMIC};
    for (size_t f = 0; f < sizeof flavours / sizeof *flavours; f++) {
        struct window w = window(flavours[f], BYTES);
        MPI_Win own;
        OK(MPI_Win_create(expected, BYTES, 1, MPI_INFO_NULL, MPI_COMM_SELF, &own));
        for (int t = 0; t < TYPES; t++)
            for (int way = 0; way < 4; way++) {
                int count = way == 3 ? 2 : 1, bytes, ints;
                MPI_Aint disp = 128;
                OK(MPI_Type_size(type[t], &bytes));
                ints = count * bytes / 4;
                for (int i = 0; i < BYTES / 4; i++) start[i] = 7 * i;
                for (int i = 0; i < ints; i++) data[i] = 1000000 + 100 * previous + i;
                memcpy(w.base, start, BYTES), memcpy(expected, start, BYTES);
                /* The access that the previous process makes to this one, made by this process
                 * itself. */
                OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, own));
                if (way == 1)
                    OK(MPI_Accumulate(data, ints, MPI_INT, 0, disp, count, type[t], MPI_SUM, own));
                else if (way == 2)
                    OK(MPI_Get_accumulate(data, ints, MPI_INT, back, ints, MPI_INT, 0, disp, count,
                                          type[t], MPI_MAX, own));
                else OK(MPI_Put(data, ints, MPI_INT, 0, disp, count, type[t], own));
                OK(MPI_Win_unlock(0, own));
                for (int i = 0; i < ints; i++) data[i] = 1000000 + 100 * rank + i;
                memset(back, 0xff, BYTES);
                OK(MPI_Win_fence(0, w.win));
                if (way == 1)
                    OK(MPI_Accumulate(data, ints, MPI_INT, next, at(&w, next, disp), count, type[t],
                                      MPI_SUM, w.win));
                else if (way == 2)
                    OK(MPI_Get_accumulate(data, ints, MPI_INT, back, ints, MPI_INT, next,
                                          at(&w, next, disp), count, type[t], MPI_MAX, w.win));
                else
                    OK(MPI_Put(data, ints, MPI_INT, next, at(&w, next, disp), count, type[t],
                               w.win));
                OK(MPI_Win_fence(0, w.win));
                CHECK(memcmp(w.base, expected, BYTES) == 0,
                      "%s, type %d, access %d: the memory is wrong",
                      flavour_name[w.flavour], t, way);
                if (way != 2)
                    OK(MPI_Get(back, ints, MPI_INT, next, at(&w, next, disp), count, type[t],
                               w.win));
                OK(MPI_Win_fence(0, w.win));
                /* The data must be equal in type map order, whichever process packs them. */
                int *packed = malloc(4 * ints), position = 0, wrong = 0;
                OK(MPI_Pack((char *)(way == 2 ? start : expected) + disp, count, type[t], packed,
                            4 * ints, &position, MPI_COMM_SELF));
                for (int i = 0; i < ints; i++) {
                    int there = packed[i];
                    if (way == 0 || way == 3) there += 100 * (rank - previous);
                    if (way == 1) there += 100 * (rank - previous);
                    wrong += back[i] != there;
                }
                CHECK(wrong == 0, "%s, type %d, access %d: %d returned numbers are wrong",
                      flavour_name[w.flavour], t, way, wrong);
                free(packed);
                OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, w.win));
            }
        OK(MPI_Win_free(&own));
        free_window(&w);
    }
    for (int t = 0; t < TYPES; t++) OK(MPI_Type_free(&type[t]));
    free(expected), free(data), free(back), free(start);
    return MPI_Finalize();
}
