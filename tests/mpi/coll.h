/* Common parts of the collective tests.
 *
 * A test runs each operation in its three forms (blocking, nonblocking, persistent), on several
 * communicators, with several kinds of elements and several counts. A kind of element defines how a
 * number is stored in an element and read back, and which bytes of the element are data. All other
 * bytes hold a pattern that no operation may overwrite.
 *
 * A test that fails prints the reason and exits with 1. Otherwise it prints nothing and exits with
 * 0. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };
static int form;
static int world_rank, world_size;

static inline void fail_at(int line, const char *what, long seen, long wanted) {
    fprintf(stderr, "%s:%d: rank %d, form %d: %s: %ld instead of %ld\n", __BASE_FILE__, line,
            world_rank, form, what, seen, wanted);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

#define EQUAL(what, seen, wanted)                             \
    do {                                                      \
        long seen_ = (long)(seen), wanted_ = (long)(wanted);  \
        if (seen_ != wanted_) fail_at(__LINE__, what, seen_, wanted_); \
    } while (0)

#define OK(call) EQUAL(#call, (call), MPI_SUCCESS)

/* Runs the operation in the current form, as in COLL(comm, Bcast, bcast, buffer, count, type,
 * root). */
#define COLL(comm, Name, name, ...)                                                            \
    do {                                                                                       \
        MPI_Request request_ = MPI_REQUEST_NULL;                                               \
        if (form == BLOCKING) {                                                                \
            OK(MPI_##Name(__VA_ARGS__, comm));                                                 \
        } else if (form == NONBLOCKING) {                                                      \
            OK(MPI_I##name(__VA_ARGS__, comm, &request_));                                     \
            OK(MPI_Wait(&request_, MPI_STATUS_IGNORE));                                        \
            EQUAL("request after the wait", request_ == MPI_REQUEST_NULL, 1);                  \
        } else {                                                                               \
            OK(MPI_##Name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &request_));                \
            OK(MPI_Start(&request_));                                                          \
            OK(MPI_Wait(&request_, MPI_STATUS_IGNORE));                                        \
            OK(MPI_Request_free(&request_));                                                   \
        }                                                                                      \
    } while (0)

/* --- Elements --- */

enum { EXTENT_MAX = 64, PATTERN = 0xA5 };

typedef struct Kind {
    const char *name;
    MPI_Datatype type;
    size_t extent, below; /* bytes of an element; bytes of data below its address */
    unsigned char data[EXTENT_MAX]; /* which bytes are data, from the lowest address on */
    void (*set)(void *, long);
    long (*get)(const void *);
} Kind;

static inline void set_int(void *at, long value) {
    int number = (int)value;
    memcpy(at, &number, sizeof number);
}
static inline long get_int(const void *at) {
    int number;
    memcpy(&number, at, sizeof number);
    return number;
}
static inline void set_double(void *at, long value) {
    double number = (double)value;
    memcpy(at, &number, sizeof number);
}
static inline long get_double(const void *at) {
    double number;
    memcpy(&number, at, sizeof number);
    return (long)number;
}

static Kind kinds[8];
static int kinds_count;

static Kind *add_kind(const char *name, MPI_Datatype type, size_t extent, size_t below,
                      void (*set)(void *, long), long (*get)(const void *)) {
    Kind *kind = &kinds[kinds_count++];
    *kind = (Kind){.name = name, .type = type, .extent = extent, .below = below, .set = set,
                   .get = get};
    return kind;
}

/* Two ints, at offsets 0 and 8 of 20 bytes. */
static inline void set_gaps(void *at, long value) {
    set_int(at, value);
    set_int((char *)at + 8, value + 1);
}
static inline long get_gaps(const void *at) {
    return get_int((const char *)at + 8) == get_int(at) + 1 ? get_int(at) : -1;
}

/* An int at -8, a double at 0 and a byte at 8, of 24 bytes. The lower bound is negative. */
static inline void set_struct(void *at, long value) {
    set_int((char *)at - 8, value);
    set_double(at, value + 2);
    *((char *)at + 8) = (char)value;
}
static inline long get_struct(const void *at) {
    long value = get_int((const char *)at - 8);
    return get_double(at) == value + 2 && *((const char *)at + 8) == (char)value ? value : -1;
}

static inline void make_derived(void) {
    MPI_Datatype vector, gaps, record, types[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
    int lengths[3] = {1, 1, 1};
    MPI_Aint places[3] = {-8, 0, 8};
    OK(MPI_Type_vector(2, 1, 2, MPI_INT, &vector));
    OK(MPI_Type_create_resized(vector, 0, 20, &gaps));
    OK(MPI_Type_commit(&gaps));
    OK(MPI_Type_free(&vector));
    Kind *kind = add_kind("gaps", gaps, 20, 0, set_gaps, get_gaps);
    memset(kind->data, 1, 4);
    memset(kind->data + 8, 1, 4);
    OK(MPI_Type_create_struct(3, lengths, places, types, &vector));
    OK(MPI_Type_create_resized(vector, -8, 24, &record));
    OK(MPI_Type_commit(&record));
    OK(MPI_Type_free(&vector));
    kind = add_kind("struct", record, 24, 8, set_struct, get_struct);
    memset(kind->data, 1, 4);
    memset(kind->data + 8, 1, 9);
}

static inline void make_kinds(void) {
    memset(add_kind("int", MPI_INT, sizeof(int), 0, set_int, get_int)->data, 1, sizeof(int));
    memset(add_kind("double", MPI_DOUBLE, sizeof(double), 0, set_double, get_double)->data, 1,
           sizeof(double));
    make_derived();
}

static inline void free_kinds(void) {
    for (int kind = 2; kind < kinds_count; kind++) OK(MPI_Type_free(&kinds[kind].type));
}

/* Allocates `count` elements, filled with the pattern. */
static inline void *new_elements(const Kind *kind, long count) {
    size_t bytes = kind->below + (size_t)count * kind->extent + 64;
    char *memory = malloc(bytes);
    memset(memory, PATTERN, bytes);
    return memory + kind->below;
}

static inline void release(const Kind *kind, void *at) { free((char *)at - kind->below); }

static inline void *element(const Kind *kind, const void *at, long index) {
    return (char *)at + index * (long)kind->extent;
}

static inline void put(const Kind *kind, void *at, long index, long value) {
    kind->set(element(kind, at, index), value);
}

static inline void expect_at(int line, const Kind *kind, const void *at, long index, long value) {
    const unsigned char *bytes = (const unsigned char *)element(kind, at, index) - kind->below;
    long seen = kind->get(element(kind, at, index));
    if (seen != value) {
        fprintf(stderr, "element %ld of kind %s\n", index, kind->name);
        fail_at(line, "value", seen, value);
    }
    for (size_t byte = 0; byte < kind->extent; byte++) {
        if (!kind->data[byte] && bytes[byte] != PATTERN)
            fail_at(line, "byte of a gap", bytes[byte], PATTERN);
    }
}
#define EXPECT(kind, at, index, value) expect_at(__LINE__, kind, at, index, value)

/* Checks that no byte of the element was written. */
static inline void untouched_at(int line, const Kind *kind, const void *at, long index) {
    const unsigned char *bytes = (const unsigned char *)element(kind, at, index) - kind->below;
    for (size_t byte = 0; byte < kind->extent; byte++) {
        if (bytes[byte] != PATTERN)
            fail_at(line, "byte that must not be written", bytes[byte], PATTERN);
    }
}
#define UNTOUCHED(kind, at, index) untouched_at(__LINE__, kind, at, index)

/* The value that rank `from` contributes for rank `to` at `index`. */
static inline long value_of(int from, int to, long index) {
    return (from * 7919L + to * 104729L + index * 31L) % 1000000L;
}

/* --- Communicators and counts of the tests --- */

static const long counts[] = {0, 1, 7, 1000, 100000};
enum { COUNTS = sizeof counts / sizeof *counts };

/* Runs `test` on MPI_COMM_WORLD, on the world in reversed order, on its even or odd ranks, and on
 * MPI_COMM_SELF. */
static inline void on_communicators(void (*test)(MPI_Comm)) {
    MPI_Comm part;
    test(MPI_COMM_WORLD);
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &part));
    test(part);
    OK(MPI_Comm_free(&part));
    OK(MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, world_rank, &part));
    test(part);
    OK(MPI_Comm_free(&part));
    test(MPI_COMM_SELF);
}

static inline void begin(int *argc, char ***argv) {
    OK(MPI_Init(argc, argv));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &world_rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &world_size));
}

static inline int end(void) {
    OK(MPI_Finalize());
    return 0;
}
