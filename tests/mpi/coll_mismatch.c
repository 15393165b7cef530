/* Collectives whose processes pass different lengths: no byte past a buffer is written, every call
 * returns, and the communicator works afterwards. If the operation has a root, or if the processes
 * use a collective segment, at least one of them gets MPI_ERR_TRUNCATE. Algorithms over messages
 * guarantee less, because the number of messages may depend on the length.
 *
 * sizes: 2 3 4 7
 * modes: default threads dedicated oversubscribed
 */

#define _GNU_SOURCE
#include "coll.h"
#include "reachable.h"

enum { GUARD = 64 << 10, LONGEST = 1300000, WARM = 6, TREE = 4 };

static int rank, size, last, use_segment;
static MPI_Comm comm;

typedef struct Lengths { int less, more; } Lengths;

/* Both lengths within one line of the collective segment; within one staging buffer; in staging
 * buffers of two kinds; by single copies; by staging buffers at some ranks and by single copies at
 * others, on both sides of that limit. */
static const Lengths everywhere[] = {{24, 40},         {40, 56},         {4000, 5600},
                                     {10000, 20000},   {80000, 100000},  {70000, 180000},
                                     {600000, 900000}, {20000, 60000}};
enum { EVERYWHERE = sizeof everywhere / sizeof *everywhere };

/* One line at one rank, and a staging buffer or a single copy at the other; a message and a single
 * copy; one staging buffer and several; a ring and a single copy. Two ranks only: among more the
 * number of chunks of a gather would differ. */
static const Lengths between_two[] = {{24, 20000},      {24, 600000},   {3000, 20000},
                                      {3000, 600000},   {20000, 90000}, {60000, 90000},
                                      {200000, 600000}, {900000, 1300000}};
enum { BETWEEN_TWO = sizeof between_two / sizeof *between_two };

/* One staging buffer at some ranks and a sequence of them at others, or staging buffers of several
 * kinds. What the root of a broadcast publishes tells the others the length. */
static const Lengths broadcasts[] = {{60000, 90000}, {65536, 131072}, {65536, 190000},
                                     {20000, 30000}, {16000, 60000}, {16000, 90000},
                                     {150000, 180000}};
enum { BROADCASTS = sizeof broadcasts / sizeof *broadcasts };

static unsigned char *in, *out;

static int class_of(int code) {
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) OK(MPI_Error_class(code, &class));
    return class;
}

/* Checks that the communicator still works. */
static void test_working(void) {
    for (int call = 0; call < 3; call++) {
        int one = rank + call, sum = 0, data[4000];
        OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
        EQUAL("sum afterwards", sum, size * (size - 1) / 2 + size * call);
        for (int i = 0; i < 3000; i++) data[i] = rank == call % size ? i + call : -1;
        OK(MPI_Bcast(data, 3000, MPI_INT, call % size, comm));
        for (int i = 0; i < 3000; i++) EQUAL("data afterwards", data[i], i + call);
    }
    OK(MPI_Barrier(comm));
}

static void prepare(void) { memset(out, PATTERN, (size_t)LONGEST * size + GUARD); }

static void intact_from(int line, size_t bytes) {
    for (size_t i = bytes; i < bytes + GUARD; i++)
        if (out[i] != PATTERN) fail_at(line, "byte past the buffer", out[i], PATTERN);
}
#define INTACT_FROM(bytes) intact_from(__LINE__, bytes)

static void expect(int line, int code, int wanted) {
    if (class_of(code) != wanted) fail_at(line, "error class", class_of(code), wanted);
}
#define EXPECT_CLASS(code, wanted) expect(__LINE__, code, wanted)

/* Which rank detects the mismatch depends on the algorithm, because data may pass through other
 * ranks. */
static void expect_somewhere(int line, int code) {
    int class = class_of(code), refused = class == MPI_ERR_TRUNCATE, anywhere = 0;
    OK(MPI_Allreduce(&refused, &anywhere, 1, MPI_INT, MPI_LOR, comm));
    if (!anywhere) fail_at(line, "ranks that detect the mismatch", 0, 1);
}
#define EXPECT_SOMEWHERE(code) expect_somewhere(__LINE__, code)

