/* Counts and displacements beyond 2^31 and 2^32 (MPI 5.0 §2.5.8): messages, packing, reductions,
 * datatypes. A buffer of gigabytes is a few megabytes of memory that are mapped again and again.
 *
 * sizes: 1 2
 * modes: default
 * debug: no
 * seconds: 240
 */

#define _GNU_SOURCE
#include "check.h"
#include <sys/mman.h>
#include <unistd.h>

#define MIB (1L << 20)
#define TWO_GIB (1L << 31)
#define FOUR_GIB (1L << 32)

static int to, from;

/* A range of addresses in which one window of memory is mapped again and again. */
typedef struct Range {
    unsigned char *bytes;
    long window, length;
} Range;

static Range map_range(long window, long length)
{
    int memory = memfd_create("hall", 0);
    CHECK(memory >= 0 && ftruncate(memory, window) == 0, "no memory file can be created");
    length = (length + window - 1) / window * window;
    unsigned char *bytes = mmap(NULL, length, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(bytes != MAP_FAILED, "%ld bytes of addresses cannot be mapped", length);
    for (long at = 0; at < length; at += window)
        CHECK(mmap(bytes + at, window, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory,
                   0) != MAP_FAILED, "no window can be mapped at %ld", at);
    close(memory);
    return (Range){bytes, window, length};
}

static void unmap_range(Range range)
{
    munmap(range.bytes, range.length);
}

static unsigned char pattern(int peer, long at)
{
    return (unsigned char)(peer * 89 + at * 7 + (at >> 8) * 13 + (at >> 16) * 5);
}

static void paint(Range range, int peer)
{
    for (long at = 0; at < range.window; at++) range.bytes[at] = pattern(peer, at);
}

/* Checks that the range ends with the last bytes of a message of `length` bytes, sent by `peer`
 * from a range with windows of `theirs` bytes. */
static void expect_tail(const char *what, Range range, long length, int peer, long theirs)
{
    for (long at = length - range.window + 64; at < length; at += 61)
        CHECK(range.bytes[at] == pattern(peer, at % theirs), "%s: byte %ld is %d, not %d", what, at,
              range.bytes[at], pattern(peer, at % theirs));
    CHECK(range.bytes[length - 1] == pattern(peer, (length - 1) % theirs), "%s: the last byte",
          what);
}

/* One message of a little more than 4 GiB, and its length in every form of the status inquiry. */
static void message(void)
{
    const long length = FOUR_GIB + 5;
    Range out = map_range(16 * MIB, length), in = map_range(12 * MIB, length);
    MPI_Status status;
    MPI_Count count;
    int narrow;
    paint(out, rank);
    OK(MPI_Sendrecv_c(out.bytes, length, MPI_BYTE, to, 1, in.bytes, length, MPI_BYTE, from, 1,
                      MPI_COMM_WORLD, &status));
    expect_tail("message", in, length, from, out.window);
    OK(MPI_Get_count_c(&status, MPI_BYTE, &count));
    CHECK(count == length, "MPI_Get_count_c returns %ld", (long)count);
    OK(MPI_Get_count(&status, MPI_BYTE, &narrow));
    CHECK(narrow == MPI_UNDEFINED, "MPI_Get_count returns %d", narrow);
    OK(MPI_Get_elements_c(&status, MPI_BYTE, &count));
    CHECK(count == length, "MPI_Get_elements_c returns %ld", (long)count);
    OK(MPI_Get_elements_x(&status, MPI_BYTE, &count));
    CHECK(count == length, "MPI_Get_elements_x returns %ld", (long)count);
    unmap_range(out);
    unmap_range(in);
}

/* More than 2^31 elements of two bytes, received after a probe into a larger buffer. */
static void elements(void)
{
    const long elements = TWO_GIB + 3;
    Range out = map_range(16 * MIB, elements * 2), in = map_range(12 * MIB, elements * 2 + 2);
    MPI_Request request;
    MPI_Status status;
    MPI_Count count;
    paint(out, rank);
    OK(MPI_Isend_c(out.bytes, elements, MPI_INT16_T, to, 2, MPI_COMM_WORLD, &request));
    OK(MPI_Probe(from, 2, MPI_COMM_WORLD, &status));
    OK(MPI_Get_count_c(&status, MPI_INT16_T, &count));
    CHECK(count == elements, "probed: %ld elements", (long)count);
    OK(MPI_Recv_c(in.bytes, elements + 1, MPI_INT16_T, from, 2, MPI_COMM_WORLD, &status));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Get_count_c(&status, MPI_INT16_T, &count));
    CHECK(count == elements, "received: %ld elements", (long)count);
    expect_tail("elements", in, elements * 2, from, out.window);
    unmap_range(out);
    unmap_range(in);
}

