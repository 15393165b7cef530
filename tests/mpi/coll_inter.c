/* Collectives on intercommunicators: every operation in its three forms, in both directions, with
 * groups of different shapes, and lengths of one element to several packets. Also block sizes that
 * differ by direction, an operation that is not commutative, and the operations that
 * intercommunicators do not have.
 *
 * sizes: 1 2 3 4 7
 * seconds: 90
 */

#include "coll.h"
#include <time.h>

enum { COUNT_MAX = 20000 };

static MPI_Comm inter;
static int side, rank, size, remote_size;

/* The value that rank `peer` of a group has at a place. */
static int value(int group, int peer, int place) {
    return group * 1000000 + peer * 10007 + place % 9973;
}

static int *ints(long length) {
    int *memory = malloc(sizeof(int) * (size_t)(length + 1));
    for (long index = 0; index <= length; index++) memory[index] = -1;
    return memory;
}

static void expect(const char *what, const int *seen, long length, int group, int peer, int first) {
    for (long index = 0; index < length; index++)
        EQUAL(what, seen[index], value(group, peer, first + (int)index));
    EQUAL("element past the end", seen[length], -1);
}

static int *own(long length, int first) {
    int *memory = ints(length);
    for (long index = 0; index < length; index++)
        memory[index] = value(side, rank, first + (int)index);
    return memory;
}

