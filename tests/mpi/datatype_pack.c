/* MPI_Pack and MPI_Unpack (MPI 5.0 §5.2, §5.3): in parts, into and out of messages, and in the
 * external32 representation. Also the number of basic elements of messages that end within an
 * element (§5.1.11).
 *
 * sizes: 1 2
 */

#include "check.h"
#include <stddef.h>

typedef struct Record {
    short kind;
    double weights[3];
    char name[5];
    int id;
} Record;

static MPI_Datatype record;

static void make_record(void)
{
    MPI_Datatype made;
    MPI_Aint places[] = {offsetof(Record, kind), offsetof(Record, weights), offsetof(Record, name),
                         offsetof(Record, id)};
    OK(MPI_Type_create_struct(4, (int[]){1, 3, 5, 1}, places,
                              (MPI_Datatype[]){MPI_SHORT, MPI_DOUBLE, MPI_CHAR, MPI_INT}, &made));
    OK(MPI_Type_create_resized(made, 0, sizeof(Record), &record));
    OK(MPI_Type_commit(&record));
    OK(MPI_Type_free(&made));
}

enum { PACKED = 2 + 24 + 5 + 4 };

static Record record_of(int n)
{
    Record made;
    memset(&made, 0, sizeof made);
    made.kind = (short)(n - 40), made.id = n * 7;
    for (int i = 0; i < 3; i++) made.weights[i] = n + i * 0.25;
    snprintf(made.name, sizeof made.name, "n%u", (unsigned)n % 100);
    return made;
}

static void is_record(const Record *seen, int n)
{
    Record wanted = record_of(n);
    CHECK(seen->kind == wanted.kind && seen->id == wanted.id &&
          memcmp(seen->weights, wanted.weights, sizeof wanted.weights) == 0 &&
          memcmp(seen->name, wanted.name, 5) == 0, "record %d is wrong", n);
}

/* Fields one by one, then whole records, are sent around the ring as MPI_PACKED and unpacked as
 * records, then fields. */
