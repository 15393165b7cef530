/* Collective operations that do not match. One rank makes another call than the others, or leaves
 * one out. Every rank gets an error in this call or in a later one on the same communicator, no
 * call waits for ever, and no later call on the communicator succeeds. Other communicators work.
 * The text of the error names two ranks, the calls of both, and the number of the call.
 *
 * sizes: 2 4
 * modes: default network oversubscribed
 * seconds: 120
 */

#include "coll.h"

enum { WARM = 6, LONGEST = 16, COUNT = 2, LONG_COUNT = 30000 };

static int rank, size, last;
static MPI_Comm comm;
static double in[LONGEST * LONG_COUNT], out[LONGEST * LONG_COUNT];

/* What a rank does. */
enum Call {
    NOTHING, BARRIER, BCAST, BCAST_LAST, REDUCE, REDUCE_LAST, REDUCE_MAX, GATHER, GATHER_LAST,
    SCATTER, SCATTER_LAST, ALLGATHER, ALLTOALL, SUM, MAX, SUM_OF_LONG, SCAN, SCAN_MAX, OTHER_FORM
};

/* Two calls that do not match, and the class of the error. */
typedef struct Case {
    enum Call most, odd;
    int class;
} Case;

static const Case cases[] = {
    {BCAST, REDUCE, MPI_ERR_OTHER},
    {REDUCE, BCAST, MPI_ERR_OTHER},
    {BARRIER, SUM, MPI_ERR_OTHER},
    {SUM, BARRIER, MPI_ERR_OTHER},
    {SUM, REDUCE, MPI_ERR_OTHER},
    {GATHER, SCATTER, MPI_ERR_OTHER},
    {ALLGATHER, ALLTOALL, MPI_ERR_OTHER},
    {BCAST, ALLGATHER, MPI_ERR_OTHER},
    {SCAN, SUM, MPI_ERR_OTHER},
    {BARRIER, OTHER_FORM, MPI_ERR_OTHER},
    {BCAST, BCAST_LAST, MPI_ERR_ROOT},
    {REDUCE, REDUCE_LAST, MPI_ERR_ROOT},
    {GATHER, GATHER_LAST, MPI_ERR_ROOT},
    {SCATTER, SCATTER_LAST, MPI_ERR_ROOT},
    {SUM, MAX, MPI_ERR_OP},
    {REDUCE, REDUCE_MAX, MPI_ERR_OP},
    {SCAN, SCAN_MAX, MPI_ERR_OP},
    {SUM, SUM_OF_LONG, MPI_ERR_TYPE},
    {BCAST, NOTHING, MPI_ERR_OTHER},
    {BARRIER, NOTHING, MPI_ERR_OTHER},
    {SUM, NOTHING, MPI_ERR_OTHER},
    {NOTHING, SUM, MPI_ERR_OTHER},
};
enum { CASES = sizeof cases / sizeof *cases };

