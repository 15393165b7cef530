/* Random calls on a file, compared with an array of bytes: views, buffers, pointers, independent
 * and collective calls, blocking, non-blocking and split, with random hints and atomic mode.
 *
 * Every rank draws the same random numbers, so each knows what the others do. In a round all ranks
 * write to disjoint places, or read; between rounds there is a barrier. In every fourth case all
 * ranks have one view and use the shared pointer. Arguments are the first case and the number of
 * cases.
 *
 * modes: default network
 * seconds: 120 */

#include "io.h"

enum { BYTES = 40000, CASES = 40, ROUNDS = 12, UNITS = 400 };

static unsigned state;

static int draw(int below)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)below);
}

static unsigned char model[BYTES + 64], data[BYTES], seen[4 * BYTES + 64];

/* A view whose tile has `blocks` blocks of the etype in a tile of `units` etypes; rank r has those
 * units that `owner` gives it. */
static int unit_bytes, units, owner[UNITS];

static int places[64][BYTES], owned[64];

/* Finds for each rank the offset of each byte of its stream. */
static void lay_out(int disp)
{
    for (int r = 0; r < size; r++) {
        owned[r] = 0;
        for (int tile = 0; ; tile++) {
            int start = disp + tile * units * unit_bytes, any = 0;
            if (start >= BYTES) break;
            for (int unit = 0; unit < units; unit++)
                for (int byte = 0; owner[unit] == r && byte < unit_bytes; byte++) {
                    int at = start + unit * unit_bytes + byte;
                    if (at < BYTES) places[r][owned[r]++] = at;
                    any = 1;
                }
            if (!any) break;
        }
        owned[r] -= owned[r] % unit_bytes;
    }
}

