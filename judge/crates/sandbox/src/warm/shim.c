// Runs before `main` in a program that is run warm (see judge/docs/background/sandbox.md). For each requested run it starts a
// child that continues into `main`, and reports its number. Everywhere else it calls `main` immediately.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C"
#endif
int __real_main(int, char **, char **);

#ifdef __cplusplus
extern "C"
#endif
int __wrap_main(int argc, char **argv, char **envp) {
    enum { CONTROL = 3, MAX_BYTES = 192 << 10 };
    static char bytes[MAX_BYTES], *args[MAX_BYTES];
    static union { struct cmsghdr header; char space[CMSG_SPACE(3 * sizeof(int))]; } passed;
    int kind = 0, streams[3], pid = 0;
    socklen_t size = sizeof kind;
    if (getsockopt(CONTROL, SOL_SOCKET, SO_TYPE, &kind, &size) || kind != SOCK_SEQPACKET) return __real_main(argc, argv, envp);
    for (;;) {
        // Zero at first: the program waits. The child is init's, which learns from the kernel how it ended.
        if (send(CONTROL, &pid, sizeof pid, MSG_NOSIGNAL) != sizeof pid) _exit(0);
        struct iovec part = {bytes, sizeof bytes};
        struct msghdr order = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &passed, .msg_controllen = sizeof passed};
        ssize_t length = recvmsg(CONTROL, &order, 0);
        if (length <= 0 || order.msg_controllen < sizeof passed) _exit(0);
        memcpy(streams, CMSG_DATA(&passed.header), sizeof streams);
        pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
        if (pid == 0) {
            for (int stream = 0; stream < 3; stream++) dup2(streams[stream], stream);
            for (int stream = 0; stream < 3; stream++) close(streams[stream]);
            close(CONTROL);
            setpgid(0, 0);
            argc = 0;
            for (char *at = bytes; at < bytes + length; at += strlen(at) + 1) args[argc++] = at;
            exit(__real_main(argc, args, envp));
        }
        for (int stream = 0; stream < 3; stream++) close(streams[stream]);
    }
}
