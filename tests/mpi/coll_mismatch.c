/* Collectives whose processes pass different lengths: no byte past a buffer is written, every call
 * returns, and the communicator works afterwards. If one algorithm carries both lengths, or if the
 * processes use a collective segment, at least one of them gets MPI_ERR_TRUNCATE. The number of
 * messages may depend on the length otherwise.
 *
 * sizes: 2 3 4 7
 * modes: default network threads dedicated oversubscribed
 */

#define _GNU_SOURCE
#include "coll.h"
#include "reachable.h"

enum { GUARD = 64 << 10, LONGEST = 1300000, WARM = 6, TREE = 4, WHOLE = 16 << 10 };

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

/* The root sends less than the others expect. They get an error. */
static void test_short_root(Lengths lengths) {
    int bytes = rank == 0 ? lengths.less : lengths.more;
    prepare();
    for (int i = 0; rank == 0 && i < bytes; i++) out[i] = (unsigned char)(i * 7 + 1);
    EXPECT_CLASS(MPI_Bcast(out, bytes, MPI_BYTE, 0, comm),
                 rank == 0 ? MPI_SUCCESS : MPI_ERR_TRUNCATE);
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

#define RUN(Name, name, ...)                                                        \
    (form == BLOCKING ? MPI_##Name(__VA_ARGS__)                                     \
     : form == NONBLOCKING                                                          \
         ? finish(MPI_I##name(__VA_ARGS__, &request), &request)                     \
         : finish(MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, &request), &request))

static int finish(int started, MPI_Request *request) {
    OK(started);
    if (form == PERSISTENT) OK(MPI_Start(request));
    int code = MPI_Wait(request, MPI_STATUS_IGNORE);
    if (form == PERSISTENT) OK(MPI_Request_free(request));
    return code;
}

/* Calls of which no rank has detected the mismatch. */
static int silent;

/* Every operation in every form. The last rank passes another length than the others, or in
 * operations with a root, the root does. */
static void test_forms(MPI_Comm ring, Lengths lengths) {
    enum { OPERATIONS = 16 };
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Datatype byte = MPI_BYTE, whole = MPI_DOUBLE;
    int lens[8], places[8], others[8], code;
    for (int operation = 0; operation < OPERATIONS; operation++) {
        int is_rooted = operation < 6, odd = rank == (is_rooted ? 0 : last);
        int own = odd ? lengths.more : lengths.less, count = own / 8, around = lengths.less;
        for (int i = 0; i < size; i++) {
            lens[i] = own;
            others[i] = operation == 7 && i == last ? lengths.more : lengths.less;
            places[i] = LONGEST * i;
        }
        prepare();
        switch (operation) {
        case 0: code = RUN(Bcast, bcast, out, own, byte, 0, comm); break;
        case 1: code = RUN(Gather, gather, in, around, byte, out, own, byte, 0, comm); break;
        case 2:
            code = RUN(Gatherv, gatherv, in, around, byte, out, lens, places, byte, 0, comm);
            break;
        case 3: code = RUN(Scatter, scatter, in, own, byte, out, around, byte, 0, comm); break;
        case 4:
            code = RUN(Scatterv, scatterv, in, lens, places, byte, out, around, byte, 0, comm);
            break;
        case 5: code = RUN(Reduce, reduce, in, out, count, whole, MPI_MAX, 0, comm); break;
        case 6: code = RUN(Allgather, allgather, in, own, byte, out, own, byte, comm); break;
        case 7:
            /* The last rank sends more than the others expect, and itself as much. */
            if (!odd) others[last] = lengths.less;
            code = RUN(Allgatherv, allgatherv, in, own, byte, out, others, places, byte, comm);
            break;
        case 8: code = RUN(Alltoall, alltoall, in, own, byte, out, own, byte, comm); break;
        case 9:
            code = RUN(Alltoallv, alltoallv, in, lens, places, byte, out, lens, places, byte, comm);
            break;
        case 10: code = RUN(Allreduce, allreduce, in, out, count, whole, MPI_MAX, comm); break;
        case 11: code = RUN(Scan, scan, in, out, count, whole, MPI_MAX, comm); break;
        case 12: code = RUN(Exscan, exscan, in, out, count, whole, MPI_MAX, comm); break;
        case 13:
            code = RUN(Reduce_scatter_block, reduce_scatter_block, in, out, count, whole, MPI_MAX,
                       comm);
            break;
        case 14:
            code = RUN(Neighbor_allgather, neighbor_allgather, in, own, byte, out, own, byte, ring);
            break;
        default:
            code = RUN(Neighbor_alltoall, neighbor_alltoall, in, own, byte, out, own, byte, ring);
        }
        int refused = class_of(code) == MPI_ERR_TRUNCATE, anywhere = 0;
        OK(MPI_Allreduce(&refused, &anywhere, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD));
        if (!anywhere && rank == 0)
            fprintf(stderr, "form %d, operation %d, %d and %d bytes: no rank detects it\n", form,
                    operation, lengths.less, lengths.more);
        silent += !anywhere;
    }
    test_working();
}

/* A process sends itself another length than it expects of itself. */
static void test_own(int sent, int expected) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Datatype byte = MPI_BYTE;
    MPI_Comm self;
    int at = 0;
    OK(MPI_Comm_dup(MPI_COMM_SELF, &self));
    OK(MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN));
    EXPECT_CLASS(RUN(Gather, gather, in, sent, byte, out, expected, byte, 0, self),
                 MPI_ERR_TRUNCATE);
    EXPECT_CLASS(RUN(Scatter, scatter, in, sent, byte, out, expected, byte, 0, self),
                 MPI_ERR_TRUNCATE);
    EXPECT_CLASS(RUN(Allgather, allgather, in, sent, byte, out, expected, byte, self),
                 MPI_ERR_TRUNCATE);
    EXPECT_CLASS(RUN(Alltoallv, alltoallv, in, &sent, &at, byte, out, &expected, &at, byte, self),
                 MPI_ERR_TRUNCATE);
    OK(MPI_Comm_free(&self));
}

/* Both orders of two lengths, short and long. Each is carried by the same algorithm. */
static void test_all_forms(void) {
    static const Lengths pairs[] = {{24, 40}, {600000, 900000}};
    MPI_Comm ring;
    int periodic = 1;
    OK(MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring));
    OK(MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN));
    for (form = BLOCKING; form < FORMS; form++) {
        test_own(24, 40);
        test_own(40, 24);
        for (int i = 0; i < 2; i++) {
            test_forms(ring, pairs[i]);
            test_forms(ring, (Lengths){pairs[i].more, pairs[i].less});
        }
    }
    form = BLOCKING;
    EQUAL("calls without an error", silent, 0);
    OK(MPI_Comm_free(&ring));
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
    for (int i = 0; i < EVERYWHERE; i++) {
        /* Messages of four and more ranks take one way up to this length and another beyond. */
        int two_ways = everywhere[i].less <= WHOLE && everywhere[i].more > WHOLE;
        if (use_segment || size < TREE || !two_ways) test_lengths(everywhere[i]);
    }
    for (int i = 0; use_segment && size == 2 && i < BETWEEN_TWO; i++) test_lengths(between_two[i]);
    for (int i = 0; use_segment && i < BROADCASTS; i++) {
        test_half(broadcasts[i]);
        test_short_root(broadcasts[i]);
    }
    test_all_forms();
    free(in);
    free(out);
    OK(MPI_Comm_free(&comm));
    return end();
}