#define RUN(name, iname, ...)                                                   \
    (form == BLOCKING ? MPI_##name(__VA_ARGS__, comm)                           \
                      : (started = MPI_I##iname(__VA_ARGS__, comm, &request)) ? \
                        started : MPI_Wait(&request, MPI_STATUS_IGNORE))

static int perform(enum Call call, int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    int started;
    MPI_Datatype type = MPI_DOUBLE;
    switch (call) {
    case NOTHING: return MPI_SUCCESS;
    case BARRIER:
    case OTHER_FORM:
        if ((form == BLOCKING) == (call == BARRIER)) return MPI_Barrier(comm);
        started = MPI_Ibarrier(comm, &request);
        return started ? started : MPI_Wait(&request, MPI_STATUS_IGNORE);
    case BCAST: return RUN(Bcast, bcast, out, count, type, 0);
    case BCAST_LAST: return RUN(Bcast, bcast, out, count, type, last);
    case REDUCE: return RUN(Reduce, reduce, in, out, count, type, MPI_SUM, 0);
    case REDUCE_LAST: return RUN(Reduce, reduce, in, out, count, type, MPI_SUM, last);
    case REDUCE_MAX: return RUN(Reduce, reduce, in, out, count, type, MPI_MAX, 0);
    case GATHER: return RUN(Gather, gather, in, count, type, out, count, type, 0);
    case GATHER_LAST: return RUN(Gather, gather, in, count, type, out, count, type, last);
    case SCATTER: return RUN(Scatter, scatter, in, count, type, out, count, type, 0);
    case SCATTER_LAST: return RUN(Scatter, scatter, in, count, type, out, count, type, last);
    case ALLGATHER: return RUN(Allgather, allgather, in, count, type, out, count, type);
    case ALLTOALL: return RUN(Alltoall, alltoall, in, count, type, out, count, type);
    case SUM: return RUN(Allreduce, allreduce, in, out, count, type, MPI_SUM);
    case MAX: return RUN(Allreduce, allreduce, in, out, count, type, MPI_MAX);
    case SUM_OF_LONG: return RUN(Allreduce, allreduce, in, out, count, MPI_INT64_T, MPI_SUM);
    case SCAN: return RUN(Scan, scan, in, out, count, type, MPI_SUM);
    case SCAN_MAX: return RUN(Scan, scan, in, out, count, type, MPI_MAX);
    }
    return MPI_SUCCESS;
}

/* The text by which an error names a call. */
static void write_name(char *text, size_t bytes, enum Call call) {
    static const char *const names[][2] = {
        [BARRIER] = {"Barrier", ""},
        [BCAST] = {"Bcast", "(root=0)"},
        [BCAST_LAST] = {"Bcast", "(root=%d)"},
        [REDUCE] = {"Reduce", "(root=0, op=MPI_SUM, type=MPI_DOUBLE)"},
        [REDUCE_LAST] = {"Reduce", "(root=%d, op=MPI_SUM, type=MPI_DOUBLE)"},
        [REDUCE_MAX] = {"Reduce", "(root=0, op=MPI_MAX, type=MPI_DOUBLE)"},
        [GATHER] = {"Gather", "(root=0)"},
        [GATHER_LAST] = {"Gather", "(root=%d)"},
        [SCATTER] = {"Scatter", "(root=0)"},
        [SCATTER_LAST] = {"Scatter", "(root=%d)"},
        [ALLGATHER] = {"Allgather", ""},
        [ALLTOALL] = {"Alltoall", ""},
        [SUM] = {"Allreduce", "(op=MPI_SUM, type=MPI_DOUBLE)"},
        [MAX] = {"Allreduce", "(op=MPI_MAX, type=MPI_DOUBLE)"},
        [SUM_OF_LONG] = {"Allreduce", "(op=MPI_SUM, type=MPI_INT64_T)"},
        [SCAN] = {"Scan", "(op=MPI_SUM, type=MPI_DOUBLE)"},
        [SCAN_MAX] = {"Scan", "(op=MPI_MAX, type=MPI_DOUBLE)"},
    };
    int other_form = call == OTHER_FORM, nonblocking = (form == NONBLOCKING) != other_form;
    const char *const *name = names[other_form ? BARRIER : call];
    char arguments[64];
    snprintf(arguments, sizeof arguments, name[1], last);
    /* MPI_Ibcast, MPI_Bcast */
    snprintf(text, bytes, "MPI_%s%c%s%s", nonblocking ? "I" : "",
             nonblocking ? name[0][0] + 'a' - 'A' : name[0][0], name[0] + 1, arguments);
}

/* Checks what an error says: "rank 0 is in MPI_Bcast(root=0), its 7th collective on ...; rank 2
 * was in MPI_Barrier". A rank that leaves a call out is in the next one, MPI_Barrier. If this is
 * what the others are in, their next calls differ. */
static void test_text(const Case *wrong, int warm, int code) {
    char text[MPI_MAX_ERROR_STRING], calls[2][128], ordinal[32];
    int length;
    OK(MPI_Error_string(code, text, &length));
    const enum Call both[] = {wrong->most, wrong->odd};
    int is_late = form == BLOCKING && wrong->most == BARRIER && wrong->odd == NOTHING;
    for (int side = 0; side < 2; side++) {
        if (both[side] == NOTHING)
            snprintf(calls[side], sizeof *calls, is_late ? "MPI_Bcast(root=0)" : "MPI_Barrier");
        else write_name(calls[side], sizeof *calls, both[side]);
    }
    snprintf(ordinal, sizeof ordinal, "%d%s", warm + 1 + is_late,
             warm ? "th" : is_late ? "nd" : "st");
    for (int most = 0; most < last; most++)
        for (int tenses = 0; tenses < 4; tenses++) {
            char expected[512];
            snprintf(expected, sizeof expected,
                     "rank %d %s in %s, its %s collective on the communicator; rank %d %s in %s",
                     most, tenses & 1 ? "is" : "was", calls[0], ordinal, last,
                     tenses & 2 ? "is" : "was", calls[1]);
            if (strstr(text, expected)) return;
        }
    fprintf(stderr, "rank %d, form %d, %d calls before: %s, %s: the error says: %s\n", rank, form,
            warm, calls[0], calls[1], text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int class_of(int code) {
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) OK(MPI_Error_class(code, &class));
    return class;
}

/* All ranks of the communicator make the mistake of one case, after `warm` calls that match. */
static void test_case(int index, int warm, int count) {
    const Case *wrong = &cases[index];
    int code = MPI_SUCCESS, calls = 0;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (int call = 0; call < warm; call++)
        OK(MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, comm));
    /* A rank that still is in the last one may learn of the mistake there. */
    OK(MPI_Barrier(MPI_COMM_WORLD));
    code = perform(rank == last ? wrong->odd : wrong->most, count);
    /* A rank that nothing tells in the call learns of it in the next ones. */
    for (; code == MPI_SUCCESS && calls < 4; calls++)
        code = calls % 2 ? MPI_Bcast(out, 1, MPI_DOUBLE, 0, comm) : MPI_Barrier(comm);
    /* A member of a segment may find first that another one has another length. */
    if (class_of(code) == MPI_ERR_TRUNCATE && wrong->class == MPI_ERR_OTHER) {
        for (calls = 0; calls < 3 && class_of(code) == MPI_ERR_TRUNCATE; calls++)
            code = MPI_Barrier(comm);
    }
    if (class_of(code) != wrong->class) {
        fprintf(stderr, "case %d, %d calls before, count %d: ", index, warm, count);
        fail_at(__LINE__, "class", class_of(code), wrong->class);
    }
    test_text(wrong, warm, code);
    if (MPI_Barrier(comm) == MPI_SUCCESS ||
        MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, comm) == MPI_SUCCESS) {
        fprintf(stderr, "case %d, %d calls before, count %d: ", index, warm, count);
        fail_at(__LINE__, "a later call", MPI_SUCCESS, wrong->class);
    }
    OK(MPI_Comm_free(&comm));
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    last = size - 1;
    for (int index = 0; index < CASES; index++)
        for (form = BLOCKING; form <= NONBLOCKING; form++)
            for (int warm = 0; warm <= WARM; warm += WARM) {
                test_case(index, warm, COUNT);
                if (warm) test_case(index, warm, LONG_COUNT);
            }
    form = BLOCKING;
    return end();
}
