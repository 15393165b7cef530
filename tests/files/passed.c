/* A file that the processes of one host open:
 *   passed FILE yes|no
 *
 * With "yes" the ranks must share one open file description, as those do of which one has opened
 * the file and has passed its descriptor to the others; with "no" each must have its own. Without
 * an error it prints nothing. */

#include "../mpi/check.h"
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

static const char *name;

/* Returns the descriptor of the file in this process. */
static int descriptor(void)
{
    DIR *folder = opendir("/proc/self/fd");
    CHECK(folder, "/proc/self/fd is not there");
    int found = -1;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[300], target[4096];
        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        ssize_t length = readlink(path, target, sizeof target - 1);
        target[length > 0 ? length : 0] = 0;
        if (!strcmp(target, name)) found = atoi(entry->d_name);
    }
    closedir(folder);
    CHECK(found >= 0, "no descriptor is that of %s", name);
    return found;
}

/* Opens the file, looks who shares it, and closes it. Only processes that share an open file
 * description see the offset that rank 0 sets there. */
static void look(int amode, int is_passed)
{
    MPI_File file;
    OK(MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &file));
    int fd = descriptor();
    if (rank == 0) lseek(fd, 4321, SEEK_SET);
    MPI_Barrier(MPI_COMM_WORLD);
    long seen = lseek(fd, 0, SEEK_CUR), wanted = rank == 0 || is_passed ? 4321 : 0;
    CHECK(seen == wanted, "mode %d: the offset is %ld, not %ld", amode, seen, wanted);
    CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC, "a program that is executed gets the descriptor");
    unsigned char data[100];
    if (!(amode & MPI_MODE_RDONLY)) {
        fill(data, sizeof data, 7 + (unsigned)rank);
        OK(MPI_File_write_at_all(file, rank * 100, data, sizeof data, MPI_BYTE,
                                 MPI_STATUS_IGNORE));
        OK(MPI_File_sync(file));
    }
    if (!(amode & MPI_MODE_WRONLY)) {
        int other = (rank + 1) % size;
        MPI_Barrier(MPI_COMM_WORLD);
        OK(MPI_File_read_at(file, other * 100, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE));
        CHECK(first_wrong(data, sizeof data, 7 + (unsigned)other) < 0, "wrong data");
    }
    OK(MPI_File_close(&file));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    CHECK(argc == 3, "usage: passed FILE yes|no");
    name = argv[1];
    int is_passed = !strcmp(argv[2], "yes");
    MPI_File file;
    FAILS(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR, MPI_INFO_NULL, &file),
          MPI_ERR_NO_SUCH_FILE);
    look(MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, is_passed);
    FAILS(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR,
                        MPI_INFO_NULL, &file),
          MPI_ERR_FILE_EXISTS);
    look(MPI_MODE_WRONLY, is_passed);
    look(MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, is_passed);
    CHECK(access(name, F_OK) != 0, "the file is still there");
    MPI_Finalize();
    return 0;
}
