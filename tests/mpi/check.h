/* Common parts of the self-checking test programs: checks that print what was seen and abort the
 * job, and data patterns that identify a message.
 *
 * A program that succeeds prints nothing and exits with 0. */

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

/* More options of AddressSanitizer, of one program. */
#ifndef ASAN_MORE
#define ASAN_MORE ""
#endif

/* Options of AddressSanitizer, for programs compiled with it: a request for more memory than there
 * is fails, as it does otherwise. */
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1" ASAN_MORE;
}

static void fail_at(const char *file, int line, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s:%d: rank %d of %d: %s\n", file, line, rank, size, text);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

/* CHECK(condition, format, ...) aborts the job with the formatted message if `condition` is
 * false. */
#define CHECK(condition, ...) ((condition) ? (void)0 : fail_at(__FILE__, __LINE__, __VA_ARGS__))

/* Checks that an MPI call succeeds. */
#define OK(call)                                                                                   \
    do {                                                                                           \
        int code_ = (call);                                                                        \
        if (code_ != MPI_SUCCESS) fail_at(__FILE__, __LINE__, #call ": %s", error_text(code_));    \
    } while (0)

/* Checks that an MPI call fails with an error of class `class_`. */
#define FAILS(call, class_)                                                                        \
    do {                                                                                           \
        int code_ = (call), seen_ = MPI_SUCCESS;                                                   \
        if (code_ != MPI_SUCCESS) MPI_Error_class(code_, &seen_);                                  \
        if (seen_ != (class_))                                                                     \
            fail_at(__FILE__, __LINE__, #call " gives class %d (%s), " #class_ " is expected",     \
                    seen_, error_text(code_));                                                     \
    } while (0)

static const char *error_text(int code)
{
    static char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    text[0] = 0;
    MPI_Error_string(code, text, &length);
    return text;
}

static void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

/* Message data depend on the seed and on the position: they are a window, at an offset that the
 * seed selects, of a pseudo-random sequence. No packet length divides its period. */
enum { PERIOD = 65521 };

static const unsigned char *numbers(unsigned seed)
{
    static unsigned char random[2 * PERIOD];
    if (random[0] == 0)
        for (unsigned i = 0, state = 1; i < PERIOD; i++) {
            state = state * 1664525u + 1013904223u;
            random[i] = random[i + PERIOD] = (unsigned char)(state >> 24 | 1);
        }
    return random + (unsigned long)seed * 7919 % PERIOD;
}

static unsigned char byte_of(unsigned seed, size_t position)
{
    return numbers(seed)[position % PERIOD];
}

static void fill(void *buffer, size_t bytes, unsigned seed)
{
    for (size_t done = 0; done < bytes; done += PERIOD)
        memcpy((char *)buffer + done, numbers(seed), bytes - done < PERIOD ? bytes - done : PERIOD);
}

/* Returns the position of the first wrong byte, or -1. */
static long first_wrong(const void *buffer, size_t bytes, unsigned seed)
{
    const unsigned char *at = buffer;
    for (size_t done = 0; done < bytes; done += PERIOD) {
        size_t part = bytes - done < PERIOD ? bytes - done : PERIOD;
        if (memcmp(at + done, numbers(seed), part) == 0) continue;
        for (size_t i = done; i < bytes; i++)
            if (at[i] != byte_of(seed, i)) return (long)i;
    }
    return -1;
}

/* Guard bytes on both sides of a receive buffer, which no receive may overwrite. */
enum { GUARD_BYTES = 128, GUARD = 0xE7 };

static unsigned char *guarded(size_t bytes)
{
    unsigned char *whole = malloc(bytes + 2 * GUARD_BYTES);
    CHECK(whole != NULL, "no memory for %zu bytes", bytes);
    memset(whole, GUARD, bytes + 2 * GUARD_BYTES);
    return whole + GUARD_BYTES;
}

/* Returns whether the guard in front, and all bytes from `from` to the end of the guard behind the
 * `bytes` bytes of the buffer, still hold the guard pattern. */
static int untouched(const unsigned char *buffer, size_t from, size_t bytes)
{
    for (size_t i = from; i < bytes + GUARD_BYTES; i++)
        if (buffer[i] != GUARD) return 0;
    for (size_t i = 1; i <= GUARD_BYTES; i++)
        if (*(buffer - i) != GUARD) return 0;
    return 1;
}

static void free_guarded(unsigned char *buffer)
{
    free(buffer - GUARD_BYTES);
}

/* Returns the number of rounds of a loop that has `usual` rounds in the default mode on a machine
 * whose messages take microseconds: a TEST_DIVISOR-th part where that variable is set, for other
 * modes and for emulated machines. */
static inline int rounds(int usual)
{
    const char *divisor = getenv("TEST_DIVISOR");
    int by = divisor ? atoi(divisor) : 1;
    return by > 1 ? usual / by : usual;
}

static void check_status(int line, const MPI_Status *status, int source, int tag, long bytes)
{
    int count = -1, cancelled = -1;
    MPI_Get_count(status, MPI_BYTE, &count);
    MPI_Test_cancelled(status, &cancelled);
    if (status->MPI_SOURCE != source || status->MPI_TAG != tag || count != bytes || cancelled)
        fail_at(__FILE__, line,
                "status is (source %d, tag %d, count %d, cancelled %d), "
                "(%d, %d, %ld, 0) is expected",
                status->MPI_SOURCE, status->MPI_TAG, count, cancelled, source, tag, bytes);
}

#define STATUS(status, source, tag, bytes) check_status(__LINE__, status, source, tag, bytes)

/* The status of a wait for a null or inactive request (MPI 5.0 §3.7.3). */
#define EMPTY(status) STATUS(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0)

/* Lengths at the boundaries of protocols: one line of the fastbox (40 bytes), the whole fastbox
 * (4072), a cell (16344), and longer messages. */
#define BOUNDARIES                                                                                 \
    0, 1, 39, 40, 41, 103, 104, 105, 4071, 4072, 4073, 16343, 16344, 16345, 32688, 32689, 65535,   \
        65536, 65537, 1 << 20, (1 << 20) + 1
