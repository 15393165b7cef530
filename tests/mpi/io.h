/* Common parts of the tests of files: a name of the job's own, and the contents of a file as
 * another program sees them. */

#include "check.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char file_name[256];

/* Chooses a name that all ranks share and no other job has. */
static void choose_name(const char *test)
{
    int job = (int)getpid();
    MPI_Bcast(&job, 1, MPI_INT, 0, MPI_COMM_WORLD);
    const char *folder = getenv("TMPDIR");
    snprintf(file_name, sizeof file_name, "%s/nemesis-%s-%d.dat", folder ? folder : "/tmp", test,
             job);
    if (rank == 0) unlink(file_name);
    MPI_Barrier(MPI_COMM_WORLD);
}

static MPI_File open_file(MPI_Comm comm, int amode)
{
    MPI_File file;
    OK(MPI_File_open(comm, file_name, amode, MPI_INFO_NULL, &file));
    return file;
}

/* A new file for reading and writing, which closing deletes. */
static MPI_File scratch_file(MPI_Comm comm)
{
    return open_file(comm, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR |
                               MPI_MODE_DELETE_ON_CLOSE);
}

/* Returns the length of a file, or -1 if there is none. Opening a file asks the server of a network
 * file system, where stat() may tell what this node remembers. */
static long length_of(const char *name)
{
    struct stat status;
    int descriptor = open(name, O_RDONLY);
    if (descriptor < 0) return -1;
    int failed = fstat(descriptor, &status);
    close(descriptor);
    return failed ? -1 : (long)status.st_size;
}

/* Reads the whole file with system calls; returns its length. */
static long contents(const char *name, unsigned char *into, size_t most)
{
    int descriptor = open(name, O_RDONLY);
    CHECK(descriptor >= 0, "open(%s): %s", name, strerror(errno));
    long got = read(descriptor, into, most);
    close(descriptor);
    return got;
}

/* Checks that a call fails with an error of class `class_` whose text has both words. */
#define FAILS_SAYING(call, class_, one, other)                                                     \
    do {                                                                                           \
        int said_ = (call);                                                                        \
        FAILS(said_, class_);                                                                      \
        const char *text_ = error_text(said_);                                                     \
        CHECK(strstr(text_, one) && strstr(text_, other), "\"%s\" lacks \"%s\" or \"%s\"", text_,  \
              one, other);                                                                         \
    } while (0)

#define COUNT(status, type, expected)                                                              \
    do {                                                                                           \
        int count_ = -1;                                                                           \
        OK(MPI_Get_count(&(status), type, &count_));                                               \
        CHECK(count_ == (expected), "the count is %d, not %d", count_, (int)(expected));           \
    } while (0)
