/* Messages with gaps on one side, the other or both, at every length at which the protocol changes.
 * Gaps are not written, datatypes may be freed while they are in use, and datatypes that are not
 * committed are an error (MPI 5.0 §3.2, §3.3, §5.1). */

#include "check.h"

enum { PLAIN, STRIDED, PAIRS, BELOW, SHAPES };

typedef struct Shape {
    MPI_Datatype type;
    /* bytes of data and of memory per element; bytes of data below its address */
    int data, extent, below;
    unsigned char holds[64]; /* which bytes are data, from the lowest address on */
} Shape;

static Shape shapes[SHAPES];
static int to, from;

static void make_shapes(void)
{
    MPI_Datatype inner;
    shapes[PLAIN] = (Shape){.type = MPI_INT, .data = 4, .extent = 4};
    memset(shapes[PLAIN].holds, 1, 4);

    /* Two ints, twelve bytes apart, in an extent of twenty bytes. */
    shapes[STRIDED] = (Shape){.data = 8, .extent = 20};
    OK(MPI_Type_vector(2, 1, 3, MPI_INT, &inner));
    OK(MPI_Type_create_resized(inner, 0, 20, &shapes[STRIDED].type));
    OK(MPI_Type_free(&inner));
    memset(shapes[STRIDED].holds, 1, 4), memset(shapes[STRIDED].holds + 12, 1, 4);

    /* Three bytes, then an int, in an extent of eleven bytes: nothing is aligned. */
    int lengths[2] = {3, 1};
    MPI_Aint places[2] = {0, 5};
    MPI_Datatype types[2] = {MPI_BYTE, MPI_INT};
    shapes[PAIRS] = (Shape){.data = 7, .extent = 11};
    OK(MPI_Type_create_struct(2, lengths, places, types, &inner));
    OK(MPI_Type_create_resized(inner, 0, 11, &shapes[PAIRS].type));
    OK(MPI_Type_free(&inner));
    memset(shapes[PAIRS].holds, 1, 3), memset(shapes[PAIRS].holds + 5, 1, 4);

    /* The element begins eight bytes below its address, and the part at the higher address comes
     * first in the type map. */
    int ones[2] = {4, 4};
    MPI_Aint around[2] = {4, -8};
    shapes[BELOW] = (Shape){.data = 8, .extent = 24, .below = 8};
    OK(MPI_Type_create_hindexed(2, ones, around, MPI_BYTE, &inner));
    OK(MPI_Type_create_resized(inner, -8, 24, &shapes[BELOW].type));
    OK(MPI_Type_free(&inner));
    memset(shapes[BELOW].holds, 1, 4), memset(shapes[BELOW].holds + 12, 1, 4);
    for (int i = STRIDED; i < SHAPES; i++) OK(MPI_Type_commit(&shapes[i].type));
}

/* The displacement of byte `i` of the message, in type map order. */
static long place_of(int shape, long i)
{
    const Shape *s = &shapes[shape];
    long element = i / s->data, left = i % s->data, at = 0;
    if (shape == BELOW) return element * s->extent + (left < 4 ? 12 + left : left - 4);
    for (; !s->holds[at] || left-- > 0; at++) continue;
    return element * s->extent + at;
}

static void scatter(int shape, unsigned char *memory, long bytes, unsigned seed)
{
    for (long i = 0; i < bytes; i++) memory[place_of(shape, i)] = byte_of(seed, i);
}

static void check_memory(int shape, const unsigned char *memory, long capacity, long bytes,
                         unsigned seed, const char *what)
{
    unsigned char *model = malloc(capacity + 1);
    memset(model, GUARD, capacity);
    scatter(shape, model, bytes, seed);
    for (long i = 0; i < capacity; i++)
        CHECK(memory[i] == model[i], "%s: shape %d, %ld bytes: the byte at %ld is wrong", what,
              shape, bytes, i);
    CHECK(untouched(memory, capacity, capacity),
          "%s: shape %d: bytes around the buffer were written", what, shape);
    free(model);
}

/* One message of `bytes` bytes, which are whole elements on both sides (56 is a multiple of all
 * sizes). */
static void exchange(int out, int in, long bytes, int late)
{
    const Shape *s = &shapes[out], *r = &shapes[in];
    long sent = bytes / s->data, received = bytes / r->data, outside = sent * s->extent,
        inside = (received + 3) * r->extent;
    unsigned char *source = guarded(outside), *target = guarded(inside);
    MPI_Request requests[2];
    MPI_Status status;
    MPI_Datatype outgoing, incoming;
    int count, elements;
    scatter(out, source, bytes, rank);
    /* The datatypes are freed before the message is received. */
    OK(MPI_Type_dup(s->type, &outgoing));
    OK(MPI_Type_dup(r->type, &incoming));
    if (!late)
        OK(MPI_Irecv(target + r->below, (int)received + 3, incoming, from, 1, MPI_COMM_WORLD,
                     &requests[1]));
    OK(MPI_Isend(source + s->below, (int)sent, outgoing, to, 1, MPI_COMM_WORLD, &requests[0]));
    OK(MPI_Type_free(&outgoing));
    if (late)
        OK(MPI_Recv(target + r->below, (int)received + 3, incoming, MPI_ANY_SOURCE, 1,
                    MPI_COMM_WORLD, &status));
    OK(MPI_Type_free(&incoming));
    if (!late) OK(MPI_Wait(&requests[1], &status));
    OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    STATUS(&status, from, 1, bytes);
    OK(MPI_Get_count(&status, r->type, &count));
    OK(MPI_Get_elements(&status, MPI_BYTE, &elements));
    CHECK(count == received && elements == bytes,
          "MPI_Get_count gives %d, MPI_Get_elements %d, for %ld elements of %ld bytes", count,
          elements, received, bytes);
    check_memory(in, target, inside, bytes, from, "exchange");
    free_guarded(source), free_guarded(target);
}

