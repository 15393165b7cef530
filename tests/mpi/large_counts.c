/* Counts and displacements beyond 2^31 and 2^32 (MPI 5.0 §2.5.8): messages, packing, reductions, types. A buffer of gigabytes is the same
 * few megabytes mapped one behind the other, so that no memory is needed.
 *
 * sizes: 1 2
 * modes: default
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

/* A window of memory, seen again and again over a length of addresses. */
typedef struct Hall {
    unsigned char *bytes;
    long window, length;
} Hall;

static Hall hall(long window, long length)
{
    int memory = memfd_create("hall", 0);
    CHECK(memory >= 0 && ftruncate(memory, window) == 0, "no memory file");
    length = (length + window - 1) / window * window;
    unsigned char *bytes = mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(bytes != MAP_FAILED, "no room for %ld bytes of addresses", length);
    for (long at = 0; at < length; at += window)
        CHECK(mmap(bytes + at, window, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory, 0) != MAP_FAILED, "no window at %ld", at);
    close(memory);
    return (Hall){bytes, window, length};
}

static void leave(Hall hall)
{
    munmap(hall.bytes, hall.length);
}

static unsigned char pattern(int who, long at)
{
    return (unsigned char)(who * 89 + at * 7 + (at >> 8) * 13 + (at >> 16) * 5);
}

static void paint(Hall hall, int who)
{
    for (long at = 0; at < hall.window; at++) hall.bytes[at] = pattern(who, at);
}

/* The last bytes of a message of `length` bytes, which came from a hall of `who` with windows of `theirs`, are in the hall. */
static void expect_tail(const char *what, Hall hall, long length, int who, long theirs)
{
    for (long at = length - hall.window + 64; at < length; at += 61)
        CHECK(hall.bytes[at] == pattern(who, at % theirs), "%s: byte %ld is %d, not %d", what, at, hall.bytes[at], pattern(who, at % theirs));
    CHECK(hall.bytes[length - 1] == pattern(who, (length - 1) % theirs), "%s: the last byte", what);
}

/* One message of a little more than 4 GiB; what the status says in every form. */
static void message(void)
{
    const long length = FOUR_GIB + 5;
    Hall out = hall(16 * MIB, length), in = hall(12 * MIB, length);
    MPI_Status status;
    MPI_Count count;
    int narrow;
    paint(out, rank);
    OK(MPI_Sendrecv_c(out.bytes, length, MPI_BYTE, to, 1, in.bytes, length, MPI_BYTE, from, 1, MPI_COMM_WORLD, &status));
    expect_tail("message", in, length, from, out.window);
    OK(MPI_Get_count_c(&status, MPI_BYTE, &count));
    CHECK(count == length, "Get_count_c says %ld", (long)count);
    OK(MPI_Get_count(&status, MPI_BYTE, &narrow));
    CHECK(narrow == MPI_UNDEFINED, "Get_count says %d", narrow);
    OK(MPI_Get_elements_c(&status, MPI_BYTE, &count));
    CHECK(count == length, "Get_elements_c says %ld", (long)count);
    OK(MPI_Get_elements_x(&status, MPI_BYTE, &count));
    CHECK(count == length, "Get_elements_x says %ld", (long)count);
    leave(out);
    leave(in);
}

/* More than 2^31 elements of two bytes, of which the receiver expects more than there are; probed first. */
static void elements(void)
{
    const long elements = TWO_GIB + 3;
    Hall out = hall(16 * MIB, elements * 2), in = hall(12 * MIB, elements * 2 + 2);
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
    leave(out);
    leave(in);
}

