/* Processes whose development checks differ (NEMESIS_CHECK) use a window together: its accesses are
 * then not compared, and no process waits for an exchange in which another takes no part.
 *
 * modes: default network
 */

#include "rma.h"

int main(int argc, char **argv)
{
    const char *own = getenv("PMI_RANK");
    setenv("NEMESIS_CHECK", own && atoi(own) % 2 ? "on" : "off", 1);
    begin(&argc, &argv);
    for (int flavour = CREATED; flavour < FLAVOURS; flavour++) {
        if (!possible(flavour)) continue;
        struct window w = window(flavour, size);
        unsigned char byte = (unsigned char)(rank + 1);
        OK(MPI_Win_fence(0, w.win));
        OK(MPI_Put(&byte, 1, MPI_BYTE, 0, w.origins[0] + rank, 1, MPI_BYTE, w.win));
        OK(MPI_Win_fence(0, w.win));
        for (int other = 0; rank == 0 && other < size; other++)
            CHECK(w.base[other] == (unsigned char)(other + 1), "%s: rank %d has put %d",
                  flavour_name[flavour], other, w.base[other]);
        free_window(&w);
    }
    return MPI_Finalize();
}