/* The message is longer than the receive, which takes whole elements only. */
static void truncated(int out, int in, long bytes, MPI_Comm comm)
{
    const Shape *s = &shapes[out], *r = &shapes[in];
    long sent = bytes / s->data, received = bytes / r->data / 2, inside = received * r->extent;
    unsigned char *source = guarded(sent * s->extent), *target = guarded(inside);
    MPI_Request request;
    scatter(out, source, bytes, rank);
    OK(MPI_Isend(source + s->below, (int)sent, s->type, to, 2, comm, &request));
    FAILS(MPI_Recv(target + r->below, (int)received, r->type, from, 2, comm, MPI_STATUS_IGNORE),
          MPI_ERR_TRUNCATE);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    check_memory(in, target, inside, received * r->data, from, "truncated");
    free_guarded(source), free_guarded(target);
}

static void replace(int shape, long bytes)
{
    const Shape *s = &shapes[shape];
    long count = bytes / s->data, capacity = count * s->extent;
    unsigned char *memory = guarded(capacity);
    MPI_Status status;
    scatter(shape, memory, bytes, rank);
    OK(MPI_Sendrecv_replace(memory + s->below, (int)count, s->type, to, 3, from, 3, MPI_COMM_WORLD,
                            &status));
    STATUS(&status, from, 3, bytes);
    check_memory(shape, memory, capacity, bytes, from, "replace");
    free_guarded(memory);
}

/* Absolute addresses with MPI_BOTTOM, a partial element, and datatypes that are not committed. */
static void corners(MPI_Comm comm)
{
    static int out[2], in[2], count, elements;
    int ones[2] = {1, 1};
    MPI_Aint places[2];
    MPI_Datatype absolute, raw;
    MPI_Request request;
    MPI_Status status;
    OK(MPI_Get_address(&in[1], &places[0]));
    OK(MPI_Get_address(&in[0], &places[1]));
    OK(MPI_Type_create_hindexed(2, ones, places, MPI_INT, &absolute));
    OK(MPI_Type_commit(&absolute));
    out[0] = rank, out[1] = rank + 100;
    OK(MPI_Isend(out, 2, MPI_INT, to, 4, comm, &request));
    OK(MPI_Recv(MPI_BOTTOM, 1, absolute, from, 4, comm, &status));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(in[1] == from && in[0] == from + 100, "%d and %d arrived at absolute addresses", in[0],
          in[1]);
    OK(MPI_Type_free(&absolute));

    unsigned char some[40] = {0};
    OK(MPI_Isend(out, 3, MPI_BYTE, to, 5, comm, &request));
    OK(MPI_Recv(some, 2, shapes[PAIRS].type, from, 5, comm, &status));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Get_count(&status, shapes[PAIRS].type, &count));
    OK(MPI_Get_elements(&status, shapes[PAIRS].type, &elements));
    CHECK(count == MPI_UNDEFINED && elements == 3,
          "three bytes of an element give count %d, %d elements", count, elements);

    OK(MPI_Type_contiguous(2, MPI_INT, &raw));
    FAILS(MPI_Send(out, 1, raw, to, 6, comm), MPI_ERR_TYPE);
    FAILS(MPI_Irecv(in, 1, raw, from, 6, comm, &request), MPI_ERR_TYPE);
    MPI_Datatype stale = raw;
    OK(MPI_Type_free(&raw));
    FAILS(MPI_Send(out, 1, stale, to, 6, comm), MPI_ERR_TYPE);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Comm comm;
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    make_shapes();
    static const long counts[] = {0, 1, 72, 73, 291, 292, 600, 5000};
    for (int out = 0; out < SHAPES; out++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            for (int in = 0; in < SHAPES; in++)
                for (int late = 0; late < 2; late++) exchange(out, in, 56 * counts[i], late);
            replace(out, 56 * counts[i]);
            if (counts[i] > 0) truncated(out, (out + (int)i) % SHAPES, 56 * counts[i], comm);
        }
    corners(comm);
    for (int i = STRIDED; i < SHAPES; i++) OK(MPI_Type_free(&shapes[i].type));
    OK(MPI_Comm_free(&comm));
    return MPI_Finalize();
}
