#include "outcomes.h"

#include <sys/ptrace.h>
#include <sys/uio.h>

int main(void) {
    char byte;
    struct iovec here = {&byte, 1}, there = {main, 1};
    refused("ptrace attach", ptrace(PTRACE_ATTACH, 1, NULL, NULL));
    refused("ptrace seize", ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
    refused("process_vm_readv", process_vm_readv(1, &here, 1, &there, 1, 0));
    refused("process_vm_writev", process_vm_writev(1, &here, 1, &there, 1, 0));
    refused("/proc/1/mem", open("/proc/1/mem", O_RDWR));
    refused("/proc/1/maps", open("/proc/1/maps", O_RDONLY) < 0 ? -1 : 0);
    refused("/proc/1/fd", open("/proc/1/fd/3", O_RDONLY));
    int init = syscall(SYS_pidfd_open, 1, 0);
    refused("pidfd_getfd", syscall(SYS_pidfd_getfd, init, 3, 0));
    refused("process_madvise", syscall(SYS_process_madvise, init, &there, 1, MADV_DONTNEED, 0));
}
