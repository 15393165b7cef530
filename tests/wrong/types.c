/* Messages whose basic types differ between sender and receiver. */
#include "cases.h"

static char from[4096], to[4096];

/* The types of the cases, by the numbers in the table. */
enum { INT, UNSIGNED, FLOAT, DOUBLE, LONG, CHAR, BYTE, SHORT, COMPLEX, BOOL, PAIR, SWAPPED, COLUMN,
       ROW, INT64 };

static MPI_Datatype made(int number)
{
    static const int lengths[2] = {1, 1};
    static const MPI_Aint places[2] = {0, 8};
    MPI_Datatype pair[2] = {MPI_INT, MPI_DOUBLE}, swapped[2] = {MPI_DOUBLE, MPI_INT}, type;
    switch (number) {
    case INT: return MPI_INT;
    case UNSIGNED: return MPI_UNSIGNED;
    case FLOAT: return MPI_FLOAT;
    case DOUBLE: return MPI_DOUBLE;
    case LONG: return MPI_LONG;
    case CHAR: return MPI_CHAR;
    case BYTE: return MPI_BYTE;
    case SHORT: return MPI_SHORT;
    case COMPLEX: return MPI_C_DOUBLE_COMPLEX;
    case BOOL: return MPI_C_BOOL;
    case INT64: return MPI_INT64_T;
    case PAIR: MPI_Type_create_struct(2, lengths, places, pair, &type); break;
    case SWAPPED: MPI_Type_create_struct(2, lengths, places, swapped, &type); break;
    case COLUMN: MPI_Type_vector(4, 1, 3, MPI_INT, &type); break;
    default: MPI_Type_contiguous(4, MPI_FLOAT, &type); break;
    }
    MPI_Type_commit(&type);
    return type;
}

