/* What a program learns about kinds of memory (MPI 5.0 section 12.4.3, and the side document on
 * memory allocation kinds): by the hints of communicators, windows, files and sessions, and by the
 * functions that MPICH and Open MPI have for it. The argument says which kinds are there: "cuda" or
 * "none"; the second one is the name of a file. */
#include "../mpi/check.h"
#include <dlfcn.h>
#include <stdbool.h>

static bool has_cuda;

/* Whether a list of kinds has one. */
static bool lists(const char *list, const char *kind)
{
    size_t length = strlen(kind);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, kind, length) == 0 && (at[length] == ',' || at[length] == 0)) return true;
    }
    return false;
}

static void check(const char *of, MPI_Info info)
{
    static const char *const kinds[] = {"cuda:host", "cuda:device", "cuda:managed"};
    char list[MPI_MAX_INFO_VAL];
    int length = sizeof list, found = 0;
    OK(MPI_Info_get_string(info, "mpi_memory_alloc_kinds", &length, list, &found));
    CHECK(found, "%s has no kinds of memory", of);
    CHECK(lists(list, "mpi") && lists(list, "system"), "%s: %s", of, list);
    for (int i = 0; i < 3; i++)
        CHECK(lists(list, kinds[i]) == has_cuda, "%s: %s in %s", of, kinds[i], list);
    CHECK(!strstr(list, "rocm"), "%s: %s", of, list);
    OK(MPI_Info_free(&info));
}

int main(int argc, char **argv)
{
    MPI_Info info;
    MPI_Session session;
    MPI_Win win;
    MPI_File file;
    int *base;
    has_cuda = argc > 1 && strcmp(argv[1], "cuda") == 0;
    begin(&argc, &argv);
    OK(MPI_Comm_get_info(MPI_COMM_WORLD, &info));
    check("a communicator", info);
    OK(MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    OK(MPI_Win_get_info(win, &info));
    check("a window", info);
    OK(MPI_Win_free(&win));
    OK(MPI_File_open(MPI_COMM_WORLD, argc > 2 ? argv[2] : "kinds.data",
                     MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                     &file));
    OK(MPI_File_get_info(file, &info));
    check("a file", info);
    OK(MPI_File_close(&file));
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "mpi_memory_alloc_kinds", "system,rocm:device,cuda:device"));
    OK(MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
    OK(MPI_Info_free(&info));
    OK(MPI_Session_get_info(session, &info));
    /* Who asks for kinds of devices gets them, unless the user has said that there are none. */
    bool granted = has_cuda || argc > 3;
    bool before = has_cuda;
    has_cuda = granted;
    check("a session", info);
    has_cuda = before;
    OK(MPI_Session_finalize(&session));
    int (*query)(void) = NULL;
    *(void **)&query = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support");
    bool is_off = getenv("NEMESIS_GPU") && strcmp(getenv("NEMESIS_GPU"), "off") == 0;
    CHECK(!query || query() == !is_off, "MPIX_Query_cuda_support says %d", query());
    MPI_Finalize();
    return 0;
}
