#include "told.h"
#include <linux/filter.h>
#include <linux/seccomp.h>

int main(void) {
    struct sock_filter instructions[4096], allow = {0x06 /* BPF_RET */, 0, 0, SECCOMP_RET_ALLOW};
    for (int i = 0; i < 4096; i++) {
        instructions[i] = allow;
    }
    struct sock_fprog one = {1, instructions}, long_one = {4096, instructions};
    told("a filter", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &one));
    /* Its own answers do not come before those that it has to live with. */
    told("unshare", syscall(SYS_unshare, 0x10000000 /* CLONE_NEWUSER */));
    told("io_setup", syscall(SYS_io_setup, 1, instructions));
    int loaded = 0;
    while (loaded < 1000 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &long_one) == 0) {
        loaded++;
    }
    dprintf(1, "%s\n", loaded < 1000 ? "not without end" : "WITHOUT END");
    told("unshare", syscall(SYS_unshare, 0x10000000));
}