static void release(MPI_Datatype type)
{
    int integers, addresses, datatypes, combiner;
    MPI_Type_get_envelope(type, &integers, &addresses, &datatypes, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        MPI_Type_free(&type);
}

/* The elements that make 64 bytes, or for a pair 48 bytes of data. */
static int count_of(MPI_Datatype type)
{
    int bytes;
    MPI_Type_size(type, &bytes);
    return bytes == 12 ? 4 : 64 / bytes;
}

static void blocking(int sent, int received)
{
    MPI_Datatype type = made(rank == 0 ? sent : received);
    if (rank == 0)
        MPI_Send(from, count_of(type), type, 1, 1, WORLD);
    else
        MPI_Recv(to, count_of(type), type, 0, 1, WORLD, IGNORE);
    release(type);
}

static void nonblocking(int sent, int received)
{
    MPI_Datatype type = made(rank == 0 ? sent : received);
    MPI_Request request;
    if (rank == 0)
        MPI_Isend(from, count_of(type), type, 1, 1, WORLD, &request);
    else
        MPI_Irecv(to, count_of(type), type, 0, 1, WORLD, &request);
    MPI_Wait(&request, IGNORE);
    release(type);
}

static void persistent(int sent, int received)
{
    MPI_Datatype type = made(rank == 0 ? sent : received);
    MPI_Request request;
    if (rank == 0)
        MPI_Send_init(from, count_of(type), type, 1, 1, WORLD, &request);
    else
        MPI_Recv_init(to, count_of(type), type, 0, 1, WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, IGNORE);
    MPI_Request_free(&request);
    release(type);
}

static void exchanged(int sent, int received)
{
    MPI_Datatype out = made(sent), in = made(received);
    MPI_Sendrecv(from, count_of(out), out, 1 - rank, 1, to, count_of(in), in, 1 - rank, 1, WORLD,
                 IGNORE);
    release(out);
    release(in);
}

static void matched(int sent, int received)
{
    MPI_Datatype type = made(rank == 0 ? sent : received);
    MPI_Message message;
    if (rank == 0) {
        MPI_Ssend(from, count_of(type), type, 1, 1, WORLD);
    } else {
        MPI_Mprobe(0, 1, WORLD, &message, IGNORE);
        MPI_Mrecv(to, count_of(type), type, &message, IGNORE);
    }
    release(type);
}

static void longer(int sent, int received)
{
    MPI_Datatype type = made(rank == 0 ? sent : received);
    if (rank == 0)
        MPI_Send(from, count_of(type), type, 1, 1, WORLD);
    else
        MPI_Recv(to, 4 * count_of(type), type, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, IGNORE);
    release(type);
}

/* A buffered send. how 0: its receive comes later, 1: a probe finds it, 2: it is posted first,
 * 3: the send is persistent, 4: the receive takes a message that a probe has matched. */
static void buffered_as(int how, int sent, int received)
{
    static char space[8192];
    MPI_Datatype type = made(rank == 0 ? sent : received);
    MPI_Request request;
    MPI_Message message;
    int count = count_of(type);
    if (rank == 0) {
        void *address;
        int bytes;
        MPI_Buffer_attach(space, sizeof(space));
        if (how == 2)
            MPI_Barrier(WORLD);
        if (how == 3) {
            MPI_Bsend_init(from, count, type, 1, 1, WORLD, &request);
            MPI_Start(&request);
        } else if (how == 1) {
            MPI_Bsend(from, count, type, 1, 1, WORLD);
        } else {
            MPI_Ibsend(from, count, type, 1, 1, WORLD, &request);
        }
        if (how != 1)
            MPI_Wait(&request, IGNORE);
        if (how == 3)
            MPI_Request_free(&request);
        MPI_Buffer_detach(&address, &bytes);
        if (how == 0)
            MPI_Barrier(WORLD);
    } else {
        switch (how) {
        case 0: MPI_Barrier(WORLD); break;
        case 1: MPI_Probe(0, 1, WORLD, IGNORE); break;
        case 2:
            MPI_Irecv(to, count, type, 0, 1, WORLD, &request);
            MPI_Barrier(WORLD);
            MPI_Wait(&request, IGNORE);
            break;
        case 4:
            MPI_Mprobe(0, 1, WORLD, &message, IGNORE);
            MPI_Mrecv(to, count, type, &message, IGNORE);
        }
        if (how != 2 && how != 4)
            MPI_Recv(to, count, type, 0, 1, WORLD, IGNORE);
    }
    release(type);
}

static void buffered(int how, int received)
{
    buffered_as(how, FLOAT, received);
}

static void buffered_pair(int how, int received)
{
    buffered_as(how, PAIR, received);
}

/* Both send much to the other and to themselves before they receive, in another order. */
static void buffered_both(int messages, int count)
{
    int bytes = messages * 2 * (count * (int)sizeof(int) + MPI_BSEND_OVERHEAD), left;
    char *space = malloc(bytes);
    int *numbers = calloc(count, sizeof(int));
    void *address;
    MPI_Buffer_attach(space, bytes);
    for (int i = 0; i < messages; i++) {
        numbers[count - 1] = i;
        MPI_Bsend(numbers, count, MPI_INT, 1 - rank, i, WORLD);
        MPI_Bsend(numbers, count, MPI_INT, rank, i, WORLD);
    }
    MPI_Buffer_detach(&address, &left);
    for (int i = 2 * messages - 1; i >= 0; i--) {
        MPI_Recv(numbers, count, MPI_INT, i % 2 ? rank : 1 - rank, i / 2, WORLD, IGNORE);
        if (numbers[count - 1] != i / 2)
            printf("message %d has the data of %d\n", i / 2, numbers[count - 1]);
    }
    free(numbers);
    free(space);
}

#define WORDS "another type than they were sent|types.c:"

const struct test_case types[] = {
    {"type_int_float", 2, WORDS "|sent as MPI_INT, received as MPI_FLOAT", blocking, INT, FLOAT},
    {"type_int_unsigned", 2, WORDS, blocking, INT, UNSIGNED},
    {"type_int_double", 2, WORDS, blocking, INT, DOUBLE},
    {"type_double_long", 2, WORDS "|MPI_Recv in blocking", blocking, DOUBLE, LONG},
    {"type_char_byte", 2, WORDS, blocking, CHAR, BYTE},
    {"type_int_byte", 2, WORDS, blocking, INT, BYTE},
    {"type_byte_double", 2, WORDS, blocking, BYTE, DOUBLE},
    {"type_short_int", 2, WORDS, blocking, SHORT, INT},
    {"type_complex_double", 2, WORDS, blocking, COMPLEX, DOUBLE},
    {"type_bool_char", 2, WORDS, blocking, BOOL, CHAR},
    {"type_pair_swapped", 2, WORDS "|a sequence of several types", blocking, PAIR, SWAPPED},
    {"type_column_row", 2, WORDS, blocking, COLUMN, ROW},
    {"type_column_float", 2, WORDS, blocking, COLUMN, FLOAT},
    {"type_irecv", 2, WORDS "|MPI_Irecv in nonblocking", nonblocking, FLOAT, INT},
    {"type_irecv_swapped", 2, WORDS, nonblocking, SWAPPED, PAIR},
    {"type_irecv_char", 2, WORDS, nonblocking, DOUBLE, CHAR},
    {"type_irecv_long", 2, WORDS, nonblocking, LONG, INT},
    {"type_persistent", 2, WORDS, persistent, INT, FLOAT},
    {"type_persistent_row", 2, WORDS, persistent, ROW, COLUMN},
    {"type_sendrecv", 2, WORDS "|ranks 0, 1: MPI_Sendrecv", exchanged, INT, FLOAT},
    {"type_sendrecv_pair", 2, WORDS, exchanged, PAIR, SWAPPED},
    {"type_mrecv", 2, WORDS "|MPI_Mrecv", matched, INT, FLOAT},
    {"type_mrecv_short", 2, WORDS, matched, SHORT, CHAR},
    {"type_longer_receive", 2, WORDS, longer, INT, FLOAT},
    {"type_longer_receive_pair", 2, WORDS, longer, PAIR, INT},
    {"type_ibsend", 2, WORDS "|rank 1: MPI_Recv in buffered_as|64 bytes with tag 1, sent as "
     "MPI_FLOAT, received as MPI_INT", buffered, 0, INT},
    {"type_bsend_probed", 2, WORDS "|MPI_Recv in buffered_as|sent as MPI_FLOAT", buffered, 1, INT},
    {"type_bsend_irecv", 2, WORDS "|MPI_Irecv in buffered_as", buffered, 2, COLUMN},
    {"type_bsend_init", 2, WORDS "|MPI_Recv in buffered_as", buffered, 3, INT},
    {"type_bsend_mrecv", 2, WORDS "|MPI_Mrecv in buffered_as", buffered, 4, INT},
    {"type_bsend_pair", 2, WORDS "|sent as a sequence of several types", buffered_pair, 1, SWAPPED},
    {"right_bsend_row", 2, "", buffered, 0, ROW},
    {"right_bsend_float", 2, "", buffered, 1, FLOAT},
    {"right_bsend_irecv", 2, "", buffered, 2, ROW},
    {"right_bsend_init", 2, "", buffered, 3, FLOAT},
    {"right_bsend_mrecv", 2, "", buffered, 4, FLOAT},
    {"right_bsend_pair", 2, "", buffered_pair, 0, PAIR},
    {"right_bsend_both", 2, "", buffered_both, 40, 10},
    {"right_bsend_both_long", 2, "", buffered_both, 3, 10000},
    {"right_type_int", 2, "", blocking, INT, INT},
    {"right_type_unsigned", 2, "", blocking, UNSIGNED, UNSIGNED},
    {"right_type_float", 2, "", blocking, FLOAT, FLOAT},
    {"right_type_double", 2, "", blocking, DOUBLE, DOUBLE},
    {"right_type_long", 2, "", blocking, LONG, LONG},
    {"right_type_char", 2, "", blocking, CHAR, CHAR},
    {"right_type_byte", 2, "", blocking, BYTE, BYTE},
    {"right_type_short", 2, "", blocking, SHORT, SHORT},
    {"right_type_complex", 2, "", blocking, COMPLEX, COMPLEX},
    {"right_type_bool", 2, "", blocking, BOOL, BOOL},
    {"right_type_pair", 2, "", blocking, PAIR, PAIR},
    {"right_type_swapped", 2, "", blocking, SWAPPED, SWAPPED},
    {"right_type_column", 2, "", blocking, COLUMN, COLUMN},
    {"right_type_row", 2, "", blocking, ROW, ROW},
    {"right_irecv_int", 2, "", nonblocking, INT, INT},
    {"right_irecv_double", 2, "", nonblocking, DOUBLE, DOUBLE},
    {"right_irecv_pair", 2, "", nonblocking, PAIR, PAIR},
    {"right_irecv_column", 2, "", nonblocking, COLUMN, COLUMN},
    {"right_persistent_int", 2, "", persistent, INT, INT},
    {"right_persistent_double", 2, "", persistent, DOUBLE, DOUBLE},
    {"right_persistent_pair", 2, "", persistent, PAIR, PAIR},
    {"right_persistent_column", 2, "", persistent, COLUMN, COLUMN},
    {"right_sendrecv_int", 2, "", exchanged, INT, INT},
    {"right_sendrecv_double", 2, "", exchanged, DOUBLE, DOUBLE},
    {"right_sendrecv_pair", 2, "", exchanged, PAIR, PAIR},
    {"right_sendrecv_column", 2, "", exchanged, COLUMN, COLUMN},
    {"right_mrecv_int", 2, "", matched, INT, INT},
    {"right_mrecv_double", 2, "", matched, DOUBLE, DOUBLE},
    {"right_mrecv_pair", 2, "", matched, PAIR, PAIR},
    {"right_mrecv_column", 2, "", matched, COLUMN, COLUMN},
    {"right_longer_int", 2, "", longer, INT, INT},
    {"right_longer_double", 2, "", longer, DOUBLE, DOUBLE},
    {"right_longer_pair", 2, "", longer, PAIR, PAIR},
    {"right_longer_column", 2, "", longer, COLUMN, COLUMN},
    {"right_type_column_as_int", 2, "", blocking, COLUMN, INT},
    {"right_type_int_as_column", 2, "", blocking, INT, COLUMN},
    {"right_type_row_as_float", 2, "", blocking, ROW, FLOAT},
    {"right_type_long_as_int64", 2, "", blocking, LONG, INT64},
    {"right_type_int64_as_long", 2, "", blocking, INT64, LONG},
    {0}};
