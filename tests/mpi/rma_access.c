/* MPI_Put and MPI_Get in windows of every flavour and epochs of every kind, contiguous and with
 * gaps on either side, at all lengths. The data arrive, and no other byte is written (MPI 5.0
 * §12.3).
 *
 * modes: default copy network bulk short tiny threads
 */

#include "rma.h"

static int next, previous;

/* Contiguous bytes to the next process and back. */
static void lengths(const struct window *w, int kind)
{
    static const int all[] = {0, 1, 7, 8, 40, 41, 4095, 4096, 4097, 65537, (1 << 20) + 1};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        int length = all[i], disp = 3;
        unsigned char *out = malloc(length + 1), *back = guarded(length);
        memset(w->base, GUARD, w->bytes);
        fill(out, length, rank + 1);
        open_epoch(w, kind, next, previous);
        OK(MPI_Put(out, length, MPI_BYTE, next, at(w, next, disp), length, MPI_BYTE, w->win));
        close_epoch(w, kind, next);
        CHECK(first_wrong(w->base + disp, length, previous + 1) < 0,
              "%s, %s, %d bytes: byte %ld is wrong", flavour_name[w->flavour], epoch_name[kind],
              length, first_wrong(w->base + disp, length, previous + 1));
        for (int j = 0; j < disp; j++)
            CHECK(w->base[j] == GUARD, "bytes before the target's data were written");
        for (size_t j = disp + length; j < w->bytes; j++)
            CHECK(w->base[j] == GUARD, "bytes past the target's data were written");
        open_epoch(w, kind, next, previous);
        OK(MPI_Get(back, length, MPI_BYTE, next, at(w, next, disp), length, MPI_BYTE, w->win));
        close_epoch(w, kind, next);
        CHECK(first_wrong(back, length, rank + 1) < 0 && untouched(back, length, length),
              "%s, %s: MPI_Get of %d bytes returns wrong data", flavour_name[w->flavour],
              epoch_name[kind], length);
        free_guarded(back);
        free(out);
    }
}

/* A column of the origin's matrix becomes a row of the target's matrix, and the reverse. */
static void holes(const struct window *w, int kind)
{
    enum { N = 200 };
    static int32_t matrix[N][N], row[N];
    MPI_Datatype column;
    int32_t *there = (int32_t *)w->base;
    OK(MPI_Type_vector(N, 1, N, MPI_INT32_T, &column));
    OK(MPI_Type_commit(&column));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) matrix[i][j] = 1000 * rank + i * N + j;
    memset(w->base, 0xff, w->bytes);
    open_epoch(w, kind, next, previous);
    OK(MPI_Put(&matrix[0][5], 1, column, next, at(w, next, 0), N, MPI_INT32_T, w->win));
    OK(MPI_Put(matrix[7], N, MPI_INT32_T, next, at(w, next, 4 * (N + 2)), 1, column, w->win));
    close_epoch(w, kind, next);
    for (int i = 0; i < N; i++)
        CHECK(there[i] == 1000 * previous + i * N + 5, "the row has %d at %d", there[i], i);
    for (int i = 0; i < N * N; i++) {
        int expected = i % N ? -1 : 1000 * previous + 7 * N + i / N;
        CHECK(there[N + 2 + i] == expected, "the column has %d at %d, %d is expected",
              there[N + 2 + i], i, expected);
    }
    open_epoch(w, kind, next, previous);
    OK(MPI_Get(row, N, MPI_INT32_T, next, at(w, next, 4 * (N + 2)), 1, column, w->win));
    OK(MPI_Get(&matrix[0][9], 1, column, next, at(w, next, 0), N, MPI_INT32_T, w->win));
    close_epoch(w, kind, next);
    for (int i = 0; i < N; i++)
        CHECK(row[i] == 1000 * rank + 7 * N + i && matrix[i][9] == 1000 * rank + i * N + 5,
              "element %d is returned wrong", i);
    OK(MPI_Type_free(&column));
}

/* Request-based operations, large-count operations, and MPI_PROC_NULL as target. */
static void requests(const struct window *w)
{
    int64_t out = 7000 + rank, in = -1;
    MPI_Request request[3];
    MPI_Status status[3];
    OK(MPI_Win_lock_all(0, w->win));
    OK(MPI_Rput(&out, 1, MPI_INT64_T, next, at(w, next, 8), 1, MPI_INT64_T, w->win, &request[0]));
    OK(MPI_Rput(&out, 1, MPI_INT64_T, MPI_PROC_NULL, 8, 1, MPI_INT64_T, w->win, &request[1]));
    OK(MPI_Put(&out, 1, MPI_INT64_T, MPI_PROC_NULL, 1 << 30, 1, MPI_INT64_T, w->win));
    OK(MPI_Win_flush(next, w->win));
    OK(MPI_Rget_c(&in, 1, MPI_INT64_T, next, at(w, next, 8), 1, MPI_INT64_T, w->win, &request[2]));
    OK(MPI_Waitall(3, request, status));
    CHECK(in == out, "MPI_Get returns %ld, %ld is expected", (long)in, (long)out);
    CHECK(request[0] == MPI_REQUEST_NULL && request[2] == MPI_REQUEST_NULL,
          "the requests are not null");
    OK(MPI_Win_flush(next, w->win));
    OK(MPI_Win_flush_local(next, w->win));
    OK(MPI_Win_flush_all(w->win));
    OK(MPI_Win_flush_local_all(w->win));
    OK(MPI_Win_sync(w->win));
    OK(MPI_Get_c(&in, 1, MPI_INT64_T, MPI_PROC_NULL, 0, 1, MPI_INT64_T, w->win));
    OK(MPI_Put_c(&out, 1, MPI_INT64_T, rank, at(w, rank, 16), 1, MPI_INT64_T, w->win));
    OK(MPI_Win_unlock_all(w->win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    memcpy(&in, w->base + 8, 8);
    CHECK(in == 7000 + previous, "%ld arrived", (long)in);
    memcpy(&in, w->base + 16, 8);
    CHECK(in == out, "%ld arrived from oneself", (long)in);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    next = (rank + 1) % size, previous = (rank + size - 1) % size;
    for (int flavour = 0; flavour < FLAVOURS; flavour++) {
        if (!possible(flavour)) continue;
        struct window w = window(flavour, (1 << 20) + 4096);
        for (int kind = 0; kind < EPOCHS; kind++) {
            lengths(&w, kind);
            holes(&w, kind);
        }
        requests(&w);
        free_window(&w);
    }
    return MPI_Finalize();
}
