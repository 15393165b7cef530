/* A rank is killed while all write collectively: the job ends, and no file is left beside the
 * program's.
 *
 * sizes: 4
 * modes: default network
 * dies: SIGKILL */

#include "io.h"
#include <signal.h>

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    choose_name("dies");
    MPI_Info info;
    MPI_File file;
    MPI_Datatype tile;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "romio_cb_write", "enable"));
    OK(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_CREATE | MPI_MODE_WRONLY, info, &file));
    OK(MPI_Type_create_resized(MPI_INT, 0, size * sizeof(int), &tile));
    OK(MPI_Type_commit(&tile));
    OK(MPI_File_set_view(file, rank * sizeof(int), MPI_INT, tile, "native", info));
    MPI_Barrier(MPI_COMM_WORLD);
    /* The name is gone before anybody may be ended. */
    if (rank == 0) unlink(file_name);
    OK(MPI_File_write_shared(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE));
    for (int i = 0; ; i++) {
        if (i == 20 && rank == 0) raise(SIGKILL);
        MPI_File_write_at_all(file, i * 1000, numbers(rank), 1000, MPI_INT, MPI_STATUS_IGNORE);
    }
}
