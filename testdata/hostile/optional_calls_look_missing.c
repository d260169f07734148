#include "told.h"

int main(void) {
    char parameters[120] = {0};
    told("io_uring_setup", syscall(SYS_io_uring_setup, 1, parameters));
    told("userfaultfd", syscall(SYS_userfaultfd, 0));
    told("inotify_init1", syscall(SYS_inotify_init1, 0));
    told("clone3", syscall(SYS_clone3, parameters, 64));
    told("memfd_secret", syscall(SYS_memfd_secret, 0));
    told("io_setup", syscall(SYS_io_setup, 1, parameters));
    told("pidfd_open", syscall(SYS_pidfd_open, getpid(), 0));
    told("no such call", syscall(499));
    told("the execution domain", syscall(SYS_personality, 0xffffffff));
}
