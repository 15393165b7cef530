/* Every datatype constructor on both sides of a message (MPI 5.0 §5.1): for any pair of send and
 * receive layouts, each int arrives where the type map places it, and nothing between these places
 * is written. Each layout has twelve ints, and its type map is written down here independently.
 *
 * seconds: 60
 */

#include "check.h"

enum { INTS = 12, LAYOUTS_MAX = 32, COUNT_MAX = 700 };

typedef struct Layout {
    const char *name;
    MPI_Datatype type;
    long extent, lb;   /* in bytes */
    long places[INTS]; /* in bytes, in the order of the type map */
} Layout;

static Layout layouts[LAYOUTS_MAX];
static int layouts_count;

/* The layout under construction; `next` is the number of its places written down so far. */
static Layout *layout;
static int next;

static void begin_layout(const char *name)
{
    CHECK(layouts_count < LAYOUTS_MAX, "more than LAYOUTS_MAX layouts");
    layout = &layouts[layouts_count++];
    layout->name = name;
    next = 0;
}

/* Appends `count` adjacent ints, from byte `at` on, to the type map. */
static void ints(long at, int count)
{
    for (int i = 0; i < count; i++) layout->places[next++] = at + 4 * i;
}

static void end_layout(MPI_Datatype type, long lb, long extent)
{
    MPI_Aint seen_lb, seen_extent, true_lb, true_extent;
    long low = layout->places[0], high = low;
    int bytes;
    CHECK(next == INTS, "%s has %d places", layout->name, next);
    layout->type = type, layout->lb = lb, layout->extent = extent;
    OK(MPI_Type_commit(&layout->type));
    OK(MPI_Type_size(type, &bytes));
    CHECK(bytes == 4 * INTS, "%s has %d bytes", layout->name, bytes);
    OK(MPI_Type_get_extent(type, &seen_lb, &seen_extent));
    CHECK(seen_lb == lb && seen_extent == extent, "%s: bounds %ld, %ld instead of %ld, %ld",
          layout->name, (long)seen_lb, (long)seen_extent, lb, extent);
    for (int i = 0; i < INTS; i++) {
        if (layout->places[i] < low) low = layout->places[i];
        if (layout->places[i] > high) high = layout->places[i];
    }
    OK(MPI_Type_get_true_extent(type, &true_lb, &true_extent));
    CHECK(true_lb == low && true_extent == high + 4 - low, "%s: true bounds %ld, %ld", layout->name,
          (long)true_lb, (long)true_extent);
}

static void regular(void)
{
    MPI_Datatype type, inner;
    begin_layout("contiguous");
    ints(0, 12);
    OK(MPI_Type_contiguous(12, MPI_INT, &type));
    end_layout(type, 0, 48);

    begin_layout("vector");
    for (int block = 0; block < 4; block++) ints(20 * block, 3);
    OK(MPI_Type_vector(4, 3, 5, MPI_INT, &type));
    end_layout(type, 0, 72);

    begin_layout("vector backwards");
    for (int block = 0; block < 6; block++) ints(-12 * block, 2);
    OK(MPI_Type_vector_c(6, 2, -3, MPI_INT, &type));
    end_layout(type, -60, 68);

    begin_layout("hvector");
    for (int block = 0; block < 3; block++) ints(44 * block, 4);
    OK(MPI_Type_create_hvector(3, 4, 44, MPI_INT, &type));
    end_layout(type, 0, 104);

    begin_layout("hvector of vectors");
    for (int outer = 0; outer < 2; outer++)
        for (int block = 0; block < 3; block++) ints(100 * outer + 16 * block, 2);
    OK(MPI_Type_vector(3, 2, 4, MPI_INT, &inner));
    OK(MPI_Type_create_hvector_c(2, 1, 100, inner, &type));
    OK(MPI_Type_free(&inner));
    end_layout(type, 0, 140);
}

