// Starts a program as Docker starts one: root lacks the privileges to trace processes and to raise priorities, and a filter
// refuses pidfd_getfd(2).
#define _GNU_SOURCE
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int count, char **arguments) {
    struct sock_filter refusing[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_getfd, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof refusing / sizeof *refusing, refusing};
    if (count < 2 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) return 125;
    // Root gets what is left in the bounding set with execve (capabilities(7)).
    if (prctl(PR_CAPBSET_DROP, CAP_SYS_PTRACE) || prctl(PR_CAPBSET_DROP, CAP_SYS_NICE)) return 126;
    execv(arguments[1], arguments + 1);
    return 127;
}
