/* Runs a program and makes system calls on files whose path contains "nemesis-files" fail, at one
 * rank:
 *
 *   inject RANK KIND NTH PROGRAM ARGUMENT...
 *
 *   eio, enospc, edquot   the NTH pwrite returns this error
 *   lasting               all of them do, from the NTH on, with ENOSPC
 *   read                  the NTH pread returns EIO
 *   short                 every NTH pread and pwrite moves a part of the bytes only
 *   interrupted           every NTH pread and pwrite returns EINTR
 *   kill                  the process is killed in its NTH pwrite
 *   refuse                opening such a file returns EACCES
 *
 * A seccomp filter stops the program at these calls only, and a tracer changes them. Other ranks
 * run the program as it is. x86-64 only; elsewhere the exit code is 77. */

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __x86_64__

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/user.h>

#define WATCHED "nemesis-files"

static const char *kind;
static long nth, seen;

static void stop_at_calls(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pwrite64, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pread64, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_open, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
    };
    struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
                                                        &program)) {
        perror("inject: seccomp");
        exit(2);
    }
}

/* The string at an address of the traced process. */
static void read_name(pid_t process, unsigned long address, char *name, size_t most)
{
    size_t length = 0;
    for (; length + sizeof(long) < most; length += sizeof(long)) {
        errno = 0;
        long word = ptrace(PTRACE_PEEKDATA, process, address + length, 0);
        if (errno) break;
        memcpy(name + length, &word, sizeof word);
        if (memchr(&word, 0, sizeof word)) return;
    }
    name[length] = 0;
}

static int is(const char *other) { return strcmp(kind, other) == 0; }

/* Lets the call fail with an error. */
static void refuse(pid_t process, struct user_regs_struct *call, int error)
{
    call->orig_rax = -1;
    call->rax = -error;
    ptrace(PTRACE_SETREGS, process, 0, call);
}

static void change(pid_t process)
{
    struct user_regs_struct call;
    if (ptrace(PTRACE_GETREGS, process, 0, &call)) return;
    char name[4096] = "";
    if (call.orig_rax == SYS_open || call.orig_rax == SYS_openat) {
        if (!is("refuse")) return;
        read_name(process, call.orig_rax == SYS_open ? call.rdi : call.rsi, name, sizeof name);
        if (strstr(name, WATCHED)) refuse(process, &call, EACCES);
        return;
    }
    char link[64];
    snprintf(link, sizeof link, "/proc/%d/fd/%d", process, (int)call.rdi);
    if (readlink(link, name, sizeof name - 1) < 0 || !strstr(name, WATCHED)) return;
    int writes = call.orig_rax == SYS_pwrite64;
    if (is("short") || is("interrupted")) {
        if (++seen % nth) return;
        if (is("interrupted")) {
            refuse(process, &call, EINTR);
        } else if (call.rdx > 1) {
            call.rdx = 1 + (unsigned long)(seen * 7919) % (call.rdx - 1);
            ptrace(PTRACE_SETREGS, process, 0, &call);
        }
        return;
    }
    if (writes == is("read") || is("refuse")) return;
    seen++;
    if (is("lasting") && seen >= nth) refuse(process, &call, ENOSPC);
    if (seen != nth) return;
    if (is("eio") || is("read")) refuse(process, &call, EIO);
    if (is("enospc")) refuse(process, &call, ENOSPC);
    if (is("edquot")) refuse(process, &call, EDQUOT);
    if (is("kill")) kill(process, SIGKILL);
}

/* Follows the program and its threads; returns its exit code. */
static int trace(pid_t child)
{
    int status;
    waitpid(child, &status, 0);
    ptrace(PTRACE_SETOPTIONS, child, 0,
           PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
    ptrace(PTRACE_CONT, child, 0, 0);
    for (;;) {
        pid_t process = waitpid(-1, &status, __WALL);
        if (process < 0) return 1;
        if (process == child && WIFEXITED(status)) return WEXITSTATUS(status);
        if (process == child && WIFSIGNALED(status)) {
            signal(WTERMSIG(status), SIG_DFL);
            raise(WTERMSIG(status));
            return 128 + WTERMSIG(status);
        }
        if (!WIFSTOPPED(status)) continue;
        int signal_to_pass = WSTOPSIG(status), event = status >> 16;
        if (event == PTRACE_EVENT_SECCOMP) change(process);
        /* A new thread stops with SIGSTOP, the program after exec with SIGTRAP. */
        if (event || signal_to_pass == SIGSTOP || signal_to_pass == SIGTRAP) signal_to_pass = 0;
        ptrace(PTRACE_CONT, process, 0, signal_to_pass);
    }
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "inject: inject RANK KIND NTH PROGRAM ARGUMENT...\n");
        return 2;
    }
    const char *rank = getenv("PMI_RANK");
    kind = argv[2];
    nth = atol(argv[3]);
    pid_t child = 0;
    if (!rank || strcmp(rank, argv[1]) || (child = fork()) == 0) {
        if (rank && strcmp(rank, argv[1]) == 0) {
            ptrace(PTRACE_TRACEME, 0, 0, 0);
            raise(SIGSTOP);
            stop_at_calls();
        }
        execv(argv[4], argv + 4);
        perror("inject: exec");
        return 2;
    }
    return trace(child);
}

#else

int main(void) { return 77; }

#endif