/* Every other byte of 4 GiB, sent as one element of a type with a large count; received as plain bytes. */
static void strided(void)
{
    const long blocks = TWO_GIB + 11;
    Hall out = hall(16 * MIB, blocks * 2), in = hall(12 * MIB, blocks);
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
    OK(MPI_Sendrecv_c(out.bytes, 1, type, to, 3, in.bytes, blocks, MPI_BYTE, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (long at = blocks - in.window + 64; at < blocks; at += 61)
        CHECK(in.bytes[at] == pattern(from, 2 * at % out.window), "strided: byte %ld", at);
    OK(MPI_Type_free(&type));
    leave(out);
    leave(in);
}

/* Packed in two parts, of which the first alone is longer than 2^31 bytes, and unpacked at once. */
static void packed(void)
{
    const long first = TWO_GIB + 21, second = 1000, length = first + second;
    Hall plain = hall(16 * MIB, length), buffer = hall(12 * MIB, length + 64), back = hall(20 * MIB, length);
    MPI_Count size, position = 0;
    paint(plain, rank);
    OK(MPI_Pack_size_c(length, MPI_BYTE, MPI_COMM_WORLD, &size));
    CHECK(size >= length, "Pack_size_c says %ld", (long)size);
    OK(MPI_Pack_c(plain.bytes, first, MPI_BYTE, buffer.bytes, buffer.length, &position, MPI_COMM_WORLD));
    CHECK(position == first, "position %ld", (long)position);
    OK(MPI_Pack_c(plain.bytes + first, second, MPI_BYTE, buffer.bytes, buffer.length, &position, MPI_COMM_WORLD));
    CHECK(position == length, "position %ld", (long)position);
    expect_tail("packed", buffer, length, rank, plain.window);
    /* Only the last window of the buffer is still what was packed there. */
    position = length - second;
    OK(MPI_Unpack_c(buffer.bytes, length, &position, back.bytes + first, second, MPI_BYTE, MPI_COMM_WORLD));
    CHECK(position == length, "position %ld after unpacking", (long)position);
    for (long at = first; at < length; at++) CHECK(back.bytes[at] == pattern(rank, at % plain.window), "unpacked byte %ld", at);
    leave(plain);
    leave(buffer);
    leave(back);
}

/* A reduction that may meet the same memory again: a | a is a. */
static void reduced(void)
{
    const long count = TWO_GIB + 7;
    Hall in = hall(16 * MIB, count), inout = hall(16 * MIB, count);
    paint(in, 1);
    paint(inout, 2);
    OK(MPI_Reduce_local_c(in.bytes, inout.bytes, count, MPI_BYTE, MPI_BOR));
    for (long at = 0; at < inout.window; at += 61)
        CHECK(inout.bytes[at] == (pattern(1, at) | pattern(2, at)), "reduced byte %ld", at);
    leave(in);
    leave(inout);
}

static void broadcast(void)
{
    const long count = TWO_GIB + 1;
    Hall data = hall(16 * MIB, count);
    paint(data, rank == size - 1 ? 77 : 0);
    OK(MPI_Bcast_c(data.bytes, count, MPI_BYTE, size - 1, MPI_COMM_WORLD));
    expect_tail("broadcast", data, count, 77, data.window);
    leave(data);
}

/* A few bytes each, at places farther apart than an int can say. */
static void places(void)
{
    const long apart = FOUR_GIB + 3 * MIB;
    unsigned char mine[40];
    MPI_Count counts[2];
    MPI_Aint places[2];
    Hall data = hall(16 * MIB, size * apart);
    for (int i = 0; i < 40; i++) mine[i] = pattern(rank, i);
    for (int peer = 0; peer < size; peer++) counts[peer] = 40, places[peer] = peer * apart;
    OK(MPI_Allgatherv_c(mine, 40, MPI_BYTE, data.bytes, counts, places, MPI_BYTE, MPI_COMM_WORLD));
    for (int peer = 0; peer < size; peer++)
        for (int i = 0; i < 40; i++) CHECK(data.bytes[peer * apart + i] == pattern(peer, i), "from %d, byte %d", peer, i);
    leave(data);
}

/* Types that no int describes: what they are made of, and what the short forms answer. */
static void descriptions(void)
{
    MPI_Datatype type, inside[1];
    MPI_Count integers, addresses, larges, types, values[4], size, lb, extent, places[2] = {-(1L << 40), 1L << 40}, lengths[2] = {3, 1L << 33};
    MPI_Status status;
    int combiner, narrow[4];
    OK(MPI_Type_create_hindexed_c(2, lengths, places, MPI_BYTE, &type));
    OK(MPI_Type_get_true_extent_c(type, &lb, &extent));
    CHECK(lb == -(1L << 40) && extent == (1L << 41) + (1L << 33), "true bounds %ld, %ld", (long)lb, (long)extent);
    OK(MPI_Type_free(&type));

    OK(MPI_Type_contiguous_c(1L << 33, MPI_DOUBLE, &type));
    OK(MPI_Type_get_envelope_c(type, &integers, &addresses, &larges, &types, &combiner));
    CHECK(combiner == MPI_COMBINER_CONTIGUOUS && integers == 0 && addresses == 0 && larges == 1 && types == 1, "envelope %ld %ld %ld %ld",
          (long)integers, (long)addresses, (long)larges, (long)types);
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
