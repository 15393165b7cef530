/* refuse NAME[=ENOSYS]... -- PROGRAM ARGUMENTS: runs a program and its children with a seccomp
 * filter that refuses the named system calls, as containers do. The calls fail with EPERM, or with
 * ENOSYS as on an old kernel. */

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct { const char *name; unsigned number; } calls[] = {
    {"process_vm_readv", SYS_process_vm_readv},
    {"process_vm_writev", SYS_process_vm_writev},
    {"memfd_create", SYS_memfd_create},
    {"membarrier", SYS_membarrier},
    {"pidfd_open", SYS_pidfd_open},
};
enum { CALLS = sizeof calls / sizeof *calls };

int main(int argc, char **argv)
{
    struct sock_filter code[2 * CALLS + 2];
    unsigned short length = 0;
    int next = 1;
    code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                                  offsetof(struct seccomp_data, nr));
    for (; next < argc && strcmp(argv[next], "--") != 0; next++) {
        size_t name = strcspn(argv[next], "=");
        unsigned refusal = strcmp(argv[next] + name, "=ENOSYS") == 0 ? ENOSYS : EPERM;
        int known = 0;
        for (int i = 0; i < CALLS && length < 2 * CALLS; i++)
            if (strlen(calls[i].name) == name && strncmp(calls[i].name, argv[next], name) == 0) {
                code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                              calls[i].number, 0, 1);
                code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
                                                              SECCOMP_RET_ERRNO | refusal);
                known = 1;
            }
        if (!known) return fprintf(stderr, "refuse: unknown system call %s\n", argv[next]), 125;
    }
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {length, code};
    if (next + 1 >= argc)
        return fprintf(stderr, "usage: refuse NAME[=ENOSYS]... -- PROGRAM ARGUMENTS\n"), 125;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return perror("refuse"), 125;
    execvp(argv[next + 1], argv + next + 1);
    return perror(argv[next + 1]), 127;
}