/* The root argument of this process if rank `root` of `group` is the root. */
static int root_of(int group, int root) {
    if (side != group) return root;
    return rank == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void bcast(int group, int root, int count) {
    int is_root = side == group && rank == root;
    int *data = is_root ? own(count, 0) : ints(count);
    COLL(inter, Bcast, bcast, data, count, MPI_INT, root_of(group, root));
    if (side != group) expect("bcast", data, count, group, root, 0);
    else if (!is_root) EQUAL("buffer of a rank with MPI_PROC_NULL", data[0], -1);
    free(data);
}

/* The length of the block of rank `peer` of the group that contributes blocks. */
static int length_of(int peer, int count) { return count + peer % 3; }

static void gather(int group, int root, int count) {
    int is_root = side == group && rank == root, each = count;
    int *out = own(count, 0), *in = ints((long)remote_size * count);
    if (side == group)
        COLL(inter, Gather, gather, NULL, -7, MPI_DATATYPE_NULL, is_root ? in : NULL, each, MPI_INT,
             root_of(group, root));
    else
        COLL(inter, Gather, gather, out, count, MPI_INT, NULL, -7, MPI_DATATYPE_NULL,
             root_of(group, root));
    if (is_root)
        for (int peer = 0; peer < remote_size; peer++)
            for (int index = 0; index < count; index++)
                EQUAL("gather", in[peer * count + index], value(1 - group, peer, index));
    EQUAL("element past the end", in[is_root ? remote_size * count : 0], -1);
    free(in), free(out);
}

static void gatherv(int group, int root, int count) {
    int is_root = side == group && rank == root, total = 0;
    int counts[64], places[64];
    for (int peer = remote_size - 1; peer >= 0; peer--) {
        counts[peer] = length_of(peer, count);
        places[peer] = total;
        total += counts[peer] + 1;
    }
    int *out = own(length_of(rank, count), 0), *in = ints(total);
    COLL(inter, Gatherv, gatherv, out, length_of(rank, count), MPI_INT, in, counts, places, MPI_INT,
         root_of(group, root));
    for (int peer = 0; peer < remote_size; peer++)
        if (is_root) expect("gatherv", in + places[peer], counts[peer], 1 - group, peer, 0);
    if (!is_root) EQUAL("receive buffer of a rank that is not the root", in[0], -1);
    free(in), free(out);
}

static void scatter(int group, int root, int count) {
    int *out = own((long)remote_size * count, 0), *in = ints(count);
    COLL(inter, Scatter, scatter, out, count, MPI_INT, in, count, MPI_INT, root_of(group, root));
    if (side != group) expect("scatter", in, count, group, root, rank * count);
    else EQUAL("receive buffer in the root's group", in[0], -1);
    free(in), free(out);
}

static void scatterv(int group, int root, int count) {
    int counts[64], places[64], total = 0;
    for (int peer = 0; peer < remote_size; peer++) {
        counts[peer] = length_of(peer, count);
        places[peer] = total;
        total += counts[peer] + 2;
    }
    int mine = 0;
    for (int peer = 0; peer < rank; peer++) mine += length_of(peer, count) + 2;
    int *out = own(total, 0), *in = ints(length_of(rank, count));
    COLL(inter, Scatterv, scatterv, out, counts, places, MPI_INT, in, length_of(rank, count),
         MPI_INT, root_of(group, root));
    if (side != group) expect("scatterv", in, length_of(rank, count), group, root, mine);
    free(in), free(out);
}

/* Blocks of group 0 have `count` elements, blocks of group 1 one and a half times as many, or
 * none. */
static int each_of(int group, int count) {
    return group == 0 ? count : count % 7 == 0 ? 0 : count + count / 2;
}

static void allgather(int count) {
    int sent = each_of(side, count), each = each_of(1 - side, count);
    int *out = own(sent, 0), *in = ints((long)remote_size * each);
    COLL(inter, Allgather, allgather, out, sent, MPI_INT, in, each, MPI_INT);
    for (int peer = 0; peer < remote_size; peer++)
        for (int index = 0; index < each; index++)
            EQUAL("allgather", in[peer * each + index], value(1 - side, peer, index));
    EQUAL("element past the end", in[remote_size * each], -1);
    free(in), free(out);
}

/* A receive datatype with gaps, so that the leaders cannot exchange data in the receive buffers. */
static void allgather_holes(int count) {
    MPI_Datatype type;
    OK(MPI_Type_vector(count, 1, 2, MPI_INT, &type));
    MPI_Datatype strided;
    OK(MPI_Type_create_resized(type, 0, (MPI_Aint)(2 * count * (int)sizeof(int)), &strided));
    OK(MPI_Type_commit(&strided));
    int *out = own(count, 0), *in = ints((long)remote_size * count * 2);
    COLL(inter, Allgather, allgather, out, count, MPI_INT, in, 1, strided);
    for (int peer = 0; peer < remote_size; peer++)
        for (int index = 0; index < count; index++) {
            EQUAL("allgather with holes", in[(peer * count + index) * 2],
                  value(1 - side, peer, index));
            EQUAL("a hole", in[(peer * count + index) * 2 + 1], -1);
        }
    OK(MPI_Type_free(&strided));
    OK(MPI_Type_free(&type));
    free(in), free(out);
}

static void allgatherv(int count) {
    int counts[64], places[64], total = 0;
    for (int peer = 0; peer < remote_size; peer++) {
        counts[peer] = length_of(peer, each_of(1 - side, count));
        places[peer] = total;
        total += counts[peer] + 1;
    }
    int sent = length_of(rank, each_of(side, count));
    int *out = own(sent, 0), *in = ints(total);
    COLL(inter, Allgatherv, allgatherv, out, sent, MPI_INT, in, counts, places, MPI_INT);
    for (int peer = 0; peer < remote_size; peer++)
        expect("allgatherv", in + places[peer], counts[peer], 1 - side, peer, 0);
    free(in), free(out);
}

static void alltoall(int count) {
    int sent = each_of(side, count), each = each_of(1 - side, count);
    int *out = own((long)sent * remote_size, 0), *in = ints((long)each * remote_size);
    COLL(inter, Alltoall, alltoall, out, sent, MPI_INT, in, each, MPI_INT);
    for (int peer = 0; peer < remote_size; peer++)
        for (int index = 0; index < each; index++)
            EQUAL("alltoall", in[peer * each + index], value(1 - side, peer, rank * each + index));
    EQUAL("element past the end", in[remote_size * each], -1);
    free(in), free(out);
}

/* The number of elements that rank `from` of one group sends to rank `to` of the other. */
static int pair_length(int from, int to, int count) {
    return count == 0 ? 0 : (from + 2 * to) % 4 == 3 ? 0 : count + from + to;
}

static void alltoallv(int count, int w) {
    int out_counts[64], out_places[64], in_counts[64], in_places[64],
        unit = w ? (int)sizeof(int) : 1;
    MPI_Datatype types[64];
    int out_total = 0, in_total = 0;
    for (int peer = 0; peer < remote_size; peer++) {
        types[peer] = MPI_INT;
        out_counts[peer] = pair_length(rank, peer, count);
        in_counts[peer] = pair_length(peer, rank, count);
        out_places[peer] = out_total * unit;
        in_places[peer] = in_total * unit;
        out_total += out_counts[peer];
        in_total += in_counts[peer] + 1;
    }
    int *out = ints(out_total), *in = ints(in_total);
    for (int peer = 0; peer < remote_size; peer++)
        for (int index = 0; index < out_counts[peer]; index++)
            out[out_places[peer] / unit + index] = value(side, rank, peer * 31 + index);
    if (w)
        COLL(inter, Alltoallw, alltoallw, out, out_counts, out_places, types, in, in_counts,
             in_places, types);
    else
        COLL(inter, Alltoallv, alltoallv, out, out_counts, out_places, MPI_INT, in, in_counts,
             in_places, MPI_INT);
    for (int peer = 0; peer < remote_size; peer++)
        expect(w ? "alltoallw" : "alltoallv", in + in_places[peer] / unit, in_counts[peer],
               1 - side, peer, rank * 31);
    free(in), free(out);
}

/* --- Reductions --- */

static int sum(int group, int ranks, int place) {
    int total = 0;
    for (int peer = 0; peer < ranks; peer++) total += value(group, peer, place);
    return total;
}

/* The pair (a, b) stands for the map x -> a x + b. Composition is associative and not
 * commutative. */
static void compose(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    for (int index = 0; index < *length; index++) {
        unsigned *left = (unsigned *)in + 2 * index, *right = (unsigned *)inout + 2 * index;
        unsigned a = left[0] * right[0], b = left[0] * right[1] + left[1];
        right[0] = a, right[1] = b;
    }
}

static void map(int group, int peer, int place, unsigned *pair) {
    pair[0] = (unsigned)(2 * (peer + place % 50) + 3 + group);
    pair[1] = (unsigned)(peer * 17 + place + 5);
}

static void composed(int group, int ranks, int place, unsigned *pair) {
    map(group, ranks - 1, place, pair);
    for (int peer = ranks - 2; peer >= 0; peer--) {
        unsigned left[2];
        map(group, peer, place, left);
        pair[1] = left[0] * pair[1] + left[1];
        pair[0] *= left[0];
    }
}

static void reduce(int group, int root, int count) {
    int is_root = side == group && rank == root;
    int *out = own(count, 0), *in = ints(count);
    COLL(inter, Reduce, reduce, side == group ? NULL : out, is_root ? in : NULL, count, MPI_INT,
         MPI_SUM, root_of(group, root));
    for (int index = 0; is_root && index < count; index++)
        EQUAL("reduce", in[index], sum(1 - group, remote_size, index));
    EQUAL("element past the end", in[is_root ? count : 0], -1);
    free(in), free(out);
}

static void allreduce(int count) {
    int *out = own(count, 0), *in = ints(count);
    COLL(inter, Allreduce, allreduce, out, in, count, MPI_INT, MPI_SUM);
    for (int index = 0; index < count; index++)
        EQUAL("allreduce", in[index], sum(1 - side, remote_size, index));
    free(in), free(out);
}

static void in_order(MPI_Op op, MPI_Datatype pair, int count) {
    unsigned *out = malloc(sizeof(unsigned) * 2 * (size_t)(count + 1)),
        *in = malloc(sizeof(unsigned) * 2 * (size_t)(count + 1)), wanted[2];
    for (int index = 0; index < count; index++) map(side, rank, index, out + 2 * index);
    COLL(inter, Allreduce, allreduce, out, in, count, pair, op);
    for (int index = 0; index < count; index++) {
        composed(1 - side, remote_size, index, wanted);
        EQUAL("factor", in[2 * index], wanted[0]);
        EQUAL("term", in[2 * index + 1], wanted[1]);
    }
    for (int group = 0; group < 2; group++) {
        int root = (side == group ? size : remote_size) - 1;
        COLL(inter, Reduce, reduce, out, in, count, pair, op, root_of(group, root));
        for (int index = 0; side == group && rank == root && index < count; index++) {
            composed(1 - side, remote_size, index, wanted);
            EQUAL("factor at the root", in[2 * index], wanted[0]);
            EQUAL("term at the root", in[2 * index + 1], wanted[1]);
        }
    }
    free(in), free(out);
}

static void reduce_scatter_block(int count) {
    /* Both groups must have the same total (MPI 5.0 §6.10.1). */
    int each = count * remote_size;
    long total = (long)each * size;
    int *out = own(total, 0), *in = ints(each);
    COLL(inter, Reduce_scatter_block, reduce_scatter_block, out, in, each, MPI_INT, MPI_SUM);
    for (int index = 0; index < each; index++)
        EQUAL("reduce_scatter_block", in[index], sum(1 - side, remote_size, rank * each + index));
    EQUAL("element past the end", in[each], -1);
    free(in), free(out);
}

static void reduce_scatter(int count) {
    int counts[64], total = count * size * remote_size, left = total, first = 0;
    for (int peer = 0; peer < size; peer++) {
        counts[peer] = peer == size - 1 ? left : left / 3;
        left -= counts[peer];
        if (peer < rank) first += counts[peer];
    }
    int *out = own(total, 0), *in = ints(counts[rank]);
    COLL(inter, Reduce_scatter, reduce_scatter, out, in, counts, MPI_INT, MPI_SUM);
    for (int index = 0; index < counts[rank]; index++)
        EQUAL("reduce_scatter", in[index], sum(1 - side, remote_size, first + index));
    EQUAL("element past the end", in[counts[rank]], -1);
    free(in), free(out);
}

/* A clock that all processes of the machine share. */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* No rank of one group leaves the barrier before all ranks of the other group have entered it. */
static void barrier(void) {
    for (int late = 0; late < world_size; late++) {
        double entered = 0;
        int late_side = side;
        OK(MPI_Bcast(&late_side, 1, MPI_INT, late, MPI_COMM_WORLD));
        if (world_rank == late) {
            for (double start = now(); now() < start + 0.01;) continue;
            entered = now();
        }
        MPI_Request request = MPI_REQUEST_NULL;
        if (form == BLOCKING) OK(MPI_Barrier(inter));
        if (form == NONBLOCKING) OK(MPI_Ibarrier(inter, &request));
        if (form == PERSISTENT) {
            OK(MPI_Barrier_init(inter, MPI_INFO_NULL, &request));
            OK(MPI_Start(&request));
        }
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        double left = now();
        if (form == PERSISTENT) OK(MPI_Request_free(&request));
        OK(MPI_Bcast(&entered, 1, MPI_DOUBLE, late, MPI_COMM_WORLD));
        if (side != late_side)
            EQUAL("left after the last of the other group had entered", left >= entered, 1);
    }
}

/* --- Outstanding operations --- */

static void outstanding(void) {
    enum { MANY = 12, LENGTH = 700 };
    MPI_Request requests[MANY];
    int *out[MANY], *in[MANY];
    for (int number = 0; number < MANY; number++) {
        out[number] = own(LENGTH, number);
        in[number] = ints((long)LENGTH * remote_size);
        switch (number % 3) {
            case 0:
                OK(MPI_Iallreduce(out[number], in[number], LENGTH, MPI_INT, MPI_SUM, inter,
                                  requests + number));
                break;
            case 1:
                OK(MPI_Iallgather(out[number], LENGTH, MPI_INT, in[number], LENGTH, MPI_INT, inter,
                                  requests + number));
                break;
            case 2:
                OK(MPI_Ibcast(side == 0 && rank == 0 ? out[number] : in[number], LENGTH, MPI_INT,
                              root_of(0, 0), inter, requests + number));
                break;
        }
    }
    for (int number = MANY - 1; number >= 0; number--) {
        OK(MPI_Wait(requests + number, MPI_STATUS_IGNORE));
        for (int index = 0; index < LENGTH; index++) {
            if (number % 3 == 0)
                EQUAL("outstanding allreduce", in[number][index],
                      sum(1 - side, remote_size, number + index));
            if (number % 3 == 1)
                for (int peer = 0; peer < remote_size; peer++)
                    EQUAL("outstanding allgather", in[number][peer * LENGTH + index],
                          value(1 - side, peer, number + index));
            if (number % 3 == 2 && side == 1)
                EQUAL("outstanding bcast", in[number][index], value(0, 0, number + index));
        }
        free(out[number]), free(in[number]);
    }
}

/* A persistent operation that is started again after its communicator has been freed. */
static void repeated(void) {
    MPI_Comm copy;
    MPI_Request request;
    int out = 0, in = -1;
    OK(MPI_Comm_dup(inter, &copy));
    OK(MPI_Allreduce_init(&out, &in, 1, MPI_INT, MPI_SUM, copy, MPI_INFO_NULL, &request));
    OK(MPI_Comm_free(&copy));
    for (int round = 0; round < 5; round++) {
        out = value(side, rank, round);
        OK(MPI_Start(&request));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        EQUAL("repeated allreduce", in, sum(1 - side, remote_size, round));
    }
    OK(MPI_Request_free(&request));
}

static void refuse(void) {
    int data[64] = {0}, more[64], class;
#define REFUSED(call, wanted)                       \
    do {                                            \
        OK(MPI_Error_class((call), &class));        \
        EQUAL(#call, class, wanted);                \
    } while (0)
    OK(MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN));
    REFUSED(MPI_Scan(data, more, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_COMM);
    REFUSED(MPI_Exscan(data, more, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_COMM);
    REFUSED(MPI_Allreduce(MPI_IN_PLACE, more, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_BUFFER);
    REFUSED(MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, more, 1, MPI_INT, inter), MPI_ERR_BUFFER);
    REFUSED(MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, more, 1, MPI_INT, inter), MPI_ERR_BUFFER);
    REFUSED(MPI_Bcast(data, 1, MPI_INT, remote_size, inter), MPI_ERR_ROOT);
    REFUSED(MPI_Bcast(data, 1, MPI_INT, MPI_ANY_SOURCE, inter), MPI_ERR_ROOT);
    REFUSED(MPI_Bcast(data, -1, MPI_INT, MPI_ROOT, inter), MPI_ERR_COUNT);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    REFUSED(MPI_Bcast(data, 1, MPI_INT, MPI_ROOT, MPI_COMM_WORLD), MPI_ERR_ROOT);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

static void all(void) {
    static const int counts[] = {0, 1, 7, 300, 3000, COUNT_MAX};
    MPI_Datatype pair;
    MPI_Op op;
    OK(MPI_Type_contiguous(2, MPI_UNSIGNED, &pair));
    OK(MPI_Type_commit(&pair));
    OK(MPI_Op_create(compose, 0, &op));
    for (form = 0; form < FORMS; form++) {
        for (int index = 0; index < (int)(sizeof counts / sizeof *counts); index++) {
            int count = counts[index], few = count > 3000 ? 3000 : count;
            for (int group = 0; group < 2; group++) {
                int ranks = side == group ? size : remote_size;
                for (int root = 0; root < ranks; root += ranks > 1 ? ranks - 1 : 1) {
                    bcast(group, root, count);
                    gather(group, root, few);
                    gatherv(group, root, few);
                    scatter(group, root, few);
                    scatterv(group, root, few);
                    reduce(group, root, count);
                }
            }
            allgather(few);
            if (count) allgather_holes(few);
            allgatherv(few);
            alltoall(few);
            alltoallv(few, 0);
            alltoallv(few, 1);
            allreduce(count);
            in_order(op, pair, few);
            reduce_scatter_block(few / 4);
            reduce_scatter(few / 4);
        }
        barrier();
    }
    outstanding();
    repeated();
    refuse();
    OK(MPI_Op_free(&op));
    OK(MPI_Type_free(&pair));
}

int main(int argc, char **argv) {
    OK(MPI_Init(&argc, &argv));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &world_rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &world_size));
    /* The groups: one rank and the rest, two halves, even and odd ranks, all but the last and the
     * last. */
    for (int shape = 0; world_size > 1 && shape < 4; shape++) {
        if (world_size < 4 && shape > 1) break;
        int half = world_size / 2;
        side = shape == 0   ? world_rank > 0
               : shape == 1 ? world_rank >= half
               : shape == 2 ? world_rank % 2
                            : world_rank == world_size - 1;
        int leaders[2] = {0, shape == 0 || shape == 2 ? 1 : shape == 1 ? half : world_size - 1};
        MPI_Comm local;
        OK(MPI_Comm_split(MPI_COMM_WORLD, side, 0, &local));
        OK(MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, leaders[1 - side], 77, &inter));
        OK(MPI_Comm_free(&local));
        OK(MPI_Comm_rank(inter, &rank));
        OK(MPI_Comm_size(inter, &size));
        OK(MPI_Comm_remote_size(inter, &remote_size));
        all();
        OK(MPI_Comm_free(&inter));
    }
    OK(MPI_Finalize());
    return 0;
}
