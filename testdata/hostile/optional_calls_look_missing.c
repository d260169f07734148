#include "outcomes.h"

int main(void) {
    char parameters[120] = {0};
    print_outcome("io_uring_setup", syscall(SYS_io_uring_setup, 1, parameters));
    print_outcome("userfaultfd", syscall(SYS_userfaultfd, 0));
    print_outcome("inotify_init1", syscall(SYS_inotify_init1, 0));
    print_outcome("clone3", syscall(SYS_clone3, parameters, 64));
    print_outcome("memfd_secret", syscall(SYS_memfd_secret, 0));
    print_outcome("io_setup", syscall(SYS_io_setup, 1, parameters));
    print_outcome("pidfd_open", syscall(SYS_pidfd_open, getpid(), 0));
    int pipes[2][2];
    char byte = 0;
    if (pipe(pipes[0]) || pipe(pipes[1]) || write(pipes[0][1], &byte, 1) != 1) {
        return 1;
    }
    print_outcome("splice", syscall(SYS_splice, pipes[0][0], NULL, pipes[1][1], NULL, 1, 0));
    print_outcome("tee", syscall(SYS_tee, pipes[0][0], pipes[1][1], 1, 0));
    int file = open(program(), O_RDONLY);
    print_outcome("sendfile", syscall(SYS_sendfile, pipes[1][1], file, NULL, 1));
    print_outcome("no such call", syscall(499));
    print_outcome("the execution domain", syscall(SYS_personality, 0xffffffff));
}
