/* Rows of accesses between two synchronisations, on every kind of window and in every kind of
 * epoch: puts, gets and accumulates of many lengths, to neighbours and to scattered places, of one
 * kind and mixed, more of them than the library can keep waiting. Rank r accesses the memory of
 * rank r + 1 alone, so it knows what is there.
 *
 * modes: default copy network tiny threads
 */

#include "rma.h"

enum { BYTES = 1 << 20, ROUNDS = 48, ACCESSES = 700, LONGEST = 20000 };
enum { PUTS, GETS, ACCUMULATES, MIXED, KINDS };

static unsigned char *known, *out, *in;
static unsigned state = 12345;
static int to, from;

static unsigned drawn(unsigned below)
{
    state = state * 1103515245u + 12345u;
    return (state >> 8) % below;
}

/* Each access of a row has a place of its own, so that their order does not matter. */
static void row(const struct window *w, int round, int epoch)
{
    static const int lengths[] = {1, 8, 8, 8, 60, 512, 4096, 4097, LONGEST};
    struct { int place, length, local; } got[ACCESSES];
    int place = (int)drawn(64), local = 0, gets = 0, count = 1 + (int)drawn(ACCESSES);
    for (int i = 0; i < count; i++) {
        int length = lengths[drawn(round % 3 ? 6 : 9)];
        int kind = round % KINDS == MIXED ? (int)drawn(MIXED) : round % KINDS;
        if (place + length > BYTES) break;
        MPI_Aint there = at(w, to, place);
        if (kind == GETS) {
            OK(MPI_Get(in + local, length, MPI_BYTE, to, there, length, MPI_BYTE, w->win));
            got[gets].place = place, got[gets].length = length, got[gets++].local = local;
            local += length;
        } else {
            unsigned char *data = out + place;
            for (int k = 0; k < length; k++) data[k] = (unsigned char)drawn(256);
            memcpy(known + place, data, (size_t)length);
            if (kind == PUTS)
                OK(MPI_Put(data, length, MPI_BYTE, to, there, length, MPI_BYTE, w->win));
            else
                OK(MPI_Accumulate(data, length, MPI_BYTE, to, there, length, MPI_BYTE, MPI_REPLACE,
                                  w->win));
        }
        place += length + (drawn(3) ? 0 : (int)drawn(100));
        if (epoch == LOCK && drawn(200) == 0) OK(MPI_Win_flush(to, w->win));
        if (epoch == LOCK_ALL && drawn(200) == 0) OK(MPI_Win_flush_local_all(w->win));
    }
    close_epoch(w, epoch, to);
    for (int i = 0; i < gets; i++)
        CHECK(memcmp(in + got[i].local, known + got[i].place, (size_t)got[i].length) == 0,
              "%s, %s, round %d: get %d, of %d bytes, is wrong", flavour_name[w->flavour],
              epoch_name[epoch], round, i, got[i].length);
}

static void rows(const struct window *w)
{
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, w->win));
    for (int i = 0; i < BYTES; i++) w->base[i] = (unsigned char)(i * 7 + rank);
    OK(MPI_Win_unlock(rank, w->win));
    for (int i = 0; i < BYTES; i++) known[i] = (unsigned char)(i * 7 + to);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int round = 0; round < ROUNDS; round++) {
        int epoch = round / KINDS % EPOCHS;
        open_epoch(w, epoch, to, from);
        row(w, round, epoch);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    /* The target sees everything. */
    OK(MPI_Sendrecv(known, BYTES, MPI_BYTE, to, 1, in, BYTES, MPI_BYTE, from, 1, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, w->win));
    for (int i = 0; i < BYTES; i++)
        CHECK(w->base[i] == in[i], "%s: byte %d is %d, not %d", flavour_name[w->flavour], i,
              w->base[i], in[i]);
    OK(MPI_Win_unlock(rank, w->win));
}

/* Accesses that are no part of a row come between those of one and the flush, which completes all
 * the same. */
static void interrupted(const struct window *w)
{
    enum { WAYS = 7, WORDS = 4, APART = 40, LONG = 3000 };
    int *memory = (int *)w->base, values[WORDS], other[LONG], seen[LONG];
    MPI_Request request;
    for (int i = 0; i < LONG; i++) other[i] = -1;
    for (int way = 0; way < WAYS; way++) {
        MPI_Aint near = at(w, rank, 8000), far = at(w, to, 8000);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Win_lock_all(0, w->win));
        for (int i = 0; i < WORDS; i++) {
            values[i] = 100 * way + i;
            OK(MPI_Put(&values[i], 1, MPI_INT, to, at(w, to, APART * i), 1, MPI_INT, w->win));
        }
        switch (way) {
        case 0: OK(MPI_Put(other, 1, MPI_INT, rank, near, 1, MPI_INT, w->win)); break;
        case 1: OK(MPI_Get(seen, 1, MPI_INT, rank, near, 1, MPI_INT, w->win)); break;
        case 2: OK(MPI_Put(other, LONG, MPI_INT, to, far, LONG, MPI_INT, w->win)); break;
        case 3: OK(MPI_Get(seen, LONG, MPI_INT, to, far, LONG, MPI_INT, w->win)); break;
        case 4:
            OK(MPI_Rput(other, 1, MPI_INT, to, far, 1, MPI_INT, w->win, &request));
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            break;
        case 5:
            OK(MPI_Rget(seen, 1, MPI_INT, to, far, 1, MPI_INT, w->win, &request));
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            break;
        case 6: OK(MPI_Put(other, 0, MPI_INT, to, far, 0, MPI_INT, w->win)); break;
        }
        OK(MPI_Win_flush(to, w->win));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Win_sync(w->win));
        for (int i = 0; i < WORDS; i++)
            CHECK(memory[APART / 4 * i] == 100 * way + i, "%s, way %d: word %d is %d",
                  flavour_name[w->flavour], way, i, memory[APART / 4 * i]);
        OK(MPI_Win_unlock_all(w->win));
    }
}

int main(int argc, char **argv)
{
    static const int flavours[] = {CREATED, DYNAMIC, ALLOCATED};
    begin(&argc, &argv);
    to = (rank + 1) % size;
    from = (rank + size - 1) % size;
    state += (unsigned)rank;
    known = malloc(BYTES), out = malloc(BYTES), in = malloc(BYTES);
    for (size_t i = 0; i < sizeof flavours / sizeof *flavours; i++) {
        struct window w = window(flavours[i], BYTES);
        rows(&w);
        interrupted(&w);
        free_window(&w);
    }
    free(known), free(out), free(in);
    return MPI_Finalize();
}
