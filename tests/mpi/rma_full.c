/* MPI_Win_allocate when the shared memory of the node is used up: the window uses private memory,
 * or the call fails with a message that memory is exhausted (MPI 5.0 §12.2.2).
 *
 * modes: default network
 */

/* AddressSanitizer would write to the addresses. */
#define ASAN_MORE ":max_allocation_size_mb=64"
#include "rma.h"

enum { LONGS = 1 << 18, HELD_MAX = 64 };

int main(int argc, char **argv)
{
    static MPI_Win held[HELD_MAX];
    int count = 0, next, previous;
    begin(&argc, &argv);
    next = (rank + 1) % size, previous = (rank + size - 1) % size;
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    /* These windows are not touched, so they cost only addresses. */
    for (MPI_Aint bytes = (MPI_Aint)1 << 37; bytes >= 1 << 20 && count < HELD_MAX; bytes /= 2)
        for (int code = MPI_SUCCESS; code == MPI_SUCCESS && count < HELD_MAX;) {
            char *base, *there;
            MPI_Aint seen = 0;
            int unit;
            code = MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_SELF, &base, &held[count]);
            if (code != MPI_SUCCESS) {
                FAILS(code, MPI_ERR_NO_MEM);
                break;
            }
            OK(MPI_Win_shared_query(held[count], 0, &seen, &unit, &there));
            count++;
            base[bytes - 1] = 7;
            CHECK(seen == bytes && there == base, "%ld bytes are seen of %ld", (long)seen,
                  (long)bytes);
            /* Two rounds are enough. */
            if (count % 4 == 0) break;
        }
    CHECK(count > 2, "%d windows are made", count);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    int64_t *memory, *data = malloc(8 * LONGS), one = 1, before;
    MPI_Win win;
    OK(MPI_Win_allocate(8 * LONGS, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    for (int i = 0; i < LONGS; i++) CHECK(memory[i] == 0, "a new window is not zero");
    for (int i = 0; i < LONGS; i++) data[i] = 1000 * (int64_t)rank + i;
    OK(MPI_Win_fence(0, win));
    OK(MPI_Put(data, LONGS, MPI_INT64_T, next, 0, LONGS, MPI_INT64_T, win));
    OK(MPI_Win_fence(0, win));
    for (int i = 0; i < LONGS; i++)
        CHECK(memory[i] == 1000 * previous + i, "%ld is put at %d", (long)memory[i], i);
    OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    memory[5] = 0;
    OK(MPI_Win_lock_all(0, win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int target = 0; target < size; target++)
        for (int i = 0; i < 100; i++)
            OK(MPI_Fetch_and_op(&one, &before, MPI_INT64_T, target, 5, MPI_SUM, win));
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(memory[5] == 100 * size, "%ld are counted", (long)memory[5]);
    OK(MPI_Win_free(&win));
    while (count > 0) OK(MPI_Win_free(&held[--count]));
    /* After the windows have been freed there is memory again. */
    OK(MPI_Win_allocate(8 * LONGS, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    OK(MPI_Win_free(&win));
    free(data);
    return MPI_Finalize();
}