/* Only one rank has a shorter buffer than the message. */
static void expect_at_one(int line, int code, int here) {
    if (size < TREE) expect(line, code, here ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    expect_somewhere(line, code);
}
#define EXPECT_AT(here, code) expect_at_one(__LINE__, code, here)

/* The root sends less than the others expect. They get these data, or an error, but never the
 * previous contents of a buffer. */
static void test_short_root(Lengths lengths) {
    int bytes = rank == 0 ? lengths.less : lengths.more;
    prepare();
    for (int i = 0; rank == 0 && i < bytes; i++) out[i] = (unsigned char)(i * 7 + 1);
    int class = class_of(MPI_Bcast(out, bytes, MPI_BYTE, 0, comm));
    if (class != MPI_SUCCESS && class != MPI_ERR_TRUNCATE)
        fail_at(__LINE__, "error class", class, MPI_SUCCESS);
    if (rank != 0 && class == MPI_SUCCESS)
        for (int i = 0; i < bytes; i++)
            EQUAL("byte of a short root", out[i],
                  i < lengths.less ? (unsigned char)(i * 7 + 1) : PATTERN);
    INTACT_FROM(bytes);
    test_working();
}

static void test_rooted(Lengths lengths) {
    int less = lengths.less, more = lengths.more, odd = rank == last;
    prepare();
    EXPECT_AT(odd, MPI_Bcast(out, odd ? less : more, MPI_BYTE, 0, comm));
    INTACT_FROM(odd ? less : more);
    test_working();
    prepare();
    EXPECT_AT(rank == 0, MPI_Gather(in, odd ? more : less, MPI_BYTE, out, less, MPI_BYTE, 0, comm));
    INTACT_FROM(rank == 0 ? (size_t)less * size : 0);
    test_working();
    prepare();
    EXPECT_AT(odd, MPI_Scatter(in, more, MPI_BYTE, out, odd ? less : more, MPI_BYTE, 0, comm));
    INTACT_FROM(odd ? less : more);
    test_working();
}

static void test_all(Lengths lengths) {
    int odd = rank == last, own = odd ? lengths.more : lengths.less;
    prepare();
    EXPECT_SOMEWHERE(MPI_Allgather(in, own, MPI_BYTE, out, own, MPI_BYTE, comm));
    INTACT_FROM((size_t)own * size);
    test_working();
    prepare();
    EXPECT_SOMEWHERE(MPI_Alltoall(in, own, MPI_BYTE, out, own, MPI_BYTE, comm));
    INTACT_FROM((size_t)own * size);
    test_working();
    /* All ranks make the same mistake within their own call. */
    prepare();
    EXPECT_CLASS(MPI_Alltoall(in, lengths.more, MPI_BYTE, out, lengths.less, MPI_BYTE, comm),
                 MPI_ERR_TRUNCATE);
    INTACT_FROM((size_t)lengths.less * size);
    test_working();
}

static void test_reductions(Lengths lengths) {
    int odd = rank == last, own = odd ? lengths.more : lengths.less, count = own / 8;
    prepare();
    EXPECT_SOMEWHERE(MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_MAX, comm));
    INTACT_FROM(own);
    test_working();
    prepare();
    EXPECT_SOMEWHERE(MPI_Reduce(in, out, count, MPI_DOUBLE, MPI_MAX, 0, comm));
    INTACT_FROM(rank == 0 ? own : 0);
    test_working();
    prepare();
    EXPECT_SOMEWHERE(MPI_Scan(in, out, count, MPI_DOUBLE, MPI_MAX, comm));
    INTACT_FROM(own);
    test_working();
    prepare();
    EXPECT_SOMEWHERE(MPI_Exscan(in, out, count, MPI_DOUBLE, MPI_MAX, comm));
    INTACT_FROM(own);
    test_working();
    prepare();
    EXPECT_SOMEWHERE(MPI_Reduce_scatter_block(in, out, count, MPI_DOUBLE, MPI_MAX, comm));
    INTACT_FROM(own);
    test_working();
}

/* Half of the ranks, perhaps all ranks of one node, have shorter buffers. Their calls fail, the
 * calls of the others succeed, and later calls work. */
static void test_half(Lengths lengths) {
    int odd = rank >= (size + 1) / 2;
    prepare();
    int code = MPI_Bcast(out, odd ? lengths.less : lengths.more, MPI_BYTE, 0, comm);
    if (size < TREE) EQUAL("failed", code != MPI_SUCCESS, odd);
    INTACT_FROM(odd ? lengths.less : lengths.more);
    test_working();
}

static void test_lengths(Lengths lengths) {
    test_rooted(lengths);
    test_half(lengths);
    if (!use_segment) return;
    test_short_root(lengths);
    test_all(lengths);
    test_reductions(lengths);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    last = size - 1;
    use_segment = are_reachable(comm);
    in = calloc((size_t)size, LONGEST);
    out = malloc((size_t)LONGEST * size + GUARD);
    for (int call = 0; call < WARM; call++) OK(MPI_Barrier(comm));
    for (int i = 0; i < EVERYWHERE; i++) test_lengths(everywhere[i]);
    for (int i = 0; use_segment && size == 2 && i < BETWEEN_TWO; i++) test_lengths(between_two[i]);
    for (int i = 0; use_segment && i < BROADCASTS; i++) {
        test_half(broadcasts[i]);
        test_short_root(broadcasts[i]);
    }
    free(in);
    free(out);
    OK(MPI_Comm_free(&comm));
    return end();
}