static MPI_Datatype filetype_of(MPI_Datatype etype, int r)
{
    static int lengths[UNITS], at[UNITS];
    int blocks = 0;
    for (int unit = 0; unit < units; unit++) {
        if (owner[unit] != r) continue;
        if (blocks > 0 && at[blocks - 1] + lengths[blocks - 1] == unit && draw(2) == 0) {
            lengths[blocks - 1]++;
        } else {
            at[blocks] = unit;
            lengths[blocks++] = 1;
        }
    }
    MPI_Datatype blocks_type, tile;
    OK(MPI_Type_indexed(blocks, lengths, at, etype, &blocks_type));
    OK(MPI_Type_create_resized(blocks_type, 0, (MPI_Aint)units * unit_bytes, &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_Type_free(&blocks_type));
    return tile;
}

/* The call: `form` chooses among those that move the same bytes at the same place. */
static void move(MPI_File file, int writes, int form, int offset, void *buffer, int count,
                 MPI_Datatype type, MPI_Status *status)
{
    MPI_Request request;
    if (form == 1 || form == 4 || form == 6) OK(MPI_File_seek(file, offset, MPI_SEEK_SET));
    switch (form + 8 * writes) {
    case 0: OK(MPI_File_read_at(file, offset, buffer, count, type, status)); break;
    case 1: OK(MPI_File_read(file, buffer, count, type, status)); break;
    case 2: OK(MPI_File_iread_at(file, offset, buffer, count, type, &request)); break;
    case 3: OK(MPI_File_read_at_all(file, offset, buffer, count, type, status)); break;
    case 4: OK(MPI_File_read_all(file, buffer, count, type, status)); break;
    case 5: OK(MPI_File_iread_at_all(file, offset, buffer, count, type, &request)); break;
    case 6: OK(MPI_File_iread_all(file, buffer, count, type, &request)); break;
    case 7: OK(MPI_File_read_at_all_begin(file, offset, buffer, count, type));
            OK(MPI_File_read_at_all_end(file, buffer, status)); break;
    case 8: OK(MPI_File_write_at(file, offset, buffer, count, type, status)); break;
    case 9: OK(MPI_File_write(file, buffer, count, type, status)); break;
    case 10: OK(MPI_File_iwrite_at(file, offset, buffer, count, type, &request)); break;
    case 11: OK(MPI_File_write_at_all(file, offset, buffer, count, type, status)); break;
    case 12: OK(MPI_File_write_all(file, buffer, count, type, status)); break;
    case 13: OK(MPI_File_iwrite_at_all(file, offset, buffer, count, type, &request)); break;
    case 14: OK(MPI_File_iwrite_all(file, buffer, count, type, &request)); break;
    case 15: OK(MPI_File_write_at_all_begin(file, offset, buffer, count, type));
             OK(MPI_File_write_at_all_end(file, buffer, status)); break;
    }
    if (form == 2 || form == 5 || form == 6) OK(MPI_Wait(&request, status));
}

/* What a rank moves in a round: etypes of its stream, and where their bytes lie in memory. */
struct part {
    int offset, count, bytes;
    void *buffer;
    MPI_Datatype type;
    int items;
};

static int place_in_memory[BYTES];

/* Notes in the model what rank r writes through the view of rank `viewer`. */
static void note(int number, int r, int viewer, int offset, int count, long *length)
{
    for (int i = 0; i < count * unit_bytes; i++) {
        int at = places[viewer][offset * unit_bytes + i];
        model[at] = byte_of(number * 64 + r, i);
        if (at >= *length) *length = at + 1;
    }
}

/* Draws how the part lies in memory (in one piece, every other byte, or in blocks with gaps of
 * random lengths), and fills it with what will be written. */
static void lay_in_memory(struct part *part, int number, int writes)
{
    static int lengths[BYTES], starts[BYTES];
    int kind = draw(4), at = kind == 2 ? 40 : 0, blocks = 0;
    part->bytes = part->count * unit_bytes;
    part->type = MPI_BYTE;
    part->items = part->bytes;
    part->buffer = seen;
    fill(data, part->bytes, number * 64 + rank);
    memset(seen, 0xa5, sizeof seen);
    for (int i = 0; i < part->bytes;) {
        int length = kind == 1 ? 1 : kind == 2 ? 1 + (i * 7 + number) % 9 : part->bytes;
        if (length > part->bytes - i) length = part->bytes - i;
        lengths[blocks] = length;
        starts[blocks++] = at;
        for (int last = i + length; i < last; i++) {
            place_in_memory[i] = at++;
            if (writes) seen[place_in_memory[i]] = data[i];
        }
        at += kind == 1 ? 1 : kind == 2 ? (i * 5 + number) % 4 : 0;
    }
    if (part->bytes == 0 || kind == 0 || kind == 3) return;
    OK(MPI_Type_indexed(blocks, lengths, starts, MPI_BYTE, &part->type));
    OK(MPI_Type_commit(&part->type));
    part->items = 1;
}

/* Compares what a rank has read, and the count, with the model. `r` has the view. */
static void judge(struct part *part, int number, int r, int writes, int form, MPI_Status *status,
                  long length)
{
    const int *place = places[r] + part->offset * unit_bytes;
    int found = 0;
    while (found < part->bytes && (writes || place[found] < length)) found++;
    COUNT(*status, MPI_BYTE, found);
    for (int i = 0; !writes && i < part->bytes; i++) {
        int got = seen[place_in_memory[i]], expected = i < found ? model[place[i]] : 0xa5;
        CHECK(got == expected, "round %d, form %d: byte %d of %d at %d is %d, not %d", number, form,
              i, part->bytes, place[i], got, expected);
    }
    if (part->type != MPI_BYTE) OK(MPI_Type_free(&part->type));
}

static void round_of(MPI_File file, int number, long *length)
{
    int writes = draw(2), form = draw(8);
    struct part part = {0};
    for (int r = 0; r < size; r++) {
        int most = owned[r] / unit_bytes;
        int offset = draw(most + 1), count = draw(most - offset + 1);
        if (draw(8) == 0) count = 0;
        if (draw(4) == 0) count = count < 5 ? count : 5;
        if (r == rank) part.offset = offset, part.count = count;
        if (writes) note(number, r, r, offset, count, length);
    }
    MPI_Status status;
    lay_in_memory(&part, number, writes);
    move(file, writes, form, part.offset, part.buffer, part.items, part.type, &status);
    judge(&part, number, rank, writes, form, &status, *length);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The calls at the shared pointer. */
static void move_shared(MPI_File file, int writes, int form, struct part *part, MPI_Status *status)
{
    void *buffer = part->buffer;
    MPI_Request request;
    switch (form + 4 * writes) {
    case 0: OK(MPI_File_read_ordered(file, buffer, part->items, part->type, status)); break;
    case 1: OK(MPI_File_read_ordered_begin(file, buffer, part->items, part->type));
            OK(MPI_File_read_ordered_end(file, buffer, status)); break;
    case 2: OK(MPI_File_read_shared(file, buffer, part->items, part->type, status)); break;
    case 3: OK(MPI_File_iread_shared(file, buffer, part->items, part->type, &request)); break;
    case 4: OK(MPI_File_write_ordered(file, buffer, part->items, part->type, status)); break;
    case 5: OK(MPI_File_write_ordered_begin(file, buffer, part->items, part->type));
            OK(MPI_File_write_ordered_end(file, buffer, status)); break;
    case 6: OK(MPI_File_write_shared(file, buffer, part->items, part->type, status)); break;
    case 7: OK(MPI_File_iwrite_shared(file, buffer, part->items, part->type, &request)); break;
    }
    if (form == 3) OK(MPI_Wait(&request, status));
}

/* All ranks in order, or one of them. The view is that of rank 0. */
static void shared_round(MPI_File file, int number, long *length, int *pointer)
{
    int most = owned[0] / unit_bytes, writes = draw(2), form = draw(4), chosen = draw(size);
    if (*pointer >= most || draw(3) == 0) {
        *pointer = draw(most + 1);
        OK(MPI_File_seek_shared(file, *pointer, MPI_SEEK_SET));
    }
    struct part part = {0};
    int total = 0;
    for (int r = 0; r < size; r++) {
        int count = draw((most - *pointer - total) / 2 + 1);
        if (form >= 2 && r != chosen) count = 0;
        if (r == rank) part.offset = *pointer + total, part.count = count;
        if (writes) note(number, r, 0, *pointer + total, count, length);
        total += count;
    }
    *pointer += total;
    MPI_Status status;
    lay_in_memory(&part, number, writes);
    if (form < 2 || rank == chosen) {
        move_shared(file, writes, form, &part, &status);
        judge(&part, number, 0, writes, form, &status, *length);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Offset seen_pointer;
    OK(MPI_File_get_position_shared(file, &seen_pointer));
    CHECK(seen_pointer == *pointer, "round %d, form %d: the shared pointer is %ld, not %d", number,
          form, (long)seen_pointer, *pointer);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void one_case(int number)
{
    static const char *const exchange[] = {"automatic", "enable", "disable"};
    static const char *const windows[] = {"4096", "10000", "1000000"};
    static const int sizes[] = {1, 2, 4, 8, 24};
    char text[16];
    MPI_Info info;
    state = 77 + number;
    OK(MPI_Info_create(&info));
    snprintf(text, sizeof text, "%d", 1 + draw(size));
    OK(MPI_Info_set(info, "cb_nodes", text));
    OK(MPI_Info_set(info, "romio_cb_write", exchange[draw(3)]));
    OK(MPI_Info_set(info, "romio_cb_read", exchange[draw(3)]));
    OK(MPI_Info_set(info, "cb_buffer_size", windows[draw(3)]));
    OK(MPI_Info_set(info, "romio_ds_read", draw(2) ? "enable" : "disable"));
    MPI_File file;
    OK(MPI_File_open(MPI_COMM_WORLD, file_name,
                     MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file));
    if (draw(6) == 0) OK(MPI_File_set_atomicity(file, 1));
    memset(model, 0, sizeof model);
    long length = 0;
    int shared = number % 4 == 3, pointer = 0;
    for (int view = 0; view < 2; view++) {
        unit_bytes = sizes[draw(5)];
        units = size + draw(UNITS / (size * 4)) * size + draw(3);
        /* Each rank owns a unit; the others belong to anybody or nobody, in runs or one by one. */
        int runs = draw(2);
        for (int unit = 0; unit < units; unit++)
            owner[unit] = unit < size ? unit
                        : runs && draw(4) ? owner[unit - 1] : draw(size + 2);
        int disp = draw(50);
        lay_out(disp);
        MPI_Datatype etype;
        OK(MPI_Type_contiguous(unit_bytes, MPI_BYTE, &etype));
        OK(MPI_Type_commit(&etype));
        unsigned kept = state;
        MPI_Datatype filetype = filetype_of(etype, shared ? 0 : rank);
        state = kept;
        OK(MPI_File_set_view(file, disp, etype, filetype, "native", info));
        OK(MPI_Type_free(&filetype));
        OK(MPI_Type_free(&etype));
        pointer = 0;
        for (int i = 0; i < ROUNDS; i++) {
            int round = (number * 2 + view) * ROUNDS + i;
            if (shared) shared_round(file, round, &length, &pointer);
            else round_of(file, round, &length);
        }
    }
    long got = contents(file_name, seen, sizeof seen);
    CHECK(got == length, "case %d: the file has %ld bytes, not %ld", number, got, length);
    for (long i = 0; i < length; i++)
        CHECK(seen[i] == model[i], "case %d: byte %ld is %d, not %d", number, i, seen[i], model[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_close(&file));
    OK(MPI_Info_free(&info));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    choose_name("random");
    int first = argc > 1 ? atoi(argv[1]) : 0, cases = argc > 2 ? atoi(argv[2]) : CASES;
    for (int number = first; number < first + cases; number++) one_case(number);
    MPI_Finalize();
    return 0;
}