static void irregular(void)
{
    MPI_Datatype type;
    begin_layout("indexed");
    ints(80, 5), ints(12, 4), ints(0, 3);
    OK(MPI_Type_indexed(4, (int[]){5, 0, 4, 3}, (int[]){20, 99, 3, 0}, MPI_INT, &type));
    end_layout(type, 0, 100);

    begin_layout("indexed below zero");
    ints(-40, 6), ints(40, 6);
    OK(MPI_Type_indexed_c(2, (MPI_Count[]){6, 6}, (MPI_Count[]){-10, 10}, MPI_INT, &type));
    end_layout(type, -40, 104);

    begin_layout("hindexed");
    ints(100, 1), ints(0, 7), ints(52, 4);
    OK(MPI_Type_create_hindexed(3, (int[]){1, 7, 4}, (MPI_Aint[]){100, 0, 52}, MPI_INT, &type));
    end_layout(type, 0, 104);

    begin_layout("indexed block");
    ints(48, 3), ints(0, 3), ints(84, 3), ints(24, 3);
    OK(MPI_Type_create_indexed_block(4, 3, (int[]){12, 0, 21, 6}, MPI_INT, &type));
    end_layout(type, 0, 96);

    begin_layout("hindexed block");
    ints(64, 4), ints(8, 4), ints(128, 4);
    OK(MPI_Type_create_hindexed_block(3, 4, (MPI_Aint[]){64, 8, 128}, MPI_INT, &type));
    end_layout(type, 8, 136);
}

static void structs_and_bounds(void)
{
    MPI_Datatype type, pair, sparse, plain;
    OK(MPI_Type_contiguous(2, MPI_INT, &pair));
    OK(MPI_Type_vector(2, 1, 3, MPI_INT, &sparse));

    begin_layout("struct");
    ints(72, 2), ints(0, 4);
    for (int copy = 0; copy < 3; copy++) ints(24 + 16 * copy, 1), ints(24 + 16 * copy + 12, 1);
    OK(MPI_Type_create_struct(4, (int[]){2, 2, 0, 3}, (MPI_Aint[]){72, 0, -500, 24},
                              (MPI_Datatype[]){MPI_INT, pair, MPI_DOUBLE, sparse}, &type));
    end_layout(type, 0, 80);

    begin_layout("struct of one vector");
    for (int copy = 0; copy < 6; copy++) ints(8 + 16 * copy, 1), ints(8 + 16 * copy + 12, 1);
    OK(MPI_Type_create_struct_c(1, (MPI_Count[]){6}, (MPI_Count[]){8}, (MPI_Datatype[]){sparse},
                                &type));
    end_layout(type, 8, 96);

    begin_layout("resized, wider on both sides");
    ints(0, 12);
    OK(MPI_Type_contiguous(12, MPI_INT, &plain));
    OK(MPI_Type_create_resized(plain, -16, 80, &type));
    end_layout(type, -16, 80);

    begin_layout("resized, contiguous of it");
    ints(0, 2), ints(-20, 2), ints(-40, 2), ints(-60, 2), ints(-80, 2), ints(-100, 2);
    MPI_Datatype backwards;
    OK(MPI_Type_create_resized(pair, 4, -20, &backwards));
    OK(MPI_Type_contiguous(6, backwards, &type));
    OK(MPI_Type_free(&backwards));
    /* Lower bounds are at 4 - 20 i, upper bounds at -16 - 20 i: the lowest and the highest of them
     * count. */
    end_layout(type, -96, 80);
    /* Elements overlap with this extent. The receive side needs a larger one. */
    MPI_Datatype disjoint;
    OK(MPI_Type_create_resized(type, -100, 108, &disjoint));
    OK(MPI_Type_free(&layout->type));
    OK(MPI_Type_commit(&disjoint));
    layout->type = disjoint, layout->lb = -100, layout->extent = 108;

    begin_layout("resized to whole strides");
    for (int i = 0; i < 12; i++) ints(8 * i, 1);
    MPI_Datatype every_other;
    OK(MPI_Type_vector(12, 1, 2, MPI_INT, &every_other));
    OK(MPI_Type_create_resized_c(every_other, 0, 96, &type));
    OK(MPI_Type_free(&every_other));
    end_layout(type, 0, 96);

    begin_layout("dup");
    ints(0, 12);
    OK(MPI_Type_dup(plain, &type));
    end_layout(type, 0, 48);
    OK(MPI_Type_free(&plain));
    OK(MPI_Type_free(&pair));
    OK(MPI_Type_free(&sparse));
}

