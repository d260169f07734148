#include <linux/filter.h>
#include <linux/seccomp.h>
#include "outcomes.h"

#include <sys/file.h>

int main(void) {
    struct sock_filter wanted[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_USER_NOTIF}};
    struct sock_filter allowed[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
    struct sock_fprog listens = {1, wanted}, allows = {1, allowed};
    print_outcome("listener", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &listens));
    print_outcome("filter", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &allows));
    print_outcome("flock", flock(open("/dev/null", O_RDWR), LOCK_EX | LOCK_NB));
}