/* Every other byte of 4 GiB, sent as one element of a datatype with a large count and received as
 * bytes. */
static void strided(void)
{
    const long blocks = TWO_GIB + 11;
    Range out = map_range(16 * MIB, blocks * 2), in = map_range(12 * MIB, blocks);
    MPI_Datatype type;
    MPI_Count size, lb, extent;
    int narrow;
    paint(out, rank);
    OK(MPI_Type_vector_c(blocks, 1, 2, MPI_BYTE, &type));
    OK(MPI_Type_commit(&type));
    OK(MPI_Type_size_c(type, &size));
    OK(MPI_Type_size(type, &narrow));
    CHECK(size == blocks && narrow == MPI_UNDEFINED, "sizes %ld and %d", (long)size, narrow);
    OK(MPI_Type_get_extent_c(type, &lb, &extent));
    CHECK(lb == 0 && extent == 2 * blocks - 1, "bounds %ld, %ld", (long)lb, (long)extent);
    OK(MPI_Sendrecv_c(out.bytes, 1, type, to, 3, in.bytes, blocks, MPI_BYTE, from, 3,
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (long at = blocks - in.window + 64; at < blocks; at += 61)
        CHECK(in.bytes[at] == pattern(from, 2 * at % out.window), "strided: byte %ld", at);
    OK(MPI_Type_free(&type));
    unmap_range(out);
    unmap_range(in);
}

/* Packed in two parts, the first of which is longer than 2^31 bytes, and unpacked in one call. */
static void packed(void)
{
    const long first = TWO_GIB + 21, second = 1000, length = first + second;
    Range plain = map_range(16 * MIB, length), buffer = map_range(12 * MIB, length + 64),
        back = map_range(20 * MIB, length);
    MPI_Count size, position = 0;
    paint(plain, rank);
    OK(MPI_Pack_size_c(length, MPI_BYTE, MPI_COMM_WORLD, &size));
    CHECK(size >= length, "MPI_Pack_size_c returns %ld", (long)size);
    OK(MPI_Pack_c(plain.bytes, first, MPI_BYTE, buffer.bytes, buffer.length, &position,
                  MPI_COMM_WORLD));
    CHECK(position == first, "position %ld", (long)position);
    OK(MPI_Pack_c(plain.bytes + first, second, MPI_BYTE, buffer.bytes, buffer.length, &position,
                  MPI_COMM_WORLD));
    CHECK(position == length, "position %ld", (long)position);
    expect_tail("packed", buffer, length, rank, plain.window);
    /* Only the last window of the buffer still holds what was packed there. */
    position = length - second;
    OK(MPI_Unpack_c(buffer.bytes, length, &position, back.bytes + first, second, MPI_BYTE,
                    MPI_COMM_WORLD));
    CHECK(position == length, "position %ld after unpacking", (long)position);
    for (long at = first; at < length; at++)
        CHECK(back.bytes[at] == pattern(rank, at % plain.window), "unpacked byte %ld", at);
    unmap_range(plain);
    unmap_range(buffer);
    unmap_range(back);
}

/* A reduction that may combine a byte of memory several times: a | a is a. */
static void reduced(void)
{
    const long count = TWO_GIB + 7;
    Range in = map_range(16 * MIB, count), inout = map_range(16 * MIB, count);
    paint(in, 1);
    paint(inout, 2);
    OK(MPI_Reduce_local_c(in.bytes, inout.bytes, count, MPI_BYTE, MPI_BOR));
    for (long at = 0; at < inout.window; at += 61)
        CHECK(inout.bytes[at] == (pattern(1, at) | pattern(2, at)), "reduced byte %ld", at);
    unmap_range(in);
    unmap_range(inout);
}

static void broadcast(void)
{
    const long count = TWO_GIB + 1;
    Range data = map_range(16 * MIB, count);
    paint(data, rank == size - 1 ? 77 : 0);
    OK(MPI_Bcast_c(data.bytes, count, MPI_BYTE, size - 1, MPI_COMM_WORLD));
    expect_tail("broadcast", data, count, 77, data.window);
    unmap_range(data);
}

/* A few bytes per rank, at displacements beyond the range of an int. */
static void places(void)
{
    const long stride = FOUR_GIB + 3 * MIB;
    unsigned char mine[40];
    MPI_Count counts[2];
    MPI_Aint places[2];
    Range data = map_range(16 * MIB, size * stride);
    for (int i = 0; i < 40; i++) mine[i] = pattern(rank, i);
    for (int peer = 0; peer < size; peer++) counts[peer] = 40, places[peer] = peer * stride;
    OK(MPI_Allgatherv_c(mine, 40, MPI_BYTE, data.bytes, counts, places, MPI_BYTE, MPI_COMM_WORLD));
    for (int peer = 0; peer < size; peer++)
        for (int i = 0; i < 40; i++)
            CHECK(data.bytes[peer * stride + i] == pattern(peer, i), "from %d, byte %d", peer, i);
    unmap_range(data);
}

/* Datatypes that ints cannot describe: their contents, and the results of the int calls. */
static void descriptions(void)
{
    MPI_Datatype type, inside[1];
    MPI_Count integers, addresses, larges, types, values[4], size, lb, extent,
        places[2] = {-(1L << 40), 1L << 40}, lengths[2] = {3, 1L << 33};
    MPI_Status status;
    int combiner, narrow[4];
    OK(MPI_Type_create_hindexed_c(2, lengths, places, MPI_BYTE, &type));
    OK(MPI_Type_get_true_extent_c(type, &lb, &extent));
    CHECK(lb == -(1L << 40) && extent == (1L << 41) + (1L << 33), "true bounds %ld, %ld", (long)lb,
          (long)extent);
    OK(MPI_Type_free(&type));

    OK(MPI_Type_contiguous_c(1L << 33, MPI_DOUBLE, &type));
    OK(MPI_Type_get_envelope_c(type, &integers, &addresses, &larges, &types, &combiner));
    CHECK(combiner == MPI_COMBINER_CONTIGUOUS && integers == 0 && addresses == 0 && larges == 1 &&
          types == 1, "envelope %ld %ld %ld %ld", (long)integers, (long)addresses, (long)larges,
          (long)types);
    OK(MPI_Type_get_contents_c(type, 0, 0, 1, 1, NULL, NULL, values, inside));
    CHECK(values[0] == 1L << 33 && inside[0] == MPI_DOUBLE, "contents %ld", (long)values[0]);
    OK(MPI_Type_size_c(type, &size));
    CHECK(size == 1L << 36, "size %ld", (long)size);
    FAILS(MPI_Type_get_envelope(type, &narrow[0], &narrow[1], &narrow[2], &combiner), MPI_ERR_TYPE);

    OK(MPI_Status_set_elements_c(&status, MPI_DOUBLE, 5L << 33));
    OK(MPI_Get_elements_c(&status, type, &size));
    CHECK(size == 5L << 33, "%ld elements", (long)size);
    OK(MPI_Get_count_c(&status, type, &size));
    CHECK(size == 5, "%ld of the type", (long)size);
    OK(MPI_Status_set_elements_x(&status, MPI_BYTE, 1L << 40));
    OK(MPI_Get_elements_x(&status, MPI_BYTE, &size));
    CHECK(size == 1L << 40, "%ld bytes", (long)size);
    OK(MPI_Type_free(&type));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    to = (rank + 1) % size;
    from = (rank + size - 1) % size;
    descriptions();
    places();
    reduced();
    packed();
    strided();
    elements();
    message();
    broadcast();
    OK(MPI_Finalize());
    return 0;
}