static void arrays(void)
{
    MPI_Datatype type;
    begin_layout("subarray, C");
    for (int row = 1; row < 4; row++) ints((6 * row + 1) * 4, 4);
    OK(MPI_Type_create_subarray(2, (int[]){5, 6}, (int[]){3, 4}, (int[]){1, 1}, MPI_ORDER_C,
                                MPI_INT, &type));
    end_layout(type, 0, 120);

    begin_layout("subarray, Fortran");
    for (int k = 2; k < 5; k++)
        for (int j = 1; j < 3; j++) ints((1 + 4 * (j + 3 * k)) * 4, 2);
    OK(MPI_Type_create_subarray(3, (int[]){4, 3, 5}, (int[]){2, 2, 3}, (int[]){1, 1, 2},
                                MPI_ORDER_FORTRAN, MPI_INT, &type));
    end_layout(type, 0, 240);

    begin_layout("darray, C");
    /* Process 1 of 2 x 2: rows 0, 2, 4 (cyclic) and columns 4 to 7 (block). */
    for (int row = 0; row < 6; row += 2) ints((8 * row + 4) * 4, 4);
    OK(MPI_Type_create_darray(4, 1, 2, (int[]){6, 8},
                              (int[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK},
                              (int[]){MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG},
                              (int[]){2, 2}, MPI_ORDER_C, MPI_INT, &type));
    end_layout(type, 0, 192);

    begin_layout("darray, Fortran");
    /* Process 2 of 3 x 1: first index 4, 5, 10 (blocks of 2 of 11 indices, dealt cyclically to 3
     * processes), second index 0 to 3. */
    for (int j = 0; j < 4; j++) ints((4 + 11 * j) * 4, 2), ints((10 + 11 * j) * 4, 1);
    OK(MPI_Type_create_darray_c(3, 2, 2, (MPI_Count[]){11, 4},
                                (int[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE},
                                (int[]){2, MPI_DISTRIBUTE_DFLT_DARG}, (int[]){3, 1},
                                MPI_ORDER_FORTRAN, MPI_INT, &type));
    end_layout(type, 0, 176);
}

/* The value of int number `index` of a message. */
static int value(int from, int tag, long index)
{
    return (int)(from * 1000003L + tag * 8191L + index * 17 + 1);
}

enum { SLACK = 4096 };

static unsigned char *guarded_elements(const Layout *of, int count)
{
    return (unsigned char *)memset(malloc(2 * SLACK + of->extent * count), GUARD,
                                   2 * SLACK + of->extent * count) + SLACK;
}

static void write_ints(const Layout *of, unsigned char *at, int count, int from, int tag)
{
    for (long i = 0; i < (long)count * INTS; i++) {
        int number = value(from, tag, i);
        memcpy(at + i / INTS * of->extent + of->places[i % INTS], &number, 4);
    }
}

/* Checks the ints and overwrites them with the pattern. Then the whole memory must hold the
 * pattern. */
static void check_ints(const Layout *of, unsigned char *at, int count, int from, int tag,
                       const char *sent_as)
{
    for (long i = 0; i < (long)count * INTS; i++) {
        unsigned char *place = at + i / INTS * of->extent + of->places[i % INTS];
        int number;
        memcpy(&number, place, 4);
        CHECK(number == value(from, tag, i), "%d x %s received as %s: int %ld is %d instead of %d",
              count, sent_as, of->name, i, number, value(from, tag, i));
        memset(place, GUARD, 4);
    }
    for (long byte = -SLACK; byte < of->extent * count + SLACK; byte++)
        CHECK(at[byte] == GUARD, "%d x %s received as %s: byte %ld, where no data is, was written",
              count, sent_as, of->name, byte);
}

static void exchange(const Layout *out, const Layout *in, int count, int tag)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size, elements;
    unsigned char *outgoing = guarded_elements(out, count), *incoming = guarded_elements(in, count);
    MPI_Status status;
    write_ints(out, outgoing, count, rank, tag);
    OK(MPI_Sendrecv(outgoing, count, out->type, to, tag, incoming, count, in->type, from, tag,
                    MPI_COMM_WORLD, &status));
    OK(MPI_Get_count(&status, in->type, &elements));
    CHECK(elements == count, "%d elements arrived instead of %d", elements, count);
    OK(MPI_Get_elements(&status, in->type, &elements));
    CHECK(elements == count * INTS, "%d ints arrived instead of %d", elements, count * INTS);
    check_ints(in, incoming, count, from, tag, out->name);
    free(outgoing - SLACK);
    free(incoming - SLACK);
}

/* Packed element by element and in halves, sent as bytes, and received with the datatype; then the
 * reverse. */
static void exchange_packed(const Layout *out, const Layout *in, int count, int tag)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size, bytes, position = 0;
    unsigned char *outgoing = guarded_elements(out, count), *incoming = guarded_elements(in, count);
    MPI_Status status;
    OK(MPI_Pack_size(count, out->type, MPI_COMM_WORLD, &bytes));
    CHECK(bytes >= 4 * INTS * count, "the packed size of %d x %s is %d", count, out->name, bytes);
    char *packed = malloc(bytes);
    write_ints(out, outgoing, count, rank, tag);
    for (int i = 0; i < count; i++)
        OK(MPI_Pack(outgoing + i * out->extent, 1, out->type, packed, bytes, &position,
                    MPI_COMM_WORLD));
    OK(MPI_Sendrecv(packed, position, MPI_PACKED, to, tag, incoming, count, in->type, from, tag,
                    MPI_COMM_WORLD, &status));
    check_ints(in, incoming, count, from, tag, out->name);

    OK(MPI_Sendrecv(outgoing, count, out->type, to, tag, packed, bytes, MPI_PACKED, from, tag,
                    MPI_COMM_WORLD, &status));
    OK(MPI_Get_count(&status, MPI_PACKED, &bytes));
    position = 0;
    OK(MPI_Unpack(packed, bytes, &position, incoming, count / 2, in->type, MPI_COMM_WORLD));
    OK(MPI_Unpack(packed, bytes, &position, incoming + count / 2 * in->extent, count - count / 2,
                  in->type, MPI_COMM_WORLD));
    CHECK(position == bytes, "%d of %d bytes unpacked", position, bytes);
    check_ints(in, incoming, count, from, tag, out->name);
    free(outgoing - SLACK);
    free(incoming - SLACK);
    free(packed);
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 3, COUNT_MAX};
    int tag = 0;
    begin(&argc, &argv);
    regular();
    irregular();
    structs_and_bounds();
    arrays();
    for (int out = 0; out < layouts_count; out++)
        for (int in = 0; in < layouts_count; in++) {
            /* Long messages only between adjacent layouts of the list. */
            int sizes = (out + 1) % layouts_count == in ? 3 : 2;
            for (int i = 0; i < sizes; i++) exchange(&layouts[out], &layouts[in], counts[i], tag++);
            exchange_packed(&layouts[out], &layouts[in], 5, tag++);
        }
    for (int i = 0; i < layouts_count; i++) OK(MPI_Type_free(&layouts[i].type));
    MPI_Finalize();
    return 0;
}