static void in_parts(void)
{
    enum { RECORDS = 100 };
    Record records[RECORDS + 1];
    char packed[(RECORDS + 1) * PACKED + 50], arrived[sizeof packed];
    int position = 3, other = 3, bytes;
    for (int i = 0; i <= RECORDS; i++) records[i] = record_of(i);
    OK(MPI_Pack(&records[0].kind, 1, MPI_SHORT, packed, sizeof packed, &position, MPI_COMM_WORLD));
    OK(MPI_Pack(records[0].weights, 3, MPI_DOUBLE, packed, sizeof packed, &position,
                MPI_COMM_WORLD));
    OK(MPI_Pack(records[0].name, 5, MPI_CHAR, packed, sizeof packed, &position, MPI_COMM_WORLD));
    OK(MPI_Pack(&records[0].id, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD));
    OK(MPI_Pack(records + 1, RECORDS, record, packed, sizeof packed, &position, MPI_COMM_WORLD));
    OK(MPI_Pack_size(RECORDS + 1, record, MPI_COMM_WORLD, &bytes));
    CHECK(bytes >= position - 3, "%d bytes are packed, but MPI_Pack_size gave %d", position - 3,
          bytes);
    OK(MPI_Sendrecv(packed, position, MPI_PACKED, (rank + 1) % size, 1, arrived, sizeof arrived,
                    MPI_PACKED, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    memset(records, 0, sizeof records);
    OK(MPI_Unpack(arrived, position, &other, records, RECORDS, record, MPI_COMM_WORLD));
    OK(MPI_Unpack(arrived, position, &other, &records[RECORDS].kind, 1, MPI_SHORT, MPI_COMM_WORLD));
    OK(MPI_Unpack(arrived, position, &other, records[RECORDS].weights, 3, MPI_DOUBLE,
                  MPI_COMM_WORLD));
    OK(MPI_Unpack(arrived, position, &other, records[RECORDS].name, 5, MPI_CHAR, MPI_COMM_WORLD));
    OK(MPI_Unpack(arrived, position, &other, &records[RECORDS].id, 1, MPI_INT, MPI_COMM_WORLD));
    CHECK(other == position, "%d of %d bytes unpacked", other, position);
    for (int i = 0; i <= RECORDS; i++) is_record(&records[i], i);
}

static void large_counts(void)
{
    MPI_Count position = 0, bytes;
    Record one = record_of(5), other;
    char packed[PACKED];
    OK(MPI_Pack_size_c((MPI_Count)1 << 33, record, MPI_COMM_WORLD, &bytes));
    CHECK(bytes == ((MPI_Count)1 << 33) * PACKED, "many records pack into %ld bytes", (long)bytes);
    OK(MPI_Pack_c(&one, 1, record, packed, PACKED, &position, MPI_COMM_WORLD));
    CHECK(position == PACKED, "the position is %ld", (long)position);
    position = 0;
    OK(MPI_Unpack_c(packed, PACKED, &position, &other, 1, record, MPI_COMM_WORLD));
    is_record(&other, 5);
}

static void external(void)
{
    static const unsigned char portable[] = {0x01, 0x02, 0xff, 0xfe, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0,
                                             0xff, 0xff, 0xff, 0xfb, 1};
    short small = 0x0102;
    unsigned short unsigned_small = 0xfffe;
    double number = 1.5;
    long negative = -5;
    _Bool yes = 1;
    unsigned char packed[64];
    MPI_Aint position = 0, bytes, end;
    Record one = record_of(9), other;
    OK(MPI_Pack_external("external32", &small, 1, MPI_SHORT, packed, sizeof packed, &position));
    OK(MPI_Pack_external("external32", &unsigned_small, 1, MPI_UNSIGNED_SHORT, packed,
                         sizeof packed, &position));
    OK(MPI_Pack_external("external32", &number, 1, MPI_DOUBLE, packed, sizeof packed, &position));
    OK(MPI_Pack_external("external32", &negative, 1, MPI_LONG, packed, sizeof packed, &position));
    OK(MPI_Pack_external("external32", &yes, 1, MPI_C_BOOL, packed, sizeof packed, &position));
    CHECK(position == (int)sizeof portable, "%ld bytes instead of %zu", (long)position,
          sizeof portable);
    for (size_t i = 0; i < sizeof portable; i++)
        CHECK(packed[i] == portable[i], "byte %zu is %#x", i, packed[i]);
    end = position;
    position = 12, negative = 0;
    OK(MPI_Unpack_external("external32", packed, end, &position, &negative, 1, MPI_LONG));
    CHECK(negative == -5 && position == 16, "the long is %ld", negative);

    OK(MPI_Pack_external_size("external32", 3, record, &bytes));
    CHECK(bytes == 3 * PACKED, "three records have %ld bytes", (long)bytes);
    position = 0;
    OK(MPI_Pack_external("external32", &one, 1, record, packed, PACKED, &position));
    position = 0;
    OK(MPI_Unpack_external("external32", packed, PACKED, &position, &other, 1, record));
    is_record(&other, 9);
    negative = 1L << 40, position = 0;
    FAILS(MPI_Pack_external("external32", &negative, 1, MPI_LONG, packed, sizeof packed, &position),
          MPI_ERR_CONVERSION);
    FAILS(MPI_Pack_external("native", &small, 1, MPI_SHORT, packed, sizeof packed, &position),
          MPI_ERR_ARG);
    FAILS(MPI_Pack_external_size("internal", 1, MPI_SHORT, &bytes), MPI_ERR_ARG);
}

/* The count of a message of some bytes, in records, in basic elements and in bytes. */
static void partial(void)
{
    static const struct {
        int bytes, records, elements;
    } wanted[] = {
        {0, 0, 0},
        {2, MPI_UNDEFINED, 1},
        {1, MPI_UNDEFINED, MPI_UNDEFINED},
        {10, MPI_UNDEFINED, 2},
        {26, MPI_UNDEFINED, 4},
        {28, MPI_UNDEFINED, 6},
        {31, MPI_UNDEFINED, 9},
        {33, MPI_UNDEFINED, MPI_UNDEFINED},
        {PACKED, 1, 10},
        {PACKED + 2, MPI_UNDEFINED, 11},
        {3 * PACKED, 3, 30},
    };
    Record records[4];
    char bytes[4 * PACKED];
    memset(bytes, 0, sizeof bytes);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        MPI_Status status;
        MPI_Count large;
        int count;
        OK(MPI_Sendrecv(bytes, wanted[i].bytes, MPI_PACKED, (rank + 1) % size, 2, records, 4,
                        record, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status));
        OK(MPI_Get_count(&status, record, &count));
        CHECK(count == wanted[i].records, "%d bytes are %d records", wanted[i].bytes, count);
        OK(MPI_Get_elements(&status, record, &count));
        CHECK(count == wanted[i].elements, "%d bytes are %d elements", wanted[i].bytes, count);
        OK(MPI_Get_elements_x(&status, record, &large));
        CHECK(large == wanted[i].elements, "%d bytes are %ld elements", wanted[i].bytes,
              (long)large);
        OK(MPI_Get_elements_c(&status, MPI_BYTE, &large));
        CHECK(large == wanted[i].bytes, "%d bytes are %ld", wanted[i].bytes, (long)large);
    }
    MPI_Status made;
    MPI_Count large;
    int count;
    OK(MPI_Status_set_elements_x(&made, MPI_INT, (MPI_Count)1 << 34));
    OK(MPI_Get_elements_x(&made, MPI_INT, &large));
    OK(MPI_Get_elements(&made, MPI_INT, &count));
    CHECK(large == (MPI_Count)1 << 34 && count == MPI_UNDEFINED,
          "a long message has %ld ints, and %d in the int call", (long)large, count);
}

static void errors(void)
{
    MPI_Datatype loose;
    char packed[16];
    int position = 10, number = 3, bytes;
    FAILS(MPI_Pack(&number, 2, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD),
          MPI_ERR_TRUNCATE);
    FAILS(MPI_Unpack(packed, sizeof packed, &position, &number, 2, MPI_INT, MPI_COMM_WORLD),
          MPI_ERR_TRUNCATE);
    CHECK(position == 10, "an error moves the position to %d", position);
    FAILS(MPI_Pack(&number, -1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD),
          MPI_ERR_COUNT);
    FAILS(MPI_Pack(&number, 1, MPI_DATATYPE_NULL, packed, sizeof packed, &position, MPI_COMM_WORLD),
          MPI_ERR_TYPE);
    FAILS(MPI_Pack(&number, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_NULL),
          MPI_ERR_COMM);
    FAILS(MPI_Pack_size(-1, MPI_INT, MPI_COMM_WORLD, &bytes), MPI_ERR_COUNT);
    position = 17;
    FAILS(MPI_Pack(&number, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD),
          MPI_ERR_ARG);
    position = 0;
    OK(MPI_Type_contiguous(1, MPI_INT, &loose));
    OK(MPI_Pack_size(4, loose, MPI_COMM_WORLD, &bytes));
    FAILS(MPI_Pack(&number, 1, loose, packed, sizeof packed, &position, MPI_COMM_WORLD),
          MPI_ERR_TYPE);
    OK(MPI_Type_free(&loose));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    make_record();
    in_parts();
    large_counts();
    external();
    partial();
    errors();
    OK(MPI_Type_free(&record));
    MPI_Finalize();
    return 0;
}
