#include "outcomes.h"

int main(void) {
    int init = syscall(SYS_pidfd_open, getppid(), 0), own = syscall(SYS_pidfd_open, getpid(), 0);
    refused("init's handle", init);
    refused("an own handle", own);
    int child = -1;
    refused("a child's handle", syscall(SYS_clone, CLONE_PIDFD | CLONE_VFORK | SIGCHLD, 0, &child, 0, 0));
    /* The init of a pid namespace receives it and ignores it (pid_namespaces(7)). */
    syscall(SYS_pidfd_send_signal, init, SIGKILL, NULL, 0);
    syscall(SYS_pidfd_send_signal, init, SIGSTOP, NULL, 0);
    refused("its descriptor", syscall(SYS_pidfd_getfd, init, 0, 0));
    refused("an own descriptor", syscall(SYS_pidfd_getfd, own, 0, 0));
    refused("its namespaces", setns(init, CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET));
    refused("its memory", syscall(SYS_process_madvise, init, &(struct iovec){0}, 1, MADV_COLD, 0));
    refused("its reaping", syscall(SYS_process_mrelease, init, 0));
    refused("its end", waitid(P_PIDFD, init, &(siginfo_t){0}, WEXITED | WNOHANG));
}
