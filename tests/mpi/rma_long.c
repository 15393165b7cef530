/* Long accesses, of tens of kilobytes to megabytes, on every kind of window and in every kind of
 * epoch: contiguous and with gaps at the origin, at the target, or both; puts, gets, accumulates
 * and fetches, with and without requests. Rank r accesses the memory of rank r + 1 alone, so it
 * knows what is there. At last all add to the memory of all.
 *
 * modes: default copy network tiny
 */

#include "rma.h"

enum { WORDS = 700000, BYTES = 4 * WORDS, LONGEST = WORDS / 2 - 5 };
enum { DENSE, SPARSE, SHAPES };

/* Words of accesses between dense places, and of others. */
static const int dense[] = {7000, 8192, 8193, 40000, 262144, 262145, LONGEST};
static const int sparse[] = {100, 8193, 30001};
static int32_t *known, *out, *in;
static int to, from;

/* `count` words: neighbours, or every second one. */
static MPI_Datatype shaped(int shape, int count)
{
    MPI_Datatype type;
    if (shape == DENSE) OK(MPI_Type_contiguous(count, MPI_INT32_T, &type));
    else OK(MPI_Type_vector(count, 1, 2, MPI_INT32_T, &type));
    OK(MPI_Type_commit(&type));
    return type;
}

static void end(const struct window *w, int epoch, MPI_Request *request)
{
    if (*request != MPI_REQUEST_NULL) OK(MPI_Wait(request, MPI_STATUS_IGNORE));
    close_epoch(w, epoch, to);
}

static void access_all(const struct window *w, int epoch, int length, int here, int there)
{
    int step = there == SPARSE ? 2 : 1, own = here == SPARSE ? 2 : 1, start = length % 5;
    int asked = (epoch == LOCK || epoch == LOCK_ALL) && length % 2;
    MPI_Datatype origin = shaped(here, length), target = shaped(there, length);
    MPI_Aint place = at(w, to, 4 * start);
    MPI_Request request = MPI_REQUEST_NULL;
    for (int i = 0; i < length; i++) {
        out[own * i] = rank * 1000 + i;
        known[start + step * i] = out[own * i];
    }
    open_epoch(w, epoch, to, from);
    if (asked) OK(MPI_Rput(out, 1, origin, to, place, 1, target, w->win, &request));
    else OK(MPI_Put(out, 1, origin, to, place, 1, target, w->win));
    end(w, epoch, &request);
    open_epoch(w, epoch, to, from);
    OK(MPI_Accumulate(out, 1, origin, to, place, 1, target, MPI_SUM, w->win));
    end(w, epoch, &request);
    for (int i = 0; i < length; i++) known[start + step * i] *= 2;
    open_epoch(w, epoch, to, from);
    memset(in, 0xff, BYTES);
    OK(MPI_Get_accumulate(out, 1, origin, in, 1, origin, to, place, 1, target, MPI_REPLACE,
                          w->win));
    end(w, epoch, &request);
    for (int i = 0; i < length; i++) {
        CHECK(in[own * i] == 2 * out[own * i], "%s, %s, %d words: %d was fetched at %d",
              flavour_name[w->flavour], epoch_name[epoch], length, in[own * i], i);
        known[start + step * i] = out[own * i];
    }
    open_epoch(w, epoch, to, from);
    memset(in, 0xff, BYTES);
    if (asked) OK(MPI_Rget(in, 1, origin, to, place, 1, target, w->win, &request));
    else OK(MPI_Get(in, 1, origin, to, place, 1, target, w->win));
    end(w, epoch, &request);
    for (int i = 0; i < length; i++)
        CHECK(in[own * i] == out[own * i], "%s, %s, %d words: %d was read at %d",
              flavour_name[w->flavour], epoch_name[epoch], length, in[own * i], i);
    CHECK(own == 1 || in[1] == -1, "memory between the words is not touched");
    OK(MPI_Type_free(&origin));
    OK(MPI_Type_free(&target));
}

/* Reads everything, and compares it with what is known. */
static void look(const struct window *w)
{
    open_epoch(w, LOCK, to, from);
    OK(MPI_Get(in, WORDS, MPI_INT32_T, to, at(w, to, 0), WORDS, MPI_INT32_T, w->win));
    close_epoch(w, LOCK, to);
    CHECK(memcmp(in, known, BYTES) == 0, "%s: words that nobody wrote have changed",
          flavour_name[w->flavour]);
}

/* All processes add columns to the memory of all, at the same time. */
static void add_columns(const struct window *w)
{
    enum { COUNT = 3000, ROUNDS = 4 };
    MPI_Datatype column = shaped(SPARSE, COUNT);
    for (int i = 0; i < COUNT; i++) out[i] = i;
    memset(w->base, 0, BYTES);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock_all(0, w->win));
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < size; i++) {
            int other = (rank + i) % size;
            OK(MPI_Accumulate(out, COUNT, MPI_INT32_T, other, at(w, other, 0), 1, column, MPI_SUM,
                              w->win));
        }
    OK(MPI_Win_unlock_all(w->win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, w->win));
    const int32_t *words = (const int32_t *)w->base;
    for (int i = 0; i < COUNT; i++)
        CHECK(words[2 * i] == i * size * ROUNDS && words[2 * i + 1] == 0,
              "%s: words %d of the sums are %d and %d", flavour_name[w->flavour], 2 * i,
              words[2 * i], words[2 * i + 1]);
    OK(MPI_Win_unlock(rank, w->win));
    OK(MPI_Type_free(&column));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    known = malloc(BYTES), out = malloc(BYTES), in = malloc(BYTES);
    to = (rank + 1) % size;
    from = (rank + size - 1) % size;
    for (int flavour = 0; flavour < FLAVOURS; flavour++) {
        if (!possible(flavour)) continue;
        struct window w = window(flavour, BYTES);
        memset(w.base, 0, BYTES);
        memset(known, 0, BYTES);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        for (int i = 0; i < (int)(sizeof dense / sizeof *dense); i++)
            access_all(&w, i % EPOCHS, dense[i], DENSE, DENSE);
        for (int i = 0; i < (int)(sizeof sparse / sizeof *sparse); i++)
            for (int shape = 1; shape < SHAPES * SHAPES; shape++)
                access_all(&w, (i + shape) % EPOCHS, sparse[i], shape % SHAPES, shape / SHAPES);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        look(&w);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        add_columns(&w);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        free_window(&w);
    }
    free(known), free(out), free(in);
    return MPI_Finalize();
}
