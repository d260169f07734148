#include "outcomes.h"
#include <linux/filter.h>
#include <linux/seccomp.h>

/* One filter of each kind. Never more: thousands of them have stalled a kernel. */
int main(void) {
    struct sock_filter allow = {0x06 /* BPF_RET */, 0, 0, SECCOMP_RET_ALLOW};
    struct sock_fprog one = {1, &allow};
    int pair[2];
    print_outcome("seccomp", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &one));
    print_outcome("strict seccomp", syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1 /* invalid */, NULL));
    print_outcome("PR_SET_SECCOMP", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &one));
    print_outcome("bpf", syscall(SYS_bpf, 5 /* BPF_PROG_LOAD */, NULL, 0));
    print_outcome("a pair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    print_outcome("SO_ATTACH_FILTER", setsockopt(pair[0], SOL_SOCKET, 26, &one, sizeof one));
    print_outcome("SO_ATTACH_BPF", setsockopt(pair[0], SOL_SOCKET, 50, &(int){-1}, sizeof(int)));
    print_outcome("SO_ATTACH_REUSEPORT_CBPF", setsockopt(pair[0], SOL_SOCKET, 51, &one, sizeof one));
    print_outcome("SO_ATTACH_REUSEPORT_EBPF", setsockopt(pair[0], SOL_SOCKET, 52, &(int){-1}, sizeof(int)));
}
