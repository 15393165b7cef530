/* A leader of MPI_Intercomm_create that fails before it has told its group: the other leader hears
 * of it and fails, too. The kernel refuses random bits to rank 0, which draws the context from them
 * because it knows a spawned job.
 *
 * sizes: 2
 * modes: default network */

#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Refuses getrandom(2) from now on; false if the kernel cannot do so. */
static int refuse_random(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrandom, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int main(int argc, char **argv)
{
    int code, class = MPI_SUCCESS, refuses = 0;
    char self[4096] = "", text[MPI_MAX_ERROR_STRING] = "";
    MPI_Comm parent, child, inter = MPI_COMM_NULL;
    OK(MPI_Init(&argc, &argv));
    OK(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL) {
        OK(MPI_Comm_disconnect(&parent));
        OK(MPI_Finalize());
        return 0;
    }
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0, "no name of the program");
    OK(MPI_Comm_spawn(self, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child,
                      MPI_ERRCODES_IGNORE));
    if (rank == 0) refuses = refuse_random();
    OK(MPI_Bcast(&refuses, 1, MPI_INT, 0, MPI_COMM_WORLD));
    if (refuses) {
        OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
        code = MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 3, &inter);
        CHECK(code != MPI_SUCCESS, "rank %d has an intercommunicator with nobody", rank);
        if (code != MPI_SUCCESS) {
            int length;
            OK(MPI_Error_class(code, &class));
            OK(MPI_Error_string(code, text, &length));
        }
        CHECK(class == MPI_ERR_OTHER, "rank %d: class %d, %s", rank, class, text);
        CHECK(strstr(text, rank == 0 ? "random" : "leader of the other group") != NULL,
              "rank %d: %s", rank, text);
    }
    OK(MPI_Comm_disconnect(&child));
    OK(MPI_Finalize());
    return 0;
}
